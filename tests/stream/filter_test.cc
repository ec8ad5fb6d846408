// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Filters of random taps, blocks and types: equal bits for every cutting, the stated error against direct convolution in long double, and
// items ready when the stated latency says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
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

using Exact = std::complex<long double>;

struct FilterCase {
  bool f64 = false;
  bool complex_samples = false;
  bool complex_taps = false;
  std::int64_t tap_count = 1;
  std::int64_t block = 0;
  std::int64_t max_latency = 0;
  std::int64_t most_pushed = 0;
  std::int64_t samples = 0;
  std::uint64_t seed = 0;

  Bytes taps() const { return normal_numbers(tap_count * (complex_taps ? 2 : 1), f64, seed + 1); }
  Bytes signal() const { return normal_numbers(samples * (complex_samples ? 2 : 1), f64, seed + 2); }
  ulpfft_stream_options options(const Bytes& with_taps) const {
    auto options = sized<ulpfft_stream_options>();
    options.kind = ULPFFT_STREAM_FILTER;
    options.storage = f64 ? "f64" : "f32";
    options.complex_samples = complex_samples ? 1 : 0;
    options.most_pushed = most_pushed;
    options.taps = with_taps.data();
    options.tap_count = tap_count;
    options.complex_taps = complex_taps ? 1 : 0;
    options.block = block;
    options.max_latency = max_latency;
    return options;
  }
  std::string text() const {
    std::ostringstream out;
    out << (f64 ? "f64" : "f32") << (complex_samples ? ", complex samples" : "") << (complex_taps ? ", complex taps" : "") << ", "
        << tap_count << " taps, block " << block << ", max_latency " << max_latency << ", most_pushed " << most_pushed << ", "
        << samples << " samples, seed " << seed;
    return out.str();
  }
};

std::int64_t log_uniform(Random& random, double most) {
  return static_cast<std::int64_t>(std::floor(std::exp(random.uniform() * std::log(most + 1))));
}

FilterCase random_case(std::uint64_t seed, double most_taps, double most_samples) {
  Random random(seed);
  FilterCase one;
  one.seed = seed;
  one.f64 = random.chance(0.5);
  one.complex_samples = random.chance(0.5);
  one.complex_taps = random.chance(0.5);
  one.tap_count = log_uniform(random, most_taps);
  one.block = random.chance(0.5) ? 0 : random.chance(0.2) ? 1 : log_uniform(random, 3000);
  if (one.block == 0 && random.chance(0.7)) one.max_latency = log_uniform(random, 3000);
  if (one.max_latency != 0 && random.chance(0.3)) one.max_latency = ULPFFT_LATENCY_NONE;
  one.most_pushed = random.chance(0.5) ? 0 : log_uniform(random, 5000);
  one.samples = random.chance(0.05) ? 0 : log_uniform(random, most_samples);
  return one;
}

// Cases of a day; all of them in a full run.
template <typename Use>
void for_random_cases(std::uint64_t first_seed, int count, double most_taps, double most_samples, const Use& use) {
  for (int i = 0; i < count * (full_run() ? 20 : 1); ++i) {
    const FilterCase one = random_case(first_seed + static_cast<std::uint64_t>(i) + 1000000 * sample_seed(), most_taps, most_samples);
    SCOPED_TRACE(one.text());
    use(one);
    if (testing::Test::HasFailure()) return;
  }
}

Exact exact_at(const Bytes& numbers, std::int64_t i, bool is_complex, bool f64) {
  return is_complex ? Exact(number_at(numbers, 2 * i, f64), number_at(numbers, 2 * i + 1, f64)) : Exact(number_at(numbers, i, f64));
}

std::vector<Exact> exact_numbers(const Bytes& numbers, std::int64_t count, bool is_complex, bool f64) {
  std::vector<Exact> exact;
  for (std::int64_t i = 0; i < count; ++i) exact.push_back(exact_at(numbers, i, is_complex, f64));
  return exact;
}

