// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/expand/scope.h"

#include <algorithm>
#include <set>

#include "codelets/contract/pass_rows.h"
#include "codelets/registry.h"
#include "planner/facts/prescale_target.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/find_codelet.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// Whether what is fetched by prefetchnta is still there a transform later. So it is on Zen 5; on Zen 4 (family 19h) batches take 1.02 to
// 1.6 times as long with it.
bool keeps_brief_lines() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_is("amd") && !__builtin_cpu_is("amdfam19h");
#else
  return false;
#endif
}

constexpr std::size_t kItemsOfALoop = 6;  // most have fewer

}  // namespace

Scope::Scope(const Lowering& given)
    : problem(given.problem),
      recipe(given.recipe),
      codelets(given.machine.codelets),
      cache(given.cache),
      threads(given.machine.threads),
      most_scratch(given.problem.max_workspace == kOneTransform ? 1 : given.machine.most_scratch),
      sides(given.sides),
      scheme(given.scheme),
      working(scheme_of_compute(scheme.carrier)),
      stores_narrow(given.sides.out.by_groups) {
  program.scheme_name = recipe.scheme;
  program.scheme = scheme;
  program.compute = scheme.compute;
  // Steps through arrays that are converted apart are given in bytes.
  if (!sides.in.by_groups) program.in.unit_bytes = sides.in.storage.element->bits / 8;
  if (!sides.out.by_groups) program.out.unit_bytes = sides.out.storage.element->bits / 8;
  // Searches make thousands of programs, most of them shorter than this.
  program.body.reserve(8);
  program.passes.reserve(8);
  program.arrays.reserve(8);
  program.tables.reserve(8);
  program.rows.reserve(4);
  live.reserve(8);
  lanes = program.compute == ComputeType::kF32 ? codelets.lanes_f32 : program.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  lanes_per_block = std::min(lanes, static_cast<int>(16 / real_bytes(program.compute)));
}

void Scope::refuse(const std::string& message) const {
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "recipe", message + " (recipe " + print_recipe(recipe) + ")");
}

// ---- loops and the workspace

Loop Scope::loop_of(std::int64_t count, const Moves& moves) const {
  Loop loop;
  loop.count = count;
  for (const auto& [array, units] : moves) loop.moves.add(array, units * unit_bytes(program, array));
  return loop;
}

Loop& Scope::begin_repeat(std::int64_t count, const Moves& moves) {
  OpenRepeat open{loop_of(count, moves), loop_calls};
  open.loop.body.reserve(kItemsOfALoop);
  open_repeats.push_back(std::move(open));
  loop_calls *= count;
  return open_repeats.back().loop;
}

Loop& Scope::begin_parallel(std::int64_t count, const Moves& moves) {
  Loop& loop = begin_repeat(count, moves);
  loop.parallel = true;
  return loop;
}

void Scope::end_repeat() {
  OpenRepeat open = std::move(open_repeats.back());
  open_repeats.pop_back();
  loop_calls = open.outer_calls;
  body().push_back(std::move(open.loop));
}

Moves Scope::moves_of(ArrayId in, ArrayId out, const BlockRows* blocks, const LoopAround& loop) const {
  Moves moves;
  if (in != out) moves.add(in, loop.in_stride);
  moves.add(out, loop.out_stride);
  if (blocks != nullptr) moves.add(ArrayId::kInScales, loop.in_stride / blocks->row_bytes * blocks->row_scale_bytes);
  return moves;
}

Loop& Scope::open_loop(const Place& place, const LoopAround& loop) {
  return begin_parallel(loop.count, moves_of(place.in.array, place.out.array, place.in.blocks, loop));
}

std::size_t Scope::open_loops(const Place& place, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) open_loop(place, place.loops[i]);
  return count;
}

void Scope::close_loops(std::size_t opened) {
  for (; opened > 0; --opened) end_repeat();
}

void Scope::leave(Level level) {
  const ArrayId first = work_array(level);
  if (live.empty() || live.back() < first) return;
  while (!live.empty() && live.back() >= first) live.pop_back();
  body().emplace_back(Release{first});
}

Area Scope::allocate(std::int64_t reals) {
  if (reals > kMostWorkspace / static_cast<std::int64_t>(real_bytes(program.compute))) refuse("The workspace would exceed 2^62 bytes");
  const ArrayId array = work_array(program.arrays.size());
  program.arrays.push_back({reals});
  body().emplace_back(Take{array});
  live.push_back(array);
  return {array, 0};
}

Area Scope::allocate_beside(const Area& area, std::int64_t reals) {
  if (reals > kMostWorkspace / static_cast<std::int64_t>(real_bytes(program.compute))) refuse("The workspace would exceed 2^62 bytes");
  return {area.array, add_beside(program.arrays.back(), reals, program.compute)};
}

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

