// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of real transforms, once per instruction set.
//
// kUntangle and kTangle take blocks of W points from point 0 upwards and of their W partners from the last point downwards. A block begins
// at a multiple of W, where short transforms in registers store and load theirs: what is loaded from parts of two stores waits until both
// have reached the cache. So the vectors of partners begin at multiples of W as well, and the one whose partner is point k comes from the
// block before. Placements other than adjacent numbers go through tiles, which are lines of adjacent numbers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codelets/contract/line_sink.h"
#include "codelets/contract/real_passes.h"
#include "codelets/contract/rounded_pass.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/real_lines.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"
#include "codelets/hwy/points-inl.h"
#include "codelets/hwy/rounded_pairs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// ---- pairs

// W adjacent numbers. W = 1: their parts are scalars already.
template <class D, typename T>
HWY_INLINE void load_numbers(D d, const T* from, hn::Vec<D>& re, hn::Vec<D>& im) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kW == 1) {
    re = hn::LoadU(d, from);
    im = hn::LoadU(d, from + 1);
  } else {
    deinterleave(d, hn::LoadU(d, from), hn::LoadU(d, from + kW), re, im);
  }
}
template <class D, typename T>
HWY_INLINE void store_numbers(D d, hn::Vec<D> re, hn::Vec<D> im, T* to) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kW == 1) {
    hn::StoreU(re, d, to);
    hn::StoreU(im, d, to + 1);
  } else {
    hn::Vec<D> a, b;
    interleave(d, re, im, a, b);
    hn::StoreU(a, d, to);
    hn::StoreU(b, d, to + kW);
  }
}

// The last one first: of W numbers in lane order they are in lane order again.
template <class D>
HWY_INLINE hn::Vec<D> reversed(D d, hn::Vec<D> x) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    return x;
  } else {
    return hn::Reverse(d, x);
  }
}

// Lane l holds the lane of column W - c, c that of lane l; of c = 0 any.
template <class Index, int kW, int kBlock>
struct PartnerIndices {
  HWY_ALIGN Index index[kW];
  constexpr PartnerIndices() : index() {
    for (int l = 0; l < kW; ++l) {
      for (int other = 0; other < kW; ++other) {
        if (index_of_lane(other, kW, kBlock) == (kW - index_of_lane(l, kW, kBlock)) % kW) index[l] = other;
      }
    }
  }
};

// Column c of the result is column W - c of x, and column 0 that of `before`.
template <class D>
HWY_INLINE hn::Vec<D> partners(D d, hn::Vec<D> x, hn::Vec<D> before) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kW == 1) {
    return before;
  } else {
    using Index = hn::TFromD<hn::RebindToSigned<D>>;
    HWY_ALIGN static constexpr PartnerIndices<Index, kW, 16 / static_cast<int>(sizeof(Index))> kIndices;
    return hn::IfThenElse(hn::FirstN(d, 1), before, hn::TableLookupLanes(x, hn::SetTableIndices(d, kIndices.index)));
  }
}

// a: points k .. k + W - 1 of Z, b: their partners. They become the same points of X.
template <class D, typename T>
HWY_INLINE void untangle(D d, hn::Vec<D> c, hn::Vec<D> s, PartFactors<T> factors, hn::Vec<D>& a_re, hn::Vec<D>& a_im, hn::Vec<D>& b_re,
                         hn::Vec<D>& b_im) {
  const auto half = hn::Set(d, T(0.5)), sign = hn::Set(d, factors.im);
  const auto sum_re = hn::Add(a_re, b_re), sum_im = hn::Sub(a_im, b_im);
  const auto difference_re = hn::Sub(a_re, b_re), difference_im = hn::Add(a_im, b_im);
  const auto p_re = hn::MulAdd(difference_im, c, hn::Mul(difference_re, s));
  const auto p_im = hn::NegMulAdd(difference_re, c, hn::Mul(difference_im, s));
  a_re = hn::MulAdd(half, sum_re, p_re);
  a_im = hn::Mul(hn::MulAdd(half, sum_im, p_im), sign);
  b_re = hn::MulSub(half, sum_re, p_re);
  b_im = hn::Mul(hn::NegMulAdd(half, sum_im, p_im), sign);
}

