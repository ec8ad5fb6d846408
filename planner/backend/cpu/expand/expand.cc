// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What goes around the nodes of a recipe: its dimensions, in their order. between.h has the batch and the conversions.
#include "planner/backend/cpu/expand/expand.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "codelets/contract/through_f32.h"
#include "planner/backend/cpu/expand/between.h"
#include "planner/backend/cpu/expand/chain.h"
#include "planner/backend/cpu/expand/columns.h"
#include "planner/backend/cpu/expand/convolution.h"
#include "planner/backend/cpu/expand/dit.h"
#include "planner/backend/cpu/expand/four.h"
#include "planner/backend/cpu/expand/fused.h"
#include "planner/backend/cpu/expand/mx.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/planes.h"
#include "planner/backend/cpu/expand/r2r.h"
#include "planner/backend/cpu/expand/real.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/backend/cpu/expand/split.h"
#include "planner/backend/cpu/expand/whole.h"
#include "planner/facts/prescale_target.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/table_cache.h"
#include "wisdom/error.h"

namespace ulpfft {

static void expand_dimensions(Scope& scope, std::vector<const Node*> nodes);

// Of each dimension, by a root that is not a chain.
static std::vector<const Node*> nodes_of(const Scope& scope, const Node& root) {
  const std::size_t rank = scope.problem.dims.size();
  std::vector<const Node*> nodes;
  if (root.kind == Node::Kind::kRank) {
    for (const Node& child : root.children) nodes.push_back(&child);
  } else {
    nodes.push_back(&root);
  }
  if (nodes.size() != rank) {
    scope.refuse("The problem has " + std::to_string(rank) + " lengths, the recipe transforms " + std::to_string(nodes.size()));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t length = node_length(*nodes[d]);
    if (length != scope.problem.dims[d].length) {
      scope.refuse("lengths[" + std::to_string(d) + "] is " + std::to_string(scope.problem.dims[d].length) + ", the recipe gives " +
             std::to_string(length));
    }
  }
  return nodes;
}

Program expand(const Lowering& given) {
  Scope scope(given);
  const bool is_chain = scope.recipe.root.kind == Node::Kind::kChain;
  if (is_chain != !scope.problem.chain.empty())
    scope.refuse(is_chain ? "The problem is no chain, the recipe is one" : "The problem is a chain, the recipe is none");
  if (is_chain && scope.recipe.root.op != scope.problem.chain)
    scope.refuse("The operation of the problem is " + scope.problem.chain + ", that of the recipe " + scope.recipe.root.op);
  const SchemeFamily& family = *scope.scheme.family;
  if (scope.scheme.any) scope.refuse("A recipe names one scheme, and " + scope.recipe.scheme + " stands for a family of them");
  if (is_chain && family.no_chains != nullptr) scope.refuse(family.no_chains);
  std::vector<const Node*> nodes = nodes_of(scope, is_chain ? scope.recipe.root.children[0] : scope.recipe.root);
  if (is_chain) scope.back = nodes_of(scope, scope.recipe.root.children[1]);
  check_flags(scope, scope.recipe.root, true);
  check_padding(scope, scope.recipe.root, 1);
  if (const std::string fault = prescale_fault(scope.problem, scope.scheme); !fault.empty())
    throw PlanError(ULPFFT_UNSUPPORTED, "prescale_target", fault);
  scope.intermediates = intermediates_of(scope.problem, scope.recipe.root);
  if (scope.problem.prescale_kind != PrescaleKind::kNone)
    scope.program.prescale_target = prescale_target(scope.problem, scope.scheme.element, scope.intermediates);
  if (family.no_storage_between != nullptr && !scope.intermediates.empty()) scope.refuse(family.no_storage_between);
  scope.scope_points = static_cast<double>(transform_points(scope.problem)) * static_cast<double>(batch_count(scope.problem));
  scope.grown = scope.sides.in.real ? 2 : 1;
  const bool is_dit = !is_chain && nodes.size() == 1 && nodes[0]->kind == Node::Kind::kDit;
  expand_dimensions(scope, std::move(nodes));
  // The output array can be the work array only where it is the only one.
  scope.program.work_may_be_out = scope.program.work_may_be_out && is_dit && !scope.sides.in.windowed &&
                          scope.sides.in.format == scope.working && scope.sides.out.format == scope.working &&
                          scope.problem.placement == Placement::kOutOfPlace && scope.problem.layout == ArrayLayout::kInterleaved;
  return std::move(scope.program);
}

double rounded_scale(const Scope& scope) {
  const double scale = scale_factor(scope.problem);
  const double rounded = scope.working == "f32" ? through_f32(scale) : scale;
  return scope.intermediates.empty() ? rounded : std::ldexp(rounded, scope.intermediates.front().power - scale_power(scope.problem));
}

void expand_dimension(Scope& scope, const Node& node, std::size_t d, const ArrayLines& source, const ArrayLines& target, double scale,
                      bool first, bool last, std::vector<LoopAround> loops, std::int64_t& transformed) {
  const std::vector<Dimension>& dims = scope.problem.dims;
  Place place;
  place.n = dims[d].length;
  place.in = source.base;
  place.out = target.base;
  place.in.stride = source.dims[d];
  place.out.stride = target.dims[d];
  place.in.swap = source.base.swap && first;
  place.out.swap = target.base.swap && last;
  place.in.shift = place.out.shift = scope.problem.centered ? place.n / 2 : 0;
  if (place.out.keeps) place.out.shift = 0;
  place.scale = first ? scale : 1.0;
  place.loops = std::move(loops);
  for (std::size_t other = 0; other < dims.size(); ++other) {
    if (other != d && dims[other].length > 1) place.loops.push_back({dims[other].length, source.dims[other], target.dims[other]});
  }
  merge_loops(place.loops);
  place.transformed = transformed;
  scope.rounds_input = first;
  expand_node(scope, node, place);
  transformed *= place.n;
}

// Where neither side is direct, the dit nodes that stream are replaced by copies in `own` that do not: passes stream only what they read or
// write of the caller's arrays. Returns whether one streams.
static bool settle_streams(std::vector<const Node*>& nodes, bool direct, std::vector<Node>& own) {
  bool streams = false;
  for (const Node*& node : nodes) {
    if (node->kind != Node::Kind::kDit || !node->stream) continue;
    streams = true;
    if (direct) continue;
    own.push_back(*node);
    own.back().stream = false;
    node = &own.back();
  }
  return streams;
}

// The passes of complex numbers of a group, dimension by dimension in this order.
static void expand_complex(Scope& scope, const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, SeenArrays& arrays) {
  arrays.in.base.swap = arrays.out.base.swap = scope.problem.direction == Direction::kBackward;
  std::int64_t transformed = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool first = i == 0, last = i + 1 == order.size();
    expand_dimension(scope, *nodes[order[i]], order[i], arrays.in, arrays.out, rounded_scale(scope), first, last,
                     last ? std::move(arrays.batch) : arrays.batch, transformed);
    if (last) return;
    arrays.in = arrays.out;
    for (LoopAround& loop : arrays.batch) loop.in_stride = loop.out_stride;
  }
}

