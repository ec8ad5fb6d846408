// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/python/src/transform.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "bindings/python/src/error.h"
#include "bindings/python/src/hermitian.h"
#include "bindings/python/src/operand.h"
#include "bindings/python/src/plan_cache.h"
#include "bindings/python/src/request.h"
#include "bindings/python/src/settings.h"
#include "bindings/python/src/without_gil.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

// Below it a transform takes less time than others need to get the GIL.
constexpr std::int64_t kNumbersWithGil = 1024;

// Dimensions beyond those of a plan's batch, which calls of the plan run over.
struct Loop {
  std::int64_t length, in_bytes, out_bytes;
};

// A call whose arrays are there: what a plan is asked for, and what is left around it.
struct Work {
  Request request;
  std::array<Loop, kMostAxes> loops{};
  int loop_count = 0;
  bool is_empty = false;
  double factor = 1.0;  // of the result, where neither norm nor weights of the plan say it
};

constexpr bool is_r2r(Family family) { return family == Family::kCosine || family == Family::kSine; }

// Along which axes, in the plan's order: that of memory, but that the halved one comes last.
std::array<int, kMostAxes> ordered(const Call& call) {
  std::array<int, kMostAxes> places{};
  for (int i = 0; i < call.axis_count; ++i) places[static_cast<std::size_t>(i)] = i;
  const bool has_half = call.family == Family::kHalf || call.family == Family::kReal;
  std::sort(places.begin(), places.begin() + call.axis_count - (has_half ? 1 : 0),
            [&call](int a, int b) { return call.axes[static_cast<std::size_t>(a)] < call.axes[static_cast<std::size_t>(b)]; });
  return places;
}

int r2r_kind(const Call& call) {
  constexpr int kCosines[] = {ULPFFT_REDFT00, ULPFFT_REDFT10, ULPFFT_REDFT01, ULPFFT_REDFT11};
  constexpr int kSines[] = {ULPFFT_RODFT00, ULPFFT_RODFT10, ULPFFT_RODFT01, ULPFFT_RODFT11};
  int type = call.type;
  if (!call.forward && (type == 2 || type == 3)) type = 5 - type;
  return (call.family == Family::kCosine ? kCosines : kSines)[type - 1];
}

// The scale of a plan, and what it lacks: weights without the norm, or the norm without weights.
void set_scale(const Call& call, Work& work) {
  const int norm = call.norm;
  Request& request = work.request;
  request.scale_kind = norm == 0 ? ULPFFT_SCALE_NONE : norm == 1 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_BY_N;
  if (!is_r2r(call.family)) return;
  const bool weighted = call.orthogonalize < 0 ? norm == 1 : call.orthogonalize == 1;
  if (weighted == (norm == 1)) return;
  double points = 1.0;  // product of the logical lengths
  for (int i = 0; i < call.axis_count; ++i) {
    const auto n = static_cast<double>(call.lengths[static_cast<std::size_t>(i)]);
    points *= 2.0 * (call.type != 1 ? n : call.family == Family::kCosine ? n - 1.0 : n + 1.0);
  }
  if (weighted) {
    request.scale_kind = ULPFFT_SCALE_ORTHO;
    work.factor = norm == 0 ? std::sqrt(points) : 1.0 / std::sqrt(points);
  } else {
    request.scale_kind = ULPFFT_SCALE_NONE;
    work.factor = 1.0 / std::sqrt(points);
  }
}

// Batch dimensions: those that lie densely in both arrays become one, and what a plan does not take becomes loops.
void add_batch(const Operand& in, const Operand& out, std::span<const int> axes, bool pairs, Work& work) {
  std::array<Dimension, kMostAxes + 1> batch{};
  std::size_t count = 0;
  const std::int64_t reals = pairs ? 2 : 1;
  const auto add = [&](const Dimension& inner) {
    if (inner.length == 1) return;
    if (count > 0) {
      Dimension& last = batch[count - 1];
      if (last.in_stride == inner.in_stride * inner.length && last.out_stride == inner.out_stride * inner.length) {
        last = {last.length * inner.length, inner.in_stride, inner.out_stride};
        return;
      }
    }
    batch[count++] = inner;
  };
  for (int axis = 0; axis < in.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    work.is_empty |= in.length(axis) == 0;
    add({in.length(axis), in.stride(axis) * reals, out.stride(axis) * reals});
  }
  if (pairs) add({2, 1, 1});
  const auto unit = [pairs](const Operand& side) { return pairs ? real_bytes(side.element()) : element_bytes(side.element()); };
  const std::size_t looped = count > kMostDimensions ? count - kMostDimensions : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= looped) {
      work.request.add_batch(batch[i]);
    } else {
      work.loops[static_cast<std::size_t>(work.loop_count++)] = {batch[i].length, batch[i].in_stride * unit(in),
                                                                 batch[i].out_stride * unit(out)};
    }
  }
}

