// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms that stay in registers: vectors hold whole complex numbers, (re, im) in neighbouring lanes, from load to store.
//
// One body: every vector is one number; half the instructions of scalar code. Two bodies, n = r1 * r2: vectors of V columns run the
// first body, complex numbers are transposed in registers, vectors of V indices k run the second; no tile in memory. See kPacked for what
// they read and write, and genfft/pass/pack.h for the arithmetic.
#include <cstdint>
#include <type_traits>

#include "codelets/contract/body_constant.h"
#include "codelets/contract/codelet.h"
#include "codelets/hwy/lanes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_PACKED_SHAPES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_PACKED_SHAPES_INL_H_
#undef ULPFFT_CODELETS_HWY_PACKED_SHAPES_INL_H_
#else
#define ULPFFT_CODELETS_HWY_PACKED_SHAPES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

constexpr int kMostPackedPoints = 1024;
constexpr int kMostFusedPoints = 1024;  // with narrow storage at an end
constexpr int kMostSecond = 32;         // points of the second body of a pair that shares its loops

// The text that a pair of bodies has of its own, most first (genfft/register_pairs.h).
enum class PackedText { kStraight, kLooped, kSmall, kShared };

template <class T, int kV>
using PackedTag = hn::CappedTag<T, 2 * kV>;

// ---- ports; strides in reals

template <class D, int kStride>
struct PackedIn {
  const hn::TFromD<D>* p;
  HWY_INLINE hn::Vec<D> load(int j) const { return hn::LoadU(D(), p + j * kStride); }
};
template <class D, int kStride>
struct PackedOut {
  hn::TFromD<D>* p;
  HWY_INLINE void store(int j, hn::Vec<D> x) const { hn::StoreU(x, D(), p + j * kStride); }
};
template <class D>
struct PackedInAt {
  const hn::TFromD<D>* p;
  std::int64_t stride;
  HWY_INLINE hn::Vec<D> load(int j) const { return hn::LoadU(D(), p + j * stride); }
};
template <class D>
struct PackedOutAt {
  hn::TFromD<D>* p;
  std::int64_t stride;
  HWY_INLINE void store(int j, hn::Vec<D> x) const { hn::StoreU(x, D(), p + j * stride); }
};
template <class D, int kReals>
struct PackedTable {
  const hn::TFromD<D>* p;
  HWY_INLINE hn::Vec<D> get(int i) const { return hn::Load(D(), p + i * kReals); }
};

// What the ends of a transform are; State goes to every port. kByPairs: in_half() reads one half of two adjacent vectors, see PackedKept.
// in_at() and out_at() are for loops, whose strides may be known to the caller alone.
template <class T>
struct PackedWide {
  using From = T;
  using To = T;
  struct State {};
  static constexpr bool kByPairs = false;
  template <class D, int kStride>
  static HWY_INLINE PackedIn<D, kStride> in(const From* p, const State&) { return {p}; }
  template <class D, int kStride>
  static HWY_INLINE PackedOut<D, kStride> out(To* p, State&) { return {p}; }
  template <class D>
  static HWY_INLINE PackedInAt<D> in_at(const From* p, std::int64_t stride, const State&) { return {p, stride}; }
  template <class D>
  static HWY_INLINE PackedOutAt<D> out_at(To* p, std::int64_t stride, State&) { return {p, stride}; }
};

// ---- what a transform of a batch beyond the caches does beside its arithmetic

// While the first body runs, the result of the transform before is stored past the caches; while the second one does, the input of a
// later one is fetched. A core has few misses open at a time, so that a whole result and a whole input at once wait for memory: on Zen 4
// 256 points of f64 take 268 ns instead of 303, 512 points 704 instead of 1245.
template <class T>
struct Beside {
  const T* result = nullptr;  // aligned
  T* to = nullptr;
  std::int64_t vectors = 0;   // of the result, left to store
  const char* ahead = nullptr;
  std::int64_t lines = 0;     // left to fetch
  bool brief = false;
};

