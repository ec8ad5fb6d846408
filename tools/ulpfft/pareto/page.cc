// The page of `ulpfft plan --pareto --html`: time against error, every row a point.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/pareto/report.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::pareto {
namespace {

constexpr double kWidth = 1060, kLeft = 74, kRight = 24, kTop = 78, kArea = 470, kBottom = kTop + kArea, kHeight = kBottom + 62;
constexpr double kLetter = 7.2;
constexpr double kLabelHeight = 15;

// Told apart by colour (Okabe and Ito) and by shape.
struct Look {
  const char* words;
  const char* color;
  int shape;
};
constexpr std::array<Look, 4> kLooks = {{{"f32 arithmetic", "#0072b2", 0}, {"f64 arithmetic", "#d55e00", 1}, {"narrow between passes", "#009e73", 2},
                                         {"emulated arithmetic", "#999990", 3}}};

const Look& look_of(const Row& row) { return kLooks[row.emulated ? 3 : !row.between.empty() ? 2 : row.scheme == "f64" ? 1 : 0]; }

std::string at(double value) { return number("%.1f", value); }

std::string words(double x, double y, const char* anchor, const std::string& text, const std::string& more = "") {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" + text + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* color, const char* more = "") {
  return "<line x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" + at(x2) + "\" y2=\"" + at(y2) + "\" stroke=\"" + color + "\"" + more + "/>\n";
}

// Filled where the arrays are the problem's.
std::string marker(double x, double y, const Look& look, bool filled, const std::string& hint) {
  const std::string paint = std::string(" fill=\"") + (filled ? look.color : "#fff") + "\" stroke=\"" + look.color + "\" stroke-width=\"1.3\">" +
                            (hint.empty() ? "" : "<title>" + escape(hint) + "</title>");
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) points += at(x + dx) + "," + at(y + dy) + " ";
    return "<polygon points=\"" + points + "\"" + paint + "</polygon>\n";
  };
  switch (look.shape) {
    case 0: return "<circle cx=\"" + at(x) + "\" cy=\"" + at(y) + "\" r=\"4\"" + paint + "</circle>\n";
    case 1: return polygon({{-3.6, -3.6}, {3.6, -3.6}, {3.6, 3.6}, {-3.6, 3.6}});
    case 2: return polygon({{0, -4.8}, {4.8, 0}, {0, 4.8}, {-4.8, 0}});
    default: return polygon({{0, -3.8}, {3.6, 3}, {-3.6, 3}});
  }
}

std::string ten_to(int power) { return "10<tspan dy=\"-5\" font-size=\"9.5\">" + std::to_string(power) + "</tspan>"; }

// Of 1, 2 or 5 times a power of ten.
std::string round_time(double seconds) {
  for (const auto& [unit, name] : {std::pair(1.0, " s"), std::pair(1e-3, " ms"), std::pair(1e-6, " &#181;s")}) {
    if (seconds > 0.99 * unit) return number("%.0f", seconds / unit) + name;
  }
  return number("%.0f", seconds / 1e-9) + " ns";
}

struct Scale {
  double low, high;  // logarithms
  double begin, end;
  double operator()(double value) const { return begin + (std::log10(value) - low) / (high - low) * (end - begin); }
};

std::string step_line(const Table& table, bool own, const Scale& x, const Scale& y) {
  std::vector<const Row*> front;
  for (const Row& row : table.rows) {
    if ((own ? row.own_front : row.front) && row.error > 0) front.push_back(&row);
  }
  if (front.empty()) return "";
  std::sort(front.begin(), front.end(), [](const Row* a, const Row* b) { return a->error < b->error; });
  std::string path = at(x(front[0]->error)) + "," + at(kTop);
  for (std::size_t i = 0; i < front.size(); ++i) {
    path += " " + at(x(front[i]->error)) + "," + at(y(front[i]->seconds));
    path += " " + at(i + 1 < front.size() ? x(front[i + 1]->error) : kWidth - kRight) + "," + at(y(front[i]->seconds));
  }
  return "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"#333\" stroke-width=\"1.4\"" + std::string(own ? "" : " stroke-dasharray=\"5 4\"") + "/>\n";
}

std::string name_of(const Row& row) { return row.storage() + ", " + row.scheme + (row.between.empty() ? "" : " |" + row.between); }

