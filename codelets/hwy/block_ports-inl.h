// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// First passes that decode blocks with a shared scale: what a first pass loads of one point is a vector of columns, all in one block.
//
// Scales become factors once per transform, multiplied by what brings the elements to their place and by the scale of the problem. What is
// rare goes by way of tiles that the format's own conversion fills: factors near the ends of f32, elements that are NaN. The bits are those
// of a conversion before the pass.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "codelets/contract/block_rows.h"
#include "codelets/contract/pass_slice.h"
#include "codelets/hwy/narrow_ports-inl.h"
#include "codelets/hwy/shapes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_BLOCK_PORTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_BLOCK_PORTS_INL_H_
#undef ULPFFT_CODELETS_HWY_BLOCK_PORTS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_BLOCK_PORTS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_FUSED

constexpr bool is_power_scale(const FormatInfo& f) {
  return f.kind == FormatKind::kFloat && f.bits == 8 && !f.is_signed && f.mantissa_bits == 0 && f.bias == 127 && !f.has_zero && f.nan == 0xff;
}

// Elements of 8 bits. load() gives them by kUp binades too low, in index order: a complex number is 16 bits of one lane.
struct Int8Element {
  static constexpr int kUp = -6;
  static constexpr bool is(const FormatInfo& f) {
    return f.kind == FormatKind::kInteger && f.bits == 8 && f.is_signed && f.offset == 0 && f.fraction_bits == 6;
  }
  static bool are_easy(const std::uint8_t*, std::int64_t) { return true; }
  // Adjacent reals.
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const std::uint8_t* p) {
    const hn::Rebind<std::int8_t, D> d8;
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), hn::LoadU(d8, reinterpret_cast<const std::int8_t*>(p))));
  }
  template <class D>
  static HWY_INLINE void load(D d, const std::uint8_t* p, hn::Vec<D>& re, hn::Vec<D>& im) {
    const PortBits<D> du;
    const hn::RebindToSigned<D> di;
    const auto both = hn::PromoteTo(du, hn::LoadU(hn::Rebind<std::uint16_t, D>(), reinterpret_cast<const std::uint16_t*>(p)));
    re = hn::ConvertTo(d, hn::ShiftRight<24>(hn::BitCast(di, hn::ShiftLeft<24>(both))));
    im = hn::ConvertTo(d, hn::ShiftRight<24>(hn::BitCast(di, hn::ShiftLeft<16>(both))));
  }
};

// As binary16 with a smaller exponent.
struct E4m3Element {
  static constexpr int kUp = 8;
  static constexpr bool is(const FormatInfo& f) {
    return f.kind == FormatKind::kFloat && f.bits == 8 && f.mantissa_bits == 3 && f.bias == 7 && f.special == Special::kFn && f.has_zero && f.is_signed;
  }
  // Whether none is NaN.
  static bool are_easy(const std::uint8_t* codes, std::int64_t count) {
    const hn::ScalableTag<std::uint8_t> d;
    auto most = hn::Zero(d);
    for (std::int64_t i = 0; i < count; i += hn::MaxLanes(hn::ScalableTag<std::uint8_t>())) {
      most = hn::Max(most, hn::And(hn::LoadU(d, codes + i), hn::Set(d, 0x7f)));
    }
    return hn::AllTrue(d, hn::Ne(most, hn::Set(d, 0x7f)));
  }
  template <class D>
  static HWY_INLINE hn::Vec<D> load(D d, const std::uint8_t* p) {
    const hn::Rebind<std::int8_t, D> d8;
    const hn::Rebind<std::int16_t, D> d16;
    const auto codes = hn::PromoteTo(d16, hn::LoadU(d8, reinterpret_cast<const std::int8_t*>(p)));
    const auto bits = hn::And(hn::ShiftLeft<7>(codes), hn::Set(d16, static_cast<std::int16_t>(0xbf80)));
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
  }
  template <class D>
  static HWY_INLINE void load(D d, const std::uint8_t* p, hn::Vec<D>& re, hn::Vec<D>& im) {
    const hn::Rebind<std::int16_t, D> d16;
    const hn::Rebind<hwy::float16_t, D> half;
    const auto mask = hn::Set(d16, static_cast<std::int16_t>(0xbf80));
    const auto both = hn::LoadU(d16, reinterpret_cast<const std::int16_t*>(p));
    re = hn::PromoteTo(d, hn::BitCast(half, hn::And(hn::ShiftRight<1>(hn::ShiftLeft<8>(both)), mask)));
    im = hn::PromoteTo(d, hn::BitCast(half, hn::And(hn::ShiftRight<1>(both), mask)));
  }
};

