// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes near a recipe: what is tried beyond the proposals of the strategies.
//
// Nodes inside nodes are varied, too. Every variant computes the same length; whether its codelets exist is for build_plan to say.
#ifndef ULPFFT_PLANNER_STRATEGY_VARIANTS_H_
#define ULPFFT_PLANNER_STRATEGY_VARIANTS_H_

#include <string_view>
#include <vector>

#include "wisdom/recipe.h"

namespace ulpfft {

struct Variant {
  Node node;
  std::string_view kind;  // what differs: "twiddle forms", "mixed forms", "pass order", "radices", "groups", "panels", "streaming", "narrow ends"
};

// All twiddled passes in another form: "twiddle forms".
std::vector<Variant> form_variants(const Node& node);

// All nodes that can stream doing so, and none: "streaming".
std::vector<Variant> stream_variants(const Node& node);
// Sets that for the node of one dimension, or for every one of a rank node.
void set_streams(Node& node, bool streams);

// The passes of a dit that is the whole transform converting narrow storage themselves, at the ends that have it: both, either, neither:
// "narrow ends".
std::vector<Variant> end_variants(const Node& node, bool narrow_in, bool narrow_out);

// One change away: one pass in another form, two neighbouring passes exchanged, with other radices or as one, one pass as two, a group begun
// or not at one pass, another panel, streaming or not. Each once, `node` itself never.
std::vector<Variant> neighbours(const Node& node);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_STRATEGY_VARIANTS_H_
