// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Error limits: which scheme they choose, what they refuse, and that a codelet that computes a little wrong does not get through.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/convert/side.h"
#include "planner/judge/assess.h"
#include "planner/scheme/scheme.h"
#include "planner/search/candidates.h"
#include "planner/search/error_limit.h"
#include "planner/search/search.h"
#include "planner/strategy/variants.h"
#include "tests/planner/best_target.h"
#include "tests/support/api.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// Where every sample takes the same time, a choice depends on errors and predictions alone, and no limit ends it.
std::unique_ptr<ulpfft_plan> search(const std::string& problem, Effort effort, const CodeletTable& codelets = best_table()) {
  SearchOptions options;
  options.effort = effort;
  options.time_limit_seconds = 1e9;
  options.clock = [now = 0.0]() mutable { return now += 25e-6; };
  return search_plan(parse_problem(problem), codelets, options);
}

std::string text_of(double limit) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", limit);
  return text;
}

// A copy of a table whose f32 bodies without twiddles return everything larger by 1e-5.
class WrongTable {
 public:
  explicit WrongTable(const CodeletTable& good) : entries_(good.codelets.begin(), good.codelets.end()), table_(good) {
    originals() = entries_;
    for (std::size_t i = 0; i < entries_.size() && i < kMost; ++i) {
      const PassKind kind = entries_[i].kind;
      const bool plain = kind == PassKind::kFirst || kind == PassKind::kColumns || kind == PassKind::kWhole || kind == PassKind::kWholeTwo || kind == PassKind::kPacked;
      if (plain && entries_[i].compute == ComputeType::kF32) entries_[i].run = functions()[i];
    }
    table_.codelets = entries_;
  }
  const CodeletTable& codelets() const { return table_; }

 private:
  static constexpr std::size_t kMost = 512;
  using Functions = std::array<PassFn, kMost>;
  static std::vector<CodeletInfo>& originals() {
    static std::vector<CodeletInfo> all;
    return all;
  }
  template <std::size_t Index>
  static void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
    PassArgs wrong = args;
    wrong.scale *= 1 + 1e-5;
    originals()[Index].run(wrong, buffers, first, count);
  }
  template <std::size_t... Index>
  static Functions make_functions(std::index_sequence<Index...>) {
    return {{&run<Index>...}};
  }
  static const Functions& functions() {
    static const Functions all = make_functions(std::make_index_sequence<kMost>());
    return all;
  }

  std::vector<CodeletInfo> entries_;
  CodeletTable table_;
};

TEST(ErrorLimit, ChoosesTheSchemeThatKeepsIt) {
  for (const Effort effort : {Effort::kEstimate, Effort::kMeasure}) {
    // f64 in f32 arithmetic errs by some 1e-7, f32 stored from f64 arithmetic by 3e-8: one rounding.
    for (const auto& [problem, scheme] : {std::pair("1000 f64 max_error=1e-12", "f64"), std::pair("4096 f32 max_error=5e-8", "f64"),
                                          std::pair("4096 f32 max_error=1e-6", "f32"), std::pair("4096 f64 max_error=1e-6 scheme=f32", "f32"),
                                          std::pair("48x36*2 f64 max_error=1e-12", "f64"), std::pair("1009 f32 max_error=1e-6 scheme=f64", "f64"),
                                          std::pair("r2c 4096 f32 max_error=5e-8", "f64"), std::pair("c2r 48x36*2 f64 max_error=1e-12", "f64"),
                                          std::pair("r2c 1000 i16->f64 max_error=1e-12", "f64"), std::pair("r2c 1000 f32 max_error=5e-8 chain=mul", "f64"),
                                          std::pair("r2r 4096 f32 max_error=1e-6 kinds=dct2", "f32")}) {
      const auto plan = search(problem, effort);
      EXPECT_EQ(plan->recipe.scheme, scheme) << problem;
      EXPECT_LE(plan->error, parse_problem(problem).max_error) << problem;
      EXPECT_GT(plan->error, 0) << problem;
      EXPECT_EQ(plan->error_level, ErrorLevel::kSampled) << problem;
      EXPECT_EQ(plan->candidates.front().recipe, plan->recipe) << problem;
      EXPECT_EQ(plan->candidates.front().error, plan->error) << problem;
      EXPECT_EQ(plan->seconds > 0, effort == Effort::kMeasure) << problem;
    }
  }
}

