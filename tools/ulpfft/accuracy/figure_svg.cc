// Figures as pictures.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/html.h"

namespace ulpfft_tool {
namespace {

constexpr double kWidth = 560;
constexpr double kLeft = 74;
constexpr double kRight = 18;
constexpr double kArea = 270;  // height of the plotting area
constexpr double kBelow = 52;  // under it: ticks and the name of the axis
constexpr double kLegendRow = 19;
constexpr double kLetter = 7.4;  // width of a letter of the legend, a little more than it takes

// Told apart by eyes of every kind (Okabe and Ito, with a grey for yellow), and by the shape of the marks.
constexpr std::array<const char*, 8> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#333333", "#8f8f86"};

const char* color_of(int index) { return kColors[static_cast<std::size_t>(index) % kColors.size()]; }

std::string at(double value) { return number("%.1f", value); }

std::string words(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" + text + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* color, const std::string& more = "") {
  return "<line x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" + at(x2) + "\" y2=\"" + at(y2) + "\" stroke=\"" + color + "\"" + more +
         "/>\n";
}

std::string power(int base, double exponent) {
  return std::to_string(base) + "<tspan dy=\"-5\" font-size=\"9.5\">" + (exponent < 0 ? "&#8722;" : "") + number("%g", std::abs(exponent)) +
         "</tspan>";
}

const char* dashes(Stroke stroke) { return stroke == Stroke::kDashed ? " stroke-dasharray=\"6 4\"" : ""; }

// A circle, square, diamond or triangle.
std::string mark(double x, double y, const Curve& curve, const std::string& hint) {
  const int shape = curve.shape >= 0 ? curve.shape : curve.color % 4;
  if (shape == kNoMark) return "";
  const std::string color = color_of(curve.color);
  const std::string paint = curve.hollow ? " fill=\"#fff\" stroke-width=\"1.5\" stroke=\"" + color + "\"" : " fill=\"" + color + "\"";
  const std::string title = hint.empty() ? "" : "<title>" + escape(hint) + "</title>";
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += at(x + dx) + "," + at(y + dy) + " ";
    return "<polygon points=\"" + points + "\"" + paint + ">" + title + "</polygon>\n";
  };
  switch (shape) {
    case 0: return "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) + "\" r=\"3.6\"" + paint + ">" + title + "</circle>\n";
    case 1: return polygon({{-3.3, -3.3}, {3.3, -3.3}, {3.3, 3.3}, {-3.3, 3.3}});
    case 2: return polygon({{0, -4.7}, {4.7, 0}, {0, 4.7}, {-4.7, 0}});
    default: return polygon({{0, -4.5}, {4.3, 3.5}, {-4.3, 3.5}});
  }
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
                               : digit == 1 ? power(10, decade)
                                            : std::to_string(digit) + "&#183;" + power(10, decade);
      axis.ticks.push_back({where, text});
    }
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
    axis.ticks.push_back({decade, std::abs(decade) <= 3 ? number("%g", std::pow(10, decade)) : power(10, decade)});
  return axis;
}

Axis powers_axis(Scale scale, double smallest, double largest) {
  const double room = std::max(0.35, 0.03 * std::log2(largest / smallest));
  Axis axis{scale, std::log2(smallest) - room, std::log2(largest) + room, {}, 0};
  const double step = std::max(1.0, std::ceil((axis.high - axis.low) / 11));
  for (double tick = std::ceil(axis.low / step) * step; tick <= axis.high; tick += step)
    axis.ticks.push_back({tick, scale == Scale::kDoubling ? number("%g", std::exp2(tick)) : power(2, tick)});
  return axis;
}

Axis x_axis(const Figure& figure, double low, double high) {
  if (figure.x_scale == Scale::kLinear) return linear_axis(low, high);
  return powers_axis(figure.x_scale, low, high);
}

Axis y_axis(const Figure& figure, double low, double high) {
  if (figure.y_scale == Scale::kLog) return log_axis(low, high);
  if (figure.y_scale == Scale::kCounts) return counts_axis(low, high);
  return linear_axis(std::min(figure.y_from, low), high);
}

struct Extent {
  double low = 1e300, high = -1e300;
  void add(double value) { low = std::min(low, value), high = std::max(high, value); }
};

}  // namespace

