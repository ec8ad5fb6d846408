// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The stages of split passes, once per instruction set: lanes are columns, so that no sum crosses lanes.
//
// Sums are a product and an addition, not fused: their bits are those of every target below the range of f32 as well, and processors with
// adders beside their multipliers lose nothing.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/split_pass.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/split.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"
#include "codelets/hwy/split_butterflies-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

template <typename T>
HWY_NOINLINE void split_largest(const SplitPass& pass, const T* numbers, std::int64_t width, T* of_columns) {
  const hn::ScalableTag<T> d;
  const std::int64_t w = split_columns(pass.radix);
  for (std::int64_t c = 0; c < width; c += kSplitLanes<T>) {
    auto found = hn::Zero(d);
    for (std::int64_t row = 0; row < 2 * pass.radix; ++row) found = larger_bits(d, found, hn::Abs(hn::LoadU(d, numbers + row * w + c)));
    hn::StoreU(found, d, of_columns + c);
  }
}

// round_to_part().
HWY_INLINE hn::Vec<hn::ScalableTag<float>> split_rounded(const SplitElement& e, hn::Vec<hn::ScalableTag<float>> x) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto m = hn::Abs(x);
  const auto bits = hn::BitCast(du, m);
  const auto odd = hn::And(hn::ShiftRightSame(bits, e.dropped), hn::Set(du, 1U));
  const auto up = hn::Add(hn::Add(bits, odd), hn::Set(du, (1U << (e.dropped - 1)) - 1));
  const auto normal = hn::BitCast(d, hn::ShiftLeftSame(hn::ShiftRightSame(up, e.dropped), e.dropped));
  const auto steps = hn::Set(d, e.steps);
  const auto rounded = hn::IfThenElse(hn::Lt(m, hn::Set(d, e.smallest_normal)), hn::Sub(hn::Add(m, steps), steps), normal);
  const auto part = hn::CopySignToAbs(hn::Min(rounded, hn::Set(d, e.largest)), x);
  const auto finite = hn::RebindMask(d, hn::Lt(hn::BitCast(hn::RebindToSigned<decltype(d)>(), m),
                                               hn::Set(hn::RebindToSigned<decltype(d)>(), static_cast<std::int32_t>(kInfinityBits))));
  return hn::IfThenElse(finite, part, x);
}

// Numbers without a norm, or over one, as parts that an addition rounds. Returns false where a number is too large for that.
HWY_NOINLINE bool split_by_addition(const SplitPass& pass, const float* numbers, const float* inverse, std::int64_t width, float* parts) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<std::int32_t> di;
  const SplitElement& e = pass.element;
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  const auto least = hn::BitCast(di, hn::Set(d, e.smallest_normal));
  const auto magic = hn::Set(d, 1.5F * static_cast<float>(1 << e.dropped)), grow = hn::Set(d, e.grow), one = hn::Set(d, 1.0F);
  const int rests = pass.scheme.parts - 1;
  auto top = least;
  for (std::int64_t c = 0; c < width; c += kSplitLanes<float>) {
    const auto by = inverse != nullptr ? hn::LoadU(d, inverse + c) : one;
    for (std::int64_t row = 0; row < 2 * pass.radix; ++row) {
      const std::int64_t at = row * w + c;
      auto rest = hn::Mul(hn::LoadU(d, numbers + at), by);
      auto part = butterfly_part(rest, least, magic, top);
      hn::StoreU(part, d, parts + at);
      float weight = e.shrink;
      for (int i = 1; i <= rests; ++i) {
        rest = hn::Mul(hn::Sub(rest, part), grow);
        part = butterfly_part(rest, least, magic, top);
        hn::StoreU(hn::Mul(part, hn::Set(d, weight)), d, parts + i * part_stride + at);
        weight *= e.shrink;
      }
    }
  }
  return inverse != nullptr || hn::AllFalse(di, hn::Gt(top, hn::Set(di, kHugePart)));
}

