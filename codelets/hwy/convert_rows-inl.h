// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rows of reals to storage and back: storage.h says what, convert_lanes-inl.h how one vector goes.
//
// A row goes in chunks that stay in L1; blocks are measured (block_maxima), given scales (scales_of_blocks) and multiplied by factors
// while they are encoded. Where reals or codes are not adjacent, are packed, or end inside a vector, the chunk goes through
// a small buffer, filled up with zeros, which every format takes without saturation.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "codelets/contract/conversion.h"
#include "codelets/hwy/convert_blocks-inl.h"
#include "codelets/hwy/convert_lanes-inl.h"
#include "codelets/hwy/convert_values-inl.h"
#include "codelets/hwy/groups.h"
#include "hwy/highway.h"

#if defined(ULPFFT_CODELETS_HWY_CONVERT_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_CONVERT_ROWS_INL_H_
#undef ULPFFT_CODELETS_HWY_CONVERT_ROWS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_CONVERT_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// What a span of reals is multiplied by: each `length` of them by the next factor. Plain formats have none.
template <typename T>
struct Factors {
  const T* each = nullptr;
  std::int64_t length = kChunk;
};

// Whole vectors: count is a multiple of kUnit; length is a power of two and at least a vector.
template <typename T, typename C>
using DecodeSpan = void (*)(const conversion::ElementFacts<T>& f, const Factors<T>& factors, const C* codes, T* reals, std::int64_t count);
template <typename T, typename C>
using EncodeSpan = std::int64_t (*)(const conversion::ElementFacts<T>& f, const Factors<T>& factors, const T* reals, C* codes, std::int64_t count,
                                    bool saturates, bool streams);
// Reals of blocks for which easy_scales() is true: each `1 << length_shift` of them by the next factor. streams: past the caches.
template <typename C>
using EncodeEasy = void (*)(const conversion::ElementFacts<float>& f, const float* factors, int length_shift, const float* reals, C* codes, std::int64_t count, bool streams);

template <bool kScaled, typename T, typename C>
HWY_INLINE void decode_span_of(const conversion::ElementFacts<T>& f, const Factors<T>& factors, const C* HWY_RESTRICT codes,
                               T* HWY_RESTRICT reals, std::int64_t count) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
#if ULPFFT_HWY_HALF
  if constexpr (!kScaled && sizeof(T) == 4 && sizeof(C) == 2) {
    if (f.is_half) {
      for (std::int64_t i = 0; i < count; i += kW) hn::StoreU(load_halves(d, codes + i), d, reals + i);
      return;
    }
  }
#endif
  const std::int64_t length = kScaled ? factors.length : count;
  for (std::int64_t b = 0, i = 0; i < count; ++b) {
    [[maybe_unused]] auto factor = hn::Zero(d);
    if constexpr (kScaled) factor = hn::Set(d, factors.each[b]);
    for (const std::int64_t end = std::min(i + length, count); i < end; i += kW) {
      auto x = decode_lanes(d, load_codes(d, codes + i), f);
      if constexpr (kScaled) x = hn::Mul(x, factor);
      hn::StoreU(x, d, reals + i);
    }
  }
}
// The vector from real i on.
template <bool kStochastic, bool kScaled, class D, typename T>
HWY_INLINE BitsVec<D> encode_at(D d, const conversion::ElementFacts<T>& f, const T* factors, int length_shift, const T* HWY_RESTRICT reals,
                                const std::uint32_t* HWY_RESTRICT random, std::int64_t i, bool saturates, hn::Vec<IntTag<D>>& total) {
  BitsVec<D> draw = hn::Zero(BitsTag<D>());
  if constexpr (kStochastic) {
    if constexpr (sizeof(T) == 4) draw = hn::LoadU(BitsTag<D>(), random + i);
    else draw = load_codes(d, random + i);
  }
  auto x = hn::LoadU(d, reals + i);
  if constexpr (kScaled) x = hn::Mul(x, hn::Set(d, factors[i >> length_shift]));
  hn::Vec<IntTag<D>> saturated;
  // A NaN among the reals of a block makes all of them zeros.
  const auto code = encode_lanes<kStochastic, kScaled>(d, x, draw, f, saturates, saturated);
  total = hn::Sub(total, saturated);
  return code;
}
template <bool kStochastic, bool kScaled, typename T, typename C>
HWY_INLINE std::int64_t encode_span_of(const conversion::ElementFacts<T>& f, const Factors<T>& factors, const T* HWY_RESTRICT reals,
                                       const std::uint32_t* HWY_RESTRICT random, C* HWY_RESTRICT codes, std::int64_t count, bool saturates) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  const IntTag<hn::ScalableTag<T>> di;
  auto total = hn::Zero(di);
  const T* const each = factors.each;
  const int shift = std::countr_zero(static_cast<std::uint64_t>(factors.length));
