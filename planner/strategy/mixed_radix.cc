// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Decimation in time over the radices of the codelets.
//
// The strategy proposes every available first radix, and the rest of the length as a few multisets of radices, each in falling and rising
// order. Lengths beyond L1 are also proposed with groups that end where a block fills half of L1 or of L2.
#include <algorithm>

#include "planner/lower/build_plan.h"
#include "planner/strategy/strategy.h"
#include "planner/table/find_codelet.h"
#include "planner/table/number_theory.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kLaterRadices[] = {16, 13, 11, 9, 8, 7, 5, 4, 3, 2};
constexpr std::int64_t kFirstRadices[] = {32, 27, 25, 20, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};
constexpr std::int64_t kMostOfPairs = 640;  // points; up to here pairs in registers begin with 27
constexpr std::int64_t kHalfL1 = 16 << 10;
constexpr std::int64_t kHalfL2 = 512 << 10;

// How often a radix is worth repeating: two 4s are a 16 or an 8 and a 2, two 3s a 9, two 2s a 4.
std::size_t most_uses(std::int64_t radix) {
  switch (radix) {
    case 2: case 3: return 1;
    case 4: case 16: return 2;
    default: return 64;
  }
}

void multisets(std::int64_t rest, std::size_t at, const std::vector<std::int64_t>& radices, std::vector<std::int64_t>& chosen,
               std::vector<std::vector<std::int64_t>>& out) {
  if (rest == 1) {
    out.push_back(chosen);
    return;
  }
  if (out.size() >= 64) return;
  for (std::size_t i = at; i < radices.size(); ++i) {
    const std::int64_t radix = radices[i];
    if (rest % radix != 0) continue;
    const auto uses = static_cast<std::size_t>(std::count(chosen.begin(), chosen.end(), radix));
    if (uses >= most_uses(radix)) continue;
    chosen.push_back(radix);
    multisets(rest / radix, i, radices, chosen, out);
    chosen.pop_back();
  }
}

Node dit_node(std::int64_t first, const std::vector<std::int64_t>& later) {
  Node node;
  node.kind = Node::Kind::kDit;
  node.passes.reserve(1 + later.size());
  node.passes.push_back({first, TwiddleForm::kStandard, "", false});
  for (const std::int64_t radix : later) node.passes.push_back({radix, TwiddleForm::kStandard, "", false});
  return node;
}

// Groups the passes so that each group ends before a block outgrows a limit; false when that changes nothing.
bool group(Node& node, std::int64_t point_bytes, std::span<const std::int64_t> limits) {
  std::int64_t block = node.passes[0].radix * point_bytes;
  std::size_t limit = 0;
  bool grouped = false;
  for (std::size_t i = 1; i < node.passes.size(); ++i) {
    const std::int64_t next = block * node.passes[i].radix;
    if (i == 1) {
      if (node.passes.size() > 2 && next <= limits[0]) node.passes[i].starts_group = true;
    } else {
      while (limit < limits.size() && next > limits[limit]) {
        if (block <= limits[limit] && node.passes[1].starts_group && !node.passes[i].starts_group) {
          node.passes[i].starts_group = true;
          grouped = true;
        }
        ++limit;
      }
    }
    block = next;
  }
  return grouped;
}

}  // namespace

std::vector<Node> mixed_radix_nodes(const LineProblem& line, const CodeletTable& codelets, PassKind first, PassKind later) {
  std::vector<std::int64_t> radices;
  for (const std::int64_t radix : kLaterRadices) {
    if (line.n % radix != 0) continue;
    if (find_codelet(codelets, later, line.compute, radix, TwiddleForm::kStandard) != nullptr) radices.push_back(radix);
  }
  const std::int64_t point_bytes = 2 * static_cast<std::int64_t>(real_bytes(line.compute));
  std::vector<Node> nodes;
  const auto keep = [&](const Node& node) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  };
  for (const std::int64_t r1 : kFirstRadices) {
    if (line.n % r1 != 0 || line.n / r1 < 2) continue;
    if (r1 == 27 && line.n <= kMostOfPairs) continue;
    if (find_codelet(codelets, first, line.compute, r1, TwiddleForm::kNone) == nullptr) continue;
    std::vector<std::vector<std::int64_t>> sets;
    std::vector<std::int64_t> chosen;
    multisets(line.n / r1, 0, radices, chosen, sets);
    for (std::vector<std::int64_t>& set : sets) {
      if (set.size() > 40) continue;
      for (int order = 0; order < 2; ++order) {
        const Node node = dit_node(r1, set);
        keep(node);
        if (line.n * point_bytes > 2 * kHalfL1) {
          Node blocked = node;
          if (group(blocked, point_bytes, std::vector<std::int64_t>{kHalfL1, kHalfL2})) keep(blocked);
        }
        std::reverse(set.begin(), set.end());
      }
    }
  }
  return nodes;
}

