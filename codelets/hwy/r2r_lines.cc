// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of r2r transforms, once per instruction set.
//
// The ends of a pass are apart, and a line of the transform holds adjacent reals. So a pass may compute a number twice: where the pairs of
// a line end inside a vector, the last vector begins early enough to be whole. Lines shorter than that take vectors of a quarter.
// Data and tables are deinterleaved into index order, because a line of reals has that order.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/line_sink.h"
#include "codelets/contract/r2r_passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/r2r_lines.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

template <class D>
inline constexpr int kWidth = static_cast<int>(hn::MaxLanes(D()));

// ---- lanes in index order

// 2 W adjacent reals: those of even and of odd index.
template <class D, typename T>
HWY_INLINE void load_two(D d, const T* from, hn::Vec<D>& even, hn::Vec<D>& odd) {
  if constexpr (kWidth<D> == 1) {
    even = hn::LoadU(d, from);
    odd = hn::LoadU(d, from + 1);
  } else {
    hn::LoadInterleaved2(d, from, even, odd);
  }
}
template <class D, typename T>
HWY_INLINE void store_two(D d, hn::Vec<D> even, hn::Vec<D> odd, T* to) {
  if constexpr (kWidth<D> == 1) {
    hn::StoreU(even, d, to);
    hn::StoreU(odd, d, to + 1);
  } else {
    hn::StoreInterleaved2(even, odd, d, to);
  }
}

template <class D>
HWY_INLINE hn::Vec<D> turned(D d, hn::Vec<D> x) {
  if constexpr (kWidth<D> == 1) {
    return x;
  } else {
    return hn::Reverse(d, x);
  }
}

// Reals k .. k + W - 1 of a line, whose stride is kStride, 1 or -1; `down`: the last one first.
template <int kStride, bool kDown, class D, typename T>
HWY_INLINE hn::Vec<D> load_reals(D d, const T* line, std::int64_t k) {
  const auto v = hn::LoadU(d, kStride > 0 ? line + k : line - k - (kWidth<D> - 1));
  return (kStride > 0) == kDown ? turned(d, v) : v;
}
template <int kStride, bool kDown, class D, typename T>
HWY_INLINE void store_reals(D d, hn::Vec<D> v, T* line, std::int64_t k) {
  hn::StoreU((kStride > 0) == kDown ? turned(d, v) : v, d, kStride > 0 ? line + k : line - k - (kWidth<D> - 1));
}

template <class D>
struct Pair {
  hn::Vec<D> re, im;
};
template <class D>
HWY_INLINE Pair<D> product(Pair<D> a, hn::Vec<D> re, hn::Vec<D> im) {
  return {hn::NegMulAdd(a.im, im, hn::Mul(a.re, re)), hn::MulAdd(a.im, re, hn::Mul(a.re, im))};
}

// Calls pass(d, k) for vectors that begin at k and cover `begin` .. end - 1 together, each inside.
template <class D, class Pass>
HWY_INLINE void cover(D d, std::int64_t begin, std::int64_t end, const Pass& pass) {
  constexpr std::int64_t kW = kWidth<D>;
  if (end - begin >= kW) {
    for (std::int64_t k = begin; k < end; k += kW) pass(d, std::min(k, end - kW));
    return;
  }
  if constexpr (kW > 1) cover(hn::CappedTag<hn::TFromD<D>, std::max<std::int64_t>(1, kW / 4)>(), begin, end, pass);
}

// ---- moves

template <typename T>
void split_odds_line(const PassArgs& args, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  constexpr int kW = kWidth<hn::ScalableTag<T>>;
  const std::int64_t n = args.lanes;
  std::int64_t j = 0;
  if (args.in.point_stride == 1) {
    const T factor = static_cast<T>(args.scale);
    const auto scale = hn::Set(d, factor), odd_scale = hn::Set(d, args.in.swap ? -factor : factor);
    for (; j + kW <= n / 2; j += kW) {
      hn::Vec<hn::ScalableTag<T>> even, odd;
      hn::LoadInterleaved2(d, from + 2 * j, even, odd);
      hn::StoreU(hn::Mul(even, scale), d, to + j);
      hn::StoreU(hn::Reverse(d, hn::Mul(odd, odd_scale)), d, to + n - j - kW);
    }
  }
  split_odds_from(args, from, to, j);
}

