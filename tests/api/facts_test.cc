// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a plan and a build tell about themselves: describe, candidates, error, seconds, targets, codelets, formats, versions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/problems.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

TEST(Version, IsThatOfTheHeader) {
  EXPECT_EQ(ulpfft_version(), std::to_string(ULPFFT_VERSION_MAJOR) + '.' + std::to_string(ULPFFT_VERSION_MINOR) + '.' +
                                  std::to_string(ULPFFT_VERSION_PATCH));
}

TEST(Status, EveryOneHasANameOfItsOwn) {
  std::set<std::string> names;
  for (int status = ULPFFT_OK; status <= ULPFFT_INTERNAL; ++status) names.insert(ulpfft_status_name(static_cast<ulpfft_status>(status)));
  EXPECT_EQ(names.size(), 10U);
  EXPECT_EQ(names.count(""), 0U);
  EXPECT_STREQ(ulpfft_status_name(ULPFFT_INVALID_ARGUMENT), "invalid argument");
}

// Callers pass on numbers of their own. A C++ enumeration without a fixed type cannot hold them.
TEST(Status, IsUnknownForEveryOtherNumber) {
  static_assert(std::is_same_v<std::underlying_type_t<ulpfft_status>, int>);
  for (int bit = 4; bit < 31; ++bit) {
    for (const int status : {1 << bit, -(1 << bit), (1 << bit) - 1 + 1000003}) {
      EXPECT_STREQ(ulpfft_status_name(static_cast<ulpfft_status>(status)), "unknown status") << status;
    }
  }
  for (const int status : {-1, ULPFFT_INTERNAL + 1, INT_MIN, INT_MAX}) {
    EXPECT_STREQ(ulpfft_status_name(static_cast<ulpfft_status>(status)), "unknown status") << status;
  }
}

TEST(Targets, HaveOneDefaultAndRefAmongThem) {
  int defaults = 0;
  std::set<std::string> names;
  for (std::size_t i = 0; i < ulpfft_target_count(); ++i) {
    auto target = sized<ulpfft_target>();
    ASSERT_EQ(ulpfft_target_get(i, &target), ULPFFT_OK) << last_error_text();
    EXPECT_TRUE(names.insert(target.name).second) << "named twice: " << target.name;
    defaults += target.is_default != 0 ? 1 : 0;
    EXPECT_EQ(target.available != 0, *target.reason == '\0') << target.name << ": " << target.reason;
    EXPECT_TRUE(target.is_default == 0 || target.available != 0) << target.name;
    EXPECT_TRUE(target.available == 0 || target.codelets > 0) << target.name;
    EXPECT_GE(target.lanes_f32, 1) << target.name;
    EXPECT_GE(target.lanes_f32, target.lanes_f64) << target.name;
  }
  EXPECT_EQ(defaults, 1);
  EXPECT_EQ(ref_target().name, "ref");
  EXPECT_TRUE(ref_target().has_fma) << "ref computes with fused multiply-adds on any machine: it is the judge";
  // One target for a build on a machine without vectors would pass every comparison without comparing anything.
  if (targets().size() < 2) GTEST_SKIP() << "only one target here: comparisons between targets are empty";
}

TEST(Schemes, AreWhatAProblemMayNameEachOnce) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < ulpfft_scheme_count(); ++i) {
    auto scheme = sized<ulpfft_scheme>();
    ASSERT_EQ(ulpfft_scheme_get(i, &scheme), ULPFFT_OK) << last_error_text();
    EXPECT_TRUE(names.insert(scheme.name).second) << "named twice: " << scheme.name;
    const PlanPtr plan = make_plan(nullptr, "8 f64 scheme=" + std::string(scheme.name));
    ASSERT_NE(plan, nullptr) << scheme.name;
    EXPECT_TRUE(recipe_of(plan.get()).starts_with(std::string(scheme.name) + ":")) << recipe_of(plan.get());
    EXPECT_EQ(scheme.emulated != 0, std::string(scheme.kind) != "wide") << scheme.name;
  }
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    auto format = sized<ulpfft_format>();
    ASSERT_EQ(ulpfft_format_get(i, &format), ULPFFT_OK) << last_error_text();
    const bool is_element = std::string(format.kind) == "element" || std::string(format.kind) == "integer";
    EXPECT_EQ(names.count("rounded:" + std::string(format.name)), is_element && format.is_signed != 0 ? 1U : 0U) << format.name;
  }
  auto scheme = sized<ulpfft_scheme>();
  EXPECT_EQ(ulpfft_scheme_get(ulpfft_scheme_count(), &scheme), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "index");
}