std::string figure_svg(const Figure& figure) {
  Extent x, y;
  bool overflows = false, any = false;
  for (const Curve& curve : figure.curves) {
    for (const Point& point : curve.points) {
      any = true;
      x.add(point.x);
      const bool drawn = std::isfinite(point.y) && (point.y > 0 || figure.y_scale == Scale::kLinear);
      if (drawn) y.add(figure.y_most > 0 ? std::min(point.y, figure.y_most) : point.y);
      if (drawn && point.spread > 0 && figure.y_scale == Scale::kLinear) y.add(point.y - point.spread), y.add(point.y + point.spread);
      overflows |= !std::isfinite(point.y);
    }
  }
  for (const Level& level : figure.levels) y.add(level.y);
  if (!any) return "";
  if (y.low > y.high) y.low = y.high = 1;
  const Axis across = x_axis(figure, x.low, x.high), up = y_axis(figure, y.low, y.high);

  // Names of curves, in as many rows as they take.
  std::string legend;
  double legend_x = kLeft, legend_y = 42;
  const auto entry = [&](const Curve& curve) {
    const double width = 40 + kLetter * static_cast<double>(curve.name.size());
    if (legend_x > kLeft && legend_x + width > kWidth) legend_x = kLeft, legend_y += kLegendRow;
    if (curve.stroke != Stroke::kNone) {
      legend += line(legend_x, legend_y - 4, legend_x + 22, legend_y - 4, color_of(curve.color),
                     std::string(" stroke-width=\"1.8\"") + dashes(curve.stroke));
    }
    legend +=
        mark(legend_x + 11, legend_y - 4, curve, "") + words(legend_x + 27, legend_y, "start", escape(curve.name), " font-size=\"12\"");
    legend_x += width;
  };
  for (const Curve& curve : figure.curves) {
    if (!curve.name.empty()) entry(curve);
  }
  for (const Level& level : figure.levels) entry({level.name, level.color, Stroke::kDashed, kNoMark, false, {}});

  const double top = legend_y + (overflows ? 36 : 18), bottom = top + kArea, height = bottom + kBelow;
  const double left = kLeft, right = kWidth - kRight;
  const auto x_of = [&](double value) { return left + (across.where(value) - across.low) / (across.high - across.low) * (right - left); };
  const auto y_at = [&](double where) { return bottom - (where - up.low) / (up.high - up.low) * kArea; };
  const auto y_of = [&](double value) { return std::isfinite(value) ? y_at(up.where(value)) : top - 14; };

  std::string svg = "<svg viewBox=\"0 0 " + at(kWidth) + " " + at(height) + "\" role=\"img\" aria-label=\"" + escape(figure.title) +
                    "\" font-size=\"13\" fill=\"#333\">\n" +
                    words(10, 18, "start", escape(figure.title), " font-weight=\"600\" font-size=\"14\"") + legend;
  for (const Tick& tick : up.ticks) {
    svg += line(left, y_at(tick.where), right, y_at(tick.where), "#e4e4de") +
           words(left - 8, y_at(tick.where) + 4.5, "end", tick.text, " font-size=\"12\"");
  }
  for (const Tick& tick : across.ticks) {
    const double where = left + (tick.where - across.low) / (across.high - across.low) * (right - left);
    svg += line(where, bottom, where, bottom + 5, "#777") + words(where, bottom + 20, "middle", tick.text, " font-size=\"12\"");
  }
  svg += line(left, bottom, right, bottom, "#777") + line(left, top, left, bottom, "#777");
  if (overflows) {
    svg += line(left, top - 14, right, top - 14, "#d7b5b0", " stroke-dasharray=\"2 4\"") +
           words(left - 8, top - 9.5, "end", "overflow", " font-size=\"12\" fill=\"#8a1f14\"");
  }
  svg += words((left + right) / 2, bottom + 42, "middle", escape(figure.x_name)) + "<text transform=\"translate(14 " +
         at((top + bottom) / 2) + ") rotate(-90)\" text-anchor=\"middle\">" + escape(figure.y_name) + "</text>\n";
  for (const Level& level : figure.levels) {
    svg += line(left, y_of(level.y), right, y_of(level.y), color_of(level.color), " stroke-width=\"1.4\" stroke-dasharray=\"6 4\"");
  }
  for (const Curve& curve : figure.curves) {
    std::string path;
    bool ends = false;
    for (std::size_t i = 0; i < curve.points.size() && !ends; ++i) {
      const Point& point = curve.points[i];
      ends = figure.y_most > 0 && std::isfinite(point.y) && point.y > figure.y_most;
      if (!ends || i == 0) {
        path += at(x_of(point.x)) + "," + at(y_of(point.y)) + " ";
        continue;
      }
      // Up to the end on the line to the next point.
      const Point& before = curve.points[i - 1];
      const double part = (y_of(figure.y_most) - y_of(before.y)) / (y_of(point.y) - y_of(before.y));
      path += at(x_of(before.x) + part * (x_of(point.x) - x_of(before.x))) + "," + at(y_of(figure.y_most)) + " ";
    }
    if (curve.stroke != Stroke::kNone && curve.points.size() > 1) {
      svg += "<polyline points=\"" + path + "\" fill=\"none\" stroke-width=\"1.8\" stroke-linejoin=\"round\" stroke=\"" +
             color_of(curve.color) + "\"" + dashes(curve.stroke) + "/>\n";
    }
    for (const Point& point : curve.points) {
      if (figure.y_most > 0 && std::isfinite(point.y) && point.y > figure.y_most) continue;
      if (point.spread > 0 && std::isfinite(point.y) && figure.y_scale == Scale::kLinear) {
        const double where = x_of(point.x), low = y_of(point.y - point.spread), high = y_of(point.y + point.spread);
        const std::string thin = " stroke-width=\"1.2\"";
        svg += line(where, low, where, high, color_of(curve.color), thin) + line(where - 3, low, where + 3, low, color_of(curve.color), thin) +
               line(where - 3, high, where + 3, high, color_of(curve.color), thin);
      }
      svg += mark(x_of(point.x), y_of(point.y), curve,
                  curve.name + ", " + number("%g", point.x) + ": " + show_value(point.y) + (point.note.empty() ? "" : "; " + point.note));
    }
  }
  return svg + "</svg>\n";
}

}  // namespace ulpfft_tool