#if ULPFFT_HWY_HALF
  if constexpr (!kStochastic && !kScaled && sizeof(T) == 4 && sizeof(C) == 2) {
    if (f.is_half) {
      for (std::int64_t i = 0; i < count; i += kW) {
        hn::Vec<IntTag<hn::ScalableTag<T>>> saturated;
        store_halves(d, hn::LoadU(d, reals + i), codes + i, saturates, saturated);
        total = hn::Sub(total, saturated);
      }
      return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(di, total)));
    }
  }
#endif
  if constexpr (sizeof(T) == 4 && sizeof(C) == 1) {
    static_assert(kUnit % (4 * kW) == 0);
    for (std::int64_t i = 0; i < count; i += 4 * kW) {
      const auto v0 = encode_at<kStochastic, kScaled>(d, f, each, shift, reals, random, i, saturates, total);
      const auto v1 = encode_at<kStochastic, kScaled>(d, f, each, shift, reals, random, i + kW, saturates, total);
      const auto v2 = encode_at<kStochastic, kScaled>(d, f, each, shift, reals, random, i + 2 * kW, saturates, total);
      const auto v3 = encode_at<kStochastic, kScaled>(d, f, each, shift, reals, random, i + 3 * kW, saturates, total);
      store_four_bytes(d, v0, v1, v2, v3, codes + i);
    }
  } else {
    for (std::int64_t i = 0; i < count; i += kW) {
      store_codes(d, encode_at<kStochastic, kScaled>(d, f, each, shift, reals, random, i, saturates, total), codes + i);
    }
  }
  return static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(di, total)));
}

// Formats without loops of their own, and rare modes.
template <bool kScaled, typename T, typename C>
HWY_NOINLINE void decode_span(const conversion::ElementFacts<T>& f, const Factors<T>& factors, const C* codes, T* reals, std::int64_t count) {
  decode_span_of<kScaled>(f, factors, codes, reals, count);
}
template <bool kScaled, typename T, typename C>
HWY_NOINLINE std::int64_t encode_span(const conversion::ElementFacts<T>& f, const Factors<T>& factors, const T* reals, C* codes, std::int64_t count,
                                      bool saturates, bool) {
  return encode_span_of<false, kScaled>(f, factors, reals, nullptr, codes, count, saturates);
}
template <typename T, typename C>
HWY_NOINLINE std::int64_t encode_span_stochastic(const conversion::ElementFacts<T>& f, const T* reals, const std::uint32_t* random, C* codes,
                                                 std::int64_t count) {
  return encode_span_of<true, false>(f, Factors<T>(), reals, random, codes, count, true);
}

// ---- placement

// Two codes of 4 bits in a byte. count is a multiple of kUnit.
inline void pack_halves(const std::uint8_t* from, std::int64_t count, std::uint8_t* to) {
  const hn::ScalableTag<std::uint16_t> d;
  const hn::Rebind<std::uint8_t, hn::ScalableTag<std::uint16_t>> d8;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<std::uint16_t>());
  for (std::int64_t i = 0; i < count; i += 2 * kW) {
    const auto pairs = hn::LoadU(d, reinterpret_cast<const std::uint16_t*>(from + i));
    const auto both = hn::Or(hn::And(pairs, hn::Set(d, 15)), hn::ShiftRight<4>(pairs));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(hn::RebindToSigned<hn::ScalableTag<std::uint16_t>>(), both)), d8, to + i / 2);
  }
}
inline void unpack_halves(const std::uint8_t* from, std::int64_t count, std::uint8_t* to) {
  const hn::ScalableTag<std::uint16_t> d;
  const hn::Rebind<std::uint8_t, hn::ScalableTag<std::uint16_t>> d8;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<std::uint16_t>());
  for (std::int64_t i = 0; i < count; i += 2 * kW) {
    const auto both = hn::PromoteTo(d, hn::LoadU(d8, from + i / 2));
    hn::StoreU(hn::And(hn::Or(both, hn::ShiftLeft<4>(both)), hn::Set(d, 0x0f0f)), d, reinterpret_cast<std::uint16_t*>(to + i));
  }
}

