// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Dual-select passes that are standard: which ones, and that they are what the recipe without the form is.
#include "planner/facts/idle_forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "planner/lower/build_plan.h"
#include "planner/lower/place.h"
#include "planner/plan/plan.h"
#include "planner/table/find_codelet.h"
#include "planner/table/twiddle_table.h"
#include "tests/support/api.h"
#include "tests/support/targets.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

const CodeletTable& ref_table() { return registered_targets().back().table; }

// k in groups with one path, as the table of a pass has them.
std::int64_t counted(const CodeletInfo& codelet, std::int64_t length, RootCache& roots) {
  TwiddleRequest request;
  request.body = codelet.body;
  request.length = request.end = length;
  const TwiddleTable table = make_twiddle_table(request, codelet.compute, roots);
  std::int64_t on_paths = 0;
  for (std::size_t group = 0; group < table.paths.size(); ++group) {
    const auto begin = static_cast<std::int64_t>(group) * kPathGroup;
    if (table.paths[group] != kStraddle) on_paths += std::min<std::int64_t>(kPathGroup, length - begin);
  }
  return on_paths;
}

TEST(IndicesOnPaths, AreThoseOfTheTables) {
  std::vector<std::int64_t> lengths{1000, 1024, 2187, 4096, 6561, 15625};
  for (std::int64_t length = 1; length <= (full_run() ? 1000 : 300); ++length) lengths.push_back(length);
  int forms = 0;
  for (const CodeletInfo& codelet : ref_table().codelets) {
    if (codelet.kind != PassKind::kTwiddled || codelet.compute != ComputeType::kF64 || !selects_path(codelet.body->form)) continue;
    ++forms;
    for (const std::int64_t length : lengths) {
      RootCache roots;
      ASSERT_EQ(indices_on_paths(codelet.body->form, codelet.body->radix, length), counted(codelet, length, roots)) << codelet.body->name << " behind " << length;
    }
  }
  EXPECT_GE(forms, 8);
}

struct Built {
  std::uint64_t hash;
  double adds, muls, fmas, error;
  bool operator==(const Built&) const = default;
};

Built built(const CodeletTable& table, const std::string& problem_text, const std::string& recipe_text, TableCache& cache) {
  const Problem problem = parse_problem(problem_text);
  const Recipe recipe = parse_recipe(recipe_text);
  std::unique_ptr<Executable> executable = build_plan(problem, recipe, table, cache);
  const PlanFacts& facts = executable->facts();
  Built result{0, facts.adds, facts.muls, facts.fmas, facts.predicted_error};
  result.hash = hash_of_fixed_input(*make_plan(problem, recipe, table, std::move(executable)));
  return result;
}

// With the passes that the text names, idle or not.
std::uint64_t hash_as_written(const CodeletTable& table, const std::string& problem_text, const std::string& recipe_text, TableCache& cache) {
  const Problem problem = parse_problem(problem_text);
  const Recipe recipe = parse_recipe(recipe_text);
  const Backend& backend = backend_of(table);
  const Machine machine(table);
  Program as_written = backend.expand({problem, Sides(problem), recipe, scheme_named(recipe.scheme), machine, backend, cache});
  place(as_written, recipe);
  return hash_of_fixed_input(*make_plan(problem, recipe, table, backend.link(as_written, table, cache, nullptr)));
}

std::vector<std::int64_t> radices(const CodeletTable& table, PassKind kind, TwiddleForm form) {
  std::vector<std::int64_t> found;
  for (const CodeletInfo& codelet : table.codelets) {
    if (codelet.kind == kind && codelet.compute == ComputeType::kF64 && codelet.body->form == form) found.push_back(codelet.body->radix);
  }
  return found;
}

std::int64_t most_on_paths(const Node& dit) {
  std::int64_t most = 0, length = dit.passes[0].radix;
  for (std::size_t i = 1; i < dit.passes.size(); ++i) {
    if (selects_path(dit.passes[i].form)) most = std::max(most, indices_on_paths(dit.passes[i].form, dit.passes[i].radix, length));
    length *= dit.passes[i].radix;
  }
  return most;
}