// ---- passes

const CodeletInfo& Scope::require(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  const ComputeType compute = has_body(kind) ? scheme.compute : scheme.carrier;
  // Rounded passes of r2r have no other form than the reference's.
  const bool slow = (has_body(kind) || is_of_real_transform(kind)) && scheme.reference_bodies;
  const bool rounds = is_of_r2r_transform(kind) && scheme.element != nullptr;
  const CodeletInfo* codelet = find_codelet(cache, slow || rounds ? registered_targets().back().table : codelets, kind, compute, radix, form);
  if (codelet == nullptr && scheme.family->owner_of_passes != nullptr) refuse_pass(kind, radix, form);
  if (codelet == nullptr) {
    const bool twiddled = form != TwiddleForm::kNone;
    const std::string suffix(twiddle_suffix(form));
    refuse("There is no codelet of radix " + std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix) +
           (twiddled ? " with" : " without") + " twiddles for this place on target " + codelets.target);
  }
  return *codelet;
}

// What the sums of a pass make of a mean square.
static double growth_of(const CodeletInfo& codelet) {
  return row_of(codelet.kind).growth * codelet.body->radix * (codelet.second != nullptr ? codelet.second->radix : 1);
}

Pass& Scope::add_pass(const CodeletInfo& codelet, Pass&& pass, std::int64_t extent, PassUse use) {
  pass.codelet = &codelet;
  pass.extent = extent;
  pass.use = program.passes.size();
  pass.rounds_input = rounds_input && codelet.body->form == TwiddleForm::kNone;
  program.streams = program.streams || pass.args.out.non_temporal;
  use.codelet = &codelet;
  use.calls *= loop_calls;
  use.butterflies *= loop_calls;
  const double points = codelet.body->radix * (codelet.second != nullptr ? codelet.second->radix : 1);
  use.share = static_cast<double>(use.butterflies) * points / scope_points;
  use.grown_before = grown;
  use.grown = grown *= growth_of(codelet);
  const auto count = [&](const BodyFacts& facts, double times) {
    program.adds += facts.ops.add * times;
    program.muls += facts.ops.mul * times;
    program.fmas += facts.ops.fma * times;
  };
  if (codelet.second == nullptr) {
    count(*codelet.body, static_cast<double>(use.butterflies) * (1 - use.standard_part));
    if (use.standard != nullptr) count(*use.standard, static_cast<double>(use.butterflies) * use.standard_part);
  } else {
    count(*codelet.body, static_cast<double>(use.butterflies) * codelet.second->radix);
    count(*codelet.second, static_cast<double>(use.butterflies) * codelet.body->radix);
  }
  program.passes.push_back(use);
  body().emplace_back(std::move(pass));
  return *body().back().pass();
}

void Scope::add_in_loops(const CodeletInfo& codelet, std::span<const LoopAround> loops, Pass&& pass, const PassUse& use) {
  const std::int64_t outer_calls = loop_calls, extent = pass.args.axes[0].count;
  const ArrayId in = pass.args.in.array, out = pass.args.out.array;
  const auto* const compute = std::get_if<Compute>(&pass.op);
  const BlockRows* const blocks = compute == nullptr ? nullptr : compute->blocks;
  pass.parallel = extent > 1;
  for (const LoopAround& loop : loops) loop_calls *= loop.count;
  add_pass(codelet, std::move(pass), extent, use);
  loop_calls = outer_calls;
  Item& item = body().back();
  for (std::size_t i = loops.size(); i-- > 0;) {
    Loop loop = loop_of(loops[i].count, moves_of(in, out, blocks, loops[i]));
    loop.parallel = true;
    loop.body.push_back(std::move(item));
    item.emplace<Loop>(std::move(loop));
  }
}

void Scope::add_line_pass(PassKind kind, const View& in, const View& out, std::int64_t points, Pass pass,
                          std::span<const LoopAround> loops) {
  Operands& args = pass.args;
  args.in = in;
  args.out = out;
  args.lanes = points;
  PassUse use;
  use.lanes = points;
  use.butterflies = args.axes[0].count * args.axes[1].count * points;
  use.direct = in.layout == Layout::kPaired && out.layout == Layout::kPaired && in.point_stride == 2 && out.point_stride == 2;
  use.working_set = 4.0 * static_cast<double>(points) * static_cast<double>(real_bytes(program.compute));
  add_in_loops(require_line(kind), loops, std::move(pass), use);
}

