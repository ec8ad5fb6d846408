// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/fftw_error.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include "tools/ulpfft/long_sums.h"

namespace ulpfft_tool {
namespace {

constexpr std::int64_t kOutputs = 1 << 14;
constexpr double kMostOperationsPerPoint = 512;
constexpr int kSums = 128;
constexpr std::size_t kAlignment = 64;

}  // namespace

template <typename T>
double fftw_error(const FftwFunctions& functions, std::int64_t n) {
  using Array = std::unique_ptr<std::complex<T>, void (*)(void*)>;
  const auto count = static_cast<std::size_t>(n);
  const std::size_t bytes = (count * sizeof(std::complex<T>) + kAlignment - 1) / kAlignment * kAlignment;
  const auto make = [&] { return Array(static_cast<std::complex<T>*>(std::aligned_alloc(kAlignment, bytes)), std::free); };
  const Array in = make();
  const Array out = make();
  if (in == nullptr || out == nullptr) throw std::bad_alloc();
  const FftwPlan plan(functions, {{n, 1, 1}}, {}, in.get(), out.get(), kFftwForward, kFftwEstimate);
  const LongSums exact(n);
  std::mt19937_64 random(20261120);
  std::normal_distribution<double> normal(0.0, std::sqrt(0.5));
  // Where sums are dear, a few outputs of a few transforms have to do.
  const bool all = exact.cost() <= kMostOperationsPerPoint * static_cast<double>(n);
  std::vector<std::complex<long double>> x(count), transformed(all ? count : 0);
  long double error = 0, signal = 0;
  for (std::int64_t compared = 0; compared < kOutputs;) {
    for (std::size_t j = 0; j < count; ++j) {
      in.get()[j] = {static_cast<T>(normal(random)), static_cast<T>(normal(random))};
      x[j] = {in.get()[j].real(), in.get()[j].imag()};
    }
    plan.execute();
    std::vector<LongSums::Output> outputs;
    if (all) {
      exact.all(x.data(), transformed.data());
      for (std::size_t k = 0; k < count; ++k) outputs.push_back({k, transformed[k]});
    } else {
      outputs = exact.some(x, kSums, static_cast<std::uint64_t>(compared));
    }
    for (const LongSums::Output& output : outputs) {
      const std::complex<T> y = out.get()[output.index];
      error += std::norm(std::complex<long double>(y.real(), y.imag()) - output.value);
      signal += std::norm(output.value);
    }
    compared += all ? n : kOutputs / 4;
  }
  return static_cast<double>(std::sqrt(error / signal));
}

template double fftw_error<float>(const FftwFunctions& functions, std::int64_t n);
template double fftw_error<double>(const FftwFunctions& functions, std::int64_t n);

}  // namespace ulpfft_tool
