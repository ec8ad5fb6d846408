// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Walks the steps of a plan. Executions that planning begins may end early, because it asks its caller on the way.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXECUTOR_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXECUTOR_H_

#include <atomic>

#include "codelets/contract/step.h"
#include "planner/system/poll.h"
#include "planner/system/team.h"

namespace ulpfft {

// Orders what was stored past the caches before what follows; a release alone does not.
inline void finish_streams() {
#ifdef __SSE__
  __builtin_ia32_sfence();
#endif
  std::atomic_thread_fence(std::memory_order_release);
}

// Runs steps [step, end) on these buffers, on the calling thread. Neither allocates nor locks.
void run_steps(const Step* step, const Step* end, const Buffers& buffers);

// The same with the steps that are to be split cut into `threads` parts.
void run_steps_shared(const Step* step, const Step* end, const Buffers& buffers, Team& team, int threads);

// Either of them (`team` null: the first), which asks the poll every millisecond or two: between steps, and between parts of long ones
// whose iterations are independent. Results have the same bits. Allocates a few bytes for each step. Throws what the poll throws.
void run_steps_asking(const Step* step, const Step* end, const Buffers& buffers, Team* team, int threads, Poll& poll);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXECUTOR_H_
