// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Chirp transforms against their definition, summed in long double: every storage, batches, strides, layouts, threads and targets, and any
// frequencies; errors as predicted; refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <iostream>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

using Sum = std::complex<long double>;

// The fraction of `count` times `turns`: the product is exact in two doubles, because a count is below 2^53.
long double fraction(std::int64_t count, double turns) {
  const auto times = static_cast<double>(count);
  const double high = times * turns, low = std::fma(times, turns, -high);
  return static_cast<long double>(high - std::floor(high)) + static_cast<long double>(low - std::floor(low));
}

struct Case {
  std::int64_t inputs = 1, outputs = 1, batch = 1;
  std::string in = "f32", out = "f32", options;
  double start = 0, step = 0;  // 0: 1 / outputs
  bool split = false, strided = false;

  bool backward() const { return options.find("inverse") != std::string::npos; }
  std::string text() const {
    std::string text = "czt " + std::to_string(inputs) + (outputs == inputs ? "" : "->" + std::to_string(outputs));
    if (batch > 1) text += "*" + std::to_string(batch);
    text += " " + in + (out == in ? "" : "->" + out) + options + (split ? " split" : "");
    if (strided) text += " in_strides=3 out_strides=2" + (batch > 1 ? " batch_strides=" + strides() : "");
    const auto add = [&](const char* word, double turns) {
      char digits[40];
      std::snprintf(digits, sizeof digits, "%.17g", turns);
      if (turns != 0) text += std::string(word) + digits;
    };
    add(" start=", start);
    add(" step=", step);
    return text;
  }
  // Batches side by side on the input.
  std::string strides() const { return "1," + std::to_string(2 * outputs + 1); }
  std::int64_t in_place_of(std::int64_t b, std::int64_t j) const { return strided ? b + 3 * j : b * inputs + j; }
  std::int64_t out_place_of(std::int64_t b, std::int64_t k) const { return strided ? b * (2 * outputs + 1) + 2 * k : b * outputs + k; }
};

// Output k of the definition, for the sign -.
Sum output_of(const Case& one, const std::vector<Sum>& x, std::int64_t k) {
  constexpr long double kTwoPi = 2 * std::numbers::pi_v<long double>;
  Sum sum = 0;
  for (std::int64_t j = 0; j < one.inputs; ++j) {
    const long double step = one.step != 0 ? fraction(j * k, one.step)
                                           : static_cast<long double>(j * k % one.outputs) / static_cast<long double>(one.outputs);
    const long double angle = kTwoPi * (fraction(j, one.start) + step);
    sum += x[static_cast<std::size_t>(j)] * Sum(std::cos(angle), -std::sin(angle));
  }
  return sum;
}

// ---- wide arrays of any layout

// The error over the rms that the outputs have in the mean.
template <typename T>
double relative_error(const Case& one, const std::vector<std::complex<T>>& in, const std::vector<std::complex<T>>& out, Random& random) {
  double error2 = 0, energy = 0;
  std::int64_t compared = 0;
  for (std::int64_t b = 0; b < one.batch; ++b) {
    std::vector<Sum> x;
    double row = 0;
    for (std::int64_t j = 0; j < one.inputs; ++j) {
      const std::complex<T> value = in[static_cast<std::size_t>(one.in_place_of(b, j))];
      x.emplace_back(value.real(), one.backward() ? -value.imag() : value.imag());
      row += std::norm(std::complex<double>(value));
    }
    const std::int64_t most = one.inputs > 1000 ? 8 : 24, count = std::min(one.outputs, most);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t k = count == one.outputs ? i : random.between(0, one.outputs - 1);
      Sum expected = output_of(one, x, k);
      if (one.backward()) expected = std::conj(expected);
      const std::complex<T> got = out[static_cast<std::size_t>(one.out_place_of(b, k))];
      error2 += static_cast<double>(std::norm(Sum(got.real(), got.imag()) - expected));
      energy += row;
      ++compared;
    }
  }
  return compared == 0 ? 0 : std::sqrt(error2 / energy);
}

