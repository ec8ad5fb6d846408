// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Blocks of reals that share a scale: their largest magnitudes, their scales, products with powers of two.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "codelets/contract/storage.h"
#include "codelets/hwy/convert_lanes-inl.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_CONVERT_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CONVERT_BLOCKS_INL_H_
#undef ULPFFT_CODELETS_HWY_CONVERT_BLOCKS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CONVERT_BLOCKS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

inline constexpr std::int64_t kChunk = 512;  // whole blocks, whole bytes
inline constexpr std::int64_t kUnit = 64;    // whole vectors and blocks: what chunks are filled up to
inline constexpr std::int64_t kSpare = 64;   // after a buffer, for vectors that begin inside it
inline constexpr std::int64_t kFetchReals = 2048;      // 1024: 1.04 to 1.2 times as long; 4096: 1.2 times for packed codes, whose runs are short
inline constexpr std::int64_t kRun = 4 * kChunk;  // blocks of 32 reals and more get their scales together: one after the other they wait for maxima

// What scales with a mantissa need: value_scale() of storage.h.
template <typename T>
struct ValueFacts {
  const conversion::ElementFacts<T>* scale = nullptr;
  bool divides = false;    // kTorchao
  bool searches = false;   // kSearch
  T reach = 0, least = 0;  // the largest element; the smallest normal scale
  T per_reach = 0;
  T per_below = 0;         // 1 over the element below the largest
};
template <typename T>
constexpr ValueFacts<T> value_facts(const Storage& s, const conversion::ElementFacts<T>* scale) {
  ValueFacts<T> facts;
  facts.scale = scale;
  facts.divides = s.rule == ScaleRule::kTorchao;
  facts.searches = s.rule == ScaleRule::kSearch;
  facts.reach = static_cast<T>(largest_value(*s.element));
  facts.least = static_cast<T>(smallest_normal_value(*s.scale));
  facts.per_reach = 1 / facts.reach;
  facts.per_below = 1 / static_cast<T>(element_below_largest(*s.element));
  return facts;
}

// Exponents of scales, from amax: bits above the mantissa of amax + carry, less `less`; what makes a rule is in the two.
template <typename T>
struct BlockFacts {
  using Bits = typename conversion::Lane<T>::Bits;
  Bits carry = 0;
  int less = 0;
  int low = 0, high = 0;
  Bits most_easy = 0;      // of the largest real that an element holds without saturating
  std::uint32_t nan = 0;
  std::int64_t size = 1;  // bytes of a scale
  const ValueFacts<T>* values = nullptr;  // null: scales are powers of two
};

template <typename T>
constexpr BlockFacts<T> block_facts(const Storage& s) {
  using L = conversion::Lane<T>;
  BlockFacts<T> facts;
  facts.low = -s.scale->bias;
  facts.high = static_cast<int>(largest_magnitude(*s.scale)) - s.scale->bias;
  facts.nan = static_cast<std::uint32_t>(s.scale->nan);
  facts.size = (s.scale->bits + 7) / 8;
  const auto fraction = [](double x) { return std::bit_cast<typename L::Bits>(static_cast<T>(x)) & ((typename L::Bits(1) << L::kMantissa) - 1); };
  constexpr typename L::Bits kAll = (typename L::Bits(1) << L::kMantissa) - 1;
  const double largest = largest_value(*s.element);
  const OverflowLimit limit = overflow_limit(*s.element);
  const bool in_range = floor_log2(limit.value) <= L::kBias;
  facts.most_easy = in_range ? std::bit_cast<typename L::Bits>(static_cast<T>(limit.value)) - (limit.included ? 0 : 1) : L::kInfinity - 1;
  facts.less = L::kBias + floor_log2(largest);
  switch (s.rule) {
    case ScaleRule::kFloor: break;
    case ScaleRule::kCeil: facts.carry = kAll; break;
    case ScaleRule::kRceil: facts.carry = kAll - fraction(largest); break;
    case ScaleRule::kEven: facts.carry = typename L::Bits(1) << (L::kMantissa - significand_bits(*s.element) - 1); break;
    case ScaleRule::kFit: {
      // The limit may be a power of two beyond the range of T: its fraction is 0 there.
      facts.carry = kAll - fraction(compose(false, parts_of(limit.value).significand, -52)) + (limit.included ? 0 : 1);
      facts.less += floor_log2(limit.value) - floor_log2(largest);
      break;
    }
    default: break;  // of scales with a mantissa
  }
  return facts;
}

