// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The page of `ulpfft psd --html`: spectrum, waterfall, what stands out.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools/ulpfft/demo/picture.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/signal/psd_report.h"
#include "tools/ulpfft/signal/quantity.h"
#include "tools/ulpfft/svg.h"
#include "tools/ulpfft/text.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::signals {
namespace {

constexpr std::string_view kPsdStyle =
    ".picture { margin-bottom: 18px; } pre { margin: 0; padding: 10px 12px; font: 13px/1.5 ui-monospace, monospace; }\n";

// A figure and its plotting area.
struct Frame {
  double width, top, area;
  int ticks;
  std::size_t columns, lines;  // of the picture
  double left() const { return 64; }
  double right() const { return width - 16; }
  double bottom() const { return top + area; }
  double height() const { return bottom() + 50; }
};
constexpr Frame kWideFrame = {900, 64, 380, 9, 640, 360}, kPhoneFrame = {430, 64, 300, 4, 340, 220};

std::string minus_signs(std::string text) { return text.starts_with('-') ? "&#8722;" + text.substr(1) : text; }

std::string tick_words(const Ticks& ticks, double place) { return minus_signs(show_rounded(ticks.pattern.c_str(), place)); }

std::string frequency_axis(const PsdReport& report, const Frame& frame, bool with_grid) {
  const double first = report.axis.at(0), last = report.axis.at(static_cast<double>(report.axis.bins));
  const Unit unit = frequency_unit(std::max(std::abs(first), std::abs(last)), report.axis.has_rate);
  const Ticks ticks = ticks_between(first / unit.size, last / unit.size, frame.ticks);
  std::string svg;
  for (const double place : ticks.places) {
    const double x = frame.left() + (place * unit.size - first) / (last - first) * (frame.right() - frame.left());
    svg += with_grid ? svg_line(x, frame.top, x, frame.bottom(), "grid")
                     : svg_line(x, frame.bottom(), x, frame.bottom() + 5, "axis");
    svg += svg_words(x, frame.bottom() + 20, "middle", tick_words(ticks, place));
  }
  return svg + svg_line(frame.left(), frame.bottom(), frame.right(), frame.bottom(), "axis") +
         svg_words((frame.left() + frame.right()) / 2, frame.bottom() + 40, "middle", "frequency, " + escape(unit.name));
}

// The largest of the bins that a point of the line stands for.
std::string spectrum_line(const PsdReport& report, const Frame& frame, const Levels& levels) {
  const std::size_t bins = report.powers.size(),
                    points = std::min<std::size_t>(bins, static_cast<std::size_t>(frame.right() - frame.left()));
  std::string path;
  for (std::size_t p = 0; p < points; ++p) {
    const auto begin = report.powers.begin() + static_cast<std::ptrdiff_t>(p * bins / points);
    const auto end = report.powers.begin() + static_cast<std::ptrdiff_t>((p + 1) * bins / points);
    const double power = *std::max_element(begin, end);
    const double place = power > 0 ? std::clamp((decibels(power) - levels.low) / (levels.high - levels.low), 0.0, 1.0) : 0.0;
    const double x = frame.left() + (static_cast<double>(p) + 0.5) / static_cast<double>(points) * (frame.right() - frame.left());
    path += svg_number(x) + "," + svg_number(frame.bottom() - place * frame.area) + " ";
  }
  return svg_path(path, svg_stroke(0), " stroke-width=\"1.3\"");
}

std::string peak_numbers(const PsdReport& report, const Frame& frame, const Levels& levels) {
  const double first = report.axis.at(0), last = report.axis.at(static_cast<double>(report.axis.bins));
  std::string svg;
  for (std::size_t i = 0; i < report.peaks.size(); ++i) {
    const Peak& peak = report.peaks[i];
    const double place = std::clamp((decibels(peak.largest) - levels.low) / (levels.high - levels.low), 0.0, 1.0);
    const double x =
        frame.left() + (peak.frequency + report.axis.step / 2 - first) / (last - first) * (frame.right() - frame.left());
    svg += svg_words(x, frame.bottom() - place * frame.area - 6, "middle", std::to_string(i + 1),
                     " class=\"label\" font-weight=\"600\"");
  }
  return svg;
}

std::string title_row(const std::string& title, const std::string& more) {
  return svg_words(8, 20, "start", title, " font-weight=\"600\"") + svg_words(8, 40, "start", more, " class=\"soft\"");
}

std::string spectrum_figure(const PsdReport& report, const Frame& frame) {
  Grid grid{report.powers.size(), 1, std::vector<float>(report.powers.begin(), report.powers.end())};
  Levels levels = levels_of(grid);
  levels.high += 5;  // room for numbers above the highest
  const Ticks ticks = ticks_between(levels.low, levels.high, 8);
  std::string svg = svg_begin(frame.width, frame.height(), "power by frequency") +
                    title_row("Spectrum: " + escape(report.settings.averaging.name) + " of " +
                                  show_count(static_cast<double>(report.count.rows)) + " rows",
                              escape(report.unit()) + "; a point is the largest of its bins");
  for (const double place : ticks.places) {
    const double y = frame.bottom() - (place - levels.low) / (levels.high - levels.low) * frame.area;
    svg += svg_line(frame.left(), y, frame.right(), y, "grid") +
           svg_words(frame.left() - 7, y + 4.5, "end", tick_words(ticks, place));
  }
  return svg + frequency_axis(report, frame, true) + spectrum_line(report, frame, levels) + peak_numbers(report, frame, levels) +
         std::string(kSvgEnd);
}

std::string image(double x, double y, double width, double height, const std::vector<std::uint8_t>& png) {
  return "<image x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" width=\"" + svg_number(width) + "\" height=\"" +
         svg_number(height) + "\" preserveAspectRatio=\"none\" href=\"" + data_url(png) + "\"/>\n";
}

// Colours from low to high, above the picture.
std::string color_scale(const PsdReport& report, const Frame& frame, const Levels& levels) {
  const double width = frame.right() - frame.left();
  std::string svg = image(frame.left(), 50, width, 9, scale_png());
  const Ticks ticks = ticks_between(levels.low, levels.high, frame.ticks);
  for (const double place : ticks.places) {
    const double x = frame.left() + (place - levels.low) / (levels.high - levels.low) * width;
    svg += svg_line(x, 59, x, 63, "axis") +
           svg_words(x, 77, place == ticks.places.back() && x > frame.right() - 10 ? "end" : "middle", tick_words(ticks, place));
  }
  return svg + svg_words(8, 59, "start", escape(report.baseline ? "dB" : report.unit()));
}

std::string waterfall_figure(const PsdReport& report, const Waterfall& waterfall, Frame frame) {
  const Grid grid = waterfall.grid(frame.columns, frame.lines);
  if (grid.powers.empty()) return "";
  frame.top = 86;
  const Levels levels = levels_of(grid);
  const Unit time = time_unit(report.duration(), report.axis.has_rate);
  const Ticks ticks = ticks_between(0, report.duration() / time.size, 6);
  std::string svg = svg_begin(frame.width, frame.height(), "power by frequency and time") +
                    title_row("Waterfall: time runs down", "a pixel is the largest of its bins, and the average of its rows") +
                    color_scale(report, frame, levels) +
                    image(frame.left(), frame.top, frame.right() - frame.left(), frame.area, grid_png(grid, levels));
  for (const double place : ticks.places) {
    const double y = frame.top + place * time.size / report.duration() * frame.area;
    svg += svg_line(frame.left() - 5, y, frame.left(), y, "axis") +
           svg_words(frame.left() - 8, y + 4.5, "end", tick_words(ticks, place));
  }
  return svg + svg_upwards(14, frame.top + frame.area / 2, "time, " + escape(time.name)) + frequency_axis(report, frame, false) +
         std::string(kSvgEnd);
}

std::string peaks_table(const PsdReport& report) {
  if (report.peaks.empty()) return "<p>No bin is 10 dB over the floor.</p>\n";
  std::string text = "<div class=\"scroll\"><table><thead><tr><th>peak</th><th>frequency</th><th>" + escape(report.unit()) +
                     "</th><th>over the<br>floor, dB</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < report.peaks.size(); ++i) {
    const Peak& peak = report.peaks[i];
    text += "<tr>" + cell(std::to_string(i + 1)) +
            cell(minus_signs(escape(show_frequency(peak.frequency, report.axis.has_rate, report.axis.step / 10)))) +
            cell(minus_signs(number("%.2f", decibels(peak.power)))) + cell(number("%.1f", decibels(peak.over_floor))) + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string psd_page(const PsdReport& report, const Waterfall& waterfall) {
  const std::string name = report.source.path == "-" ? "standard input" : report.source.path;
  std::string text = html_begin("ulpfft psd: " + name, "Spectrum of " + name, std::string(kReportStyle) + std::string(kPsdStyle));
  std::string facts = psd_text(report);
  text += "<p>" + escape(facts.substr(0, facts.find('\n'))) + ". " + today() + "; ulpfft " + ulpfft::version() + ".</p>\n";
  for (const auto& [kind, frame] : {std::pair("on-wide", kWideFrame), std::pair("on-phone", kPhoneFrame)}) {
    text += "<div class=\"" + std::string(kind) + "\">" + spectrum_figure(report, frame) +
            waterfall_figure(report, waterfall, frame) + "</div>\n";
  }
  text += "<h2>What stands out</h2>\n" + peaks_table(report) + "<div class=\"scroll\"><pre>" + escape(facts) + "</pre></div>\n";
  if (!report.settings.density) {
    text +=
        "<p class=\"note\">0 dBFS is a complex tone at full scale; a real sine at full scale has half of its power, &#8722;3.01 "
        "dBFS. A peak&rsquo;s level is the power "
        "of its main lobe over the noise bandwidth, so that it holds between bins, too.</p>\n";
  }
  return text + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool::signals
