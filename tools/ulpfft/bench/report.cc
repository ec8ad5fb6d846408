// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tools/ulpfft/bench/best.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string left(const std::string& text, std::size_t width) { return text + std::string(text.size() < width ? width - text.size() : 0, ' '); }
std::string right(const std::string& text, std::size_t width) { return std::string(text.size() < width ? width - text.size() : 0, ' ') + text; }

constexpr std::size_t kTimeWidth = 9;
constexpr double kBusySpread = 0.1;

std::string in_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : c == '\n' ? std::string(" ") : std::string(1, c);
  return quoted + "\"";
}

Json json_of(const Machine& machine) {
  Json json = {{"processor", machine.processor},
               {"cpus", machine.cpus},
               {"instructions", machine.instructions},
               {"fused", machine.fused},
               {"gflops_f32", 1e-9 * machine.flops_f32},
               {"gflops_f64", 1e-9 * machine.flops_f64},
               {"copies", Json::array()}};
  for (const CopySpeed& copy : machine.copies) {
    json["copies"].push_back({{"level", copy.level},
                              {"capacity_bytes", copy.capacity},
                              {"bytes", copy.bytes},
                              {"gb_per_s", 1e-9 * copy.plain},
                              {"streaming_gb_per_s", copy.streaming > 0 ? Json(1e-9 * copy.streaming) : Json(nullptr)}});
  }
  return json;
}

// What is not known is null.
Json known(double value) { return value > 0 ? Json(value) : Json(nullptr); }

Json json_of(const PeerResult& peer) {
  return {{"peer", peer.peer},
          {"is_ulpfft", peer.is_ulpfft},
          {"reason", peer.reason},
          {"seconds", known(peer.seconds)},
          {"spread", peer.spread},
          {"ratio", known(peer.ratio)},
          {"ratio_spread", peer.ratio_spread},
          {"error", known(peer.error)},
          {"planning_seconds", known(peer.planning_seconds)},
          {"recipe", peer.recipe}};
}

Json json_of(const Row& row) {
  Json json = {{"suite", row.suite},
               {"band", row.band},
               {"problem", row.problem},
               {"storage", row.storage},
               {"size", row.size},
               {"points", row.points},
               {"threads", row.threads},
               {"threads_used", row.threads_used},
               {"reason", row.reason},
               {"recipe", row.recipe},
               {"from_wisdom", row.from_wisdom},
               {"seconds", known(row.seconds)},
               {"spread", row.spread},
               {"gflops", row.reason.empty() ? Json(row.gflops) : Json(nullptr)},
               {"fraction_of_peak", known(row.of_peak)},
               {"fraction_of_copy", known(row.of_copy)},
               {"copy_gain", known(row.copy_gain)},
               {"error", known(row.error)},
               {"planning_seconds", known(row.planning_seconds)},
               {"estimate_seconds", known(row.estimate_seconds)},
               {"rounds", row.rounds},
               {"cpu", row.cpu >= 0 ? Json(row.cpu) : Json(nullptr)},
               {"peers", Json::array()}};
  for (const PeerResult& peer : row.peers) json["peers"].push_back(json_of(peer));
  const PeerResult* const best = best_of(row);
  json["best"] =
      best == nullptr ? Json(nullptr) : Json({{"peer", best->peer}, {"ratio", best->ratio}, {"ratio_spread", best->ratio_spread}});
  return json;
}

}  // namespace

std::string show_ratio(double ratio) { return ratio > 0 ? format(ratio < 0.195 ? "%.3f" : "%.2f", ratio) : "-"; }
std::string show_fraction(double fraction) { return fraction > 0 ? format("%.0f %%", 100 * fraction) : "-"; }
std::string show_known_error(double error) { return error > 0 ? format("%.1e", error) : "-"; }
std::string show_gflops(double gflops) { return format(gflops < 9.95 ? "%.1f" : "%.0f", gflops); }

std::string shown_recipe(const Row& row) {
  if (row.threads == 1 || row.threads_used == 0) return row.recipe;
  const std::string text = row.recipe + " on " + std::to_string(row.threads_used) + (row.threads_used == 1 ? " thread" : " threads");
  return row.copy_gain > 0 ? text + "; a copy gains " + show_ratio(row.copy_gain) : text;
}