// Bits of the largest magnitudes of 2^kLevels blocks of 32 reals, in order; each has the lanes of a vector over 2^kLevels, to be reduced.
template <int kLevels, class D>
HWY_INLINE hn::Vec<IntTag<D>> maxima_of_32(D d, const hn::TFromD<D>* HWY_RESTRICT reals) {
  const IntTag<D> di;
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kLevels == 0) {
    // Later reals: the first look at a run would wait for memory, the second, which encodes, would not ask for more.
    for (int i = 0; i < 32; i += 64 / static_cast<int>(sizeof(hn::TFromD<D>))) __builtin_prefetch(reals + kFetchReals + i, 0, 3);
    auto largest = hn::BitCast(di, hn::Abs(hn::LoadU(d, reals)));
    for (int l = kW; l < 32; l += kW) largest = hn::Max(largest, hn::BitCast(di, hn::Abs(hn::LoadU(d, reals + l))));
    return largest;
  } else {
    const auto a = maxima_of_32<kLevels - 1>(d, reals);
    const auto b = maxima_of_32<kLevels - 1>(d, reals + (32 << (kLevels - 1)));
    return hn::Max(hn::ConcatEven(di, b, a), hn::ConcatOdd(di, b, a));
  }
}

// Bits of the largest magnitudes of blocks of `length` (2 .. kUnit) reals, or of all of them (0), to `to`; `to` has room for count + kSpare.
template <typename T>
HWY_NOINLINE void block_maxima(const T* reals, std::int64_t count, std::int64_t length, hwy::MakeSigned<T>* to) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  const IntTag<D> di;
  constexpr std::int64_t kW = hn::MaxLanes(D());
  if (length == 32) {
    constexpr int kLevels = std::countr_zero(static_cast<std::uint64_t>(kW));
    for (; count >= 32 * kW; count -= 32 * kW, reals += 32 * kW, to += kW) hn::StoreU(maxima_of_32<kLevels>(d, reals), di, to);
    // What is left comes in pairs of blocks.
    if constexpr (kLevels > 1) {
      for (; count > 0; count -= 64, reals += 64, to += 2) {
        auto x = maxima_of_32<1>(d, reals);
        for (std::int64_t lanes = kW; lanes > 2; lanes /= 2) x = hn::Max(hn::ConcatEven(di, x, x), hn::ConcatOdd(di, x, x));
        hn::StoreU(x, di, to);
      }
    }
    if (count == 0) return;
  }
  std::int64_t blocks = 0;
  const std::int64_t step = length == 0 ? count : std::max(length, kW);
  for (std::int64_t i = 0; i < count; i += step, ++blocks) {
    auto largest = hn::BitCast(di, hn::Abs(hn::LoadU(d, reals + i)));
    for (std::int64_t l = kW; l < step; l += kW) largest = hn::Max(largest, hn::BitCast(di, hn::Abs(hn::LoadU(d, reals + i + l))));
    hn::StoreU(largest, di, to + blocks * kW);
  }
  // Neighbours, until one is left of each block.
  std::int64_t left = length == 0 ? kW : std::min(length, kW);
  for (std::int64_t total = blocks * kW; left > 1; left /= 2, total /= 2) {
    for (std::int64_t i = 0; i < total / 2; i += kW) {
      const auto a = hn::LoadU(di, to + 2 * i), b = hn::LoadU(di, to + 2 * i + kW);
      hn::StoreU(hn::Max(hn::ConcatEven(di, b, a), hn::ConcatOdd(di, b, a)), di, to + i);
    }
  }
}

// Scales of a vector of blocks whose largest magnitudes have these bits: exponents, and bits of what their reals are multiplied by.
template <class D, typename T>
HWY_INLINE void scales_of(D d, const BlockFacts<T>& facts, hn::Vec<IntTag<D>> bits, hn::Vec<IntTag<D>>& exponent, hn::Vec<IntTag<D>>& factor) {
  using L = conversion::Lane<T>;
  using Int = hwy::MakeSigned<T>;
  const IntTag<D> di;
  const BitsTag<D> du;
  // Subnormals: 64 binades up.
  const auto small = hn::Lt(bits, hn::Set(di, Int(1) << L::kMantissa));
  const auto up = hn::BitCast(di, hn::Mul(hn::BitCast(d, bits), hn::Set(d, std::bit_cast<T>(L::power_of_two(64)))));
  const auto carried = hn::Add(hn::IfThenElse(small, up, bits), hn::Set(di, static_cast<Int>(facts.carry)));
  exponent = hn::BitCast(di, hn::ShiftRight<L::kMantissa>(hn::BitCast(du, carried)));
  exponent = hn::Sub(exponent, hn::IfThenElse(small, hn::Set(di, facts.less + 64), hn::Set(di, facts.less)));
  exponent = hn::Min(hn::Max(exponent, hn::Set(di, facts.low)), hn::Set(di, facts.high));
  exponent = hn::IfThenElse(hn::Eq(bits, hn::Zero(di)), hn::Set(di, facts.low), exponent);
  // The smallest power may be subnormal, by one place.
  const auto field = hn::Sub(hn::Set(di, L::kBias), exponent);
  factor = hn::IfThenElse(hn::Eq(field, hn::Zero(di)), hn::Set(di, Int(1) << (L::kMantissa - 1)), hn::ShiftLeft<L::kMantissa>(field));
}

