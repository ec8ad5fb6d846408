// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of a line that are said to select paths and never do.
//
// Where lanes run over k, the path is one of kPathGroup neighbours, and groups whose k differ in it are computed in standard form
// (twiddle_table.h). In short passes every group does: the pass is the standard one under another name, bit for bit.
#ifndef ULPFFT_PLANNER_FACTS_IDLE_FORMS_H_
#define ULPFFT_PLANNER_FACTS_IDLE_FORMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/scheme/scheme.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// How many of the k from 0 to length - 1 lie in groups that share one path, of a form that selects paths: the k of a pass of this radix
// behind sub-transforms of this length.
std::int64_t indices_on_paths(TwiddleForm form, std::int64_t radix, std::int64_t length);

// The recipe with the standard form in every dual-select pass that has no such k: what a plan of it computes. Panels of columns and rounded
// schemes select a path for every k, and mx schemes have no such pass, so that nothing changes there. Nor does a pass that these codelets
// lack, of which the plan is refused.
Recipe without_idle_forms(const Recipe& recipe, const CodeletTable& codelets);
// Whether that is another recipe. `scheme` is that of the recipe.
bool has_idle_forms(const Recipe& recipe, const Scheme& scheme, const CodeletTable& codelets);

// These passes by node, e.g. "8:ds of dit(16 8:ds)".
std::vector<std::string> idle_forms(const Recipe& recipe, const CodeletTable& codelets);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_IDLE_FORMS_H_
