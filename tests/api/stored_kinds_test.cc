// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Storages of every kind of problem: what a plan computes is the wide plan between a decode and an encode, bit for bit, on every
// side, and nothing outside the elements is written or read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/plan_checks.h"
#include "tests/support/problems.h"
#include "tests/support/r2r_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
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
bool keeps_rows(const std::string& storage) {
  return std::string(format_of(storage).kind) == "block" || bits_of(storage) % 8 != 0;
}

int reals_of(const Case& problem, bool output) { return is_real_side(problem, output) ? 1 : 2; }
std::int64_t row_elements(const Case& problem, bool output) {
  const std::int64_t n = problem.dims.back().length;
  return problem.kind == ULPFFT_C2C || is_real_side(problem, output) ? n : n / 2 + 1;
}

// A side without gaps.
Stored dense_side(const Case& problem, bool output, const std::string& storage) {
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
class StoredArray {
 public:
  StoredArray(const Case& problem, std::vector<bool> outputs, const std::string& storage, Flush flush)
      : rows_(keeps_rows(storage)),
        split_(problem.split && !is_real_side(problem, outputs[0])),
        real_bytes_(bits_of(storage) / 8) {
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
        for (const std::int64_t offset : footprint_of(problem, output).offsets) {
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
  void put(const Case& problem, bool output, const Stored& dense) {
    if (rows_) {
      std::memcpy(data_[0]->data(), dense.codes.data(), dense.codes.size());
      if (scales_ != nullptr) std::memcpy(scales_->data(), dense.scales.data(), dense.scales.size());
      return;
    }
    each_code(problem, output,
              [&](std::byte* here, std::size_t there) { std::memcpy(here, dense.codes.data() + there, bytes()); });
  }
  void get(const Case& problem, bool output, Stored& dense) {
    if (rows_) {
      std::memcpy(dense.codes.data(), data_[0]->data(), dense.codes.size());
      if (scales_ != nullptr) std::memcpy(dense.scales.data(), scales_->data(), dense.scales.size());
      return;
    }
    each_code(problem, output,
              [&](const std::byte* here, std::size_t there) { std::memcpy(dense.codes.data() + there, here, bytes()); });
  }
  bool touched() const {
    return std::any_of(std::begin(data_), std::end(data_), [&](const auto& buffer) {
      return !rows_ && buffer != nullptr && buffer->first_touched_gap(used_, bytes()).has_value();
    });
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(real_bytes_); }
  template <typename Visit>
  void each_code(const Case& problem, bool output, const Visit& visit) {
    const int reals = reals_of(problem, output);
    std::size_t there = 0;
    for (const std::int64_t offset : footprint_of(problem, output).offsets) {
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
Case wide_case(Case problem) {
  problem.storages = sizeof(T) == 8 ? "f64" : "f32";
  problem.scheme.clear();
  problem.in_place = problem.split = false;
  problem.threads = 1;
  problem.dense = true;
  set_dense(problem);
  return problem;
}

// Executes, with the factors of a chain.
template <typename T>
ulpfft_status execute_case(const ulpfft_plan* plan, const Case& problem, const ulpfft_array& in, const ulpfft_array& out) {
  if (problem.chain.empty()) return ulpfft_execute_arrays(plan, &in, &out, nullptr);
  const ChainCall<T> call(problem, 1);
  const ulpfft_status status = ulpfft_execute_chain(plan, &in, &out, &call.operation, nullptr);
  EXPECT_TRUE(call.saw_each_once());
  return status;
}

// Placement, threads and who converts change no bit: none is asked of the wide plan.
std::string without_conversions(std::string recipe) {
  for (const std::string word : {" decode", " encode"}) {
    if (const std::size_t at = recipe.find(word); at != std::string::npos) recipe.erase(at, word.size());
  }
  return recipe;
}

template <typename T>
void expect_wide_plan_between(Case problem, const std::string& in_name, const std::string& out_name, const Target& target,
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
  const PlanPtr between = make_plan(target.context, wide, without_conversions(recipe));
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
  const auto run = [&](StoredArray& source, StoredArray& result) {
    source.put(problem, false, in);
    ulpfft_array a = source.address(), b = result.address();
    b.saturated = &count;
    ASSERT_EQ(execute_case<T>(plan.get(), problem, a, b), ULPFFT_OK) << text << ": " << last_error_text();
    result.get(problem, true, out);
    EXPECT_FALSE(result.touched()) << text << " by " << recipe;
  };
  if (problem.in_place) {
    StoredArray both(problem, {false, true}, in_name, flush);
    run(both, both);
  } else {
    StoredArray source(problem, {false}, in_name, flush), result(problem, {true}, out_name, flush);
    run(source, result);
    source.get(problem, false, after);
    EXPECT_TRUE(!source.touched() && after.codes == in.codes && after.scales == in.scales) << text << " by " << recipe;
  }
  EXPECT_EQ(out.codes, expected.codes) << target << ", " << text << " by " << recipe;
  EXPECT_EQ(out.scales, expected.scales) << target << ", " << text << " by " << recipe;
  EXPECT_EQ(count, saturated) << target << ", " << text;
}

// What a plan of any two storages computes is the wide plan between a decode and an encode.
void check_storages(const Case& problem, const std::string& in, const std::string& out, const Target& target,
                    Flush flush = Flush::kEnd) {
  const bool narrow = !is_wide(in) || !is_wide(out);
  const bool f64 = in == "f64" || out == "f64" || (narrow && (needs_f64(in) || needs_f64(out)));
  if (problem.scheme == "f64" || (f64 && problem.scheme != "f32")) {
    expect_wide_plan_between<double>(problem, in, out, target, flush);
  } else {
    expect_wide_plan_between<float>(problem, in, out, target, flush);
  }
}

// ---- every format by registry

std::vector<std::string> every_format(bool with_wide = true) {
  std::vector<std::string> names = narrow_formats();
  if (with_wide) names.insert(names.end(), {"f32", "f64"});
  names.insert(names.end(), {"mxfp8_e4m3:b8:floor", "mxfp6_e3m2:b2", "mxint8:b0", "mxfp4_e2m1:b64:even"});
  return names;
}

// Whether data of a format lie where the arithmetic loses digits.
bool is_near_the_ends(const std::string& format) {
  return std::abs(std::ilogb(fitting_rms(format))) > (needs_f64(format) ? 900 : 80);
}

enum class Kinds : std::uint8_t { kComplex, kReal, kR2r };

class EveryFormat : public testing::TestWithParam<std::tuple<Kinds, std::string>> {};
class FormatOfReals : public testing::TestWithParam<std::string> {};

// Pairs of a case and a turn, which chooses what else a case has.
using Turns = std::vector<std::pair<Case, std::size_t>>;

Turns real_cases() {
  Turns turns;
  for (const int kind : {ULPFFT_R2C, ULPFFT_C2R}) {
    std::vector<Case> cases;
    for (const std::int64_t n : {1, 2, 3, 7, 16, 30, 105, 256, 1001}) cases.push_back(dense_case(kind, {n}, n < 20 ? 7 : 3));
    cases.insert(cases.end(), {dense_case(kind, {64}, 200), dense_case(kind, {20000}), dense_case(kind, {12, 15}, 4),
                               dense_case(kind, {3, 4, 10}, 3)});
    for (std::size_t i = 0; i < cases.size(); ++i) {
      cases[i].backward = i % 3 == 1;
      cases[i].centered = i % 5 >= 3;
      turns.emplace_back(cases[i], i);
    }
  }
  return turns;
}
Turns r2r_cases() {
  constexpr std::int64_t kLengths[] = {2, 3, 7, 16, 30, 105, 256, 1001};
  Turns turns;
  for (int kind = 0; kind < kR2rKinds; ++kind) {
    std::vector<Case> cases = {dense_r2r_case(kind, {kLengths[kind % 8]}, 5), dense_r2r_case(kind, {kLengths[(kind + 3) % 8]}, 1),
                               dense_r2r_case(kind, {kind % 2 == 0 ? 64 : 27}, 70), dense_r2r_case(kind, {12, 15}, 3),
                               dense_r2r_case(kind, {3, 4, 10}, 2)};
    if (kind != ULPFFT_REDFT00) cases.push_back(dense_r2r_case(kind, {1}, 7));
    for (std::size_t i = 0; i < cases.size(); ++i) turns.emplace_back(cases[i], i + static_cast<std::size_t>(kind));
  }
  return turns;
}

void check_turns(const Turns& turns, const std::string& name) {
  for (auto [problem, turn] : turns) {
    problem.scale_kind = turn % 2 == 1 ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_NONE;
    problem.threads = turn % 4 == 3 ? 2 : 1;
    check_storages(problem, name, name, targets()[turn % targets().size()]);
    check_storages(problem, name, turn % 2 == 0 ? "f32" : "f64", default_target());
    check_storages(problem, turn % 2 == 0 ? "f64" : "f32", name, default_target());
  }
}

void check_rows(const std::vector<Case>& cases, const std::string& name) {
  for (Case rows : cases) {
    for (const std::string other : {"i16", "mxfp8_e4m3", "e2m3", "f16"}) {
      check_storages(rows, name, other, default_target());
      check_storages(rows, other, name, default_target());
    }
    rows.scheme = name == "f64" ? "f32" : "f64";
    if (name == "f64" || !needs_f64(name)) check_storages(rows, name, name, default_target());
  }
}

// On every target.
void check_complex(
    const std::string& in, const std::string& out, const std::vector<std::int64_t>& lengths, std::int64_t batch,
    const std::function<void(Case&)>& change = [](Case&) {}) {
  Case problem = dense_case(ULPFFT_C2C, lengths, batch);
  change(problem);
  set_dense(problem);
  for (const Target& target : targets()) check_storages(problem, in, out, target);
}

void check_complex_cases(const std::string& name) {
  const auto backward = [](Case& c) { c.backward = true; };
  const auto same = [&](
                        const std::vector<std::int64_t>& lengths, std::int64_t batch,
                        const std::function<void(Case&)>& change = [](Case&) {}) {
    check_complex(name, name, lengths, batch, change);
  };
  same({64}, 1);
  same({64}, 37);
  same({17}, 130, backward);
  same({1000}, 3, [](Case& c) { c.scale_kind = ULPFFT_SCALE_ORTHO; });
  same({1}, 5);
  same({24, 30}, 2, [](Case& c) {
    c.batch.push_back({3, 1, 1});
    c.centered = true;
  });
  same({15, 1}, 4);
  same({64}, 70, [](Case& c) {
    c.in_place = true;
    c.scale_kind = ULPFFT_SCALE_ORTHO;
  });
  same({101}, 9);
  same({64}, 200, [](Case& c) { c.threads = 2; });
  same({256}, 1, backward);
  same({60}, 1, [](Case& c) { c.in_place = true; });
  same({16384}, 1, [](Case& c) {
    c.threads = 2;
    c.scale_kind = ULPFFT_SCALE_BY_N;
  });
  for (const std::string other : {"f32", "mxfp8_e4m3:b8:floor", "e2m3"}) {
    if (needs_f64(name)) break;  // the f32 of a plan in f64 are no bits of either
    check_complex(name, other, {128}, 1);
    check_complex(other, name, {100}, 1, backward);
    check_complex(name, other, {96}, 11, [](Case& c) { c.backward = c.centered = true; });
    check_complex(other, name, {8, 20}, 3, [](Case& c) {
      c.scale_kind = ULPFFT_SCALE_VALUE;
      c.scale_value = 0.25;
    });
  }
  same({60}, 7, [](Case& c) { c.scheme = "f64"; });
  check_complex("f64", name, {60}, 7, backward);
  check_complex(name, "f64", {4, 9}, 2);
}

TEST_P(EveryFormat, IsTheWidePlanBetweenADecodeAndAnEncode) {
  const auto& [kinds, name] = GetParam();
  if (kinds == Kinds::kComplex) return check_complex_cases(name);
  check_turns(kinds == Kinds::kReal ? real_cases() : r2r_cases(), name);
  check_rows(kinds == Kinds::kReal ? std::vector<Case>{dense_case(ULPFFT_R2C, {6, 45}, 2), dense_case(ULPFFT_C2R, {6, 45}, 2)}
                                   : std::vector<Case>{dense_r2r_case(ULPFFT_REDFT10, {6, 45}, 2)},
             name);
}

// Predicted for the values the input encodes: only the output's rounding is an error. Within a half.
void expect_error_predicted(const std::string& problem, const std::string& format) {
  const PlanPtr plan = make_plan(default_target().context, problem);
  ASSERT_NE(plan, nullptr) << problem;
  auto report = sized<ulpfft_error_report>();
  ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &report), ULPFFT_OK) << last_error_text();
  EXPECT_LE(report.relative_l2, 1.5 * ulpfft_plan_error(plan.get())) << problem;
  // Unscaled transforms of integers have an input of few steps and an output that saturates now and then: few outputs may miss
  // it.
  const bool few = report.outputs < 8192 || problem.find("r2") != std::string::npos || problem.find("2r") != std::string::npos;
  if (few && std::string(format_of(format).kind) == "integer" && problem.find("scale=") == std::string::npos) return;
  EXPECT_GE(report.relative_l2, ulpfft_plan_error(plan.get()) / 1.5) << problem;
}

TEST_P(EveryFormat, PredictsItsErrorWithinHalf) {
  const auto& [kinds, name] = GetParam();
  if (is_near_the_ends(name)) GTEST_SKIP() << "near the ends of its range the arithmetic loses digits";
  std::vector<std::string> sizes{"64*8", "1000*3", "4096", "32x48"};
  if (kinds == Kinds::kComplex && full_run()) sizes.insert(sizes.end(), {"256*3", "1024", "16384", "65536", "262144", "1048576"});
  if (kinds != Kinds::kComplex) sizes.insert(sizes.begin() + 2, "105*9");
  for (const std::string options : {" scale=ortho", "", " scheme=f64 scale=1/n"}) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::string rest = sizes[i] + " " + name + options;
      if (kinds == Kinds::kComplex) expect_error_predicted(rest, name);
      for (const char* kind : {"r2c ", "c2r "}) {
        if (kinds == Kinds::kReal) expect_error_predicted(kind + rest, name);
      }
      for (std::size_t r2r = i; kinds == Kinds::kR2r && r2r < kR2rNames.size(); r2r += sizes.size()) {
        const std::string one(kR2rNames[r2r]);
        expect_error_predicted("r2r " + rest + " kinds=" + one + (sizes[i].find('x') != std::string::npos ? "," + one : ""),
                               name);
      }
    }
  }
}

TEST_P(EveryFormat, HasOneHashOnEveryTargetWithFma) {
  const auto& [kinds, name] = GetParam();
  const std::string scheme = needs_f64(name) || name == "f64" ? "f64:" : "f32:";
  std::vector<std::string> texts{"96*5 " + name, "96*5 " + name + " split"};
  if (kinds == Kinds::kReal) texts = {"r2c 96*5 " + name, "c2r 96*5 " + name};
  if (kinds == Kinds::kR2r) texts = {"r2r 96*5 " + name + " kinds=dct2", "r2r 96*5 " + name + " kinds=dst4"};
  for (const std::string& text : texts) {
    const std::string recipe =
        kinds == Kinds::kComplex ? "dit(6 8 2)" : std::string(kinds == Kinds::kReal ? "real" : "r2r") + "(96; dit(6 8))";
    std::uint64_t hash = 0;
    for (const Target& target : targets()) {
      if (!target.has_fma) continue;
      const PlanPtr plan = make_plan(target.context, text, scheme + recipe);
      ASSERT_NE(plan, nullptr) << target << " " << text;
      const std::uint64_t own = hash_of(plan.get());
      if (hash == 0) hash = own;
      EXPECT_EQ(own, hash) << target << " " << text;
    }
  }
}

void set_option(Case& problem, int option) {
  problem.centered = option == 1;
  problem.backward = option == 2;
  problem.threads = option == 3 ? 3 : 1;
}

TEST_P(FormatOfReals, OfSeveralDimensionsAreDecodedAsTheyAreTransformed) {
  const std::string name = GetParam();
  const bool f64 = name == "f64" || (!is_wide(name) && needs_f64(name));
  for (int option = 0; option < 4; ++option) {
    Case planes = dense_case(ULPFFT_R2C, {50, 60}, 2), cube = dense_case(ULPFFT_R2C, {3, 20, 45}, 2);
    for (Case* const problem : {&planes, &cube}) {
      set_option(*problem, option);
      check_storages(*problem, name, f64 ? "f64" : "f32", default_target());
      check_storages(*problem, name, name, default_target());
    }
  }
}

// So long that no decoded copy stays in the caches: by the first sweep of four, or by groups of lines in the place of their
// spectrum.
TEST(RealsStored, OfLongTransformsAreDecodedByThePassesThatReadThem) {
  const std::string four = "f32:real(1048576; four(1024x512 p32; dit(8 16 8); dit(8 8 8)))",
                    longer = "f32:real(2097152; four(1024x1024 p64; dit(16 8 8); dit(16 8 8)))";
  for (const std::string name : {"i16", "mxfp8_e4m3", "e2m1"}) {
    for (int option = 0; option < 4; ++option) {
      Case line = dense_case(ULPFFT_R2C, {1 << 20}, option == 0 ? 2 : 1);
      set_option(line, option);
      expect_wide_plan_between<float>(line, name, "f32", default_target(), Flush::kEnd, four);
    }
    Case line = dense_case(ULPFFT_R2C, {1 << 21}, 1), planes = dense_case(ULPFFT_R2C, {1500, 1500}, 1);
    set_option(line, name == "i16" ? 1 : 0);
    set_option(planes, name == "e2m1" ? 3 : 0);
    expect_wide_plan_between<float>(line, name, name, default_target(), Flush::kEnd, longer);
    check_storages(planes, name, name, default_target());
    planes.chain = "mul";
    set_dense(planes);
    check_storages(planes, name, "f32", default_target());
  }
}

TEST_P(FormatOfReals, InChainsAreTheWidePlanBetweenADecodeAndAnEncode) {
  const std::string name = GetParam();
  std::vector<Case> cases{dense_case(ULPFFT_R2C, {1}, 7),      dense_case(ULPFFT_R2C, {2}, 7),
                          dense_case(ULPFFT_R2C, {64}, 90),    dense_case(ULPFFT_R2C, {105}, 5),
                          dense_case(ULPFFT_R2C, {5000}, 1),   dense_case(ULPFFT_R2C, {12, 18}, 4),
                          dense_case(ULPFFT_R2C, {50, 60}, 2), dense_case(ULPFFT_R2C, {3, 20, 45}, 2)};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case& problem = cases[i];
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

std::string name_of(std::string format) {
  std::replace(format.begin(), format.end(), ':', '_');
  return format;
}
const auto name_of_format = [](const auto& info) { return name_of(std::get<1>(info.param)); };

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormat,
                         testing::Combine(testing::Values(Kinds::kComplex), testing::ValuesIn(every_format(false))),
                         name_of_format);
INSTANTIATE_TEST_SUITE_P(Reals, EveryFormat, testing::Combine(testing::Values(Kinds::kReal), testing::ValuesIn(every_format())),
                         name_of_format);
INSTANTIATE_TEST_SUITE_P(RealsR2r, EveryFormat, testing::Combine(testing::Values(Kinds::kR2r), testing::ValuesIn(every_format())),
                         name_of_format);
INSTANTIATE_TEST_SUITE_P(Reals, FormatOfReals, testing::ValuesIn(every_format()),
                         [](const auto& format) { return name_of(format.param); });

// On data of the caller an error is about that of random numbers, and full and sampled levels agree.
TEST(RealsStored, AreAssessedOnTheCallersNumbers) {
  for (const char* storages : {"f32", "f64", "i16->f16", "mxfp8_e4m3", "f64->f32"}) {
    for (int kind = 0; kind < kR2rKinds; ++kind) {
      Case problem = dense_r2r_case(kind, {kind % 2 == 0 ? 96 : 45}, 40);
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

// ---- random problems

// Any two storages, either placement, and strides or chains.
void check_random(std::uint64_t seed, int cases, const std::function<Case(Random&, int)>& draw) {
  Random random(seed);
  const std::vector<std::string> names = every_format();
  Sampler sampler(3);
  for (int i = 0; i < (full_run() ? 10 : 1) * cases; ++i) {
    Case problem = draw(random, i);
    problem.converts = false;
    problem.scheme.clear();
    const std::string in = names[random.below(names.size())];
    const std::string out = problem.in_place || random.chance(0.3) ? in : names[random.below(names.size())];
    if (keeps_rows(in) || keeps_rows(out)) {
      if (problem.kind != ULPFFT_R2R) problem.in_place = false;
      problem.split = false;
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

std::int64_t most_points(int i) { return i % 20 == 0 ? 20000 : 1500; }

TEST(RealsStored, InRandomProblemsAreRightAndTouchNothingElse) {
  check_random(20261126, 500, [](Random& random, int i) { return random_real_case(random, most_points(i)); });
}
TEST(RealsStored, InRandomChainsAreRightAndTouchNothingElse) {
  check_random(20261127, 100,
               [](Random& random, int i) { return random_real_case(random, most_points(i), i % 2 == 0 ? "mul" : "user"); });
}
TEST(RealsStored, InRandomProblemsBetweenRealsAreRightAndTouchNothingElse) {
  check_random(20261133, 600, [](Random& random, int i) { return random_r2r_case(random, most_points(i)); });
}

// ---- refusals

TEST(RealsStored, ThatCannotBeAreRefusedByASentence) {
  expect_refused({
      {"r2c 64 mxfp8_e4m3 inplace", "", "Transform out of place", "placement"},
      {"c2r 64 e2m1 inplace", "", "Transform out of place", "placement"},
      {"r2c 64 i16->f16 inplace", "", "In place needs one storage", "storage_out"},
      {"r2c 64 mxfp8_e4m3 in_strides=2 out_strides=1", "", "stride 1", "in_strides[0]"},
      {"r2c 64 f16 scheme=mx:mxfp8_e4m3", "", "is f32, f64 or rounded", "scheme"},
  });
}

}  // namespace
}  // namespace ulpfft::test