// Scale codes of blocks, and what their reals are multiplied by. True if a block is NaN. All have room for whole vectors.
template <typename T>
HWY_NOINLINE bool block_scales(const BlockFacts<T>& facts, const hwy::MakeSigned<T>* maxima, std::int64_t blocks,
                               typename conversion::Lane<T>::Bits* codes, T* factors) {
  using L = conversion::Lane<T>;
  using Int = hwy::MakeSigned<T>;
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  const IntTag<D> di;
  const BitsTag<D> du;
  constexpr std::int64_t kW = hn::MaxLanes(D());
  auto nans = hn::Zero(di);
  for (std::int64_t b = 0; b < blocks; b += kW) {
    auto bits = hn::LoadU(di, maxima + b);
    if (blocks - b < kW) bits = hn::IfThenElseZero(hn::FirstN(di, static_cast<std::size_t>(blocks - b)), bits);
    hn::Vec<decltype(di)> exponent, factor;
    scales_of(d, facts, bits, exponent, factor);
    const auto is_nan = hn::Gt(bits, hn::Set(di, static_cast<Int>(L::kInfinity - 1)));
    const auto code = hn::IfThenElse(is_nan, hn::Set(di, static_cast<Int>(facts.nan)), hn::Sub(exponent, hn::Set(di, facts.low)));
    hn::StoreU(hn::BitCast(du, code), du, codes + b);
    hn::StoreU(hn::BitCast(d, hn::IfThenZeroElse(is_nan, factor)), d, factors + b);
    nans = hn::Or(nans, hn::VecFromMask(di, is_nan));
  }
  return !hn::AllTrue(di, hn::Eq(nans, hn::Zero(di)));
}
// Codes of scales as they are stored.
template <typename T>
HWY_INLINE void write_scales(const BlockFacts<T>& facts, const typename conversion::Lane<T>::Bits* codes, std::int64_t blocks, std::uint8_t* to) {
  const BitsTag<hn::ScalableTag<T>> du;
  const hn::Rebind<std::uint8_t, BitsTag<hn::ScalableTag<T>>> d8;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  std::int64_t b = 0;
  for (; facts.size == 1 && b + kW <= blocks; b += kW) hn::StoreU(hn::TruncateTo(d8, hn::LoadU(du, codes + b)), d8, to + b);
  for (; b < blocks; ++b) {
    to[b * facts.size] = static_cast<std::uint8_t>(codes[b]);
    if (facts.size == 2) to[2 * b + 1] = static_cast<std::uint8_t>(codes[b] >> 8);
  }
}
template <typename T>
HWY_NOINLINE void read_factors(const BlockFacts<T>& facts, const std::uint8_t* scales, std::int64_t blocks, T* factors) {
  using L = conversion::Lane<T>;
  const hn::ScalableTag<T> d;
  const BitsTag<hn::ScalableTag<T>> du;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  std::int64_t b = 0;
  const auto put = [&](const std::uint8_t* from) HWY_ATTR {
    const auto code = load_codes(d, from);
    const auto field = hn::Add(code, hn::Set(du, static_cast<typename L::Bits>(facts.low + L::kBias)));
    auto bits = hn::ShiftLeft<L::kMantissa>(field);
    bits = hn::IfThenElse(hn::Eq(field, hn::Zero(du)), hn::Set(du, typename L::Bits(1) << (L::kMantissa - 1)), bits);
    bits = hn::IfThenElse(hn::Eq(code, hn::Set(du, facts.nan)), hn::Set(du, L::kNan), bits);
    hn::StoreU(hn::BitCast(d, bits), d, factors + b);
  };
  if (facts.size == 1) {
    for (; b + kW <= blocks; b += kW) put(scales + b);
    if (b == blocks) return;
    std::uint8_t last[kW] = {};
    for (std::int64_t i = 0; i < kW && b + i < blocks; ++i) last[i] = scales[b + i];
    put(last);
    return;
  }
  for (; b < blocks; ++b) {
    const std::uint32_t code = scales[2 * b] | static_cast<std::uint32_t>(scales[2 * b + 1]) << 8;
    const int exponent = static_cast<int>(code) + facts.low;
    const typename L::Bits bits = exponent == -L::kBias ? typename L::Bits(1) << (L::kMantissa - 1) : L::power_of_two(exponent);
    factors[b] = std::bit_cast<T>(code == facts.nan ? L::kNan : bits);
  }
}