HWY_NOINLINE void split_numbers(const SplitPass& pass, const float* numbers, const float* norms, const float* inverse, std::int64_t width,
                                float* parts) {
  const hn::ScalableTag<float> d;
  const SplitElement& e = pass.element;
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  const bool divides = pass.scheme.arbitrary && norms != nullptr;
  const auto grow = hn::Set(d, e.grow);
  if (rounds_by_addition(pass) && split_by_addition(pass, numbers, norms != nullptr ? inverse : nullptr, width, parts)) return;
  for (std::int64_t row = 0; row < 2 * pass.radix; ++row) {
    for (std::int64_t c = 0; c < width; c += kSplitLanes<float>) {
      const auto x = hn::LoadU(d, numbers + row * w + c);
      auto rest = x;
      if (divides) {
        rest = hn::Div(x, hn::LoadU(d, norms + c));
      } else if (norms != nullptr) {
        rest = hn::Mul(x, hn::LoadU(d, inverse + c));
      }
      float weight = 1;
      auto part = hn::Zero(d);
      for (int i = 0; i < pass.scheme.parts; ++i) {
        if (i == 1 && divides) {
          const auto norm = hn::LoadU(d, norms + c);
          rest = hn::Mul(hn::Div(hn::Sub(x, hn::Mul(norm, part)), norm), grow);
        }
        part = split_rounded(e, rest);
        rest = hn::Mul(hn::Sub(rest, part), grow);
        hn::StoreU(hn::Mul(part, hn::Set(d, weight)), d, parts + i * part_stride + row * w + c);
        weight *= e.shrink;
      }
    }
  }
}

// One point of a column for one output.
template <class D>
HWY_INLINE void split_step(D d, hn::Vec<D> x_re, hn::Vec<D> x_im, const float* m, hn::Vec<D>& re, hn::Vec<D>& im) {
  const auto w_re = hn::Set(d, m[0]), w_im = hn::Set(d, m[kSplitOutputs]);
  re = hn::Sub(hn::Add(re, hn::Mul(x_re, w_re)), hn::Mul(x_im, w_im));
  im = hn::Add(hn::Add(im, hn::Mul(x_re, w_im)), hn::Mul(x_im, w_re));
}

// Sums of points begin .. end - 1 for kSplitOutputs outputs: named variables, because arrays of vectors stay in memory at -O2.
static_assert(kSplitOutputs == 4);
#define ULPFFT_SPLIT_ZERO(d)                                                                              \
  auto re_0 = hn::Zero(d), im_0 = hn::Zero(d), re_1 = hn::Zero(d), im_1 = hn::Zero(d), re_2 = hn::Zero(d), \
       im_2 = hn::Zero(d), re_3 = hn::Zero(d), im_3 = hn::Zero(d)
#define ULPFFT_SPLIT_POINTS(d, x, m, begin, end)                                                 \
  for (std::int64_t k = (begin); k < (end); ++k) {                                               \
    const auto x_re = hn::LoadU(d, (x) + 2 * k * w), x_im = hn::LoadU(d, (x) + (2 * k + 1) * w); \
    const float* const of_point = (m) + 2 * kSplitOutputs * k;                                   \
    split_step(d, x_re, x_im, of_point, re_0, im_0);                                             \
    if constexpr (kOutputs > 1) {                                                                \
      split_step(d, x_re, x_im, of_point + 1, re_1, im_1);                                       \
      split_step(d, x_re, x_im, of_point + 2, re_2, im_2);                                       \
    }                                                                                            \
    if constexpr (kOutputs > 3) split_step(d, x_re, x_im, of_point + 3, re_3, im_3);             \
  }
#define ULPFFT_SPLIT_ROWS(row) \
  row(0);                      \
  if constexpr (kOutputs > 1) { \
    row(1);                    \
    row(2);                    \
  }                            \
  if constexpr (kOutputs > 3) row(3)

