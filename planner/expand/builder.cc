// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What goes around the nodes of a recipe: dimensions, batches, conversions of wide storage.
#include <algorithm>
#include <cmath>

#include "codelets/contract/through_f32.h"
#include "planner/expand/plan_builder.h"
#include "planner/facts/prescale_target.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/table_cache.h"
#include "wisdom/error.h"

namespace ulpfft {

PlanBuilder::PlanBuilder(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache,
                         int threads)
    : problem_(problem), recipe_(recipe), codelets_(codelets), cache_(cache), threads_(threads) {
  program_.scheme = recipe.scheme;
  program_.compute = compute_type_of_scheme(recipe.scheme);
  working_ = scheme_of_compute(program_.compute);
  rounded_ = rounded_scheme(recipe.scheme);
  mx_ = mx_scheme(recipe.scheme);
  lanes_ = program_.compute == ComputeType::kF32 ? codelets.lanes_f32 : program_.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  stores_narrow_ = through_workspace(problem, true);
  lanes_per_block_ = std::min(lanes_, static_cast<int>(16 / real_bytes(program_.compute)));
}

void PlanBuilder::refuse(const std::string& message) const {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe", message + " (recipe " + print_recipe(recipe_) + ")");
}

std::vector<const Node*> PlanBuilder::nodes_of(const Node& root) const {
  const std::size_t rank = problem_.dims.size();
  std::vector<const Node*> nodes;
  if (root.kind == Node::Kind::kRank) {
    for (const Node& child : root.children) nodes.push_back(&child);
  } else {
    nodes.push_back(&root);
  }
  if (nodes.size() != rank) {
    refuse("The problem has " + std::to_string(rank) + " lengths, the recipe transforms " + std::to_string(nodes.size()));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t length = node_length(*nodes[d]);
    if (length != problem_.dims[d].length) {
      refuse("lengths[" + std::to_string(d) + "] is " + std::to_string(problem_.dims[d].length) + ", the recipe gives " +
             std::to_string(length));
    }
  }
  return nodes;
}

Program PlanBuilder::build() {
  const bool is_chain = recipe_.root.kind == Node::Kind::kChain;
  if (is_chain != !problem_.chain.empty()) refuse(is_chain ? "The problem is no chain, the recipe is one" : "The problem is a chain, the recipe is none");
  if (is_chain && recipe_.root.op != problem_.chain) refuse("The operation of the problem is " + problem_.chain + ", that of the recipe " + recipe_.root.op);
  if (is_chain && (rounded_ || mx_)) refuse("Rounded and mx schemes have no chains; f32 and f64 have");
  const std::vector<const Node*> nodes = nodes_of(is_chain ? recipe_.root.children[0] : recipe_.root);
  if (is_chain) back_ = nodes_of(recipe_.root.children[1]);
  check_flags(recipe_.root, true);
  check_padding(recipe_.root, 1);
  intermediates_ = intermediates_of(problem_, recipe_.root);
  if (problem_.prescale_kind != PrescaleKind::kNone) program_.prescale_target = prescale_target(problem_, rounded_, intermediates_);
  if ((rounded_ || mx_) && !intermediates_.empty()) refuse("Rounded and mx schemes keep their own numbers between passes, no other storage");
  scope_points_ = static_cast<double>(transform_points(problem_)) * static_cast<double>(batch_count(problem_));
  program_.body.reserve(8);
  emit_dimensions(nodes);
  // The output array can be the work array only where it is the only one.
  program_.work_may_be_out = program_.work_may_be_out && !is_chain && nodes.size() == 1 && nodes[0]->kind == Node::Kind::kDit &&
                          problem_.storage_in == working_ && problem_.storage_out == working_ &&
                          problem_.placement == Placement::kOutOfPlace && problem_.layout == ArrayLayout::kInterleaved;
  return std::move(program_);
}

namespace {

ArrayLines user_lines(const Problem& problem, bool output) {
  const std::int64_t unit = problem.layout == ArrayLayout::kInterleaved ? 2 : 1;
  ArrayLines view;
  view.base.array = output ? ArrayId::kOut : ArrayId::kIn;
  for (const Dimension& d : problem.dims) view.dims.push_back(unit * (output ? d.out_stride : d.in_stride));
  for (const Dimension& d : problem.batch) view.batch.push_back(unit * (output ? d.out_stride : d.in_stride));
  return view;
}

}  // namespace

void merge_loops(std::vector<LoopAround>& loops) {
  for (std::size_t l = 0; l + 1 < loops.size();) {
    LoopAround& outer = loops[l];
    const LoopAround& inner = loops[l + 1];
    if (outer.in_stride == inner.count * inner.in_stride && outer.out_stride == inner.count * inner.out_stride) {
      outer = {outer.count * inner.count, inner.in_stride, inner.out_stride};
      loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(l) + 1);
    } else {
      ++l;
    }
  }
}

