// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a first pass, or a transform in registers, knows of the blocks it decodes.
//
// Shapes   a transform is a row; columns are whole vectors of W, and blocks hold a multiple of 2 W reals, so that the W columns that are
//          loaded of one point lie in one block. The scales of the row are those at scales.re + scale_offset.
#ifndef ULPFFT_CODELETS_CONTRACT_BLOCK_ROWS_H_
#define ULPFFT_CODELETS_CONTRACT_BLOCK_ROWS_H_

#include <cstdint>

#include "codelets/contract/conversion.h"
#include "codelets/contract/step.h"

namespace ulpfft {

struct BlockRows : ContextOf<BlockRows> {
  static constexpr std::int64_t kMostBlocks = 4096;  // of a row; W at least

  Storage storage;
  DecodeFn decode = nullptr;       // for what is rare
  Slot scales = Slot::kInScales;
  int shift = 5;                   // a block is 1 << shift reals
  std::int64_t row_bytes = 0;      // of codes, and of scales
  std::int64_t row_scale_bytes = 0;
  std::int64_t scale_offset = 0;   // bytes
  std::int64_t fetch = 0;          // bytes from codes to those that are fetched beside them; 0: nothing is
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_BLOCK_ROWS_H_
