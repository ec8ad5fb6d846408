// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/genfft/exact_codec.h"

#include <algorithm>

namespace ulpfft::genfft {
namespace {

// Whether x, between the neighbours `near` and `far` from zero, goes to far.
bool goes_outwards(const Dyadic& x, const Dyadic& near, const Dyadic& far, bool near_is_even, Rounding rounding, std::uint32_t r16) {
  // Magnitudes grow from near to far; where an integer format has no zero, near may lie on the other side of it.
  if (rounding == Rounding::kStochastic) {
    // floor(d * 2^16) + r16 >= 2^16 means d * 2^16 >= 2^16 - r16, the right side being an integer.
    const Dyadic step = far + near.negated();
    const Dyadic limit = near.times(65536) + step.times(65536 - static_cast<std::int64_t>(r16));
    return x.shifted(16) >= limit;
  }
  const auto order = x.shifted(1) <=> near + far;
  return order > 0 || (order == 0 && !near_is_even);
}

Encoded encode_magnitude(const ExactFormat& exact, const FormatInfo& f, const Dyadic& x, bool negative, Rounding rounding, std::uint32_t r16) {
  const std::vector<Dyadic>& values = exact.values();
  const Encoded nothing{exact.code_at(0, negative), false};
  if (x < values.front()) return nothing;  // no zero: the smallest
  const auto above = static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), x) - values.begin());
  std::size_t index = above - 1;
  const Dyadic beyond = exact.beyond();
  bool overflow = x >= beyond;
  if (!overflow && goes_outwards(x, values[index], above < values.size() ? values[above] : beyond, exact.is_even(index), rounding, r16)) {
    ++index;
    overflow = index == values.size();
  }
  if (!overflow) return {exact.code_at(index, negative), false};
  const Encoded largest{exact.code_at(values.size() - 1, negative), true};
  if (rounding != Rounding::kNearest) return largest;
  const std::uint64_t sign = negative ? std::uint64_t(1) << (f.bits - 1) : 0;
  const std::uint64_t after = values.size() | sign;
  switch (f.special) {
    case Special::kIeee:
    case Special::kP3109: return {after, true};  // infinity
    case Special::kFn: return {after, true};     // NaN with the sign
    case Special::kFnuz: return {std::uint64_t(1) << (f.bits - 1), true};
    case Special::kNone: return largest;
  }
  return largest;
}

Encoded encode_integer(const ExactFormat& exact, const Dyadic& x, bool negative, Rounding rounding, std::uint32_t r16) {
  const std::vector<Dyadic>& values = exact.values();
  const std::size_t last = values.size() - 1;
  if (x >= exact.beyond()) return {exact.code_at(last, false), true};
  if (x <= exact.before()) return {exact.code_at(0, false), true};
  // Between which two of the values, and those one further out at either end.
  const auto above = std::upper_bound(values.begin(), values.end(), x) - values.begin();
  const Dyadic low = above == 0 ? exact.before() : values[static_cast<std::size_t>(above - 1)];
  const Dyadic high = above == std::ssize(values) ? exact.beyond() : values[static_cast<std::size_t>(above)];
  const bool low_is_even = above == 0 ? !exact.is_even(0) : exact.is_even(static_cast<std::size_t>(above - 1));
  bool up = false;
  if (low == x) {
    up = false;
  } else if (negative) {
    up = !goes_outwards(x.negated(), high.negated(), low.negated(), !low_is_even, rounding, r16);
  } else {
    up = goes_outwards(x, low, high, low_is_even, rounding, r16);
  }
  const std::int64_t index = above - 1 + (up ? 1 : 0);
  if (index < 0) return {exact.code_at(0, false), true};
  if (index > static_cast<std::int64_t>(last)) return {exact.code_at(last, false), true};
  return {exact.code_at(static_cast<std::size_t>(index), false), false};
}

}  // namespace

Encoded exact_encode(const ExactFormat& exact, const FormatInfo& f, double x, Rounding rounding, std::uint32_t r16) {
  const bool negative = std::signbit(x);
  if (exact.is_integer()) return encode_integer(exact, dyadic(x), negative, rounding, r16);
  if (negative && !f.is_signed) return {0, x != 0};
  return encode_magnitude(exact, f, dyadic(std::abs(x)), negative, rounding, r16);
}

}  // namespace ulpfft::genfft
