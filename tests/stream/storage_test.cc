// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Samples and rows in every storage: rows are those of the decoded samples, decoded rows those of the arithmetic, equal bits for every
// cutting; and the rounding noise of a tone is the predicted floor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "tests/stream/stft_case.h"
#include "tests/stream/stream_run.h"
#include "tests/support/api.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "ulpfft/stream.hpp"

namespace ulpfft::test {
namespace {

std::vector<ulpfft_format> formats_that(bool (*holds)(const ulpfft_format&)) {
  std::vector<ulpfft_format> list;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    auto format = sized<ulpfft_format>();
    EXPECT_EQ(ulpfft_format_get(i, &format), ULPFFT_OK);
    if (std::string(format.kind) != "wide" && format.lowest < 0 && holds(format)) list.push_back(format);
  }
  return list;
}

bool in_blocks(const ulpfft_format& format) { return std::string(format.kind) == "block"; }
// Narrow ones of whole bytes, or in blocks.
std::vector<ulpfft_format> sample_formats() {
  return formats_that([](const ulpfft_format& f) { return in_blocks(f) ? f.block_length != 0 : f.bits % 8 == 0; });
}
// Samples that are pushed as one.
std::int64_t together(const ulpfft_format& format, bool is_complex) {
  return in_blocks(format) ? format.block_length / (is_complex ? 2 : 1) : 1;
}

bool is_integer(const ulpfft_format& format) { return std::string(format.kind) == "integer"; }
double full_scale(const ulpfft_format& format) { return is_integer(format) ? std::max(format.largest, -format.lowest) : 1; }

// One row.
struct Row {
  std::vector<std::uint8_t> codes, scales;
};
Row row_of(const std::string& storage, std::int64_t reals) {
  auto layout = sized<ulpfft_layout>();
  EXPECT_EQ(ulpfft_format_layout(storage.c_str(), 1, &reals, &layout), ULPFFT_OK) << last_error_text();
  return {std::vector<std::uint8_t>(static_cast<std::size_t>(layout.row_bytes)),
          std::vector<std::uint8_t>(static_cast<std::size_t>(layout.scale_row_bytes))};
}
ulpfft_conversion conversion_of(const std::string& storage, std::int64_t reals) {
  auto conversion = sized<ulpfft_conversion>();
  conversion.storage = storage.c_str();
  conversion.real_type = "f64";
  conversion.rows = 1;
  conversion.reals = reals;
  return conversion;
}
Row encoded(const std::string& storage, const std::vector<double>& reals) {
  const auto count = static_cast<std::int64_t>(reals.size());
  Row row = row_of(storage, count);
  const ulpfft_conversion conversion = conversion_of(storage, count);
  EXPECT_EQ(ulpfft_encode(nullptr, &conversion, reals.data(), row.codes.data(), row.scales.empty() ? nullptr : row.scales.data(), nullptr),
            ULPFFT_OK)
      << last_error_text();
  return row;
}
std::vector<double> decoded(const std::string& storage, const std::uint8_t* bytes, std::int64_t reals) {
  const Row row = row_of(storage, reals);
  std::vector<double> to(static_cast<std::size_t>(reals));
  const ulpfft_conversion conversion = conversion_of(storage, reals);
  const void* const scales = row.scales.empty() ? nullptr : bytes + row.codes.size();
  EXPECT_EQ(ulpfft_decode(nullptr, &conversion, bytes, scales, to.data()), ULPFFT_OK) << last_error_text();
  return to;
}

// Samples as they are pushed, and what they are worth.
std::vector<std::uint8_t> samples_of(const ulpfft_format& format, std::vector<double>& values) {
  const auto reals = static_cast<std::int64_t>(values.size());
  const std::int64_t block = in_blocks(format) ? format.block_length : reals;
  std::vector<std::uint8_t> bytes;
  for (std::int64_t first = 0; first < reals; first += block) {
    const Row row = encoded(format.name, std::vector<double>(values.begin() + first, values.begin() + first + block));
    bytes.insert(bytes.end(), row.codes.begin(), row.codes.end());
    bytes.insert(bytes.end(), row.scales.begin(), row.scales.end());
    const std::size_t size = row.codes.size() + row.scales.size();
    const std::vector<double> back = decoded(format.name, bytes.data() + bytes.size() - size, block);
    std::copy(back.begin(), back.end(), values.begin() + first);
  }
  return bytes;
}

double relative_l2(const std::vector<double>& got, const std::vector<double>& expected) {
  double error = 0, all = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(got[i] - expected[i], 2);
    all += std::pow(expected[i], 2);
  }
  return all > 0 ? std::sqrt(error / all) : std::sqrt(error);
}

