// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The last error of a thread.
#ifndef ULPFFT_PLANNER_SYSTEM_LAST_ERROR_H_
#define ULPFFT_PLANNER_SYSTEM_LAST_ERROR_H_

#include <cstddef>

#include "ulpfft/ulpfft.h"

namespace ulpfft {

struct LastError {
  ulpfft_status status = ULPFFT_OK;
  std::size_t begin = 0;
  std::size_t end = 0;
  char message[1024] = "";
  char field[128] = "";
};
const LastError& last_error() noexcept;

// Returns `status`. Texts longer than the thread's fixed buffers are cut, because no memory is allocated.
ulpfft_status set_last_error(ulpfft_status status, const char* field, const char* message, std::size_t begin = 0,
                             std::size_t end = 0) noexcept;

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_LAST_ERROR_H_
