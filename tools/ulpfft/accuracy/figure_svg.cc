// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Figures as pictures.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/svg.h"

namespace ulpfft_tool {
namespace {

constexpr double kWidth = 430;
constexpr double kLeft = 68;
constexpr double kRight = kWidth - 14;
constexpr double kArea = 250;  // height of the plotting area
constexpr double kBelow = 50;  // under it: ticks and the name of the axis
constexpr double kMargin = 8;  // of title and legend
constexpr double kLegendRow = 18;
constexpr std::size_t kTitleLetters = 56;  // of a row

const char* dashes(Stroke stroke) { return stroke == Stroke::kDashed ? " stroke-dasharray=\"6 4\"" : ""; }

std::string mark(double x, double y, const Curve& curve, const std::string& hint) {
  const int shape = curve.shape >= 0 ? curve.shape : curve.color % kSvgShapes;
  return shape == kNoMark ? "" : svg_mark(x, y, shape, curve.color, curve.hollow, hint);
}

struct Tick {
  double where;  // on the axis, before placing
  std::string text;
};

// Values to [low, high] and the ticks there.
struct Axis {
  Scale scale = Scale::kLinear;
  double low = 0, high = 1;
  std::vector<Tick> ticks;
  double zero = 0;  // of kCounts: where 0 lies

  double where(double value) const {
    switch (scale) {
      case Scale::kLinear: return value;
      case Scale::kLog: return std::log10(value);
      case Scale::kCounts: return value <= 0 ? zero : std::log10(value);
      default: return std::log2(value);
    }
  }
};

Axis linear_axis(double smallest, double largest) {
  constexpr int kMost = 7;
  const double range = std::max(largest - smallest, 1e-12);
  double step = std::pow(10.0, std::floor(std::log10(range / kMost)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (range / step > kMost) step *= factor;
  }
  const double from = std::floor(smallest / step + 1e-9);
  Axis axis{Scale::kLinear, from * step, std::ceil((largest + 0.02 * range) / step) * step, {}, 0};
  for (double i = from; i * step <= axis.high + 1e-9; ++i) axis.ticks.push_back({i * step, number("%g", i * step)});
  return axis;
}

// Powers of ten; over less than two decades 2 and 5 between them, over less than one every digit, over less than half of one round numbers.
// As plain numbers unless that is long.
Axis log_axis(double smallest, double largest) {
  const double low = std::log10(smallest) - 0.05, high = std::log10(largest) + 0.05;
  Axis axis{Scale::kLog, low, high, {}, 0};
  const double range = high - low;
  if (range < 0.45) {
    for (const Tick& tick : linear_axis(std::pow(10, low), std::pow(10, high)).ticks) {
      if (tick.where > 0 && std::log10(tick.where) >= low && std::log10(tick.where) <= high)
        axis.ticks.push_back({std::log10(tick.where), tick.text});
    }
    return axis;
  }
  if (range > 1.2) axis.low = std::floor(low * 2) / 2, axis.high = std::ceil(high * 2) / 2;
  const int step = std::max(1, static_cast<int>(std::ceil(range / 9)));
  const bool plain = range < 2.1 && axis.low > -3.2;
  for (int decade = static_cast<int>(std::floor(axis.low)); decade <= axis.high; ++decade) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double where = decade + std::log10(digit);
      const bool shown = digit == 1 ? decade % step == 0 : range < 0.9 || (range < 2.1 && (digit == 2 || digit == 5));
      if (!shown || where < axis.low - 1e-9 || where > axis.high + 1e-9) continue;
      const std::string text = plain        ? number("%g", std::pow(10, decade) * digit)
                               : digit == 1 ? svg_power(10, decade)
                                            : std::to_string(digit) + "&#183;" + svg_power(10, decade);
      axis.ticks.push_back({where, text});
    }
  }
  return axis;
}

// Powers of ten, every one or fewer.
Axis decades_axis(double smallest, double largest) {
  constexpr double kMost = 8;
  const double low = std::log10(smallest), high = std::log10(largest), room = std::max(0.1, 0.03 * (high - low));
  Axis axis{Scale::kLog, low - room, high + room, {}, 0};
  double step = 1;
  for (const double wider : {2.0, 5.0, 10.0}) {
    if ((high - low) / step > kMost) step = wider;
  }
  for (double tick = std::ceil(axis.low / step) * step; tick <= axis.high; tick += step) {
    axis.ticks.push_back({tick, std::abs(tick) <= 3 ? number("%g", std::pow(10, tick)) : svg_power(10, tick)});
  }
  return axis;
}

Axis counts_axis(double smallest, double largest) {
  const double from = smallest > 0 ? std::floor(std::log10(smallest)) : 0;
  const double to = std::max(std::ceil(std::log10(std::max(largest, 1.0)) + 0.05), from + 1);
  Axis axis{Scale::kCounts, from - 1, to, {}, from - 0.7};
  axis.ticks.push_back({axis.zero, "0"});
  const double step = std::max(1.0, std::ceil((to - from) / 8));
  for (double decade = from; decade <= to; decade += step)
    axis.ticks.push_back({decade, std::abs(decade) <= 3 ? number("%g", std::pow(10, decade)) : svg_power(10, decade)});
  return axis;
}

Axis powers_axis(Scale scale, double smallest, double largest) {
  const double room = std::max(0.35, 0.03 * std::log2(largest / smallest));
  Axis axis{scale, std::log2(smallest) - room, std::log2(largest) + room, {}, 0};
  const double step = std::max(1.0, std::ceil((axis.high - axis.low) / 9));
  for (double tick = std::ceil(axis.low / step) * step; tick <= axis.high; tick += step)
    axis.ticks.push_back({tick, scale == Scale::kDoubling ? number("%g", std::exp2(tick)) : svg_power(2, tick)});
  return axis;
}

Axis x_axis(const Figure& figure, double low, double high) {
  if (figure.x_scale == Scale::kLinear) return linear_axis(low, high);
  if (figure.x_scale == Scale::kLog) return decades_axis(low, high);
  return powers_axis(figure.x_scale, low, high);
}

Axis y_axis(const Figure& figure, double low, double high) {
  if (figure.y_scale == Scale::kLog) return log_axis(low, high);
  if (figure.y_scale == Scale::kCounts) return counts_axis(low, high);
  return linear_axis(std::min(figure.y_from, low), high);
}

struct ValueExtent {
  double low = 1e300, high = -1e300;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

// What is to be drawn, before it is placed.
struct Content {
  ValueExtent x, y;
  bool overflows = false;  // some point has no finite value
};

Content content_of(const Figure& figure) {
  Content content;
  for (const Curve& curve : figure.curves) {
    for (const Point& point : curve.points) {
      content.x.add(point.x);
      const bool drawn = std::isfinite(point.y) && (point.y > 0 || figure.y_scale == Scale::kLinear);
      if (drawn) content.y.add(figure.y_most > 0 ? std::min(point.y, figure.y_most) : point.y);
      if (drawn && point.spread > 0 && figure.y_scale == Scale::kLinear) content.y.add(point.y - point.spread), content.y.add(point.y + point.spread);
      content.overflows |= !std::isfinite(point.y);
    }
  }
  for (const Level& level : figure.levels) content.y.add(level.y);
  if (content.y.low > content.y.high) content.y.low = content.y.high = 1;
  return content;
}

// The title, and below it the names of curves, in as many rows as they take.
struct Legend {
  std::string svg;
  double x = kMargin, y = 22;  // of the next entry

