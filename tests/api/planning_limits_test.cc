// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Limits of time and memory, and cancelling, for problems of every size: random ones by the C interface.
//
// Times are processor seconds of the planning thread: what else the machine does does not count.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Without the seconds of the system: a page fault may take a tenth of one where it must find 2 MiB first, whoever plans.
double seconds_of_own_code() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

// Of a callback: how long planning was deaf, by its own code.
struct Heard {
  double last = 0, longest = 0;
  double cancel_at = -1;  // seconds of its own code; below 0: never
  double cancelled_at = 0;
  static int hear(void* user, double, const char*) {
    Heard& heard = *static_cast<Heard*>(user);
    const double now = seconds_of_own_code();
    heard.longest = std::max(heard.longest, now - heard.last);
    heard.last = now;
    const bool cancels = heard.cancel_at >= 0 && now >= heard.cancel_at;
    if (cancels && heard.cancelled_at == 0) heard.cancelled_at = now;
    return cancels ? 1 : 0;
  }
};

// Recipes that planning measures for an error limit before it answers (planner/search/error_limit.cc: six timed ones, six and two forms of fixed ones).
constexpr double kMostSamples = 14;

struct Attempt {
  ulpfft_status status = ULPFFT_OK;
  std::string message;
  double seconds = 0, own_seconds = 0;
  Heard heard;
  PlanPtr plan;
};

Attempt attempt(ulpfft_context* context, const std::string& problem, int effort, double limit, double cancel_after = -1, std::uint64_t max_memory = 0) {
  Attempt result;
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = limit;
  options.progress = &Heard::hear;
  options.progress_user = &result.heard;
  options.max_memory = max_memory;
  const double begin = thread_seconds(), own_begin = seconds_of_own_code();
  result.heard.last = own_begin;
  if (cancel_after >= 0) result.heard.cancel_at = own_begin + cancel_after;
  ulpfft_plan* plan = nullptr;
  result.status = ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan);
  const double end = thread_seconds(), own_end = seconds_of_own_code();
  result.plan.reset(plan);
  result.seconds = end - begin;
  result.own_seconds = own_end - own_begin;
  result.heard.longest = std::max(result.heard.longest, own_end - result.heard.last);
  if (result.status != ULPFFT_OK) result.message = last_error_text();
  return result;
}

// Lengths of every size: products of few primes, primes, what overflows.
std::int64_t random_length(Random& random, double most_bits) {
  const double bits = random.uniform() * most_bits;
  const auto near = static_cast<std::int64_t>(std::exp2(bits));
  switch (random.below(4)) {
    case 0: return std::int64_t{1} << static_cast<int>(bits);
    case 1: return std::max<std::int64_t>(1, near | 1);
    case 2: {
      std::int64_t smooth = 1;
      while (smooth < near / 13) smooth *= std::vector<std::int64_t>{2, 3, 5, 7, 11, 13}[random.below(6)];
      return smooth;
    }
    default: return std::max<std::int64_t>(1, near);
  }
}

std::string random_problem(Random& random) {
  static const std::vector<std::string> kStorages{"f32",  "f64",  "f16",         "bf16",        "i16",        "e4m3",       "e2m1",      "mxfp8_e4m3",
                                                  "mxint8", "f32->f64", "f64->f32", "f32->f16", "i16->f32", "f16->mxfp4_e2m1", "mxfp8_e4m3:b0->f32"};
  const std::size_t rank = random.chance(0.6) ? 1 : 1 + random.below(5);
  const double bits = rank == 1 && random.chance(0.3) ? 62 : 22.0 / static_cast<double>(rank);
  std::string text;
  for (std::size_t d = 0; d < rank; ++d) text += (d == 0 ? "" : "x") + std::to_string(random_length(random, bits));
  for (std::size_t b = 0; b < random.below(3); ++b) text += (b == 0 ? "*" : "x") + std::to_string(random_length(random, random.chance(0.1) ? 40 : 8));
  text += " " + kStorages[random.below(kStorages.size())];
  const auto maybe = [&](double probability, const std::string& word) {
    if (random.chance(probability)) text += " " + word;
  };
  maybe(0.2, "inverse");
  maybe(0.2, "centered");
  maybe(0.2, "scale=ortho");
  maybe(0.25, "max_error=" + std::string(random.chance(0.5) ? "0.5" : random.chance(0.5) ? "1e-6" : "1e-300"));
  maybe(0.1, random.chance(0.5) ? "scheme=f64" : random.chance(0.5) ? "scheme=rounded:f16" : "scheme=mx:mxfp8_e4m3");
  maybe(0.15, "threads=2");
  maybe(0.15, "inplace");
  maybe(0.15, "split");
  maybe(0.1, random.chance(0.5) ? "intermediate=f16" : "intermediate=mxfp4_e2m1");
  maybe(0.1, random.chance(0.5) ? "chain=mul" : "chain=user");
  maybe(0.1, "prescale=amax");
  return text;
}

