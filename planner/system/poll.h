// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Ends long work of a planning early.
//
// Every loop over the points of a table counts its work here, and `ask` is called after each kWork values. It throws to end the planning
// when the caller cancels, or one build when its time is over. Executions never ask.
//
// Units    values of a table, a few to 100 ns each, so that an answer comes within 2 ms.
// Threads  only the planning thread uses it.
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
