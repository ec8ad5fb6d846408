// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes of this build: one list, from which the planner, the C interface and tools take them.
//
// Emulated  schemes do every operation of another arithmetic in their carrier (f32, f64), and rounding on top: whatever they compute, their
//           carrier computes in fewer instructions and with less error. So an error limit never chooses them; who wants them names them.
#ifndef ULPFFT_PLANNER_SEARCH_SCHEMES_H_
#define ULPFFT_PLANNER_SEARCH_SCHEMES_H_

#include <string>
#include <vector>

namespace ulpfft {

struct SchemeFacts {
  std::string name;     // as a problem spells it; of mx schemes with the length and rule of their descriptors
  const char* kind;     // "wide", "rounded", "mx"
  const char* format;   // whose rounding it has
  const char* carrier;  // storage its numbers are kept in: "f32", "f64"
  bool emulated;
};

// Wide ones first, the least precise before others. Built once, then read only.
const std::vector<SchemeFacts>& all_schemes();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_SCHEMES_H_
