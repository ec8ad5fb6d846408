// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Planning and execution: FFTW's arguments to a Problem, and a plan as a transform with its arrays.
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include "bindings/fftw3/api.h"
#include "bindings/fftw3/handle.h"

namespace ulpfft::fftw3 {

namespace {

// What FFTW answers by NULL alone, ulpfft says in a sentence: its planner is asked, and refuses.
void* refuse(Kind kind, int rank, const std::vector<Dim>& dims, int loop_rank, const std::vector<Dim>& loops) {
  std::vector<std::int64_t> lengths, batch;
  for (const Dim& dim : dims) lengths.push_back(dim.n);
  for (const Dim& loop : loops) batch.push_back(loop.n);
  ulpfft_problem asked = ULPFFT_PROBLEM_INIT;
  asked.kind = kind;
  asked.rank = rank;
  asked.lengths = lengths.empty() ? nullptr : lengths.data();
  asked.batch_rank = loop_rank;
  asked.batch_lengths = batch.empty() ? nullptr : batch.data();
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_create(Planner::get().context().get(), &asked, nullptr, &plan) == ULPFFT_OK) ulpfft_plan_destroy(plan);
  return nullptr;
}

bool is_verbose() {
  const char* const wish = std::getenv("ULPFFT_FFTW_VERBOSE");
  return wish != nullptr && std::strcmp(wish, "1") == 0;
}

// Makes the plan; null with a sentence in ulpfft_last_error().
void* make_plan(const Problem& problem, const Arrays& arrays, bool split, unsigned flags) {
  for (const Dim& dim : problem.dims) {
    if (dim.n < 1) return refuse(problem.kind, static_cast<int>(problem.dims.size()), problem.dims, 0, {});
  }
  for (const Dim& loop : problem.loops) {
    if (loop.n < 0) return refuse(problem.kind, 1, {{1, 1, 1}}, static_cast<int>(problem.loops.size()), problem.loops);
  }
  if (problem.kind == kR2R && problem.kinds.size() != problem.dims.size()) {
    return refuse(problem.kind, static_cast<int>(problem.dims.size()), problem.dims, 0, {});
  }
  const Occasion occasion = split ? occasion_of(problem.kind, arrays) : occasion_of(problem, arrays.in[0], arrays.out[0]);
  std::shared_ptr<Transform> transform = Planner::get().transform(problem, occasion, flags);
  if (transform == nullptr) return nullptr;
  Record* const record = record_plan(problem, *transform);
  auto* const plan = new Plan{};
  plan->split = split;
  plan->record = record;
  plan->arrays = arrays;
  if (!split && arrays.in[0] != nullptr && arrays.out[0] != nullptr) plan->direct = transform->plain_plan(occasion.in_place);
  plan->transform = std::move(transform);
  return plan;
}

// The one way out of planning: nothing is thrown, and what is refused is told to those who ask for it.
template <typename Make>
void* guarded(const Make& make) noexcept {
  void* plan = nullptr;
  try {
    plan = make();
    if (plan == nullptr && is_verbose()) complain(ulpfft_last_error());
  } catch (...) {
    if (is_verbose()) complain("There is not enough memory to plan.");
  }
  return plan;
}

std::vector<int> read_kinds(const void* kinds, std::size_t count) {
  std::vector<int> out(kinds != nullptr ? count : 0);
  if (!out.empty()) std::memcpy(out.data(), kinds, count * sizeof(int));
  return out;
}

// What complex numbers of an interleaved side have that real ones have not.
std::int64_t unit_in(Kind kind, bool split) { return !split && is_complex_in(kind) ? 2 : 1; }
std::int64_t unit_out(Kind kind, bool split) { return !split && is_complex_out(kind) ? 2 : 1; }

std::vector<Dim> read_sizes(int rank, const void* sizes, std::size_t bytes, std::int64_t in_unit, std::int64_t out_unit) {
  std::vector<Dim> out;
  for (int i = 0; i < rank; ++i) {
    const auto read = [&](std::size_t member) -> std::int64_t {
      const char* const at = static_cast<const char*>(sizes) + (3 * static_cast<std::size_t>(i) + member) * bytes;
      std::int64_t wide = 0;
      std::int32_t narrow = 0;
      std::memcpy(bytes == 4 ? static_cast<void*>(&narrow) : &wide, at, bytes);
      return bytes == 4 ? narrow : wide;
    };
    out.push_back({read(0), times(read(1), in_unit), times(read(2), out_unit)});
  }
  return out;
}

// The strides of one side along all lengths, in reals: `last` is how many numbers of this side the last length has in the array.
std::vector<std::int64_t> strides_of(int rank, const int* n, const Side& side, std::int64_t last, std::int64_t unit) {
  std::vector<std::int64_t> strides(static_cast<std::size_t>(rank));
  std::int64_t stride = times(side.stride, unit);
  for (int d = rank; d-- > 0;) {
    strides[static_cast<std::size_t>(d)] = stride;
    stride = times(stride, side.embed != nullptr ? side.embed[d] : d + 1 == rank ? last : n[d]);
  }
  return strides;
}

}  // namespace

