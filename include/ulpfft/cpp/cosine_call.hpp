// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// dct(), dst() and their kin of several dimensions: one call between real numbers.
//
//   ulpfft::dct(signal, coefficients);                  // type 2, as scipy.fft.dct(x)
//   ulpfft::idct(coefficients, signal);                 // back; divides by 2 n
//   ulpfft::dct(in, out, 4, ulpfft::Norm::kOrtho);      // type 4, an orthogonal matrix
//   ulpfft::dct(in, out, {480, 640}, 0);                // every column
//   ulpfft::dctn(images, out, {8, 480, 640}, {1, 2});   // 8 images
//   ulpfft::idstn(in, volume, {32, 64, 64}, {}, 1);     // type 1 over all axes
//
// Arrays   contiguous ranges of float or of double, of equal size and type, dense and row-major. `out` may be `in`, but must not overlap it
//          otherwise.
// Types    1 to 4: REDFT00, 10, 01 and 11 of ulpfft.h for dct, RODFT for dst. idct and idst of types 2 and 3 compute the other type.
// Norm     as scipy.fft has it, with N = 2 n (of dct of type 1 2 (n - 1), of dst of type 1 2 (n + 1)) for each length. It says how the two
//          ways share the factor 1/N; kOrtho also weighs ends, so that every matrix is orthogonal (ulpfft.h, R2r kinds). SciPy documents
//          the same weights; its releases before the repair of its issue 18452 weigh the other end in dst of types 2 and 3.
// Errors   Error names "type" as well: one that is none of the four, and type 1 of dct along an axis of one number.
// The rest is as in one_call.hpp.
#ifndef ULPFFT_CPP_COSINE_CALL_HPP_
#define ULPFFT_CPP_COSINE_CALL_HPP_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <vector>

#include "ulpfft/cpp/array_check.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/cpp/one_call.hpp"
#include "ulpfft/cpp/problem.hpp"