TEST(ErrorLimit, LetsBothSchemesCompete) {
  const auto plan = search("4096 f64 max_error=1e-5", Effort::kMeasure);
  std::map<std::string, int> timed;
  for (const Candidate& candidate : plan->candidates) timed[candidate.recipe.scheme] += candidate.seconds > 0 ? 1 : 0;
  EXPECT_GT(timed["f32"], 0);
  EXPECT_GT(timed["f64"], 0);
}

TEST(ErrorLimit, BelowWhatThereIsIsRefusedByTheBestThereIs) {
  for (const Effort effort : {Effort::kEstimate, Effort::kMeasure}) {
    for (const auto& [problem, scheme] : {std::pair("1000 f64 max_error=1e-18", "f64"), std::pair("4096 f32 max_error=1e-9", "f64"),
                                          std::pair("48x36 f32 max_error=1e-9", "f64"), std::pair("4096 f32 max_error=1e-9 scheme=f32", "f32")}) {
      try {
        const auto plan = search(problem, effort);
        FAIL() << problem << " planned with error " << plan->error;
      } catch (const PlanError& error) {
        EXPECT_EQ(error.status, ULPFFT_UNSUPPORTED) << problem;
        EXPECT_EQ(error.field, "max_error") << problem;
        EXPECT_NE(error.message.find("scheme " + std::string(scheme)), std::string::npos) << error.message;
      }
    }
  }
}

TEST(ErrorLimit, IsKeptByAFullMeasurementOrByNothingThereIs) {
  for (const std::string given : {"256*16 f64", "1000*4 f32", "4096 f64->f32", "64x48 f32", "4096 f16", "1009 f64"}) {
    for (int decade = 1; decade <= 15; decade += 2) {
      const std::string problem = given + " max_error=1e-" + std::to_string(decade);
      const double limit = parse_problem(problem).max_error;
      std::unique_ptr<ulpfft_plan> plan;
      try {
        plan = search(problem, Effort::kEstimate);
      } catch (const PlanError& error) {
        EXPECT_EQ(error.field, "max_error") << problem << ": " << error.message;
      }
      if (plan != nullptr) {
        EXPECT_LE(measure_error(*plan, ErrorLevel::kFull).relative_l2, limit) << problem << " " << print_recipe(plan->recipe);
        continue;
      }
      const auto best = search(given + " scheme=f64", Effort::kEstimate);
      EXPECT_GT(measure_error(*best, ErrorLevel::kFull).relative_l2, limit) << problem << " was refused";
    }
  }
}

TEST(ErrorLimit, ThatOnlyAnotherTwiddleFormKeepsIsKept) {
  // Every operation rounded to f16: dual-select errs less than what an estimate proposes.
  const std::string given = "1024 f32 scheme=rounded:f16";
  const auto error_of = [&](const std::string& recipe) {
    TableCache cache;
    const Problem problem = parse_problem(given);
    const Recipe parsed = parse_recipe(recipe);
    return certificate_of(measure_error(*make_plan(problem, parsed, best_table(), build_plan(problem, parsed, best_table(), cache)), ErrorLevel::kSampled)).bound;
  };
  const std::string plain = print_recipe(search(given, Effort::kEstimate)->recipe);
  std::vector<double> errors{error_of(plain)};
  for (const Variant& variant : form_variants(parse_recipe(plain).root)) {
    try {
      errors.push_back(error_of(print_recipe({"rounded:f16", variant.node})));
    } catch (const PlanError&) {
      continue;  // no codelets in this form
    }
  }
  const double least = *std::min_element(errors.begin(), errors.end());
  ASSERT_LT(least, 0.998 * errors[0]) << "no form is better here: the test needs another length";
  const double limit = (least + errors[0]) / 2;
  const auto plan = search(given + " max_error=" + text_of(limit), Effort::kEstimate);
  EXPECT_LE(plan->error, limit) << print_recipe(plan->recipe);
}

