// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes named by text: every body in every place, each within the gate and with the same bits on every target with FMA.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// The exact transforms of a length's random data, kept between recipes of the same length.
template <typename T>
struct Reference {
  std::int64_t n = 0;
  std::vector<std::complex<T>> data;
  std::vector<ComplexDD> expected;
};

template <typename T>
const Reference<T>& reference_for(std::int64_t n) {
  static std::map<std::int64_t, Reference<T>> known;
  Reference<T>& reference = known[n];
  if (reference.n == n) return reference;
  reference.n = n;
  const std::int64_t count = (kGateOutputs + n - 1) / n;
  reference.data = random_signal<T>(static_cast<std::size_t>(n * count), seed_of("recipe " + std::to_string(n)));
  const auto wide = widen(reference.data);
  reference.expected.resize(wide.size());
  for (std::int64_t t = 0; t < count; ++t) oracle_for(n)->forward(wide.data() + t * n, 1, reference.expected.data() + t * n);
  return reference;
}

// One transform per execution, in arrays `shift` bytes beyond a page: aligned arrays let a plan use the output as its scratch.
template <typename T>
std::vector<std::complex<T>> run(const ulpfft_plan* plan, const Reference<T>& reference, std::size_t shift) {
  const std::size_t bytes = static_cast<std::size_t>(reference.n) * sizeof(std::complex<T>);
  GuardedBuffer in(bytes, Flush::kStart, shift);
  GuardedBuffer out(bytes, Flush::kStart, shift);
  std::vector<std::complex<T>> result(reference.data.size());
  for (std::size_t at = 0; at < result.size(); at += static_cast<std::size_t>(reference.n)) {
    std::memcpy(in.data(), reference.data.data() + at, bytes);
    if (ulpfft_execute(plan, in.data(), out.data()) != ULPFFT_OK) {
      ADD_FAILURE() << last_error_text();
      break;
    }
    std::memcpy(result.data() + at, out.data(), bytes);
  }
  return result;
}

// True when the recipe is accepted by the default target. Targets without a body of the recipe must refuse it.
template <typename T>
bool check(const std::string& recipe, std::int64_t n) {
  const std::string problem = std::to_string(n) + ' ' + Storage<T>::kName;
  const Reference<T>& reference = reference_for<T>(n);
  std::map<bool, std::vector<std::complex<T>>> bits;   // by has_fma: the first target's output
  std::map<bool, std::uint64_t> hashes;
  bool accepted = false;
  for (const Target& target : targets()) {
    const std::string where = "target " + target.name + ", problem \"" + problem + "\", recipe \"" + recipe + '"';
    const PlanPtr plan = try_plan(target.context, problem, recipe);
    EXPECT_EQ(plan != nullptr, has_bodies(target, recipe)) << where << ": accepted where a body is missing, or refused: " << last_error_text();
    if (plan == nullptr) continue;
    if (&target == &default_target()) accepted = true;
    EXPECT_EQ(recipe_of(plan.get()), recipe) << where;
    const auto out = run<T>(plan.get(), reference, 0);
    EXPECT_LE(relative_l2<T>(out, reference.expected), gate_of<T>(recipe, n)) << where;
    EXPECT_FALSE(first_difference<std::complex<T>>(out, run<T>(plan.get(), reference, 3 * sizeof(T))).has_value()) << "other bits unaligned: " << where;
    const auto [first_bits, is_first] = bits.try_emplace(target.has_fma, out);
    if (!is_first) {
      const auto difference = first_difference<std::complex<T>>(first_bits->second, out);
      EXPECT_FALSE(difference.has_value()) << "bits differ at output " << difference.value_or(0) << " from those of another target with "
                                           << (target.has_fma ? "" : "no ") << "FMA: " << where;
    }
    const std::uint64_t hash = hash_of(plan.get());
    EXPECT_EQ(hashes.try_emplace(target.has_fma, hash).first->second, hash) << "hash of " << where;
  }
  return accepted;
}

// A length's twiddled pass sees as many k as the passes before it have points: fewer than a vector has lanes, an odd number,
// whole vectors, and vectors with a remainder; as the last pass, in the middle, and before a slash.
const std::vector<std::string>& beginnings() {
  static const std::vector<std::string> texts{"2", "3", "4", "5", "7", "8", "9", "11", "13", "16", "25", "32", "3 5", "16 2", "16 3", "32 4"};
  return texts;
}

