// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// In place of the rest of this folder where the library is built with -Dcuda=disabled: the name is known, and every problem is refused.
#include <stdexcept>
#include <string>
#include <string_view>

#include "planner/backend/cuda/cuda.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr const char* kReason = "unavailable: this library was built with -Dcuda=disabled";

void refuse_problem(const Problem&) { throw PlanError(ULPFFT_UNAVAILABLE, "backend", std::string("Backend cuda is ") + kReason + "."); }

// Nobody gets here, because every problem is refused before.
const CodeletTable& no_codelets() { throw std::logic_error("The codelets of a backend that is not here."); }

}  // namespace

const Backend& cuda_backend() {
  static constexpr std::string_view kTables[] = {"cuda"};
  static const Backend kAbsent{.tables = kTables,
                               .codelets = &no_codelets,
                               .check = &refuse_problem,
                               .absence = [] { return std::string(kReason); },
                               .describe = [] { return std::string(kReason) + "\n"; }};
  return kAbsent;
}

}  // namespace ulpfft
