// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Loops of a constant number of lanes inside: what g++ and clang make vectors of at -O2. With one number after the other, 4096*64 f16 with
// exponents at both ends took 2.3 times as long (AVX2).
#include "planner/convert/exponents.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulpfft {
namespace {

constexpr int kWide = 8;

// Whether multiplying by the power is exact but for the result: f32 has it as a number.
bool is_factor(int exponent) { return exponent > -126 && exponent < 126; }

template <typename T>
T finite_magnitude(T x) {
  const T magnitude = std::abs(x);
  return magnitude <= std::numeric_limits<T>::max() ? magnitude : T(0);
}

template <int kCount, typename T>
void raise(T* most, const T* reals) {
  for (int l = 0; l < kCount; ++l) {
    const T magnitude = finite_magnitude(reals[l]);
    most[l] = magnitude > most[l] ? magnitude : most[l];
  }
}

template <int kCount, typename T>
void multiply(T* reals, const T* factors) {
  for (int l = 0; l < kCount; ++l) reals[l] *= factors[l];
}

// Scales with a mantissa reach over few binades: the largest block gets a scale in the highest, so that smaller blocks have theirs.
int exponent_of_top_scale(const Storage& storage, double largest) {
  const FormatInfo& element = *storage.element;
  const double reach = storage.rule == ScaleRule::kSearch ? element_below_largest(element) : largest_value(element);
  const double most = reach * largest_value(*storage.scale);
  const int exponent = std::ilogb(largest) - std::ilogb(most);
  return exponent + (std::ldexp(most, exponent) < largest ? 1 : 0);
}

template <typename T>
std::optional<int> exponent_to_fit(const Storage& storage, T largest) {
  if (largest == 0) return std::nullopt;
  if (storage.scale != nullptr && !has_powers_alone(*storage.scale)) return exponent_of_top_scale(storage, static_cast<double>(largest));
  int exponent = block_exponent(*storage.element, ScaleRule::kRceil, static_cast<double>(largest));
  // Below half of the largest T where a format reaches further: what rounds up is then still a number of both.
  if (largest_value(*storage.element) > static_cast<double>(std::numeric_limits<T>::max())) {
    exponent = std::max(exponent, std::ilogb(largest) - (std::numeric_limits<T>::max_exponent - 2));
  }
  if (storage.scale == nullptr) return exponent;
  // Scales do this as far as they reach. Below them the largest block gets the scale 1, so that smaller blocks keep their digits.
  if (exponent < lowest_scale(*storage.scale)) return exponent;
  return std::max(0, exponent - highest_scale(*storage.scale));
}

// Multiplies kCount reals of every point, two of a transform.
template <int kCount, typename T>
void multiply_columns(const Across& lie, T* reals, const std::int32_t* exponents) {
  T factors[kCount];
  bool changes = false;
  for (int l = 0; l < kCount; ++l) {
    const int exponent = exponents[l / 2];
    factors[l] = is_factor(exponent) ? static_cast<T>(std::ldexp(1.0, exponent)) : T(1);
    changes = changes || factors[l] != 1;
    for (std::int64_t p = 0; p < lie.points && !is_factor(exponent); ++p) {
      T& x = reals[2 * p * lie.transforms + l];
      x = std::ldexp(x, exponent);
    }
  }
  for (std::int64_t p = 0; p < lie.points && changes; ++p) multiply<kCount>(reals + 2 * p * lie.transforms, factors);
}

template <int kCount, typename T>
void fit_columns(const Across& lie, const Storage& storage, T* reals, std::int32_t* exponents) {
  T most[kCount] = {};
  for (std::int64_t p = 0; p < lie.points; ++p) raise<kCount>(most, reals + 2 * p * lie.transforms);
  std::int32_t powers[kCount / 2];
  for (int t = 0; t < kCount / 2; ++t) {
    exponents[t] = exponent_to_fit(storage, std::max(most[2 * t], most[2 * t + 1])).value_or(0);
    powers[t] = -exponents[t];
  }
  multiply_columns<kCount>(lie, reals, powers);
}

}  // namespace

template <typename T>
void multiply_by_power(T* reals, std::int64_t count, int exponent) {
  if (exponent == 0) return;
  if (!is_factor(exponent)) {
    std::transform(reals, reals + count, reals, [&](T x) { return std::ldexp(x, exponent); });
    return;
  }
  T factors[kWide];
  std::fill_n(factors, kWide, static_cast<T>(std::ldexp(1.0, exponent)));
  std::int64_t i = 0;
  for (; i + kWide <= count; i += kWide) multiply<kWide>(reals + i, factors);
  for (; i < count; ++i) reals[i] *= factors[0];
}

template <typename T>
T largest_finite(const T* reals, std::int64_t count) {
  T most[kWide] = {};
  std::int64_t i = 0;
  for (; i + kWide <= count; i += kWide) raise<kWide>(most, reals + i);
  raise<kWide / 2>(most, most + kWide / 2);
  raise<kWide / 4>(most, most + kWide / 4);
  T largest = *std::max_element(most, most + kWide / 4);
  for (; i < count; ++i) largest = std::max(largest, finite_magnitude(reals[i]));
  return largest;
}

template <typename T>
std::optional<int> fitting_exponent(const Storage& storage, const T* reals, std::int64_t count) {
  return exponent_to_fit(storage, largest_finite(reals, count));
}

template <typename T>
void multiply_by_powers_across(const Across& lie, T* reals, const std::int32_t* exponents) {
  std::int64_t t = 0;
  for (; t + kWide / 2 <= lie.count; t += kWide / 2) multiply_columns<kWide>(lie, reals + 2 * t, exponents + t);
  for (; t < lie.count; ++t) multiply_columns<2>(lie, reals + 2 * t, exponents + t);
}

template <typename T>
void fit_exponents_across(const Across& lie, const Storage& storage, T* reals, std::int32_t* exponents) {
  std::int64_t t = 0;
  for (; t + kWide / 2 <= lie.count; t += kWide / 2) fit_columns<kWide>(lie, storage, reals + 2 * t, exponents + t);
  for (; t < lie.count; ++t) fit_columns<2>(lie, storage, reals + 2 * t, exponents + t);
}

template void multiply_by_power(float*, std::int64_t, int);
template void multiply_by_power(double*, std::int64_t, int);
template float largest_finite(const float*, std::int64_t);
template double largest_finite(const double*, std::int64_t);
template std::optional<int> fitting_exponent(const Storage&, const float*, std::int64_t);
template std::optional<int> fitting_exponent(const Storage&, const double*, std::int64_t);
template void multiply_by_powers_across(const Across&, float*, const std::int32_t*);
template void multiply_by_powers_across(const Across&, double*, const std::int32_t*);
template void fit_exponents_across(const Across&, const Storage&, float*, std::int32_t*);
template void fit_exponents_across(const Across&, const Storage&, double*, std::int32_t*);

}  // namespace ulpfft
