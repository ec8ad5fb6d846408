// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/files/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

namespace ulpfft {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMostHeader = 1 << 16;
constexpr std::size_t kMostAxes = 64;

// Reads the dictionary: string keys; a string, True, False or a tuple of integers as value.
class HeaderReader {
 public:
  // The text begins at byte `begin` of the file.
  HeaderReader(const std::string& path, std::string_view text, std::size_t begin)
      : path_(path), text_(text), end_(begin + text.size()) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_order = false;
    expect('{', "header");
    while (!accept('}')) {
      const std::string key = quoted("header");
      expect(':', key);
      peek();
      const std::size_t from = here();
      if (key == "descr") {
        if (peek() != '\'' && peek() != '"') refuse("descr", "arrays of records are not read.");
        header.descr = quoted(key);
        header.descr_at = {from, here()};
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
        header.fortran_order_at = {from, here()};
        has_order = true;
      } else if (key == "shape") {
        header.shape = integers();
        header.shape_at = {from, here()};
      } else {
        refuse("header", "has the unknown key '" + key + "'.");
      }
      if (!accept(',')) {
        expect('}', "header");
        break;
      }
    }
    peek();
    if (!text_.empty()) refuse("header", "has text after the dictionary.");
    if (header.descr_at.end == 0) refuse("descr", "is missing in the header.");
    if (!has_order) refuse("fortran_order", "is missing in the header.");
    if (header.shape_at.end == 0) refuse("shape", "is missing in the header.");
    header.begin = end_;
    return header;
  }

 private:
  std::size_t here() const { return end_ - text_.size(); }
  [[noreturn]] void refuse(const std::string& field, const std::string& why) const {
    refuse_content(path_, field, why, {here(), here() + 1});
  }
  char peek() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t')) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char wanted) {
    if (peek() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char wanted, const std::string& field) {
    if (!accept(wanted)) refuse(field, "'" + std::string(1, wanted) + "' is missing in the header.");
  }
  std::string quoted(const std::string& field) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse(field, "a quoted text is missing in the header.");
    const std::size_t end = text_.find(quote, 1);
    if (end == text_.npos) refuse(field, "a quotation mark is missing in the header.");
    std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }
  bool truth() {
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    refuse("fortran_order", "is neither True nor False.");
  }
  std::vector<std::int64_t> integers() {
    std::vector<std::int64_t> list;
    expect('(', "shape");
    while (!accept(')')) {
      peek();
      std::int64_t next = 0;
      const auto [end, failure] = std::from_chars(text_.data(), text_.data() + text_.size(), next);
      if (failure != std::errc{}) refuse("shape", "is not a tuple of integers.");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (list.size() == kMostAxes) refuse("shape", "has more than 64 axes.");
      list.push_back(next);
      accept('L');  // as Python 2 wrote
      if (!accept(',')) {
        expect(')', "shape");
        break;
      }
    }
    return list;
  }

  const std::string& path_;
  std::string_view text_;
  std::size_t end_;
};

// A file of something else, by its first bytes as they can be printed.
[[noreturn]] void refuse_magic(const InputFile& file) {
  constexpr std::size_t kShown = 24;
  std::string begin(std::min(file.size(), kShown), ' ');
  file.read(0, std::as_writable_bytes(std::span(begin)), "magic");
  if (const std::size_t end = begin.find('\n'); end != begin.npos) begin.resize(end);
  std::replace_if(
      begin.begin(), begin.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  refuse_content(file.path(), "magic", "it is not a NumPy file: it begins with '" + begin + "'.", {0, kMagic.size()});
}

}  // namespace

NpyHeader read_npy_header(const InputFile& file) {
  const std::string& path = file.path();
  if (file.size() == 0) refuse_content(path, "", "is empty.");
  std::array<unsigned char, 12> start{};
  const auto bytes = std::as_writable_bytes(std::span(start));
  const std::size_t present = std::min(file.size(), kMagic.size());
  file.read(0, bytes.first(present), "magic");
  if (std::memcmp(start.data(), kMagic.data(), present) != 0) refuse_magic(file);
  const std::size_t at = kMagic.size();
  file.read(present, bytes.subspan(present, at + 2 - present), "magic");
  const int version = start[at];
  if (version < 1 || version > 3) refuse_content(path, "version", std::to_string(version) + " is not 1, 2 or 3.", {at, at + 1});
  const std::size_t width = version == 1 ? 2 : 4, length_at = at + 2;
  file.read(length_at, bytes.subspan(length_at, width), "header length");
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | start[length_at + i];
  if (length > kMostHeader) {
    refuse_content(path, "header length", std::to_string(length) + " bytes are more than 65536.", {length_at, length_at + width});
  }
  std::string text(length, ' ');
  file.read(length_at + width, std::as_writable_bytes(std::span(text)), "header");
  return HeaderReader(path, text, length_at + width).read();
}

void require_npy_bytes(const InputFile& file, const NpyHeader& header, std::int64_t bytes) {
  const std::size_t present = file.size() - std::min(file.size(), header.begin);
  if (present == static_cast<std::size_t>(bytes)) return;
  refuse_content(file.path(), "data",
                 "has " + std::to_string(present) + " bytes, but shape and descr ask for " + std::to_string(bytes) + ".",
                 {header.begin, file.size()});
}

std::string npy_shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (const std::int64_t length : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(length);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string npy_header_text(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string text = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + npy_shape_text(shape) + ", }";
  const std::size_t before = kMagic.size() + 4;
  text += std::string(63 - (before + text.size()) % 64, ' ') + "\n";
  return std::string(kMagic) +
         std::string{'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)} + text;
}

}  // namespace ulpfft
