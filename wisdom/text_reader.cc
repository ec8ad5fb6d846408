// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/text_reader.h"

namespace ulpfft {

std::vector<TextRange> TextReader::split(TextRange range, char separator) const {
  std::vector<TextRange> parts;
  std::size_t begin = range.begin;
  for (std::size_t i = range.begin; i <= range.end; ++i) {
    if (i == range.end || text_[i] == separator) {
      parts.push_back({begin, i});
      begin = i + 1;
    }
  }
  return parts;
}

TextRange TextReader::find(std::string_view field) const {
  for (const auto& [name, range] : fields_) {
    if (name == field) return range;
  }
  const std::size_t bracket = field.find('[');
  return bracket == std::string_view::npos ? TextRange{} : find(field.substr(0, bracket));
}

void TextReader::fail(std::string_view field, SentenceParts sentence, TextRange range) {
  throw PlanError(ULPFFT_INVALID_TEXT, std::string(field), joined(sentence), range.begin, range.end);
}

std::int64_t TextReader::read_integer(TextRange range, std::string_view field, ReadNumber read) const {
  std::int64_t value = 0;
  switch (read(view(range), value)) {
    case NumberState::kOk: return value;
    case NumberState::kOutOfRange: fail(field, {in_quotes(view(range)), " does not fit in 64 bits."}, range);
    case NumberState::kNotANumber: break;
  }
  if (range.begin == range.end) fail(field, {"A whole number is missing for ", field, "."}, range);
  fail(field, {in_quotes(view(range)), " is not a whole number for ", field, "."}, range);
}

double TextReader::read_real(TextRange range, std::string_view field, std::string_view possible) const {
  double value = 0;
  if (read_double(view(range), value) != NumberState::kOk) {
    fail(field, {in_quotes(view(range)), " is not possible for ", field, ": ", possible, "."}, range);
  }
  return value;
}

std::string TextReader::read_format(TextRange range, std::string_view field) const {
  if (!is_format_name(view(range))) {
    const std::string found =
        range.begin == range.end ? "A format name is missing for " : in_quotes(view(range)) + " is not a format name for ";
    fail(field, {found, field, ": lower-case letters, digits and '_', e.g. f32."}, range);
  }
  return std::string(view(range));
}

}  // namespace ulpfft
