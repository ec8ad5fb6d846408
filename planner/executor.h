// Walks the steps of a plan.
#ifndef ULPFFT_PLANNER_EXECUTOR_H_
#define ULPFFT_PLANNER_EXECUTOR_H_

#include "codelets/contract/step.h"
#include "planner/team.h"

namespace ulpfft {

// Runs steps [step, end) on these buffers, on the calling thread. Neither allocates nor locks.
void run_steps(const Step* step, const Step* end, const Buffers& buffers);

// The same with the steps that are to be split cut into `threads` parts.
void run_steps_shared(const Step* step, const Step* end, const Buffers& buffers, Team& team, int threads);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_EXECUTOR_H_