template <typename T>
std::vector<T> parts_of(const std::vector<std::complex<T>>& numbers, bool imaginary) {
  std::vector<T> part;
  for (const std::complex<T>& number : numbers) part.push_back(imaginary ? number.imag() : number.real());
  return part;
}

template <typename T>
void check_wide(const Case& one, const Target& target, Random& random) {
  const std::string text = one.text();
  SCOPED_TRACE(text + " on " + target.name);
  const PlanPtr plan = make_plan(target.context, text);
  ASSERT_NE(plan, nullptr);
  const auto in_size = static_cast<std::size_t>(one.in_place_of(one.batch - 1, one.inputs - 1) + one.batch);
  const auto out_size = static_cast<std::size_t>(one.out_place_of(one.batch - 1, one.outputs - 1) + 3);
  const std::complex<T> kept(-77, 78);
  const auto in = random_signal<T>(in_size, seed_of(text));
  std::vector<std::complex<T>> out(out_size, kept);
  ulpfft_array from = sized<ulpfft_array>(), to = from;
  std::vector<T> parts[4];
  if (one.split) {
    for (const bool im : {false, true}) {
      parts[im] = parts_of(in, im);
      parts[2 + im] = parts_of(out, im);
      from.data[im] = parts[im].data();
      to.data[im] = parts[2 + im].data();
    }
  } else {
    from.data[0] = const_cast<std::complex<T>*>(in.data());
    to.data[0] = out.data();
  }
  ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  for (std::size_t i = 0; one.split && i < out.size(); ++i) out[i] = {parts[2][i], parts[3][i]};
  const double error = relative_error(one, in, out, random);
  // The gate of convolutions, 2 u sqrt(log2 m), of the padded length.
  const double length = static_cast<double>(one.inputs + one.outputs);
  const double gate = 2.0 * Storage<T>::kUnitRoundoff * std::sqrt(std::max(1.0, std::log2(length)));
  EXPECT_LE(error, 1.3 * gate) << recipe_of(plan.get());
  // Outputs that lie close together share their errors, which then may be larger than in the mean.
  EXPECT_LE(error, 3 * ulpfft_plan_error(plan.get())) << recipe_of(plan.get());
  std::vector<bool> written(out.size());
  for (std::int64_t b = 0; b < one.batch; ++b) {
    for (std::int64_t k = 0; k < one.outputs; ++k) written[static_cast<std::size_t>(one.out_place_of(b, k))] = true;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_TRUE(written[i] || out[i] == kept) << "element " << i << " lies between the outputs";
  }
}

double random_turns(Random& random) {
  const double turns = random.uniform() - 0.5;
  const double scales[] = {1, 1, 1e-3, 1e-6, 1e-12, 1e6, 1e15};
  return random.chance(0.1) ? 0 : random.chance(0.1) ? std::round(turns * 8) / 8 : turns * scales[random.below(std::size(scales))];
}

Case random_case(Random& random, std::int64_t most) {
  static const std::vector<std::int64_t> smooth = smooth_lengths(2000);
  const auto length = [&] { return random.chance(0.3) ? smooth[random.below(smooth.size())] % most + 1 : random.between(1, most); };
  Case one;
  one.inputs = length();
  one.outputs = random.chance(0.2) ? one.inputs : length();
  one.batch = random.chance(0.5) ? 1 : random.between(2, 9);
  one.start = random_turns(random);
  one.step = random_turns(random);
  if (random.chance(0.3)) one.options += " inverse";
  if (random.chance(0.3)) one.options += " threads=" + std::to_string(random.between(2, 4));
  return one;
}

