// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/strategy/variants.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace ulpfft {
namespace {

constexpr TwiddleForm kForms[] = {TwiddleForm::kStandard, TwiddleForm::kChained, TwiddleForm::kDualSelect};
constexpr std::int64_t kPanels[] = {16, 32, 64, 128};
constexpr std::int64_t kLargestRadix = 64;  // larger radices have no codelet

bool has_passes(const Node& node) { return node.kind == Node::Kind::kDit; }

// Calls change(node) for the nodes of a recipe, children after parents.
template <typename Change>
void for_each_node(Node& node, const Change& change) {
  change(node);
  for (Node& child : node.children) for_each_node(child, change);
}

class Neighbours {
 public:
  explicit Neighbours(const Node& node) : root_(node) { keep_text(); }

  std::vector<Variant> all() {
    for_each_node(root_, [this](Node& node) {
      if (has_passes(node)) {
        forms(node);
        pairs(node);
        splits(node);
        groups(node);
      }
      if (node.panel != 0) panels(node);
      if (has_passes(node) || node.panel != 0) {
        node.stream = !node.stream;
        keep("streaming");
        node.stream = !node.stream;
      }
    });
    return std::move(found_);
  }

 private:
  // Whether the text of root_ is new.
  bool keep_text() {
    try {
      return known_.insert(print_recipe({"x", root_})).second;
    } catch (const std::exception&) {
      return false;  // longer than a recipe may be
    }
  }
  void keep(std::string_view kind) {
    if (keep_text()) found_.push_back({root_, kind});
  }

  void forms(Node& node) {
    for (std::size_t i = 1; i < node.passes.size(); ++i) {
      PassSpec& pass = node.passes[i];
      const TwiddleForm before = pass.form;
      for (const TwiddleForm form : kForms) {
        pass.form = form;
        keep("mixed forms");
      }
      pass.form = before;
    }
  }

  // Replaces two neighbouring passes by two, or one, of the same product.
  void pairs(Node& node) {
    for (std::size_t i = 0; i + 1 < node.passes.size(); ++i) {
      const std::vector<PassSpec> before = node.passes;
      const std::int64_t first = before[i].radix;
      const std::int64_t second = before[i + 1].radix;
      const std::int64_t product = first * second;
      for (std::int64_t r = 2; r <= product / 2; ++r) {
        if (product % r != 0 || r > kLargestRadix || product / r > kLargestRadix) continue;
        node.passes[i].radix = r;
        node.passes[i + 1].radix = product / r;
        keep(r == second ? "pass order" : "radices");
      }
      node.passes = before;
      if (product <= kLargestRadix && node.passes.size() > 2) {
        node.passes[i].radix = product;
        node.passes.erase(node.passes.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        keep("radices");
        node.passes = before;
      }
    }
  }

  void splits(Node& node) {
    if (node.passes.size() >= kMaxNodeParts) return;
    for (std::size_t i = 0; i < node.passes.size(); ++i) {
      const std::vector<PassSpec> before = node.passes;
      const std::int64_t radix = before[i].radix;
      for (std::int64_t r = 2; r <= radix / 2; ++r) {
        if (radix % r != 0) continue;
        node.passes = before;
        node.passes[i].radix = r;
        PassSpec second = before[i];
        second.radix = radix / r;
        second.starts_group = false;
        node.passes.insert(node.passes.begin() + static_cast<std::ptrdiff_t>(i) + 1, second);
        keep("radices");
      }
      node.passes = before;
    }
  }

  void groups(Node& node) {
    for (std::size_t i = 1; i < node.passes.size(); ++i) {
      bool& starts = node.passes[i].starts_group;
      starts = !starts;
      keep("groups");
      starts = !starts;
    }
  }

  void panels(Node& node) {
    const std::int64_t before = node.panel;
    for (const std::int64_t panel : kPanels) {
      node.panel = panel;
      keep("panels");
    }
    node.panel = before;
  }

  Node root_;  // it is changed, kept, and changed back
  std::set<std::string> known_;
  std::vector<Variant> found_;
};

}  // namespace

std::vector<Variant> form_variants(const Node& node) {
  std::vector<Variant> variants;
  for (const TwiddleForm form : kForms) {
    Node changed = node;
    for_each_node(changed, [form](Node& n) {
      if (!has_passes(n)) return;
      for (std::size_t i = 1; i < n.passes.size(); ++i) n.passes[i].form = form;
    });
    if (!(changed == node)) variants.push_back({std::move(changed), "twiddle forms"});
  }
  return variants;
}

void set_streams(Node& node, bool streams) {
  if (node.kind == Node::Kind::kRank) {
    for (Node& child : node.children) set_streams(child, streams);
  } else if (node.kind == Node::Kind::kDit || node.panel != 0) {
    node.stream = streams;
  }
}

std::vector<Variant> stream_variants(const Node& node) {
  std::vector<Variant> variants;
  for (const bool streams : {true, false}) {
    Node changed = node;
    set_streams(changed, streams);
    if (!(changed == node)) variants.push_back({std::move(changed), "streaming"});
  }
  return variants;
}

std::vector<Variant> panel_variants(const Node& node) {
  std::vector<Variant> variants;
  for (const bool wider : {false, true}) {
    Node changed = node;
    for_each_node(changed, [wider](Node& n) {
      if (n.panel != 0) n.panel = std::clamp(wider ? 2 * n.panel : n.panel / 2, std::begin(kPanels)[0], std::end(kPanels)[-1]);
    });
    if (!(changed == node)) variants.push_back({std::move(changed), "panels"});
  }
  return variants;
}

std::vector<Variant> end_variants(const Node& node, bool narrow_in, bool narrow_out) {
  std::vector<Variant> variants;
  if (node.kind != Node::Kind::kDit) return variants;
  for (const auto& [decode, encode] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}, std::pair{false, false}}) {
    if ((decode && !narrow_in) || (encode && !narrow_out)) continue;
    Node changed = node;
    changed.decode = decode;
    changed.encode = encode;
    if (!(changed == node)) variants.push_back({std::move(changed), "narrow ends"});
  }
  return variants;
}

std::vector<Variant> neighbours(const Node& node) { return Neighbours(node).all(); }

}  // namespace ulpfft
