// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/waterfall.h"

#include <algorithm>
#include <cmath>

namespace ulpfft_tool::signals {
namespace {

float merged(int average, float one, float other) {
  if (average == ULPFFT_AVERAGE_MAX) return std::max(one, other);
  return average == ULPFFT_AVERAGE_MIN ? std::min(one, other) : 0.5F * (one + other);
}

// Whether lines are the mean of their rows. Exponential averages were taken before.
bool takes_mean(int average) { return average != ULPFFT_AVERAGE_MAX && average != ULPFFT_AVERAGE_MIN; }

// Begins of `groups` groups of nearly the same size, and the end.
std::size_t begin_of(std::size_t group, std::size_t groups, std::size_t all) { return group * all / groups; }

}  // namespace

Waterfall::Waterfall(std::size_t bins, int average, std::size_t most_columns, std::size_t most_lines)
    : columns_(std::min(bins, most_columns)), most_lines_(most_lines), average_(average) {
  for (std::size_t c = 0; c <= columns_; ++c) begins_.push_back(begin_of(c, columns_, bins));
  lines_.reserve(columns_ * most_lines_);
}

void Waterfall::add(std::span<const double> powers) {
  if (in_line_ == 0) {
    if (lines_.size() == columns_ * most_lines_) halve();
    lines_.resize(lines_.size() + columns_, 0.0F);
  }
  float* line = lines_.data() + (lines_.size() - columns_);
  const bool first = in_line_ == 0, is_mean = takes_mean(average_);
  const float part = 1.0F / static_cast<float>(in_line_ + 1);
  const double* from = powers.data();
  for (std::size_t c = 0; c < columns_; ++c) {
    double most = *from++;
    for (const double* const end = powers.data() + begins_[c + 1]; from != end; ++from) most = *from > most ? *from : most;
    const auto largest = static_cast<float>(most);
    line[c] = first ? largest : is_mean ? line[c] + (largest - line[c]) * part : merged(average_, line[c], largest);
  }
  if (++in_line_ == items_of_line_) in_line_ = 0;
}

void Waterfall::halve() {
  for (std::size_t to = 0; to < most_lines_ / 2; ++to) {
    for (std::size_t c = 0; c < columns_; ++c) {
      lines_[to * columns_ + c] = merged(average_, lines_[2 * to * columns_ + c], lines_[(2 * to + 1) * columns_ + c]);
    }
  }
  lines_.resize(most_lines_ / 2 * columns_);
  items_of_line_ *= 2;
}

Grid Waterfall::grid(std::size_t most_columns, std::size_t most_lines) const {
  const std::size_t have = columns_ == 0 ? 0 : lines_.size() / columns_;
  Grid grid;
  grid.columns = std::min(columns_, most_columns);
  grid.lines = std::min(have, most_lines);
  grid.powers.resize(grid.columns * grid.lines);
  for (std::size_t l = 0; l < grid.lines; ++l) {
    const std::size_t first = begin_of(l, grid.lines, have), last = begin_of(l + 1, grid.lines, have);
    for (std::size_t c = 0; c < grid.columns; ++c) {
      const std::size_t begin = begin_of(c, grid.columns, columns_), end = begin_of(c + 1, grid.columns, columns_);
      float value = 0;
      for (std::size_t from = first; from < last; ++from) {
        const float* line = lines_.data() + from * columns_;
        const float largest = *std::max_element(line + begin, line + end);
        const auto part = 1.0F / static_cast<float>(from - first + 1);
        value = from == first           ? largest
                : takes_mean(average_) ? value + (largest - value) * part
                                       : merged(average_, value, largest);
      }
      grid.powers[l * grid.columns + c] = value;
    }
  }
  return grid;
}

Levels levels_of(const Grid& grid) {
  std::vector<float> sorted;
  for (const float power : grid.powers) {
    if (power > 0 && std::isfinite(power)) sorted.push_back(power);
  }
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  Levels levels;
  levels.high = 5 * std::ceil(decibels(static_cast<double>(sorted.back())) / 5);
  levels.low = 5 * std::floor(decibels(static_cast<double>(sorted[sorted.size() / 50])) / 5);
  levels.low = std::min(levels.low, levels.high - 20);
  levels.low = std::max(levels.low, levels.high - 150);
  return levels;
}

}  // namespace ulpfft_tool::signals