TEST(ChirpTransforms, EqualTheirDefinition) {
  Random random(20261128);
  Sampler sampler(3);
  const int count = full_run() ? 3000 : 450;
  for (int i = 0; i < count; ++i) {
    Case one = random_case(random, random.chance(0.2) ? 3000 : random.chance(0.3) ? 12 : 300);
    one.split = random.chance(0.3);
    one.strided = random.chance(0.3);
    const bool f64 = random.chance(0.5);
    one.in = one.out = f64 ? "f64" : "f32";
    const Target& target = targets()[random.below(targets().size())];
    if (!sampler.next()) continue;
    f64 ? check_wide<double>(one, target, random) : check_wide<float>(one, target, random);
    if (HasFatalFailure()) return;
  }
}

// Angles of long inputs lose no digit: j^2 step / 2 has 90 bits before it is taken to one turn.
TEST(ChirpTransforms, OfLongInputsKeepTheErrorOfShortOnes) {
  Random random(5);
  for (const std::int64_t inputs : {std::int64_t{1} << 16, full_run() ? std::int64_t{1} << 22 : std::int64_t{70'001}}) {
    for (const double step : {0.0, 0.123456789012345}) {
      Case one;
      one.inputs = inputs;
      one.outputs = 1000;
      one.in = one.out = "f64";
      one.start = 0.2718281828459045;
      one.step = step;
      check_wide<double>(one, default_target(), random);
    }
  }
}

TEST(ChirpTransforms, OfTheWholeCircleAreTheSpectrum) {
  for (const std::int64_t n : {1, 2, 16, 97, 360, 1000}) {
    const auto in = random_signal<double>(static_cast<std::size_t>(n), 9);
    std::vector<std::complex<double>> spectrum(in.size()), chirps(in.size());
    const std::string lengths = std::to_string(n) + " f64";
    const PlanPtr plan = make_plan(default_target().context, lengths), chirp = make_plan(default_target().context, "czt " + lengths);
    ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), spectrum.data()), ULPFFT_OK);
    ASSERT_EQ(ulpfft_execute(chirp.get(), in.data(), chirps.data()), ULPFFT_OK);
    for (std::size_t k = 0; k < in.size(); ++k) EXPECT_LE(std::abs(chirps[k] - spectrum[k]), 1e-14 * std::sqrt(static_cast<double>(n))) << n;
  }
}

// ---- storage

// Narrow sides hold what the plan of the same recipe with wide sides computes, bit for bit.
template <typename T>
void compare_storage(const Case& one, const Target& target) {
  const std::string text = one.text();
  SCOPED_TRACE(text + " on " + target.name);
  const PlanPtr plan = make_plan(target.context, text);
  ASSERT_NE(plan, nullptr);
  Case wide = one;
  wide.in = wide.out = sizeof(T) == 8 ? "f64" : "f32";
  const PlanPtr plain = make_plan(target.context, wide.text(), recipe_of(plan.get()));
  ASSERT_NE(plain, nullptr) << recipe_of(plan.get());
  Stored in(one.in, one.batch, 2 * one.inputs), out(one.out, one.batch, 2 * one.outputs), decoded(wide.in, one.batch, 2 * one.inputs);
  Stored computed(wide.out, one.batch, 2 * one.outputs), expected = out;
  const auto data = normal<double>(static_cast<std::size_t>(2 * one.inputs * one.batch), fitting_rms(one.in), seed_of(text));
  if (one.in == "f32") in.encode(std::vector<float>(data.begin(), data.end()));
  else in.encode(data);
  std::vector<T> reals;
  if (one.in == "f32") {
    for (const float real : in.decode<float>()) reals.push_back(static_cast<T>(real));
  } else {
    for (const double real : in.decode<double>()) reals.push_back(static_cast<T>(real));
  }
  decoded.encode(reals);
  ASSERT_EQ(execute(plan, in, out), ULPFFT_OK) << last_error_text();
  ASSERT_EQ(execute(plain, decoded, computed), ULPFFT_OK) << last_error_text();
  const std::vector<T> results = computed.decode<T>();
  if (one.out == "f64") expected.encode(std::vector<double>(results.begin(), results.end()));
  else if (one.out == "f32") expected.encode(std::vector<float>(results.begin(), results.end()));
  else expected.encode(results);
  EXPECT_TRUE(out.codes == expected.codes) << recipe_of(plan.get());
  EXPECT_TRUE(out.scales == expected.scales) << recipe_of(plan.get());
}