// Three bytes of every four, and back, with steps of three quarters of a vector; the last one goes a quarter too far.
template <int kW>
struct ThreeOfFour {
  HWY_ALIGN std::int32_t gathered[kW], spread[kW];
  constexpr ThreeOfFour() : gathered(), spread() {
    for (int l = 0; l < kW; ++l) {
      gathered[l] = l < kW / 4 * 3 ? l / 3 * 4 + l % 3 : 0;
      spread[l] = l % 4 < 3 ? l / 4 * 3 + l % 4 : 0;
    }
  }
};
// Four codes of 6 bits in three bytes. count is a multiple of kUnit.
inline void pack_sixes(const std::uint8_t* from, std::int64_t count, std::uint8_t* to) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::ScalableTag<std::uint8_t> d8;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<std::uint32_t>());
  HWY_ALIGN static constexpr ThreeOfFour<static_cast<int>(kW)> kLanes;
  HWY_ALIGN static constexpr std::uint8_t kBytes[16] = {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0};
  for (std::int64_t i = 0; i < count; i += 4 * kW, to += 3 * kW) {
    const auto x = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(from + i));
    const auto low = hn::Or(hn::And(x, hn::Set(d, 0x3f)), hn::And(hn::ShiftRight<2>(x), hn::Set(d, 0xfc0)));
    const auto high = hn::Or(hn::And(hn::ShiftRight<4>(x), hn::Set(d, 0x3f000)), hn::And(hn::ShiftRight<6>(x), hn::Set(d, 0xfc0000)));
    const auto bytes = hn::TableLookupBytes(hn::BitCast(d8, hn::Or(low, high)), hn::LoadDup128(d8, kBytes));
    hn::StoreU(hn::BitCast(d8, hn::TableLookupLanes(hn::BitCast(d, bytes), hn::SetTableIndices(d, kLanes.gathered))), d8, to);
  }
}
inline void unpack_sixes(const std::uint8_t* from, std::int64_t count, std::uint8_t* to) {
  const hn::ScalableTag<std::uint32_t> d;
  const hn::ScalableTag<std::uint8_t> d8;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<std::uint32_t>());
  HWY_ALIGN static constexpr ThreeOfFour<static_cast<int>(kW)> kLanes;
  HWY_ALIGN static constexpr std::uint8_t kBytes[16] = {0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0};
  for (std::int64_t i = 0; i < count; i += 4 * kW, from += 3 * kW) {
    const auto lanes = hn::TableLookupLanes(hn::BitCast(d, hn::LoadU(d8, from)), hn::SetTableIndices(d, kLanes.spread));
    const auto x = hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, lanes), hn::LoadDup128(d8, kBytes)));
    const auto low = hn::Or(hn::And(x, hn::Set(d, 0x3f)), hn::ShiftLeft<2>(hn::And(x, hn::Set(d, 0xfc0))));
    const auto high = hn::Or(hn::ShiftLeft<4>(hn::And(x, hn::Set(d, 0x3f000))), hn::ShiftLeft<6>(hn::And(x, hn::Set(d, 0xfc0000))));
    hn::StoreU(hn::BitCast(d8, hn::Or(low, high)), d8, to + i);
  }
}

