// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes near a recipe, which a search tries beyond the proposals of the strategies.
//
// Nodes inside nodes are varied as well. Every variant computes the same length; build_plan tells whether its codelets exist.
#ifndef ULPFFT_PLANNER_STRATEGY_VARIANTS_H_
#define ULPFFT_PLANNER_STRATEGY_VARIANTS_H_

#include <string_view>
#include <vector>

#include "wisdom/recipe.h"

namespace ulpfft {

struct Variant {
  Node node;
  // The kind of change: "twiddle forms", "mixed forms", "pass order", "radices", "groups", "panels", "streaming", "narrow ends", "sweeps".
  std::string_view kind;
};

// The node with all twiddled passes in another form: "twiddle forms".
std::vector<Variant> form_variants(const Node& node);

// The recipe in which every node that can stream does, and the recipe in which none does: "streaming".
std::vector<Variant> stream_variants(const Node& node);
// The recipe with all panels half as wide, and with all twice as wide: "panels".
std::vector<Variant> panel_variants(const Node& node);
// Sets streaming for the node of one dimension, or for every dimension of a rank node.
void set_streams(Node& node, bool streams);

// A dit that is the whole transform, with conversions in its passes at both narrow ends, at either, and at none: "narrow ends".
std::vector<Variant> end_variants(const Node& node, bool narrow_in, bool narrow_out);

// The recipes that are one change away, each once and without `node` itself. Changes: one pass in
// another form; two neighbouring passes exchanged, with other radices, or as one; one pass as two;
// a group that begins at one pass or no longer begins there; another panel; streaming or not.
std::vector<Variant> neighbours(const Node& node);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_STRATEGY_VARIANTS_H_
