// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The C boundary: exceptions become a status and the thread's last error.
#ifndef ULPFFT_PLANNER_API_GUARD_H_
#define ULPFFT_PLANNER_API_GUARD_H_

#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "planner/api/struct_sizes.h"
#include "planner/system/last_error.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/cancellation.h"
#include "wisdom/error.h"

namespace ulpfft {

// Runs `body` and returns its status. A thread that is cancelled during the call ends after it, at its next cancellation point. Every
// exception but a forced unwind (pthread_exit() in a callback) ends here.
template <typename Body>
ulpfft_status guard(const Body& body) {
  const CancellationOff off;
  try {
    body();
    return ULPFFT_OK;
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const PlanError& error) {
    return set_last_error(error.status, error.field.c_str(), error.message.c_str(), error.text_begin, error.text_end);
  } catch (const std::bad_alloc&) {
    return set_last_error(ULPFFT_NO_MEMORY, "", "Not enough memory.");
  } catch (const std::exception& error) {
    return set_last_error(ULPFFT_INTERNAL, "", error.what());
  } catch (...) {
    return set_last_error(ULPFFT_INTERNAL, "", "An exception of unknown type reached the C interface.");
  }
}

// Throws PlanError unless the pointer is set.
inline void require_pointer(const void* pointer, const char* field) {
  if (pointer == nullptr) throw PlanError(ULPFFT_INVALID_ARGUMENT, field, std::string(field) + " is null.");
}

// The caller's `size` says which members of a struct exist. Throws PlanError unless some version of the struct has that size.
template <typename T>
void require_size(const T& given, const char* field) {
  if (is_published_size<T>(given.size)) return;
  std::string sizes;
  for (const std::size_t earlier : earlier_sizes<T>()) sizes += std::to_string(earlier) + ", ";
  throw PlanError(ULPFFT_INVALID_ARGUMENT, field,
                  std::string(field) + " is " + std::to_string(given.size) + ", but this struct has " + sizes + std::to_string(sizeof(T)) +
                      " or more bytes: set it with sizeof.");
}

// The caller's struct in the form of this version. Members that the caller's struct is too small to have are zero.
template <typename T>
T read_sized(const T& from, const char* field) {
  require_size(from, field);
  T to{};
  std::memcpy(&to, &from, std::min(from.size, sizeof(T)));
  return to;
}

// A copy that the caller frees; null when memory is short.
char* copy_text(const std::string& text) noexcept;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_API_GUARD_H_
