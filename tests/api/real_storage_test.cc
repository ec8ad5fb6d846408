// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storages of r2c, c2r and chains of r2c: what a plan computes is the wide plan between a decode and an encode, bit for bit, on every side,
// and nothing outside the elements is written or read.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/api/real_storage.h"
#include "tests/support/sample.h"

namespace ulpfft::test {
namespace {

RealCase dense_case(bool c2r, const std::vector<std::int64_t>& lengths, std::int64_t batch) {
  RealCase problem;
  problem.c2r = c2r;
  for (const std::int64_t n : lengths) problem.dims.push_back({n, 1, 1});
  if (batch != 1) problem.batch.push_back({batch, 1, 1});
  set_dense(problem);
  return problem;
}

// ---- every format by registry

class RealsOfEveryFormat : public testing::TestWithParam<std::string> {};

TEST_P(RealsOfEveryFormat, AreTheWidePlanBetweenADecodeAndAnEncode) {
  const std::string name = GetParam();
  for (const bool c2r : {false, true}) {
    std::vector<RealCase> cases;
    for (const std::int64_t n : {1, 2, 3, 7, 16, 30, 105, 256, 1001}) cases.push_back(dense_case(c2r, {n}, n < 20 ? 7 : 3));
    cases.push_back(dense_case(c2r, {64}, 200));
    cases.push_back(dense_case(c2r, {20000}, 1));
    cases.push_back(dense_case(c2r, {12, 15}, 4));
    cases.push_back(dense_case(c2r, {3, 4, 10}, 3));
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases[i].backward = i % 3 == 1;
      cases[i].scale_kind = i % 2 == 1 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
      cases[i].threads = i % 4 == 3 ? 2 : 1;
      cases[i].centered = i % 5 >= 3;
      check_storages(cases[i], name, name, targets()[i % targets().size()]);
      check_storages(cases[i], name, i % 2 == 0 ? "f32" : "f64", default_target());
      check_storages(cases[i], i % 2 == 0 ? "f64" : "f32", name, default_target());
    }
    const RealCase rows = dense_case(c2r, {6, 45}, 2);
    for (const std::string other : {"i16", "mxfp8_e4m3", "e2m3", "f16"}) {
      check_storages(rows, name, other, default_target());
      check_storages(rows, other, name, default_target());
    }
    RealCase other = rows;
    other.options = name == "f64" ? " scheme=f32" : " scheme=f64";
    if (name != "f64" && needs_f64(name)) continue;
    check_storages(other, name, name, default_target());
  }
}

void set_option(RealCase& problem, int option) {
  problem.centered = option == 1;
  problem.backward = option == 2;
  problem.threads = option == 3 ? 3 : 1;
}

TEST_P(RealsOfEveryFormat, OfSeveralDimensionsAreDecodedAsTheyAreTransformed) {
  const std::string name = GetParam();
  const bool f64 = name == "f64" || (!is_wide(name) && needs_f64(name));
  for (int option = 0; option < 4; ++option) {
    RealCase planes = dense_case(false, {50, 60}, 2), cube = dense_case(false, {3, 20, 45}, 2);
    for (RealCase* const problem : {&planes, &cube}) {
      set_option(*problem, option);
      check_storages(*problem, name, f64 ? "f64" : "f32", default_target());
      check_storages(*problem, name, name, default_target());
    }
  }
}

// So long that no decoded copy stays in the caches: by the first sweep of four, or by groups of lines in the place of their spectrum.
TEST(RealStorages, OfLongTransformsAreDecodedByThePassesThatReadThem) {
  const std::string four = "f32:real(1048576; four(1024x512 p32; dit(8 16 8); dit(8 8 8)))", longer = "f32:real(2097152; four(1024x1024 p64; dit(16 8 8); dit(16 8 8)))";
  for (const std::string name : {"i16", "mxfp8_e4m3", "e2m1"}) {
    for (int option = 0; option < 4; ++option) {
      RealCase line = dense_case(false, {1 << 20}, option == 0 ? 2 : 1);
      set_option(line, option);
      expect_wide_plan_between<float>(line, name, "f32", default_target(), Flush::kEnd, four);
    }
    RealCase line = dense_case(false, {1 << 21}, 1), planes = dense_case(false, {1500, 1500}, 1);
    set_option(line, name == "i16" ? 1 : 0);
    set_option(planes, name == "e2m1" ? 3 : 0);
    expect_wide_plan_between<float>(line, name, name, default_target(), Flush::kEnd, longer);
    check_storages(planes, name, name, default_target());
    planes.chain = "mul";
    set_dense(planes);
    check_storages(planes, name, "f32", default_target());
  }
}

TEST_P(RealsOfEveryFormat, InChainsAreTheWidePlanBetweenADecodeAndAnEncode) {
  const std::string name = GetParam();
  std::vector<RealCase> cases{dense_case(false, {1}, 7),     dense_case(false, {2}, 7),      dense_case(false, {64}, 90),  dense_case(false, {105}, 5),
                              dense_case(false, {5000}, 1),  dense_case(false, {12, 18}, 4), dense_case(false, {50, 60}, 2), dense_case(false, {3, 20, 45}, 2)};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    RealCase& problem = cases[i];
    problem.chain = i % 2 == 0 ? "mul" : "user";
    problem.backward = i % 3 == 1;
    problem.scale_kind = ULPFFT_SCALE_BY_N;
    problem.threads = i % 4 == 3 ? 2 : 1;
    problem.centered = i % 3 != 1;
    set_dense(problem);
    check_storages(problem, name, name, targets()[i % targets().size()]);
    check_storages(problem, name, i % 2 == 0 ? "f32" : "f64", default_target());
    check_storages(problem, i % 2 == 0 ? "f64" : "f32", name, default_target());
    problem.in_place = true;
    check_storages(problem, name, name, default_target());
  }
}