// Relative L2 error of every `step`-th item.
double filter_error(const FilterCase& one, const Bytes& items, std::int64_t step) {
  const std::vector<Exact> taps = exact_numbers(one.taps(), one.tap_count, one.complex_taps, one.f64);
  const std::vector<Exact> signal = exact_numbers(one.signal(), one.samples, one.complex_samples, one.f64);
  long double error = 0;
  long double size = 0;
  for (std::int64_t n = 0; n < one.samples + one.tap_count - 1; n += step) {
    Exact sum = 0;
    for (std::int64_t k = std::max<std::int64_t>(0, n - one.samples + 1); k <= std::min(n, one.tap_count - 1); ++k) {
      const Exact h = taps[static_cast<std::size_t>(k)];
      const Exact x = signal[static_cast<std::size_t>(n - k)];
      sum += Exact(h.real() * x.real() - h.imag() * x.imag(), h.real() * x.imag() + h.imag() * x.real());
    }
    error += std::norm(exact_at(items, n, one.complex_samples || one.complex_taps, one.f64) - sum);
    size += std::norm(sum);
  }
  return static_cast<double>(std::sqrt(error / size));
}

TEST(Filter, HasTheSameBitsForEveryCutting) {
  for_random_cases(1, 60, 5000, 20000, [](const FilterCase& one) {
    const Bytes taps = one.taps();
    const Bytes signal = one.signal();
    const StreamPtr stream = make_stream(one.options(taps));
    ASSERT_NE(stream, nullptr);
    const Bytes whole = run_stream(stream, signal.data(), one.samples);
    const std::int64_t items = one.samples == 0 ? 0 : one.samples + one.tap_count - 1;
    ASSERT_EQ(whole.size(), static_cast<std::size_t>(items) * facts_of(stream).item_bytes);
    Random random(one.seed + 7);
    ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
    EXPECT_TRUE(whole == run_stream(stream, signal.data(), one.samples, &random)) << "after a reset";
    const StreamPtr other = make_stream(one.options(taps));
    EXPECT_TRUE(whole == run_stream(other, signal.data(), one.samples, &random)) << "of another stream";
  });
}

TEST(Filter, StaysWithinTheStatedErrorOfDirectConvolution) {
  for_random_cases(500, 25, 3000, 1000, [](FilterCase one) {
    one.samples = 3000 + one.tap_count;
    const Bytes taps = one.taps();
    const StreamPtr stream = make_stream(one.options(taps));
    ASSERT_NE(stream, nullptr);
    const Bytes items = run_stream(stream, one.signal().data(), one.samples);
    // Blocks at both ends of the signal hold fewer numbers, but no smaller errors; a prediction is within 1.6 times of what is measured.
    const double measured = filter_error(one, items, std::max<std::int64_t>(1, one.tap_count / 300));
    EXPECT_LE(measured, 1.6 * facts_of(stream).error);
    EXPECT_GE(measured, facts_of(stream).error / (one.tap_count < 8 ? 1e3 : 3));
  });
}

TEST(Filter, OfManyTapsStaysWithinTheStatedError) {
  FilterCase one;
  one.tap_count = full_run() ? std::int64_t{1} << 22 : 300000;
  one.samples = one.tap_count + 1000;
  const Bytes taps = one.taps();
  const StreamPtr stream = make_stream(one.options(taps));
  ASSERT_NE(stream, nullptr);
  EXPECT_GT(facts_of(stream).partitions, 0);
  const Bytes items = run_stream(stream, one.signal().data(), one.samples);
  EXPECT_LE(filter_error(one, items, one.tap_count / 60), 1.6 * facts_of(stream).error);
}