TEST(ChirpTransforms, OfEveryStorageAreTheEncodedOnesOfTheirRecipe) {
  std::vector<std::string> storages = narrow_formats();
  storages.insert(storages.end(), {"f32", "f64"});
  Random random(77);
  Sampler sampler(7);
  for (const std::string& in : storages) {
    for (const std::string& out : {in, std::string("f32"), std::string("f64"), storages[random.below(storages.size())]}) {
      for (const std::int64_t most : {9, 100, 1200}) {
        for (int turn = 0; turn < 2; ++turn) {
          Case one = random_case(random, most);
          one.in = in;
          one.out = out;
          const bool wide_range = needs_f64(in) || needs_f64(out);
          const double rms = fitting_rms(in) * std::sqrt(2.0 * static_cast<double>(one.inputs));
          one.options += " scale=" + std::to_string(fitting_rms(out) / rms) + (wide_range ? " scheme=f64" : " scheme=f32");
          const Target& target = targets()[random.below(targets().size())];
          if (!sampler.next()) continue;
          wide_range ? compare_storage<double>(one, target) : compare_storage<float>(one, target);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// ---- errors

TEST(ChirpTransforms, StateTheErrorThatIsMeasured) {
  const ContextPtr context = make_context();
  std::vector<std::string> storages = narrow_formats();
  storages.insert(storages.end(), {"f32", "f64"});
  Sampler sampler(11);
  double least = 2, most = 0;
  for (const std::string& out : storages) {
    for (const std::string lengths : {"64->200*40", "1000->30*9", "777", "2000->64"}) {
      for (const std::string options : {" start=0.1 step=1e-4", " step=0.013", "", " output=power step=0.013", " window=hann"}) {
        if (!sampler.next()) continue;
        const std::string text = "czt " + lengths + (needs_f64(out) ? " f64->" : " f32->") + out + options;
        const PlanPtr plan = make_plan(context.get(), text);
        ASSERT_NE(plan, nullptr) << text;
        auto report = sized<ulpfft_error_report>();
        ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << text << ": " << last_error_text();
        const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
        least = std::min(least, ratio);
        most = std::max(most, ratio);
        // Numbers of a block are close to its largest where outputs lie close together, and lose less than independent ones.
        const bool alike = std::string(format_of(out).kind) == "block" && options.find("1e-4") != std::string::npos;
        EXPECT_GE(ratio, alike ? 0.45 : 0.75) << text << ": " << report.relative_l2 << " measured";
        EXPECT_LE(ratio, 1.3) << text << ": " << report.relative_l2 << " measured";
      }
    }
  }
  std::cout << "measured over stated " << least << " to " << most << "\n";
}

TEST(ChirpTransforms, KeepAnErrorLimit) {
  const ContextPtr context = make_context();
  for (const std::string problem : {"czt 1000->300 f64 max_error=1e-5 step=1e-4", "czt 300*4 f64->bf16 max_error=0.01 start=0.3"}) {
    const PlanPtr plan = make_plan(context.get(), problem);
    ASSERT_NE(plan, nullptr) << problem;
    EXPECT_LE(ulpfft_plan_error(plan.get()), problem.find("bf16") == std::string::npos ? 1e-5 : 0.01);
  }
}

// ---- wisdom

TEST(ChirpTransforms, OfOtherFrequenciesHaveTheSameWisdom) {
  const ContextPtr context = make_context();
  const PlanPtr plan = make_plan(context.get(), "czt 500->70 f32 start=0.1 step=1e-3", ULPFFT_MEASURE);
  ASSERT_NE(plan, nullptr);
  const PlanPtr other = make_plan(context.get(), "czt 500->70 f32 start=-0.3 step=2e-4", ULPFFT_WISDOM_ONLY);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(recipe_of(other.get()), recipe_of(plan.get()));
  ulpfft_plan* none = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(context.get(), "czt 500->71 f32", &none), ULPFFT_OK) << last_error_text();
  ulpfft_plan_destroy(none);
}

// ---- C++

TEST(ChirpTransforms, AreAKindInCpp) {
  Context context;
  const Plan plan = context.plan({.kind = Kind::kCzt, .lengths = {4}, .points = 3, .start = 0.25, .step = 0.125});
  EXPECT_EQ(plan.problem(), "czt 4->3 f32 start=0.25 step=0.125");
  const std::vector<std::complex<float>> in{0, 1, 0, 0};
  std::vector<std::complex<float>> out(3);
  plan.execute(in, out);
  const double root = std::numbers::sqrt2 / 2;
  const std::complex<double> expected[] = {{0, -1}, {-root, -root}, {-1, 0}};
  for (std::size_t k = 0; k < out.size(); ++k) EXPECT_LE(std::abs(std::complex<double>(out[k]) - expected[k]), 1e-6) << k;
  std::vector<std::complex<float>> two(2);
  EXPECT_THROW(plan.execute(in, two), Error);
}

// ---- refusals

TEST(ChirpTransforms, ThatMakeNoSenseAreRefusedByASentence) {
  const struct {
    const char *problem, *field, *says;
  } wrong[] = {{"czt 64x64 f32 start=0.1", "rank", "as a batch"},
               {"czt 64 f32 inplace", "placement", "out of place"},
               {"czt 64 f32 centered", "centered", "'start'"},
               {"czt 64 f32 chain=mul", "chain", "no way back"},
               {"czt 64 f32 scheme=rounded:f16", "scheme", "f32 or f64"},
               {"czt 64 f32 intermediate=bf16", "intermediate", "leave out"},
               {"czt 64 f32 backend=cuda", "backend", "on the CPU"},
               {"czt 64->0 f32", "points", "1 or more"},
               {"czt 64->many f32", "points", "many"},
               {"czt 64 f32 step=nan", "step", "sampling rate"},
               {"czt 64 f32 start=fast", "start", "sampling rate"},
               {"czt 64 f32 kinds=dct2", "kinds", "leave 'kinds' out"},
               {"64 f32 start=0.1", "start", "Only a chirp transform"},
               {"r2c 64 f32 step=0.1", "step", "Only a chirp transform"},
               {"64->32 f32", "lengths", "czt 64->32"},
               {"zoom 64 f32", "lengths", "Did you mean 'czt'?"}};
  for (const auto& one : wrong) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_parse(default_target().context, one.problem, &plan), ULPFFT_OK) << one.problem;
    EXPECT_EQ(last_error().field, one.field) << one.problem << ": " << last_error_text();
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.problem << ": " << last_error_text();
  }
  const std::int64_t length = 64;
  ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
  problem.rank = 1;
  problem.lengths = &length;
  problem.kind = ULPFFT_CZT;
  problem.points = -1;
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_create(default_target().context, &problem, nullptr, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "points");
  problem.points = 5;
  problem.start = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ulpfft_plan_create(default_target().context, &problem, nullptr, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "start");
  const struct {
    const char *recipe, *says;
  } recipes[] = {{"f32:dit(8 8)", "bluestein(length"}, {"f32:bluestein(64; 64; dit(8 8))", "at least 127"},
                 {"f32:bluestein(64; 2048; dit(8 16 16))", "eight times"}};
  for (const auto& one : recipes) {
    EXPECT_NE(ulpfft_plan_from_recipe(default_target().context, "czt 64 f32", one.recipe, &plan), ULPFFT_OK) << one.recipe;
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.recipe << ": " << last_error_text();
  }
}

}  // namespace
}  // namespace ulpfft::test
