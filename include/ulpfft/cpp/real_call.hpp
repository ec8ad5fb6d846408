// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// rfft(), irfft() and their kin of several dimensions: one call between real numbers and the half of their spectrum that is not the
// conjugate of the other.
//
//   ulpfft::rfft(signal, spectrum);                // n reals, n/2 + 1 complex numbers
//   ulpfft::irfft(spectrum, signal);               // back; divides by n
//   ulpfft::rfft(in, out, {480, 640}, 0);          // every column of a real array; out has 241 rows
//   ulpfft::rfft2(image, out, {480, 640});         // out is 480 x 321
//   ulpfft::irfftn(in, volume, {32, 64, 64});      // to an array of that shape
//
// Arrays   `in` and `out` are contiguous ranges of float and std::complex<float>, or of double and std::complex<double>, dense and
//          row-major. They must not overlap.
// Shape    is that of the real array, whichever side it is on. The spectrum has length n/2 + 1 along the axis that is named last.
// irfft    ignores imaginary parts that a real result cannot have: of index 0 and, where n is even, of n/2.
// The rest is as in one_call.hpp.
#ifndef ULPFFT_CPP_REAL_CALL_HPP_
#define ULPFFT_CPP_REAL_CALL_HPP_

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>

#include "ulpfft/cpp/array_check.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/one_call.hpp"
#include "ulpfft/cpp/problem.hpp"

namespace ulpfft {
inline namespace v0 {

namespace detail {

// `list`: the axes, the last of them is halved; empty: all of them, the last one.
inline Axes real_axes_of(const Shape& shape, const Shape& list) {
  std::int64_t points = 1;
  for (const std::int64_t length : shape) {
    if (length > 0 && __builtin_mul_overflow(points, length, &points)) break;
  }
  Axes axes = axes_of(shape, list, static_cast<std::size_t>(points));
  const auto rank = static_cast<std::int64_t>(axes.rank);
  const std::int64_t last = list.empty() ? rank - 1 : list[list.size() - 1];
  axes.halved = static_cast<std::size_t>(last < 0 ? last + rank : last);
  return axes;
}

template <typename Reals, typename Numbers>
concept SamePrecision = std::same_as<std::complex<std::ranges::range_value_t<Reals>>, std::ranges::range_value_t<Numbers>>;

inline void check_count(const char* name, std::size_t count, std::int64_t needed) {
  if (count == static_cast<std::size_t>(needed)) return;
  throw Error(Status::kInvalidArgument, name,
              std::string(name) + " has " + std::to_string(count) + " elements; this shape has " + std::to_string(needed) + ".");
}

template <typename In, typename Out>
void transform_real(const In& in, Out& out, const Axes& axes, bool inverse) {
  check_count("in", std::ranges::size(in), axes.elements(inverse));
  check_count("out", std::ranges::size(out), axes.elements(!inverse));
  const bool is_double = storage_of<std::ranges::range_value_t<In>>() == "f64";
  PlanCache::instance().get({axes, is_double, inverse, false})->execute(in, out);
}

// `name`: the argument that holds the real numbers.
inline Axes whole_real_axes(const char* name, std::size_t size) {
  Axes axes = whole_axes(name, size);
  axes.halved = 0;
  return axes;
}

}  // namespace detail

// The transform of a whole range of n reals: out[k] = sum_j in[j] exp(-2 pi i j k / n), k = 0 .. n/2.
template <RealRange In, ComplexRange Out>
  requires WritableRange<Out> && detail::SamePrecision<In, Out>
void rfft(const In& in, Out&& out) {
  detail::transform_real(in, out, detail::whole_real_axes("in", std::ranges::size(in)), false);
}
// The inverse of rfft; the size of `out` is n.
template <ComplexRange In, RealRange Out>
  requires WritableRange<Out> && detail::SamePrecision<Out, In>
void irfft(const In& in, Out&& out) {
  detail::transform_real(in, out, detail::whole_real_axes("out", std::ranges::size(out)), true);
}

// Along one axis of an array, of all its lines.
template <RealRange In, ComplexRange Out>
  requires WritableRange<Out> && detail::SamePrecision<In, Out>
void rfft(const In& in, Out&& out, const Shape& shape, int axis = -1) {
  detail::transform_real(in, out, detail::real_axes_of(shape, axis), false);
}
template <ComplexRange In, RealRange Out>
  requires WritableRange<Out> && detail::SamePrecision<Out, In>
void irfft(const In& in, Out&& out, const Shape& shape, int axis = -1) {
  detail::transform_real(in, out, detail::real_axes_of(shape, axis), true);
}

// Over two axes, by default the last two.
template <RealRange In, ComplexRange Out>
  requires WritableRange<Out> && detail::SamePrecision<In, Out>
void rfft2(const In& in, Out&& out, const Shape& shape, int axis0 = -2, int axis1 = -1) {
  detail::transform_real(in, out, detail::real_axes_of(shape, {axis0, axis1}), false);
}
template <ComplexRange In, RealRange Out>
  requires WritableRange<Out> && detail::SamePrecision<Out, In>
void irfft2(const In& in, Out&& out, const Shape& shape, int axis0 = -2, int axis1 = -1) {
  detail::transform_real(in, out, detail::real_axes_of(shape, {axis0, axis1}), true);
}

// Over several axes, by default all.
template <RealRange In, ComplexRange Out>
  requires WritableRange<Out> && detail::SamePrecision<In, Out>
void rfftn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}) {
  detail::transform_real(in, out, detail::real_axes_of(shape, axes), false);
}
template <ComplexRange In, RealRange Out>
  requires WritableRange<Out> && detail::SamePrecision<Out, In>
void irfftn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}) {
  detail::transform_real(in, out, detail::real_axes_of(shape, axes), true);
}

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_REAL_CALL_HPP_
