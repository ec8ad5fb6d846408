// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/page.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tools/ulpfft/bench/best.h"
#include "tools/ulpfft/bench/plot.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::bench {
namespace {

std::string head(const std::string& text, bool is_text = false) { return std::string(is_text ? "<th class=\"text\">" : "<th>") + text + "</th>"; }

template <typename Get>
std::vector<std::string> distinct(const std::vector<Row>& rows, const Get& get) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    for (const std::string& name : get(row)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> peers_of(const std::vector<Row>& rows) {
  return distinct(rows, [](const Row& row) {
    std::vector<std::string> names;
    for (const PeerResult& peer : row.peers) names.push_back(peer.peer);
    return names;
  });
}

const PeerResult* compared(const Row& row, const std::string& name) {
  for (const PeerResult& peer : row.peers) {
    if (peer.peer == name && peer.ratio > 0) return &peer;
  }
  return nullptr;
}

std::string plots_of(const std::vector<Row>& rows, const std::string& suite, const std::string& note) {
  std::string text;
  const std::vector<std::string> peers = peers_of(rows);
  for (const std::string& storage : distinct(rows, [](const Row& row) { return std::vector<std::string>{row.storage}; })) {
    const std::string nominal = suite == "r2c" ? "2.5 N log2 n" : "5 N log2 n";
    const bool joined = suite == "c2c" || suite == "batch";
    Plot speed{storage + ", speed", "GFLOP/s, " + nominal + " / time", note, false, joined, {{"ulpfft", 0, {}}}};
    Plot ratio{storage + ", speed over that of others", "their time / ours", note, true, joined, {}};
    for (std::size_t i = 0; i < peers.size(); ++i) {
      speed.series.push_back({peers[i], static_cast<int>(i) + 1, {}});
      ratio.series.push_back({peers[i], static_cast<int>(i) + 1, {}});
    }
    for (const Row& row : rows) {
      if (row.storage != storage || !(row.seconds > 0)) continue;
      const double x = std::log2(static_cast<double>(row.size));
      speed.series[0].points.push_back({x, row.gflops, row.problem + ": " + show_gflops(row.gflops) + " GFLOP/s"});
      for (std::size_t i = 0; i < peers.size(); ++i) {
        const PeerResult* peer = compared(row, peers[i]);
        if (peer == nullptr) continue;
        const double gflops = row.gflops * row.seconds / peer->seconds;
        speed.series[i + 1].points.push_back({x, gflops, peers[i] + ", " + row.problem + ": " + show_gflops(gflops) + " GFLOP/s"});
        ratio.series[i].points.push_back({x, peer->ratio, row.problem + ": " + show_ratio(peer->ratio)});
      }
    }
    const auto is_empty = [](const Series& series) { return series.points.empty(); };
    std::erase_if(speed.series, is_empty);
    std::erase_if(ratio.series, is_empty);
    text += svg(speed) + svg(ratio);
  }
  return text.empty() ? "" : "<div class=\"plots\">\n" + text + "</div>\n";
}

std::string ratio_cell(double ratio) { return cell(show_ratio(ratio), ratio > 0 && ratio < 1 ? "slow" : ""); }

std::string best_cells(const Row& row) {
  const PeerResult* const best = best_of(row);
  if (best == nullptr) return cell("-", "text") + cell("-") + cell("-");
  return cell(escape(best->peer), "text") + ratio_cell(best->ratio) + cell(show_percent(best->ratio_spread));
}

std::string table_of(const std::vector<Row>& rows) {
  const std::vector<std::string> peers = peers_of(rows);
  const bool with_best = shows_best(rows);
  std::string text = "<div class=\"scroll\"><table><thead><tr>" + head("problem", true) + head("time") + head("&plusmn;");
  if (with_best) text += head("best peer", true) + head("ratio") + head("&plusmn;");
  text += head("GFLOP/s") + head("of FMA peak") + head("of copy") + head("error");
  for (const std::string& peer : peers) text += head(escape(peer) + ": time") + head("ratio") + head("&plusmn;") + head("error, ours / its");
  text += head("planned in") + head("recipe", true) + "</tr></thead><tbody>\n";
  for (const Row& row : rows) {
    text += "<tr>" + cell("<code>" + escape(row.problem) + "</code>", "text");
    if (!row.reason.empty()) {
      text += "<td class=\"wide\" colspan=\"" + std::to_string(8 + (with_best ? 3 : 0) + 4 * peers.size()) +
              "\">not measured: " + escape(row.reason) + "</td></tr>\n";
      continue;
    }
    text += cell(html_time(row.seconds)) + cell(show_percent(row.spread));
    if (with_best) text += best_cells(row);
    text += cell(show_gflops(row.gflops)) + cell(show_fraction(row.of_peak)) + cell(show_fraction(row.of_copy)) +
            cell(show_known_error(row.error));
    for (const std::string& name : peers) {
      if (const PeerResult* peer = compared(row, name)) {
        text += cell(html_time(peer->seconds)) + ratio_cell(peer->ratio) + cell(show_percent(peer->ratio_spread)) +
                cell(row.error > 0 && peer->error > 0 ? show_ratio(row.error / peer->error) : "-");
        continue;
      }
      std::string reason;
      for (const PeerResult& peer : row.peers) reason = peer.peer == name ? peer.reason : reason;
      text += "<td class=\"wide\" colspan=\"4\">" + escape(reason) + "</td>";
    }
    text += cell(row.from_wisdom ? "wisdom" : html_time(row.planning_seconds)) +
            recipe_cell(shown_recipe(row)) + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

// A line per band; per peer the geometric means and the slowest problem.
std::string means_table(const Report& report) {
  const bool with_best = shows_best(report.rows);
  std::vector<Mean> means;
  std::copy_if(report.means.begin(), report.means.end(), std::back_inserter(means),
               [&](const Mean& mean) { return with_best || mean.peer != kBest; });
  std::vector<std::string> band_names, peers;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (with_best) peers.emplace_back(kBest);  // what matters most comes first: the table may scroll
  for (const Mean& mean : means) note(band_names, mean.band), note(peers, mean.peer);
  const auto find = [&](const std::string& band, const std::string& peer, const std::string& storage) -> const Mean* {
    for (const Mean& mean : means) {
      if (mean.band == band && mean.peer == peer && mean.storage == storage && mean.ratio > 0) return &mean;
    }
    return nullptr;
  };
  std::string text = "<div class=\"scroll\"><table><thead><tr>" + head("band", true);
  for (const std::string& peer : peers) text += head(escape(peer) + ": f32") + head("f64") + head("both") + head("slowest") + head("at", true);
  text += "</tr></thead><tbody>\n";
  for (const std::string& band : band_names) {
    text += "<tr>" + cell(escape(band), "text");
    for (const std::string& peer : peers) {
      const Mean* slowest = nullptr;
      for (const char* storage : {"f32", "f64", "both"}) {
        const Mean* mean = find(band, peer, storage);
        text += ratio_cell(mean != nullptr ? mean->ratio : 0);
        if (mean != nullptr && (slowest == nullptr || mean->slowest < slowest->slowest)) slowest = mean;
      }
      text += ratio_cell(slowest != nullptr ? slowest->slowest : 0) +
              cell(slowest != nullptr ? "<code>" + escape(show_slowest(*slowest)) + "</code>" : "", "text");
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string gate_part(const std::vector<Verdict>& verdicts) {
  const auto count = [&](Outcome outcome) {
    return std::count_if(verdicts.begin(), verdicts.end(), [&](const Verdict& verdict) { return verdict.outcome == outcome; });
  };
  std::string text = "<h2>Goals</h2>\n<p class=\"verdict" + std::string(count(Outcome::kShort) > 0 ? " bad" : "") + "\">" +
                     std::to_string(count(Outcome::kPass)) + " pass, " + std::to_string(count(Outcome::kShort)) + " short, " +
                     std::to_string(count(Outcome::kNotRun)) + " not run</p>\n<div class=\"scroll\"><table><thead><tr>" + head("band", true) +
                     head("storage", true) + head("peer", true) + head("quantity", true) + head("goal") + head("each") +
                     head("reached") + head("worst") + head("verdict", true) + head("", true) + "</tr></thead><tbody>\n";
  for (const Verdict& verdict : verdicts) {
    const Goal& goal = verdict.goal;
    const char* kind = verdict.outcome == Outcome::kPass ? "text pass" : verdict.outcome == Outcome::kShort ? "text short" : "text";
    const Reached found = reached(verdict);
    text += "<tr>" + cell(escape(goal.band), "text") + cell(goal.storage, "text") + cell(escape(goal.peer), "text") +
            cell(name_of(goal.quantity), "text") + cell(escape(show_goal(goal, false))) + cell(escape(show_goal(goal, true))) +
            cell(show_ratio(found.mean)) + cell(show_ratio(found.worst)) + cell(name_of(verdict.outcome), kind) + cell(escape(verdict.reason), "wide") + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string conversions_part(const std::vector<ConversionRow>& rows) {
  std::string text = "<h2>Conversions from and to f32</h2>\n<p class=\"note\">" + escape(conversions_note()) +
                     "</p>\n<div class=\"scroll\"><table><thead><tr>" + head("format", true) + head("", true) + head("level", true) + head("GB/s") +
                     head("&times; a copy") + head("&plusmn;") + "</tr></thead><tbody>\n";
  for (const ConversionRow& row : rows) {
    text += "<tr>" + cell("<code>" + escape(row.storage) + "</code>", "text") + cell(row.direction, "text") + cell(row.level, "text") +
            cell(number("%.1f", 1e-9 * static_cast<double>(row.bytes) / row.seconds)) + cell(number("%.2f", row.ratio.value)) +
            cell(show_percent(row.ratio.spread)) + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string machine_part(const Machine& machine) {
  std::string text = "<h2>Machine</h2>\n<p>One core with " + escape(machine.instructions) + ": " +
                     (machine.fused ? "multiply-adds" : "multiplies and adds") + " f32 " + number("%.0f", 1e-9 * machine.flops_f32) +
                     " GFLOP/s, f64 " + number("%.0f", 1e-9 * machine.flops_f64) +
                     " GFLOP/s. Copies, bytes read and written:</p>\n<div class=\"scroll\"><table><thead><tr>" +
                     head("level", true) + head("two arrays of") + head("plain") + head("non-temporal") + "</tr></thead><tbody>\n";
  for (const CopySpeed& copy : machine.copies) {
    text += "<tr>" + cell(copy.level + (copy.capacity > 0 ? " (" + show_bytes(copy.capacity) + ")" : ""), "text") + cell(show_bytes(copy.bytes / 2)) +
            cell(number("%.0f GB/s", 1e-9 * copy.plain)) + cell(copy.streaming > 0 ? number("%.0f GB/s", 1e-9 * copy.streaming) : "-") + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string page_text(const Report& report) {
  std::string page =
      html_begin("ulpfft bench", "ulpfft bench", kReportStyle) + "<p>" +
      escape(report.machine.processor + ", " + report.machine_name + "; " + report.date + "; ulpfft " + report.version);
  for (std::size_t i = 0; i < report.peers.size(); ++i) {
    const ReportedPeer& peer = report.peers[i];
    page += escape((i == 0 ? " against " : ", ") + peer.name + (peer.version.empty() ? "" : " (" + peer.version + ")"));
  }
  page += ".</p>\n";
  if (!report.rows.empty()) page += "<p class=\"note\">" + escape(conditions(report)) + "</p>\n";
  if (!report.verdicts.empty()) page += gate_part(report.verdicts);
  if (!report.means.empty()) page += "<h2>Bands: their time over ours, geometric means</h2>\n" + means_table(report);
  for (const std::string& suite : distinct(report.rows, [](const Row& row) { return std::vector<std::string>{row.suite}; })) {
    std::vector<Row> rows;
    std::copy_if(report.rows.begin(), report.rows.end(), std::back_inserter(rows), [&](const Row& row) { return row.suite == suite; });
    const std::string note = report.machine.processor + ", " + report.machine_name + ", " + report.date;
    page += "<h2>" + escape(suite) + "</h2>\n" + plots_of(rows, suite, note) + table_of(rows);
  }
  if (!report.conversions.empty()) page += conversions_part(report.conversions);
  return page + machine_part(report.machine) + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool::bench
