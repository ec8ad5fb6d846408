// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rader and bluestein nodes: a line as a cyclic convolution, by a transform of another length, there and back.
//
// The transform back is the transform there with re and im exchanged at both its ends (design, invariant 2).
#include "planner/backend/cpu/expand/convolution.h"

#include <algorithm>

#include "planner/backend/cpu/expand/between.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/table/line_table.h"

namespace ulpfft {
namespace {

// A recipe may pad more than it must, not without end: wisdom must not cost all memory.
bool pads_too_much(std::int64_t m, std::int64_t least) { return m > 8 * least + 64; }

// A recipe of 256 bytes nests eight convolutions: 16 times at each level would be 2^32 times. What plans choose pads 3 times, and twice in
// a prime factor of a prime less one.
constexpr double kMostPadding = 64;
constexpr double kShort = 64;  // points: below, padding costs nothing

// Children with work arrays as long as the line work in place, so that a convolution needs no third line: four, and dit where its work
// array cannot be its output (see fits_out in expand_dit).
bool has_scratch(const Node& child, std::int64_t lanes) {
  if (child.kind != Node::Kind::kDit) return child.kind == Node::Kind::kFour;
  const std::int64_t radix = child.passes[0].radix;
  return child.stream || radix % lanes != 0 || node_length(child) / radix < lanes;
}

constexpr std::int64_t kLongestConvolution = std::int64_t{1} << 30;  // row lists and chirps are indexed in 32 and squared in 64 bits

// The convolution of a chirp transform.
std::int64_t outputs_of(const Scope& scope) { return index_length(scope.problem, scope.problem.dims.back(), true); }
std::int64_t longer_side(const Scope& scope) { return std::max(scope.problem.dims.back().length, outputs_of(scope)); }

}  // namespace

void check_padding(const Scope& scope, const Node& node, double padded) {
  if (node.kind == Node::Kind::kRader || node.kind == Node::Kind::kBluestein) {
    const double m = static_cast<double>(node.children.empty() ? 1 : node_length(node.children[0]));
    const bool zooms = scope.problem.kind == Kind::kCzt && &node == &scope.recipe.root;
    padded *= m / std::max(kShort, static_cast<double>(zooms ? longer_side(scope) : node_length(node)));
    if (padded > kMostPadding)
      scope.refuse("Convolutions inside convolutions pad a line to more than " + std::to_string(static_cast<int>(kMostPadding)) +
                   " times its length");
  }
  for (const Node& child : node.children) check_padding(scope, child, std::max(1.0, padded));
}

// The passes of a convolution from `begin` on have this symmetry, those of transforms inside as well.
static void set_symmetry(Scope& scope, std::size_t begin, PassUse::Symmetry symmetry) {
  for (std::size_t i = begin; i < scope.program.passes.size(); ++i) scope.program.passes[i].symmetry = symmetry;
}

// The spectrum of a filter, by a plan of `child`.
static int add_filter(Scope& scope, FilterSpectrum filter, const Node& child) {
  const std::int64_t m = filter.m;
  // Values in f64 or wider, and the plan in f64 that transforms them: its workspace, and tables of about as many bytes.
  const bool by_plan = filter_is_transformed_in_f64(m, scope.program.compute);
  scope.program.making_bytes =
      std::max(scope.program.making_bytes,
               static_cast<double>(m) * static_cast<double>(by_plan ? 3 * 2 * sizeof(double) : 4 * 2 * sizeof(DoubleDouble)));
  if (by_plan) filter.child = std::make_shared<const Node>(child);
  return scope.add_table(std::move(filter));
}

// A node's transform from `first` to `second`, the product with a filter there, and the transform back.
static void expand_there_and_back(Scope& scope, const Node& node, std::int64_t m, const LineEnd& first, const LineEnd& second,
                                  PassKind product, int filter) {
  if (!intermediate_formats(node).empty())
    scope.refuse("Between the passes of a convolution data stay wide: no '|' inside rader and bluestein");
  Place place;
  place.n = m;
  place.in = first;
  place.out = second;
  const std::size_t begin = scope.program.passes.size(), first_inside = scope.program.filters.size();
  const double grown = scope.grown;
  expand_node(scope, node, place);
  if (scope.program.compute == ComputeType::kF64 && filter_is_transformed_in_f64(m, scope.program.compute)) {
    scope.program.filters.push_back({begin, scope.program.passes.size(), first_inside});
  }
  Pass pass;
  pass.table = filter;
  scope.add_line_pass(product, scope.line_edge(second, m), scope.line_edge(second, m), m, std::move(pass));
  if (product == PassKind::kConvolve) set_symmetry(scope, begin, PassUse::Symmetry::kAll);
  scope.grown = grown;  // the filter is divided by its length
  place.in = second;
  place.out = first;
  place.in.swap = place.out.swap = true;
  expand_node(scope, node, place);
}

// Source: C. M. Rader, Proc. IEEE 56 (1968) 1107. x[g^q] convolved with w^(g^-q) is X[g^-p] - x[0]; x[0] is added to the constant term of
// the product of the spectra, which puts it into every output; X[0] is the constant term of the first spectrum plus x[0].
void expand_rader(Scope& scope, const Node& node, const Place& place) {
  const std::int64_t n = place.n;
  if (node.children.size() != 1) scope.refuse("rader has one child");
  const std::int64_t m = node_length(node.children[0]);
  if (n < 3 || n > kLongestConvolution || !is_prime(n)) scope.refuse("rader needs a prime length from 3 to 2^30");
  if (m != n - 1 && m < 2 * n - 3) {
    scope.refuse("rader(" + std::to_string(n) + ") needs a child of length " + std::to_string(n - 1) + ", or of " +
                 std::to_string(2 * n - 3) + " and more, not " + std::to_string(m));
  }
  if (pads_too_much(m, 2 * n - 3)) scope.refuse("The child of rader(" + std::to_string(n) + ") is longer than eight times what it must be");
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  const double outer_points = scope.scope_points;
  scope.scope_points = outer_points / static_cast<double>(n) * static_cast<double>(m);
  const bool in_place = has_scratch(node.children[0], scope.lanes);
  const Area a = scope.allocate(in_place ? 2 * (m + 1) : 2 * m);
  const Area b = in_place ? a : scope.allocate_beside(a, 2 * (m + 1));
  const LineEnd first{a.array, a.offset};
  const LineEnd second{b.array, b.offset};
  const LineEnd aside{b.array, b.offset + 2 * m};
  const int zero = scope.add_rows({.kind = RowOrder::Kind::kNatural, .count = 1});
  const int powers = scope.add_rows({.kind = RowOrder::Kind::kPowers, .count = n - 1, .n = n});
  Pass gather;
  gather.args.scale = place.scale;
  gather.rows = powers;
  gather.args.pad = m - (n - 1);
  scope.add_line_pass(PassKind::kGather, scope.line_edge(place.in, n), scope.line_edge(first, m), n - 1, std::move(gather));
  Pass keep;
  keep.args.scale = place.scale;
  keep.rows = zero;
  scope.add_line_pass(PassKind::kGather, scope.line_edge(place.in, n), scope.line_edge(aside, 1), 1, std::move(keep));

  scope.grown *= static_cast<double>(n) / static_cast<double>(m);  // the pad is 0
  const int filter = add_filter(scope, {FilterSpectrum::Kind::kRader, n, m}, node.children[0]);
  const std::size_t begin = scope.program.passes.size();
  expand_there_and_back(scope, node.children[0], m, first, second, PassKind::kConvolve, filter);
  if (m != n - 1) set_symmetry(scope, begin, PassUse::Symmetry::kNone);

  // Outputs in their order, each from where its inverse power lies; number 0 from what was kept aside. Stores at rows in the order of the
  // powers wait for the cache one after another: 1009 points in f32 took 1.3 times as long (Emerald Rapids).
  Pass collect;
  collect.rows = scope.add_rows({.kind = RowOrder::Kind::kLogarithms, .count = n, .n = n, .none = (aside.offset - first.offset) / 2});
  scope.add_line_pass(PassKind::kGather, scope.line_edge(first, m), scope.line_edge(place.out, n), n, std::move(collect));
  scope.scope_points = outer_points;
  scope.close_loops(opened);
}

// Inputs times a chirp, the convolution with a filter of node.m points, and the first `outputs` of its results times another chirp.
static void expand_chirped(Scope& scope, const Node& node, const Place& place, const TableOrder& in_chirp, const TableOrder& out_chirp,
                           std::int64_t outputs, FilterSpectrum spectrum) {
  const std::int64_t n = place.n, m = node.m;
  const std::size_t opened = scope.open_loops(place, place.loops.size());
  const double outer_points = scope.scope_points;
  scope.scope_points = outer_points / static_cast<double>(n) * static_cast<double>(m);
  const Area a = scope.allocate(2 * m);
  const Area b = has_scratch(node.children[0], scope.lanes) ? a : scope.allocate_beside(a, 2 * m);
  const LineEnd first{a.array, a.offset};
  const LineEnd second{b.array, b.offset};
  const std::size_t begin = scope.program.passes.size();
  const int chirp = scope.add_table(in_chirp);
  Pass spread;
  spread.args.scale = place.scale;
  spread.table = chirp;
  spread.args.pad = m - n;
  scope.add_line_pass(PassKind::kPointwise, scope.line_edge(place.in, n), scope.line_edge(first, m), n, std::move(spread));

  scope.grown *= static_cast<double>(n) / static_cast<double>(m);  // the pad is 0
  const int filter = add_filter(scope, std::move(spectrum), node.children[0]);
  expand_there_and_back(scope, node.children[0], m, first, second, PassKind::kPointwise, filter);

  Pass gather;
  gather.table = in_chirp == out_chirp ? chirp : scope.add_table(out_chirp);
  scope.add_line_pass(PassKind::kPointwise, scope.line_edge(first, outputs), scope.line_edge(place.out, outputs), outputs,
                      std::move(gather));
  set_symmetry(scope, begin, PassUse::Symmetry::kNone);
  scope.scope_points = outer_points;
  scope.close_loops(opened);
}

// Source: L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451: j k = (j^2 + k^2 - (k - j)^2) / 2.
void expand_bluestein(Scope& scope, const Node& node, const Place& place) {
  const std::int64_t n = place.n;
  if (node.children.size() != 1) scope.refuse("bluestein has one child");
  const std::int64_t m = node.m;
  if (node_length(node.children[0]) != m) scope.refuse("The child of bluestein must have the padded length " + std::to_string(m));
  if (n > kLongestConvolution || m < 2 * n - 1) {
    scope.refuse("bluestein(" + std::to_string(n) + "; " + std::to_string(m) +
                 ") needs a length up to 2^30 and a padded length of at least " + std::to_string(2 * n - 1));
  }
  if (pads_too_much(m, 2 * n - 1))
    scope.refuse("The padded length of bluestein(" + std::to_string(n) + "; " + std::to_string(m) +
                 ") is more than eight times what it must be");
  expand_chirped(scope, node, place, Chirp{n}, Chirp{n}, n, {FilterSpectrum::Kind::kBluestein, n, m});
}

void expand_zoom(Scope& scope, const Node& node) {
  const std::int64_t n = scope.problem.dims.back().length, points = outputs_of(scope), least = n + points - 1;
  if (node.kind != Node::Kind::kBluestein || node.children.size() != 1)
    scope.refuse("A chirp transform has the recipe bluestein(length; padded length; node)");
  const std::int64_t m = node.m;
  if (node_length(node.children[0]) != m) scope.refuse("The child of bluestein must have the padded length " + std::to_string(m));
  if (least > kLongestConvolution || m < least) {
    scope.refuse("A chirp transform from " + std::to_string(n) + " to " + std::to_string(points) +
                 " numbers needs a padded length of at least " + std::to_string(least) + ", and that may be up to 2^30");
  }
  if (pads_too_much(m, least))
    scope.refuse("The padded length " + std::to_string(m) + " is more than eight times what it must be, " + std::to_string(least));
  const Zoom zoom = scope.problem.zoom;
  const bool backward = scope.problem.direction == Direction::kBackward;
  expand_between(scope, settle_real_ends(scope, node), [&](const SeenArrays& arrays) {
    const Scope::Level before = scope.level();
    Place place;
    place.n = n;
    place.in = arrays.in.base;
    place.out = arrays.out.base;
    place.in.stride = arrays.in.dims.back();
    place.out.stride = arrays.out.dims.back();
    place.in.swap = place.out.swap = backward;
    place.scale = rounded_scale(scope);
    place.loops = arrays.batch;
    merge_loops(place.loops);
    expand_chirped(scope, node, place, ZoomChirp{zoom, n, false}, ZoomChirp{zoom, n, true}, points,
                   {FilterSpectrum::Kind::kZoom, n, m, zoom});
    scope.leave(before);
  });
}

}  // namespace ulpfft
