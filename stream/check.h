// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Checks of the options of streams.
#ifndef ULPFFT_STREAM_CHECK_H_
#define ULPFFT_STREAM_CHECK_H_

#include <cstdint>
#include <string>

#include "wisdom/error.h"

namespace ulpfft {

// Throws PlanError: "FIELD is VALUE; WHAT FIRST to LAST."
inline void require_between(std::int64_t value, std::int64_t first, std::int64_t last, const char* field, const char* what) {
  if (first <= value && value <= last) return;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, field,
                  std::string(field) + " is " + std::to_string(value) + "; " + what + " " + std::to_string(first) + " to " +
                      std::to_string(last) + ".");
}

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_CHECK_H_
