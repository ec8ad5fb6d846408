// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How whatever takes long while a plan is made hears that it shall stop.
//
// Every loop over the points of a table counts its work here; after each kWork values `ask` is called, which throws to end the planning
// (the caller cancels) or what is being built (its time is over). Nothing is asked inside an execution.
//
// Units    one value of a table, a few to 100 ns each: an answer comes within 2 ms.
// Threads  used by the planning thread alone.
#ifndef ULPFFT_PLANNER_SYSTEM_POLL_H_
#define ULPFFT_PLANNER_SYSTEM_POLL_H_

#include <cstdint>
#include <functional>
#include <utility>

namespace ulpfft {

class Poll {
 public:
  static constexpr std::int64_t kWork = std::int64_t{1} << 14;

  Poll() = default;
  explicit Poll(std::function<void()> ask) : ask_(std::move(ask)) {}

  void count(std::int64_t values) {
    left_ -= values;
    if (left_ > 0) return;
    left_ = kWork;
    if (ask_) ask_();
  }

 private:
  std::int64_t left_ = kWork;
  std::function<void()> ask_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_POLL_H_
