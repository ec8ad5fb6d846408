// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

namespace ulpfft_tool {
namespace {

std::string format(const char* pattern, double value) {
  std::array<char, 64> buffer;
  std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return buffer.data();
}

// Columns a text takes on a terminal: code points, each one wide.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t terminal_columns(int descriptor, std::size_t otherwise) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

constexpr auto kFirstShown = std::chrono::milliseconds(200);
constexpr auto kBetween = std::chrono::milliseconds(80);

}  // namespace

std::string show_seconds(double seconds) {
  if (!(seconds > 0)) return "-";
  const std::array<std::pair<double, const char*>, 4> units = {{{1.0, " s"}, {1e-3, " ms"}, {1e-6, " us"}, {1e-9, " ns"}}};
  for (const auto& [unit, name] : units) {
    const double value = seconds / unit;
    if (value < 0.9995 && unit > 1e-9) continue;
    return format(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value) + name;
  }
  return "-";
}

std::string show_bytes(std::size_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024.0;
  for (const char* unit : {" KiB", " MiB"}) {
    if (value < 1024.0) return format(value < 9.95 ? "%.1f" : "%.0f", value) + unit;
    value /= 1024.0;
  }
  return format("%.1f", value) + " GiB";
}

std::string show_error(double error) { return format("%.2e", error); }

std::string show_percent(double fraction) { return format("%.1f %%", 100.0 * fraction); }

std::string show_rounded(const char* pattern, double value) { return format(pattern, value); }

std::string show_number(double value) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string show_lengths(const std::vector<std::int64_t>& lengths) {
  std::string text;
  for (const std::int64_t length : lengths) text += (text.empty() ? "" : " x ") + std::to_string(length);
  return text;
}

std::string underline(std::string_view text, std::size_t begin, std::size_t end) {
  begin = std::min(begin, text.size());
  end = std::clamp(end, begin, text.size());
  const std::size_t marked = std::max<std::size_t>(width_of(text.substr(begin, end - begin)), 1);
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return "  " + line + "\n  " + std::string(width_of(text.substr(0, begin)), ' ') + "^" + std::string(marked - 1, '~') + "\n";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown processor";
}

std::size_t help_columns() {
  constexpr std::size_t kFewest = 40, kMost = 120, kWithoutTerminal = 100;
  const char* const variable = std::getenv("COLUMNS");
  std::size_t columns = 0;
  if (variable != nullptr) std::from_chars(variable, variable + std::strlen(variable), columns);
  if (columns == 0) columns = terminal_columns(STDOUT_FILENO, kWithoutTerminal);
  return std::clamp(columns, kFewest, kMost);
}

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}

void Table::add(std::vector<std::string> cells) {
  cells.resize(headings_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::string_view indent) const {
  std::vector<bool> right;
  std::vector<std::vector<std::string>> all(1);
  for (const std::string& heading : headings_) {
    right.push_back(heading.starts_with('>'));
    all[0].push_back(right.back() ? heading.substr(1) : heading);
  }
  all.insert(all.end(), rows_.begin(), rows_.end());
  std::vector<std::size_t> widths(headings_.size());
  for (const auto& row : all) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : all) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - width_of(row[i]), ' ');
      line += (i ? "  " : "") + (right[i] ? gap + row[i] : row[i] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

ProgressBar::ProgressBar(std::string title)
    : title_(std::move(title)), terminal_(isatty(STDERR_FILENO) == 1), next_(Clock::now() + kFirstShown) {}

void ProgressBar::show(double fraction, std::string_view what) {
  if (!terminal_ || Clock::now() < next_) return;
  next_ = Clock::now() + kBetween;
  visible_ = true;
  constexpr std::size_t kCells = 24;
  const auto full = static_cast<std::size_t>(std::clamp(fraction, 0.0, 1.0) * kCells);
  std::string line = title_ + " [" + std::string(full, '#') + std::string(kCells - full, '.') + "]" +
                     format("%4.0f %%  ", 100.0 * fraction) + std::string(what);
  line.resize(std::min(line.size(), terminal_columns(STDERR_FILENO, 80) - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

ProgressBar::~ProgressBar() {
  if (visible_) std::fputs("\r\033[K", stderr);
}

}  // namespace ulpfft_tool
