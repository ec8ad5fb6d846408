// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#ifndef ULPFFT_TESTS_PLANNER_BEST_TARGET_H_
#define ULPFFT_TESTS_PLANNER_BEST_TARGET_H_

#include "codelets/registry.h"

namespace ulpfft::test {

// The best target that this machine can run. The first that is registered may be beyond it.
inline const RegisteredTarget& best_target() {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.available) return target;
  }
  return registered_targets().back();  // ref
}
inline const CodeletTable& best_table() { return best_target().table; }

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_BEST_TARGET_H_
