// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Nodes that are one call.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_WHOLE_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_WHOLE_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

void expand_n(Scope& scope, const Node& node, const Place& place);
// Where a codelet of kPacked serves the node: dense interleaved ends.
const CodeletInfo* packed_codelet(const Scope& scope, const Node& node, const Place& place);  // null: none serves
const CodeletInfo* packed_fused_codelet(const Scope& scope, const Node& node, const Place& place);  // with a narrow input
const CodeletInfo* whole_two_codelet(const Scope& scope, const Node& node, const Place& place);
// Whether every pass of a dit has a loop of its own; bodies of some pairs in registers have none.
bool has_loops(const Scope& scope, const Node& node);
bool expand_packed(Scope& scope, const Node& node, const Place& place);
// A pair in registers where its ends are not dense: a line is gathered into the workspace, transformed there and scattered. Both ends are
// split arrays, or the pair has no other loops.
bool expand_packed_apart(Scope& scope, const Node& node, const Place& place);
// A codelet of kPacked with narrow storage at both ends.
bool expand_packed_fused(Scope& scope, const Node& node, const Place& place);
bool expand_whole_two(Scope& scope, const Node& node, const Place& place);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_WHOLE_H_
