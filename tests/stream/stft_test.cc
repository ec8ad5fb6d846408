// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Short-time transforms of random lengths, hops, windows, paddings and outputs, against their definition in long double; equal bits for
// every cutting, and rows ready when the stated latency says so.
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

// Sample i of the padded signal, by the definition.
Exact padded(const StftCase& one, const Bytes& signal, std::int64_t i) {
  if (one.padding == ULPFFT_PADDING_REFLECT) {
    while (i < 0 || i >= one.samples) {
      if (one.samples == 1) i = 0;
      else i = i < 0 ? -i : 2 * (one.samples - 1) - i;
    }
  }
  if (i < 0 || i >= one.samples) return 0;
  if (!one.complex_samples) return number_at(signal, i, one.f64);
  return Exact(number_at(signal, 2 * i, one.f64), number_at(signal, 2 * i + 1, one.f64));
}

std::vector<Exact> exact_row(const StftCase& one, const Bytes& signal, const std::vector<double>& window, std::int64_t row) {
  const std::int64_t before = one.centered ? one.length / 2 : 0;
  const std::int64_t zero = one.phase == ULPFFT_PHASE_MIDDLE ? one.length / 2 : 0;
  std::vector<Exact> x;
  std::vector<Exact> roots;
  for (std::int64_t j = 0; j < one.length; ++j) {
    const long double factor = window.empty() ? 1 : window[static_cast<std::size_t>(j)];
    x.push_back(padded(one, signal, row * one.hop - before + j) * factor);
    const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(j) / static_cast<long double>(one.length);
    roots.emplace_back(std::cos(angle), std::sin(angle));
  }
  std::vector<Exact> bins;
  for (std::int64_t k = 0; k < one.bins(); ++k) {
    Exact sum = 0;
    for (std::int64_t j = 0; j < one.length; ++j) {
      const std::int64_t turn = ((j - zero + one.length) * k) % one.length;
      sum += x[static_cast<std::size_t>(j)] * roots[static_cast<std::size_t>(turn)];
    }
    if (one.output == ULPFFT_STREAM_POWER) sum = std::norm(sum);
    if (one.output == ULPFFT_STREAM_MAGNITUDE) sum = std::abs(sum);
    bins.push_back(sum);
  }
  return bins;
}

TEST(Stft, IsItsDefinitionWithinTheStatedError) {
  for_random_stfts(1, 120, 300, 700, [](const StftCase& one) {
    const Bytes signal = one.signal();
    const std::vector<double> window = one.window();
    const StreamPtr stream = make_stream(one.options(window));
    ASSERT_NE(stream, nullptr);
    const ulpfft_stream_facts facts = facts_of(stream);
    ASSERT_EQ(facts.item_numbers, one.bins());
    const Bytes items = run_stream(stream, signal.data(), one.samples);
    ASSERT_EQ(items.size(), static_cast<std::size_t>(one.rows()) * facts.item_bytes);
    const bool complex_items = one.output == ULPFFT_STREAM_SPECTRUM;
    long double error = 0;
    long double size = 0;
    for (std::int64_t row = 0; row < one.rows(); row += 1 + one.rows() / 40) {
      const std::vector<Exact> exact = exact_row(one, signal, window, row);
      for (std::int64_t k = 0; k < one.bins(); ++k) {
        const std::int64_t at = row * one.bins() + k;
        const Exact got = complex_items ? Exact(number_at(items, 2 * at, one.f64), number_at(items, 2 * at + 1, one.f64))
                                        : Exact(number_at(items, at, one.f64));
        error += std::norm(got - exact[static_cast<std::size_t>(k)]);
        size += std::norm(exact[static_cast<std::size_t>(k)]);
      }
    }
    if (size == 0) return;
    // A prediction is that of many numbers, and of many factors of a window, whose errors every row has: few may have more. Of powers the
    // largest few are most of the sum. A few samples that are reflected again and again are no white signal. Transforms of one and two
    // points have no error of their own.
    const std::int64_t many = one.output == ULPFFT_STREAM_POWER ? 1000 : 100;
    const double few = one.samples < 16 ? 12 : one.rows() * one.bins() < many || one.length < 16 ? 4 : 1.6;
    EXPECT_LE(static_cast<double>(std::sqrt(error / size)), few * std::max(facts.error, one.f64 ? 0x1p-54 : 0x1p-25));
  });
}

