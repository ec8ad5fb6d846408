// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/help.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/ulpfft/text.h"
#include "tools/ulpfft/wrapped_help.h"

namespace ulpfft_tool {
namespace {

constexpr std::size_t kFewest = 24;         // letters of a description beside its option
constexpr std::size_t kDescriptionBelow = 6;   // where a description begins that stands below its option
constexpr std::string_view kExample = "  ulpfft ";

// The words of `text`; long ones in parts that end in a comma, and text in quotation marks is one.
std::vector<std::string> words_of(std::string_view text, std::size_t longest) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(' '); begin != text.npos;) {
    std::size_t end = begin;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != ' '); ++end) quoted = quoted != (text[end] == '"');
    std::string_view word = text.substr(begin, end - begin);
    while (word.size() > longest) {
      const std::size_t comma = word.rfind(',', longest - 1);
      if (comma == word.npos || comma + 1 == word.size()) break;
      words.emplace_back(word.substr(0, comma + 1));
      word.remove_prefix(comma + 1);
    }
    words.emplace_back(word);
    begin = text.find_first_not_of(' ', end);
  }
  return words;
}

// Lines of `text`: the first one begins with `first`, the others with `indent` blanks, and all but the last end in `end`.
std::string filled(std::string first, std::string_view text, std::size_t indent, std::size_t columns, std::string_view end = "") {
  std::string result, line = std::move(first);
  bool begun = false;
  for (const std::string& word : words_of(text, columns > indent ? columns - indent : columns)) {
    if (begun && line.size() + 1 + word.size() + end.size() > columns) {
      result += line + std::string(end) + "\n";
      line = std::string(indent, ' ');
      begun = false;
    }
    line += (begun ? " " : "") + word;
    begun = true;
  }
  return result + line + "\n";
}

std::string wrapped_line(std::string_view line, std::size_t columns) {
  if (line.size() <= columns) return std::string(line) + "\n";
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", indent);
  const bool has_two = gap != line.npos && indent > 0;
  const std::string_view left = line.substr(indent, has_two ? gap - indent : line.npos);
  const std::size_t second = has_two ? std::min(line.find_first_not_of(' ', gap), line.size()) : line.size();
  const std::string blanks(indent, ' ');
  if (line.starts_with(kExample)) {
    const std::string command = filled(blanks, left, indent + 4, columns, " \\");
    return has_two ? command + filled(std::string(indent + 8, ' '), line.substr(second), indent + 8, columns) : command;
  }
  if (!has_two) {
    const bool is_description = indent > kDescriptionBelow && columns < indent + kFewest;
    const std::size_t to = is_description ? kDescriptionBelow : indent;
    return filled(std::string(to, ' '), left, to, columns);
  }
  if (columns < second + kFewest)
    return filled(blanks, left, indent + 2, columns) +
           filled(std::string(kDescriptionBelow, ' '), line.substr(second), kDescriptionBelow, columns);
  return filled(std::string(line.substr(0, second)), line.substr(second), second, columns);
}

}  // namespace

std::string wrapped_help(std::string_view text, std::size_t columns) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += wrapped_line(text.substr(begin, end - begin), columns);
    begin = end + 1;
  }
  return result;
}

std::string WrappedHelp::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  return wrapped_help(CLI::Formatter::make_help(app, std::move(name), mode), help_columns());
}

}  // namespace ulpfft_tool
