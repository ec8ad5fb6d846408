// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan of this library, or of another build of it, with the functions that execute it: one loop around the calls of either.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_ULPFFT_PLAN_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_ULPFFT_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/timing.h"
#include "tools/ulpfft/failure.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

struct UlpfftPlan {
  std::shared_ptr<const ulpfft_plan> plan;  // null: there is none
  decltype(&ulpfft_execute) execute = &ulpfft_execute;
  decltype(&ulpfft_execute_arrays) execute_arrays = &ulpfft_execute_arrays;
  double error = 0;  // relative L2, as predicted or measured by its maker
  std::string recipe;
  std::string reason;  // why there is none
};

inline UlpfftPlan ulpfft_plan_of(ulpfft::Plan made) {
  UlpfftPlan plan;
  plan.recipe = made.recipe();
  plan.error = ulpfft_plan_error(made.get());
  const auto kept = std::make_shared<ulpfft::Plan>(std::move(made));
  plan.plan = std::shared_ptr<const ulpfft_plan>(kept, kept->get());
  return plan;
}

// On the arrays that all contenders for one problem share.
class UlpfftContender : public Contender {
 public:
  UlpfftContender(UlpfftPlan plan, const Facts& facts, const Arrays& arrays)
      : plan_(std::move(plan)), split_(facts.split), in_(arrays.in()), out_(arrays.out()) {
    from_.size = to_.size = sizeof from_;
    for (int part = 0; part < 2; ++part) from_.data[part] = arrays.in(part), to_.data[part] = arrays.out(part);
  }
  void run(std::int64_t repeats) override {
    const ulpfft_plan* const plan = plan_.plan.get();
    unsigned refused = 0;
    if (split_) {
      const auto execute = plan_.execute_arrays;
      for (std::int64_t i = 0; i < repeats; ++i) refused |= static_cast<unsigned>(execute(plan, &from_, &to_, nullptr));
    } else {
      const auto execute = plan_.execute;
      for (std::int64_t i = 0; i < repeats; ++i) refused |= static_cast<unsigned>(execute(plan, in_, out_));
    }
    if (refused != ULPFFT_OK) throw Failure("The plan " + plan_.recipe + " does not execute: " + ulpfft_last_error());
  }

 private:
  const UlpfftPlan plan_;
  bool split_;
  const void* in_;
  void* out_;
  ulpfft_array from_{};
  ulpfft_array to_{};
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_ULPFFT_PLAN_H_
