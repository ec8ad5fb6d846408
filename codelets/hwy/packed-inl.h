// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The codelets of kPacked: what a table points to, and the loops around the shapes of packed_shapes-inl.h, packed_real-inl.h and packed_sums-inl.h.
#include <cstdint>
#include <span>
#include <type_traits>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/hwy/packed_real-inl.h"
#include "codelets/hwy/packed_sums-inl.h"

#if defined(ULPFFT_CODELETS_HWY_PACKED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_PACKED_INL_H_
#undef ULPFFT_CODELETS_HWY_PACKED_INL_H_
#else
#define ULPFFT_CODELETS_HWY_PACKED_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// Plans repeat `in` in the argument after it; packed_stream() hands over a Beside there.
template <class T, class Shape>
int packed_direct(const DirectCall& call, void* in, [[maybe_unused]] void* more, void* out, void*, void*) {
  if constexpr (Shape::kBeside) {
    Shape::run(static_cast<const T*>(in), static_cast<T*>(out), static_cast<const T*>(call.table),
               HWY_LIKELY(more == in) ? nullptr : static_cast<Beside<T>*>(more));
  } else {
    Shape::run(static_cast<const T*>(in), static_cast<T*>(out), static_cast<const T*>(call.table));
  }
  return 0;
}

// Where `more` is a Beside.
template <class T, class Shape>
int packed_beside(const DirectCall& call, void* in, void* more, void* out, void*, void*) {
  Shape::run_apart(static_cast<const T*>(in), static_cast<T*>(out), static_cast<const T*>(call.table), static_cast<Beside<T>*>(more));
  return 0;
}

// r2c of one line, or c2r.
template <class T, class Shape, bool kForward>
int packed_reals(const DirectCall& call, void* in, void*, void* out, void*, void*) {
  const auto& tables = context_of<PairTables>(call);
  const auto pass = kForward ? &Shape::forward : &Shape::backward;
  pass(static_cast<const T*>(in), static_cast<T*>(out), static_cast<const T*>(tables.transform), static_cast<const T*>(tables.pairs));
  return 0;
}

// Copies numbers, exchanged or scaled, in the vectors the transform has: it would wait for narrower stores to reach the cache.
template <class T, int kV>
void copy_numbers(T* to, const T* from, std::int64_t numbers, bool exchange, T scale) {
  const PackedTag<T, kV> d;
  const auto factor = hn::Set(d, scale);
  std::int64_t i = 0;
  for (; i + kV <= numbers; i += kV) {
    auto x = hn::LoadU(d, from + 2 * i);
    if (exchange) x = hn::Reverse2(d, x);
    hn::StoreU(hn::Mul(x, factor), d, to + 2 * i);
  }
  for (i *= 2; i < 2 * numbers; ++i) to[i] = from[exchange ? i ^ 1 : i] * scale;
}

// A scale, a circular shift, or one swapped end: by way of tiles; or past the caches, from a tile of aligned vectors.
template <class T, int kV>
HWY_NOINLINE void packed_by_tiles(const PassArgs& args, T* p, T* q, std::int64_t points, DirectCall::Run run, bool streams, const T* ahead) {
  HWY_ALIGN T in[2 * kMostPackedPoints];
  HWY_ALIGN T out[2 * kMostPackedPoints];
  const bool exchange_in = args.in.swap && !args.out.swap;
  const bool exchange_out = args.out.swap && !args.in.swap;
  const bool tile_in = exchange_in || args.scale != 1.0 || args.in.wrap != 0;
  const bool tile_out = streams || exchange_out || args.out.wrap != 0;
  if (tile_in) {
    const std::int64_t before = args.in.wrap == 0 ? points : args.in.wrap_point;
    copy_numbers<T, kV>(in, p, before, exchange_in, static_cast<T>(args.scale));
    copy_numbers<T, kV>(in + 2 * before, p + 2 * before + args.in.wrap, points - before, exchange_in, static_cast<T>(args.scale));
  }
  run({nullptr, args.table}, tile_in ? in : p, tile_in ? in : p, tile_out ? out : q, tile_out ? out : q, nullptr);
  if (ahead != nullptr) fetch(ahead, 2 * points * static_cast<std::int64_t>(sizeof(T)), args.ahead.brief);
  if constexpr (kV > 1) {
    if (streams) {
      const PackedTag<T, kV> d;
      for (std::int64_t i = 0; i < 2 * points; i += 2 * kV) hn::Stream(hn::Load(d, out + i), d, q + i);
      return;
    }
  }
  if (tile_out) {
    const std::int64_t before = args.out.wrap == 0 ? points : args.out.wrap_point;
    copy_numbers<T, kV>(q, out, before, exchange_out, T(1));
    copy_numbers<T, kV>(q + 2 * before + args.out.wrap, out + 2 * before, points - before, exchange_out, T(1));
  }
}

