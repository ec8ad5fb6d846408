// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes with twiddles whose lanes are k: kTwiddled.
#include <algorithm>
#include <cstdint>

#include "codelets/contract/pass_slice.h"
#include "codelets/contract/step.h"
#include "codelets/hwy/chunks-inl.h"

#if defined(ULPFFT_CODELETS_HWY_TWIDDLED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_TWIDDLED_INL_H_
#undef ULPFFT_CODELETS_HWY_TWIDDLED_INL_H_
#else
#define ULPFFT_CODELETS_HWY_TWIDDLED_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

constexpr int kMostTwiddled = 16;  // points of a body

// Chunks one after another, `count` times: what the straight-line bodies of kTwiddled run over. Points of a chunk are `stride` apart,
// chunks `step` and their tables `table_step`, repetitions `axis` from the one before; all of them take the same tables.
template <class T>
struct ChunkEnd {
  T* re;  // or where interleaved numbers begin
  T* im;
  std::int64_t stride, step, axis;
};
template <class T>
struct Chunks {
  ChunkEnd<const T> in;
  ChunkEnd<T> out;
  std::int64_t count, chunks;
  const T* table;
  std::int64_t table_step;
  const std::uint32_t* paths;  // dual-select: of the group that begins at lane 0
  std::int64_t lane;           // of the first chunk
  bool swap, index_order;      // interleaved output
};

// One copy of the body for planar output, which all but the last pass of a transform have, and one for interleaved: branches at every
// store, and in every chunk what rare cases ask, took up to half of the time (radix 4, 1024 points f32, AVX2: 166 ns, now 93).
template <class T, class Body, bool kExchange, bool kPlanar>
HWY_NOINLINE void run_chunks(const Chunks<T>& run) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  constexpr int kW = lanes_of<D>();
  // All in local variables: what lies in memory is read again after every store.
  const ChunkEnd<const T> from = run.in;
  const ChunkEnd<T> to = run.out;
  const T* const tables = run.table;
  const std::uint32_t* const paths = run.paths;
  const std::int64_t count = run.count, chunks = run.chunks, lane = run.lane, table_step = run.table_step;
  const bool swap = run.swap, index_order = run.index_order;
  for (std::int64_t a0 = 0; a0 < count; ++a0) {
    const T* table = tables;
    const T* re = from.re + a0 * from.axis;
    const T* im = from.im + a0 * from.axis;
    T* to_re = to.re + a0 * to.axis;
    T* to_im = to.im + a0 * to.axis;
    for (std::int64_t c = 0; c < chunks;
         ++c, table += table_step, re += from.step, im += from.step, to_re += to.step, to_im += to.step) {
      if (kExchange && paths[(lane + c * kW) / kPathGroup] == kStraddle) continue;
      const PlanarIn<D> in{d, re, im, from.stride};
      const std::uint32_t* const path = paths + (kExchange ? (lane + c * kW) / kPathGroup : 0);
      if constexpr (kPlanar) {
        PlanarOut<D> out{d, to_re, to_im, to.stride};
        run_twiddled<Body, kExchange>(d, in, VectorTable<D>{d, table}, out, path);
      } else {
        InterleavedOut<D> out{d, to_re, to.stride, swap || index_order, swap, index_order};
        run_twiddled<Body, kExchange>(d, in, VectorTable<D>{d, table}, out, path);
      }
    }
  }
}

template <class T>
using RunChunks = void (*)(const Chunks<T>&);

