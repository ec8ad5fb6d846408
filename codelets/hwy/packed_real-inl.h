// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Short real transforms that stay in registers: PackedTwo of h numbers, and kUntangle after it or kTangle before it, on the same vectors.
//
// Vector q holds numbers q V .. q V + V - 1. The partners of its numbers are number 0 of vector Q - q and, in reverse, the other numbers of
// vector Q - 1 - q. Every result is the one of kUntangle and kTangle without a scale, forward r2c and c2r backward: each operation of
// theirs is one here, on re and im in neighbouring lanes.
#include <cstdint>

#include "codelets/hwy/packed_shapes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_PACKED_REAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_PACKED_REAL_INL_H_
#undef ULPFFT_CODELETS_HWY_PACKED_REAL_INL_H_
#else
#define ULPFFT_CODELETS_HWY_PACKED_REAL_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD && !ULPFFT_HWY_SIZELESS

// Lane l of number c holds lane l of number (shift - c) mod V.
template <class Index, int kV, int kShift>
struct MirrorIndices {
  HWY_ALIGN Index index[2 * kV];
  constexpr MirrorIndices() : index() {
    for (int c = 0; c < kV; ++c) {
      for (int l = 0; l < 2; ++l) index[2 * c + l] = 2 * ((kShift - c + kV) % kV) + l;
    }
  }
};
template <int kShift, class D>
HWY_INLINE hn::Vec<D> mirrored(D d, hn::Vec<D> x) {
  constexpr int kV = static_cast<int>(hn::MaxLanes(D())) / 2;
  using Index = hn::TFromD<hn::RebindToSigned<D>>;
  HWY_ALIGN static constexpr MirrorIndices<Index, kV, kShift> kIndices;
  return hn::TableLookupLanes(x, hn::SetTableIndices(d, kIndices.index));
}

template <class D, int kStep>
struct PackedKeepEach {
  hn::Vec<D>* v;
  HWY_INLINE void store(int j, hn::Vec<D> x) const { v[j * kStep] = x; }
};
template <class D, int kStep>
struct PackedKeptEach {
  const hn::Vec<D>* v;
  HWY_INLINE hn::Vec<D> load(int j) const { return v[j * kStep]; }
};

// Powers of two, whose vectors hold no number twice. Beyond half of the registers two calls are as fast (AVX-512, f64 128 numbers: 86 ns
// against 78).
constexpr bool packed_serves_reals(int r1, int r2, int numbers, int registers) {
  return ULPFFT_HWY_FMA && numbers >= 2 && (r1 & (r1 - 1)) == 0 && (r2 & (r2 - 1)) == 0 && r1 * r2 >= 4 * numbers &&
         2 * r1 * r2 <= registers * numbers;
}

template <class T, class First, class Second>
struct PackedReal {
  using Two = PackedTwo<T, First, Second>;
  using D = typename Two::D;
  using V = typename Two::V;
  static constexpr int kV = Two::kV;
  static constexpr int kPoints = Two::kPoints;
  static constexpr int kVectors = kPoints / kV;
  static constexpr int kHalf = kVectors / 2;

  static HWY_INLINE V parts(T re, T im) { return hn::OddEven(hn::Set(D(), im), hn::Set(D(), re)); }
  static HWY_INLINE V with_first(V number, V x) { return hn::IfThenElse(hn::FirstN(D(), 2), number, x); }
  static HWY_INLINE V partners(V x, V before) { return with_first(before, mirrored<0>(D(), x)); }

  // The difference times (s, s) plus its parts exchanged times (c, c) with signs: the arithmetic of both passes.
  static HWY_INLINE V turned(V difference, const T* table, V sign) {
    const V w = hn::LoadU(D(), table);
    return hn::MulAdd(hn::Reverse2(D(), difference), hn::Xor(hn::DupEven(w), sign), hn::Mul(difference, hn::DupOdd(w)));
  }

  // ---- r2c

  template <int kAt>
  static HWY_INLINE void second(V turn, const V* y, const T* table, V* z) {
    if constexpr (kAt < Two::kSeconds) {
      V squares[Two::kFirsts * kV];
      Two::template turn_squares<0, kAt>(y, squares);
      const PackedKept<D, kV, Two::kR2, false> in{squares};
      PackedKeepEach<D, Two::kSeconds> out{z + kAt};
      Second::run(D(), turn, in, PackedTable<D, 2 * kV>{table + kAt * Second::kTableValues * 2 * kV}, out);
      second<kAt + 1>(turn, y, table, z);
    }
  }