double PlanBuilder::rounded_scale() const {
  const double scale = scale_factor(problem_);
  const double rounded = working_ == "f32" ? through_f32(scale) : scale;
  return intermediates_.empty() ? rounded : std::ldexp(rounded, intermediates_.front().power - scale_power(problem_));
}

void PlanBuilder::emit_conversion(PassKind kind, Place lines, std::int64_t in_stride, std::int64_t out_stride, double scale) {
  const std::int64_t n = problem_.dims.back().length;
  merge_loops(lines.loops);
  const std::size_t inner = std::min<std::size_t>(2, lines.loops.size());
  const std::size_t opened = open_loops(lines, lines.loops.size() - inner);
  Pass pass;
  Operands& args = pass.args;
  for (std::size_t i = 0; i < inner; ++i) {
    const LoopAround& loop = lines.loops[lines.loops.size() - inner + i];
    args.axes[i] = {loop.count, loop.in_stride, loop.out_stride, 0};
  }
  lines.in.stride = in_stride;
  lines.out.stride = out_stride;
  args.scale = scale;
  add_line_pass(kind, line_edge(lines.in, n), line_edge(lines.out, n), n, std::move(pass));
  close_loops(opened);
}

void PlanBuilder::emit_dimension(const Node& node, std::size_t d, const ArrayLines& source, const ArrayLines& target, double scale, bool first, bool last,
                                 std::vector<LoopAround> loops) {
  const std::vector<Dimension>& dims = problem_.dims;
  Place place;
  place.n = dims[d].length;
  place.in = source.base;
  place.out = target.base;
  place.in.stride = source.dims[d];
  place.out.stride = target.dims[d];
  place.in.swap = source.base.swap && first;
  place.out.swap = target.base.swap && last;
  place.in.shift = place.out.shift = problem_.centered ? place.n / 2 : 0;
  if (place.out.keeps) place.out.shift = 0;
  place.scale = first ? scale : 1.0;
  place.loops = std::move(loops);
  for (std::size_t other = 0; other < dims.size(); ++other) {
    if (other != d && dims[other].length > 1) place.loops.push_back({dims[other].length, source.dims[other], target.dims[other]});
  }
  merge_loops(place.loops);
  if (first) base_length_ = 1;
  rounds_input_ = first;
  emit_node(node, place);
  base_length_ *= place.n;
}

