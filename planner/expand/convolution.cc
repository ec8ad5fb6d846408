// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rader and bluestein nodes: a line as a cyclic convolution, by a transform of another length, there and back.
//
// The transform back is the transform there with re and im exchanged at both its ends (design, invariant 2).
#include <algorithm>

#include "planner/expand/plan_builder.h"
#include "planner/table/line_table.h"

namespace ulpfft {
namespace {

// A recipe may pad more than it must, not without end: wisdom must not cost all memory.
bool pads_too_much(std::int64_t m, std::int64_t least) { return m > 8 * least + 64; }

// A recipe of 256 bytes nests eight convolutions: 16 times at each level would be 2^32 times. What plans choose pads 3 times, and twice in a
// prime factor of a prime less one.
constexpr double kMostPadding = 64;
constexpr double kShort = 64;  // points: below, padding costs nothing

// Children with work arrays as long as the line work in place, so that a convolution needs no third line: four, and dit where its work array
// cannot be its output (see fits_out in PlanBuilder::emit_dit).
bool has_scratch(const Node& child, std::int64_t lanes) {
  if (child.kind != Node::Kind::kDit) return child.kind == Node::Kind::kFour;
  const std::int64_t radix = child.passes[0].radix;
  return child.stream || radix % lanes != 0 || node_length(child) / radix < lanes;
}

constexpr std::int64_t kLongestConvolution = std::int64_t{1} << 30;  // row lists and chirps are indexed in 32 and squared in 64 bits

}  // namespace

void PlanBuilder::check_padding(const Node& node, double padded) const {
  if (node.kind == Node::Kind::kRader || node.kind == Node::Kind::kBluestein) {
    const double m = static_cast<double>(node.children.empty() ? 1 : node_length(node.children[0]));
    padded *= m / std::max(kShort, static_cast<double>(node_length(node)));
    if (padded > kMostPadding) refuse("Convolutions inside convolutions pad a line to more than " + std::to_string(static_cast<int>(kMostPadding)) + " times its length");
  }
  for (const Node& child : node.children) check_padding(child, std::max(1.0, padded));
}

int PlanBuilder::add_filter(FilterSpectrum::Kind kind, std::int64_t n, std::int64_t m, const Node& child) {
  // Values in f64 or wider, and the plan in f64 that transforms them: its workspace, and tables of about as many bytes.
  const bool by_plan = filter_is_transformed_in_f64(m, program_.compute);
  program_.making_bytes = std::max(program_.making_bytes, static_cast<double>(m) * static_cast<double>(by_plan ? 3 * 2 * sizeof(double) : 4 * 2 * sizeof(DoubleDouble)));
  return add_table(FilterSpectrum{kind, n, m, by_plan ? std::make_shared<const Node>(child) : nullptr});
}

void PlanBuilder::emit_there_and_back(const Node& node, std::int64_t m, const LineEnd& first, const LineEnd& second, PassKind product,
                                      int filter) {
  if (!intermediate_formats(node).empty()) refuse("Between the passes of a convolution data stay wide: no '|' inside rader and bluestein");
  Place place;
  place.n = m;
  place.in = first;
  place.out = second;
  const std::size_t begin = program_.passes.size(), first_inside = program_.filters.size();
  emit_node(node, place);
  if (program_.compute == ComputeType::kF64 && filter_is_transformed_in_f64(m, program_.compute)) {
    program_.filters.push_back({begin, program_.passes.size(), first_inside});
  }
  Pass pass;
  pass.table = filter;
  add_line_pass(product, line_edge(second, m), line_edge(second, m), m, std::move(pass));
  place.in = second;
  place.out = first;
  place.in.swap = place.out.swap = true;
  emit_node(node, place);
}

// Source: C. M. Rader, Proc. IEEE 56 (1968) 1107. x[g^q] convolved with w^(g^-q) is X[g^-p] - x[0]; x[0] is added to the constant term of
// the product of the spectra, which puts it into every output; X[0] is the constant term of the first spectrum plus x[0].
void PlanBuilder::emit_rader(const Node& node, const Place& place) {
  const std::int64_t n = place.n;
  if (node.children.size() != 1) refuse("rader has one child");
  const std::int64_t m = node_length(node.children[0]);
  if (n < 3 || n > kLongestConvolution || !is_prime(n)) refuse("rader needs a prime length from 3 to 2^30");
  if (m != n - 1 && m < 2 * n - 3) {
    refuse("rader(" + std::to_string(n) + ") needs a child of length " + std::to_string(n - 1) + ", or of " + std::to_string(2 * n - 3) +
           " and more, not " + std::to_string(m));
  }
  if (pads_too_much(m, 2 * n - 3)) refuse("The child of rader(" + std::to_string(n) + ") is longer than eight times what it must be");
  const std::size_t opened = open_loops(place, place.loops.size());
  const double scope = scope_points_;
  scope_points_ = scope / static_cast<double>(n) * static_cast<double>(m);
  const bool in_place = has_scratch(node.children[0], lanes_);
  const Area a = allocate(in_place ? 2 * (m + 1) : 2 * m);
  const Area b = in_place ? a : allocate_beside(a, 2 * (m + 1));
  const LineEnd first{a.array, a.offset};
  const LineEnd second{b.array, b.offset};
  const LineEnd aside{b.array, b.offset + 2 * m};
  const int zero = add_rows({.kind = RowOrder::Kind::kNatural, .count = 1});
  const int powers = add_rows({.kind = RowOrder::Kind::kPowers, .count = n - 1, .n = n});
  Pass gather;
  gather.args.scale = place.scale;
  gather.rows = powers;
  gather.args.pad = m - (n - 1);
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(first, m), n - 1, std::move(gather));
  Pass keep;
  keep.args.scale = place.scale;
  keep.rows = zero;
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(aside, 1), 1, std::move(keep));

  const int filter = add_filter(FilterSpectrum::Kind::kRader, n, m, node.children[0]);
  emit_there_and_back(node.children[0], m, first, second, PassKind::kConvolve, filter);

  // Outputs in the order of the inverse powers: the powers read backwards.
  Pass scatter;
  scatter.rows = add_rows({.kind = RowOrder::Kind::kInversePowers, .count = n - 1, .n = n});
  add_line_pass(PassKind::kScatter, line_edge(first, m), line_edge(place.out, n), n - 1, std::move(scatter));
  Pass constant;
  constant.rows = zero;
  add_line_pass(PassKind::kGather, line_edge(aside, 1), line_edge(place.out, n), 1, std::move(constant));
  scope_points_ = scope;
  close_loops(opened);
}

