// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/system/clock.h"

#include <chrono>

namespace ulpfft {

Clock steady_clock() {
  return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

}  // namespace ulpfft
