// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which loops of a program its threads share.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_SHARE_H_
#define ULPFFT_PLANNER_BACKEND_CPU_SHARE_H_

#include "planner/program/program.h"

namespace ulpfft {

// The outermost loop whose iterations come out even, or that has none inside; results do not depend on it. Each thread has private memory
// of its own, which workspace_bytes grows by.
void share(Program& program, int threads);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_SHARE_H_
