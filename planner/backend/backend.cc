// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/backend.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ulpfft {

const Backend& backend_of(const CodeletTable& codelets) {
  for (const Backend* backend : backends()) {
    if (std::find(backend->tables.begin(), backend->tables.end(), codelets.backend) != backend->tables.end()) return *backend;
  }
  throw std::logic_error("No backend serves the codelets of " + std::string(codelets.backend) + ".");
}

}  // namespace ulpfft
