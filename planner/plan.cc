#include "planner/plan.h"

#include <algorithm>
#include <cstring>

#include "planner/api/guard.h"
#include "planner/executor.h"

namespace ulpfft {
namespace {

// One body: the shortest transforms, where every instruction shows.
int run_bare(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void*) {
  const ulpfft_plan& plan = static_cast<const ulpfft_plan&>(call);
  plan.body(static_cast<char*>(in_re) + plan.in_re_offset, static_cast<char*>(in_im) + plan.in_im_offset, plan.in_stride,
            static_cast<char*>(out_re) + plan.out_re_offset, static_cast<char*>(out_im) + plan.out_im_offset, plan.out_stride);
  return ULPFFT_OK;
}

// One pass, no workspace: small transforms, where every nanosecond shows.
int run_single(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void*) {
  Buffers buffers;
  buffers.slot[static_cast<int>(Slot::kIn)] = {in_re, in_im};
  buffers.slot[static_cast<int>(Slot::kOut)] = {out_re, out_im};
  const Step& step = static_cast<const ulpfft_plan&>(call).compiled.steps[0];
  step.run(step.args, buffers, 0, step.count);
  return ULPFFT_OK;
}

int run_all(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace) {
  const ulpfft_plan& plan = static_cast<const ulpfft_plan&>(call);
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
      if (taken == nullptr) return set_last_error(ULPFFT_NO_MEMORY, "workspace", "Not enough memory for the workspace of one more thread.");
      work = taken;
    }
  }
  for (int s = static_cast<int>(Slot::kWork0); s < kSlots; ++s) buffers.slot[s] = {work, work};
  const Step* steps = plan.compiled.steps.data();
  const Step* end = steps + plan.compiled.steps.size();
  if (plan.team != nullptr) {
    run_steps_shared(steps, end, buffers, *plan.team, plan.compiled.threads);
  } else {
    run_steps(steps, end, buffers);
  }
  if (plan.compiled.streams) finish_streams();
  if (taken != nullptr) plan.pool->give_back(taken);
  return ULPFFT_OK;
}

// A workspace this small is quicker to find on the stack than in the pool.
constexpr std::size_t kStackBytes = 16 << 10;

int run_on_stack(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace) {
  const ulpfft_plan& plan = static_cast<const ulpfft_plan&>(call);
  const bool given = workspace != nullptr || (plan.compiled.work_may_be_out && reinterpret_cast<std::uintptr_t>(out_re) % kBufferAlignment == 0);
  if (given) return run_all(plan, in_re, in_im, out_re, out_im, workspace);
  alignas(kBufferAlignment) std::byte local[kStackBytes];
  return run_all(plan, in_re, in_im, out_re, out_im, local);
}

// Calls visit(in element offset, out element offset) for every element, in row-major index order, batch outside.
template <typename Visit>
void for_each_element(const Problem& problem, const Visit& visit) {
  std::vector<Dimension> dims = problem.batch;
  dims.insert(dims.end(), problem.dims.begin(), problem.dims.end());
  std::vector<std::int64_t> index(dims.size(), 0);
  std::int64_t in = 0;
  std::int64_t out = 0;
  while (true) {
    visit(in, out);
    std::size_t d = dims.size();
    while (d > 0) {
      --d;
      in += dims[d].in_stride;
      out += dims[d].out_stride;
      if (++index[d] < dims[d].length) break;
      in -= dims[d].length * dims[d].in_stride;
      out -= dims[d].length * dims[d].out_stride;
      index[d] = 0;
      if (d == 0) return;
    }
    if (dims.empty()) return;
  }
}

// S: reals of the input, T: of the output.
template <typename S, typename T>
std::uint64_t hash_typed(const ulpfft_plan& plan) {
  const Problem& problem = plan.problem;
  const bool split = problem.layout == ArrayLayout::kSplit;
  const auto bytes_of = [](const Extent& e) { return static_cast<std::size_t>(e.high - e.low); };
  AlignedBuffer in[2], out[2];
  for (int part = 0; part < (split ? 2 : 1); ++part) {
    in[part] = AlignedBuffer(bytes_of(plan.in_extent));
    if (!plan.in_place) out[part] = AlignedBuffer(bytes_of(plan.out_extent));
  }
  const auto base = [](const AlignedBuffer& buffer, const Extent& extent) {
    return buffer.data() == nullptr ? nullptr : static_cast<void*>(static_cast<char*>(buffer.data()) - extent.low);
  };
  void* const in_re = base(in[0], plan.in_extent);
  void* const in_im = base(in[split ? 1 : 0], plan.in_extent);
  void* const out_re = plan.in_place ? in_re : base(out[0], plan.out_extent);
  void* const out_im = plan.in_place ? in_im : base(out[split ? 1 : 0], plan.out_extent);
  const auto part = [split]<typename R>(R* re, R* im, std::int64_t offset, int p) {
    return split ? (p == 0 ? re : im) + offset : re + 2 * offset + p;
  };
  std::uint64_t state = 20261120;
  for_each_element(problem, [&](std::int64_t i, std::int64_t) {
    for (int p = 0; p < 2; ++p) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      // 21 bits in [-1, 1): exact in both wide formats.
      *part(static_cast<S*>(in_re), static_cast<S*>(in_im), i, p) = static_cast<S>(static_cast<double>(static_cast<std::int64_t>(state >> 43) - (1 << 20)) * 0x1p-20);
    }
  });
  if (plan.run(plan, in_re, in_im, out_re, out_im, nullptr) != ULPFFT_OK) throw std::bad_alloc();
  std::uint64_t hash = 0xcbf29ce484222325u;
  for_each_element(problem, [&](std::int64_t, std::int64_t o) {
    for (int p = 0; p < 2; ++p) {
      unsigned char bytes[sizeof(T)];
      std::memcpy(bytes, part(static_cast<T*>(out_re), static_cast<T*>(out_im), o, p), sizeof(T));
      for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
    }
  });
  return hash;
}

}  // namespace

