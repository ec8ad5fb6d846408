// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A context: the codelets of one target, the threads that execute, what was learned about plans.
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
  // Plans for several threads hold it too, and so outlive the context.
  std::shared_ptr<ulpfft::Team> team;
  double max_memory = 0;  // bytes of tables and workspace of a plan; 0: no limit of the caller's
};

namespace ulpfft {

// NULL means the default context.
ulpfft_context& context_of(ulpfft_context* context);
// Throws PlanError naming the option at fault.
std::unique_ptr<ulpfft_context> make_context(const ulpfft_context_options& options);
// Throws PlanError for names this build or machine does not have; null: the best available.
const RegisteredTarget& choose_target(const char* name);
// The table a problem asks for: that of the context, or of its backend.
const RegisteredTarget& target_of(const ulpfft_context& context, const std::string& backend);
// What a plan of this context may take; `max_memory`: of one request, 0: none.
MemoryLimit memory_limit(const ulpfft_context& context, double max_memory);
// What may be used of wisdom here.
ImportPolicy import_policy(const ulpfft_context& context);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_CONTEXT_H_
