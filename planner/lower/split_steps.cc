// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which repeats of a plan its threads share.
#include <algorithm>

#include "planner/expand/plan_builder.h"
#include "planner/system/buffer.h"

namespace ulpfft {
namespace {

// Whether steps [begin, end) hold something threads could share.
bool has_parallel(const std::vector<Step>& steps, std::size_t begin, std::size_t end) {
  return std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(begin), steps.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const Step& step) { return step.parallel && step.count > 1; });
}

}  // namespace

// The outermost repeat whose iterations come out even, or that has none inside; results do not depend on it.
void PlanBuilder::split_among_threads(std::size_t begin, std::size_t end) {
  if (threads_ <= 1) return;
  std::vector<Step>& steps = plan_.steps;
  for (std::size_t i = begin; i < end;) {
    Step& step = steps[i];
    const std::size_t after = i + 1 + (step.run == nullptr ? static_cast<std::size_t>(step.body) : 0);
    const bool even = step.count >= 4 * threads_ || step.count % threads_ == 0;
    if (step.parallel && step.count > 1 && (even || !has_parallel(steps, i + 1, after))) {
      step.split = true;
      plan_.threads = threads_;
      if (step.run == nullptr) {
        const std::int64_t last = step.private_bytes;
        if (last != 0) step.private_bytes += static_cast<std::int64_t>(kThreadsApart);
        const std::int64_t bytes = marks_.at(i) + (threads_ - 1) * step.private_bytes + last;
        plan_.workspace_bytes = std::max(plan_.workspace_bytes, static_cast<std::size_t>(bytes));
      }
    } else if (step.run == nullptr) {
      split_among_threads(i + 1, after);
    }
    i = after;
  }
}

}  // namespace ulpfft
