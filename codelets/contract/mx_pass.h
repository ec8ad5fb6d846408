// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of mx schemes: what they need beyond PassArgs, and their slow path.
//
// Data: n complex numbers of f32 in digit-reversed order; element q of butterfly b of a pass of radix r over transforms of length l is
// number b / l * (r * l) + q * l + b % l. Butterflies are taken in the order of b; blocks of length / 2 of them share scales, for each q of
// its own. Where a pass is the first, all twiddles are 1: of radix 2 with l = 1, its input by way of `points`, else with the columns of
// the natural order, l = n / r.
// Ends: in, interleaved or planar numbers, perhaps exchanged and scaled; out, interleaved, adjacent, the same array or another.
// Work: a list of the rows q = 1 .. r - 1, each of n / r butterflies and padded to `row`; axes[0] are units of kMxUnit entries of it.
#ifndef ULPFFT_CODELETS_CONTRACT_MX_PASS_H_
#define ULPFFT_CODELETS_CONTRACT_MX_PASS_H_

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "codelets/contract/ends.h"
#include "codelets/contract/mx_arithmetic.h"

namespace ulpfft {

inline constexpr std::int64_t kMxUnit = 128;  // butterflies: whole blocks, and enough whole vectors of every target to hide their latencies
static_assert(2 * kMxUnit % kLongestMxBlock == 0);

// PassArgs::context of these passes.
struct MxPass : ContextOf<MxPass> {
  MxScheme scheme;
  MxParameters parameters;
  std::int64_t radix = 2;
  std::int64_t length = 1;       // l
  std::int64_t butterflies = 0;  // n / radix
  bool ones = false;             // all twiddles are 1
  const std::uint32_t* points = nullptr;  // not null: element q of butterfly b is read from number points[b] + q * butterflies
  std::int64_t row = 0;          // entries of the list for one q: whole blocks; where twiddles repeat whole units
  // Twiddles w^(q k), k = b % l, as elements and exponents of blocks, for q = 1 .. radix - 1 one after another: of entries 0 .. period - 1
  // of a row, which repeat. The last unit is there as a whole.
  std::int64_t period = 0;
  const float* twiddles = nullptr;
  const std::int32_t* exponents = nullptr;
};

// Sets row and period, and returns the entries of the table: 2 reals each.
inline std::int64_t lay_out(MxPass& pass) {
  const auto up = [](std::int64_t x, std::int64_t to) { return (x + to - 1) / to * to; };
  // Few butterflies share units with those of other rows; of many the table is short where it repeats.
  constexpr std::int64_t kFew = 8 * kMxUnit;
  pass.row = pass.period = up(pass.butterflies, pass.butterflies < kFew ? pass.parameters.length / 2 : kMxUnit);
  const std::int64_t repeats = std::lcm(pass.ones ? 1 : pass.length, kMxUnit);
  if (pass.row % kMxUnit == 0 && repeats < pass.row && pass.butterflies % repeats == 0) pass.period = repeats;
  return up((pass.radix - 1) * pass.period, kMxUnit);
}
inline std::int64_t mx_units(const MxPass& pass) { return ((pass.radix - 1) * pass.row + kMxUnit - 1) / kMxUnit; }
inline std::int64_t mx_place(const MxPass& pass, std::int64_t b, std::int64_t q) {
  return b / pass.length * (pass.radix * pass.length) + q * pass.length + b % pass.length;
}
// The entry of the table for one of the list.
inline std::int64_t mx_twiddle(const MxPass& pass, std::int64_t entry) {
  return pass.period == pass.row ? entry : entry / pass.row * pass.period + entry % pass.row % pass.period;
}
// Products of `count` entries that begin a block; v and out may be the same. In ref, by the slow codec.
void mx_multiply_slowly(const MxPass& pass, const float* v, const float* twiddles, const std::int32_t* exponents, std::int64_t count, float* out);

// Calls part(b, q, count, at) for the butterflies of one row each that a unit has, `at` entries after its beginning.
template <typename Part>
inline void for_each_row(const MxPass& pass, std::int64_t unit, const Part& part) {
  const std::int64_t end = std::min((pass.radix - 1) * pass.row, (unit + 1) * kMxUnit);
  std::int64_t q = unit * kMxUnit / pass.row + 1, b = unit * kMxUnit - (q - 1) * pass.row;
  for (std::int64_t entry = unit * kMxUnit; entry < end; ++q, b = 0) {
    const std::int64_t stop = std::min(end, q * pass.row);
    if (b < pass.butterflies) part(b, q, std::min(stop - entry, pass.butterflies - b), entry - unit * kMxUnit);
    entry = stop;
  }
}

// What a pass reads: number i has its parts at re[i * stride] and im[i * stride].
struct MxSource {
  Ends<float> from;
  std::int64_t stride = 2;
  float scale = 1;
  bool in_place = false;  // where it writes, too
};
inline MxSource mx_source(const PassArgs& args, const Buffers& buffers, const MxPass& pass) {
  MxSource source;
  source.from = resolve<float>(args.in, buffers);
  source.stride = args.in.planar ? 1 : 2;
  source.scale = static_cast<float>(args.scale);
  source.in_place = source.from.re == resolve<float>(args.out, buffers).re && !args.in.planar && args.scale == 1.0 && pass.points == nullptr;
  return source;
}
// `count` butterflies of row q to a tile, number by number.
inline void mx_load_row(const MxPass& pass, const MxSource& source, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = pass.points == nullptr ? mx_place(pass, b + i, q) : pass.points[b + i] + q * pass.butterflies;
    tile[2 * i] = source.from.re[at * source.stride] * source.scale;
    tile[2 * i + 1] = source.from.im[at * source.stride] * source.scale;
  }
}
inline void mx_store_row(const MxPass& pass, const float* tile, std::int64_t b, std::int64_t q, std::int64_t count, float* data) {
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(count - i, pass.length - (b + i) % pass.length);
    std::copy_n(tile + 2 * i, 2 * run, data + 2 * mx_place(pass, b + i, q));
    i += run;
  }
}
// Row 0, which has no twiddles, where it does not stay: the share of units first .. first + count - 1. move(b, count)
template <typename Move>
inline void for_row_0(const MxPass& pass, std::int64_t first, std::int64_t count, const Move& move) {
  const std::int64_t units = mx_units(pass), share = (pass.butterflies + units - 1) / units;
  // Whole vectors of every target.
  const std::int64_t step = (share + kMxUnit - 1) / kMxUnit * kMxUnit;
  const std::int64_t end = std::min(pass.butterflies, (first + count) * step);
  for (std::int64_t b = first * step; b < end; b += kMxUnit) move(b, std::min(kMxUnit, end - b));
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_MX_PASS_H_
