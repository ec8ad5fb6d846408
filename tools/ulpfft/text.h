// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Text for people: quantities with units, aligned tables, a marked word, a progress bar.
#ifndef ULPFFT_TOOLS_ULPFFT_TEXT_H_
#define ULPFFT_TOOLS_ULPFFT_TEXT_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

std::string show_seconds(double seconds);    // "1.23 ms"; "-" for 0, which means not measured
std::string show_bytes(std::size_t bytes);   // "512 KiB"
std::string show_error(double error);        // "9.31e-08"
std::string show_percent(double fraction);   // "0.8 %"
std::string show_number(double value);       // shortest form that reads back as the same double
std::string show_lengths(const std::vector<std::int64_t>& lengths);  // "256 x 256 x 8"
std::string show_rounded(const char* pattern, double value);  // by printf, of one number

// `text` on a line, and beneath it ^~~~ under its bytes [begin, end); each line indented by two blanks.
std::string underline(std::string_view text, std::size_t begin, std::size_t end);

std::string today();           // "2026-11-21", UTC
std::string processor_name();  // as the system calls it

// Letters of a line of help: COLUMNS where that is set, else the width of the terminal that the standard output is, at most 120 of them,
// else 100.
std::size_t help_columns();

// Columns as wide as their widest cell, two blanks apart. A column is right-aligned if its heading begins with '>'.
class Table {
 public:
  explicit Table(std::vector<std::string> headings);
  void add(std::vector<std::string> cells);
  std::string text(std::string_view indent = "") const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

// A bar on stderr, only where that is a terminal and the work takes longer than a fifth of a second; erased at the end.
class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double fraction, std::string_view what);

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool terminal_;
  bool visible_ = false;
  Clock::time_point next_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_TEXT_H_
