// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A context: the codelets of one target, the threads that execute, and the store of remembered plans.
#ifndef ULPFFT_PLANNER_API_CONTEXT_H_
#define ULPFFT_PLANNER_API_CONTEXT_H_

#include <memory>
#include <string>

#include "codelets/registry.h"
#include "planner/api/certificates.h"
#include "planner/api/known_costs.h"
#include "planner/plan/memory_need.h"
#include "planner/system/team.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/store.h"

struct ulpfft_context {
  ulpfft_context(const ulpfft::RegisteredTarget& chosen, std::shared_ptr<ulpfft::Team> executing);
  const ulpfft::RegisteredTarget& target;
  std::string machine;
  ulpfft::Store store;
  ulpfft::KnownCosts costs;
  ulpfft::Certificates certificates;
  // Plans for several threads share the team, which therefore lives as long as they do.
  std::shared_ptr<ulpfft::Team> team;
  double max_memory = 0;  // bytes of tables and workspace of a plan; 0: the caller sets no limit
};

namespace ulpfft {

// NULL means the default context.
ulpfft_context& context_of(ulpfft_context* context);
// Throws PlanError naming the option at fault.
std::unique_ptr<ulpfft_context> make_context(const ulpfft_context_options& options);
// A null name means the best target available. Throws PlanError for names that this build or machine does not have.
const RegisteredTarget& choose_target(const char* name);
// The codelets that plan a problem: those of the context's target, or of the backend that the problem names. Throws PlanError where there
// is no such backend, and where the backend computes no such problem.
const CodeletTable& codelets_for(const ulpfft_context& context, const Problem& problem);
// The memory that a plan of this context may take. Where a backend has memory of its own, that of the process is no limit. `max_memory` is
// the limit of one request in bytes; 0: the request sets none.
MemoryLimit memory_limit(const ulpfft_context& context, const Backend& backend, double max_memory);
// The entries of wisdom that this context can use.
ImportPolicy import_policy(const ulpfft_context& context);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_CONTEXT_H_
