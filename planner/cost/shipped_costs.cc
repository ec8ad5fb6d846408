// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The costs of two processors: AMD's Zen 5 (one core of an EPYC, 48 KB L1, 1 MB L2; g++ 12), for which the library was tuned, and Zen 4 (one
// core of a shared EPYC, family 25 model 17, 32 KB L1, 1 MB L2; g++ 12) for the targets that it runs.
// Zen 5's rows of kReal and of the r2r passes, and kRow of the six passes of r2c and c2r, were measured on Zen 4 in units of this table
// (`measure_costs ... like`). Their likes are kWhole for lines on scalar lanes, kMoveReals and kPick; kFirst for lines in vectors; the six
// passes for the others.
#include "planner/cost/cost_table.h"

namespace ulpfft {
namespace shipped_rows {

using enum PassKind;
using enum ComputeType;

#include "planner/cost/shipped_costs/avx2.inc"
#include "planner/cost/shipped_costs/avx3.inc"
#include "planner/cost/shipped_costs/sse4.inc"
#include "planner/cost/shipped_costs/zen4_avx2.inc"
#include "planner/cost/shipped_costs/zen4_avx3.inc"

constexpr std::string_view kZen5 = "zen5", kZen4 = "zen4";

}  // namespace shipped_rows

std::span<const ShippedCosts> shipped_costs() {
  using namespace shipped_rows;
  static constexpr ShippedCosts kAll[] = {
      {"avx3", kZen5, kAvx3Sweep, kAvx3Rows},
      {"avx2", kZen5, kAvx2Sweep, kAvx2Rows},
      {"sse4", kZen5, kSse4Sweep, kSse4Rows},
      {"avx3", kZen4, kZen4Avx3Sweep, kZen4Avx3Rows},
      {"avx2", kZen4, kZen4Avx2Sweep, kZen4Avx2Rows},
  };
  return kAll;
}

// Zen 3 has the caches of Zen 4 and no AVX-512. Nobody knows whose costs an Intel processor's are nearer to.
std::string_view nearest_processor() {
#if defined(__x86_64__) || defined(__i386__)
  if (__builtin_cpu_is("amdfam19h")) return shipped_rows::kZen4;
#endif
  return shipped_rows::kZen5;
}

}  // namespace ulpfft
