// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// fork() while another thread uses the library for the first time: the child must not wait for what that thread began. This program
// does not touch the library but in children, each of which is a first use.
#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <thread>

#include "tests/robust/child.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {
namespace {

int plan_once() {
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_parse(nullptr, "8 f32", &plan) != ULPFFT_OK) return 1;
  ulpfft_plan_destroy(plan);
  return 0;
}

TEST(ForkAtFirstUse, LeavesTheChildAbleToPlan) {
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::string end = end_of_child([&] {
      std::atomic<bool> go{false};
      std::thread other([&] {
        go = true;
        plan_once();
      });
      while (!go) continue;
      const timespec pause{0, 5000L * (repeat % 100)};
      nanosleep(&pause, nullptr);
      const std::string grandchild = end_of_child([] { return plan_once(); });
      other.join();
      return grandchild.empty() ? 0 : grandchild == "hung" ? 2 : 3;
    });
    ASSERT_EQ(end, "") << "repeat " << repeat << "; step 2: the child hung, step 3: it failed";
  }
}

}  // namespace
}  // namespace ulpfft::test
