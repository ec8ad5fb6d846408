// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The costs of AMD's Zen 5 (one core of an EPYC, 48 KB L1, 1 MB L2; g++ 12), for which the library was tuned.
// Rows of kReal and of the r2r passes, and kRow of the six passes of r2c and c2r, were measured on Zen 4 in units of this table
// (`measure_costs ... like`). Their likes are kWhole for lines on scalar lanes, kMoveReals and kPick; kFirst for lines in vectors; the six
// passes for the others.
#include "planner/cost/cost_table.h"

namespace ulpfft {
namespace shipped_rows {

using enum PassKind;
using enum ComputeType;

#include "planner/cost/shipped_costs/avx2.inc"
#include "planner/cost/shipped_costs/avx3.inc"
#include "planner/cost/shipped_costs/ref.inc"
#include "planner/cost/shipped_costs/sse4.inc"

}  // namespace shipped_rows

std::span<const ShippedCosts> shipped_costs() {
  using namespace shipped_rows;
  static constexpr ShippedCosts kAll[] = {
      {"avx3", kAvx3Sweep, kAvx3Rows},
      {"avx2", kAvx2Sweep, kAvx2Rows},
      {"sse4", kSse4Sweep, kSse4Rows},
      {"ref", kRefSweep, kRefRows},
  };
  return kAll;
}

}  // namespace ulpfft
