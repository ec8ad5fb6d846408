// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Complex numbers as units of a vector of interleaved parts: C = W / 2 of them.
#include "codelets/hwy/lanes-inl.h"

#if defined(ULPFFT_CODELETS_HWY_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ULPFFT_CODELETS_HWY_POINTS_INL_H_
#undef ULPFFT_CODELETS_HWY_POINTS_INL_H_
#else
#define ULPFFT_CODELETS_HWY_POINTS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD && !ULPFFT_HWY_SIZELESS

// C x C transpose of v[0 .. C-1].
template <class D>
  requires(sizeof(hn::TFromD<D>) == 4)
HWY_INLINE void transpose_points(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kC = static_cast<int>(hn::MaxLanes(D())) / 2;
  const Blocks64<D> d64;
  hn::Vec<Blocks64<D>> u[kC];
  HWY_UNROLL(16)
  for (int l = 0; l < kC; ++l) u[l] = hn::BitCast(d64, v[l]);
  transpose(d64, u);
  HWY_UNROLL(16)
  for (int l = 0; l < kC; ++l) v[l] = hn::BitCast(d, u[l]);
}
template <class D>
  requires(sizeof(hn::TFromD<D>) == 8)
HWY_INLINE void transpose_points(D d, hn::Vec<D>* HWY_RESTRICT v) {
  constexpr int kC = static_cast<int>(hn::MaxLanes(D())) / 2;
  if constexpr (kC == 2) transpose_whole_blocks(d, v[0], v[1]);
  if constexpr (kC == 4) transpose_whole_blocks(d, v[0], v[1], v[2], v[3]);
}

#endif  // ULPFFT_HWY_SIMD && !ULPFFT_HWY_SIZELESS

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#endif  // toggle
