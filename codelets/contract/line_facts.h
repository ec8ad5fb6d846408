// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What passes without a generated body tell of themselves.
#ifndef ULPFFT_CODELETS_CONTRACT_LINE_FACTS_H_
#define ULPFFT_CODELETS_CONTRACT_LINE_FACTS_H_

#include "codelets/contract/codelet.h"

namespace ulpfft {

// Counts are per point. Errors: a complex product with a rounded root 0.62 u, twist with its product of two table values 0.84 u
// (measured on random normal data, 2^16 products, f32 and f64 alike; a test holds them to 10 %); copies are exact. Digests are
// numbered by hand: change one when the arithmetic changes.
inline constexpr BodyErrors kTwistErrors{0.84, 0.84, 0}, kProductErrors{0.62, 0.62, 0};
inline constexpr BodyFacts kTwistFacts{"twist", 1, TwiddleForm::kNone, {0, 4, 4}, 8, 0x7457'1570'0000'0001, {}, kTwistErrors, kTwistErrors};
inline constexpr BodyFacts kGatherFacts{"gather", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x6a71'0e00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kScatterFacts{"scatter", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x5ca7'7e00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kPointwiseFacts{"pointwise", 1, TwiddleForm::kNone, {0, 2, 2}, 4, 0x9017'7000'0000'0001, {}, kProductErrors, kProductErrors};
inline constexpr BodyFacts kConvolveFacts{"convolve", 1, TwiddleForm::kNone, {0, 2, 2}, 4, 0xc02e'0100'0000'0001, {}, kProductErrors, kProductErrors};
inline constexpr BodyFacts kDecodeFacts{"decode", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0xdec0'de00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kEncodeFacts{"encode", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0xe2c0'de00'0000'0001, {}, {}, {}};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_LINE_FACTS_H_
