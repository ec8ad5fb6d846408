// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Conversions of many short rows that end inside a block. A part of a block is converted by itself, which takes longer than some whole
// ones: rows are copied side by side, each filled up to whole blocks with zeros, and converted as one.
#ifndef ULPFFT_PLANNER_CONVERT_PADDED_ROWS_H_
#define ULPFFT_PLANNER_CONVERT_PADDED_ROWS_H_

#include <cstddef>

#include "codelets/contract/conversion.h"

namespace ulpfft {

// As decode(args) and encode(args) do, bit for bit. real_bytes: of a real, 4 or 8.
void decode_rows(DecodeFn decode, const ConversionArgs& args, std::size_t real_bytes);
std::int64_t encode_rows(EncodeFn encode, const ConversionArgs& args, std::size_t real_bytes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_PADDED_ROWS_H_
