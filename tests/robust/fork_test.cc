// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// fork() while other threads plan, execute, import and export: the child uses the same contexts and plans, and makes new ones.
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <string>
#include <thread>
#include <vector>

#include "tests/robust/child.h"
#include "tests/support/api.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using Values = std::vector<std::complex<double>>;

constexpr std::size_t kRows = 64;
constexpr std::size_t kLength = 48;

// An impulse in every row becomes ones.
bool executes(const ulpfft_plan* plan, std::size_t rows, std::size_t n) {
  Values in(rows * n);
  for (std::size_t row = 0; row < rows; ++row) in[row * n] = 1.0;
  Values out(in.size());
  return ulpfft_execute(plan, in.data(), out.data()) == ULPFFT_OK && out == Values(in.size(), 1.0);
}

bool plans_and_executes(ulpfft_context* context, std::size_t n, int effort) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = 0.001;
  ulpfft_plan* raw = nullptr;
  if (ulpfft_plan_parse_options(context, (std::to_string(n) + " f64").c_str(), &options, &raw) != ULPFFT_OK) return false;
  const PlanPtr plan(raw);
  return executes(plan.get(), 1, n);
}

bool exchanges_wisdom(ulpfft_context* context) {
  const std::string text = take(ulpfft_wisdom_export_string(context));
  return !text.empty() && ulpfft_wisdom_import_string(context, text.data(), text.size(), nullptr) == ULPFFT_OK;
}

// 0, or which step failed.
int use_all(ulpfft_context* context, const ulpfft_plan* shared_plan) {
  if (!executes(shared_plan, kRows, kLength)) return 1;
  if (!plans_and_executes(context, 60, ULPFFT_MEASURE)) return 2;
  if (!exchanges_wisdom(context)) return 3;
  auto entry = sized<ulpfft_wisdom_entry>();
  if (ulpfft_wisdom_count(context) == 0 || ulpfft_wisdom_get(context, 0, &entry) != ULPFFT_OK) return 4;
  ulpfft_context* fresh = nullptr;
  if (ulpfft_context_create(nullptr, &fresh) != ULPFFT_OK || !plans_and_executes(fresh, 100, ULPFFT_MEASURE)) return 5;
  ulpfft_context_destroy(fresh);
  if (!plans_and_executes(nullptr, 64, ULPFFT_ESTIMATE)) return 6;
  if (ulpfft_wisdom_forget(context) != ULPFFT_OK) return 7;
  return 0;
}

TEST(Fork, WhileOtherThreadsUseTheSameContextLeavesTheChildAbleToGoOn) {
  auto options = sized<ulpfft_context_options>();
  options.threads = 4;
  ulpfft_context* raw = nullptr;
  ASSERT_EQ(ulpfft_context_create(&options, &raw), ULPFFT_OK) << last_error_text();
  const ContextPtr context(raw);
  const std::string rows = std::to_string(kLength) + "*" + std::to_string(kRows) + " f64";
  const std::string recipe = recipe_of(make_plan(context.get(), rows).get());
  const PlanPtr shared_plan = make_plan(context.get(), rows + " threads=3", recipe);
  ASSERT_NE(shared_plan, nullptr);

  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    const std::vector<std::int64_t> lengths = smooth_lengths(200);  // of which an impulse becomes ones exactly
    for (std::size_t i = 0; !stop; i = (i + 1) % lengths.size()) {
      wrong += !plans_and_executes(context.get(), static_cast<std::size_t>(lengths[i]), ULPFFT_MEASURE);
    }
  });
  threads.emplace_back([&] {
    while (!stop) wrong += !exchanges_wisdom(context.get());
  });
  threads.emplace_back([&] {
    while (!stop) wrong += !executes(shared_plan.get(), kRows, kLength);
  });
  threads.emplace_back([&] {
    while (!stop) make_context();  // contexts come and go
  });
  const int forks = full_run() ? 1000 : 100;
  for (int repeat = 0; repeat < forks; ++repeat) {
    const std::string end = end_of_child([&] { return use_all(context.get(), shared_plan.get()); });
    EXPECT_EQ(end, "") << "fork " << repeat;
    if (!end.empty()) break;
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0) << "in the parent";
}

TEST(Fork, ContextsAndPlansAreDestroyedInTheChild) {
  auto options = sized<ulpfft_context_options>();
  options.threads = 4;
  ulpfft_context* raw = nullptr;
  ASSERT_EQ(ulpfft_context_create(&options, &raw), ULPFFT_OK) << last_error_text();
  ContextPtr context(raw);
  const std::string rows = std::to_string(kLength) + "*" + std::to_string(kRows) + " f64";
  PlanPtr plan = make_plan(context.get(), rows + " threads=3", recipe_of(make_plan(context.get(), rows).get()));
  ASSERT_NE(plan, nullptr);
  ASSERT_TRUE(executes(plan.get(), kRows, kLength));
  EXPECT_EQ(end_of_child([&] {
              context.reset();
              if (!executes(plan.get(), kRows, kLength)) return 1;
              plan.reset();
              return 0;
            }),
            "");
  EXPECT_TRUE(executes(plan.get(), kRows, kLength));
}

}  // namespace
}  // namespace ulpfft::test
