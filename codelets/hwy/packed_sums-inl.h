// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms in registers whose length is an odd prime r, or whose first body has one (is_of_sums()): one text for every r.
//
// Opposite points are added and subtracted: s_j = x_j + x_(r-j), d_j = x_j - x_(r-j), 0 < j < r/2. Then vectors of k, two at a time, add up
// cos(2 pi j k / r) s_j and sin(2 pi j k / r) d_j, j by j, with roots from the table; their sum and difference are points k and r - k. So
// lanes are k however many columns there are, and the rows of a second body lie as it reads them.
// Order    that of the generated body (genfft/algorithm/dft.cc): the second product of a sum of sines is rounded, all others are fused.
// Error    as that body's facts say; ref executes the body itself.
#include <cstdint>

#include "codelets/contract/codelet.h"
#include "codelets/hwy/packed_shapes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_PACKED_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_PACKED_SUMS_INL_H_
#undef ULPFFT_CODELETS_HWY_PACKED_SUMS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_PACKED_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD && ULPFFT_HWY_FMA

constexpr int kMostSumsPoints = 512;
constexpr int kMostSumsColumns = 32;

// Complex numbers in a vector.
template <class T>
inline constexpr int kSumsNumbers = packed_numbers(static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>())), 61);

// Rows of `columns` numbers: x_0, then s_1, s_2, ..., then d_1, d_2, ..., then y_0.
template <class T, int kV>
HWY_INLINE void opposite_sums_by(const T* p, std::int64_t half, std::int64_t columns, T* HWY_RESTRICT sums) {
  const PackedTag<T, kV> d;
  const std::int64_t row = 2 * columns;
  for (std::int64_t done = 0; done < columns; done += kV) {
    const std::int64_t at = 2 * HWY_MIN(done, columns - kV);
    const auto x0 = hn::LoadU(d, p + at);
    hn::StoreU(x0, d, sums + at);
    const T* low = p + at + row;
    const T* high = p + at + 2 * half * row;
    T* to = sums + at + row;
    auto total = hn::Zero(d);
    for (std::int64_t j = 0; j < half; ++j, low += row, high -= row, to += row) {
      const auto a = hn::LoadU(d, low);
      const auto b = hn::LoadU(d, high);
      const auto sum = hn::Add(a, b);
      hn::StoreU(sum, d, to);
      hn::StoreU(hn::Sub(a, b), d, to + half * row);
      total = j == 0 ? sum : hn::Add(total, sum);
    }
    hn::StoreU(hn::Add(total, x0), d, to + half * row);
  }
}
template <class T>
HWY_INLINE void opposite_sums(const T* p, std::int64_t half, std::int64_t columns, T* HWY_RESTRICT sums) {
  constexpr int kMost = static_cast<int>(hn::MaxLanes(hn::CappedTag<T, 32 / sizeof(T)>())) / 2;  // wider vectors would mostly be parts of rows
  if constexpr (kMost >= 4) {
    if (columns >= 4) return opposite_sums_by<T, 4>(p, half, columns, sums);
  }
  if constexpr (kMost >= 2) {
    if (columns >= 2) return opposite_sums_by<T, 2>(p, half, columns, sums);
  }
  opposite_sums_by<T, 1>(p, half, columns, sums);
}

// Points k and r - k of one vector of k, the first of which is `begin`, from sums of cosines and of sines; `turn` is -1 where both ends are
// exchanged.
template <class D, class V, class T>
HWY_INLINE void store_opposite(D d, V cos_re, V cos_im, V sin_re, V sin_im, V turn, T* q, std::int64_t radix, std::int64_t begin) {
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  hn::StoreInterleaved2(hn::MulAdd(sin_im, turn, cos_re), hn::NegMulAdd(sin_re, turn, cos_im), d, q + 2 * begin);
  const V re = hn::NegMulAdd(sin_im, turn, cos_re), im = hn::MulAdd(sin_re, turn, cos_im);
  hn::StoreInterleaved2(hn::Reverse(d, re), hn::Reverse(d, im), d, q + 2 * (radix - begin - kLanes + 1));
}

