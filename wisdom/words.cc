// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace ulpfft {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// Edits (insert, delete, replace, exchange of neighbours) from a to b; words here have a dozen letters.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      edits[i][j] = std::min({edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

}  // namespace

NumberState read_int64(std::string_view word, std::int64_t& value) {
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (rest != end || error == std::errc::invalid_argument) return NumberState::kNotANumber;
  return error == std::errc::result_out_of_range ? NumberState::kOutOfRange : NumberState::kOk;
}

NumberState read_size(std::string_view word, std::int64_t& value) {
  const std::size_t end = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string_view first = word.substr(0, end), rest = word.substr(end);
  if (first.empty() || rest.empty()) return read_int64(word, value);
  if (rest == "k" || rest == "M") {
    const NumberState state = read_int64(first, value);
    if (state != NumberState::kOk) return state;
    return __builtin_mul_overflow(value, rest == "k" ? 1024 : 1024 * 1024, &value) ? NumberState::kOutOfRange : NumberState::kOk;
  }
  if (rest.size() < 2 || rest.front() != '^' || !is_digit(rest[1])) return NumberState::kNotANumber;
  std::int64_t base = 0, exponent = 0;
  if (const NumberState state = read_int64(first, base); state != NumberState::kOk) return state;
  if (const NumberState state = read_int64(rest.substr(1), exponent); state != NumberState::kOk) return state;
  value = base < 2 && exponent > 0 ? base : 1;
  for (std::int64_t i = 0; base >= 2 && i < exponent; ++i) {
    if (__builtin_mul_overflow(value, base, &value)) return NumberState::kOutOfRange;
  }
  return NumberState::kOk;
}

NumberState read_double(std::string_view word, double& value) {
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  if (rest != end || error == std::errc::invalid_argument) return NumberState::kNotANumber;
  if (error == std::errc::result_out_of_range) return NumberState::kOutOfRange;
  return std::isfinite(value) ? NumberState::kOk : NumberState::kNotANumber;  // from_chars reads "inf" and "nan"
}

std::string print_int64(std::int64_t value) { return std::to_string(value); }

std::string joined(SentenceParts parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string indexed(std::string_view name, std::size_t index) { return std::string(name) + "[" + std::to_string(index) + "]"; }

std::string print_double(double value) {
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

bool is_format_name(std::string_view word) {
  if (word.empty() || !is_lower(word.front())) return false;
  return std::all_of(word.begin(), word.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == ':'; });
}

bool is_scheme_name(std::string_view word) {
  if (word.empty() || !is_lower(word.front())) return false;
  char previous = 0;
  for (const char c : word) {
    const bool separator = c == ':' || c == '/';
    if (!separator && !is_lower(c) && !is_digit(c) && c != '_') return false;
    if (separator && (previous == ':' || previous == '/')) return false;
    previous = c;
  }
  return previous != ':' && previous != '/';
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kLongest = 40;
  std::string result = "'";
  for (const char c : word.substr(0, kLongest)) result += c >= 0x20 && c <= 0x7e ? c : '?';
  if (word.size() > kLongest) result += "...";
  return result + "'";
}

std::string one_of(std::span<const std::string_view> words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> words) {
  if (word.size() > 40) return "";
  std::string_view best;
  std::size_t best_distance = word.size() <= 3 ? 2 : 3;  // one slip in a short word, two in a longer one
  for (const std::string_view candidate : words) {
    const std::size_t d = distance(word, candidate);
    if (d < best_distance && d < candidate.size()) {
      best = candidate;
      best_distance = d;
    }
  }
  return best.empty() ? "" : " Did you mean '" + std::string(best) + "'?";
}

}  // namespace ulpfft
