// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/lower/build_plan.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "codelets/contract/through_f32.h"
#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"
#include "planner/facts/prescale_target.h"
#include "planner/lower/idle_forms.h"
#include "planner/plan/format_digest.h"
#include "planner/plan/plan.h"
#include "planner/scheme/rounded_scheme.h"
#include "planner/system/round_to_nearest.h"
#include "wisdom/error.h"

namespace ulpfft {

namespace {

constexpr std::int64_t kWorkOfAPlan = Poll::kWork / 16;  // steps without tables take 10 us to 1 ms

const std::string kF32 = "f32";
const std::string kF64 = "f64";

// Narrow storage with values that f32 does not have.
bool needs_f64(const std::string& storage) {
  return !is_wide(storage) && std::string_view(find_storage_of(storage, "storage_in").element->compute) == "f64";
}

// Whether what is fetched by prefetchnta is still there a transform later. Measured on Zen 5, taken for true of AMD alone.
bool keeps_brief_lines() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_is("amd");
#else
  return false;
#endif
}

}  // namespace

const std::string& scheme_of(const Problem& problem) {
  if (!problem.scheme.empty()) return problem.scheme;
  // Of two wide storages the wider: rounding happens once, at the narrow end. Narrow ones are transformed in f32 where it has their values.
  if (needs_f64(problem.storage_in) || needs_f64(problem.storage_out)) return kF64;
  const bool wide_in = is_wide(problem.storage_in), wide_out = is_wide(problem.storage_out);
  if (!wide_in && !wide_out) return kF32;
  if (!wide_in || !wide_out) return wide_in ? problem.storage_in : problem.storage_out;
  return storage_real_bytes(problem.storage_in) >= storage_real_bytes(problem.storage_out) ? problem.storage_in : problem.storage_out;
}

ComputeType compute_type_of_scheme(const std::string& scheme) {
  if (scheme == "f32") return ComputeType::kF32;
  if (scheme == "f64") return ComputeType::kF64;
  if (const std::optional<RoundedScheme> rounded = rounded_scheme(scheme)) return rounded_compute(*rounded);
  if (mx_scheme(scheme)) return ComputeType::kF32;
  if (scheme == "dd") return ComputeType::kDoubleDouble;  // reference runs (assess): no storage format, so no problem of a caller has it
  throw PlanError(ULPFFT_UNKNOWN_NAME, "scheme", "There is no scheme '" + scheme + "'; this build has f32, f64, rounded:<element>, e.g. rounded:f16, and mx:<block>, e.g. mx:mxfp8_e4m3.");
}

std::string scheme_of_compute(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: case ComputeType::kRoundedF32: return "f32";
    case ComputeType::kF64: case ComputeType::kRoundedF64: return "f64";
    case ComputeType::kDoubleDouble: return "dd";
  }
  return "";
}

std::string working_storage(const std::string& scheme) { return scheme_of_compute(compute_type_of_scheme(scheme)); }

const CodeletInfo* find_codelet(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second) {
  for (const CodeletInfo& info : table.codelets) {
    if (info.kind != kind || info.compute != compute || info.body->radix != radix || info.body->form != form) continue;
    if ((info.second != nullptr ? info.second->radix : 0) != second) continue;
    return &info;
  }
  return nullptr;
}

const CodeletInfo* find_codelet(TableCache& cache, const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second) {
  constexpr std::int64_t kMostRadix = std::int64_t{1} << 20;  // a recipe may name any
  if (radix >= kMostRadix || second >= kMostRadix) return nullptr;
  const auto bits = [](auto value, int shift) { return static_cast<std::uint64_t>(value) << shift; };
  const TableCache::CodeletKey key{&table, bits(radix, 0) | bits(second, 20) | bits(kind, 40) | bits(compute, 48) | bits(form, 56)};
  const auto known = cache.codelets.find(key);
  if (known != cache.codelets.end()) return known->second;
  return cache.codelets.emplace(key, find_codelet(table, kind, compute, radix, form, second)).first->second;
}

const CodeletInfo* find_fused(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form, std::int64_t second,
                              std::string_view in, std::string_view out) {
  for (const CodeletInfo& info : table.fused) {
    if (info.kind != kind || info.compute != compute || info.body->radix != radix || info.body->form != form) continue;
    if ((info.second != nullptr ? info.second->radix : 0) == second && in == info.in && out == info.out) return &info;
  }
  return nullptr;
}

