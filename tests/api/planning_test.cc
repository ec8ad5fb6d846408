// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Efforts, error limits, threads and deterministic plans through the C interface, and what older callers see of them.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

ulpfft_plan_options options_of(int effort, double limit = 0.05) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = limit;
  return options;
}

// A null plan with the last error set when it fails.
PlanPtr plan_by(ulpfft_context* context, const std::string& problem, const ulpfft_plan_options& options) {
  ulpfft_plan* plan = nullptr;
  (void)ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan);
  return PlanPtr(plan);
}

TEST(Efforts, AllGivePlansAndRememberThoseThatTimed) {
  for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE, ULPFFT_PATIENT, ULPFFT_EXHAUSTIVE}) {
    const ContextPtr context = make_context();
    const PlanPtr plan = plan_by(context.get(), "720 f32", options_of(effort));
    ASSERT_NE(plan, nullptr) << effort << ": " << last_error_text();
    EXPECT_EQ(ulpfft_plan_seconds(plan.get()) > 0, effort != ULPFFT_ESTIMATE) << effort;
    EXPECT_EQ(ulpfft_wisdom_count(context.get()), effort == ULPFFT_ESTIMATE ? 0U : 1U) << effort;
    EXPECT_GT(ulpfft_plan_planning_seconds(plan.get()), 0) << effort;
    EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_PREDICTED);
  }
}

TEST(Efforts, OfWisdomServeLowerOnesOnly) {
  const ContextPtr context = make_context();
  ASSERT_NE(plan_by(context.get(), "720 f32", options_of(ULPFFT_PATIENT)), nullptr) << last_error_text();
  for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE, ULPFFT_PATIENT, ULPFFT_WISDOM_ONLY}) {
    const PlanPtr plan = plan_by(context.get(), "720 f32", options_of(effort));
    ASSERT_NE(plan, nullptr) << last_error_text();
    EXPECT_NE(ulpfft_plan_from_wisdom(plan.get()), 0) << effort;
  }
  EXPECT_EQ(ulpfft_plan_from_wisdom(plan_by(context.get(), "720 f32", options_of(ULPFFT_EXHAUSTIVE)).get()), 0);
  auto entry = sized<ulpfft_wisdom_entry>();
  ASSERT_EQ(ulpfft_wisdom_get(context.get(), 0, &entry), ULPFFT_OK);
  EXPECT_STREQ(entry.effort, "exhaustive") << "the higher effort replaced the lower";
}

TEST(WisdomOnly, SaysWhatIsMissing) {
  const ContextPtr context = make_context();
  EXPECT_EQ(plan_by(context.get(), "720 f32", options_of(ULPFFT_WISDOM_ONLY)), nullptr);
  EXPECT_EQ(last_error().status, ULPFFT_UNAVAILABLE);
  EXPECT_EQ(last_error().field, "effort");
  EXPECT_NE(last_error().message.find("720 f32"), std::string::npos) << last_error().message;
  EXPECT_NE(last_error().message.find(ulpfft_machine(context.get())), std::string::npos) << last_error().message;
}

TEST(Cancelled, PlanningLeavesNothing) {
  for (const int effort : {ULPFFT_MEASURE, ULPFFT_PATIENT, ULPFFT_EXHAUSTIVE}) {
    for (int stop = 1; stop <= 16; stop *= 2) {  // every target calls more often than that
      const ContextPtr context = make_context();
      ulpfft_plan_options options = options_of(effort, 1e6);  // cancelled long before, however slow the machine is
      int left = stop;
      options.progress = [](void* user, double, const char*) { return --*static_cast<int*>(user) <= 0 ? 1 : 0; };
      options.progress_user = &left;
      EXPECT_EQ(plan_by(context.get(), "1009 f32", options), nullptr);
      EXPECT_EQ(last_error().status, ULPFFT_CANCELLED) << last_error_text();
      EXPECT_EQ(left, 0) << "called after it cancelled";
      EXPECT_EQ(ulpfft_wisdom_count(context.get()), 0U);
    }
  }
}