std::int64_t points(const std::string& passes) {
  std::int64_t product = 1;
  std::int64_t number = 0;
  bool in_form = false;
  for (const char letter : passes + ' ') {
    if (letter == ':') in_form = true;
    if (letter >= '0' && letter <= '9' && !in_form) number = number * 10 + (letter - '0');
    if (letter == ' ') {
      if (number != 0) product *= number;
      number = 0;
      in_form = false;
    }
  }
  return product;
}

template <typename T>
void check_list(const std::vector<std::string>& lists) {
  std::size_t accepted = 0, tried = 0;
  for (const std::string& passes : lists) {
    const std::string recipe = std::string(Storage<T>::kName) + ":dit(" + passes + ")";
    if (!is_sampled(seed_of(recipe), 3)) continue;
    ++tried;
    if (check<T>(recipe, points(passes))) ++accepted;
  }
  EXPECT_EQ(accepted, tried) << "refused by the default target: " << last_error_text();
}

class TwiddledPass : public testing::TestWithParam<TwiddledBody> {};

std::vector<std::string> lists_around(const TwiddledBody& body) {
  std::vector<std::string> lists;
  for (const std::string& beginning : beginnings()) lists.push_back(beginning + ' ' + body.text());
  lists.push_back("16 " + body.text() + " 4");
  lists.push_back("16 " + body.text() + " / 4");
  lists.push_back("4 / " + body.text() + " 8");
  lists.push_back("5 " + body.text() + " 3:ds");
  lists.push_back("8 2 " + body.text() + " / " + body.text());
  return lists;
}

TEST_P(TwiddledPass, IsExactInEveryPlaceInF32) { check_list<float>(lists_around(GetParam())); }
TEST_P(TwiddledPass, IsExactInEveryPlaceInF64) { check_list<double>(lists_around(GetParam())); }

std::string body_name(const testing::TestParamInfo<TwiddledBody>& info) { return "t" + std::to_string(info.param.radix) + info.param.form; }
INSTANTIATE_TEST_SUITE_P(Bodies, TwiddledPass, testing::ValuesIn(twiddled_bodies(default_target())), body_name);

class FirstPass : public testing::TestWithParam<std::int64_t> {};

std::vector<std::string> lists_from(std::int64_t radix) {
  std::vector<std::string> lists;
  for (const char* rest : {"2", "3", "4", "5:ds", "7", "8:ch", "9", "16", "2 2", "3 3", "4 4", "8 8:ds", "16 2", "5 / 5", "8 / 4 / 2", "3 8:ch"}) {
    lists.push_back(std::to_string(radix) + ' ' + rest);
  }
  return lists;
}

