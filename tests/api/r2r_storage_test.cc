// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storages of r2r: what a plan of any kind computes is the wide plan between a decode and an encode, bit for bit, and nothing outside the
// elements is written or read.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/api/real_storage.h"
#include "tests/support/r2r_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

class R2rOfEveryFormat : public testing::TestWithParam<std::string> {};

TEST_P(R2rOfEveryFormat, AreTheWidePlanBetweenADecodeAndAnEncode) {
  const std::string name = GetParam();
  constexpr std::int64_t kLengths[] = {2, 3, 7, 16, 30, 105, 256, 1001};
  for (int kind = 0; kind < kR2rKinds; ++kind) {
    std::vector<RealCase> cases = {dense_r2r_case(kind, {kLengths[kind % 8]}, 5), dense_r2r_case(kind, {kLengths[(kind + 3) % 8]}, 1),
                                   dense_r2r_case(kind, {kind % 2 == 0 ? 64 : 27}, 70), dense_r2r_case(kind, {12, 15}, 3),
                                   dense_r2r_case(kind, {3, 4, 10}, 2)};
    if (kind != ULPFFT_REDFT00) cases.push_back(dense_r2r_case(kind, {1}, 7));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t turn = i + static_cast<std::size_t>(kind);
      cases[i].scale_kind = turn % 2 == 1 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
      cases[i].threads = turn % 4 == 3 ? 2 : 1;
      check_storages(cases[i], name, name, targets()[turn % targets().size()]);
      check_storages(cases[i], name, turn % 2 == 0 ? "f32" : "f64", default_target());
      check_storages(cases[i], turn % 2 == 0 ? "f64" : "f32", name, default_target());
    }
  }
  RealCase rows = dense_r2r_case(ULPFFT_REDFT10, {6, 45}, 2);
  for (const std::string other : {"i16", "mxfp8_e4m3", "e2m3", "f16"}) {
    check_storages(rows, name, other, default_target());
    check_storages(rows, other, name, default_target());
  }
  rows.options = name == "f64" ? " scheme=f32" : " scheme=f64";
  if (name == "f64" || !needs_f64(name)) check_storages(rows, name, name, default_target());
}

TEST_P(R2rOfEveryFormat, PredictTheirErrorWithinHalf) {
  if (is_near_the_ends(GetParam())) GTEST_SKIP() << "near the ends of its range the arithmetic loses digits";
  constexpr const char* kSizes[] = {"64*8", "1000*3", "105*9", "4096", "32x48"};
  for (int kind = 0; kind < kR2rKinds; ++kind) {
    const std::string size = kSizes[kind % 5], name(kR2rNames[static_cast<std::size_t>(kind)]);
    const std::string kinds = " kinds=" + name + (size.find('x') != std::string::npos ? "," + name : "");
    for (const char* options : {" scale=ortho", "", " scheme=f64 scale=1/n"}) {
      expect_error_predicted("r2r " + size, GetParam(), options + kinds);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, R2rOfEveryFormat, testing::ValuesIn(every_format()), name_of_format);

// On data of the caller an error is about that of random numbers, and full and sampled levels agree.
TEST(R2rStorages, AreAssessedOnTheCallersNumbers) {
  for (const char* storages : {"f32", "f64", "i16->f16", "mxfp8_e4m3", "f64->f32"}) {
    for (int kind = 0; kind < kR2rKinds; ++kind) {
      RealCase problem = dense_r2r_case(kind, {kind % 2 == 0 ? 96 : 45}, 40);
      problem.scale_kind = ULPFFT_SCALE_ORTHO;
      problem.storages = storages;
      const std::string text = text_of(problem), in = problem.storages.substr(0, problem.storages.find("->"));
      const PlanPtr plan = make_plan(default_target().context, text);
      ASSERT_NE(plan, nullptr) << text;
      Stored array = dense_side(problem, false, in);
      encode(array, normal<double>(static_cast<std::size_t>(array.rows * array.reals), fitting_rms(in), seed_of(text)));
      auto from = sized<ulpfft_array>();
      from.data[0] = array.codes.data();
      if (!array.scales.empty()) from.scales[0] = array.scales.data();
      for (const int level : {ULPFFT_ERROR_SAMPLED, ULPFFT_ERROR_FULL}) {
        auto report = sized<ulpfft_error_report>();
        ASSERT_EQ(ulpfft_plan_assess(plan.get(), &from, level, &report), ULPFFT_OK) << text << " " << last_error_text();
        const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
        EXPECT_TRUE(ratio < 1.5 && ratio > 1 / 1.5) << text << " " << ratio;
      }
    }
  }
}

// Every kind, any two storages, either placement, rank 1 to 3.
TEST(R2rStorages, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261133);
  const std::vector<std::string> names = every_format();
  const int cases = full_run() ? 6000 : 600;
  Sampler sampler(3);
  for (int i = 0; i < cases; ++i) {
    RealCase problem = random_r2r_case(random, i % 20 == 0 ? 20000 : 1500);
    const std::string in = names[random.below(names.size())];
    const std::string out = problem.in_place || random.chance(0.3) ? in : names[random.below(names.size())];
    if (keeps_rows(in) || keeps_rows(out)) {
      problem.dense = true;
      set_dense(problem);
    }
    const Target& target = random.chance(0.2) ? ref_target() : default_target();
    const Flush flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
    if (!sampler.next()) continue;
    check_storages(problem, in, out, target, flush);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace ulpfft::test