std::string without_word(std::string problem, const std::string& word) {
  const std::size_t begin = problem.find(" " + word);
  if (begin != std::string::npos) problem.erase(begin, problem.find(' ', begin + 1) - begin);
  return problem;
}

ulpfft_memory memory_of(const ulpfft_plan* plan) {
  auto memory = sized<ulpfft_memory>();
  EXPECT_EQ(ulpfft_plan_memory(plan, &memory), ULPFFT_OK) << last_error_text();
  return memory;
}

// What planning may take beside its limit, by the plan it returned: its tables, made once more; one execution, by its own prediction and
// twice that; and the samples of an error limit, each as long as another of this plan.
double beside_the_limit(ulpfft_context* context, const std::string& problem, const ulpfft_plan* plan) {
  std::string without = without_word(problem, "max_error=");
  const bool limited = without != problem;
  const std::string recipe = recipe_of(plan);
  if (limited && without.find("scheme=") == std::string::npos) without += " scheme=" + recipe.substr(0, recipe.find(':'));
  double begin = thread_seconds();
  const PlanPtr again = try_plan(context, without, recipe);
  double seconds = thread_seconds() - begin;
  double slowest = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(ulpfft_plan_candidate_count(plan), 20); ++i) {
    auto candidate = sized<ulpfft_candidate>();
    if (ulpfft_plan_candidate_get(plan, i, &candidate) == ULPFFT_OK) slowest = std::max({slowest, candidate.seconds, candidate.predicted_seconds});
  }
  seconds += 3 * slowest;
  if (limited) {
    begin = thread_seconds();
    auto report = sized<ulpfft_error_report>();
    if (ulpfft_plan_measure_error(plan, ULPFFT_ERROR_SAMPLED, &report) == ULPFFT_OK) seconds += kMostSamples * (thread_seconds() - begin);
  }
  return seconds;
}

TEST(PlanningLimits, AreHeardByProblemsOfEverySize) {
  const int problems = full_run() ? 5000 : 200;
  const ContextPtr context = make_context();
  std::size_t planned = 0, refused = 0;
  for (int i = 0; i < problems; ++i) {
    Random random(static_cast<std::uint64_t>(i) * 7919 + 20);
    const std::string problem = random_problem(random);
    const int effort = 1 + static_cast<int>(random.below(4));
    const double limit = std::pow(10, -3 * random.uniform());
    // Without a limit of memory a plan may take all there is, and its tables and workspace minutes.
    const Attempt result = attempt(context.get(), problem, effort, limit, -1, full_run() && i % 20 == 0 ? std::uint64_t{4} << 30 : std::uint64_t{256} << 20);
    char where[256];
    std::snprintf(where, sizeof where, "seed %d: \"%s\", effort %d, limit %.4f s, took %.3f s, deaf for %.3f s: ", i, problem.c_str(), effort, limit, result.seconds,
                  result.heard.longest);
    EXPECT_NE(result.status, ULPFFT_INTERNAL) << where << result.message;
    (void)ulpfft_wisdom_forget(context.get());
    if (result.plan == nullptr) {
      ++refused;
      // A refusal ends a search as a plan does, and makes no tables but for samples of an error limit.
      const bool sampled = problem.find("max_error") != std::string::npos && result.status == ULPFFT_UNSUPPORTED;
      EXPECT_TRUE(sampled || result.seconds <= 1.1 * limit + 0.05) << where << result.message;
      continue;
    }
    ++planned;
    const double allowed = 1.1 * limit + 0.05 + 1.3 * beside_the_limit(context.get(), problem, result.plan.get());
    EXPECT_LE(result.seconds, allowed) << where << recipe_of(result.plan.get());
  }
  EXPECT_GT(planned, static_cast<std::size_t>(problems) / 3);
  EXPECT_GT(refused, static_cast<std::size_t>(problems) / 10);
}

