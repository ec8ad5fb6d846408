// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems of every kind are planned: lengths x storages x schemes x options. Refused is only what the documentation says is, by the field at
// fault, and whatever a search chooses from keeps the workspace limit.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/registry.h"
#include "planner/convert/storage_by_name.h"
#include "planner/facts/workspace_limit.h"
#include "planner/lower/build_plan.h"
#include "planner/scheme/scheme.h"
#include "planner/strategy/strategy.h"
#include "planner/strategy/variants.h"
#include "planner/table/number_theory.h"
#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kEveryLength = 300, kLongest = 2200;
constexpr std::size_t kOneIn = 50;         // problems, of a default run
constexpr std::size_t kOneLookedInto = 4;  // of the plans: at all its candidates

struct Asked {
  std::int64_t n = 1;
  std::string in, out, scheme;  // scheme "": left to the library
  std::string option;
};

// Options of a problem text; "#" stands for the length, before which a batch or other lengths may be written.
constexpr std::array kOptions = {"#",
                                 "# prescale=amax",
                                 "# scale=ortho",
                                 "# centered",
                                 "# split",
                                 "# inplace",
                                 "# inverse threads=2",
                                 "#*7",
                                 "#*9 threads=3",
                                 "#*64 in_strides=64 out_strides=64 batch_strides=1,1",
                                 "# intermediate=f16",
                                 "# chain=mul",
                                 "# chain=mul prescale=amax",
                                 "#*3 centered split prescale=8",
                                 "#*5 window=hann",
                                 "#x4 window=flattop centered",
                                 "#x4",
                                 "3x# inplace",
                                 "#*9 threads=3 output=power",
                                 "czt #",
                                 "czt #->60*5 start=0.1 step=0.001 threads=2",
                                 "czt #->9 inverse window=hann prescale=amax",
                                 "czt #->31*3 split step=-0.01 scale=1/n output=power"};

// The same of real numbers.
constexpr std::array kRealOptions = {"r2c #",
                                     "c2r #",
                                     "r2c #*7 prescale=amax",
                                     "c2r #*9 threads=3",
                                     "r2c # inplace",
                                     "c2r 3x# inplace",
                                     "r2c #x4 centered",
                                     "c2r 5x# split inverse destroy_input",
                                     "r2c 20x#*2",
                                     "r2c #*7 window=kaiser:8.6:symmetric",
                                     "r2c 5x# window=gauss:20",
                                     "c2r # scale=ortho prescale=8",
                                     "r2c # intermediate=f16",
                                     "r2c # chain=mul",
                                     "r2c 3x#*2 inplace centered chain=mul",
                                     "r2c # chain=mul prescale=amax",
                                     "r2r # kinds=dct2",
                                     "r2r #*5 inplace kinds=dst4 scale=ortho",
                                     "r2r 4x# kinds=dct1,dht threads=2",
                                     "r2r 1x# kinds=dct1,dct2",
                                     "r2c #*3 scale=ortho output=power"};

bool has(const Asked& asked, std::string_view word) { return asked.option.find(word) != std::string::npos; }
bool is_rounded(const Asked& asked) { return asked.scheme.starts_with("rounded:"); }
bool is_mx(const Asked& asked) { return asked.scheme.starts_with("mx:"); }
bool is_split(const Asked& asked) { return asked.scheme.starts_with("split:"); }
bool has_rows(const std::string& storage) {
  const ulpfft::Storage found = find_storage_of(storage, "storage");
  return found.scale != nullptr || is_packed(*found.element);
}
bool is_r2r(const Asked& asked) { return has(asked, "r2r"); }
bool is_real(const Asked& asked) { return has(asked, "r2c") || has(asked, "c2r") || is_r2r(asked); }

