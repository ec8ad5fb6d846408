// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/figure.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

std::vector<double> all_x(const Figure& figure) {
  std::vector<double> list;
  for (const Curve& curve : figure.curves) {
    if (!curve.in_table) continue;
    for (const Point& point : curve.points) list.push_back(point.x);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

const Point* find(const Curve& curve, double x) {
  const auto found = std::find_if(curve.points.begin(), curve.points.end(), [x](const Point& point) { return point.x == x; });
  return found == curve.points.end() ? nullptr : &*found;
}

// RFC 4180: quotes around what holds a comma, a quote or a line's end.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Of a heading: "65536", "1e-15".
std::string show_place(double x) { return number(x == std::round(x) && std::abs(x) < 1e9 ? "%.0f" : "%g", x); }

}  // namespace

Curve numbered_curve(std::string name, std::size_t index) {
  constexpr int kColors = 8, kShapes = 4;
  const int number = static_cast<int>(index), round = number / kColors;
  return {std::move(name), number % kColors, round > 0 ? Stroke::kDashed : Stroke::kSolid, (number + round) % kShapes, round > 0, {}};
}

double value_at(const Figure& figure, const std::string& curve, double x) {
  for (const Curve& candidate : figure.curves) {
    if (candidate.name != curve) continue;
    if (const Point* point = find(candidate, x)) return point->y;
  }
  return 0;
}

std::string show_value(double value) {
  if (!std::isfinite(value)) return "overflow";
  if (value == 0) return "0";
  if (value == std::round(value) && std::abs(value) < 1e6) return number("%.0f", value);
  return std::abs(value) >= 0.01 && std::abs(value) < 1000 ? number("%.3g", value) : number("%.2e", value);
}

std::string figure_text(const Figure& figure) {
  std::string text = figure.title + "\n";
  const std::vector<double> columns = all_x(figure);
  if (!columns.empty()) {
    std::vector<std::string> headings = {figure.x_name + ":"};
    for (const double x : columns) headings.push_back(">" + show_place(x));
    Table table(headings);
    for (const Curve& curve : figure.curves) {
      if (!curve.in_table) continue;
      std::vector<std::string> cells = {curve.name};
      for (const double x : columns) {
        const Point* point = find(curve, x);
        cells.push_back(point == nullptr ? "-" : show_value(point->y));
      }
      table.add(cells);
    }
    text += "  " + figure.y_name + "\n" + table.text("  ");
  }
  if (!figure.missing.empty()) text += "  " + figure.missing + "\n";
  if (!figure.sentence.empty()) text += "  " + figure.sentence + "\n";
  return text;
}

std::string figure_table(const Figure& figure) {
  // Curves are rows, but where they have so many points that a row would not fit.
  constexpr std::size_t kMostColumns = 12;
  const std::vector<double> places = all_x(figure);
  std::vector<const Curve*> curves;
  for (const Curve& curve : figure.curves) {
    if (curve.in_table) curves.push_back(&curve);
  }
  if (places.empty()) return "";
  const bool across = places.size() <= kMostColumns;
  std::string text = "<div class=\"scroll\"><table><thead><tr><th class=\"text\">" + escape(figure.x_name) + "</th>";
  const std::size_t columns = across ? places.size() : curves.size(), rows = across ? curves.size() : places.size();
  for (std::size_t column = 0; column < columns; ++column)
    text += "<th>" + (across ? show_place(places[column]) : escape(curves[column]->name)) + "</th>";
  text += "</tr></thead><tbody>\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += "<tr>" + cell(across ? escape(curves[row]->name) : show_place(places[row]), "text");
    for (std::size_t column = 0; column < columns; ++column) {
      const Point* point = find(*curves[across ? row : column], places[across ? column : row]);
      text += point == nullptr ? cell("") : cell(show_value(point->y), std::isfinite(point->y) ? "" : "above");
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string figure_csv(const Figure& figure) {
  std::string text = "curve," + csv_cell(figure.x_name) + "," + csv_cell(figure.y_name) + ",note\n";
  for (const Curve& curve : figure.curves) {
    for (const Point& point : curve.points) {
      text += csv_cell(curve.name) + "," + show_number(point.x) + "," + (std::isfinite(point.y) ? show_number(point.y) : "inf") + "," +
              csv_cell(point.note) + "\n";
    }
  }
  return text;
}

}  // namespace ulpfft_tool
