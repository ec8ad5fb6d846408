// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The search on a machine whose times are known: what it chooses, what it looks at, and when it stops.
#include "planner/search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "planner/program/print.h"
#include "planner/search/candidates.h"
#include "planner/search/race.h"
#include "tests/planner/fake_machine.h"
#include "tests/support/api.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// Every codelet has a speed of its own, from a third to three times that of a plain machine.
FakeMachine::Cost random_costs(std::uint64_t seed) {
  return [seed](const CodeletInfo& codelet, double points) {
    std::uint64_t hash = seed * 0x9e3779b97f4a7c15U ^ seed_of(name_of(codelet));  // kinds keep their costs when others come
    hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9U;
    const double random = static_cast<double>(hash >> 40) / static_cast<double>(1 << 24);
    return 20e-9 + points * 1e-9 * std::pow(3.0, 2 * random - 1);
  };
}

SearchOptions options_for(FakeMachine& machine, Effort effort) {
  SearchOptions options;
  options.effort = effort;
  options.clock = machine.clock();
  options.time_limit_seconds = 1e9;
  return options;
}

std::unique_ptr<ulpfft_plan> search(const std::string& problem, FakeMachine& machine, const SearchOptions& options) {
  return search_plan(parse_problem(problem), machine.codelets(), options);
}

// Of one execution, exactly.
double true_seconds(const std::string& problem, const Candidate& candidate, FakeMachine& machine, std::shared_ptr<Team> team = nullptr) {
  const Problem parsed = parse_problem(problem);
  TableCache cache;
  const auto plan = make_plan(parsed, candidate.recipe, machine.codelets(),
                              build_plan(parsed, candidate.recipe, {machine.codelets(), candidate.threads}, cache), std::move(team));
  std::vector<Timing> timing = PlanTimer(parsed).time({plan.get()}, machine.clock(), {.seconds = 1e9, .rounds = 1}, [](std::size_t) { return true; });
  return timing[0].seconds;
}

std::set<std::string> timed_kinds(const ulpfft_plan& plan) {
  std::set<std::string> kinds;
  for (const Candidate& candidate : plan.candidates) {
    if (candidate.seconds > 0) kinds.insert(candidate.kind);
  }
  return kinds;
}

std::size_t timed(const ulpfft_plan& plan) {
  return static_cast<std::size_t>(
      std::count_if(plan.candidates.begin(), plan.candidates.end(), [](const Candidate& candidate) { return candidate.seconds > 0; }));
}

TEST(Search, ChoosesTheFastestOfWhatItTimed) {
  for (const std::string problem : {"64 f32", "720 f64", "1009 f32", "4096 f32", "48x36 f32", "128*100 f64"}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      FakeMachine machine(random_costs(seed));
      const auto plan = search(problem, machine, options_for(machine, Effort::kMeasure));
      const double chosen = true_seconds(problem, {.recipe = plan->recipe}, machine);
      EXPECT_NEAR(plan->seconds / chosen, 1, 1e-9) << problem << ", seed " << seed;
      EXPECT_EQ(print_recipe(plan->candidates.front().recipe), print_recipe(plan->recipe));
      for (const Candidate& candidate : plan->candidates) {
        if (candidate.seconds == 0) continue;
        const double exact = true_seconds(problem, candidate, machine);
        EXPECT_NEAR(candidate.seconds / exact, 1, 1e-9) << problem << ", seed " << seed << ": " << print_recipe(candidate.recipe);
        EXPECT_GE(exact, chosen * (1 - 1e-9)) << problem << ", seed " << seed << ": " << print_recipe(candidate.recipe) << " against "
                                              << print_recipe(plan->recipe);
      }
    }
  }
}

TEST(Search, IsNotMisledByPhasesInWhichTheMachineIsSlower) {
  for (const std::string problem : {"720 f64", "4096 f32"}) {
    FakeMachine machine(random_costs(4));
    // Phases of some heats, which take 1 to 2 ms; a fifth slower every other time.
    machine.set_pace([](double now) { return std::fmod(now, 20e-3) < 10e-3 ? 1.0 : 1.2; });
    const auto plan = search(problem, machine, options_for(machine, Effort::kPatient));
    machine.set_pace(nullptr);
    const double chosen = true_seconds(problem, {.recipe = plan->recipe}, machine);
    for (const Candidate& candidate : plan->candidates) {
      if (candidate.seconds == 0) continue;
      EXPECT_GE(true_seconds(problem, candidate, machine), chosen * 0.98) << problem << ": " << print_recipe(candidate.recipe) << " is faster than "
                                                                         << print_recipe(plan->recipe);
    }
  }
}

