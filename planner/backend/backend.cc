// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/backend.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ulpfft {

bool serves(const Backend& backend, std::string_view tables) {
  return std::find(backend.tables.begin(), backend.tables.end(), tables) != backend.tables.end();
}

const Backend& backend_of(const CodeletTable& codelets) {
  for (const Backend* backend : backends()) {
    if (serves(*backend, codelets.backend)) return *backend;
  }
  throw std::logic_error("No backend serves the codelets of " + std::string(codelets.backend) + ".");
}

}  // namespace ulpfft
