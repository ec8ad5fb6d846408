// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/cost/cost_model.h"

#include <algorithm>

#include "codelets/contract/pass_rows.h"
#include "codelets/contract/sums_alone.h"

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

bool is_f32(const CodeletInfo& codelet) { return codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kRoundedF32; }

// Rounded arithmetic goes lane by lane; its vectors hold rows that go through the arithmetic together.
CodeletCost modelled_rounded_cost(const CodeletInfo& codelet, const CodeletTable& codelets) {
  const double vector = (is_f32(codelet) ? codelets.lanes_f32 : codelets.lanes_f64) * std::max(1.0, 32 / (codelets.lanes_f32 * 4.0));
  const double cycles = kRoundedCycles * codelet.body->ops.total() / std::max(1.0, vector) + 2.0 * codelet.body->radix;
  CodeletCost cost;
  for (const Cost which : {Cost::kL1, Cost::kL2, Cost::kL3, Cost::kMemory, Cost::kFarL2, Cost::kFarL3, Cost::kFarMemory,
                           Cost::kInterleaved, Cost::kNatural, Cost::kStrided, Cost::kStridedFar, Cost::kPartial, Cost::kPartialMost}) {
    cost.at(which) = static_cast<float>(cycles * kNsPerCycle);
  }
  cost.at(Cost::kRow) = 2;
  cost.at(Cost::kCall) = static_cast<float>(3 * codelet.body->ops.total());
  return cost;
}

// The cycles of one chunk whose data are in L1.
struct Chunk {
  double points = 0;
  double direct = 2;       // cycles with planar ends
  double interleaved = 2;  // cycles with an interleaved end
  double tile = 0;         // cycles more where lanes go through a tile
};

// One column of is_of_sums(): each j loads four numbers and two vectors of roots for each vector of k, which takes four products.
double sums_cycles(int radix, int lanes, double real) {
  const int half = (radix - 1) / 2, width = sums_lanes(lanes, radix);
  const double halves = std::max(1.0, width * real / 32);
  return 10 + 3.0 * half + vectors_of(half, width) * halves * (12 + 2.2 * half);
}

// One transform of kWhole, kWholeTwo or kPacked.
Chunk whole_chunk(const CodeletInfo& codelet, int lanes, double real, int registers) {
  Chunk chunk;
  const int r1 = codelet.body->radix;
  const int r2 = codelet.second != nullptr ? codelet.second->radix : 1;
  if (codelet.kind == PassKind::kWhole) {
    chunk.points = r1;
    chunk.direct = 4 + butterfly_cycles(*codelet.body, 8, false, registers);
  } else if (codelet.kind == PassKind::kWholeTwo) {
    const int width = whole_two_lanes(lanes, r1, r2);
    chunk.points = r1 * r2;
    chunk.direct = 4 + 1.0 * r2 / width * butterfly_cycles(*codelet.body, width * real, true, registers) +
                   1.0 * r1 / width * butterfly_cycles(*codelet.second, width * real, true, registers);
  } else {
    const bool sums = is_of_sums(r1, codelet.second == nullptr);
    const int numbers = sums || codelet.second != nullptr ? packed_numbers(lanes, r1, r2) : 1;
    chunk.points = r1 * r2;
    // A value is both parts of `numbers` points: half the operations of a body on one part.
    const auto half = [&](const BodyFacts& body) { return 0.5 * butterfly_cycles(body, 2 * numbers * real, false, registers); };
    chunk.direct = 2 + (sums ? r2 * sums_cycles(r1, lanes, real) : 1.0 * r2 / numbers * half(*codelet.body));
    if (codelet.second != nullptr) chunk.direct = chunk.direct + 1.0 * r1 / numbers * half(*codelet.second) + chunk.points / numbers;
  }
  chunk.interleaved = chunk.direct;
  return chunk;
}

// One line of a real transform. Vectors hold lines, which are transposed at both ends.
Chunk real_chunk(const CodeletInfo& codelet, int lanes, double real, int registers) {
  Chunk chunk;
  chunk.points = 0.5 * codelet.body->radix;  // in complex numbers
  const double reals = 2.0 * codelet.body->radix;
  chunk.direct = chunk.interleaved = 2 + (butterfly_cycles(*codelet.body, lanes * real, false, registers) + 2 * reals) / lanes;
  return chunk;
}

