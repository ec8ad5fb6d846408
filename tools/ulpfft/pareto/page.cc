// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The page of `ulpfft plan --pareto --html`: time against error, every row a point.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/ulpfft/html.h"
#include "tools/ulpfft/pareto/report.h"
#include "tools/ulpfft/svg.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool::pareto {
namespace {

// Of the whole figure and its plotting area.
struct Frame {
  double width, top, area;
  double left() const { return 62; }
  double right() const { return width - 16; }
  double bottom() const { return top + area; }
  double height() const { return bottom() + 54; }
};
constexpr Frame kWide = {900, 92, 470}, kPhone = {430, 118, 440};
constexpr double kLabelHeight = 15;
constexpr double kRow = 18;  // of the heading

// Told apart by colour and by shape, which have the same number.
struct Look {
  const char* words;
  int color;
  int shape;
};
constexpr std::array<Look, 4> kLooks = {{{"f32 arithmetic", 0, 0}, {"f64 arithmetic", 1, 1}, {"narrow between passes", 2, 2}, {"emulated arithmetic", 7, 3}}};

const Look& look_of(const Row& row) { return kLooks[row.emulated ? 3 : !row.between.empty() ? 2 : row.scheme == "f64" ? 1 : 0]; }

bool is_drawn(const Row& row) { return row.measured() && std::isfinite(row.error) && row.error > 0; }

// Filled where the arrays are the problem's.
std::string marker(double x, double y, const Look& look, bool filled, const std::string& hint) { return svg_mark(x, y, look.shape, look.color, !filled, hint); }

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

struct Place {
  Frame frame;
  Scale x, y;
};

// By ascending error.
std::vector<const Row*> front_of(const Table& table, bool own) {
  std::vector<const Row*> front;
  for (const Row& row : table.rows) {
    if ((own ? row.own_front : row.front) && row.error > 0) front.push_back(&row);
  }
  std::sort(front.begin(), front.end(), [](const Row* a, const Row* b) { return a->error < b->error; });
  return front;
}

struct Corner {
  double x, y;
};

// Of the line along a front: down from the top, then steps to the right end.
std::vector<Corner> steps_of(const std::vector<const Row*>& front, const Place& place) {
  std::vector<Corner> corners;
  for (std::size_t i = 0; i < front.size(); ++i) {
    const double x = place.x(front[i]->error), y = place.y(front[i]->seconds);
    if (i == 0) corners.push_back({x, place.frame.top});
    corners.push_back({x, y});
    corners.push_back({i + 1 < front.size() ? place.x(front[i + 1]->error) : place.frame.right(), y});
  }
  return corners;
}

std::string step_line(const Table& table, bool own, const Place& place) {
  std::string path;
  for (const Corner& corner : steps_of(front_of(table, own), place)) path += svg_number(corner.x) + "," + svg_number(corner.y) + " ";
  return path.empty() ? "" : svg_path(path, "ink", std::string(" stroke-width=\"1.4\"") + (own ? "" : " stroke-dasharray=\"5 4\""));
}

std::string name_of(const Row& row) { return row.storage() + ", " + row.scheme + (row.between.empty() ? "" : " |" + row.between); }

struct Label {
  const Row* row;
  std::string text;
};

// Every point of the fronts by its full name; then of every storage, which is a group, the fastest point of its own front by the name of the storage.
std::vector<Label> labels_of(const Table& table) {
  std::vector<Label> list;
  std::vector<std::string> named;
  for (const Row& row : table.rows) {
    if (!is_drawn(row) || !(row.front || row.own_front)) continue;
    list.push_back({&row, name_of(row)});
    named.push_back(row.storage());
  }
  for (const Row& row : table.rows) {
    if (!is_drawn(row) || std::find(named.begin(), named.end(), row.storage()) != named.end()) continue;
    const Row* fastest = &row;
    for (const Row& other : table.rows) {
      if (is_drawn(other) && other.storage() == row.storage() && other.seconds < fastest->seconds) fastest = &other;
    }
    list.push_back({fastest, row.storage()});
    named.push_back(row.storage());
  }
  return list;
}

struct Box {
  double left, right, top, bottom;
  bool meets(const Box& other) const { return left < other.right && other.left < right && top < other.bottom && other.top < bottom; }
};

// Where the text of a label is closest to its point and covers nothing; nothing where there is no room.
std::optional<Box> free_place(const std::vector<Box>& taken, const Frame& frame, double x, double y, double width) {
  constexpr double kStep = 8, kFarthest = 240;
  std::optional<Box> best;
  double nearest = kFarthest;
  for (double dy = -kFarthest; dy <= kFarthest; dy += kStep) {
    for (double dx = -kFarthest; dx <= kFarthest; dx += kStep) {
      const Box box{x + dx, x + dx + width, y + dy - kLabelHeight / 2, y + dy + kLabelHeight / 2};
      const double away = std::hypot(std::max({box.left - x, x - box.right, 0.0}), std::max({box.top - y, y - box.bottom, 0.0}));
      if (away >= nearest || box.left < frame.left() + 2 || box.right > frame.right() + 6 || box.top < frame.top || box.bottom > frame.bottom() - 2) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const Box& other) { return box.meets(other); })) continue;
      nearest = away;
      best = box;
    }
  }
  return best;
}