CompiledPlan build_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache,
                        bool fill_tables, int threads) {
  const RoundToNearest nearest;  // tables, whatever mode the caller's thread is in
  cache.roots.poll.count(kWorkOfAPlan);
  const Recipe computed = without_idle_forms(recipe, codelets);
  CompiledPlan plan = PlanBuilder(problem, computed, codelets, cache, fill_tables, threads).build();
  if (!(computed == recipe)) plan.idle_forms = idle_forms(recipe, codelets);
  if ((plan.decodes || plan.encodes) && !cache.for_digests) {
    Recipe converting = computed;
    converting.root.decode = converting.root.encode = false;
    plan.with_exponents = std::make_shared<const CompiledPlan>(PlanBuilder(problem, converting, codelets, cache, fill_tables, threads).build());
    plan.workspace_bytes = std::max(plan.workspace_bytes, plan.with_exponents->workspace_bytes);
    plan.making_bytes = std::max(plan.making_bytes, plan.with_exponents->making_bytes);
    plan.table_bytes += plan.with_exponents->table_bytes;  // some are the same
  }
  return plan;
}

std::uint64_t recipe_digest(const Problem& problem, const Recipe& recipe, const CompiledPlan& plan) {
  std::set<std::uint64_t> digests;
  if (const std::uint64_t formats = formats_digest(problem, recipe); formats != 0) digests.insert(formats);
  for (const PassUse& use : plan.passes) {
    digests.insert(use.codelet->body->digest);
    if (use.codelet->second != nullptr) digests.insert(use.codelet->second->digest);
  }
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint64_t digest : digests) {
    for (int i = 0; i < 8; ++i) hash = (hash ^ ((digest >> (8 * i)) & 0xff)) * 0x100000001b3u;
  }
  return hash;
}

