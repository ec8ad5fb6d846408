// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/ulpfft/bench/best.h"
#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/nearest.h"

namespace ulpfft_tool::bench {
namespace {

using GoalsJson = nlohmann::json;

// The line each object of the array begins in: objects within one object and one array.
std::vector<std::size_t> object_lines(const std::string& text) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    line += c == '\n';
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' && depth == 2) lines.push_back(line);
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
  }
  return lines;
}

constexpr const char* kQuantities[] = {"ratio", "at_most", "error"};

Goal read_goal(const GoalsJson& entry) {
  const auto fail = [](const std::string& field, const std::string& what) { throw Failure(field + " " + what); };
  if (!entry.is_object()) fail("goals", "has an entry that is no object.");
  Goal goal;
  std::string quantity;
  for (const auto& [field, value] : entry.items()) {
    const bool is_quantity = std::find(std::begin(kQuantities), std::end(kQuantities), field) != std::end(kQuantities);
    const bool is_number = is_quantity || field == "floor" || field == "each";
    if (!is_number && field != "band" && field != "storage" && field != "peer") {
      fail("'" + field + "'", "is unknown; there are band, storage, peer, ratio with floor, at_most, error with each.");
    }
    if (is_number ? !value.is_number() : !value.is_string()) fail(field, is_number ? "is not a number." : "is not a text.");
    if (field == "band") goal.band = value.get<std::string>();
    if (field == "storage") goal.storage = value.get<std::string>();
    if (field == "peer") goal.peer = value.get<std::string>();
    if (!is_quantity) continue;
    if (!quantity.empty()) fail(field, "stands beside " + quantity + ": a goal has one of them.");
    quantity = field;
    goal.mean = value.get<double>();
    if (!(goal.mean > 0) || !std::isfinite(goal.mean)) fail(field, "is not above 0.");
  }
  for (const char* field : {"band", "storage", "peer"}) {
    if (!entry.contains(field)) fail(field, "is missing.");
  }
  if (quantity.empty()) fail("ratio", "is missing: ratio, at_most or error is needed.");
  goal.quantity = quantity == "ratio" ? Quantity::kRatio : quantity == "at_most" ? Quantity::kAtMost : Quantity::kError;
  if (find_band(goal.band) == nullptr && goal.band != kProblems && goal.band != kEvery) {
    std::string known;
    for (const Band& band : bands()) known += "'" + std::string(band.name) + "', ";
    fail("band", "is '" + goal.band + "'; there are " + known + "'" + std::string(kProblems) + "', '" + std::string(kEvery) + "'.");
  }
  const std::vector<ulpfft_format> formats = ulpfft::formats();
  if (goal.storage != "both" && std::none_of(formats.begin(), formats.end(), [&](const ulpfft_format& f) { return goal.storage == f.name; })) {
    fail("storage", "is '" + goal.storage + "'; there are f32, f64, both, and the narrow formats of this build.");
  }
  if (entry.contains("floor") && goal.quantity != Quantity::kRatio) fail("floor", "belongs to ratio.");
  if (entry.contains("each") && goal.quantity != Quantity::kError) fail("each", "belongs to error.");
  if (goal.quantity == Quantity::kRatio) {
    const double floor = entry.value("floor", 0.8);
    if (!(floor >= 0 && floor <= 1)) fail("floor", "is not within 0 and 1.");
    goal.each = floor * goal.mean;
  } else if (goal.quantity == Quantity::kError) {
    goal.each = entry.value("each", goal.mean);
    if (!(goal.each >= goal.mean) || !std::isfinite(goal.each)) fail("each", "is below error, the mean.");
  }
  return goal;
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 0.195 ? "%.3f" : "%.2f", value);
  return text;
}

bool is_within(const Goal& goal, double value, double limit) { return goal.quantity == Quantity::kRatio ? value >= limit : value <= limit; }

