// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/averages.h"

#include <algorithm>

#include "ulpfft/stream.h"

namespace ulpfft {
namespace {

// Loops that compilers turn into vectors.
template <typename T>
[[gnu::always_inline]] inline void add_body(const AverageStep<T>& step) {
  const T* const row = step.row;
  double* const sums = step.sums;
  const std::int64_t count = step.count;
  const double weight = step.weight;
  if (step.first) {
    for (std::int64_t k = 0; k < count; ++k) sums[k] = row[k];
    return;
  }
  switch (step.average) {
    case ULPFFT_AVERAGE_MAX:
      for (std::int64_t k = 0; k < count; ++k) sums[k] = std::max<double>(row[k], sums[k]);
      break;
    case ULPFFT_AVERAGE_MIN:
      for (std::int64_t k = 0; k < count; ++k) sums[k] = std::min<double>(row[k], sums[k]);
      break;
    case ULPFFT_AVERAGE_EXPONENTIAL:
      for (std::int64_t k = 0; k < count; ++k) sums[k] = sums[k] * (1 - weight) + row[k] * weight;
      break;
    default:
      for (std::int64_t k = 0; k < count; ++k) sums[k] += row[k];
  }
}

#if defined(__x86_64__)
template <typename T>
[[gnu::target("avx512f")]] void add_avx512(const AverageStep<T>& step) {
  add_body(step);
}
template <typename T>
[[gnu::target("avx2")]] void add_avx2(const AverageStep<T>& step) {
  add_body(step);
}
#endif

}  // namespace

template <typename T>
void add_row(const AverageStep<T>& step) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return add_avx512(step);
  if (__builtin_cpu_supports("avx2")) return add_avx2(step);
#endif
  add_body(step);
}

template void add_row<float>(const AverageStep<float>&);
template void add_row<double>(const AverageStep<double>&);

}  // namespace ulpfft