  void add(const Curve& curve) {
    const double width = 36 + 0.95 * kLetterUnits * static_cast<double>(curve.name.size());
    if (x > kMargin && x + width > kWidth) x = kMargin, y += kLegendRow;
    if (curve.stroke != Stroke::kNone)
      svg += svg_line(x, y - 4, x + 22, y - 4, svg_stroke(curve.color), std::string(" stroke-width=\"1.8\"") + dashes(curve.stroke));
    svg += mark(x + 11, y - 4, curve, "") + svg_words(x + 26, y, "start", escape(curve.name));
    x += width;
  }
};

Legend legend_of(const Figure& figure) {
  Legend legend;
  for (const std::string& row : svg_rows(figure.title, kTitleLetters)) {
    legend.svg += svg_words(kMargin, legend.y - 4, "start", escape(row), " font-weight=\"600\"");
    legend.y += kLegendRow;
  }
  for (const Curve& curve : figure.curves) {
    if (!curve.name.empty()) legend.add(curve);
  }
  for (const Level& level : figure.levels) legend.add({level.name, level.color, Stroke::kDashed, kNoMark, false, {}});
  return legend;
}

// Where values lie in the picture.
struct PlotPlace {
  Axis across, up;
  double top = 0, bottom = 0;

  double x_at(double where) const { return kLeft + (where - across.low) / (across.high - across.low) * (kRight - kLeft); }
  double y_at(double where) const { return bottom - (where - up.low) / (up.high - up.low) * kArea; }
  double x(double value) const { return x_at(across.where(value)); }
  double y(double value) const { return std::isfinite(value) ? y_at(up.where(value)) : overflow(); }
  double overflow() const { return top - 14; }
};

std::string axes(const Figure& figure, const PlotPlace& place, bool overflows) {
  std::string svg;
  for (const Tick& tick : place.up.ticks) {
    const double y = place.y_at(tick.where);
    svg += svg_line(kLeft, y, kRight, y, "grid") + svg_words(kLeft - 7, y + 4.5, "end", tick.text);
  }
  for (const Tick& tick : place.across.ticks) {
    const double x = place.x_at(tick.where);
    svg += svg_line(x, place.bottom, x, place.bottom + 5, "axis") + svg_words(x, place.bottom + 20, "middle", tick.text);
  }
  svg += svg_line(kLeft, place.bottom, kRight, place.bottom, "axis") + svg_line(kLeft, place.top, kLeft, place.bottom, "axis");
  if (overflows) {
    svg += svg_line(kLeft, place.overflow(), kRight, place.overflow(), "warn", " stroke-dasharray=\"2 4\"") +
           svg_words(kLeft - 7, place.overflow() + 4.5, "end", "overflow", " class=\"bad-words\"");
  }
  svg += svg_words((kLeft + kRight) / 2, place.bottom + 40, "middle", escape(figure.x_name)) +
         svg_upwards(14, (place.top + place.bottom) / 2, escape(figure.y_name));
  for (const Level& level : figure.levels) {
    svg += svg_line(kLeft, place.y(level.y), kRight, place.y(level.y), svg_stroke(level.color), " stroke-width=\"1.4\" stroke-dasharray=\"6 4\"");
  }
  return svg;
}

bool beyond(const Figure& figure, const Point& point) { return figure.y_most > 0 && std::isfinite(point.y) && point.y > figure.y_most; }

// Up to y_most: there on the line to the next point.
std::string path_of(const Figure& figure, const Curve& curve, const PlotPlace& place) {
  std::string path;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const Point& point = curve.points[i];
    if (!beyond(figure, point) || i == 0) {
      path += svg_number(place.x(point.x)) + "," + svg_number(place.y(point.y)) + " ";
      if (beyond(figure, point)) break;
      continue;
    }
    const Point& before = curve.points[i - 1];
    const double part = (place.y(figure.y_most) - place.y(before.y)) / (place.y(point.y) - place.y(before.y));
    path += svg_number(place.x(before.x) + part * (place.x(point.x) - place.x(before.x))) + "," + svg_number(place.y(figure.y_most)) + " ";
    break;
  }
  return path;
}

std::string spread_bar(const Curve& curve, const Point& point, const PlotPlace& place) {
  const double x = place.x(point.x), low = place.y(point.y - point.spread), high = place.y(point.y + point.spread);
  const std::string kind = svg_stroke(curve.color), thin = " stroke-width=\"1.2\"";
  return svg_line(x, low, x, high, kind, thin) + svg_line(x - 3, low, x + 3, low, kind, thin) + svg_line(x - 3, high, x + 3, high, kind, thin);
}

std::string curve_svg(const Figure& figure, const Curve& curve, const PlotPlace& place) {
  std::string svg;
  if (curve.stroke != Stroke::kNone && curve.points.size() > 1)
    svg += svg_path(path_of(figure, curve, place), svg_stroke(curve.color), std::string(" stroke-width=\"1.8\"") + dashes(curve.stroke));
  for (const Point& point : curve.points) {
    if (beyond(figure, point)) continue;
    if (point.spread > 0 && std::isfinite(point.y) && figure.y_scale == Scale::kLinear) svg += spread_bar(curve, point, place);
    svg += mark(place.x(point.x), place.y(point.y), curve,
                curve.name + ", " + number("%g", point.x) + ": " + show_value(point.y) + (point.note.empty() ? "" : "; " + point.note));
  }
  return svg;
}

}  // namespace

std::string figure_svg(const Figure& figure) {
  const Content content = content_of(figure);
  if (content.x.low > content.x.high) return "";
  const Legend legend = legend_of(figure);
  const double top = legend.y + (content.overflows ? 36 : 18);
  const PlotPlace place{x_axis(figure, content.x.low, content.x.high), y_axis(figure, content.y.low, content.y.high), top, top + kArea};
  std::string svg = svg_begin(kWidth, place.bottom + kBelow, figure.title) + legend.svg + axes(figure, place, content.overflows);
  for (const Curve& curve : figure.curves) svg += curve_svg(figure, curve, place);
  return svg + std::string(kSvgEnd);
}

}  // namespace ulpfft_tool
