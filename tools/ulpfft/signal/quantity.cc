// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tools/ulpfft/problem_arguments.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::signals {

std::optional<double> read_quantity(const std::string& text) {
  std::string word = text.starts_with('+') ? text.substr(1) : text;
  for (const char* unit : {"Hz", "hz", "s"}) {
    if (word.ends_with(unit)) word.resize(word.size() - std::string(unit).size());
  }
  double factor = 1;
  if (!word.empty()) {
    const char last = word.back();
    factor = last == 'k' || last == 'K' ? 1e3 : last == 'M' ? 1e6 : last == 'G' ? 1e9 : last == 'm' ? 1e-3 : 1;
    if (factor != 1) word.pop_back();
  }
  double value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc{} || end != word.data() + word.size() || !std::isfinite(value * factor)) return {};
  return value * factor;
}

std::function<std::string(std::string&)> quantity(Allowed allowed, const std::string& what) {
  return [=](std::string& text) -> std::string {
    const std::optional<double> value = read_quantity(text);
    const bool good = value && (allowed == Allowed::kAny || (allowed == Allowed::kAboveZero ? *value > 0 : *value >= 0));
    if (!good) return "takes " + what + ", not " + text;
    text = show_number(*value);
    return "";
  };
}

std::function<std::string(std::string&)> whole_number(std::int64_t most, const std::string& what) {
  return [=](std::string& text) -> std::string {
    const std::string word = read_length(text);
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc{} || end != word.data() + word.size() || value < 1 || value > most) {
      return "takes " + what + ", a whole number from 1 to " + std::to_string(most) + ", not " + text;
    }
    text = word;
    return "";
  };
}

Unit frequency_unit(double largest, bool has_rate) {
  if (!has_rate) return {1, "cycles per sample"};
  for (const auto& [size, name] : {std::pair(1e9, "GHz"), std::pair(1e6, "MHz"), std::pair(1e3, "kHz")}) {
    if (std::abs(largest) >= size) return {size, name};
  }
  return {1, "Hz"};
}

Unit time_unit(double largest, bool has_rate) {
  if (!has_rate) return {1, "samples"};
  for (const auto& [size, name] :
       {std::pair(7200.0, "hours"), std::pair(300.0, "minutes"), std::pair(0.5, "s"), std::pair(0.5e-3, "ms")}) {
    if (largest >= size) return {size >= 7200 ? 3600 : size >= 300 ? 60 : size >= 0.5 ? 1 : 1e-3, name};
  }
  return {1e-6, "\xC2\xB5s"};
}

std::string show_frequency(double hertz, bool has_rate, double step) {
  const Unit unit = frequency_unit(hertz, has_rate);
  const double value = hertz / unit.size, fine = step / unit.size;
  const int digits = fine > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(fine))) + 1, 0, 9) : 0;
  const std::string text =
      fine > 0 ? show_rounded(("%." + std::to_string(digits) + "f").c_str(), value) : show_rounded("%.6g", value);
  return text + " " + unit.name;
}

std::string show_count(double count) {
  std::string text = show_rounded("%.0f", count);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

Ticks ticks_between(double low, double high, int most) {
  Ticks ticks;
  const double least = (high - low) / std::max(most, 1);
  // Numbers so near each other, or so far from 0, that places between them are no numbers of their own.
  if (!(least > 0) || !std::isfinite(least) || std::max(std::abs(low), std::abs(high)) > 1e14 * least) return ticks;
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  double step = 10 * decade;
  for (const double times : {5.0, 2.0, 1.0}) {
    if (times * decade >= least * (1 - 1e-9)) step = times * decade;
  }
  for (double n = std::ceil(low / step - 1e-6); n * step <= high + 1e-6 * step; n += 1)
    ticks.places.push_back(n == 0 ? 0 : n * step);
  ticks.pattern = "%." + std::to_string(std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)))) + "f";
  return ticks;
}

double decibels(double power) { return 10 * std::log10(power); }

}  // namespace ulpfft_tool::signals
