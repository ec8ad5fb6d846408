// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The power of complex numbers, once per instruction set.
#include "codelets/contract/power.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "codelets/hwy/power.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "codelets/hwy/collect.h"
#include "codelets/hwy/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ulpfft {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if ULPFFT_HWY_SIMD

// Both vectors of numbers are loaded before their powers are stored, and those end before the next numbers begin.
template <bool kStreams, class T>
HWY_INLINE std::int64_t whole_vectors(const T* from, std::int64_t i, std::int64_t count, T* to) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; i + lanes <= count; i += lanes) {
    const auto a = hn::LoadU(d, from + 2 * i), b = hn::LoadU(d, from + 2 * i + lanes);
    const auto a2 = hn::Mul(a, a), b2 = hn::Mul(b, b);
    const auto power = hn::Add(hn::ConcatEven(d, b2, a2), hn::ConcatOdd(d, b2, a2));
    if constexpr (kStreams) {
      hn::Stream(power, d, to + i);
    } else {
      hn::StoreU(power, d, to + i);
    }
  }
  return i;
}

template <class T>
void powers(const void* numbers, std::int64_t count, void* to, bool non_temporal) {
  const T* const from = static_cast<const T*>(numbers);
  T* const result = static_cast<T*>(to);
  std::int64_t done = 0;
  if (non_temporal) {
    const std::uintptr_t vector = hn::Lanes(hn::ScalableTag<T>()) * sizeof(T), beyond = reinterpret_cast<std::uintptr_t>(to) % vector;
    const std::int64_t before = static_cast<std::int64_t>(beyond == 0 ? 0 : (vector - beyond) / sizeof(T));
    done = before < count ? before : count;
    powers_one_by_one<T>(from, done, result, false);
    done = whole_vectors<true>(from, done, count, result);
  } else {
    done = whole_vectors<false>(from, done, count, result);
  }
  powers_one_by_one<T>(from + 2 * done, count - done, result + done, false);
}

void find_powers(bool is_f32, PowerFn& found) { found = is_f32 ? &powers<float> : &powers<double>; }

#else

void find_powers(bool, PowerFn&) {}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace ulpfft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ulpfft {

PowerFn hwy_powers(std::int64_t target, bool is_f32);
PowerFn hwy_powers(std::int64_t target, bool is_f32) {
  PowerFn found = nullptr;
  ULPFFT_HWY_SWITCH(target, find_powers(is_f32, found))
  return found;
}

}  // namespace ulpfft
#endif
