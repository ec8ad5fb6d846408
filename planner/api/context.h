// A context: the codelets of one target and what was learned about plans.
#ifndef ULPFFT_PLANNER_API_CONTEXT_H_
#define ULPFFT_PLANNER_API_CONTEXT_H_

#include <string>

#include "codelets/registry.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/store.h"

struct ulpfft_context {
  explicit ulpfft_context(const ulpfft::RegisteredTarget& chosen);
  const ulpfft::RegisteredTarget& target;
  std::string machine;
  ulpfft::Store store;
};

namespace ulpfft {

// NULL means the default context.
ulpfft_context& context_of(ulpfft_context* context);
// Throws PlanError for names this build or machine does not have; null: the best available.
const RegisteredTarget& choose_target(const char* name);
// The table a problem asks for: that of the context, or of its backend.
const RegisteredTarget& target_of(const ulpfft_context& context, const std::string& backend);
// What may be used of wisdom here.
ImportPolicy import_policy(const ulpfft_context& context);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_CONTEXT_H_