// What stands beside the points of the fronts, where there is room.
std::string labels(const Table& table, const Scale& x, const Scale& y) {
  struct Box {
    double left, right, top, bottom;
  };
  // The points themselves, and the lines down to them.
  std::vector<Box> taken;
  const Row* last[2] = {};  // of all, of the own
  for (const Row& row : table.rows) {
    if (!(row.front || row.own_front) || !(row.error > 0)) continue;
    const double right = x(row.error), down = y(row.seconds);
    taken.push_back({right - 4, right + 4, down - 4, down + 4});
    for (const bool own : {false, true}) {
      if (!(own ? row.own_front : row.front)) continue;
      if (last[own] != nullptr) taken.push_back({right - 1, right + 1, y(last[own]->seconds), down});
      last[own] = &row;
    }
  }
  std::string text;
  for (const Row& row : table.rows) {
    if (!(row.front || row.own_front) || !(row.error > 0)) continue;
    const std::string name = name_of(row);
    const double width = kLetter * 0.9 * static_cast<double>(name.size());
    for (const auto& [dx, dy, anchor] : {std::tuple(8.0, 16.0, "start"), std::tuple(-8.0, 16.0, "end"), std::tuple(8.0, 32.0, "start"), std::tuple(-8.0, 32.0, "end")}) {
      const double left = x(row.error) + dx - (dx < 0 ? width : 0), top = y(row.seconds) + dy - kLabelHeight + 3;
      const Box box{left, left + width, top, top + kLabelHeight};
      const bool outside = box.left < kLeft || box.right > kWidth - kRight + 10 || box.bottom > kBottom - 2;
      const bool meets = std::any_of(taken.begin(), taken.end(), [&](const Box& other) {
        return box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom;
      });
      if (outside || meets) continue;
      taken.push_back(box);
      text += words(x(row.error) + dx, y(row.seconds) + dy, anchor, escape(name), " font-size=\"12\"");
      break;
    }
  }
  return text;
}

std::string plot(const Table& table) {
  double low_x = 1e300, high_x = 0, low_y = 1e300, high_y = 0;
  for (const Row& row : table.rows) {
    if (!row.measured() || !std::isfinite(row.error) || !(row.error > 0)) continue;
    low_x = std::min(low_x, row.error), high_x = std::max(high_x, row.error);
    low_y = std::min(low_y, row.seconds), high_y = std::max(high_y, row.seconds);
  }
  if (high_x == 0 || high_y == 0) return "";
  const Scale x{std::floor(std::log10(low_x)), std::ceil(std::log10(high_x) + 1e-9), kLeft, kWidth - kRight};
  const Scale y{std::log10(low_y) - 0.35, std::log10(high_y) + 0.1, kBottom, kTop};
  std::string svg = "<svg viewBox=\"0 0 " + at(kWidth) + " " + at(kHeight) + "\" role=\"img\" aria-label=\"time against error\" font-size=\"13\" fill=\"#333\" " +
                    "font-family=\"system-ui, 'DejaVu Sans', sans-serif\">\n" +
                    words(kLeft, 20, "start", escape(table.problem) + ": time against error", " font-weight=\"600\" font-size=\"14\"");
  double legend = kLeft + 6;
  for (const Look& look : kLooks) {
    svg += marker(legend, 43, look, true, "") + words(legend + 10, 47.5, "start", look.words);
    legend += 36 + kLetter * static_cast<double>(std::string(look.words).size());
  }
  svg += words(kLeft, 67, "start", "filled, solid line: the arrays are the problem&#8217;s; hollow, dashed: other arrays", " font-size=\"12\" fill=\"#55554f\"");
  const int step = x.high - x.low > 12 ? 2 : 1;
  for (int power = static_cast<int>(x.low); power <= static_cast<int>(x.high); power += step) {
    const double where = x(std::pow(10.0, power));
    svg += line(where, kTop, where, kBottom, "#ecece7") + words(where, kBottom + 20, "middle", ten_to(power));
  }
  for (int power = static_cast<int>(std::floor(y.low)); power <= static_cast<int>(std::ceil(y.high)); ++power) {
    for (const int factor : {1, 2, 5}) {
      const double value = factor * std::pow(10.0, power);
      if (std::log10(value) < y.low || std::log10(value) > y.high) continue;
      svg += line(kLeft, y(value), kWidth - kRight, y(value), factor == 1 ? "#deded8" : "#f0f0ec") +
             words(kLeft - 8, y(value) + 4.5, "end", round_time(value));
    }
  }
  if (table.max_error > 0 && std::log10(table.max_error) > x.low && std::log10(table.max_error) < x.high) {
    const double where = x(table.max_error);
    svg += line(where, kTop, where, kBottom, "#8a1f14", " stroke-dasharray=\"3 3\"") + words(where - 5, kTop + 12, "end", "max_error", " font-size=\"12\" fill=\"#8a1f14\"");
  }
  svg += line(kLeft, kBottom, kWidth - kRight, kBottom, "#777") + line(kLeft, kTop, kLeft, kBottom, "#777") +
         words((kLeft + kWidth - kRight) / 2, kBottom + 44, "middle", "relative L2 error, measured");
  svg += step_line(table, false, x, y) + step_line(table, true, x, y);
  // What matters most is drawn last.
  for (const int pass : {0, 1, 2}) {
    for (const Row& row : table.rows) {
      if (!row.measured() || !std::isfinite(row.error) || !(row.error > 0)) continue;
      if ((row.front || row.own_front ? 2 : row.emulated ? 0 : 1) != pass) continue;
      svg += marker(x(row.error), y(row.seconds), look_of(row), row.own,
                    name_of(row) + ": " + show_error(row.error) + ", " + show_seconds(row.seconds) + ", " + row.recipe);
    }
  }
  return svg + labels(table, x, y) + "</svg>\n";
}