std::vector<double> numbers_of(const Bytes& bytes, bool f64) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < bytes.size() / (f64 ? 8 : 4); ++i) {
    numbers.push_back(static_cast<double>(number_at(bytes, static_cast<std::int64_t>(i), f64)));
  }
  return numbers;
}

// A stft of samples in a format, and the same of what they are worth.
struct NarrowCase {
  StftCase one;
  std::vector<double> window, values;
  std::vector<std::uint8_t> samples;
  std::int64_t pushed = 0;
  ulpfft_stream_options options;
};
NarrowCase narrow_case(const ulpfft_format& format, StftCase one) {
  // 0 is no code of integers around the middle between two.
  if (format.offset != std::floor(format.offset)) one.padding = one.centered ? ULPFFT_PADDING_REFLECT : ULPFFT_PADDING_NONE;
  const std::int64_t unit = together(format, one.complex_samples);
  one.samples = (std::max<std::int64_t>(one.samples, 1) + unit - 1) / unit * unit;
  NarrowCase narrow;
  Random random(one.seed + 5);
  const double full = full_scale(format), rms = is_integer(format) ? full / 5 : 1;
  for (std::int64_t i = 0; i < one.samples * (one.complex_samples ? 2 : 1); ++i) narrow.values.push_back(rms * random.normal());
  narrow.samples = samples_of(format, narrow.values);
  narrow.pushed = one.samples / unit;
  for (double& value : narrow.values) value /= full;
  narrow.window = one.window();
  narrow.one = one;
  narrow.options = one.options(narrow.window);
  return narrow;
}

TEST(StreamStorage, RowsOfNarrowSamplesAreThoseOfTheirValues) {
  std::uint64_t seed = 1;
  for (const ulpfft_format& format : sample_formats()) {
    for (int i = 0; i < (full_run() ? 60 : 6); ++i) {
      NarrowCase narrow = narrow_case(format, random_stft(seed++ + 1000000 * sample_seed(), 300, 2000));
      SCOPED_TRACE(std::string(format.name) + ", " + narrow.one.text());
      Bytes wide(narrow.values.size() * (narrow.one.f64 ? 8 : 4));
      for (std::size_t k = 0; k < narrow.values.size(); ++k) {
        const auto value = static_cast<float>(narrow.values[k]);
        if (narrow.one.f64) std::memcpy(wide.data() + 8 * k, &narrow.values[k], 8);
        else std::memcpy(wide.data() + 4 * k, &value, 4);
      }
      const StreamPtr expected = make_stream(narrow.options);
      narrow.options.samples = format.name;
      const StreamPtr stream = make_stream(narrow.options);
      ASSERT_TRUE(stream != nullptr && expected != nullptr);
      ASSERT_EQ(facts_of(stream).sample_bytes * static_cast<std::size_t>(narrow.pushed), narrow.samples.size());
      const Bytes rows = run_stream(stream, narrow.samples.data(), narrow.pushed);
      const std::vector<double> got = numbers_of(rows, narrow.one.f64);
      const std::vector<double> by_values = numbers_of(run_stream(expected, wide.data(), narrow.one.samples), narrow.one.f64);
      ASSERT_EQ(got.size(), by_values.size());
      const double one = narrow.one.f64 ? 0x1p-53 : 0x1p-24;  // the values of u8 are rounded
      EXPECT_LE(relative_l2(got, by_values), 3 * (facts_of(stream).error + facts_of(expected).error + one));
      Random cuts(narrow.one.seed + 7);
      ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
      ASSERT_TRUE(rows == run_stream(stream, narrow.samples.data(), narrow.pushed, &cuts));
    }
  }
}