TEST(Deterministic, IgnoresWisdomAndRemembersNothing) {
  const ContextPtr context = make_context();
  ulpfft_plan_options options = options_of(0);
  options.flags = ULPFFT_DETERMINISTIC;
  for (const std::string problem : {"720 f32", "4096 f64"}) {
    const PlanPtr before = plan_by(context.get(), problem, options);
    ASSERT_NE(before, nullptr) << last_error_text();
    EXPECT_EQ(ulpfft_wisdom_count(context.get()), 0U);
    EXPECT_EQ(ulpfft_plan_seconds(before.get()), 0) << "nothing is timed";
    // Wisdom with a recipe that an estimate would not choose.
    ASSERT_NE(plan_by(context.get(), problem, options_of(ULPFFT_MEASURE)), nullptr);
    const PlanPtr after = plan_by(context.get(), problem, options);
    EXPECT_EQ(ulpfft_plan_from_wisdom(after.get()), 0);
    EXPECT_EQ(recipe_of(after.get()), recipe_of(before.get()));
    for (const Target& target : targets()) EXPECT_EQ(recipe_of(plan_by(target.context, problem, options).get()), recipe_of(before.get())) << target;
    (void)ulpfft_wisdom_forget(context.get());
  }
}

TEST(Options, OutOfRangeAreRefusedByName) {
  const struct {
    int effort, flags, error_level;
    const char* field;
  } cases[] = {{-1, 0, 0, "effort"}, {6, 0, 0, "effort"}, {0, 2, 0, "flags"}, {0, -1, 0, "flags"}, {0, 0, 2, "error_level"}, {0, 0, -1, "error_level"},
               {ULPFFT_WISDOM_ONLY, ULPFFT_DETERMINISTIC, 0, "flags"}};
  for (const auto& wrong : cases) {
    ulpfft_plan_options options = options_of(wrong.effort);
    options.flags = wrong.flags;
    options.error_level = wrong.error_level;
    EXPECT_EQ(plan_by(nullptr, "64 f32", options), nullptr);
    EXPECT_EQ(last_error().status, ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, wrong.field) << last_error_text();
  }
}

// A caller built against the options and candidates of the first version, whose structs ended before what came later.
TEST(StructSize, OfTheFirstVersionKeepsWorking) {
  ulpfft_plan_options options = options_of(ULPFFT_ESTIMATE);
  options.size = offsetof(ulpfft_plan_options, flags);
  options.flags = 1234;  // not the caller's: must not be read
  options.error_level = 99;
  const PlanPtr plan = plan_by(nullptr, "64 f32", options);
  ASSERT_NE(plan, nullptr) << last_error_text();

  ulpfft_candidate candidate;
  std::memset(&candidate, 0x5a, sizeof candidate);
  candidate.size = offsetof(ulpfft_candidate, kind);
  ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), 0, &candidate), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(candidate.recipe, recipe_of(plan.get()));
  EXPECT_EQ(candidate.size, offsetof(ulpfft_candidate, kind));
  EXPECT_EQ(candidate.kind[0], 0x5a) << "written beyond the caller's struct";
  EXPECT_EQ(candidate.threads, 0x5a5a5a5a) << "written beyond the caller's struct";
  candidate.size = offsetof(ulpfft_candidate, kind) - 1;
  EXPECT_EQ(ulpfft_plan_candidate_get(plan.get(), 0, &candidate), ULPFFT_INVALID_ARGUMENT);

  auto whole = sized<ulpfft_candidate>();
  ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), 0, &whole), ULPFFT_OK);
  EXPECT_STRNE(whole.kind, "");
  EXPECT_EQ(whole.threads, 1);
  EXPECT_GT(whole.error, 0);
}

