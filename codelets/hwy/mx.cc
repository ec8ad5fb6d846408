// The passes of mx schemes, once per instruction set: blocks stay in f32, and every encoding is arithmetic on its bits.
//
// A block's largest magnitude is the largest of the bits as integers. Rounding to an element adds and subtracts 2^23 steps; the scale is
// a factor that is a power of two, and NaN for a block that holds NaN or infinity.
#include <algorithm>
#include <cstdint>
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

// The largest of every kGroup lanes, in all of them.
template <int kGroup>
HWY_INLINE MxInt largest_of_group(MxInt x) {
  const MxInts di;
  [[maybe_unused]] constexpr int kW = static_cast<int>(hn::MaxLanes(MxInts()));
  if constexpr (kGroup >= 2) x = hn::Max(x, hn::Reverse2(di, x));
  if constexpr (kGroup >= 4) x = hn::Max(x, hn::Reverse4(di, x));
  if constexpr (kGroup >= 8) x = hn::Max(x, hn::Reverse8(di, x));
  if constexpr (kGroup >= 16) x = hn::Max(x, hn::Reverse(di, x));
  return x;
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

// The element nearest to x; saturated before it is rounded, so that no step is infinite.
HWY_INLINE MxReal to_element(const MxConstants& c, MxReal x) {
  const MxReals d;
  const MxInts di;
  const auto magnitude = hn::Min(hn::Abs(x), hn::Set(d, c.bound));
  const auto binade = hn::Max(hn::And(hn::BitCast(di, magnitude), hn::Set(di, kInfinity)), hn::Set(di, c.lowest_binade));
  const auto steps = hn::BitCast(d, hn::Add(binade, hn::Set(di, c.to_steps)));
  const auto rounded = hn::CopySignToAbs(hn::Sub(hn::Add(magnitude, steps), steps), x);
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

// `blocks` blocks of kBlock reals, times `twiddles`. Blocks of at least a vector.
template <int kBlock>
HWY_INLINE void multiply_blocks(const MxConstants& c, const float* v, const float* twiddles, const std::int32_t* exponents, int blocks,
                                float* out) {
  const MxReals d;
  const MxInts di;
  constexpr int kW = static_cast<int>(hn::MaxLanes(MxReals()));
  constexpr int kStep = kBlock > kW ? kBlock : kW;
  for (int at = 0; at < blocks * kBlock; at += kStep) {
    auto amax = magnitude_bits_of(hn::LoadU(d, v + at));
    for (int i = kW; i < kStep; i += kW) amax = hn::Max(amax, magnitude_bits_of(hn::LoadU(d, v + at + i)));
    amax = largest_of_group<kBlock < kW ? kBlock : kW>(amax);
    const auto bad = hn::Gt(amax, hn::Set(di, kInfinity - 1));
    const auto ev = scale_of(c, amax);
    const auto factor = power_of_two(hn::Neg(ev));
    auto largest = hn::Zero(di);
    for (int i = 0; i < kStep; i += kW) {
      const auto p = product_of(to_element(c, hn::Mul(hn::LoadU(d, v + at + i), factor)), hn::LoadU(d, twiddles + at + i));
      largest = hn::Max(largest, magnitude_bits_of(p));
      hn::StoreU(p, d, out + at + i);
    }
    largest = largest_of_group<kBlock < kW ? kBlock : kW>(largest);
    MxReal to, from;
    product_scales(c, largest, hn::Add(ev, hn::LoadU(di, exponents + at)), to, from);
    from = hn::IfThenElse(hn::RebindMask(d, bad), hn::Set(d, std::numeric_limits<float>::quiet_NaN()), from);
    for (int i = 0; i < kStep; i += kW) {
      hn::StoreU(hn::Mul(to_element(c, hn::Mul(hn::LoadU(d, out + at + i), to)), from), d, out + at + i);
    }
  }
}

HWY_INLINE void multiply_unit(const MxPass& pass, const MxConstants& c, const float* v, const float* twiddles, const std::int32_t* exponents,
                              float* out) {
  constexpr int kReals = static_cast<int>(2 * kMxUnit);
  switch (pass.parameters.length) {
    case 2: return multiply_blocks<2>(c, v, twiddles, exponents, kReals / 2, out);
    case 4: return multiply_blocks<4>(c, v, twiddles, exponents, kReals / 4, out);
    case 8: return multiply_blocks<8>(c, v, twiddles, exponents, kReals / 8, out);
    case 16: return multiply_blocks<16>(c, v, twiddles, exponents, kReals / 16, out);
    case 32: return multiply_blocks<32>(c, v, twiddles, exponents, kReals / 32, out);
    default: return multiply_blocks<64>(c, v, twiddles, exponents, kReals / 64, out);
  }
}

// As on ref. Units whose rows are adjacent go without a tile.
template <bool kButterflies>
void mx_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const MxReals d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(MxReals()));
  const MxPass& pass = *static_cast<const MxPass*>(args.table);
  const MxConstants c(pass.parameters);
  float* const data = resolve<float>(args.in, buffers).re;
  HWY_ALIGN float tile_u[2 * kMxUnit] = {}, tile_v[2 * kMxUnit], products[2 * kMxUnit];
  for (std::int64_t unit = first; unit < first + count; ++unit) {
    const std::int64_t b = unit * kMxUnit;
    const std::int64_t butterflies = std::min(kMxUnit, pass.butterflies - b);
    const bool adjacent = pass.length % kMxUnit == 0;  // so are the butterflies of this unit
    for (std::int64_t q = 1; q < pass.radix; ++q) {
      float* v = data + 2 * mx_place(pass, b, q);
      if (!adjacent) {
        v = tile_v;
        mx_read_row(pass, data, b, q, butterflies, v);
        std::fill(v + 2 * butterflies, v + 2 * kMxUnit, 0.0F);
      }
      const std::int64_t at = mx_twiddle(pass, b, q);
      const float* const twiddles = pass.twiddles + at;
      if (pass.parameters.even_steps) {
        multiply_unit(pass, c, v, twiddles, pass.exponents + at, products);
      } else {
        mx_multiply_slowly(pass, v, twiddles, pass.exponents + at, butterflies, products);
      }
      if constexpr (kButterflies) {
        float* u = data + 2 * mx_place(pass, b, 0);
        if (!adjacent) {
          u = tile_u;
          mx_read_row(pass, data, b, 0, butterflies, u);
        }
        for (std::int64_t i = 0; i < 2 * kMxUnit; i += kW) {
          const auto x = hn::LoadU(d, u + i), y = hn::LoadU(d, products + i);
          hn::StoreU(hn::Add(x, y), d, u + i);
          hn::StoreU(hn::Sub(x, y), d, v + i);
        }
        if (!adjacent) {
          mx_write_row(pass, u, b, 0, butterflies, data);
          mx_write_row(pass, v, b, q, butterflies, data);
        }
      } else {
        mx_write_row(pass, products, b, q, butterflies, data);
      }
    }
  }
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