// The other way.
template <class D, typename T>
HWY_INLINE void tangle(D d, hn::Vec<D> c, hn::Vec<D> s, PartFactors<T> factors, hn::Vec<D>& a_re, hn::Vec<D>& a_im, hn::Vec<D>& b_re,
                       hn::Vec<D>& b_im) {
  const auto scale = hn::Set(d, factors.re), im_scale = hn::Set(d, factors.im);
  a_re = hn::Mul(a_re, scale);
  a_im = hn::Mul(a_im, im_scale);
  b_re = hn::Mul(b_re, scale);
  b_im = hn::Mul(b_im, im_scale);
  const auto sum_re = hn::Add(a_re, b_re), sum_im = hn::Sub(a_im, b_im);
  const auto difference_re = hn::Sub(a_re, b_re), difference_im = hn::Add(a_im, b_im);
  const auto t_re = hn::NegMulAdd(difference_im, c, hn::Mul(difference_re, s));
  const auto t_im = hn::MulAdd(difference_re, c, hn::Mul(difference_im, s));
  a_re = hn::Add(sum_re, t_re);
  a_im = hn::Add(sum_im, t_im);
  b_re = hn::Sub(sum_re, t_re);
  b_im = hn::Sub(t_im, sum_im);
}

// Points in a, their partners in b. No struct: vectors of unknown size lie in none.
template <bool kUntangles, class D, typename T>
HWY_INLINE void pass_block(D d, const T* table, PartFactors<T> factors, hn::Vec<D>& a_re, hn::Vec<D>& a_im, hn::Vec<D>& b_re,
                           hn::Vec<D>& b_im) {
  hn::Vec<D> c, s;
  load_numbers(d, table, c, s);
  if constexpr (kUntangles) {
    untangle(d, c, s, factors, a_re, a_im, b_re, b_im);
  } else {
    tangle(d, c, s, factors, a_re, a_im, b_re, b_im);
  }
}
template <class D, typename T>
HWY_INLINE hn::Vec<D> with_first(D d, T value, hn::Vec<D> x) {
  return hn::IfThenElse(hn::FirstN(d, 1), hn::Set(d, value), x);
}

// The points below h/2 that are no whole block: a block that ends with them, and repeats points of the one before.
template <bool kUntangles, class D, typename T>
HWY_INLINE void load_last(D d, const T* from, const T* table, PartFactors<T> factors, std::int64_t h, hn::Vec<D>& a_re, hn::Vec<D>& a_im,
                          hn::Vec<D>& b_re, hn::Vec<D>& b_im) {
  constexpr std::int64_t kW = static_cast<int>(hn::MaxLanes(D()));
  const std::int64_t k = (h + 1) / 2 - kW;
  load_numbers(d, from + 2 * k, a_re, a_im);
  load_numbers(d, from + 2 * (h - k - kW + 1), b_re, b_im);
  b_re = reversed(d, b_re);
  b_im = reversed(d, b_im);
  pass_block<kUntangles>(d, table + 2 * k, factors, a_re, a_im, b_re, b_im);
}
template <class D, typename T>
HWY_INLINE void store_last(D d, T* to, std::int64_t h, hn::Vec<D> a_re, hn::Vec<D> a_im, hn::Vec<D> b_re, hn::Vec<D> b_im) {
  constexpr std::int64_t kW = static_cast<int>(hn::MaxLanes(D()));
  const std::int64_t k = (h + 1) / 2 - kW;
  store_numbers(d, a_re, a_im, to + 2 * k);
  store_numbers(d, reversed(d, b_re), reversed(d, b_im), to + 2 * (h - k - kW + 1));
}

