// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A row of a short-time transform: window, transform, and what is kept of the spectrum.
#ifndef ULPFFT_STREAM_ROW_TRANSFORM_H_
#define ULPFFT_STREAM_ROW_TRANSFORM_H_

#include <cstddef>
#include <cstdint>

#include "stream/memory.h"
#include "stream/plan.h"
#include "stream/storage.h"
#include "stream/stream.h"

namespace ulpfft {

// The plan multiplies by the window, and makes powers.
class RowTransform {
 public:
  explicit RowTransform(const StreamRequest& request);
  // `samples`: those of a row, as the caller pushes them; `row`: receives the numbers of an item.
  void run(const void* samples, void* row);
  double error() const;
  std::uint64_t bytes() const;

 private:
  StreamRequest request_;
  StreamPlan plan_;
  RowBytes row_;
  std::size_t first_bytes_;  // of the samples before the one that the transform begins with
  std::size_t line_bytes_;
  StreamArray<std::byte> line_;
};

LineTransform row_transform(const StreamRequest& request);
// Numbers and bytes of a row: codes, and behind them scales.
std::int64_t row_bins(const StreamRequest& request);
std::size_t row_item_bytes(const StreamRequest& request);
// Sums of the window's factors and of their squares, in f64.
struct WindowSums {
  double factors = 0;
  double squares = 0;
};
WindowSums window_sums(const StreamRequest& request);
// Squared relative error of the spectrum whose row, of powers or magnitudes, has that error.
double spectrum_variance(const StreamRequest& request, double plan_error);
// Without its plan.
std::uint64_t row_transform_bytes(const StreamRequest& request);
// With a plan of that error.
double row_transform_error(const StreamRequest& request, double plan_error);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_ROW_TRANSFORM_H_