// Passes with ":ds" and without, both types: those behind `before` points as a recipe has them.
void compare(const CodeletTable& table, std::int64_t n, const std::string& ds, const std::string& standard, TableCache& cache, std::size_t& idle, std::size_t& active) {
  for (const std::string type : {"f32", "f64"}) {
    const std::string problem = std::to_string(n) + " " + type;
    const Built with = built(table, problem, type + ":dit(" + ds + ")", cache), without = built(table, problem, type + ":dit(" + standard + ")", cache);
    const Recipe recipe = parse_recipe(type + ":dit(" + ds + ")");
    EXPECT_EQ(hash_as_written(table, problem, print_recipe(recipe), cache), with.hash) << table.target << " " << problem << " " << ds;
    if (print_recipe(without_idle_forms(recipe, table)) == type + ":dit(" + standard + ")") {
      EXPECT_EQ(with, without) << table.target << " " << problem << " " << ds;
      EXPECT_EQ(idle_forms(recipe, table).size(), 1U) << ds;
      ++idle;
    } else {
      // Some group shares a path: those numbers are rounded elsewhere, by other operations. One or two of them may come out alike.
      if (most_on_paths(recipe.root) >= kPathGroup) {
        EXPECT_NE(with.hash, without.hash) << table.target << " " << problem << " " << ds;
      }
      EXPECT_NE(with.fmas, without.fmas) << table.target << " " << problem << " " << ds;
      EXPECT_LT(with.muls, without.muls) << table.target << " " << problem << " " << ds;
      ++active;
    }
  }
}

TEST(IdleForms, AreTheStandardFormAndOthersAreNot) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || !target.table.has_fma) continue;
    TableCache cache;
    std::size_t idle = 0, active = 0;
    for (const std::int64_t a : radices(target.table, PassKind::kFirst, TwiddleForm::kNone)) {
      for (const std::int64_t b : radices(target.table, PassKind::kTwiddled, TwiddleForm::kDualSelect)) {
        const std::string one = std::to_string(a) + " " + std::to_string(b);
        compare(target.table, a * b, one + ":ds", one, cache, idle, active);
        for (const std::int64_t c : {2, 4, 8, 16}) {
          if (!full_run() && (a + b + c) % 5 != 0) continue;
          const std::string last = " " + std::to_string(c);
          compare(target.table, a * b * c, one + ":ds" + last + ":ds", one + last, cache, idle, active);
          compare(target.table, a * b * c, one + last + ":ds", one + last, cache, idle, active);
        }
      }
    }
    EXPECT_GT(idle, 200U) << target.table.target;
    EXPECT_GT(active, 20U) << target.table.target;
  }
}

// What a pass is counted as is the part of its groups.
TEST(IdleForms, LeaveThePartOfAPassThatSharesPaths) {
  const CodeletTable& table = ref_table();
  TableCache cache;
  for (const std::int64_t a : {std::int64_t{25}, std::int64_t{32}}) {
    for (const std::int64_t b : {8, 16}) {
      const std::int64_t l = a * b;
      const std::string ds = "f64:dit(" + std::to_string(a) + " " + std::to_string(b) + " 4:ds)";
      const std::string standard = "f64:dit(" + std::to_string(a) + " " + std::to_string(b) + " 4)";
      const BodyFacts& own = *find_codelet(table, PassKind::kTwiddled, ComputeType::kF64, 4, TwiddleForm::kDualSelect)->body;
      const BodyFacts& other = *find_codelet(table, PassKind::kTwiddled, ComputeType::kF64, 4, TwiddleForm::kStandard)->body;
      RootCache roots;
      const auto on_paths = static_cast<double>(counted(*find_codelet(table, PassKind::kTwiddled, ComputeType::kF64, 4, TwiddleForm::kDualSelect), l, roots));
      const Built with = built(table, std::to_string(4 * l) + " f64", ds, cache), without = built(table, std::to_string(4 * l) + " f64", standard, cache);
      EXPECT_GT(on_paths, 0);
      EXPECT_LT(on_paths, static_cast<double>(l));
      EXPECT_NEAR(with.fmas - without.fmas, on_paths * (own.ops.fma - other.ops.fma), 1e-6) << ds;
      EXPECT_NEAR(with.muls - without.muls, on_paths * (own.ops.mul - other.ops.mul), 1e-6) << ds;
    }
  }
}