static void expand_complex_dimensions(Scope& scope, std::vector<const Node*> nodes, const std::vector<std::size_t>& order) {
  SettledEnds ends = settle_ends(scope, nodes, order);
  const bool direct = ends.in.direct() || ends.out.direct();
  std::vector<Node> own;
  if (!direct) own.reserve(2 * nodes.size());
  const bool there = settle_streams(nodes, direct, own), back = settle_streams(scope.back, direct, own);
  ends.streams = there || back;
  const std::int64_t bytes = 2 * transform_points(scope.problem) * static_cast<std::int64_t>(real_bytes(scope.program.compute));
  scope.keeps_spectrum = !scope.back.empty() && bytes < kSpectrumStreams;
  const auto expand_passes = [&](SeenArrays& arrays) {
    scope.back.empty() ? expand_complex(scope, nodes, order, arrays) : expand_chain(scope, nodes, order, arrays);
  };
  expand_between(scope, ends, std::ref(expand_passes));
}

static void expand_dimensions(Scope& scope, std::vector<const Node*> nodes) {
  const bool between = scope.recipe.root.kind == Node::Kind::kRank && !scope.recipe.root.format.empty();
  if (between && scope.sides.hold_reals())
    scope.refuse("A narrow array lies between two dimensions of complex numbers alone");
  if (scope.problem.kind == Kind::kCzt) return expand_zoom(scope, *nodes[0]);
  if (!scope.problem.kinds.empty()) return expand_r2r_dimensions(scope, nodes);
  if (scope.sides.hold_reals()) return expand_real_dimensions(scope, nodes);
  const std::size_t rank = nodes.size();
  const std::vector<Dimension>& dims = scope.problem.dims;
  // From the last length to the first; lengths 1 need no pass, except that something must carry the data from in to out.
  std::vector<std::size_t> order;
  for (std::size_t d = rank; d-- > 0;) {
    if (dims[d].length > 1) order.push_back(d);
  }
  if (order.empty()) order.push_back(rank - 1);
  const bool converted = scope.sides.by_groups();
  // In L3 all dimensions of a wide copy, each in place, are faster: 1024x1024 f16 1.24 ms against 1.81. Beyond, 4096x4096: 50 against 33.
  const bool planes = rank == 2 && scope.scheme.family->planes && !scope.sides.in.changed;
  if ((between || (converted && nodes[0]->stream && scope.back.empty())) && planes && expand_planes(scope, nodes)) return;
  if (between)
    scope.refuse(
        "A narrow array lies between two dimensions, the first of them cols of n or dit, of a problem without prescale and window");
  expand_complex_dimensions(scope, std::move(nodes), order);
}