namespace {

// Appends nodes for lengths with one factor of 17, whose pass comes last. 17 has sums, but neither a first nor a twiddled codelet; where a
// target lacks the sums, ref has them. propose_mixed_radix() itself proposes 17 times a power of two.
void append_once_17(const LineProblem& line, const CodeletTable& codelets, std::vector<Node>& nodes) {
  const std::int64_t rest = line.n / 17;
  if (line.n == 17) {
    Node node;
    node.kind = Node::Kind::kN;
    node.n = line.n;
    nodes.push_back(std::move(node));
  }
  if (line.n % 17 != 0 || (rest & (rest - 1)) == 0 || rough_part(rest) != 1) return;
  if (find_codelet(codelets, PassKind::kFirst, line.compute, rest, TwiddleForm::kNone) != nullptr) nodes.push_back(dit_node(rest, {17}));
  LineProblem before = line;
  before.n = rest;
  for (Node& node : mixed_radix_nodes(before, codelets, PassKind::kFirst, PassKind::kTwiddled)) {
    const bool grouped = std::any_of(node.passes.begin(), node.passes.end(), [](const PassSpec& pass) { return pass.starts_group; });
    if (grouped) continue;  // passes of mx schemes go over the whole line
    node.passes.push_back({17, TwiddleForm::kStandard, "", false});
    nodes.push_back(std::move(node));
  }
}

// Appends pairs in registers, because some of their bodies have no other loop. Primes from 19 on have no pass of mx schemes.
void append_pairs(const LineProblem& line, const CodeletTable& codelets, std::vector<Node>& nodes) {
  for (const CodeletInfo& codelet : codelets.codelets) {
    if (codelet.kind != PassKind::kPacked || codelet.second == nullptr || codelet.compute != line.compute) continue;
    const std::int64_t r1 = codelet.body->radix, r2 = codelet.second->radix;
    if (line.family->radix_17 && rough_part(line.n) != 1) continue;
    if (r1 * r2 == line.n) nodes.push_back(dit_node(r1, {r2}));
  }
}

}  // namespace

void propose_mixed_radix(const LineProblem& line, const CodeletTable& codelets, NodeRanker&, std::vector<Node>& nodes) {
  // Beyond the caches the tables alone are as long as the data, and four is the only choice.
  if (line.family->radices != nullptr) return;
  constexpr std::int64_t kLongest = std::int64_t{1} << 22;
  if (line.n > kLongest && line.breadth != Breadth::kAll && !line.family->long_dits) return;
  append_pairs(line, codelets, nodes);
  for (Node& node : mixed_radix_nodes(line, codelets, PassKind::kFirst, PassKind::kTwiddled)) nodes.push_back(std::move(node));
  // One radix as long as it divides the length: where each pass rounds, that counts more than its time.
  for (const std::int64_t radix : {2, 4, 8}) {
    if (!line.family->uniform_radices || line.n % radix != 0) continue;
    std::vector<std::int64_t> later;
    std::int64_t rest = line.n / radix;
    for (; rest % radix == 0; rest /= radix) later.push_back(radix);
    if (rest > 1) later.push_back(rest);
    if (!later.empty()) nodes.push_back(dit_node(radix, later));
  }
  if (line.family->radix_17) append_once_17(line, codelets, nodes);
}

}  // namespace ulpfft
