// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A row of a short-time transform: window, transform, and what is kept of the spectrum.
#ifndef ULPFFT_STREAM_ROW_TRANSFORM_H_
#define ULPFFT_STREAM_ROW_TRANSFORM_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "stream/plan.h"
#include "stream/stream.h"

namespace ulpfft {

class RowTransform {
 public:
  virtual ~RowTransform() = default;
  // `samples`: those of a row, as the caller pushes them; `row`: receives the numbers of an item.
  virtual void run(const void* samples, void* row) = 0;
  virtual double error() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

std::unique_ptr<RowTransform> make_row_transform(const StreamRequest& request);
LineTransform row_transform(const StreamRequest& request);
// Numbers and bytes of a row.
std::int64_t row_bins(const StreamRequest& request);
std::size_t row_item_bytes(const StreamRequest& request);
// Sums of the window's factors and of their squares, in f64.
struct WindowSums {
  double factors = 0;
  double squares = 0;
};
WindowSums window_sums(const StreamRequest& request);
// Without its plan.
std::uint64_t row_transform_bytes(const StreamRequest& request);
// With a plan of that error.
double row_transform_error(const StreamRequest& request, double plan_error);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_ROW_TRANSFORM_H_
