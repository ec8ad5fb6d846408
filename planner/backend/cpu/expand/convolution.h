// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rader and bluestein nodes.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CONVOLUTION_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CONVOLUTION_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Of convolutions inside convolutions, before any table: how often longer than their line the innermost may be.
void check_padding(const Scope& scope, const Node& node, double padded);
void expand_rader(Scope& scope, const Node& node, const Place& place);
void expand_bluestein(Scope& scope, const Node& node, const Place& place);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CONVOLUTION_H_
