// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in narrow storage: their size, to them and from them. ulpfft.h (Narrow storage) says how they lie.
#ifndef ULPFFT_CPP_STORAGE_HPP_
#define ULPFFT_CPP_STORAGE_HPP_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "ulpfft/cpp/array_check.hpp"
#include "ulpfft/cpp/error.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

// Of a dense array of any storage; `lengths` count real numbers.
inline ulpfft_layout format_layout(const std::string& storage, std::span<const std::int64_t> lengths) {
  ulpfft_layout layout{};
  layout.size = sizeof layout;
  detail::check(ulpfft_format_layout(storage.c_str(), static_cast<int>(lengths.size()), lengths.data(), &layout));
  return layout;
}

// Owns the codes and scales of a dense array of rows of real numbers.
class NarrowArray {
 public:
  // Zeros.
  NarrowArray(std::string storage, std::int64_t rows, std::int64_t reals) : storage_(std::move(storage)), rows_(rows), reals_(reals) {
    const std::int64_t lengths[] = {rows, reals};
    const ulpfft_layout layout = format_layout(storage_, lengths);
    codes_.resize(static_cast<std::size_t>(layout.data_bytes));
    scales_.resize(static_cast<std::size_t>(layout.scale_bytes));
  }

  const std::string& storage() const noexcept { return storage_; }
  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t reals() const noexcept { return reals_; }
  std::vector<std::byte>& codes() noexcept { return codes_; }
  const std::vector<std::byte>& codes() const noexcept { return codes_; }
  std::vector<std::byte>& scales() noexcept { return scales_; }
  const std::vector<std::byte>& scales() const noexcept { return scales_; }

  // Rounds rows() * reals() numbers to nearest, once; returns how many saturated.
  template <RealScalar Real>
  std::int64_t encode(std::span<const Real> from) {
    const ulpfft_conversion job = conversion<Real>(from.size());
    std::int64_t saturated = 0;
    detail::check(ulpfft_encode(nullptr, &job, from.data(), codes_.data(), scales_.empty() ? nullptr : scales_.data(), &saturated));
    return saturated;
  }
  template <RealScalar Real>
  void decode(std::span<Real> to) const {
    const ulpfft_conversion job = conversion<Real>(to.size());
    detail::check(ulpfft_decode(nullptr, &job, codes_.data(), scales_.empty() ? nullptr : scales_.data(), to.data()));
  }

  // For Plan::execute and the C interface.
  ulpfft_array array() noexcept {
    ulpfft_array array{};
    array.size = sizeof array;
    array.data[0] = codes_.data();
    array.scales[0] = scales_.empty() ? nullptr : scales_.data();
    return array;
  }

 private:
  template <typename Real>
  ulpfft_conversion conversion(std::size_t count) const {
    if (count != static_cast<std::size_t>(rows_ * reals_)) {
      throw Error(Status::kInvalidArgument, "reals",
                  "The range has " + std::to_string(count) + " numbers; the array holds " + std::to_string(rows_ * reals_) + ".");
    }
    ulpfft_conversion job{};
    job.size = sizeof job;
    job.storage = storage_.c_str();
    job.real_type = std::is_same_v<Real, double> ? "f64" : "f32";
    job.rows = rows_;
    job.reals = reals_;
    return job;
  }

  std::string storage_;
  std::int64_t rows_;
  std::int64_t reals_;
  std::vector<std::byte> codes_, scales_;
};

// Scales interleaved complex numbers in place by the power of two that ulpfft_prescale_apply() chooses, and returns its exponent.
// `how`: target, percentile, least, lowest, highest as there.
template <RealScalar Real>
int prescale(std::span<std::complex<Real>> numbers, ulpfft_prescale how = {}) {
  how.size = sizeof how;
  how.real_type = sizeof(Real) == 8 ? "f64" : "f32";
  how.count = static_cast<std::int64_t>(numbers.size());
  int exponent = 0;
  detail::check(ulpfft_prescale_apply(&how, numbers.data(), numbers.data(), &exponent));
  return exponent;
}

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_STORAGE_HPP_