std::string rows_table(const Table& table) {
  std::string text =
      "<div class=\"scroll\"><table><thead><tr><th class=\"text\"></th><th class=\"text\">arrays</th><th class=\"text\">scheme</th><th class=\"text\">between "
      "passes</th><th>bytes<br>a point</th><th>ns<br>a point</th><th>time</th><th>spread</th><th>transforms<br>timed</th><th>predicted<br>error</th><th>error</th>"
      "<th class=\"text\">recipe</th></tr></thead><tbody>\n";
  for (const Row& row : table.rows) {
    text += "<tr>" + cell(mark_of(row), "text") + cell(escape(row.storage()), "text") + cell(escape(row.scheme), "text") + cell(escape(row.between), "text") +
            cell(number("%.4g", row.bytes));
    if (!row.measured()) {
      text += "<td class=\"wide\" colspan=\"7\">not measured: " + escape(row.reason) + "</td></tr>\n";
      continue;
    }
    const std::string part = part_timed(table, row);
    text += cell(number("%.3f", ns_per_point(table, row))) + cell(html_time(row.seconds)) + cell(show_percent(row.spread)) + cell(part.empty() ? "all" : part) +
            cell(show_error(row.predicted)) + cell(show_error(row.error)) + cell("<code>" + escape(row.recipe) + "</code>", "text") + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string choices_table(const Table& table) {
  if (table.choices.empty()) return "";
  std::string text =
      "<h2>What max_error chooses</h2>\n<p>Each limit planned for itself, then timed by turns with the fastest row above that keeps it and has the problem&rsquo;s "
      "arrays.</p>\n<div class=\"scroll\"><table><thead><tr><th>max_error</th><th class=\"text\">chosen</th><th>error</th><th>time over<br>fastest row</th><th "
      "class=\"text\">fastest row that keeps it</th></tr></thead><tbody>\n";
  for (const Choice& choice : table.choices) {
    text += "<tr>" + cell(show_error(choice.limit));
    text += choice.recipe.empty() ? "<td class=\"wide\" colspan=\"3\">" + escape(choice.refusal) + "</td>"
                                  : cell("<code>" + escape(choice.recipe) + "</code>", "text") + cell(show_error(choice.error)) +
                                        cell(choice.over_fastest > 0 ? number("%.3f", choice.over_fastest) : "-");
    text += cell(choice.fastest.empty() ? "none" : "<code>" + escape(choice.fastest) + "</code>", "text") + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string page(const Table& table) {
  std::string text = html_begin("ulpfft plan: " + table.problem, "Time against error: " + table.problem, kReportStyle);
  text += "<p>" + escape(processor_name() + ", " + table.machine + "; " + today() + "; ulpfft " + ulpfft::version()) +
          ". Every arithmetic of the build with every storage it has for arrays, and with every storage between passes.</p>\n<p>Errors are relative L2 against the "
          "exact transform of what the input encodes, complex normal data, rounding of the output included. f32 and f64 are timed by turns on the same arrays; "
          "emulated arithmetic, which does what f32 or f64 do and rounds on top, on the transforms the table says.</p>\n";
  const std::string picture = plot(table);
  if (!picture.empty()) text += "<div class=\"plots\" style=\"grid-template-columns: minmax(0, 1fr)\">\n" + picture + "</div>\n";
  return text + choices_table(table) + "<h2>Measured, by error</h2>\n" + rows_table(table) + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool::pareto
