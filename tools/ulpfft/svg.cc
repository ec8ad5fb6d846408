// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/svg.h"

#include <cmath>
#include <utility>

#include "tools/ulpfft/html.h"

namespace ulpfft_tool {
namespace {

std::string size_of_font(double size) { return " font-size=\"" + number("%g", size) + "\""; }

}  // namespace

std::string svg_begin(double width, double height, std::string_view label) {
  const double least = std::ceil(width * kLeastLetter / kSmallestFont);
  return "<div class=\"picture\"><svg viewBox=\"0 0 " + svg_number(width) + " " + svg_number(height) + "\" style=\"min-width:" + number("%.0f", least) +
         "px\" role=\"img\" aria-label=\"" + escape(label) + "\"" + size_of_font(kFont) + ">\n";
}

std::vector<std::string> svg_rows(std::string text, std::size_t letters) {
  std::vector<std::string> rows;
  while (text.size() > letters) {
    const std::size_t space = text.rfind(' ', letters);
    if (space == text.npos || space == 0) break;
    rows.push_back(text.substr(0, space));
    text.erase(0, space + 1);
  }
  rows.push_back(std::move(text));
  return rows;
}

std::string svg_number(double value) { return number("%.1f", value); }

std::string svg_words(double x, double y, const char* anchor, const std::string& text, const std::string& more) {
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" + text + "</text>\n";
}

std::string svg_upwards(double x, double y, const std::string& text) {
  return "<text transform=\"translate(" + svg_number(x) + " " + svg_number(y) + ") rotate(-90)\" text-anchor=\"middle\">" + text + "</text>\n";
}

std::string svg_power(int base, double exponent) {
  return std::to_string(base) + "<tspan dy=\"-5\"" + size_of_font(kSmallestFont) + ">" + (exponent < 0 ? "&#8722;" : "") + number("%g", std::abs(exponent)) + "</tspan>";
}

std::string svg_line(double x1, double y1, double x2, double y2, const std::string& kind, const std::string& more) {
  return "<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" + svg_number(x2) + "\" y2=\"" + svg_number(y2) + "\" class=\"" + kind + "\"" + more +
         "/>\n";
}

std::string svg_path(const std::string& points, const std::string& kind, const std::string& more) {
  return "<polyline points=\"" + points + "\" class=\"" + kind + "\" stroke-linejoin=\"round\"" + more + "/>\n";
}

std::string svg_mark(double x, double y, int shape, int color, bool hollow, const std::string& hint) {
  const std::string kind = " class=\"m" + std::to_string(color % kSvgColors) + (hollow ? " open" : "") + "\"";
  const std::string title = hint.empty() ? "" : "<title>" + escape(hint) + "</title>";
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += svg_number(x + dx) + "," + svg_number(y + dy) + " ";
    return "<polygon points=\"" + points + "\"" + kind + ">" + title + "</polygon>\n";
  };
  switch (shape % kSvgShapes) {
    case 0: return "<circle cx=\"" + svg_number(x) + "\" cy=\"" + svg_number(y) + "\" r=\"3.4\"" + kind + ">" + title + "</circle>\n";
    case 1: return polygon({{-3.1, -3.1}, {3.1, -3.1}, {3.1, 3.1}, {-3.1, 3.1}});
    case 2: return polygon({{0, -4.3}, {4.3, 0}, {0, 4.3}, {-4.3, 0}});
    default: return polygon({{0, -4.1}, {3.9, 3.2}, {-3.9, 3.2}});
  }
}

std::string svg_stroke(int color) { return "l" + std::to_string(color % kSvgColors); }

}  // namespace ulpfft_tool
