// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/strategy/strategy.h"

#include <array>

namespace ulpfft {

std::span<const Strategy> strategies() {
  static constexpr std::array<Strategy, 7> kAll{{
      {"codelet", &propose_codelet, Node::Kind::kN},
      {"mixed radix", &propose_mixed_radix, Node::Kind::kDit},
      {"listed radices", &propose_listed_radices, Node::Kind::kDit},
      {"columns", &propose_columns, Node::Kind::kCols},
      {"four-step", &propose_four_step, Node::Kind::kFour},
      {"rader", &propose_rader, Node::Kind::kRader},
      {"bluestein", &propose_bluestein, Node::Kind::kBluestein},
  }};
  return kAll;
}

}  // namespace ulpfft
