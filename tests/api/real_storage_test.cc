// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storages of r2c, c2r and chains of r2c: what a plan computes is the wide plan between a decode and an encode, bit for bit, on every side, and nothing
// outside the elements is written or read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/real_case.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

bool is_wide(const std::string& storage) { return storage == "f32" || storage == "f64"; }
int bits_of(const std::string& storage) {
  const ulpfft_format format = format_of(storage);
  return std::string(format.kind) == "block" ? format_of(format.element).bits : format.bits;
}
// Whether strides between rows count rows.
bool keeps_rows(const std::string& storage) { return std::string(format_of(storage).kind) == "block" || bits_of(storage) % 8 != 0; }

int reals_of(const RealCase& problem, bool output) { return is_real_side(problem, output) ? 1 : 2; }
std::int64_t row_elements(const RealCase& problem, bool output) {
  const std::int64_t n = problem.dims.back().length;
  return is_real_side(problem, output) ? n : n / 2 + 1;
}

// A side without gaps.
Stored dense_side(const RealCase& problem, bool output, const std::string& storage) {
  const std::int64_t row = row_elements(problem, output);
  return {storage, stored_elements(problem, output) / row, row * reals_of(problem, output)};
}

template <typename T>
std::vector<T> decoded(const Stored& side) {
  if (!side.wide() || side.storage == (sizeof(T) == 8 ? "f64" : "f32")) return side.decode<T>();
  if constexpr (sizeof(T) == 8) {
    const std::vector<float> reals = side.decode<float>();
    return {reals.begin(), reals.end()};
  } else {
    const std::vector<double> reals = side.decode<double>();
    std::vector<T> rounded;
    for (const double real : reals) rounded.push_back(static_cast<T>(real));
    return rounded;
  }
}
template <typename T>
std::int64_t encode(Stored& side, const std::vector<T>& reals) {
  if (!side.wide() || side.storage == (sizeof(T) == 8 ? "f64" : "f32")) return side.encode(reals);
  if (side.storage == "f64") return side.encode(std::vector<double>(reals.begin(), reals.end()));
  std::vector<float> rounded;
  for (const T real : reals) rounded.push_back(static_cast<float>(real));
  return side.encode(rounded);
}

// An array between guard pages: elements where the strides of a problem say, or the rows of a dense one as they are.
class Array {
 public:
  Array(const RealCase& problem, std::vector<bool> outputs, const std::string& storage, Flush flush)
      : rows_(keeps_rows(storage)), split_(problem.split && !is_real_side(problem, outputs[0])), real_bytes_(bits_of(storage) / 8) {
    if (rows_) {
      const Stored dense = dense_side(problem, outputs[0], storage);
      data_[0] = std::make_unique<GuardedBuffer>(dense.codes.size(), flush);
      if (!dense.scales.empty()) scales_ = std::make_unique<GuardedBuffer>(dense.scales.size(), flush);
      return;
    }
    std::int64_t high = 0;
    const auto each_real = [&](const auto& visit) {
      for (const bool output : outputs) {
        const int reals = split_ ? 1 : reals_of(problem, output);
        for (const std::int64_t offset : stored_offsets(problem, output)) {
          for (int i = 0; i < reals; ++i) visit(offset * reals + i);
        }
      }
    };
    each_real([&](std::int64_t at) {
      low_ = std::min(low_, at);
      high = std::max(high, at + 1);
    });
    used_.assign(static_cast<std::size_t>(high - low_), 0);
    each_real([&](std::int64_t at) { used_[static_cast<std::size_t>(at - low_)] = 1; });
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      data_[part] = std::make_unique<GuardedBuffer>(used_.size() * static_cast<std::size_t>(real_bytes_), flush);
    }
  }

  ulpfft_array address() {
    auto value = sized<ulpfft_array>();
    for (int part = 0; part < (split_ ? 2 : 1); ++part) value.data[part] = data_[part]->data() - (rows_ ? 0 : low_ * real_bytes_);
    if (scales_ != nullptr) value.scales[0] = scales_->data();
    return value;
  }
  void put(const RealCase& problem, bool output, const Stored& dense) {
    if (rows_) {
      std::memcpy(data_[0]->data(), dense.codes.data(), dense.codes.size());
      if (scales_ != nullptr) std::memcpy(scales_->data(), dense.scales.data(), dense.scales.size());
      return;
    }
    each_code(problem, output, [&](std::byte* here, std::size_t there) { std::memcpy(here, dense.codes.data() + there, bytes()); });
  }
  void get(const RealCase& problem, bool output, Stored& dense) {
    if (rows_) {
      std::memcpy(dense.codes.data(), data_[0]->data(), dense.codes.size());
      if (scales_ != nullptr) std::memcpy(dense.scales.data(), scales_->data(), dense.scales.size());
      return;
    }
    each_code(problem, output, [&](const std::byte* here, std::size_t there) { std::memcpy(dense.codes.data() + there, here, bytes()); });
  }
  bool touched() const {
    return std::any_of(std::begin(data_), std::end(data_), [&](const auto& buffer) {
      return !rows_ && buffer != nullptr && buffer->first_touched_gap(used_, bytes()).has_value();
    });
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(real_bytes_); }
  template <typename Visit>
  void each_code(const RealCase& problem, bool output, const Visit& visit) {
    const int reals = reals_of(problem, output);
    std::size_t there = 0;
    for (const std::int64_t offset : stored_offsets(problem, output)) {
      for (int i = 0; i < reals; ++i, there += bytes()) {
        const std::int64_t at = split_ ? offset : offset * reals + i;
        visit(data_[split_ ? i : 0]->data() + (at - low_) * real_bytes_, there);
      }
    }
  }

  bool rows_, split_;
  std::int64_t real_bytes_;
  std::int64_t low_ = 0;
  std::vector<std::uint8_t> used_;
  std::unique_ptr<GuardedBuffer> data_[2], scales_;
};

