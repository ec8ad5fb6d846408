// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan: execution on checked ranges or on pointers, and what is known about it.
#ifndef ULPFFT_CPP_PLAN_HPP_
#define ULPFFT_CPP_PLAN_HPP_

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "ulpfft/cpp/array_check.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/problem.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

// Where an execution runs, and the scratch it takes (ulpfft.h, ulpfft_execute_on).
struct On {
  void* stream = nullptr;     // cudaStream_t or CUstream; null: the default stream
  void* workspace = nullptr;  // workspace_bytes() bytes of the device, aligned to 64; null: the plan's own
};

// A problem, the recipe chosen for it, and its tables. Immutable; made by Context. Execution neither locks nor allocates,
// unless more threads than ever before execute this plan at once.
class Plan {
 public:
  // Takes over a plan of the C interface; null is refused.
  explicit Plan(ulpfft_plan* owned) : plan_(owned) {
    if (owned == nullptr) throw Error(Status::kInvalidArgument, "plan", "The plan handed over is null.");
    in_ = detail::side_of(owned, ULPFFT_SIDE_IN);
    out_ = detail::side_of(owned, ULPFFT_SIDE_OUT);
  }

  // Transforms interleaved arrays: vectors, spans, std::array or any contiguous range of std::complex<float> (storage f32)
  // or std::complex<double> (f64), and on the real side of r2c and c2r, and both sides of r2r, of float or double. `in` is not changed. Both must have at least
  // in_elements() and out_elements() elements and must not overlap, except that an in-place plan takes the same memory twice. Throws Error
  // naming "in" or "out". workspace: empty, or workspace_bytes() bytes aligned to 64, used by this call alone.
  template <NumberRange In, NumberRange Out>
    requires WritableRange<Out>
  void execute(const In& in, Out&& out, std::span<std::byte> workspace = {}) const {
    detail::check_array<std::ranges::range_value_t<In>>(in_, "in", std::ranges::data(in), std::ranges::size(in));
    detail::check_array<std::ranges::range_value_t<Out>>(out_, "out", std::ranges::data(out), std::ranges::size(out));
    check_overlap(std::span(in), std::span(out), "out");
    run(std::ranges::data(in), nullptr, std::ranges::data(out), nullptr, workspace);
  }

  // Transforms one interleaved array in place; the plan must be in place. Of r2c and c2r it is an array of either side.
  template <NumberRange Data>
    requires WritableRange<Data>
  void execute(Data&& data) const {
    using Element = std::ranges::range_value_t<Data>;
    const detail::Side& side = RealScalar<Element> == in_.real ? in_ : out_;
    require_one_array(side, "in");
    detail::check_array<Element>(side, "in", std::ranges::data(data), std::ranges::size(data));
    if (!in_.in_place) throw Error(Status::kInvalidArgument, "out", kOverlap);
    run(std::ranges::data(data), nullptr, std::ranges::data(data), nullptr, {});
  }

  // The same by pointers. Sizes cannot be checked: `in` and `out` point to element 0 of arrays that hold every element the
  // problem's strides reach.
  template <RealScalar In, RealScalar Out>
  void execute(const std::complex<In>* in, std::complex<Out>* out) const {
    check_pointers<std::complex<In>, std::complex<Out>>();
    detail::check(ulpfft_execute(plan_.get(), in, out));
  }
  template <RealScalar In, RealScalar Out>
  void execute(const In* in, std::complex<Out>* out) const {
    check_pointers<In, std::complex<Out>>();
    detail::check(ulpfft_execute(plan_.get(), in, out));
  }
  template <RealScalar In, RealScalar Out>
  void execute(const std::complex<In>* in, Out* out) const {
    check_pointers<std::complex<In>, Out>();
    detail::check(ulpfft_execute(plan_.get(), in, out));
  }
  template <RealScalar In, RealScalar Out>
  void execute(const In* in, Out* out) const {
    check_pointers<In, Out>();
    detail::check(ulpfft_execute(plan_.get(), in, out));
  }

  // Begins a transform on a device and returns, for problems with backend "cuda": `in` and `out` are memory of the device, in the storages
  // of the problem, whose sizes and types cannot be checked. Neither allocates nor synchronises; executions at the same time need
  // workspaces of their own.
  //   plan.execute(in, out, {.stream = stream, .workspace = workspace});
  void execute(const void* in, void* out, const On& on) const {
    detail::check(ulpfft_execute_on(plan_.get(), on.stream, in, out, on.workspace));
  }

