// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the passes of mx schemes are made of: stages, once per instruction set, and what takes a pass through them, once.
#ifndef ULPFFT_CODELETS_HWY_MX_STAGES_H_
#define ULPFFT_CODELETS_HWY_MX_STAGES_H_

#include <algorithm>
#include <cstdint>

#include "codelets/contract/mx_pass.h"

namespace ulpfft {

inline constexpr int kMxReals = static_cast<int>(2 * kMxUnit);
inline constexpr int kMxWidest = 16;  // reals of the longest vector

// What holds for every block of a pass.
struct MxConstants {
  std::int32_t base, up, emax, carry_up, lowest_scale, highest_scale;
  std::int32_t lowest_binade, to_steps;  // rounding: bits of 2^lowest_exponent; what turns a binade into 2^23 steps of it
  float bound, largest, zero;            // bound: of magnitudes; zero: -0 keeps the sign of zeros, +0 takes it
  bool fresh;
  explicit MxConstants(const MxParameters& p)
      : base(p.base), up(static_cast<std::int32_t>(p.up)), emax(p.emax), carry_up(static_cast<std::int32_t>(p.carry_up)),
        lowest_scale(p.lowest_scale), highest_scale(p.highest_scale), lowest_binade((p.lowest_exponent + 127) << 23),
        to_steps((23 - p.fraction_bits) << 23), bound(std::max(p.largest, -p.lowest)), largest(p.largest),
        zero(p.negative_zero ? -0.0F : 0.0F), fresh(p.fresh) {}
};

// What a unit is worked on in. Every stage goes over the whole unit: a block alone would wait for its own latencies.
struct MxTile {
  alignas(64) float products[kMxReals];
  alignas(64) std::int32_t largest[kMxReals];       // of blocks, bits
  alignas(64) std::int32_t exponents[kMxReals];     // of blocks
  alignas(64) float factors[kMxReals + kMxWidest];   // of blocks: what numbers are multiplied by before they are rounded
  alignas(64) float scales[kMxReals + kMxWidest];    // of products
  alignas(64) float u[kMxReals + kMxWidest];
  alignas(64) float v[kMxReals + kMxWidest];
};

// How numbers of blocks get to the reals of them.
struct MxBlocks {
  int shift;  // logarithm of the length
  int count;  // in a unit
};

// How rows of a pass move.
struct MxRows {
  const MxPass& pass;
  MxSource source;
  float* data;
  int shift;          // logarithm of l, or -1
  bool interleaved;   // the source, its parts in order
  bool lane_order;    // the source is planar, its vectors in lane order
  bool flat;          // one transform: rows are neighbours, and go on in the next
};

struct MxStages {
  void (*find_largest[6])(const float* reals, std::int32_t* largest);  // by the logarithm of the length of blocks, - 1
  void (*scale_data)(const MxConstants& c, const MxBlocks& blocks, bool ones, MxTile& tile);
  void (*multiply[2])(const MxConstants& c, const MxBlocks& blocks, const float* v, const float* twiddles, MxTile& tile);  // [plain]
  void (*scale_products)(const MxConstants& c, const MxBlocks& blocks, const std::int32_t* exponents, MxTile& tile);
  void (*finish[2][2][2])(const MxConstants& c, const MxBlocks& blocks, const float* reals, int count, const MxTile& tile, float* u,
                          float* v);  // [plain][ones][butterflies]
  void (*add_products)(const float* products, float* u, float* v);
  void (*load_halves)(const float* data, int shift, std::int64_t count, float* u, float* v);
  void (*store_halves)(const float* u, const float* v, int shift, std::int64_t count, float* data);
  void (*load_row)(const MxRows& rows, std::int64_t b, std::int64_t q, std::int64_t count, float* tile);
  void (*store_row)(const MxRows& rows, const float* tile, std::int64_t b, std::int64_t q, std::int64_t count);
  std::int64_t points;  // complex numbers of a vector
};

// As on ref.
void run_mx_pass(const MxStages& stages, bool butterfly, const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

// `count` numbers of a row by runs or one by one, for load_row and store_row. from: of an interleaved source.
void load_interleaved(const MxRows& rows, const float* from, std::int64_t b, std::int64_t q, std::int64_t count, float* tile);
void load_numbers(const MxRows& rows, std::int64_t b, std::int64_t q, std::int64_t count, float* tile);
void store_numbers(const MxRows& rows, const float* tile, std::int64_t b, std::int64_t q, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_HWY_MX_STAGES_H_