// Of at least W points below h/2. The last block is loaded first, because both ends may be one line. Partners of kTangle are stored one
// block late: the lowest number of a vector belongs to the next block.
template <bool kUntangles, class D, typename T>
HWY_INLINE void pass_blocks(D d, const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h) {
  constexpr std::int64_t kW = static_cast<int>(hn::MaxLanes(D()));
  const std::int64_t points = (h + 1) / 2, whole = points / kW * kW;
  const auto pass_unpaired = kUntangles ? &untangle_unpaired<T> : &tangle_unpaired<T>;
  const Unpaired<T> unpaired = pass_unpaired(from, from + 1, 2, factors, h);
  auto last_a_re = hn::Zero(d), last_a_im = hn::Zero(d), last_b_re = hn::Zero(d), last_b_im = hn::Zero(d);
  if (whole != points) load_last<kUntangles>(d, from, table, factors, h, last_a_re, last_a_im, last_b_re, last_b_im);
  auto before_re = hn::Set(d, from[kUntangles ? 0 : 2 * h]), before_im = hn::Set(d, from[1]);
  auto late_re = before_re, late_im = before_im;
  for (std::int64_t k = 0; k < whole; k += kW) {
    hn::Vec<D> a_re, a_im, high_re, high_im;
    load_numbers(d, from + 2 * k, a_re, a_im);
    load_numbers(d, from + 2 * (h - k - kW), high_re, high_im);
    auto b_re = partners(d, high_re, before_re), b_im = partners(d, high_im, before_im);
    before_re = high_re;
    before_im = high_im;
    pass_block<kUntangles>(d, table + 2 * k, factors, a_re, a_im, b_re, b_im);
    if (k == 0) {
      a_re = with_first(d, unpaired.first_re, a_re);
      a_im = with_first(d, unpaired.first_im, a_im);
    }
    if constexpr (kUntangles) {
      if (k == 0) {
        b_re = with_first(d, unpaired.last, b_re);
        b_im = with_first(d, T(0), b_im);
      }
      store_numbers(d, reversed(d, b_re), reversed(d, b_im), to + 2 * (h - k - kW + 1));
    } else {
      if (k != 0) store_numbers(d, partners(d, late_re, b_re), partners(d, late_im, b_im), to + 2 * (h - k));
      late_re = b_re;
      late_im = b_im;
    }
    store_numbers(d, a_re, a_im, to + 2 * k);
  }
  if (whole != points) store_last(d, to, h, last_a_re, last_a_im, last_b_re, last_b_im);
  if (h % 2 == 0) {
    to[h] = unpaired.middle_re;
    to[h + 1] = unpaired.middle_im;
  }
  if constexpr (!kUntangles) {  // its lowest number is stored: point h/2, or one of the last block
    T* const low = to + 2 * (h - whole);
    store_numbers(d, partners(d, late_re, hn::Set(d, low[0])), partners(d, late_im, hn::Set(d, low[1])), low);
  }
}

// In vectors of a quarter where points do not fill one.
template <bool kUntangles, int kW, typename T>
HWY_INLINE void pass_line(const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h) {
  if constexpr (kW > 1) {
    if (HWY_UNLIKELY((h + 1) / 2 < kW)) return pass_line<kUntangles, std::max(1, kW / 4)>(from, to, table, factors, h);
  }
  pass_blocks<kUntangles>(hn::CappedTag<T, kW>(), from, to, table, factors, h);
}

template <bool kUntangles, typename T>
HWY_NOINLINE void pairs_line(const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h) {
  pass_line<kUntangles, static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()))>(from, to, table, factors, h);
}

template <bool kUntangles, typename T>
void run_lines_of_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (has_context<RoundedPass>(args)) return rounded_pairs<T>(args, buffers, first, count, kUntangles);
  run_pairs<T>(args, buffers, first, count, kUntangles, &pairs_line<kUntangles, T>);
}

// One line between the beginnings of two arrays. The context is a DirectPass.
template <bool kUntangles, typename T>
int pairs_direct(const DirectCall& call, void* in, void*, void* out, void*, void*) {
  const auto& args = *context_of<DirectPass>(call).args;
  pairs_line<kUntangles, T>(static_cast<const T*>(in), static_cast<T*>(out), static_cast<const T*>(args.table),
                            pair_factors<T>(args, kUntangles), args.lanes);
  return 0;
}

// ---- moves