// Where the chunks of a pass lie. Rows (PassArgs::row) hold whole vectors, the last of which begins early enough to be whole in the
// output; without rows, all lanes are one, whose last vector may be partial.
template <class T>
struct ChunkRows {
  static constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  std::int64_t row, vectors, count, last, end;
  explicit ChunkRows(const PassArgs& args)
      : row(args.row != 0 ? args.row : args.lanes),
        vectors(vectors_of(row, kW)),
        count((args.lanes + vectors * kW - 1) / (vectors * kW)),
        last(args.row > kW ? row - kW : INT64_MAX),
        end(args.row > kW ? INT64_MAX : args.lanes / (vectors * kW) * row + args.lanes % (vectors * kW)) {}
  // Rows whose last vector does not spill over the end.
  std::int64_t whole() const { return end == INT64_MAX ? count : end < kW ? 0 : std::min(count, (end - kW) / row + 1); }
  // First output of vector v of row r.
  std::int64_t output(std::int64_t r, std::int64_t v) const { return r * row + HWY_MIN(v * kW, last); }
};

// The chunks from number `skipped` on, one by one: those that wrap, are fetched ahead for, stored past the caches, or end too far.
// Rows shorter than a vector spill over those after them, which come later and set that right; what would spill over the end goes
// through the tile.
template <class T>
HWY_NOINLINE void run_one_by_one(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, std::int64_t skipped,
                                 int radix, bool exchange, bool streams, const Chunks<T>& all, RunChunks<T> planar, RunChunks<T> interleaved) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  const Ends<T> to = resolve<T>(args.out, buffers);
  const bool adjacent = is_adjacent_interleaved(args.out);
  const bool direct_edge = !streams && (args.out.planar || (adjacent && !wraps(args.out)));
  const T* const ahead = begin_ahead<T>(args, buffers);
  const ChunkRows<T> rows(args);
  const std::int64_t step = kW * args.in.lane_stride;
  HWY_ALIGN T tile[kMostTwiddled * kW * 2];
  Chunks<T> one = all;
  one.count = one.chunks = 1;
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    std::int64_t vector = skipped == 0 ? 0 : skipped % rows.vectors, row = skipped == 0 ? 0 : skipped / rows.vectors;
    one.lane = skipped * kW;
    one.in.re = all.in.re + a0 * args.axes[0].in_stride + one.lane * args.in.lane_stride;
    one.in.im = all.in.im + a0 * args.axes[0].in_stride + one.lane * args.in.lane_stride;
    one.table = all.table + skipped * all.table_step;
    for (; row < rows.count; one.lane += kW, one.in.re += step, one.in.im += step, one.table += all.table_step) {
      const std::int64_t k = rows.output(row, vector);
      if (++vector == rows.vectors) {
        vector = 0;
        ++row;
      }
      if (exchange && args.paths[one.lane / kPathGroup] == kStraddle) continue;
      const std::int64_t o = a0 * args.axes[0].out_stride + k * args.out.lane_stride;
      if (HWY_UNLIKELY(ahead != nullptr)) {
        const T* const next = ahead + a0 * args.ahead.axis_stride + args.ahead.lane_stride * k;
        for (int j = 0; j < radix; ++j) fetch(next + j * args.ahead.point_stride, kRunBytes<T>, args.ahead.brief);
      }
      const Ends<T> place{to.re + o, to.im + o};
      const bool direct = direct_edge && rows.end - k >= kW;
      if (direct) {
        one.out.re = args.out.planar ? place.re : HWY_MIN(place.re, place.im);
        one.out.im = place.im;
        one.out.stride = args.out.point_stride;
        one.swap = args.out.swap;
      } else {
        one.out = {tile, tile + kW, 2 * kW, 0, 0};
        one.swap = args.out.swap && adjacent;
      }
      (args.out.planar ? planar : interleaved)(one);
      if (!direct) empty_chunk<T>(tile, args.out, place, radix, rows.end - k, streams);
    }
  }
}

