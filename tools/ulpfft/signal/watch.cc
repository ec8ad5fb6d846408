// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/watch.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/signal/waterfall.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::signals {
namespace {

constexpr auto kBetweenDrawings = std::chrono::milliseconds(100);
constexpr std::size_t kLabels = 8;  // letters at the left
constexpr const char* kEighths[] = {" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};

std::string padded(const std::string& text, std::size_t letters) {
  return text.size() >= letters ? text : std::string(letters - text.size(), ' ') + text;
}

}  // namespace

std::string text_spectrum(std::span<const double> powers, const SpectrumAxis& axis, const std::string& unit, std::size_t columns,
                          std::size_t lines) {
  const std::size_t bars = std::clamp<std::size_t>(columns - kLabels - 2, 1, powers.size()),
                    rows = std::max<std::size_t>(lines - 2, 4);
  std::vector<float> largest(bars);
  for (std::size_t c = 0; c < bars; ++c) {
    largest[c] =
        static_cast<float>(*std::max_element(&powers[c * powers.size() / bars], powers.data() + (c + 1) * powers.size() / bars));
  }
  const Levels levels = levels_of({bars, 1, largest});
  std::string text;
  for (std::size_t r = 0; r < rows; ++r) {
    const double top = levels.high - (levels.high - levels.low) * static_cast<double>(r) / static_cast<double>(rows);
    text += r % 4 == 0 ? padded(show_rounded("%.0f", top), kLabels) + " " : std::string(kLabels + 1, ' ');
    for (const float power : largest) {
      const double above =
          power > 0 ? (decibels(static_cast<double>(power)) - levels.low) / (levels.high - levels.low) * static_cast<double>(rows)
                    : 0;
      const double here = (above - static_cast<double>(rows - 1 - r)) * 8;
      text += kEighths[static_cast<std::size_t>(std::clamp(here, 0.0, 8.0))];
    }
    text += "\n";
  }
  const std::string low = show_frequency(axis.at(0), axis.has_rate, axis.step),
                    high = show_frequency(axis.at(static_cast<double>(axis.bins)), axis.has_rate, axis.step);
  const std::size_t between = bars > low.size() + high.size() + 1 ? bars - low.size() - high.size() : 1;
  return text + padded(unit.substr(0, kLabels), kLabels) + " " + low + std::string(between, ' ') + high + "\n";
}

Watch::Watch(const PsdSettings& settings, const SpectrumAxis& axis, std::string unit)
    : axis_(axis), unit_(std::move(unit)), sum_(settings.averaging) {
  if (isatty(STDOUT_FILENO) != 1)
    throw UsageError("--watch draws on a terminal, and the standard output is none.", "--watch", 0, 7);
}

void Watch::add(std::span<const double> powers, std::int64_t rows) {
  sum_.add(powers, rows);
  if (std::chrono::steady_clock::now() >= next_) draw();
}

void Watch::draw() {
  const std::vector<double> powers = sum_.powers();
  if (powers.empty()) return;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) size.ws_col = 80, size.ws_row = 24;
  const std::size_t lines = std::clamp<std::size_t>(size.ws_row, 8, 40) - 1;
  const std::string text = text_spectrum(powers, axis_, unit_, std::max<std::size_t>(size.ws_col, 24), lines);
  if (drawn_lines_ > 0) std::printf("\033[%zuA\r", drawn_lines_);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  drawn_lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  sum_.clear();
  next_ = std::chrono::steady_clock::now() + kBetweenDrawings;
}

}  // namespace ulpfft_tool::signals