std::string machine_text(const Machine& machine) {
  std::string text = machine.processor + ", " + std::to_string(machine.cpus) + (machine.cpus == 1 ? " CPU" : " CPUs") +
                     "; one core with " + machine.instructions + ":\n";
  text += std::string("  ") + (machine.fused ? "multiply-adds" : "multiplies and adds (no fused instruction)") + "  f32 " +
          format("%.1f", 1e-9 * machine.flops_f32) + " GFLOP/s, f64 " + format("%.1f", 1e-9 * machine.flops_f64) + " GFLOP/s\n";
  Table table({"copy, read + written", ">of two arrays of", ">plain", ">non-temporal"});
  for (const CopySpeed& copy : machine.copies) {
    table.add({copy.level + (copy.capacity > 0 ? " (" + show_bytes(copy.capacity) + ")" : ""), show_bytes(copy.bytes / 2),
               format("%.1f GB/s", 1e-9 * copy.plain), copy.streaming > 0 ? format("%.1f GB/s", 1e-9 * copy.streaming) : "-"});
  }
  return text + table.text("  ");
}

// "| name  1.32  0.5 %": the best of the other libraries.
std::string best_cells(const Row& row, std::size_t width) {
  const PeerResult* const best = best_of(row);
  if (best == nullptr) return " | " + left("-", width) + std::string(16, ' ');
  return " | " + left(best->peer, width) + right(show_ratio(best->ratio), 8) + right(show_percent(best->ratio_spread), 8);
}

std::string heading(const std::string& band, const Columns& columns) {
  std::string text = left(band, columns.problem_width) + right("time", 9) + right("+-", 8) + right("GFLOP/s", 9) + right("of FMA", 8) +
                     right("of copy", 9) + right("error", 9) + right("planned", 9);
  if (columns.best_width > 0) text += " | " + left("best", columns.best_width) + right("ratio", 8) + right("+-", 8);
  for (const std::string& peer : columns.peers) text += " | " + left(peer, kTimeWidth) + right("ratio", 7) + right("+-", 8) + right("error", 8);
  return text + " | recipe\n";
}

std::string line_of(const Row& row, Columns& columns) {
  std::string text = left(row.problem, columns.problem_width);
  if (!row.reason.empty()) return text + "  not measured: " + row.reason + "\n";
  text += right(show_seconds(row.seconds), 9) + right(show_percent(row.spread), 8) + right(show_gflops(row.gflops), 9) +
          right(show_fraction(row.of_peak), 8) + right(show_fraction(row.of_copy), 9) + right(show_known_error(row.error), 9) +
          right(row.from_wisdom ? "wisdom" : show_seconds(row.planning_seconds), 9);
  if (columns.best_width > 0) text += best_cells(row, columns.best_width);
  std::string reasons;
  for (const std::string& name : columns.peers) {
    const auto peer = std::find_if(row.peers.begin(), row.peers.end(), [&](const PeerResult& p) { return p.peer == name; });
    const std::size_t width = std::max(kTimeWidth, name.size());
    if (peer != row.peers.end() && peer->ratio > 0) {
      text += " | " + right(show_seconds(peer->seconds), width) + right(show_ratio(peer->ratio), 7) + right(show_percent(peer->ratio_spread), 8) +
              right(row.error > 0 && peer->error > 0 ? "x " + show_ratio(row.error / peer->error) : "-", 8);
      continue;
    }
    text += " | " + right("-", width) + std::string(23, ' ');
    if (peer == row.peers.end()) continue;
    const std::string reason = "    " + name + " is not compared: " + peer->reason + ".\n";
    if (std::find(columns.told.begin(), columns.told.end(), reason) != columns.told.end()) continue;
    columns.told.push_back(reason);
    reasons += reason;
  }
  return text + " | " + shown_recipe(row) + "\n" + reasons;
}

