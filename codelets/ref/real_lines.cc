// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of the passes of real transforms.
#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/line_facts.h"
#include "codelets/contract/real_passes.h"
#include "codelets/ref/arithmetic.h"

namespace ulpfft::ref {
namespace {

// Both points of a pair are read before one is written, because the ends may be one line.
template <typename T>
void untangle_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const T* const table = static_cast<const T*>(args.table);
  const T half(0.5);
  const Unpaired<T> unpaired = untangle_unpaired(args, from);
  for (std::int64_t k = 1; k <= pairs_of(args.lanes); ++k) {
    const std::int64_t i = k * args.in.point_stride, j = (args.lanes - k) * args.in.point_stride;
    const T sum_re = from.re[i] + from.re[j], sum_im = from.im[i] - from.im[j];
    const T difference_re = from.re[i] - from.re[j], difference_im = from.im[i] + from.im[j];
    const T c = table[2 * k], s = table[2 * k + 1];
    const T p_re = fma(difference_im, c, difference_re * s), p_im = fnma(difference_re, c, difference_im * s);
    const T low_im = fma(half, sum_im, p_im), high_im = fnma(half, sum_im, p_im);
    const std::int64_t low = k * args.out.point_stride, high = (args.lanes - k) * args.out.point_stride;
    to.re[low] = fma(half, sum_re, p_re);
    to.im[low] = args.out.swap ? -low_im : low_im;
    to.re[high] = fms(half, sum_re, p_re);
    to.im[high] = args.out.swap ? -high_im : high_im;
  }
  store_unpaired(args, unpaired, true, to);
}

template <typename T>
void tangle_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  const T* const table = static_cast<const T*>(args.table);
  const PartFactors<T> factors = part_factors<T>(args.in, args.scale);
  const Unpaired<T> unpaired = tangle_unpaired(args, from);
  for (std::int64_t k = 1; k <= pairs_of(args.lanes); ++k) {
    const std::int64_t i = k * args.in.point_stride, j = (args.lanes - k) * args.in.point_stride;
    const T a_re = from.re[i] * factors.re, a_im = from.im[i] * factors.im;
    const T b_re = from.re[j] * factors.re, b_im = from.im[j] * factors.im;
    const T sum_re = a_re + b_re, sum_im = a_im - b_im;
    const T difference_re = a_re - b_re, difference_im = a_im + b_im;
    const T c = table[2 * k], s = table[2 * k + 1];
    const T t_re = fnma(difference_im, c, difference_re * s), t_im = fma(difference_re, c, difference_im * s);
    const std::int64_t low = k * args.out.point_stride, high = (args.lanes - k) * args.out.point_stride;
    to.re[low] = sum_re + t_re;
    to.im[low] = sum_im + t_im;
    to.re[high] = sum_re - t_re;
    to.im[high] = t_im - sum_im;
  }
  store_unpaired(args, unpaired, false, to);
}

template <typename T, void (*kLine)(const PassArgs& args, Ends<T> from, Ends<T> to)>
void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  for_each_real_line<T>(args, buffers, first, count, [&](Ends<T> from, Ends<T> to) { kLine(args, from, to); });
}

template <typename T>
void from_reals_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  move_from_reals(args, from, to, 0);
}

template <typename T>
void to_reals_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  move_to_reals(args, from, to, 0);
}

template <typename T>
void half_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  move_half(args, from, to, 0);
  to.im[0] = T(0);
}

template <typename T>
void mirror_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  mirror_first(args, from, to);
  move_mirror(args, from, to, 1);
}

template <typename T>
void add_real_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  sink.add(PassKind::kUntangle, kCompute, kUntangleFacts, &run<T, &untangle_line<T>>);
  sink.add(PassKind::kTangle, kCompute, kTangleFacts, &run<T, &tangle_line<T>>);
  sink.add(PassKind::kFromReals, kCompute, kFromRealsFacts, &run<T, &from_reals_line<T>>);
  sink.add(PassKind::kToReals, kCompute, kToRealsFacts, &run<T, &to_reals_line<T>>);
  sink.add(PassKind::kHalf, kCompute, kHalfFacts, &run<T, &half_line<T>>);
  sink.add(PassKind::kMirror, kCompute, kMirrorFacts, &run<T, &mirror_line<T>>);
}

}  // namespace

void collect_real_lines(CodeletSink& sink) {
  add_real_lines<float>(sink);
  add_real_lines<double>(sink);
  add_real_lines<DoubleDouble>(sink);
}

}  // namespace ulpfft::ref
