// Wisdom as JSON text (wisdom/schema.md), read as if it came from an enemy.
//
// Limits   64 MiB, depth 3, 10^5 rows, strings of printable ASCII up to 256 bytes, numbers checked before they are converted.
// Errors   a text that is not wisdom throws and yields nothing; a row with a bad field is reported and left out.
// Memory   a few times the text: rows are checked and packed one by one, no tree is built.
#ifndef ULPFFT_WISDOM_CODEC_H_
#define ULPFFT_WISDOM_CODEC_H_

#include <string>
#include <string_view>

#include "wisdom/entry.h"

namespace ulpfft {

// Malformed rows are added to the report. Throws PlanError (ULPFFT_INVALID_TEXT, field "wisdom", with the byte position).
Document decode_wisdom(std::string_view text, ImportReport& report);

// One row per line, sorted, so that equal content gives equal bytes and files diff well. Throws PlanError (ULPFFT_UNSUPPORTED)
// when decode_wisdom would refuse the text for its size.
std::string encode_wisdom(const Document& document);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_CODEC_H_
