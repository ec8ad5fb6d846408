// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/if_exponents.h"

#include <limits>
#include <vector>

#include "planner/backend/cpu/executor.h"
#include "planner/convert/exponents.h"

namespace ulpfft {

void run_if_exponents(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t) {
  if (!buffers.narrow->writes_exponents) return;
  const auto& steps = context_of<IfExponents>(args).steps;
  std::int32_t& exponent = *exponent_of(buffers, true);
  exponent = std::numeric_limits<std::int32_t>::min();
  run_steps(steps.data(), steps.data() + steps.size(), buffers);
  if (exponent == std::numeric_limits<std::int32_t>::min()) exponent = 0;
}

}  // namespace ulpfft
