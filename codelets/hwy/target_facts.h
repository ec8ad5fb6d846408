// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The Highway targets this build was compiled for, best first.
#ifndef ULPFFT_CODELETS_HWY_TARGET_FACTS_H_
#define ULPFFT_CODELETS_HWY_TARGET_FACTS_H_

#include <cstdint>
#include <vector>

namespace ulpfft {

struct TargetFacts {
  std::int64_t bit = 0;      // Highway's target bit
  const char* name = "";
  const char* extensions = "";  // of x86, separated by commas: what the compiler may use for this target
  bool supported = false;    // this processor and system run it
  bool has_fma = false;
  int lanes_f32 = 1;
  int lanes_f64 = 1;
};

std::vector<TargetFacts> hwy_targets();

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_HWY_TARGET_FACTS_H_
