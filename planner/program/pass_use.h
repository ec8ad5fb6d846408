// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What one pass of a plan computes and touches: what op counts, the cost model and the predicted error go by.
#ifndef ULPFFT_PLANNER_PROGRAM_PASS_USE_H_
#define ULPFFT_PLANNER_PROGRAM_PASS_USE_H_

#include <cstdint>

#include "codelets/contract/codelet.h"

namespace ulpfft {

struct PassUse {
  const CodeletInfo* codelet = nullptr;
  std::int64_t butterflies = 0;    // in one execution
  std::int64_t lanes = 1;          // in one call of the innermost loop
  std::int64_t padded_lanes = 0;   // kTwiddled: with what fills the last vector of a row
  std::int64_t calls = 1;          // of the pass function
  double working_set = 0;          // bytes touched before the pass comes back to the same block
  bool direct = true;              // lanes adjacent at both ends: no tiles
  bool shuffled = true;            // an end is interleaved or transposed
  double in_bits = 0;              // of a real of a coded end, scales included; 0: it is not coded
  double out_bits = 0;
  double conversion = 1;           // of stored rows, and tiles of a first pass: time in L1 over that of the line pass between f32 and f64
  double user_bits = 0;            // of stored rows, and passes that convert: bits a real at the narrow end
  const BodyFacts* standard = nullptr;  // of a dual-select pass of a line: what computes this part of it, groups whose k differ in their path
  double standard_part = 0;
  double share = 1;                // of the points of the transform it belongs to, for the predicted error
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PASS_USE_H_