// The problem between wide arrays without gaps.
template <typename T>
RealCase wide_case(RealCase problem) {
  problem.storages = sizeof(T) == 8 ? "f64" : "f32";
  problem.options.clear();
  problem.in_place = problem.split = false;
  problem.threads = 1;
  problem.dense = true;
  set_dense(problem);
  return problem;
}

// Executes, with the factors of a chain.
template <typename T>
ulpfft_status execute_case(const ulpfft_plan* plan, const RealCase& problem, const ulpfft_array& in, const ulpfft_array& out) {
  if (problem.chain.empty()) return ulpfft_execute_arrays(plan, &in, &out, nullptr);
  RealCase one = transform_of(problem);
  one.batch.clear();
  const auto factors = phases<T>(stored_elements(one, true), 1);
  Multiplier<T> multiplier(factors, all_points(problem) / transform_points(problem));
  auto operation = sized<ulpfft_operation>();
  if (problem.chain == "mul") {
    operation.factors = factors.data();
  } else {
    operation.apply = &Multiplier<T>::apply;
    operation.user = &multiplier;
  }
  const ulpfft_status status = ulpfft_execute_chain(plan, &in, &out, &operation, nullptr);
  if (problem.chain == "user") {
    EXPECT_TRUE(multiplier.saw_each_once());
  }
  return status;
}

template <typename T>
void expect_wide_plan_between(RealCase problem, const std::string& in_name, const std::string& out_name, const Target& target,
                              Flush flush, const std::string& given = "") {
  problem.storages = in_name == out_name ? in_name : in_name + "->" + out_name;
  const std::string text = text_of(problem);
  Stored in = dense_side(problem, false, in_name), expected = dense_side(problem, true, out_name);
  encode(in, normal<T>(static_cast<std::size_t>(in.rows * in.reals), fitting_rms(in_name), seed_of(text)));
  const PlanPtr plan = given.empty() ? make_plan(target.context, text) : make_plan(target.context, text, given);
  ASSERT_NE(plan, nullptr) << text;
  const std::string recipe = recipe_of(plan.get());
  ASSERT_EQ(recipe.substr(0, 3), sizeof(T) == 8 ? "f64" : "f32") << text;
  const std::string wide = text_of(wide_case<T>(problem));
  const PlanPtr between = make_plan(target.context, wide, recipe);
  ASSERT_NE(between, nullptr) << wide;
  const std::vector<T> from = decoded<T>(in);
  std::vector<T> to(static_cast<std::size_t>(expected.rows * expected.reals));
  auto wide_in = sized<ulpfft_array>(), wide_out = sized<ulpfft_array>();
  wide_in.data[0] = const_cast<T*>(from.data());
  wide_out.data[0] = to.data();
  ASSERT_EQ(execute_case<T>(between.get(), problem, wide_in, wide_out), ULPFFT_OK) << last_error_text();
  const std::int64_t saturated = encode(expected, to);

  Stored out = dense_side(problem, true, out_name), after = in;
  std::int64_t count = -1;
  const auto run = [&](Array& source, Array& result) {
    source.put(problem, false, in);
    ulpfft_array a = source.address(), b = result.address();
    b.saturated = &count;
    ASSERT_EQ(execute_case<T>(plan.get(), problem, a, b), ULPFFT_OK) << text << ": " << last_error_text();
    result.get(problem, true, out);
    EXPECT_FALSE(result.touched()) << text << " by " << recipe;
  };
  if (problem.in_place) {
    Array both(problem, {false, true}, in_name, flush);
    run(both, both);
  } else {
    Array source(problem, {false}, in_name, flush), result(problem, {true}, out_name, flush);
    run(source, result);
    source.get(problem, false, after);
    EXPECT_TRUE(!source.touched() && after.codes == in.codes && after.scales == in.scales) << text << " by " << recipe;
  }
  EXPECT_EQ(out.codes, expected.codes) << target << ", " << text << " by " << recipe;
  EXPECT_EQ(out.scales, expected.scales) << target << ", " << text << " by " << recipe;
  EXPECT_EQ(count, saturated) << target << ", " << text;
}

