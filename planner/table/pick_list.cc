// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/pick_list.h"

#include "planner/table/number_theory.h"

namespace ulpfft {
namespace {

constexpr std::uint32_t kPlus = 1, kMinus = 2, kWeighted = 3;

std::uint32_t entry(std::int64_t real, std::uint32_t factor) { return static_cast<std::uint32_t>(4 * real) + factor; }
std::uint32_t signed_entry(std::int64_t real, bool negative) { return entry(real, negative ? kMinus : kPlus); }

std::uint32_t negated(std::uint32_t value) { return value % 4 == kPlus ? value + 1 : value - 1; }

// Of a list for odd n.
class OddLine {
 public:
  OddLine(R2rKind kind, std::int64_t n, bool half)
      : base_(cosines_of(kind)),
        sines_(is_sine_transform(kind)),
        n_(n),
        half_(!half ? Half::kNone : picks_reals(kind) ? Half::kOutput : Half::kInput) {
    const std::int64_t halves = base_ == R2rKind::kDCT4 ? 3 : 2;  // of 1/8 or 1/4 modulo n
    inverse_ = n == 1 ? 0 : 1;
    for (std::int64_t i = 0; i < halves; ++i) inverse_ = inverse_ % 2 == 0 ? inverse_ / 2 : (inverse_ + n) / 2;
  }

  std::vector<std::uint32_t> to_numbers(Poll& poll) const {
    std::vector<std::uint32_t> list(static_cast<std::size_t>(half_ == Half::kNone ? 2 * n_ : half_ == Half::kInput ? n_ + 1 : n_), 0);
    for (std::int64_t j = 0; j < n_; ++j) {
      poll.count(1);
      put(list, j);
    }
    return list;
  }

  std::vector<std::uint32_t> from_numbers(Poll& poll) const {
    std::vector<std::uint32_t> list(static_cast<std::size_t>(n_));
    for (std::int64_t k = 0; k < n_; ++k) {
      poll.count(1);
      list[static_cast<std::size_t>(sines_ && base_ == R2rKind::kDCT2 ? n_ - 1 - k : k)] = halved(result(k));
    }
    return list;
  }

 private:
  // Which end of the transform is half of a spectrum. The other one is reals.
  enum class Half : std::uint8_t { kNone, kInput, kOutput };

  // 2 j + 1 or its negative, whichever is 1 modulo 4. The cosine is the same.
  static std::int64_t odd(std::int64_t j) { return j % 2 == 0 ? 2 * j + 1 : -(2 * j + 1); }
  std::int64_t modulo_n(std::int64_t q) const { return (q % n_ + n_) % n_; }
  // The index that 1/4 or 1/8 of an odd multiple has.
  std::int64_t place(std::int64_t q) const { return multiply_mod(modulo_n(q), inverse_, n_); }
  // Whether sin(pi k / (2 n)) taken modulo 4 is negative, for odd k.
  bool is_negative_sine(std::int64_t k) const { return (k % 4 == 3) != (n_ % 4 == 3); }
  static bool is_5_modulo_8(std::int64_t q) { return (q % 8 + 8) % 8 == 5; }

  void put(std::vector<std::uint32_t>& list, std::int64_t j) const {
    const auto set = [&](std::int64_t number, bool im, std::uint32_t value) {
      set_number(list, number, im, value);
    };
    switch (base_) {
      case R2rKind::kDCT2: return set(place(odd(j)), false, signed_entry(j, sines_ && j % 2 == 1));
      case R2rKind::kDCT3: {
        const std::int64_t real = sines_ ? n_ - 1 - j : j;
        if (j == 0) return set(0, false, entry(real, kWeighted));
        return j % 2 == 0 ? set(j, false, signed_entry(real, j % 4 == 2)) : set(j, true, signed_entry(real, !is_negative_sine(j)));
      }
      case R2rKind::kDCT4: {
        // Times exp(-pi i n / 4), whose parts are equal but for their signs.
        const std::int64_t real = sines_ ? n_ - 1 - j : j, number = modulo_n(odd(j)), turn = n_ % 8;
        const bool negative = is_5_modulo_8(odd(j));
        set(number, false, signed_entry(real, negative != (turn == 3 || turn == 5)));
        return set(number, true, signed_entry(real, negative != (turn == 1 || turn == 3)));
      }
      case R2rKind::kHC2R: return set(j, 2 * j > n_, entry(j, j == 0 ? kWeighted : kPlus));
      case R2rKind::kDHT:
        set(j, false, entry(j, kPlus));
        return set(j, true, entry(j, kPlus));
      default: return set(j, false, entry(j, kPlus));
    }
  }

