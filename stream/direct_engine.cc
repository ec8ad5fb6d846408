// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Direct sums: every item is ready with its sample.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "stream/filter_engine.h"
#include "stream/memory.h"
#include "stream/planes.h"
#include "stream/products.h"
#include "stream/rounding.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kDirectSpan = 4096;  // samples between two moves of those that the taps still reach

struct DirectSizes {
  std::int64_t history;
  std::int64_t plane;  // history, span, and what whole rows read beyond it
  std::int64_t row;    // of sums
  std::int64_t planes; // 1: real numbers alone
};

template <typename T>
DirectSizes direct_sizes(const FilterSpec& spec) {
  const std::int64_t history = spec.tap_count - 1;
  const std::int64_t plane = padded_row<T>(history + std::max(history, kDirectSpan) + kRowBytes);
  return {history, plane, padded_row<T>(kDirectRun), spec.complex_items() ? 2 : 1};
}

template <typename T>
class DirectEngine final : public FilterEngine {
 public:
  DirectEngine(const StreamRequest& request, const FilterSpec& spec)
      : spec_(spec),
        sizes_(direct_sizes<T>(spec)),
        span_(std::max(sizes_.history, kDirectSpan)),
        taps_(static_cast<std::size_t>(2 * spec.tap_count)),
        x_(static_cast<std::size_t>(sizes_.plane * sizes_.planes)),
        sums_(static_cast<std::size_t>(4 * sizes_.row)),
        next_(sizes_.history),
        error_(direct_engine_error(request, spec)) {
    unpack<T>(request.options.taps, spec.complex_taps, spec.tap_count, taps_.data(), taps_.data() + spec.tap_count);
  }

  std::int64_t room() const override { return std::min(kDirectRun, sizes_.history + span_ - next_); }
  bool takes_fewer() const override { return true; }
  double error() const override { return error_; }
  std::uint64_t bytes() const override { return direct_engine_bytes(spec_); }

  void write(std::int64_t at, const void* samples, std::int64_t count) override {
    T* to = x_.data() + next_ + at;
    unpack<T>(samples, spec_.complex_samples, count, to, sizes_.planes == 2 ? to + sizes_.plane : nullptr);
  }

  void run(std::int64_t count, void* items) override {
    T* re = sum(0, 0, 0, count);
    T* im = nullptr;
    if (spec_.complex_samples && spec_.complex_taps) {
      const T* minus = sum(1, 1, 1, count);
      im = sum(2, 0, 1, count);
      const T* plus = sum(3, 1, 0, count);
      for (std::int64_t i = 0; i < count; ++i) re[i] -= minus[i];
      for (std::int64_t i = 0; i < count; ++i) im[i] += plus[i];
    } else if (spec_.complex_samples) {
      im = sum(2, 0, 1, count);
    } else if (spec_.complex_taps) {
      im = sum(2, 1, 0, count);
    }
    pack<T>(re, im, count, items);
    next_ += count;
    if (next_ == sizes_.history + span_) move_back();
  }

  void reset() override {
    x_.clear();
    next_ = sizes_.history;
  }

 private:
  // Row `row` of the sums: part `tap_part` of the taps (0: re) with part `part` of the samples.
  T* sum(int row, int tap_part, int part, std::int64_t count) {
    T* y = sums_.data() + row * sizes_.row;
    add_directly<T>({taps_.data() + tap_part * spec_.tap_count, spec_.tap_count, x_.data() + part * sizes_.plane + next_, y, count});
    return y;
  }

  void move_back() {
    for (std::int64_t part = 0; part < sizes_.planes; ++part) {
      T* plane = x_.data() + part * sizes_.plane;
      std::memmove(plane, plane + span_, static_cast<std::size_t>(sizes_.history) * sizeof(T));
    }
    next_ = sizes_.history;
  }

  FilterSpec spec_;
  DirectSizes sizes_;
  std::int64_t span_;
  StreamArray<T> taps_;
  StreamArray<T> x_;
  StreamArray<T> sums_;
  std::int64_t next_;  // of x_: the first sample of the next run
  double error_;
};

template <typename T>
std::uint64_t direct_bytes(const FilterSpec& spec) {
  const DirectSizes sizes = direct_sizes<T>(spec);
  return static_cast<std::uint64_t>(2 * spec.tap_count + sizes.plane * sizes.planes + 4 * sizes.row) * sizeof(T);
}

}  // namespace

std::unique_ptr<FilterEngine> make_direct_engine(const StreamRequest& request, const FilterSpec& spec) {
  if (spec.f64) return std::make_unique<DirectEngine<double>>(request, spec);
  return std::make_unique<DirectEngine<float>>(request, spec);
}

std::uint64_t direct_engine_bytes(const FilterSpec& spec) { return spec.f64 ? direct_bytes<double>(spec) : direct_bytes<float>(spec); }

// Every product and every sum is rounded; complex numbers by complex taps take one sum more.
double direct_engine_error(const StreamRequest& request, const FilterSpec& spec) {
  const double sums = sum_roundings(spec.tap_count, [&](std::int64_t k) { return tap_energy(request.options.taps, spec, k, 1); });
  const double ends = spec.complex_samples && spec.complex_taps ? 2 : 1;
  return std::sqrt((ends + sums) * rounding_variance(spec.f64));
}

}  // namespace ulpfft
