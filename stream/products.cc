// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/products.h"

#include <cstddef>
#include <cstring>

namespace ulpfft {
namespace {

// A vector of the compiler, which is as many of the machine as it takes. g++ keeps the attribute of a dependent type in a struct.
template <typename T, int kBytes>
struct Lanes {
  typedef T Vector __attribute__((vector_size(kBytes)));
  static constexpr std::int64_t kCount = kBytes / static_cast<int>(sizeof(T));
};

// Partitions whose rows are read side by side, and the bytes of a row that are: enough that the sums, which are loaded and stored once for
// a group, cost little, and few enough streams and pages for the machine to follow.
constexpr std::int64_t kGroup = 4;
constexpr std::int64_t kStretchBytes = 4096;

// Partitions first..end-1 at reals begin..stop-1 of their rows.
template <typename T, int kBytes>
[[gnu::always_inline]] inline void add_group(const SpectrumSums<T>& sums, std::int64_t first, std::int64_t end, std::int64_t begin,
                                             std::int64_t stop) {
  using Vector = typename Lanes<T, kBytes>::Vector;
  constexpr std::int64_t kCount = Lanes<T, kBytes>::kCount;
  constexpr int kVectors = kBytes == 16 ? 1 : 2;
  const std::int64_t first_slot = sums.newest - first + (sums.newest < first ? sums.partitions : 0);
  for (std::int64_t at = begin; at < stop; at += kVectors * kCount) {
    Vector re[kVectors] = {};
    Vector im[kVectors] = {};
    if (first > 0) {
      std::memcpy(re, sums.sum + at, sizeof re);
      std::memcpy(im, sums.sum + sums.row + at, sizeof im);
    }
    std::int64_t slot = first_slot;
    for (std::int64_t p = first; p < end; ++p) {
      const T* h = sums.taps + 2 * p * sums.row + at;
      const T* x = sums.spectra + 2 * slot * sums.row + at;
      for (int v = 0; v < kVectors; ++v) {
        Vector h_re, h_im, x_re, x_im;
        std::memcpy(&h_re, h + v * kCount, sizeof h_re);
        std::memcpy(&h_im, h + sums.row + v * kCount, sizeof h_im);
        std::memcpy(&x_re, x + v * kCount, sizeof x_re);
        std::memcpy(&x_im, x + sums.row + v * kCount, sizeof x_im);
        re[v] += h_re * x_re - h_im * x_im;
        im[v] += h_re * x_im + h_im * x_re;
      }
      slot = slot == 0 ? sums.partitions - 1 : slot - 1;
    }
    std::memcpy(sums.sum + at, re, sizeof re);
    std::memcpy(sums.sum + sums.row + at, im, sizeof im);
  }
}

template <typename T, int kBytes>
[[gnu::always_inline]] inline void spectra_body(const SpectrumSums<T>& sums) {
  constexpr std::int64_t kStretch = kStretchBytes / static_cast<int>(sizeof(T));
  for (std::int64_t begin = 0; begin < sums.row; begin += kStretch) {
    const std::int64_t stop = begin + kStretch < sums.row ? begin + kStretch : sums.row;
    for (std::int64_t p = 0; p < sums.partitions; p += kGroup) {
      add_group<T, kBytes>(sums, p, p + kGroup < sums.partitions ? p + kGroup : sums.partitions, begin, stop);
    }
  }
}

template <typename T, int kBytes>
[[gnu::always_inline]] inline void direct_body(const DirectSums<T>& sums) {
  using Vector = typename Lanes<T, kBytes>::Vector;
  constexpr std::int64_t kCount = Lanes<T, kBytes>::kCount;
  constexpr int kVectors = static_cast<int>(kRowBytes / kBytes);
  for (std::int64_t at = 0; at < sums.count; at += kVectors * kCount) {
    Vector y[kVectors] = {};
    for (std::int64_t k = 0; k < sums.tap_count; ++k) {
      const T* x = sums.x + at - k;
      for (int v = 0; v < kVectors; ++v) {
        Vector values;
        std::memcpy(&values, x + v * kCount, sizeof values);
        y[v] += sums.taps[k] * values;
      }
    }
    std::memcpy(sums.y + at, y, sizeof y);
  }
}

#if defined(__x86_64__)
template <typename T>
[[gnu::target("avx512f")]] void spectra_avx512(const SpectrumSums<T>& sums) {
  spectra_body<T, 64>(sums);
}
template <typename T>
[[gnu::target("avx2")]] void spectra_avx2(const SpectrumSums<T>& sums) {
  spectra_body<T, 32>(sums);
}
template <typename T>
[[gnu::target("avx512f")]] void direct_avx512(const DirectSums<T>& sums) {
  direct_body<T, 64>(sums);
}
template <typename T>
[[gnu::target("avx2")]] void direct_avx2(const DirectSums<T>& sums) {
  direct_body<T, 32>(sums);
}
#endif

}  // namespace

template <typename T>
void add_spectra(const SpectrumSums<T>& sums) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return spectra_avx512(sums);
  if (__builtin_cpu_supports("avx2")) return spectra_avx2(sums);
#endif
  spectra_body<T, 16>(sums);
}

template <typename T>
void add_directly(const DirectSums<T>& sums) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return direct_avx512(sums);
  if (__builtin_cpu_supports("avx2")) return direct_avx2(sums);
#endif
  direct_body<T, 16>(sums);
}

template void add_spectra<float>(const SpectrumSums<float>&);
template void add_spectra<double>(const SpectrumSums<double>&);
template void add_directly<float>(const DirectSums<float>&);
template void add_directly<double>(const DirectSums<double>&);

}  // namespace ulpfft
