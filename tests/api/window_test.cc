// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Windows: the bits of the product done by hand before the plan without one, whatever the storage, scheme, layout and target; errors as
// predicted; refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/sample.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"
#include "tests/support/windows.h"

namespace ulpfft::test {
namespace {

// Dense transforms: real numbers, or complex ones of two reals each, times the window. Of several lengths the products of the factors along
// all but the last are rounded by themselves.
template <typename T>
void multiply(std::vector<T>& reals, const CosineWindow& window, bool symmetric, const std::vector<std::int64_t>& lengths,
              std::size_t each) {
  std::vector<T> factors, outer{1};
  if (lengths.size() == 2) {
    outer.clear();
    for (std::int64_t i = 0; i < lengths[0]; ++i) outer.push_back(static_cast<T>(factor_of(window, symmetric, lengths[0], i).value()));
  }
  for (const T of_row : outer) {
    for (std::int64_t j = 0; j < lengths.back(); ++j) {
      factors.push_back(of_row * static_cast<T>(factor_of(window, symmetric, lengths.back(), j).value()));
    }
  }
  for (std::size_t i = 0; i < reals.size(); ++i) reals[i] *= factors[i / each % factors.size()];
}

struct Windowed {
  std::vector<std::int64_t> lengths;
  std::int64_t batch = 1;
  bool real = false;
  std::string in, out, scheme;  // scheme "": left to the library
  std::string options;
  const CosineWindow* window = kWindows;
  bool symmetric = false;

