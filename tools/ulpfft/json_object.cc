// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/json_object.h"

#include <cmath>
#include <cstddef>
#include <cstdio>

#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// Bytes of the UTF-8 character that begins here; 0: none does.
std::size_t character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC2 ? 2 : 0;
  if (size == 0 || byte(0) >= 0xF5 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool beyond = (byte(0) == 0xED && byte(1) > 0x9F) || (byte(0) == 0xF4 && byte(1) > 0x8F);
  return overlong || beyond ? 0 : size;
}

std::string in_json_quotes(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t size = character_at(text);
    const char first = text.front();
    if (size == 0) {
      result += '?';
    } else if (first == '"' || first == '\\') {
      result += std::string("\\") + first;
    } else if (static_cast<unsigned char>(first) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(first));
      result += escape;
    } else {
      result += text.substr(0, size);
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return result + "\"";
}

}  // namespace

JsonObject& JsonObject::add_value(std::string_view key, const std::string& value) {
  lines_ += (lines_.empty() ? "\n  " : ",\n  ") + in_json_quotes(key) + ": " + value;
  return *this;
}

JsonObject& JsonObject::add(std::string_view key, const std::string& text) { return add_value(key, in_json_quotes(text)); }
JsonObject& JsonObject::add(std::string_view key, std::int64_t number) { return add_value(key, std::to_string(number)); }
JsonObject& JsonObject::add(std::string_view key, double number) { return add_value(key, std::isfinite(number) ? show_number(number) : "null"); }
JsonObject& JsonObject::add(std::string_view key, bool truth) { return add_value(key, truth ? "true" : "false"); }
JsonObject& JsonObject::add_null(std::string_view key) { return add_value(key, "null"); }

JsonObject& JsonObject::add(std::string_view key, const std::vector<std::int64_t>& numbers) {
  std::string list;
  for (const std::int64_t number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return add_value(key, "[" + list + "]");
}

JsonObject& JsonObject::add(std::string_view key, const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + in_json_quotes(text);
  return add_value(key, "[" + list + "]");
}

std::string JsonObject::text() const { return "{" + lines_ + "\n}\n"; }

}  // namespace ulpfft_tool
