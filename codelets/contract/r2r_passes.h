// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes of r2r transforms as far as all backends share them: the walk over lines, the passes that only move reals, and ends of a line that
// have no partner.
#ifndef ULPFFT_CODELETS_CONTRACT_R2R_PASSES_H_
#define ULPFFT_CODELETS_CONTRACT_R2R_PASSES_H_

#include <cstdint>

#include "codelets/contract/ends.h"
#include "codelets/contract/line_passes.h"

namespace ulpfft {

template <typename T>
using R2rLine = void (*)(const PassArgs& args, const T* from, T* to);
// Runs `line` for every line. Not inlined: all passes share it.
template <typename T>
[[gnu::noinline]] void run_r2r_lines(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count,
                                     R2rLine<T> line) {
  const T* const from = parts_of<T>(args.in, buffers).re;
  T* const to = parts_of<T>(args.out, buffers).re;
  for_each_line(args, first, count, [&](std::int64_t i, std::int64_t o, std::int64_t) { line(args, from + i, to + o); });
}

template <typename T>
void move_reals_line(const PassArgs& args, const T* from, T* to) {
  const T scale = static_cast<T>(args.scale);
  const std::int64_t count = args.lanes, in = args.in.point_stride, out = args.out.point_stride;
  for (std::int64_t j = 0; j < count; ++j) to[j * out] = from[j * in] * scale;
}

template <typename T>
void pick_line(const PassArgs& args, const T* from, T* to) {
  const T* const table = static_cast<const T*>(args.table);
  const T scale = static_cast<T>(args.scale);
  const T factors[4] = {T(0), table[1] * scale, table[2] * scale, table[3] * scale};
  const std::uint32_t* const rows = args.rows;
  const std::int64_t count = args.lanes, in = args.in.point_stride, out = args.out.point_stride;
  for (std::int64_t j = 0; j < count; ++j) {
    const std::uint32_t row = rows[j];
    to[j * out] = row % 4 == 0 ? T(0) : from[row / 4 * in] * factors[row % 4];
  }
}

// From pair `begin` on: the reals 2j and 2j + 1, of odd n real n - 1 as well.
template <typename T>
inline void split_odds_from(const PassArgs& args, const T* from, T* to, std::int64_t begin) {
  const T scale = static_cast<T>(args.scale), odd = args.in.swap ? -scale : scale;
  const std::int64_t n = args.lanes, in = args.in.point_stride;
  for (std::int64_t j = begin; j < n / 2; ++j) {
    to[j] = from[2 * j * in] * scale;
    to[n - 1 - j] = from[(2 * j + 1) * in] * odd;
  }
  if (n % 2 == 1) to[n / 2] = from[(n - 1) * in] * scale;
}

template <typename T>
inline void join_odds_from(const PassArgs& args, const T* from, T* to, std::int64_t begin) {
  const std::int64_t n = args.lanes, out = args.out.point_stride;
  for (std::int64_t j = begin; j < n / 2; ++j) {
    const T odd = from[n - 1 - j];
    to[2 * j * out] = from[j];
    to[(2 * j + 1) * out] = args.out.swap ? -odd : odd;
  }
  if (n % 2 == 1) to[(n - 1) * out] = from[n / 2];
}

// The lists of kFold and kUnfold.
template <typename T>
struct FoldTable {
  FoldTable(const void* table, std::int64_t h)
      : roots(static_cast<const T*>(table)), low(roots + 2 * (h / 2 + 1)), high(low + 2 * (h / 2 + 1)) {}
  const T* roots;
  const T* low;   // t of k
  const T* high;  // t of h - k
};

template <typename T>
inline void fold_unpaired(const FoldTable<T>& table, std::int64_t h, const T* from, T* to, std::int64_t out) {
  const T x = from[0], y = from[1];
  to[0] = (x + y) * table.low[0];
  to[h * out] = (x - y) * table.low[1];
}

template <typename T>
inline void unfold_unpaired(const FoldTable<T>& table, std::int64_t h, const T* from, T* to, std::int64_t in, T scale) {
  const T x = from[0] * scale * table.low[0], y = from[h * in] * scale * table.low[1];
  to[0] = x + y;
  to[1] = x - y;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_R2R_PASSES_H_