std::string means_text(const Report& report) {
  const bool with_best = shows_best(report.rows);
  Table table({"band", "storage", "peer", ">geometric mean", ">slowest", "at", ">compared", ">error", ">largest", "at"});
  for (const Mean& mean : report.means) {
    if (mean.peer == kBest && !with_best) continue;
    table.add({mean.band, mean.storage, mean.peer, show_ratio(mean.ratio), show_ratio(mean.slowest), show_slowest(mean),
               std::to_string(mean.compared) + " of " + std::to_string(mean.problems), show_ratio(mean.error),
               show_ratio(mean.largest_error), mean.largest_error_problem});
  }
  return table.text();
}

std::string verdicts_text(const std::vector<Verdict>& verdicts) {
  Table table({"band", "storage", "peer", "quantity", ">goal", ">each", ">reached", ">worst", "verdict", ""});
  for (const Verdict& verdict : verdicts) {
    const Goal& goal = verdict.goal;
    const Reached found = reached(verdict);
    table.add({goal.band, goal.storage, goal.peer, name_of(goal.quantity), show_goal(goal, false), show_goal(goal, true), show_ratio(found.mean),
               show_ratio(found.worst), name_of(verdict.outcome), verdict.reason});
  }
  return table.text();
}

// How peers are planned, and which of them compete.
std::string peer_conditions(const Report& report) {
  const auto has = [&](bool is_ulpfft, bool is_target) {
    return std::any_of(report.peers.begin(), report.peers.end(), [&](const ReportedPeer& peer) {
      return peer.is_ulpfft == is_ulpfft && peer.name.starts_with("target:") == is_target;
    });
  };
  std::string text;
  if (has(false, false)) text += " Other libraries are planned three times by " + report.peer_effort + ", the fastest plan is kept.";
  if (shows_best(report.rows)) text += " best: the fastest of the other libraries in that row; ulpfft itself is not among them.";
  if (has(true, true)) text += " target: is ulpfft on that instruction set, planned as ours.";
  if (!has(true, false)) return text;
  std::string builds;
  for (const ReportedPeer& peer : report.peers) {
    if (peer.is_ulpfft && !peer.name.starts_with("target:")) builds += (builds.empty() ? " " : ", ") + peer.name;
  }
  return text + builds + ": ulpfft, another build, planned as ours without wisdom.";
}

std::string conditions(const Report& report) {
  const auto ran = [&](bool one) {
    return std::any_of(report.rows.begin(), report.rows.end(), [&](const Row& row) { return row.reason.empty() && (row.threads == 1) == one; });
  };
  const bool refused = std::any_of(report.rows.begin(), report.rows.end(),
                                   [](const Row& row) { return row.reason.empty() && row.threads == 1 && row.cpu < 0; });
  std::string text;
  if (report.interrupted) text += "Interrupted after " + std::to_string(report.rows.size()) + " of " + std::to_string(report.problems) + " problems. ";
  if (ran(true)) {
    text += std::string("On one thread: ") + (refused ? "the system refuses to keep it on one CPU" : "kept on one CPU") +
            ", processor time of the thread. ";
  }
  if (ran(false)) text += "On several threads: any CPU, wall time; a copy of the arrays on so many threads gains what is printed behind the recipe. ";
  text += "Medians over 9 to 51 rounds in which all take turns on the same arrays; +- is the median absolute deviation. GFLOP/s count "
          "5 N log2 n, half of it for r2c and c2r; copy counts every number in and out once.";
  if (!report.peers.empty()) {
    text += " Ratio: the peer's time over ours; error: ours over the peer's, both against sums in long double.";
    text += peer_conditions(report);
  }
  text += " Planned by " + report.effort + ".";
  const auto busy = std::count_if(report.rows.begin(), report.rows.end(), [](const Row& row) {
    return row.spread > kBusySpread ||
           std::any_of(row.peers.begin(), row.peers.end(), [](const PeerResult& peer) { return peer.ratio_spread > kBusySpread; });
  });
  if (busy > 0) {
    text += " " + std::to_string(busy) + (busy == 1 ? " row has" : " rows have") + " a spread above " + show_percent(kBusySpread) +
            ": the machine was busy, take them with caution.";
  }
  return text;
}