TEST(ErrorLimit, AChainChosenByItsErrorAloneIsTimedToo) {
  // The limit comes down until none keeps it: before that, recipes that no heat timed are chosen. By ref, on every machine alike.
  const CodeletTable& plain = registered_targets().back().table;
  const std::string given = "1024 f32 scheme=f32 scale=1/n chain=mul";
  const auto fastest = search(given + " max_error=1", Effort::kMeasure, plain);
  double limit = 1.02 * fastest->error;
  std::size_t by_error = 0;
  for (int step = 0; step < 12; ++step) {
    limit *= 0.998;
    char text[32];
    std::snprintf(text, sizeof text, "%.3e", limit);
    std::unique_ptr<ulpfft_plan> plan;
    try {
      plan = search(given + " max_error=" + text, Effort::kMeasure, plain);
    } catch (const PlanError& error) {
      EXPECT_EQ(error.field, "max_error") << error.message;
      break;
    }
    EXPECT_GT(plan->seconds, 0) << text << " " << print_recipe(plan->recipe);
    EXPECT_EQ(plan->candidates.front().seconds, plan->seconds);
    by_error += plan->recipe == fastest->recipe ? 0 : 1;
  }
  EXPECT_GT(by_error, 0U) << "no chain was chosen by its error: the test needs other limits";
}

TEST(ErrorLimit, RefusalSaysWhatWouldGiveWay) {
  for (const auto& [problem, words] : {std::pair("4096 f32->f16 max_error=1e-5", "Storing the output in f16 alone"), std::pair("4096 f32 max_error=1e-9", "Storing the output in f32 alone"),
                                       std::pair("4096 f64 scheme=f32 max_error=1e-12", "Leave scheme = f32 out"), std::pair("4096 f64 scheme=rounded:bf16 max_error=1e-12", "Leave scheme = rounded:bf16 out"),
                                       std::pair("4096 f64 max_error=1e-19", "alone"), std::pair("4096 f64 max_error=1e-16", "Raise max_error")}) {
    try {
      const auto plan = search(problem, Effort::kEstimate);
      ADD_FAILURE() << problem << " planned with error " << plan->error;
    } catch (const PlanError& error) {
      EXPECT_NE(error.message.find(words), std::string::npos) << problem << ": " << error.message;
    }
  }
}

TEST(ErrorLimit, ChoosesAmongWhatHasTheRangeOfF32AndEmulatesNothing) {
  const std::vector<std::string> tried = schemes_to_try(parse_problem("4096 f64 max_error=0.5"));
  EXPECT_EQ(tried, (std::vector<std::string>{"f32", "f64"}));
  for (const SchemeFacts& scheme : all_schemes()) {
    EXPECT_EQ(std::find(tried.begin(), tried.end(), scheme.name) == tried.end(), scheme.emulated) << scheme.name;
  }
  const std::vector<std::string> between = intermediates_to_try(parse_problem("4096 f64 max_error=0.5"));
  EXPECT_NE(std::find(between.begin(), between.end(), "bf16"), between.end());
  EXPECT_NE(std::find(between.begin(), between.end(), "mxint8"), between.end());
  for (const char* narrow_range : {"f16", "e4m3", "i16"}) EXPECT_EQ(std::find(between.begin(), between.end(), narrow_range), between.end()) << narrow_range;
  EXPECT_TRUE(intermediates_to_try(parse_problem("4096 f64 max_error=1e-6")).empty());
  EXPECT_TRUE(intermediates_to_try(parse_problem("4096 f64")).empty());
  EXPECT_EQ(intermediates_to_try(parse_problem("4096 f64 intermediate=f16")), std::vector<std::string>{"f16"});
  EXPECT_EQ(intermediates_to_try(parse_problem("r2c 4096 f64 max_error=0.5")), between);
  EXPECT_TRUE(intermediates_to_try(parse_problem("r2r 4096 f64 kinds=dct2 max_error=0.5")).empty());
}

