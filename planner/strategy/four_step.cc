// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A line as a matrix: two sweeps over memory for lengths beyond the caches, three where a sweep can be only so long, and the way to lengths
// with one large prime factor.
#include <algorithm>
#include <cmath>

#include "planner/strategy/strategy.h"
#include "planner/table/number_theory.h"

namespace ulpfft {
namespace {

Node four_node(std::int64_t n1, std::int64_t n2, std::int64_t panel, Node first, Node second) {
  Node node;
  node.kind = Node::Kind::kFour;
  node.n = n1;
  node.m = n2;
  node.panel = panel;
  node.children.push_back(std::move(first));
  node.children.push_back(std::move(second));
  return node;
}

// The divisors of a smooth n without 1 and n. Divisors whose ratio to `middle` is nearest to 1 come first.
std::vector<std::int64_t> divisors_around(std::int64_t n, double middle) {
  std::vector<std::int64_t> divisors{1};
  std::int64_t rest = n;
  for (const std::int64_t p : kSmoothPrimes) {
    const std::size_t without = divisors.size();
    for (std::int64_t power = p; rest % p == 0; rest /= p, power *= p) {
      for (std::size_t i = 0; i < without; ++i) divisors.push_back(divisors[i] * power);
    }
  }
  std::erase_if(divisors, [n](std::int64_t d) { return d == 1 || d == n; });
  std::sort(divisors.begin(), divisors.end(), [&](std::int64_t a, std::int64_t b) {
    const double da = std::abs(std::log(static_cast<double>(a) / middle));
    const double db = std::abs(std::log(static_cast<double>(b) / middle));
    return da != db ? da < db : a < b;
  });
  return divisors;
}

// Children of sweeps over memory begin with radix 4 where there is a choice. Rows a power of two apart share cache sets, and reading 8 or
// 16 of them at once took 1.2 to 1.7 times as long on Zen 5, and 0.81 to 0.9 on Emerald Rapids: a search times both. From L3 the larger
// radices win, because they save a pass.
std::vector<Node> sweep_children(NodeRanker& ranker, const LineProblem& line, std::int64_t n, std::size_t count) {
  constexpr std::int64_t kFromMemory = 32 << 20;  // bytes
  const bool few = line.breadth == Breadth::kFew;
  std::vector<Node> nodes;
  if (line.n * 2 * static_cast<std::int64_t>(real_bytes(line.compute)) >= kFromMemory) {
    nodes = ranker.best_on_columns(n, line.compute, 1, kRadixFromMemory);
  }
  if (few && !nodes.empty()) return nodes;
  for (const Node& node : ranker.best_on_columns(n, line.compute, count)) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  return nodes;
}

void propose_smooth(const LineProblem& line, NodeRanker& ranker, std::vector<Node>& nodes) {
  const std::int64_t bytes = line.n * 2 * static_cast<std::int64_t>(real_bytes(line.compute));
  const bool few = line.breadth == Breadth::kFew;
  constexpr std::int64_t kWorthwhile = 256 << 10;  // bytes; below, dit stays in L2
  const bool is_long = line.longest_sweep != 0 && line.n > line.longest_sweep;  // a single sweep may be impossible
  if (line.breadth != Breadth::kAll && !is_long && bytes < (few ? kWorthwhile : kWorthwhile / 8)) return;
  const std::size_t splits = few ? 3 : line.breadth == Breadth::kMore ? 6 : 16;
  const std::size_t children = few ? 1 : 2;
  std::size_t used = 0;
  for (const std::int64_t n1 : divisors_around(line.n, std::sqrt(static_cast<double>(line.n)))) {
    const std::int64_t n2 = line.n / n1;
    const std::vector<Node> first = sweep_children(ranker, line, n1, children);
    const std::vector<Node> second = sweep_children(ranker, line, n2, children);
    if (first.empty() || second.empty()) continue;
    // A panel of the longer sweep should fit into L2, but reads of fewer than 32 columns cost more than passes in L3.
    const std::int64_t fits = (1 << 20) / (std::max(n1, n2) * 2 * static_cast<std::int64_t>(real_bytes(line.compute)));
    std::vector<std::int64_t> panels;
    const std::int64_t largest = std::min(std::max<std::int64_t>({32, fits, line.least_panel}), std::max<std::int64_t>({16, n1, n2}));
    for (const std::int64_t panel : {64, 32, 16, 128}) {
      if (panel < line.least_panel || panel > largest) continue;
      panels.push_back(panel);
      if (few && panels.size() == 2) break;
    }
    for (const std::int64_t panel : panels) {
      for (const Node& a : first) {
        for (const Node& b : second) nodes.push_back(four_node(n1, n2, panel, a, b));
      }
    }
    if (++used == splits) break;
  }
}

// Three sweeps: the second child is a four. Factors near the cube root come first.
void propose_three_sweeps(const LineProblem& line, NodeRanker& ranker, std::vector<Node>& nodes) {
  const std::int64_t longest = line.longest_sweep;
  constexpr std::int64_t kPanel = 64;
  const bool few = line.breadth == Breadth::kFew;
  const std::size_t splits = few ? 3 : 6, inner_splits = few ? 1 : 3;
  std::size_t used = 0;
  for (const std::int64_t n1 : divisors_around(line.n, std::cbrt(static_cast<double>(line.n)))) {
    const std::int64_t rest = line.n / n1;
    if (used == splits) break;
    if (n1 > longest || rest > longest * longest) continue;
    const std::vector<Node> first = ranker.best_on_columns(n1, line.compute, 1);
    std::size_t inner = 0;
    for (const std::int64_t n2 : divisors_around(rest, std::sqrt(static_cast<double>(rest)))) {
      const std::int64_t n3 = rest / n2;
      if (first.empty() || inner == inner_splits) break;
      if (n2 > longest || n3 > longest) continue;
      const std::vector<Node> second = ranker.best_on_columns(n2, line.compute, 1), third = ranker.best_on_columns(n3, line.compute, 1);
      if (second.empty() || third.empty()) continue;
      nodes.push_back(four_node(n1, rest, kPanel, first[0], four_node(n2, n3, kPanel, second[0], third[0])));
      ++inner;
    }
    if (inner != 0) ++used;
  }
}

}  // namespace

void propose_four_step(const LineProblem& line, const CodeletTable&, NodeRanker& ranker, std::vector<Node>& nodes) {
  const std::int64_t rough = rough_part(line.n), longest = line.longest_sweep;
  if (rough == 1 && longest != 0 && line.n / longest > longest) {
    propose_three_sweeps(line, ranker, nodes);
    return;
  }
  if (rough == 1) {
    propose_smooth(line, ranker, nodes);
    return;
  }
  const auto lines = [&](std::int64_t n) {
    return ranker.best_in_four(line_inside(line, n), line.breadth == Breadth::kFew ? 1 : 3);
  };
  constexpr std::int64_t kPanel = 64;
  if (rough < line.n) {
    // The smooth factor comes first, because it runs with columns in the lanes.
    for (const Node& a : ranker.best_on_columns(line.n / rough, line.compute, 1)) {
      for (const Node& b : lines(rough)) nodes.push_back(four_node(line.n / rough, rough, kPanel, a, b));
    }
  }
  std::int64_t prime = 17;
  while (rough % prime != 0 && prime <= rough / prime) prime += 2;
  if (rough % prime != 0) prime = rough;
  if (prime == rough || (rough < line.n && line.breadth == Breadth::kFew)) return;
  for (const Node& a : lines(prime)) {
    for (const Node& b : lines(line.n / prime)) nodes.push_back(four_node(prime, line.n / prime, kPanel, a, b));
  }
}

}  // namespace ulpfft