TEST_P(RealsOfEveryFormat, HaveOneHashOnEveryTargetWithFma) {
  const std::string scheme = needs_f64(GetParam()) || GetParam() == "f64" ? "f64:" : "f32:";
  for (const std::string kind : {"r2c ", "c2r "}) {
    const std::string text = kind + "96*5 " + GetParam();
    std::uint64_t hash = 0;
    for (const Target& target : targets()) {
      if (!target.has_fma) continue;
      const PlanPtr plan = make_plan(target.context, text, scheme + "real(96; dit(6 8))");
      ASSERT_NE(plan, nullptr) << target << " " << text;
      const std::uint64_t own = hash_of(plan.get());
      if (hash == 0) hash = own;
      EXPECT_EQ(own, hash) << target << " " << text;
    }
  }
}

TEST_P(RealsOfEveryFormat, PredictTheirErrorWithinHalf) {
  if (is_near_the_ends(GetParam())) GTEST_SKIP() << "near the ends of its range the arithmetic loses digits";
  for (const std::string n : {"64*8", "1000*3", "105*9", "4096", "32x48"}) {
    for (const std::string kind : {"r2c ", "c2r "}) {
      for (const std::string options : {" scale=ortho", "", " scheme=f64 scale=1/n"}) {
        expect_error_predicted(kind + n, GetParam(), options);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RealsOfEveryFormat, testing::ValuesIn(every_format()), name_of_format);

// ---- random problems

TEST(RealStorages, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261126);
  const std::vector<std::string> names = every_format();
  const int cases = full_run() ? 4000 : 600;
  Sampler sampler(3);
  for (int i = 0; i < cases; ++i) {
    RealCase problem = random_real_case(random, i % 20 == 0 ? 20000 : 1500, i < 500 ? "" : i % 2 == 0 ? "mul" : "user");
    const std::string in = names[random.below(names.size())];
    const std::string out = problem.in_place || random.chance(0.3) ? in : names[random.below(names.size())];
    if (keeps_rows(in) || keeps_rows(out)) {
      problem.in_place = problem.split = false;
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

// ---- refusals

PlanPtr plan_or_refusal(const char* problem) {
  ulpfft_plan* plan = nullptr;
  (void)ulpfft_plan_parse(default_target().context, problem, &plan);
  return PlanPtr(plan);
}

TEST(RealStorages, ThatCannotBeAreRefusedByASentence) {
  const struct {
    const char *problem, *field, *says;
  } wrong[] = {
      {"r2c 64 mxfp8_e4m3 inplace", "placement", "Transform out of place"},
      {"c2r 64 e2m1 inplace", "placement", "Transform out of place"},
      {"r2c 64 i16->f16 inplace", "storage_out", "In place needs one storage"},
      {"r2c 64 mxfp8_e4m3 in_strides=2 out_strides=1", "in_strides[0]", "stride 1"},
      {"r2c 64 f16 scheme=mx:mxfp8_e4m3", "scheme", "is f32, f64 or rounded"},
  };
  for (const auto& one : wrong) {
    EXPECT_EQ(plan_or_refusal(one.problem), nullptr) << one.problem;
    EXPECT_EQ(last_error().field, one.field) << one.problem << ": " << last_error_text();
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.problem << ": " << last_error_text();
  }
}

}  // namespace
}  // namespace ulpfft::test