TEST(ErrorLimit, IsMeasuredKeptAndRemembered) {
  const ContextPtr context = make_context();
  const std::string problem = "1000 f64 max_error=1e-6";
  const PlanPtr plan = plan_by(context.get(), problem, options_of(ULPFFT_MEASURE));
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED);
  EXPECT_LE(ulpfft_plan_error(plan.get()), 1e-6);
  const PlanPtr again = plan_by(context.get(), problem, options_of(ULPFFT_WISDOM_ONLY));
  ASSERT_NE(again, nullptr) << last_error_text();
  EXPECT_EQ(ulpfft_plan_error(again.get()), ulpfft_plan_error(plan.get()));
  EXPECT_EQ(ulpfft_plan_error_level(again.get()), ULPFFT_ERROR_SAMPLED);
  EXPECT_EQ(plan_by(context.get(), "1000 f64", options_of(ULPFFT_WISDOM_ONLY)), nullptr) << "a plan within a limit does not serve without one";
}

TEST(ErrorLimit, BelowWhatIsPossibleIsRefusedWithTheWord) {
  const std::string problem = "1000 f64 max_error=1e-19 scheme=f32";
  EXPECT_EQ(plan_by(nullptr, problem, options_of(ULPFFT_ESTIMATE)), nullptr);
  const LastError error = last_error();
  EXPECT_EQ(error.status, ULPFFT_UNSUPPORTED);
  EXPECT_EQ(error.field, "max_error");
  EXPECT_EQ(problem.substr(error.begin, error.end - error.begin), "1e-19") << last_error_text();
}