std::string json_text(const Report& report) {
  Json json = {{"tool", "ulpfft bench"},
               {"schema", 1},
               {"version", report.version},
               {"date", report.date},
               {"machine_name", report.machine_name},
               {"machine", json_of(report.machine)},
               {"effort", report.effort},
               {"peer_effort", report.peer_effort},
               {"seconds", report.seconds},
               {"interrupted", report.interrupted},
               {"conditions", conditions(report)},
               {"peers", Json::array()},
               {"rows", Json::array()},
               {"bands", Json::array()},
               {"conversions", Json::array()},
               {"gate", Json::array()}};
  for (const ReportedPeer& peer : report.peers)
    json["peers"].push_back({{"name", peer.name}, {"version", peer.version}, {"is_ulpfft", peer.is_ulpfft}});
  for (const Row& row : report.rows) json["rows"].push_back(json_of(row));
  for (const ConversionRow& row : report.conversions) {
    json["conversions"].push_back({{"format", row.storage},
                                   {"direction", row.direction},
                                   {"level", row.level},
                                   {"numbers", row.numbers},
                                   {"bytes", row.bytes},
                                   {"seconds", row.seconds},
                                   {"time_over_copy", row.ratio.value},
                                   {"spread", row.ratio.spread}});
  }
  for (const Mean& mean : report.means) {
    json["bands"].push_back({{"band", mean.band},
                             {"storage", mean.storage},
                             {"peer", mean.peer},
                             {"ratio", known(mean.ratio)},
                             {"slowest", known(mean.slowest)},
                             {"slowest_problem", mean.slowest_problem},
                             {"slowest_peer", mean.slowest_peer},
                             {"error", known(mean.error)},
                             {"largest_error", known(mean.largest_error)},
                             {"largest_error_problem", mean.largest_error_problem},
                             {"compared", mean.compared},
                             {"copy_gain", known(mean.copy_gain)},
                             {"problems", mean.problems}});
  }
  for (const Verdict& verdict : report.verdicts) {
    const Reached found = reached(verdict);
    json["gate"].push_back({{"band", verdict.goal.band},
                            {"storage", verdict.goal.storage},
                            {"peer", verdict.goal.peer},
                            {"quantity", name_of(verdict.goal.quantity)},
                            {"goal", verdict.goal.mean},
                            {"each", known(verdict.goal.each)},
                            {"reached", known(found.mean)},
                            {"worst", known(found.worst)},
                            {"worst_problem", found.problem},
                            {"verdict", name_of(verdict.outcome)},
                            {"reason", verdict.reason}});
  }
  return json.dump(2) + "\n";
}

std::string csv_text(const Report& report) {
  std::string text =
      "suite,band,problem,storage,size,points,threads,reason,recipe,seconds,spread,gflops,fraction_of_peak,fraction_of_copy,copy_gain,"
      "error,"
      "planning_seconds,estimate_seconds,peer,peer_reason,peer_seconds,peer_spread,ratio,ratio_spread,peer_error,best\n";
  const auto cell = [](double value) { return value > 0 ? show_number(value) : std::string(); };
  for (const Row& row : report.rows) {
    const bool measured = row.reason.empty();
    std::string ours;
    for (const std::string& part :
         {in_quotes(row.suite), in_quotes(row.band), in_quotes(row.problem), row.storage, std::to_string(row.size), std::to_string(row.points),
          std::to_string(row.threads), in_quotes(row.reason), in_quotes(row.recipe), cell(row.seconds), measured ? show_number(row.spread) : "",
          measured ? show_number(row.gflops) : "", cell(row.of_peak), cell(row.of_copy), cell(row.copy_gain), cell(row.error), cell(row.planning_seconds),
          cell(row.estimate_seconds)}) {
      ours += part + ",";
    }
    const PeerResult* const best = best_of(row);
    const std::string best_name = best == nullptr ? "" : in_quotes(best->peer);
    for (const PeerResult& peer : row.peers) {
      const bool compared = peer.ratio > 0;
      text += ours + in_quotes(peer.peer) + "," + in_quotes(peer.reason) + "," + cell(peer.seconds) + "," +
              (compared ? show_number(peer.spread) : "") + "," + cell(peer.ratio) + "," + (compared ? show_number(peer.ratio_spread) : "") +
              "," + cell(peer.error) + "," + best_name + "\n";
    }
    if (row.peers.empty()) text += ours + ",,,,,,,\n";
  }
  return text;
}

}  // namespace ulpfft_tool::bench