TEST(ErrorLimit, LetsNarrowMatricesCompeteWhereTheyMayKeepIt) {
  const auto narrow = [](const std::string& problem) {
    const auto lines = predicted_candidates(parse_problem(problem), best_table());
    return std::count_if(lines[0].begin(), lines[0].end(), [](const Candidate& c) { return !intermediate_formats(c.recipe.root).empty(); });
  };
  EXPECT_GT(narrow("1048576 f64 max_error=0.1"), 0);
  EXPECT_EQ(narrow("1048576 f64 max_error=1e-6"), 0);
  EXPECT_EQ(narrow("1048576 f64"), 0);
}

TEST(Judge, DecidesOnTheCallersNumbers) {
  // The transform of an impulse is 1 everywhere, which f16 holds; that of random numbers it rounds by 2e-4.
  std::vector<std::complex<float>> impulse(64);
  impulse[0] = 1;
  const auto judged = [](const std::string& problem, std::vector<std::complex<float>>& array) {
    const ArrayAddress address{{array.data(), array.data()}, {}, nullptr};
    SearchOptions options;
    options.time_limit_seconds = 1e9;
    options.judge = &address;
    return search_plan(parse_problem(problem), best_table(), options);
  };
  EXPECT_THROW((void)search("64 f32->f16 max_error=1e-5", Effort::kMeasure), PlanError);
  const auto plan = judged("64 f32->f16 max_error=1e-5", impulse);
  EXPECT_EQ(plan->error, 0);
  EXPECT_EQ(plan->error_level, ErrorLevel::kSampled);
  EXPECT_EQ(impulse[0], std::complex<float>(1)) << "only read";
  // And the other way round: a few large numbers beyond the range of f16 saturate.
  std::vector<std::complex<float>> loud(64, 1e4F);
  EXPECT_NO_THROW((void)search("64 f32->f16 max_error=1e-3", Effort::kMeasure));
  EXPECT_THROW((void)judged("64 f32->f16 max_error=1e-3", loud), PlanError);
  loud[5] = std::numeric_limits<float>::infinity();
  try {
    (void)judged("64 f32 max_error=1e-3", loud);
    ADD_FAILURE() << "infinity was judged";
  } catch (const PlanError& error) {
    EXPECT_EQ(error.field, "judge") << error.message;
  }
}

TEST(WrongCodelets, ShowInTheSampledErrorAndAreRejectedByALimit) {
  const WrongTable wrong(best_table());
  for (const Effort effort : {Effort::kEstimate, Effort::kMeasure}) {
    SearchOptions options;
    options.effort = effort;
    options.time_limit_seconds = 1e9;
    options.error_level = ErrorLevel::kSampled;
    const auto plan = search_plan(parse_problem("4096 f32"), wrong.codelets(), options);
    EXPECT_GT(plan->error, 0.9e-5);
    EXPECT_LT(plan->error, 1e-4);
    // The other scheme has right codelets; where it may not be used, nothing is left.
    EXPECT_EQ(search("4096 f32 max_error=1e-6", effort, wrong.codelets())->recipe.scheme, "f64");
    EXPECT_THROW((void)search("4096 f32 max_error=1e-6 scheme=f32", effort, wrong.codelets()), PlanError);
    EXPECT_NO_THROW((void)search("4096 f32 max_error=1e-6 scheme=f32", effort));
  }
}

}  // namespace
}  // namespace ulpfft::test