TEST(Search, IsNotMisledByInterrupts) {
  for (const std::string problem : {"128 f64", "256 f32", "1024 f32"}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      FakeMachine machine(random_costs(seed));
      // Every half millisecond something takes the time of a few samples.
      machine.set_pace([last = 0.0](double now) mutable {
        if (now < last + 0.5e-3) return 1.0;
        last = now;
        return 500.0;
      });
      const auto plan = search(problem, machine, options_for(machine, Effort::kMeasure));
      machine.set_pace(nullptr);
      const double chosen = true_seconds(problem, {.recipe = plan->recipe}, machine);
      for (const Candidate& candidate : plan->candidates) {
        if (candidate.seconds == 0) continue;
        EXPECT_GE(true_seconds(problem, candidate, machine), chosen * 0.95) << problem << ", seed " << seed << ": " << print_recipe(candidate.recipe)
                                                                           << " is faster than " << print_recipe(plan->recipe);
      }
    }
  }
}

// Heat by heat slower and faster: what is timed in each is brought to the pace of the first.
TEST(Race, ComparesTimesOfDifferentHeats) {
  const std::string problem = "4096 f32";
  FakeMachine machine(random_costs(5));
  const SearchOptions options = options_for(machine, Effort::kMeasure);
  Planning planning(machine.codelets(), options);
  const Problem parsed = parse_problem(problem);
  Race race(planning, parsed);
  race.force_first();
  // In pairs of the same codelets: whatever they cost, two come near enough to each other for a final.
  const std::vector<std::string> recipes{"f32:dit(32 8 16)",  "f32:dit(16 8 8 4)", "f32:dit(4 8 16 8)",
                                         "f32:dit(4 16 8 8)", "f32:dit(32 16 8)",  "f32:dit(16 8 4 8)"};
  std::vector<double> exact;
  for (const std::string& recipe : recipes) {
    Candidate candidate{.recipe = parse_recipe(recipe)};
    exact.push_back(true_seconds(problem, candidate, machine));
    ASSERT_TRUE(race.add(candidate));
    EXPECT_FALSE(race.add(candidate)) << "known";
  }
  const double paces[] = {1.0, 1.2, 0.85, 1.1, 1.05, 0.95};
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    machine.set_pace([pace = paces[i]](double) { return pace; });
    race.heat({i}, 1);
    EXPECT_NEAR(race.candidates()[i].seconds / exact[i], 1, 1e-9) << recipes[i];
  }
  race.finish(2, {}, 1);
  const std::vector<std::size_t> ranking = race.ranking();
  EXPECT_TRUE(std::is_sorted(ranking.begin(), ranking.end(), [&](std::size_t a, std::size_t b) { return exact[a] * (1 + 1e-9) < exact[b]; }));
  EXPECT_NEAR(race.candidates()[ranking[0]].seconds / exact[ranking[0]], paces[5], 1e-9) << "the pace of the final is that of all";
}

TEST(Efforts, LookAtMoreAndMoreAndFindNothingSlower) {
  for (const std::string problem : {"720 f32", "1009 f32", "4096 f32", "262144 f32", "48x36 f64"}) {
    const bool small = problem != "262144 f32";
    for (std::uint64_t seed = 1; seed <= (full_run() ? 10U : small ? 2U : 1U); ++seed) {
      FakeMachine machine(random_costs(seed));
      const auto measure = search(problem, machine, options_for(machine, Effort::kMeasure));
      const auto patient = search(problem, machine, options_for(machine, Effort::kPatient));
      EXPECT_GT(timed(*patient), timed(*measure)) << problem;
      EXPECT_LE(patient->seconds, measure->seconds * (1 + 1e-9)) << problem << ", seed " << seed;
      if (problem.find('x') == problem.npos) {
        EXPECT_GT(timed_kinds(*patient).size(), timed_kinds(*measure).size()) << problem;
      }
      if (!small || seed > 1) continue;
      const auto exhaustive = search(problem, machine, options_for(machine, Effort::kExhaustive));
      EXPECT_GT(timed(*exhaustive), timed(*patient)) << problem;
      EXPECT_LE(exhaustive->seconds, patient->seconds * (1 + 1e-9)) << problem;
    }
  }
}

TEST(Efforts, MeasureTimesEveryStrategyThatMayBeWorthIt) {
  FakeMachine machine(random_costs(1));
  for (const std::string problem : {"101 f32", "1009 f32", "10007 f32", "65537 f32"}) {
    const std::set<std::string> kinds = timed_kinds(*search(problem, machine, options_for(machine, Effort::kMeasure)));
    EXPECT_TRUE(kinds.contains("rader")) << problem;
    EXPECT_TRUE(kinds.contains("bluestein")) << problem;
  }
}

