// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/cpu.h"

#include "planner/backend/cpu/entry_point.h"
#include "planner/backend/cpu/execution.h"
#include "planner/backend/cpu/expand/expand.h"
#include "planner/backend/cpu/fold.h"
#include "planner/backend/cpu/link.h"
#include "planner/backend/cpu/share.h"
#include "planner/system/buffer.h"

namespace ulpfft {
namespace {

constexpr std::string_view kTables[] = {"ref", "hwy"};

// Loops around a pass become loops of the pass. Stages that ask what is inside a loop come before.
void fold_stage(const Lowering&, Program& program) { fold(program); }

// Which loops the threads share. The stage needs all of them, and adds the memory of each thread.
void share_stage(const Lowering& given, Program& program) { share(program, given.machine.threads); }

// The shortest way into the plan: whether the program is one pass in the end. It looks at all of them, and at which are shared.
void entry_point_stage(const Lowering& given, Program& program) { program.entry_point = find_entry_point(given.problem, program); }

constexpr Stage kStages[] = {
    {"fold", &fold_stage},
    {"share", &share_stage},
    {"entry point", &entry_point_stage},
};

std::unique_ptr<Executable> link_executable(const Program& program, const CodeletTable& codelets, TableCache& cache,
                                            const NodeTransform& transform) {
  return std::make_unique<CpuExecutable>(cpu_backend(), link(program, codelets, cache, transform));
}

double seconds_of(const Clock& clock, const std::function<void()>& batch) {
  const double begin = clock();
  batch();
  return clock() - begin;
}

}  // namespace

const Backend& cpu_backend() {
  static constexpr Backend kCpu{
      .tables = kTables,
      .expand = &expand,
      .stages = kStages,
      .link = &link_executable,
      .run = &run_cpu,
      .memory = {.allocate = &allocate_zeroed, .release = &free_aligned, .from_host = nullptr, .to_host = nullptr},
      .seconds = &seconds_of,
  };
  return kCpu;
}

}  // namespace ulpfft
