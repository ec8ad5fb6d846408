// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of mx schemes, once per instruction set: blocks stay in f32, and every encoding is arithmetic on its bits.
//
// A block's largest magnitude is the largest of the bits as integers. Rounding to an element adds and subtracts 2^23 steps; the scale is
// a factor that is a power of two, and NaN for a block that holds NaN or infinity.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/hwy/mx_stages.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/mx.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

using MxReals = hn::ScalableTag<float>;
using MxInts = hn::RebindToSigned<MxReals>;
using MxReal = hn::Vec<MxReals>;
using MxInt = hn::Vec<MxInts>;

constexpr std::int32_t kFraction = (1 << 23) - 1;
constexpr std::int32_t kInfinity = 0x7f800000;

HWY_INLINE MxInt magnitude_bits_of(MxReal x) {
  const MxInts di;
  return hn::And(hn::BitCast(di, x), hn::Set(di, 0x7fffffff));
}

// 2^e, -127 <= e <= 127.
HWY_INLINE MxReal power_of_two(MxInt e) {
  const MxInts di;
  const MxReals d;
  const auto bits = hn::ShiftLeft<23>(hn::Add(e, hn::Set(di, 127)));
  return hn::BitCast(d, hn::IfThenElse(hn::Eq(bits, hn::Zero(di)), hn::Set(di, 0x00400000), bits));
}

// The element nearest to x; saturated before it is rounded, so that no step is infinite. kPlain: the range is symmetric, and -0 an element.
template <bool kPlain>
HWY_INLINE MxReal to_element(const MxConstants& c, MxReal x) {
  const MxReals d;
  const MxInts di;
  const auto magnitude = hn::Min(hn::Abs(x), hn::Set(d, c.bound));
  const auto binade = hn::Max(hn::And(hn::BitCast(di, magnitude), hn::Set(di, kInfinity)), hn::Set(di, c.lowest_binade));
  const auto steps = hn::BitCast(d, hn::Add(binade, hn::Set(di, c.to_steps)));
  const auto rounded = hn::CopySignToAbs(hn::Sub(hn::Add(magnitude, steps), steps), x);
  if constexpr (kPlain) return rounded;
  return hn::Add(hn::Min(rounded, hn::Set(d, c.largest)), hn::Set(d, c.zero));
}

HWY_INLINE MxInt clamped_scale(const MxConstants& c, MxInt e) {
  const MxInts di;
  return hn::Min(hn::Max(e, hn::Set(di, c.lowest_scale)), hn::Set(di, c.highest_scale));
}

// Exponent of amax - base, and one more from `up` on; bits of amax, which is not subnormal, or 0.
HWY_INLINE MxInt exponent_beyond(MxInt bits, std::int32_t base, std::int32_t up) {
  const MxInts di;
  const auto more = hn::VecFromMask(di, hn::Gt(hn::And(bits, hn::Set(di, kFraction)), hn::Set(di, up - 1)));  // -1 or 0
  return hn::Sub(hn::Sub(hn::ShiftRight<23>(bits), hn::Set(di, 127 + base)), more);
}

// The scale of data whose largest magnitude has these bits.
HWY_INLINE MxInt scale_of(const MxConstants& c, MxInt amax) {
  const MxReals d;
  const MxInts di;
  // Numbers below 1 times 2^64: subnormal ones have an exponent of their own.
  const auto small = hn::Lt(amax, hn::Set(di, 0x3f800000));
  const auto up = hn::BitCast(di, hn::Mul(hn::BitCast(d, amax), hn::Set(d, 0x1p64F)));
  const auto e = exponent_beyond(hn::IfThenElse(small, up, amax), c.base, c.up);
  return clamped_scale(c, hn::Sub(e, hn::IfThenElseZero(small, hn::Set(di, 64))));
}

