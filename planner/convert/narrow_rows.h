// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A narrow array that passes address as if it held reals of the compute type.
#ifndef ULPFFT_PLANNER_CONVERT_NARROW_ROWS_H_
#define ULPFFT_PLANNER_CONVERT_NARROW_ROWS_H_

#include <cstdint>

#include "planner/convert/codec.h"

namespace ulpfft {

// Its rows of `row_reals` begin a byte and a block each.
struct NarrowRows : Codec {
  bool user = false;                  // the caller's: exponents apply; else between passes
  std::int64_t row_reals = 0;         // that have codes
  std::int64_t row_bytes = 0;
  std::int64_t row_scale_bytes = 0;
  bool whole_rows = true;             // panels are whole rows: what is read of them begins at their first number
  bool joins = false;                 // rows hold whole blocks and bytes: neighbours are one long row

  // Codes of so many reals of a pass.
  std::int64_t codes(std::int64_t reals) const { return power != nullptr ? reals / 2 : reals; }
};

// Bytes of codes and scales; sums of places are places.
struct NarrowPlace {
  std::int64_t codes = 0;
  std::int64_t scales = 0;
  friend bool operator==(const NarrowPlace&, const NarrowPlace&) = default;
  friend NarrowPlace operator+(const NarrowPlace& a, const NarrowPlace& b) { return {a.codes + b.codes, a.scales + b.scales}; }
  friend NarrowPlace operator*(const NarrowPlace& a, std::int64_t n) { return {a.codes * n, a.scales * n}; }
};

// The place of the real that is `reals` behind the first of the array: a row begins there, or else a byte and a block.
inline NarrowPlace narrow_place(const NarrowRows& array, std::int64_t reals) {
  const std::int64_t index = array.codes(reals), rows = index / array.row_reals, inside = index % array.row_reals;
  NarrowPlace place{rows * array.row_bytes + inside * array.storage.element->bits / 8, rows * array.row_scale_bytes};
  if (array.storage.scale != nullptr && inside != 0) place.scales += inside / array.storage.length * ((array.storage.scale->bits + 7) / 8);
  return place;
}

// Bits of a real of a pass, scales included.
inline double bits_of(const NarrowRows& array) {
  const double bits = static_cast<double>(array.row_bytes + array.row_scale_bytes) * 8 / static_cast<double>(array.row_reals);
  return array.power != nullptr ? bits / 2 : bits;
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_NARROW_ROWS_H_