// The reference goes number by number, and calls the C library for a fused operation. Its passes are bound by arithmetic, whatever the
// strides. Fitted to bodies of 5 to 32 points.
Chunk reference_chunk(const BodyFacts& body) {
  Chunk chunk;
  chunk.points = body.radix;
  chunk.direct = chunk.interleaved = 10.0 * chunk.points + 2.6 * (body.ops.add + body.ops.mul) + 8.4 * body.ops.fma;
  return chunk;
}

// One vector of butterflies, or of points in passes without a body.
Chunk vector_chunk(const CodeletInfo& codelet, int lanes, double real, int registers) {
  Chunk chunk;
  chunk.points = codelet.body->radix * lanes;
  if (!has_body(codelet.kind)) {
    chunk.tile = 2 * lanes * kTileCyclesPerReal;
    chunk.direct = chunk.interleaved = butterfly_cycles(*codelet.body, lanes * real, true, registers);
    if (row_of(codelet.kind).loops == PassLoops::kLine && row_of(codelet.kind).list != PassList::kNone) chunk.direct += chunk.tile;
    return chunk;
  }
  const bool shuffled = codelet.kind == PassKind::kFirst;
  chunk.tile = 2 * chunk.points * kTileCyclesPerReal;
  chunk.direct += butterfly_cycles(*codelet.body, lanes * real, shuffled, registers);
  chunk.interleaved += butterfly_cycles(*codelet.body, lanes * real, true, registers);
  // Rows of a first pass that are no whole vectors go element by element.
  if (shuffled && lanes > 1 && codelet.body->radix % lanes != 0) chunk.direct += chunk.tile;
  return chunk;
}

}  // namespace

double modelled_columns_of_reals(const CodeletInfo& codelet, const CodeletTable& codelets) {
  const int lanes = is_f32(codelet) ? codelets.lanes_f32 : codelets.lanes_f64;
  const double bytes = lanes * (is_f32(codelet) ? 4.0 : 8.0);
  return kNsPerCycle * butterfly_cycles(*codelet.body, bytes, false, bytes >= 64 ? 30 : 15) / lanes;
}

CodeletCost modelled_cost(const CodeletInfo& codelet, const CodeletTable& codelets) {
  if (is_rounded(codelet.compute)) return modelled_rounded_cost(codelet, codelets);
  const double real = is_f32(codelet) ? 4 : 8;
  const int lanes = codelet.compute == ComputeType::kF32   ? codelets.lanes_f32
                    : codelet.compute == ComputeType::kF64 ? codelets.lanes_f64
                                                           : 1;
  const int registers = lanes * real >= 64 ? 30 : 15;
  const Chunk chunk = codelet.kind == PassKind::kReal ? real_chunk(codelet, lanes, real, registers)
                       : codelets.lanes_f32 == 1 ? reference_chunk(*codelet.body)
                       : row_of(codelet.kind).loops == PassLoops::kTransform ? whole_chunk(codelet, lanes, real, registers)
                                                                             : vector_chunk(codelet, lanes, real, registers);
  const double bytes = chunk.points * 4 * real;
  CodeletCost cost;
  const auto set = [&](Cost which, double cycles) { cost.at(which) = static_cast<float>(cycles * kNsPerCycle); };
  set(Cost::kL1, chunk.direct);
  set(Cost::kL2, chunk.direct + bytes * (1.0 / 40 - 1.0 / 64));
  set(Cost::kL3, chunk.direct + bytes * (1.0 / 26 - 1.0 / 64));
  set(Cost::kMemory, chunk.direct + bytes * (1.0 / 10 - 1.0 / 64));
  set(Cost::kFarL2, chunk.direct + bytes * (1.0 / 40 - 1.0 / 64));
  set(Cost::kFarL3, chunk.direct + bytes * (1.0 / 26 - 1.0 / 64));
  set(Cost::kFarMemory, chunk.direct + bytes * (1.0 / 10 - 1.0 / 64));
  set(Cost::kInterleaved, chunk.interleaved);
  set(Cost::kNatural, chunk.interleaved);
  set(Cost::kStrided, chunk.direct + chunk.tile);
  set(Cost::kStridedFar, chunk.direct + 3 * chunk.tile);
  set(Cost::kPartial, chunk.direct + chunk.tile / lanes);
  set(Cost::kPartialMost, chunk.direct + chunk.tile);
  set(Cost::kRow, 2);
  set(Cost::kCall, 15);
  return cost;
}

}  // namespace ulpfft