template <class D, class E>
struct BlockIn {
  using T = float;
  D d;
  const std::uint8_t* p;
  const float* factors;
  std::int64_t stride, at;  // reals
  int shift;
  bool swap;
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    E::load(d, p + j * stride, x, y);
    const auto factor = hn::Set(d, factors[(at + j * stride) >> shift]);
    x = hn::Mul(x, factor);
    y = hn::Mul(y, factor);
    if (HWY_UNLIKELY(swap)) {
      const auto t = x;
      x = y;
      y = t;
    }
  }
};

// Whether blocks with scales below `low` hold nothing but zeros.
HWY_NOINLINE inline bool small_are_zero(const std::uint8_t* codes, const std::uint8_t* scales, std::int64_t blocks, int shift, unsigned low) {
  std::uint64_t some = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    if (scales[b] >= low) continue;
    for (std::int64_t i = 0; i < std::int64_t{1} << shift; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, codes + (b << shift) + i, sizeof(eight));
      some |= eight;
    }
  }
  return (some & 0x7f7f7f7f7f7f7f7fu) == 0;  // of either sign
}

// What elements that lie `up` binades too low are multiplied by. False: some of it would leave f32, or take a product to where it is
// rounded twice.
HWY_NOINLINE inline bool block_factors(const std::uint8_t* codes, const std::uint8_t* scales, std::int64_t blocks, int shift, int up, float by,
                                       float* factors) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  constexpr std::int64_t kW = lanes_of<decltype(d)>();
  constexpr int kMostBy = 40;  // binades from 1
  const bool scaled = by != 1.0F;
  if (scaled && !(std::abs(by) < 0x1p40F && std::abs(by) > 0x1p-40F)) return false;
  const int room = scaled ? kMostBy + 1 : 0;
  const int low = std::max(1, 1 - up) + room, high = std::min(254, 254 - up) - room;
  const auto lowest = hn::Set(du, static_cast<std::uint32_t>(low)), highest = hn::Set(du, static_cast<std::uint32_t>(high));
  const auto factor = hn::Set(d, by * std::bit_cast<float>(static_cast<std::uint32_t>(127 + up) << 23));
  auto least = lowest, most = highest;
  const auto make = [&](std::int64_t b) HWY_ATTR {
    const auto code = hn::PromoteTo(du, hn::LoadU(d8, scales + b));
    least = hn::Min(least, code);
    most = hn::Max(most, code);
    // What is below is zero: no subnormals, which are slow.
    hn::StoreU(hn::Mul(hn::BitCast(d, hn::ShiftLeft<23>(hn::Max(code, lowest))), factor), d, factors + b);
  };
  for (std::int64_t b = 0; b + kW <= blocks; b += kW) make(b);
  if (blocks % kW != 0) make(blocks - kW);
  if (!hn::AllTrue(du, hn::Eq(most, highest))) return false;
  return HWY_LIKELY(hn::AllTrue(du, hn::Eq(least, lowest))) || small_are_zero(codes, scales, blocks, shift, static_cast<unsigned>(low));
}