template <typename T>
void join_odds_line(const PassArgs& args, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  constexpr int kW = kWidth<hn::ScalableTag<T>>;
  const std::int64_t n = args.lanes;
  std::int64_t j = 0;
  if (args.out.point_stride == 1) {
    const auto sign = hn::Set(d, args.out.swap ? T(-1) : T(1));
    for (; j + kW <= n / 2; j += kW) {
      const auto odd = hn::Mul(hn::Reverse(d, hn::LoadU(d, from + n - j - kW)), sign);
      hn::StoreInterleaved2(hn::LoadU(d, from + j), odd, d, to + 2 * j);
    }
  }
  join_odds_from(args, from, to, j);
}

// ---- passes of types 2 and 3

template <int kStride, typename T>
void fold(const PassArgs& args, const T* from, T* to) {
  const std::int64_t n = args.lanes, h = n / 2;
  const FoldTable<T> table(args.table, h);
  const T sign_of_im = args.out.swap ? T(-1) : T(1);
  cover(hn::ScalableTag<T>(), 1, h / 2 + 1, [&](auto d, std::int64_t k) HWY_ATTR {
    using D = decltype(d);
    constexpr std::int64_t kW = kWidth<D>;
    const auto half = hn::Set(d, T(0.5)), sign = hn::Set(d, sign_of_im);
    hn::Vec<D> a_re, a_im, b_re, b_im, c, s, re, im;
    load_two(d, from + 2 * k, a_re, a_im);
    load_two(d, from + 2 * (h - k - kW + 1), b_re, b_im);
    b_re = turned(d, b_re);
    b_im = turned(d, b_im);
    load_two(d, table.roots + 2 * k, c, s);
    const auto sum_re = hn::Add(a_re, b_re), sum_im = hn::Sub(a_im, b_im);
    const auto difference_re = hn::Sub(a_re, b_re), difference_im = hn::Add(a_im, b_im);
    const auto x = hn::MulAdd(difference_im, c, hn::Mul(difference_re, s));
    const auto y = hn::NegMulAdd(difference_re, c, hn::Mul(difference_im, s));
    load_two(d, table.low + 2 * k, re, im);
    const Pair<D> a = product(Pair<D>{hn::MulAdd(half, sum_re, x), hn::MulAdd(half, sum_im, y)}, re, im);
    load_two(d, table.high + 2 * k, re, im);
    const Pair<D> b = product(Pair<D>{hn::MulSub(half, sum_re, x), hn::NegMulAdd(half, sum_im, y)}, re, im);
    store_reals<kStride, false>(d, a.re, to, k);
    store_reals<kStride, true>(d, hn::Mul(a.im, sign), to, n - k - kW + 1);
    store_reals<kStride, true>(d, b.re, to, h - k - kW + 1);
    store_reals<kStride, false>(d, hn::Mul(b.im, sign), to, h + k);
  });
  fold_unpaired(table, h, from, to, kStride);
}

template <int kStride, typename T>
void unfold(const PassArgs& args, const T* from, T* to) {
  const std::int64_t n = args.lanes, h = n / 2;
  const FoldTable<T> table(args.table, h);
  const T factor = static_cast<T>(args.scale);
  cover(hn::ScalableTag<T>(), 1, h / 2 + 1, [&](auto d, std::int64_t k) HWY_ATTR {
    using D = decltype(d);
    constexpr std::int64_t kW = kWidth<D>;
    const auto scale = hn::Set(d, factor), im_scale = hn::Set(d, args.in.swap ? -factor : factor);
    hn::Vec<D> c, s, re, im;
    const Pair<D> x{hn::Mul(load_reals<kStride, false>(d, from, k), scale),
                    hn::Mul(load_reals<kStride, true>(d, from, n - k - kW + 1), im_scale)};
    const Pair<D> y{hn::Mul(load_reals<kStride, true>(d, from, h - k - kW + 1), scale),
                    hn::Mul(load_reals<kStride, false>(d, from, h + k), im_scale)};
    load_two(d, table.low + 2 * k, re, im);
    const Pair<D> a = product(x, re, hn::Neg(im));
    load_two(d, table.high + 2 * k, re, im);
    const Pair<D> b = product(y, re, hn::Neg(im));
    load_two(d, table.roots + 2 * k, c, s);
    const auto sum_re = hn::Add(a.re, b.re), sum_im = hn::Sub(a.im, b.im);
    const auto difference_re = hn::Sub(a.re, b.re), difference_im = hn::Add(a.im, b.im);
    const auto t_re = hn::NegMulAdd(difference_im, c, hn::Mul(difference_re, s));
    const auto t_im = hn::MulAdd(difference_re, c, hn::Mul(difference_im, s));
    store_two(d, hn::Add(sum_re, t_re), hn::Add(sum_im, t_im), to + 2 * k);
    store_two(d, turned(d, hn::Sub(sum_re, t_re)), turned(d, hn::Sub(t_im, sum_im)), to + 2 * (h - k - kW + 1));
  });
  unfold_unpaired(table, h, from, to, kStride, factor);
}

