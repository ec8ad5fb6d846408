// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which arrays a plan can take: the types, and how many elements its strides reach.
#ifndef ULPFFT_CPP_ARRAY_CHECK_HPP_
#define ULPFFT_CPP_ARRAY_CHECK_HPP_

#include <complex>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>

#include "ulpfft/cpp/error.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

template <typename R>
concept ComplexRange = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                       (std::same_as<std::ranges::range_value_t<R>, std::complex<float>> ||
                        std::same_as<std::ranges::range_value_t<R>, std::complex<double>>);
template <typename R>
concept RealRange = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                    (std::same_as<std::ranges::range_value_t<R>, float> || std::same_as<std::ranges::range_value_t<R>, double>);
template <typename R>
concept WritableRange = !std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<R>>>;
template <typename R>
concept NumberRange = ComplexRange<R> || RealRange<R>;
template <typename T>
concept RealScalar = std::same_as<T, float> || std::same_as<T, double>;

namespace detail {

// One side of a plan: the arrays that it takes.
struct Side {
  const char* storage = "";           // lives as long as the plan
  std::size_t real_bytes = 0;         // of f32 and f64; 0 of others
  std::size_t elements = 0;           // that an array must have
  bool reaches_before_start = false;  // a negative stride: only the pointer forms can express where element 0 lies
  bool real = false;                  // of r2c the input, of c2r the output, of r2r and of a chain of r2c both
  bool split = false;                 // complex numbers in two arrays
  bool in_place = false;
  std::size_t half_row = 0;           // of the spectrum of n real numbers: n/2 + 1; else 0
};

inline ulpfft_side told_side(const ulpfft_plan* plan, int which) {
  ulpfft_side side = ULPFFT_SIDE_INIT;
  check(ulpfft_plan_side(plan, which, &side));
  return side;
}

inline Side side_of(const ulpfft_plan* plan, int which) {
  const ulpfft_side from = told_side(plan, which);
  const std::string_view storage = from.storage;
  Side side;
  side.storage = from.storage;
  side.real_bytes = storage == "f32" ? sizeof(float) : storage == "f64" ? sizeof(double) : 0;
  side.elements = static_cast<std::size_t>(from.elements);
  side.reaches_before_start = from.elements_before > 0;
  side.real = from.element == ULPFFT_ELEMENT_REAL;
  side.split = from.parts == 2;
  side.in_place = from.in_place != 0;
  if (from.extent == ULPFFT_EXTENT_HALF) side.half_row = static_cast<std::size_t>(from.lengths[from.rank - 1]);
  return side;
}

template <typename Element>
constexpr std::string_view storage_of() {
  return std::same_as<Element, float> || std::same_as<Element, std::complex<float>> ? "f32" : "f64";
}

// Throws unless an array of `count` elements of a type can be one side of a plan, or a part of a split one.
template <typename Element>
void check_array(const Side& side, const char* name, const void* data, std::size_t count) {
  if (RealScalar<Element> != (side.real || side.split)) {
    throw Error(Status::kInvalidArgument, name,
                side.real    ? std::string(name) + " holds complex numbers, but this side of the plan has real ones: pass reals."
                : side.split ? "The plan is split: pass real and imaginary parts as separate arrays."
                             : "The plan is interleaved: pass arrays of std::complex.");
  }
  if (sizeof(Element) / (RealScalar<Element> ? 1 : 2) != side.real_bytes) {
    throw Error(Status::kInvalidArgument, name,
                std::string(name) + " holds " + std::string(storage_of<Element>()) + " numbers, but the plan's storage is " +
                    side.storage + ". Plan with .storage = \"" + std::string(storage_of<Element>()) +
                    "\", or pass arrays of the other type.");
  }
  if (side.reaches_before_start) {
    throw Error(Status::kInvalidArgument, name,
                std::string(name) + " has a negative stride, so that elements lie before its first. Use the form of execute "
                                    "that takes pointers.");
  }
  if (count < side.elements || data == nullptr) {
    throw Error(Status::kInvalidArgument, name,
                std::string(name) + " has " + std::to_string(data == nullptr ? 0 : count) + " elements; the plan needs " +
                    std::to_string(side.elements) + "." +
                    (side.half_row > 0 ? " A row of this spectrum has n/2 + 1 = " + std::to_string(side.half_row) + "." : ""));
  }
}

}  // namespace detail

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_ARRAY_CHECK_HPP_
