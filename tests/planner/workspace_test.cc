// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What plans of one transform may take beside the caller's arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/workspace_limit.h"
#include "planner/lower/build_plan.h"
#include "planner/search/search.h"
#include "planner/strategy/strategy.h"
#include "planner/table/number_theory.h"
#include "tests/planner/best_target.h"
#include "tests/support/api.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kL2 = 1 << 20;          // bytes
constexpr std::int64_t kAlignment = 64;        // elements that padding may add: planes begin at vectors, apart from each other's cache sets
constexpr std::int64_t kLongest = 1 << 21;

// What a line of n takes at most: within L2 rows may be padded.
std::int64_t line_of(std::int64_t n, std::int64_t element, bool one) {
  return one || n * element > kL2 ? n : static_cast<std::int64_t>(kMostScratch * static_cast<double>(n));
}

// Elements of the panel of columns that the sweeps of a four node work in, and of what completes its matrix to whole panels.
std::int64_t panel_elements(const Node& node) {
  if (node.kind != Node::Kind::kFour) return 0;
  constexpr std::int64_t kPadding = 32;  // columns
  return std::max(node.n, node.m) * (node.panel + kPadding) + (node.panel - 1) * node.m;
}

// Of the largest of the four nodes inside.
std::int64_t inner_panel_elements(const Node& node) {
  std::int64_t most = panel_elements(node);
  for (const Node& child : node.children) most = std::max(most, inner_panel_elements(child));
  return most;
}

// Every candidate of estimate effort, for one transform of n. `rest`: of the text of the problem.
template <typename Check>
void for_each_candidate(std::int64_t n, const std::string& rest, const Check& check, const std::string& kind = "") {
  const Problem problem = parse_problem(kind + std::to_string(n) + " " + rest);
  TableCache cache;
  const std::vector<std::vector<Candidate>> lines = predicted_candidates(problem, best_table());
  for (const Candidate& candidate : lines[0]) {
    const Program plan = make_program(problem, candidate.recipe, best_table(), cache);
    const auto element = static_cast<std::int64_t>(2 * real_bytes(plan.compute));
    check(candidate.recipe, static_cast<std::int64_t>(plan.workspace_bytes), element);
  }
}

std::vector<std::int64_t> lengths(bool smooth) {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 2; n <= 300; ++n) all.push_back(n);
  for (std::int64_t n = 2; n <= kLongest; n *= 2) all.insert(all.end(), {n, n + n / 2, 5 * (n / 4), 7 * (n / 8), n + 1, n - 1});
  for (const std::int64_t n : {1000, 1080, 3125, 4725, 10000, 15625, 44100, 65537, 100000, 1000000, 1009, 10007}) all.push_back(n);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase_if(all, [smooth](std::int64_t n) { return n < 2 || n > kLongest || (rough_part(n) == 1) != smooth; });
  return all;
}

TEST(Workspace, OfSmoothLengthsIsOneTransformPaddedWithinL2AndBeyondAlsoAPanel) {
  for (const std::string storage : {"f32", "f64", "f32 max_workspace=one", "f64 max_workspace=one"}) {
    const bool one = storage.ends_with("one");
    for (const std::int64_t n : lengths(true)) {
      for_each_candidate(n, storage, [&](const Recipe& recipe, std::int64_t bytes, std::int64_t element) {
        std::int64_t limit = line_of(n, element, one || recipe.root.kind == Node::Kind::kFour) + kAlignment;
        if (n * element > kL2) limit += panel_elements(recipe.root);
        EXPECT_LE(bytes, limit * element) << n << " " << print_recipe(recipe) << ": " << bytes / element << " elements";
      });
    }
  }
}

TEST(Workspace, OfConvolutionsIsSixTransforms) {
  for (const std::string storage : {"f32", "f64", "f32 max_workspace=one"}) {
    for (const std::int64_t n : lengths(false)) {
      for_each_candidate(n, storage, [&](const Recipe& recipe, std::int64_t bytes, std::int64_t element) {
        const std::int64_t panels = n * element > kL2 ? inner_panel_elements(recipe.root) : 0;
        const std::int64_t limit = 6 * line_of(n, element, storage.ends_with("one")) + kAlignment + panels;
        EXPECT_LE(bytes, limit * element) << n << " " << print_recipe(recipe) << ": " << bytes / element << " elements";
      });
    }
  }
}

