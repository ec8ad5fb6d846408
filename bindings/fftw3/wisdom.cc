// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wisdom through FFTW's functions. It is ulpfft's: one JSON object, of all precisions. FFTW's own wisdom, and any other text, is
// refused.
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "bindings/fftw3/api.h"

namespace ulpfft::fftw3 {

namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // what ulpfft takes

struct FreeText {
  void operator()(char* text) const { ulpfft_string_free(text); }
};
using Text = std::unique_ptr<char, FreeText>;

Text export_text() { return Text(ulpfft_wisdom_export_string(Planner::get().context().get())); }

// 1 if the text is wisdom, and some of it is of use here, or it is empty. What was planned without it is planned anew.
int import_text(std::string_view text) {
  ulpfft_import_report report = ULPFFT_IMPORT_REPORT_INIT;
  if (ulpfft_wisdom_import_string(Planner::get().context().get(), text.data(), text.size(), &report) != ULPFFT_OK) return 0;
  ulpfft_string_free(report.details);
  if (report.accepted > 0) Planner::get().empty_cache();
  return report.accepted > 0 || report.stale + report.foreign + report.malformed == 0;
}

// Reads one JSON object and nothing after it, because wisdom may be a part of a longer stream. "" if there is none.
template <typename Next>
std::string read_object(const Next& next) {
  std::string text;
  int depth = 0;
  bool quoted = false, escaped = false;
  for (int c = next(); c != EOF; c = next()) {
    if (text.empty() && std::strchr(" \t\r\n", c) != nullptr && c != 0) continue;
    if ((text.empty() && c != '{') || text.size() >= kMostBytes) return "";
    text += static_cast<char>(c);
    if (quoted) {
      quoted = escaped || c != '"';
      escaped = !escaped && c == '\\';
      continue;
    }
    quoted = c == '"';
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth == 0) return text;
  }
  return "";
}

template <typename Next>
int import_stream(const Next& next) noexcept {
  try {
    const std::string text = read_object(next);
    return text.empty() ? 0 : import_text(text);
  } catch (...) {
    return 0;
  }
}

template <typename Write>
void export_stream(const Write& write) noexcept {
  try {
    const Text text = export_text();
    for (const char* c = text.get(); c != nullptr && *c != '\0'; ++c) write(*c);
  } catch (...) {
    complain("There is not enough memory to export wisdom.");
  }
}

}  // namespace

int export_wisdom_to_filename(const char* filename) noexcept {
  std::FILE* const file = filename != nullptr ? std::fopen(filename, "w") : nullptr;
  if (file == nullptr) return 0;
  export_wisdom_to_file(file);
  const bool written = std::ferror(file) == 0;
  return std::fclose(file) == 0 && written;
}

void export_wisdom_to_file(std::FILE* file) noexcept {
  export_stream([file](char c) { std::putc(c, file); });
}

char* export_wisdom_to_string() noexcept try {
  const Text text = export_text();
  return text != nullptr ? strdup(text.get()) : nullptr;
} catch (...) {
  return nullptr;
}

void export_wisdom(void (*write_char)(char, void*), void* data) noexcept {
  export_stream([=](char c) { write_char(c, data); });
}

void export_wisdom_fortran(void (*write_char)(char*, void*), void* data) noexcept {
  export_stream([=](char c) { write_char(&c, data); });
}

int import_system_wisdom() noexcept { return import_wisdom_from_filename(ulpfft_wisdom_system_path()); }

int import_wisdom_from_filename(const char* filename) noexcept {
  std::FILE* const file = filename != nullptr ? std::fopen(filename, "r") : nullptr;
  if (file == nullptr) return 0;
  const int taken = import_wisdom_from_file(file);
  std::fclose(file);
  return taken;
}

int import_wisdom_from_file(std::FILE* file) noexcept {
  return import_stream([file] { return std::getc(file); });
}

int import_wisdom_from_string(const char* text) noexcept {
  if (text == nullptr) return 0;
  return import_stream([&text] { return *text == '\0' ? EOF : static_cast<unsigned char>(*text++); });
}

int import_wisdom(int (*read_char)(void*), void* data) noexcept {
  return import_stream([=] { return read_char(data); });
}

int import_wisdom_fortran(void (*read_char)(int*, void*), void* data) noexcept {
  return import_stream([=] {
    int c = EOF;
    read_char(&c, data);
    return c;
  });
}

void forget_wisdom() noexcept {
  try {
    Planner::get().forget_wisdom();
  } catch (...) {
    complain("There is not enough memory for a context of ulpfft.");
  }
}

}  // namespace ulpfft::fftw3
