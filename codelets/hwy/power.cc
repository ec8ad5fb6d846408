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
template <class T>
void powers(const void* numbers, std::int64_t count, void* to) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* const from = static_cast<const T*>(numbers);
  T* const result = static_cast<T*>(to);
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto a = hn::LoadU(d, from + 2 * i), b = hn::LoadU(d, from + 2 * i + lanes);
    const auto a2 = hn::Mul(a, a), b2 = hn::Mul(b, b);
    hn::StoreU(hn::Add(hn::ConcatEven(d, b2, a2), hn::ConcatOdd(d, b2, a2)), d, result + i);
  }
  powers_one_by_one<T>(from + 2 * i, count - i, result + i);
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