template <class T, int kV>
HWY_INLINE void store_beside(Beside<T>& beside, std::int64_t most) {
  const PackedTag<T, kV> d;
  const T* from = beside.result;
  T* to = beside.to;
  const std::int64_t count = HWY_MIN(most, beside.vectors);
  for (std::int64_t i = 0; i < count; ++i, from += 2 * kV, to += 2 * kV) hn::Stream(hn::Load(d, from), d, to);
  beside.result = from;
  beside.to = to;
  beside.vectors -= count;
}
// As many lines as one call of a body of `radix` points stores.
template <class T, int kV>
HWY_INLINE void fetch_beside(Beside<T>& beside, std::int64_t radix) {
  const std::int64_t count = HWY_MIN((radix * 2 * kV * static_cast<std::int64_t>(sizeof(T)) + 63) / 64, beside.lines);
  fetch(beside.ahead, 64 * count, beside.brief);
  beside.ahead += 64 * count;
  beside.lines -= count;
}

// ---- one body

template <class T, class Body>
struct PackedOne {
  static constexpr bool kBeside = false, kBesideApart = false;
  static constexpr int kPoints = Body::kRadix;
  static constexpr int kV = 1;
  static HWY_INLINE void run(const T* p, T* q, const T* table) {
    using D = PackedTag<T, 1>;
    const PackedIn<D, 2> in{p};
    PackedOut<D, 2> out{q};
    Body::run(D(), hn::Load(D(), table), in, PackedTable<D, 2>{nullptr}, out);
  }
};

// ---- two bodies

// Of the pairs that fit the registers, these have a copy that stores and fetches beside its bodies. Copies of all would exceed the budget.
constexpr bool packed_streams_apart(int points) { return points == 120 || points == 128 || points == 144 || points == 256; }

#if !ULPFFT_HWY_SIZELESS

template <class D>
struct PackedKeep {
  hn::Vec<D>* v;
  HWY_INLINE void store(int j, hn::Vec<D> x) const { v[j] = x; }
};
// Point j of the second body: column j of those that the vectors of the first one held. By pairs: each two vectors hold 2 kV columns, in
// blocks of 128 bits by turns.
template <class D, int kV, int kR2, bool kByPairs>
struct PackedKept {
  const hn::Vec<D>* v;
  HWY_INLINE hn::Vec<D> load(int j) const {
    if constexpr (kByPairs) {
      const int in_pair = j % (2 * kV);
      return v[j - in_pair + in_pair % 4 / 2 * kV + in_pair / 4 * 2 + j % 2];
    }
    const int vector = j / kV;
    return v[vector * kV + j - packed_begin(vector, kR2, kV)];
  }
};

// V x V transpose of the complex numbers of v[0..V-1]; every index is a constant, so the array lives in registers.
template <class D>
  requires(sizeof(hn::TFromD<D>) == 8)
HWY_INLINE void transpose_complex(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kV = static_cast<int>(hn::MaxLanes(D())) / 2;
  static_assert(kV == 2 || kV == 4);
  if constexpr (kV == 2) {
    transpose_whole_blocks(d, v[0], v[1]);
  } else {
    transpose_whole_blocks(d, v[0], v[1], v[2], v[3]);
  }
}
template <int kFirst, int kCount, class D, class V>
HWY_INLINE void cast_each(D d, const V* HWY_RESTRICT from, hn::Vec<D>* HWY_RESTRICT to) {
  if constexpr (kFirst < kCount) {
    to[kFirst] = hn::BitCast(d, from[kFirst]);
    cast_each<kFirst + 1, kCount>(d, from, to);
  }
}
template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE void transpose_complex(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kV = static_cast<int>(hn::MaxLanes(D())) / 2;
  static_assert(kV == 2 || kV == 4 || kV == 8);
  hn::Vec<Blocks64<D>> t[kV];
  cast_each<0, kV>(Blocks64<D>(), v, t);
  transpose(Blocks64<D>(), t);
  cast_each<0, kV>(d, t, v);
}

