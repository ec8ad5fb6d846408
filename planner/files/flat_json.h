// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// JSON of one object whose values are texts, whole numbers and lists of whole numbers: the description of a narrow array.
#ifndef ULPFFT_PLANNER_FILES_FLAT_JSON_H_
#define ULPFFT_PLANNER_FILES_FLAT_JSON_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/files/input_file.h"

namespace ulpfft {

struct JsonField {
  enum class Kind : std::uint8_t { kText, kNumber, kList, kOther };
  std::string name;
  Kind kind = Kind::kOther;  // kOther: a value of another kind, as `text` spells it
  std::string text;
  std::int64_t number = 0;  // what is beyond 64 bits is the largest or the smallest
  std::vector<std::int64_t> list;
  FileRange at;  // bytes of the value
};

// Fields in the order of the file. A name that stands twice is refused. Throws PlanError, see input_file.h.
std::vector<JsonField> read_flat_json(const std::string& path, std::string_view text);

// In quotation marks.
std::string json_text(std::string_view text);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FILES_FLAT_JSON_H_
