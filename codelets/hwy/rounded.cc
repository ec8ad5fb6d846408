// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of rounded schemes, once per instruction set: the lists of operations of rounded_pass.h, each operation on up to 256 bytes of
// lanes at once.
//
// Lanes of several positions of axes[0] go together where a position has few. A chunk loads all its points before it stores one, so
// passes work in place. Lanes that hold no point compute on zeros, which never overflow.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/ends.h"
#include "codelets/contract/rounded_pass.h"
#include "codelets/contract/rounded_real.h"
#include "rounded_bodies.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/rounded.cc"
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

template <class T>
constexpr std::int64_t row_vectors() {
  return 256 / static_cast<std::int64_t>(sizeof(T) * hn::MaxLanes(hn::ScalableTag<T>()));
}

// |x| rounded with the steps of its binade; NaN where x is not finite or that is beyond T.
template <class D>
HWY_INLINE hn::Vec<D> round_magnitude(D d, const RoundingConstants<hn::TFromD<D>>& k, hn::Vec<D> magnitude) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  const auto exponent = hn::BitCast(d, hn::Set(du, sizeof(T) == 4 ? hn::TFromD<decltype(du)>(0x7f800000u) : hn::TFromD<decltype(du)>(0x7ff0000000000000u)));
  const auto power = hn::Max(hn::And(magnitude, exponent), hn::Set(d, k.lowest));
  const auto large = hn::Mul(power, hn::Set(d, k.steps));
  return hn::Sub(hn::Add(magnitude, large), large);
}

// What is not finite, or lies beyond the values of the format; returns how many numbers count as overflow.
template <class T>
HWY_NOINLINE std::int64_t round_beyond(const RoundingConstants<T>& k, T* row) {
  const hn::ScalableTag<T> d;
  const auto x = hn::LoadU(d, row);
  const auto magnitude = hn::Abs(x);
  const auto is_nan = hn::IsNaN(x);
  // NaN lanes hold anything that compares as inside.
  const auto finite = hn::IfThenElse(is_nan, hn::Zero(d), hn::Min(magnitude, hn::Set(d, k.clamp)));
  auto r = hn::CopySignToAbs(round_magnitude(d, k, finite), x);
  const auto high = hn::Gt(r, hn::Set(d, k.high));
  const auto low = hn::Lt(r, hn::Set(d, k.low));
  const auto counted = hn::And(hn::Or(high, low), hn::Le(magnitude, hn::Set(d, k.counted)));
  r = hn::IfThenElse(high, hn::Set(d, k.beyond_high), r);
  r = hn::IfThenElse(low, hn::Set(d, k.beyond_low), r);
  r = hn::IfThenElse(is_nan, hn::Set(d, k.nan), hn::Add(r, hn::Set(d, k.zero)));
  hn::StoreU(r, d, row);
  return static_cast<std::int64_t>(hn::CountTrue(d, counted));
}

// Rounds `vectors` vectors in place; returns how many numbers overflowed.
template <class T>
HWY_NOINLINE std::int64_t round_row(const RoundingConstants<T>& k, T* row, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t overflows = 0;
  for (std::int64_t v = 0; v < vectors; ++v, row += kW) {
    const auto x = hn::LoadU(d, row);
    const auto r = hn::CopySignToAbs(round_magnitude(d, k, hn::Abs(x)), x);
    const auto inside = hn::And(hn::Ge(r, hn::Set(d, k.low)), hn::Le(r, hn::Set(d, k.high)));
    if (HWY_LIKELY(hn::AllTrue(d, inside))) {
      hn::StoreU(hn::Add(r, hn::Set(d, k.zero)), d, row);
    } else {
      overflows += round_beyond(k, row);
    }
  }
  return overflows;
}

template <class T>
HWY_INLINE void round_row_to_f32(T* row, std::int64_t vectors) {
  if constexpr (sizeof(T) == 8) {
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> df;
    constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
    for (std::int64_t v = 0; v < vectors; ++v, row += kW) hn::StoreU(hn::PromoteTo(d, hn::DemoteTo(df, hn::LoadU(d, row))), d, row);
  } else {
    (void)row;
    (void)vectors;
  }
}