template <class T>
HWY_NOINLINE void run_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, int radix, int table_values,
                           bool exchange, RunChunks<T> planar, RunChunks<T> interleaved) {
  constexpr int kW = lanes_of<hn::ScalableTag<T>>();
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  Chunks<T> all{{from.re, from.im, args.in.point_stride, 0, args.axes[0].in_stride},
                {nullptr, nullptr, args.out.point_stride, 0, args.axes[0].out_stride},
                count, 0, static_cast<const T*>(args.table), table_values * kW, args.paths, 0, args.out.swap, !args.in.lane_order};
  const bool direct = args.out.planar || (is_adjacent_interleaved(args.out) && !wraps(args.out));
  if (HWY_UNLIKELY(!direct || args.out.non_temporal || args.ahead.fetches)) {
    run_one_by_one<T>(args, buffers, first, count, 0, radix, exchange, streams_out<T>(args, to), all, planar, interleaved);
    return;
  }
  T* const base = args.out.planar ? to.re : HWY_MIN(to.re, to.im);
  const std::int64_t i = first * args.axes[0].in_stride, o = first * args.axes[0].out_stride;
  all.in.re += i;
  all.in.im += i;
  all.out.re = base + o;
  all.out.im = to.im + o;
  std::int64_t done;
  bool partial;
  if (args.row == 0) {
    done = args.lanes / kW;
    partial = args.lanes % kW != 0;
    all.in.step = kW * args.in.lane_stride;
    all.out.step = kW * args.out.lane_stride;
    all.chunks = done;
    (args.out.planar ? planar : interleaved)(all);
  } else {
    // Vector v of all rows at once; where rows have one vector, of those that do not spill over the end.
    const ChunkRows<T> rows(args);
    const std::int64_t whole = rows.whole();
    done = whole * rows.vectors;
    partial = whole < rows.count;
    for (std::int64_t v = 0; v < rows.vectors; ++v) {
      Chunks<T> run = all;
      run.in.re += v * kW * args.in.lane_stride;
      run.in.im += v * kW * args.in.lane_stride;
      run.in.step = rows.vectors * kW * args.in.lane_stride;
      run.out.re += rows.output(0, v) * args.out.lane_stride;
      run.out.im += rows.output(0, v) * args.out.lane_stride;
      run.out.step = rows.row * args.out.lane_stride;
      run.table += v * all.table_step;
      run.table_step *= rows.vectors;
      run.chunks = whole;
      (args.out.planar ? planar : interleaved)(run);
    }
  }
  if (HWY_UNLIKELY(partial)) {
    all.in.re = from.re;
    all.in.im = from.im;
    run_one_by_one<T>(args, buffers, first, count, done, radix, exchange, false, all, planar, interleaved);
  }
}

// kExchange: a dual-select body; its straddling groups are left out.
template <class T, class Body, bool kExchange = false>
void twiddled(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static_assert(Body::kRadix <= kMostTwiddled);
  run_pass<T>(args, buffers, first, count, Body::kRadix, Body::kTableValues, kExchange, &run_chunks<T, Body, kExchange, true>,
              &run_chunks<T, Body, kExchange, false>);
}

// Runs of straddling groups are passes of the standard body over a part of the lanes: a copy of that body in here cost 4 % of all
// codelets' text.
template <class T>
HWY_NOINLINE bool run_straddling(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, int table_values, PassFn standard) {
  PassArgs part = args;
  bool all = true;
  for (std::int64_t begin = 0, end = 0; begin < args.lanes; begin = end) {
    end = begin + kPathGroup;
    if (args.paths[begin / kPathGroup] != kStraddle) {
      all = false;
      continue;
    }
    while (end < args.lanes && args.paths[end / kPathGroup] == kStraddle) end += kPathGroup;
    const PassRange range{PassVariable::kLanes, begin, std::min(end, args.lanes) - begin};
    slice_pass(part, args, {PassKind::kTwiddled, sizeof(T), table_values}, range);
    standard(part, buffers, first, count);
  }
  return all;
}

template <class T, class Body, class Standard>
void twiddled_dual_select(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (!run_straddling<T>(args, buffers, first, count, Body::kTableValues, &twiddled<T, Standard>)) {
    twiddled<T, Body, true>(args, buffers, first, count);
  }
}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
