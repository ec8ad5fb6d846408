// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/idle_forms.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "planner/facts/node_facts.h"
#include "planner/scheme/scheme.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

// Beyond, products of an index with 8 leave 64 bits, and no plan is that long.
constexpr std::int64_t kLongest = std::int64_t{1} << 58;

// What select_path() says of w = exp(-2 pi i x / n), 0 <= x < n, in whole numbers.
bool takes_sine_path(TwiddleForm form, std::int64_t x, std::int64_t n) {
  switch (form) {
    case TwiddleForm::kLinzerFeig: return x != 0 && 2 * x != n;
    case TwiddleForm::kCosine: return 4 * x == n || 4 * x == 3 * n;
    default: return (8 * x > n && 8 * x < 3 * n) || (8 * x > 5 * n && 8 * x < 7 * n);
  }
}

bool share_one_path(TwiddleForm form, std::int64_t radix, std::int64_t length, std::int64_t begin, std::int64_t end) {
  const std::int64_t n = radix * length;
  for (std::int64_t j = 1; j < radix; ++j) {
    const bool first = takes_sine_path(form, j * begin % n, n);
    for (std::int64_t k = begin + 1; k < end; ++k) {
      if (takes_sine_path(form, j * k % n, n) != first) return false;
    }
  }
  return true;
}

// Groups in which the path of a point may change: at multiples of an eighth of a turn.
std::set<std::int64_t> groups_of_changes(std::int64_t radix, std::int64_t length) {
  const std::int64_t groups = (length + kPathGroup - 1) / kPathGroup;
  std::set<std::int64_t> found;
  for (std::int64_t group = 0; group < groups && groups <= 8; ++group) found.insert(group);
  for (std::int64_t j = 1; j < radix && groups > 8; ++j) {
    for (std::int64_t eighths = 0; eighths * radix <= 8 * j; ++eighths) {
      const std::int64_t k = eighths * radix * (length / 8) / j + eighths * radix * (length % 8) / (8 * j);
      for (const std::int64_t near : {k - 1, k, k + 1, k + 2}) found.insert(std::clamp<std::int64_t>(near, 0, length - 1) / kPathGroup);
    }
  }
  return found;
}

// The codelets that passes are looked up in.
struct Bodies {
  const CodeletTable& codelets;
  ComputeType compute;
};

// Calls use(node, pass) for the idle passes of dit nodes. `line`: the node is computed line by line.
template <typename NodeType>
void for_each_idle_form(NodeType& node, bool line, const Bodies& bodies, const std::function<void(NodeType&, std::size_t)>& use) {
  std::int64_t length = node.passes.empty() ? 1 : node.passes[0].radix;
  for (std::size_t i = 1; line && i < node.passes.size() && length < kLongest; ++i) {
    const PassSpec& pass = node.passes[i];
    if (pass.radix >= kLongest / length) break;
    const auto exists = [&] { return find_codelet(bodies.codelets, PassKind::kTwiddled, bodies.compute, pass.radix, pass.form) != nullptr; };
    if (pass.form == TwiddleForm::kDualSelect && exists() && indices_on_paths(pass.form, pass.radix, length) == 0) use(node, i);
    length *= pass.radix;
  }
  const bool panels =
      node.kind == Node::Kind::kCols || (node.kind == Node::Kind::kFour && !node.children.empty() && runs_on_columns(node.children[0]));
  for (auto& child : node.children) for_each_idle_form<NodeType>(child, !panels, bodies, use);
}

}  // namespace

std::int64_t indices_on_paths(TwiddleForm form, std::int64_t radix, std::int64_t length) {
  if (length >= kLongest / radix) return length;
  std::int64_t straddle = 0;
  for (const std::int64_t group : groups_of_changes(radix, length)) {
    const std::int64_t begin = group * kPathGroup, end = std::min(begin + kPathGroup, length);
    if (!share_one_path(form, radix, length, begin, end)) straddle += end - begin;
  }
  return length - straddle;
}

bool has_idle_forms(const Recipe& recipe, const Scheme& scheme, const CodeletTable& codelets) {
  if (!scheme.family->path_groups) return false;
  bool found = false;
  for_each_idle_form<const Node>(recipe.root, true, {codelets, scheme.compute}, [&found](const Node&, std::size_t) { found = true; });
  return found;
}

Recipe without_idle_forms(const Recipe& recipe, const CodeletTable& codelets) {
  Recipe computed = recipe;
  const Scheme scheme = scheme_named(recipe.scheme);
  if (!scheme.family->path_groups) return computed;
  for_each_idle_form<Node>(computed.root, true, {codelets, scheme.compute},
                           [](Node& node, std::size_t pass) { node.passes[pass].form = TwiddleForm::kStandard; });
  return computed;
}

std::vector<std::string> idle_forms(const Recipe& recipe, const CodeletTable& codelets) {
  std::vector<std::string> found;
  const Scheme scheme = scheme_named(recipe.scheme);
  if (!scheme.family->path_groups) return found;
  const Node* last = nullptr;
  for_each_idle_form<const Node>(recipe.root, true, {codelets, scheme.compute}, [&](const Node& node, std::size_t pass) {
    const std::string text = print_recipe({"x", node}).substr(2);
    const std::string name = std::to_string(node.passes[pass].radix) + ":" + std::string(twiddle_suffix(node.passes[pass].form));
    if (last == &node) {
      found.back().insert(found.back().size() - text.size() - 4, ", " + name);
    } else {
      found.push_back(name + " of " + text);
    }
    last = &node;
  });
  return found;
}

}  // namespace ulpfft