TEST(Codelets, TellSaneFactsOnEveryTarget) {
  for (const Target& target : targets()) {
    for (std::size_t i = 0; i < target.codelets; ++i) {
      auto codelet = sized<ulpfft_codelet>();
      ASSERT_EQ(ulpfft_codelet_get(target.index, i, &codelet), ULPFFT_OK) << last_error_text();
      const std::string where = target.name + ' ' + codelet.name + ' ' + codelet.kind + ' ' + codelet.compute;
      EXPECT_NE(*codelet.name, '\0') << where;
      EXPECT_NE(*codelet.kind, '\0') << where;
      const std::set<std::string> arithmetic{"f32", "f64", "rounded in f32", "rounded in f64"};
      EXPECT_TRUE(arithmetic.contains(codelet.compute) || target.backend == "ref") << where;
      EXPECT_GE(codelet.radix, 0) << where;
      EXPECT_GE(codelet.adds, 0) << where;
      EXPECT_GE(codelet.muls, 0) << where;
      EXPECT_GE(codelet.fmas, 0) << where;
      if (codelet.radix > 1) {
        EXPECT_GT(codelet.adds + codelet.fmas, 0) << where;
        EXPECT_GT(codelet.live_values, 0) << where;
        EXPECT_NE(codelet.digest, 0U) << where;
      }
    }
  }
}

TEST(Plan, PrintsItsProblemInTheFormThatParsesToTheSame) {
  for (const char* text : {"8 f32", "256x256*8 f32 inverse centered scale=ortho", "1000 f64 inplace", "12*3x4 f32 scale=0.1 split",
                           "16x20*5 f64 in_strides=41,2 out_strides=40,2 batch_strides=700,640", "64 f64 inverse scale=1/n"}) {
    const PlanPtr plan = make_plan(nullptr, text);
    ASSERT_NE(plan, nullptr);
    const std::string printed = take(ulpfft_plan_problem(plan.get()));
    EXPECT_EQ(printed, text);
    const PlanPtr again = make_plan(nullptr, printed, recipe_of(plan.get()));
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(take(ulpfft_plan_problem(again.get())), printed);
    EXPECT_EQ(recipe_of(again.get()), recipe_of(plan.get()));
    EXPECT_EQ(hash_of(again.get()), hash_of(plan.get()));
  }
  // Defaults written out are left out.
  const PlanPtr plan = make_plan(nullptr, "c2c 16*2 f32->f32 scale=none in_strides=1 out_strides=1 batch_strides=16,16");
  EXPECT_EQ(take(ulpfft_plan_problem(plan.get())), "16*2 f32");
}

TEST(Plan, StructAndTextGiveTheSameProblem) {
  Random random(77);
  for (int i = 0; i < 100; ++i) {
    const Case problem = random_case(random, 300);
    with_struct(problem, [&](const ulpfft_problem& request) {
      auto options = sized<ulpfft_plan_options>();
      options.effort = ULPFFT_ESTIMATE;
      ulpfft_plan* raw = nullptr;
      ASSERT_EQ(ulpfft_plan_create(nullptr, &request, &options, &raw), ULPFFT_OK) << text_of(problem) << ": " << last_error_text();
      const PlanPtr by_struct(raw);
      const PlanPtr by_text = make_plan(nullptr, text_of(problem));
      ASSERT_NE(by_text, nullptr);
      EXPECT_EQ(take(ulpfft_plan_problem(by_struct.get())), take(ulpfft_plan_problem(by_text.get()))) << text_of(problem);
    });
  }
}

TEST(Plan, DescribesItself) {
  for (const Target& target : targets()) {
    const PlanPtr plan = make_plan(target.context, "1024*4 f32 inverse", ULPFFT_MEASURE);
    ASSERT_NE(plan, nullptr);
    const std::string text = take(ulpfft_plan_describe(plan.get()));
    std::array<char, 17> hash{};
    std::snprintf(hash.data(), hash.size(), "%016llx", static_cast<unsigned long long>(hash_of(plan.get())));
    for (const std::string& part : {std::string("1024*4 f32 inverse"), recipe_of(plan.get()), std::string(hash.data()), target.name}) {
      EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in:\n" << text;
    }
    EXPECT_GT(ulpfft_plan_seconds(plan.get()), 0.0);
    EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 4) << text;
  }
}