// Complex products x y of elements: even lanes x_re y_re - x_im y_im, odd lanes x_im y_re + x_re y_im.
HWY_INLINE MxReal product_of(MxReal x, MxReal y) {
  const MxReals d;
  const MxInts di;
  const auto crossed = hn::Mul(hn::Shuffle2301(x), hn::DupOdd(y));
  const auto signs = hn::OddEven(hn::Zero(di), hn::Set(di, static_cast<std::int32_t>(0x80000000U)));
  return hn::MulAdd(x, hn::DupEven(y), hn::BitCast(d, hn::Xor(hn::BitCast(di, crossed), signs)));
}

// Factors of a product whose data have exponents ev, from the largest of its parts: what p is multiplied by to be rounded, and the
// scale of what comes of it.
HWY_INLINE void product_scales(const MxConstants& c, MxInt largest, MxInt sum, MxReal& to, MxReal& from) {
  const MxInts di;
  const auto zero = hn::Eq(largest, hn::Zero(di));
  MxInt e;
  if (c.fresh) {
    e = hn::Add(sum, exponent_beyond(largest, c.base, c.up));
  } else {
    e = hn::Add(sum, hn::Max(exponent_beyond(largest, c.emax, c.carry_up), hn::Zero(di)));
  }
  e = clamped_scale(c, hn::IfThenElse(zero, hn::Set(di, -1000), e));
  // Beyond these ends nothing but zeros and the largest element is left.
  to = power_of_two(hn::Min(hn::Max(hn::Sub(sum, e), hn::Set(di, -127)), hn::Set(di, 127)));
  from = power_of_two(e);
}

constexpr int kMxWidth = static_cast<int>(hn::MaxLanes(MxReals()));

// The larger of every two neighbours: those of a below those of b.
HWY_INLINE MxInt larger_neighbours(MxInt a, MxInt b) {
  const MxInts di;
  return hn::Max(hn::ConcatEven(di, b, a), hn::ConcatOdd(di, b, a));
}

// Neighbours of kLeaves vectors, or of as many blocks where these are longer, compared until one vector is left.
template <int kBlock, int kLeaves>
HWY_INLINE MxInt larger_of(const float* reals) {
  const MxReals d;
  constexpr int kReals = kBlock > kMxWidth ? kBlock : kMxWidth;
  if constexpr (kLeaves == 1) {
    auto m = magnitude_bits_of(hn::LoadU(d, reals));
    for (int i = kMxWidth; i < kReals; i += kMxWidth) m = hn::Max(m, magnitude_bits_of(hn::LoadU(d, reals + i)));
    return m;
  } else {
    return larger_neighbours(larger_of<kBlock, kLeaves / 2>(reals), larger_of<kBlock, kLeaves / 2>(reals + kLeaves / 2 * kReals));
  }
}

// The largest of each of a vector of blocks, of all there are in a unit if these are fewer, beginning with block i.
template <int kBlock>
HWY_INLINE MxInt largest_of_blocks(const float* reals, int i) {
  constexpr int kReals = kBlock > kMxWidth ? kBlock : kMxWidth;
  constexpr int kNumbers = kBlock < kMxWidth ? kBlock : kMxWidth;  // to be compared of what a leaf has for a block
  constexpr int kLeaves = kMxReals / kReals < kNumbers ? kMxReals / kReals : kNumbers;
  auto m = larger_of<kBlock, kLeaves>(reals + i * kBlock);
  for (int left = kNumbers / kLeaves; left > 1; left /= 2) m = larger_neighbours(m, m);
  return m;
}

template <int kBlock>
HWY_NOINLINE void find_largest(const float* reals, std::int32_t* largest) {
  const MxInts di;
  for (int i = 0; i < kMxReals / kBlock; i += kMxWidth) hn::Store(largest_of_blocks<kBlock>(reals, i), di, largest + i);
}
// For vectors of reals: the block each lane is in, counted from that of the first; by the logarithm of the length of blocks.
struct MxLanesOfBlocks {
  HWY_ALIGN std::int32_t index[7][kMxWidth];
  constexpr MxLanesOfBlocks() : index() {
    for (int s = 0; s < 7; ++s) {
      for (int l = 0; l < kMxWidth; ++l) index[s][l] = l >> s;
    }
  }
};
HWY_ALIGN static constexpr MxLanesOfBlocks kMxLanesOfBlocks;