PlanBuilder::PlanBuilder(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache,
                         bool fill_tables, int threads)
    : problem_(problem), recipe_(recipe), codelets_(codelets), cache_(cache), fill_tables_(fill_tables), threads_(threads) {
  plan_.compute = compute_type_of_scheme(recipe.scheme);
  working_ = scheme_of_compute(plan_.compute);
  rounded_ = rounded_scheme(recipe.scheme);
  mx_ = mx_scheme(recipe.scheme);
  lanes_ = plan_.compute == ComputeType::kF32 ? codelets.lanes_f32 : plan_.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  stores_narrow_ = through_workspace(problem, true);
  lanes_per_block_ = std::min(lanes_, static_cast<int>(16 / real_bytes(plan_.compute)));
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

CompiledPlan PlanBuilder::build() {
  const bool is_chain = recipe_.root.kind == Node::Kind::kChain;
  if (is_chain != !problem_.chain.empty()) refuse(is_chain ? "The problem is no chain, the recipe is one" : "The problem is a chain, the recipe is none");
  if (is_chain && recipe_.root.op != problem_.chain) refuse("The operation of the problem is " + problem_.chain + ", that of the recipe " + recipe_.root.op);
  if (is_chain && (rounded_ || mx_)) refuse("Rounded and mx schemes have no chains; f32 and f64 have");
  const std::vector<const Node*> nodes = nodes_of(is_chain ? recipe_.root.children[0] : recipe_.root);
  if (is_chain) back_ = nodes_of(recipe_.root.children[1]);
  check_flags(recipe_.root, true);
  check_padding(recipe_.root, 1);
  intermediates_ = intermediates_of(problem_, recipe_.root);
  if (problem_.prescale_kind != PrescaleKind::kNone) plan_.prescale_target = prescale_target(problem_, rounded_, intermediates_);
  if ((rounded_ || mx_) && !intermediates_.empty()) refuse("Rounded and mx schemes keep their own numbers between passes, no other storage");
  scope_points_ = static_cast<double>(transform_points(problem_)) * static_cast<double>(batch_count(problem_));
  if (!fill_tables_) plan_.steps.reserve(32);  // imports and searches build thousands of plans, and steps are large
  emit_dimensions(nodes);
  plan_.workspace_bytes = static_cast<std::size_t>(peak_bytes_);
  // The output array can be the work array only where it is the only one.
  plan_.work_may_be_out = plan_.work_may_be_out && !is_chain && nodes.size() == 1 && nodes[0]->kind == Node::Kind::kDit &&
                          problem_.storage_in == working_ && problem_.storage_out == working_ &&
                          problem_.placement == Placement::kOutOfPlace && problem_.layout == ArrayLayout::kInterleaved;
  split_among_threads(0, plan_.steps.size());

  if (cache_.for_digests) return std::move(plan_);
  plan_.predicted_error = predicted_error();
  return std::move(plan_);
}

namespace {

View user_view(const Problem& problem, bool output) {
  const std::int64_t unit = problem.layout == ArrayLayout::kInterleaved ? 2 : 1;
  View view;
  view.base.slot = output ? Slot::kOut : Slot::kIn;
  for (const Dimension& d : problem.dims) view.dims.push_back(unit * (output ? d.out_stride : d.in_stride));
  for (const Dimension& d : problem.batch) view.batch.push_back(unit * (output ? d.out_stride : d.in_stride));
  return view;
}

}  // namespace

void merge_loops(std::vector<Loop>& loops) {
  for (std::size_t l = 0; l + 1 < loops.size();) {
    Loop& outer = loops[l];
    const Loop& inner = loops[l + 1];
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
  const double rounded = working_ == kF32 ? through_f32(scale) : scale;
  return intermediates_.empty() ? rounded : std::ldexp(rounded, intermediates_.front().power - scale_power(problem_));
}

void PlanBuilder::emit_conversion(PassKind kind, Place lines, std::int64_t in_stride, std::int64_t out_stride, double scale) {
  const std::int64_t n = problem_.dims.back().length;
  merge_loops(lines.loops);
  const std::size_t inner = std::min<std::size_t>(2, lines.loops.size());
  const std::size_t opened = open_loops(lines, lines.loops.size() - inner);
  PassArgs args;
  for (std::size_t i = 0; i < inner; ++i) {
    const Loop& loop = lines.loops[lines.loops.size() - inner + i];
    args.axes[i] = {loop.count, loop.in_stride, loop.out_stride, 0};
  }
  lines.in.stride = in_stride;
  lines.out.stride = out_stride;
  args.scale = scale;
  add_line_pass(kind, line_edge(lines.in, n), line_edge(lines.out, n), n, args);
  close_loops(opened);
}

void PlanBuilder::emit_dimension(const Node& node, std::size_t d, const View& source, const View& target, double scale, bool first, bool last,
                                 std::vector<Loop> loops) {
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
  const bool prescaled = plan_.prescale_target != 0;
  const bool between = recipe_.root.kind == Node::Kind::kRank && !recipe_.root.format.empty();
  // In L3 all dimensions of a wide copy, each in place, are faster: 1024x1024 f16 1.24 ms against 1.81. Beyond, 4096x4096: 50 against 33.
  if ((between || (converted && nodes[0]->stream && back_.empty())) && rank == 2 && !mx_ && !prescaled && emit_planes(nodes)) return;
  if (between) refuse("A narrow array lies between two dimensions, the first of them cols of n or dit, of a problem without prescale");
  if (converted || !back_.empty()) return emit_stored(nodes, order);

  const bool backward = problem_.direction == Direction::kBackward;
  const bool decodes = problem_.storage_in != working_;
  const bool encodes = problem_.storage_out != working_;
  const double scale = rounded_scale();
  View user_in = user_view(problem_, false);
  View user_out = user_view(problem_, true);
  user_in.base.swap = user_out.base.swap = backward;

  // Storage that is not the arithmetic's is converted transform by transform, to or from a dense array of the workspace.
  std::size_t batch_loops = 0;
  View work;
  std::vector<Loop> batch;
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
    work.base.slot = area.slot;
    work.base.offset = area.offset;
  }
  const auto convert = [&](PassKind kind, const View& from, const View& to) {
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
    const View& target = encodes ? work : user_out;
    const View& source = !first ? target : decodes ? work : user_in;
    const std::size_t d = order[i];
    std::vector<Loop> loops = batch;
    for (Loop& loop : loops) {
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

// ---- passes, edges, tables

const CodeletInfo& PlanBuilder::require(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  // Line passes of rounded schemes convert what their numbers are kept in.
  const ComputeType compute = rounded_ && !has_body(kind) ? compute_type_of_scheme(working_) : plan_.compute;
  const bool slow = rounded_ && has_body(kind) && !has_fast_codelets(*rounded_);
  const CodeletInfo* codelet = find_codelet(cache_, slow ? registered_targets().back().table : codelets_, kind, compute, radix, form);
  if (codelet == nullptr && rounded_) refuse_rounded(kind, radix, form);
  if (codelet == nullptr) {
    const bool twiddled = form != TwiddleForm::kNone;
    const std::string suffix(twiddle_suffix(form));
    refuse("There is no codelet of radix " + std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix) +
           (twiddled ? " with" : " without") + " twiddles for this place on target " + codelets_.target);
  }
  return *codelet;
}

void PlanBuilder::add_pass(const CodeletInfo& codelet, PassArgs args, std::int64_t extent, PassUse use) {
  Step step;
  step.run = codelet.run;
  step.args = args;
  step.count = extent;
  if (rounded_ && has_body(codelet.kind)) step.args.rounded = add_rounded(codelet);
  plan_.steps.push_back(step);
  plan_.streams = plan_.streams || args.out.non_temporal;
  use.codelet = &codelet;
  use.calls *= loop_calls_;
  use.butterflies *= loop_calls_;
  const double points = codelet.body->radix * (codelet.second != nullptr ? codelet.second->radix : 1);
  use.share = static_cast<double>(use.butterflies) * points / scope_points_;
  const auto count = [&](const BodyFacts& body, double times) {
    plan_.adds += body.ops.add * times;
    plan_.muls += body.ops.mul * times;
    plan_.fmas += body.ops.fma * times;
  };
  if (codelet.second == nullptr) {
    count(*codelet.body, static_cast<double>(use.butterflies) * (1 - use.standard_part));
    if (use.standard != nullptr) count(*use.standard, static_cast<double>(use.butterflies) * use.standard_part);
  } else {
    count(*codelet.body, static_cast<double>(use.butterflies) * codelet.second->radix);
    count(*codelet.second, static_cast<double>(use.butterflies) * codelet.body->radix);
  }
  plan_.passes.push_back(use);
}

void PlanBuilder::add_line_pass(PassKind kind, const Edge& in, const Edge& out, std::int64_t points, PassArgs args) {
  args.in = in;
  args.out = out;
  args.lanes = points;
  PassUse use;
  use.lanes = points;
  use.butterflies = args.axes[0].count * args.axes[1].count * points;
  use.direct = in.layout == Layout::kPaired && out.layout == Layout::kPaired && in.point_stride == 2 && out.point_stride == 2;
  use.working_set = 4.0 * static_cast<double>(points) * static_cast<double>(real_bytes(plan_.compute));
  add_pass(require_line(kind), args, args.axes[0].count, use);
  plan_.steps.back().parallel = args.axes[0].count > 1;
}

bool PlanBuilder::interleaved(const LineEnd& end) const {
  return end.slot >= Slot::kWork0 || problem_.layout == ArrayLayout::kInterleaved;
}

Ahead PlanBuilder::fetch_later(const Place& place, std::int64_t point_stride) const {
  const bool here = place.in.slot >= Slot::kWork0 && (back_.empty() || keeps_spectrum_);  // in the caches already
  if (here || place.in.stored != nullptr || place.in.blocks != nullptr || place.loops.empty() || place.in.stride != 2 || !interleaved(place.in) || place.in.shift != 0) return {};
  const std::int64_t real = static_cast<std::int64_t>(real_bytes(plan_.compute));
  const std::int64_t unit = place.in.format.empty() ? real : slot_bytes(place.in.slot);
  const std::int64_t step = place.loops.back().in_stride;
  const std::int64_t offset = place.in.offset + std::max<std::int64_t>(1, kFetchAhead / (2 * place.n * unit)) * step;
  // In reals of the compute type, whatever is there: points are whole vectors of codes, and so are their steps.
  const bool brief = problem_.dims.size() == 1 && 2 * place.n * unit <= kBriefBytes && keeps_brief_lines();
  return {true, brief, place.in.slot, offset * unit / real, point_stride * unit / real, step * unit / real, 2 * unit / real};
}

Edge PlanBuilder::edge_of(const LineEnd& end, std::int64_t point_stride, std::int64_t lane_stride) const {
  Edge edge;
  edge.slot = end.slot;
  edge.layout = interleaved(end) ? Layout::kPaired : Layout::kSplit;
  edge.offset = end.offset;
  edge.point_stride = point_stride;
  edge.lane_stride = lane_stride;
  edge.swap = end.swap;
  return edge;
}

Edge PlanBuilder::line_edge(const LineEnd& end, std::int64_t n) const {
  Edge edge = edge_of(end, end.stride, 0);
  if (end.shift != 0) {
    edge.offset += end.shift * end.stride;
    edge.wrap = -n * end.stride;
    edge.wrap_point = static_cast<std::int32_t>(n - end.shift);
  }
  return edge;
}

std::vector<PlanBuilder::Range> PlanBuilder::shifted_ranges(std::int64_t radix, std::int64_t rows, std::int64_t shift,
                                                            bool path_groups) const {
  // Point j of row c is element j * rows + c, moved up by `shift` modulo radix * rows.
  if (shift == 0) return {{0, rows, 0, INT32_MAX}};
  const std::int64_t q = shift / rows;
  const std::int64_t d = shift % rows;
  const auto wrap = [&](std::int64_t turns) { return static_cast<std::int32_t>(radix - turns); };
  std::vector<Range> ranges;
  ranges.push_back({0, rows - d, q * rows + d, wrap(q)});
  if (d == 0) return ranges;
  const std::int64_t split = rows - d;
  // Dual-select groups start at multiples of kPathGroup, so a range must not begin inside one and reach into the next.
  const std::int64_t aligned = std::min(rows, (split + kPathGroup - 1) / kPathGroup * kPathGroup);
  if (path_groups && aligned != split && aligned < rows) {
    ranges.push_back({split, aligned, (q + 1) * rows, wrap(q + 1)});
    ranges.push_back({aligned, rows, (q + 1) * rows + aligned - split, wrap(q + 1)});
  } else {
    ranges.push_back({split, rows, (q + 1) * rows, wrap(q + 1)});
  }
  return ranges;
}

const std::vector<std::uint32_t>& PlanBuilder::add_rows(std::int64_t count, const std::function<void(std::vector<std::uint32_t>&)>& make) {
  plan_.table_bytes += static_cast<double>(count) * sizeof(std::uint32_t);
  std::vector<std::uint32_t> rows;
  if (fill_tables_) {
    rows.reserve(static_cast<std::size_t>(count));
    make(rows);
  }
  plan_.rows.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(rows)));
  return *plan_.rows.back();
}

void PlanBuilder::count_table(const std::string& key, double bytes) {
  if (counted_tables_.insert(key).second) plan_.table_bytes += bytes;
}

// Not a local static: its guard, held by another thread while it forks, would stay held in the child.
static constinit const TwiddleTable kNoTwiddles;

const TwiddleTable& PlanBuilder::add_twiddles(const TwiddleRequest& request) {
  const TableCache::Key key{plan_.compute, request.body,  request.length,     request.begin,    request.end,
                            request.row,   request.lanes, request.lane_order,  request.broadcast, request.packed, request.element};
  if (counted_twiddles_.insert(key).second) plan_.table_bytes += twiddle_table_bytes(request, plan_.compute);
  if (!fill_tables_) return kNoTwiddles;
  auto known = cache_.twiddles.find(key);
  if (known == cache_.twiddles.end()) {
    known = cache_.twiddles.emplace(key, std::make_shared<const TwiddleTable>(make_twiddle_table(request, plan_.compute, cache_.roots))).first;
  }
  plan_.tables.push_back(known->second);
  return *known->second;
}

const void* PlanBuilder::add_line_table(const std::string& key, std::int64_t values, const std::function<AlignedBuffer()>& make) {
  count_table(key, static_cast<double>(values) * static_cast<double>(real_bytes(plan_.compute)));
  if (!fill_tables_) return nullptr;
  const std::string name = key + " " + scheme_of_compute(plan_.compute);
  auto known = cache_.lines.find(name);
  if (known == cache_.lines.end()) {
    auto table = std::make_shared<TwiddleTable>();
    table->values = make();
    known = cache_.lines.emplace(name, std::move(table)).first;
  }
  plan_.tables.push_back(known->second);
  return known->second->values.data();
}

std::vector<PlanBuilder::ColumnRange> PlanBuilder::column_ranges(std::int64_t rows, std::int64_t columns, std::int64_t shift) {
  // Element (row, column) is element row * columns + column of the line, moved up by `shift` modulo its length.
  const std::int64_t turns = shift / columns;
  const std::int64_t d = shift % columns;
  std::vector<ColumnRange> ranges{{0, columns - d, d, turns}};
  if (d > 0) ranges.push_back({columns - d, columns, 0, (turns + 1) % rows});
  return ranges;
}

}  // namespace ulpfft