// product + c, rounded to odd: what the nearest number lost decides about its last bit.
template <class D>
HWY_INLINE hn::Vec<D> odd_add(D d, hn::Vec<D> product, hn::Vec<D> c) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  const auto sum = hn::Add(product, c);
  const auto rest = hn::Sub(sum, product);
  const auto lost = hn::Add(hn::Sub(product, hn::Sub(sum, rest)), hn::Sub(c, rest));
  const auto inexact = hn::BitCast(du, hn::VecFromMask(d, hn::Gt(hn::Abs(lost), hn::Zero(d))));  // not where anything is NaN
  // Towards zero, where what was lost has the other sign; then the last bit.
  const auto back = hn::ShiftRight<sizeof(T) * 8 - 1>(hn::BitCast(du, hn::Xor(sum, lost)));
  const auto bits = hn::Sub(hn::BitCast(du, sum), hn::And(back, inexact));
  return hn::BitCast(d, hn::Or(bits, hn::And(inexact, hn::Set(du, 1))));
}

template <class T, bool kNegateProduct, bool kNegateC>
HWY_NOINLINE void fma_row(const T* a, const T* b, const T* c, T* out, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t i = 0; i < vectors * kW; i += kW) {
    auto product = hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    auto addend = hn::LoadU(d, c + i);
    if constexpr (kNegateProduct) product = hn::Neg(product);
    if constexpr (kNegateC) addend = hn::Neg(addend);
    hn::StoreU(odd_add(d, product, addend), d, out + i);
  }
}

template <class T>
HWY_NOINLINE void sum_row(const T* a, const T* b, T* out, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t i = 0; i < vectors * kW; i += kW) hn::StoreU(hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}
template <class T>
HWY_NOINLINE void difference_row(const T* a, const T* b, T* out, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t i = 0; i < vectors * kW; i += kW) hn::StoreU(hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}
template <class T>
HWY_NOINLINE void product_row(const T* a, const T* b, T* out, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t i = 0; i < vectors * kW; i += kW) hn::StoreU(hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
}
template <class T>
HWY_NOINLINE void negate_row(const T* a, T* out, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t i = 0; i < vectors * kW; i += kW) hn::StoreU(hn::Neg(hn::LoadU(d, a + i)), d, out + i);
}
template <class T>
HWY_NOINLINE void fill_row(T value, T* out, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (std::int64_t i = 0; i < vectors * kW; i += kW) hn::StoreU(hn::Set(d, value), d, out + i);
}
// One NaN for all: which of two a sum hands on is the processor's choice.
template <class T>
HWY_NOINLINE void settle_row(T* row, std::int64_t vectors) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  const auto nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
  for (std::int64_t i = 0; i < vectors * kW; i += kW) {
    const auto x = hn::LoadU(d, row + i);
    hn::StoreU(hn::IfThenElse(hn::IsNaN(x), nan, x), d, row + i);
  }
}

// The lanes of a chunk: where each is, in reals from the ends of the pass.
template <class T>
struct RoundedChunk {
  static constexpr std::int64_t kLanes = rounded_lanes(sizeof(T));
  std::int64_t in_at[kLanes];
  std::int64_t out_at[kLanes];
  std::int64_t lanes = 0;
  std::int64_t vectors = 0;
  bool adjacent_in = false;   // interleaved complex numbers side by side
  bool adjacent_out = false;
  const T* table = nullptr;
  const std::uint32_t* paths = nullptr;
};

// Mask of the lanes whose point is exchanged.
template <class D>
HWY_INLINE hn::Mask<D> exchanged(D d, const std::uint32_t* paths, std::uint32_t bit) {
  const hn::RebindToUnsigned<D> du;
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::RebindMask(d, hn::TestBit(hn::LoadU(du, paths), hn::Set(du, bit)));
  } else {
    const hn::Rebind<std::uint32_t, decltype(du)> half;
    return hn::RebindMask(d, hn::TestBit(hn::PromoteTo(du, hn::LoadU(half, paths)), hn::Set(du, bit)));
  }
}

template <class T>
HWY_NOINLINE void load_rows(const RoundedChunk<T>& chunk, Ends<T> from, std::int64_t at, int j, T* re, T* im) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  const bool selects = chunk.paths != nullptr && j > 0;
  const std::uint32_t bit = j > 0 ? 1u << (j - 1) : 0;
  std::int64_t l = 0;
  if (chunk.adjacent_in) {
    const T* p = HWY_MIN(from.re, from.im) + chunk.in_at[0] + at;
    const bool swap = from.im < from.re;
    for (; l + kW <= chunk.lanes; l += kW) {
      hn::Vec<decltype(d)> x, y;
      hn::LoadInterleaved2(d, p + 2 * l, x, y);
      if (selects) {
        const auto mask = exchanged(d, chunk.paths + l, bit);
        const auto z = hn::IfThenElse(mask, y, x);
        y = hn::IfThenElse(mask, x, y);
        x = z;
      }
      hn::StoreU(x, d, (swap ? im : re) + l);
      hn::StoreU(y, d, (swap ? re : im) + l);
    }
  }
  for (; l < chunk.lanes; ++l) {
    const bool exchange = selects && (chunk.paths[l] & bit) != 0;
    const std::int64_t i = chunk.in_at[l] + at;
    re[l] = (exchange ? from.im : from.re)[i];
    im[l] = (exchange ? from.re : from.im)[i];
  }
  for (; l < chunk.vectors * kW; ++l) re[l] = im[l] = T(0);
}

