// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The facts about a plan that are known without its steps.
#ifndef ULPFFT_PLANNER_PROGRAM_PLAN_FACTS_H_
#define ULPFFT_PLANNER_PROGRAM_PLAN_FACTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "planner/program/pass_use.h"

namespace ulpfft {

struct PlanFacts {
  ComputeType compute = ComputeType::kF64;
  std::vector<PassUse> passes;
  std::size_t workspace_bytes = 0;
  double table_bytes = 0;          // all tables and row lists, counted whether they are filled or not
  double making_bytes = 0;         // memory beside tables and workspace that is taken while the tables are filled
  int threads = 1;                 // threads that may share an execution
  bool streams = false;            // some pass stores past the caches
  std::vector<std::string> idle_forms;    // passes of the recipe whose twiddle form is standard here (idle_forms.h)
  bool decodes = false, encodes = false;  // the passes themselves convert narrow storage
  // Why the passes do not convert although the recipe asks for it: the last clause of a sentence. Empty where they do or are not asked to.
  std::string decodes_not, encodes_not;
  double prescale_target = 0;  // a prescale brings the largest magnitude of a transform near it; 0: there is no prescale
  double adds = 0, muls = 0, fmas = 0;  // real operations; beyond 2^63 for lengths that are only estimated
  double predicted_error = 0;      // relative L2
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PLAN_FACTS_H_