namespace ulpfft {
inline namespace v0 {

enum class Norm : int {
  kBackward,  // dct and dst are not scaled; idct and idst divide by N
  kOrtho,     // both divide by sqrt N, and weigh ends
  kForward,   // dct and dst divide by N; idct and idst are not scaled
};

namespace detail {

struct CosineCall {
  bool sines = false;
  bool inverse = false;
  int type = 2;
  Norm norm = Norm::kBackward;
};

inline R2r kind_of(const CosineCall& call, const Axes& axes) {
  if (call.type < 1 || call.type > 4) {
    throw Error(Status::kInvalidArgument, "type",
                "type is " + std::to_string(call.type) + "; there are types 1 to 4 of " + (call.sines ? "dst." : "dct."));
  }
  for (std::size_t i = 0; i < axes.rank; ++i) {
    const bool transformed = (axes.transformed >> i & 1U) != 0;
    if (call.type != 1 || call.sines || !transformed || axes.lengths[i] > 1) continue;
    throw Error(Status::kInvalidArgument, "type",
                "type is 1, but axis " + std::to_string(i) + " has one number; dct of type 1 needs 2 or more.");
  }
  constexpr std::array kCosines{R2r::kDCT1, R2r::kDCT2, R2r::kDCT3, R2r::kDCT4}, kSines{R2r::kDST1, R2r::kDST2, R2r::kDST3, R2r::kDST4};
  const bool exchanged = call.inverse && (call.type == 2 || call.type == 3);
  const auto index = static_cast<std::size_t>((exchanged ? 5 - call.type : call.type) - 1);
  return call.sines ? kSines[index] : kCosines[index];
}

inline Scale::Named scale_of(const CosineCall& call) {
  if (call.norm == Norm::kOrtho) return Scale::kOrtho;
  return (call.norm == Norm::kForward) == call.inverse ? Scale::kNone : Scale::kByN;
}

template <RealRange In, RealRange Out>
  requires std::same_as<std::ranges::range_value_t<In>, std::ranges::range_value_t<Out>>
void transform_cosines(const In& in, Out& out, const Axes& axes, const CosineCall& call) {
  const std::size_t n = std::ranges::size(in);
  if (std::ranges::size(out) != n) {
    throw Error(Status::kInvalidArgument, "out",
                "out has " + std::to_string(std::ranges::size(out)) + " elements; in has " + std::to_string(n) + ".");
  }
  const bool in_place = n != 0 && std::ranges::data(in) == std::ranges::data(out);
  PlanCache::Key key{axes, storage_of<std::ranges::range_value_t<In>>() == "f64", false, in_place};
  key.r2r = static_cast<int>(kind_of(call, axes));
  key.scale = scale_of(call);
  PlanCache::instance().get(key)->execute(in, out);
}

template <typename In, typename Out>
concept SameReals = RealRange<In> && RealRange<Out> && WritableRange<Out> &&
                    std::same_as<std::ranges::range_value_t<In>, std::ranges::range_value_t<Out>>;

}  // namespace detail

// The transform of a whole range.
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void dct(const In& in, Out&& out, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::whole_axes("in", std::ranges::size(in)), {false, false, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void idct(const In& in, Out&& out, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::whole_axes("in", std::ranges::size(in)), {false, true, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void dst(const In& in, Out&& out, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::whole_axes("in", std::ranges::size(in)), {true, false, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void idst(const In& in, Out&& out, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::whole_axes("in", std::ranges::size(in)), {true, true, type, norm});
}

// Along one axis of an array, of all its lines.
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void dct(const In& in, Out&& out, const Shape& shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axis, std::ranges::size(in)), {false, false, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void idct(const In& in, Out&& out, const Shape& shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axis, std::ranges::size(in)), {false, true, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void dst(const In& in, Out&& out, const Shape& shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axis, std::ranges::size(in)), {true, false, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void idst(const In& in, Out&& out, const Shape& shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axis, std::ranges::size(in)), {true, true, type, norm});
}

// The same of a shape in braces: dct(in, out, {8}) is a line of 8 numbers, not type 8.
template <typename In, typename Out, std::integral Extent>
  requires detail::SameReals<In, Out>
void dct(const In& in, Out&& out, std::initializer_list<Extent> shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  dct(in, out, Shape(std::vector<std::int64_t>(shape.begin(), shape.end())), axis, type, norm);
}
template <typename In, typename Out, std::integral Extent>
  requires detail::SameReals<In, Out>
void idct(const In& in, Out&& out, std::initializer_list<Extent> shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  idct(in, out, Shape(std::vector<std::int64_t>(shape.begin(), shape.end())), axis, type, norm);
}
template <typename In, typename Out, std::integral Extent>
  requires detail::SameReals<In, Out>
void dst(const In& in, Out&& out, std::initializer_list<Extent> shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  dst(in, out, Shape(std::vector<std::int64_t>(shape.begin(), shape.end())), axis, type, norm);
}
template <typename In, typename Out, std::integral Extent>
  requires detail::SameReals<In, Out>
void idst(const In& in, Out&& out, std::initializer_list<Extent> shape, int axis = -1, int type = 2, Norm norm = Norm::kBackward) {
  idst(in, out, Shape(std::vector<std::int64_t>(shape.begin(), shape.end())), axis, type, norm);
}

// Over several axes, by default all.
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void dctn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axes, std::ranges::size(in)), {false, false, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void idctn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axes, std::ranges::size(in)), {false, true, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void dstn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axes, std::ranges::size(in)), {true, false, type, norm});
}
template <typename In, typename Out>
  requires detail::SameReals<In, Out>
void idstn(const In& in, Out&& out, const Shape& shape, const Shape& axes = {}, int type = 2, Norm norm = Norm::kBackward) {
  detail::transform_cosines(in, out, detail::axes_of(shape, axes, std::ranges::size(in)), {true, true, type, norm});
}

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_COSINE_CALL_HPP_
