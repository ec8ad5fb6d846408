// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Eight threads plan, execute, import, export and destroy at once, in contexts and with plans they share. Small enough for a thread
// sanitizer, whose report is the point; without one the values are compared.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <complex>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using Values = std::vector<std::complex<double>>;

constexpr int kThreads = 8;
constexpr std::size_t kRows = 32;

struct Shared {
  ulpfft_context* context;
  std::array<const ulpfft_plan*, 2> plans;  // of kRows rows of 60, for one thread and for three
  std::string path;
  std::atomic<int> wrong{0};
};

bool executes(const ulpfft_plan* plan, std::size_t rows, std::size_t n) {
  Values in(rows * n);
  for (std::size_t row = 0; row < rows; ++row) in[row * n] = 1.0;
  Values out(in.size());
  return ulpfft_execute(plan, in.data(), out.data()) == ULPFFT_OK && out == Values(in.size(), 1.0);
}

bool plans(ulpfft_context* context, Random& random) {
  const auto n = static_cast<std::size_t>(random.between(1, 300));
  auto options = sized<ulpfft_plan_options>();
  options.effort = random.chance(0.3) ? ULPFFT_MEASURE : ULPFFT_ESTIMATE;
  options.time_limit_seconds = 0.001;
  ulpfft_plan* raw = nullptr;
  if (ulpfft_plan_parse_options(context, (std::to_string(n) + " f64 backend=ref").c_str(), &options, &raw) != ULPFFT_OK) return false;
  const PlanPtr plan(raw);
  Values in(n, 0.0);
  Values out(n, 1.0);
  auto from = sized<ulpfft_array>();
  from.data[0] = in.data();
  auto to = sized<ulpfft_array>();
  to.data[0] = out.data();
  return ulpfft_execute_arrays(plan.get(), &from, &to, nullptr) == ULPFFT_OK && out == in;
}

// One thing a program may do at any time.
bool act(Shared& shared, Random& random) {
  switch (random.below(10)) {
    case 0: return plans(shared.context, random);
    case 1: return plans(nullptr, random);
    case 2: return executes(shared.plans[0], kRows, 60);
    case 3: return executes(shared.plans[1], kRows, 60);
    case 4: {
      const std::string text = take(ulpfft_wisdom_export_string(shared.context));
      return !text.empty() && ulpfft_wisdom_import_string(shared.context, text.data(), text.size(), nullptr) == ULPFFT_OK;
    }
    case 5: return ulpfft_wisdom_export_file(shared.context, shared.path.c_str()) == ULPFFT_OK;
    case 6: return ulpfft_wisdom_import_file(shared.context, shared.path.c_str(), nullptr) == ULPFFT_OK;
    case 7: {
      auto entry = sized<ulpfft_wisdom_entry>();
      // Another thread may have forgotten it.
      for (std::size_t i = ulpfft_wisdom_count(shared.context); i-- > 0;) (void)ulpfft_wisdom_get(shared.context, i, &entry);
      return random.chance(0.8) || ulpfft_wisdom_forget(shared.context) == ULPFFT_OK;
    }
    case 8: {
      // A context of its own, whose plan outlives it.
      auto options = sized<ulpfft_context_options>();
      options.target = "ref";
      options.threads = 3;
      ulpfft_context* context = nullptr;
      if (ulpfft_context_create(&options, &context) != ULPFFT_OK) return false;
      ulpfft_plan* raw = nullptr;
      const ulpfft_status status = ulpfft_plan_parse(context, "60*32 f64 threads=3", &raw);
      ulpfft_context_destroy(context);
      const PlanPtr plan(raw);
      return status == ULPFFT_OK && executes(plan.get(), kRows, 60);
    }
    default: {
      ulpfft_plan* none = nullptr;
      const bool refused = ulpfft_plan_parse(shared.context, "8 f31", &none) == ULPFFT_UNKNOWN_NAME;
      return refused && !take(ulpfft_plan_describe(shared.plans[0])).empty() && *ulpfft_last_error() != '\0';
    }
  }
}

TEST(EightThreads, PlanExecuteImportExportAndDestroyAtOnce) {
  char folder[] = "/tmp/ulpfft_mixed_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  // ref: its code is seen by sanitizers.
  auto options = sized<ulpfft_context_options>();
  options.target = "ref";
  options.threads = 3;
  ulpfft_context* raw = nullptr;
  ASSERT_EQ(ulpfft_context_create(&options, &raw), ULPFFT_OK) << last_error_text();
  const ContextPtr context(raw);
  const PlanPtr one = make_plan(context.get(), "60*32 f64");
  ASSERT_NE(one, nullptr);
  const PlanPtr three = make_plan(context.get(), "60*32 f64 threads=3", recipe_of(one.get()));
  ASSERT_NE(three, nullptr);
  Shared shared{context.get(), {one.get(), three.get()}, std::string(folder) + "/wisdom.json"};
  ASSERT_EQ(ulpfft_wisdom_export_file(context.get(), shared.path.c_str()), ULPFFT_OK) << last_error_text();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&shared, thread] {
      Random random(static_cast<std::uint64_t>(thread));
      for (int repeat = 0; repeat < 100; ++repeat) {
        if (act(shared, random)) continue;
        ++shared.wrong;
        ADD_FAILURE() << "thread " << thread << ", repeat " << repeat << ": " << last_error_text();
        return;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.wrong, 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ulpfft::test
