// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One flat JSON object, for what a command did: --json of transform and convert.
#ifndef ULPFFT_TOOLS_ULPFFT_JSON_OBJECT_H_
#define ULPFFT_TOOLS_ULPFFT_JSON_OBJECT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

// Keys in the order in which they are added. Bytes of a text that are no UTF-8 are written as '?'.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, const std::string& text);
  JsonObject& add(std::string_view key, const char* text) { return add(key, std::string(text)); }
  JsonObject& add(std::string_view key, std::int64_t number);
  JsonObject& add(std::string_view key, double number);  // null where it is not finite
  JsonObject& add(std::string_view key, bool truth);
  JsonObject& add(std::string_view key, const std::vector<std::int64_t>& numbers);
  JsonObject& add(std::string_view key, const std::vector<std::string>& texts);
  JsonObject& add_null(std::string_view key);
  std::string text() const;  // a line for each key

 private:
  JsonObject& add_value(std::string_view key, const std::string& value);
  std::string lines_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_JSON_OBJECT_H_
