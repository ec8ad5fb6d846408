// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// kUntangle and kTangle in rounded arithmetic (rounded.h), where PassArgs::rounded is set. Sums, products and changes of sign are those
// of the scheme; factors 1/2 and w are rounded to its element.
//
// Machine  has rows of kLanes numbers of type Real, row(i), and operations on the first `lanes` of them, which set_lanes() says:
//          add, subtract, multiply (d = a b), fma (d = a b + c), fnma (d = c - a b), fms (d = a b - c), negate and round (to the element).
//          In rounded:<element>/f32 sums are f32 sums, and a product is rounded before it is added.
#ifndef ULPFFT_CODELETS_CONTRACT_ROUNDED_REAL_H_
#define ULPFFT_CODELETS_CONTRACT_ROUNDED_REAL_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "codelets/contract/real_passes.h"
#include "codelets/contract/rounded_pass.h"

namespace ulpfft {

// Rows of a machine. A: point k, B: its partner h - k. Results replace them.
enum RoundedRealRow : int { kARe, kAIm, kBRe, kBIm, kCos, kSin, kHalf, kSumRe, kSumIm, kX, kY, kTurnedRe, kTurnedIm, kRoundedRealRows };

template <typename T, typename Machine>
class RoundedRealLine {
 public:
  RoundedRealLine(const PassArgs& args, Ends<T> from, Ends<T> to, Machine& machine)
      : args_(args),
        pass_(context_of<RoundedPass>(args)),
        from_(from),
        to_(to),
        m_(machine),
        half_(static_cast<T>(round_to_element(*pass_.scheme.element, DoubleDouble(0.5)))) {}

  void untangle() {
    const std::int64_t h = args_.lanes;
    m_.set_lanes(1);
    put(kARe, 0, from_.re[0]);
    put(kAIm, 0, from_.im[0]);
    if (h % 2 == 0) put_number(kBRe, 0, from_, h / 2 * args_.in.point_stride);
    m_.add(kSumRe, kARe, kAIm);
    m_.subtract(kSumIm, kARe, kAIm);
    if (h % 2 == 0 && !args_.out.swap) m_.negate(kBIm, kBIm);
    Unpaired<T> unpaired{.first_re = settled(kSumRe, 0), .last = settled(kSumIm, 0)};
    if (h % 2 == 0) {
      unpaired.middle_re = settled(kBRe, 0);
      unpaired.middle_im = settled(kBIm, 0);
    }
    for_pairs(true);
    store_unpaired(unpaired, true, to_, args_.out.point_stride, h);
  }

  void tangle() {
    const std::int64_t h = args_.lanes;
    const PartFactors<T> factors = pair_factors<T>(args_, false);
    m_.set_lanes(1);
    put(kARe, 0, from_.re[0] * factors.re);
    put(kBRe, 0, from_.re[h * args_.in.point_stride] * factors.re);
    if (h % 2 == 0) {
      put(kAIm, 0, from_.re[h / 2 * args_.in.point_stride] * factors.re);
      put(kBIm, 0, from_.im[h / 2 * args_.in.point_stride] * factors.im);
    }
    settle_input(h % 2 == 0);
    m_.add(kSumRe, kARe, kBRe);
    m_.subtract(kSumIm, kARe, kBRe);
    Unpaired<T> unpaired{.first_re = settled(kSumRe, 0), .first_im = settled(kSumIm, 0)};
    if (h % 2 == 0) {
      m_.add(kX, kAIm, kAIm);
      m_.add(kY, kBIm, kBIm);
      m_.negate(kY, kY);
      unpaired.middle_re = settled(kX, 0);
      unpaired.middle_im = settled(kY, 0);
    }
    for_pairs(false);
    store_unpaired(unpaired, false, to_, args_.out.point_stride, h);
  }

 private:
  // Sums and differences of the parts of a point and the conjugate of its partner.
  void add_pairs() {
    m_.add(kSumRe, kARe, kBRe);
    m_.subtract(kSumIm, kAIm, kBIm);
    m_.subtract(kX, kARe, kBRe);
    m_.add(kY, kAIm, kBIm);
  }

  void untangle_pairs() {
    add_pairs();
    if (pass_.scheme.f32_sums) {
      for (const int factor : {kSumRe, kSumIm, kX, kY}) m_.round(factor);
    }
    m_.multiply(kTurnedRe, kX, kSin);
    m_.fma(kTurnedRe, kY, kCos, kTurnedRe);
    m_.multiply(kTurnedIm, kY, kSin);
    m_.fnma(kTurnedIm, kX, kCos, kTurnedIm);
    std::fill_n(m_.row(kHalf), Machine::kLanes, half_);
    m_.fma(kARe, kHalf, kSumRe, kTurnedRe);
    m_.fma(kAIm, kHalf, kSumIm, kTurnedIm);
    m_.fms(kBRe, kHalf, kSumRe, kTurnedRe);
    m_.fnma(kBIm, kHalf, kSumIm, kTurnedIm);
    if (!args_.out.swap) return;
    m_.negate(kAIm, kAIm);
    m_.negate(kBIm, kBIm);
  }