void PlanBuilder::emit_dimensions(const std::vector<const Node*>& nodes) {
  const std::size_t rank = nodes.size();
  const std::vector<Dimension>& dims = problem_.dims;
  // From the last length to the first; lengths 1 need no pass, except that something must carry the data from in to out.
  std::vector<std::size_t> order;
  for (std::size_t d = rank; d-- > 0;) {
    if (dims[d].length > 1) order.push_back(d);
  }
  if (order.empty()) order.push_back(rank - 1);
  const bool converted = through_workspace(problem_, false) || through_workspace(problem_, true);
  const bool prescaled = program_.prescale_target != 0;
  const bool between = recipe_.root.kind == Node::Kind::kRank && !recipe_.root.format.empty();
  // In L3 all dimensions of a wide copy, each in place, are faster: 1024x1024 f16 1.24 ms against 1.81. Beyond, 4096x4096: 50 against 33.
  if ((between || (converted && nodes[0]->stream && back_.empty())) && rank == 2 && !mx_ && !prescaled && emit_planes(nodes)) return;
  if (between) refuse("A narrow array lies between two dimensions, the first of them cols of n or dit, of a problem without prescale");
  if (converted || !back_.empty()) return emit_stored(nodes, order);

  const bool backward = problem_.direction == Direction::kBackward;
  const bool decodes = problem_.storage_in != working_;
  const bool encodes = problem_.storage_out != working_;
  const double scale = rounded_scale();
  ArrayLines user_in = user_lines(problem_, false);
  ArrayLines user_out = user_lines(problem_, true);
  user_in.base.swap = user_out.base.swap = backward;

  // Storage that is not the arithmetic's is converted transform by transform, to or from a dense array of the workspace.
  std::size_t batch_loops = 0;
  ArrayLines work;
  std::vector<LoopAround> batch;
  for (std::size_t b = 0; b < problem_.batch.size(); ++b) {
    if (problem_.batch[b].length > 1) batch.push_back({problem_.batch[b].length, user_in.batch[b], user_out.batch[b]});
  }
  if (decodes || encodes) {
    Place around;
    around.loops = batch;
    merge_loops(around.loops);
    batch_loops = open_loops(around, around.loops.size());
    batch.clear();
    work.dims.resize(rank);
    std::int64_t stride = 2;
    for (std::size_t d = rank; d-- > 0;) {
      work.dims[d] = stride;
      stride *= dims[d].length;
    }
    const Area area = allocate(stride);
    work.base.array = area.array;
    work.base.offset = area.offset;
  }
  const auto convert = [&](PassKind kind, const ArrayLines& from, const ArrayLines& to) {
    Place lines;
    lines.in = from.base;
    lines.out = to.base;
    for (std::size_t d = 0; d + 1 < rank; ++d) {
      if (dims[d].length > 1) lines.loops.push_back({dims[d].length, from.dims[d], to.dims[d]});
    }
    emit_conversion(kind, lines, from.dims.back(), to.dims.back(), kind == PassKind::kDecode ? scale : 1.0);
  };
  if (decodes) convert(PassKind::kDecode, user_in, work);

  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool first = i == 0;
    const ArrayLines& target = encodes ? work : user_out;
    const ArrayLines& source = !first ? target : decodes ? work : user_in;
    const std::size_t d = order[i];
    std::vector<LoopAround> loops = batch;
    for (LoopAround& loop : loops) {
      if (!first) loop.in_stride = loop.out_stride;
    }
    emit_dimension(*nodes[d], d, source, target, decodes ? 1.0 : scale, first, i + 1 == order.size(), std::move(loops));
  }
  if (encodes) convert(PassKind::kEncode, work, user_out);
  close_loops(batch_loops);
}

void PlanBuilder::emit_node(const Node& node, const Place& place) {
  const Level before = level();
  if (rounded_ && node.kind != Node::Kind::kN && node.kind != Node::Kind::kDit) refuse("Rounded schemes are computed by n and dit nodes, and rank nodes of them");
  if (mx_ && place.n > 1) {
    if (node.kind != Node::Kind::kN && node.kind != Node::Kind::kDit) refuse("mx schemes are computed by n and dit nodes and rank nodes of them: lengths of the primes up to 13, and once 17");
    if (node.stream) refuse("Passes of mx schemes do not stream");
    emit_mx(node.kind == Node::Kind::kDit ? node.passes : std::vector<PassSpec>{{place.n, TwiddleForm::kStandard, "", false}}, place);
    leave(before);
    return;
  }
  switch (node.kind) {
    case Node::Kind::kN:
      if (!emit_packed(node, place)) emit_n(node, place);
      break;
    case Node::Kind::kDit:
      check_dit(node);
      if (!place.in.format.empty() || !place.out.format.empty()) {
        if (!emit_packed_fused(node, place)) emit_dit(node, place);
      } else if (!emit_packed(node, place) && !emit_whole_two(node, place) && !emit_packed_apart(node, place)) {
        emit_dit(node, place);
      }
      break;
    case Node::Kind::kCols: emit_cols(node, place); break;
    case Node::Kind::kFour: emit_four(node, place); break;
    case Node::Kind::kRader: emit_rader(node, place); break;
    case Node::Kind::kBluestein: emit_bluestein(node, place); break;
    default:
      throw PlanError(ULPFFT_UNSUPPORTED, "recipe",
                      "This version builds n, dit, cols, four, rader, bluestein and rank nodes only (recipe " + print_recipe(recipe_) + ").");
  }
  leave(before);
}

}  // namespace ulpfft