// Beside their points, or further away with a line to them.
std::string labels(const Table& table, const Place& place) {
  std::vector<Box> taken;
  for (const Row& row : table.rows) {
    const double x = place.x(row.error), y = place.y(row.seconds);
    if (is_drawn(row)) taken.push_back({x - 4, x + 4, y - 4, y + 4});
  }
  for (const bool own : {false, true}) {
    const std::vector<Corner> corners = steps_of(front_of(table, own), place);
    for (std::size_t i = 1; i < corners.size(); ++i) {
      const auto& [x1, y1] = corners[i - 1];
      const auto& [x2, y2] = corners[i];
      taken.push_back({std::min(x1, x2) - 1, std::max(x1, x2) + 1, std::min(y1, y2) - 1, std::max(y1, y2) + 1});
    }
  }
  std::string lines, text;
  for (const Label& label : labels_of(table)) {
    const double x = place.x(label.row->error), y = place.y(label.row->seconds);
    const auto box = free_place(taken, place.frame, x, y, 8 + kLetterUnits * static_cast<double>(label.text.size()));
    if (!box) continue;
    taken.push_back(*box);
    const double to_x = std::clamp(x, box->left, box->right), to_y = std::clamp(y, box->top, box->bottom);
    if (std::hypot(to_x - x, to_y - y) > 8) lines += svg_line(x, y, to_x, to_y, "axis");
    text += svg_words(box->left + 2, box->bottom - 3.5, "start", escape(label.text), " class=\"label\"");
  }
  return lines + text;
}

std::string heading(const Table& table, const Frame& frame) {
  double x = 14, y = 20;
  std::string svg = svg_words(8, y, "start", escape(table.problem) + ": time against error", " font-weight=\"600\"");
  y += kRow + 2;
  for (const Look& look : kLooks) {
    const double width = 30 + kLetterUnits * static_cast<double>(std::string_view(look.words).size());
    if (x + width > frame.width) x = 14, y += kRow;
    svg += marker(x, y - 4.5, look, true, "") + svg_words(x + 10, y, "start", look.words);
    x += width;
  }
  for (const char* words : {"filled, solid: the problem&#8217;s arrays; hollow, dashed: others", "named: points of both fronts, and the fastest of every storage"})
    svg += svg_words(8, y += kRow, "start", words, " class=\"soft\"");
  return svg;
}

std::string axes(const Table& table, const Place& place) {
  std::string svg;
  const auto& [frame, x, y] = place;
  const double left = frame.left(), right = frame.right(), bottom = frame.bottom();
  const int step = static_cast<int>(std::ceil((x.high - x.low) * 44 / (right - left)));
  for (int power = static_cast<int>(x.low); power <= static_cast<int>(x.high); power += step) {
    const double where = x(std::pow(10.0, power));
    svg += svg_line(where, frame.top, where, bottom, "grid") + svg_words(where, bottom + 20, "middle", svg_power(10, power));
  }
  for (int power = static_cast<int>(std::floor(y.low)); power <= static_cast<int>(std::ceil(y.high)); ++power) {
    for (const int factor : {1, 2, 5}) {
      const double value = factor * std::pow(10.0, power);
      if (std::log10(value) < y.low || std::log10(value) > y.high) continue;
      svg += svg_line(left, y(value), right, y(value), "grid") + svg_words(left - 7, y(value) + 4.5, "end", round_time(value));
    }
  }
  if (table.max_error > 0 && std::log10(table.max_error) > x.low && std::log10(table.max_error) < x.high) {
    const double where = x(table.max_error);
    svg += svg_line(where, frame.top, where, bottom, "warn", " stroke-dasharray=\"3 3\"") +
           svg_words(where - 5, frame.top + 12, "end", "max_error", " class=\"bad-words\"");
  }
  return svg + svg_line(left, bottom, right, bottom, "axis") + svg_line(left, frame.top, left, bottom, "axis") +
         svg_words((left + right) / 2, bottom + 42, "middle", "relative L2 error, measured");
}