  // Transforms split arrays: real and imaginary parts apart, ranges of float (f32) or double (f64). Split plans of r2c and c2r take the
  // form with ulpfft_array.
  template <RealRange InRe, RealRange InIm, RealRange OutRe, RealRange OutIm>
    requires WritableRange<OutRe> && WritableRange<OutIm>
  void execute(const InRe& in_re, const InIm& in_im, OutRe&& out_re, OutIm&& out_im,
               std::span<std::byte> workspace = {}) const {
    require_split(in_, "in");
    require_split(out_, "out");
    const auto in_r = std::span(in_re);
    const auto in_i = std::span(in_im);
    const auto out_r = std::span(out_re);
    const auto out_i = std::span(out_im);
    detail::check_array<std::ranges::range_value_t<InRe>>(in_, "in_re", in_r.data(), in_r.size());
    detail::check_array<std::ranges::range_value_t<InIm>>(in_, "in_im", in_i.data(), in_i.size());
    detail::check_array<std::ranges::range_value_t<OutRe>>(out_, "out_re", out_r.data(), out_r.size());
    detail::check_array<std::ranges::range_value_t<OutIm>>(out_, "out_im", out_i.data(), out_i.size());
    check_overlap(in_r, out_r, "out_re");
    check_overlap(in_i, out_i, "out_im");
    run(in_r.data(), in_i.data(), out_r.data(), out_i.data(), workspace);
  }

  // Split arrays by pointers; sizes cannot be checked.
  template <RealScalar In, RealScalar Out>
  void execute(const In* in_re, const In* in_im, Out* out_re, Out* out_im) const {
    require_split(in_, "in");
    require_split(out_, "out");
    check_pointers<In, Out>();
    run(in_re, in_im, out_re, out_im, {});
  }

  // Arrays of any storage, as ulpfft_execute_arrays() takes them, e.g. NarrowArray::array(); sizes cannot be checked. Returns how many
  // real numbers saturated, of the output or in narrow storage between passes; what becomes 0 there goes to `out.underflowed` if that is
  // set.
  std::int64_t execute(const ulpfft_array& in, ulpfft_array out) const {
    std::int64_t saturated = 0;
    if (out.size >= sizeof out && out.saturated == nullptr) out.saturated = &saturated;
    detail::check(ulpfft_execute_arrays(plan_.get(), &in, &out, nullptr));
    return out.size >= sizeof out ? *out.saturated : 0;
  }
  // The same from const memory.
  std::int64_t execute(const ulpfft_const_array& in, ulpfft_array out) const { return execute(ulpfft_input(&in), out); }

  // Chains, of ranges of std::complex, or of reals where the kind is r2c. chain "mul": one factor per point of a spectrum (r2c: of the
  // stored half), dense, std::complex of the plan's arithmetic (recipe(): "f32:", "f64:").
  template <NumberRange In, NumberRange Out, ComplexRange Factors>
    requires WritableRange<Out>
  void execute_chain(const In& in, Out&& out, const Factors& factors) const {
    using Factor = std::ranges::range_value_t<Factors>;
    detail::check_array<Factor>(detail::side_of(plan_.get(), ULPFFT_SIDE_FACTORS), "factors", std::ranges::data(factors), std::ranges::size(factors));
    ulpfft_operation operation{};
    operation.size = sizeof operation;
    operation.factors = std::ranges::data(factors);
    run_chain(in, out, operation);
  }
  // chain "user": apply(const ulpfft_tile&) changes the values of a tile in place, on several threads at once where the plan has them.
  // What it throws is thrown once all tiles are done.
  template <NumberRange In, NumberRange Out, typename Apply>
    requires WritableRange<Out> && std::invocable<Apply&, const ulpfft_tile&>
  void execute_chain(const In& in, Out&& out, Apply&& apply) const {
    struct Call {
      std::remove_reference_t<Apply>* apply;
      std::mutex guard;
      std::exception_ptr thrown;
    } call{&apply, {}, {}};
    ulpfft_operation operation{};
    operation.size = sizeof operation;
    operation.user = &call;
    operation.apply = [](void* user, const ulpfft_tile* tile) {
      Call& self = *static_cast<Call*>(user);
      try {
        (*self.apply)(*tile);
      } catch (...) {
        const std::lock_guard lock(self.guard);
        if (!self.thrown) self.thrown = std::current_exception();
      }
    };
    run_chain(in, out, operation);
    if (call.thrown) std::rethrow_exception(call.thrown);
  }