Work plan_work(const Call& call, const Operand& in, const Operand& out) {
  Work work;
  Request& request = work.request;
  const bool real_input = !is_complex(in.element());
  const bool pairs = is_r2r(call.family) && !real_input;
  const bool full_of_real = call.family == Family::kFull && real_input;
  request.kind = is_r2r(call.family)                            ? ULPFFT_R2R
                 : full_of_real || call.family == Family::kHalf ? ULPFFT_R2C
                 : call.family == Family::kReal                 ? ULPFFT_C2R
                                                                : ULPFFT_C2C;
  // ULPFFT_FORWARD is the sign of rfft in r2c, and of irfft in c2r.
  const bool own_sign = call.family == Family::kReal ? !call.forward : call.forward;
  request.direction = own_sign || request.kind == ULPFFT_R2R ? ULPFFT_FORWARD : ULPFFT_BACKWARD;
  request.r2r_kind = request.kind == ULPFFT_R2R ? r2r_kind(call) : 0;
  request.placement = in.data() == out.data() ? ULPFFT_IN_PLACE : ULPFFT_OUT_OF_PLACE;
  request.half_input = in.element() == Element::kF16 ? 1 : 0;
  request.is_double = is_double(in.element()) ? 1 : 0;
  request.threads = call.workers;
  request.effort = effort();
  set_scale(call, work);
  const std::array<int, kMostAxes> places = ordered(call);
  const std::int64_t reals = pairs ? 2 : 1;
  for (int i = 0; i < call.axis_count; ++i) {
    const auto place = static_cast<std::size_t>(places[static_cast<std::size_t>(i)]);
    const int axis = call.axes[place];
    const bool may_go = request.kind != ULPFFT_R2R && i + 1 < call.axis_count;  // a transform of one number is that number
    if (may_go && call.lengths[place] == 1) continue;
    request.add_length({call.lengths[place], in.stride(axis) * reals, out.stride(axis) * reals});
  }
  add_batch(in, out, std::span(call.axes).first(static_cast<std::size_t>(call.axis_count)), pairs, work);
  return work;
}

ulpfft_status run_loops(const ulpfft_plan* plan, const Work& work, int depth, const char* in, char* out) {
  if (depth == work.loop_count) return ulpfft_execute(plan, in, out);
  const Loop& loop = work.loops[static_cast<std::size_t>(depth)];
  for (std::int64_t i = 0; i < loop.length; ++i) {
    const ulpfft_status status = run_loops(plan, work, depth + 1, in + i * loop.in_bytes, out + i * loop.out_bytes);
    if (status != ULPFFT_OK) return status;
  }
  return ULPFFT_OK;
}

std::int64_t count_of(const Operand& array) {
  std::int64_t count = 1;
  for (int axis = 0; axis < array.rank(); ++axis) count *= array.length(axis);
  return count;
}

template <typename Real>
void multiply(Real* numbers, std::int64_t count, double factor) {
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = static_cast<Real>(numbers[i] * factor);
}

// What is left to do on a dense result.
void finish(const Call& call, const Work& work, const Operand& in, const Operand& out, std::int64_t count) {
  if (work.factor != 1.0) {
    const std::int64_t reals = count * (is_complex(out.element()) ? 2 : 1);
    if (is_double(out.element())) {
      multiply(reinterpret_cast<double*>(out.data()), reals, work.factor);
    } else {
      multiply(reinterpret_cast<float*>(out.data()), reals, work.factor);
    }
  }
  if (call.family != Family::kFull || is_complex(in.element())) return;
  std::array<std::int64_t, kMostAxes> shape{};
  std::array<AxisRole, kMostAxes> roles{};
  const auto rank = static_cast<std::size_t>(out.rank());
  for (std::size_t axis = 0; axis < rank; ++axis) shape[axis] = out.length(static_cast<int>(axis));
  int halved = 0;  // the plan's last length
  const std::array<int, kMostAxes> places = ordered(call);
  for (int i = 0; i < call.axis_count; ++i) {
    halved = call.axes[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])];
    roles[static_cast<std::size_t>(halved)] = AxisRole::kMirrored;
  }
  roles[static_cast<std::size_t>(halved)] = AxisRole::kHalved;
  if (is_double(out.element())) {
    fill_other_half(reinterpret_cast<double*>(out.data()), std::span(shape).first(rank), std::span(roles).first(rank));
  } else {
    fill_other_half(reinterpret_cast<float*>(out.data()), std::span(shape).first(rank), std::span(roles).first(rank));
  }
}

