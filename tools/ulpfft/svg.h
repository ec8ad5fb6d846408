// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the figures of the pages share. Colours are classes, which html_begin() gives a light and a dark meaning; a figure is never drawn so small that its
// letters cannot be read: below that width it scrolls in its box.
#ifndef ULPFFT_TOOLS_ULPFFT_SVG_H_
#define ULPFFT_TOOLS_ULPFFT_SVG_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

inline constexpr double kLeastLetter = 9.2;    // pixels of a screen
inline constexpr double kSmallestFont = 11.0;  // units of a figure; no text is set in less
inline constexpr double kFont = 12.5;
inline constexpr double kLetterUnits = 7.8;    // width of a letter of that size, a little more than most take
inline constexpr int kSvgColors = 8;           // told apart by eyes of every kind (Okabe and Ito); svg_mark() adds a shape
inline constexpr int kSvgShapes = 4;           // circle, square, diamond, triangle

// The box, and the figure in it; every text of it goes through svg_words().
std::string svg_begin(double width, double height, std::string_view label);
inline constexpr std::string_view kSvgEnd = "</svg></div>\n";

// A text in rows of at most this many letters, broken at spaces.
std::vector<std::string> svg_rows(std::string text, std::size_t letters);

std::string svg_number(double value);
std::string svg_words(double x, double y, const char* anchor, const std::string& text, const std::string& more = "");
std::string svg_upwards(double x, double y, const std::string& text);  // turned, for the name of an axis
std::string svg_power(int base, double exponent);
std::string svg_line(double x1, double y1, double x2, double y2, const std::string& kind, const std::string& more = "");
std::string svg_path(const std::string& points, const std::string& kind, const std::string& more = "");
std::string svg_mark(double x, double y, int shape, int color, bool hollow, const std::string& hint);
std::string svg_stroke(int color);  // kind of a line of this colour; others are grid, axis, ink and warn

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_SVG_H_
