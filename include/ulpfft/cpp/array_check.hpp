// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which arrays a plan can take: the types, and how many elements its strides reach.
#ifndef ULPFFT_CPP_ARRAY_CHECK_HPP_
#define ULPFFT_CPP_ARRAY_CHECK_HPP_

#include <algorithm>
#include <charconv>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ulpfft/cpp/error.hpp"

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

// One side of a plan: how many elements an array must have.
struct Side {
  std::string storage;
  std::size_t elements = 0;
  bool reaches_before_start = false;  // a negative stride: only the pointer forms can express where element 0 lies
  bool real = false;                  // of r2c the input, of c2r the output, of r2r and of a chain of r2c both
  bool split = false;                 // complex numbers in two arrays
  std::size_t half_row = 0;           // of the spectrum of n real numbers: n/2 + 1; else 0
};

struct Sides {
  Side in, out;
  bool split = false;
  bool in_place = false;
  std::size_t points = 1;  // of one spectrum
};

inline std::vector<std::int64_t> read_integers(std::string_view text, char separator) {
  std::vector<std::int64_t> list;
  while (!text.empty()) {
    std::int64_t next = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), next);
    if (failure != std::errc{}) throw Error(Status::kInternal, "problem", "A plan's own problem text does not parse.");
    list.push_back(next);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && text.front() == separator) text.remove_prefix(1);
  }
  return list;
}

inline void set_elements(Side& side, const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& strides) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::int64_t reach = (lengths[i] - 1) * strides[i];
    side.reaches_before_start |= reach < 0;
    last += std::max<std::int64_t>(reach, 0);
  }
  side.elements = static_cast<std::size_t>(last) + 1;
}

inline std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& lengths, std::int64_t row) {
  std::vector<std::int64_t> strides(lengths.size(), 1);
  for (std::size_t i = lengths.size(); i-- > 1;) strides[i - 1] = strides[i] * (i + 1 == lengths.size() ? row : lengths[i]);
  return strides;
}

// Reads the text form that the library prints for a plan's problem (ulpfft.h, ulpfft_plan_parse), which is checked already.
inline Sides read_sides(std::string_view text) {
  Sides sides;
  std::vector<std::int64_t> lengths, batch, in_inner, out_inner, outer;
  bool is_real_chain = false;
  for (int position = 0; !text.empty();) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (position == 0 && (word.empty() || word.front() < '0' || word.front() > '9')) {
      sides.in.real = word == "r2c" || word == "r2r";
      sides.out.real = word == "c2r" || word == "r2r";
      continue;
    }
    if (position == 0) {
      lengths = read_integers(word.substr(0, word.find('*')), 'x');
      if (word.find('*') != word.npos) batch = read_integers(word.substr(word.find('*') + 1), 'x');
    } else if (position == 1) {
      const std::size_t arrow = word.find("->");
      sides.in.storage = word.substr(0, arrow);
      sides.out.storage = arrow == word.npos ? word : word.substr(arrow + 2);
    } else if (word.starts_with("in_strides=")) {
      in_inner = read_integers(word.substr(11), ',');
    } else if (word.starts_with("out_strides=")) {
      out_inner = read_integers(word.substr(12), ',');
    } else if (word.starts_with("batch_strides=")) {
      outer = read_integers(word.substr(14), ',');
    }
    sides.split |= word == "split";
    sides.in_place |= word == "inplace";
    if (word.starts_with("chain=")) {
      is_real_chain = sides.in.real;
      sides.out.real = sides.in.real;
    }
    ++position;
  }
  std::vector<std::int64_t> all = batch;
  all.insert(all.end(), lengths.begin(), lengths.end());
  const bool has_half = sides.in.real != sides.out.real, padded = sides.in_place && has_half;
  sides.in.split = sides.split && !sides.in.real;
  sides.out.split = sides.split && !sides.out.real;
  // A row of a spectrum has n/2 + 1 numbers, and in place a row of n reals is as long as that.
  const std::int64_t n = all.back(), half = has_half || is_real_chain ? n / 2 + 1 : n, real_row = padded ? 2 * half : n;
  for (std::size_t i = 0; i + 1 < lengths.size(); ++i) sides.points *= static_cast<std::size_t>(lengths[i]);
  sides.points *= static_cast<std::size_t>(half);
  std::vector<std::int64_t> spectrum = all;
  spectrum.back() = half;
  std::vector<std::int64_t> in = dense_strides(all, sides.in.real ? real_row : half);
  std::vector<std::int64_t> out = dense_strides(all, sides.out.real ? real_row : half);
  const auto place = [](const auto& from, auto to) { std::copy(from.begin(), from.end(), to); };
  place(in_inner, in.begin() + static_cast<std::ptrdiff_t>(batch.size()));
  place(out_inner, out.begin() + static_cast<std::ptrdiff_t>(batch.size()));
  if (outer.size() == 2 * batch.size()) {
    place(std::span(outer).first(batch.size()), in.begin());
    place(std::span(outer).subspan(batch.size()), out.begin());
  }
  set_elements(sides.in, sides.in.real ? all : spectrum, in);
  set_elements(sides.out, sides.out.real ? all : spectrum, out);
  if (has_half && !sides.in.real) sides.in.half_row = static_cast<std::size_t>(half);
  if (has_half && !sides.out.real) sides.out.half_row = static_cast<std::size_t>(half);
  // In place the array holds both sides.
  if (padded) {
    Side& real = sides.in.real ? sides.in : sides.out;
    real.elements = std::max(real.elements, 2 * (sides.in.real ? sides.out : sides.in).elements);
  }
  return sides;
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
  if (storage_of<Element>() != side.storage) {
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
