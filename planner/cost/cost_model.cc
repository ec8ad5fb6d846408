// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/cost/cost_model.h"

#include <algorithm>

namespace ulpfft {
namespace {

constexpr double kNsPerCycle = 1 / 3.5;
constexpr double kRoundedCycles = 10;       // for a rounded operation on one vector
constexpr double kTileCyclesPerReal = 1.5;  // for lanes that are copied one by one

// Cycles for one vector of butterflies of `body`, with vectors of `vector_bytes`.
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

}  // namespace

CodeletCost modelled_cost(const CodeletInfo& codelet, const CodeletTable& codelets) {
  const double real = codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kRoundedF32 ? 4 : 8;
  const int lanes = codelet.compute == ComputeType::kF32   ? codelets.lanes_f32
                    : codelet.compute == ComputeType::kF64 ? codelets.lanes_f64
                                                           : 1;
  const int registers = lanes * real >= 64 ? 30 : 15;
  const bool shuffled = codelet.kind == PassKind::kFirst;
  double points = codelet.body->radix * lanes;
  if (is_rounded(codelet.compute)) {
    // Lane by lane, of rows that go through the arithmetic together.
    const double vector = (real == 4 ? codelets.lanes_f32 : codelets.lanes_f64) * std::max(1.0, 32 / (codelets.lanes_f32 * 4.0));
    const double cycles = kRoundedCycles * codelet.body->ops.total() / std::max(1.0, vector) + 2.0 * codelet.body->radix;
    CodeletCost cost;
    for (const Cost which : {Cost::kL1, Cost::kL2, Cost::kL3, Cost::kMemory, Cost::kFarL2, Cost::kFarL3, Cost::kFarMemory, Cost::kInterleaved, Cost::kNatural,
                             Cost::kStrided, Cost::kStridedFar, Cost::kPartial, Cost::kPartialMost}) {
      cost.at(which) = static_cast<float>(cycles * kNsPerCycle);
    }
    cost.at(Cost::kRow) = 2;
    cost.at(Cost::kCall) = static_cast<float>(3 * codelet.body->ops.total());
    return cost;
  }
  double direct = 2;
  double interleaved = 2;
  double tile = 0;
  if (codelet.kind == PassKind::kWhole) {
    points = codelet.body->radix;
    direct = interleaved = 4 + butterfly_cycles(*codelet.body, 8, false, registers);
  } else if (codelet.kind == PassKind::kWholeTwo) {
    const int r1 = codelet.body->radix;
    const int r2 = codelet.second->radix;
    const int width = whole_two_lanes(lanes, r1, r2);
    points = r1 * r2;
    direct = interleaved = 4 + 1.0 * r2 / width * butterfly_cycles(*codelet.body, width * real, true, registers) +
                           1.0 * r1 / width * butterfly_cycles(*codelet.second, width * real, true, registers);
  } else if (codelet.kind == PassKind::kPacked) {
    const int r1 = codelet.body->radix;
    const int r2 = codelet.second != nullptr ? codelet.second->radix : 1;
    const int numbers = codelet.second != nullptr ? packed_numbers(lanes, r1, r2) : 1;
    points = r1 * r2;
    // A value is both parts of `numbers` points: half the operations of a body on one part.
    const auto half = [&](const BodyFacts& body) { return 0.5 * butterfly_cycles(body, 2 * numbers * real, false, registers); };
    direct = interleaved = 2 + 1.0 * r2 / numbers * half(*codelet.body);
    if (codelet.second != nullptr) direct = interleaved = interleaved + 1.0 * r1 / numbers * half(*codelet.second) + points / numbers;
  } else if (!has_body(codelet.kind)) {
    tile = 2 * lanes * kTileCyclesPerReal;
    direct = interleaved = butterfly_cycles(*codelet.body, lanes * real, true, registers);
    if (codelet.kind == PassKind::kGather || codelet.kind == PassKind::kScatter) direct += tile;
  } else {
    tile = 2 * points * kTileCyclesPerReal;
    direct += butterfly_cycles(*codelet.body, lanes * real, shuffled, registers);
    interleaved += butterfly_cycles(*codelet.body, lanes * real, true, registers);
    // Rows of a first pass that are no whole vectors go element by element.
    if (shuffled && lanes > 1 && codelet.body->radix % lanes != 0) direct += tile;
  }
  const double bytes = points * 4 * real;
  CodeletCost cost;
  const auto set = [&](Cost which, double cycles) { cost.at(which) = static_cast<float>(cycles * kNsPerCycle); };
  set(Cost::kL1, direct);
  set(Cost::kL2, direct + bytes * (1.0 / 40 - 1.0 / 64));
  set(Cost::kL3, direct + bytes * (1.0 / 26 - 1.0 / 64));
  set(Cost::kMemory, direct + bytes * (1.0 / 10 - 1.0 / 64));
  set(Cost::kFarL2, direct + bytes * (1.0 / 40 - 1.0 / 64));
  set(Cost::kFarL3, direct + bytes * (1.0 / 26 - 1.0 / 64));
  set(Cost::kFarMemory, direct + bytes * (1.0 / 10 - 1.0 / 64));
  set(Cost::kInterleaved, interleaved);
  set(Cost::kNatural, interleaved);
  set(Cost::kStrided, direct + tile);
  set(Cost::kStridedFar, direct + 3 * tile);
  set(Cost::kPartial, direct + tile / lanes);
  set(Cost::kPartialMost, direct + tile);
  set(Cost::kRow, 2);
  set(Cost::kCall, 15);
  return cost;
}

}  // namespace ulpfft
