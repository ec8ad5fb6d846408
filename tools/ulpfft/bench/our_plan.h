// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan of this library as a contender.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_OUR_PLAN_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_OUR_PLAN_H_

#include <cstdint>
#include <utility>

#include "tools/ulpfft/bench/arrays.h"
#include "tools/ulpfft/bench/facts.h"
#include "tools/ulpfft/bench/timing.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

class OurPlan : public Contender {
 public:
  OurPlan(ulpfft::Plan plan, const Facts& facts, const Arrays& arrays)
      : plan_(std::move(plan)), split_(facts.split), in_(arrays.in()), out_(arrays.out()) {
    from_.size = to_.size = sizeof from_;
    for (int part = 0; part < 2; ++part) from_.data[part] = arrays.in(part), to_.data[part] = arrays.out(part);
  }
  void run(std::int64_t repeats) override {
    if (split_) {
      for (std::int64_t i = 0; i < repeats; ++i) (void)ulpfft_execute_arrays(plan_.get(), &from_, &to_, nullptr);
    } else {
      for (std::int64_t i = 0; i < repeats; ++i) (void)ulpfft_execute(plan_.get(), in_, out_);
    }
  }

 private:
  ulpfft::Plan plan_;
  bool split_;
  const void* in_;
  void* out_;
  ulpfft_array from_{};
  ulpfft_array to_{};
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_OUR_PLAN_H_
