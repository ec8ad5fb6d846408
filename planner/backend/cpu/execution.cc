// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/execution.h"

#include "planner/backend/cpu/chain_step.h"
#include "planner/backend/cpu/executor.h"
#include "planner/convert/stored_rows.h"
#include "planner/system/last_error.h"

namespace ulpfft {
namespace {

// Of entries that are not a codelet's own function.
const CpuExecutable& called(const DirectCall& call) { return context_of<CpuExecutable>(call); }

// Runs one body: these are the shortest transforms, whose time every instruction changes.
int run_bare(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void*) {
  const CpuExecutable& plan = called(call);
  plan.body(static_cast<char*>(in_re) + plan.in_re_offset, static_cast<char*>(in_im) + plan.in_im_offset, plan.in_stride,
            static_cast<char*>(out_re) + plan.out_re_offset, static_cast<char*>(out_im) + plan.out_im_offset, plan.out_stride);
  return ULPFFT_OK;
}

// Runs one pass that needs no workspace.
int run_single(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void*) {
  Buffers buffers;
  buffers.slot[static_cast<int>(Slot::kIn)] = {in_re, in_im};
  buffers.slot[static_cast<int>(Slot::kOut)] = {out_re, out_im};
  const Step& step = called(call).compiled.steps[0];
  step.run(step.args, buffers, 0, step.count);
  return ULPFFT_OK;
}

// Runs two codelets, the second one in place.
int run_pair(const DirectCall& call, void* in, void*, void* out, void*, void*) {
  const DirectCall* const pair = called(call).compiled.pair;
  pair[0].run(pair[0], in, in, out, out, nullptr);
  return pair[1].run(pair[1], out, out, out, out, nullptr);
}

// `poll` is null, or asked on the way.
void run_all_steps(const CpuExecutable& plan, const CompiledPlan& compiled, Buffers& buffers, void* work, Poll* poll = nullptr) {
  for (int s = static_cast<int>(Slot::kWork0); s < kSlots; ++s) buffers.slot[s] = {work, work};
  const Step* steps = compiled.steps.data();
  const Step* end = steps + compiled.steps.size();
  const bool shared = plan.team != nullptr && compiled.threads > 1;
  if (poll != nullptr) {
    run_steps_asking(steps, end, buffers, shared ? plan.team.get() : nullptr, compiled.threads, *poll);
  } else if (shared) {
    run_steps_shared(steps, end, buffers, *plan.team, compiled.threads);
  } else {
    run_steps(steps, end, buffers);
  }
  if (compiled.streams) finish_streams();
}

constexpr const char* kNoWorkspace = "Not enough memory for the workspace of one more thread.";

int run_all(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace) {
  const CpuExecutable& plan = called(call);
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)] = {in_re, in_im};
  buffers.slot[static_cast<int>(Slot::kOut)] = {out_re, out_im};
  void* work = workspace;
  void* taken = nullptr;
  if (work == nullptr && plan.compiled.workspace_bytes != 0) {
    if (plan.compiled.work_may_be_out && reinterpret_cast<std::uintptr_t>(out_re) % kBufferAlignment == 0) {
      work = out_re;
    } else {
      taken = plan.pool->take();
      if (taken == nullptr) return set_last_error(ULPFFT_NO_MEMORY, "workspace", kNoWorkspace);
      work = taken;
    }
  }
  run_all_steps(plan, plan.compiled, buffers, work);
  if (taken != nullptr) plan.pool->give_back(taken);
  return ULPFFT_OK;
}

// A workspace this small is quicker to find on the stack than in the pool.
constexpr std::size_t kStackBytes = 16 << 10;

ConversionArgs tile_conversion(const StoredRows& rows, void* codes, void* scales, void* tile) {
  ConversionArgs args;
  args.storage = &rows.storage;
  args.codes = codes;
  args.scales = scales;
  args.reals = tile;
  args.count = rows.part_reals() * rows.row_points;
  return args;
}

// Returns how many reals saturated.
std::int64_t run_tile(const TiledTransform& tiled, void* in, void* in_scales, void* out, void* out_scales) {
  alignas(kBufferAlignment) std::byte tile[2 * TiledTransform::kMostPoints * sizeof(double)];
  void* const from = tiled.in != nullptr ? tile : in;
  void* const to = tiled.out != nullptr ? tile : out;
  if (tiled.in != nullptr) decode_line(*tiled.in, tile_conversion(*tiled.in, in, in_scales, tile));
  if (tiled.run != nullptr) {
    tiled.run({nullptr, {tiled.table}}, from, from, to, to, nullptr);
  } else {
    tiled.pair[0].run(tiled.pair[0], from, from, to, to, nullptr);
    tiled.pair[1].run(tiled.pair[1], to, to, to, to, nullptr);
  }
  if (tiled.out == nullptr) return 0;
  const ConversionArgs encoded = tile_conversion(*tiled.out, out, out_scales, tile);
  return tiled.out->power != nullptr ? encode_powers(*tiled.out, encoded) : tiled.out->encode(encoded);
}

