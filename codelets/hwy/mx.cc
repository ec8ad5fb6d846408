// The passes of mx schemes, once per instruction set: blocks stay in f32, and every encoding is arithmetic on its bits.
//
// A block's largest magnitude is the largest of the bits as integers. Rounding to an element adds and subtracts 2^23 steps; the scale is
// a factor that is a power of two, and NaN for a block that holds NaN or infinity.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/contract/mx_pass.h"

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

// What holds for every block of a pass.
struct MxConstants {
  std::int32_t base, up, emax, carry_up, lowest_scale, highest_scale;
  std::int32_t lowest_binade, to_steps;  // rounding: bits of 2^lowest_exponent; what turns a binade into 2^23 steps of it
  float bound, largest, zero;            // bound: of magnitudes; zero: -0 keeps the sign of zeros, +0 takes it
  bool fresh;
  explicit MxConstants(const MxParameters& p)
      : base(p.base), up(static_cast<std::int32_t>(p.up)), emax(p.emax), carry_up(static_cast<std::int32_t>(p.carry_up)),
        lowest_scale(p.lowest_scale), highest_scale(p.highest_scale), lowest_binade((p.lowest_exponent + 127) << 23),
        to_steps((23 - p.fraction_bits) << 23), bound(std::max(p.largest, -p.lowest)), largest(p.largest),
        zero(p.negative_zero ? -0.0F : 0.0F), fresh(p.fresh) {}
};

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

constexpr int kMxReals = static_cast<int>(2 * kMxUnit);
constexpr int kMxWidth = static_cast<int>(hn::MaxLanes(MxReals()));

// What a unit is worked on in. Every stage goes over the whole unit: a block alone would wait for its own latencies.
struct MxTile {
  HWY_ALIGN float products[kMxReals];
  HWY_ALIGN std::int32_t exponents[kMxReals];     // of blocks
  HWY_ALIGN float factors[kMxReals + kMxWidth];   // of blocks: what numbers are multiplied by before they are rounded
  HWY_ALIGN float scales[kMxReals + kMxWidth];    // of products
  HWY_ALIGN float u[kMxReals] = {};
  HWY_ALIGN float v[kMxReals];
};

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
struct MxLaneOfBlock {
  HWY_ALIGN std::int32_t index[kMxWidth];
  constexpr MxLaneOfBlock() : index() {
    for (int l = 0; l < kMxWidth; ++l) index[l] = l / kBlock;
  }
};

// For the vector of reals that begins at `at`: what each of their blocks has.
template <int kBlock>
HWY_INLINE MxReal of_blocks(const float* each, int at) {
  const MxReals d;
  if constexpr (kBlock >= kMxWidth) {
    return hn::Set(d, each[at / kBlock]);
  } else {
    HWY_ALIGN static constexpr MxLaneOfBlock<kBlock> kLanes;
    return hn::TableLookupLanes(hn::LoadU(d, each + at / kBlock), hn::SetTableIndices(d, kLanes.index));
  }
}