// Passes read narrow lines by way of tiles on the stack; short transforms are converted in groups of at most kStoredGroupBytes, scratch
// included but for its padding.
TEST(Workspace, OfNarrowArraysIsOneTransformToo) {
  for (const std::string storage : {"f16", "bf16", "e4m3", "i16->f32", "f32->e2m1", "mxint8", "mxfp8_e4m3->f16", "mxfp6_e3m2:b8", "f16 centered", "bf16 split", "f64->f16", "f16->f64", "f16 prescale=amax", "f32->f16 prescale=8"}) {
    for (const std::int64_t n : lengths(true)) {
      for_each_candidate(n, storage, [&](const Recipe& recipe, std::int64_t bytes, std::int64_t element) {
        if (n * element > kL2) return;
        const bool one_array = recipe.root.kind == Node::Kind::kDit || recipe.root.kind == Node::Kind::kN;
        const std::int64_t line = line_of(n, element, false);
        const std::int64_t limit = std::max(one_array ? line : 2 * line, kStoredGroupBytes / element + line - n) + kAlignment;
        EXPECT_LE(bytes, limit * element) << n << " " << storage << " " << print_recipe(recipe) << ": " << bytes / element << " elements";
      });
    }
  }
}

// Where a length of reals is even, half as many numbers are transformed. Beside their transform lie at most their decoded copy, and reals that
// are turned by an odd count. Of odd lengths the reals have imaginary parts beside them. A matrix of four has its panel besides.
std::int64_t numbers_of_reals(std::int64_t n) { return n % 2 == 0 ? n / 2 + 1 : n; }

TEST(Workspace, OfRealNumbersIsTwoTransformsOfTheirPairsAndTheirLine) {
  for (const std::string kind : {"r2c ", "c2r "}) {
    for (const std::string storage : {"f32", "f64", "f32 split", "f64 centered", "f64->f16", "i16->f32", "e2m1", "mxfp8_e4m3:b0 centered", "f16 prescale=amax"}) {
      for (const std::int64_t n : lengths(true)) {
        for_each_candidate(
            n, storage,
            [&](const Recipe& recipe, std::int64_t bytes, std::int64_t element) {
              const std::int64_t groups = 2 * std::max(kRealGroupBytes, kStoredGroupBytes) / element;
              const std::int64_t numbers = numbers_of_reals(n);
              const std::int64_t limit = 2 * numbers + line_of(numbers, element, false) + kAlignment + groups + inner_panel_elements(recipe.root);
              EXPECT_LE(bytes, limit * element) << kind << n << " " << storage << " " << print_recipe(recipe) << ": " << bytes / element << " elements";
            },
            kind);
      }
    }
  }
}

// Lines of several dimensions are decoded a group at a time: no array of the workspace holds all of them.
TEST(Workspace, OfDecodedLinesOfRealNumbersIsAFewLines) {
  constexpr std::int64_t kRow = 1024;
  for (const std::string lengths : {"1024x1024", "64x16x1024", "256x1024*3"}) {
    for (const std::string storage : {"i16->f32", "mxfp8_e4m3->f32", "e2m1->f32 split", "f64->f32 scheme=f32", "f16->f32 centered"}) {
      const Problem problem = parse_problem("r2c " + lengths + " " + storage);
      TableCache cache;
      for (const std::string columns : {"cols(p16; dit(8 8))", "dit(8 8)"}) {
        std::string node = "real(1024; dit(8 8 8))";
        for (std::size_t d = problem.dims.size() - 1; d-- > 0;) {
          const std::int64_t n = problem.dims[d].length;
          node.insert(0, n == 1024 ? "cols(p16; dit(16 8 8)); " : n == 256 ? "cols(p16; dit(16 16)); " : n == 64 ? columns + "; " : "n16; ");
        }
        const Program plan = make_program(problem, parse_recipe("f32:rank(" + node + ")"), best_table(), cache);
        const std::int64_t group = kStoredGroupBytes + 2 * kRow * 4, panel = 1024 * 2 * (16 + 32) * 4;
        EXPECT_LE(static_cast<std::int64_t>(plan.workspace_bytes), std::max(group + 2 * kRow * 4, panel)) << lengths << " " << storage;
      }
    }
  }
}

TEST(Workspace, OfR2rIsThreeTransformsOfItsNumbers) {
  for (const std::string kinds : {"dct2", "dct3", "dst4", "dht", "r2hc"}) {
    for (const std::string storage : {"f32 kinds=", "f64 scale=ortho kinds="}) {
      for (const std::int64_t n : lengths(true)) {
        for_each_candidate(
            n, storage + kinds,
            [&](const Recipe& recipe, std::int64_t bytes, std::int64_t element) {
              const std::int64_t groups = 2 * kRealGroupBytes / element;
              const std::int64_t limit = 3 * numbers_of_reals(n) + 2 * kAlignment + groups + inner_panel_elements(recipe.root);
              EXPECT_LE(bytes, limit * element) << n << " " << storage << kinds << " " << print_recipe(recipe) << ": " << bytes / element << " elements";
            },
            "r2r ");
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