std::string plot(const Table& table, const Frame& frame) {
  double low_x = 1e300, high_x = 0, low_y = 1e300, high_y = 0;
  for (const Row& row : table.rows) {
    if (!is_drawn(row)) continue;
    low_x = std::min(low_x, row.error), high_x = std::max(high_x, row.error);
    low_y = std::min(low_y, row.seconds), high_y = std::max(high_y, row.seconds);
  }
  if (high_x == 0 || high_y == 0) return "";
  const Place place{frame,
                    {std::floor(std::log10(low_x)), std::ceil(std::log10(high_x) + 1e-9), frame.left(), frame.right()},
                    {std::log10(low_y) - 0.35, std::log10(high_y) + 0.1, frame.bottom(), frame.top}};
  std::string svg = svg_begin(frame.width, frame.height(), "time against error") + heading(table, frame) + axes(table, place) + step_line(table, false, place) +
                    step_line(table, true, place);
  // What matters most is drawn last.
  for (const int pass : {0, 1, 2}) {
    for (const Row& row : table.rows) {
      if (!is_drawn(row) || (row.front || row.own_front ? 2 : row.emulated ? 0 : 1) != pass) continue;
      svg += marker(place.x(row.error), place.y(row.seconds), look_of(row), row.own,
                    name_of(row) + ": " + show_error(row.error) + ", " + show_seconds(row.seconds) + ", " + row.recipe);
    }
  }
  return svg + labels(table, place) + std::string(kSvgEnd);
}

std::string rows_table(const Table& table) {
  std::string text =
      "<div class=\"scroll\"><table><thead><tr><th class=\"text\"></th><th class=\"text\">arrays</th><th class=\"text\">scheme</th><th class=\"text\">between "
      "passes</th><th>bytes<br>a point</th><th>ns<br>a point</th><th>time</th><th>spread</th><th>transforms<br>timed</th><th>predicted<br>error</th><th>error</th>"
      "<th class=\"text\">recipe</th></tr></thead><tbody>\n";
  for (const Row& row : table.rows) {
    if (!row.measured()) continue;
    const std::string part = part_timed(table, row);
    text += "<tr>" + cell(mark_of(row), "text") + cell(escape(row.storage()), "text") + cell(escape(row.scheme), "text") +
            cell(escape(row.between), "text") + cell(number("%.4g", row.bytes)) + cell(number("%.3f", ns_per_point(table, row))) +
            cell(html_time(row.seconds)) + cell(show_percent(row.spread)) + cell(part.empty() ? "all" : part) +
            cell(show_error(row.predicted)) + cell(show_error(row.error)) + recipe_cell(row.recipe) + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

// Rows without numbers, folded: a line for each reason, which opens to their names.
std::string unmeasured_rows(const Table& table) {
  std::string text;
  for (const auto& [reason, rows] : rows_left_out(table)) {
    text += "<details><summary>" + std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows") +
            " not measured: " + escape(reason) + "</summary><p>";
    for (const Row* row : rows) text += (row == rows.front() ? "" : "; ") + escape(name_of(*row));
    text += "</p></details>\n";
  }
  return text;
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
                                  : recipe_cell(choice.recipe) + cell(show_error(choice.error)) +
                                        cell(choice.over_fastest > 0 ? number("%.3f", choice.over_fastest) : "-");
    text += (choice.fastest.empty() ? cell("none", "text") : recipe_cell(choice.fastest)) + "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace

std::string page(const Table& table) {
  std::string text = html_begin("ulpfft plan: " + table.problem, "Time against error: " + table.problem, kReportStyle);
  text += "<p>" + escape(processor_name() + ", " + table.machine + "; " + today() + "; ulpfft " + ulpfft::version()) +
          ". Every arithmetic of the build with every storage it has for arrays, and with every storage between passes.</p>\n<p>Errors are relative L2 against the "
          "exact transform of what the input encodes, normal data, rounding of the output included. f32 and f64 are timed by turns on the same arrays; "
          "emulated arithmetic, which does what f32 or f64 do and rounds on top, on the transforms the table says.</p>\n";
  text += "<div class=\"on-wide\">" + plot(table, kWide) + "</div>\n<div class=\"on-phone\">" + plot(table, kPhone) + "</div>\n";
  return text + choices_table(table) + "<h2>Measured, by error</h2>\n" + rows_table(table) + unmeasured_rows(table) + std::string(kHtmlEnd);
}

}  // namespace ulpfft_tool::pareto