// A unit of v, in blocks of kBlock reals, times its twiddles; take(i, product) for every vector of reals. kOnes: all twiddles are 1 and
// exponents are carried, so that products are the elements of v and the second rounding changes nothing.
template <int kBlock, bool kPlain, bool kOnes, class Take>
HWY_INLINE void multiply_unit(const MxConstants& c, const float* v, const float* twiddles, const std::int32_t* exponents, MxTile& tile,
                              const Take& take) {
  const MxReals d;
  const MxInts di;
  constexpr int kW = kMxWidth;
  constexpr int kBlocks = kMxReals / kBlock;
  for (int i = 0; i < kBlocks; i += kW) {
    const auto amax = largest_of_blocks<kBlock>(v, i);
    const auto ev = scale_of(c, amax);
    hn::Store(power_of_two(hn::Neg(ev)), d, tile.factors + i);
    const auto bad = hn::RebindMask(d, hn::Gt(amax, hn::Set(di, kInfinity - 1)));
    const auto one = hn::IfThenElse(bad, hn::Set(d, std::numeric_limits<float>::quiet_NaN()), hn::Set(d, 1.0F));
    if constexpr (kOnes) {
      hn::Store(hn::Mul(power_of_two(ev), one), d, tile.scales + i);
    } else {
      hn::Store(ev, di, tile.exponents + i);
      hn::Store(one, d, tile.scales + i);
    }
  }
  if constexpr (kOnes) {
    const auto one = hn::OddEven(hn::Zero(d), hn::Set(d, 1.0F));
    for (int i = 0; i < kMxReals; i += kW) {
      const auto x = to_element<kPlain>(c, hn::Mul(hn::LoadU(d, v + i), of_blocks<kBlock>(tile.factors, i)));
      take(i, hn::Mul(product_of(x, one), of_blocks<kBlock>(tile.scales, i)));
    }
    return;
  }
  for (int i = 0; i < kMxReals; i += kW) {
    const auto x = to_element<kPlain>(c, hn::Mul(hn::LoadU(d, v + i), of_blocks<kBlock>(tile.factors, i)));
    hn::Store(product_of(x, hn::LoadU(d, twiddles + i)), d, tile.products + i);
  }
  for (int i = 0; i < kBlocks; i += kW) {
    // Exponents of a table end with its blocks: what lies behind them is not read.
    MxInt et;
    if constexpr (kBlocks >= kW) {
      et = hn::LoadU(di, exponents + i);
    } else {
      HWY_ALIGN std::int32_t few[kW] = {};
      std::memcpy(few, exponents, kBlocks * sizeof(std::int32_t));
      et = hn::Load(di, few);
    }
    MxReal to, from;
    product_scales(c, largest_of_blocks<kBlock>(tile.products, i), hn::Add(hn::Load(di, tile.exponents + i), et), to, from);
    hn::Store(to, d, tile.factors + i);
    hn::Store(hn::Mul(from, hn::Load(d, tile.scales + i)), d, tile.scales + i);
  }
  for (int i = 0; i < kMxReals; i += kW) {
    const auto element = to_element<kPlain>(c, hn::Mul(hn::Load(d, tile.products + i), of_blocks<kBlock>(tile.factors, i)));
    take(i, hn::Mul(element, of_blocks<kBlock>(tile.scales, i)));
  }
}

template <bool kPlain, bool kOnes, class Take>
HWY_INLINE void multiply_unit(int length, const MxConstants& c, const float* v, const float* twiddles, const std::int32_t* exponents, MxTile& tile,
                              const Take& take) {
  switch (length) {
    case 2: return multiply_unit<2, kPlain, kOnes>(c, v, twiddles, exponents, tile, take);
    case 4: return multiply_unit<4, kPlain, kOnes>(c, v, twiddles, exponents, tile, take);
    case 8: return multiply_unit<8, kPlain, kOnes>(c, v, twiddles, exponents, tile, take);
    case 16: return multiply_unit<16, kPlain, kOnes>(c, v, twiddles, exponents, tile, take);
    case 32: return multiply_unit<32, kPlain, kOnes>(c, v, twiddles, exponents, tile, take);
    default: return multiply_unit<64, kPlain, kOnes>(c, v, twiddles, exponents, tile, take);
  }
}

// mx_move_row by runs of a length that is known.
template <int kRun, bool kWrites>
HWY_INLINE void move_runs(float* data, std::int64_t step, std::int64_t count, float* tile) {
  for (std::int64_t i = 0; i < count; i += kRun, data += step, tile += 2 * kRun) {
    std::memcpy(kWrites ? data : tile, kWrites ? tile : data, 2 * kRun * sizeof(float));
  }
}
template <bool kWrites>
HWY_INLINE void move_row(const MxPass& pass, float* data, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  const std::int64_t l = pass.length;
  if (l <= 64 && (l & (l - 1)) == 0 && ((b | count) & (l - 1)) == 0) {
    const std::int64_t step = 2 * pass.radix * l;
    float* const row = data + 2 * (b * pass.radix + q * l);
    switch (l) {
      case 1: return move_runs<1, kWrites>(row, step, count, tile);
      case 2: return move_runs<2, kWrites>(row, step, count, tile);
      case 4: return move_runs<4, kWrites>(row, step, count, tile);
      case 8: return move_runs<8, kWrites>(row, step, count, tile);
      case 16: return move_runs<16, kWrites>(row, step, count, tile);
      case 32: return move_runs<32, kWrites>(row, step, count, tile);
      default: return move_runs<64, kWrites>(row, step, count, tile);
    }
  }
  mx_move_row<kWrites>(pass, data, b, q, count, tile);
}

