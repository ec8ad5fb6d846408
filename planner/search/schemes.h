// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes of this build: one list for the planner, the C interface and the tools.
//
// Emulated  schemes do every operation of another arithmetic in their carrier (f32, f64), and then round. Their carrier computes the same
//           in fewer instructions and with less error. So an error limit never chooses them; a caller who wants one names it.
#ifndef ULPFFT_PLANNER_SEARCH_SCHEMES_H_
#define ULPFFT_PLANNER_SEARCH_SCHEMES_H_

#include <string>
#include <vector>

namespace ulpfft {

struct SchemeFacts {
  std::string name;     // as a problem spells it; mx schemes have the length and rule of their descriptors
  const char* kind;     // "wide", "rounded", "mx"
  const char* format;   // the format whose rounding the scheme has
  const char* carrier;  // the storage that holds its numbers: "f32", "f64"
  bool emulated;
};

// Wide schemes come first, and the less precise before the more precise of them. The list is built once, then only read.
const std::vector<SchemeFacts>& all_schemes();

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SEARCH_SCHEMES_H_
