// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom of every kind of problem survives its text: a new context of the same library accepts each entry, and plans each problem by it.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

struct Shape {
  std::vector<std::int64_t> lengths;
  std::int64_t batch = 1;
};

// "" for c2c; of r2r a kind with its name.
const std::vector<std::string> kKinds{"",     "r2c",  "c2r",  "r2hc", "hc2r", "dht",  "dct1",
                                      "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"};
// One codelet, lists, an odd length, passes that pack, and several dimensions.
const std::vector<Shape> kShapes{{{16}, 6}, {{17}, 1}, {{105}, 5}, {{500}, 4}, {{1000}, 2}, {{8, 12}, 3}, {{6, 5, 9}, 1}, {{20, 30}, 1}};
const std::vector<std::string> kScales{"", " scale=ortho", " scale=1/n", " scale=0.3"};
enum class Strides : std::uint8_t { kDense, kBeside, kGaps };  // kBeside: transforms side by side

bool is_r2r(const std::string& kind) { return kind.size() > 2 && kind != "r2c" && kind != "c2r"; }

// in_strides=, out_strides= and batch_strides=. Those of the sides differ, but not in place.
std::string strides_of(const std::string& kind, bool in_place, bool chain, const Shape& shape, Strides strides) {
  if (strides == Strides::kDense) return "";
  std::string words[2], batch;
  for (const bool out : {false, true}) {
    const bool half = !chain && kind == (out ? "r2c" : "c2r");
    std::int64_t stride = strides == Strides::kBeside ? shape.batch : out || in_place ? 2 : 3;
    std::vector<std::int64_t> all(shape.lengths.size());
    for (std::size_t d = all.size(); d-- > 0;) {
      all[d] = stride;
      stride *= half && d + 1 == all.size() ? shape.lengths[d] / 2 + 1 : shape.lengths[d];
    }
    for (const std::int64_t s : all) words[out ? 1 : 0] += (words[out ? 1 : 0].empty() ? "" : ",") + std::to_string(s);
    batch += (batch.empty() ? "" : ",") + std::to_string(strides == Strides::kBeside ? 1 : stride);
  }
  return " in_strides=" + words[0] + " out_strides=" + words[1] + (shape.batch > 1 ? " batch_strides=" + batch : "");
}

std::string problem_of(const std::string& kind, const Shape& shape, const std::string& storage, const std::string& words, Strides strides) {
  std::string lengths, kinds;
  for (const std::int64_t n : shape.lengths) {
    lengths += (lengths.empty() ? "" : "x") + std::to_string(n);
    kinds += (kinds.empty() ? " kinds=" : ",") + kind;
  }
  const std::string prefix = is_r2r(kind) ? "r2r " : kind.empty() ? "" : kind + " ";
  if (shape.batch > 1) lengths += "*" + std::to_string(shape.batch);
  return prefix + lengths + " " + storage + (is_r2r(kind) ? kinds : "") + words +
         strides_of(kind, words.find(" inplace") != std::string::npos, words.find(" chain=") != std::string::npos, shape, strides);
}

// Words that a kind may have besides.
std::vector<std::string> words_of(const std::string& kind) {
  std::vector<std::string> words{"",           " inplace",        " destroy_input", " threads=2",
                                 " scheme=f64", " max_error=0.01", " prescale=amax", " backend=ref",
                                 " max_workspace=one"};
  if (!is_r2r(kind)) words.insert(words.end(), {" inverse", " centered", " split", " intermediate=f16"});
  if (!is_r2r(kind) || kind == "dct2" || kind == "dct3") words.emplace_back(" scheme=rounded:f16");
  if (kind.empty() || kind == "r2c") words.insert(words.end(), {" chain=mul", " window=hann"});
  if (kind.empty()) words.emplace_back(" scheme=split:f16x2");
  return words;
}

template <typename T>
const T& one_of(const std::vector<T>& list, Random& random) {
  return list[random.below(list.size())];
}

