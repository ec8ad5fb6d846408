// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Scales of blocks for every format of scales: powers of two (convert_blocks-inl.h), and scales with a mantissa.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "codelets/contract/storage.h"
#include "codelets/hwy/convert_blocks-inl.h"
#include "codelets/hwy/convert_lanes-inl.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_CONVERT_VALUES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CONVERT_VALUES_INL_H_
#undef ULPFFT_CODELETS_HWY_CONVERT_VALUES_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CONVERT_VALUES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// Values of a vector of scale codes; bits beyond those of a code do not count.
template <class D, typename T>
HWY_INLINE hn::Vec<D> values_of(D d, const ValueFacts<T>& facts, BitsVec<D> codes) {
  const BitsTag<D> du;
  const auto mask = static_cast<typename conversion::Lane<T>::Bits>((std::uint32_t(1) << facts.scale->bits) - 1);
  return decode_float(d, hn::And(codes, hn::Set(du, mask)), *facts.scale);
}

// value_scale() of storage.h, a vector of blocks at a time. Factors are divisors where facts.divides. True if a block is NaN.
template <typename T>
HWY_NOINLINE bool value_scales(const BlockFacts<T>& block, T per_reach, const hwy::MakeSigned<T>* maxima, std::int64_t blocks,
                               typename conversion::Lane<T>::Bits* codes, T* factors) {
  using L = conversion::Lane<T>;
  using Int = hwy::MakeSigned<T>;
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  const IntTag<D> di;
  const BitsTag<D> du;
  constexpr std::int64_t kW = hn::MaxLanes(D());
  const ValueFacts<T>& facts = *block.values;
  auto nans = hn::Zero(di);
  for (std::int64_t b = 0; b < blocks; b += kW) {
    auto bits = hn::LoadU(di, maxima + b);
    if (blocks - b < kW) bits = hn::IfThenElseZero(hn::FirstN(di, static_cast<std::size_t>(blocks - b)), bits);
    const auto is_nan = hn::Gt(bits, hn::Set(di, static_cast<Int>(L::kInfinity - 1)));
    const auto amax = hn::BitCast(d, hn::IfThenZeroElse(is_nan, bits));
    const auto wanted = facts.divides ? hn::Max(hn::Div(amax, hn::Set(d, facts.reach)), hn::Set(d, facts.least))
                                      : hn::Mul(amax, hn::Set(d, per_reach));
    hn::Vec<IntTag<D>> saturated;
    const auto code = encode_float<false, true>(d, wanted, hn::Zero(du), *facts.scale, true, saturated);
    const auto value = values_of(d, facts, code);
    const auto inverse = hn::Min(hn::Div(hn::Set(d, T(1)), value), hn::Set(d, std::numeric_limits<T>::max()));
    hn::StoreU(hn::IfThenElse(hn::RebindMask(du, is_nan), hn::Set(du, block.nan), code), du, codes + b);
    hn::StoreU(facts.divides ? value : inverse, d, factors + b);
    nans = hn::Or(nans, hn::VecFromMask(di, is_nan));
  }
  return !hn::AllTrue(di, hn::Eq(nans, hn::Zero(di)));
}

// squared_error() of storage.h of blocks of `length` reals, in order, to `errors`, which has room for count + kSpare.
template <typename T>
HWY_NOINLINE void squared_errors(const conversion::ElementFacts<T>& f, const ValueFacts<T>& facts, const T* reals, std::int64_t count,
                                 std::int64_t length, const typename conversion::Lane<T>::Bits* codes, const T* factors, T* errors) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  const BitsTag<D> du;
  constexpr std::int64_t kW = hn::MaxLanes(D());
  HWY_ALIGN T each[kChunk + kSpare];
  std::copy_n(factors, count / length, each);
  scale_blocks(reals, count, length, each, errors);
  for (std::int64_t i = 0; i < count; i += kW) {
    hn::Vec<IntTag<D>> saturated;
    const auto code = encode_lanes<false, true>(d, hn::LoadU(d, errors + i), hn::Zero(du), f, true, saturated);
    hn::StoreU(decode_lanes(d, code, f), d, errors + i);
  }
  for (std::int64_t b = 0; b < count / length; b += kW) hn::StoreU(values_of(d, facts, hn::LoadU(du, codes + b)), d, each + b);
  scale_blocks(errors, count, length, each, errors);
  for (std::int64_t i = 0; i < count; i += kW) {
    const auto difference = hn::Sub(hn::LoadU(d, errors + i), hn::LoadU(d, reals + i));
    hn::StoreU(hn::Mul(difference, difference), d, errors + i);
  }
  for (std::int64_t left = length, total = count; left > 1; left /= 2, total /= 2) {
    for (std::int64_t i = 0; i < total / 2; i += kW) {
      const auto a = hn::LoadU(d, errors + 2 * i), b = hn::LoadU(d, errors + 2 * i + kW);
      hn::StoreU(hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a)), d, errors + i);
    }
  }
}

