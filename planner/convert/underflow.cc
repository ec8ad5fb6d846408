// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/convert/underflow.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <type_traits>

namespace ulpfft {
namespace {

constexpr std::int64_t kLanes = 8;  // inside loops: what g++ and clang make vectors of at -O2

// Magnitudes as integers keep their order; 1 less, 0 is the largest of them. A negative or undefined limit: none.
template <typename T>
std::int64_t count_to_zero(const T* reals, std::int64_t count, double largest) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits kMagnitude = ~Bits{0} >> 1;
  const auto place = [](T x) { return (std::bit_cast<Bits>(x) & kMagnitude) - 1; };
  T to_zero = static_cast<T>(largest);
  if (static_cast<double>(to_zero) > largest) to_zero = std::nextafter(to_zero, T(0));
  if (!(to_zero > 0)) return 0;
  const Bits limit = std::bit_cast<Bits>(to_zero);
  Bits lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t l = 0; l < kLanes; ++l) lanes[l] += place(reals[i + l]) < limit ? 1 : 0;
  }
  std::int64_t sum = 0;
  for (const Bits lane : lanes) sum += static_cast<std::int64_t>(lane);
  for (; i < count; ++i) sum += place(reals[i]) < limit ? 1 : 0;
  return sum;
}

// The same in a block whose scale has a mantissa: a real is divided as encode_row() does it. A scale of 0 leaves nothing but zeros.
template <typename T>
std::int64_t count_divided(const T* reals, std::int64_t count, double to_zero, const Storage& storage, std::uint64_t code) {
  if (code == storage.scale->nan) return 0;
  const bool is_zero = decode(*storage.scale, code) == 0;
  const auto divided = value_scale<T>(*storage.scale, storage.rule, code);
  return std::count_if(reals, reals + count, [&](T x) { return x != 0 && (is_zero || std::abs(divided(x)) <= to_zero); });
}

// `to_zero` times the scale of each block. A scale that is no number leaves no zeros.
template <typename T>
std::int64_t count_in_blocks(const ConversionArgs& encoded, std::int64_t row, double to_zero) {
  const Storage& storage = *encoded.storage;
  const std::int64_t length = storage.length == 0 ? encoded.count : storage.length;
  const std::int64_t bytes = (storage.scale->bits + 7) / 8;
  const T* const reals = static_cast<const T*>(encoded.reals) + row * encoded.real_row_stride;
  const auto* at = static_cast<const std::uint8_t*>(encoded.scales) + row * encoded.scale_row_bytes;
  std::int64_t sum = 0;
  for (std::int64_t begin = 0; begin < encoded.count; begin += length, at += bytes) {
    std::uint64_t code = 0;
    for (std::int64_t b = 0; b < bytes; ++b) code |= static_cast<std::uint64_t>(at[b]) << (8 * b);
    const std::int64_t count = std::min(length, encoded.count - begin);
    sum += has_powers_alone(*storage.scale) ? count_to_zero(reals + begin, count, to_zero * decode(*storage.scale, code))
                                            : count_divided(reals + begin, count, to_zero, storage, code);
  }
  return sum;
}

template <typename T>
std::int64_t count_rows(const ConversionArgs& encoded, double to_zero) {
  std::int64_t sum = 0;
  for (std::int64_t row = 0; row < encoded.rows; ++row) {
    sum += encoded.storage->scale != nullptr
               ? count_in_blocks<T>(encoded, row, to_zero)
               : count_to_zero(static_cast<const T*>(encoded.reals) + row * encoded.real_row_stride, encoded.count, to_zero);
  }
  return sum;
}

}  // namespace

double largest_to_zero(const FormatInfo& element) {
  const double least = element.kind == FormatKind::kInteger ? std::ldexp(1.0, -element.fraction_bits) : decode(element, 1);
  const double half = least / 2;
  const auto becomes_zero = [&](double x) { return decode(element, encode(element, x, Rounding::kNearestSaturate).code) == 0; };
  if (becomes_zero(half)) return half;
  return becomes_zero(half / 2) ? std::nextafter(half, 0.0) : -1;
}

void add_underflowed(const ConversionArgs& encoded, const Codec& codec, Narrow& narrow) {
  const std::atomic_ref<std::int64_t> sum(narrow.underflowed);
  if (codec.to_zero < 0 || sum.load(std::memory_order_relaxed) < 0) return;
  const std::int64_t count = count_underflowed(encoded, codec.is_f64, codec.to_zero);
  if (count != 0) sum.fetch_add(count, std::memory_order_relaxed);
}

std::int64_t count_underflowed(const ConversionArgs& encoded, bool is_f64, double to_zero) {
  if (to_zero < 0) return 0;
  return is_f64 ? count_rows<double>(encoded, to_zero) : count_rows<float>(encoded, to_zero);
}

}  // namespace ulpfft
