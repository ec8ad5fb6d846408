// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A spectrum as text on a terminal, drawn again and again while samples come.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_WATCH_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_WATCH_H_

#include <chrono>
#include <span>
#include <string>

#include "tools/ulpfft/signal/spectrum.h"

namespace ulpfft_tool::signals {

// `columns` by `lines` letters of bars with an axis of levels at the left and one of frequencies below.
std::string text_spectrum(std::span<const double> powers, const SpectrumAxis& axis, const std::string& unit, std::size_t columns,
                          std::size_t lines);

class Watch {
 public:
  Watch(const PsdSettings& settings, const SpectrumAxis& axis,
        std::string unit);  // throws UsageError where the standard output is no terminal
  void add(std::span<const double> powers, std::int64_t rows);
  void draw();  // what came since the last time

 private:
  SpectrumAxis axis_;
  std::string unit_;
  SpectrumSum sum_;
  std::size_t drawn_lines_ = 0;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_WATCH_H_
