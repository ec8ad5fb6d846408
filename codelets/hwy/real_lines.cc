// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of real transforms, once per instruction set.
//
// kUntangle and kTangle take W points from point 1 upwards and their W partners from the last point downwards. A deinterleaved block has
// an antisymmetric lane order, so that the reverse of the partners is in the lane order of the points. Adjacent numbers go through vectors
// that become shorter towards the middle of the line; every other placement goes through tiles, which are lines of adjacent numbers.
// Both blocks are loaded before one is stored: both ends may be one line. Point h/2 is its own partner and may take part in both blocks,
// which then meet there; its value is stored after them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/line_facts.h"
#include "codelets/contract/real_passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/real_lines.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"
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

// The last one first.
template <class D>
HWY_INLINE hn::Vec<D> reversed(D d, hn::Vec<D> x) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    return x;
  } else {
    return hn::Reverse(d, x);
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

// The numbers at `low` and `high` are W adjacent points and their partners.
template <bool kUntangles, class D, typename T>
HWY_INLINE void pass_pairs(D d, const T* low, const T* high, const T* table, PartFactors<T> factors, T* to_low, T* to_high) {
  hn::Vec<D> a_re, a_im, b_re, b_im, c, s;
  load_numbers(d, low, a_re, a_im);
  load_numbers(d, high, b_re, b_im);
  b_re = reversed(d, b_re);
  b_im = reversed(d, b_im);
  load_numbers(d, table, c, s);
  if constexpr (kUntangles) {
    untangle(d, c, s, factors, a_re, a_im, b_re, b_im);
  } else {
    tangle(d, c, s, factors, a_re, a_im, b_re, b_im);
  }
  store_numbers(d, a_re, a_im, to_low);
  store_numbers(d, reversed(d, b_re), reversed(d, b_im), to_high);
}

// Adjacent numbers: points k .. h/2 and their partners, as long as a vector is full, then in vectors of a quarter.
template <bool kUntangles, class D, typename T>
HWY_INLINE void pass_adjacent(D d, const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h, std::int64_t k) {
  constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  for (; k + kW <= h / 2 + 1; k += kW) {
    const std::int64_t high = 2 * (h - k - kW + 1);
    pass_pairs<kUntangles>(d, from + 2 * k, from + high, table + 2 * k, factors, to + 2 * k, to + high);
  }
  if constexpr (kW > 1) pass_adjacent<kUntangles>(hn::CappedTag<T, std::max(1, kW / 4)>(), from, to, table, factors, h, k);
}

template <bool kUntangles, typename T>
void pass_vectors(const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h) {
  pass_adjacent<kUntangles>(hn::ScalableTag<T>(), from, to, table, factors, h, 1);
}

template <bool kUntangles, typename T>
void pairs_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  pass_line<T>(args, from, to, kUntangles, &pass_vectors<kUntangles, T>);
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

template <typename T, RealLine<T> kLine>
void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_real_lines<T>(args, buffers, first, count, kLine);
}

template <typename T, bool kUntangles>
void run_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (args.rounded != nullptr) return rounded_pairs<T>(args, buffers, first, count, kUntangles);
  run_real_lines<T>(args, buffers, first, count, &pairs_line<kUntangles, T>);
}

template <typename T>
void add_real_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  sink.add(PassKind::kUntangle, kCompute, kUntangleFacts, &run_pairs<T, true>);
  sink.add(PassKind::kTangle, kCompute, kTangleFacts, &run_pairs<T, false>);
  sink.add(PassKind::kFromReals, kCompute, kFromRealsFacts, &run<T, &from_reals_line<T>>);
  sink.add(PassKind::kToReals, kCompute, kToRealsFacts, &run<T, &to_reals_line<T>>);
  sink.add(PassKind::kHalf, kCompute, kHalfFacts, &run<T, &half_line<T>>);
  sink.add(PassKind::kMirror, kCompute, kMirrorFacts, &run<T, &mirror_line<T>>);
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