TEST(StreamStorage, NarrowRowsAreThoseOfTheArithmeticWithinTheStatedError) {
  std::uint64_t seed = 500;
  for (const ulpfft_format& format : formats_that([](const ulpfft_format&) { return true; })) {
    for (int i = 0; i < (full_run() ? 40 : 3); ++i) {
      StftCase one = random_stft(seed++ + 1000000 * sample_seed(), 300, 2000);
      one.output = static_cast<int>(seed % 2);
      one.has_window = one.centered = false;  // rows of normal numbers, as stated errors have them
      one.padding = ULPFFT_PADDING_NONE;
      ulpfft_stream_options options = one.options({});
      SCOPED_TRACE(std::string(format.name) + ", " + one.text());
      const std::int64_t numbers = one.bins() * (one.output == ULPFFT_STREAM_SPECTRUM ? 2 : 1);
      // Spectra of integers and of narrow floats fill the range well where those of normal numbers do.
      Bytes signal = one.signal();
      const double gain = std::sqrt(static_cast<double>(one.length)), fits = is_integer(format) ? format.largest / 8 : 1;
      for (std::size_t k = 0; k < signal.size() / (one.f64 ? 8 : 4); ++k) {
        const auto value = static_cast<double>(number_at(signal, static_cast<std::int64_t>(k), one.f64)) * fits / gain;
        const auto narrow = static_cast<float>(value);
        if (one.f64) std::memcpy(signal.data() + 8 * k, &value, 8);
        else std::memcpy(signal.data() + 4 * k, &narrow, 4);
      }
      const std::vector<double> wide = numbers_of(run_stream(make_stream(options), signal.data(), one.samples), one.f64);
      options.items = format.name;
      const StreamPtr stream = make_stream(options);
      ASSERT_NE(stream, nullptr);
      const Bytes rows = run_stream(stream, signal.data(), one.samples);
      const std::size_t bytes = facts_of(stream).item_bytes;
      const Row row = row_of(format.name, numbers);
      ASSERT_EQ(bytes, row.codes.size() + row.scales.size());
      std::vector<double> got;
      for (std::size_t r = 0; r < rows.size() / bytes; ++r) {
        const auto of_row = decoded(format.name, reinterpret_cast<const std::uint8_t*>(rows.data()) + r * bytes, numbers);
        got.insert(got.end(), of_row.begin(), of_row.end());
      }
      ASSERT_EQ(got.size(), wide.size());
      // Few numbers have errors of their own, in short rows those of real bins; powers of integers leave the range.
      if (one.output == ULPFFT_STREAM_SPECTRUM && one.length >= 8 && wide.size() >= 200) {
        EXPECT_LE(relative_l2(got, wide), 1.6 * facts_of(stream).error);
      }
      Random cuts(one.seed + 7);
      ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
      ASSERT_TRUE(rows == run_stream(stream, signal.data(), one.samples, &cuts));
    }
  }
}

// Side lobes below 200 dB.
std::vector<double> kaiser(std::int64_t length) {
  std::vector<double> window;
  for (std::int64_t j = 0; j < length; ++j) {
    const double x = 2 * static_cast<double>(j) / static_cast<double>(length) - 1;
    window.push_back(std::cyl_bessel_i(0, 30 * std::sqrt(1 - x * x)) / std::cyl_bessel_i(0, 30));
  }
  return window;
}

TEST(StreamStorage, TheRoundingNoiseOfAToneIsThePredictedFloor) {
  const std::vector<double> window = kaiser(1024);
  for (const ulpfft_format& format : sample_formats()) {
    for (const bool is_complex : {false, true}) {
      SCOPED_TRACE(std::string(format.name) + (is_complex ? ", complex" : ""));
      auto options = sized<ulpfft_stream_options>();
      options.kind = ULPFFT_STREAM_PSD;
      options.complex_samples = is_complex ? 1 : 0;
      options.length = options.window_count = 1024;
      options.hop = 512;
      options.window_factors = window.data();
      options.scaling = is_complex ? ULPFFT_SCALING_SPECTRUM : ULPFFT_SCALING_DENSITY;
      options.rate = 48000;
      options.samples = format.name;
      std::vector<double> tone;
      const double most = is_integer(format) ? std::min(format.largest, -format.lowest) : 1;
      constexpr int kSamples = 1 << 17;
      for (int i = 0; i < kSamples; ++i) {
        const double angle = 2 * std::numbers::pi * std::fmod(0.0871234567891234 * i, 1.0);
        tone.push_back(most * std::cos(angle));
        if (is_complex) tone.push_back(most * std::sin(angle));
      }
      const StreamPtr stream = make_stream(options);
      ASSERT_NE(stream, nullptr);
      auto floor = sized<ulpfft_stream_floor>();
      ASSERT_EQ(ulpfft_stream_floor_get(stream.get(), &floor), ULPFFT_OK) << last_error_text();
      const std::vector<std::uint8_t> samples = samples_of(format, tone);
      const std::vector<double> powers = numbers_of(run_stream(stream, samples.data(), kSamples / together(format, is_complex)), false);
      // Harmonics of the rounding are lines, none of the strong ones beside the tone: the mean is over all bins but those of it.
      double sum = 0;
      int bins = 0;
      for (int k = 1; k < static_cast<int>(powers.size()) - 1; ++k) {
        if (std::abs(k - 89) <= 20) continue;
        sum += powers[static_cast<std::size_t>(k)];
        ++bins;
      }
      EXPECT_NEAR(10 * std::log10(sum / bins), floor.decibels, 1);
      EXPECT_NEAR(10 * std::log10(floor.samples + floor.arithmetic), floor.decibels, 1e-9);
    }
  }
}

