// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems without the gaps that strides leave between numbers, so that arrays of the library take the memory of a problem's points.
//
// Bits depend on the recipe and not on strides, and so what is measured on such a problem holds for the one with gaps.
#ifndef ULPFFT_PLANNER_JUDGE_DENSE_PLAN_H_
#define ULPFFT_PLANNER_JUDGE_DENSE_PLAN_H_

#include <memory>

#include "planner/plan/plan.h"

namespace ulpfft {

// The problem with the least strides of the same order and signs. A stride of 0 stays; an input whose elements coincide keeps its strides
// where these take less memory.
Problem without_gaps(const Problem& problem);

// A plan, or one on one thread of its recipe for without_gaps() of its problem if the arrays of that take less than half the memory. The
// plan itself also serves where the recipe is none for those strides.
class DensePlan {
 public:
  // Keeps the reference. `poll` is null, or asked while tables are made. Throws std::bad_alloc and what the poll throws.
  explicit DensePlan(const ulpfft_plan& plan, Poll* poll = nullptr);
  const ulpfft_plan& operator*() const { return own_ != nullptr ? *own_ : given_; }
  bool has_other_strides() const { return own_ != nullptr; }

 private:
  const ulpfft_plan& given_;
  std::unique_ptr<ulpfft_plan> own_;
};

// The codelets by which a plan of this backend and target was made; null: a table that is not registered.
const CodeletTable* registered_table(const std::string& backend, const std::string& target);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_DENSE_PLAN_H_