// False where the library has no plan for these arrays as they lie.
bool execute(const Call& call, const Operand& in, const Operand& out) {
  const Work work = plan_work(call, in, out);
  if (work.is_empty) return true;
  const std::shared_ptr<const ulpfft_plan> plan = plan_for(work.request);
  if (!plan) return false;
  const std::int64_t count = count_of(out);
  ulpfft_status status = ULPFFT_OK;
  const auto run = [&] {
    status = run_loops(plan.get(), work, 0, in.data(), out.data());
    if (status == ULPFFT_OK) finish(call, work, in, out, count);
  };
  if (count < kNumbersWithGil) {
    run();
  } else {
    without_gil(run);
  }
  check(status);
  return true;
}

Element result_element(Family family, Element in) {
  if (family == Family::kReal) return is_double(in) ? Element::kF64 : Element::kF32;
  const bool complex_result = is_r2r(family) ? is_complex(in) : true;
  if (complex_result) return is_double(in) ? Element::kComplex128 : Element::kComplex64;
  return is_double(in) ? Element::kF64 : Element::kF32;
}

// Lengths that the input must have along its axes.
std::int64_t input_length(const Call& call, int i) {
  const std::int64_t n = call.lengths[static_cast<std::size_t>(i)];
  return call.family == Family::kReal && i + 1 == call.axis_count ? n / 2 + 1 : n;
}

bool fits(const Call& call, const Operand& in, bool exactly) {
  for (int i = 0; i < call.axis_count; ++i) {
    const std::int64_t has = in.length(call.axes[static_cast<std::size_t>(i)]), needs = input_length(call, i);
    if (exactly ? has != needs : has < needs) return false;
  }
  return true;
}

// The input as a plan takes it: numbers of a type that the family has, long enough along every axis.
void prepare(const Call& call, Operand& in) {
  if (call.family == Family::kReal && !is_complex(in.element())) in.read(helper("as_complex")(in.object()));
  if (!fits(call, in, false)) {
    nb::list axes, lengths;
    for (int i = 0; i < call.axis_count; ++i) {
      axes.append(call.axes[static_cast<std::size_t>(i)]);
      lengths.append(input_length(call, i));
    }
    in.read(helper("padded")(in.object(), lengths, axes));
  }
}

nb::object result_for(const Call& call, const Operand& in) {
  std::array<std::int64_t, kMostAxes> shape{};
  for (int axis = 0; axis < in.rank(); ++axis) shape[static_cast<std::size_t>(axis)] = in.length(axis);
  for (int i = 0; i < call.axis_count; ++i) {
    const std::int64_t n = call.lengths[static_cast<std::size_t>(i)];
    const bool halved = call.family == Family::kHalf && i + 1 == call.axis_count;
    shape[static_cast<std::size_t>(call.axes[static_cast<std::size_t>(i)])] = halved ? n / 2 + 1 : n;
  }
  return new_array(std::span(shape).first(static_cast<std::size_t>(in.rank())), result_element(call.family, in.element()));
}

bool may_overwrite(const Call& call, const Operand& in) {
  return call.overwrite && call.family == Family::kFull && is_complex(in.element()) && in.writable() && fits(call, in, true);
}

}  // namespace

void read_numbers(nb::handle x, Operand& in) {
  if (!in.read(x) && !in.read(helper("as_numbers")(x))) throw nb::type_error("ulpfft cannot read this array.");
}

nb::object transform(Operand& in, const Call& call) {
  prepare(call, in);
  Operand out;
  if (may_overwrite(call, in)) {
    Operand same;
    if (same.read(in.object()) && execute(call, in, same)) return in.object();
  }
  out.open_new(result_for(call, in));
  if (execute(call, in, out)) return out.object();
  if (in.is_dense()) raise_last_error();
  in.read(helper("dense")(in.object()));
  if (!execute(call, in, out)) raise_last_error();
  return out.object();
}

}  // namespace ulpfft_python
