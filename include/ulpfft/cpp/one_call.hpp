// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// fft(), ifft() and their kin of several dimensions: one call, no plan to keep.
//
//   ulpfft::fft(in, out);                        // the whole range, one dimension
//   ulpfft::fft(in, out, {480, 640}, 0);         // an array of 480 rows: every column, axis 0
//   ulpfft::fft2(in, out, {8, 480, 640});        // 8 images: the last two axes
//   ulpfft::fftn(in, out, {32, 480, 640});       // a volume: all axes
//   ulpfft::ifftn(in, out, {32, 8, 480}, {0, 2}) // those axes; divides by 32 * 480
//
// Arrays   vectors, spans or other contiguous ranges of std::complex<float> or std::complex<double>, of equal length and type, dense and
//          row-major: the last axis varies fastest. `out` may be `in`, but must not overlap it otherwise.
// Shape    1 to 8 lengths, whose product is the size of the ranges. Axes count from 0, or from the end if negative, as NumPy's do.
// Scale    forward transforms are not scaled; inverse ones divide by the product of the lengths they transform.
// Plans    come from the process-wide context (its wisdom, else an estimate: nothing is timed). They are kept for the 32 problems (shape,
//          axes, type, direction, placement) used last.
// Real     rfft() and irfft() of real_call.hpp take and give real numbers; fft() of real input does not compile.
// Errors   Error names "in", "out", "shape" or "axis". An empty range of a call without a shape is "in" or "out".
// Threads  safe from any number of them.
#ifndef ULPFFT_CPP_ONE_CALL_HPP_
#define ULPFFT_CPP_ONE_CALL_HPP_

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "ulpfft/cpp/array_check.hpp"
#include "ulpfft/cpp/context.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/plan.hpp"
#include "ulpfft/cpp/problem.hpp"

namespace ulpfft {
inline namespace v0 {

namespace detail {

inline constexpr std::size_t kMostAxes = 8;

// The shape of an array, and which of its axes are transformed. Of real transforms it is the shape of the real array.
struct Axes {
  std::array<std::int64_t, kMostAxes> lengths{};
  std::size_t rank = 0;
  std::uint32_t transformed = 0;  // bit i: axis i
  std::size_t halved = kMostAxes;  // of real transforms: the axis whose spectrum is stored by half
  bool operator==(const Axes&) const = default;

  std::int64_t stored(std::size_t axis, bool spectrum) const {
    return spectrum && axis == halved ? lengths[axis] / 2 + 1 : lengths[axis];
  }
  std::int64_t elements(bool spectrum) const {
    std::int64_t count = 1;
    for (std::size_t i = 0; i < rank; ++i) count *= stored(i, spectrum);
    return count;
  }
};

// Plans of the one-call forms, most recently used first. Bounded: a plan not among the last kCapacity problems is dropped.
class PlanCache {
 public:
  static constexpr std::size_t kCapacity = 32;
  struct Key {
    Axes axes;
    bool is_double, inverse, in_place;
    int r2r = -1;                        // R2r along every axis; below 0: no transform between real numbers
    Scale::Named scale = Scale::kNone;   // of r2r
    bool operator==(const Key&) const = default;
  };

  std::shared_ptr<const Plan> get(const Key& key) {
    if (auto found = find(key)) return found;
    auto made = std::make_shared<const Plan>(Context::process_wide().plan(problem_of(key), {.effort = Effort::kEstimate}));
    const std::scoped_lock lock(mutex_);
    if (entries_.size() == kCapacity) entries_.pop_back();
    entries_.insert(entries_.begin(), {key, made});
    return made;
  }

  static PlanCache& instance() {
    static PlanCache cache;
    return cache;
  }

 private:
  static std::array<std::int64_t, kMostAxes> strides_of(const Axes& axes, bool spectrum) {
    std::array<std::int64_t, kMostAxes> strides{};
    std::int64_t stride = 1;
    for (std::size_t i = axes.rank; i-- > 0;) {
      strides[i] = stride;
      stride *= axes.stored(i, spectrum);
    }
    return strides;
  }

  // Axes that are not transformed are batch dimensions, wherever they lie: the strides say where. The axis that is halved comes last.
  static Problem problem_of(const Key& key) {
    const bool is_real = key.axes.halved < kMostAxes;
    const bool is_r2r = key.r2r >= 0;
    const Kind kind = is_r2r ? Kind::kR2R : !is_real ? Kind::kC2C : key.inverse ? Kind::kC2R : Kind::kR2C;
    Problem problem{.kind = kind,
                    .storage = key.is_double ? "f64" : "f32",
                    .direction = key.inverse && !is_real ? Direction::kInverse : Direction::kForward,
                    .scale = is_r2r ? key.scale : key.inverse ? Scale::kByN : Scale::kNone,
                    .placement = key.in_place ? Placement::kInPlace : Placement::kOutOfPlace};
    const auto in = strides_of(key.axes, kind == Kind::kC2R), out = strides_of(key.axes, kind == Kind::kR2C);
    const auto add = [&](std::size_t i) {
      const bool transformed = (key.axes.transformed >> i & 1U) != 0;
      (transformed ? problem.lengths : problem.batch).push_back(key.axes.lengths[i]);
      (transformed ? problem.in_strides : problem.batch_in_strides).push_back(in[i]);
      (transformed ? problem.out_strides : problem.batch_out_strides).push_back(out[i]);
    };
    for (std::size_t i = 0; i < key.axes.rank; ++i) {
      if (i != key.axes.halved) add(i);
    }
    if (is_real) add(key.axes.halved);
    if (is_r2r) problem.kinds.assign(problem.lengths.size(), static_cast<R2r>(key.r2r));
    return problem;
  }

  std::shared_ptr<const Plan> find(const Key& key) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == key; });
    if (found == entries_.end()) return nullptr;
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().second;
  }