// Codes as a bit stream. count is filled up to a multiple of kUnit, to has room for a vector more.
template <typename C>
HWY_NOINLINE void pack(int bits, const C* from, std::int64_t count, std::uint8_t* to) {
  if constexpr (sizeof(C) == 1) {
    if (bits == 4) return pack_halves(from, count, to);
    if (bits == 6) return pack_sixes(from, count, to);
  }
  for (std::int64_t i = 0; i < count; i += 8) {
    std::uint64_t low = 0, high = 0;  // four codes each
    for (int c = 0; c < 4; ++c) {
      low |= static_cast<std::uint64_t>(from[i + c]) << (c * bits);
      high |= static_cast<std::uint64_t>(from[i + 4 + c]) << (c * bits);
    }
    // 4 * bits is a whole number of half bytes: 12 .. 60 bits.
    if (bits % 2 == 0) {
      std::memcpy(to, &low, sizeof(low));
      std::memcpy(to + bits / 2, &high, sizeof(high));
    } else {
      low |= high << (4 * bits);
      std::memcpy(to, &low, sizeof(low));
      high >>= 64 - 4 * bits;
      for (int byte = 8; byte < bits; ++byte, high >>= 8) to[byte] = static_cast<std::uint8_t>(high);
    }
    to += bits;
  }
}
// from has a vector more.
template <typename C>
HWY_NOINLINE void unpack(int bits, const std::uint8_t* from, std::int64_t count, C* to) {
  if constexpr (sizeof(C) == 1) {
    if (bits == 4) return unpack_halves(from, count, to);
    if (bits == 6) return unpack_sixes(from, count, to);
  }
  const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
  for (std::int64_t i = 0; i < count; i += 8) {
    std::uint64_t low, high;
    std::memcpy(&low, from, sizeof(low));
    std::memcpy(&high, from + bits / 2, sizeof(high));
    if (bits % 2 != 0) high >>= 4;
    for (int c = 0; c < 4; ++c) {
      to[i + c] = static_cast<C>(low >> (c * bits) & mask);
      to[i + 4 + c] = static_cast<C>(high >> (c * bits) & mask);
    }
    from += bits;
  }
}

HWY_NOINLINE inline void fill_random(const RandomSource& source, std::int64_t begin, std::int64_t count, std::uint32_t* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = source(begin + i);
}

// Past the caches where `to` begins at 16 bytes. from has room for a vector more.
HWY_NOINLINE inline void stream_bytes(const std::uint8_t* HWY_RESTRICT from, std::int64_t count, std::uint8_t* HWY_RESTRICT to) {
  const hn::ScalableTag<std::uint8_t> d;
  const hn::FixedTag<std::uint8_t, 16> d16;
  constexpr std::int64_t kBytes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>());
  std::int64_t i = 0;
  if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) {
    for (; i + 16 <= count && reinterpret_cast<std::uintptr_t>(to + i) % kBytes != 0; i += 16) hn::Stream(hn::LoadU(d16, from + i), d16, to + i);
    for (; i + kBytes <= count; i += kBytes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
    for (; i + 16 <= count; i += 16) hn::Stream(hn::LoadU(d16, from + i), d16, to + i);
  }
  std::memcpy(to + i, from + i, static_cast<std::size_t>(count - i));
}

// ---- rows. S: type of the reals, T: lanes, C: codes

// Whether rows lie one after the other at both ends and each begins where a part of one row might: then they are one.
inline bool rows_adjoin(const ConversionArgs& args) {
  const Storage& s = *args.storage;
  if (args.rows < 2 || args.group != 0 || args.real_row_stride != args.count) return false;
  const std::int64_t bits = args.count * s.element->bits;
  if (bits % 8 != 0 || args.code_row_bytes != bits / 8) return false;
  if (args.rounding == Rounding::kStochastic && args.index_row_stride != static_cast<std::uint64_t>(args.count)) return false;
  if (s.scale == nullptr) return true;
  return s.length != 0 && (args.count & (s.length - 1)) == 0 && args.scale_row_bytes == scale_bytes(s, args.count);
}

// Where a format has the facts of a rule: those that choose its scales, in order.
constexpr int rule_index(ScaleRule rule) { return static_cast<int>(rule) % kPowerRules; }

// Groups without gaps are adjacent numbers.
constexpr std::int64_t group_of(std::int64_t group, std::int64_t stride) { return stride == group ? 0 : group; }