// Runs a tile between arrays of element formats. `saturated` is the address that Entries::counts describes.
int run_tiled(const DirectCall& call, void* in, void*, void* out, void* saturated, void*) {
  const std::int64_t beyond = run_tile(called(call).compiled.tiled, in, nullptr, out, nullptr);
  if (saturated != out) *static_cast<std::int64_t*>(saturated) += beyond;
  return ULPFFT_OK;
}

// What the steps of an execution on arrays of any storage see.
struct ArraysCall {
  Narrow narrow;
  ChainCall chain;
  Buffers buffers{};
  const CompiledPlan* compiled = nullptr;
};

void prepare(const CpuExecutable& plan, const ArrayAddress& in, const ArrayAddress& out, const Counts* counts, const ChainOperation* given,
             ArraysCall& call) {
  call.narrow.reads_exponents = in.exponents != nullptr;
  call.narrow.writes_exponents = out.exponents != nullptr;
  call.narrow.underflowed = counts != nullptr && counts->underflowed >= 0 ? 0 : -1;
  Buffers& buffers = call.buffers;
  buffers.narrow = &call.narrow;
  const auto set = [&](Slot slot, void* re, void* im) { buffers.slot[static_cast<int>(slot)] = {re, im}; };
  set(Slot::kIn, in.data[0], in.data[1]);
  set(Slot::kOut, out.data[0], out.data[1]);
  // Slots that are never read get addresses as well, because loops advance them.
  const auto set_scales = [&](Slot slot, const ArrayAddress& array) {
    set(slot, array.scales[0] != nullptr ? array.scales[0] : array.data[0], array.scales[1] != nullptr ? array.scales[1] : array.data[1]);
  };
  set_scales(Slot::kInScales, in);
  set_scales(Slot::kOutScales, out);
  set(Slot::kExponents, in.exponents != nullptr ? in.exponents : in.data[0], out.exponents != nullptr ? out.exponents : out.data[0]);
  if (plan.chain) {
    if (given != nullptr) static_cast<ChainOperation&>(call.chain) = *given;
    call.chain.first_factor = call.chain.factors != nullptr ? call.chain.factors : in.data[0];
    call.chain.first_exponent = buffers.slot[static_cast<int>(Slot::kExponents)].re;
    set(Slot::kFactors, const_cast<void*>(call.chain.first_factor), nullptr);
    buffers.chain = &call.chain;
  }
  const bool exponents = call.narrow.reads_exponents || call.narrow.writes_exponents;
  call.compiled = exponents && plan.compiled.with_exponents != nullptr ? plan.compiled.with_exponents.get() : &plan.compiled;
}

int run_narrow(const CpuExecutable& plan, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts,
               const ChainOperation* given = nullptr) {
  if (plan.compiled.tiled.is_used() && in.exponents == nullptr && out.exponents == nullptr) {
    const std::int64_t beyond = run_tile(plan.compiled.tiled, in.data[0], in.scales[0], out.data[0], out.scales[0]);
    if (counts != nullptr) *counts = {beyond, 0};
    return ULPFFT_OK;
  }
  ArraysCall call;
  prepare(plan, in, out, counts, given, call);
  if (workspace != nullptr) {
    run_all_steps(plan, *call.compiled, call.buffers, workspace);
  } else if (plan.compiled.workspace_bytes <= kStackBytes) {
    alignas(kBufferAlignment) std::byte local[kStackBytes];
    run_all_steps(plan, *call.compiled, call.buffers, local);
  } else {
    void* const taken = plan.pool->take();
    if (taken == nullptr) return set_last_error(ULPFFT_NO_MEMORY, "workspace", kNoWorkspace);
    run_all_steps(plan, *call.compiled, call.buffers, taken);
    plan.pool->give_back(taken);
  }
  if (counts != nullptr) *counts = {call.narrow.saturated, call.narrow.underflowed};
  return ULPFFT_OK;
}

int run_asking(const Executable& executable, const ArrayAddress& in, const ArrayAddress& out, const ChainOperation* chain, Poll& poll) {
  const auto& plan = static_cast<const CpuExecutable&>(executable);
  ArraysCall call;
  prepare(plan, in, out, nullptr, chain, call);
  if (!plan.narrow && !plan.chain) call.buffers.narrow = nullptr;
  const auto give_back = [&](void* workspace) { plan.pool->give_back(workspace); };
  const std::unique_ptr<void, decltype(give_back)> workspace(plan.pool->take(), give_back);
  if (workspace == nullptr && plan.compiled.workspace_bytes != 0) return set_last_error(ULPFFT_NO_MEMORY, "workspace", kNoWorkspace);
  run_all_steps(plan, *call.compiled, call.buffers, workspace.get(), &poll);
  return ULPFFT_OK;
}

