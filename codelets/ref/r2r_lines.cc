// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of the passes of r2r transforms.
#include "codelets/contract/line_sink.h"
#include "codelets/contract/r2r_passes.h"
#include "codelets/ref/arithmetic.h"
#include "codelets/ref/rounded_r2r.h"

namespace ulpfft::ref {
namespace {

template <typename T>
struct Value {
  T re, im;
};

// In double-double a call is shorter than an operation.
template <typename T>
[[gnu::noinline]] Value<T> product(Value<T> a, T re, T im) {
  return {fnma(a.im, im, a.re * re), fma(a.im, re, a.re * im)};
}

// (a, b) = the points k and h - k of Z become those of V; (c, s) is half of w^k.
template <typename T>
[[gnu::noinline]] void untangle(Value<T>& a, Value<T>& b, T c, T s) {
  const T half(0.5), sum_re = a.re + b.re, sum_im = a.im - b.im, difference_re = a.re - b.re, difference_im = a.im + b.im;
  const T x = fma(difference_im, c, difference_re * s), y = fnma(difference_re, c, difference_im * s);
  a = {fma(half, sum_re, x), fma(half, sum_im, y)};
  b = {fma(half, sum_re, -x), fma(half, -sum_im, y)};
}

// The other way, to twice Z; (c, s) is w^k.
template <typename T>
[[gnu::noinline]] void tangle(Value<T>& a, Value<T>& b, T c, T s) {
  const T sum_re = a.re + b.re, sum_im = a.im - b.im, difference_re = a.re - b.re, difference_im = a.im + b.im;
  const T x = fnma(difference_im, c, difference_re * s), y = fma(difference_re, c, difference_im * s);
  a = {sum_re + x, sum_im + y};
  b = {sum_re - x, y - sum_im};
}

template <typename T>
void split_odds_line(const PassArgs& args, const T* from, T* to) {
  split_odds_from(args, from, to, 0);
}

template <typename T>
void join_odds_line(const PassArgs& args, const T* from, T* to) {
  join_odds_from(args, from, to, 0);
}

template <typename T>
void fold_line(const PassArgs& args, const T* from, T* to) {
  const std::int64_t n = args.lanes, h = n / 2, out = args.out.point_stride;
  const FoldTable<T> table(args.table, h);
  const T sign = args.out.swap ? T(-1.0) : T(1.0);
  for (std::int64_t k = 1; k <= h / 2; ++k) {
    Value<T> a{from[2 * k], from[2 * k + 1]}, b{from[2 * (h - k)], from[2 * (h - k) + 1]};
    untangle(a, b, table.roots[2 * k], table.roots[2 * k + 1]);
    a = product(a, table.low[2 * k], table.low[2 * k + 1]);
    b = product(b, table.high[2 * k], table.high[2 * k + 1]);
    to[k * out] = a.re;
    to[(n - k) * out] = a.im * sign;
    to[(h - k) * out] = b.re;
    to[(h + k) * out] = b.im * sign;
  }
  fold_unpaired(table, h, from, to, out);
}

template <typename T>
void unfold_line(const PassArgs& args, const T* from, T* to) {
  const std::int64_t n = args.lanes, h = n / 2, in = args.in.point_stride;
  const FoldTable<T> table(args.table, h);
  const T scale = static_cast<T>(args.scale), im_scale = args.in.swap ? -scale : scale;
  for (std::int64_t k = 1; k <= h / 2; ++k) {
    const Value<T> x{from[k * in] * scale, from[(n - k) * in] * im_scale}, y{from[(h - k) * in] * scale, from[(h + k) * in] * im_scale};
    Value<T> a = product(x, table.low[2 * k], -table.low[2 * k + 1]), b = product(y, table.high[2 * k], -table.high[2 * k + 1]);
    tangle(a, b, table.roots[2 * k], table.roots[2 * k + 1]);
    to[2 * k] = a.re;
    to[2 * k + 1] = a.im;
    to[2 * (h - k)] = b.re;
    to[2 * (h - k) + 1] = b.im;
  }
  unfold_unpaired(table, h, from, to, in, scale);
}

template <typename T>
void split_pairs_line(const PassArgs& args, const T* from, T* to) {
  const T* const table = static_cast<const T*>(args.table);
  const T scale = static_cast<T>(args.scale);
  const std::int64_t n = args.lanes, in = args.in.point_stride;
  for (std::int64_t j = 0; j < n / 2; ++j) {
    const T even = from[2 * j * in] * scale, odd = from[(n - 1 - 2 * j) * in] * scale;
    const Value<T> y = product(args.in.swap ? Value<T>{odd, even} : Value<T>{even, odd}, table[2 * j], table[2 * j + 1]);
    to[2 * j] = y.re;
    to[2 * j + 1] = y.im;
  }
}

template <typename T>
void join_pairs_line(const PassArgs& args, const T* from, T* to) {
  const T* const table = static_cast<const T*>(args.table);
  const T sign = args.out.swap ? T(1.0) : T(-1.0);
  const std::int64_t n = args.lanes, out = args.out.point_stride;
  for (std::int64_t k = 0; k < n / 2; ++k) {
    const Value<T> y = product(Value<T>{from[2 * k], from[2 * k + 1]}, table[2 * k], table[2 * k + 1]);
    to[2 * k * out] = y.re;
    to[(n - 1 - 2 * k) * out] = y.im * sign;
  }
}

template <typename T, R2rLine<T> kLine>
void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_r2r_lines<T>(args, buffers, first, count, kLine);
}

enum class Rounded : std::uint8_t { kFold, kUnfold, kPick };
template <typename T, R2rLine<T> kLine, Rounded kRounded>
void run_either(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if constexpr (kComputeTypeOf<T> != ComputeType::kDoubleDouble) {
    if (has_context<RoundedPass>(args)) {
      constexpr RoundedR2rPass<T> kPass = kRounded == Rounded::kFold     ? &RoundedR2rLine<T>::fold
                                          : kRounded == Rounded::kUnfold ? &RoundedR2rLine<T>::unfold
                                                                         : &RoundedR2rLine<T>::pick;
      return run_rounded_r2r<T>(args, buffers, first, count, kPass);
    }
  }
  run_r2r_lines<T>(args, buffers, first, count, kLine);
}

template <typename T>
void add_r2r_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  add_line(sink, PassKind::kMoveReals, kCompute, &run<T, &move_reals_line<T>>);
  add_line(sink, PassKind::kPick, kCompute, &run_either<T, &pick_line<T>, Rounded::kPick>);
  add_line(sink, PassKind::kSplitOdds, kCompute, &run<T, &split_odds_line<T>>);
  add_line(sink, PassKind::kJoinOdds, kCompute, &run<T, &join_odds_line<T>>);
  add_line(sink, PassKind::kFold, kCompute, &run_either<T, &fold_line<T>, Rounded::kFold>);
  add_line(sink, PassKind::kUnfold, kCompute, &run_either<T, &unfold_line<T>, Rounded::kUnfold>);
  add_line(sink, PassKind::kSplitPairs, kCompute, &run<T, &split_pairs_line<T>>);
  add_line(sink, PassKind::kJoinPairs, kCompute, &run<T, &join_pairs_line<T>>);
}

}  // namespace

void collect_r2r_lines(CodeletSink& sink) {
  add_r2r_lines<float>(sink);
  add_r2r_lines<double>(sink);
  add_r2r_lines<DoubleDouble>(sink);
}

}  // namespace ulpfft::ref
