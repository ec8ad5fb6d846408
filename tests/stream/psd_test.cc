// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Averages of power: those of the rows that stft gives, scaled as scipy.signal.welch scales them; levels of tones and of noise; and equal
// bits for every cutting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "tests/stream/stream_run.h"
#include "tests/support/api.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "ulpfft/stream.h"

namespace ulpfft::test {
namespace {

struct PsdCase {
  ulpfft_stream_options options = sized<ulpfft_stream_options>();
  std::vector<double> window;
  std::int64_t samples = 0;
  bool f64 = false;
  std::uint64_t seed = 0;

  Bytes signal() const { return normal_numbers(samples * (options.complex_samples != 0 ? 2 : 1), f64, seed + 2); }
  std::string text() const {
    std::ostringstream out;
    out << options.storage << (options.complex_samples != 0 ? ", complex" : "") << ", length " << options.length << ", hop " << options.hop
        << ", rows " << options.rows << ", average " << options.average << ", scaling " << options.scaling << ", rate " << options.rate
        << ", padding " << options.padding << ", most_pushed " << options.most_pushed << ", " << samples << " samples, seed " << seed;
    return out.str();
  }
};

PsdCase random_psd(std::uint64_t seed) {
  Random random(seed);
  PsdCase one;
  one.seed = seed;
  one.f64 = random.chance(0.5);
  ulpfft_stream_options& options = one.options;
  options.kind = ULPFFT_STREAM_PSD;
  options.storage = one.f64 ? "f64" : "f32";
  options.complex_samples = random.chance(0.5) ? 1 : 0;
  options.length = random.between(1, random.chance(0.5) ? 10 : 500);
  options.hop = random.between(1, options.length + 3);
  options.padding = static_cast<int>(random.between(ULPFFT_PADDING_NONE, ULPFFT_PADDING_ZERO));
  options.rows = random.chance(0.3) ? 0 : random.between(1, 20);
  options.average = static_cast<int>(random.between(ULPFFT_AVERAGE_MEAN, ULPFFT_AVERAGE_EXPONENTIAL));
  options.weight = options.average == ULPFFT_AVERAGE_EXPONENTIAL ? random.uniform() : 0;
  options.scaling = static_cast<int>(random.between(ULPFFT_SCALING_DENSITY, ULPFFT_SCALING_SPECTRUM));
  options.rate = random.chance(0.3) ? 0 : 1e6 * random.uniform();
  options.most_pushed = random.chance(0.5) ? 0 : random.between(1, 2000);
  one.samples = random.between(0, 5000);
  for (std::int64_t i = 0; i < options.length; ++i) one.window.push_back(0.1 + random.uniform());
  return one;
}

template <typename Use>
void for_random_psds(std::uint64_t first_seed, int count, const Use& use) {
  for (int i = 0; i < count * (full_run() ? 20 : 1); ++i) {
    PsdCase one = random_psd(first_seed + static_cast<std::uint64_t>(i) + 1000000 * sample_seed());
    one.options.window_factors = one.window.data();
    one.options.window_count = one.options.length;
    SCOPED_TRACE(one.text());
    use(one);
    if (testing::Test::HasFailure()) return;
  }
}

// By the definition, from powers of rows.
std::vector<long double> averages(const PsdCase& one, const Bytes& powers, std::int64_t bins) {
  const ulpfft_stream_options& options = one.options;
  const std::int64_t rows = static_cast<std::int64_t>(powers.size() / (one.f64 ? 8 : 4)) / bins;
  const std::int64_t of_item = options.rows == 0 ? rows : options.rows;
  long double sum = 0;
  long double squares = 0;
  for (const double w : one.window) {
    sum += w;
    squares += static_cast<long double>(w) * w;
  }
  const long double rate = options.rate == 0 ? 1 : options.rate;
  const long double divisor = options.scaling == ULPFFT_SCALING_DENSITY ? rate * squares : sum * sum;
  std::vector<long double> value(static_cast<std::size_t>(bins));
  std::vector<long double> items;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t in_item = row % of_item;
    for (std::int64_t k = 0; k < bins; ++k) {
      const long double power = number_at(powers, row * bins + k, one.f64);
      long double& v = value[static_cast<std::size_t>(k)];
      if (options.average == ULPFFT_AVERAGE_EXPONENTIAL) v = row == 0 ? power : v + (power - v) * static_cast<long double>(options.weight);
      else if (options.average == ULPFFT_AVERAGE_MAX) v = in_item == 0 ? power : std::max(v, power);
      else if (options.average == ULPFFT_AVERAGE_MIN) v = in_item == 0 ? power : std::min(v, power);
      else v = in_item == 0 ? power : v + power;
    }
    if (in_item + 1 != of_item && row + 1 != rows) continue;
    for (std::int64_t k = 0; k < bins; ++k) {
      const bool both = options.complex_samples == 0 && k > 0 && 2 * k < options.length;
      const long double count = options.average == ULPFFT_AVERAGE_MEAN ? static_cast<long double>(in_item + 1) : 1;
      items.push_back(value[static_cast<std::size_t>(k)] * (both ? 2 : 1) / count / divisor);
    }
  }
  return items;
}

TEST(Psd, AveragesThePowersOfStft) {
  for_random_psds(1, 100, [](const PsdCase& one) {
    const Bytes signal = one.signal();
    const StreamPtr stream = make_stream(one.options);
    ASSERT_NE(stream, nullptr);
    const std::int64_t bins = facts_of(stream).item_numbers;
    const Bytes items = run_stream(stream, signal.data(), one.samples);
    ulpfft_stream_options rows = one.options;
    rows.kind = ULPFFT_STREAM_STFT;
    rows.output = ULPFFT_STREAM_POWER;
    const std::vector<long double> expected = averages(one, run_stream(make_stream(rows), signal.data(), one.samples), bins);
    ASSERT_EQ(items.size(), expected.size() * (one.f64 ? 8 : 4));
    // One rounding of f32; of f64 also those of the sums.
    const double most = one.f64 ? 1e-13 : 0x1p-23;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto got = static_cast<double>(number_at(items, static_cast<std::int64_t>(i), one.f64));
      ASSERT_NEAR(got, static_cast<double>(expected[i]), most * static_cast<double>(expected[i])) << i;
    }
  });
}

