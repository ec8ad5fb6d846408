// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Ports: how a generated body reads points and twiddles and writes points. A body sees load(j, re, im), get(i), store(j, re, im).
//
// Every j is a constant after inlining. `special` marks the rare cases (swap, scale, natural order) with one predictable branch.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "codelets/contract/codelet.h"
#include "codelets/contract/ends.h"
#include "codelets/hwy/lanes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_PORTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_PORTS_INL_H_
#undef ULPFFT_CODELETS_HWY_PORTS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_PORTS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// Between the stores of a body that has no branches. g++ would move loads and arithmetic of all points past each other, and spill what it
// moved: radix 8 f32, AVX2, planar: 155 ns instead of 117 for 1024 points.
HWY_INLINE void keep_order() { std::atomic_signal_fence(std::memory_order_acq_rel); }

// One scalar lane at any stride.
template <class D>
struct ScalarIn {
  using T = hn::TFromD<D>;
  D d;
  const T* re;
  const T* im;
  std::int64_t stride;
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    x = hn::LoadU(d, re + j * stride);
    y = hn::LoadU(d, im + j * stride);
  }
};
template <class D>
struct ScalarOut {
  using T = hn::TFromD<D>;
  D d;
  T* re;
  T* im;
  std::int64_t stride;
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) const {
    hn::StoreU(x, d, re + j * stride);
    hn::StoreU(y, d, im + j * stride);
  }
};

// W adjacent interleaved complex numbers per point.
template <class D, bool kWraps = true, bool kSpecial = true>
struct DeinterleaveIn {
  using T = hn::TFromD<D>;
  D d;
  const T* p;
  std::int64_t stride, wrap;
  std::int32_t wrap_point;
  bool special;
  bool swap;
  T scale;
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    const T* q = p + j * stride + (kWraps && j >= wrap_point ? wrap : 0);
    deinterleave(d, hn::LoadU(d, q), hn::LoadU(d, q + hn::MaxLanes(D())), x, y);
    if (kSpecial && HWY_UNLIKELY(special)) {
      if (swap) {
        const auto t = x;
        x = y;
        y = t;
      }
      x = hn::Mul(x, hn::Set(d, scale));
      y = hn::Mul(y, hn::Set(d, scale));
    }
  }
};

// Planar, or interleaved from lane order; `special`: wrap or swap.
template <class D, bool kPlanar = true, bool kWraps = true>
struct VectorOut {
  using T = hn::TFromD<D>;
  D d;
  T* p;
  std::int64_t stride, wrap;
  std::int32_t wrap_point;
  bool planar;
  bool special;
  bool swap;
  std::int64_t im_offset;  // planar
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) const {
    T* q = p + j * stride;
    if (kPlanar && planar) {
      hn::StoreU(x, d, q);
      hn::StoreU(y, d, q + im_offset);
      return;
    }
    if (HWY_UNLIKELY(special)) {
      q += kWraps && j >= wrap_point ? wrap : 0;
      if (swap) {
        const auto t = x;
        x = y;
        y = t;
      }
    }
    hn::Vec<D> a, b;
    interleave(d, x, y, a, b);
    hn::StoreU(a, d, q);
    hn::StoreU(b, d, q + hn::MaxLanes(D()));
  }
};
// Interleaved, where no point wraps; `special`: swap or index order. The branch has no store in it: with one, what follows every store
// is built twice, and the whole body loses what its straight line gains (1024 points f32: 0.98 instead of 1.08).
template <class D>
struct InterleavedOut {
  using T = hn::TFromD<D>;
  D d;
  T* p;
  std::int64_t stride;
  bool special, swap, index_order;
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) const {
    T* const q = p + j * stride;
    if (HWY_UNLIKELY(special)) {
      if (index_order) {
        x = to_lane_order(d, x);
        y = to_lane_order(d, y);
      }
      if (swap) {
        const auto t = x;
        x = y;
        y = t;
      }
    }
    hn::Vec<D> a, b;
    interleave(d, x, y, a, b);
    hn::StoreU(a, d, q);
    hn::StoreU(b, d, q + hn::MaxLanes(D()));
    keep_order();
  }
};
// Planar and nothing else.
template <class D>
struct PlanarOut {
  using T = hn::TFromD<D>;
  D d;
  T* re;
  T* im;
  std::int64_t stride;
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) const {
    hn::StoreU(x, d, re + j * stride);
    hn::StoreU(y, d, im + j * stride);
    keep_order();
  }
};

// One vector of re and one of im per point, anywhere.
template <class D>
struct PlanarIn {
  using T = hn::TFromD<D>;
  D d;
  const T* re;
  const T* im;
  std::int64_t stride;
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    x = hn::LoadU(d, re + j * stride);
    y = hn::LoadU(d, im + j * stride);
  }
};
// As PlanarIn; points whose bit is set in `path` are read with re and im exchanged (dual-select, sine path).
template <class D>
struct ExchangeIn {
  using T = hn::TFromD<D>;
  D d;
  const T* re;
  const T* im;
  std::int64_t stride;
  std::uint32_t path;
  HWY_INLINE void load(int j, hn::Vec<D>& x, hn::Vec<D>& y) const {
    const bool exchange = j > 0 && j <= 32 && ((path >> (j - 1)) & 1u) != 0;
    x = hn::LoadU(d, (exchange ? im : re) + j * stride);
    y = hn::LoadU(d, (exchange ? re : im) + j * stride);
  }
};
// Keeps the outputs of a first pass for the transpose.
#if ULPFFT_HWY_SIZELESS
template <class D, int kRadix>
struct RowsOut {
  static constexpr int kW = static_cast<int>(hn::MaxLanes(D()));
  HWY_ALIGN hn::TFromD<D> re[kRadix * kW];
  HWY_ALIGN hn::TFromD<D> im[kRadix * kW];
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) {
    hn::Store(x, D(), re + j * kW);
    hn::Store(y, D(), im + j * kW);
  }
  HWY_INLINE hn::Vec<D> get_re(int j) const { return hn::Load(D(), re + j * kW); }
  HWY_INLINE hn::Vec<D> get_im(int j) const { return hn::Load(D(), im + j * kW); }
};
#else
template <class D, int kRadix>
struct RowsOut {
  hn::Vec<D> re[kRadix];
  hn::Vec<D> im[kRadix];
  // Not left to the compiler: vectors of Arm have constructors, and g++ makes an implicit one without the attributes of the target.
  HWY_INLINE RowsOut() {}
  HWY_INLINE void store(int j, hn::Vec<D> x, hn::Vec<D> y) {
    re[j] = x;
    im[j] = y;
  }
  HWY_INLINE hn::Vec<D> get_re(int j) const { return re[j]; }
  HWY_INLINE hn::Vec<D> get_im(int j) const { return im[j]; }
};
#endif

struct NoTable {};
template <class D>
struct VectorTable {
  D d;
  const hn::TFromD<D>* p;
  HWY_INLINE hn::Vec<D> get(int i) const { return hn::Load(d, p + static_cast<std::size_t>(i) * hn::MaxLanes(D())); }
};
template <class D>
struct BroadcastTable {
  D d;
  const hn::TFromD<D>* p;
  HWY_INLINE hn::Vec<D> get(int i) const { return hn::Set(d, p[i]); }
};

#endif  // ULPFFT_HWY_SIMD

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
