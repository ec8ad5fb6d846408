// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Images of reals: the last two lengths of an r2r transform, both one codelet, as one pass (codelets/contract/real_images.h). A loop that
// runs once holds the passes of both, which say what is computed; the pass over images runs instead.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_IMAGES_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_IMAGES_H_

#include <memory>
#include <vector>

#include "planner/backend/cpu/expand/seen_arrays.h"

namespace ulpfft {

// What a codelet of kReal, n reals long, needs at its ends to compute an r2r kind. `weighted`: of an orthogonal transform.
ImageLines ends_of_kind(R2rKind kind, int n, bool weighted);

// Null: the two lengths take passes of their own.
std::shared_ptr<const RealImages> find_images(const Scope& scope, const std::vector<const Node*>& nodes, const SeenArrays& arrays);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_IMAGES_H_
