#include "tools/ulpfft/bench/gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tools/ulpfft/bench/suites.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/command.h"

namespace ulpfft_tool::bench {
namespace {

using Json = nlohmann::json;

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

Goal read_goal(const Json& entry) {
  const auto fail = [](const std::string& field, const std::string& what) { throw Failure(field + " " + what); };
  if (!entry.is_object()) fail("goals", "has an entry that is no object.");
  Goal goal;
  for (const auto& [field, value] : entry.items()) {
    const bool is_number = field == "ratio" || field == "floor";
    if (!is_number && field != "band" && field != "storage" && field != "peer") {
      fail("'" + field + "'", "is unknown; there are band, storage, peer, ratio and floor.");
    }
    if (is_number ? !value.is_number() : !value.is_string()) fail(field, is_number ? "is not a number." : "is not a text.");
    if (field == "band") goal.band = value.get<std::string>();
    if (field == "storage") goal.storage = value.get<std::string>();
    if (field == "peer") goal.peer = value.get<std::string>();
    if (field == "ratio") goal.ratio = value.get<double>();
    if (field == "floor") goal.floor = value.get<double>();
  }
  for (const char* field : {"band", "storage", "peer", "ratio"}) {
    if (!entry.contains(field)) fail(field, "is missing.");
  }
  if (find_band(goal.band) == nullptr && goal.band != kProblems) {
    std::string known;
    for (const Band& band : bands()) known += "'" + std::string(band.name) + "', ";
    fail("band", "is '" + goal.band + "'; there are " + known + "'" + std::string(kProblems) + "'.");
  }
  if (goal.storage != "f32" && goal.storage != "f64" && goal.storage != "both") {
    fail("storage", "is '" + goal.storage + "'; there are f32, f64 and both.");
  }
  if (!(goal.ratio > 0) || !std::isfinite(goal.ratio)) fail("ratio", "is not above 0.");
  if (!(goal.floor >= 0 && goal.floor <= 1)) fail("floor", "is not within 0 and 1.");
  return goal;
}

std::string show_ratio(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

}  // namespace

std::vector<Goal> read_goals(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure(path + ": cannot be opened.");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Json document;
  try {
    document = Json::parse(text);
  } catch (const Json::parse_error& error) {
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
  for (const Json& entry : document["goals"]) {
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
    Mean mean{band, storage, peer, 0, 0, "", 0, 0, ""};
    std::vector<double> ratios;
    for (const Row& row : rows) {
      if (row.band != band || (storage != "both" && row.storage != storage)) continue;
      for (const PeerResult& result : row.peers) {
        if (result.peer != peer) continue;
        ++mean.problems;
        if (!(result.ratio > 0)) {
          if (mean.reason.empty()) mean.reason = row.problem + ": " + result.reason;
          continue;
        }
        ratios.push_back(result.ratio);
        if (mean.slowest == 0 || result.ratio < mean.slowest) mean.slowest = result.ratio, mean.slowest_problem = row.problem;
      }
    }
    if (mean.problems == 0) return;  // a peer of the other storage, or of problems with threads
    mean.compared = ratios.size();
    mean.ratio = ratios.empty() ? 0 : geometric_mean(ratios);
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
      return names;
    });
    for (const std::string& peer : peers) {
      for (const std::string& storage : storages) add(band, peer, storage);
      const bool has_both = means.size() > 1 && means.end()[-2].band == band && means.end()[-2].peer == peer;
      if (has_both) add(band, peer, "both");
    }
  }
  return means;
}

std::vector<Verdict> judge(const std::vector<Goal>& goals, const std::vector<Mean>& means) {
  std::vector<Verdict> verdicts;
  for (const Goal& goal : goals) {
    Verdict verdict{goal, Outcome::kNotRun, {}, ""};
    const auto found = std::find_if(means.begin(), means.end(), [&](const Mean& mean) {
      return mean.band == goal.band && mean.storage == goal.storage && mean.peer == goal.peer;
    });
    const bool band_ran = std::any_of(means.begin(), means.end(), [&](const Mean& mean) { return mean.band == goal.band; });
    const bool storage_ran = std::any_of(means.begin(), means.end(), [&](const Mean& mean) {
      return mean.band == goal.band && mean.storage == goal.storage;
    });
    if (found == means.end()) {
      verdict.reason = !band_ran      ? "the band was not measured"
                       : !storage_ran ? "the band was not measured in " + std::string(goal.storage == "both" ? "f32 and f64" : goal.storage)
                                      : "'" + goal.peer + "' took no part";
    } else {
      verdict.mean = *found;
      std::string& reason = verdict.reason;
      const auto add = [&](const std::string& text) { reason += (reason.empty() ? "" : "; ") + text; };
      if (found->compared < found->problems) {
        add(std::to_string(found->problems - found->compared) + " of " + std::to_string(found->problems) + " not compared, first " + found->reason);
      }
      if (found->compared > 0 && found->ratio < goal.ratio) add("mean " + show_ratio(found->ratio) + " < " + show_ratio(goal.ratio));
      if (found->compared > 0 && found->slowest < goal.floor * goal.ratio) {
        add(found->slowest_problem + " " + show_ratio(found->slowest) + " < floor " + show_ratio(goal.floor * goal.ratio));
      }
      verdict.outcome = reason.empty() ? Outcome::kPass : Outcome::kShort;
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

const char* name_of(Outcome outcome) {
  return outcome == Outcome::kPass ? "pass" : outcome == Outcome::kShort ? "short" : "not run";
}

}  // namespace ulpfft_tool::bench
