// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rader and bluestein nodes, and chirp transforms.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CONVOLUTION_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CONVOLUTION_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// Of convolutions inside convolutions, before any table: how often longer than their line the innermost may be.
void check_padding(const Scope& scope, const Node& node, double padded);
void expand_rader(Scope& scope, const Node& node, const Place& place);
void expand_bluestein(Scope& scope, const Node& node, const Place& place);
// The whole of a chirp transform by its recipe, which is a bluestein node whose padded length is that of both sides less one or more.
void expand_zoom(Scope& scope, const Node& node);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_CONVOLUTION_H_
