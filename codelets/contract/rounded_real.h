// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// kUntangle and kTangle in rounded arithmetic (rounded.h), as PassArgs::rounded asks for it. Sums, products and changes of sign are those of
// the scheme; factors 1/2 and w are rounded to its element.
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
        pass_(*args.rounded),
        from_(from),
        to_(to),
        m_(machine),
        half_(static_cast<T>(round_to_element(*pass_.scheme.element, DoubleDouble(0.5)))) {}

  void untangle() {
    const std::int64_t h = args_.lanes;
    load_unpaired(0);
    const auto points = [&] {
      m_.add(kSumRe, kARe, kAIm);
      m_.subtract(kSumIm, kARe, kAIm);
      if (!args_.out.swap) m_.negate(kBIm, kBIm);
    };
    points();
    const Unpaired<T> unpaired{.first_re = m_.row(kSumRe)[0],
                               .last = m_.row(kSumIm)[0],
                               .middle_re = m_.row(kBRe)[0],
                               .middle_im = m_.row(kBIm)[0]};
    each_chunk([&] {
      prepare();
      m_.multiply(kTurnedRe, kX, kSin);
      m_.fma(kTurnedRe, kY, kCos, kTurnedRe);
      m_.multiply(kTurnedIm, kY, kSin);
      m_.fnma(kTurnedIm, kX, kCos, kTurnedIm);
      std::fill_n(m_.row(kHalf), Machine::kLanes, half_);
      m_.fma(kARe, kHalf, kSumRe, kTurnedRe);
      m_.fma(kAIm, kHalf, kSumIm, kTurnedIm);
      m_.fms(kBRe, kHalf, kSumRe, kTurnedRe);
      m_.fnma(kBIm, kHalf, kSumIm, kTurnedIm);
      if (args_.out.swap) {
        m_.negate(kAIm, kAIm);
        m_.negate(kBIm, kBIm);
      }
    });
    store_unpaired(args_, settled(unpaired), true, to_);
    static_cast<void>(h);
  }

  void tangle() {
    load_unpaired(args_.lanes);
    m_.add(kSumRe, kARe, kBRe);
    m_.subtract(kSumIm, kARe, kBRe);
    const Unpaired<T> ends{.first_re = m_.row(kSumRe)[0], .first_im = m_.row(kSumIm)[0]};
    Unpaired<T> unpaired = ends;
    load_middle();
    m_.add(kSumRe, kARe, kARe);
    m_.add(kSumIm, kAIm, kAIm);
    m_.negate(kSumIm, kSumIm);
    unpaired.middle_re = m_.row(kSumRe)[0];
    unpaired.middle_im = m_.row(kSumIm)[0];
    each_chunk([&] {
      prepare();
      m_.multiply(kTurnedRe, kX, kSin);
      m_.fnma(kTurnedRe, kY, kCos, kTurnedRe);
      m_.multiply(kTurnedIm, kY, kSin);
      m_.fma(kTurnedIm, kX, kCos, kTurnedIm);
      m_.add(kARe, kSumRe, kTurnedRe);
      m_.add(kAIm, kSumIm, kTurnedIm);
      m_.subtract(kBRe, kSumRe, kTurnedRe);
      m_.subtract(kBIm, kTurnedIm, kSumIm);
    });
    store_unpaired(args_, settled(unpaired), false, to_);
  }
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_ROUNDED_REAL_H_
