// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Spectra over time, for a picture: lines of columns, whose number is bounded however long the signal is.
//
// Columns  hold the largest of their bins, so that no tone is lost.
// Lines    hold an average of rows. When there are too many, neighbours become one: the picture shows the whole signal at any
// time.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_WATERFALL_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_WATERFALL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/signal/spectrum.h"

namespace ulpfft_tool::signals {

// Powers, line by line, the earliest first.
struct Grid {
  std::size_t columns = 0, lines = 0;
  std::vector<float> powers;
};

class Waterfall {
 public:
  Waterfall(std::size_t bins, int average, std::size_t most_columns = 1024, std::size_t most_lines = 720);
  void add(std::span<const double> powers);
  // Of at most so many columns and lines.
  Grid grid(std::size_t most_columns, std::size_t most_lines) const;

 private:
  void halve();
  std::size_t columns_, most_lines_;
  std::vector<std::size_t> begins_;  // of the bins of each column, and the end
  int average_;
  std::int64_t items_of_line_ = 1, in_line_ = 0;
  std::vector<float> lines_;
};

// From the darkest colour to the lightest, in decibels: round numbers around what the grid holds.
struct Levels {
  double low = -100, high = 0;
};
Levels levels_of(const Grid& grid);

// What is written along the picture.
struct WaterfallWords {
  SpectrumAxis axis;
  double duration = 0;  // seconds, or samples without a rate
  std::string unit;     // of the levels
};

// A .png file of the grid alone, a pixel for each of its powers.
std::vector<std::uint8_t> grid_png(const Grid& grid, const Levels& levels);
// A .png file with axes and the scale of colours, light letters on dark.
std::vector<std::uint8_t> waterfall_png(const Grid& grid, const Levels& levels, const WaterfallWords& words);
// The scale of colours alone, from low to high: 256 by 1 pixels.
std::vector<std::uint8_t> scale_png();

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_WATERFALL_H_
