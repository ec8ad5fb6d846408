// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/fftw_error.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/long_sums.h"
#include "tools/ulpfft/r2r_sums.h"

namespace ulpfft_tool {
namespace {

constexpr std::size_t kFewestOutputs = 1 << 12;  // an error within 1 or 2 %
constexpr double kMostOperationsPerPoint = 512;
constexpr int kSums = 128;
constexpr std::size_t kAlignment = 64;
// Of r2r, whose outputs come from all of an extension: points of it, and operations.
constexpr std::int64_t kLongestExtension = 1 << 21;
constexpr double kMostR2rOperations = 0x1p28;

// A transform of one line, as one kind of data in and out. Every array holds n complex numbers.
template <typename T>
class Line {
 public:
  Line(const FftwFunctions& functions, std::string_view kind, std::int64_t n)
      : kind_(kind), r2r_(r2r_kind(kind)), n_(static_cast<std::size_t>(n)), in_(make()), out_(make()), plan_(functions, plan(functions)) {}

  // Fills the input; x becomes what LongSums transforms to the exact output.
  void fill(std::mt19937_64& random, std::vector<std::complex<long double>>& x) {
    std::normal_distribution<double> normal(0.0, std::sqrt(0.5));
    const auto draw = [&] { return static_cast<T>(normal(random)); };
    if (kind_ == "r2c" || r2r_) {
      T* const reals = reinterpret_cast<T*>(in_.get());
      for (std::size_t j = 0; j < n_; ++j) x[j] = reals[j] = draw();
      return;
    }
    for (std::size_t j = 0; j < (kind_ == "c2r" ? n_ / 2 + 1 : n_); ++j) {
      const T re = draw();
      in_.get()[j] = {re, draw()};
      if (kind_ == "c2r" && 2 * j % n_ == 0) in_.get()[j] = re;  // its own conjugate
      x[j] = {in_.get()[j].real(), in_.get()[j].imag()};
    }
    if (kind_ != "c2r") return;
    // The sign of c2r is +: the forward transform of the conjugates.
    for (std::size_t j = 0; j <= n_ / 2; ++j) {
      const std::complex<long double> value = x[j];
      x[j] = std::conj(value);
      if (2 * j % n_ != 0) x[n_ - j] = value;
    }
  }
  void execute() const { plan_.execute(); }
  std::size_t outputs() const { return kind_ == "r2c" ? n_ / 2 + 1 : n_; }
  std::complex<long double> at(std::size_t k) const {
    if (kind_ == "c2r" || r2r_) return reinterpret_cast<const T*>(out_.get())[k];
    return {out_.get()[k].real(), out_.get()[k].imag()};
  }

 private:
  using Array = std::unique_ptr<std::complex<T>, void (*)(void*)>;
  Array make() const {
    const std::size_t bytes = (n_ * sizeof(std::complex<T>) + kAlignment - 1) / kAlignment * kAlignment;
    Array array(static_cast<std::complex<T>*>(std::aligned_alloc(kAlignment, bytes)), std::free);
    if (array == nullptr) throw std::bad_alloc();
    return array;
  }
  void* plan(const FftwFunctions& functions) const {
    const FftwFunctions::Dimension line{static_cast<std::ptrdiff_t>(n_), 1, 1};
    if (r2r_) return checked(functions.plan_r2r(1, &line, 0, nullptr, in_.get(), out_.get(), &*r2r_, kFftwEstimate));
    void* const made = kind_ == "r2c"   ? functions.plan_r2c(1, &line, 0, nullptr, in_.get(), out_.get(), kFftwEstimate)
                       : kind_ == "c2r" ? functions.plan_c2r(1, &line, 0, nullptr, in_.get(), out_.get(), kFftwEstimate)
                                        : functions.plan(1, &line, 0, nullptr, in_.get(), out_.get(), kFftwForward, kFftwEstimate);
    return checked(made);
  }
  static void* checked(void* made) {
    if (made == nullptr) throw Failure("FFTW makes no plan.");
    return made;
  }

  const std::string_view kind_;
  const std::optional<int> r2r_;
  const std::size_t n_;
  const Array in_, out_;
  const FftwPlan plan_;
};

}  // namespace

template <typename T>
double fftw_error(const FftwFunctions& functions, std::string_view kind, std::int64_t n) {
  const std::optional<int> r2r = r2r_kind(kind);
  const std::int64_t extended = r2r ? extended_length(*r2r, n) : n;
  if (r2r && (functions.plan_r2r == nullptr || extended > kLongestExtension)) return 0;
  const bool missing = functions.plan == nullptr || (kind == "r2c" && functions.plan_r2c == nullptr) ||
                       (kind == "c2r" && functions.plan_c2r == nullptr);
  if (missing) return 0;
  Line<T> line(functions, kind, n);
  const LongSums exact(extended);
  if (r2r && exact.cost() > kMostR2rOperations) return 0;
  std::mt19937_64 random(20261120);
  const auto count = static_cast<std::size_t>(n);
  // Where sums are dear, a few outputs of a few transforms have to do.
  const bool all = r2r || exact.cost() <= kMostOperationsPerPoint * static_cast<double>(n);
  std::vector<std::complex<long double>> x(count), transformed(all ? count : 0);
  long double error = 0, signal = 0;
  for (std::size_t compared = 0; compared < kFewestOutputs;) {
    line.fill(random, x);
    line.execute();
    std::vector<LongSums::Output> outputs;
    if (all) {
      if (r2r) transformed = r2r_line(*r2r, exact, x);
      else exact.all(x.data(), transformed.data());
      for (std::size_t k = 0; k < count; ++k) outputs.push_back({k, transformed[k]});
    } else {
      outputs = exact.some(x, kSums, static_cast<std::uint64_t>(compared));
    }
    for (const LongSums::Output& output : outputs) {
      if (output.index >= line.outputs()) continue;
      error += std::norm(line.at(output.index) - output.value);
      signal += std::norm(output.value);
    }
    compared += all ? line.outputs() : kFewestOutputs / 4;
  }
  return static_cast<double>(std::sqrt(error / signal));
}

template double fftw_error<float>(const FftwFunctions& functions, std::string_view kind, std::int64_t n);
template double fftw_error<double>(const FftwFunctions& functions, std::string_view kind, std::int64_t n);

}  // namespace ulpfft_tool
