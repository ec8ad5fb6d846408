// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/files/flat_json.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <limits>

namespace ulpfft {
namespace {

constexpr std::size_t kMostFields = 64;
constexpr std::size_t kMostInList = 64;

class Reader {
 public:
  Reader(const std::string& path, std::string_view text) : path_(path), text_(text) {}

  std::vector<JsonField> read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    std::vector<JsonField> fields;
    if (!accept('{')) refuse("it does not begin with '{'");
    bool more = !accept('}');
    while (more) {
      JsonField field;
      field.name = quoted();
      for (const JsonField& known : fields) {
        if (known.name == field.name) refuse_content(path_, field.name, "stands twice.", {at_, at_});
      }
      if (fields.size() == kMostFields) refuse("it has more than 64 fields");
      if (!accept(':')) refuse("':' is missing");
      value(field);
      fields.push_back(std::move(field));
      more = accept(',');
      if (!more && !accept('}')) refuse("',' or '}' is missing");
    }
    if (peek() != '\0' || at_ < text_.size()) refuse("there is text after the object");
    return fields;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    refuse_content(path_, "file", "is no JSON object of a narrow array: " + why + " at byte " + std::to_string(at_) + ".",
                   {at_, at_ + 1});
  }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char wanted) {
    if (peek() != wanted || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  void value(JsonField& field) {
    const char first = peek();
    field.at.begin = at_;
    if (first == '"') {
      field.kind = JsonField::Kind::kText;
      field.text = quoted();
    } else if (first == '[') {
      list(field);
    } else if (first == '{' || first == '\0') {
      refuse_content(path_, field.name, "is neither a text, a whole number nor a list of whole numbers.", {at_, at_ + 1});
    } else {
      field.text = word();
      field.kind = whole(field.text, field.number) ? JsonField::Kind::kNumber : JsonField::Kind::kOther;
    }
    field.at.end = at_;
  }

  // A list of other things is of kind kOther where it can be passed over.
  void list(JsonField& field) {
    ++at_;
    field.kind = JsonField::Kind::kList;
    if (accept(']')) return;
    do {
      peek();
      const std::size_t begin = at_;
      std::int64_t number = 0;
      if (!whole(word(), number)) refuse_content(path_, field.name, "is no list of integers.", {begin, std::max(at_, begin + 1)});
      if (field.list.size() == kMostInList) refuse_content(path_, field.name, "has more than 64 lengths.", {begin, at_});
      field.list.push_back(number);
    } while (accept(','));
    if (!accept(']')) refuse("',' or ']' is missing");
  }

  // true, false, null or a number.
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view(" \n\t\r,]}[{:\"").find(text_[at_]) == std::string_view::npos) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  // As JSON spells it: without leading zeros and a plus.
  static bool whole(const std::string& word, std::int64_t& number) {
    const std::string digits = word.starts_with('-') ? word.substr(1) : word;
    const bool spelled =
        !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos && (digits[0] != '0' || digits.size() == 1);
    if (!spelled) return false;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
    using Limits = std::numeric_limits<std::int64_t>;
    if (failure == std::errc::result_out_of_range) number = word[0] == '-' ? Limits::min() : Limits::max();
    return end == word.data() + word.size();
  }

  std::string quoted() {
    if (!accept('"')) refuse("a text in quotation marks is missing");
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) refuse("a text is not closed");
      ++at_;
      if (c == '\\') {
        escaped(result);
      } else {
        result += c;
      }
    }
    if (at_ == text_.size()) refuse("a text is not closed");
    ++at_;
    return result;
  }
  void escaped(std::string& result) {
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
    const char name = at_ < text_.size() ? text_[at_++] : '\0';
    if (const std::size_t i = kNames.find(name); name != '\0' && i != kNames.npos) {
      result += kMeant[i];
    } else if (name == 'u') {
      std::uint32_t point = hexadecimal();
      if (point >= 0xD800 && point < 0xDC00) {
        if (text_.substr(at_, 2) != "\\u") refuse("half of a pair of surrogates stands alone");
        at_ += 2;
        const std::uint32_t low = hexadecimal();
        if (low < 0xDC00 || low > 0xDFFF) refuse("half of a pair of surrogates stands alone");
        point = 0x10000 + ((point - 0xD800) << 10 | (low - 0xDC00));
      }
      append_utf8(result, point);
    } else {
      refuse("an escape is unknown");
    }
  }
  std::uint32_t hexadecimal() {
    std::uint32_t value = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() < 4 || failure != std::errc{} || end != digits.data() + 4) refuse("\\u needs four hexadecimal digits");
    at_ += 4;
    return value;
  }
  static void append_utf8(std::string& text, std::uint32_t point) {
    if (point < 0x80) {
      text += static_cast<char>(point);
      return;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;  // bytes after the first
    text += static_cast<char>((0xF0U << (3 - more) & 0xFF) | point >> 6 * more);
    for (int i = more; i-- > 0;) text += static_cast<char>(0x80 | (point >> 6 * i & 0x3F));
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<JsonField> read_flat_json(const std::string& path, std::string_view text) { return Reader(path, text).read(); }

std::string json_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

}  // namespace ulpfft
