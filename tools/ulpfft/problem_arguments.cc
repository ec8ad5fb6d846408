// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/problem_arguments.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/format_aliases.h"
#include "tools/ulpfft/precision.h"
#include "tools/ulpfft/storage_pair.h"
#include "tools/ulpfft/words_elsewhere.h"

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 62;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Leading digits of `text`, which are removed; nothing where there are none or too many.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || number < 0) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// base^exponent; nothing beyond 2^62.
std::optional<std::int64_t> power_of(std::int64_t base, std::int64_t exponent) {
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < exponent && exponent <= 62; ++i) {
    if (base != 0 && power > kMost / base) return {};
    power *= base;
  }
  return exponent > 62 ? std::nullopt : std::optional(power);
}

std::optional<std::int64_t> times(std::int64_t number, std::optional<std::int64_t> unit) {
  return !unit || number > kMost / *unit ? std::nullopt : std::optional(number * *unit);
}

// What 2^20, 64k, 1M and 1e6 mean; nothing where `text` is no such length or beyond 2^62.
std::optional<std::int64_t> length_in_short(std::string_view text) {
  const std::optional<std::int64_t> first = take_number(text);
  if (!first || text.empty()) return {};
  if (text == "k" || text == "K") return times(*first, 1024);
  if (text == "M") return times(*first, 1024 * 1024);
  const char sign = text.front();
  text.remove_prefix(1);
  const std::optional<std::int64_t> exponent = take_number(text);
  if (!exponent || !text.empty()) return {};
  if (sign == 'e') return times(*first, power_of(10, *exponent));
  return sign == '^' ? power_of(*first, *exponent) : std::nullopt;
}

constexpr std::string_view kShort = "kKMe^";

// With ^ for Python's **, which would be read as a batch.
std::string with_powers(std::string_view word) {
  std::string result(word);
  for (std::size_t at = result.find("**"); at != result.npos; at = result.find("**", at)) result.replace(at, 2, "^");
  return result;
}

// The word of lengths and batch, in digits. `begin` is its place in `problem`.
std::string in_digits(std::string_view word, const std::string& problem, std::size_t begin) {
  std::string result;
  for (std::size_t at = 0; at <= word.size();) {
    const std::size_t end = std::min(word.find_first_of("x*:", at), word.size());
    const std::string_view part = word.substr(at, end - at);
    const std::optional<std::int64_t> length = length_in_short(part);
    const bool looks_short =
        !part.empty() && is_digit(part.front()) && part.find_first_not_of("0123456789" + std::string(kShort)) == part.npos;
    if (!length && looks_short && part.find_first_of(kShort) != part.npos) {
      throw UsageError("Lengths are whole numbers up to 2^62, such as 1000, 2^20, 64k (1024 each), 1M (1024 * 1024 each) or 1e6.", problem,
                       begin + at, begin + end);
    }
    result += length ? std::to_string(*length) : std::string(part);
    if (end < word.size()) result += word[end];
    at = end + 1;
  }
  return result;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(' '); begin != text.npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(' ', end);
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// The words of one problem as the text that the library reads.
std::string plain(std::vector<std::string> words) {
  const std::size_t lengths = !words.empty() && is_kind_word(words.front()) ? 1 : 0;
  if (words.size() <= lengths) return joined(words);
  words[lengths] = with_powers(words[lengths]);
  if (const std::size_t arrow = words[lengths].find("->"); arrow != std::string::npos) words[lengths].replace(arrow, 2, ":");
  const std::string given = joined(words);
  const std::size_t begin = lengths == 0 ? 0 : words.front().size() + 1;
  if (words.size() > lengths + 1) refuse_cut_arrow(words[lengths + 1], given, begin + words[lengths].size() + 1);
  words[lengths] = in_digits(words[lengths], given, begin);
  use_own_words(words);
  for (std::size_t i = lengths + 1; i < words.size(); ++i) {
    if (!words[i].starts_with("precision=")) words[i] = with_own_format_names(words[i]);
  }
  words[lengths + 1] = with_arrow(words[lengths + 1]);
  return with_schemes(joined(words));
}

}  // namespace

std::vector<std::string> read_problems(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> problems;
  for (const std::string& argument : words) {
    for (const std::string& word : split(argument)) {
      const bool after_kind = !problems.empty() && problems.back().size() == 1 && is_kind_word(problems.back().front());
      if (problems.empty() || (is_digit(word.front()) && !after_kind) || is_kind_word(word)) problems.emplace_back();
      problems.back().push_back(word);
    }
  }
  std::vector<std::string> texts;
  for (std::vector<std::string>& problem : problems) texts.push_back(plain(std::move(problem)));
  return texts;
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
  const std::optional<std::int64_t> length = length_in_short(with_powers(word));
  return length ? std::to_string(*length) : word;
}

}  // namespace ulpfft_tool