// What one execution that planning of `problem` starts may take: three times the slowest of those that a race measured or predicted.
double slowest_execution(ulpfft_context* context, const std::string& problem) {
  const Attempt raced = attempt(context, without_word(problem, "max_error="), ULPFFT_MEASURE, 2);
  (void)ulpfft_wisdom_forget(context);
  double seconds = 0;
  for (std::size_t i = 0; raced.plan != nullptr && i < ulpfft_plan_candidate_count(raced.plan.get()); ++i) {
    auto candidate = sized<ulpfft_candidate>();
    if (ulpfft_plan_candidate_get(raced.plan.get(), i, &candidate) == ULPFFT_OK) seconds = std::max({seconds, candidate.seconds, candidate.predicted_seconds});
  }
  return 3 * seconds;
}

// From the moment at which the caller wants to stop, whether it was asked then or not, to the return.
TEST(PlanningLimits, CancelIsAnsweredWithinATenthOfASecondOutsideExecutions) {
  const ContextPtr context = make_context();
  std::vector<std::pair<std::string, int>> problems{{"39102424 f32", ULPFFT_ESTIMATE}, {"39102424 f32", ULPFFT_MEASURE}, {"5746001 f64", ULPFFT_PATIENT},
                                                    {"8388608 f64", ULPFFT_EXHAUSTIVE}, {"4782969 f32 max_error=1e-5", ULPFFT_ESTIMATE},
                                                    {"2x8x21x128x33*7x16 i16 inplace chain=user max_error=1e-300", ULPFFT_ESTIMATE}};
  const std::size_t random_ones = full_run() ? 1000 : 60;
  for (std::size_t i = 0; i < random_ones; ++i) {
    Random random(i * 104729 + 5);
    const std::string problem = random_problem(random);
    problems.emplace_back(problem, 1 + static_cast<int>(random.below(4)));
  }
  std::size_t cancelled = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto& [problem, effort] = problems[i];
    Random random(i * 15485863 + 7);
    for (const double after : {0.0, 0.003 * random.uniform(), 0.4 * random.uniform()}) {
      const Attempt result = attempt(context.get(), problem, effort, 1, after, std::uint64_t{1} << 30);
      (void)ulpfft_wisdom_forget(context.get());
      if (result.heard.cancelled_at == 0) continue;  // it was done before
      ++cancelled;
      EXPECT_EQ(result.status, ULPFFT_CANCELLED) << problem << " after " << after << " s: " << result.message;
      EXPECT_EQ(result.plan, nullptr);
      const double late = result.own_seconds - after;
      if (late > 0.1) {
        EXPECT_LE(late, 0.1 + slowest_execution(context.get(), problem)) << problem << ", effort " << effort << ", cancelled after " << after << " s";
      }
    }
  }
  EXPECT_GT(cancelled, random_ones);
}

// An estimate makes the tables of one plan and executes nothing, but for filters of convolutions, which these lengths have not or short ones.
TEST(PlanningLimits, TablesAreMadeWhileTheCallerIsAsked) {
  const ContextPtr context = make_context();
  for (const char* problem : {"16777216 f64", "9765625 f32", "8x4887803 f32", "3x1594323 f64 threads=2", "4194304 f16 scheme=rounded:f16"}) {
    const Attempt result = attempt(context.get(), problem, ULPFFT_ESTIMATE, 1);
    ASSERT_NE(result.plan, nullptr) << problem << ": " << result.message;
    EXPECT_LE(result.heard.longest, 0.1) << problem << ", planned in " << result.seconds << " s as " << recipe_of(result.plan.get());
  }
}

