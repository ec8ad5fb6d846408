// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What is known of a plan without its steps.
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
  double table_bytes = 0;          // of all tables and row lists, counted whether they are filled or not
  double making_bytes = 0;         // that are taken for a while, beside tables and workspace, while they are filled
  int threads = 1;                 // that may share an execution
  bool streams = false;            // some pass stores past the caches
  std::vector<std::string> idle_forms;    // of the recipe (idle_forms.h)
  bool decodes = false, encodes = false;  // passes do so with narrow storage
  // Why the passes do not though the recipe says so, the last clause of a sentence; empty: they do, or it does not say so.
  std::string decodes_not, encodes_not;
  double prescale_target = 0;  // what the largest magnitude of a transform becomes; 0: it stays as it is
  double adds = 0, muls = 0, fmas = 0;  // real operations; beyond 2^63 for lengths that are only estimated
  double predicted_error = 0;      // relative L2
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PLAN_FACTS_H_
