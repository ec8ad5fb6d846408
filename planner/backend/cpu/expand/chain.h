// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// chain nodes.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CHAIN_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/seen_arrays.h"

namespace ulpfft {

// Bytes of a spectrum that may go past the caches: 1024x1024 f32 4.7 -> 4.0 ms.
inline constexpr std::int64_t kSpectrumStreams = 1 << 21;

// The operation on `transforms` dense spectra of `points` points in the workspace, of which the first is transform `first`.
void add_spectrum_group(Scope& scope, const LineEnd& spectrum, std::int64_t points, std::int64_t first, std::int64_t transforms);
// Whether two nodes of a dimension run panel by panel over the same columns.
bool columns_are_fused(const Node& there, const Node& back);
// Dimension d of a dense spectrum there, the operation, and back, panel by panel. Lengths before d are 1. `outermost`: no dimension of the
// spectrum is transformed on its own, so that re and im are exchanged at the ends of this one.
void expand_chain_columns(Scope& scope, const Node& there, const Node& back, std::size_t d, const ArrayLines& work, std::int64_t transform,
                          bool outermost);
// Whether the last dimension there and the first one back run panel by panel, the operation between them.
bool chain_is_fused(const Scope& scope, const Node& there, const Node& back, const std::vector<std::size_t>& order);
// Chains: the nodes of one group, there to the spectrum, the operation, and back.
void expand_chain(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, const SeenArrays& group);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CHAIN_H_
