// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/writer.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ulpfft::genfft {
namespace {

std::string to_text(double value, std::chars_format format) {
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, format);
  return std::string(buffer, end.ptr);
}

}  // namespace

void write_if_changed(const std::filesystem::path& folder, const std::vector<GeneratedFile>& files) {
  std::filesystem::create_directories(folder);
  for (const GeneratedFile& file : files) {
    const std::filesystem::path path = folder / file.name;
    {
      std::ifstream old(path, std::ios::binary);
      if (old && std::string(std::istreambuf_iterator<char>(old), std::istreambuf_iterator<char>()) == file.text) continue;
    }
    const std::filesystem::path fresh = folder / (file.name + ".new");
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << file.text;
    out.close();
    if (!out) throw std::runtime_error(fresh.string() + ": cannot be written");
    std::filesystem::rename(fresh, path);
  }
}

std::string hex_literal(double value) {
  if (value < 0) return "-" + hex_literal(-value);
  const std::string digits = to_text(value, std::chars_format::hex);
  return "0x" + digits;
}

std::string hex_literal(float value) { return hex_literal(static_cast<double>(value)) + "f"; }

std::string decimal_literal(double value) {
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, end.ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string string_literal(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    // No escapes, no trigraph, nothing that could end the literal.
    if (c == '"' || c == '\\' || c == '?') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

}  // namespace ulpfft::genfft
