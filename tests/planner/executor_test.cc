// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where repeats and parts of repeats leave the addresses of an execution.
#include "planner/backend/cpu/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "codelets/contract/block_rows.h"

namespace ulpfft::test {
namespace {

// Of re and im of every slot, in this order.
using Addresses = std::array<std::uintptr_t, 2 * kSlots>;

std::uintptr_t& part_of(Addresses& at, int slot, int part) { return at[static_cast<std::size_t>(2 * slot + part)]; }

// The passes of a test note the addresses that they were called with, once per iteration of their own.
struct Log : ContextOf<Log> {
  std::mutex mutex;
  std::vector<Addresses> calls;
};

void note(const PassArgs& args, const Buffers& buffers, std::int64_t, std::int64_t count) {
  Log& log = const_cast<Log&>(context_of<Log>(args));
  Addresses at{};
  for (int s = 0; s < kSlots; ++s) {
    part_of(at, s, 0) = reinterpret_cast<std::uintptr_t>(buffers.slot[s].re);
    part_of(at, s, 1) = reinterpret_cast<std::uintptr_t>(buffers.slot[s].im);
  }
  const std::lock_guard lock(log.mutex);
  log.calls.insert(log.calls.end(), static_cast<std::size_t>(count), at);
}

// Repeats in repeats around passes, with any increments.
class RandomSteps {
 public:
  RandomSteps(std::uint32_t seed, Log& log) : random_(seed), log_(log) { add(0); }
  const std::vector<Step>& steps() const { return steps_; }
  std::int64_t below(std::int64_t count) { return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random_); }

 private:
  void add(int depth) {
    for (std::int64_t left = 1 + below(3); left > 0; --left) {
      const std::size_t here = steps_.size();
      steps_.emplace_back();
      if (depth == 3 || below(3) == 0) {
        steps_[here].run = &note;
        steps_[here].args.context = &log_;
        steps_[here].count = 1 + below(3);
        continue;
      }
      steps_[here].count = 1 + below(4);
      for (int s = 0; s < kSlots; ++s) steps_[here].increment[s] = below(3) == 0 ? 0 : 8 * (below(65) - 32);
      add(depth + 1);
      steps_[here].body = static_cast<int>(steps_.size() - here - 1);
    }
  }

  std::mt19937 random_;
  Log& log_;
  std::vector<Step> steps_;
};

// The same by the definition of a repeat, in plain numbers: absent parts (0) do not move.
void expect_calls(const Step* step, const Step* end, const Addresses& at, std::vector<Addresses>& calls) {
  for (; step != end; step += 1 + (step->run != nullptr ? 0 : step->body)) {
    for (std::int64_t i = 0; i < step->count; ++i) {
      if (step->run != nullptr) {
        calls.push_back(at);
        continue;
      }
      Addresses inner = at;
      for (int s = 0; s < kSlots; ++s) {
        for (int part = 0; part < 2; ++part) {
          std::uintptr_t& address = part_of(inner, s, part);
          if (address != 0) address += static_cast<std::uintptr_t>(i * step->increment[s]);
        }
      }
      expect_calls(step + 1, step + 1 + step->body, inner, calls);
    }
  }
}

Buffers buffers_of(const Addresses& at) {
  Buffers buffers{};
  for (int s = 0; s < kSlots; ++s) {
    Addresses copy = at;
    buffers.slot[s] = {reinterpret_cast<void*>(part_of(copy, s, 0)), reinterpret_cast<void*>(part_of(copy, s, 1))};
  }
  return buffers;
}

class RandomPlans : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Arrays some of which are absent; in the middle of the memory, so that every repeat stays in it.
  Addresses random_addresses(RandomSteps& plan) {
    Addresses at{};
    for (std::uintptr_t& address : at) {
      if (plan.below(3) != 0) address = reinterpret_cast<std::uintptr_t>(memory_.data() + memory_.size() / 2 + plan.below(64));
    }
    return at;
  }

  std::vector<char> memory_ = std::vector<char>(1 << 14);
};

TEST_P(RandomPlans, MovePresentPartsByTheirIncrementsAndAbsentOnesNever) {
  Log log;
  RandomSteps plan(GetParam(), log);
  const Addresses at = random_addresses(plan);
  const std::vector<Step>& steps = plan.steps();
  std::vector<Addresses> expected;
  expect_calls(steps.data(), steps.data() + steps.size(), at, expected);
  run_steps(steps.data(), steps.data() + steps.size(), buffers_of(at));
  EXPECT_EQ(log.calls, expected);
}

TEST_P(RandomPlans, GiveTheSameAddressesWhenSplitAmongThreads) {
  Log log;
  RandomSteps plan(GetParam(), log);
  const Addresses at = random_addresses(plan);
  std::vector<Step> steps = plan.steps();
  std::vector<Addresses> expected;
  expect_calls(steps.data(), steps.data() + steps.size(), at, expected);
  // Which part runs an iteration is chance, so memory that is private to a part moves by nothing here.
  for (std::size_t i = 0; i < steps.size(); i += 1 + static_cast<std::size_t>(steps[i].run != nullptr ? 0 : steps[i].body)) {
    steps[i].split = true;
    steps[i].private_from = static_cast<int>(Slot::kWork0);
  }
  const std::shared_ptr<Team> pool = make_pool(3);
  run_steps_shared(steps.data(), steps.data() + steps.size(), buffers_of(at), *pool, 3);
  std::sort(expected.begin(), expected.end());
  std::sort(log.calls.begin(), log.calls.end());
  EXPECT_EQ(log.calls, expected);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPlans, testing::Range(0U, 200U));

TEST(Contexts, AreToldApartByTheirTypes) {
  const Log log;
  const BlockRows blocks;
  Step step;
  EXPECT_FALSE(has_context<Log>(step.args));
  step.args.context = &log;
  EXPECT_TRUE(has_context<Log>(step.args));
  EXPECT_FALSE(has_context<BlockRows>(step.args));
  EXPECT_EQ(&context_of<Log>(step.args), &log);
#ifdef ULPFFT_CHECKS_CONTEXTS
  EXPECT_DEATH(static_cast<void>(context_of<BlockRows>(step.args)), "");
#endif
  step.args.context = &blocks;
  EXPECT_TRUE(has_context<BlockRows>(step.args));
  EXPECT_FALSE(has_context<Log>(step.args));
}

TEST(SplitSteps, LeaveAbsentWorkOfAPartAbsent) {
  Log log;
  Step step;
  step.run = &note;
  step.args.context = &log;
  step.count = 64;
  step.split = true;
  step.private_from = static_cast<int>(Slot::kWork1);
  step.private_bytes = 4096;
  const std::shared_ptr<Team> pool = make_pool(3);
  run_steps_shared(&step, &step + 1, Buffers{}, *pool, 3);
  ASSERT_EQ(log.calls.size(), 64U);
  for (const Addresses& at : log.calls) EXPECT_EQ(at, Addresses{});
}

}  // namespace
}  // namespace ulpfft::test
