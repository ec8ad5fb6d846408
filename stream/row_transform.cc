// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/row_transform.h"

#include <algorithm>
#include <cmath>

#include "stream/memory.h"
#include "stream/rounding.h"

namespace ulpfft {
namespace {

template <typename T>
class RowTransformOf final : public RowTransform {
 public:
  explicit RowTransformOf(const StreamRequest& request)
      : request_(request),
        length_(request.options.length),
        parts_(request.options.complex_samples != 0 ? 2 : 1),
        first_(request.options.phase == ULPFFT_PHASE_MIDDLE ? length_ / 2 : 0),
        plan_(request, row_transform(request)),
        window_(static_cast<std::size_t>(length_)),
        line_(static_cast<std::size_t>(length_ * parts_)),
        spectrum_(static_cast<std::size_t>(2 * row_bins(request))) {
    const double* factors = request.options.window_factors;
    for (std::int64_t i = 0; i < length_; ++i) window_.data()[i] = factors == nullptr ? T{1} : static_cast<T>(factors[i]);
  }

  void run(const void* samples, void* row) override {
    const T* x = static_cast<const T*>(samples);
    // The sample that the exponent counts from comes first.
    multiply(x, first_, length_ - first_, line_.data());
    multiply(x, 0, first_, line_.data() + (length_ - first_) * parts_);
    if (request_.options.output == ULPFFT_STREAM_SPECTRUM) {
      plan_.execute(line_.data(), nullptr, row, nullptr);
      return;
    }
    plan_.execute(line_.data(), nullptr, spectrum_.data(), nullptr);
    keep(static_cast<T*>(row));
  }

  double error() const override { return row_transform_error(request_, plan_.error()); }
  std::uint64_t bytes() const override { return row_transform_bytes(request_) + plan_.bytes(); }

 private:
  void multiply(const T* x, std::int64_t first, std::int64_t count, T* to) const {
    const T* w = window_.data() + first;
    if (parts_ == 1) {
      for (std::int64_t i = 0; i < count; ++i) to[i] = w[i] * x[first + i];
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      to[2 * i] = w[i] * x[2 * (first + i)];
      to[2 * i + 1] = w[i] * x[2 * (first + i) + 1];
    }
  }

  void keep(T* row) const {
    const std::int64_t bins = row_bins(request_);
    const T* s = spectrum_.data();
    for (std::int64_t k = 0; k < bins; ++k) row[k] = s[2 * k] * s[2 * k] + s[2 * k + 1] * s[2 * k + 1];
    if (request_.options.output != ULPFFT_STREAM_MAGNITUDE) return;
    for (std::int64_t k = 0; k < bins; ++k) row[k] = std::sqrt(row[k]);
  }

  StreamRequest request_;
  std::int64_t length_;
  std::int64_t parts_;  // reals of a sample
  std::int64_t first_;  // sample of a row that the transform begins with
  StreamPlan plan_;
  StreamArray<T> window_;
  StreamArray<T> line_;
  StreamArray<T> spectrum_;
};

}  // namespace

std::unique_ptr<RowTransform> make_row_transform(const StreamRequest& request) {
  if (request.f64) return std::make_unique<RowTransformOf<double>>(request);
  return std::make_unique<RowTransformOf<float>>(request);
}

LineTransform row_transform(const StreamRequest& request) {
  const int kind = request.options.complex_samples != 0 ? ULPFFT_C2C : ULPFFT_R2C;
  return {kind, request.options.length, ULPFFT_FORWARD, ULPFFT_INTERLEAVED};
}

std::int64_t row_bins(const StreamRequest& request) {
  return request.options.complex_samples != 0 ? request.options.length : request.options.length / 2 + 1;
}

std::size_t row_item_bytes(const StreamRequest& request) {
  const std::size_t number = request.f64 ? sizeof(double) : sizeof(float);
  return static_cast<std::size_t>(row_bins(request)) * number * (request.options.output == ULPFFT_STREAM_SPECTRUM ? 2 : 1);
}

WindowSums window_sums(const StreamRequest& request) {
  const auto length = static_cast<double>(request.options.length);
  if (request.options.window_factors == nullptr) return {length, length};
  WindowSums sums;
  for (std::int64_t i = 0; i < request.options.length; ++i) {
    const double factor = request.options.window_factors[i];
    sums.factors += factor;
    sums.squares += factor * factor;
  }
  return sums;
}

std::uint64_t row_transform_bytes(const StreamRequest& request) {
  const std::int64_t line = request.options.length * (request.options.complex_samples != 0 ? 2 : 1);
  const std::int64_t numbers = request.options.length + line + 2 * row_bins(request);
  return static_cast<std::uint64_t>(numbers) * (request.f64 ? sizeof(double) : sizeof(float));
}

// A window rounds itself and its products. Of a complex normal X with relative error e, that of |X|^2 to its root mean square is e, and
// that of |X| is e / sqrt 2, because only the part along X counts. Bins 0 and length / 2 of real samples are real: |X|^2 has squares of 3
// and errors of 4 e^2 there, against 2 and 2 e^2, in units of the mean square's square, and |X| has e. Squares round 3/4 as much as their
// sum; a root halves both and rounds once.
double row_transform_error(const StreamRequest& request, double plan_error) {
  const double one = rounding_variance(request.f64);
  double variance = plan_error * plan_error;
  if (request.options.window_factors != nullptr) variance += (request.f64 ? 1 : 2) * one;
  const double bins = static_cast<double>(row_bins(request));
  const double real = request.options.complex_samples != 0 ? 0 : request.options.length % 2 == 0 && request.options.length > 1 ? 2 : 1;
  switch (request.options.output) {
    case ULPFFT_STREAM_POWER: return std::sqrt(variance * (2 * bins + 2 * real) / (2 * bins + real) + 1.75 * one);
    case ULPFFT_STREAM_MAGNITUDE: return std::sqrt(variance * (bins + real) / (2 * bins) + (1.75 / 4 + 1) * one);
    default: return std::sqrt(variance);
  }
}

}  // namespace ulpfft