// Every reason for a refusal that the documentation gives, with the field it names.
struct Reason {
  const char* documented;  // where
  std::function<bool(const Asked&)> applies;
  std::string_view field;
};
const std::vector<Reason>& reasons() {
  static const std::vector<Reason> all{
      {"ulpfft.h: in place has one storage", [](const Asked& a) { return has(a, "inplace") && a.in != a.out; }, "storage_out"},
      {"ulpfft.h: blocks and packed numbers run along the last length", [](const Asked& a) { return has(a, "strides") && a.n > 1 && has_rows(a.in); }, "in_strides[0]"},
      {"ulpfft.h: blocks and packed numbers run along the last length", [](const Asked& a) { return has(a, "strides") && a.n > 1 && has_rows(a.out); }, "out_strides[0]"},
      {"docs/limits.md: rounded and mx schemes have no chains",
       [](const Asked& a) { return has(a, "chain") && (is_rounded(a) || is_mx(a)); }, "scheme"},
      {"ulpfft.h: a chain has no prescale", [](const Asked& a) { return has(a, "chain") && has(a, "prescale"); }, "prescale"},
      {"docs/limits.md: rounded schemes have the primes up to 13",
       [](const Asked& a) { return is_rounded(a) && rough_part(a.n) != 1; }, "lengths["},
      {"docs/limits.md: mx schemes have the primes up to 13, and once 17",
       [](const Asked& a) { return is_mx(a) && rough_part(a.n) != 1 && rough_part(a.n) != 17; }, "lengths["},
      {"docs/split.md: split schemes have the primes up to 13", [](const Asked& a) { return is_split(a) && rough_part(a.n) != 1; }, "lengths["},
      {"c/problem.h: schemes of real transforms", [](const Asked& a) { return is_real(a) && (is_mx(a) || is_split(a)); }, "scheme"},
      {"c/problem.h: schemes of chirp transforms", [](const Asked& a) { return has(a, "czt") && (is_rounded(a) || is_mx(a) || is_split(a)); },
       "scheme"},
      {"c/problem.h: in place rows of real numbers are neither packed nor in blocks",
       [](const Asked& a) { return is_real(a) && !is_r2r(a) && has(a, "inplace") && !has(a, "chain") && has_rows(a.in); },
       "placement"},
      {"c/problem.h: dct1 has two numbers or more", [](const Asked& a) { return has(a, "r2r 1x#"); }, "lengths["},
  };
  return all;
}

// Formats of the build by kind, any of which stands for the kind.
struct Kinds {
  std::vector<std::string> elements, integers, packed, blocks;
};
Kinds kinds_of_formats() {
  Kinds kinds;
  for (const FormatInfo& f : formats()) {
    if (f.kind == FormatKind::kWide || !f.is_signed || !f.has_zero) continue;
    (is_packed(f) ? kinds.packed : f.kind == FormatKind::kInteger ? kinds.integers : kinds.elements).push_back(f.name);
  }
  for (const BlockInfo& block : block_formats()) kinds.blocks.push_back(block.name);
  return kinds;
}

std::vector<std::string> schemes_of_kind(std::string_view kind) {
  std::vector<std::string> names;
  for (const SchemeFacts& scheme : all_schemes()) {
    if (scheme.kind == kind) names.push_back(scheme.name);
  }
  return names;
}

// Rounded schemes have some kinds of r2r and not others: tests/api/real_rounded_test.cc.
bool is_swept(const Asked& asked) { return !is_r2r(asked) || !is_rounded(asked); }

