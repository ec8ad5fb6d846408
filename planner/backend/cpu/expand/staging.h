// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow arrays between passes and under the sweeps of four: converted slice by slice.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STAGING_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STAGING_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// `length`: of the passes of this node up to and with `pass`. `layout`: places, columns and rows in the work array.
void add_stage(Scope& scope, const PassSpec& pass, std::int64_t length, std::int64_t block, std::int64_t n, const View& work,
               StoredStage layout);
// Whole rows, or inside a row what begins a byte and a block.
CodedPlace coded_place(const CodedArray& array, std::int64_t reals);
// Adds a pass of a panel; what it reads or writes may be coded (null: it stays in the panel).
Pass& add_panel_pass(Scope& scope, const CodeletInfo& codelet, Pass pass, std::int64_t extent, PassUse use, const LineEnd* in,
                     const LineEnd* out);
// The matrix of four in a narrow storage, in the workspace: `rows` rows of `points`.
NarrowArray coded_matrix(Scope& scope, const std::string& name, std::int64_t rows, std::int64_t points);
// The twist into it. `columns`: from the first of the matrix on, j2.
void add_coded_twist(Scope& scope, Pass pass, PassUse use, const NarrowArray& matrix, std::int64_t number_reals);
// Whether the sweeps of a node read or write a narrow array of the problem themselves.
bool sweeps_take(const Scope& scope, const Node& node, const ArrayShape& shape, bool output);
// The passes behind the one reserved, once more in its place where exponents of the output are wanted.
void look_ahead_of(Scope& scope, std::size_t reserved);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STAGING_H_
