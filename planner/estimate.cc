#include "planner/estimate.h"

#include <algorithm>

namespace ulpfft {
namespace {

constexpr double kCyclesPerSecond = 3.5e9;
constexpr double kCallCycles = 15;
constexpr double kTileCyclesPerReal = 1.5;  // lanes copied one by one

// Cycles to move one byte of an in-place sweep whose working set has this size.
double cycles_per_byte(double working_set) {
  if (working_set <= 28 << 10) return 1.0 / 64;
  if (working_set <= 900 << 10) return 1.0 / 40;
  if (working_set <= 12 << 20) return 1.0 / 26;
  return 1.0 / 10;
}

// One vector of butterflies of `body` with vectors of `bytes`.
double butterfly_cycles(const BodyFacts& body, double vector_bytes, bool shuffled, int registers) {
  const double halves = std::max(1.0, vector_bytes / 32);  // 256-bit operations per vector operation
  const OpCounts& ops = body.ops;
  const double multiplies = ops.mul + ops.fma;
  const double adds = ops.add;
  const double arithmetic = 0.5 * std::max(multiplies, adds) + 0.12 * std::min(multiplies, adds);
  const double points = body.radix;
  const double loads = 2 * points + static_cast<double>(body.table.size());
  const double stores = 2 * points;
  const double spills = std::max(0, body.live_values - registers);
  double cycles = arithmetic + 0.25 * loads + 0.5 * stores + 0.8 * spills;
  if (shuffled) cycles += 1.5 * points;
  return cycles * halves;
}

double pass_cycles(const PassUse& use, const CompiledPlan& plan, const CodeletTable& codelets) {
  const CodeletInfo& codelet = *use.codelet;
  const double real = static_cast<double>(real_bytes(plan.compute));
  const int machine_lanes = plan.compute == ComputeType::kF32 ? codelets.lanes_f32 : plan.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  const int registers = machine_lanes * real >= 64 ? 30 : 15;
  const double butterflies = static_cast<double>(use.butterflies);
  double cycles = kCallCycles * static_cast<double>(use.calls);
  if (codelet.kind == PassKind::kWhole) {
    return cycles + butterflies * (4 + butterfly_cycles(*codelet.body, 8, false, registers));
  }
  if (codelet.kind == PassKind::kWholeTwo) {
    const double lanes = static_cast<double>(use.lanes);
    const double r1 = codelet.body->radix;
    const double r2 = codelet.second->radix;
    const double first = r2 / lanes * butterfly_cycles(*codelet.body, lanes * real, true, registers);
    const double second = r1 / lanes * butterfly_cycles(*codelet.second, lanes * real, true, registers);
    return cycles + butterflies * (4 + first + second);
  }
  const double lanes = static_cast<double>(std::max<std::int64_t>(1, use.lanes));
  const double chunks = static_cast<double>((use.lanes + machine_lanes - 1) / machine_lanes);
  const double vectors = butterflies / lanes * chunks;
  cycles += vectors * (2 + butterfly_cycles(*codelet.body, machine_lanes * real, use.shuffled, registers));
  const double bytes = butterflies * codelet.body->radix * 4 * real;
  const double extra = cycles_per_byte(use.working_set) - cycles_per_byte(0);
  cycles += bytes * extra;
  // Rows of a first pass that are no whole vectors, partial vectors, and strided ends go element by element.
  const double elements = butterflies * codelet.body->radix * 2;
  const bool rows_by_element = codelet.kind == PassKind::kFirst && codelet.body->radix % machine_lanes != 0;
  if (rows_by_element && machine_lanes > 1) cycles += elements * kTileCyclesPerReal;
  if (!use.direct) cycles += elements * kTileCyclesPerReal;
  const double partial = lanes - static_cast<double>(machine_lanes) * static_cast<double>(use.lanes / machine_lanes);
  if (partial > 0) cycles += elements * (partial / lanes) * kTileCyclesPerReal;
  return cycles;
}

}  // namespace

double estimate_seconds(const CompiledPlan& plan, const CodeletTable& codelets, const CostTable*) {
  double cycles = 10;
  for (const PassUse& use : plan.passes) cycles += pass_cycles(use, plan, codelets);
  return cycles / kCyclesPerSecond;
}

}  // namespace ulpfft
