// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Sets rounding to nearest for the life of an object, and then restores the mode of the caller's thread.
#ifndef ULPFFT_PLANNER_SYSTEM_ROUND_TO_NEAREST_H_
#define ULPFFT_PLANNER_SYSTEM_ROUND_TO_NEAREST_H_

#include <cfenv>

namespace ulpfft {

class RoundToNearest {
 public:
  RoundToNearest() : mode_(std::fegetround()) { set(FE_TONEAREST); }
  ~RoundToNearest() { set(mode_); }
  RoundToNearest(const RoundToNearest&) = delete;
  RoundToNearest& operator=(const RoundToNearest&) = delete;

 private:
  void set(int mode) const {
    if (mode_ != FE_TONEAREST) std::fesetround(mode);  // most threads round to nearest already, and setting the mode takes 20 ns
  }

  int mode_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_ROUND_TO_NEAREST_H_
