// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/look_ahead.h"

#include <limits>

#include "planner/backend/cpu/executor.h"
#include "planner/convert/exponents.h"

namespace ulpfft {

void look_ahead(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  if (!buffers.narrow->writes_exponents) return;
  const LookAhead& ahead = *static_cast<const LookAhead*>(args.table);
  std::int32_t& exponent = *exponent_of(buffers, true);
  exponent = std::numeric_limits<std::int32_t>::min();
  run_steps(ahead.steps.data(), ahead.steps.data() + ahead.steps.size(), buffers);
  if (exponent == std::numeric_limits<std::int32_t>::min()) exponent = 0;
}

}  // namespace ulpfft
