// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a call asks of a plan, as a plain value: the cache goes by its bytes.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_REQUEST_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_REQUEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ulpfft/ulpfft.h"

namespace ulpfft_python {

constexpr int kMostDimensions = 8;  // of lengths, and of the batch

// One dimension of both sides; strides count elements of their side.
struct Dimension {
  std::int64_t length, in_stride, out_stride;
};

struct Request {
  std::int32_t kind = ULPFFT_C2C;
  std::int32_t r2r_kind = ULPFFT_R2HC;  // along every length
  std::int32_t direction = ULPFFT_FORWARD;
  std::int32_t placement = ULPFFT_OUT_OF_PLACE;
  std::int32_t scale_kind = ULPFFT_SCALE_NONE;
  std::int32_t half_input = 0;  // f16 in, f32 out
  std::int32_t is_double = 0;
  std::int32_t threads = 1;
  std::int32_t effort = ULPFFT_ESTIMATE;
  std::int32_t rank = 0;
  std::int32_t batch_rank = 0;
  std::int32_t unused = 0;                                  // no padding: every byte is a part of the key
  std::array<Dimension, 2 * kMostDimensions> dimensions{};  // lengths first, then batch dimensions

  void add_length(const Dimension& added) { dimensions[static_cast<std::size_t>(rank++)] = added; }
  // After all lengths.
  void add_batch(const Dimension& added) { dimensions[static_cast<std::size_t>(rank + batch_rank++)] = added; }

  std::string_view key() const {
    return {reinterpret_cast<const char*>(this),
            offsetof(Request, dimensions) + sizeof(Dimension) * static_cast<std::size_t>(rank + batch_rank)};
  }
};

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_REQUEST_H_