template <class T>
HWY_NOINLINE void store_rows(const RoundedChunk<T>& chunk, Ends<T> to, std::int64_t at, const T* re, const T* im) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t l = 0;
  if (chunk.adjacent_out) {
    T* p = HWY_MIN(to.re, to.im) + chunk.out_at[0] + at;
    const T* const first = to.im < to.re ? im : re;
    const T* const second = to.im < to.re ? re : im;
    for (; l + kW <= chunk.lanes; l += kW) hn::StoreInterleaved2(hn::LoadU(d, first + l), hn::LoadU(d, second + l), d, p + 2 * l);
  }
  for (; l < chunk.lanes; ++l) {
    to.re[chunk.out_at[l] + at] = re[l];
    to.im[chunk.out_at[l] + at] = im[l];
  }
}

template <class T>
struct RoundedRun {
  const PassArgs& args;
  const RoundedPass& pass;
  const RoundingConstants<T>& rounding;
  Ends<T> from;
  Ends<T> to;
  T scale;
  std::int64_t overflows = 0;
};

template <class T>
HWY_NOINLINE void run_chunk(RoundedRun<T>& run, const RoundedChunk<T>& chunk) {
  constexpr std::int64_t kLanes = RoundedChunk<T>::kLanes;
  HWY_ALIGN T rows[kMostRoundedRows * kLanes];
  const RoundedPass& pass = run.pass;
  const std::int64_t vectors = chunk.vectors;
  const auto row = [&](int number) HWY_ATTR -> T* { return rows + number * kLanes; };
  const auto operand = [&](int number) HWY_ATTR -> const T* {
    return number < kRoundedTable ? rows + number * kLanes : chunk.table + (number - kRoundedTable) * kLanes;
  };
  for (const RoundedStep& s : pass.body->steps[pass.scheme.f32_sums ? 1 : 0]) {
    switch (static_cast<RoundedOp>(s.op & 0x3f)) {
      case RoundedOp::kLoad:
        load_rows(chunk, run.from, point_offset(run.args.in, s.a), s.a, row(s.d), row(s.b));
        if (pass.rounds_input) {
          for (const int number : {s.d, s.b}) {
            if (run.args.scale != 1.0) {
              for (std::int64_t l = 0; l < chunk.lanes; ++l) row(number)[l] *= run.scale;
            }
            run.overflows += round_row(run.rounding, row(number), vectors);
          }
        }
        break;
      case RoundedOp::kStore:
        if (pass.scheme.f32_sums) {
          settle_row(row(s.a), vectors);
          settle_row(row(s.b), vectors);
        }
        store_rows(chunk, run.to, point_offset(run.args.out, s.d), row(s.a), row(s.b));
        break;
      case RoundedOp::kConstant: fill_row(static_cast<const T*>(pass.constants)[s.b + 256 * s.c], row(s.d), vectors); break;
      case RoundedOp::kAdd: sum_row(operand(s.a), operand(s.b), row(s.d), vectors); break;
      case RoundedOp::kSub: difference_row(operand(s.a), operand(s.b), row(s.d), vectors); break;
      case RoundedOp::kMul: product_row(operand(s.a), operand(s.b), row(s.d), vectors); break;
      case RoundedOp::kNeg: negate_row(operand(s.a), row(s.d), vectors); break;
      case RoundedOp::kFma: fma_row<T, false, false>(operand(s.a), operand(s.b), operand(s.c), row(s.d), vectors); break;
      case RoundedOp::kFnma: fma_row<T, true, false>(operand(s.a), operand(s.b), operand(s.c), row(s.d), vectors); break;
      case RoundedOp::kFms: fma_row<T, false, true>(operand(s.a), operand(s.b), operand(s.c), row(s.d), vectors); break;
      case RoundedOp::kFnms: fma_row<T, true, true>(operand(s.a), operand(s.b), operand(s.c), row(s.d), vectors); break;
      case RoundedOp::kRound:
        if (s.d != s.a) std::copy_n(operand(s.a), kLanes, row(s.d));
        run.overflows += round_row(run.rounding, row(s.d), vectors);
        break;
      case RoundedOp::kRoundSum:
        if (s.d != s.a) std::copy_n(operand(s.a), kLanes, row(s.d));
        round_row_to_f32(row(s.d), vectors);
        break;
    }
    if ((s.op & kThenRound) != 0) run.overflows += round_row(run.rounding, row(s.d), vectors);
    if ((s.op & kThenRoundSum) != 0) round_row_to_f32(row(s.d), vectors);
  }
}