  void tangle_pairs() {
    const PartFactors<T> factors = pair_factors<T>(args_, false);
    if (args_.scale != 1.0 || args_.in.swap) {
      for (std::int64_t l = 0; l < Machine::kLanes; ++l) {
        m_.row(kARe)[l] *= factors.re;
        m_.row(kBRe)[l] *= factors.re;
        m_.row(kAIm)[l] *= factors.im;
        m_.row(kBIm)[l] *= factors.im;
      }
    }
    settle_input(true);
    add_pairs();
    if (pass_.scheme.f32_sums) {
      for (const int factor : {kX, kY}) m_.round(factor);
    }
    m_.multiply(kTurnedRe, kX, kSin);
    m_.fnma(kTurnedRe, kY, kCos, kTurnedRe);
    m_.multiply(kTurnedIm, kY, kSin);
    m_.fma(kTurnedIm, kX, kCos, kTurnedIm);
    m_.add(kARe, kSumRe, kTurnedRe);
    m_.add(kAIm, kSumIm, kTurnedIm);
    m_.subtract(kBRe, kSumRe, kTurnedRe);
    m_.subtract(kBIm, kTurnedIm, kSumIm);
  }

  // What is loaded may be any number where the pass reads the input, and the negative of the lowest number of an integer may be none.
  void settle_input(bool has_im) {
    const bool negates = args_.in.swap && !pass_.scheme.f32_sums;
    if (!pass_.rounds_input && !negates) return;
    for (const int row : {kARe, kBRe}) m_.round(row);
    if (!has_im) return;
    for (const int row : {kAIm, kBIm}) m_.round(row);
  }

  void put(int row, std::int64_t lane, T value) { m_.row(row)[lane] = value; }
  void put_number(int row, std::int64_t lane, Ends<T> ends, std::int64_t at) {
    put(row, lane, ends.re[at]);
    put(row + 1, lane, ends.im[at]);
  }
  // One NaN for all: which of two a sum hands on is the processor's choice.
  T settled(int row, std::int64_t lane) const {
    const T value = m_.row(row)[lane];
    return value != value ? std::numeric_limits<T>::quiet_NaN() : value;
  }

  // Points 1, 2, .. and their partners. Both points of a pair are read before one is written.
  void for_pairs(bool untangles) {
    const std::int64_t h = args_.lanes, last = pairs_of(h), in = args_.in.point_stride, out = args_.out.point_stride;
    const T* const table = static_cast<const T*>(args_.table);
    for (std::int64_t k = 1; k <= last; k += Machine::kLanes) {
      const std::int64_t count = std::min<std::int64_t>(Machine::kLanes, last - k + 1);
      m_.set_lanes(count);
      for (std::int64_t l = 0; l < count; ++l) {
        put_number(kARe, l, from_, (k + l) * in);
        put_number(kBRe, l, from_, (h - k - l) * in);
        put(kCos, l, table[2 * (k + l)]);
        put(kSin, l, table[2 * (k + l) + 1]);
      }
      for (const int row : {kARe, kAIm, kBRe, kBIm, kCos, kSin}) std::fill(m_.row(row) + count, m_.row(row) + Machine::kLanes, T(0));
      untangles ? untangle_pairs() : tangle_pairs();
      for (std::int64_t l = 0; l < count; ++l) {
        to_.re[(k + l) * out] = settled(kARe, l);
        to_.im[(k + l) * out] = settled(kAIm, l);
        to_.re[(h - k - l) * out] = settled(kBRe, l);
        to_.im[(h - k - l) * out] = settled(kBIm, l);
      }
    }
  }

  const PassArgs& args_;
  const RoundedPass& pass_;
  const Ends<T> from_, to_;
  Machine& m_;
  const T half_;
};

template <typename T, typename Machine>
void run_rounded_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, bool untangles,
                       Machine& machine) {
  const Ends<T> from = parts_of<T>(args.in, buffers);
  const Ends<T> to = parts_of<T>(args.out, buffers);
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) {
    RoundedRealLine<T, Machine> line(args, {from.re + i, from.im + i}, {to.re + o, to.im + o}, machine);
    untangles ? line.untangle() : line.tangle();
  });
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_ROUNDED_REAL_H_