  std::mutex mutex_;
  std::vector<std::pair<Key, std::shared_ptr<const Plan>>> entries_;
};

// Checks a shape against the size of the input.
inline Axes axes_of_shape(const Shape& shape, std::size_t size) {
  if (shape.empty() || shape.size() > kMostAxes) {
    throw Error(Status::kInvalidArgument, "shape", "shape has " + std::to_string(shape.size()) + " lengths; 1 to 8 are possible.");
  }
  Axes axes;
  std::int64_t points = 1;
  for (const std::int64_t length : shape) {
    if (length < 1 || points > std::numeric_limits<std::int64_t>::max() / length) {
      throw Error(Status::kInvalidArgument, "shape",
                  "shape has a length of " + std::to_string(length) + "; lengths are 1 or more, and their product fits in 64 bits.");
    }
    points *= length;
    axes.lengths[axes.rank++] = length;
  }
  if (static_cast<std::size_t>(points) != size) {
    throw Error(Status::kInvalidArgument, "shape",
                "shape has " + std::to_string(points) + " elements; in has " + std::to_string(size) + ".");
  }
  return axes;
}

// The one axis of a range, which is transformed. `name`: the argument.
inline Axes whole_axes(const char* name, std::size_t size) {
  if (size == 0) throw Error(Status::kInvalidArgument, name, std::string(name) + " has 0 elements; a transform has 1 or more.");
  Axes axes = axes_of_shape(Shape(static_cast<std::int64_t>(size)), size);
  axes.transformed = 1;
  return axes;
}

inline void add_axis(Axes& axes, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(axes.rank);
  if (axis < -rank || axis >= rank) {
    throw Error(Status::kInvalidArgument, "axis",
                "axis is " + std::to_string(axis) + "; an array of " + std::to_string(rank) + " dimensions has axes " +
                    std::to_string(-rank) + " to " + std::to_string(rank - 1) + ".");
  }
  const std::uint32_t bit = std::uint32_t{1} << (axis < 0 ? axis + rank : axis);
  if ((axes.transformed & bit) != 0) throw Error(Status::kInvalidArgument, "axis", "axis " + std::to_string(axis) + " is named twice.");
  axes.transformed |= bit;
}

// Empty `list`: all of them.
inline Axes axes_of(const Shape& shape, const Shape& list, std::size_t size) {
  Axes axes = axes_of_shape(shape, size);
  for (const std::int64_t axis : list) add_axis(axes, axis);
  if (list.empty()) axes.transformed = (std::uint32_t{1} << axes.rank) - 1;
  return axes;
}