std::size_t storage_real_bytes(const std::string& storage) { return storage == "dd" ? 16 : storage == "f64" ? 8 : 4; }

Extent array_extent(const Problem& problem, bool output) {
  const std::int64_t element = static_cast<std::int64_t>(storage_real_bytes(output ? problem.storage_out : problem.storage_in)) *
                               (problem.layout == ArrayLayout::kInterleaved ? 2 : 1);
  Extent extent{0, element};
  const auto grow = [&](const Dimension& d) {
    const std::int64_t reach = (d.length - 1) * (output ? d.out_stride : d.in_stride) * element;
    (reach < 0 ? extent.low : extent.high) += reach;
  };
  for (const Dimension& d : problem.dims) grow(d);
  for (const Dimension& d : problem.batch) grow(d);
  return extent;
}

std::unique_ptr<ulpfft_plan> make_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, CompiledPlan compiled,
                                       std::shared_ptr<Team> team) {
  auto plan = std::make_unique<ulpfft_plan>();
  if (compiled.threads > 1) plan->team = std::move(team);
  plan->problem = problem;
  plan->recipe = recipe;
  plan->compiled = std::move(compiled);
  plan->backend = codelets.backend;
  plan->target = codelets.target;
  plan->error = plan->compiled.predicted_error;
  plan->in_place = problem.placement == Placement::kInPlace;
  plan->in_alignment_mask = storage_real_bytes(problem.storage_in) - 1;
  plan->out_alignment_mask = storage_real_bytes(problem.storage_out) - 1;
  plan->split = problem.layout == ArrayLayout::kSplit;
  plan->in_extent = array_extent(problem, false);
  plan->out_extent = array_extent(problem, true);
  const std::int64_t low = plan->in_extent.low - plan->out_extent.high + 1;
  plan->overlap_low = plan->in_place ? 1 : static_cast<std::uintptr_t>(low);
  plan->overlap_range = plan->in_place ? UINTPTR_MAX : static_cast<std::uintptr_t>(plan->in_extent.high - plan->out_extent.low - low);
  plan->in_execute_mask = plan->split ? UINTPTR_MAX : plan->in_alignment_mask;
  plan->out_execute_mask = plan->split ? UINTPTR_MAX : plan->out_alignment_mask;
  plan->pool = std::make_unique<WorkspacePool>(plan->compiled.workspace_bytes);
  const bool single = plan->compiled.steps.size() == 1 && plan->compiled.steps[0].run != nullptr && plan->compiled.workspace_bytes == 0 &&
                      !plan->compiled.streams;
  const bool small = plan->compiled.workspace_bytes != 0 && plan->compiled.workspace_bytes <= kStackBytes;
  plan->run = plan->team != nullptr ? &run_all : single ? &run_single : small ? &run_on_stack : &run_all;
  if (single && plan->team == nullptr && plan->compiled.bare) {
    const PassArgs& args = plan->compiled.steps[0].args;
    const std::int64_t real = static_cast<std::int64_t>(real_bytes(plan->compiled.compute));
    const auto offsets = [real](const Edge& edge, std::int64_t& re, std::int64_t& im) {
      re = im = edge.offset * real;
      if (edge.layout == Layout::kPaired) (edge.swap ? re : im) += edge.im_offset * real;
    };
    offsets(args.in, plan->in_re_offset, plan->in_im_offset);
    offsets(args.out, plan->out_re_offset, plan->out_im_offset);
    plan->in_stride = args.in.point_stride;
    plan->out_stride = args.out.point_stride;
    plan->body = plan->compiled.passes[0].codelet->whole;
    plan->run = &run_bare;
  }
  if (single && plan->team == nullptr && plan->compiled.direct) {
    plan->table = plan->compiled.steps[0].args.table;
    plan->run = plan->compiled.passes[0].codelet->direct;
  }
  return plan;
}

std::uint64_t hash_of_fixed_input(const ulpfft_plan& plan) {
  const bool narrow_out = storage_real_bytes(plan.problem.storage_out) == 4;
  if (storage_real_bytes(plan.problem.storage_in) == 4) return narrow_out ? hash_typed<float, float>(plan) : hash_typed<float, double>(plan);
  return narrow_out ? hash_typed<double, float>(plan) : hash_typed<double, double>(plan);
}

}  // namespace ulpfft