// The size of the next chunk of so many reals. What is no whole unit comes by itself, so that the rest need not be copied for it.
constexpr std::int64_t next_chunk(std::int64_t reals) { return reals < kUnit ? reals : std::min(kChunk, reals / kUnit * kUnit); }

template <typename S, typename T, typename C>
HWY_NOINLINE void decode_rows(const ConversionArgs& args, const conversion::ElementFacts<T>& f, const BlockFacts<T>* rules, DecodeSpan<T, C> span) {
  HWY_ALIGN C codes[kChunk + kSpare];
  HWY_ALIGN std::uint8_t bytes[kChunk * sizeof(C) + kSpare];
  HWY_ALIGN T reals[kChunk + kSpare];
  HWY_ALIGN T factors[kChunk + kSpare];
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  const Storage& s = *args.storage;
  const bool adjoin = rows_adjoin(args);
  const std::int64_t rows = adjoin ? 1 : args.rows;
  const std::int64_t reals_of_row = adjoin ? args.rows * args.count : args.count;
  const bool packed = is_packed(*s.element), blocks = s.scale != nullptr;
  const std::int64_t code_group = packed || blocks ? 0 : group_of(args.group, args.code_group_stride);
  const std::int64_t real_group = group_of(args.group, args.real_group_stride);
  BlockFacts<T> block;
  if (blocks) block = rules[rule_index(s.rule)];
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto* const row = static_cast<const std::uint8_t*>(args.codes) + r * args.code_row_bytes;
    const auto* const row_scales = static_cast<const std::uint8_t*>(args.scales) + r * args.scale_row_bytes;
    S* const row_reals = static_cast<S*>(args.reals) + r * args.real_row_stride;
    std::int64_t begin = 0;
    if constexpr (sizeof(S) == sizeof(T)) {
      if (!packed && !blocks && code_group == 0 && real_group == 0) {
        begin = reals_of_row / kUnit * kUnit;
        span(f, Factors<T>(), reinterpret_cast<const C*>(row), row_reals, begin);
      }
    }
    for (std::int64_t count = 0; begin < reals_of_row; begin += count) {
      count = next_chunk(reals_of_row - begin);
      const std::int64_t filled = (count + kUnit - 1) / kUnit * kUnit;
      const C* from = codes;
      if (packed) {
        const std::int64_t size = (count * s.element->bits + 7) / 8;
        std::memcpy(bytes, row + begin / 8 * s.element->bits, static_cast<std::size_t>(size));
        std::fill(bytes + size, bytes + filled * s.element->bits / 8, 0);
        unpack(s.element->bits, bytes, filled, codes);
      } else if (code_group != 0 || filled != count) {
        conversion::gather(reinterpret_cast<const C*>(row), code_group, args.code_group_stride, begin, count, codes);
        std::fill(codes + count, codes + filled, C(0));
      } else {
        from = reinterpret_cast<const C*>(row) + begin;
      }
      T* to = reals;
      bool copies = true;
      if constexpr (sizeof(S) == sizeof(T)) {
        if (real_group == 0 && filled == count) {
          to = row_reals + begin;
          copies = false;
        }
      }
      Factors<T> scaling;
      if (blocks) {
        const std::int64_t length = s.length == 0 ? kUnit : s.length;
        const std::int64_t number = (count + length - 1) / length;
        if (s.length != 0) {
          factors_of_blocks(block, row_scales + begin / s.length * block.size, number, factors);
        } else {
          factors_of_blocks(block, row_scales, 1, factors);
          std::fill_n(factors, number, factors[0]);
        }
        std::fill(factors + number, factors + filled / length, T(1));
        scaling = length < kW ? Factors<T>{&kOne<T>} : Factors<T>{factors, length};
      }
      span(f, scaling, from, to, filled);
      if (blocks && s.length != 0 && s.length < kW) scale_blocks(to, filled, s.length, factors, to);
      if (copies) conversion::scatter(to, real_group, args.real_group_stride, begin, count, row_reals);
    }
  }
}

// ---- encoding: encode_rows() and its parts, which are inlined into it because chunks are short