// Every kind with every scale and strides, in any storage; all storages in full runs. Scales of one problem follow each other, because they
// share wisdom. Then problems with other words, which may be refused.
std::vector<std::string> all_problems() {
  const std::vector<std::string> storages{"f32", "f64", "f16", "i16->f32", "f32->f64"};
  Random random(20261123);
  std::vector<std::string> problems;
  for (const std::string& kind : kKinds) {
    const std::vector<std::string> others = words_of(kind);
    for (const Strides strides : {Strides::kDense, Strides::kBeside, Strides::kGaps}) {
      const std::size_t first = random.below(storages.size());
      for (std::size_t i = 0; i < (full_run() ? storages.size() : 2); ++i) {
        const Shape& shape = one_of(kShapes, random);
        const std::string& storage = storages[(first + i) % storages.size()];
        for (const std::string& scale : kScales) problems.push_back(problem_of(kind, shape, storage, scale, strides));
      }
    }
    for (int i = 0; i < (full_run() ? 400 : 40); ++i) {
      const std::string &a = one_of(others, random), &b = one_of(others, random);
      const bool in_rows = random.chance(0.2);  // blocks, whose rows are adjacent
      const Strides strides = in_rows ? Strides::kDense : static_cast<Strides>(random.below(3));
      problems.push_back(problem_of(kind, one_of(kShapes, random), in_rows ? "mxfp8_e4m3" : one_of(storages, random),
                                    one_of(kScales, random) + a + (a == b ? "" : b), strides));
    }
  }
  return problems;
}

PlanPtr plan_of(ulpfft_context* context, const std::string& problem, int effort) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = 0.005;
  ulpfft_plan* plan = nullptr;
  (void)!ulpfft_plan_parse_options(context, problem.c_str(), &options, &plan);
  return PlanPtr(plan);
}

TEST(WisdomRoundTrip, KeepsEveryEntryAndPlansEveryProblem) {
  const ContextPtr first = make_context();
  std::vector<std::string> planned;
  std::size_t refused = 0;
  for (const std::string& problem : all_problems()) {
    const PlanPtr plan = plan_of(first.get(), problem, ULPFFT_MEASURE);
    if (plan == nullptr) {
      EXPECT_TRUE(last_error().status == ULPFFT_UNSUPPORTED || last_error().status == ULPFFT_INVALID_ARGUMENT ||
                  last_error().status == ULPFFT_INVALID_TEXT)
          << problem << ": " << last_error_text();
      ++refused;
      continue;
    }
    if (ulpfft_plan_seconds(plan.get()) == 0) continue;  // a busy machine left no time to time it, so that it is not remembered
    planned.push_back(problem);
    const PlanPtr known = plan_of(first.get(), problem, ULPFFT_WISDOM_ONLY);
    EXPECT_NE(known, nullptr) << problem << ": " << last_error_text();
    if (known != nullptr) {
      EXPECT_EQ(recipe_of(known.get()), recipe_of(plan.get())) << problem;
    }
  }
  EXPECT_GT(planned.size(), refused) << "most problems are ones that the library plans";

  const std::string text = take(ulpfft_wisdom_export_string(first.get()));
  const ContextPtr second = make_context();
  auto report = sized<ulpfft_import_report>();
  ASSERT_EQ(ulpfft_wisdom_import_string(second.get(), text.data(), text.size(), &report), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(take(report.details), "");
  EXPECT_EQ(report.accepted, ulpfft_wisdom_count(first.get()));
  EXPECT_EQ(take(ulpfft_wisdom_export_string(second.get())), text);
  for (const std::string& problem : planned) {
    EXPECT_NE(plan_of(second.get(), problem, ULPFFT_WISDOM_ONLY), nullptr) << problem << ": " << last_error_text();
  }
}

// destroy_input is of no use to most plans, which are then those of the problem without it.
TEST(WisdomRoundTrip, ServesDestroyInputWherePlansDoNotUseIt) {
  const ContextPtr context = make_context();
  for (const char* problem : {"64 f32", "r2c 8x12 f32", "c2r 64 f64", "c2r 1x64 f32", "c2r 8x12 f32 inplace", "r2r 8x8 f32 kinds=dct2,dct2",
                              "r2c 64 f32 chain=mul"}) {
    const std::string destroyed = std::string(problem) + " destroy_input";
    ASSERT_NE(plan_of(context.get(), problem, ULPFFT_MEASURE), nullptr) << last_error_text();
    EXPECT_NE(plan_of(context.get(), destroyed, ULPFFT_WISDOM_ONLY), nullptr) << problem << ": " << last_error_text();
  }
  ASSERT_NE(plan_of(context.get(), "c2r 8x12 f32", ULPFFT_MEASURE), nullptr) << last_error_text();
  EXPECT_EQ(plan_of(context.get(), "c2r 8x12 f32 destroy_input", ULPFFT_WISDOM_ONLY), nullptr) << "takes another workspace";
}

}  // namespace
}  // namespace ulpfft::test