#define ULPFFT_MX_LANES(blocks) hn::SetTableIndices(MxReals(), kMxLanesOfBlocks.index[(blocks).shift])
#define ULPFFT_MX_OF_BLOCKS(each, at) hn::TableLookupLanes(hn::LoadU(MxReals(), (each) + ((at) >> blocks.shift)), lanes)

// The scales of data whose largest are known. `ones`: those of products, too, which are the data.
HWY_NOINLINE void scale_data(const MxConstants& c, const MxBlocks& blocks, bool ones, MxTile& tile) {
  const MxReals d;
  const MxInts di;
  for (int i = 0; i < blocks.count; i += kMxWidth) {
    const auto amax = hn::Load(di, tile.largest + i);
    const auto e = scale_of(c, amax);
    hn::Store(power_of_two(hn::Neg(e)), d, tile.factors + i);
    hn::Store(e, di, tile.exponents + i);
    const auto bad = hn::RebindMask(d, hn::Gt(amax, hn::Set(di, kInfinity - 1)));
    const auto one = hn::IfThenElse(bad, hn::Set(d, std::numeric_limits<float>::quiet_NaN()), hn::Set(d, 1.0F));
    hn::Store(ones ? hn::Mul(power_of_two(e), one) : one, d, tile.scales + i);
  }
}

template <bool kPlain>
HWY_NOINLINE void multiply_elements(const MxConstants& c, const MxBlocks& blocks, const float* v, const float* twiddles, MxTile& tile) {
  const MxReals d;
  const auto lanes = ULPFFT_MX_LANES(blocks);
  for (int i = 0; i < kMxReals; i += kMxWidth) {
    const auto x = to_element<kPlain>(c, hn::Mul(hn::LoadU(d, v + i), ULPFFT_MX_OF_BLOCKS(tile.factors, i)));
    hn::Store(product_of(x, hn::LoadU(d, twiddles + i)), d, tile.products + i);
  }
}

HWY_NOINLINE void scale_products(const MxConstants& c, const MxBlocks& blocks, const std::int32_t* exponents, MxTile& tile) {
  const MxReals d;
  const MxInts di;
  for (int i = 0; i < blocks.count; i += kMxWidth) {
    // Exponents of a table end with its blocks: what lies behind them is not read.
    HWY_ALIGN std::int32_t few[kMxWidth] = {};
    const bool whole = blocks.count >= kMxWidth;
    if (!whole) std::copy_n(exponents, blocks.count, few);
    const auto et = hn::LoadU(di, whole ? exponents + i : few);
    MxReal to, from;
    product_scales(c, hn::Load(di, tile.largest + i), hn::Add(hn::Load(di, tile.exponents + i), et), to, from);
    hn::Store(to, d, tile.factors + i);
    hn::Store(hn::Mul(from, hn::Load(d, tile.scales + i)), d, tile.scales + i);
  }
}

