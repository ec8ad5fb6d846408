// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Overlap-save with a line of spectra: the window of the newest block is transformed once, and every partition of the taps multiplies the
// spectrum of the block that it reaches.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "stream/filter_engine.h"
#include "stream/memory.h"
#include "stream/planes.h"
#include "stream/products.h"
#include "stream/rounding.h"

namespace ulpfft {
namespace {

// Numbers of its arrays, in reals.
struct BlockSizes {
  std::int64_t row;      // of a part of a spectrum
  std::int64_t spectra;  // re and im of all partitions
  std::int64_t sum;      // of one spectrum
  std::int64_t line;     // re and im of a window, or of samples that come back
};

template <typename T>
BlockSizes block_sizes(const FilterSpec& spec, const FilterShape& shape) {
  const std::int64_t row = padded_row<T>(filter_bins(spec, shape));
  return {row, 2 * row * shape.partitions, 2 * row, shape.transform * (spec.complex_items() ? 2 : 1)};
}

template <typename T>
class BlockEngine final : public FilterEngine {
 public:
  BlockEngine(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape)
      : spec_(spec),
        shape_(shape),
        sizes_(block_sizes<T>(spec, shape)),
        there_(request, forward_transform(spec, shape)),
        back_(request, inverse_transform(spec, shape)),
        taps_(static_cast<std::size_t>(sizes_.spectra)),
        spectra_(static_cast<std::size_t>(sizes_.spectra)),
        sum_(static_cast<std::size_t>(sizes_.sum)),
        window_(static_cast<std::size_t>(sizes_.line)),
        line_(static_cast<std::size_t>(sizes_.line)) {
    transform_taps(request.options.taps);
    error_ = block_engine_error(request, spec, shape, there_.error(), back_.error());
  }

  std::int64_t room() const override { return shape_.block; }
  bool takes_fewer() const override { return false; }
  double error() const override { return error_; }
  std::uint64_t bytes() const override { return block_engine_bytes(spec_, shape_) + there_.bytes() + back_.bytes(); }

  void write(std::int64_t at, const void* samples, std::int64_t count) override {
    const std::int64_t to = shape_.transform - shape_.block + at;
    unpack<T>(samples, spec_.complex_samples, count, window_.data() + to, im_of(window_, to));
  }

  void run(std::int64_t count, void* items) override {
    newest_ = newest_ + 1 == shape_.partitions ? 0 : newest_ + 1;
    transform_window(spectra_.data() + 2 * newest_ * sizes_.row);
    add_spectra<T>({taps_.data(), spectra_.data(), sum_.data(), sizes_.row, newest_, shape_.partitions});
    back_.execute(sum_.data(), sum_.data() + sizes_.row, line_.data(), im_of(line_, 0));
    const std::int64_t kept = shape_.transform - shape_.block;
    pack<T>(line_.data() + kept, im_of(line_, kept), count, items);
    std::memmove(window_.data(), window_.data() + shape_.block, static_cast<std::size_t>(kept) * sizeof(T));
    if (T* im = im_of(window_, 0)) std::memmove(im, im + shape_.block, static_cast<std::size_t>(kept) * sizeof(T));
  }

  void reset() override {
    spectra_.clear();
    window_.clear();
    newest_ = 0;
  }

 private:
  T* im_of(StreamArray<T>& line, std::int64_t at) { return spec_.complex_items() ? line.data() + shape_.transform + at : nullptr; }

  void transform_window(T* spectrum) { there_.execute(window_.data(), im_of(window_, 0), spectrum, spectrum + sizes_.row); }

  // The division by the transform's length, which the way there and back needs, is in the spectra of the taps.
  void transform_taps(const void* taps) {
    const T scale = T{1} / static_cast<T>(shape_.transform);
    const std::int64_t most = shape_.partitions == 1 ? spec_.tap_count : shape_.block;
    for (std::int64_t p = 0; p < shape_.partitions; ++p) {
      const std::int64_t first = p * most;
      const std::int64_t count = std::min(most, spec_.tap_count - first);
      window_.clear();
      const T* from = static_cast<const T*>(taps) + first * (spec_.complex_taps ? 2 : 1);
      unpack<T>(from, spec_.complex_taps, count, window_.data(), im_of(window_, 0));
      T* spectrum = taps_.data() + 2 * p * sizes_.row;
      transform_window(spectrum);
      for (std::int64_t i = 0; i < 2 * sizes_.row; ++i) spectrum[i] *= scale;
    }
    window_.clear();
  }

  FilterSpec spec_;
  FilterShape shape_;
  BlockSizes sizes_;
  StreamPlan there_;
  StreamPlan back_;
  StreamArray<T> taps_;     // spectra of the partitions
  StreamArray<T> spectra_;  // of the last blocks, in a ring
  StreamArray<T> sum_;
  StreamArray<T> window_;   // the samples before the next block, then that block
  StreamArray<T> line_;
  std::int64_t newest_ = 0;  // of the ring
  double error_ = 0;
};

template <typename T>
std::uint64_t block_bytes(const FilterSpec& spec, const FilterShape& shape) {
  const BlockSizes sizes = block_sizes<T>(spec, shape);
  return static_cast<std::uint64_t>(2 * sizes.spectra + sizes.sum + 2 * sizes.line) * sizeof(T);
}

}  // namespace

std::unique_ptr<FilterEngine> make_block_engine(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape) {
  if (spec.f64) return std::make_unique<BlockEngine<double>>(request, spec, shape);
  return std::make_unique<BlockEngine<float>>(request, spec, shape);
}

std::uint64_t block_engine_bytes(const FilterSpec& spec, const FilterShape& shape) {
  return spec.f64 ? block_bytes<double>(spec, shape) : block_bytes<float>(spec, shape);
}

// The errors of both spectra and of the way back are independent. A complex product rounds its products and their sum; the length, where
// it is no power of two, rounds once more in the taps.
double block_engine_error(const StreamRequest& request, const FilterSpec& spec, const FilterShape& shape, double there, double back) {
  const double one = rounding_variance(spec.f64);
  const double sums = sum_roundings(shape.partitions, [&](std::int64_t p) {
    const std::int64_t most = shape.partitions == 1 ? spec.tap_count : shape.block;
    return tap_energy(request.options.taps, spec, p * most, std::min(most, spec.tap_count - p * most));
  });
  const bool exact_scale = (shape.transform & (shape.transform - 1)) == 0;
  return std::sqrt(2 * there * there + back * back + (2 + (exact_scale ? 0 : 2) + sums) * one);
}

}  // namespace ulpfft
