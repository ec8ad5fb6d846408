// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/known_costs.h"

#include <cmath>
#include <mutex>
#include <utility>

#include "planner/api/context.h"
#include "planner/api/guard.h"
#include "wisdom/words.h"

namespace ulpfft {

std::shared_ptr<const CostTable> KnownCosts::get(const Store& store, const std::string& machine, const CodeletTable& codelets) {
  std::vector<std::string> rows = store.table_rows(kTable);
  const std::lock_guard lock(mutex_);
  if (rows != rows_) {
    auto table = std::make_shared<const CostTable>(CostTable::from_rows(rows, machine, codelets));
    table_ = table->is_measured() ? std::move(table) : nullptr;
    rows_ = std::move(rows);
  }
  return table_;
}

}  // namespace ulpfft

using namespace ulpfft;

extern "C" {

ulpfft_status ulpfft_calibrate(ulpfft_context* context, double seconds) {
  return guard([&] {
    constexpr double kMost = 3600;
    if (!(seconds >= 0) || seconds > kMost) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "seconds", "seconds is " + print_double(seconds) + ", expected 0 (for 2 s) to 3600.");
    }
    ulpfft_context& of = context_of(context);
    const CostTable table = CostTable::measure(of.target.table, seconds);
    if (!table.is_measured()) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "seconds",
                      seconds == 0 ? std::string("This target has no codelet that can be timed.")
                                   : "No codelet could be timed at every memory level within " + print_double(seconds) +
                                         " s: allow more, or 0 for as long as one round takes.");
    }
    of.store.replace_table_rows(KnownCosts::kTable, of.machine, table.rows(of.machine));
  });
}

int ulpfft_is_calibrated(ulpfft_context* context) {
  int calibrated = 0;
  guard([&] {
    ulpfft_context& of = context_of(context);
    calibrated = of.costs.get(of.store, of.machine, of.target.table) != nullptr ? 1 : 0;
  });
  return calibrated;
}

}  // extern "C"
