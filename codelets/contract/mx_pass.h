// The passes of mx schemes: what they need beyond PassArgs, and their slow path.
//
// Data: n adjacent interleaved complex numbers of f32, in digit-reversed order, transformed in place: element q of butterfly b of a pass of
// radix r over transforms of length l is number b / l * (r * l) + q * l + b % l. Butterflies are taken in the order of b; blocks of
// length / 2 of them share scales, for each q of its own.
// Work: a list of the rows q = 1 .. r - 1, each of n / r butterflies and padded to `row`; axes[0] are units of kMxUnit entries of it.
#ifndef ULPFFT_CODELETS_CONTRACT_MX_PASS_H_
#define ULPFFT_CODELETS_CONTRACT_MX_PASS_H_

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "codelets/contract/mx_arithmetic.h"

namespace ulpfft {

inline constexpr std::int64_t kMxUnit = 128;  // butterflies: whole blocks, and enough whole vectors of every target to hide their latencies
static_assert(2 * kMxUnit % kLongestMxBlock == 0);

// PassArgs::table of these passes.
struct MxPass {
  MxScheme scheme;
  MxParameters parameters;
  std::int64_t radix = 2;
  std::int64_t length = 1;       // l
  std::int64_t butterflies = 0;  // n / radix
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
  const std::int64_t repeats = std::lcm(pass.length, kMxUnit);
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
// Products of `count` entries that begin a block; v and out may be the same.
inline void mx_multiply_slowly(const MxPass& pass, const float* v, const float* twiddles, const std::int32_t* exponents, std::int64_t count,
                               float* out) {
  const std::int64_t length = pass.scheme.storage.length;
  for (std::int64_t begin = 0; begin < 2 * count; begin += length) {
    const std::int64_t reals = std::min(length, 2 * count - begin);
    const MxBlockProduct product = mx_multiply(pass.scheme, v + begin, twiddles + begin, exponents[begin / length], reals);
    for (std::int64_t i = 0; i < reals; ++i) out[begin + i] = mx_value(product, i);
  }
}

// Calls part(b, q, count, at) for the butterflies of one row each that a unit has, `at` entries after its beginning.
template <typename Part>
inline void for_each_row(const MxPass& pass, std::int64_t unit, const Part& part) {
  const std::int64_t end = std::min((pass.radix - 1) * pass.row, (unit + 1) * kMxUnit);
  for (std::int64_t entry = unit * kMxUnit; entry < end;) {
    const std::int64_t q = entry / pass.row + 1, b = entry % pass.row;
    const std::int64_t stop = std::min(end, q * pass.row);
    if (b < pass.butterflies) part(b, q, std::min(stop - entry, pass.butterflies - b), entry - unit * kMxUnit);
    entry = stop;
  }
}

// `count` butterflies of row q, between the data and a tile.
template <bool kWrites>
inline void mx_move_row(const MxPass& pass, float* data, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(count - i, pass.length - (b + i) % pass.length);
    float* const at = data + 2 * mx_place(pass, b + i, q);
    std::copy_n(kWrites ? tile + 2 * i : at, 2 * run, kWrites ? at : tile + 2 * i);
    i += run;
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_MX_PASS_H_
