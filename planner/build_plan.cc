#include "planner/build_plan.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <set>

#include "planner/plan_builder.h"
#include "wisdom/error.h"

namespace ulpfft {

std::size_t real_bytes(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: return 4;
    case ComputeType::kF64: return 8;
    case ComputeType::kDoubleDouble: return 16;
  }
  return 8;
}

const std::string& scheme_of(const Problem& problem) { return problem.scheme.empty() ? problem.storage_in : problem.scheme; }

ComputeType compute_type_of_scheme(const std::string& scheme) {
  if (scheme == "f32") return ComputeType::kF32;
  if (scheme == "f64") return ComputeType::kF64;
  throw PlanError(ULPFFT_UNKNOWN_NAME, "scheme", "There is no scheme '" + scheme + "'; this build has f32 and f64.");
}

std::string scheme_of_compute(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: return "f32";
    case ComputeType::kF64: return "f64";
    case ComputeType::kDoubleDouble: return "dd";
  }
  return "";
}

const CodeletInfo* find_codelet(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second) {
  for (const CodeletInfo& info : table.codelets) {
    if (info.kind != kind || info.compute != compute || info.body->radix != radix || info.body->form != form) continue;
    if (kind == PassKind::kWholeTwo && info.second->radix != second) continue;
    return &info;
  }
  return nullptr;
}

namespace {

// Tables are rounded to nearest whatever mode the caller's thread is in, which gets its mode back.
class RoundToNearest {
 public:
  RoundToNearest() : mode_(std::fegetround()) { std::fesetround(FE_TONEAREST); }
  ~RoundToNearest() { std::fesetround(mode_); }
  RoundToNearest(const RoundToNearest&) = delete;
  RoundToNearest& operator=(const RoundToNearest&) = delete;

 private:
  int mode_;
};

}  // namespace

CompiledPlan build_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache,
                        bool fill_tables, int threads) {
  static_cast<void>(threads);
  const RoundToNearest nearest;
  return PlanBuilder(problem, recipe, codelets, cache, fill_tables).build();
}

std::uint64_t recipe_digest(const CompiledPlan& plan) {
  std::set<std::uint64_t> digests;
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
                         bool fill_tables)
    : problem_(problem), recipe_(recipe), codelets_(codelets), cache_(cache), fill_tables_(fill_tables) {
  plan_.compute = compute_type_of_scheme(recipe.scheme);
  lanes_ = plan_.compute == ComputeType::kF32 ? codelets.lanes_f32 : plan_.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  lanes_per_block_ = std::min(lanes_, static_cast<int>(16 / real_bytes(plan_.compute)));
}

void PlanBuilder::refuse(const std::string& message) const {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe", message + " (recipe " + print_recipe(recipe_) + ")");
}

CompiledPlan PlanBuilder::build() {
  if (recipe_.scheme != problem_.storage_in || recipe_.scheme != problem_.storage_out) {
    refuse("Scheme " + recipe_.scheme + " needs storage " + recipe_.scheme + " at both ends in this version");
  }
  const std::size_t rank = problem_.dims.size();
  std::vector<const Node*> nodes;
  if (recipe_.root.kind == Node::Kind::kRank) {
    for (const Node& child : recipe_.root.children) nodes.push_back(&child);
  } else {
    nodes.push_back(&recipe_.root);
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
  // From the last length to the first; lengths 1 need no pass, except that something must carry the data from in to out.
  std::vector<std::size_t> order;
  for (std::size_t d = rank; d-- > 0;) {
    if (problem_.dims[d].length > 1) order.push_back(d);
  }
  if (order.empty()) order.push_back(rank - 1);

  const std::int64_t unit = problem_.layout == ArrayLayout::kInterleaved ? 2 : 1;
  const bool backward = problem_.direction == Direction::kBackward;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool first = i == 0;
    const Dimension& dim = problem_.dims[order[i]];
    Place place;
    place.n = dim.length;
    place.in_stride = unit * (first ? dim.in_stride : dim.out_stride);
    place.out_stride = unit * dim.out_stride;
    place.in = first ? Slot::kIn : Slot::kOut;
    place.swap_in = backward && first;
    place.swap_out = backward && i + 1 == order.size();
    place.scale = first ? scale_factor(problem_) : 1.0;
    if (plan_.compute == ComputeType::kF32) place.scale = static_cast<double>(static_cast<float>(place.scale));
    place.shift = problem_.centered ? dim.length / 2 : 0;
    const auto add_loop = [&](const Dimension& d) {
      if (d.length > 1) place.loops.push_back({d.length, unit * (first ? d.in_stride : d.out_stride), unit * d.out_stride});
    };
    for (const Dimension& d : problem_.batch) add_loop(d);
    for (std::size_t other = 0; other < rank; ++other) {
      if (other != order[i]) add_loop(problem_.dims[other]);
    }
    // Neighbouring loops that step evenly are one loop.
    for (std::size_t l = 0; l + 1 < place.loops.size();) {
      Loop& outer = place.loops[l];
      const Loop& inner = place.loops[l + 1];
      if (outer.in_stride == inner.count * inner.in_stride && outer.out_stride == inner.count * inner.out_stride) {
        outer = {outer.count * inner.count, inner.in_stride, inner.out_stride};
        place.loops.erase(place.loops.begin() + static_cast<std::ptrdiff_t>(l) + 1);
      } else {
        ++l;
      }
    }
    emit_node(*nodes[order[i]], place);
  }
  // The output array can be the work array only when nothing else needs either while a transform is under way.
  plan_.work_may_be_out = plan_.work_may_be_out && order.size() == 1 && problem_.placement == Placement::kOutOfPlace &&
                          problem_.layout == ArrayLayout::kInterleaved;
  double error = 0;
  for (const PassUse& use : plan_.passes) {
    const double u = plan_.compute == ComputeType::kF32 ? 0x1p-24 : 0x1p-53;
    const double rms = use.codelet->body->rms_error_f32;
    const double second = use.codelet->second != nullptr ? use.codelet->second->rms_error_f32 : 0.0;
    // Panels and shifted ranges repeat a pass of the same line: weigh by the share of the points it computes.
    const double points = static_cast<double>(transform_points(problem_)) * static_cast<double>(batch_count(problem_));
    const double radix = use.codelet->body->radix * (use.codelet->second != nullptr ? use.codelet->second->radix : 1);
    const double share = static_cast<double>(use.butterflies) * radix / points;
    error += share * u * u * (rms * rms + second * second);
  }
  plan_.predicted_error = std::sqrt(error);
  return std::move(plan_);
}

