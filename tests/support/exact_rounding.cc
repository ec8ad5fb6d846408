// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/exact_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ulpfft::test {
namespace {

using Digits = std::vector<std::uint32_t>;

void trim(Digits& d) {
  while (!d.empty() && d.back() == 0) d.pop_back();
}

Digits shifted_left(const Digits& d, int by) {
  Digits out(static_cast<std::size_t>(by / 32), 0);
  std::uint64_t carry = 0;
  for (const std::uint32_t digit : d) {
    carry |= std::uint64_t{digit} << (by % 32);
    out.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  out.push_back(static_cast<std::uint32_t>(carry));
  trim(out);
  return out;
}

int compare(const Digits& a, const Digits& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (std::size_t i = a.size(); i-- > 0;) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

// Both with the lower of the two exponents.
void align(const Exact& a, const Exact& b, Digits& x, Digits& y, int& exponent) {
  exponent = a.is_zero() ? b.exponent : b.is_zero() ? a.exponent : std::min(a.exponent, b.exponent);
  x = a.is_zero() ? Digits() : shifted_left(a.digits, a.exponent - exponent);
  y = b.is_zero() ? Digits() : shifted_left(b.digits, b.exponent - exponent);
}

double to_double(const Exact& x) {
  double value = 0;
  for (std::size_t i = x.digits.size(); i-- > 0;) value = value * 0x1p32 + x.digits[i];  // values of formats: at most 17 bits
  value = std::ldexp(value, x.exponent);
  return x.negative ? -value : value;
}

Exact from_integer(std::int64_t n, int exponent) {
  Exact x;
  x.negative = n < 0;
  const auto magnitude = static_cast<std::uint64_t>(n < 0 ? -n : n);
  x.digits = {static_cast<std::uint32_t>(magnitude), static_cast<std::uint32_t>(magnitude >> 32)};
  trim(x.digits);
  x.exponent = exponent;
  return x;
}

int compare_signed(const Exact& a, const Exact& b) {
  const int sign_a = a.is_zero() ? 0 : a.negative ? -1 : 1, sign_b = b.is_zero() ? 0 : b.negative ? -1 : 1;
  if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
  return sign_a * compare_magnitudes(a, b);
}

bool is_finite(double x) { return std::isfinite(x); }

}  // namespace

Exact exact(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  Exact out = from_integer(static_cast<std::int64_t>(std::ldexp(fraction, 53)), exponent - 53);
  out.negative = std::signbit(x);
  return out;
}

Exact exact_product(const Exact& a, const Exact& b) {
  Exact out;
  out.negative = a.negative != b.negative;
  out.exponent = a.exponent + b.exponent;
  if (a.is_zero() || b.is_zero()) return out;
  out.digits.assign(a.digits.size() + b.digits.size(), 0);
  for (std::size_t i = 0; i < a.digits.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.digits.size(); ++j) {
      carry += std::uint64_t{a.digits[i]} * b.digits[j] + out.digits[i + j];
      out.digits[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    out.digits[i + b.digits.size()] = static_cast<std::uint32_t>(carry);
  }
  trim(out.digits);
  return out;
}

Exact exact_sum(const Exact& a, const Exact& b) {
  Exact out;
  Digits x, y;
  align(a, b, x, y, out.exponent);
  if (a.negative == b.negative) {
    out.negative = a.negative;
    if (x.size() < y.size()) std::swap(x, y);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      carry += std::uint64_t{x[i]} + (i < y.size() ? y[i] : 0);
      out.digits.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    out.digits.push_back(static_cast<std::uint32_t>(carry));
  } else {
    const int order = compare(x, y);
    if (order == 0) return {};
    out.negative = order > 0 ? a.negative : b.negative;
    if (order < 0) std::swap(x, y);
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      borrow += static_cast<std::int64_t>(x[i]) - (i < y.size() ? static_cast<std::int64_t>(y[i]) : 0);
      out.digits.push_back(static_cast<std::uint32_t>(borrow));
      borrow >>= 32;
    }
  }
  trim(out.digits);
  return out;
}

int compare_magnitudes(const Exact& a, const Exact& b) {
  Digits x, y;
  int exponent = 0;
  align(a, b, x, y, exponent);
  return compare(x, y);
}

ExactFormat::ExactFormat(const ExactFacts& facts) : facts_(facts) {
  if (facts.integer) {
    const std::int64_t highest = (std::int64_t{1} << (facts.bits - 1)) - 1;
    for (std::int64_t code = facts.lowest_code - 1; code <= highest + 1; ++code) {
      values_.push_back(from_integer(2 * code - std::llround(2 * facts.offset), -facts.fraction_bits - 1));
    }
    return;
  }
  const std::int64_t one = std::int64_t{1} << facts.mantissa_bits;
  std::int64_t count = one << facts.exponent_bits;
  if (facts.special == "ieee") count -= one;
  if (facts.special == "fn" || facts.special == "p3109") count -= 1;
  for (std::int64_t code = 0; code <= count; ++code) {
    const int e = static_cast<int>(code / one);
    values_.push_back(e == 0 ? from_integer(code, 1 - facts.bias - facts.mantissa_bits)
                             : from_integer(one + code % one, e - facts.bias - facts.mantissa_bits));
  }
}

double ExactFormat::beyond(bool negative) const {
  if (facts_.integer) return to_double(negative ? values_[1] : values_[values_.size() - 2]);
  if (facts_.special == "ieee" || facts_.special == "p3109") return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (facts_.special == "fn" || facts_.special == "fnuz") return std::numeric_limits<double>::quiet_NaN();
  const double largest = to_double(values_[values_.size() - 2]);
  return negative ? -largest : largest;
}

// The value nearest to one within the list; of two that are as near the one with an even code.
std::size_t ExactFormat::place(const Exact& x, bool& tie) const {
  const auto order = [&](const Exact& a, const Exact& b) { return facts_.integer ? compare_signed(a, b) : compare_magnitudes(a, b); };
  const std::size_t above = static_cast<std::size_t>(
      std::upper_bound(values_.begin(), values_.end(), x, [&](const Exact& a, const Exact& b) { return order(a, b) < 0; }) - values_.begin());
  const std::size_t below = above - 1;
  tie = false;
  if (above == values_.size()) return below;
  Exact twice = x;
  twice.exponent += 1;
  const int side = order(twice, exact_sum(values_[below], values_[above]));
  tie = side == 0;
  if (side != 0) return side > 0 ? above : below;
  const std::int64_t code = static_cast<std::int64_t>(below) + (facts_.integer ? facts_.lowest_code - 1 : 0);
  return code % 2 == 0 ? below : above;
}

double ExactFormat::round(const Exact& x, bool& overflow) const {
  overflow = false;
  bool tie = false;
  if (facts_.integer) {
    Exact value = x;
    if (value.is_zero()) value.negative = false;
    overflow = compare_signed(value, values_.front()) <= 0 || compare_signed(value, values_.back()) >= 0;
    if (!overflow) {
      const std::size_t at = place(value, tie);
      overflow = at == 0 || at + 1 == values_.size();
      if (!overflow) return to_double(values_[at]) + 0.0;
    }
    // Which end: below the first value, or above the last.
    return beyond(compare_signed(value, values_[1]) < 0);
  }
  Exact magnitude = x;
  magnitude.negative = false;
  overflow = compare_magnitudes(magnitude, values_.back()) >= 0;
  const std::size_t at = overflow ? values_.size() - 1 : place(magnitude, tie);
  overflow = at + 1 == values_.size();
  if (overflow) return beyond(x.negative);
  const double value = to_double(values_[at]);
  const bool sign_of_zero = facts_.special != "fnuz" && facts_.special != "p3109";
  return x.negative && (value != 0 || sign_of_zero) ? -value : value;
}

double ExactFormat::round(double x, bool& overflow) const {
  overflow = false;
  if (std::isnan(x)) {
    if (facts_.integer) return round(Exact{}, overflow);
    return facts_.special == "none" ? to_double(values_[values_.size() - 2]) : std::numeric_limits<double>::quiet_NaN();
  }
  if (std::isinf(x)) {
    overflow = facts_.integer || (facts_.special != "ieee" && facts_.special != "p3109");
    return beyond(x < 0);
  }
  return round(exact(x), overflow);
}

double ExactFormat::fma(double a, double b, double c, bool& overflow) const {
  if (is_finite(a) && is_finite(b) && is_finite(c)) return round(exact_sum(exact_product(exact(a), exact(b)), exact(c)), overflow);
  return round((is_finite(a) && is_finite(b) ? 0.0 : a * b) + (is_finite(c) ? 0.0 : c), overflow);
}

}  // namespace ulpfft::test
