// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The ways into a compiled plan: from one body in registers to a walk over steps on all threads.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXECUTION_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXECUTION_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "planner/backend/backend.h"
#include "planner/backend/cpu/compiled_plan.h"
#include "planner/system/buffer.h"

namespace ulpfft {

class CpuExecutable final : public Executable, public ContextOf<CpuExecutable> {
 public:
  CpuExecutable(const Backend& of, CompiledPlan plan);
  const PlanFacts& facts() const override { return compiled; }

  // run_bare calls this body. The offsets are the places of its four streams in the arrays.
  WholeFn body = nullptr;
  std::int64_t in_stride = 0, out_stride = 0;                                             // reals
  std::int64_t in_re_offset = 0, in_im_offset = 0, out_re_offset = 0, out_im_offset = 0;  // bytes
  bool chain = false;
  bool narrow = false;  // as in PlanNeeds
  CompiledPlan compiled;
  std::unique_ptr<WorkspacePool> pool;
  std::shared_ptr<Team> team;  // null with one thread
};

// Backend::run. The context of the entry is the executable, unless a codelet is called directly.
Entries run_cpu(Executable& executable, const PlanNeeds& needs);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXECUTION_H_