template <typename T>
void from_reals_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const hn::ScalableTag<T> d;
  constexpr int kW = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  std::int64_t j = 0;
  if (has_adjacent_reals(args.in) && has_adjacent_numbers(args.out)) {
    const auto scale = hn::Set(d, static_cast<T>(args.scale));
    for (; j + kW <= args.lanes; j += kW) hn::StoreInterleaved2(hn::Mul(hn::LoadU(d, from.re + j), scale), hn::Zero(d), d, to.re + 2 * j);
  }
  if (j < args.lanes) move_from_reals(args, from, to, j);
}

template <typename T>
void to_reals_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const hn::ScalableTag<T> d;
  constexpr int kW = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  std::int64_t j = 0;
  if (has_adjacent_numbers(args.in) && has_adjacent_reals(args.out)) {
    for (; j + kW <= args.lanes; j += kW) {
      hn::Vec<hn::ScalableTag<T>> re, im;
      hn::LoadInterleaved2(d, from.re + 2 * j, re, im);
      hn::StoreU(re, d, to.re + j);
    }
  }
  if (j < args.lanes) move_to_reals(args, from, to, j);
}

template <typename T>
void half_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const hn::ScalableTag<T> d;
  constexpr int kW = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  std::int64_t j = 0;
  if (has_adjacent_numbers(args.in) && has_adjacent_numbers(args.out)) {
    if (!args.out.swap) {
      std::memmove(to.re, from.re, static_cast<std::size_t>(2 * args.lanes) * sizeof(T));
      j = 2 * args.lanes;
    }
    for (; j + kW <= 2 * args.lanes; j += kW) {
      const auto v = hn::LoadU(d, from.re + j);
      hn::StoreU(hn::OddEven(hn::Neg(v), v), d, to.re + j);
    }
  }
  if (j < 2 * args.lanes) move_half(args, from, to, j / 2);
  to.im[0] = T(0);
}

template <typename T>
void mirror_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  mirror_first(args, from, to);
  std::int64_t k = 1;
  if (has_adjacent_numbers(args.in) && has_adjacent_numbers(args.out)) {
    const PartFactors<T> factors = part_factors<T>(args.in, args.scale);
    const auto scale = hn::Set(d, factors.re), im_scale = hn::Set(d, factors.im);
    for (; k + kW <= args.lanes / 2 + 1; k += kW) {
      hn::Vec<D> re, im;
      load_numbers(d, from.re + 2 * k, re, im);
      re = hn::Mul(re, scale);
      im = hn::Mul(im, im_scale);
      store_numbers(d, re, im, to.re + 2 * k);
      store_numbers(d, reversed(d, re), reversed(d, hn::Neg(im)), to.re + 2 * (args.lanes - k - kW + 1));
    }
  }
  if (k <= args.lanes / 2) move_mirror(args, from, to, k);
}

// A number is two lanes.
template <typename T, bool kExchanges>
HWY_INLINE void move_numbers(const T* from, std::int64_t stride, T* to, std::int64_t to_stride, std::int64_t count, bool negates) {
  const hn::CappedTag<T, 2> d;
  const auto sign = hn::OddEven(hn::Set(d, negates ? T(-0.0) : T(0)), hn::Zero(d));
  for (std::int64_t k = 0; k < count; ++k) {
    auto number = hn::Xor(hn::LoadU(d, from + k * stride), sign);
    if constexpr (kExchanges) number = hn::Reverse(d, number);
    hn::StoreU(number, d, to + k * to_stride);
  }
}

template <typename T, bool kExchanges>
HWY_NOINLINE void split_adjacent_rows(const PassArgs& args, const T* from, T* to) {
  const std::int64_t in = args.in.point_stride;
  for_each_run(args.lanes, args.row, [&](const RowRun& run) HWY_ATTR {
    const std::int64_t step = (run.mirrored ? -args.row : args.row) * in;
    move_numbers<T, kExchanges>(from + run.point * in, step, to + run.row * args.row_stride + 2 * run.k, 2, run.count,
                                run.mirrored != args.in.swap);
  });
}

