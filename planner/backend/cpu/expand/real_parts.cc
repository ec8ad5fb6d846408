// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/real_parts.h"

namespace ulpfft {

void keep_real_parts(Scope& scope, std::size_t begin, double left_out, double symmetric) {
  constexpr double kSame = 1 - 1e-9;  // growth is a product that may be rounded
  for (std::size_t i = begin; i < scope.program.passes.size(); ++i) {
    PassUse& use = scope.program.passes[i];
    const bool ends = use.grown > kSame * scope.grown;
    const bool all = use.symmetry == PassUse::Symmetry::kAll;
    const bool sums = all || (use.symmetry == PassUse::Symmetry::kSums && ends);
    use.kept *= 1 - 0.5 * left_out * (all ? 1 - symmetric : 1);
    use.kept_of_sums *= 1 - 0.5 * left_out * (sums ? 1 - symmetric : 1);
  }
}

}  // namespace ulpfft