void check(const RealCase& problem, const std::string& in, const std::string& out, const Target& target, Flush flush = Flush::kEnd) {
  const bool narrow = !is_wide(in) || !is_wide(out);
  const bool f64 = in == "f64" || out == "f64" || (narrow && (needs_f64(in) || needs_f64(out)));
  if (problem.options == " scheme=f64" || (f64 && problem.options != " scheme=f32")) {
    expect_wide_plan_between<double>(problem, in, out, target, flush);
  } else {
    expect_wide_plan_between<float>(problem, in, out, target, flush);
  }
}

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

std::vector<std::string> every_format() {
  std::vector<std::string> names = narrow_formats();
  names.insert(names.end(), {"f32", "f64", "mxfp8_e4m3:b8:floor", "mxfp6_e3m2:b2", "mxint8:b0", "mxfp4_e2m1:b64:even"});
  return names;
}

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
      check(cases[i], name, name, targets()[i % targets().size()]);
      check(cases[i], name, i % 2 == 0 ? "f32" : "f64", default_target());
      check(cases[i], i % 2 == 0 ? "f64" : "f32", name, default_target());
    }
    const RealCase rows = dense_case(c2r, {6, 45}, 2);
    for (const std::string other : {"i16", "mxfp8_e4m3", "e2m3", "f16"}) {
      check(rows, name, other, default_target());
      check(rows, other, name, default_target());
    }
    RealCase other = rows;
    other.options = name == "f64" ? " scheme=f32" : " scheme=f64";
    if (name != "f64" && needs_f64(name)) continue;
    check(other, name, name, default_target());
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
      check(*problem, name, f64 ? "f64" : "f32", default_target());
      check(*problem, name, name, default_target());
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
    check(planes, name, name, default_target());
    planes.chain = "mul";
    set_dense(planes);
    check(planes, name, "f32", default_target());
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
    check(problem, name, name, targets()[i % targets().size()]);
    check(problem, name, i % 2 == 0 ? "f32" : "f64", default_target());
    check(problem, i % 2 == 0 ? "f64" : "f32", name, default_target());
    problem.in_place = true;
    check(problem, name, name, default_target());
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

// Predicted for the values the input encodes: only the output's rounding is an error.
TEST_P(RealsOfEveryFormat, PredictTheirErrorWithinHalf) {
  const int place = std::ilogb(fitting_rms(GetParam()));
  if (std::abs(place) > (needs_f64(GetParam()) ? 900 : 80)) {
    GTEST_SKIP() << "near the ends of its range the arithmetic loses digits: numbers of 2^" << place;
  }
  for (const std::string n : {"64*8", "1000*3", "105*9", "4096", "32x48"}) {
    for (const std::string kind : {"r2c ", "c2r "}) {
      for (const std::string options : {" scale=ortho", "", " scheme=f64 scale=1/n"}) {
        const PlanPtr plan = make_plan(default_target().context, kind + n + " " + GetParam() + options);
        ASSERT_NE(plan, nullptr);
        auto report = sized<ulpfft_error_report>();
        ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
        EXPECT_LE(report.relative_l2, 1.5 * ulpfft_plan_error(plan.get())) << kind << n << " " << GetParam() << options;
        // Unscaled transforms of integers have an input of few steps and an output that saturates now and then: few outputs may miss it.
        const bool rarely_saturates = std::string(format_of(GetParam()).kind) == "integer" && options.empty();
        if (!rarely_saturates) {
          EXPECT_GE(report.relative_l2, ulpfft_plan_error(plan.get()) / 1.5) << kind << n << " " << GetParam() << options;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RealsOfEveryFormat, testing::ValuesIn(every_format()), [](const auto& format) {
  std::string name = format.param;
  for (char& c : name) c = c == ':' ? '_' : c;
  return name;
});

// ---- random problems

TEST(RealStorages, OfRandomProblemsAreRightAndTouchNothingElse) {
  Random random(20261126);
  const std::vector<std::string> names = every_format();
  const int cases = full_run() ? 4000 : 600;
  for (int i = 0; i < cases; ++i) {
    RealCase problem = random_real_case(random, i % 20 == 0 ? 20000 : 1500, i < 500 ? "" : i % 2 == 0 ? "mul" : "user");
    const std::string in = names[random.below(names.size())];
    const std::string out = problem.in_place || random.chance(0.3) ? in : names[random.below(names.size())];
    if (keeps_rows(in) || keeps_rows(out)) {
      problem.in_place = problem.split = false;
      problem.dense = true;
      set_dense(problem);
    }
    check(problem, in, out, random.chance(0.2) ? ref_target() : default_target(), random.chance(0.5) ? Flush::kStart : Flush::kEnd);
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