template <int kOutputs>
HWY_NOINLINE void split_multiply(const SplitPass& pass, const float* parts, std::int64_t block, std::int64_t width, float* outputs) {
  const hn::ScalableTag<float> d;
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  for (std::int64_t c = 0; c < width; c += kSplitLanes<float>) {
    auto sum_re_0 = hn::Zero(d), sum_im_0 = hn::Zero(d), sum_re_1 = hn::Zero(d), sum_im_1 = hn::Zero(d);
    auto sum_re_2 = hn::Zero(d), sum_im_2 = hn::Zero(d), sum_re_3 = hn::Zero(d), sum_im_3 = hn::Zero(d);
    for (int p = 0; p < pass.product_count; ++p) {
      const float* const x = parts + pass.products[p].data * part_stride + c;
      const float* const m = split_matrix(pass, pass.products[p], block * kSplitOutputs);
      for (std::int64_t begin = 0; begin < pass.radix; begin += kSplitBlock) {
        ULPFFT_SPLIT_ZERO(d);
        const std::int64_t end = std::min(pass.radix, begin + kSplitBlock);
        ULPFFT_SPLIT_POINTS(d, x, m, begin, end)
#define ULPFFT_SPLIT_SUM(q)                \
  sum_re_##q = hn::Add(sum_re_##q, re_##q); \
  sum_im_##q = hn::Add(sum_im_##q, im_##q)
        ULPFFT_SPLIT_ROWS(ULPFFT_SPLIT_SUM);
#undef ULPFFT_SPLIT_SUM
      }
    }
#define ULPFFT_SPLIT_STORE(q)                          \
  hn::StoreU(sum_re_##q, d, outputs + 2 * (q) * w + c); \
  hn::StoreU(sum_im_##q, d, outputs + (2 * (q) + 1) * w + c)
    ULPFFT_SPLIT_ROWS(ULPFFT_SPLIT_STORE);
#undef ULPFFT_SPLIT_STORE
  }
}

// Four adjacent numbers of each of the blocks that fill a vector, blocks `stride` apart.
template <class D>
HWY_INLINE hn::Vec<D> load_fours(D d, const float* from, std::int64_t stride) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    const auto lower = load_fours(half, from, stride);
    return hn::Combine(d, load_fours(half, from + stride * static_cast<std::int64_t>(hn::MaxLanes(half) / 4), stride), lower);
  }
}

// Points begin .. end - 1 of one column for two vectors of outputs, in the order of the contract.
template <class V>
struct RowSums {
  V re_0, im_0, re_1, im_1;
};
HWY_INLINE RowSums<hn::Vec<hn::ScalableTag<float>>> row_sums(const float* x, const float* m, std::int64_t stride, std::int64_t points) {
  const hn::ScalableTag<float> d;
  constexpr std::int64_t kBlocks = kSplitLanes<float> / kSplitOutputs;
  auto re_0 = hn::Zero(d), im_0 = hn::Zero(d), re_1 = hn::Zero(d), im_1 = hn::Zero(d);
  for (std::int64_t k = 0; k < points; ++k) {
    const float* const of_point = m + 2 * kSplitOutputs * k;
    const auto x_re = hn::Set(d, x[k]), x_im = hn::Set(d, x[kRowPiece + k]);
    const auto a_re = load_fours(d, of_point, stride), a_im = load_fours(d, of_point + kSplitOutputs, stride);
    const float* const of_next = of_point + kBlocks * stride;
    const auto b_re = load_fours(d, of_next, stride), b_im = load_fours(d, of_next + kSplitOutputs, stride);
    re_0 = hn::Sub(hn::Add(re_0, hn::Mul(x_re, a_re)), hn::Mul(x_im, a_im));
    im_0 = hn::Add(hn::Add(im_0, hn::Mul(x_re, a_im)), hn::Mul(x_im, a_re));
    re_1 = hn::Sub(hn::Add(re_1, hn::Mul(x_re, b_re)), hn::Mul(x_im, b_im));
    im_1 = hn::Add(hn::Add(im_1, hn::Mul(x_re, b_im)), hn::Mul(x_im, b_re));
  }
  return {re_0, im_0, re_1, im_1};
}

