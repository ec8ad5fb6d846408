// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in registers that decode blocks with a shared scale; see block_ports-inl.h for scales and elements.
#include <cstdint>

#include "codelets/hwy/block_ports-inl.h"
#include "codelets/hwy/packed-inl.h"

#if defined(ULPFFT_CODELETS_HWY_PACKED_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_PACKED_BLOCKS_INL_H_
#undef ULPFFT_CODELETS_HWY_PACKED_BLOCKS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_PACKED_BLOCKS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_FUSED

// What a vector holds lies in one block.
template <class D, class E, int kStride>
struct PackedBlockIn {
  const std::uint8_t* p;
  const float* factors;
  std::int64_t at;  // reals
  int shift;
  HWY_INLINE hn::Vec<D> load(int j) const {
    return hn::Mul(E::load(D(), p + j * kStride), hn::Set(D(), factors[(at + j * kStride) >> shift]));
  }
};

template <class E>
struct PackedBlockPorts {
  using From = std::uint8_t;
  using To = float;
  struct State {
    const std::uint8_t* codes;
    const float* factors;
    int shift;
  };
  static constexpr bool kByPairs = false;
  template <class D, int kStride>
  static HWY_INLINE PackedBlockIn<D, E, kStride> in(const From* p, const State& state) { return {p, state.factors, p - state.codes, state.shift}; }
  template <class D, int kStride>
  static HWY_INLINE PackedOut<D, kStride> out(To* p, const State&) { return {p}; }
};

using PackedBlock = void (*)(const std::uint8_t* codes, const float* factors, int shift, const float* table, float* out);
template <class First, class Second, class E>
HWY_NOINLINE void packed_block_codes(const std::uint8_t* codes, const float* factors, int shift, const float* table, float* out) {
  using Ports = PackedBlockPorts<E>;
  typename Ports::State state{codes, factors, shift};
  PackedTwo<float, First, Second, Ports>::run(codes, out, table, state);
}

// Scales follow the codes from row to row.
template <class E>
HWY_NOINLINE void run_packed_block(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, std::int64_t points, PackedBlock fast,
                                   DirectCall::Run wide) {
  constexpr int kV = lanes_of<hn::ScalableTag<float>>() / 2;
  HWY_ALIGN float factors[2 * kMostFusedPoints];
  HWY_ALIGN float tile[2 * kMostFusedPoints];
  const BlockRows& block = context_of<BlockRows>(args);
  const auto* const from = static_cast<const std::uint8_t*>(buffers.slot[static_cast<int>(args.in.slot)].re) + args.in.offset;
  const auto* const scales = static_cast<const std::uint8_t*>(buffers.slot[static_cast<int>(block.scales)].re) + block.scale_offset;
  const Ends<float> ends = resolve<float>(args.out, buffers);
  float* const to = HWY_MIN(ends.re, ends.im);
  const auto* const table = static_cast<const float*>(args.table);
  const std::uintptr_t begins = reinterpret_cast<std::uintptr_t>(to) |
                                static_cast<std::uintptr_t>(args.axes[0].out_stride | args.axes[1].out_stride | args.out.lane_stride) * sizeof(float);
  const bool streams = args.out.non_temporal && begins % (2 * kV * sizeof(float)) == 0;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::uint8_t* const codes = from + i;
        const std::uint8_t* const here = scales + i / block.row_bytes * block.row_scale_bytes;
        float* const q = to + a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        if (block.fetch != 0) fetch(codes + block.fetch, 2 * points, false);
        const bool easy = block_factors(codes, here, 2 * points >> block.shift, block.shift, E::kUp, static_cast<float>(args.scale), factors);
        if (HWY_UNLIKELY(!easy || !E::are_easy(codes, 2 * points))) {
          ConversionArgs conversion;
          conversion.storage = &block.storage;
          conversion.codes = const_cast<std::uint8_t*>(codes);
          conversion.scales = const_cast<std::uint8_t*>(here);
          conversion.reals = tile;
          conversion.count = 2 * points;
          block.decode(conversion);
          packed_by_tiles<float, kV>(args, tile, q, points, wide, false, nullptr);
        } else if (streams) {
          fast(codes, factors, block.shift, table, tile);
          stream_line<float>(tile, q, 2 * points, nullptr, false);
        } else {
          fast(codes, factors, block.shift, table, q);
        }
      }
    }
  }
}

template <class First, class Second, class E>
void packed_block(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  using Wide = PackedTwo<float, First, Second>;
  static_assert(Wide::kPoints <= kMostFusedPoints && 2 * Wide::kPoints % 64 == 0);
  run_packed_block<E>(args, buffers, first, count, Wide::kPoints, &packed_block_codes<First, Second, E>, &packed_direct<float, Wide>);
}

// Format: of formats.h. With the 16 registers of AVX2 it is twice the text.
template <class First, class Second, class E, class Format>
void add_packed_block(CodeletSink& sink, const BodyFacts& first, const BodyFacts& second) {
  if constexpr (HWY_TARGET <= HWY_AVX3 && E::is(Format::Element::kInfo) && is_power_scale(Format::Scale::kInfo) &&
                packed_serves(lanes_of<hn::ScalableTag<float>>(), 4, First::kRadix, Second::kRadix)) {
    sink.add_fused(PassKind::kPacked, first, &second, &packed_block<First, Second, E>, Format::kInfo.name, "", false);
  }
  (void)sink, (void)first, (void)second;
}

#endif  // ULPFFT_HWY_FUSED

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