// Two vectors of k, or one. `sums`: of one column of rows that are `row` reals apart.
template <class T, int kLanes, bool kTwo>
HWY_INLINE void sums_of_vectors(const T* sums, std::int64_t row, std::int64_t half, const T* roots, T sign, T* q, std::int64_t first) {
  const hn::CappedTag<T, kLanes> d;
  constexpr int kStep = kTwo ? 4 * kLanes : 2 * kLanes;
  const T* s = sums + row;
  const T* t = s + half * row;
  // j = 1 and 2.
  auto re = hn::Set(d, s[0]), im = hn::Set(d, s[1]);
  const auto x_re = hn::Set(d, sums[0]), x_im = hn::Set(d, sums[1]);
  auto c = hn::Load(d, roots);
  auto a_re = hn::MulAdd(c, re, x_re), a_im = hn::MulAdd(c, im, x_im);
  auto b_re = a_re, b_im = a_im;
  if constexpr (kTwo) {
    c = hn::Load(d, roots + 2 * kLanes);
    b_re = hn::MulAdd(c, re, x_re);
    b_im = hn::MulAdd(c, im, x_im);
  }
  re = hn::Set(d, t[row]);
  im = hn::Set(d, t[row + 1]);
  c = hn::Load(d, roots + kStep + kLanes);
  auto u_re = hn::Mul(c, re), u_im = hn::Mul(c, im);
  auto v_re = u_re, v_im = u_im;
  if constexpr (kTwo) {
    c = hn::Load(d, roots + kStep + 3 * kLanes);
    v_re = hn::Mul(c, re);
    v_im = hn::Mul(c, im);
  }
  re = hn::Set(d, t[0]);
  im = hn::Set(d, t[1]);
  c = hn::Load(d, roots + kLanes);
  u_re = hn::MulAdd(c, re, u_re);
  u_im = hn::MulAdd(c, im, u_im);
  if constexpr (kTwo) {
    c = hn::Load(d, roots + 3 * kLanes);
    v_re = hn::MulAdd(c, re, v_re);
    v_im = hn::MulAdd(c, im, v_im);
  }
  // The sines are one j ahead of the cosines.
  for (std::int64_t j = 1;; ++j) {
    s += row;
    t += row;
    roots += kStep;
    re = hn::Set(d, s[0]);
    im = hn::Set(d, s[1]);
    c = hn::Load(d, roots);
    a_re = hn::MulAdd(c, re, a_re);
    a_im = hn::MulAdd(c, im, a_im);
    if constexpr (kTwo) {
      c = hn::Load(d, roots + 2 * kLanes);
      b_re = hn::MulAdd(c, re, b_re);
      b_im = hn::MulAdd(c, im, b_im);
    }
    if (j == half - 1) break;
    re = hn::Set(d, t[row]);
    im = hn::Set(d, t[row + 1]);
    c = hn::Load(d, roots + kStep + kLanes);
    u_re = hn::MulAdd(c, re, u_re);
    u_im = hn::MulAdd(c, im, u_im);
    if constexpr (kTwo) {
      c = hn::Load(d, roots + kStep + 3 * kLanes);
      v_re = hn::MulAdd(c, re, v_re);
      v_im = hn::MulAdd(c, im, v_im);
    }
  }
  const auto turn = hn::Set(d, sign);
  const std::int64_t radix = 2 * half + 1;
  store_opposite(d, a_re, a_im, u_re, u_im, turn, q, radix, 1 + first);
  if constexpr (kTwo) store_opposite(d, b_re, b_im, v_re, v_im, turn, q, radix, 1 + HWY_MIN(first + kLanes, half - kLanes));
}

// All columns; the points of each are a row of q.
template <class T, int kLanes>
HWY_NOINLINE void sums_of_columns(const T* sums, std::int64_t columns, std::int64_t half, const T* roots, T sign, T* q) {
  const std::int64_t row = 2 * columns;
  const T* const y0 = sums + (2 * half + 1) * row;
  for (std::int64_t column = 0; column < columns; ++column, q += 2 * (2 * half + 1)) {
    q[0] = y0[2 * column];
    q[1] = y0[2 * column + 1];
    const T* from = roots;
    std::int64_t k = 0;
    for (; k + kLanes < half; k += 2 * kLanes, from += half * 4 * kLanes) {
      sums_of_vectors<T, kLanes, true>(sums + 2 * column, row, half, from, sign, q, k);
    }
    if (k < half) sums_of_vectors<T, kLanes, false>(sums + 2 * column, row, half, from, sign, q, HWY_MIN(k, half - kLanes));
  }
}

// p: a matrix of `radix` rows of `columns` numbers. Its columns become rows of q.
template <class T>
HWY_NOINLINE void packed_by_sums(const T* p, std::int64_t radix, std::int64_t columns, const T* roots, T sign, T* q) {
  HWY_ALIGN T sums[2 * (kMostSumsPoints + kMostSumsColumns)];
  const std::int64_t half = (radix - 1) / 2;
  opposite_sums(p, half, columns, sums);
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
  if constexpr (kLanes > 8) {
    static_assert(sums_lanes(kLanes, 17) == 8 && kLanes == 16);
    if (half < kLanes) return sums_of_columns<T, kLanes / 2>(sums, columns, half, roots, sign, q);
  }
  sums_of_columns<T, kLanes>(sums, columns, half, roots, sign, q);
}

// The prime that a table is of.
template <class T>
HWY_INLINE std::int64_t radix_of_sums(const T* table) { return static_cast<std::int64_t>(table[2 * kSumsNumbers<T>]); }

template <class T>
HWY_INLINE void packed_sums(const T* p, T* q, const T* table) {
  packed_by_sums<T>(p, radix_of_sums(table), 1, table + 4 * kSumsNumbers<T>, table[0], q);
}

// Rows of r1 numbers by the second body: vectors of k.
template <class T, class Second>
HWY_NOINLINE void packed_rows_of_any(const T* HWY_RESTRICT rows, T* q, const T* table, const T* twiddles, std::int64_t r1) {
  constexpr int kV = kSumsNumbers<T>;
  using D = PackedTag<T, kV>;
  const hn::Vec<D> turn = hn::Load(D(), table);
  for (std::int64_t done = 0; done < r1; done += kV, twiddles += Second::kTableValues * 2 * kV) {
    const std::int64_t begin = HWY_MIN(done, r1 - kV);
    const PackedInAt<D> in{rows + 2 * begin, 2 * r1};
    PackedOutAt<D> out{q + 2 * begin, 2 * r1};
    Second::run(D(), turn, in, PackedTable<D, 2 * kV>{twiddles}, out);
  }
}
template <class T, class Second>
HWY_INLINE void packed_sums_pair(const T* p, T* q, const T* table) {
  constexpr int kV = kSumsNumbers<T>;
  HWY_ALIGN T rows[2 * kMostSumsPoints];
  const std::int64_t r1 = radix_of_sums(table);
  const T* const twiddles = table + 4 * kV;
  packed_by_sums<T>(p, r1, Second::kRadix, twiddles + (r1 + kV - 1) / kV * Second::kTableValues * 2 * kV, table[0], rows);
  packed_rows_of_any<T, Second>(rows, q, table, twiddles, r1);
}

#endif  // ULPFFT_HWY_SIMD && ULPFFT_HWY_FMA

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