// Whether lanes of an edge are interleaved complex numbers side by side.
template <class T>
bool has_adjacent_lanes(const Edge& edge, Ends<T> ends) {
  return edge.lane_stride == 2 && (ends.im == ends.re + 1 || ends.re == ends.im + 1);
}

template <class T, PassKind kKind>
void rounded(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr std::int64_t kLanes = RoundedChunk<T>::kLanes;
  constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  static_assert(row_vectors<T>() * kW == kLanes);
  const RoundedPass& pass = context_of<RoundedPass>(args);
  const RoundingConstants<T>* rounding;
  if constexpr (sizeof(T) == 4) {
    rounding = &pass.f32;
  } else {
    rounding = &pass.f64;
  }
  RoundedRun<T> run{args, pass, *rounding, resolve<T>(args.in, buffers), resolve<T>(args.out, buffers), static_cast<T>(args.scale)};
  const int table_values = pass.body->table_values;
  const std::int64_t lanes = args.lanes, inner = args.axes[1].count;
  const bool several = lanes < kLanes;  // positions of the axes in a chunk
  RoundedChunk<T> chunk;
  // Table values and paths of several positions, which have the same lanes.
  constexpr std::int64_t kMostTable = 32;
  HWY_ALIGN T table[kKind == PassKind::kTwiddled ? kMostTable * kLanes : 1];
  std::uint32_t paths[kLanes];
  const std::int64_t positions = several ? kLanes / lanes : 1;
  if (kKind == PassKind::kTwiddled && several) {
    const T* const given = static_cast<const T*>(args.table);
    for (int v = 0; v < table_values; ++v) {
      for (std::int64_t l = 0; l < kLanes; ++l) table[v * kLanes + l] = given[v * kLanes + l % lanes];
    }
    for (std::int64_t l = 0; args.paths != nullptr && l < kLanes; ++l) paths[l] = args.paths[l % lanes];
    chunk.table = table;
    chunk.paths = args.paths != nullptr ? paths : nullptr;
  }
  const bool adjacent_in = has_adjacent_lanes(args.in, run.from);
  const bool adjacent_out = kKind != PassKind::kFirst && has_adjacent_lanes(args.out, run.to);
  const std::int64_t begin = first * inner, end = (first + count) * inner;
  for (std::int64_t p = begin; p < end; p += positions) {
    const std::int64_t together = std::min(positions, end - p);
    for (std::int64_t l0 = 0; l0 < lanes; l0 += kLanes) {
      const std::int64_t own = std::min(kLanes, lanes - l0);
      std::int64_t f = 0;
      for (std::int64_t q = p; q < p + together; ++q) {
        const std::int64_t a0 = q / inner, a1 = q % inner;
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride;
        for (std::int64_t l = l0; l < l0 + own; ++l, ++f) {
          chunk.in_at[f] = i + l * args.in.lane_stride;
          chunk.out_at[f] = o + (kKind == PassKind::kFirst ? static_cast<std::int64_t>(args.rows[l]) * args.row_stride : l * args.out.lane_stride);
        }
      }
      chunk.lanes = f;
      chunk.vectors = (f + kW - 1) / kW;
      chunk.adjacent_in = adjacent_in && together == 1;
      chunk.adjacent_out = adjacent_out && together == 1;
      if (kKind == PassKind::kTwiddled && !several) {
        chunk.table = static_cast<const T*>(args.table) + l0 * table_values;
        chunk.paths = args.paths != nullptr ? args.paths + l0 : nullptr;
      }
      run_chunk(run, chunk);
    }
  }
  if (run.overflows != 0 && buffers.narrow != nullptr) std::atomic_ref(buffers.narrow->saturated).fetch_add(run.overflows, std::memory_order_relaxed);
}