// Of a band that was measured.
Verdict judge_mean(const Goal& goal, const Mean& mean) {
  Verdict verdict{goal, Outcome::kNotRun, mean, ""};
  verdict.goal.band = mean.band;
  std::string& reason = verdict.reason;
  const auto add = [&](const std::string& text) { reason += (reason.empty() ? "" : "; ") + text; };
  const Reached found = reached(verdict);
  if (goal.quantity != Quantity::kError && mean.compared < mean.problems) {
    add(std::to_string(mean.problems - mean.compared) + " of " + std::to_string(mean.problems) + " not compared, first " + mean.reason);
  } else if (found.mean == 0) {
    reason = "no error is known";
    return verdict;
  }
  const std::string against = goal.quantity == Quantity::kRatio ? " < " : " > ";
  if (found.mean > 0 && !is_within(goal, found.mean, goal.mean)) add("mean " + digits(found.mean) + against + digits(goal.mean));
  if (found.worst > 0 && !is_within(goal, found.worst, goal.each)) {
    add(found.problem + " " + digits(found.worst) + against + (goal.quantity == Quantity::kRatio ? "floor " : "") + digits(goal.each));
  }
  if (!reason.empty() && mean.copy_gain > 0) add("copies of the same arrays gained " + digits(mean.copy_gain));
  verdict.outcome = reason.empty() ? Outcome::kPass : Outcome::kShort;
  return verdict;
}

// What a row has of a peer, or of the best of its peers: where no other library did the problem, the reason of the first. Null: nothing.
const PeerResult* result_in(const Row& row, std::string_view peer) {
  const PeerResult* const best = peer == kBest ? best_of(row) : nullptr;
  if (best != nullptr) return best;
  const auto found = std::find_if(row.peers.begin(), row.peers.end(),
                                  [&](const PeerResult& result) { return peer == kBest ? !result.is_ulpfft : result.peer == peer; });
  return found == row.peers.end() ? nullptr : &*found;
}

// The peers that took part, as a question where one of them is near to what the goal says.
std::string meant_peer(const Goal& goal, const std::vector<Mean>& means) {
  std::vector<std::string> names;
  for (const Mean& mean : means) names.push_back(mean.peer);
  return "'" + goal.peer + "' took no part." + did_you_mean(goal.peer, names);
}

Verdict not_run(const Goal& goal, const std::vector<Mean>& means) {
  const bool is_every = goal.band == kEvery;
  const auto ran = [&](const auto& is) { return std::any_of(means.begin(), means.end(), is); };
  const bool band_ran = ran([&](const Mean& mean) { return is_every || mean.band == goal.band; });
  const bool storage_ran = ran([&](const Mean& mean) { return (is_every || mean.band == goal.band) && mean.storage == goal.storage; });
  const std::string what = is_every ? "no band" : "the band";
  const std::string storages = goal.storage == "both" ? "f32 and f64" : goal.storage;
  return {goal,
          Outcome::kNotRun,
          {},
          !band_ran      ? what + " was " + (is_every ? "" : "not ") + "measured"
          : !storage_ran ? what + " was " + (is_every ? "" : "not ") + "measured in " + storages
                         : meant_peer(goal, means)};
}

}  // namespace

Reached reached(const Verdict& verdict) {
  const Mean& mean = verdict.mean;
  switch (verdict.goal.quantity) {
    case Quantity::kRatio: return {mean.ratio, mean.slowest, show_slowest(mean)};
    case Quantity::kAtMost: return {mean.ratio, 0, ""};
    case Quantity::kError: return {mean.error, mean.largest_error, mean.largest_error_problem};
  }
  return {};
}

std::string show_goal(const Goal& goal, bool each) {
  const double limit = each ? goal.each : goal.mean;
  if (limit == 0) return "-";
  return (goal.quantity == Quantity::kRatio ? ">= " : "<= ") + digits(limit);
}

const char* name_of(Quantity quantity) { return kQuantities[static_cast<int>(quantity)]; }

std::vector<Goal> read_goals(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure(path + ": cannot be opened.");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  GoalsJson document;
  try {
    document = GoalsJson::parse(text);
  } catch (const GoalsJson::parse_error& error) {
    const auto before = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte > 0 ? error.byte - 1 : 0, text.size()));
    std::string what = error.what();
    what = what.substr(std::min(what.find(": ") + 2, what.size()));  // after the position
    throw Failure(path + ": line " + std::to_string(1 + std::count(text.begin(), before, '\n')) + ": is not JSON: " + what);
  }
  if (!document.is_object() || !document.contains("goals") || !document["goals"].is_array()) {
    throw Failure(path + ": line 1: goals is missing: {\"goals\": [...]} is needed.");
  }
  const std::vector<std::size_t> lines = object_lines(text);
  std::vector<Goal> goals;
  for (const GoalsJson& entry : document["goals"]) {
    try {
      goals.push_back(read_goal(entry));
    } catch (const Failure& failure) {
      const std::size_t line = goals.size() < lines.size() ? lines[goals.size()] : 1;
      throw Failure(path + ": line " + std::to_string(line) + ": " + failure.what());
    }
  }
  return goals;
}