// A vector of sums, times its weight, added to outputs in f32 or in f64.
HWY_INLINE void add_row(hn::Vec<hn::ScalableTag<float>> sums, double, float* to) {
  const hn::ScalableTag<float> d;
  hn::StoreU(hn::Add(hn::LoadU(d, to), sums), d, to);
}
HWY_INLINE void add_row(hn::Vec<hn::ScalableTag<float>> sums, double weight, double* to) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<double> d64;
  const hn::Half<decltype(d)> half;
  const auto by = hn::Set(d64, weight);
  hn::StoreU(hn::Add(hn::LoadU(d64, to), hn::Mul(hn::PromoteTo(d64, hn::LowerHalf(half, sums)), by)), d64, to);
  double* const above = to + kSplitLanes<double>;
  hn::StoreU(hn::Add(hn::LoadU(d64, above), hn::Mul(hn::PromoteTo(d64, hn::UpperHalf(half, sums)), by)), d64, above);
}

template <typename T>
HWY_NOINLINE void split_multiply_row(const SplitPass& pass, const float* parts, std::int64_t first, T* outputs) {
  constexpr std::int64_t kW = kSplitLanes<float>;
  const std::int64_t stride = 2 * kSplitOutputs * pass.radix, of_piece = pass.scheme.parts * 2 * kRowPiece;
  std::fill_n(outputs, 2 * kRowOutputs, T(0));
  for (int p = 0; p < pass.product_count; ++p) {
    const SplitProduct& product = pass.products[p];
    const double weight = 1.0 / static_cast<double>(std::int64_t(1) << (8 * (product.data + product.matrix)));
    for (std::int64_t begin = 0; begin < pass.radix; begin += kSplitBlock) {
      const float* const x = parts + begin / kRowPiece * of_piece + product.data * 2 * kRowPiece + begin % kRowPiece;
      for (std::int64_t q = 0; q < kRowOutputs; q += 2 * kW) {
        const auto sums = row_sums(x, split_matrix(pass, product, first + q) + 2 * kSplitOutputs * begin, stride, kSplitBlock);
        add_row(sums.re_0, weight, outputs + q);
        add_row(sums.re_1, weight, outputs + q + kW);
        add_row(sums.im_0, weight, outputs + kRowOutputs + q);
        add_row(sums.im_1, weight, outputs + kRowOutputs + q + kW);
      }
    }
  }
}

// take_slices().
HWY_NOINLINE void split_slices(const SplitPass& pass, const double* numbers, const double*, const double* inverse, std::int64_t width,
                               float* parts) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  const auto to_integers = hn::Set(d, 0x1.8p52);
  const auto points = hn::Set(d, static_cast<double>(std::int64_t(1) << (8 * pass.scheme.parts - 1)));
  for (std::int64_t row = 0; row < 2 * pass.radix; ++row) {
    for (std::int64_t c = 0; c < width; c += kSplitLanes<double>) {
      const auto scaled = hn::Mul(hn::Mul(hn::LoadU(d, numbers + row * w + c), hn::LoadU(d, inverse + c)), points);
      auto left = hn::Sub(hn::Add(scaled, to_integers), to_integers);
      float* const to = parts + row * w + c;
      for (int i = pass.scheme.parts - 1; i > 0; --i) {
        const auto above = hn::Floor(hn::Mul(hn::Add(left, hn::Set(d, 128.0)), hn::Set(d, 1.0 / 256)));
        hn::StoreU(hn::DemoteTo(df, hn::Sub(left, hn::Mul(above, hn::Set(d, 256.0)))), df, to + i * part_stride);
        left = above;
      }
      hn::StoreU(hn::DemoteTo(df, left), df, to);
    }
  }
}

template <class D, class F>
HWY_INLINE void add_slices(D d, F, hn::Vec<F> sum, double weight, double* to) {
  hn::StoreU(hn::Add(hn::LoadU(d, to), hn::Mul(hn::PromoteTo(d, sum), hn::Set(d, weight))), d, to);
}

