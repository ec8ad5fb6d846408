// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lines as products of the radices that a scheme lists, in rising and falling order.
//
// The work of a pass grows with its radix, and each pass rounds once more: both ends are proposed, and times decide.
#include <algorithm>

#include "planner/strategy/strategy.h"

namespace ulpfft {
namespace {

constexpr std::size_t kMostSets = 48;
constexpr std::size_t kMostSplitPasses = 24;

// Multisets of radices, falling, no radix above `most`, whose product is `rest`.
void add_products(std::int64_t rest, std::size_t at, std::span<const std::int64_t> radices, std::vector<std::int64_t>& chosen,
                  std::vector<std::vector<std::int64_t>>& found) {
  if (rest == 1) {
    found.push_back(chosen);
    return;
  }
  if (found.size() >= kMostSets || chosen.size() >= kMostSplitPasses) return;
  for (std::size_t i = at; i < radices.size(); ++i) {
    if (rest % radices[i] != 0) continue;
    chosen.push_back(radices[i]);
    add_products(rest / radices[i], i, radices, chosen, found);
    chosen.pop_back();
  }
}

// As many passes of this radix as fit, and the rest by the largest radices.
bool mostly(std::int64_t n, std::int64_t radix, std::span<const std::int64_t> radices, std::vector<std::int64_t>& chosen) {
  chosen.clear();
  for (; n % radix == 0; n /= radix) chosen.push_back(radix);
  for (const std::int64_t other : radices) {
    for (; other < radix && n % other == 0; n /= other) chosen.push_back(other);
  }
  return n == 1;
}

Node node_of(const std::vector<std::int64_t>& radices) {
  Node node;
  if (radices.size() == 1) {
    node.n = radices.front();
    return node;
  }
  node.kind = Node::Kind::kDit;
  for (const std::int64_t radix : radices) node.passes.push_back({radix, TwiddleForm::kStandard, "", false});
  return node;
}

}  // namespace

void propose_listed_radices(const LineProblem& line, const CodeletTable&, NodeRanker&, std::vector<Node>& nodes) {
  if (line.family->radices == nullptr) return;
  const std::span<const std::int64_t> radices = line.family->radices();
  std::vector<std::vector<std::int64_t>> sets;
  std::vector<std::int64_t> chosen;
  for (const std::int64_t radix : radices) {
    if (line.n % radix == 0 && mostly(line.n, radix, radices, chosen)) sets.push_back(chosen);
  }
  add_products(line.n, 0, radices, chosen = {}, sets);
  for (std::vector<std::int64_t>& set : sets) {
    for (int order = 0; order < 2; ++order) {
      Node node = node_of(set);
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(std::move(node));
      std::reverse(set.begin(), set.end());
    }
  }
}

}  // namespace ulpfft
