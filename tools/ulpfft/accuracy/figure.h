// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a study found, as a value: curves over one variable, and the sentence they support. Page, text, JSON and CSV print the same.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_FIGURE_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_FIGURE_H_

#include <cstddef>
#include <string>
#include <vector>

namespace ulpfft_tool {

struct Point {
  double x;
  double y;          // not finite: overflowed, drawn at the upper end
  std::string note;  // e.g. the recipe
  double spread = 0.0;  // drawn as a bar from y - spread to y + spread
};

enum class Stroke { kSolid, kDashed, kNone };

struct Curve {
  std::string name;
  int color = 0;  // 0..7; the shape of the marks follows it unless `shape` is given
  Stroke stroke = Stroke::kSolid;
  int shape = -1;  // 0..3, kNoMark, or as the colour says
  bool hollow = false;
  std::vector<Point> points;  // by ascending x
  bool in_table = true;       // false: a few values to compare with, drawn and in the CSV
};
inline constexpr int kNoMark = 4;

// A line across.
struct Level {
  double y;
  std::string name;
  int color = 0;
};

enum class Scale {
  kLinear,    // up: from 0 unless told otherwise; across: from the least
  kLog,       // powers of ten
  kCounts,    // logarithmic from 1, and 0 below
  kPowers,    // of 2, as 2^k
  kDoubling,  // of 2, as plain numbers
};

struct Figure {
  std::string study;  // as --study names it
  std::string id;     // unique; name of the CSV file
  std::string title;
  std::string x_name, y_name;
  Scale x_scale = Scale::kPowers;
  Scale y_scale = Scale::kLog;
  std::vector<Curve> curves;
  std::vector<Level> levels;
  std::string sentence;  // what the figure shows
  std::string missing;   // why there is nothing, or not all
  double y_from = 0;     // of a linear axis, where nothing lies below
  double y_most = 0;     // curves end there: what lies above means nothing; 0: no such end
};

// The curve of this number among many: the ninth is drawn hollow and dashed.
Curve numbered_curve(std::string name, std::size_t index);

// Of one curve, at x; 0 where it has no such point.
double value_at(const Figure& figure, const std::string& curve, double x);

std::string show_value(double value);            // "1.23e-04", "0.123", "17", "overflow"
std::string figure_text(const Figure& figure);   // curves as rows, x as columns
std::string figure_table(const Figure& figure);  // the same in HTML
std::string figure_csv(const Figure& figure);    // a row for every point
std::string figure_svg(const Figure& figure);    // "" without points

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_FIGURE_H_