ulpfft_stream_options level_options(const std::vector<double>& window) {
  auto options = sized<ulpfft_stream_options>();
  options.kind = ULPFFT_STREAM_PSD;
  options.length = static_cast<std::int64_t>(window.size());
  options.hop = options.length / 2;
  options.window_factors = window.data();
  options.window_count = options.length;
  return options;
}

// |S|^2 of row `row` at bin k, by its definition.
long double exact_power(const PsdCase& one, const Bytes& signal, std::int64_t row, std::int64_t k) {
  const std::int64_t length = one.options.length;
  const std::int64_t parts = one.options.complex_samples != 0 ? 2 : 1;
  long double re = 0;
  long double im = 0;
  for (std::int64_t j = 0; j < length; ++j) {
    const std::int64_t at = row * one.options.hop + j;
    if (at >= one.samples) break;
    const double factor = one.window[static_cast<std::size_t>(j)];
    const long double w = one.f64 ? factor : static_cast<double>(static_cast<float>(factor));
    const auto turns = static_cast<long double>(j * k % length) / static_cast<long double>(length);
    const long double angle = 2 * std::numbers::pi_v<long double> * turns;
    const long double x = w * number_at(signal, at * parts, one.f64);
    const long double y = parts == 2 ? w * number_at(signal, at * parts + 1, one.f64) : 0;
    re += x * std::cos(angle) + y * std::sin(angle);
    im += y * std::cos(angle) - x * std::sin(angle);
  }
  return re * re + im * im;
}

TEST(Psd, StaysWithinTheStatedErrorOfItsDefinition) {
  for_random_psds(4000, 25, [](PsdCase one) {
    if (one.options.average == ULPFFT_AVERAGE_EXPONENTIAL) return;
    one.options.rows = 0;
    one.options.padding = ULPFFT_PADDING_NONE;
    one.samples = one.options.length + 30 * one.options.hop;
    const Bytes signal = one.signal();
    const StreamPtr stream = make_stream(one.options);
    ASSERT_NE(stream, nullptr);
    const std::int64_t bins = facts_of(stream).item_numbers;
    const Bytes items = run_stream(stream, signal.data(), one.samples);
    long double error = 0;
    long double size = 0;
    for (std::int64_t k = 0; k < bins; k += 1 + bins / 30) {
      PsdCase bin = one;
      Bytes powers(31 * sizeof(double));
      for (std::int64_t row = 0; row <= 30; ++row) {
        const auto power = static_cast<double>(exact_power(one, signal, row, k));
        std::memcpy(powers.data() + static_cast<std::size_t>(row) * sizeof(double), &power, sizeof(double));
      }
      bin.f64 = true;
      const bool both = one.options.complex_samples == 0 && k > 0 && 2 * k < one.options.length;
      const long double exact = averages(bin, powers, 1)[0] * (both ? 2 : 1);
      const long double got = number_at(items, k, one.f64);
      error += (got - exact) * (got - exact);
      size += exact * exact;
    }
    const double few = one.options.average == ULPFFT_AVERAGE_MIN ? std::sqrt(31.0) : 1;
    EXPECT_LE(static_cast<double>(std::sqrt(error / size)), few * (1.6 * facts_of(stream).error + (one.f64 ? 0x1p-52 : 0x1p-25)));
  });
}

