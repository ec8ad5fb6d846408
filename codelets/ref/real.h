// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of kReal: line after line, by way of a tile of one lane.
#ifndef ULPFFT_CODELETS_REF_REAL_H_
#define ULPFFT_CODELETS_REF_REAL_H_

#include <algorithm>
#include <cstdint>

#include "codelets/contract/real_ends.h"
#include "codelets/ref/shapes.h"

namespace ulpfft::ref {

// One line. The tile of a real end has a value for each real, that of a complex end two for each number.
template <class T>
[[gnu::noinline]] void real_line(const Program& body, int n, const RealEnd<T>& from, const RealEnd<T>& to, T scale) {
  T tile[kMostReals + 2];
  std::fill(tile, tile + kMostReals + 2, T(0));
  for (const RealPart<T>& part : from.parts) fill_real_rows<T>(tile, 1, part, 0, 1, scale);
  Edge edge;
  edge.point_stride = from.is_complex ? 2 : 1;
  T result[2 * kMostReals];
  run_body<T>(body, {edge, tile, tile + 1, T(1), false, 0}, nullptr, {result, result + 1, nullptr, 2});
  if (!to.is_complex) {
    for (int j = 1; j < n; ++j) result[j] = result[2 * j];
  }
  for (const RealPart<T>& part : to.parts) empty_real_rows<T>(result, 1, part, 0, 1, n);
}

template <class T>
[[gnu::noinline]] void real_lines(const Program& body, int n, RealTransform transform, const PassArgs& args, const Buffers& buffers,
                                  std::int64_t first, std::int64_t count) {
  const Ends<T> from = parts_of<T>(args.in, buffers);
  const Ends<T> to = parts_of<T>(args.out, buffers);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        real_line<T>(body, n, real_end<T>(args.in, {from.re + i, from.im + i}, n, has_complex_input(transform)),
                     real_end<T>(args.out, {to.re + o, to.im + o}, n, has_complex_output(transform)), static_cast<T>(args.scale));
      }
    }
  }
}

// What a table points to.
template <class T, class Body>
void real_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  real_lines<T>(Body::kProgram, Body::kRadix, Body::kTransform, args, buffers, first, count);
}
template <class T, class Body>
void add_real(CodeletSink& sink, const BodyFacts& facts) {
  sink.add_real(kComputeTypeOf<T>, facts, &real_pass<T, Body>, nullptr);
}

}  // namespace ulpfft::ref

#endif  // ULPFFT_CODELETS_REF_REAL_H_
