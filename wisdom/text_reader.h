// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Reads parts of one text, and remembers which bytes set which field, so that an error can point at them.
#ifndef ULPFFT_WISDOM_TEXT_READER_H_
#define ULPFFT_WISDOM_TEXT_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wisdom/error.h"
#include "wisdom/words.h"

namespace ulpfft {

struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  std::string_view view(TextRange range) const { return text_.substr(range.begin, range.end - range.begin); }
  // Ranges between single separators. Empty ones are kept, so that the reader of a part refuses them.
  std::vector<TextRange> split(TextRange range, char separator) const;

  void note(std::string field, TextRange range) { fields_.emplace_back(std::move(field), range); }
  // The range that was noted first for a field, or for the list that it is an entry of; {0, 0}: none.
  TextRange find(std::string_view field) const;

  // Throws PlanError (ULPFFT_INVALID_TEXT).
  [[noreturn]] static void fail(std::string_view field, SentenceParts sentence, TextRange range);
  // What `check` refuses is refused as the text at `range`.
  template <typename Check>
  static void require(TextRange range, const Check& check) {
    try {
      check();
    } catch (const PlanError& error) {
      fail(error.field, {error.message}, range);
    }
  }

  // The value of a whole range; other values fail.
  using ReadNumber = NumberState (*)(std::string_view, std::int64_t&);
  std::int64_t read_integer(TextRange range, std::string_view field, ReadNumber read = read_int64) const;
  double read_real(TextRange range, std::string_view field, std::string_view possible) const;
  std::string read_format(TextRange range, std::string_view field) const;

 private:
  std::string_view text_;
  std::vector<std::pair<std::string, TextRange>> fields_;
};

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_TEXT_READER_H_