TEST(Efforts, MeasureTimesSweepsOverMemoryThatBeginWithOtherRadicesThan4) {
  FakeMachine machine(random_costs(1));
  SearchOptions options = options_for(machine, Effort::kMeasure);
  options.time_limit_seconds = 100;
  const auto plan = search("4194304 f32", machine, options);
  EXPECT_TRUE(timed_kinds(*plan).contains("sweeps")) << print_recipe(plan->recipe);
}

TEST(Efforts, EstimateRunsNothing) {
  FakeMachine machine(random_costs(1));
  for (const std::string problem : {"64 f32", "720 f64", "48x36*3 f32"}) {
    const auto plan = search(problem, machine, options_for(machine, Effort::kEstimate));
    EXPECT_EQ(timed(*plan), 0U) << problem;
    EXPECT_EQ(plan->seconds, 0) << problem;
  }
  EXPECT_EQ(machine.now(), 0) << "a codelet ran";
}

// One execution of the slowest recipe that was timed.
double one_execution(const std::string& problem, FakeMachine& machine, const ulpfft_plan& plan) {
  double slowest = 0;
  for (const Candidate& candidate : plan.candidates) {
    if (candidate.seconds > 0) slowest = std::max(slowest, true_seconds(problem, candidate, machine));
  }
  return slowest;
}

// As ulpfft_plan_options::time_limit_seconds says: one execution and a first timing of a millisecond at the most may come on top.
constexpr double kFirstTiming = 1e-3;
TEST(TimeLimit, IsKeptWithinATenthOneExecutionAndAFirstTiming) {
  for (const Effort effort : {Effort::kEstimate, Effort::kMeasure, Effort::kPatient, Effort::kExhaustive}) {
    for (const std::string problem : {"720 f32", "4096 f32", "1009 f64", "48x36 f32", "20x20x20 f64", "65536 f32"}) {
      for (const double limit : {1e-6, 1e-4, 3e-3, 0.1}) {
        // The clock stands still while tables are made, which takes its time here.
        if (limit > 0.01 && effort == Effort::kExhaustive && !full_run()) continue;
        FakeMachine machine(random_costs(2));
        SearchOptions options = options_for(machine, effort);
        options.time_limit_seconds = limit;
        const auto plan = search(problem, machine, options);
        const double taken = machine.now();
        EXPECT_EQ(plan->seconds > 0, effort != Effort::kEstimate) << "something is always timed, where it takes less than a millisecond";
        EXPECT_LE(taken, 1.1 * limit + one_execution(problem, machine, *plan) + kFirstTiming)
            << problem << ", effort " << static_cast<int>(effort) << ", limit " << limit;
      }
    }
  }
}

TEST(TimeLimit, IsUsedByTheHigherEfforts) {
  FakeMachine machine(random_costs(2));
  SearchOptions options = options_for(machine, Effort::kExhaustive);
  options.time_limit_seconds = 0.02;
  const auto plan = search("4096 f32", machine, options);
  EXPECT_GE(machine.now(), 0.5 * options.time_limit_seconds);
  EXPECT_GE(timed(*plan), 10U);
}

TEST(Progress, NeverFallsAndNamesRecipesOfTheProblem) {
  for (const std::string problem : {"720 f32", "48x36 f64"}) {
    FakeMachine machine(random_costs(1));
    SearchOptions options = options_for(machine, Effort::kPatient);
    options.time_limit_seconds = 0.01;
    double last = 0;
    int calls = 0;
    options.progress = [&](double fraction, const std::string& recipe) {
      EXPECT_GE(fraction, last);
      EXPECT_LE(fraction, 1);
      EXPECT_NO_THROW(parse_recipe(recipe)) << recipe;
      last = fraction;
      ++calls;
      return true;
    };
    (void)search(problem, machine, options);
    EXPECT_GT(calls, 10);
    EXPECT_GT(last, 0.7) << problem;
  }
}

TEST(Progress, CancelsAtAnyCall) {
  FakeMachine machine(random_costs(1));
  for (int stop = 1; stop < 200; stop = stop * 3 / 2 + 1) {
    SearchOptions options = options_for(machine, Effort::kPatient);
    int calls = 0;
    options.progress = [&](double, const std::string&) { return ++calls < stop; };
    try {
      (void)search("720 f32", machine, options);
      FAIL() << "not cancelled at call " << stop;
    } catch (const PlanError& error) {
      EXPECT_EQ(error.status, ULPFFT_CANCELLED);
      EXPECT_EQ(calls, stop) << "called again after it cancelled";
    }
  }
}