template <int kOutputs>
HWY_NOINLINE void split_multiply_slices(const SplitPass& pass, const float* parts, std::int64_t block, std::int64_t width, double* outputs) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const std::int64_t w = split_columns(pass.radix), part_stride = pass.radix * 2 * w;
  for (std::int64_t c = 0; c < width; c += kSplitLanes<double>) {
    for (std::int64_t i = 0; i < 2 * kOutputs; ++i) hn::StoreU(hn::Zero(d), d, outputs + i * w + c);
    for (int p = 0; p < pass.product_count; ++p) {
      const SplitProduct& product = pass.products[p];
      const float* const x = parts + product.data * part_stride + c;
      const float* const m = split_matrix(pass, product, block * kSplitOutputs);
      ULPFFT_SPLIT_ZERO(df);
      ULPFFT_SPLIT_POINTS(df, x, m, 0, pass.radix)
      const double weight = 1.0 / static_cast<double>(std::int64_t(1) << (8 * (product.data + product.matrix)));
#define ULPFFT_SPLIT_SUM(q)                                      \
  add_slices(d, df, re_##q, weight, outputs + 2 * (q) * w + c); \
  add_slices(d, df, im_##q, weight, outputs + (2 * (q) + 1) * w + c)
      ULPFFT_SPLIT_ROWS(ULPFFT_SPLIT_SUM);
#undef ULPFFT_SPLIT_SUM
    }
  }
}

// The outputs of a block: four, but of odd radices one or three in the last one.
template <typename T>
void split_outputs(const SplitPass& pass, const float* parts, std::int64_t block, std::int64_t width, T* outputs) {
  const std::int64_t rest = pass.radix - block * kSplitOutputs;
  if constexpr (sizeof(T) == 4) {
    const auto multiply = rest == 1 ? split_multiply<1> : rest < kSplitOutputs ? split_multiply<3> : split_multiply<4>;
    multiply(pass, parts, block, width, outputs);
  } else {
    const auto multiply = rest == 1 ? split_multiply_slices<1> : rest < kSplitOutputs ? split_multiply_slices<3> : split_multiply_slices<4>;
    multiply(pass, parts, block, width, outputs);
  }
}
#undef ULPFFT_SPLIT_ZERO
#undef ULPFFT_SPLIT_POINTS
#undef ULPFFT_SPLIT_ROWS

template <typename T>
HWY_NOINLINE void split_finish(const SplitPass& pass, T* output, const T* factors, std::int64_t q, const SplitPlaces* places, std::int64_t width,
                               T* of_columns) {
  const hn::ScalableTag<T> d;
  T* const output_im = output + split_columns(pass.radix);
  const std::int64_t first = places != nullptr ? places->first + q * pass.length : 0;
  const T* const twiddles_re = static_cast<const T*>(pass.twiddles_re) + first;
  const T* const twiddles_im = static_cast<const T*>(pass.twiddles_im) + first;
  for (std::int64_t c = 0; c < width; c += kSplitLanes<T>) {
    auto re = hn::LoadU(d, output + c), im = hn::LoadU(d, output_im + c);
    if (factors != nullptr) {
      const auto factor = hn::LoadU(d, factors + c);
      re = hn::Mul(re, factor);
      im = hn::Mul(im, factor);
    }
    if (places != nullptr) {
      const std::int32_t* const at = places->at + c;
      const auto a = split_twiddles(d, places->how[c / kSplitBlock], twiddles_re, at);
      const auto b = split_twiddles(d, places->how[c / kSplitBlock], twiddles_im, at);
      const auto x = hn::Sub(hn::Mul(re, a), hn::Mul(im, b));
      im = hn::Add(hn::Mul(re, b), hn::Mul(im, a));
      re = x;
    }
    hn::StoreU(re, d, output + c);
    hn::StoreU(im, d, output_im + c);
    if (of_columns == nullptr) continue;
    const auto larger = larger_bits(d, hn::Abs(re), hn::Abs(im));
    hn::StoreU(larger_bits(d, hn::LoadU(d, of_columns + c), larger), d, of_columns + c);
  }
}

template <typename T>
HWY_NOINLINE void split_load(const T* re, const T* im, std::int64_t count, T scale, T* to_re, T* to_im) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = kSplitLanes<T>;
  const bool swapped = im < re;
  const T* const from = swapped ? im : re;
  const auto factor = hn::Set(d, scale);
  std::int64_t i = 0;
  for (; i + kW <= count; i += kW) {
    hn::Vec<decltype(d)> x, y;
    hn::LoadInterleaved2(d, from + 2 * i, x, y);
    hn::StoreU(hn::Mul(swapped ? y : x, factor), d, to_re + i);
    hn::StoreU(hn::Mul(swapped ? x : y, factor), d, to_im + i);
  }
  for (; i < count; ++i) {
    to_re[i] = re[2 * i] * scale;
    to_im[i] = im[2 * i] * scale;
  }
}

