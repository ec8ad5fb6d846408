// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the pages of accuracy, bench, demo, mri and plan share. Each is one file that needs nothing else, light or dark as the reader's system asks.
#ifndef ULPFFT_TOOLS_ULPFFT_HTML_H_
#define ULPFFT_TOOLS_ULPFFT_HTML_H_

#include <string>
#include <string_view>

namespace ulpfft_tool {

// Of a page with plots and wide tables of numbers.
extern const std::string_view kReportStyle;

// Up to and with <main> and the heading. `style` takes its colours from those of every page: var(--ink), var(--soft), var(--card), ...
std::string html_begin(std::string_view title, std::string_view heading, std::string_view style);
inline constexpr std::string_view kHtmlEnd = "</main></body></html>\n";

std::string escape(std::string_view text);  // for HTML and SVG, attributes included
std::string number(const char* pattern, double value);
std::string html_time(double seconds);  // "1.23 &micro;s"
std::string cell(const std::string& text, const char* kind = "");  // of a table; kind: its class
std::string recipe_cell(const std::string& recipe);                // of a table; wraps

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_HTML_H_
