// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Writes the shipped cost rows of one target: the least of several measured tables, in picoseconds: neighbours on the machine only ever
// make caches slower.
//
//   measure_costs TARGET [TABLES] > planner/cost/shipped_costs/TARGET.inc, or PROCESSOR_TARGET.inc with the processor before the names
//   measure_costs TARGET TABLES BODY... [like BODY...]
//                                rows of new codelets alone, by their bodies or kinds: t20 n24+t15 kReal
//
// On another machine than the one of the shipped table the rows after `like` tell what a cost here is there: a new row is multiplied by the
// median, over those rows, of shipped over measured. Each cost and type has a factor of its own; without such rows for it, that of L1.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/contract/pass_rows.h"
#include "codelets/registry.h"
#include "planner/cost/cost_table.h"
#include "tests/bench/timing.h"

namespace ulpfft::bench {
namespace {

constexpr double kSecondsPerTable = 30;

// The name of the constant: kWholeTwo of "whole_two".
std::string kind_name(PassKind kind) {
  std::string name = "k";
  bool is_first = true;
  for (const char letter : std::string_view(row_of(kind).name)) {
    if (letter != '_') name += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    is_first = letter == '_';
  }
  return name;
}

// Three digits are more than the machine repeats.
long picoseconds(double ns) {
  double unit = 1;
  while (1000 * ns / unit >= 1000) unit *= 10;
  return static_cast<long>(1000 * ns / unit + 0.5) * static_cast<long>(unit);
}

std::string bodies_of(const CodeletInfo& codelet) {
  return std::string(codelet.body->name) + (codelet.second != nullptr ? std::string("+") + codelet.second->name : "");
}

// Bodies and kinds; empty: all codelets.
struct Selection {
  std::set<std::string> names;
  bool has(const CodeletInfo& codelet) const {
    return names.empty() || names.contains(bodies_of(codelet)) || names.contains(kind_name(codelet.kind));
  }
};

std::vector<CostTable> measure_tables(const CodeletTable& codelets, int count) {
  std::vector<CostTable> tables;
  for (int i = 0; i < count; ++i) {
    tables.push_back(CostTable::measure(codelets, kSecondsPerTable, &thread_seconds));
    if (!tables.back().is_measured()) return {};
  }
  return tables;
}

template <typename Value>
double least(const std::vector<CostTable>& tables, const Value& value) {
  double found = INFINITY;
  for (const CostTable& table : tables) found = std::min(found, static_cast<double>(value(table)));
  return found;
}

// Nanoseconds of the shipped machine over those of this one, by cost.
std::array<double, kCosts> factors(const CodeletTable& codelets, const std::vector<CostTable>& tables, const Selection& like,
                                   ComputeType compute) {
  std::array<double, kCosts> found;
  found.fill(1);
  if (like.names.empty()) return found;
  const CostTable shipped = CostTable::shipped(codelets);
  for (std::size_t c = 0; c < kCosts; ++c) {
    std::vector<double> ratios;
    for (const CodeletInfo& codelet : codelets.codelets) {
      if (codelet.compute != compute || !like.has(codelet)) continue;
      const double here = least(tables, [&](const CostTable& t) { return t.find(codelet)->ns[c]; });
      const double there = static_cast<double>(shipped.find(codelet)->ns[c]);
      if (here > 0 && there > 0) ratios.push_back(there / here);
    }
    found[c] = ratios.empty() ? found[0] : median(ratios);
  }
  return found;
}

int run(const RegisteredTarget& target, int count, const Selection& only, const Selection& like) {
  CodeletTable codelets = target.table;
  std::vector<CodeletInfo> kept;
  if (!only.names.empty()) {
    // And the light pass, which tells the levels of the machine apart.
    for (const CodeletInfo& codelet : codelets.codelets) {
      const bool light = codelet.kind == PassKind::kTwiddled && codelet.compute == ComputeType::kF32 && bodies_of(codelet) == "t4";
      if (light || only.has(codelet) || (!like.names.empty() && like.has(codelet))) kept.push_back(codelet);
    }
    codelets.codelets = kept;
  }
  const std::vector<CostTable> tables = measure_tables(codelets, count);
  if (tables.empty()) {
    std::fprintf(stderr, "Nothing was measured within %g s.\n", kSecondsPerTable);
    return 1;
  }
  std::printf("// Picoseconds, by tests/bench/measure_costs: the least of %d tables. Columns are those of Cost.\n", count);
  std::string name = codelets.target;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  std::printf("constexpr std::array<std::uint32_t, kSweeps> k%sSweep = {", name.c_str());
  for (std::size_t i = 0; i < kSweeps; ++i) {
    const double ns = least(tables, [&](const CostTable& t) { return t.machine().sweep[i]; });
    std::printf("%s%ld", i == 0 ? "" : ", ", picoseconds(ns));
  }
  std::printf("};\nconstexpr ShippedCost k%sRows[] = {\n", name.c_str());
  const std::array<double, kCosts> of_f32 = factors(codelets, tables, like, ComputeType::kF32);
  const std::array<double, kCosts> of_f64 = factors(codelets, tables, like, ComputeType::kF64);
  for (const CodeletInfo& codelet : codelets.codelets) {
    if ((codelet.compute != ComputeType::kF32 && codelet.compute != ComputeType::kF64) || !only.has(codelet)) continue;
    const bool is_f32 = codelet.compute == ComputeType::kF32;
    std::printf("  {%s, %s, \"%s\", {", kind_name(codelet.kind).c_str(), is_f32 ? "kF32" : "kF64", bodies_of(codelet).c_str());
    for (std::size_t c = 0; c < kCosts; ++c) {
      // A cost that a kind does not have repeats that of L1.
      const auto is_own = [&](const CostTable& t) { return t.find(codelet)->ns[c] != t.find(codelet)->ns[0]; };
      const bool own = std::any_of(tables.begin(), tables.end(), is_own);
      const double ns = least(tables, [&](const CostTable& t) { return t.find(codelet)->ns[c]; });
      std::printf("%s%ld", c == 0 ? "" : ", ", picoseconds((is_f32 ? of_f32 : of_f64)[own ? c : 0] * ns));
    }
    std::printf("}},\n");
  }
  std::printf("};\n");
  return 0;
}

}  // namespace
}  // namespace ulpfft::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "measure_costs TARGET [TABLES [BODY... [like BODY...]]]\n");
    return 2;
  }
  if (!ulpfft::bench::pin(1)) std::fprintf(stderr, "not pinned: the system refuses core 1\n");
  for (const ulpfft::RegisteredTarget& target : ulpfft::registered_targets()) {
    if (!target.available || std::string(argv[1]) != target.table.target) continue;
    char** const names = argv + std::min(argc, 3);
    char** const likes = std::find(names, argv + argc, std::string("like"));
    const ulpfft::bench::Selection only{{names, likes}}, like{{likes == argv + argc ? likes : likes + 1, argv + argc}};
    return ulpfft::bench::run(target, argc > 2 ? std::max(1, std::atoi(argv[2])) : 15, only, like);
  }
  std::fprintf(stderr, "This machine has no target %s.\n", argv[1]);
  return 1;
}