void* plan_many(Kind kind, int rank, const int* n, int loops, const Side& in, const Side& out, int sign, const void* kinds,
                unsigned flags) noexcept {
  return guarded([&]() -> void* {
    if (rank < 0 || (rank > 0 && n == nullptr)) return refuse(kind, rank, {}, 0, {});
    Problem problem{kind, sign == -1 ? -1 : 1, {}, read_kinds(kinds, static_cast<std::size_t>(rank)), {}};
    const std::int64_t length = rank > 0 ? n[rank - 1] : 1, half = length / 2 + 1;
    // Real numbers in place leave room for their spectrum.
    const std::int64_t real = in.array == out.array ? 2 * half : length;
    const bool halved = kind == kR2C || kind == kC2R;
    const std::vector<std::int64_t> from = strides_of(rank, n, in,
                                                      !halved        ? length
                                                      : kind == kR2C ? real
                                                                     : half,
                                                      unit_in(kind, false));
    const std::vector<std::int64_t> to = strides_of(rank, n, out,
                                                    !halved        ? length
                                                    : kind == kC2R ? real
                                                                   : half,
                                                    unit_out(kind, false));
    for (std::size_t d = 0; d < from.size(); ++d) problem.dims.push_back({n[d], from[d], to[d]});
    problem.loops.push_back({loops, times(in.distance, unit_in(kind, false)), times(out.distance, unit_out(kind, false))});
    void* const array = const_cast<void*>(out.array);
    return make_plan(problem, {{in.array, in.array}, {array, array}}, false, flags);
  });
}

void* plan_basic(Kind kind, int rank, const int* n, const void* in, const void* out, int sign, const void* kinds,
                 unsigned flags) noexcept {
  return plan_many(kind, rank, n, 1, {in, nullptr, 1, 0}, {out, nullptr, 1, 0}, sign, kinds, flags);
}

void* plan_basic(Kind kind, std::initializer_list<int> n, const void* in, const void* out, int sign,
                 std::initializer_list<int> kinds, unsigned flags) noexcept {
  return plan_basic(kind, static_cast<int>(n.size()), n.begin(), in, out, sign, kinds.size() > 0 ? kinds.begin() : nullptr,
                    flags);
}

void* plan_sizes(Kind kind, int rank, const void* dims, int loop_rank, const void* loops, std::size_t bytes, const Arrays& arrays,
                 bool split, int sign, const void* kinds, unsigned flags) noexcept {
  return guarded([&]() -> void* {
    const bool missing = (rank > 0 && dims == nullptr) || (loop_rank > 0 && loops == nullptr);
    if (rank < 0 || missing) return refuse(kind, rank, {}, loop_rank, {});
    if (loop_rank < 0) return refuse(kind, 1, {{1, 1, 1}}, loop_rank, {});
    const std::int64_t in_unit = unit_in(kind, split), out_unit = unit_out(kind, split);
    const Problem problem{kind, sign == -1 ? -1 : 1, read_sizes(rank, dims, bytes, in_unit, out_unit),
                          read_kinds(kinds, static_cast<std::size_t>(rank)),
                          read_sizes(loop_rank, loops, bytes, in_unit, out_unit)};
    return make_plan(problem, arrays, split, flags);
  });
}

void execute(const void* handle) noexcept {
  const Plan* const plan = plan_of(handle);
  if (plan == nullptr) return;
  const Arrays& arrays = plan->arrays;
  const Watch watch(plan->record, arrays, plan->split);
  if (plan->direct != nullptr && ulpfft_execute(plan->direct, arrays.in[0], arrays.out[0]) == ULPFFT_OK) [[likely]]
    return;
  if (!plan->split) return plan->transform->run(arrays.in[0], arrays.out[0]);
  plan->transform->run(arrays);
}

void execute_on(const void* handle, const void* in, void* out) noexcept {
  const Plan* const plan = plan_of(handle);
  if (plan == nullptr) return;
  const Watch watch(plan->record, {{in, in}, {out, out}}, false);
  plan->transform->run(in, out);
}

void execute_split(const void* handle, std::initializer_list<void*> in, std::initializer_list<void*> out) noexcept {
  const Plan* const plan = plan_of(handle);
  if (plan == nullptr) return;
  const Arrays arrays{{in.begin()[0], in.begin()[1]}, {out.begin()[0], out.begin()[1]}};
  const Watch watch(plan->record, arrays, true);
  plan->transform->run(arrays);
}

void destroy_plan(void* handle) noexcept {
  auto* const plan = static_cast<Plan*>(handle);
  if (plan != nullptr && plan->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) delete plan;
}

void* copy_plan(void* handle) noexcept {
  if (handle != nullptr) static_cast<Plan*>(handle)->handles.fetch_add(1, std::memory_order_relaxed);
  return handle;
}

}  // namespace ulpfft::fftw3