// By way of tiles, for the pass that reads f32.
HWY_NOINLINE inline void first_block_slowly(const PassArgs& args, const Buffers& buffers, const std::uint8_t* codes, const std::uint8_t* scales,
                                            int radix, PassFn wide) {
  constexpr int kW = lanes_of<hn::ScalableTag<float>>();
  HWY_ALIGN float tile[16 * 2 * kW];
  HWY_ALIGN float line[2 * kW];
  const BlockRows& block = context_of<BlockRows>(args);
  Buffers here = buffers;
  here.slot[static_cast<int>(args.in.slot)] = {tile, tile};
  PassArgs part = args;
  redirect_in(part, {.slot = args.in.slot, .point_stride = 2 * kW});
  part.lanes = kW;
  part.context = nullptr;
  std::uint32_t rows[kW];
  part.rows = rows;
  for (std::int64_t v = 0; v < args.lanes; v += kW) {
    for (int l = 0; l < kW; ++l) rows[l] = args.rows[v + index_of_lane(l, kW, 4)];
    for (int j = 0; j < radix; ++j) {
      const std::int64_t at = j * args.in.point_stride + 2 * v;
      ConversionArgs conversion;
      conversion.storage = &block.storage;
      conversion.codes = const_cast<std::uint8_t*>(codes + at);
      conversion.scales = const_cast<std::uint8_t*>(scales + (at >> block.shift));
      conversion.reals = line;
      conversion.count = 2 * kW;
      block.decode(conversion);
      std::copy(line, line + 2 * kW, tile + 2 * kW * j);
    }
    wide(part, here, 0, 1);
  }
}

template <class Body, class E>
void first_block(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const hn::ScalableTag<float> d;
  using D = hn::ScalableTag<float>;
  constexpr int kW = lanes_of<D>();
  constexpr int kRadix = Body::kRadix;
  static_assert(kRadix % kW == 0, "rows are whole vectors");
  HWY_ALIGN float factors[BlockRows::kMostBlocks];
  const BlockRows& block = context_of<BlockRows>(args);
  const auto* const codes = static_cast<const std::uint8_t*>(buffers.slot[static_cast<int>(args.in.slot)].re) + args.in.offset;
  const auto* const scales = static_cast<const std::uint8_t*>(buffers.slot[static_cast<int>(block.scales)].re) + block.scale_offset;
  const std::int64_t reals = args.in.point_stride * kRadix;
  const bool easy = block_factors(codes, scales, reals >> block.shift, block.shift, E::kUp, static_cast<float>(args.scale), factors);
  if (HWY_UNLIKELY(!easy || !E::are_easy(codes, reals))) {
    return first_block_slowly(args, buffers, codes, scales, kRadix, &first_pass<float, Body>);
  }
  const Ends<float> to = resolve<float>(args.out, buffers);
  const NoTable none;
  const std::uint32_t* rows = args.rows;
  const std::uint8_t* ahead = codes + block.fetch;
  for (std::int64_t at = 0; at < 2 * args.lanes; at += 2 * kW, rows += kW) {
    // Some beside every column: all of a row at once would wait for each other.
    if (block.fetch != 0) {
      for (std::int64_t i = 0; i < 2 * kW * kRadix; i += 64, ahead += 64) fetch_line(ahead);
    }
    const BlockIn<D, E> in{d, codes + at, factors, args.in.point_stride, at, block.shift, args.in.swap};
    RowsOut<D, kRadix> y;
    Body::run(d, in, none, y);
    std::int64_t row_at[kW];
    for (int l = 0; l < kW; ++l) row_at[l] = static_cast<std::int64_t>(rows[l]) * args.row_stride;
    store_decoded_rows<D, kRadix>(y, to.re, to.im, row_at, args.out.point_stride);
  }
}

// Format: of formats.h.
template <class Body, class E, class Format>
void add_first_block(CodeletSink& sink, const BodyFacts& body) {
  if constexpr (E::is(Format::Element::kInfo) && is_power_scale(Format::Scale::kInfo) && Body::kRadix % lanes_of<hn::ScalableTag<float>>() == 0) {
    sink.add_fused(PassKind::kFirst, body, nullptr, &first_block<Body, E>, Format::kInfo.name, "", true);
  }
  (void)sink, (void)body;
}

#endif  // ULPFFT_HWY_FUSED

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