TEST(PlanningMemory, RefusalsForSizeTakeNeitherTimeNorMemory) {
  // The first plan of a process reads formats and tables.
  const ContextPtr context = make_context();
  ASSERT_NE(make_plan(context.get(), "64 f32"), nullptr);
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  for (const std::string problem : {"1099511627776 f32", "17179869184 f64", "1000000000039 f32", "10241000000000039 f32", "288230376151711744 f32", "4611686018427387904 e2m1",
                                    "1073741824x1073741824 f32", "1125899906842624*64 i8", "1099511627776 f32 max_error=1e-6", "34359738368 f16 intermediate=e2m1", "34359738368 f16 chain=mul"}) {
    for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE, ULPFFT_EXHAUSTIVE, ULPFFT_WISDOM_ONLY}) {
      const Attempt result = attempt(context.get(), problem, effort, 1);
      EXPECT_EQ(result.plan, nullptr) << problem;
      EXPECT_LE(result.seconds, 0.01) << problem << ": " << result.message;
      const bool overflows = result.status == ULPFFT_INVALID_ARGUMENT;
      EXPECT_TRUE(result.status == ULPFFT_NO_MEMORY || overflows) << problem << ": " << result.message;
      EXPECT_TRUE(overflows || result.message.find("of arrays") != std::string::npos) << result.message;
    }
  }
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LE(after.ru_maxrss - before.ru_maxrss, 10 * 1024) << "KiB";
}

TEST(PlanningMemory, IsPredictedBeforeAPlanIsMade) {
  const ContextPtr context = make_context();
  for (const std::string problem : {"1000 f32", "1009 f64", "65536 f16", "1048576 f32", "262144 f64 threads=2", "64x48*3 mxfp8_e4m3", "4096*16 f32 split", "1000 f32 inplace",
                                    "7919 f64", "1000 f16 scheme=mx:mxfp8_e4m3", "1024 f16 scheme=rounded:f16", "256x256 f32 chain=mul scale=1/n", "5000 i16->f32 prescale=amax"}) {
    auto predicted = sized<ulpfft_memory>();
    ASSERT_EQ(ulpfft_predict_memory_text(context.get(), problem.c_str(), &predicted), ULPFFT_OK) << problem << ": " << last_error_text();
    const PlanPtr plan = make_plan(context.get(), problem, ULPFFT_ESTIMATE);
    ASSERT_NE(plan, nullptr);
    const ulpfft_memory made = memory_of(plan.get());
    EXPECT_EQ(predicted.table_bytes, made.table_bytes) << problem;
    EXPECT_EQ(predicted.making_bytes, made.making_bytes) << problem;
    EXPECT_EQ(predicted.workspace_bytes, made.workspace_bytes) << problem;
    EXPECT_EQ(made.workspace_bytes, ulpfft_plan_workspace_bytes(plan.get())) << problem;
    EXPECT_EQ(predicted.in_bytes, made.in_bytes) << problem;
    EXPECT_EQ(made.out_bytes == 0, problem.find("inplace") != std::string::npos) << problem;
    EXPECT_GT(made.process_bytes, std::uint64_t{64} << 20);
    // A limit is a limit on the byte.
    const std::uint64_t need = made.table_bytes + made.making_bytes + made.workspace_bytes;
    EXPECT_NE(attempt(context.get(), problem, ULPFFT_ESTIMATE, 1, -1, need + 1).plan, nullptr) << problem << ": " << last_error_text();
    for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE, ULPFFT_PATIENT}) {
      const Attempt tight = attempt(context.get(), problem, effort, 0.02, -1, 1);
      EXPECT_EQ(tight.status == ULPFFT_NO_MEMORY, need > 1) << problem << ": " << tight.message;
      EXPECT_TRUE(need <= 1 || last_error().field == "max_memory") << last_error_text();
    }
  }
}