TEST(Stft, HasTheSameBitsForEveryCutting) {
  for_random_stfts(2000, 80, 2000, 20000, [](const StftCase& one) {
    const Bytes signal = one.signal();
    const std::vector<double> window = one.window();
    const StreamPtr stream = make_stream(one.options(window));
    ASSERT_NE(stream, nullptr);
    const Bytes whole = run_stream(stream, signal.data(), one.samples);
    Random random(one.seed + 7);
    ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
    EXPECT_TRUE(whole == run_stream(stream, signal.data(), one.samples, &random)) << "after a reset";
  });
}

TEST(Stft, HasRowsReadyAtTheStatedLatency) {
  for_random_stfts(4000, 60, 100, 1, [](const StftCase& one) {
    const std::vector<double> window = one.window();
    const StreamPtr stream = make_stream(one.options(window));
    ASSERT_NE(stream, nullptr);
    const ulpfft_stream_facts facts = facts_of(stream);
    const std::int64_t count = one.length + 3 * one.hop + 5;
    const Bytes signal = normal_numbers(2 * count, one.f64, 3);
    Bytes items(static_cast<std::size_t>(facts.room) * facts.item_bytes);
    std::int64_t rows = 0;
    bool is_exact = false;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t pushed = 0;
      std::int64_t taken = 0;
      ASSERT_EQ(ulpfft_stream_push(stream.get(), signal.data() + static_cast<std::size_t>(i) * facts.sample_bytes, 1, &pushed), ULPFFT_OK);
      ASSERT_EQ(pushed, 1);
      ASSERT_EQ(ulpfft_stream_take(stream.get(), items.data(), facts.room, &taken), ULPFFT_OK);
      is_exact = is_exact || (taken > 0 && rows * one.hop + facts.latency == i);
      rows += taken;
      ASSERT_GT(rows * one.hop + facts.latency, i);
    }
    EXPECT_TRUE(is_exact);
  });
}

TEST(Stft, TakesAPushOfTheStatedSizeWhole) {
  for_random_stfts(6000, 40, 100, 1, [](StftCase one) {
    one.most_pushed = std::max<std::int64_t>(one.most_pushed, 1);
    const std::vector<double> window = one.window();
    const StreamPtr stream = make_stream(one.options(window));
    ASSERT_NE(stream, nullptr);
    expect_whole_pushes(stream, one.most_pushed, one.f64, one.seed);
  });
}

TEST(Stft, IsPredictedBeforeItsMemoryIsTaken) {
  for_random_stfts(8000, 30, 5000, 1, [](const StftCase& one) {
    const std::vector<double> window = one.window();
    const ulpfft_stream_options options = one.options(window);
    auto predicted = sized<ulpfft_stream_facts>();
    ASSERT_EQ(ulpfft_stream_predict(nullptr, &options, &predicted), ULPFFT_OK) << last_error_text();
    const ulpfft_stream_facts made = facts_of(make_stream(options));
    EXPECT_EQ(predicted.bytes, made.bytes);
    EXPECT_EQ(predicted.latency, made.latency);
    EXPECT_EQ(predicted.error, made.error);
    EXPECT_EQ(predicted.room, made.room);
    EXPECT_EQ(predicted.item_bytes, made.item_bytes);
    EXPECT_EQ(predicted.item_numbers, made.item_numbers);
  });
}

}  // namespace
}  // namespace ulpfft::test