// As on ref. Units whose numbers are adjacent go without a tile.
template <bool kButterflies, bool kPlain, bool kOnes>
void run_units(const MxPass& pass, float* data, std::int64_t first, std::int64_t count) {
  const MxReals d;
  const MxConstants c(pass.parameters);
  const int length = pass.parameters.length;
  const bool adjacent = pass.length % kMxUnit == 0 && pass.row == pass.butterflies;  // so are the butterflies of a unit
  MxTile tile;
  for (std::int64_t unit = first; unit < first + count; ++unit) {
    float* u = tile.u;
    float* v = tile.v;
    if (adjacent) {
      const std::int64_t q = unit * kMxUnit / pass.row + 1, b = unit * kMxUnit % pass.row;
      u = data + 2 * mx_place(pass, b, 0);
      v = data + 2 * mx_place(pass, b, q);
    } else {
      std::fill(v, v + kMxReals, 0.0F);
      for_each_row(pass, unit, [&](std::int64_t b, std::int64_t q, std::int64_t butterflies, std::int64_t at) HWY_ATTR {
        if (kButterflies) move_row<false>(pass, data, b, 0, butterflies, u + 2 * at);
        move_row<false>(pass, data, b, q, butterflies, v + 2 * at);
      });
    }
    const auto take = [&](int i, MxReal product) HWY_ATTR {
      if constexpr (kButterflies) {
        const auto x = hn::LoadU(d, u + i);
        hn::StoreU(hn::Add(x, product), d, u + i);
        hn::StoreU(hn::Sub(x, product), d, v + i);
      } else {
        hn::StoreU(product, d, v + i);
      }
    };
    const std::int64_t entry = mx_twiddle(pass, unit * kMxUnit);
    const float* const twiddles = pass.twiddles + 2 * entry;
    const std::int32_t* const exponents = pass.exponents + 2 * entry / length;
    if (pass.parameters.even_steps) {
      multiply_unit<kPlain, kOnes>(length, c, v, twiddles, exponents, tile, take);
    } else {
      mx_multiply_slowly(pass, v, twiddles, exponents, kMxUnit, tile.products);
      for (int i = 0; i < kMxReals; i += kMxWidth) take(i, hn::Load(d, tile.products + i));
    }
    if (adjacent) continue;
    for_each_row(pass, unit, [&](std::int64_t b, std::int64_t q, std::int64_t butterflies, std::int64_t at) HWY_ATTR {
      if (kButterflies) move_row<true>(pass, data, b, 0, butterflies, u + 2 * at);
      move_row<true>(pass, data, b, q, butterflies, v + 2 * at);
    });
  }
}

template <bool kButterflies>
void mx_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const MxPass& pass = *static_cast<const MxPass*>(args.table);
  float* const data = resolve<float>(args.in, buffers).re;
  const MxParameters& p = pass.parameters;
  const bool ones = pass.length == 1 && !p.fresh;
  if (p.negative_zero && p.lowest == -p.largest) {
    return ones ? run_units<kButterflies, true, true>(pass, data, first, count) : run_units<kButterflies, true, false>(pass, data, first, count);
  }
  return ones ? run_units<kButterflies, false, true>(pass, data, first, count) : run_units<kButterflies, false, false>(pass, data, first, count);
}

void collect_mx(CodeletSink& sink) {
  sink.mx_butterfly = &mx_pass<true>;
  sink.mx_multiply = &mx_pass<false>;
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
