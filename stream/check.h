// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Checks of the options of streams.
#ifndef ULPFFT_STREAM_CHECK_H_
#define ULPFFT_STREAM_CHECK_H_

#include <cmath>
#include <cstdint>
#include <string>

#include "stream/stream.h"
#include "wisdom/error.h"

namespace ulpfft {

// Throws PlanError: "FIELD is VALUE; WHAT FIRST to LAST."
inline void require_between(std::int64_t value, std::int64_t first, std::int64_t last, const char* field, const char* what) {
  if (first <= value && value <= last) return;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, field,
                  std::string(field) + " is " + std::to_string(value) + "; " + what + " " + std::to_string(first) + " to " +
                      std::to_string(last) + ".");
}

template <class T>
void require_finite(const T* values, std::int64_t count, const char* field) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (std::isfinite(values[i])) continue;
    const std::string element = std::string(field) + "[" + std::to_string(i) + "]";
    throw PlanError(ULPFFT_INVALID_ARGUMENT, element, element + " is no finite number.");
  }
}

// Refuses storage of its own for samples or rows, where `kind` has none.
inline void require_one_storage(const StreamRequest& request, const char* kind, bool samples) {
  const std::string wide = request.f64 ? "f64" : "f32";
  const auto require = [&](const std::string& name, const char* field) {
    if (name == wide) return;
    throw PlanError(ULPFFT_UNSUPPORTED, field,
                    std::string(field) + " is '" + name + "', but those of " + kind + " are stored as `storage` says, in " + wide + ".");
  };
  if (samples) require(request.blocks.reals != 0 ? request.blocks.name : request.samples.name, "samples");
  require(request.items, "items");
}

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_CHECK_H_
