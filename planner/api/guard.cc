// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/guard.h"

#include <cstdlib>
#include <cstring>

namespace ulpfft {

char* copy_text(const std::string& text) noexcept {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace ulpfft

using namespace ulpfft;

extern "C" {

const char* ulpfft_last_error(void) { return last_error().message; }

void ulpfft_last_error_get(ulpfft_error* error) {
  if (error == nullptr || error->size < sizeof(ulpfft_error)) return;
  error->status = last_error().status;
  error->message = last_error().message;
  error->field = last_error().field;
  error->text_begin = last_error().begin;
  error->text_end = last_error().end;
}

const char* ulpfft_status_name(ulpfft_status status) {
  switch (status) {
    case ULPFFT_OK: return "ok";
    case ULPFFT_INVALID_ARGUMENT: return "invalid argument";
    case ULPFFT_INVALID_TEXT: return "invalid text";
    case ULPFFT_UNKNOWN_NAME: return "unknown name";
    case ULPFFT_UNSUPPORTED: return "unsupported";
    case ULPFFT_NO_MEMORY: return "no memory";
    case ULPFFT_IO: return "input or output";
    case ULPFFT_UNAVAILABLE: return "unavailable";
    case ULPFFT_CANCELLED: return "cancelled";
    case ULPFFT_INTERNAL: return "internal error";
  }
  return "unknown status";
}

void ulpfft_string_free(char* text) { std::free(text); }

}  // extern "C"
