// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/intermediate.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "planner/convert/storage_by_name.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

std::int64_t floor_log2(std::int64_t length) { return std::bit_width(static_cast<std::uint64_t>(length)) - 1; }

// The mean square of pairs of reals, over that of the complex numbers of the problem: untangled later, or tangled before.
double gain_of_pairs(const Problem& problem, const Node& real) {
  if (real.n % 2 != 0) return 1;
  return problem.kind == Kind::kC2R ? 4 : 2;
}

void collect(const Problem& problem, const Node& node, std::int64_t before, double gain, std::vector<Intermediate>& found) {
  const auto add = [&](const std::string& format, std::int64_t length, std::int64_t row_reals) {
    if (!format.empty()) found.push_back({length, format, row_reals, 0, 0, gain});
  };
  switch (node.kind) {
    case Node::Kind::kDit: {
      std::int64_t length = before;
      for (const PassSpec& pass : node.passes) {
        length *= pass.radix;
        if (&pass != &node.passes.back()) add(pass.format, length, 2 * node_length(node));
      }
      break;
    }
    case Node::Kind::kFour:
      if (node.children.size() != 2) break;
      collect(problem, node.children[0], before, gain, found);
      add(node.format, before * node.n, 2 * std::min(node.panel, node.n));
      collect(problem, node.children[1], before * node.n, gain, found);
      break;
    case Node::Kind::kRank: {
      std::size_t left = 0;
      for (const Node& child : node.children) left += node_length(child) > 1 ? 1 : 0;
      std::vector<const Node*> order;
      for (std::size_t d = node.children.size(); d-- > 0;) order.push_back(&node.children[d]);
      if (problem.kind == Kind::kC2R) std::rotate(order.begin(), order.begin() + 1, order.end());  // the real node is the last one
      for (const Node* const child : order) {
        const std::int64_t length = node_length(*child);
        if (length == 1) continue;
        collect(problem, *child, before, gain, found);
        before *= length;
        if (--left > 0) add(node.format, before, 2 * problem.dims.back().length);
      }
      break;
    }
    case Node::Kind::kReal:
      for (const Node& child : node.children) collect(problem, child, before, gain_of_pairs(problem, node), found);
      break;
    default:
      for (const Node& child : node.children) collect(problem, child, before, gain, found);
  }
}

}  // namespace

Storage intermediate_storage(const std::string& name) {
  const Storage storage = find_storage_of(name, "recipe");
  const bool has_no_negative = storage.element->kind == FormatKind::kFloat && !storage.element->is_signed;
  if (is_wide(name) || has_no_negative) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe",
                    "'" + name + "' behind '|' is no narrow storage of complex numbers, e.g. f16 or mxfp8_e4m3.");
  }
  return storage;
}

int scale_power(const Problem& problem) { return std::ilogb(scale_factor(problem)); }

std::vector<Intermediate> intermediates_of(const Problem& problem, const Node& root) {
  std::vector<Intermediate> found;
  collect(problem, root, 1, 1, found);
  if (found.empty()) return found;
  const std::int64_t e = scale_power(problem);
  const std::int64_t all = std::max<std::int64_t>(1, floor_log2(transform_points(problem)));
  const auto power = [&](std::int64_t length) {
    const std::int64_t twice = 2 * e * floor_log2(length) + all;  // over 2 * all, rounded down
    return static_cast<int>(twice >= 0 ? twice / (2 * all) : -((2 * all - 1 - twice) / (2 * all)));
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].power = power(found[i].length);
    if (i > 0) found[i - 1].next = found[i].power;
  }
  found.back().next = static_cast<int>(e);
  return found;
}

}  // namespace ulpfft
