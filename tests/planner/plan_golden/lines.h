// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Lines of words and named numbers: their digest, and their text where somebody wants to read it. One source for both, so that
// what is printed is what the golden files hold.
#ifndef ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_LINES_H_
#define ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_LINES_H_

#include <bit>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace ulpfft::test {

class Digest {
 public:
  void add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x9e3779b97f4a7c15u;
    value_ ^= value_ >> 29;
  }
  void add(std::string_view bytes) {
    add(bytes.size());
    for (const char c : bytes) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    add(std::uint64_t{0});
  }
  template <typename T>
  void add_values(std::span<const T> values) {
    add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

inline std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

class Lines {
 public:
  explicit Lines(bool keeps_text = false) : keeps_text_(keeps_text) {}

  void word(std::string_view text) {
    digest_.add(text);
    if (keeps_text_) (text_ += text) += ' ';
  }
  void number(std::string_view name, std::int64_t value) {
    digest_.add(name);
    digest_.add(static_cast<std::uint64_t>(value));
    if (keeps_text_) text_ += label(name) + std::to_string(value) + ' ';
  }
  // Numbers that have their default are left out, so that a new field leaves the digests of what does not use it.
  void unless(std::int64_t usual, std::string_view name, std::int64_t value) {
    if (value != usual) number(name, value);
  }
  void bits(std::string_view name, std::uint64_t value) {
    digest_.add(name);
    digest_.add(value);
    if (keeps_text_) text_ += label(name) + hex(value) + ' ';
  }
  void bits(std::string_view name, double value) { bits(name, std::bit_cast<std::uint64_t>(value)); }
  void flag(std::string_view name, bool set) {
    if (set) word(name);
  }
  // For readers only.
  void remark(std::string_view text) {
    if (keeps_text_) (text_ += text) += ' ';
  }
  void end() {
    digest_.add(std::uint64_t{0});
    ++count_;
    if (keeps_text_) text_ += '\n';
  }

  std::uint64_t digest() const { return digest_.value(); }
  const std::string& text() const { return text_; }
  std::int64_t count() const { return count_; }

 private:
  static std::string label(std::string_view name) {
    return std::string(name) + (name.empty() || name.back() == '+' || name.back() == '=' ? "" : "=");
  }

  bool keeps_text_;
  Digest digest_;
  std::string text_;
  std::int64_t count_ = 0;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_LINES_H_
