// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How long conversions of narrow numbers take.
#ifndef ULPFFT_PLANNER_FACTS_CONVERSION_COST_H_
#define ULPFFT_PLANNER_FACTS_CONVERSION_COST_H_

#include "codelets/contract/storage.h"

namespace ulpfft {

// Time of a conversion in L1 over that of the line pass between f32 and f64. Medians of AVX2 and AVX-512 (tests/bench/convert_speed). Lanes
// too strange for vectors are far slower still.
inline double relative_cost(const Storage& s, bool encodes) {
  const FormatInfo& f = *s.element;
  if (is_packed(f)) return f.bits == 4 ? (encodes ? 3.3 : 1.9) : (encodes ? 7.3 : 6.2);
  const double element = f.bits > 8 ? (encodes ? 0.8 : 0.6) : encodes ? 1.2 : 0.9;
  if (s.scale == nullptr) return element;
  return element + (encodes ? 1.4 : 0.5);
}

// What the product with a window adds to that of a decoding.
inline constexpr double kWindowCost = 0.4;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_CONVERSION_COST_H_
