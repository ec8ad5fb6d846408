// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The arithmetic of a filter, block by block.
#ifndef ULPFFT_STREAM_FILTER_ENGINE_H_
#define ULPFFT_STREAM_FILTER_ENGINE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "stream/filter_shape.h"
#include "stream/stream.h"

namespace ulpfft {

class FilterEngine {
 public:
  virtual ~FilterEngine() = default;
  // Samples that the next run() takes at most.
  virtual std::int64_t room() const = 0;
  // Whether run() also takes fewer samples.
  virtual bool takes_fewer() const = 0;
  // Samples at..at+count-1 of the next run; null: zeros.
  virtual void write(std::int64_t at, const void* samples, std::int64_t count) = 0;
  // Filters the `count` samples written, and writes as many items.
  virtual void run(std::int64_t count, void* items) = 0;
  // Forgets all samples.
  virtual void reset() = 0;
  virtual double error() const = 0;
  virtual std::uint64_t bytes() const = 0;
};

inline constexpr std::int64_t kDirectRun = 1024;  // samples of a run of direct sums at most

std::unique_ptr<FilterEngine> make_filter_engine(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers);
// The engine of a single layer, which is all of `spec`.
std::unique_ptr<FilterEngine> make_layer_engine(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape);
std::unique_ptr<FilterEngine> make_block_engine(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape);
std::unique_ptr<FilterEngine> make_direct_engine(const StreamRequest& request, const FilterSpec& spec);

// Without its plans, or its layers.
std::uint64_t block_engine_bytes(const FilterSpec& spec, const FilterShape& shape);
std::uint64_t layered_engine_bytes(const FilterSpec& spec, const FilterLayers& layers);
std::uint64_t direct_engine_bytes(const FilterSpec& spec);
double block_engine_error(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape, double there, double back);
double direct_engine_error(const StreamRequest& request, const FilterSpec& spec);
// From the errors of the layers.
double layered_engine_error(const StreamRequest& request, const FilterSpec& spec, const FilterLayers& layers,
                            const std::vector<double>& errors);
// Sum of the squares of taps first..first+count-1.
double tap_energy(const void* taps, const FilterSpec& spec, std::int64_t first, std::int64_t count);

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_FILTER_ENGINE_H_
