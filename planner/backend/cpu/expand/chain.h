// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// chain nodes.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CHAIN_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CHAIN_H_

#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/stored.h"

namespace ulpfft {

// Whether the last dimension there and the first one back run panel by panel, the operation between them.
bool chain_is_fused(const Scope& scope, const Node& there, const Node& back, const std::vector<std::size_t>& order);
// Chains: the nodes of one group, there to the spectrum, the operation, and back. Ends as the passes see them; `work`: dense.
void expand_chain(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, const ArrayLines& source,
                  const ArrayLines& work, const ArrayLines& target, const StoredGroup& group);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CHAIN_H_