TEST(Psd, AddsTheFactorsOfLongWindowsExactly) {
  Random random(1 + sample_seed());
  std::vector<double> window;
  long double sum = 0;
  long double squares = 0;
  for (int i = 0; i < 1000000; ++i) {
    window.push_back(0.1 + 0.01 * random.uniform());
    sum += window.back();
    squares += static_cast<long double>(window.back()) * window.back();
  }
  auto options = level_options(window);
  auto facts = sized<ulpfft_stream_facts>();
  ASSERT_EQ(ulpfft_stream_predict(nullptr, &options, &facts), ULPFFT_OK) << ulpfft_last_error();
  const auto exact = static_cast<double>(static_cast<long double>(window.size()) * squares / (sum * sum));
  EXPECT_NEAR(facts.noise_bins, exact, 1e-15 * exact);
}

TEST(Psd, HasTheSameBitsForEveryCutting) {
  for_random_psds(1000, 60, [](const PsdCase& one) {
    const Bytes signal = one.signal();
    const StreamPtr stream = make_stream(one.options);
    ASSERT_NE(stream, nullptr);
    const Bytes whole = run_stream(stream, signal.data(), one.samples);
    Random random(one.seed + 7);
    ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
    EXPECT_TRUE(whole == run_stream(stream, signal.data(), one.samples, &random)) << "after a reset";
  });
}

TEST(Psd, IsPredictedAndTakesAPushOfTheStatedSizeWhole) {
  for_random_psds(2000, 40, [](PsdCase one) {
    one.options.most_pushed = std::max<std::int64_t>(one.options.most_pushed, 1);
    const StreamPtr stream = make_stream(one.options);
    ASSERT_NE(stream, nullptr);
    const ulpfft_stream_facts facts = facts_of(stream);
    auto predicted = sized<ulpfft_stream_facts>();
    ASSERT_EQ(ulpfft_stream_predict(nullptr, &one.options, &predicted), ULPFFT_OK);
    EXPECT_EQ(predicted.bytes, facts.bytes);
    EXPECT_EQ(predicted.error, facts.error);
    EXPECT_EQ(predicted.room, facts.room);
    EXPECT_EQ(predicted.noise_bins, facts.noise_bins);
    expect_whole_pushes(stream, one.options.most_pushed, one.f64, one.seed);
  });
}

std::vector<double> hann(std::int64_t length) {
  std::vector<double> window;
  const double turn = 2 * std::numbers::pi / static_cast<double>(length);
  for (std::int64_t i = 0; i < length; ++i) window.push_back(0.5 - 0.5 * std::cos(turn * static_cast<double>(i)));
  return window;
}

TEST(Psd, TellsTheLevelOfATone) {
  const std::vector<double> window = hann(256);
  ulpfft_stream_options options = level_options(window);
  options.scaling = ULPFFT_SCALING_SPECTRUM;
  const StreamPtr stream = make_stream(options);
  ASSERT_NE(stream, nullptr);
  EXPECT_NEAR(facts_of(stream).noise_bins, 1.5, 1e-12);
  std::vector<float> tone;
  for (int i = 0; i < 4096; ++i) tone.push_back(static_cast<float>(0.3 * std::sin(2 * std::numbers::pi * 20 * i / 256)));
  const Bytes items = run_stream(stream, tone.data(), 4096);
  EXPECT_NEAR(static_cast<double>(number_at(items, 20, false)), 0.3 * 0.3 / 2, 1e-6);
  EXPECT_NEAR(static_cast<double>(number_at(items, 60, false)), 0, 1e-12);
}

TEST(Psd, TellsTheDensityOfNoise) {
  const std::vector<double> window = hann(128);
  ulpfft_stream_options options = level_options(window);
  options.rate = 48000;
  const std::int64_t count = 1 << 18;
  const Bytes items = run_stream(make_stream(options), normal_numbers(count, false, 5).data(), count);
  double power = 0;
  for (std::int64_t k = 0; k <= 64; ++k) power += static_cast<double>(number_at(items, k, false)) * 48000 / 128;
  EXPECT_NEAR(power, 1, 0.02);
}

}  // namespace
}  // namespace ulpfft::test
