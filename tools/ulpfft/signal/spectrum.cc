// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/spectrum.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::signals {
namespace {

constexpr double kLeastOverFloor = 10;  // of a peak, as a factor
constexpr double kLeastDip = 0.25;      // between a peak and a stronger one, as a factor of the weaker

template <typename Real>
void copy_powers(const SpectrumAxis& axis, const SampleType& type, const Real* item, std::span<double> powers) {
  const double full_scale = type.full_scale_of_streams(), scale = 1 / (full_scale * full_scale);
  const std::size_t n = axis.of_stream, before = std::min(powers.size(), n - axis.first_bin);
  for (std::size_t i = 0; i < before; ++i) powers[i] = static_cast<double>(item[axis.first_bin + i]) * scale;
  for (std::size_t i = before; i < powers.size(); ++i) powers[i] = static_cast<double>(item[axis.first_bin + i - n]) * scale;
}

// The place of the top of a parabola through the logarithms of three bins, from the middle one.
double top_between(double left, double middle, double right) {
  if (!(left > 0) || !(right > 0)) return 0;
  const double a = std::log(left), b = std::log(middle), c = std::log(right), curve = a - 2 * b + c;
  return curve < 0 ? std::clamp(0.5 * (a - c) / curve, -0.5, 0.5) : 0;
}

}  // namespace

SpectrumAxis axis_of(const PsdSettings& settings, const SampleType& type) {
  SpectrumAxis axis;
  axis.has_rate = settings.rate.has_value();
  axis.step = settings.rate.value_or(1) / static_cast<double>(settings.length);
  const auto length = static_cast<std::size_t>(settings.length);
  axis.of_stream = type.is_complex ? length : length / 2 + 1;
  const auto all = static_cast<double>(axis.of_stream);
  const auto left_out = static_cast<std::size_t>(settings.crop * all / (type.is_complex ? 2 : 1));
  axis.bins = std::max<std::size_t>(axis.of_stream - left_out * (type.is_complex ? 2 : 1), 1);
  const std::size_t negative = type.is_complex ? length / 2 : 0;  // bins below the centre
  const std::size_t skipped = type.is_complex ? left_out : 0;
  axis.first_bin = (length - negative + skipped) % length;
  axis.first = settings.center + (static_cast<double>(skipped) - static_cast<double>(negative)) * axis.step;
  return axis;
}

ulpfft_stream_options stream_options(const PsdSettings& settings, const SampleType& type, std::int64_t rows_of_item) {
  ulpfft_stream_options options = ULPFFT_STREAM_OPTIONS_INIT;
  options.kind = ULPFFT_STREAM_PSD;
  options.storage = type.is_wide() ? "f64" : "f32";
  options.samples = type.storage();
  options.complex_samples = type.is_complex ? 1 : 0;
  options.threads = std::max(settings.threads - 1, 1);
  options.length = settings.length;
  options.hop = settings.hop;
  options.window_factors = settings.window.factors.data();
  options.window_count = static_cast<std::int64_t>(settings.window.factors.size());
  options.rows = rows_of_item;
  options.average = settings.averaging.kind;
  options.weight = settings.averaging.weight;
  options.scaling = settings.density ? ULPFFT_SCALING_DENSITY : ULPFFT_SCALING_SPECTRUM;
  options.rate = settings.rate.value_or(0);
  return options;
}

void powers_of_item(const SpectrumAxis& axis, const SampleType& type, const void* item, std::span<double> powers) {
  if (type.is_wide()) {
    copy_powers(axis, type, static_cast<const double*>(item), powers);
  } else {
    copy_powers(axis, type, static_cast<const float*>(item), powers);
  }
}

void SpectrumSum::add(std::span<const double> powers, std::int64_t rows) {
  const bool first = rows_ == 0;
  if (first) sums_.assign(powers.size(), 0);
  rows_ += rows;
  const std::size_t bins = powers.size();
  if (kind_ == ULPFFT_AVERAGE_MEAN) {
    const double weight = static_cast<double>(rows);
    for (std::size_t k = 0; k < bins; ++k) sums_[k] += powers[k] * weight;
  } else if (first || kind_ == ULPFFT_AVERAGE_EXPONENTIAL) {
    std::copy(powers.begin(), powers.end(), sums_.begin());
  } else if (kind_ == ULPFFT_AVERAGE_MAX) {
    for (std::size_t k = 0; k < bins; ++k) sums_[k] = std::max(sums_[k], powers[k]);
  } else {
    for (std::size_t k = 0; k < bins; ++k) sums_[k] = std::min(sums_[k], powers[k]);
  }
}

std::vector<double> SpectrumSum::powers() const {
  if (rows_ == 0) return {};
  std::vector<double> powers = sums_;
  if (kind_ == ULPFFT_AVERAGE_MEAN) {
    for (double& power : powers) power /= static_cast<double>(rows_);
  }
  return powers;
}