bool Scope::rewrites(const Place& place) const {
  if (place.in.array == place.out.array) return true;
  if (is_work(place.out.array) && (stores_narrow || keeps_spectrum)) return true;
  return problem.placement == Placement::kInPlace && place.in.array == ArrayId::kIn && place.out.array == ArrayId::kOut;
}

bool Scope::holds_reals(ArrayId array) const {
  return (array == ArrayId::kIn || array == ArrayId::kOut) && sides[array == ArrayId::kOut].real;
}

bool Scope::interleaved(const LineEnd& end) const {
  return is_work(end.array) || problem.layout == ArrayLayout::kInterleaved || holds_reals(end.array);
}

Fetch Scope::fetch_later(const Place& place, std::int64_t point_stride) const {
  const bool here = is_work(place.in.array) && (back.empty() || keeps_spectrum);  // in the caches already
  if (here || place.in.stored != nullptr || place.in.blocks != nullptr || (place.loops.empty() && next_line == 0) || place.in.stride != 2 ||
      !interleaved(place.in) || place.in.shift != 0)
    return {};
  const std::int64_t real = static_cast<std::int64_t>(real_bytes(program.compute));
  const std::int64_t unit = place.in.format.empty() ? real : unit_bytes(program, place.in.array);
  const std::int64_t step = place.loops.empty() ? next_line : place.loops.back().in_stride;
  const std::int64_t offset = place.in.offset + std::max<std::int64_t>(1, kFetchAhead / (2 * place.n * unit)) * step;
  // In reals of the compute type, whatever is there: points are whole vectors of codes, and so are their steps.
  const bool brief = problem.dims.size() == 1 && 2 * place.n * unit <= kBriefBytes && keeps_brief_lines();
  return {true, brief, place.in.array, offset * unit / real, point_stride * unit / real, step * unit / real, 2 * unit / real};
}

View Scope::edge_of(const LineEnd& end, std::int64_t point_stride, std::int64_t lane_stride) const {
  View edge;
  edge.array = end.array;
  edge.layout = interleaved(end) ? Layout::kPaired : Layout::kSplit;
  edge.offset = end.offset;
  edge.im_offset = end.im_offset;
  edge.point_stride = point_stride;
  edge.lane_stride = lane_stride;
  edge.number_stride = end.number_stride;
  edge.swap = end.swap;
  edge.half_complex = end.half_complex;
  return edge;
}

View Scope::line_edge(const LineEnd& end, std::int64_t n) const {
  View edge = edge_of(end, end.stride, 0);
  if (end.shift != 0) {
    edge.offset += end.shift * end.stride;
    edge.wrap = -n * end.stride;
    edge.wrap_point = static_cast<std::int32_t>(n - end.shift);
  }
  return edge;
}

int Scope::add_rows(RowOrder order) {
  program.rows.push_back(std::move(order));
  return static_cast<int>(program.rows.size()) - 1;
}

int Scope::add_table(TableOrder order) {
  program.tables.push_back(std::move(order));
  return static_cast<int>(program.tables.size()) - 1;
}

void Scope::refuse_pass(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  std::set<std::int64_t> radices;
  std::string forms;
  for (const CodeletInfo& info : registered_targets().back().table.codelets) {
    if (info.kind != kind || info.compute != program.compute) continue;
    if (info.body->form == form) radices.insert(info.body->radix);
    if (info.body->radix == radix && info.body->form != TwiddleForm::kNone) {
      const std::string suffix(twiddle_suffix(info.body->form));
      forms += (forms.empty() ? "" : ", ") + std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix);
    }
  }
  std::string list;
  const std::string suffix(twiddle_suffix(form));
  for (const std::int64_t r : radices) list += (list.empty() ? "" : ", ") + std::to_string(r) + (suffix.empty() ? "" : ":" + suffix);
  const std::string pass = std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix);
  const std::string owner = scheme.family->owner_of_passes;
  refuse(owner + " have no pass " + pass + (form == TwiddleForm::kNone ? " without twiddles" : "") + "; " +
         (list.empty() ? "none of them has this twiddle form" : "there are " + list) +
         (forms.empty() ? "" : ", and of radix " + std::to_string(radix) + " " + forms));
}

// ---- narrow storage

int Scope::power_after(std::int64_t length) const {
  for (const Intermediate& stage : intermediates) {
    if (stage.length == length) return stage.next - stage.power;
  }
  return 0;
}

Codec Scope::codec_of(const Storage& storage, std::string_view name) const {
  const Codec codec = find_codec(codelets, storage, name, real_bytes(program.compute) == 8);
  if (codec.decode != nullptr) return codec;
  throw PlanError(ULPFFT_UNSUPPORTED, "storage", "This build has no conversion of " + std::string(storage.element->name) + ".");
}

}  // namespace ulpfft