void PlanBuilder::emit_node(const Node& node, const Place& place) {
  switch (node.kind) {
    case Node::Kind::kN: emit_n(node, place); return;
    case Node::Kind::kDit:
      check_dit(node, PassKind::kFirst, PassKind::kTwiddled);
      if (!emit_whole_two(node, place)) emit_dit(node, place);
      return;
    case Node::Kind::kCols: emit_cols(node, place); return;
    default: break;
  }
  throw PlanError(ULPFFT_UNSUPPORTED, "recipe", "This version builds n, dit, cols and rank nodes only (recipe " + print_recipe(recipe_) + ").");
}

std::size_t PlanBuilder::begin_repeat(std::int64_t count, std::initializer_list<std::pair<Slot, std::int64_t>> increments) {
  Step step;
  step.count = count;
  for (const auto& [slot, reals] : increments) {
    step.increment[static_cast<int>(slot)] += reals * static_cast<std::int64_t>(real_bytes(plan_.compute));
  }
  plan_.steps.push_back(step);
  saved_calls_.push_back(loop_calls_);
  loop_calls_ *= count;
  return plan_.steps.size() - 1;
}

void PlanBuilder::end_repeat(std::size_t index) {
  plan_.steps[index].body = static_cast<std::int32_t>(plan_.steps.size() - index - 1);
  loop_calls_ = saved_calls_.back();
  saved_calls_.pop_back();
}

std::size_t PlanBuilder::open_loops(const Place& place, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Loop& loop = place.loops[i];
    const std::size_t index = place.in == place.out ? begin_repeat(loop.count, {{place.out, loop.out_stride}})
                                                    : begin_repeat(loop.count, {{place.in, loop.in_stride}, {place.out, loop.out_stride}});
    plan_.steps[index].parallel = true;
    open_.push_back(index);
  }
  return count;
}

void PlanBuilder::close_loops(std::size_t opened) {
  for (; opened > 0; --opened) {
    end_repeat(open_.back());
    open_.pop_back();
  }
}

const CodeletInfo& PlanBuilder::require(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  const CodeletInfo* codelet = find_codelet(codelets_, kind, plan_.compute, radix, form);
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
  plan_.steps.push_back(step);
  use.codelet = &codelet;
  use.calls *= loop_calls_;
  use.butterflies *= loop_calls_;
  const auto count = [&](const BodyFacts& body, double times) {
    plan_.adds += body.ops.add * times;
    plan_.muls += body.ops.mul * times;
    plan_.fmas += body.ops.fma * times;
  };
  if (codelet.second == nullptr) {
    count(*codelet.body, static_cast<double>(use.butterflies));
  } else {
    count(*codelet.body, static_cast<double>(use.butterflies) * codelet.second->radix);
    count(*codelet.second, static_cast<double>(use.butterflies) * codelet.body->radix);
  }
  plan_.passes.push_back(use);
}

Edge PlanBuilder::user_edge(Slot slot, std::int64_t point_stride, std::int64_t lane_stride, bool swap) const {
  Edge edge;
  edge.slot = slot;
  edge.layout = problem_.layout == ArrayLayout::kInterleaved ? Layout::kPaired : Layout::kSplit;
  edge.im_offset = 1;
  edge.point_stride = point_stride;
  edge.lane_stride = lane_stride;
  edge.swap = swap;
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

const std::vector<std::uint32_t>& PlanBuilder::add_rows(std::vector<std::uint32_t> rows) {
  plan_.rows.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(rows)));
  return *plan_.rows.back();
}