template <typename T>
void fold_line(const PassArgs& args, const T* from, T* to) {
  args.out.point_stride > 0 ? fold<1>(args, from, to) : fold<-1>(args, from, to);
}
template <typename T>
void unfold_line(const PassArgs& args, const T* from, T* to) {
  args.in.point_stride > 0 ? unfold<1>(args, from, to) : unfold<-1>(args, from, to);
}

// ---- passes of type 4

template <typename T>
void split_pairs_line(const PassArgs& args, const T* from, T* to) {
  const std::int64_t n = args.lanes;
  const T* const table = static_cast<const T*>(args.table);
  cover(hn::ScalableTag<T>(), 0, n / 2, [&](auto d, std::int64_t j) HWY_ATTR {
    using D = decltype(d);
    const auto scale = hn::Set(d, static_cast<T>(args.scale));
    hn::Vec<D> even, odd, skipped, re, im;
    load_two(d, from + 2 * j, even, skipped);
    load_two(d, from + n - 2 * j - 2 * kWidth<D>, skipped, odd);
    even = hn::Mul(even, scale);
    odd = hn::Mul(turned(d, odd), scale);
    load_two(d, table + 2 * j, re, im);
    const Pair<D> y = args.in.swap ? product(Pair<D>{odd, even}, re, im) : product(Pair<D>{even, odd}, re, im);
    store_two(d, y.re, y.im, to + 2 * j);
  });
}

// A vector of numbers k, and of their partners h - 1 - k, which fill the reals between.
template <typename T>
void join_pairs_line(const PassArgs& args, const T* from, T* to) {
  const std::int64_t n = args.lanes, h = n / 2;
  const T* const table = static_cast<const T*>(args.table);
  const T sign_of_im = args.out.swap ? T(1) : T(-1);
  cover(hn::ScalableTag<T>(), 0, (h + 1) / 2, [&](auto d, std::int64_t k) HWY_ATTR {
    using D = decltype(d);
    const auto sign = hn::Set(d, sign_of_im);
    const std::int64_t partner = h - k - kWidth<D>;
    Pair<D> a, b;
    hn::Vec<D> re, im;
    load_two(d, from + 2 * k, a.re, a.im);
    load_two(d, from + 2 * partner, b.re, b.im);
    load_two(d, table + 2 * k, re, im);
    a = product(a, re, im);
    load_two(d, table + 2 * partner, re, im);
    b = product(b, re, im);
    store_two(d, a.re, turned(d, hn::Mul(b.im, sign)), to + 2 * k);
    store_two(d, b.re, turned(d, hn::Mul(a.im, sign)), to + 2 * partner);
  });
}

template <typename T, R2rLine<T> kLine>
void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_r2r_lines<T>(args, buffers, first, count, kLine);
}

template <typename T>
void add_r2r_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  add_line(sink, PassKind::kMoveReals, kCompute, &run<T, &move_reals_line<T>>);
  add_line(sink, PassKind::kPick, kCompute, &run<T, &pick_line<T>>);
  add_line(sink, PassKind::kSplitOdds, kCompute, &run<T, &split_odds_line<T>>);
  add_line(sink, PassKind::kJoinOdds, kCompute, &run<T, &join_odds_line<T>>);
  add_line(sink, PassKind::kFold, kCompute, &run<T, &fold_line<T>>);
  add_line(sink, PassKind::kUnfold, kCompute, &run<T, &unfold_line<T>>);
  add_line(sink, PassKind::kSplitPairs, kCompute, &run<T, &split_pairs_line<T>>);
  add_line(sink, PassKind::kJoinPairs, kCompute, &run<T, &join_pairs_line<T>>);
}

void collect_r2r_lines(CodeletSink& sink) {
  add_r2r_lines<float>(sink);
  add_r2r_lines<double>(sink);
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_r2r_lines(std::int64_t target, CodeletSink& sink);
void collect_hwy_r2r_lines(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_r2r_lines(sink)) }

}  // namespace ulpfft
#endif