// `count` products as elements, or kOnes data as elements times 1 where a second rounding changes nothing. Then their butterflies.
template <bool kPlain, bool kOnes, bool kButterflies>
HWY_NOINLINE void finish_unit(const MxConstants& c, const MxBlocks& blocks, const float* reals, int count, const MxTile& tile, float* u, float* v) {
  const MxReals d;
  const auto lanes = ULPFFT_MX_LANES(blocks);
  const auto zeros = hn::OddEven(hn::Zero(d), hn::Set(d, -0.0F));
  for (int i = 0; i < count; i += kMxWidth) {
    auto x = to_element<kPlain>(c, hn::Mul(hn::LoadU(d, reals + i), ULPFFT_MX_OF_BLOCKS(tile.factors, i)));
    if constexpr (kOnes) x = hn::MulAdd(hn::Shuffle2301(x), zeros, x);
    const auto product = hn::Mul(x, ULPFFT_MX_OF_BLOCKS(tile.scales, i));
    if constexpr (kButterflies) {
      const auto y = hn::LoadU(d, u + i);
      hn::StoreU(hn::Add(y, product), d, u + i);
      hn::StoreU(hn::Sub(y, product), d, v + i);
    } else {
      hn::StoreU(product, d, v + i);
    }
  }
}
HWY_NOINLINE void add_products(const float* products, float* u, float* v) {
  const MxReals d;
  for (int i = 0; i < kMxReals; i += kMxWidth) {
    const auto y = hn::LoadU(d, u + i);
    const auto product = hn::LoadU(d, products + i);
    hn::StoreU(hn::Add(y, product), d, u + i);
    hn::StoreU(hn::Sub(y, product), d, v + i);
  }
}
#undef ULPFFT_MX_LANES
#undef ULPFFT_MX_OF_BLOCKS

// ---- between the data and a tile

constexpr std::int64_t kMxPoints = kMxWidth / 2;  // complex numbers of a vector

// Rows of both halves of short butterflies, l < kMxPoints: what vectors of l, l, l ... numbers of u and v have is sorted.
struct MxHalves {
  HWY_ALIGN std::int32_t sort[3][kMxWidth];
  HWY_ALIGN std::int32_t unsort[3][kMxWidth];
  constexpr MxHalves() : sort(), unsort() {
    for (int s = 0; s < 3; ++s) {
      const int l = 1 << s;
      if (4 * l > kMxWidth) continue;
      for (int t = 0; t < kMxWidth; ++t) {
        const int k = t / 2;
        const int to = k / l % 2 * (kMxWidth / 2) + (k / (2 * l) * l + k % l) * 2 + t % 2;
        sort[s][to] = t;
        unsort[s][t] = to;
      }
    }
  }
};
HWY_ALIGN static constexpr MxHalves kMxHalves;

HWY_NOINLINE void load_halves(const float* data, int shift, std::int64_t count, float* u, float* v) {
  const MxReals d;
  const auto sort = hn::SetTableIndices(d, kMxHalves.sort[shift]);
  for (std::int64_t i = 0; i < 2 * count; i += kMxWidth) {
    const auto a = hn::TableLookupLanes(hn::LoadU(d, data + 2 * i), sort);
    const auto b = hn::TableLookupLanes(hn::LoadU(d, data + 2 * i + kMxWidth), sort);
    hn::Store(hn::ConcatLowerLower(d, b, a), d, u + i);
    hn::Store(hn::ConcatUpperUpper(d, b, a), d, v + i);
  }
}
HWY_NOINLINE void store_halves(const float* u, const float* v, int shift, std::int64_t count, float* data) {
  const MxReals d;
  const auto unsort = hn::SetTableIndices(d, kMxHalves.unsort[shift]);
  for (std::int64_t i = 0; i < 2 * count; i += kMxWidth) {
    const auto a = hn::Load(d, u + i);
    const auto b = hn::Load(d, v + i);
    hn::StoreU(hn::TableLookupLanes(hn::ConcatLowerLower(d, b, a), unsort), d, data + 2 * i);
    hn::StoreU(hn::TableLookupLanes(hn::ConcatUpperUpper(d, b, a), unsort), d, data + 2 * i + kMxWidth);
  }
}

// Whether rows have whole vectors of `points` numbers here.
HWY_INLINE bool by_vectors(const MxRows& rows, std::int64_t b, std::int64_t count, std::int64_t points) {
  if (rows.flat) return (count & (points - 1)) == 0;
  return rows.shift >= 0 && rows.pass.length >= points && ((b | count) & (points - 1)) == 0;
}
HWY_INLINE std::int64_t quick_place(const MxRows& rows, std::int64_t b, std::int64_t q) {
  const std::int64_t l = rows.pass.length;
  if (rows.flat) return q * l + b;
  return ((b >> rows.shift) * rows.pass.radix + q) * l + (b & (l - 1));
}

