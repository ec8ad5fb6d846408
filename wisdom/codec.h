// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom as JSON text (wisdom/schema.md), read as if it came from an enemy.
//
// Limits   64 MiB, depth 3, 10^5 rows, strings of printable ASCII up to 256 bytes, numbers checked before they are converted.
// Errors   a text that is not wisdom throws and yields nothing; a row with a bad field is reported and left out.
// Memory   a few times the text: rows are checked and packed one by one, no tree is built.
#ifndef ULPFFT_WISDOM_CODEC_H_
#define ULPFFT_WISDOM_CODEC_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "wisdom/entry.h"

namespace ulpfft {

// Malformed rows are added to the report. Throws PlanError (ULPFFT_INVALID_TEXT, field "wisdom", with the byte position).
Document decode_wisdom(std::string_view text, ImportReport& report);

// One row per line, sorted, so that equal content gives equal bytes and files diff well. Throws PlanError (ULPFFT_UNSUPPORTED)
// when decode_wisdom would refuse the text for its size.
std::string encode_wisdom(const Document& document);

inline constexpr std::size_t kMaxWisdomNames = 64;  // at the top level of a text, "ulpfft_wisdom" and "plans" among them
// Whether a text may have a table of this name beside the plans.
bool is_table_name(std::string_view name);

// A row of a table by its members. Numbers are finite; what is neither number nor text (true, false, null) is left out on reading.
using FlatValue = std::variant<double, std::string>;
using FlatRow = std::map<std::string, FlatValue>;

// Throws PlanError (ULPFFT_INVALID_TEXT, field "row") unless the text is one flat JSON object within the limits of a row.
FlatRow parse_flat_row(std::string_view text);
// One line, members by name, doubles in the shortest form that reads back the same. Throws PlanError (ULPFFT_INVALID_ARGUMENT,
// field "row") for what parse_flat_row() would refuse.
std::string print_flat_row(const FlatRow& row);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_CODEC_H_
