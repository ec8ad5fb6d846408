// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/plot.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/svg.h"

namespace ulpfft_tool::bench {
namespace {

constexpr double kWidth = 430;
constexpr double kRight = kWidth - 14;
constexpr double kLeft = 52;
constexpr double kBelow = 46;      // under the plotting area: ticks and the name of the axis
constexpr double kArea = 240;      // height of the plotting area
constexpr double kTitle = 26;
constexpr double kLegendRow = 19;
constexpr double kNoteRow = 15;
constexpr std::size_t kNoteLetters = 62;  // of a row

std::string marker(double x, double y, int color, const std::string& hint) { return svg_mark(x, y, color, color, false, hint); }

struct PlotAxis {
  double low, high;  // of the values, or of their logarithms
  std::vector<double> ticks;
};

// At most `most` steps of 1, 2 or 5 times a power of ten that begin at 0.
PlotAxis linear_axis(double largest, int most) {
  double step = std::pow(10.0, std::floor(std::log10(std::max(largest, 1e-12) / most)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (largest / step > most) step *= factor;
  }
  PlotAxis axis{0, std::ceil(largest * 1.02 / step) * step, {}};
  for (int i = 0; i * step <= axis.high * 1.0001; ++i) axis.ticks.push_back(i * step);
  return axis;
}

PlotAxis ratio_axis(double smallest, double largest) {
  PlotAxis axis{
      std::min(std::floor(2 * std::log2(smallest) - 0.1) / 2, -0.5), std::max(std::ceil(2 * std::log2(largest) + 0.1) / 2, 0.5), {}};
  const bool fine = axis.high - axis.low <= 3.01;
  for (const double tick : {1. / 64, 1. / 32, 1. / 16, 0.125, 0.25, 0.35, 0.5, 0.7, 1., 1.4, 2., 2.8, 4., 5.6, 8., 16., 32., 64.}) {
    const double where = std::log2(tick);
    const bool is_power = std::abs(where - std::round(where)) < 1e-9;
    if (where >= axis.low - 1e-9 && where <= axis.high + 1e-9 && (is_power || fine)) axis.ticks.push_back(tick);
  }
  return axis;
}

// Where values lie in the picture.
struct Place {
  PlotAxis axis;
  bool ratios;
  double x_low, x_high, top;

  double bottom() const { return top + kArea; }
  double x(double value) const { return kLeft + (value - x_low) / (x_high - x_low) * (kRight - kLeft); }
  double y(double value) const { return bottom() - ((ratios ? std::log2(value) : value) - axis.low) / (axis.high - axis.low) * kArea; }
};

std::string axes(const Plot& plot, const Place& place) {
  std::string picture;
  for (const double tick : place.axis.ticks) {
    const double y = place.y(tick);
    picture += svg_line(kLeft, y, kRight, y, "grid") + svg_words(kLeft - 7, y + 4.5, "end", number("%g", tick));
  }
  const double bottom = place.bottom(), step = std::max(1.0, std::ceil((place.x_high - place.x_low) / 10));
  for (double tick = place.x_low; tick <= place.x_high; tick += step) {
    const double x = place.x(tick);
    picture += svg_line(x, bottom, x, bottom + 5, "axis") + svg_words(x, bottom + 20, "middle", svg_power(2, tick));
  }
  if (plot.ratios) picture += svg_line(kLeft, place.y(1), kRight, place.y(1), "ink", " stroke-dasharray=\"5 4\"");
  return picture + svg_line(kLeft, bottom, kRight, bottom, "axis") + svg_line(kLeft, place.top, kLeft, bottom, "axis") +
         svg_words((kLeft + kRight) / 2, bottom + 39, "middle", "n, points of one transform") +
         svg_upwards(14, (place.top + bottom) / 2, escape(plot.unit));
}

std::string series_svg(const Plot& plot, const Series& series, const Place& place) {
  std::vector<PlotPoint> points = series.points;
  std::sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.log2_n < b.log2_n; });
  std::string path, marks;
  for (const PlotPoint& point : points) {
    path += svg_number(place.x(point.log2_n)) + "," + svg_number(place.y(point.value)) + " ";
    marks += marker(place.x(point.log2_n), place.y(point.value), series.color, point.label);
  }
  return (plot.joined && points.size() > 1 ? svg_path(path, svg_stroke(series.color), " stroke-width=\"1.8\"") : "") + marks;
}

}  // namespace

std::string svg(const Plot& plot) {
  double x_low = 1e9, x_high = -1e9, low = 1e300, high = 0;
  for (const Series& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      x_low = std::min(x_low, point.log2_n);
      x_high = std::max(x_high, point.log2_n);
      low = std::min(low, point.value);
      high = std::max(high, point.value);
    }
  }
  if (x_low > x_high) return "";
  std::string legend;
  double legend_x = kLeft, legend_y = kTitle + 14;
  for (const Series& series : plot.series) {
    const double width = 28 + kLetterUnits * static_cast<double>(series.name.size());
    if (legend_x > kLeft && legend_x + width > kRight) legend_x = kLeft, legend_y += kLegendRow;
    legend += marker(legend_x + 6, legend_y - 4, series.color, "") + svg_words(legend_x + 16, legend_y, "start", escape(series.name));
    legend_x += width;
  }
  const Place place{plot.ratios ? ratio_axis(low, high) : linear_axis(high, 6), plot.ratios, std::floor(x_low - 0.35), std::ceil(x_high + 0.35), legend_y + 14};
  const std::vector<std::string> notes = svg_rows(plot.note, kNoteLetters);
  const double below = place.bottom() + kBelow, height = below + kNoteRow * static_cast<double>(notes.size()) + 4;
  std::string picture = svg_begin(kWidth, height, plot.title) + svg_words(8, 18, "start", escape(plot.title), " font-weight=\"600\"") + legend + axes(plot, place);
  for (std::size_t i = 0; i < notes.size(); ++i) {
    picture += svg_words(kRight, below + kNoteRow * static_cast<double>(i + 1) - 2, "end", escape(notes[i]),
                         " font-size=\"" + number("%g", kSmallestFont) + "\" class=\"soft\"");
  }
  for (const Series& series : plot.series) picture += series_svg(plot, series, place);
  return picture + std::string(kSvgEnd);
}

}  // namespace ulpfft_tool::bench