// ---- blocks that need no care

// Stores the scales of blocks of at least a vector, `stored` of them to `scales`, and what their reals are multiplied by. False, and neither
// counts: a block has a NaN, or reals that saturate, or a factor near the ends of f32. count is a multiple of kUnit; maxima and factors have
// room for whole vectors.
HWY_NOINLINE inline bool easy_scales(const BlockFacts<float>& facts, const float* HWY_RESTRICT reals, std::int64_t count, std::int64_t length,
                                     std::int64_t stored, std::int32_t* HWY_RESTRICT maxima, float* HWY_RESTRICT factors,
                                     std::uint8_t* HWY_RESTRICT scales) {
  using L = conversion::Lane<float>;
  using D = hn::ScalableTag<float>;
  const D d;
  const IntTag<D> di;
  const hn::Rebind<std::uint8_t, IntTag<D>> d8;
  constexpr std::int64_t kW = hn::MaxLanes(D());
  constexpr int kNear = 100;  // binades from 1
  block_maxima(reals, count, length, maxima);
  const std::int64_t blocks = count / length;
  auto care = hn::Zero(di);
  for (std::int64_t b = 0; b < blocks; b += kW) {
    auto bits = hn::LoadU(di, maxima + b);
    if (blocks - b < kW) bits = hn::IfThenElseZero(hn::FirstN(di, static_cast<std::size_t>(blocks - b)), bits);
    hn::Vec<IntTag<D>> exponent, factor;
    scales_of(d, facts, bits, exponent, factor);
    const auto code = hn::TruncateTo(d8, hn::BitCast(BitsTag<D>(), hn::Sub(exponent, hn::Set(di, facts.low))));
    if (stored - b >= kW) {
      hn::StoreU(code, d8, scales + b);
    } else {
      HWY_ALIGN std::uint8_t last[kW];
      hn::StoreU(code, d8, last);
      std::copy(last, last + std::max<std::int64_t>(0, stored - b), scales + b);
    }
    // Zeros stay zeros.
    const auto zero = hn::Eq(bits, hn::Zero(di));
    factor = hn::IfThenElse(zero, hn::Set(di, L::kBias << L::kMantissa), factor);
    hn::StoreU(hn::BitCast(d, factor), d, factors + b);
    // NaN and infinity stay beyond.
    const auto scaled = hn::BitCast(di, hn::Mul(hn::BitCast(d, bits), hn::BitCast(d, factor)));
    const auto beyond = hn::Gt(scaled, hn::Set(di, static_cast<std::int32_t>(facts.most_easy)));
    const auto far = hn::Gt(hn::Abs(hn::IfThenZeroElse(zero, exponent)), hn::Set(di, kNear));
    care = hn::Or(care, hn::VecFromMask(di, hn::Or(beyond, far)));
  }
  return hn::AllTrue(di, hn::Eq(care, hn::Zero(di)));
}

// reals[i] * factors[i / length], or over it; count is a multiple of kUnit. factors has room for count. In place if from == to.
template <bool kDivides = false, typename T>
HWY_NOINLINE void scale_blocks(const T* from, std::int64_t count, std::int64_t length, T* factors, T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  const auto scale = [](auto x, auto factor) HWY_ATTR {
    if constexpr (kDivides) return hn::Div(x, factor);
    else return hn::Mul(x, factor);
  };
  if (length < kW) {
    // Spread over the elements, the last first.
    for (std::int64_t b = count / length - 1; b >= 0; --b) {
      const T factor = factors[b];
      for (std::int64_t l = 0; l < length; ++l) factors[b * length + l] = factor;
    }
    for (std::int64_t i = 0; i < count; i += kW) hn::StoreU(scale(hn::LoadU(d, from + i), hn::LoadU(d, factors + i)), d, to + i);
    return;
  }
  for (std::int64_t i = 0; i < count; i += length) {
    const auto factor = hn::Set(d, factors[i / length]);
    for (std::int64_t l = i; l < i + length; l += kW) hn::StoreU(scale(hn::LoadU(d, from + l), factor), d, to + l);
  }
}

template <typename T>
inline constexpr T kOne = T(1);

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_CONVERT_BLOCKS_INL_H_