TEST(ErrorLimit, IsServedByWisdomMadeForAnotherLimitThatItsErrorKeeps) {
  const ContextPtr context = make_context();
  const PlanPtr strict = plan_by(context.get(), "1000 f64 max_error=1e-6 scheme=f32", options_of(ULPFFT_MEASURE));
  ASSERT_NE(strict, nullptr) << last_error_text();
  ASSERT_GT(ulpfft_plan_error(strict.get()), 2e-8);
  for (const char* limit : {"1e-3", "4e-7"}) {
    const PlanPtr plan = plan_by(context.get(), "1000 f64 scheme=f32 max_error=" + std::string(limit), options_of(ULPFFT_WISDOM_ONLY));
    ASSERT_NE(plan, nullptr) << limit << ": " << last_error_text();
    EXPECT_NE(ulpfft_plan_from_wisdom(plan.get()), 0);
    EXPECT_EQ(recipe_of(plan.get()), recipe_of(strict.get()));
    EXPECT_EQ(ulpfft_plan_error(plan.get()), ulpfft_plan_error(strict.get()));
  }
  EXPECT_EQ(plan_by(context.get(), "1000 f64 scheme=f32 max_error=2e-8", options_of(ULPFFT_WISDOM_ONLY)), nullptr) << "its error is larger";
  EXPECT_EQ(plan_by(context.get(), "1000 f64 max_error=1e-3", options_of(ULPFFT_WISDOM_ONLY)), nullptr) << "another problem: the scheme is free";
  // Also where it was imported.
  const std::string text = take(ulpfft_wisdom_export_string(context.get()));
  const ContextPtr other = make_context();
  ASSERT_EQ(ulpfft_wisdom_import_string(other.get(), text.data(), text.size(), nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_NE(plan_by(other.get(), "1000 f64 scheme=f32 max_error=1e-3", options_of(ULPFFT_WISDOM_ONLY)), nullptr) << last_error_text();
}

TEST(Judge, IsReadAndNeitherComesFromWisdomNorEntersIt) {
  const ContextPtr context = make_context();
  // The transform of an impulse at 16 is made of 1, i, -1, -i, which bf16 holds.
  std::vector<std::complex<float>> impulse(64);
  impulse[16] = 1;
  auto array = sized<ulpfft_array>();
  array.data[0] = impulse.data();
  ulpfft_plan_options options = options_of(ULPFFT_MEASURE);
  options.judge = &array;
  const std::string problem = "64 f32->bf16 max_error=1e-3";
  EXPECT_EQ(plan_by(context.get(), problem, options_of(ULPFFT_MEASURE)), nullptr) << "bf16 rounds random numbers by more";
  const PlanPtr plan = plan_by(context.get(), problem, options);
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_LE(ulpfft_plan_error(plan.get()), 1e-3);
  EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED);
  EXPECT_EQ(ulpfft_wisdom_count(context.get()), 0U);
  ASSERT_NE(plan_by(context.get(), "64 f32 max_error=1e-3", options_of(ULPFFT_MEASURE)), nullptr) << last_error_text();
  const PlanPtr again = plan_by(context.get(), "64 f32 max_error=1e-3", options);
  ASSERT_NE(again, nullptr) << last_error_text();
  EXPECT_EQ(ulpfft_plan_from_wisdom(again.get()), 0);
}

TEST(Judge, ThatIsNoArrayOfTheProblemIsRefusedByName) {
  std::vector<std::complex<float>> numbers(65);
  auto array = sized<ulpfft_array>();
  ulpfft_plan_options options = options_of(ULPFFT_ESTIMATE);
  options.judge = &array;
  const auto refused = [&](const char* problem) {
    EXPECT_EQ(plan_by(nullptr, problem, options), nullptr) << problem;
    EXPECT_EQ(last_error().status, ULPFFT_INVALID_ARGUMENT) << last_error_text();
    return last_error().field;
  };
  EXPECT_EQ(refused("64 f32 max_error=1e-3"), "judge.data[0]");
  array.data[0] = reinterpret_cast<char*>(numbers.data()) + 1;
  EXPECT_EQ(refused("64 f32 max_error=1e-3"), "judge.data[0]");
  array.data[0] = numbers.data();
  EXPECT_EQ(refused("64 f32 split max_error=1e-3"), "judge.data[1]");
  EXPECT_EQ(refused("64 mxint8 max_error=0.5"), "judge.scales[0]");
  array.scales[0] = numbers.data();
  EXPECT_EQ(refused("64 f32 max_error=1e-3"), "judge.scales");
  array.scales[0] = nullptr;
  numbers[1] = std::nanf("");
  EXPECT_EQ(refused("64 f32 max_error=1e-3"), "judge");
  options.effort = ULPFFT_WISDOM_ONLY;
  EXPECT_EQ(refused("64 f32 max_error=1e-3"), "judge");
}

TEST(ErrorLimit, IsNotTakenFromWisdomThatMeasuredNothing) {
  const ContextPtr context = make_context();
  ASSERT_NE(plan_by(context.get(), "1000 f64 max_error=1e-12", options_of(ULPFFT_MEASURE)), nullptr) << last_error_text();
  std::string text = take(ulpfft_wisdom_export_string(context.get()));
  const std::size_t level = text.find("\"sampled\"");
  ASSERT_NE(level, std::string::npos) << text;
  text.replace(level, 9, "\"predicted\"");
  ASSERT_EQ(ulpfft_wisdom_forget(context.get()), ULPFFT_OK);
  ASSERT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(plan_by(context.get(), "1000 f64 max_error=1e-12", options_of(ULPFFT_WISDOM_ONLY)), nullptr);
  EXPECT_EQ(last_error().status, ULPFFT_UNAVAILABLE);
}

TEST(Wisdom, DoesNotChangeTheSchemeOfAProblem) {
  const ContextPtr context = make_context();
  ASSERT_NE(plan_by(context.get(), "1000 f64 scheme=f32", options_of(ULPFFT_MEASURE)), nullptr) << last_error_text();
  std::string text = take(ulpfft_wisdom_export_string(context.get()));
  const std::size_t scheme = text.find(" scheme=f32");
  ASSERT_NE(scheme, std::string::npos) << text;
  text.erase(scheme, 11);  // says now that the f32 recipe is the one for plain f64
  ASSERT_EQ(ulpfft_wisdom_forget(context.get()), ULPFFT_OK);
  ASSERT_EQ(ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), nullptr), ULPFFT_OK) << last_error_text();
  const PlanPtr plan = plan_by(context.get(), "1000 f64", options_of(ULPFFT_ESTIMATE));
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_TRUE(recipe_of(plan.get()).starts_with("f64:")) << recipe_of(plan.get());
}

