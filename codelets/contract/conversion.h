// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions between rows of reals (f32 or f64) and their narrow storage: what each backend registers per format.
//
// A fast conversion gives the bits of encode_row() and decode_row() of storage.h, random numbers included. f32 from codes is the value
// rounded once; NaN is quiet, positive, without payload. Encoding takes every real once; f64 is rounded to the format directly.
#ifndef ULPFFT_CODELETS_CONTRACT_CONVERSION_H_
#define ULPFFT_CODELETS_CONTRACT_CONVERSION_H_

#include <cstdint>

#include "codelets/contract/storage.h"

namespace ulpfft {

// `rows` rows of `count` reals. A row may be part of a longer one: see run_alignment().
//
// Plain formats (neither packed nor in blocks) take their codes in groups of `group` adjacent ones, `code_group_stride` codes apart:
// complex numbers that lie apart are group 2, one part of them is group 1. Packed and block formats have adjacent codes.
// Reals go in the same groups, `real_group_stride` reals apart. group = 0: all codes adjacent, all reals adjacent.
struct ConversionArgs {
  const Storage* storage = nullptr;  // an entry serves every block length and scale rule of its format
  void* codes = nullptr;
  void* scales = nullptr;            // block formats
  void* reals = nullptr;
  std::int64_t rows = 1;
  std::int64_t count = 0;
  std::int64_t code_row_bytes = 0;   // between rows
  std::int64_t scale_row_bytes = 0;
  std::int64_t real_row_stride = 0;  // reals
  std::int64_t group = 0;
  std::int64_t code_group_stride = 0;
  std::int64_t real_group_stride = 0;
  // Encoding.
  bool non_temporal = false;                       // codes go past the caches, where rows of adjacent codes begin at 16 bytes; fence afterwards
  Rounding rounding = Rounding::kNearestSaturate;  // elements of blocks saturate where kNearest is asked for
  std::uint64_t seed = 0;                          // kStochastic: real i of row r rounds by random_bits(seed, index + r * index_row_stride + i)
  std::uint64_t index = 0;
  std::uint64_t index_row_stride = 0;
  const std::uint16_t* random = nullptr;           // instead of the seed: random[r * index_row_stride + i]
};

using DecodeFn = void (*)(const ConversionArgs& args);
// Returns how many numbers saturated (Encoded::saturated).
using EncodeFn = std::int64_t (*)(const ConversionArgs& args);

// The conversions of one format to and from one type of reals.
struct ConversionEntry {
  const char* format = "";  // name of an element or block format
  bool is_f64 = false;      // reals are f64, else f32
  DecodeFn decode = nullptr;
  EncodeFn encode = nullptr;
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_CONVERSION_H_