// Interleaved numbers exchanged and scaled, whole vectors of them.
HWY_NOINLINE void exchange_and_scale(const MxSource& source, bool exchange, std::int64_t count, float* tile) {
  const MxReals d;
  const auto scale = hn::Set(d, source.scale);
  for (std::int64_t i = 0; i < 2 * count; i += kMxWidth) {
    auto x = hn::LoadU(d, tile + i);
    if (exchange) x = hn::Shuffle2301(x);
    hn::StoreU(hn::Mul(x, scale), d, tile + i);
  }
}

HWY_NOINLINE void load_row(const MxRows& rows, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  const MxReals d;
  const MxPass& pass = rows.pass;
  const MxSource& source = rows.source;
  if (source.stride == 2 && (rows.interleaved || source.from.re - source.from.im == 1)) {
    const float* const from = HWY_MIN(source.from.re, source.from.im);
    if (pass.points == nullptr && by_vectors(rows, b, count, kMxPoints)) {
      for (std::int64_t i = 0; i < count; i += kMxPoints) hn::StoreU(hn::LoadU(d, from + 2 * quick_place(rows, b + i, q)), d, tile + 2 * i);
    } else {
      load_interleaved(rows, from, b, q, count, tile);
    }
    if (!rows.interleaved || source.scale != 1.0F) exchange_and_scale(source, !rows.interleaved, count, tile);
  } else if (rows.lane_order) {
    for (std::int64_t i = 0; i < count; i += kMxWidth) {
      const std::int64_t at = quick_place(rows, b + i, q);
      MxReal x, y;
      interleave(d, hn::LoadU(d, source.from.re + at), hn::LoadU(d, source.from.im + at), x, y);
      hn::StoreU(x, d, tile + 2 * i);
      hn::StoreU(y, d, tile + 2 * i + kMxWidth);
    }
  } else {
    load_numbers(rows, b, q, count, tile);
  }
}
HWY_NOINLINE void store_row(const MxRows& rows, const float* tile, std::int64_t b, std::int64_t q, std::int64_t count) {
  const MxReals d;
  if (by_vectors(rows, b, count, kMxPoints)) {
    for (std::int64_t i = 0; i < count; i += kMxPoints) hn::StoreU(hn::LoadU(d, tile + 2 * i), d, rows.data + 2 * quick_place(rows, b + i, q));
  } else {
    store_numbers(rows, tile, b, q, count);
  }
}

constexpr MxStages kMxStages = {
    {&find_largest<2>, &find_largest<4>, &find_largest<8>, &find_largest<16>, &find_largest<32>, &find_largest<64>},
    &scale_data,
    {&multiply_elements<false>, &multiply_elements<true>},
    &scale_products,
    {{{&finish_unit<false, false, false>, &finish_unit<false, false, true>}, {&finish_unit<false, true, false>, &finish_unit<false, true, true>}},
     {{&finish_unit<true, false, false>, &finish_unit<true, false, true>}, {&finish_unit<true, true, false>, &finish_unit<true, true, true>}}},
    &add_products,
    &load_halves,
    &store_halves,
    &load_row,
    &store_row,
    kMxPoints};

void mx_butterfly(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_mx_pass(kMxStages, true, args, buffers, first, count);
}
void mx_multiply(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_mx_pass(kMxStages, false, args, buffers, first, count);
}

void collect_mx(CodeletSink& sink) {
  sink.mx_butterfly = &mx_butterfly;
  sink.mx_multiply = &mx_multiply;
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_mx(std::int64_t target, CodeletSink& sink);
void collect_hwy_mx(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_mx(sink)) }

}  // namespace ulpfft
#endif