template <typename T>
HWY_NOINLINE void split_store(const T* from_re, const T* from_im, std::int64_t count, T* re, T* im) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = kSplitLanes<T>;
  const bool swapped = im < re;
  T* const to = swapped ? im : re;
  std::int64_t i = 0;
  for (; i + kW <= count; i += kW) {
    const auto x = hn::LoadU(d, from_re + i), y = hn::LoadU(d, from_im + i);
    hn::StoreInterleaved2(swapped ? y : x, swapped ? x : y, d, to + 2 * i);
  }
  for (; i < count; ++i) {
    re[2 * i] = from_re[i];
    im[2 * i] = from_im[i];
  }
}

// Four adjacent outputs of each of kW columns go through a tile where columns are further apart.
template <typename T>
HWY_NOINLINE void split_store_columns(const T* outputs, std::int64_t row, std::int64_t outputs_of_block, std::int64_t count, std::int64_t stride,
                                      T* to) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = kSplitLanes<T>;
  HWY_ALIGN T tile[kSplitOutputs * kW];
  std::int64_t c = 0;
  for (; outputs_of_block == kSplitOutputs && c + kW <= count; c += kW) {
    T* const block = stride == kSplitOutputs ? to + c * stride : tile;
    const T* const from = outputs + c;
    const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + row);
    hn::StoreInterleaved4(a, b, hn::LoadU(d, from + 2 * row), hn::LoadU(d, from + 3 * row), d, block);
    if (block != tile) continue;
    for (std::int64_t i = 0; i < kW; ++i) std::copy_n(tile + kSplitOutputs * i, kSplitOutputs, to + (c + i) * stride);
  }
  for (; c < count; ++c) {
    for (std::int64_t q = 0; q < outputs_of_block; ++q) to[c * stride + q] = outputs[q * row + c];
  }
}

template <typename T>
HWY_NOINLINE T split_largest_of(const T* reals, std::int64_t count) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = kSplitLanes<T>;
  HWY_ALIGN T lanes[kW];
  auto found = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + kW <= count; i += kW) found = larger_bits(d, found, hn::Abs(hn::LoadU(d, reals + i)));
  hn::Store(found, d, lanes);
  T largest = 0;
  for (; i < count; ++i) largest = larger_magnitude(largest, std::abs(reals[i]));
  for (const T lane : lanes) largest = larger_magnitude(largest, lane);
  return largest;
}

void split_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static constexpr SplitStages<float> kStages{
      kSplitLanes<float>,        &split_largest<float>, &split_numbers,     &split_outputs<float>,
      &split_multiply_row<float>, &split_finish<float>,  &split_load<float>, &split_store<float>,
      &split_store_columns<float>, &split_largest_of<float>, &split_butterflies};
  run_split_pass(args, buffers, first, count, kStages);
}
void slice_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static constexpr SplitStages<double> kStages{
      kSplitLanes<double>,        &split_largest<double>, &split_slices,       &split_outputs<double>,
      &split_multiply_row<double>, &split_finish<double>,  &split_load<double>, &split_store<double>,
      &split_store_columns<double>, &split_largest_of<double>, &slice_butterflies};
  run_split_pass(args, buffers, first, count, kStages);
}

void collect_split(CodeletSink& sink) {
  sink.split_pass = &split_pass;
  sink.slice_pass = &slice_pass;
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_split(std::int64_t target, CodeletSink& sink);
void collect_hwy_split(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_split(sink)) }

}  // namespace ulpfft
#endif