// Recursions instead of loops: g++ keeps an array in registers only where every index is a constant from the beginning.
template <class T, class First, class Second, class Ports = PackedWide<T>>
struct PackedTwo {
  static constexpr int kR1 = First::kRadix;
  static constexpr int kR2 = Second::kRadix;
  static constexpr int kPoints = kR1 * kR2;
  static constexpr int kV = packed_numbers(static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>())), kR1, kR2);
  using D = PackedTag<T, kV>;
  using V = hn::Vec<D>;
  using From = typename Ports::From;
  using To = typename Ports::To;
  using State = typename Ports::State;

  static constexpr int kFirsts = packed_vectors(kR2, kV);    // vectors of columns
  static constexpr int kSeconds = packed_vectors(kR1, kV);   // vectors of k
  // With AVX2 100 points of f64 in cache take 1.04 of the time with it, and what fits the registers of AVX-512 takes 1.01 to 1.05.
  static constexpr bool kWholeLines = 2 * kV * sizeof(T) >= 64;
  static constexpr bool kBeside = kWholeLines && kFirsts * kR1 > 32;
  // A copy for batches past the caches, where that is worth its text.
  static constexpr bool kBesideApart = kWholeLines && !kBeside && packed_streams_apart(kPoints);
  static constexpr bool kByPairs = Ports::kByPairs && sizeof(T) == 4 && kV >= 2 && kR2 % (2 * kV) == 0;

  template <int kAt, bool kApart = false>
  static HWY_INLINE void first(V turn, const From* p, V* y, const State& state, Beside<T>* beside) {
    if constexpr (kAt < kFirsts) {
      if (kApart || (kBeside && HWY_UNLIKELY(beside != nullptr))) store_beside<T, kV>(*beside, kR1);
      PackedKeep<D> out{y + kAt * kR1};
      if constexpr (kByPairs) {
        const auto in = Ports::template in_half<D, 2 * kR2, kAt % 2>(p + 4 * kV * (kAt / 2));
        First::run(D(), turn, in, PackedTable<D, 0>{nullptr}, out);
      } else {
        const auto in = Ports::template in<D, 2 * kR2>(p + 2 * packed_begin(kAt, kR2, kV), state);
        First::run(D(), turn, in, PackedTable<D, 0>{nullptr}, out);
      }
      first<kAt + 1, kApart>(turn, p, y, state, beside);
    }
  }
  template <int kIndex>
  static HWY_INLINE void copy(const V* from, V* to) {
    if constexpr (kIndex < kV) {
      to[kIndex] = from[kIndex];
      copy<kIndex + 1>(from, to);
    }
  }
  // Columns of all vectors for one vector of k.
  template <int kAt, int kSecond>
  static HWY_INLINE void turn_squares(const V* y, V* z) {
    if constexpr (kAt < kFirsts) {
      copy<0>(y + kAt * kR1 + packed_begin(kSecond, kR1, kV), z + kAt * kV);
      transpose_complex(D(), z + kAt * kV);
      turn_squares<kAt + 1, kSecond>(y, z);
    }
  }
  template <int kAt, bool kApart = false>
  static HWY_INLINE void second(V turn, const V* y, const T* table, To* q, State& state, Beside<T>* beside) {
    if constexpr (kAt < kSeconds) {
      if (kApart || (kBeside && HWY_UNLIKELY(beside != nullptr))) fetch_beside<T, kV>(*beside, kR2);
      V z[kFirsts * kV];
      turn_squares<0, kAt>(y, z);
      const PackedKept<D, kV, kR2, kByPairs> in{z};
      auto out = Ports::template out<D, 2 * kR1>(q + 2 * packed_begin(kAt, kR1, kV), state);
      Second::run(D(), turn, in, PackedTable<D, 2 * kV>{table + kAt * Second::kTableValues * 2 * kV}, out);
      second<kAt + 1, kApart>(turn, y, table, q, state, beside);
    }
  }
  // kApart: what is beside is there.
  template <bool kApart = false>
  static HWY_INLINE void run(const From* p, To* q, const T* table, State& state, Beside<T>* beside = nullptr) {
    const V turn = hn::Load(D(), table);
    V y[kFirsts * kR1];
    first<0, kApart>(turn, p, y, state, beside);
    second<0, kApart>(turn, y, table + 2 * kV, q, state, beside);
  }
  static HWY_INLINE void run(const T* p, T* q, const T* table, Beside<T>* beside = nullptr)
    requires(std::is_empty_v<State>)
  {
    State state;
    run(p, q, table, state, beside);
  }
  static HWY_INLINE void run_apart(const T* p, T* q, const T* table, Beside<T>* beside) {
    State state;
    run<true>(p, q, table, state, beside);
  }
};