  // The transform of half of a spectrum adds conjugates, with the other sign of the exponent than that of n numbers.
  void set_number(std::vector<std::uint32_t>& list, std::int64_t number, bool im, std::uint32_t value) const {
    const bool beyond = half_ == Half::kInput && 2 * number > n_;
    const std::int64_t at = beyond ? n_ - number : number;
    const bool turns = half_ == Half::kInput && im && !beyond;
    list[static_cast<std::size_t>(half_ == Half::kOutput ? at : 2 * at + (im ? 1 : 0))] = turns ? negated(value) : value;
  }

  // An entry of n numbers as one of half of a spectrum or of reals.
  std::uint32_t halved(std::uint32_t value) const {
    if (half_ == Half::kNone) return value;
    const std::int64_t number = value / 8;
    const bool im = value / 4 % 2 == 1;
    if (half_ == Half::kInput) return entry(number, value % 4);
    if (2 * number <= n_) return value;
    const std::uint32_t other = entry(2 * (n_ - number) + (im ? 1 : 0), value % 4);
    return im ? negated(other) : other;
  }

  std::uint32_t result(std::int64_t k) const {
    switch (base_) {
      case R2rKind::kDCT2:
        if (k == 0) return entry(0, kWeighted);
        return k % 2 == 0 ? signed_entry(2 * k, k % 4 == 2) : signed_entry(2 * k + 1, is_negative_sine(k));
      case R2rKind::kDCT3: return signed_entry(2 * place(odd(k)), sines_ && k % 2 == 1);
      case R2rKind::kDCT4: return signed_entry(2 * place(odd(k)), is_5_modulo_8(odd(k)) != (sines_ && k % 2 == 1));
      case R2rKind::kR2HC: return 2 * k > n_ ? entry(2 * k + 1, kMinus) : entry(2 * k, kPlus);
      default: return entry(2 * k, kPlus);
    }
  }

  R2rKind base_;
  bool sines_;
  std::int64_t n_;
  Half half_;
  std::int64_t inverse_;  // of 4 or 8 modulo n
};

}  // namespace

std::vector<std::uint32_t> pick_to_numbers(R2rKind kind, std::int64_t n, bool half, Poll& poll) {
  if (kind != R2rKind::kDCT1 && kind != R2rKind::kDST1) return OddLine(kind, n, half).to_numbers(poll);
  const std::int64_t count = logical_length(kind, n);
  std::vector<std::uint32_t> list;
  list.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    poll.count(1);
    if (kind == R2rKind::kDCT1) {
      list.push_back(entry(i < n ? i : count - i, i == 0 || i == n - 1 ? kWeighted : kPlus));
    } else {
      list.push_back(i % (n + 1) == 0 ? 0 : i <= n ? entry(i - 1, kPlus) : entry(count - 1 - i, kMinus));
    }
  }
  return list;
}

std::vector<std::uint32_t> pick_from_numbers(R2rKind kind, std::int64_t n, bool half, Poll& poll) {
  if (kind != R2rKind::kDCT1 && kind != R2rKind::kDST1) return OddLine(kind, n, half).from_numbers(poll);
  std::vector<std::uint32_t> list;
  list.reserve(static_cast<std::size_t>(n));
  for (std::int64_t k = 0; k < n; ++k) {
    poll.count(1);
    list.push_back(kind == R2rKind::kDST1 ? entry(2 * (k + 1) + 1, kMinus) : entry(2 * k, k == 0 || k == n - 1 ? kWeighted : kPlus));
  }
  return list;
}

}  // namespace ulpfft