// Rows by way of transposes, C numbers of C rows at a time. Numbers k <= m/2 of all rows belong to the first half of the line, the others
// are mirrored: so many numbers of a row from `begin` on, of the rows `low` .. r/2.
struct RowHalf {
  std::int64_t begin, count, low;
  bool mirrored;
};
inline RowHalf row_half(const PassArgs& args, bool mirrored, std::int64_t low) {
  const std::int64_t half = args.lanes / args.row / 2;
  return mirrored ? RowHalf{half + 1, half, low, true} : RowHalf{0, half + 1, 0, false};
}

// Calls visit(first number, lowest row, rows) for the blocks of one half. The last block of either way begins early enough to be whole.
template <int kC, class Visit>
HWY_INLINE void each_block(const PassArgs& args, const RowHalf& half, const Visit& visit) {
  const std::int64_t all = args.row / 2 + 1 - half.low;
  for (std::int64_t b = 0; b < all; b += kC) {
    const std::int64_t row = half.low + (all < kC ? 0 : std::min(b, all - kC)), rows = std::min<std::int64_t>(all, kC);
    for (std::int64_t k = 0; k < half.count; k += kC) visit(half.begin + std::min(k, half.count - kC), row, rows);
  }
}

// Whether the rows have blocks. Short vectors hold too few numbers.
template <typename T>
inline bool has_blocks(const PassArgs& args) {
#if ULPFFT_HWY_SIZELESS
  return false;
#else
  constexpr std::int64_t kC = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>())) / 2;
  return kC >= 4 && args.in.point_stride == 2 && args.out.point_stride == 2 && args.lanes / args.row / 2 >= kC;
#endif
}

#if !ULPFFT_HWY_SIZELESS
// Lanes from the lowest address on: of mirrored numbers the highest row comes first.
template <typename T>
HWY_NOINLINE void join_blocks(const PassArgs& args, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  constexpr int kC = std::max(1, static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>())) / 2);
  for (const bool mirrored : {false, true}) {
    const auto sign = hn::OddEven(hn::Set(d, mirrored != args.out.swap ? T(-0.0) : T(0)), hn::Zero(d));
    each_block<kC>(args, row_half(args, mirrored, 1), [&](std::int64_t k, std::int64_t row, std::int64_t rows) HWY_ATTR {
      const std::int64_t step = mirrored ? -args.row_stride : args.row_stride;
      const T* const first = from + (mirrored ? row + rows - 1 : row) * args.row_stride + 2 * k;
      hn::Vec<hn::ScalableTag<T>> v[kC];
      HWY_UNROLL(8)
      for (int l = 0; l < kC; ++l) v[l] = hn::Xor(hn::LoadU(d, first + std::min<std::int64_t>(l, rows - 1) * step), sign);
      transpose_points(d, v);
      T* const q = to + 2 * (mirrored ? args.lanes - args.row * k - (row + rows - 1) : args.row * k + row);
      const std::int64_t next = 2 * (mirrored ? -args.row : args.row);
      if (rows == kC) {
        HWY_UNROLL(8)
        for (int c = 0; c < kC; ++c) hn::StoreU(v[c], d, q + c * next);
        return;
      }
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(2 * rows));
      HWY_UNROLL(8)
      for (int c = 0; c < kC; ++c) hn::BlendedStore(v[c], mask, d, q + c * next);
    });
  }
}

template <typename T, bool kExchanges>
HWY_NOINLINE void split_blocks(const PassArgs& args, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  constexpr int kC = std::max(1, static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>())) / 2);
  for (const bool mirrored : {false, true}) {
    const auto sign = hn::OddEven(hn::Set(d, mirrored != args.in.swap ? T(-0.0) : T(0)), hn::Zero(d));
    each_block<kC>(args, row_half(args, mirrored, 0), [&](std::int64_t k, std::int64_t row, std::int64_t rows) HWY_ATTR {
      const T* const p = from + 2 * (mirrored ? args.lanes - args.row * k - (row + rows - 1) : args.row * k + row);
      const std::int64_t next = 2 * (mirrored ? -args.row : args.row);
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(2 * rows));
      hn::Vec<hn::ScalableTag<T>> v[kC];
      HWY_UNROLL(8)
      for (int c = 0; c < kC; ++c) {
        v[c] = hn::Xor(rows == kC ? hn::LoadU(d, p + c * next) : hn::MaskedLoad(mask, d, p + c * next), sign);
        if constexpr (kExchanges) v[c] = hn::Reverse2(d, v[c]);
      }
      transpose_points(d, v);
      const std::int64_t step = mirrored ? -args.row_stride : args.row_stride;
      T* const first = to + (mirrored ? row + rows - 1 : row) * args.row_stride + 2 * k;
      HWY_UNROLL(8)
      for (int l = 0; l < kC; ++l) {
        if (l < rows) hn::StoreU(v[l], d, first + l * step);
      }
    });
  }
}
#endif