// ---- two bodies, a loop over the vectors of each

// Where the vectors of all columns are several times the registers they lie on the stack anyway: as a tile, from which squares are
// transposed as they are read. The text is that of the two bodies. As fast as PackedTwo from 64 vectors on (AVX-512, f64 512: 219 ns
// against 221 for 23 KB).

// Columns of a matrix of First::kRadix rows of r2 numbers.
template <class T, int kV, class First, class Ports>
HWY_INLINE void packed_columns(const typename Ports::From* p, T* HWY_RESTRICT tile, const T* turn, std::int64_t r2, const typename Ports::State& state,
                               Beside<T>* beside) {
  using D = PackedTag<T, kV>;
  const hn::Vec<D> turned = hn::Load(D(), turn);
  for (std::int64_t done = 0; done < r2; done += kV, tile += First::kRadix * 2 * kV) {
    if (HWY_UNLIKELY(beside != nullptr)) store_beside<T, kV>(*beside, First::kRadix);
    const auto in = Ports::template in_at<D>(p + 2 * HWY_MIN(done, r2 - kV), 2 * r2, state);
    PackedOut<D, 2 * kV> out{tile};
    First::run(D(), turned, in, PackedTable<D, 0>{nullptr}, out);
  }
}

template <class T, int kV, class Second, class Ports>
struct PackedIndices {
  using D = PackedTag<T, kV>;
  using V = hn::Vec<D>;
  static constexpr int kFirsts = packed_vectors(Second::kRadix, kV);  // vectors of columns

  template <int kIndex>
  static HWY_INLINE void load(const T* from, V* to) {
    if constexpr (kIndex < kV) {
      to[kIndex] = hn::Load(D(), from + kIndex * 2 * kV);
      load<kIndex + 1>(from, to);
    }
  }
  // Columns of all vectors for one vector of k; `step`: from those of a vector to those of the next.
  template <int kAt>
  static HWY_INLINE void turn_squares(const T* tile, std::int64_t step, V* z) {
    if constexpr (kAt < kFirsts) {
      load<0>(tile + kAt * step, z + kAt * kV);
      transpose_complex(D(), z + kAt * kV);
      turn_squares<kAt + 1>(tile, step, z);
    }
  }
  static HWY_INLINE void run(const T* HWY_RESTRICT tile, typename Ports::To* q, const T* table, std::int64_t r1, typename Ports::State& state,
                             Beside<T>* beside) {
    const V turn = hn::Load(D(), table);
    table += 2 * kV;
    for (std::int64_t done = 0; done < r1; done += kV, table += Second::kTableValues * 2 * kV) {
      if (HWY_UNLIKELY(beside != nullptr)) fetch_beside<T, kV>(*beside, Second::kRadix);
      const std::int64_t begin = HWY_MIN(done, r1 - kV);
      V z[kFirsts * kV];
      turn_squares<0>(tile + begin * 2 * kV, r1 * 2 * kV, z);
      const PackedKept<D, kV, Second::kRadix, false> in{z};
      auto out = Ports::template out_at<D>(q + 2 * begin, 2 * r1, state);
      Second::run(D(), turn, in, PackedTable<D, 2 * kV>{table}, out);
    }
  }
};

