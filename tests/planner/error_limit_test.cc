// Error limits: which scheme they choose, what they refuse, and that a codelet that computes a little wrong does not get through.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/search.h"
#include "tests/support/api.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

const CodeletTable& best_table() {
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.available) return target.table;
  }
  return registered_targets().back().table;
}

std::unique_ptr<ulpfft_plan> search(const std::string& problem, Effort effort, const CodeletTable& codelets = best_table()) {
  SearchOptions options;
  options.effort = effort;
  options.time_limit_seconds = 0.2;
  return search_plan(parse_problem(problem), codelets, options);
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
                                          std::pair("48x36*2 f64 max_error=1e-12", "f64"), std::pair("1009 f32 max_error=1e-6 scheme=f64", "f64")}) {
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

TEST(WrongCodelets, ShowInTheSampledErrorAndAreRejectedByALimit) {
  const WrongTable wrong(best_table());
  for (const Effort effort : {Effort::kEstimate, Effort::kMeasure}) {
    SearchOptions options;
    options.effort = effort;
    options.time_limit_seconds = 0.2;
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
