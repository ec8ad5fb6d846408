// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From rows back to samples: the definition in long double for rows of any numbers, the signal for rows of stft, and equal bits for every
// cutting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

#include "tests/stream/stft_case.h"
#include "tests/stream/stream_run.h"
#include "tests/support/api.h"
#include "tests/support/signals.h"
#include "ulpfft/stream.h"

namespace ulpfft::test {
namespace {

using Exact = std::complex<long double>;

// A case whose rows leave no sample out.
StftCase for_the_way_back(StftCase one) {
  one.output = ULPFFT_STREAM_SPECTRUM;
  one.hop = std::min(one.hop, one.length);
  one.most_pushed = std::min<std::int64_t>(one.most_pushed, 20);
  return one;
}

ulpfft_stream_options back_options(const StftCase& one, const std::vector<double>& window) {
  ulpfft_stream_options options = one.options(window);
  options.kind = ULPFFT_STREAM_ISTFT;
  return options;
}

// Sample `n` of row `row`, whose bins lie in `rows`.
Exact inverse_at(const StftCase& one, const Bytes& rows, std::int64_t row, std::int64_t n) {
  const std::int64_t zero = one.phase == ULPFFT_PHASE_MIDDLE ? one.length / 2 : 0;
  Exact sum = 0;
  for (std::int64_t k = 0; k < one.length; ++k) {
    const bool mirrored = k >= one.bins();
    const std::int64_t bin = row * one.bins() + (mirrored ? one.length - k : k);
    Exact value(number_at(rows, 2 * bin, one.f64), number_at(rows, 2 * bin + 1, one.f64));
    if (!one.complex_samples && (k == 0 || 2 * k == one.length)) value = value.real();
    if (mirrored) value = std::conj(value);
    const std::int64_t turn = ((n - zero + one.length) * k) % one.length;
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(turn) / static_cast<long double>(one.length);
    sum += value * Exact(std::cos(angle), std::sin(angle));
  }
  return sum / static_cast<long double>(one.length);
}

std::vector<Exact> exact_samples(const StftCase& one, const Bytes& rows, const std::vector<double>& window, std::int64_t count) {
  const std::int64_t before = one.centered ? one.length / 2 : 0;
  std::vector<Exact> sums(static_cast<std::size_t>((count - 1) * one.hop + one.length));
  std::vector<long double> squares(sums.size());
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t j = 0; j < one.length; ++j) {
      const long double w = window.empty() ? 1 : window[static_cast<std::size_t>(j)];
      const auto at = static_cast<std::size_t>(row * one.hop + j);
      sums[at] += w * inverse_at(one, rows, row, j);
      squares[at] += w * w;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = squares[i] > 0 ? sums[i] / squares[i] : 0;
  return {sums.begin() + before, sums.end()};
}

Exact sample_at(const StftCase& one, const Bytes& samples, std::int64_t n) {
  if (!one.complex_samples) return number_at(samples, n, one.f64);
  return Exact(number_at(samples, 2 * n, one.f64), number_at(samples, 2 * n + 1, one.f64));
}

TEST(Istft, IsItsDefinition) {
  for_random_stfts(1, 60, 60, 100, [](StftCase one) {
    one = for_the_way_back(one);
    const std::vector<double> window = one.window();
    const StreamPtr stream = make_stream(back_options(one, window));
    ASSERT_NE(stream, nullptr);
    const std::int64_t count = 1 + static_cast<std::int64_t>(one.seed % 7);
    const Bytes rows = normal_numbers(2 * count * one.bins(), one.f64, one.seed);
    const Bytes samples = run_stream(stream, rows.data(), count);
    const std::vector<Exact> exact = exact_samples(one, rows, window, count);
    ASSERT_EQ(samples.size(), exact.size() * facts_of(stream).item_bytes);
    long double error = 0;
    long double size = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      error += std::norm(sample_at(one, samples, static_cast<std::int64_t>(i)) - exact[i]);
      size += std::norm(exact[i]);
    }
    // At both ends fewer rows reach a sample, and average less.
    EXPECT_LE(static_cast<double>(std::sqrt(error / size)), 20 * (one.f64 ? 0x1p-53 : 0x1p-24));
  });
}

TEST(Istft, GivesTheSignalOfStftBackWithinTheStatedErrors) {
  for_random_stfts(1000, 80, 500, 5000, [](StftCase one) {
    one = for_the_way_back(one);
    const std::vector<double> window = one.window();
    const Bytes signal = one.signal();
    const StreamPtr there = make_stream(one.options(window));
    const StreamPtr back = make_stream(back_options(one, window));
    ASSERT_NE(there, nullptr);
    ASSERT_NE(back, nullptr);
    const Bytes rows = run_stream(there, signal.data(), one.samples);
    const Bytes samples = run_stream(back, rows.data(), one.rows());
    const auto got = static_cast<std::int64_t>(samples.size() / facts_of(back).item_bytes);
    const std::int64_t before = one.centered ? one.length / 2 : 0;
    EXPECT_EQ(got, one.rows() == 0 ? 0 : (one.rows() - 1) * one.hop + one.length - before);
    long double error = 0;
    long double size = 0;
    // The middle, which as many rows reach as the stated error assumes.
    for (std::int64_t n = one.length; n < std::min(one.samples, got - one.length); ++n) {
      error += std::norm(sample_at(one, samples, n) - sample_at(one, signal, n));
      size += std::norm(sample_at(one, signal, n));
    }
    if (size < 200) return;
    const double stated = std::hypot(facts_of(there).error, facts_of(back).error);
    const double few = one.length < 16 ? 4 : 1.6;  // factors of a window, whose errors every row has
    EXPECT_LE(static_cast<double>(std::sqrt(error / size)), few * stated + (one.f64 ? 0x1p-54 : 0x1p-25));
  });
}

TEST(Istft, HasTheSameBitsForEveryCuttingAndIsPredicted) {
  for_random_stfts(3000, 60, 500, 1, [](StftCase one) {
    one = for_the_way_back(one);
    const std::vector<double> window = one.window();
    const ulpfft_stream_options options = back_options(one, window);
    const StreamPtr stream = make_stream(options);
    ASSERT_NE(stream, nullptr);
    const std::int64_t count = static_cast<std::int64_t>(one.seed % 50);
    const Bytes rows = normal_numbers(2 * count * one.bins(), one.f64, one.seed);
    const Bytes whole = run_stream(stream, rows.data(), count);
    Random random(one.seed + 7);
    ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
    EXPECT_TRUE(whole == run_stream(stream, rows.data(), count, &random)) << "after a reset";
    auto predicted = sized<ulpfft_stream_facts>();
    ASSERT_EQ(ulpfft_stream_predict(nullptr, &options, &predicted), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(predicted.bytes, facts_of(stream).bytes);
    EXPECT_EQ(predicted.error, facts_of(stream).error);
    EXPECT_EQ(predicted.room, facts_of(stream).room);
  });
}

TEST(Istft, HasSamplesReadyAtTheStatedLatency) {
  for_random_stfts(5000, 30, 100, 1, [](StftCase one) {
    one = for_the_way_back(one);
    const std::vector<double> window = one.window();
    const StreamPtr stream = make_stream(back_options(one, window));
    ASSERT_NE(stream, nullptr);
    const ulpfft_stream_facts facts = facts_of(stream);
    const Bytes row = normal_numbers(2 * one.bins(), one.f64, one.seed);
    Bytes items(static_cast<std::size_t>(facts.room) * facts.item_bytes);
    std::int64_t all = 0;
    for (std::int64_t p = 0; p < 20; ++p) {
      std::int64_t pushed = 0;
      std::int64_t taken = 0;
      ASSERT_EQ(ulpfft_stream_push(stream.get(), row.data(), 1, &pushed), ULPFFT_OK);
      ASSERT_EQ(pushed, 1);
      ASSERT_EQ(ulpfft_stream_take(stream.get(), items.data(), facts.room, &taken), ULPFFT_OK);
      all += taken;
      EXPECT_EQ(all, std::max<std::int64_t>((p + 1) * one.hop - facts.latency, 0));
    }
  });
}

}  // namespace
}  // namespace ulpfft::test