template <typename T, bool kExchanges>
void split_numbers(const PassArgs& args, const T* from, T* to) {
#if !ULPFFT_HWY_SIZELESS
  if (has_blocks<T>(args)) return split_blocks<T, kExchanges>(args, from, to);
#endif
  split_adjacent_rows<T, kExchanges>(args, from, to);
}

template <typename T>
void split_rows_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const bool adjacent = hn::MaxLanes(hn::ScalableTag<T>()) > 1 && from.im == from.re + 1 && args.out.point_stride == 2;
  if (adjacent && to.im == to.re + 1) {
    split_numbers<T, false>(args, from.re, to.re);
  } else if (adjacent && to.re == to.im + 1) {
    split_numbers<T, true>(args, from.re, to.im);
  } else {
    return split_rows(args, from, to);
  }
  to.im[0] = T(0);
}

template <typename T>
HWY_NOINLINE void join_adjacent_rows(const PassArgs& args, const T* from, T* to) {
  const std::int64_t out = args.out.point_stride;
  for_each_run(args.lanes, args.row, [&](const RowRun& run) HWY_ATTR {
    if (run.row == 0 && run.mirrored) return;  // conjugates of numbers of the row itself
    const std::int64_t step = (run.mirrored ? -args.row : args.row) * out;
    move_numbers<T, false>(from + run.row * args.row_stride + 2 * run.k, 2, to + run.point * out, step, run.count,
                           run.mirrored != args.out.swap);
  });
}

template <typename T>
void join_rows_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const bool adjacent = hn::MaxLanes(hn::ScalableTag<T>()) > 1 && from.im == from.re + 1 && args.in.point_stride == 2 && to.im == to.re + 1;
  if (!adjacent) return join_rows(args, from, to);
#if !ULPFFT_HWY_SIZELESS
  has_blocks<T>(args) ? join_blocks(args, from.re, to.re) : join_adjacent_rows(args, from.re, to.re);
#else
  join_adjacent_rows(args, from.re, to.re);
#endif
  to.im[0] = T(0);
}

template <typename T, RealLine<T> kLine>
void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_real_lines<T>(args, buffers, first, count, kLine);
}

template <typename T>
void add_real_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  add_line(sink, PassKind::kUntangle, kCompute, &run_lines_of_pairs<true, T>, &pairs_direct<true, T>);
  add_line(sink, PassKind::kTangle, kCompute, &run_lines_of_pairs<false, T>, &pairs_direct<false, T>);
  add_line(sink, PassKind::kFromReals, kCompute, &run<T, &from_reals_line<T>>);
  add_line(sink, PassKind::kToReals, kCompute, &run<T, &to_reals_line<T>>);
  add_line(sink, PassKind::kHalf, kCompute, &run<T, &half_line<T>>);
  add_line(sink, PassKind::kMirror, kCompute, &run<T, &mirror_line<T>>);
  add_line(sink, PassKind::kSplitRows, kCompute, &run<T, &split_rows_line<T>>);
  add_line(sink, PassKind::kJoinRows, kCompute, &run<T, &join_rows_line<T>>);
}

void collect_real_lines(CodeletSink& sink) {
  add_real_lines<float>(sink);
  add_real_lines<double>(sink);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_real_lines(std::int64_t target, CodeletSink& sink);
void collect_hwy_real_lines(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_real_lines(sink)) }

}  // namespace ulpfft
#endif
