// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/pareto/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/target_names.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::pareto {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

// The sentence about the fastest row within the limit.
std::string chosen_sentence(const Table& table) {
  const Row* fastest = nullptr;
  for (const Row& row : table.rows) {
    if (row.measured() && row.error <= table.max_error && (fastest == nullptr || row.seconds < fastest->seconds)) fastest = &row;
  }
  const std::string limit = "max_error=" + show_error(table.max_error);
  if (fastest == nullptr) return "No row keeps " + limit + ".\n";
  return "Of the rows that keep " + limit + ", " + fastest->recipe + " is the fastest.\n";
}

}  // namespace

std::map<std::string, std::vector<const Row*>> rows_left_out(const Table& table) {
  std::map<std::string, std::vector<const Row*>> rows;
  for (const Row& row : table.rows) {
    if (!row.measured()) rows[row.reason.substr(0, row.reason.find(" (recipe "))].push_back(&row);  // alike but for that
  }
  return rows;
}

std::string mark_of(const Row& row) { return row.front && row.own_front ? "front, own" : row.front ? "front" : row.own_front ? "own" : ""; }

double ns_per_point(const Table& table, const Row& row) { return 1e9 * row.seconds / static_cast<double>(table.points); }

std::string part_timed(const Table& table, const Row& row) {
  return row.transforms < table.transforms ? std::to_string(row.transforms) + " of " + std::to_string(table.transforms) : "";
}

std::string text_report(const Table& table) {
  std::string text = table.problem + " on " + show_target(table.machine) + "\n\n";
  ulpfft_tool::Table columns({"", "arrays", "scheme", "between", ">bytes/point", ">ns/point", ">time", ">spread", ">timed", ">predicted", ">error", "recipe"});
  for (const Row& row : table.rows) {
    if (!row.measured()) continue;
    const std::string part = part_timed(table, row);
    columns.add({mark_of(row), row.storage(), row.scheme, row.between, number("%.4g", row.bytes), number("%.3f", ns_per_point(table, row)),
                 show_seconds(row.seconds), show_percent(row.spread), part.empty() ? "all" : part, show_error(row.predicted), show_error(row.error),
                 row.recipe});
  }
  text += columns.text() + "\n";
  text += "front: no row is both as fast and as accurate; own: none of those whose arrays are the problem's. Errors are measured on normal data,\n"
          "against the exact transform of what the input encodes. Emulated schemes (all but f32 and f64) are timed on fewer transforms.\n";
  if (!table.family.empty()) {
    text += "scheme=" + table.family + " compares the schemes of that family, each by every recipe that planning timed.\n";
  }
  if (!table.family.empty() && table.max_error > 0) text += chosen_sentence(table);
  for (const auto& [reason, rows] : rows_left_out(table))
    text += std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows") + " left out: " + reason + "\n";
  if (!table.choices.empty()) {
    ulpfft_tool::Table choices({">max_error", "chosen", ">error", ">time / fastest row", "fastest row that keeps it"});
    for (const Choice& choice : table.choices) {
      choices.add({show_error(choice.limit), choice.recipe.empty() ? "refused" : choice.recipe, choice.recipe.empty() ? "-" : show_error(choice.error),
                   choice.over_fastest > 0 ? number("%.3f", choice.over_fastest) : "-", choice.fastest.empty() ? "none" : choice.fastest});
    }
    text += "\n" + choices.text();
    for (const Choice& choice : table.choices) {
      if (!choice.refusal.empty()) text += show_error(choice.limit) + ": " + choice.refusal + "\n";
    }
  }
  return text + "\nMeasuring took " + show_seconds(table.seconds) + ".\n";
}

std::string json_report(const Table& table) {
  Json rows = Json::array();
  for (const Row& row : table.rows) {
    Json one = {{"scheme", row.scheme}, {"storage_in", row.storage_in}, {"storage_out", row.storage_out}, {"between", row.between},
                {"own", row.own},       {"emulated", row.emulated},     {"bytes_per_point", row.bytes}};
    if (row.measured()) {
      one["recipe"] = row.recipe;
      one["seconds"] = row.seconds;
      one["ns_per_point"] = ns_per_point(table, row);
      one["spread"] = row.spread;
      one["transforms_timed"] = row.transforms;
      one["predicted_error"] = finite(row.predicted);
      one["error"] = finite(row.error);
      one["front"] = row.front;
      one["own_front"] = row.own_front;
    } else {
      one["reason"] = row.reason;
    }
    rows.push_back(std::move(one));
  }
  Json choices = Json::array();
  for (const Choice& choice : table.choices) {
    Json one = {{"max_error", choice.limit}};
    if (choice.recipe.empty()) {
      one["refusal"] = choice.refusal;
    } else {
      one["recipe"] = choice.recipe;
      one["error"] = finite(choice.error);
    }
    if (!choice.fastest.empty()) one["fastest_row"] = choice.fastest;
    if (choice.over_fastest > 0) one["over_fastest"] = choice.over_fastest;
    choices.push_back(std::move(one));
  }
  Json result = {{"problem", table.problem}, {"machine", table.machine},         {"points", table.points},
                 {"transforms", table.transforms}, {"seconds", table.seconds}, {"rows", std::move(rows)}};
  if (!choices.empty()) result["choices"] = std::move(choices);
  return result.dump(2) + "\n";
}

}  // namespace ulpfft_tool::pareto
