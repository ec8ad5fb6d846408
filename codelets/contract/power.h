// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The power of complex numbers, re * re + im * im, each of the three operations rounded once: the same bits on every target.
#ifndef ULPFFT_CODELETS_CONTRACT_POWER_H_
#define ULPFFT_CODELETS_CONTRACT_POWER_H_

#include <cstdint>

namespace ulpfft {

// `count` adjacent numbers become as many adjacent reals of their type, which may begin where the numbers do. Those that are elsewhere may
// go past the caches: fence afterwards.
using PowerFn = void (*)(const void* numbers, std::int64_t count, void* powers, bool non_temporal);

template <typename T>
void powers_one_by_one(const void* numbers, std::int64_t count, void* powers, bool) {
  const T* const from = static_cast<const T*>(numbers);
  T* const to = static_cast<T*>(powers);
  for (std::int64_t i = 0; i < count; ++i) {
    const T re = from[2 * i] * from[2 * i], im = from[2 * i + 1] * from[2 * i + 1];
    to[i] = re + im;
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_POWER_H_
