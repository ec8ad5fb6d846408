// rader and bluestein nodes: a line as a cyclic convolution, by a transform of another length, there and back.
//
// The transform back is the transform there with re and im exchanged at both its ends (design, invariant 2).
#include <algorithm>
#include <new>

#include "planner/line_table.h"
#include "planner/plan.h"
#include "planner/plan_builder.h"

namespace ulpfft {
namespace {

// A recipe may pad more than it must, not without end: wisdom must not cost all memory.
bool pads_too_much(std::int64_t m, std::int64_t least) { return m > 8 * least + 64; }

// Children with work arrays as long as the line work in place, so that a convolution needs no third line: four, and dit where it works in
// planes.
bool has_scratch(const Node& child, std::int64_t lanes) {
  return child.kind == Node::Kind::kFour || (child.kind == Node::Kind::kDit && child.passes[0].radix % lanes != 0);
}

constexpr std::int64_t kLongestConvolution = std::int64_t{1} << 30;  // row lists and chirps are indexed in 32 and squared in 64 bits

std::vector<std::uint32_t> powers(std::int64_t g, std::int64_t n) {
  std::vector<std::uint32_t> rows;
  rows.reserve(static_cast<std::size_t>(n - 1));
  std::int64_t at = 1;
  for (std::int64_t q = 0; q < n - 1; ++q) {
    rows.push_back(static_cast<std::uint32_t>(at));
    at = at * g % n;
  }
  return rows;
}

// Of a filter, which may owe its last bits to the recipe that transformed it.
std::string filter_key(const char* kind, std::int64_t n, std::int64_t m, ComputeType compute, const Node& child) {
  std::string key = std::string(kind) + " " + std::to_string(n) + " " + std::to_string(m);
  if (filter_is_transformed_in_f64(m, compute)) key += " " + print_recipe({"f64", child});
  return key;
}

}  // namespace

std::function<void(double*, std::int64_t)> PlanBuilder::transform_in_f64(const Node& node) {
  return [this, &node](double* values, std::int64_t m) {
    Problem problem;
    problem.dims = {{m, 1, 1}};
    problem.storage_in = problem.storage_out = "f64";
    problem.placement = Placement::kInPlace;
    const Recipe recipe{"f64", node};
    const auto plan = make_plan(problem, recipe, codelets_, build_plan(problem, recipe, codelets_, cache_));
    if (plan->run(*plan, values, values, values, values, nullptr) != ULPFFT_OK) throw std::bad_alloc();
  };
}

void PlanBuilder::emit_there_and_back(const Node& node, std::int64_t m, const LineEnd& first, const LineEnd& second, PassKind product,
                                      const void* filter) {
  if (!intermediate_formats(node).empty()) refuse("Between the passes of a convolution data stay wide: no '|' inside rader and bluestein");
  Place place;
  place.n = m;
  place.in = first;
  place.out = second;
  emit_node(node, place);
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
  const std::vector<std::uint32_t>* rows = nullptr;
  const std::vector<std::uint32_t>& zero = add_rows({0});
  const std::int64_t g = fill_tables_ ? primitive_root(n) : 1;
  PassArgs gather;
  gather.scale = place.scale;
  rows = &add_rows(fill_tables_ ? powers(g, n) : std::vector<std::uint32_t>());
  gather.rows = rows->data();
  gather.pad = m - (n - 1);
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(first, m), n - 1, gather);
  PassArgs keep;
  keep.scale = place.scale;
  keep.rows = zero.data();
  add_line_pass(PassKind::kGather, line_edge(place.in, n), line_edge(aside, 1), 1, keep);

  const void* const filter = add_line_table(filter_key("rader", n, m, plan_.compute, node.children[0]), [&] {
    return make_rader_filter(n, m, plan_.compute, cache_.roots, transform_in_f64(node.children[0]));
  });
  emit_there_and_back(node.children[0], m, first, second, PassKind::kConvolve, filter);

  // Outputs in the order of the inverse powers: the powers read backwards.
  PassArgs scatter;
  std::vector<std::uint32_t> inverse;
  if (fill_tables_) {
    inverse = *rows;
    std::reverse(inverse.begin() + 1, inverse.end());
  }
  scatter.rows = add_rows(std::move(inverse)).data();
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
  const void* const chirp = add_line_table("chirp " + std::to_string(n), [&] { return make_chirp(n, plan_.compute, cache_.roots); });
  PassArgs spread;
  spread.scale = place.scale;
  spread.table = chirp;
  spread.pad = m - n;
  add_line_pass(PassKind::kPointwise, line_edge(place.in, n), line_edge(first, m), n, spread);

  const void* const filter = add_line_table(filter_key("bluestein", n, m, plan_.compute, node.children[0]), [&] {
    return make_chirp_filter(n, m, plan_.compute, cache_.roots, transform_in_f64(node.children[0]));
  });
  emit_there_and_back(node.children[0], m, first, second, PassKind::kPointwise, filter);

  PassArgs gather;
  gather.table = chirp;
  add_line_pass(PassKind::kPointwise, line_edge(first, n), line_edge(place.out, n), n, gather);
  scope_points_ = scope;
  close_loops(opened);
}

}  // namespace ulpfft