  // Several lines for people: problem, recipe, operations, seconds, error, workspace, hash.
  std::string describe() const { return detail::take(ulpfft_plan_describe(plan_.get())); }
  // The passes it runs, stage by stage as the recipe became them.
  std::string explain() const { return detail::take(ulpfft_plan_explain(plan_.get())); }
  // The problem and the recipe as texts that Context::parse and Context::from_recipe read.
  std::string problem() const { return detail::take(ulpfft_plan_problem(plan_.get())); }
  std::string recipe() const { return detail::take(ulpfft_plan_recipe(plan_.get())); }
  // Relative L2 error against the exact transform of what the input encodes, for complex normal data, and how it is known.
  double error() const noexcept { return ulpfft_plan_error(plan_.get()); }
  ErrorLevel error_level() const noexcept { return static_cast<ErrorLevel>(ulpfft_plan_error_level(plan_.get())); }
  // Measures it now, on random data.
  ErrorReport measure_error(ErrorLevel level = ErrorLevel::kSampled) const {
    return report([&](ulpfft_error_report* to) { return ulpfft_plan_measure_error(plan_.get(), static_cast<int>(level), to); });
  }
  // The error on the caller's own input, which is only read.
  template <NumberRange In>
  ErrorReport assess(const In& in, ErrorLevel level = ErrorLevel::kSampled) const {
    require_one_array(in_, "in");
    detail::check_array<std::ranges::range_value_t<In>>(in_, "in", std::ranges::data(in), std::ranges::size(in));
    return assess(std::ranges::data(in), nullptr, level);
  }
  template <RealRange InRe, RealRange InIm>
  ErrorReport assess(const InRe& in_re, const InIm& in_im, ErrorLevel level = ErrorLevel::kSampled) const {
    require_split(in_, "in");
    detail::check_array<std::ranges::range_value_t<InRe>>(in_, "in_re", std::ranges::data(in_re), std::ranges::size(in_re));
    detail::check_array<std::ranges::range_value_t<InIm>>(in_, "in_im", std::ranges::data(in_im), std::ranges::size(in_im));
    return assess(std::ranges::data(in_re), std::ranges::data(in_im), level);
  }
  // Threads an execution uses: 1 to the problem's.
  int threads() const noexcept { return ulpfft_plan_threads(plan_.get()); }
  // Seconds that planning took.
  double planning_seconds() const noexcept { return ulpfft_plan_planning_seconds(plan_.get()); }
  // Best measured seconds of one execution; 0 when nothing was timed.
  double seconds() const noexcept { return ulpfft_plan_seconds(plan_.get()); }
  // Scratch bytes of one execution.
  std::size_t workspace_bytes() const noexcept { return ulpfft_plan_workspace_bytes(plan_.get()); }
  // Bytes of its arrays, its tables and one execution.
  Memory memory() const {
    return detail::read_memory([&](ulpfft_memory* to) { return ulpfft_plan_memory(plan_.get(), to); });
  }
  // Operations on real numbers of one execution (ulpfft.h, ulpfft_operation_counts).
  OperationCounts operation_counts() const {
    ulpfft_operation_counts from = ULPFFT_OPERATION_COUNTS_INIT;
    detail::check(ulpfft_plan_operation_counts(plan_.get(), &from));
    return {from.adds, from.muls, from.fmas};
  }
  // Whether the recipe came from wisdom, so that nothing was timed.
  bool from_wisdom() const noexcept { return ulpfft_plan_from_wisdom(plan_.get()) != 0; }
  // Elements an input and an output array must have: the last element the strides reach, plus one. In place the real side of r2c and c2r
  // has as many reals as hold the spectrum.
  std::size_t in_elements() const noexcept { return in_.elements; }
  std::size_t out_elements() const noexcept { return out_.elements; }
  // What an array of the plan holds and where its elements lie: ULPFFT_SIDE_IN, _OUT or, of chains, _FACTORS (c/sides.h).
  ulpfft_side side(int which) const { return detail::told_side(plan_.get(), which); }
  // Hash of the output bits for the library's fixed input; equal for equal recipes on every target with FMA.
  std::uint64_t hash() const {
    std::uint64_t bits = 0;
    detail::check(ulpfft_plan_hash(plan_.get(), &bits));
    return bits;
  }
  // What the planner considered, best first.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> list(ulpfft_plan_candidate_count(plan_.get()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      ulpfft_candidate entry{};
      entry.size = sizeof entry;
      detail::check(ulpfft_plan_candidate_get(plan_.get(), i, &entry));
      list[i] = {entry.recipe, entry.seconds, entry.spread, entry.predicted_seconds, entry.kind, entry.threads, entry.error};
    }
    return list;
  }
  // For the C interface; still owned by this object.
  const ulpfft_plan* get() const noexcept { return plan_.get(); }

 private:
  struct Destroy {
    void operator()(ulpfft_plan* owned) const noexcept { ulpfft_plan_destroy(owned); }
  };

  template <typename Measure>
  static ErrorReport report(const Measure& measure) {
    ulpfft_error_report from{};
    from.size = sizeof from;
    detail::check(measure(&from));
    return {from.relative_l2, from.relative_largest, from.outputs, static_cast<ErrorLevel>(from.level)};
  }

  ErrorReport assess(const void* in, const void* in_im, ErrorLevel level) const {
    const ulpfft_const_array data{sizeof data, {in, in_im}, {}, nullptr};
    const ulpfft_array from = ulpfft_input(&data);
    return report([&](ulpfft_error_report* to) { return ulpfft_plan_assess(plan_.get(), &from, static_cast<int>(level), to); });
  }

  static constexpr const char* kOverlap =
      "Input and output overlap, but the plan is out of place. Plan with .placement = Placement::kInPlace.";

  // Throws unless a side has its real and imaginary parts in two arrays.
  static void require_split(const detail::Side& side, const char* name) {
    if (side.split) return;
    throw Error(Status::kInvalidArgument, name,
                side.real ? "This side of the plan is one array of real numbers."
                          : "The plan is interleaved: pass arrays of std::complex.");
  }
  // Throws unless a side is one array.
  static void require_one_array(const detail::Side& side, const char* name) {
    if (!side.split) return;
    throw Error(Status::kInvalidArgument, name, "The plan is split: pass real and imaginary parts as separate arrays.");
  }

  template <typename In, typename Out>
  void check_pointers() const {
    static constexpr In kIn{};
    static constexpr Out kOut{};
    detail::Side in = in_, out = out_;  // only the types can be checked
    in.reaches_before_start = out.reaches_before_start = false;
    in.elements = out.elements = 0;
    detail::check_array<In>(in, "in", &kIn, 0);
    detail::check_array<Out>(out, "out", &kOut, 0);
  }

  // Only the elements that the plan reaches count: the rest of a larger array may be shared.
  template <typename In, std::size_t N, typename Out, std::size_t M>
  void check_overlap(std::span<In, N> in, std::span<Out, M> out, const char* name) const {
    const auto from = std::as_bytes(in.first(in_.elements));
    const auto to = std::as_bytes(out.first(out_.elements));
    if (in_.in_place) {
      if (from.data() == to.data()) return;
      throw Error(Status::kInvalidArgument, name, "The plan is in place: input and output must be the same array.");
    }
    const std::less<const std::byte*> before;
    if (before(from.data(), to.data() + to.size()) && before(to.data(), from.data() + from.size())) {
      throw Error(Status::kInvalidArgument, name, kOverlap);
    }
  }

  template <typename In, typename Out>
  void run_chain(const In& in, Out& out, const ulpfft_operation& operation) const {
    require_one_array(in_, "in");
    detail::check_array<std::ranges::range_value_t<In>>(in_, "in", std::ranges::data(in), std::ranges::size(in));
    detail::check_array<std::ranges::range_value_t<Out>>(out_, "out", std::ranges::data(out), std::ranges::size(out));
    check_overlap(std::span(in), std::span(out), "out");
    const ulpfft_const_array data{sizeof data, {std::ranges::data(in), nullptr}, {}, nullptr};
    const ulpfft_array from = ulpfft_input(&data);
    ulpfft_array to = ULPFFT_ARRAY_INIT;
    to.data[0] = std::ranges::data(out);
    detail::check(ulpfft_execute_chain(plan_.get(), &from, &to, &operation, nullptr));
  }

  void run(const void* in, const void* in_im, void* out, void* out_im, std::span<std::byte> workspace) const {
    if (!workspace.empty() && workspace.size() < workspace_bytes()) {
      throw Error(Status::kInvalidArgument, "workspace",
                  "workspace has " + std::to_string(workspace.size()) + " bytes; the plan needs " +
                      std::to_string(workspace_bytes()) + ".");
    }
    if (workspace.empty() && in_im == nullptr) return detail::check(ulpfft_execute(plan_.get(), in, out));
    const ulpfft_const_array data{sizeof data, {in, in_im}, {}, nullptr};
    const ulpfft_array from = ulpfft_input(&data);
    ulpfft_array to = ULPFFT_ARRAY_INIT;
    to.data[0] = out;
    to.data[1] = out_im;
    detail::check(ulpfft_execute_arrays(plan_.get(), &from, &to, workspace.empty() ? nullptr : workspace.data()));
  }

  std::unique_ptr<ulpfft_plan, Destroy> plan_;
  detail::Side in_, out_;
};

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_PLAN_HPP_
