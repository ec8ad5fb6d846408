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

// 1, g, g^2, ... mod n, n - 1 of them.
void append_powers(std::int64_t g, std::int64_t n, Poll& poll, std::vector<std::uint32_t>& rows) {
  std::int64_t at = 1;
  for (std::int64_t q = 0; q < n - 1; ++q) {
    poll.count(1);
    rows.push_back(static_cast<std::uint32_t>(at));
    at = at * g % n;
  }
}

// Of a filter, which may owe its last bits to the recipe that transformed it.
std::string filter_key(const char* kind, std::int64_t n, std::int64_t m, ComputeType compute, const Node& child) {
  std::string key = std::string(kind) + " " + std::to_string(n) + " " + std::to_string(m);
  if (filter_is_transformed_in_f64(m, compute)) key += " " + print_recipe({"f64", child});
  return key;
}

}  // namespace

void PlanBuilder::check_padding(const Node& node, double padded) const {
  if (node.kind == Node::Kind::kRader || node.kind == Node::Kind::kBluestein) {
    const double m = static_cast<double>(node.children.empty() ? 1 : node_length(node.children[0]));
    padded *= m / std::max(kShort, static_cast<double>(node_length(node)));
    if (padded > kMostPadding) refuse("Convolutions inside convolutions pad a line to more than " + std::to_string(static_cast<int>(kMostPadding)) + " times its length");
  }
  for (const Node& child : node.children) check_padding(child, std::max(1.0, padded));
}

const void* PlanBuilder::add_filter(const char* kind, std::int64_t n, std::int64_t m, const Node& child, const std::function<AlignedBuffer()>& make) {
  // Values in f64 or wider, and the plan in f64 that transforms them: its workspace, and tables of about as many bytes.
  const bool by_plan = filter_is_transformed_in_f64(m, plan_.compute);
  plan_.making_bytes = std::max(plan_.making_bytes, static_cast<double>(m) * static_cast<double>(by_plan ? 3 * 2 * sizeof(double) : 4 * 2 * sizeof(DoubleDouble)));
  return add_line_table(fill_tables_ ? filter_key(kind, n, m, plan_.compute, child) : kind + std::to_string(n) + " " + std::to_string(m), 2 * m, make);
}

void PlanBuilder::emit_there_and_back(const Node& node, std::int64_t m, const LineEnd& first, const LineEnd& second, PassKind product,
                                      const void* filter) {
  if (!intermediate_formats(node).empty()) refuse("Between the passes of a convolution data stay wide: no '|' inside rader and bluestein");
  Place place;
  place.n = m;
  place.in = first;
  place.out = second;
  const std::size_t passes = plan_.passes.size();
  const PassErrors before = filter_error_;
  emit_node(node, place);
  if (plan_.compute == ComputeType::kF64 && filter_is_transformed_in_f64(m, plan_.compute)) {
    add_filter_error(passes, plan_.passes.size(), {filter_error_.square - before.square, filter_error_.bias - before.bias});
  }
  PassArgs args;
  args.table = filter;
  add_line_pass(product, line_edge(second, m), line_edge(second, m), m, args);
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
  const LineEnd first{a.slot, a.offset};
  const LineEnd second{b.slot, b.offset};
  const LineEnd aside{b.slot, b.offset + 2 * m};
  const std::vector<std::uint32_t>& zero = add_rows(1, [](std::vector<std::uint32_t>& list) { list = {0}; });
  const std::vector<std::uint32_t>& rows = add_rows(n - 1, [&](std::vector<std::uint32_t>& list) { append_powers(primitive_root(n), n, cache_.roots.poll, list); });
  PassArgs gather;
  gather.scale = place.scale;
  gather.rows = rows.data();
  gather.pad = m - (n - 1);
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(first, m), n - 1, gather);
  PassArgs keep;
  keep.scale = place.scale;
  keep.rows = zero.data();
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(aside, 1), 1, keep);

  const void* const filter = add_filter("rader", n, m, node.children[0], [&] {
    return make_rader_filter(n, m, plan_.compute, cache_.roots, [&](double* values, std::int64_t length) { transform_(node.children[0], values, length); });
  });
  emit_there_and_back(node.children[0], m, first, second, PassKind::kConvolve, filter);

  // Outputs in the order of the inverse powers: the powers read backwards.
  PassArgs scatter;
  scatter.rows = add_rows(n - 1, [&](std::vector<std::uint32_t>& list) {
                   list.push_back(1);
                   for (std::size_t i = rows.size(); --i > 0;) {
                     cache_.roots.poll.count(1);
                     list.push_back(rows[i]);
                   }
                 }).data();
  add_line_pass(PassKind::kScatter, line_edge(first, m), line_edge(place.out, n), n - 1, scatter);
  PassArgs constant;
  constant.rows = zero.data();
  add_line_pass(PassKind::kGather, line_edge(aside, 1), line_edge(place.out, n), 1, constant);
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
  const LineEnd first{a.slot, a.offset};
  const LineEnd second{b.slot, b.offset};
  const void* const chirp = add_line_table("chirp " + std::to_string(n), 2 * n, [&] { return make_chirp(n, plan_.compute, cache_.roots); });
  PassArgs spread;
  spread.scale = place.scale;
  spread.table = chirp;
  spread.pad = m - n;
  add_line_pass(PassKind::kPointwise, line_edge(place.in, n), line_edge(first, m), n, spread);

  const void* const filter = add_filter("bluestein", n, m, node.children[0], [&] {
    return make_chirp_filter(n, m, plan_.compute, cache_.roots, [&](double* values, std::int64_t length) { transform_(node.children[0], values, length); });
  });
  emit_there_and_back(node.children[0], m, first, second, PassKind::kPointwise, filter);

  PassArgs gather;
  gather.table = chirp;
  add_line_pass(PassKind::kPointwise, line_edge(first, n), line_edge(place.out, n), n, gather);
  scope_points_ = scope;
  close_loops(opened);
}

}  // namespace ulpfft
