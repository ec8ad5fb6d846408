// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lengths with a prime factor beyond the codelets become convolutions by transforms of smooth length.
#include <algorithm>

#include "planner/strategy/strategy.h"
#include "planner/table/line_table.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kLongestProposed = std::int64_t{1} << 30;

// Smooth lengths from `least` on that transform fast: the least multiples of larger powers of two, and the next power of two. They are at
// most 1.5 times `least`, so that the two lines of a convolution stay within six lines of the caller's.
std::vector<std::int64_t> padded_lengths(std::int64_t least, Breadth breadth) {
  std::vector<std::int64_t> lengths;
  for (const std::int64_t odd : {1, 3, 5, 7, 9, 15, 21, 25, 27, 45}) {
    std::int64_t m = odd;
    while (m < least) m *= 2;
    const bool vectors = m % 16 == 0 || least < 64;
    if (vectors && m <= least + least / 2) lengths.push_back(m);
  }
  std::sort(lengths.begin(), lengths.end());
  const std::size_t count = breadth == Breadth::kFew ? 3 : breadth == Breadth::kMore ? 6 : lengths.size();
  if (lengths.size() > count) lengths.resize(count);
  std::int64_t power = 1;
  while (power < least) power *= 2;
  const bool near = power <= least + least / 2;
  if (near && std::find(lengths.begin(), lengths.end(), power) == lengths.end()) lengths.push_back(power);
  return lengths;
}

}  // namespace

void propose_rader(const LineProblem& line, const CodeletTable&, NodeRanker& ranker, std::vector<Node>& nodes) {
  const bool asked = line.breadth == Breadth::kAll || rough_part(line.n) > 1;
  if (!asked || line.n < 3 || line.n > kLongestProposed || !is_prime(line.n)) return;
  const auto propose = [&](std::int64_t m, std::size_t count) {
    for (const Node& child : ranker.best(line_inside(line, m), count)) {
      Node node;
      node.kind = Node::Kind::kRader;
      node.n = line.n;
      node.children.push_back(child);
      nodes.push_back(std::move(node));
    }
  };
  const std::size_t count = line.breadth == Breadth::kFew ? 1 : 2;
  const bool cyclic = rough_part(line.n - 1) == 1;
  if (cyclic || line.breadth != Breadth::kFew) propose(line.n - 1, cyclic ? count + 1 : 1);
  if (cyclic && line.breadth == Breadth::kFew) return;
  for (const std::int64_t m : padded_lengths(2 * line.n - 3, line.breadth)) propose(m, count);
}

// bluestein nodes of line.n points whose filters have `least` points or more.
static void propose_padded(const LineProblem& line, std::int64_t least, NodeRanker& ranker, std::vector<Node>& nodes) {
  for (const std::int64_t m : padded_lengths(least, line.breadth)) {
    for (const Node& child : ranker.best(line_inside(line, m), line.breadth == Breadth::kFew ? 1 : 2)) {
      Node node;
      node.kind = Node::Kind::kBluestein;
      node.n = line.n;
      node.m = m;
      node.children.push_back(child);
      nodes.push_back(std::move(node));
    }
  }
}

void propose_bluestein(const LineProblem& line, const CodeletTable&, NodeRanker& ranker, std::vector<Node>& nodes) {
  const bool asked = line.breadth == Breadth::kAll || rough_part(line.n) > 1;
  if (asked && line.n >= 2 && line.n <= kLongestProposed) propose_padded(line, 2 * line.n - 1, ranker, nodes);
}

void propose_chirps(const LineProblem& line, std::int64_t outputs, NodeRanker& ranker, std::vector<Node>& nodes) {
  constexpr std::int64_t kShortest = 2;  // points that are transformed there and back
  if (line.n > kLongestProposed || outputs > kLongestProposed) return;
  propose_padded(line, std::max(kShortest, line.n + outputs - 1), ranker, nodes);
}

}  // namespace ulpfft