// Transforms from and to lines that are `in_step` and `out_step` apart; the result of each goes past the caches while the next one is
// computed. `ahead`: reals from an input to the one that is fetched.
template <class T, int kV>
HWY_NOINLINE void packed_stream(const PassArgs& args, T* p, T* q, std::int64_t count, std::int64_t in_step, std::int64_t out_step,
                                std::int64_t points, DirectCall::Run run, std::int64_t ahead) {
  HWY_ALIGN T out[2 * kMostPackedPoints];
  Beside<T> beside;
  beside.brief = args.ahead.brief;
  for (; count > 0; --count, p += in_step, q += out_step) {
    beside.ahead = reinterpret_cast<const char*>(p + ahead);
    if (ahead != 0) beside.lines = 2 * points * static_cast<std::int64_t>(sizeof(T)) / 64;
    run({nullptr, args.table}, p, &beside, out, out, nullptr);
    beside.result = out;
    beside.to = q;
    beside.vectors = points / kV;
  }
  store_beside<T, kV>(beside, beside.vectors);
}

// Transforms one after the other.
template <class T>
using PackedRow = void (*)(const T* table, T* p, T* q, std::int64_t count, std::int64_t in_step, std::int64_t out_step);
template <class T, class Shape>
HWY_NOINLINE void packed_row(const T* table, T* p, T* q, std::int64_t count, std::int64_t in_step, std::int64_t out_step) {
  for (; count > 0; --count, p += in_step, q += out_step) Shape::run(p, q, table);
}

// The loops of a pass, once for all bodies. `direct` computes one transform, and `streamed` does with a Beside, or is null; those that are
// little more than a call have a `row` as well.
template <class T, int kV>
HWY_NOINLINE void packed_calls(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, std::int64_t points,
                               DirectCall::Run direct, PackedRow<T> row, DirectCall::Run streamed) {
  const DirectCall call{nullptr, args.table};
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const std::uintptr_t begins = reinterpret_cast<std::uintptr_t>(HWY_MIN(to.re, to.im)) |
                                static_cast<std::uintptr_t>(args.axes[0].out_stride | args.axes[1].out_stride | args.out.lane_stride) * sizeof(T);
  const bool streams = kV > 1 && points % kV == 0 && args.out.non_temporal && begins % (2 * kV * sizeof(T)) == 0 && args.in.swap == args.out.swap &&
                       args.out.wrap == 0;
  // The input of the innermost loop, some transforms on.
  const std::int64_t ahead = args.ahead.fetches ? args.ahead.offset - args.in.offset : 0;
  const bool tiles =
      streams || ahead != 0 || args.scale != 1.0 || args.in.swap != args.out.swap || args.in.wrap != 0 || args.out.wrap != 0;
  const bool beside = streamed != nullptr && streams && args.scale == 1.0 && args.in.wrap == 0;
  T* const in = HWY_MIN(from.re, from.im) + first * args.axes[0].in_stride;
  T* const out = HWY_MIN(to.re, to.im) + first * args.axes[0].out_stride;
  // A batch has one loop, which is then the inner one: what is around it would show.
  const std::int64_t middle = args.axes[1].count;
  const bool flat = middle == 1 && args.lanes == 1;
  const std::int64_t outer = flat ? 1 : count;
  const std::int64_t inner = flat ? count : args.lanes;
  const std::int64_t in_step = flat ? args.axes[0].in_stride : args.in.lane_stride;
  const std::int64_t out_step = flat ? args.axes[0].out_stride : args.out.lane_stride;
  for (std::int64_t a0 = 0; a0 < outer; ++a0) {
    for (std::int64_t a1 = 0; a1 < middle; ++a1) {
      T* p = in + a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
      T* q = out + a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
      if (HWY_LIKELY(!tiles && row != nullptr)) {
        row(static_cast<const T*>(args.table), p, q, inner, in_step, out_step);
        continue;
      }
      if constexpr (kV > 1) {
        if (beside) {
          packed_stream<T, kV>(args, p, q, inner, in_step, out_step, points, streamed, ahead);
          continue;
        }
      }
      for (std::int64_t l = 0; l < inner; ++l, p += in_step, q += out_step) {
        if (HWY_UNLIKELY(tiles)) {
          packed_by_tiles<T, kV>(args, p, q, points, direct, streams, ahead == 0 ? nullptr : p + ahead);
        } else {
          direct(call, p, p, q, q, nullptr);
        }
      }
    }
  }
}

