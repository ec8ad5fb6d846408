// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Between interleaved numbers of the caller and planes of re and im.
#ifndef ULPFFT_STREAM_PLANES_H_
#define ULPFFT_STREAM_PLANES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ulpfft {

// im is null where there is none, and then the numbers are real; null numbers are zeros.
template <typename T>
void unpack(const void* numbers, bool is_complex, std::int64_t count, T* re, T* im) {
  const T* from = static_cast<const T*>(numbers);
  if (from == nullptr || !is_complex) {
    if (im != nullptr) std::fill_n(im, count, T{0});
    if (from == nullptr) {
      std::fill_n(re, count, T{0});
    } else if (count > 0) {
      std::memcpy(re, from, static_cast<std::size_t>(count) * sizeof(T));
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    re[i] = from[2 * i];
    im[i] = from[2 * i + 1];
  }
}

// im is null where there is none.
template <typename T>
void pack(const T* re, const T* im, std::int64_t count, void* numbers) {
  T* to = static_cast<T*>(numbers);
  if (im == nullptr) {
    std::memcpy(to, re, static_cast<std::size_t>(count) * sizeof(T));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    to[2 * i] = re[i];
    to[2 * i + 1] = im[i];
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_PLANES_H_