TEST(SampledErrors, AreFoundOnRequest) {
  ulpfft_plan_options options = options_of(ULPFFT_ESTIMATE);
  options.error_level = ULPFFT_ERROR_SAMPLED;
  const PlanPtr plan = plan_by(nullptr, "1000 f32", options);
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED);
  auto report = sized<ulpfft_error_report>();
  ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
  EXPECT_NEAR(ulpfft_plan_error(plan.get()) / report.relative_l2, 1, 0.2);
}

TEST(Threads, DoNotChangeResultsAndAreRemembered) {
  auto options = sized<ulpfft_context_options>();
  options.threads = 2;
  ulpfft_context* made = nullptr;
  ASSERT_EQ(ulpfft_context_create(&options, &made), ULPFFT_OK);
  const ContextPtr context(made);
  const std::string problem = "1024*256 f32 threads=2";
  const PlanPtr plan = plan_by(context.get(), problem, options_of(ULPFFT_MEASURE, kNoHurry));
  ASSERT_NE(plan, nullptr) << last_error_text();
  const int threads = ulpfft_plan_threads(plan.get());
  EXPECT_GE(threads, 1);
  EXPECT_LE(threads, 2);
  bool one = false, two = false;
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan.get()); ++i) {
    auto candidate = sized<ulpfft_candidate>();
    ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), i, &candidate), ULPFFT_OK);
    if (candidate.seconds == 0) continue;
    one = one || candidate.threads == 1;
    two = two || candidate.threads == 2;
  }
  EXPECT_TRUE(one && two) << "one thread and two compete";
  const PlanPtr again = plan_by(context.get(), problem, options_of(ULPFFT_WISDOM_ONLY));
  ASSERT_NE(again, nullptr) << last_error_text();
  EXPECT_EQ(ulpfft_plan_threads(again.get()), threads);
  EXPECT_EQ(hash_of(make_plan(context.get(), problem, recipe_of(plan.get())).get()), hash_of(make_plan(nullptr, "1024*256 f32", recipe_of(plan.get())).get()));
}

TEST(Calibration, IsUsedKeptAndExported) {
  const ContextPtr context = make_context();
  EXPECT_EQ(ulpfft_is_calibrated(context.get()), 0);
  EXPECT_EQ(ulpfft_calibrate(context.get(), -1), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_calibrate(context.get(), std::nan("")), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "seconds");
  ASSERT_EQ(ulpfft_calibrate(context.get(), kNoHurry), ULPFFT_OK) << last_error_text();
  EXPECT_NE(ulpfft_is_calibrated(context.get()), 0);
  ASSERT_NE(plan_by(context.get(), "720 f32", options_of(ULPFFT_ESTIMATE)), nullptr) << last_error_text();
  const std::string text = take(ulpfft_wisdom_export_string(context.get()));
  const ContextPtr other = make_context();
  ASSERT_EQ(ulpfft_wisdom_import_string(other.get(), text.data(), text.size(), nullptr), ULPFFT_OK) << last_error_text();
  EXPECT_NE(ulpfft_is_calibrated(other.get()), 0);
  ASSERT_EQ(ulpfft_wisdom_forget(other.get()), ULPFFT_OK);
  EXPECT_EQ(ulpfft_is_calibrated(other.get()), 0);
}

}  // namespace
}  // namespace ulpfft::test
