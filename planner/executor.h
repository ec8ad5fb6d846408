// Walks the steps of a plan.
#ifndef ULPFFT_PLANNER_EXECUTOR_H_
#define ULPFFT_PLANNER_EXECUTOR_H_

#include "codelets/contract/step.h"

namespace ulpfft {

// Runs steps [step, end) on these buffers, on the calling thread. Neither allocates nor locks.
void run_steps(const Step* step, const Step* end, const Buffers& buffers);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_EXECUTOR_H_
