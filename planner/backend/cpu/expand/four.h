// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// four nodes: a line as a matrix.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_FOUR_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_FOUR_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

struct FourMatrix {
  Area area;
  bool panels_again = true;     // the second sweep reads panels: blocks of `block` values of k1
  std::int64_t block = 1;
};
// What the first sweep transforms comes from there, panel by panel, instead of place.in: emit() adds the steps that make it, and
// `moves` are those of a repeat over panels, beside those of the matrix.
struct PanelSource {
  std::function<LineEnd(std::int64_t lanes, std::int64_t begin)> emit;
  Moves moves;
};

void expand_four(Scope& scope, const Node& node, const Place& place);
FourMatrix four_matrix(Scope& scope, const Node& node);
void expand_first_sweep(Scope& scope, const Node& node, const Place& place, const FourMatrix& matrix, const PanelSource* source = nullptr);
void expand_second_sweep_panels(Scope& scope, const Node& node, const Place& place, const Area& matrix);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_FOUR_H_
