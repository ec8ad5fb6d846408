// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Any thread, any time: one plan executed by many threads, and plans, contexts and wisdom made and destroyed beside it.
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr int kThreads = 8;

template <typename Work>
void in_threads(const Work& work) {
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back([&work, thread] { work(thread); });
  for (std::thread& thread : threads) thread.join();
}

TEST(Concurrency, OnePlanExecutedByEightThreadsGivesTheSameBits) {
  for (const Target& target : targets()) {
    for (const std::string problem : {"64 f32", "1000 f32", "4096 f64", "32x48*3 f32 centered", "65536 f32"}) {
      const PlanPtr plan = make_plan(target.context, problem);
      if (plan == nullptr) continue;
      const bool f64 = problem.find("f64") != std::string::npos;
      const std::size_t n = problem[0] == '3' ? 32 * 48 * 3 : std::stoul(problem);
      const std::size_t reals = 2 * n * (f64 ? 2 : 1);  // in floats
      const auto in64 = random_signal<double>(f64 ? n : 1, 1);
      const auto in32 = random_signal<float>(f64 ? 1 : n, 1);
      const void* in = f64 ? static_cast<const void*>(in64.data()) : in32.data();
      // Doubles, for their alignment; compared as bytes.
      std::vector<double> expected(reals / 2);
      ASSERT_EQ(ulpfft_execute(plan.get(), in, expected.data()), ULPFFT_OK) << last_error_text();
      std::atomic<int> wrong{0};
      in_threads([&](int) {
        std::vector<double> out(expected.size());
        for (int repeat = 0; repeat < 20; ++repeat) {
          out.assign(out.size(), 0.0);
          const bool ok = ulpfft_execute(plan.get(), in, out.data()) == ULPFFT_OK;
          if (!ok || std::memcmp(out.data(), expected.data(), out.size() * sizeof(double)) != 0) ++wrong;
        }
      });
      EXPECT_EQ(wrong, 0) << "target " << target.name << ", \"" << problem << "\" by " << recipe_of(plan.get());
    }
  }
}

TEST(Concurrency, PlansAreMadeExecutedAndDestroyedInParallelInOneContext) {
  const ContextPtr context = make_context();
  ASSERT_NE(context, nullptr);
  std::atomic<int> wrong{0};
  in_threads([&](int thread) {
    Random random(static_cast<std::uint64_t>(thread));
    const auto lengths = smooth_lengths(200);
    for (int repeat = 0; repeat < 40; ++repeat) {
      const std::int64_t n = lengths[random.below(lengths.size())];
      const std::string problem = std::to_string(n) + (random.chance(0.5) ? " f64" : " f64 inverse");
      auto options = sized<ulpfft_plan_options>();
      options.effort = repeat % 10 == 0 ? ULPFFT_MEASURE : ULPFFT_ESTIMATE;
      options.time_limit_seconds = 0.002;
      ulpfft_plan* raw = nullptr;
      if (ulpfft_plan_parse_options(context.get(), problem.c_str(), &options, &raw) != ULPFFT_OK) {
        ++wrong;
        continue;
      }
      const PlanPtr plan(raw);
      const auto in = impulse<double>(static_cast<std::size_t>(n), 0);
      auto out = in;
      if (ulpfft_execute(plan.get(), in.data(), out.data()) != ULPFFT_OK) ++wrong;
      for (const auto& value : out) {
        if (value != 1.0) ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0) << last_error_text();
}

TEST(Concurrency, WisdomIsExportedImportedAndForgottenWhilePlansAreMade) {
  const ContextPtr context = make_context();
  ASSERT_NE(context, nullptr);
  std::atomic<int> wrong{0};
  in_threads([&](int thread) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      if (thread == 0) {
        const std::string text = take(ulpfft_wisdom_export_string(context.get()));
        if (text.empty() || ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), nullptr) != ULPFFT_OK) ++wrong;
      } else if (thread == 1) {
        if (ulpfft_wisdom_forget(context.get()) != ULPFFT_OK) ++wrong;
      } else if (thread == 2) {
        auto entry = sized<ulpfft_wisdom_entry>();
        const std::size_t count = ulpfft_wisdom_count(context.get());
        for (std::size_t i = 0; i < count; ++i) (void)ulpfft_wisdom_get(context.get(), i, &entry);  // another thread may have forgotten it
      } else {
        auto options = sized<ulpfft_plan_options>();
        options.effort = ULPFFT_MEASURE;
        options.time_limit_seconds = 0.001;
        ulpfft_plan* plan = nullptr;
        const std::string problem = std::to_string(8 + 4 * thread) + " f32";
        if (ulpfft_plan_parse_options(context.get(), problem.c_str(), &options, &plan) != ULPFFT_OK) ++wrong;
        ulpfft_plan_destroy(plan);
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Concurrency, TheLastErrorBelongsToItsThread) {
  ulpfft_plan* plan = nullptr;
  ASSERT_NE(ulpfft_plan_parse(nullptr, "0 f32", &plan), ULPFFT_OK);
  const std::string before = ulpfft_last_error();
  std::string other;
  std::thread([&other] {
    const bool empty_at_first = *ulpfft_last_error() == '\0';
    ulpfft_plan* none = nullptr;
    (void)ulpfft_plan_parse(nullptr, "8 nonsense", &none);
    if (empty_at_first) other = ulpfft_last_error();
  }).join();
  EXPECT_NE(other, "");
  EXPECT_NE(other, before);
  EXPECT_EQ(ulpfft_last_error(), before);
}

TEST(Concurrency, APlanOutlivesItsContext) {
  ContextPtr context = make_context();
  ASSERT_NE(context, nullptr);
  const PlanPtr plan = make_plan(context.get(), "1000 f64");
  ASSERT_NE(plan, nullptr);
  context.reset();
  const auto in = impulse<double>(1000, 0);
  auto out = in;
  ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(out, std::vector<std::complex<double>>(1000, 1.0));
  EXPECT_NE(take(ulpfft_plan_describe(plan.get())), "");
}

}  // namespace
}  // namespace ulpfft::test