template <class T, class Shape>
void packed(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  static_assert(Shape::kPoints <= kMostPackedPoints);
  PackedRow<T> row = nullptr;
  if constexpr (Shape::kPoints <= 8) row = &packed_row<T, Shape>;
  DirectCall::Run streamed = Shape::kBeside ? &packed_direct<T, Shape> : nullptr;
  if constexpr (Shape::kBesideApart) streamed = &packed_beside<T, Shape>;
  packed_calls<T, Shape::kV>(args, buffers, first, count, Shape::kPoints, &packed_direct<T, Shape>, row, streamed);
}

template <class T, class Body>
void add_packed(CodeletSink& sink, const BodyFacts& body) {
  using Shape = PackedOne<T, Body>;
  sink.add_packed(kComputeTypeOf<T>, body, nullptr, &packed<T, Shape>, &packed_direct<T, Shape>);
}
template <class T, class First, class Second, PackedText kText>
void add_packed_pair(CodeletSink& sink, const BodyFacts& first, const BodyFacts& second) {
#if !ULPFFT_HWY_SIZELESS
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  constexpr bool kServes = kText == PackedText::kStraight ? packed_serves(kLanes, sizeof(T), First::kRadix, Second::kRadix)
                                                          : packed_numbers(kLanes, First::kRadix, Second::kRadix) >= 2;
  if constexpr (kServes) {
    using Shape = PackedPair<T, First, Second, kText>;
    sink.add_packed(kComputeTypeOf<T>, first, &second, &packed<T, Shape>, &packed_direct<T, Shape>);
    constexpr int kRegisters = kLanes * sizeof(T) >= 64 ? 32 : 16;
    if constexpr (kText == PackedText::kStraight && packed_serves_reals(First::kRadix, Second::kRadix, Shape::kV, kRegisters)) {
      using Reals = PackedReal<T, First, Second>;
      sink.entries.back().untangled = &packed_reals<T, Reals, true>;
      sink.entries.back().tangled = &packed_reals<T, Reals, false>;
    }
  }
#endif
  (void)sink, (void)first, (void)second;
}

#if ULPFFT_HWY_FMA

// Bodies of sums: their radix is in the table, so that all of them are one codelet, and those of a second body another.
template <class T, class Second>
int sums_direct(const DirectCall& call, void* in, void*, void* out, void*, void*) {
  const auto* const p = static_cast<const T*>(in);
  if constexpr (std::is_void_v<Second>) {
    packed_sums(p, static_cast<T*>(out), static_cast<const T*>(call.table));
  } else {
    packed_sums_pair<T, Second>(p, static_cast<T*>(out), static_cast<const T*>(call.table));
  }
  return 0;
}
template <class T, class Second>
void sums_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  std::int64_t columns = 1;
  if constexpr (!std::is_void_v<Second>) columns = Second::kRadix;
  packed_calls<T, kSumsNumbers<T>>(args, buffers, first, count, radix_of_sums(static_cast<const T*>(args.table)) * columns, &sums_direct<T, Second>, nullptr,
                                   nullptr);
}
// One text for all lists.
static HWY_NOINLINE void add_each(CodeletSink& sink, ComputeType compute, std::span<const BodyFacts* const> firsts, const BodyFacts* second, PassFn run,
                           DirectCall::Run direct) {
  for (const BodyFacts* first : firsts) sink.add_packed(compute, *first, second, run, direct);
}
template <class T, class Second = void>
void add_sums(CodeletSink& sink, std::span<const BodyFacts* const> firsts, const BodyFacts* second = nullptr) {
  add_each(sink, kComputeTypeOf<T>, firsts, second, &sums_pass<T, Second>, &sums_direct<T, Second>);
}

#endif  // ULPFFT_HWY_FMA

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