// Every problem of the sweep has a number: formats and schemes of a kind take turns by it.
void for_each_problem(std::span<const char* const> options, const std::function<void(const Asked&, std::size_t number)>& use) {
  const Kinds kinds = kinds_of_formats();
  const std::vector<std::string> rounded = schemes_of_kind("rounded"), mx = schemes_of_kind("mx"), split = schemes_of_kind("split");
  std::size_t turn = 0;  // of lengths
  std::size_t number = 0;
  for (std::int64_t n = 1; n <= kLongest; ++n) {
    if (n > kEveryLength && rough_part(n) != 1) continue;
    ++turn;
    const auto one_of = [&](const std::vector<std::string>& names, std::size_t shift = 0) { return names[(turn + shift) % names.size()]; };
    const std::string element = one_of(kinds.elements), block = one_of(kinds.blocks);
    const std::vector<std::pair<std::string, std::string>> storages{{"f32", "f32"},
                                                                    {"f64", "f64"},
                                                                    {"f32", "f64"},
                                                                    {"f64", "f32"},
                                                                    {element, element},
                                                                    {one_of(kinds.integers), one_of(kinds.integers)},
                                                                    {one_of(kinds.packed), one_of(kinds.packed)},
                                                                    {block, block},
                                                                    {block + ":b8", block + ":b8"},
                                                                    {block + ":b0", block + ":b0"},
                                                                    {"f32", block + ":b0"},
                                                                    {block + ":b0", "f32"},
                                                                    {"f64", element},
                                                                    {one_of(kinds.elements, 1), block}};
    const std::vector<std::string> schemes{"", turn % 2 == 0 ? "f32" : "f64", one_of(rounded), one_of(rounded, rounded.size() / 2), one_of(mx),
                                           one_of(mx, mx.size() / 2), one_of(split)};
    for (const auto& [in, out] : storages) {
      for (const std::string& scheme : schemes) {
        for (const char* const option : options) {
          const Asked asked{n, in, out, scheme, option};
          if (is_swept(asked)) use(asked, number);
          ++number;
        }
      }
    }
  }
}

std::string text_of(const Asked& asked) {
  std::string text = asked.option;
  const std::size_t lengths = text.find('#');
  text.replace(lengths, 1, std::to_string(asked.n));
  const std::size_t end = std::min(text.find(' ', lengths), text.size());
  text.insert(end, " " + (asked.in == asked.out ? asked.in : asked.in + "->" + asked.out));
  return asked.scheme.empty() ? text : text + " scheme=" + asked.scheme;
}

// Spreads the problems of a default run over all choices.
bool is_drawn(std::size_t number) { return full_run() || seed_of(std::to_string(number)) % kOneIn == 0; }

// What this machine can run: problems take turns among them, too.
struct Machine {
  const CodeletTable* table;
  ContextPtr context;
};
std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const RegisteredTarget& target : registered_targets()) {
    if (target.available) all.push_back({&target.table, make_context(target.table.target)});
  }
  return all;
}

void expect_within_limit(const CodeletTable& table, const Problem& problem, const Recipe& recipe, int threads, TableCache& cache) {
  const ulpfft::Machine machine(table, threads);
  const Program plan = make_program(problem, recipe, machine, cache);
  EXPECT_TRUE(within_workspace_limit(problem, recipe, plan, machine.most_scratch)) << table.target << ": " << print_problem(problem) << " by " << print_recipe(recipe) << ", " << threads
                                                             << " threads: " << plan.workspace_bytes << " bytes";
}

// What a search may come to from a recipe: its neighbours, streaming, and passes that convert.
void expect_neighbours_within_limit(const CodeletTable& table, const Problem& problem, const Recipe& recipe, TableCache& cache) {
  std::vector<Variant> variants = neighbours(recipe.root);
  for (Variant& variant : end_variants(recipe.root, !is_wide(problem.storage_in), !is_wide(problem.storage_out))) variants.push_back(std::move(variant));
  for (const Variant& variant : variants) {
    const Recipe near{recipe.scheme, variant.node};
    if (is_chosen_by_workspace(problem, near)) continue;
    try {
      expect_within_limit(table, problem, near, 1, cache);
    } catch (const PlanError&) {
      // Not every neighbour has its codelets.
    }
  }
}

