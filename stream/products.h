// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The inner loops of filters: sums of products of spectra, and direct sums.
//
// Bits    every product, sum and difference is rounded, in an order that follows from the arguments alone. Instruction sets change the
//         speed.
// Shapes  rows of numbers are padded to kRowBytes, and all of a row is computed.
#ifndef ULPFFT_STREAM_PRODUCTS_H_
#define ULPFFT_STREAM_PRODUCTS_H_

#include <cstdint>

namespace ulpfft {

inline constexpr std::int64_t kRowBytes = 128;

// Numbers of a row for `count` numbers, at a distance that is no multiple of a page: rows one below the other share no cache set.
template <typename T>
constexpr std::int64_t padded_row(std::int64_t count) {
  constexpr std::int64_t kStep = kRowBytes / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t row = (count + kStep - 1) / kStep * kStep;
  return row % (4096 / static_cast<std::int64_t>(sizeof(T))) == 0 ? row + kStep : row;
}

// sum = sum over p = 0..partitions-1, ascending, of taps[p] times spectra[(newest - p) mod partitions]. A spectrum is a row of re and a row
// of im, one after the other, aligned to a cache line.
template <typename T>
struct SpectrumSums {
  const T* taps;
  const T* spectra;
  T* sum;
  std::int64_t row;
  std::int64_t newest;
  std::int64_t partitions;
};
template <typename T>
void add_spectra(const SpectrumSums<T>& sums);

// y[i] = sum over k = 0..tap_count-1, ascending, of taps[k] x[i - k], for i = 0..count-1 and on to the end of y's row. x is read up to that
// index as well.
template <typename T>
struct DirectSums {
  const T* taps;
  std::int64_t tap_count;
  const T* x;
  T* y;
  std::int64_t count;
};
template <typename T>
void add_directly(const DirectSums<T>& sums);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_PRODUCTS_H_