std::vector<Mean> means_of(const std::vector<Row>& rows) {
  std::vector<Mean> means;
  const auto add = [&](const std::string& band, const std::string& peer, const std::string& storage) {
    Mean mean;
    mean.band = band;
    mean.storage = storage;
    mean.peer = peer;
    std::vector<double> ratios, errors, gains;
    for (const Row& row : rows) {
      if (row.band != band || (storage != "both" && row.storage != storage)) continue;
      const PeerResult* const result = result_in(row, peer);
      if (result == nullptr) continue;
      ++mean.problems;
      if (!(result->ratio > 0)) {
        if (mean.reason.empty()) mean.reason = row.problem + ": " + result->reason;
        continue;
      }
      ratios.push_back(result->ratio);
      if (row.copy_gain > 0 && peer == kOneThread) gains.push_back(row.copy_gain);
      if (mean.slowest == 0 || result->ratio < mean.slowest)
        mean.slowest = result->ratio, mean.slowest_problem = row.problem, mean.slowest_peer = result->peer;
      if (!(row.error > 0) || !(result->error > 0)) continue;
      errors.push_back(row.error / result->error);
      if (errors.back() > mean.largest_error) mean.largest_error = errors.back(), mean.largest_error_problem = row.problem;
    }
    if (mean.problems == 0) return;  // a peer of the other storage, or of problems with threads
    mean.compared = ratios.size();
    mean.ratio = ratios.empty() ? 0 : geometric_mean(ratios);
    mean.copy_gain = gains.empty() ? 0 : geometric_mean(gains);
    mean.error = errors.empty() ? 0 : geometric_mean(errors);
    means.push_back(std::move(mean));
  };
  const auto distinct = [&](const std::string& band, const auto& names_of) {
    std::vector<std::string> names;
    for (const Row& row : rows) {
      if (!band.empty() && row.band != band) continue;
      for (const std::string& name : names_of(row)) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
    }
    return names;
  };
  using Names = std::vector<std::string>;
  for (const std::string& band : distinct("", [](const Row& row) { return Names{row.band}; })) {
    const Names storages = distinct(band, [](const Row& row) { return Names{row.storage}; });
    const Names peers = distinct(band, [](const Row& row) {
      Names names;
      for (const PeerResult& result : row.peers) names.push_back(result.peer);
      if (result_in(row, kBest) != nullptr) names.emplace_back(kBest);
      return names;
    });
    for (const std::string& peer : peers) {
      for (const std::string& storage : storages) add(band, peer, storage);
      const bool has_both = storages.size() == 2 && means.size() > 1 && means.end()[-2].band == band && means.end()[-2].peer == peer;
      if (has_both) add(band, peer, "both");
    }
  }
  return means;
}

std::string show_slowest(const Mean& mean) {
  return mean.peer == kBest && mean.slowest > 0 ? mean.slowest_problem + ", " + mean.slowest_peer : mean.slowest_problem;
}

std::vector<Verdict> judge(const std::vector<Goal>& goals, const std::vector<Mean>& means) {
  std::vector<Verdict> verdicts;
  for (const Goal& goal : goals) {
    const std::size_t before = verdicts.size();
    for (const Mean& mean : means) {
      const bool is_meant = (goal.band == kEvery || mean.band == goal.band) && mean.storage == goal.storage && mean.peer == goal.peer;
      if (is_meant) verdicts.push_back(judge_mean(goal, mean));
    }
    if (verdicts.size() == before) verdicts.push_back(not_run(goal, means));
  }
  return verdicts;
}

const char* name_of(Outcome outcome) {
  return outcome == Outcome::kPass ? "pass" : outcome == Outcome::kShort ? "short" : "not run";
}

}  // namespace ulpfft_tool::bench
