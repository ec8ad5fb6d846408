#include "tools/ulpfft/bench/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tools/ulpfft/html.h"

namespace ulpfft_tool::bench {
namespace {

constexpr double kWidth = 520;
constexpr double kRight = 14;
constexpr double kLeft = 56;
constexpr double kBottom = 66;
constexpr double kArea = 250;      // height of the plotting area
constexpr double kTitle = 26;
constexpr double kLegendRow = 20;
constexpr double kLetter = 7.2;    // width of a letter of the legend, a little more than it takes

// Told apart by eyes of every kind (Okabe and Ito), and by the shape of the points.
constexpr std::array<const char*, 6> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9"};

std::string at(double value) { return number("%.1f", value); }

std::string text(double x, double y, const char* anchor, const std::string& words, const char* more = "") {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" + words + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* color, const char* more = "") {
  return "<line x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" + at(x2) + "\" y2=\"" + at(y2) + "\" stroke=\"" + color + "\"" + more + "/>\n";
}

// A circle, square, diamond, triangle, ...
std::string marker(double x, double y, int kind, const std::string& title) {
  const std::string color = kColors[static_cast<std::size_t>(kind) % kColors.size()];
  const std::string hint = title.empty() ? "" : "<title>" + escape(title) + "</title>";
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += at(x + dx) + "," + at(y + dy) + " ";
    return "<polygon points=\"" + points + "\" fill=\"" + color + "\">" + hint + "</polygon>\n";
  };
  switch (kind % 4) {
    case 0: return "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) + "\" r=\"3.8\" fill=\"" + color + "\">" + hint + "</circle>\n";
    case 1: return polygon({{-3.4, -3.4}, {3.4, -3.4}, {3.4, 3.4}, {-3.4, 3.4}});
    case 2: return polygon({{0, -4.8}, {4.8, 0}, {0, 4.8}, {-4.8, 0}});
    default: return polygon({{0, -4.6}, {4.4, 3.6}, {-4.4, 3.6}});
  }
}

struct Axis {
  double low, high;  // of the values, or of their logarithms
  std::vector<double> ticks;
};

// At most `most` steps of 1, 2 or 5 times a power of ten that begin at 0.
Axis linear_axis(double largest, int most) {
  double step = std::pow(10.0, std::floor(std::log10(std::max(largest, 1e-12) / most)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    if (largest / step > most) step *= factor;
  }
  Axis axis{0, std::ceil(largest * 1.02 / step) * step, {}};
  for (int i = 0; i * step <= axis.high * 1.0001; ++i) axis.ticks.push_back(i * step);
  return axis;
}

Axis ratio_axis(double smallest, double largest) {
  Axis axis{std::min(std::floor(2 * std::log2(smallest) - 0.1) / 2, -0.5), std::max(std::ceil(2 * std::log2(largest) + 0.1) / 2, 0.5), {}};
  const bool fine = axis.high - axis.low <= 3.01;
  for (const double tick : {1. / 64, 1. / 32, 1. / 16, 0.125, 0.25, 0.35, 0.5, 0.7, 1., 1.4, 2., 2.8, 4., 5.6, 8., 16., 32., 64.}) {
    const double where = std::log2(tick);
    const bool is_power = std::abs(where - std::round(where)) < 1e-9;
    if (where >= axis.low - 1e-9 && where <= axis.high + 1e-9 && (is_power || fine)) axis.ticks.push_back(tick);
  }
  return axis;
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
  x_low = std::floor(x_low - 0.35);
  x_high = std::ceil(x_high + 0.35);
  const Axis axis = plot.ratios ? ratio_axis(low, high) : linear_axis(high, 6);

  std::string legend;
  double legend_x = kLeft;
  double legend_y = kTitle + 14;
  for (const Series& series : plot.series) {
    const double width = 26 + kLetter * static_cast<double>(series.name.size());
    if (legend_x > kLeft && legend_x + width > kWidth - kRight) legend_x = kLeft, legend_y += kLegendRow;
    legend += marker(legend_x + 6, legend_y - 4, series.color, "") + text(legend_x + 16, legend_y, "start", escape(series.name));
    legend_x += width;
  }
  const double top = legend_y + 14;
  const double bottom = top + kArea;
  const double height = bottom + kBottom;
  const auto x_of = [&](double value) { return kLeft + (value - x_low) / (x_high - x_low) * (kWidth - kLeft - kRight); };
  const auto y_of = [&](double value) {
    const double where = plot.ratios ? std::log2(value) : value;
    return bottom - (where - axis.low) / (axis.high - axis.low) * kArea;
  };

  std::string picture = "<svg viewBox=\"0 0 " + at(kWidth) + " " + at(height) + "\" role=\"img\" aria-label=\"" + escape(plot.title) +
                        "\" font-size=\"13\" fill=\"#333\">\n" +
                        text(kLeft, 17, "start", escape(plot.title), " font-weight=\"600\" font-size=\"14\"") + legend;
  for (const double tick : axis.ticks) {
    const double y = y_of(tick);
    picture += line(kLeft, y, kWidth - kRight, y, "#e4e4de") + text(kLeft - 8, y + 4.5, "end", number("%g", tick));
  }
  const double step = std::max(1.0, std::ceil((x_high - x_low) / 12));
  for (double tick = x_low; tick <= x_high; tick += step) {
    const double x = x_of(tick);
    picture += line(x, bottom, x, bottom + 5, "#777") +
               text(x, bottom + 20, "middle", "2<tspan dy=\"-5\" font-size=\"9.5\">" + number("%g", tick) + "</tspan>");
  }
  if (plot.ratios) picture += line(kLeft, y_of(1), kWidth - kRight, y_of(1), "#333", " stroke-dasharray=\"5 4\"");
  picture += line(kLeft, bottom, kWidth - kRight, bottom, "#777") + line(kLeft, top, kLeft, bottom, "#777");
  picture += text((kLeft + kWidth - kRight) / 2, bottom + 40, "middle", "n, points of one transform") +
             text(kWidth - kRight, height - 6, "end", escape(plot.note), " font-size=\"11\" fill=\"#77776f\"");
  picture += "<text transform=\"translate(14 " + at((top + bottom) / 2) + ") rotate(-90)\" text-anchor=\"middle\">" + escape(plot.unit) + "</text>\n";
  for (const Series& series : plot.series) {
    std::vector<PlotPoint> points = series.points;
    std::sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.log2_n < b.log2_n; });
    std::string path;
    for (const PlotPoint& point : points) path += at(x_of(point.log2_n)) + "," + at(y_of(point.value)) + " ";
    if (plot.joined && points.size() > 1) {
      picture += "<polyline points=\"" + path + "\" fill=\"none\" stroke-width=\"1.8\" stroke=\"" +
                 kColors[static_cast<std::size_t>(series.color) % kColors.size()] + "\"/>\n";
    }
    for (const PlotPoint& point : points) picture += marker(x_of(point.log2_n), y_of(point.value), series.color, point.label);
  }
  return picture + "</svg>\n";
}

}  // namespace ulpfft_tool::bench
