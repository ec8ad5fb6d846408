// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/strided_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace ulpfft::fftw3 {

namespace {

template <int kBytes>
void copy_row(const CopyLoop& row, const char* from, char* to) {
  for (std::int64_t i = 0; i < row.n; ++i) std::memcpy(to + i * row.to_stride, from + i * row.from_stride, kBytes);
}

void copy_from(const std::vector<CopyLoop>& loops, std::size_t level, std::int64_t bytes, const char* from, char* to) {
  const CopyLoop& loop = loops[level];
  if (level + 1 == loops.size()) return bytes == 4 ? copy_row<4>(loop, from, to) : copy_row<8>(loop, from, to);
  for (std::int64_t i = 0; i < loop.n; ++i)
    copy_from(loops, level + 1, bytes, from + i * loop.from_stride, to + i * loop.to_stride);
}

}  // namespace

void copy_strided(std::vector<CopyLoop> loops, std::int64_t bytes, const void* from, void* to) {
  std::erase_if(loops, [](const CopyLoop& loop) { return loop.n == 1; });
  // The nearest elements innermost: those of the array that is not dense decide, because the other one fits caches better.
  const auto reach = [](const CopyLoop& loop) { return std::abs(loop.from_stride) + std::abs(loop.to_stride); };
  std::sort(loops.begin(), loops.end(), [&](const CopyLoop& a, const CopyLoop& b) { return reach(a) > reach(b); });
  if (loops.empty()) loops.push_back({});
  copy_from(loops, 0, bytes, static_cast<const char*>(from), static_cast<char*>(to));
}

}  // namespace ulpfft::fftw3