template <typename T, typename C>
struct EncodeTiles {
  HWY_ALIGN C codes[kChunk + kSpare];
  HWY_ALIGN std::uint8_t bytes[kChunk * sizeof(C) + kSpare];
  HWY_ALIGN T reals[kChunk + kSpare];
  HWY_ALIGN T factors[kChunk + kSpare];
  HWY_ALIGN hwy::MakeSigned<T> maxima[kChunk + kSpare];
  HWY_ALIGN std::uint32_t draws[kChunk + kSpare];
  HWY_ALIGN typename conversion::Lane<T>::Bits scales[kChunk / 2 + kSpare];
};

// What holds for all rows. Nothing takes its address, so that it stays in registers.
struct EncodeWay {
  explicit EncodeWay(const ConversionArgs& args)
      : packed(is_packed(*args.storage->element)),
        blocks(args.storage->scale != nullptr),
        stochastic(args.rounding == Rounding::kStochastic),
        saturates(blocks || args.rounding != Rounding::kNearest),
        code_group(packed || blocks ? 0 : group_of(args.group, args.code_group_stride)),
        real_group(group_of(args.group, args.real_group_stride)) {}
  const bool packed, blocks, stochastic, saturates;
  const std::int64_t code_group, real_group;
};

// Reals first .. first + count - 1 of a row, filled up to whole units.
template <typename T>
struct EncodeChunk {
  std::int64_t first, count, filled;
  const T* from;
  Factors<T> scaling = {};
  bool easily = false;
};

template <typename S, typename T>
HWY_INLINE EncodeChunk<T> fetch_chunk(const ConversionArgs& args, std::int64_t real_group, const S* row_reals, std::int64_t first,
                                      std::int64_t count, T* reals) {
  EncodeChunk<T> chunk{first, count, (count + kUnit - 1) / kUnit * kUnit, reals};
  if constexpr (sizeof(S) == sizeof(T)) {
    if (real_group == 0 && chunk.filled == count) {
      chunk.from = row_reals + first;
      return chunk;
    }
  }
  conversion::gather(row_reals, real_group, args.real_group_stride, first, count, reals);
  std::fill(reals + count, reals + chunk.filled, T(0));
  return chunk;
}

// The scale of a row that is one block, in factors[0]. Returns whether it is none.
template <typename S, typename T, typename C>
HWY_INLINE bool scale_row(const ConversionArgs& args, std::int64_t real_group, const BlockFacts<T>& block, const S* row_reals,
                          std::int64_t reals_of_row, std::uint8_t* row_scales, EncodeTiles<T, C>& tiles) {
  hwy::MakeSigned<T> largest = 0;
  for (std::int64_t begin = 0; begin < reals_of_row; begin += kChunk) {
    const auto chunk = fetch_chunk(args, real_group, row_reals, begin, std::min(kChunk, reals_of_row - begin), tiles.reals);
    block_maxima(chunk.from, chunk.filled, 0, tiles.maxima);
    largest = std::max(largest, tiles.maxima[0]);
  }
  tiles.maxima[0] = largest;
  const bool is_nan = scales_of_blocks(block, tiles.maxima, 1, tiles.scales, tiles.factors);
  write_scales(block, tiles.scales, 1, row_scales);
  return is_nan;
}

