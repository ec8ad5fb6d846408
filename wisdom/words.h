// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Words of the text forms: checked numbers and names, and the parts of a sentence that says what is possible.
#ifndef ULPFFT_WISDOM_WORDS_H_
#define ULPFFT_WISDOM_WORDS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace ulpfft {

enum class NumberState : std::uint8_t { kOk, kNotANumber, kOutOfRange };

// The whole word is one number: decimal digits with an optional '-'; for doubles also fraction and exponent, finite only.
NumberState read_int64(std::string_view word, std::int64_t& value);
// The same, or a number in short: 2^20, 64k (1024 each), 1M (1024 * 1024 each). Base, exponent and factor have no sign.
NumberState read_size(std::string_view word, std::int64_t& value);
NumberState read_double(std::string_view word, double& value);
// Shortest text that reads back to the same double.
std::string print_double(double value);

// Decimal digits.
std::string print_int64(std::int64_t value);
template <std::integral Integer>
std::string print_integer(Integer value) {
  return print_int64(static_cast<std::int64_t>(value));
}
// A sentence out of its parts. A chain of + takes several times the code.
using SentenceParts = std::initializer_list<std::string_view>;
std::string joined(SentenceParts parts);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
// "name[2]", as errors name an entry of a list.
std::string indexed(std::string_view name, std::size_t index);

// [a-z][a-z0-9_:]*, e.g. "f32", "mxfp8_e4m3".
bool is_format_name(std::string_view word);
// SentenceParts of [a-z0-9_] separated by single ':' or '/', beginning with a letter, e.g. "f32", "rounded:f16/f32".
bool is_scheme_name(std::string_view word);
// Printable ASCII, 0x20..0x7e.
bool is_printable(std::string_view text);

// 'word' for a message: at most 40 bytes, unprintable bytes as '?'.
std::string in_quotes(std::string_view word);
// "a, b or c"
std::string one_of(std::span<const std::string_view> words);
// " Did you mean 'x'?" where one of the words is near, else "".
std::string did_you_mean(std::string_view word, std::span<const std::string_view> words);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_WORDS_H_
