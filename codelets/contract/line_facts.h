// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What passes without a generated body tell of themselves.
#ifndef ULPFFT_CODELETS_CONTRACT_LINE_FACTS_H_
#define ULPFFT_CODELETS_CONTRACT_LINE_FACTS_H_

#include "codelets/contract/codelet.h"

namespace ulpfft {

// Counts are per point. Errors: a complex product with a rounded root 0.62 u, twist with its product of two table values 0.84 u
// (measured on random normal data, 2^16 products, f32 and f64 alike; a test holds them to 10 %); kUntangle and kTangle 0.79 u, measured
// alike on 2^16 points; copies are exact. Digests are numbered by hand: change one when the arithmetic changes.
inline constexpr BodyErrors kTwistErrors{0.84, 0.84, 0}, kProductErrors{0.62, 0.62, 0};
inline constexpr BodyErrors kPairErrors{0.79, 0.79, 0};
inline constexpr BodyErrors kFoldErrors{1.0, 1.0, 0};
inline constexpr BodyFacts kTwistFacts{"twist", 1, TwiddleForm::kNone, {0, 4, 4}, 8, 0x7457'1570'0000'0001, {}, kTwistErrors, kTwistErrors};
inline constexpr BodyFacts kGatherFacts{"gather", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x6a71'0e00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kScatterFacts{"scatter", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x5ca7'7e00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kPointwiseFacts{"pointwise", 1, TwiddleForm::kNone, {0, 2, 2}, 4, 0x9017'7000'0000'0001, {}, kProductErrors, kProductErrors};
inline constexpr BodyFacts kConvolveFacts{"convolve", 1, TwiddleForm::kNone, {0, 2, 2}, 4, 0xc02e'0100'0000'0001, {}, kProductErrors, kProductErrors};
inline constexpr BodyFacts kDecodeFacts{"decode", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0xdec0'de00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kEncodeFacts{"encode", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0xe2c0'de00'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kUntangleFacts{"untangle", 1, TwiddleForm::kNone, {2, 1, 3}, 8, 0x0127'a261'0000'0001, {}, kPairErrors, kPairErrors};
inline constexpr BodyFacts kTangleFacts{"tangle", 1, TwiddleForm::kNone, {4, 1, 1}, 8, 0x7a26'1e00'0000'0001, {}, kPairErrors, kPairErrors};
inline constexpr BodyFacts kFromRealsFacts{"from_reals", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0xf207'2ea1'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kToRealsFacts{"to_reals", 1, TwiddleForm::kNone, {0, 0, 0}, 1, 0x7072'ea15'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kHalfFacts{"half", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x4a1f'0000'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kMirrorFacts{"mirror", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x3122'0200'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kSplitRowsFacts{"split_rows", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x5911'2035'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kJoinRowsFacts{"join_rows", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x2012'2035'0000'0001, {}, {}, {}};

inline constexpr BodyFacts kMoveRealsFacts{"move_reals", 1, TwiddleForm::kNone, {0, 0, 0}, 1, 0x303e'2ea1'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kPickFacts{"pick", 1, TwiddleForm::kNone, {0, 0, 0}, 2, 0x91c4'0000'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kSplitOddsFacts{"split_odds", 1, TwiddleForm::kNone, {0, 0, 0}, 1, 0x5911'0dd5'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kJoinOddsFacts{"join_odds", 1, TwiddleForm::kNone, {0, 0, 0}, 1, 0x2012'0dd5'0000'0001, {}, {}, {}};
inline constexpr BodyFacts kFoldFacts{"fold", 1, TwiddleForm::kNone, {1, 1, 2}, 10, 0xf01d'0000'0000'0001, {}, kFoldErrors, kFoldErrors};
inline constexpr BodyFacts kUnfoldFacts{"unfold", 1, TwiddleForm::kNone, {2, 2, 1}, 10, 0x02f0'1d00'0000'0001, {}, kFoldErrors, kFoldErrors};
inline constexpr BodyFacts kSplitPairsFacts{"split_pairs", 1, TwiddleForm::kNone, {0, 2, 1}, 4, 0x5911'9a12'0000'0001, {}, kProductErrors, kProductErrors};
inline constexpr BodyFacts kJoinPairsFacts{"join_pairs", 1, TwiddleForm::kNone, {0, 1, 1}, 4, 0x2012'9a12'0000'0001, {}, kProductErrors, kProductErrors};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_LINE_FACTS_H_