// A plan that fits is of no use where its measurement does not: that is known before its tables are made.
TEST(PlanningMemory, OfAMeasurementIsPredictedBeforeTablesAreMade) {
  const ContextPtr context = make_context();
  for (int i = 0; i < (full_run() ? 100 : 12); ++i) {
    Random random(static_cast<std::uint64_t>(i) * 6151 + 3);
    const std::string storage = std::vector<std::string>{"f32", "f64", "f32->f64", "f16->f32"}[random.below(4)];
    std::int64_t n = std::int64_t{1} << (16 + random.below(3));  // a plan of a smooth length takes less than its measurement
    while (n < 1 << 20) n *= random.between(2, 7);
    const std::string without = std::to_string(n) + " " + storage;
    auto predicted = sized<ulpfft_memory>();
    ASSERT_EQ(ulpfft_predict_memory_text(context.get(), without.c_str(), &predicted), ULPFFT_OK) << without << ": " << last_error_text();
    const std::uint64_t need = predicted.table_bytes + predicted.making_bytes + predicted.workspace_bytes + (1 << 20);
    constexpr double kLimit = 0.005;
    const Attempt result = attempt(context.get(), without + " max_error=1e-6", 1 + static_cast<int>(random.below(3)), kLimit, -1, need);
    EXPECT_EQ(result.status, ULPFFT_NO_MEMORY) << without << ", " << need << " bytes: " << result.message;
    EXPECT_LE(result.seconds, 1.1 * kLimit + 0.05) << without << ", " << need << " bytes: " << result.message;
  }
}

// A chain is chosen among the best of its transform alone, so that what is predicted has to follow the same choice.
TEST(PlanningMemory, OfChainsIsThatOfTheirEstimate) {
  for (const char* kind : {"", "r2c "}) {
    for (const char* storage : {"f32", "f64"}) {
      for (const char* shape : {"1000", "1024", "4096", "16384", "32768", "65536", "131072", "262144", "30000", "100000", "480x640", "480x641*3",
                                "512x512", "64x64x64"}) {
        const std::string problem = std::string(kind) + shape + " " + storage + " chain=mul";
        auto predicted = sized<ulpfft_memory>();
        ASSERT_EQ(ulpfft_predict_memory_text(nullptr, problem.c_str(), &predicted), ULPFFT_OK) << problem << ": " << last_error_text();
        const PlanPtr plan = make_plan(nullptr, problem);
        ASSERT_NE(plan, nullptr);
        const ulpfft_memory made = memory_of(plan.get());
        EXPECT_EQ(predicted.table_bytes, made.table_bytes) << problem;
        EXPECT_EQ(predicted.making_bytes, made.making_bytes) << problem;
        EXPECT_EQ(predicted.workspace_bytes, made.workspace_bytes) << problem;
      }
    }
  }
}

TEST(PlanningMemory, LimitOfAContextHoldsForEveryPlan) {
  auto options = sized<ulpfft_context_options>();
  options.max_memory = 100000;
  ulpfft_context* made = nullptr;
  ASSERT_EQ(ulpfft_context_create(&options, &made), ULPFFT_OK);
  const ContextPtr context(made);
  EXPECT_NE(attempt(context.get(), "1024 f32", ULPFFT_MEASURE, 0.05).plan, nullptr);
  EXPECT_EQ(attempt(context.get(), "1048576 f32", ULPFFT_MEASURE, 0.05).status, ULPFFT_NO_MEMORY);
  EXPECT_EQ(last_error().field, "max_memory");
  EXPECT_EQ(try_plan(context.get(), "65536 f32", "f32:dit(16 16 16 16)"), nullptr);
  EXPECT_EQ(last_error().field, "max_memory") << last_error_text();
  // The looser of two limits changes nothing.
  EXPECT_EQ(attempt(context.get(), "1048576 f32", ULPFFT_ESTIMATE, 0.05, -1, std::uint64_t{1} << 40).status, ULPFFT_NO_MEMORY);
}

}  // namespace
}  // namespace ulpfft::test