// Real numbers get as far as this sentence, which is shorter than a list of unmet constraints.
template <typename In>
constexpr void require_complex() {
  constexpr bool kComplex = ComplexRange<In>;  // by its name, or compilers explain the concept in 20 lines
  static_assert(kComplex, "real input: rfft() and its kin take it. For the whole spectrum copy it into std::complex numbers first.");
}

template <ComplexRange In, ComplexRange Out>
  requires std::same_as<std::ranges::range_value_t<In>, std::ranges::range_value_t<Out>>
void transform_complex(const In& in, Out& out, const Axes& axes, bool inverse) {
  using Element = std::ranges::range_value_t<In>;
  const std::size_t n = std::ranges::size(in);
  if (std::ranges::size(out) != n) {
    throw Error(Status::kInvalidArgument, "out",
                "out has " + std::to_string(std::ranges::size(out)) + " elements; in has " + std::to_string(n) + ".");
  }
  const bool in_place = n != 0 && std::ranges::data(in) == std::ranges::data(out);
  PlanCache::instance().get({axes, storage_of<Element>() == "f64", inverse, in_place})->execute(in, out);
}

template <typename In, typename Out>
void transform_once(const In& in, Out& out, const Axes& axes, bool inverse) {
  require_complex<In>();
  constexpr bool kSame = std::same_as<std::ranges::range_value_t<In>, std::ranges::range_value_t<Out>>;
  static_assert(kSame || RealRange<In>, "in and out must hold the same type");
  if constexpr (kSame && ComplexRange<In>) transform_complex(in, out, axes, inverse);
}

}  // namespace detail

// The 1-D transform of a whole range: out[k] = sum_j in[j] exp(-2 pi i j k / n).
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void fft(const In& in, Out&& out) {
  detail::transform_once(in, out, detail::whole_axes("in", std::ranges::size(in)), false);
}

// The inverse of fft: out[j] = (1/n) sum_k in[k] exp(+2 pi i j k / n).
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void ifft(const In& in, Out&& out) {
  detail::transform_once(in, out, detail::whole_axes("in", std::ranges::size(in)), true);
}

// The 1-D transforms along one axis of an array, of all its lines.
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void fft(const In& in, Out&& out, const Shape& shape, int axis = -1) {
  detail::transform_once(in, out, detail::axes_of(shape, axis, std::ranges::size(in)), false);
}
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void ifft(const In& in, Out&& out, const Shape& shape, int axis = -1) {
  detail::transform_once(in, out, detail::axes_of(shape, axis, std::ranges::size(in)), true);
}

// 2-D transforms over two axes of an array, by default its last two.
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void fft2(const In& in, Out&& out, const Shape& shape, int axis0 = -2, int axis1 = -1) {
  detail::transform_once(in, out, detail::axes_of(shape, {axis0, axis1}, std::ranges::size(in)), false);
}
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void ifft2(const In& in, Out&& out, const Shape& shape, int axis0 = -2, int axis1 = -1) {
  detail::transform_once(in, out, detail::axes_of(shape, {axis0, axis1}, std::ranges::size(in)), true);
}

// Transforms over several axes of an array, by default all.
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void fftn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}) {
  detail::transform_once(in, out, detail::axes_of(shape, axes, std::ranges::size(in)), false);
}
template <NumberRange In, NumberRange Out>
  requires WritableRange<Out>
void ifftn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}) {
  detail::transform_once(in, out, detail::axes_of(shape, axes, std::ranges::size(in)), true);
}

// Without an output these exist for real input alone, to say what the others say.
template <RealRange In>
void fft(const In&) { detail::require_complex<In>(); }
template <RealRange In>
void ifft(const In&) { detail::require_complex<In>(); }
template <RealRange In>
void fft2(const In&) { detail::require_complex<In>(); }
template <RealRange In>
void ifft2(const In&) { detail::require_complex<In>(); }
template <RealRange In>
void fftn(const In&) { detail::require_complex<In>(); }
template <RealRange In>
void ifftn(const In&) { detail::require_complex<In>(); }

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_ONE_CALL_HPP_
