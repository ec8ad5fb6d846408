// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The pass costs of a context. They are read from its wisdom when they are first needed, and again when wisdom has changed.
#ifndef ULPFFT_PLANNER_API_KNOWN_COSTS_H_
#define ULPFFT_PLANNER_API_KNOWN_COSTS_H_

#include <memory>
#include <string>
#include <vector>

#include "planner/cost/cost_table.h"
#include "wisdom/fork.h"
#include "wisdom/store.h"

namespace ulpfft {

class KnownCosts {
 public:
  static constexpr const char* kTable = "costs";

  // Null when wisdom has no costs of this machine. Any thread may call it at any time.
  std::shared_ptr<const CostTable> get(const Store& store, const std::string& machine, const CodeletTable& codelets);

 private:
  ForkSafeMutex mutex_;
  std::vector<std::string> rows_;
  std::shared_ptr<const CostTable> table_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_KNOWN_COSTS_H_
