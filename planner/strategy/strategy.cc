// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/strategy/strategy.h"

#include <array>

namespace ulpfft {

std::span<const Strategy> strategies() {
  static constexpr std::array<Strategy, 6> kAll{{
      {"codelet", &propose_codelet},
      {"mixed radix", &propose_mixed_radix},
      {"columns", &propose_columns},
      {"four-step", &propose_four_step},
      {"rader", &propose_rader},
      {"bluestein", &propose_bluestein},
  }};
  return kAll;
}

}  // namespace ulpfft