// The scales and factors of the blocks of a chunk, where they are not found easily. row_factor, row_is_nan: of a row that is one block.
template <typename T, typename C>
HWY_INLINE void scale_chunk(const ConversionArgs& args, const conversion::ElementFacts<T>& f, const BlockFacts<T>& block,
                            bool can_be_easy, T row_factor, bool row_is_nan, std::uint8_t* row_scales, EncodeTiles<T, C>& tiles,
                            EncodeChunk<T>& chunk) {
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  const Storage& s = *args.storage;
  const std::int64_t length = s.length == 0 ? kUnit : s.length, blocks = chunk.filled / length;
  bool has_nan = row_is_nan;
  if (s.length == 0) {
    std::fill_n(tiles.factors, blocks, row_factor);
  } else {
    block_maxima(chunk.from, chunk.filled, s.length, tiles.maxima);
    has_nan = scales_of_blocks(block, tiles.maxima, blocks, tiles.scales, tiles.factors);
    if (block.values != nullptr && block.values->searches)
      search_scales(f, block, chunk.from, chunk.filled, s.length, tiles.maxima, tiles.scales, tiles.factors);
    write_scales(block, tiles.scales, (chunk.count + s.length - 1) / s.length, row_scales + chunk.first / s.length * block.size);
  }
  chunk.scaling = {tiles.factors, length};
  if constexpr (sizeof(T) == 4) {
    chunk.easily = can_be_easy && block.values != nullptr && !has_nan && stay_within(block, tiles.maxima, tiles.factors, blocks);
  }
  const bool divides = block.values != nullptr && block.values->divides;
  if (divides) {
    scale_blocks<true>(chunk.from, chunk.filled, length, tiles.factors, tiles.reals);
    std::fill_n(tiles.factors, blocks, T(1));
  } else if (!chunk.easily && (length < kW || has_nan || args.rounding == Rounding::kStochastic)) {
    scale_blocks(chunk.from, chunk.filled, length, tiles.factors, tiles.reals);
  } else {
    return;
  }
  chunk.from = tiles.reals;
  chunk.scaling = {&kOne<T>};
  for (std::int64_t b = 0; has_nan && b < blocks; ++b) {
    if (s.length == 0 ? row_is_nan : tiles.scales[b] == block.nan) std::fill_n(tiles.reals + b * length, length, T(0));
  }
}

// Returns how many saturate. number: random numbers before the row. A NaN block has positive zeros by now, and zero is code 0 of all
// elements of blocks.
template <typename T, typename C>
HWY_INLINE std::int64_t encode_chunk(const ConversionArgs& args, const conversion::ElementFacts<T>& f, const EncodeWay& way,
                                     EncodeSpan<T, C> span, [[maybe_unused]] EncodeEasy<C> easy, std::uint64_t number,
                                     const EncodeChunk<T>& chunk, EncodeTiles<T, C>& tiles, C* to) {
  if (chunk.easily) {
    if constexpr (sizeof(T) == 4) {
      const int shift = std::countr_zero(static_cast<std::uint64_t>(args.storage->length));
      easy(f, tiles.factors, shift, chunk.from, to, chunk.filled, false);
    }
    return 0;
  }
  if (!way.stochastic) return span(f, chunk.scaling, chunk.from, to, chunk.filled, way.saturates, false);
  const RandomSource random{args.random == nullptr ? nullptr : args.random + number, args.seed, args.index + number};
  fill_random(random, chunk.first, chunk.count, tiles.draws);
  std::fill(tiles.draws + chunk.count, tiles.draws + chunk.filled, 0);
  return encode_span_stochastic(f, chunk.from, tiles.draws, to, chunk.filled);
}

// Codes of a chunk, which are in the tile, to the row.
template <typename T, typename C>
HWY_INLINE void store_chunk(const ConversionArgs& args, const EncodeWay& way, const EncodeChunk<T>& chunk, EncodeTiles<T, C>& tiles,
                            std::uint8_t* row) {
  const int bits = args.storage->element->bits;
  const std::int64_t size = (chunk.count * bits + 7) / 8;
  if (way.packed) {
    std::fill(tiles.codes + chunk.count, tiles.codes + chunk.filled, C(0));
    pack(bits, tiles.codes, chunk.filled, tiles.bytes);
    std::uint8_t* const at = row + chunk.first / 8 * bits;
    if (args.non_temporal) {
      stream_bytes(tiles.bytes, size, at);
    } else {
      std::memcpy(at, tiles.bytes, static_cast<std::size_t>(size));
    }
  } else if (args.non_temporal && way.code_group == 0) {
    stream_bytes(reinterpret_cast<const std::uint8_t*>(tiles.codes), size, row + chunk.first * static_cast<std::int64_t>(sizeof(C)));
  } else {
    conversion::scatter(tiles.codes, way.code_group, args.code_group_stride, chunk.first, chunk.count, reinterpret_cast<C*>(row));
  }
}