  template <int kAt>
  static HWY_INLINE void untangle(const V* z, const T* table, T* q) {
    if constexpr (kAt < kHalf) {
      const V conjugate = parts(0, T(-0.0)), half = hn::Set(D(), T(0.5));
      const V a = z[kAt], b = hn::Xor(partners(z[kVectors - 1 - kAt], z[kAt == 0 ? 0 : kVectors - kAt]), conjugate);
      const V sum = hn::Add(a, b), difference = hn::Sub(a, b);
      const V p = turned(difference, table + kAt * 2 * kV, conjugate);
      V low = hn::MulAdd(half, sum, p);
      V high = hn::MulAdd(parts(T(0.5), T(-0.5)), sum, hn::Xor(p, parts(T(-0.0), 0)));
      if constexpr (kAt == 0) {
        const V exchanged = hn::Reverse2(D(), a);
        low = with_first(hn::IfThenElseZero(hn::FirstN(D(), 1), hn::Add(a, exchanged)), low);
        high = with_first(hn::IfThenElseZero(hn::FirstN(D(), 1), hn::Sub(a, exchanged)), high);
      }
      hn::StoreU(low, D(), q + kAt * 2 * kV);
      hn::StoreU(mirrored<kV - 1>(D(), high), D(), q + 2 * (kPoints - kAt * kV - kV + 1));
      untangle<kAt + 1>(z, table, q);
    }
  }

  static HWY_INLINE void forward(const T* p, T* q, const T* table, const T* pairs) {
    const V turn = hn::Load(D(), table);
    typename Two::State state;
    V y[Two::kFirsts * Two::kR1];
    Two::template first<0>(turn, p, y, state, nullptr);
    V z[kVectors];
    second<0>(turn, y, table + 2 * kV, z);
    hn::StoreU(hn::Xor(z[kHalf], parts(0, T(-0.0))), D(), q + kPoints);  // of which point h/2 remains
    untangle<0>(z, pairs, q);
  }

  // ---- c2r

  // Number 0 of a vector of partners is the first one of the next vector, and point h/2 of the last.
  template <int kAt>
  static HWY_INLINE void tangle(const T* p, const T* table, V* z) {
    if constexpr (kAt < kHalf) {
      const V conjugate = parts(0, T(-0.0));
      const V a = hn::LoadU(D(), p + kAt * 2 * kV);
      const V b = hn::Xor(mirrored<kV - 1>(D(), hn::LoadU(D(), p + 2 * (kPoints - kAt * kV - kV + 1))), conjugate);
      const V sum = hn::Add(a, b), difference = hn::Sub(a, b);
      const V t = turned(difference, table + kAt * 2 * kV, parts(T(-0.0), 0));
      z[kAt] = hn::Add(sum, t);
      const V high = hn::Sub(hn::Xor(sum, conjugate), hn::Xor(t, conjugate));
      if constexpr (kAt == 0) {
        const T x = p[0], y = p[2 * kPoints];
        z[0] = with_first(parts(x + y, x - y), z[0]);
      } else {
        z[kVectors - kAt] = with_first(high, z[kVectors - kAt]);
      }
      z[kVectors - 1 - kAt] = mirrored<0>(D(), high);
      tangle<kAt + 1>(p, table, z);
    }
  }

  template <int kAt>
  static HWY_INLINE void first(V turn, const V* z, V* y) {
    if constexpr (kAt < Two::kFirsts) {
      const PackedKeptEach<D, Two::kFirsts> in{z + kAt};
      PackedKeep<D> out{y + kAt * Two::kR1};
      First::run(D(), turn, in, PackedTable<D, 0>{nullptr}, out);
      first<kAt + 1>(turn, z, y);
    }
  }

  static HWY_INLINE void backward(const T* p, T* q, const T* table, const T* pairs) {
    const V turn = hn::Load(D(), table);
    typename Two::State state;
    V z[kVectors];
    tangle<0>(p, pairs, z);
    const V middle = hn::LoadU(D(), p + kPoints);
    z[kHalf] = with_first(hn::Xor(hn::Add(middle, middle), parts(0, T(-0.0))), z[kHalf]);
    V y[Two::kFirsts * Two::kR1];
    first<0>(turn, z, y);
    Two::template second<0>(turn, y, table + 2 * kV, q, state, nullptr);
  }
};

#endif  // ULPFFT_HWY_SIMD && !ULPFFT_HWY_SIZELESS

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
