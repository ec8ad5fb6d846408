// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/problem_arguments.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/precision.h"

namespace ulpfft_tool {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"c2c", "r2c", "c2r", "r2r"};
constexpr std::int64_t kMost = std::int64_t{1} << 62;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_kind(std::string_view word) { return std::find(kKinds.begin(), kKinds.end(), word) != kKinds.end(); }

// Leading digits of `text`, which are removed; nothing where there are none or too many.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || number < 0) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// What 2^20, 64k and 1M mean; nothing where `text` is no such length or beyond 2^62.
std::optional<std::int64_t> length_in_short(std::string_view text) {
  const std::optional<std::int64_t> first = take_number(text);
  if (!first || text.empty()) return {};
  if (text == "k" || text == "M") {
    const std::int64_t unit = text == "k" ? 1024 : 1024 * 1024;
    return *first > kMost / unit ? std::nullopt : std::optional(*first * unit);
  }
  if (text.front() != '^') return {};
  text.remove_prefix(1);
  const std::optional<std::int64_t> exponent = take_number(text);
  if (!exponent || !text.empty() || *exponent > 62) return {};
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < *exponent; ++i) {
    if (*first != 0 && power > kMost / *first) return {};
    power *= *first;
  }
  return power;
}

// The word of lengths and batch, in digits. `begin` is its place in `problem`.
std::string in_digits(std::string_view word, const std::string& problem, std::size_t begin) {
  std::string result;
  for (std::size_t at = 0; at <= word.size();) {
    const std::size_t end = std::min(word.find_first_of("x*", at), word.size());
    const std::string_view part = word.substr(at, end - at);
    const std::optional<std::int64_t> length = length_in_short(part);
    const bool looks_short = !part.empty() && is_digit(part.front()) && part.find_first_not_of("0123456789kM^") == part.npos;
    if (!length && looks_short && part.find_first_of("kM^") != part.npos) {
      throw UsageError("Lengths are whole numbers up to 2^62, such as 1000, 2^20, 64k (1024 each) or 1M (1024 * 1024 each).", problem, begin + at, begin + end);
    }
    result += length ? std::to_string(*length) : std::string(part);
    if (end < word.size()) result += word[end];
    at = end + 1;
  }
  return result;
}

// `problem` with its lengths in digits and its formats by the library's names.
std::string plain(const std::string& problem) {
  std::size_t begin = problem.find_first_not_of(' ');
  if (begin == problem.npos) return problem;
  std::size_t end = std::min(problem.find(' ', begin), problem.size());
  if (is_kind(std::string_view(problem).substr(begin, end - begin)) && end < problem.size()) {
    begin = std::min(problem.find_first_not_of(' ', end), problem.size());
    end = std::min(problem.find(' ', begin), problem.size());
  }
  const std::string lengths = in_digits(std::string_view(problem).substr(begin, end - begin), problem, begin);
  return problem.substr(0, begin) + lengths + with_own_format_names(with_schemes(problem.substr(end)));
}

}  // namespace

std::vector<std::string> read_problems(const std::vector<std::string>& words) {
  std::vector<std::string> problems;
  for (const std::string& word : words) {
    const bool after_kind = !problems.empty() && is_kind(problems.back());
    const bool begins = problems.empty() || (!word.empty() && is_digit(word.front()) && !after_kind) || is_kind(word.substr(0, word.find(' ')));
    if (begins) {
      problems.push_back(word);
    } else {
      problems.back() += " " + word;
    }
  }
  for (std::string& problem : problems) problem = plain(problem);
  return problems;
}

std::string read_problem(const std::vector<std::string>& words) {
  const std::vector<std::string> problems = read_problems(words);
  if (problems.size() > 1) {
    throw UsageError("There is a second problem; one at a time is planned.", problems[0] + " " + problems[1], problems[0].size() + 1,
                     problems[0].size() + 1 + problems[1].size());
  }
  return problems.empty() ? "" : problems[0];
}

std::string read_length(const std::string& word) {
  const std::optional<std::int64_t> length = length_in_short(word);
  return length ? std::to_string(*length) : word;
}

}  // namespace ulpfft_tool
