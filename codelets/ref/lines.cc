// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of the passes without a generated body.
#include <algorithm>

#include "codelets/contract/line_passes.h"
#include "codelets/contract/line_sink.h"
#include "codelets/ref/arithmetic.h"

namespace ulpfft::ref {
namespace {

// (x, y) times (c, s).
template <typename T>
[[gnu::noinline]] void multiply(T& x, T& y, T c, T s) {
  const T re = fnma(y, s, x * c);
  y = fma(y, c, x * s);
  x = re;
}

template <typename T>
void pointwise(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const T* table = static_cast<const T*>(args.table) + buffers.number * args.number_stride;
  const T scale = static_cast<T>(args.scale);
  for_each_line(args, first, count, [&](std::int64_t i0, std::int64_t o0, std::int64_t t) {
    for (std::int64_t j = 0; j < args.lanes + args.pad; ++j) {
      const std::int64_t o = o0 + point_offset(args.out, j);
      T x(0), y(0);
      if (j < args.lanes) {
        const std::int64_t i = i0 + point_offset(args.in, j);
        x = from.re[i] * scale;
        y = from.im[i] * scale;
        multiply(x, y, table[t + 2 * j], table[t + 2 * j + 1]);
      }
      to.re[o] = x;
      to.im[o] = y;
    }
  });
}

template <typename T>
void convolve(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> data = resolve<T>(args.in, buffers);
  const T* table = static_cast<const T*>(args.table);
  for_each_line(args, first, count, [&](std::int64_t at, std::int64_t, std::int64_t) {
    T* const re = data.re + at;
    T* const im = data.im + at;
    const std::int64_t dc = point_offset(args.in, args.lanes);
    const T sum_re = re[0], sum_im = im[0];
    for (std::int64_t j = 0; j < args.lanes; ++j) {
      const std::int64_t p = point_offset(args.in, j);
      multiply(re[p], im[p], table[2 * j], table[2 * j + 1]);
    }
    re[0] = re[0] + re[dc];
    im[0] = im[0] + im[dc];
    re[dc] = re[dc] + sum_re;
    im[dc] = im[dc] + sum_im;
  });
}

template <typename T>
void twist(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const Twist& t = args.twist;
  const std::int64_t pairs = t.split + (t.rows + t.split - 1) / t.split;
  const T* table = static_cast<const T*>(args.table) + buffers.number * args.number_stride;
  for (std::int64_t l = 0; l < args.lanes; ++l, table += 2 * pairs) {
    for (std::int64_t k = t.begin; k < std::min(t.end, t.rows); ++k) {
      const std::int64_t i = k * args.in.point_stride + l * args.in.lane_stride;
      const std::int64_t o = (k - t.begin) / t.block * t.block_stride + k % t.block * args.out.point_stride + l * args.out.lane_stride;
      const T* lo = table + 2 * (k % t.split);
      const T* hi = table + 2 * (t.split + k / t.split);
      T c = lo[0], s = lo[1];
      multiply(c, s, hi[0], hi[1]);
      T x = from.re[i], y = from.im[i];
      multiply(x, y, c, s);
      to.re[o] = x;
      to.im[o] = y;
    }
  }
}

template <typename T>
void add_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  add_line(sink, PassKind::kTwist, kCompute, &twist<T>);
  add_line(sink, PassKind::kGather, kCompute, &move_line<T, T, T, Move::kGather>);
  add_line(sink, PassKind::kScatter, kCompute, &move_line<T, T, T, Move::kScatter>);
  add_line(sink, PassKind::kPointwise, kCompute, &pointwise<T>);
  add_line(sink, PassKind::kConvolve, kCompute, &convolve<T>);
}

template <typename T, typename Other>
void add_converters(CodeletSink& sink) {
  add_line(sink, PassKind::kDecode, kComputeTypeOf<T>, &move_line<Other, T, T, Move::kStraight>);
  add_line(sink, PassKind::kEncode, kComputeTypeOf<T>, &move_line<T, Other, T, Move::kStraight>);
}

}  // namespace

void collect_lines(CodeletSink& sink) {
  add_lines<float>(sink);
  add_lines<double>(sink);
  add_lines<DoubleDouble>(sink);
  add_converters<float, double>(sink);
  add_converters<double, float>(sink);
}

}  // namespace ulpfft::ref
