// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Texts and numbers as JSON has them.
#ifndef ULPFFT_TESTS_GPU_JSON_H_
#define ULPFFT_TESTS_GPU_JSON_H_

#include <cmath>
#include <cstdio>
#include <string>

namespace ulpfft::test {

inline std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      json += '\\';
      json += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
      json += code;
    } else {
      json += letter;
    }
  }
  return json + '"';
}

// JSON has no NaN.
inline std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_JSON_H_
