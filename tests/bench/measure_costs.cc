// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Writes the shipped cost rows of one target: the lower quartiles of several measured tables, in picoseconds: neighbours on the
// machine only ever make caches slower.
//
//   measure_costs TARGET [TABLES] > planner/cost/shipped_costs/TARGET.inc
//   measure_costs TARGET TABLES BODY...     rows of new codelets alone, by their bodies: t20 n24+t15
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "planner/cost/cost_table.h"
#include "tests/bench/timing.h"

namespace ulpfft::bench {
namespace {

constexpr double kSecondsPerTable = 30;

const char* kind_name(PassKind kind) {
  switch (kind) {
    case PassKind::kWhole: return "kWhole";
    case PassKind::kWholeTwo: return "kWholeTwo";
    case PassKind::kPacked: return "kPacked";
    case PassKind::kFirst: return "kFirst";
    case PassKind::kTwiddled: return "kTwiddled";
    case PassKind::kColumns: return "kColumns";
    case PassKind::kColumnsTwiddled: return "kColumnsTwiddled";
    case PassKind::kTwist: return "kTwist";
    case PassKind::kGather: return "kGather";
    case PassKind::kScatter: return "kScatter";
    case PassKind::kPointwise: return "kPointwise";
    case PassKind::kConvolve: return "kConvolve";
    case PassKind::kDecode: return "kDecode";
    case PassKind::kEncode: return "kEncode";
    case PassKind::kUntangle: return "kUntangle";
    case PassKind::kTangle: return "kTangle";
    case PassKind::kFromReals: return "kFromReals";
    case PassKind::kToReals: return "kToReals";
    case PassKind::kHalf: return "kHalf";
    case PassKind::kMirror: return "kMirror";
    case PassKind::kReal: return "kReal";
    case PassKind::kMoveReals: return "kMoveReals";
    case PassKind::kPick: return "kPick";
    case PassKind::kSplitOdds: return "kSplitOdds";
    case PassKind::kJoinOdds: return "kJoinOdds";
    case PassKind::kFold: return "kFold";
    case PassKind::kUnfold: return "kUnfold";
    case PassKind::kSplitPairs: return "kSplitPairs";
    case PassKind::kJoinPairs: return "kJoinPairs";
  }
  return "";
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

// `only`: the bodies to measure; empty: all.
int run(const RegisteredTarget& target, int count, const std::set<std::string>& only) {
  CodeletTable codelets = target.table;
  std::vector<CodeletInfo> kept;
  if (!only.empty()) {
    // And the light pass, which tells the levels of the machine apart.
    for (const CodeletInfo& codelet : codelets.codelets) {
      const bool light = codelet.kind == PassKind::kTwiddled && codelet.compute == ComputeType::kF32 && bodies_of(codelet) == "t4";
      if (light || only.contains(bodies_of(codelet))) kept.push_back(codelet);
    }
    codelets.codelets = kept;
  }
  std::vector<CostTable> tables;
  for (int i = 0; i < count; ++i) {
    tables.push_back(CostTable::measure(codelets, kSecondsPerTable, &thread_seconds));
    if (!tables.back().is_measured()) {
      std::fprintf(stderr, "Nothing was measured within %g s.\n", kSecondsPerTable);
      return 1;
    }
  }
  const auto of_all = [&](const auto& value) {
    std::vector<double> values;
    for (const CostTable& table : tables) values.push_back(static_cast<double>(value(table)));
    std::sort(values.begin(), values.end());
    return picoseconds(values[values.size() / 4]);
  };
  std::printf("// Picoseconds, by tests/bench/measure_costs: lower quartiles of %d tables. Columns are those of Cost.\n", count);
  std::string name = codelets.target;
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  std::printf("constexpr std::array<std::uint32_t, kSweeps> k%sSweep = {", name.c_str());
  for (std::size_t i = 0; i < kSweeps; ++i) {
    std::printf("%s%ld", i == 0 ? "" : ", ", of_all([&](const CostTable& t) { return t.machine().sweep[i]; }));
  }
  std::printf("};\nconstexpr ShippedCost k%sRows[] = {\n", name.c_str());
  for (const CodeletInfo& codelet : codelets.codelets) {
    if (codelet.compute != ComputeType::kF32 && codelet.compute != ComputeType::kF64) continue;
    const std::string body = bodies_of(codelet);
    if (!only.empty() && !only.contains(body)) continue;
    std::printf("  {%s, %s, \"%s\", {", kind_name(codelet.kind), codelet.compute == ComputeType::kF32 ? "kF32" : "kF64", body.c_str());
    for (std::size_t c = 0; c < kCosts; ++c) {
      std::printf("%s%ld", c == 0 ? "" : ", ", of_all([&](const CostTable& t) { return t.find(codelet)->ns[c]; }));
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
    std::fprintf(stderr, "measure_costs TARGET [TABLES [BODY...]]\n");
    return 2;
  }
  if (!ulpfft::bench::pin(1)) std::fprintf(stderr, "not pinned: the system refuses core 1\n");
  for (const ulpfft::RegisteredTarget& target : ulpfft::registered_targets()) {
    if (!target.available || std::string(argv[1]) != target.table.target) continue;
    const std::set<std::string> only(argv + std::min(argc, 3), argv + argc);
    return ulpfft::bench::run(target, argc > 2 ? std::max(1, std::atoi(argv[2])) : 15, only);
  }
  std::fprintf(stderr, "This machine has no target %s.\n", argv[1]);
  return 1;
}