TEST_P(FirstPass, ServesAnyPassesAfterItInF32) { check_list<float>(lists_from(GetParam())); }
TEST_P(FirstPass, ServesAnyPassesAfterItInF64) { check_list<double>(lists_from(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Radices, FirstPass, testing::ValuesIn(first_radices(default_target())), testing::PrintToStringParamName());

class WholeTransform : public testing::TestWithParam<std::int64_t> {};

TEST_P(WholeTransform, InOneCodeletIsExact) {
  const std::string n = std::to_string(GetParam());
  EXPECT_TRUE(check<float>("f32:n" + n, GetParam())) << last_error_text();
  EXPECT_TRUE(check<double>("f64:n" + n, GetParam())) << last_error_text();
}

INSTANTIATE_TEST_SUITE_P(Lengths, WholeTransform, testing::ValuesIn(whole_radices(default_target())), testing::PrintToStringParamName());

class RandomRecipe : public testing::TestWithParam<int> {};

TEST_P(RandomRecipe, IsExactAndTheSameEverywhere) {
  const int recipes = full_run() ? 200 : 20;
  const std::int64_t longest = full_run() ? 1 << 18 : 1 << 14;
  int accepted = 0;
  int tried = 0;
  for (int i = 0; i < recipes; ++i) {
    if (!is_sampled(static_cast<std::uint64_t>(i + GetParam()), 3)) continue;
    Random random(static_cast<std::uint64_t>(GetParam()) * 7919U + static_cast<std::uint64_t>(i));
    const std::int64_t n = random_smooth_lengths(1, 64, longest, random.next()).front();
    const bool f64 = random.chance(0.5);
    const auto recipe = random_dit(random, default_target(), f64 ? "f64" : "f32", n);
    if (!recipe) continue;
    ++tried;
    if (f64 ? check<double>(*recipe, n) : check<float>(*recipe, n)) {
      ++accepted;
    } else {
      std::cout << "refused: " << *recipe << ": " << last_error_text() << '\n';
    }
  }
  EXPECT_EQ(accepted, tried);
}

// Nodes inside nodes, for lengths of every kind.
TEST_P(RandomRecipe, OfAnyNodesIsExactAndTheSameEverywhere) {
  const int recipes = full_run() ? 200 : 20;
  int drawn = 0, tried = 0;
  for (int i = 0; i < recipes; ++i) {
    if (!is_sampled(static_cast<std::uint64_t>(i + GetParam()), 3)) continue;
    ++drawn;
    Random random(static_cast<std::uint64_t>(GetParam()) * 15485863U + static_cast<std::uint64_t>(i));
    const std::int64_t n = random.chance(0.3) ? random_smooth_lengths(1, 16, 2048, random.next()).front() : random.between(8, full_run() ? 4096 : 700);
    const bool f64 = random.chance(0.5);
    const auto recipe = random_recipe(random, default_target(), f64 ? "f64" : "f32", n);
    if (!recipe) continue;
    ++tried;
    EXPECT_TRUE(f64 ? check<double>(*recipe, n) : check<float>(*recipe, n)) << "refused: " << *recipe << ": " << last_error_text();
  }
  EXPECT_GT(tried, drawn / 2);
}

INSTANTIATE_TEST_SUITE_P(Group, RandomRecipe, testing::Range(0, 8), testing::PrintToStringParamName());

// What the planner itself considers, for plain lengths, planes and batches: hashes agree, and the chosen one is listed.
class Candidates : public testing::TestWithParam<std::string> {};

TEST_P(Candidates, HaveTheSameHashOnEveryTargetWithFma) {
  for (const Target& source : targets()) {
    const PlanPtr plan = make_plan(source.context, GetParam());
    if (plan == nullptr) continue;
    auto recipes = candidates_of(plan.get());
    EXPECT_FALSE(recipes.empty());
    if (recipes.empty()) continue;
    EXPECT_EQ(recipes.front(), recipe_of(plan.get())) << "best first";
    for (const std::string& recipe : recipes) {
      std::map<bool, std::uint64_t> hashes;
      for (const Target& target : targets()) {
        if (!has_bodies(target, recipe)) continue;
        const PlanPtr same = make_plan(target.context, GetParam(), recipe);
        if (same == nullptr) continue;
        const std::uint64_t hash = hash_of(same.get());
        EXPECT_EQ(hashes.try_emplace(target.has_fma, hash).first->second, hash)
            << "target " << target.name << ", problem \"" << GetParam() << "\", recipe \"" << recipe << '"';
      }
    }
  }
}

std::vector<std::string> candidate_problems() {
  std::vector<std::string> problems;
  for (const char* type : {" f32", " f64"}) {
    for (const char* shape : {"1", "2", "8", "11", "12", "15", "64", "96", "100", "128", "169", "210", "256", "343", "512", "625", "1000", "1024",
                              "2002", "4096", "6561", "8192", "16384", "65536", "16x16", "15x21", "64x64", "256x256", "8x9x10", "256*8",
                              "17", "34", "97", "101", "221", "263", "1009", "2018", "4099", "17x34", "101*5",
                              "1000*3", "64x64*2", "4x4x4x4*2x2", "1x16", "16x1"}) {
      problems.push_back(std::string(shape) + type);
    }
    if (full_run()) problems.push_back(std::string("262144") + type);
  }
  return problems;
}

std::string problem_name(const testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char letter : info.param) {
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z');
    name += plain ? letter : letter == '*' ? 'B' : '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Of, Candidates, testing::ValuesIn(sampled(candidate_problems(), 3)), problem_name);

}  // namespace
}  // namespace ulpfft::test