void check_candidates(const CodeletTable& table, const ulpfft_plan* plan, const Problem& problem, bool neighbours_too) {
  TableCache cache;
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan); ++i) {
    auto candidate = sized<ulpfft_candidate>();
    ASSERT_EQ(ulpfft_plan_candidate_get(plan, i, &candidate), ULPFFT_OK);
    const Recipe recipe = parse_recipe(candidate.recipe);
    expect_within_limit(table, problem, recipe, candidate.threads, cache);
    if (neighbours_too && i == 0 && problem.chain.empty()) expect_neighbours_within_limit(table, problem, recipe, cache);
  }
}

PlanPtr plan_of(ulpfft_context* context, const std::string& text, int effort, double seconds, int flags = 0) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = seconds;
  options.flags = flags;
  ulpfft_plan* plan = nullptr;
  (void)ulpfft_plan_parse_options(context, text.c_str(), &options, &plan);
  return PlanPtr(plan);
}

// Returns how many problems were refused for each of the reasons.
std::vector<std::size_t> expect_planned_or_refused(std::span<const char* const> options) {
  const std::vector<Machine> all = machines();
  std::vector<std::size_t> refused(reasons().size());
  std::size_t planned = 0;
  for_each_problem(options, [&](const Asked& asked, std::size_t number) {
    if (!is_drawn(number)) return;
    const std::string text = text_of(asked);
    const Machine& machine = all[number % all.size()];
    SCOPED_TRACE(machine.table->target);
    const PlanPtr plan = plan_of(machine.context.get(), text, ULPFFT_ESTIMATE, kNoHurry, number % 7 == 0 ? ULPFFT_DETERMINISTIC : 0);
    bool may_be_refused = false, by_its_field = false;
    for (std::size_t i = 0; i < reasons().size(); ++i) {
      const Reason& reason = reasons()[i];
      if (!reason.applies(asked)) continue;
      may_be_refused = true;
      if (plan != nullptr || !last_error().field.starts_with(reason.field)) continue;
      by_its_field = true;
      ++refused[i];
    }
    if (plan == nullptr) {
      EXPECT_TRUE(by_its_field) << text << ": " << last_error_text();
      return;
    }
    EXPECT_FALSE(may_be_refused) << text << " is planned although the documentation refuses it";
    ++planned;
    if (planned % kOneLookedInto == 0) check_candidates(*machine.table, plan.get(), parse_problem(text), planned % (8 * kOneLookedInto) == 0);
  });
  EXPECT_GT(planned, std::size_t{5000});
  return refused;
}

TEST(EveryProblem, IsPlannedOrRefusedForADocumentedReasonByItsField) {
  std::vector<std::size_t> refused = expect_planned_or_refused(kOptions);
  const std::vector<std::size_t> of_reals = expect_planned_or_refused(kRealOptions);
  for (std::size_t i = 0; i < refused.size(); ++i) {
    EXPECT_GT(refused[i] + of_reals[i], 0U) << reasons()[i].documented << ": no problem of the sweep was refused for it";
  }
}

TEST(EveryProblem, HasNoCandidateBeyondTheLimitHoweverLongItIsSearched) {
  const std::vector<Machine> all = machines();
  for (const char* text : {"7 f32", "60 f64", "128 f16", "61 f32", "360 f32->f64", "1024 mxfp8_e4m3:b0 prescale=amax", "1000 f16 scheme=mx:mxfp8_e4m3", "2048 f32 chain=mul",
                           "2310 f64 centered", "4096*8 e4m3 threads=2", "1009 f32", "2018 f64", "16384 f32", "32768 f16",
                           "r2c 1024 f32", "c2r 360 i16->f64", "r2c 2018 f16", "r2c 2048 f32 chain=mul", "r2r 1000 f64 kinds=dct2"}) {
    for (const int effort : {ULPFFT_MEASURE, ULPFFT_EXHAUSTIVE}) {
      for (const Machine& machine : all) {
        const PlanPtr plan = plan_of(machine.context.get(), text, effort, full_run() ? 5 : 0.1);
        ASSERT_NE(plan, nullptr) << text << ": " << last_error_text();
        check_candidates(*machine.table, plan.get(), parse_problem(text), false);
      }
    }
  }
}