int run_arrays_of(const Executable& executable, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts,
                  const ChainOperation* chain) {
  return run_narrow(static_cast<const CpuExecutable&>(executable), in, out, workspace, counts, chain);
}

// Runs on arrays of element formats, which need neither scales nor exponents.
int run_elements(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace) {
  const CpuExecutable& plan = called(call);
  return run_narrow(plan, {{in_re, in_im}, {}, nullptr}, {{out_re, out_im}, {}, nullptr}, workspace, nullptr);
}

int run_on_stack(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace) {
  const CpuExecutable& plan = called(call);
  const bool out_serves = plan.compiled.work_may_be_out && reinterpret_cast<std::uintptr_t>(out_re) % kBufferAlignment == 0;
  if (workspace != nullptr || out_serves) return run_all(call, in_re, in_im, out_re, out_im, workspace);
  alignas(kBufferAlignment) std::byte local[kStackBytes];
  return run_all(call, in_re, in_im, out_re, out_im, local);
}

// The functions that execute, and the fields that they read.
Entries choose_entry(CpuExecutable& plan, const PlanNeeds& needs) {
  if (TiledTransform& tiled = plan.compiled.tiled; tiled.out != nullptr && tiled.run == nullptr) {
    tiled.run = plan.compiled.both;
    tiled.table = &plan.compiled.pair_tables;
    if (tiled.run == nullptr) tiled.pair = plan.compiled.pair;
  }
  const bool single = plan.compiled.steps.size() == 1 && plan.compiled.steps[0].run != nullptr && plan.compiled.workspace_bytes == 0 &&
                      !plan.compiled.streams;
  const bool small = plan.compiled.workspace_bytes != 0 && plan.compiled.workspace_bytes <= kStackBytes;
  Entries entry{{.run = plan.team != nullptr ? &run_all : single ? &run_single : small ? &run_on_stack : &run_all, .context = &plan}, &run_arrays_of, false};
  entry.asking = &run_asking;
  if (needs.narrow || needs.chain) {
    entry.call.run = &run_elements;
    if (plan.compiled.direct_fused != nullptr) {
      entry.call = {plan.compiled.direct_fused, {plan.compiled.steps[0].args.table}};
      entry.counts = true;
    } else if (plan.compiled.tiled.is_used() && !needs.has_scales) {
      entry.call.run = &run_tiled;
      entry.counts = true;
    }
    return entry;
  }
  if (single && plan.team == nullptr && plan.compiled.bare) {
    const PassArgs& args = plan.compiled.steps[0].args;
    const std::int64_t real = static_cast<std::int64_t>(real_bytes(plan.compiled.compute));
    const auto offsets = [real](const Edge& edge, std::int64_t& re, std::int64_t& im) {
      re = im = edge.offset * real;
      if (edge.layout == Layout::kPaired) (edge.swap ? re : im) += edge.im_offset * real;
    };
    offsets(args.in, plan.in_re_offset, plan.in_im_offset);
    offsets(args.out, plan.out_re_offset, plan.out_im_offset);
    plan.in_stride = args.in.point_stride;
    plan.out_stride = args.out.point_stride;
    plan.body = plan.compiled.passes[0].codelet->whole;
    entry.call.run = &run_bare;
  }
  if (plan.compiled.pair[0].run != nullptr && plan.team == nullptr) {
    entry.call.run = &run_pair;
    if (plan.compiled.both != nullptr) entry.call = {.run = plan.compiled.both, .context = &plan.compiled.pair_tables};
  }
  if (single && plan.team == nullptr && plan.compiled.direct)
    entry.call = {plan.compiled.passes[0].codelet->direct, {plan.compiled.steps[0].args.table}};
  return entry;
}

}  // namespace

CpuExecutable::CpuExecutable(const Backend& of, CompiledPlan plan) : Executable(of), compiled(std::move(plan)) {}

Entries run_cpu(Executable& executable, const PlanNeeds& needs) {
  auto& plan = static_cast<CpuExecutable&>(executable);
  if (plan.compiled.threads > 1) plan.team = needs.team;
  plan.chain = needs.chain;
  plan.narrow = needs.narrow;
  plan.pool = std::make_unique<WorkspacePool>(plan.compiled.workspace_bytes, needs.poll);
  return choose_entry(plan, needs);
}

}  // namespace ulpfft
