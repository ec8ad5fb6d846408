#include "planner/strategy/strategy.h"

#include <array>

namespace ulpfft {

std::span<const Strategy> strategies() {
  static constexpr std::array<Strategy, 3> kAll{{
      {"codelet", &propose_codelet},
      {"mixed radix", &propose_mixed_radix},
      {"columns", &propose_columns},
  }};
  return kAll;
}

}  // namespace ulpfft