// Predicted from rms errors of single passes, which add up when independent: within a factor of the truth, on either side.
TEST(Plan, PredictsItsError) {
  for (const std::int64_t n : {2, 8, 60, 64, 343, 1000, 1024, 4096, 65536}) {
    const PlanPtr plan = make_plan(nullptr, std::to_string(n) + " f32");
    ASSERT_NE(plan, nullptr);
    const auto data = random_signal<float>(static_cast<std::size_t>(n), 8);
    Case problem;
    problem.dims = {{n, 1, 1}};
    // Mean over enough transforms for 2^14 outputs.
    ErrorSum sum;
    for (std::int64_t t = 0; t * n < kGateOutputs; ++t) {
      const auto in = random_signal<float>(static_cast<std::size_t>(n), static_cast<std::uint64_t>(t) + 1);
      std::vector<std::complex<float>> out(in.size());
      ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK);
      const auto expected = exact_result(problem, widen(in));
      for (std::size_t k = 0; k < out.size(); ++k) sum.add(out[k], expected[k]);
    }
    const double ratio = ulpfft_plan_error(plan.get()) / sum.relative_l2();
    EXPECT_GT(ratio, 0.6) << n << ": predicted " << ulpfft_plan_error(plan.get()) << ", measured " << sum.relative_l2();
    EXPECT_LT(ratio, 1.7) << n << ": predicted " << ulpfft_plan_error(plan.get()) << ", measured " << sum.relative_l2();
  }
}

TEST(Effort, EstimateTimesNothingAndMeasureTimesSome) {
  const ContextPtr context = make_context();
  const PlanPtr estimate = make_plan(context.get(), "2048 f32", ULPFFT_ESTIMATE);
  ASSERT_NE(estimate, nullptr);
  EXPECT_EQ(ulpfft_plan_seconds(estimate.get()), 0.0);
  EXPECT_EQ(ulpfft_wisdom_count(context.get()), 0U) << "an estimate is not worth remembering";
  const PlanPtr measured = make_plan(context.get(), "2048 f32", ULPFFT_MEASURE, kNoHurry);
  ASSERT_NE(measured, nullptr);
  double best = 1e9;
  int timed = 0;
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(measured.get()); ++i) {
    auto candidate = sized<ulpfft_candidate>();
    ASSERT_EQ(ulpfft_plan_candidate_get(measured.get(), i, &candidate), ULPFFT_OK);
    EXPECT_GT(candidate.predicted_seconds, 0.0) << candidate.recipe;
    if (candidate.seconds == 0.0) continue;
    ++timed;
    best = std::min(best, candidate.seconds);
  }
  EXPECT_GE(timed, 2);
  EXPECT_EQ(ulpfft_plan_seconds(measured.get()), best);
}

TEST(Effort, AnEstimateIsTheSameEveryTime) {
  for (const char* problem : {"64 f32", "1000 f64", "4096 f32", "100x100 f32", "1024*16 f64"}) {
    const ContextPtr first = make_context();
    const ContextPtr second = make_context();
    EXPECT_EQ(recipe_of(make_plan(first.get(), problem).get()), recipe_of(make_plan(second.get(), problem).get())) << problem;
  }
}

struct Watch {
  int calls = 0;
  int stop_after = 0;
  double last = 0;
  bool ordered = true;
  bool named = true;
};

int on_progress(void* user, double fraction, const char* what) {
  Watch& watch = *static_cast<Watch*>(user);
  ++watch.calls;
  watch.ordered = watch.ordered && fraction >= watch.last && fraction <= 1.0;
  watch.last = fraction;
  watch.named = watch.named && what != nullptr;
  return watch.stop_after != 0 && watch.calls >= watch.stop_after ? 1 : 0;
}