TEST(Threads, AreUsedWhereTheyPay) {
  for (const std::string problem : {"64*256 f32 threads=4", "65536 f64 threads=4", "128x128 f32 threads=4"}) {
    FakeMachine machine(random_costs(5));
    SearchOptions options = options_for(machine, Effort::kMeasure);
    options.team = std::make_shared<FakeMachine::FakeTeam>(machine, 4, 1e-6);
    const auto cheap = search(problem, machine, options);
    EXPECT_EQ(cheap->facts->threads, 4) << problem;
    EXPECT_TRUE(timed_kinds(*cheap).contains("threads"));
    EXPECT_NEAR(cheap->seconds, true_seconds(problem, cheap->candidates.front(), machine, options.team), 1e-9 * cheap->seconds);

    options.team = std::make_shared<FakeMachine::FakeTeam>(machine, 4, 1.0);
    const auto dear = search(problem, machine, options);
    EXPECT_EQ(dear->facts->threads, 1) << problem;
    EXPECT_TRUE(timed_kinds(*dear).contains("threads")) << problem << ": several threads were tried";
    EXPECT_LT(dear->seconds, 1.0);
  }
}

TEST(Threads, AreNoMoreThanTheProblemOrTheTeamAllows) {
  for (const auto& [problem, size] : {std::pair("64*256 f32", 8), std::pair("64*256 f32 threads=2", 8), std::pair("64*256 f32 threads=8", 2)}) {
    FakeMachine machine(random_costs(3));
    for (const Effort effort : {Effort::kEstimate, Effort::kMeasure}) {
      SearchOptions options = options_for(machine, effort);
      options.team = std::make_shared<FakeMachine::FakeTeam>(machine, size, 1e-6);
      const auto plan = search(problem, machine, options);
      for (const Candidate& candidate : plan->candidates) EXPECT_LE(candidate.threads, std::min(size, parse_problem(problem).threads)) << problem;
    }
  }
}

TEST(Threads, OfAnEstimateComeWithTheWork) {
  FakeMachine machine(random_costs(3));
  SearchOptions options = options_for(machine, Effort::kEstimate);
  options.team = std::make_shared<FakeMachine::FakeTeam>(machine, 4, 1e-6);
  EXPECT_EQ(search("64 f32 threads=4", machine, options)->facts->threads, 1);
  EXPECT_EQ(search("1024*1000 f32 threads=4", machine, options)->facts->threads, 4);
}

TEST(Deterministic, ChoosesTheSameRecipeWithTheCodeletsOfEveryTarget) {
  for (const std::string problem : {"1 f32", "8 f32", "64 f64", "720 f32", "1000 f64", "1009 f32", "4096 f32", "65536 f64", "262144 f32", "64x64 f32",
                                    "100x30*3 f64", "1000 f32->f64", "65536*4 f32 threads=4"}) {
    std::set<std::string> recipes;
    std::string list;
    for (const RegisteredTarget& target : registered_targets()) {
      if (!target.available) continue;  // filters of convolutions are transformed
      SearchOptions options;
      options.deterministic = true;
      const auto plan = search_plan(parse_problem(problem), target.table, options);
      EXPECT_EQ(plan->seconds, 0) << problem;
      recipes.insert(print_recipe(plan->recipe) + " with " + std::to_string(plan->facts->threads) + " threads");
      list += std::string(target.table.target) + " " + print_recipe(plan->recipe) + "\n";
    }
    EXPECT_EQ(recipes.size(), 1U) << problem << "\n" << list;
  }
}

// The first node of each of many dimensions has a longer text than a chain may hold twice, and no time is left for others.
TEST(Search, FindsARecipeWithATextHoweverLateItIs) {
  FakeMachine machine(random_costs(1));
  for (const char* problem : {"21x12x21x21x21 i16->f64 chain=user", "23x21x12x23x21 f32 chain=mul"}) {
    for (const Effort effort : {Effort::kEstimate, Effort::kMeasure, Effort::kPatient}) {
      SearchOptions options = options_for(machine, effort);
      options.clock = [seconds = std::make_shared<double>(0)] { return *seconds += 1; };
      options.time_limit_seconds = 1e-3;
      EXPECT_NO_THROW(search(problem, machine, options)) << problem;
    }
  }
}

TEST(Deterministic, DoesNotLookAtTheClockOrTheTeam) {
  FakeMachine machine(random_costs(1));
  SearchOptions options = options_for(machine, Effort::kMeasure);
  options.deterministic = true;
  const auto patient = search("65536 f32 threads=4", machine, options);
  options.time_limit_seconds = 0;
  options.team = std::make_shared<FakeMachine::FakeTeam>(machine, 2, 1.0);
  const auto hurried = search("65536 f32 threads=4", machine, options);
  EXPECT_EQ(print_recipe(patient->recipe), print_recipe(hurried->recipe));
  EXPECT_EQ(patient->facts->threads, hurried->facts->threads);
  EXPECT_EQ(patient->candidates.size(), hurried->candidates.size());
}

}  // namespace
}  // namespace ulpfft::test