const TwiddleTable& PlanBuilder::add_twiddles(const TwiddleRequest& request) {
  static const TwiddleTable empty;
  if (!fill_tables_) return empty;
  const TableCache::Key key{plan_.compute, request.body,  request.length,     request.begin,    request.end,
                            request.lanes, request.lane_order, request.broadcast};
  std::shared_ptr<const TwiddleTable>& slot = cache_.twiddles[key];
  if (slot == nullptr) slot = std::make_shared<const TwiddleTable>(make_twiddle_table(request, plan_.compute, cache_.roots));
  plan_.tables.push_back(slot);
  return *slot;
}

void PlanBuilder::use_workspace(std::int64_t reals) {
  plan_.workspace_bytes = std::max(plan_.workspace_bytes, static_cast<std::size_t>(reals) * real_bytes(plan_.compute));
}

void PlanBuilder::emit_n(const Node& node, const Place& place) {
  const CodeletInfo& codelet = require(PassKind::kWhole, node.n, TwiddleForm::kNone);
  // The three innermost loops run inside the pass.
  const std::size_t inner = std::min<std::size_t>(3, place.loops.size());
  const std::size_t opened = open_loops(place, place.loops.size() - inner);
  PassArgs args;
  args.in = user_edge(place.in, place.in_stride, 0, place.swap_in);
  args.out = user_edge(place.out, place.out_stride, 0, place.swap_out);
  args.scale = place.scale;
  if (place.shift != 0) {
    args.in.offset = place.shift * place.in_stride;
    args.out.offset = place.shift * place.out_stride;
    args.in.wrap_point = args.out.wrap_point = static_cast<std::int32_t>(place.n - place.shift);
    args.in.wrap = -place.n * place.in_stride;
    args.out.wrap = -place.n * place.out_stride;
  }
  std::int64_t butterflies = 1;
  for (std::size_t i = 0; i < inner; ++i) {
    const Loop& loop = place.loops[place.loops.size() - inner + i];
    butterflies *= loop.count;
    if (i + 1 == inner) {
      args.lanes = loop.count;
      args.in.lane_stride = loop.in_stride;
      args.out.lane_stride = loop.out_stride;
    } else {
      args.axes[i] = {loop.count, loop.in_stride, loop.out_stride, 0};
    }
  }
  plan_.bare = butterflies == 1 && place.shift == 0 && place.scale == 1.0 && (args.in.layout == Layout::kPaired || !place.swap_in) &&
               problem_.dims.size() == 1;
  PassUse use;
  use.butterflies = butterflies;
  add_pass(codelet, args, args.axes[0].count, use);
  close_loops(opened);
}

bool PlanBuilder::emit_whole_two(const Node& node, const Place& place) {
  const std::vector<PassSpec>& passes = node.passes;
  if (passes.size() != 2 || passes[1].form != TwiddleForm::kStandard || problem_.layout != ArrayLayout::kInterleaved) return false;
  if (place.in_stride != 2 || place.out_stride != 2) return false;
  const std::int64_t r1 = passes[0].radix;
  const std::int64_t r2 = passes[1].radix;
  const CodeletInfo* codelet = find_codelet(codelets_, PassKind::kWholeTwo, plan_.compute, r1, TwiddleForm::kNone, r2);
  if (codelet == nullptr) return false;
  if (place.shift % r2 != 0 || place.shift % r1 != 0) return false;
  if (place.shift != 0 && !whole_two_shifts(static_cast<int>(r1), static_cast<int>(r2))) return false;
  const std::size_t inner = std::min<std::size_t>(1, place.loops.size());
  const std::size_t opened = open_loops(place, place.loops.size() - inner);
  PassArgs args;
  args.in = user_edge(place.in, 2 * r2, 2, place.swap_in);
  args.out = user_edge(place.out, 2 * r1, 2, place.swap_out);
  args.scale = place.scale;
  if (place.shift != 0) {
    args.in.offset = args.out.offset = 2 * place.shift;
    args.in.wrap = args.out.wrap = -2 * place.n;
    args.in.wrap_point = static_cast<std::int32_t>(r1 - place.shift / r2);
    args.out.wrap_point = static_cast<std::int32_t>(r2 - place.shift / r1);
  }
  if (inner == 1) args.axes[0] = {place.loops.back().count, place.loops.back().in_stride, place.loops.back().out_stride, 0};
  const int lanes = whole_two_lanes(lanes_, static_cast<int>(r1), static_cast<int>(r2));
  TwiddleRequest request;
  request.body = codelet->second;
  request.length = request.end = r1;
  request.lanes = lanes;
  request.lane_order = true;
  request.lanes_per_block = std::min(lanes, lanes_per_block_);
  args.table = add_twiddles(request).values.data();
  PassUse use;
  use.butterflies = args.axes[0].count;
  use.lanes = lanes;
  add_pass(*codelet, args, args.axes[0].count, use);
  close_loops(opened);
  return true;
}

}  // namespace ulpfft