TEST(IdleForms, AreFoundInEveryNodeThatIsComputedLineByLine) {
  const struct {
    const char *problem, *recipe, *computed;
    std::vector<std::string> idle;
  } cases[] = {
      {"64 f32", "f32:dit(8 8:ds)", "f32:dit(8 8)", {"8:ds of dit(8 8:ds)"}},
      {"256 f32", "f32:dit(16 4:ds 4:ds)", "f32:dit(16 4 4)", {"4:ds, 4:ds of dit(16 4:ds 4:ds)"}},
      {"2048 f32", "f32:dit(16 8:ds 16:ds)", "f32:dit(16 8 16:ds)", {"8:ds of dit(16 8:ds 16:ds)"}},
      {"257 f32", "f32:rader(257; dit(16 16:ds))", "f32:rader(257; dit(16 16))", {"16:ds of dit(16 16:ds)"}},
      {"64x64 f32", "f32:rank(cols(p32; dit(8 8:ds)); dit(8 8:ds))", "f32:rank(cols(p32; dit(8 8:ds)); dit(8 8))", {"8:ds of dit(8 8:ds)"}},
      {"4096 f32", "f32:four(64x64 p32; dit(8 8:ds); dit(8 8:ds))", "f32:four(64x64 p32; dit(8 8:ds); dit(8 8:ds))", {}},
      {"64 f32 scheme=rounded:f16", "rounded:f16:dit(8 8:ds)", "rounded:f16:dit(8 8:ds)", {}},
  };
  for (const auto& c : cases) {
    const Recipe recipe = parse_recipe(c.recipe);
    EXPECT_EQ(print_recipe(without_idle_forms(recipe, ref_table())), c.computed);
    EXPECT_EQ(idle_forms(recipe, ref_table()), c.idle) << c.recipe;
    for (const Target& target : targets()) {
      if (!target.has_fma) continue;
      const PlanPtr plan = make_plan(target.context, c.problem, std::string(c.recipe));
      EXPECT_EQ(recipe_of(plan.get()), c.recipe);
      EXPECT_EQ(hash_of(plan.get()), hash_of(make_plan(target.context, c.problem, std::string(c.computed)).get())) << target << " " << c.recipe;
      EXPECT_EQ(take(ulpfft_plan_describe(plan.get())).find("standard here") != std::string::npos, !c.idle.empty()) << c.recipe;
    }
  }
}

TEST(IdleForms, AreRefusedOfTargetsWithoutTheForm) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || find_codelet(target.table, PassKind::kTwiddled, ComputeType::kF32, 8, TwiddleForm::kDualSelect) != nullptr) continue;
    const ContextPtr context = make_context(target.table.target);
    EXPECT_EQ(try_plan(context.get(), "64 f32", "f32:dit(8 8:ds)"), nullptr) << target.table.target;
    EXPECT_NE(last_error().message.find("no codelet of radix 8:ds"), std::string::npos) << last_error_text();
  }
}

TEST(IdleForms, AreInNoCandidateOfASearch) {
  for (const Target& target : targets()) {
    for (const char* problem : {"64 f64", "120 f32", "512 f32", "257 f64", "60x60 f32", "1024 f16", "r2c 512 f32", "c2r 1000 f16", "r2c 240 f64 chain=mul", "r2r 256 f64 kinds=dct3"}) {
      for (const int effort : {ULPFFT_MEASURE, ULPFFT_PATIENT}) {
        const PlanPtr plan = make_plan(target.context, problem, effort, 0.1);
        for (const std::string& text : candidates_of(plan.get())) EXPECT_EQ(idle_forms(parse_recipe(text), ref_table()), std::vector<std::string>()) << target << " " << text;
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
