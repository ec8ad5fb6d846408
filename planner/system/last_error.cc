// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/system/last_error.h"

#include <algorithm>
#include <cstring>

namespace ulpfft {
namespace {

thread_local LastError last;

void copy_cut(char* to, std::size_t capacity, const char* from) noexcept {
  const std::size_t length = std::min(std::strlen(from), capacity - 1);
  std::memmove(to, from, length);
  to[length] = '\0';
}

}  // namespace

const LastError& last_error() noexcept { return last; }

ulpfft_status set_last_error(ulpfft_status status, const char* field, const char* message, std::size_t begin, std::size_t end) noexcept {
  last.status = status;
  last.begin = begin;
  last.end = end;
  copy_cut(last.message, sizeof last.message, message);
  copy_cut(last.field, sizeof last.field, field);
  return status;
}

}  // namespace ulpfft