template <typename S, typename T, typename C>
HWY_NOINLINE std::int64_t encode_rows(const ConversionArgs& args, const conversion::ElementFacts<T>& f, const BlockFacts<T>* rules,
                                      EncodeSpan<T, C> span, [[maybe_unused]] EncodeEasy<C> easy) {
  EncodeTiles<T, C> tiles;
  constexpr std::int64_t kW = hn::MaxLanes(hn::ScalableTag<T>());
  const Storage& s = *args.storage;
  const EncodeWay way(args);
  const bool adjoin = rows_adjoin(args), can_be_easy = easy != nullptr && s.length >= kW && !way.stochastic;
  const std::int64_t rows = adjoin ? 1 : args.rows, reals_of_row = adjoin ? args.rows * args.count : args.count;
  BlockFacts<T> block;
  if (way.blocks) block = rules[rule_index(s.rule)];
  std::int64_t saturated = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    auto* const row = static_cast<std::uint8_t*>(args.codes) + r * args.code_row_bytes;
    auto* const row_scales = static_cast<std::uint8_t*>(args.scales) + r * args.scale_row_bytes;
    const S* const row_reals = static_cast<const S*>(args.reals) + r * args.real_row_stride;
    const bool one_block = way.blocks && s.length == 0 && reals_of_row > 0;
    const bool row_is_nan = one_block && scale_row(args, way.real_group, block, row_reals, reals_of_row, row_scales, tiles);
    const T row_factor = one_block ? tiles.factors[0] : T(0);
    // Conversions stream what begins at vectors, the others go by way of the tile.
    const bool streams = args.non_temporal && reinterpret_cast<std::uintptr_t>(row) % (sizeof(T) * kW) == 0;
    const bool plain = !way.packed && way.real_group == 0 && !way.stochastic && streams == args.non_temporal;
    std::int64_t begin = 0;
    if constexpr (sizeof(S) == sizeof(T)) {
      if (plain && !way.blocks && way.code_group == 0) {
        begin = reals_of_row / kUnit * kUnit;
        saturated += span(f, Factors<T>(), row_reals, reinterpret_cast<C*>(row), begin, way.saturates, streams);
      }
    }
    while (begin < reals_of_row) {
      if constexpr (sizeof(T) == 4 && sizeof(S) == 4) {
        const std::int64_t run = std::min(kRun, (reals_of_row - begin) / kUnit * kUnit);
        if (can_be_easy && plain && block.values == nullptr && s.length >= 32 && run != 0 &&
            easy_scales(block, row_reals + begin, run, s.length, run / s.length, tiles.maxima, tiles.factors,
                        row_scales + begin / s.length)) {
          const int shift = std::countr_zero(static_cast<std::uint64_t>(s.length));
          easy(f, tiles.factors, shift, row_reals + begin, reinterpret_cast<C*>(row) + begin, run, streams);
          begin += run;
          continue;
        }
      }
      EncodeChunk<T> chunk = fetch_chunk(args, way.real_group, row_reals, begin, next_chunk(reals_of_row - begin), tiles.reals);
      begin += chunk.count;
      if constexpr (sizeof(T) == 4) {
        chunk.easily = can_be_easy && block.values == nullptr &&
                       easy_scales(block, chunk.from, chunk.filled, s.length, (chunk.count + s.length - 1) / s.length, tiles.maxima,
                                   tiles.factors, row_scales + chunk.first / s.length);
      }
      if (way.blocks && !chunk.easily) scale_chunk(args, f, block, can_be_easy, row_factor, row_is_nan, row_scales, tiles, chunk);
      const bool direct = !way.packed && way.code_group == 0 && chunk.filled == chunk.count && !args.non_temporal;
      C* const to = direct ? reinterpret_cast<C*>(row) + chunk.first : tiles.codes;
      saturated += encode_chunk(args, f, way, span, easy, static_cast<std::uint64_t>(r) * args.index_row_stride, chunk, tiles, to);
      if (!direct) store_chunk(args, way, chunk, tiles, row);
    }
  }
  return saturated;
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // ULPFFT_CODELETS_HWY_CONVERT_ROWS_INL_H_