// Source: L. I. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451: j k = (j^2 + k^2 - (k - j)^2) / 2.
void PlanBuilder::emit_bluestein(const Node& node, const Place& place) {
  const std::int64_t n = place.n;
  if (node.children.size() != 1) refuse("bluestein has one child");
  const std::int64_t m = node.m;
  if (node_length(node.children[0]) != m) refuse("The child of bluestein must have the padded length " + std::to_string(m));
  if (n > kLongestConvolution || m < 2 * n - 1) {
    refuse("bluestein(" + std::to_string(n) + "; " + std::to_string(m) + ") needs a length up to 2^30 and a padded length of at least " + std::to_string(2 * n - 1));
  }
  if (pads_too_much(m, 2 * n - 1)) refuse("The padded length of bluestein(" + std::to_string(n) + "; " + std::to_string(m) + ") is more than eight times what it must be");
  const std::size_t opened = open_loops(place, place.loops.size());
  const double scope = scope_points_;
  scope_points_ = scope / static_cast<double>(n) * static_cast<double>(m);
  const Area a = allocate(2 * m);
  const Area b = has_scratch(node.children[0], lanes_) ? a : allocate_beside(a, 2 * m);
  const LineEnd first{a.array, a.offset};
  const LineEnd second{b.array, b.offset};
  const int chirp = add_table(Chirp{n});
  Pass spread;
  spread.args.scale = place.scale;
  spread.table = chirp;
  spread.args.pad = m - n;
  add_line_pass(PassKind::kPointwise, line_edge(place.in, n), line_edge(first, m), n, std::move(spread));

  const int filter = add_filter(FilterSpectrum::Kind::kBluestein, n, m, node.children[0]);
  emit_there_and_back(node.children[0], m, first, second, PassKind::kPointwise, filter);

  Pass gather;
  gather.table = chirp;
  add_line_pass(PassKind::kPointwise, line_edge(first, n), line_edge(place.out, n), n, std::move(gather));
  scope_points_ = scope;
  close_loops(opened);
}

}  // namespace ulpfft
