// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/pareto/rows.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace ulpfft_tool::pareto {
namespace {

std::string reason_of(const char* reason, bool out_of_time) {
  return out_of_time ? "no time was left: give more with --time-limit" : reason;
}

Row row_of(const ulpfft_pareto_row& from) {
  Row row;
  row.scheme = from.scheme;
  row.storage_in = from.storage_in;
  row.storage_out = from.storage_out;
  row.between = from.between;
  row.own = from.own != 0;
  row.emulated = from.emulated != 0;
  row.recipe = from.recipe;
  row.transforms = from.transforms;
  row.seconds = from.seconds;
  row.spread = from.spread;
  row.bytes = from.bytes_per_point;
  row.predicted = from.predicted_error;
  row.error = from.error;
  row.reason = reason_of(from.reason, from.out_of_time != 0);
  row.front = from.front != 0;
  row.own_front = from.own_front != 0;
  return row;
}

}  // namespace

Table measure(ulpfft::Context& context, const std::string& problem, const ulpfft::ParetoOptions& options) {
  const ulpfft::Pareto pareto(context, problem, options);
  const ulpfft_pareto_facts& facts = pareto.facts();
  Table table;
  table.problem = facts.problem;
  table.machine = facts.machine;
  table.points = facts.points;
  table.transforms = facts.transforms;
  table.max_error = facts.max_error;
  table.family = facts.family;
  table.seconds = facts.seconds;
  for (std::size_t i = 0; i < facts.rows; ++i) table.rows.push_back(row_of(pareto.row(i)));
  for (std::size_t i = 0; i < facts.choices; ++i) {
    const ulpfft_pareto_choice from = pareto.choice(i);
    table.choices.push_back({from.max_error, from.recipe, from.error, reason_of(from.refusal, from.out_of_time != 0), from.over_fastest, from.fastest});
  }
  return table;
}

std::vector<std::string> storage_names() {
  std::vector<std::string> names;
  for (const ulpfft_format& format : ulpfft::formats()) {
    // Formats of scales have neither zero nor sign.
    const bool scales_only = format.kind == std::string_view("element") && format.is_signed == 0;
    if (!scales_only) names.emplace_back(format.name);
  }
  return names;
}

}  // namespace ulpfft_tool::pareto
