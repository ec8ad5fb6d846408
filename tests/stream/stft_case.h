// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Random short-time transforms.
#ifndef ULPFFT_TESTS_STREAM_STFT_CASE_H_
#define ULPFFT_TESTS_STREAM_STFT_CASE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

struct StftCase {
  bool f64 = false;
  bool complex_samples = false;
  bool centered = false;
  bool has_window = false;
  int padding = ULPFFT_PADDING_NONE;
  int phase = ULPFFT_PHASE_START;
  int output = ULPFFT_STREAM_SPECTRUM;
  std::int64_t length = 1;
  std::int64_t hop = 1;
  std::int64_t most_pushed = 0;
  std::int64_t samples = 0;
  std::uint64_t seed = 0;

  Bytes signal() const { return normal_numbers(samples * (complex_samples ? 2 : 1), f64, seed + 2); }
  std::vector<double> window() const {
    std::vector<double> factors;
    Random random(seed + 3);
    for (std::int64_t i = 0; has_window && i < length; ++i) factors.push_back(0.1 + random.uniform());
    return factors;
  }
  ulpfft_stream_options options(const std::vector<double>& factors) const {
    auto options = sized<ulpfft_stream_options>();
    options.kind = ULPFFT_STREAM_STFT;
    options.storage = f64 ? "f64" : "f32";
    options.complex_samples = complex_samples ? 1 : 0;
    options.most_pushed = most_pushed;
    options.length = length;
    options.hop = hop;
    options.window_factors = factors.empty() ? nullptr : factors.data();
    options.window_count = static_cast<std::int64_t>(factors.size());
    options.centered = centered ? 1 : 0;
    options.padding = padding;
    options.phase = phase;
    options.output = output;
    return options;
  }
  std::int64_t rows() const {
    if (padding != ULPFFT_PADDING_NONE) return (samples + hop - 1) / hop;
    return samples < length ? 0 : (samples - length) / hop + 1;
  }
  std::int64_t bins() const { return complex_samples ? length : length / 2 + 1; }
  std::string text() const {
    std::ostringstream out;
    out << (f64 ? "f64" : "f32") << (complex_samples ? ", complex" : "") << (centered ? ", centered" : "") << (has_window ? ", window" : "")
        << ", padding " << padding << ", phase " << phase << ", output " << output << ", length " << length << ", hop " << hop
        << ", most_pushed " << most_pushed << ", " << samples << " samples, seed " << seed;
    return out.str();
  }
};

inline std::int64_t any_size(Random& random, double most) {
  return static_cast<std::int64_t>(std::floor(std::exp(random.uniform() * std::log(most + 1))));
}

inline StftCase random_stft(std::uint64_t seed, double most_length, double most_samples) {
  Random random(seed);
  StftCase one;
  one.seed = seed;
  one.f64 = random.chance(0.5);
  one.complex_samples = random.chance(0.5);
  one.centered = random.chance(0.6);
  one.has_window = random.chance(0.7);
  one.padding = one.centered ? static_cast<int>(random.between(1, 2)) : static_cast<int>(random.between(0, 1));
  one.phase = static_cast<int>(random.between(0, 1));
  one.output = static_cast<int>(random.between(0, 2));
  one.length = any_size(random, most_length);
  one.hop = random.chance(0.3) ? any_size(random, 2 * most_length) : std::max<std::int64_t>(1, one.length / random.between(1, 8));
  one.most_pushed = random.chance(0.5) ? 0 : any_size(random, 3000);
  one.samples = random.chance(0.05) ? 0 : random.chance(0.2) ? random.between(1, one.length) : any_size(random, most_samples);
  return one;
}

template <typename Use>
void for_random_stfts(std::uint64_t first_seed, int count, double most_length, double most_samples, const Use& use) {
  for (int i = 0; i < count * (full_run() ? 20 : 1); ++i) {
    const StftCase one = random_stft(first_seed + static_cast<std::uint64_t>(i) + 1000000 * sample_seed(), most_length, most_samples);
    SCOPED_TRACE(one.text());
    use(one);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_STREAM_STFT_CASE_H_
