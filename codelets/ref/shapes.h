// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The loop shapes of the reference backend: one lane, no tiles, the plainest loops that compute what PassKind says.
//
// They execute the same steps and tables as every other backend (with W = 1, where blocks of W are interleaved pairs), on any
// number type that has ref arithmetic, and are the judge of the fast ones.
#ifndef ULPFFT_CODELETS_REF_SHAPES_H_
#define ULPFFT_CODELETS_REF_SHAPES_H_

#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/ref/interpret.h"

namespace ulpfft::ref {

// Reads and writes points of one lane. `path`: dual-select, points read with re and im exchanged.
template <typename T>
struct In {
  const Edge& edge;
  const T* re;
  const T* im;
  T scale;
  bool scaled;
  std::uint32_t path;
  void load(int j, T& x, T& y) const {
    const std::int64_t at = point_offset(edge, j);
    const bool exchange = j > 0 && j <= 32 && ((path >> (j - 1)) & 1u) != 0;
    x = (exchange ? im : re)[at];
    y = (exchange ? re : im)[at];
    if (scaled) {
      x = x * scale;
      y = y * scale;
    }
  }
};
template <typename T>
struct Out {
  T* re;
  T* im;
  const Edge* edge;                 // null: a row of a first pass
  std::int64_t element_stride = 0;  // of a row
  void store(int j, T x, T y) const {
    const std::int64_t at = edge != nullptr ? point_offset(*edge, j) : j * element_stride;
    re[at] = x;
    im[at] = y;
  }
};

template <typename T>
[[gnu::noinline]] void run_body(const Program& body, const In<T>& in, const T* table, const Out<T>& out) {
  interpret(body, in, table, out);
}

template <typename T>
In<T> make_in(const PassArgs& args, Ends<T> from, std::int64_t at) {
  return {args.in, from.re + at, from.im + at, static_cast<T>(args.scale), args.scale != 1.0, 0};
}

// The bare body of kWhole.
template <class T>
void whole_body(const Program& body, const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im, std::int64_t out_stride) {
  Edge edge;
  edge.point_stride = stride;
  const In<T> in{edge, static_cast<const T*>(re), static_cast<const T*>(im), T(1), false, 0};
  run_body<T>(body, in, nullptr, {static_cast<T*>(out_re), static_cast<T*>(out_im), nullptr, out_stride});
}

// whole and columns. With a row list, position a0 goes to row rows[a0].
template <class T>
void plain(const Program& body, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const std::int64_t o0 = args.rows != nullptr ? args.rows[a0] * args.row_stride : a0 * args.axes[0].out_stride;
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = o0 + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        run_body<T>(body, make_in(args, from, i), nullptr, {to.re + o, to.im + o, &args.out});
      }
    }
  }
}

// Lanes are columns of one transform; the outputs of a lane are one row.
template <class T>
void first_pass(const Program& body, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t l = 0; l < args.lanes; ++l) {
      const std::int64_t i = a0 * args.axes[0].in_stride + l * args.in.lane_stride;
      const std::int64_t o = a0 * args.axes[0].out_stride + args.rows[l] * args.row_stride;
      run_body<T>(body, make_in(args, from, i), nullptr, {to.re + o, to.im + o, nullptr, args.out.point_stride});
    }
  }
}

// Lanes are k, each with its own table values. Dual-select bodies come with the standard body that runs of straddling groups fall
// back to, which finds its values close together from where the run begins; others have no paths.
template <class T>
void twiddled(const Program& body, const Program& standard, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    const T* run = nullptr;  // table of the next lane of the run of straddling groups
    for (std::int64_t l = 0; l < args.lanes; ++l) {
      const std::int64_t i = a0 * args.axes[0].in_stride + l * args.in.lane_stride;
      const std::int64_t o = a0 * args.axes[0].out_stride + l * args.out.lane_stride;
      const T* table = static_cast<const T*>(args.table) + l * body.table_values;
      const std::uint32_t path = args.paths != nullptr ? args.paths[l / kPathGroup] : 0;
      In<T> in = make_in(args, from, i);
      const Out<T> out{to.re + o, to.im + o, &args.out};
      if (path == kStraddle) {
        if (run == nullptr) run = table;
        run_body(standard, in, run, out);
        run += standard.table_values;
      } else {
        run = nullptr;
        in.path = path;
        run_body(body, in, table, out);
      }
    }
  }
}

// Lanes are columns, the position on axes[1] has its own table values and path: none straddles.
template <class T>
void columns_twiddled(const Program& body, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      const T* table = static_cast<const T*>(args.table) + a1 * args.axes[1].table_stride;
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride + l * args.out.lane_stride;
        In<T> in = make_in(args, from, i);
        if (args.paths != nullptr) in.path = args.paths[a1 * args.path_stride];
        run_body<T>(body, in, table, {to.re + o, to.im + o, &args.out});
      }
    }
  }
}

// What a table points to: one of the loops above with one body.
template <class T, class Body>
void add_whole(CodeletSink& sink, const BodyFacts& facts) {
  sink.add(PassKind::kWhole, kComputeTypeOf<T>, facts,
           [](const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) { plain<T>(Body::kProgram, args, buffers, first, count); },
           [](const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im, std::int64_t out_stride) {
             whole_body<T>(Body::kProgram, re, im, stride, out_re, out_im, out_stride);
           });
}
template <class T, class Body>
void add_first(CodeletSink& sink, const BodyFacts& facts) {
  sink.add(PassKind::kFirst, kComputeTypeOf<T>, facts, [](const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
    first_pass<T>(Body::kProgram, args, buffers, first, count);
  });
}
template <class T, class Body>
void add_columns(CodeletSink& sink, const BodyFacts& facts) {
  sink.add(PassKind::kColumns, kComputeTypeOf<T>, facts, [](const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
    plain<T>(Body::kProgram, args, buffers, first, count);
  });
}
template <class T, class Body, class Standard = Body>
void add_twiddled(CodeletSink& sink, const BodyFacts& facts) {
  sink.add(PassKind::kTwiddled, kComputeTypeOf<T>, facts, [](const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
    twiddled<T>(Body::kProgram, Standard::kProgram, args, buffers, first, count);
  });
}
template <class T, class Body, class Standard = Body>
void add_columns_twiddled(CodeletSink& sink, const BodyFacts& facts) {
  sink.add(PassKind::kColumnsTwiddled, kComputeTypeOf<T>, facts, [](const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
    columns_twiddled<T>(Body::kProgram, args, buffers, first, count);
  });
}

}  // namespace ulpfft::ref

#endif  // ULPFFT_CODELETS_REF_SHAPES_H_