// One loop for all pairs of a body, which then multiply by the strides they are given. The first one holds the tile, so that a pair has no
// text but a call.
template <class T>
using PackedIndicesFn = void (*)(const T* tile, T* q, const T* table, std::int64_t r1, Beside<T>* beside);
template <class T, int kV, class Second>
HWY_NOINLINE void packed_indices_of_any(const T* tile, T* q, const T* table, std::int64_t r1, Beside<T>* beside) {
  typename PackedWide<T>::State state;
  PackedIndices<T, kV, Second, PackedWide<T>>::run(tile, q, table, r1, state, beside);
}
template <class T, int kV, class First>
HWY_NOINLINE void packed_of_any(const T* p, T* q, const T* table, std::int64_t r2, PackedIndicesFn<T> second, Beside<T>* beside) {
  HWY_ALIGN T tile[packed_vectors(kMostSecond < kMostPackedPoints / First::kRadix ? kMostSecond : kMostPackedPoints / First::kRadix, kV) *
                   First::kRadix * 2 * kV];
  packed_columns<T, kV, First, PackedWide<T>>(p, tile, table, r2, {}, beside);
  second(tile, q, table, First::kRadix, beside);
}

// kShares: loops that it shares with others, at wide ends alone.
template <class T, class First, class Second, bool kShares, class Ports = PackedWide<T>>
struct PackedRolled {
  static constexpr int kR1 = First::kRadix;
  static constexpr int kR2 = Second::kRadix;
  static constexpr int kPoints = kR1 * kR2;
  static constexpr int kV = packed_numbers(static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>())), kR1, kR2);
  using From = typename Ports::From;
  using To = typename Ports::To;
  using State = typename Ports::State;
  static_assert(!kShares || std::is_same_v<Ports, PackedWide<T>>);

  static constexpr bool kBeside = true, kBesideApart = false;

  static HWY_INLINE void run(const From* p, To* q, const T* table, State& state, Beside<T>* beside = nullptr) {
    if constexpr (kShares) {
      static_assert(kR2 <= kMostSecond && kPoints <= kMostPackedPoints);
      packed_of_any<T, kV, First>(p, q, table, kR2, &packed_indices_of_any<T, kV, Second>, beside);
    } else {
      HWY_ALIGN T tile[packed_vectors(kR2, kV) * kR1 * 2 * kV];
      packed_columns<T, kV, First, Ports>(p, tile, table, kR2, state, beside);
      PackedIndices<T, kV, Second, Ports>::run(tile, q, table, kR1, state, beside);
    }
  }
  static HWY_INLINE void run(const T* p, T* q, const T* table, Beside<T>* beside = nullptr)
    requires(std::is_empty_v<State>)
  {
    State state;
    run(p, q, table, state, beside);
  }
};

// Without loops up to so many vectors between the bodies.
template <class T, class First, class Second, int kMostStraight, bool kShares, class Ports = PackedWide<T>>
using PackedPairOf = std::conditional_t<(PackedTwo<T, First, Second>::kFirsts * First::kRadix <= kMostStraight), PackedTwo<T, First, Second, Ports>,
                                        PackedRolled<T, First, Second, kShares, Ports>>;

// How much of a pair is text of its own, by vectors between its bodies. AVX-512 has loops of a pair's own up to 56 vectors: shared ones take
// 1.04 of the time there, and 0.95 to 1.03 beyond, but for 512 points of f64, 1.05; with AVX2 they take 1.02 for a seventh of the text.
template <class T, class First, class Second, PackedText kText>
struct PackedChoice {
  static constexpr bool kWide = hn::MaxLanes(hn::ScalableTag<T>()) * sizeof(T) >= 64;
  static constexpr int kMostStraight = kText == PackedText::kStraight ? 64 : kText == PackedText::kShared ? 0 : kWide ? 32 : 16;
  static constexpr bool kFew = PackedTwo<T, First, Second>::kFirsts * First::kRadix <= 56;
  static constexpr bool kOwnLoops = kWide && (kText == PackedText::kStraight || (kText == PackedText::kLooped && kFew));
  using Shape = PackedPairOf<T, First, Second, kMostStraight, !kOwnLoops>;
};
template <class T, class First, class Second, PackedText kText>
using PackedPair = typename PackedChoice<T, First, Second, kText>::Shape;

#endif  // !ULPFFT_HWY_SIZELESS

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