// Texts of recipes are bounded, and the fastest nodes of many dimensions are too long for one, most of all in chains, which hold them twice.
TEST(EveryProblem, OfManyDimensionsHasRecipesThatHaveATextAtEveryEffort) {
  const ContextPtr context = make_context();
  std::size_t long_ones = 0;
  for (int i = 0; i < (full_run() ? 400 : 70); ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    const bool chain = random.chance(0.7);
    const std::int64_t rank = random.between(3, chain ? 5 : 7);
    std::string text;
    for (std::int64_t d = 0; d < rank; ++d) {
      // Of 67, 71 and 73 the fastest nodes are convolutions with long texts, and there are shorter ones.
      constexpr std::array kLengths{2, 4, 6, 9, 67, 71, 11, 73};
      text += (d == 0 ? "" : "x") + std::to_string(kLengths[random.below(rank > 4 ? 5 : kLengths.size())]);
    }
    text += random.chance(0.5) ? " f32" : " i16->f64";
    if (chain) text += random.chance(0.5) ? " chain=mul" : " chain=user";
    if (i % 4 == 3) text.insert(0, "r2c ");
    for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE, ULPFFT_PATIENT}) {
      // How many candidates there are depends on the load where time is short: they are counted where it is not.
      const PlanPtr plan = plan_of(context.get(), text, effort, effort == ULPFFT_ESTIMATE ? kNoHurry : 0.02);
      ASSERT_NE(plan, nullptr) << text << ", effort " << effort << ": " << last_error_text();
      if (effort != ULPFFT_ESTIMATE) continue;
      for (const std::string& recipe : candidates_of(plan.get())) long_ones += 2 * recipe.size() > kMaxRecipeText ? 1 : 0;
    }
  }
  EXPECT_GT(long_ones, 100U) << "the texts are too short to be refused";
}

TEST(EveryProblem, OfAChainWhoseShortestTextIsTooLongIsRefusedByASentence) {
  const ContextPtr context = make_context();
  EXPECT_EQ(plan_of(context.get(), "r2c 67x67x67x67x67 i8 chain=mul inplace", ULPFFT_ESTIMATE, kNoHurry), nullptr);
  EXPECT_EQ(last_error().status, ULPFFT_UNSUPPORTED);
  EXPECT_NE(last_error().message.find("of at most 256 bytes holds it there and back"), std::string::npos) << last_error_text();
}

// A length of an mx scheme needs 17 once, whatever the other factors.
TEST(EveryProblem, OfAnMxSchemeHas17Once) {
  for (const Machine& machine : machines()) {
    ulpfft_context* const context = machine.context.get();
    for (const std::int64_t n : {17, 34, 51, 85, 102, 119, 136, 153, 170, 17 * 169, 17 * 500}) {
      const std::string text = std::to_string(n) + " f32 scheme=mx:mxfp8_e4m3";
      const PlanPtr plan = plan_of(context, text, ULPFFT_ESTIMATE, kNoHurry);
      ASSERT_NE(plan, nullptr) << machine.table->target << ", " << n << ": " << last_error_text();
      const PlanPtr judge = make_plan(ref_target().context, text, recipe_of(plan.get()));
      EXPECT_EQ(hash_of(plan.get()), hash_of(judge.get())) << machine.table->target << ", " << recipe_of(plan.get());
    }
    for (const std::int64_t n : {289, 578, 867, 19, 323}) {
      EXPECT_EQ(plan_of(context, std::to_string(n) + " f32 scheme=mx:mxfp8_e4m3", ULPFFT_ESTIMATE, kNoHurry), nullptr) << n;
      EXPECT_NE(last_error().message.find("the primes up to 13, and once 17"), std::string::npos) << last_error_text();
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