  std::string text(const std::string& storage) const {
    std::string text = real ? "r2c " : "";
    for (std::size_t d = 0; d < lengths.size(); ++d) text += (d == 0 ? "" : "x") + std::to_string(lengths[d]);
    return text + "*" + std::to_string(batch) + " " + storage + "->" + out + (scheme.empty() ? "" : " scheme=" + scheme) + options;
  }
  std::string windowed() const { return text(in) + " window=" + window->name + (symmetric ? ":symmetric" : ""); }
};

std::vector<double> as_doubles(const Stored& side) {
  if (side.storage != "f32") return side.decode<double>();
  const std::vector<float> reals = side.decode<float>();
  return {reals.begin(), reals.end()};
}

// Compares the plan with the plan of its recipe without a window, in the type T of the arithmetic.
template <typename T>
void compare(ulpfft_context* context, const Windowed& problem) {
  const std::string wide = sizeof(T) == 8 ? "f64" : "f32", text = problem.windowed();
  const PlanPtr plan = make_plan(context, text);
  ASSERT_NE(plan, nullptr) << text;
  const PlanPtr plain = try_plan(context, problem.text(wide), recipe_of(plan.get()));
  ASSERT_NE(plain, nullptr) << text << ": " << last_error_text();
  const std::int64_t row = problem.lengths.back(), half = problem.real ? row / 2 + 1 : row;
  const std::int64_t rows = problem.batch * (problem.lengths.size() > 1 ? problem.lengths[0] : 1);
  const std::int64_t each = problem.real ? 1 : 2;
  Stored in(problem.in, rows, each * row), out(problem.out, rows, 2 * half), by_hand(wide, rows, each * row), expected = out;
  const std::vector<double> data = normal<double>(static_cast<std::size_t>(rows * row * each), fitting_rms(problem.in), seed_of(text));
  if (problem.in == "f32") in.encode(std::vector<float>(data.begin(), data.end()));
  else in.encode(data);
  std::vector<T> reals;
  for (const double real : as_doubles(in)) reals.push_back(static_cast<T>(real));
  multiply(reals, *problem.window, problem.symmetric, problem.lengths, static_cast<std::size_t>(each));
  by_hand.encode(reals);
  const Bytes before = in.codes;
  ASSERT_EQ(execute(plan, in, out), ULPFFT_OK) << text << ": " << last_error_text();
  ASSERT_EQ(execute(plain, by_hand, expected), ULPFFT_OK) << text << ": " << last_error_text();
  const auto differs = std::mismatch(out.codes.begin(), out.codes.end(), expected.codes.begin());
  EXPECT_TRUE(differs.first == out.codes.end()) << "byte " << differs.first - out.codes.begin() << " of " << out.codes.size() << ": " << text << ", " << recipe_of(plan.get());
  EXPECT_TRUE(out.scales == expected.scales) << text;
  EXPECT_TRUE(in.codes == before) << text;
}

void compare(ulpfft_context* context, const Windowed& problem, bool in_f64) {
  in_f64 ? compare<double>(context, problem) : compare<float>(context, problem);
}

TEST(Windows, GiveTheBitsOfTheProductByHandInEveryStorageAndScheme) {
  std::vector<std::string> storages = narrow_formats();
  storages.insert(storages.end(), {"f32", "f64"});
  const std::vector<std::vector<std::int64_t>> shapes = {{1}, {2}, {7}, {48}, {60}, {61}, {360}, {1024}, {4096}, {5, 24}, {40, 64}};
  const std::string options[] = {"", " inverse", " centered", " scale=0.3", " inverse centered scale=ortho", " threads=2"};
  Sampler sampler(23);
  std::size_t number = 0;
  for (const std::string& in : storages) {
    for (const std::string& out : {in, std::string("f32"), std::string("f64")}) {
      for (const auto& lengths : shapes) {
        for (const bool real : {false, true}) {
          for (const std::int64_t batch : {1, 5, 40}) {
            ++number;
            if (!sampler.next()) continue;
            const std::vector<std::string> schemes = needs_f64(in) || needs_f64(out) ? std::vector<std::string>{"f64"}
                                                     : real ? std::vector<std::string>{"f32", "f64", "rounded:f16"}
                                                            : std::vector<std::string>{"f32", "f64", "rounded:f16", "rounded:bf16/f32",
                                                                                       "mx:mxfp8_e4m3", "split:bf16x3"};
            const std::string scheme = schemes[number / 7 % schemes.size()];
            const bool has_passes = lengths.size() == 1 ? lengths[0] != 61 : true;  // rounded schemes have no convolutions
            Windowed problem{lengths, batch, real, in, out, has_passes ? scheme : "f64", options[number / 5 % std::size(options)],
                             &kWindows[number % std::size(kWindows)], number / 13 % 2 == 0};
            // f64 carries the numbers of bf16, whose range is that of f32.
            const bool in_f64 = problem.scheme == "f64" || problem.scheme == "rounded:bf16/f32";
            compare(targets()[number / 11 % targets().size()].context, problem, in_f64);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

// Strided, split and in-place arrays hold the numbers of the dense ones.
TEST(Windows, OfEveryLayoutGiveTheSameBits) {
  const std::size_t n = 48, batch = 20;
  const std::string recipe = "f32:dit(6 8)";
  ulpfft_context* const context = default_target().context;
  const std::vector<float> data = normal<float>(2 * n * batch, 1, 4);
  Stored in("f32", batch, 2 * n), out = in;
  in.encode(data);
  ASSERT_EQ(execute(make_plan(context, "48*20 f32 window=hamming", recipe), in, out), ULPFFT_OK) << last_error_text();
  const std::vector<float> expected = out.decode<float>();
  const auto check = [&](const std::string& problem, const auto& index, std::size_t room) {
    for (const bool split : {false, true}) {
      for (const bool in_place : {false, true}) {
        const std::string text = problem + (in_place ? " inplace" : "") + (split ? " split" : "") + " window=hamming";
        const PlanPtr plan = make_plan(context, text, recipe);
        ASSERT_NE(plan, nullptr);
        std::vector<float> parts[2] = {std::vector<float>(2 * room, 5.0F), std::vector<float>(room, 5.0F)};
        std::vector<float> results[2] = {parts[0], parts[1]};
        const auto place = [&](std::vector<float>(&to)[2], std::size_t i, int part) -> float& {
          return split ? to[part][index(i)] : to[0][2 * index(i) + static_cast<std::size_t>(part)];
        };
        for (std::size_t i = 0; i < n * batch; ++i) {
          for (const int part : {0, 1}) place(parts, i, part) = data[2 * i + static_cast<std::size_t>(part)];
        }
        auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
        for (const int part : {0, 1}) {
          if (part == 1 && !split) continue;
          from.data[part] = parts[part].data();
          to.data[part] = in_place ? parts[part].data() : results[part].data();
        }
        ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << text << ": " << last_error_text();
        for (std::size_t i = 0; i < n * batch; ++i) {
          for (const int part : {0, 1}) {
            ASSERT_EQ(place(in_place ? parts : results, i, part), expected[2 * i + static_cast<std::size_t>(part)]) << text << " " << i;
          }
        }
      }
    }
  };
  check("48*20 f32", [](std::size_t i) { return i; }, n * batch);
  check("48*20 f32 threads=2", [](std::size_t i) { return i; }, n * batch);
  check("48*4x5 f32", [](std::size_t i) { return i; }, n * batch);
  // Columns: the batch is innermost.
  check("48*20 f32 in_strides=20 out_strides=20 batch_strides=1,1", [](std::size_t i) { return i / 48 + i % 48 * 20; }, n * batch);
  check("48*20 f32 in_strides=41 out_strides=41 batch_strides=2,2", [](std::size_t i) { return i / 48 * 2 + i % 48 * 41; }, 3 * n * batch);
}

TEST(Windows, OfTheCallerAreThoseOfTheirName) {
  const std::int64_t lengths[] = {6, 40}, batch[] = {3};
  for (const int rank : {1, 2}) {
    std::vector<double> factors;
    for (int d = 2 - rank; d < 2; ++d) {
      for (std::int64_t j = 0; j < lengths[d]; ++j) factors.push_back(factor_of(kWindows[2], false, lengths[d], j).value());
    }
    ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
    problem.rank = rank;
    problem.lengths = lengths + 2 - rank;
    problem.batch_rank = 1;
    problem.batch_lengths = batch;
    problem.storage_in = "f64";
    problem.window_factors = factors.data();
    problem.window_count = static_cast<std::int64_t>(factors.size());
    ulpfft_plan* created = nullptr;
    ASSERT_EQ(ulpfft_plan_create(default_target().context, &problem, nullptr, &created), ULPFFT_OK) << last_error_text();
    const PlanPtr plan(created);
    std::fill(factors.begin(), factors.end(), 0.0);  // the plan has a copy
    EXPECT_NE(take(ulpfft_plan_describe(created)).find("window=given"), std::string::npos);
    const PlanPtr named = make_plan(default_target().context, std::string(rank == 2 ? "6x40" : "40") + "*3 f64 window=blackman", recipe_of(created));
    const std::int64_t rows = rank == 2 ? 18 : 3;
    Stored in("f64", rows, 80), out = in, expected = in;
    in.encode(normal<double>(static_cast<std::size_t>(rows * 80), 1, 7));
    ASSERT_EQ(execute(plan, in, out), ULPFFT_OK) << last_error_text();
    ASSERT_EQ(execute(named, in, expected), ULPFFT_OK) << last_error_text();
    EXPECT_LE(relative(out.decode<double>(), expected.decode<double>()), 4e-16);
  }
}

TEST(Windows, HaveTheErrorThatIsPredicted) {
  for (const char* text : {"1000*4 f64 window=hann", "1000*4 f32 window=kaiser:14", "r2c 4096 f32 window=flattop", "r2c 360*4 f64 window=gauss:40",
                           "32x64 f32 window=hamming", "1024 f16 window=nuttall", "4096 i16->f32 window=hann", "480 f32 scheme=rounded:f16 window=hann",
                           "512 f32->i16 window=blackman", "960 mxfp8_e4m3 window=hann:symmetric", "256 f32 scheme=rounded:i16 window=hann"}) {
    const PlanPtr plan = make_plan(default_target().context, text);
    ASSERT_NE(plan, nullptr);
    const double predicted = ulpfft_plan_error(plan.get());
    auto measured = sized<ulpfft_error_report>();
    ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_SAMPLED, &measured), ULPFFT_OK) << text << ": " << last_error_text();
    EXPECT_LE(measured.relative_l2, 1.5 * predicted) << text;
    EXPECT_GE(measured.relative_l2, predicted / 1.5) << text;
  }
}

TEST(Windows, AreRefusedWhereThereIsNone) {
  const auto refused = [](const std::string& text, const char* field) {
    ulpfft_plan* created = nullptr;
    EXPECT_NE(ulpfft_plan_parse(default_target().context, text.c_str(), &created), ULPFFT_OK) << text;
    EXPECT_EQ(last_error().field, field) << last_error_text();
    EXPECT_FALSE(last_error().message.empty());
    ulpfft_plan_destroy(created);
  };
  refused("c2r 16 f32 window=hann", "window");
  refused("r2r 16 f32 kinds=dct2 window=hann", "window");
  refused("16 f32 chain=mul window=hann", "window");
  refused("16 f32 window=hann backend=cuda", "backend");
  refused("16 f32 window=henn", "window");
  refused("16 f32 window=given", "window");
  const std::int64_t length[] = {4};
  const auto refused_given = [&](const std::vector<double>& factors, const char* window, const char* field) {
    ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
    problem.rank = 1;
    problem.lengths = length;
    problem.window = window;
    problem.window_factors = factors.empty() ? nullptr : factors.data();
    problem.window_count = factors.empty() ? 4 : static_cast<std::int64_t>(factors.size());
    ulpfft_plan* created = nullptr;
    EXPECT_EQ(ulpfft_plan_create(default_target().context, &problem, nullptr, &created), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, field) << last_error_text();
    ulpfft_plan_destroy(created);
  };
  refused_given({1, 2, 3}, nullptr, "window_count");
  refused_given({1, 2, 3, 4, 5}, nullptr, "window_count");
  refused_given({1, 2, std::nan(""), 4}, nullptr, "window_factors[2]");
  refused_given({1, 2, 3, 4}, "hann", "window_factors");
  refused_given({}, nullptr, "window_factors");
}

}  // namespace
}  // namespace ulpfft::test