TEST(StreamStorage, ASilentSignalIsExact) {
  auto options = sized<ulpfft_stream_options>();
  options.kind = ULPFFT_STREAM_PSD;
  options.length = 256;
  options.hop = 128;
  options.samples = "i16";
  const std::vector<std::int16_t> silence(4096);
  for (const double power : numbers_of(run_stream(make_stream(options), silence.data(), 4096), false)) EXPECT_EQ(power, 0);
  options.kind = ULPFFT_STREAM_STFT;
  auto floor = sized<ulpfft_stream_floor>();
  EXPECT_EQ(ulpfft_stream_floor_get(make_stream(options).get(), &floor), ULPFFT_UNSUPPORTED);
  EXPECT_NE(last_error_text().find("A floor is predicted for ULPFFT_STREAM_PSD"), std::string::npos);
}

TEST(CppStream, HasATypedCreatorForEveryKind) {
  Context context;
  const std::vector<double> window(64, 1.0);
  const StreamRows rows{.length = 64, .hop = 32, .window = window};
  std::vector<StreamPair<std::int16_t>> samples(1000, {16384, 0});
  Stream psd = Stream::psd<StreamPair<std::int16_t>>(context, rows, {.scaling = ULPFFT_SCALING_SPECTRUM});
  EXPECT_EQ(psd.push(std::span<const StreamPair<std::int16_t>>(samples)), 1000);
  psd.flush();
  std::vector<float> powers(64);
  EXPECT_EQ(psd.take(std::span(powers)), 1);
  EXPECT_NEAR(powers[0], 0.25F, 1e-6F);
  EXPECT_LT(psd.floor().decibels, -90);
  EXPECT_THROW(psd.push(std::span<const float>(std::vector<float>(3))), Error);
  std::vector<double> wide(64);
  EXPECT_THROW(psd.take(std::span(wide)), Error);
  EXPECT_THROW(Stream::psd<std::uint16_t>(context, rows), Error);  // codes of which storage?

  Stream stft = Stream::stft<double>(context, rows, {.most_pushed = 512});
  Stream istft = Stream::istft<double>(context, rows, {.most_pushed = 16});
  const std::vector<double> ones(512, 1.0);
  EXPECT_EQ(stft.push(std::span<const double>(ones)), 512);
  EXPECT_THROW(stft.floor(), Error);
  std::vector<std::complex<double>> spectra(33 * 15);
  EXPECT_EQ(stft.take(std::span(spectra)), 15);
  EXPECT_EQ(istft.push(std::span<const std::complex<double>>(spectra)), 15);
  std::vector<double> back(480);
  EXPECT_EQ(istft.take(std::span(back)), 480);
  for (const double sample : back) EXPECT_NEAR(sample, 1, 1e-12);

  StreamRows narrow = rows;
  narrow.items = "mxfp8_e4m3";
  Stream blocks = Stream::stft<float>(context, narrow, {.most_pushed = 512});
  EXPECT_EQ(blocks.push(std::span<const float>(std::vector<float>(512, 1.0F))), 512);
  std::vector<std::byte> bytes(blocks.facts().item_bytes * 15);
  EXPECT_EQ(blocks.take(std::span(bytes)), 15);
}

}  // namespace
}  // namespace ulpfft::test