// The scales that kSearch prefers to those of kTe, in their place. count is a multiple of kUnit, at most kChunk.
template <typename T>
HWY_NOINLINE void search_scales(const conversion::ElementFacts<T>& f, const BlockFacts<T>& block, const T* reals, std::int64_t count,
                                std::int64_t length, const hwy::MakeSigned<T>* maxima, typename conversion::Lane<T>::Bits* codes,
                                T* factors) {
  HWY_ALIGN T errors[kChunk + kSpare], other_errors[kChunk + kSpare], other_factors[kChunk / 2 + kSpare];
  HWY_ALIGN typename conversion::Lane<T>::Bits other_codes[kChunk / 2 + kSpare];
  const std::int64_t blocks = count / length;
  value_scales(block, block.values->per_below, maxima, blocks, other_codes, other_factors);
  squared_errors(f, *block.values, reals, count, length, codes, factors, errors);
  squared_errors(f, *block.values, reals, count, length, other_codes, other_factors, other_errors);
  for (std::int64_t b = 0; b < blocks; ++b) {
    if (!(other_errors[b] < errors[b])) continue;
    codes[b] = other_codes[b];
    factors[b] = other_factors[b];
  }
}

// Whether no real of blocks with these largest magnitudes, of which none is NaN, saturates when it is multiplied or divided by its factor.
HWY_INLINE bool stay_within(const BlockFacts<float>& block, const std::int32_t* maxima, const float* factors, std::int64_t blocks) {
  using D = hn::ScalableTag<float>;
  const D d;
  const IntTag<D> di;
  auto most = hn::Zero(d);
  for (std::int64_t b = 0; b < blocks; b += hn::MaxLanes(D())) {
    const auto taken = hn::FirstN(d, static_cast<std::size_t>(blocks - b));
    const auto amax = hn::BitCast(d, hn::LoadU(di, maxima + b)), factor = hn::LoadU(d, factors + b);
    const auto scaled = block.values->divides ? hn::Div(amax, factor) : hn::Mul(amax, factor);
    most = hn::Max(most, hn::IfThenElseZero(taken, scaled));
  }
  return hn::AllFalse(di, hn::Gt(hn::BitCast(di, most), hn::Set(di, static_cast<std::int32_t>(block.most_easy))));
}

template <typename T>
HWY_NOINLINE void read_values(const BlockFacts<T>& block, const std::uint8_t* scales, std::int64_t blocks, T* factors) {
  const hn::ScalableTag<T> d;
  const BitsTag<hn::ScalableTag<T>> du;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  for (std::int64_t b = 0; b < blocks; b += kW) {
    auto codes = hn::Zero(du);
    if (HWY_LIKELY(block.size == 1 && b + kW <= blocks)) {
      codes = load_codes(d, scales + b);
    } else {
      HWY_ALIGN typename conversion::Lane<T>::Bits each[kW] = {};
      for (std::int64_t l = 0; l < kW && b + l < blocks; ++l) {
        const std::uint8_t* const at = scales + (b + l) * block.size;
        each[l] = at[0] | (block.size == 2 ? static_cast<std::uint32_t>(at[1]) << 8 : 0);
      }
      codes = hn::Load(du, each);
    }
    hn::StoreU(values_of(d, *block.values, codes), d, factors + b);
  }
}

// Either kind of scale, as block_scales() and read_factors().
template <typename T>
HWY_INLINE bool scales_of_blocks(const BlockFacts<T>& block, const hwy::MakeSigned<T>* maxima, std::int64_t blocks,
                                 typename conversion::Lane<T>::Bits* codes, T* factors) {
  if (block.values == nullptr) return block_scales(block, maxima, blocks, codes, factors);
  return value_scales(block, block.values->per_reach, maxima, blocks, codes, factors);
}
template <typename T>
HWY_INLINE void factors_of_blocks(const BlockFacts<T>& block, const std::uint8_t* scales, std::int64_t blocks, T* factors) {
  if (block.values == nullptr) return read_factors(block, scales, blocks, factors);
  read_values(block, scales, blocks, factors);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_CONVERT_VALUES_INL_H_