template <class T>
void add_rounded(CodeletSink& sink, ComputeType compute) {
  for (const RoundedBodyEntry& entry : rounded_bodies()) {
    const auto add = [&](PassKind kind, PassFn run) HWY_ATTR { sink.add_rounded(kind, compute, *entry.facts, run, entry.body); };
    if (entry.facts->form != TwiddleForm::kNone) {
      add(PassKind::kTwiddled, &rounded<T, PassKind::kTwiddled>);
    } else {
      add(PassKind::kWhole, &rounded<T, PassKind::kWhole>);
      if (entry.facts->radix > 1) add(PassKind::kFirst, &rounded<T, PassKind::kFirst>);
    }
  }
}

// Rows of lanes of pairs.
template <class T>
class RoundedRows {
 public:
  static constexpr std::int64_t kLanes = rounded_lanes(sizeof(T));
  RoundedRows(const RoundedPass& pass, const RoundingConstants<T>& rounding) : rounding_(rounding), f32_sums_(pass.scheme.f32_sums) {}

  std::int64_t overflows() const { return overflows_; }
  T* row(int number) { return rows_ + number * kLanes; }
  void set_lanes(std::int64_t lanes) {
    constexpr std::int64_t kW = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
    vectors_ = (lanes + kW - 1) / kW;
  }
  void add(int d, int a, int b) {
    sum_row(row(a), row(b), row(d), vectors_);
    settle_sum(d);
  }
  void subtract(int d, int a, int b) {
    difference_row(row(a), row(b), row(d), vectors_);
    settle_sum(d);
  }
  void multiply(int d, int a, int b) {
    product_row(row(a), row(b), row(d), vectors_);
    round(d);
  }
  void fma(int d, int a, int b, int c) { product_and_sum<false, false>(d, a, b, c); }
  void fnma(int d, int a, int b, int c) { product_and_sum<true, false>(d, a, b, c); }
  void fms(int d, int a, int b, int c) { product_and_sum<false, true>(d, a, b, c); }
  void negate(int d, int a) {
    negate_row(row(a), row(d), vectors_);
    if (!f32_sums_) round(d);
  }
  void round(int d) { overflows_ += round_row(rounding_, row(d), vectors_); }

 private:
  void settle_sum(int d) {
    if (f32_sums_) {
      round_row_to_f32(row(d), vectors_);
    } else {
      round(d);
    }
  }
  template <bool kNegateProduct, bool kNegateC>
  void product_and_sum(int d, int a, int b, int c) {
    if (!f32_sums_) {
      fma_row<T, kNegateProduct, kNegateC>(row(a), row(b), row(c), row(d), vectors_);
      return round(d);
    }
    T* const product = row(kRoundedRealRows);
    product_row(row(a), row(b), product, vectors_);
    if constexpr (kNegateProduct) negate_row(product, product, vectors_);
    overflows_ += round_row(rounding_, product, vectors_);
    if constexpr (kNegateC) {
      difference_row(product, row(c), row(d), vectors_);
    } else {
      sum_row(product, row(c), row(d), vectors_);
    }
    round_row_to_f32(row(d), vectors_);
  }

  const RoundingConstants<T>& rounding_;
  const bool f32_sums_;
  std::int64_t vectors_ = 0;
  std::int64_t overflows_ = 0;
  HWY_ALIGN T rows_[(kRoundedRealRows + 1) * kLanes] = {};
};

template <typename T>
void rounded_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, bool untangles) {
  const RoundedPass& pass = context_of<RoundedPass>(args);
  const RoundingConstants<T>* rounding;
  if constexpr (sizeof(T) == 4) {
    rounding = &pass.f32;
  } else {
    rounding = &pass.f64;
  }
  RoundedRows<T> rows(pass, *rounding);
  run_rounded_pairs<T>(args, buffers, first, count, untangles, rows);
  if (rows.overflows() != 0 && buffers.narrow != nullptr)
    std::atomic_ref(buffers.narrow->saturated).fetch_add(rows.overflows(), std::memory_order_relaxed);
}
template void rounded_pairs<float>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, bool);
template void rounded_pairs<double>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, bool);

void collect_rounded(CodeletSink& sink) {
  add_rounded<float>(sink, ComputeType::kRoundedF32);
  add_rounded<double>(sink, ComputeType::kRoundedF64);
}

#else

void collect_rounded(CodeletSink&) {}

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

void collect_hwy_rounded(std::int64_t target, CodeletSink& sink);
void collect_hwy_rounded(std::int64_t target, CodeletSink& sink) { ULPFFT_HWY_SWITCH(target, collect_rounded(sink)) }

}  // namespace ulpfft
#endif
