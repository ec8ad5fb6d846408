// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Facts of a recipe's node that follow from the node alone.
#ifndef ULPFFT_PLANNER_FACTS_NODE_FACTS_H_
#define ULPFFT_PLANNER_FACTS_NODE_FACTS_H_

#include <algorithm>

#include "planner/table/number_theory.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// Whether its passes can compute the columns of a matrix side by side. Primes from 19 on are bodies for lines alone.
inline bool runs_on_columns(const Node& node) {
  return node.kind == Node::Kind::kDit || (node.kind == Node::Kind::kN && (node.n <= 17 || rough_part(node.n) == 1));
}

// Whether it, or a node below it, stores past the caches.
inline bool streams(const Node& node) { return node.stream || std::any_of(node.children.begin(), node.children.end(), streams); }

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FACTS_NODE_FACTS_H_