TEST(Progress, IsReportedInOrderAndCanCancel) {
  const ContextPtr context = make_context();
  auto options = sized<ulpfft_plan_options>();
  Watch watch;
  options.progress = on_progress;
  options.progress_user = &watch;
  ulpfft_plan* plan = nullptr;
  ASSERT_EQ(ulpfft_plan_parse_options(context.get(), "4096 f32", &options, &plan), ULPFFT_OK) << last_error_text();
  ulpfft_plan_destroy(plan);
  EXPECT_GE(watch.calls, 2);
  EXPECT_TRUE(watch.ordered);
  EXPECT_TRUE(watch.named);

  watch = {};
  watch.stop_after = 1;
  EXPECT_EQ(ulpfft_plan_parse_options(context.get(), "8192 f32", &options, &plan), ULPFFT_CANCELLED);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(watch.calls, 1);
}

// A caller built against an older, smaller struct: what it does not know keeps its default, what it does not have is not written.
TEST(StructSize, SmallerThanOursIsHonoured) {
  struct {
    ulpfft_error error;
    std::uint64_t guard;
  } small{};
  std::memset(&small, 0x5a, sizeof small);
  small.error.size = offsetof(ulpfft_error, text_begin);
  ulpfft_plan* plan = nullptr;
  ASSERT_NE(ulpfft_plan_parse(nullptr, "8 nonsense", &plan), ULPFFT_OK);
  ulpfft_last_error_get(&small.error);
  EXPECT_NE(small.error.message, nullptr);
  EXPECT_EQ(small.error.text_begin, static_cast<std::size_t>(0x5a5a5a5a5a5a5a5aU)) << "written beyond the caller's struct";

  auto target = sized<ulpfft_target>();
  std::memset(&target, 0x5a, sizeof target);
  target.size = offsetof(ulpfft_target, has_fma);
  const ulpfft_status status = ulpfft_target_get(0, &target);
  EXPECT_TRUE(status == ULPFFT_OK || last_error().field.ends_with("size")) << last_error_text();
  EXPECT_EQ(target.has_fma, 0x5a5a5a5a) << "written beyond the caller's struct";

  const std::int64_t length = 16;
  auto problem = sized<ulpfft_problem>();
  problem.rank = 1;
  problem.lengths = &length;
  problem.size = offsetof(ulpfft_problem, max_error);
  problem.max_error = 1e-3;  // beyond the size: not ours to read
  const ulpfft_status created = ulpfft_plan_create(nullptr, &problem, nullptr, &plan);
  EXPECT_TRUE(created == ULPFFT_OK || last_error().field.ends_with("size")) << last_error_text();
  if (created == ULPFFT_OK) ulpfft_plan_destroy(plan);
}

// A caller built against a newer header: refused unless what we do not know is zero.
TEST(StructSize, LargerThanOursIsAcceptedOrNamed) {
  struct {
    ulpfft_plan_options options;
    std::uint64_t future[4];
  } large{};
  large.options.size = sizeof large;
  large.options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(nullptr, "16 f32", &large.options, &plan);
  EXPECT_TRUE(status == ULPFFT_OK || last_error().field.ends_with("size")) << last_error_text();
  ulpfft_plan_destroy(plan);
}

TEST(Hash, IsOfTheOutputForTheFixedInputAndTellsRecipesApart) {
  const PlanPtr a = make_plan(nullptr, "64 f32", "f32:dit(8 8)");
  const PlanPtr b = make_plan(nullptr, "64 f32", "f32:dit(8 8)");
  const PlanPtr c = make_plan(nullptr, "64 f32", "f32:dit(16 4)");
  const PlanPtr d = make_plan(nullptr, "64 f64", "f64:dit(8 8)");
  if (a == nullptr || b == nullptr || c == nullptr || d == nullptr) return;
  EXPECT_EQ(hash_of(a.get()), hash_of(b.get()));
  EXPECT_NE(hash_of(a.get()), hash_of(c.get()));
  EXPECT_NE(hash_of(a.get()), hash_of(d.get()));
}

TEST(DefaultContext, IsNull) {
  const PlanPtr plan = make_plan(nullptr, "32 f32");
  ASSERT_NE(plan, nullptr);
  EXPECT_NE(std::string(ulpfft_machine(nullptr)), "");
  const ContextPtr other = make_context();
  EXPECT_STREQ(ulpfft_machine(nullptr), ulpfft_machine(other.get()));
}

}  // namespace
}  // namespace ulpfft::test
