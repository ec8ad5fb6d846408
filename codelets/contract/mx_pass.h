// The passes of mx schemes: what they need beyond PassArgs, and their slow path.
//
// Data: n adjacent interleaved complex numbers of f32, in digit-reversed order, transformed in place: element q of butterfly b of a pass of
// radix r over transforms of length l is number b / l * (r * l) + q * l + b % l. Butterflies are taken in the order of b; blocks of
// length / 2 of them share scales, for each q of its own. axes[0]: units of kMxUnit butterflies.
#ifndef ULPFFT_CODELETS_CONTRACT_MX_PASS_H_
#define ULPFFT_CODELETS_CONTRACT_MX_PASS_H_

#include <algorithm>
#include <cstdint>

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
  // Twiddles w^(q k), k = b % l, as elements and exponents of blocks, for q = 1 .. radix - 1 one after another; they repeat after `period`
  // butterflies, a multiple of kMxUnit, or do not (period >= butterflies). Both have room for whole units.
  std::int64_t period = 0;
  const float* twiddles = nullptr;           // 2 * padded period for each q
  const std::int32_t* exponents = nullptr;   // of their blocks: 2 * padded period / scheme.storage.length
};

inline std::int64_t mx_padded_period(const MxPass& pass) { return (pass.period + kMxUnit - 1) / kMxUnit * kMxUnit; }
inline std::int64_t mx_units(const MxPass& pass) { return (pass.butterflies + kMxUnit - 1) / kMxUnit; }
inline std::int64_t mx_place(const MxPass& pass, std::int64_t b, std::int64_t q) {
  return b / pass.length * (pass.radix * pass.length) + q * pass.length + b % pass.length;
}
// Of the twiddles of row q for a unit that begins with butterfly b; their exponents begin at this over the length of a block.
inline std::int64_t mx_twiddle(const MxPass& pass, std::int64_t b, std::int64_t q) {
  return 2 * ((q - 1) * mx_padded_period(pass) + b % pass.period);
}

// Products of `count` butterflies that begin a block; v and out may be the same.
inline void mx_multiply_slowly(const MxPass& pass, const float* v, const float* twiddles, const std::int32_t* exponents, std::int64_t count,
                               float* out) {
  const std::int64_t length = pass.scheme.storage.length;
  for (std::int64_t begin = 0; begin < 2 * count; begin += length) {
    const std::int64_t reals = std::min(length, 2 * count - begin);
    const MxBlockProduct product = mx_multiply(pass.scheme, v + begin, twiddles + begin, exponents[begin / length], reals);
    for (std::int64_t i = 0; i < reals; ++i) out[begin + i] = mx_value(product, i);
  }
}

// One row of a unit, read from or written to the data.
inline void mx_read_row(const MxPass& pass, const float* data, std::int64_t b, std::int64_t q, std::int64_t count, float* tile) {
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(count - i, pass.length - (b + i) % pass.length);
    std::copy_n(data + 2 * mx_place(pass, b + i, q), 2 * run, tile + 2 * i);
    i += run;
  }
}
inline void mx_write_row(const MxPass& pass, const float* tile, std::int64_t b, std::int64_t q, std::int64_t count, float* data) {
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t run = std::min(count - i, pass.length - (b + i) % pass.length);
    std::copy_n(tile + 2 * i, 2 * run, data + 2 * mx_place(pass, b + i, q));
    i += run;
  }
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_MX_PASS_H_