void SpectrumSum::clear() { rows_ = 0; }

RowCount count_rows(std::int64_t samples, std::int64_t length, std::int64_t hop) {
  RowCount count;
  if (samples < length) return {0, samples, 0};
  count.rows = (samples - length) / hop + 1;
  count.left_over = samples - ((count.rows - 1) * hop + length);
  count.between = (count.rows - 1) * std::max<std::int64_t>(hop - length, 0);
  return count;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<Peak> find_peaks(const Window& window, bool sum_lobes, const SpectrumAxis& axis, std::span<const double> powers,
                             std::size_t most) {
  const double floor = median_of(std::vector<double>(powers.begin(), powers.end()));
  std::vector<std::size_t> tops;
  const std::size_t n = powers.size();
  for (std::size_t k = 0; k < n; ++k) {
    const bool rises = k == 0 || powers[k] > powers[k - 1], falls = k + 1 == n || powers[k] >= powers[k + 1];
    if (rises && falls && powers[k] > kLeastOverFloor * floor && std::isfinite(powers[k])) tops.push_back(k);
  }
  std::sort(tops.begin(), tops.end(), [&](std::size_t a, std::size_t b) { return powers[a] > powers[b]; });
  const auto lobe = static_cast<std::size_t>(window.half_lobe);
  std::vector<Peak> peaks;
  std::vector<std::size_t> taken;
  for (const std::size_t top : tops) {
    if (peaks.size() == most) break;
    const auto near = [&](std::size_t other) {
      const auto [begin, end] = std::minmax(other, top);
      return end - begin <= lobe || std::all_of(powers.begin() + static_cast<std::ptrdiff_t>(begin),
                                                powers.begin() + static_cast<std::ptrdiff_t>(end),
                                                [&](double power) { return power > kLeastDip * powers[top]; });
    };
    const bool hidden = std::any_of(taken.begin(), taken.end(), near);
    taken.push_back(top);
    if (hidden) continue;
    double sum = 0;
    const std::size_t first = top > lobe ? top - lobe : 0, last = std::min(top + lobe, n - 1);
    for (std::size_t k = first; k <= last; ++k) sum += powers[k] - floor;
    const double place =
        static_cast<double>(top) + (top > 0 && top + 1 < n ? top_between(powers[top - 1], powers[top], powers[top + 1]) : 0);
    const double power = sum_lobes ? std::max(sum / window.noise_bins(), 0.0) : powers[top];
    peaks.push_back({axis.at(place), power, powers[top], floor > 0 ? powers[top] / floor : HUGE_VAL});
  }
  return peaks;
}

std::vector<double> read_baseline(const std::string& path, const SpectrumAxis& axis) {
  std::ifstream file(path);
  if (!file) throw Failure(path + ": cannot be opened.");
  std::vector<double> powers;
  std::string text;
  std::getline(file, text);
  const bool in_decibels = text.find(",db") != text.npos;
  if (!text.starts_with("frequency")) refuse(path, "line 1", "is not the heading that ulpfft psd --csv writes.");
  while (std::getline(file, text)) {
    const std::size_t comma = text.find(',');
    double frequency = 0, value = 0;
    const char* const end = text.data() + text.size();
    const bool good = comma != text.npos && std::from_chars(text.data(), text.data() + comma, frequency).ec == std::errc{} &&
                      std::from_chars(text.data() + comma + 1, end, value).ec == std::errc{};
    const std::string line = "line " + std::to_string(powers.size() + 2);
    if (!good) refuse(path, line, "is no pair of numbers.");
    const double expected = axis.at(static_cast<double>(powers.size()));
    if (powers.size() >= axis.bins || std::abs(frequency - expected) > 0.5 * axis.step) {
      refuse(path, line,
             "the frequency is " + show_number(frequency) + ", and bin " + std::to_string(powers.size()) +
                 " of this spectrum lies at " + show_number(expected) +
                 ": a baseline has the same --rate, --center, --length and --crop.");
    }
    powers.push_back(in_decibels ? std::pow(10, value / 10) : value);
    if (!(powers.back() > 0)) refuse(path, line, "the power is not above 0, and nothing can be divided by it.");
  }
  if (powers.size() != axis.bins) {
    refuse(path, "data", "has " + std::to_string(powers.size()) + " bins, and this spectrum " + std::to_string(axis.bins) + ".");
  }
  return powers;
}

std::string decibel_unit(const PsdSettings& settings, bool baseline) {
  if (baseline) return "dB over the baseline";
  if (!settings.density) return "dBFS";
  return settings.rate ? "dBFS/Hz" : "dBFS per cycle per sample";
}

}  // namespace ulpfft_tool::signals
