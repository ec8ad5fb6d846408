// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The work of one pass of a plan, and the memory it touches. Operation counts, the cost model and the predicted error are computed from it.
#ifndef ULPFFT_PLANNER_PROGRAM_PASS_USE_H_
#define ULPFFT_PLANNER_PROGRAM_PASS_USE_H_

#include <cstdint>

#include "codelets/contract/codelet.h"

namespace ulpfft {

struct PassUse {
  const CodeletInfo* codelet = nullptr;
  std::int64_t butterflies = 0;    // in one execution
  std::int64_t lanes = 1;          // in one call of the innermost loop
  std::int64_t padded_lanes = 0;   // kTwiddled: lanes with the padding of the last vector of a row
  std::int64_t calls = 1;          // calls of the pass function in one execution
  double working_set = 0;          // bytes touched before the pass comes back to the same block
  bool direct = true;              // lanes are adjacent at both ends, so that no tiles are needed
  bool shuffled = true;            // an end is interleaved or transposed
  double in_bits = 0;              // bits of a real of a coded input, scales included; 0: it is not coded
  double out_bits = 0;             // the same for the output
  // Conversions of stored rows, and of tiles of a first pass: their time in L1 over the time of the line pass between f32 and f64.
  double conversion = 1;
  double user_bits = 0;  // stored rows, and passes that convert: bits a real at the narrow end
  // A dual-select pass of a line: the standard body, which computes the groups whose k differ in their path, and their part of the pass.
  const BodyFacts* standard = nullptr;
  double standard_part = 0;
  // For the predicted error: the part of the points of its transform that the pass computes, and the mean square of a real of its input and
  // of its output over the one that real and imaginary parts have where complex numbers enter the transform. The passes of a batch that is
  // cut into groups begin again where each group begins.
  double share = 1;
  double grown_before = 1, grown = 1;
  // The part of its squared random errors that results keep, and of those of its sums alone. It is less than 1 where a result is real and
  // imaginary parts are left out (keep_real_parts).
  double kept = 1, kept_of_sums = 1;
  // What errors have the symmetry of symmetric data: those of sums where a pass ends a transform, all, or none.
  enum class Symmetry : std::uint8_t { kSums, kAll, kNone };
  Symmetry symmetry = Symmetry::kSums;
  bool times_root_of_2 = false;  // it multiplies all numbers by the square root of 2
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PASS_USE_H_