// Whether the scheme has passes of its own for the node, and expands it.
static bool expand_by_scheme(const auto&, Scope&, const Node&, const Place&) { return false; }
static bool expand_by_scheme(const MxScheme&, Scope& scope, const Node& node, const Place& place) {
  if (place.n < scope.scheme.family->shortest) return false;
  const std::vector<PassSpec> one{{place.n, TwiddleForm::kStandard, "", false}};
  expand_mx(scope, node.kind == Node::Kind::kDit ? node.passes : one, place);
  return true;
}

static bool expand_by_scheme(const SplitScheme&, Scope& scope, const Node& node, const Place& place) {
  if (place.n < scope.scheme.family->shortest) return false;
  const std::vector<PassSpec> one{{place.n, TwiddleForm::kStandard, "", false}};
  expand_split(scope, node.kind == Node::Kind::kDit ? node.passes : one, place);
  return true;
}

void expand_node(Scope& scope, const Node& node, const Place& place) {
  const Scope::Level before = scope.level();
  const double grown = scope.grown * static_cast<double>(place.n);
  const auto leave = [&] {
    scope.grown = grown;
    scope.leave(before);
  };
  const SchemeFamily& family = *scope.scheme.family;
  if (place.n >= family.shortest) {
    if (!family.has(node.kind)) scope.refuse(family.no_node);
    if (node.stream && family.no_streams != nullptr) scope.refuse(family.no_streams);
  }
  const auto by_scheme = [&](const auto& constants) { return expand_by_scheme(constants, scope, node, place); };
  if (std::visit(by_scheme, scope.scheme.constants)) return leave();
  switch (node.kind) {
    case Node::Kind::kN:
      if (!expand_packed(scope, node, place) && !expand_packed_apart(scope, node, place)) expand_n(scope, node, place);
      break;
    case Node::Kind::kDit:
      check_dit(scope, node);
      if (!place.in.format.empty() || !place.out.format.empty()) {
        if (!expand_packed_fused(scope, node, place)) expand_dit(scope, node, place);
      } else if (!expand_packed(scope, node, place) && !expand_whole_two(scope, node, place) && !expand_packed_apart(scope, node, place)) {
        expand_dit(scope, node, place);
      }
      break;
    case Node::Kind::kCols: expand_cols(scope, node, place); break;
    case Node::Kind::kFour: expand_four(scope, node, place); break;
    case Node::Kind::kRader: expand_rader(scope, node, place); break;
    case Node::Kind::kBluestein: expand_bluestein(scope, node, place); break;
    default:
      throw PlanError(
          ULPFFT_UNSUPPORTED, "recipe",
          "This version builds n, dit, cols, four, rader, bluestein and rank nodes only (recipe " + print_recipe(scope.recipe) + ").");
  }
  leave();
}

}  // namespace ulpfft
