// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A narrow storage between two passes of dit: what the first one leaves is encoded and decoded in place.
//
// Order   the numbers of a line by position: what lies where after the digit reversal, so that blocks hold neighbours of the result of a
//         pass. Each line (column of a panel) has blocks of its own.
#ifndef ULPFFT_PLANNER_CONVERT_ROUNDED_STAGE_H_
#define ULPFFT_PLANNER_CONVERT_ROUNDED_STAGE_H_

#include <cstdint>
#include <vector>

#include "codelets/contract/step.h"
#include "planner/convert/codec.h"

namespace ulpfft {

struct RoundedStage : Codec, ContextOf<RoundedStage> {
  struct Place {
    std::int64_t point = 0;   // of a row
    std::int64_t offset = 0;  // reals
  };

  Edge work;                          // slot, offset and im_offset of the array
  std::int64_t row_points = 1;
  std::int64_t row_stride = 0;        // reals
  std::vector<Place> places;          // of a row's points; some may lie at several places, in all of which they are written
  std::vector<std::int64_t> columns;  // reals from one line to the first
  std::int64_t points = 1;            // of a line
  int exponent = 0;                   // what is decoded is multiplied by 2 to the power of this
  bool counts = true;                 // what saturates and what becomes 0
};

// Points of a line converted at once: whole bytes and blocks of every format.
inline constexpr std::int64_t kStagePoints = 256;

// Over pieces of kStagePoints; the context is a RoundedStage.
void round_between_passes(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_ROUNDED_STAGE_H_
