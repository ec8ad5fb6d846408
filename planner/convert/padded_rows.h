// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions of many short rows, which are copied side by side and converted as one.
//
// Parts   of a block are converted by themselves, which takes longer than some whole ones: rows that end inside a block are filled up
//         with zeros.
#ifndef ULPFFT_PLANNER_CONVERT_PADDED_ROWS_H_
#define ULPFFT_PLANNER_CONVERT_PADDED_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "planner/convert/codec.h"

namespace ulpfft {

// As codec.decode(args) and codec.encode(args) do, bit for bit.
void decode_rows(const Codec& codec, const ConversionArgs& args);
std::int64_t encode_rows(const Codec& codec, const ConversionArgs& args);

// Rows of bytes, of which `bytes` are used.
struct ByteRows {
  std::uint8_t* begin;
  std::int64_t step, bytes;

  std::uint8_t* row(std::int64_t r) const { return begin + r * step; }
};
inline ByteRows codes_of(const ConversionArgs& args, std::int64_t bytes) {
  return {static_cast<std::uint8_t*>(args.codes), args.code_row_bytes, bytes};
}
inline ByteRows scales_of(const ConversionArgs& args, std::int64_t bytes) {
  return {static_cast<std::uint8_t*>(args.scales), args.scale_row_bytes, bytes};
}
// Row by row. Zeros stand behind what is copied where rows of the target are longer.
inline void copy_byte_rows(const ByteRows& from, const ByteRows& to, std::int64_t rows) {
  const auto copied = static_cast<std::size_t>(std::min(from.bytes, to.bytes)), zeros = static_cast<std::size_t>(to.bytes) - copied;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::memcpy(to.row(r), from.row(r), copied);
    if (zeros != 0) std::memset(to.row(r) + copied, 0, zeros);
  }
}

// Rows without gaps that hold whole blocks and bytes, as one row.
inline ConversionArgs as_one(ConversionArgs rows) {
  rows.count *= rows.rows;
  rows.rows = 1;
  return rows;
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_PADDED_ROWS_H_