TEST(Filter, HasItemsReadyAtTheStatedLatency) {
  for_random_cases(900, 20, 500, 1, [](const FilterCase& one) {
    const Bytes taps = one.taps();
    const StreamPtr stream = make_stream(one.options(taps));
    ASSERT_NE(stream, nullptr);
    const ulpfft_stream_facts facts = facts_of(stream);
    const std::int64_t count = std::min<std::int64_t>(3 * facts.block + 5, 20000);
    const Bytes signal = normal_numbers(2 * count, one.f64, 3);
    Bytes items(static_cast<std::size_t>(facts.room) * facts.item_bytes);
    std::int64_t all = 0;
    std::int64_t longest = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t pushed = 0;
      std::int64_t taken = 0;
      ASSERT_EQ(ulpfft_stream_push(stream.get(), signal.data() + static_cast<std::size_t>(i) * facts.sample_bytes, 1, &pushed), ULPFFT_OK);
      ASSERT_EQ(pushed, 1);
      ASSERT_EQ(ulpfft_stream_take(stream.get(), items.data(), facts.room, &taken), ULPFFT_OK);
      all += taken;
      longest = std::max(longest, i + 1 - all);
      ASSERT_GE(all, i + 1 - facts.latency) << i;
    }
    EXPECT_EQ(longest, std::min(facts.latency, count));
    const std::int64_t limit = one.max_latency == 0 ? facts.latency : std::max<std::int64_t>(one.max_latency, 0);
    EXPECT_LE(facts.latency, limit);
  });
}

TEST(Filter, TakesAPushOfTheStatedSizeWhole) {
  for_random_cases(1300, 20, 500, 1, [](FilterCase one) {
    if (one.most_pushed == 0) one.most_pushed = 777;
    const Bytes taps = one.taps();
    const StreamPtr stream = make_stream(one.options(taps));
    ASSERT_NE(stream, nullptr);
    expect_whole_pushes(stream, one.most_pushed, one.f64, one.seed);
  });
}

// Whatever the planner thinks of times, a short latency of many taps has layers of several sizes.
TEST(Filter, InLayersStaysWithinTheStatedError) {
  for (const std::int64_t latency : {std::int64_t{ULPFFT_LATENCY_NONE}, std::int64_t{63}, std::int64_t{500}}) {
    FilterCase one;
    one.tap_count = 20000;
    one.samples = 45000;
    one.max_latency = latency;
    one.f64 = latency == 63;
    one.complex_samples = latency == 500;
    SCOPED_TRACE(one.text());
    const Bytes taps = one.taps();
    const StreamPtr stream = make_stream(one.options(taps));
    ASSERT_NE(stream, nullptr);
    EXPECT_GT(facts_of(stream).layers, 1);
    const Bytes items = run_stream(stream, one.signal().data(), one.samples);
    const double measured = filter_error(one, items, 97);
    EXPECT_LE(measured, 1.6 * facts_of(stream).error);
    EXPECT_GE(measured, facts_of(stream).error / 3);
  }
}

TEST(Filter, OnSeveralThreadsHasTheBitsOfOne) {
  FilterCase one;
  one.tap_count = 60000;
  one.samples = 200000;
  one.block = 50000;
  const Bytes taps = one.taps();
  const Bytes signal = one.signal();
  ulpfft_stream_options options = one.options(taps);
  const Bytes alone = run_stream(make_stream(options), signal.data(), one.samples);
  options.threads = 2;
  EXPECT_TRUE(alone == run_stream(make_stream(options), signal.data(), one.samples));
}

TEST(Filter, IsPredictedBeforeItsMemoryIsTaken) {
  for_random_cases(1700, 20, 20000, 1, [](const FilterCase& one) {
    const Bytes taps = one.taps();
    const ulpfft_stream_options options = one.options(taps);
    auto predicted = sized<ulpfft_stream_facts>();
    ASSERT_EQ(ulpfft_stream_predict(nullptr, &options, &predicted), ULPFFT_OK) << last_error_text();
    const ulpfft_stream_facts made = facts_of(make_stream(options));
    EXPECT_EQ(predicted.bytes, made.bytes);
    EXPECT_EQ(predicted.latency, made.latency);
    EXPECT_EQ(predicted.error, made.error);
    EXPECT_EQ(predicted.block, made.block);
    EXPECT_EQ(predicted.transform, made.transform);
    EXPECT_EQ(predicted.partitions, made.partitions);
    EXPECT_EQ(predicted.layers, made.layers);
    EXPECT_EQ(predicted.room, made.room);
    EXPECT_EQ(predicted.item_bytes, made.item_bytes);
  });
}

}  // namespace
}  // namespace ulpfft::test
