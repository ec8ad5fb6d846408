// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/row_transform.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stream/rounding.h"

namespace ulpfft {
namespace {

// Neumaier's sum: windows of 2^24 factors are added within a rounding or two.
class CompensatedSum {
 public:
  void add(double term) {
    const double sum = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

bool is_spectrum(const StreamRequest& request) { return request.options.output == ULPFFT_STREAM_SPECTRUM; }

// Samples of a row before the one that the exponent counts from. Powers have no phase.
std::int64_t first_sample(const StreamRequest& request) {
  return request.options.phase == ULPFFT_PHASE_MIDDLE && is_spectrum(request) ? request.options.length / 2 : 0;
}

std::size_t sample_bytes(const StreamRequest& request) { return request.samples.bytes * (request.options.complex_samples != 0 ? 2 : 1); }

// Room for the samples of a row in the order of the transform, where it is another one.
std::size_t line_bytes(const StreamRequest& request) {
  return first_sample(request) == 0 ? 0 : static_cast<std::size_t>(request.options.length) * sample_bytes(request);
}

RowBytes row_bytes_of(const StreamRequest& request) { return row_bytes(request.items, row_bins(request) * (is_spectrum(request) ? 2 : 1)); }

// Bins whose numbers are real.
double real_bins(const StreamRequest& request) {
  if (request.options.complex_samples != 0) return 0;
  return request.options.length % 2 == 0 && request.options.length > 1 ? 2 : 1;
}

template <typename T>
void take_roots(void* row, std::int64_t count) {
  T* const numbers = static_cast<T*>(row);
  for (std::int64_t k = 0; k < count; ++k) numbers[k] = std::sqrt(numbers[k]);
}

}  // namespace

RowTransform::RowTransform(const StreamRequest& request)
    : request_(request),
      plan_(request, row_transform(request)),
      row_(row_bytes_of(request)),
      first_bytes_(static_cast<std::size_t>(first_sample(request)) * sample_bytes(request)),
      line_bytes_(line_bytes(request)),
      line_(std::max<std::size_t>(line_bytes_, 1)) {}

void RowTransform::run(const void* samples, void* row) {
  if (line_bytes_ != 0) {
    const std::byte* const from = static_cast<const std::byte*>(samples);
    std::memcpy(line_.data(), from + first_bytes_, line_bytes_ - first_bytes_);
    std::memcpy(line_.data() + line_bytes_ - first_bytes_, from, first_bytes_);
    samples = line_.data();
  }
  plan_.execute_row(samples, row, row_.scales == 0 ? nullptr : static_cast<std::byte*>(row) + row_.codes);
  if (request_.options.output != ULPFFT_STREAM_MAGNITUDE) return;
  request_.f64 ? take_roots<double>(row, row_bins(request_)) : take_roots<float>(row, row_bins(request_));
}

double RowTransform::error() const { return row_transform_error(request_, plan_.error()); }
std::uint64_t RowTransform::bytes() const { return row_transform_bytes(request_) + plan_.bytes(); }

LineTransform row_transform(const StreamRequest& request) {
  const ulpfft_stream_options& options = request.options;
  LineTransform transform{options.complex_samples != 0 ? ULPFFT_C2C : ULPFFT_R2C, options.length, ULPFFT_FORWARD, ULPFFT_INTERLEAVED};
  transform.in = request.samples.name;
  transform.out = request.items;
  transform.power = !is_spectrum(request);
  transform.scale = 1 / request.samples.full_scale;
  const std::int64_t first = first_sample(request);
  for (std::int64_t j = 0; options.window_factors != nullptr && j < options.length; ++j) {
    transform.window.push_back(options.window_factors[(first + j) % options.length]);
  }
  return transform;
}

std::int64_t row_bins(const StreamRequest& request) {
  return request.options.complex_samples != 0 ? request.options.length : request.options.length / 2 + 1;
}

std::size_t row_item_bytes(const StreamRequest& request) {
  const RowBytes row = row_bytes_of(request);
  return row.codes + row.scales;
}

WindowSums window_sums(const StreamRequest& request) {
  const auto length = static_cast<double>(request.options.length);
  if (request.options.window_factors == nullptr) return {length, length};
  CompensatedSum factors;
  CompensatedSum squares;
  for (std::int64_t i = 0; i < request.options.length; ++i) {
    const double factor = request.options.window_factors[i];
    factors.add(factor);
    squares.add(factor * factor);
  }
  return {factors.value(), squares.value()};
}

std::uint64_t row_transform_bytes(const StreamRequest& request) { return line_bytes(request); }

// Of a complex normal X with relative error e, that of |X|^2 to its root mean square is e,
// and that of |X| is e / sqrt 2, because only the part along X counts. Bins 0 and length / 2 of real samples are real: |X|^2 has squares of
// 3 and errors of 4 e^2 there, against 2 and 2 e^2, in units of the mean square's square, and |X| has e. Squares round 3/4 as much as their
// sum; a root halves both and rounds once.
double spectrum_variance(const StreamRequest& request, double plan_error) {
  const double bins = static_cast<double>(row_bins(request));
  const double real = real_bins(request);
  const double of_power = std::max(0.0, plan_error * plan_error - 1.75 * rounding_variance(request.f64));
  return of_power * (2 * bins + real) / (2 * bins + 2 * real);
}

// Plans tell the error of spectra and of powers.
double row_transform_error(const StreamRequest& request, double plan_error) {
  if (request.options.output != ULPFFT_STREAM_MAGNITUDE) return plan_error;
  const double one = rounding_variance(request.f64);
  const double bins = static_cast<double>(row_bins(request));
  const double variance = spectrum_variance(request, plan_error);
  return std::sqrt(variance * (bins + real_bins(request)) / (2 * bins) + (1.75 / 4 + 1) * one);
}

}  // namespace ulpfft
