// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/stored_numbers.h"

#include <algorithm>
#include <span>

namespace ulpfft_tool {
namespace {

std::span<const double> reals_of(const std::vector<std::complex<double>>& numbers) {
  return {reinterpret_cast<const double*>(numbers.data()), 2 * numbers.size()};
}
std::span<double> reals_of(std::vector<std::complex<double>>& numbers) {
  return {reinterpret_cast<double*>(numbers.data()), 2 * numbers.size()};
}

}  // namespace

StoredNumbers::StoredNumbers(const std::string& storage, std::int64_t rows, std::int64_t points) : reals_(2 * rows * points) {
  if (storage == "f32") {
    data_ = std::vector<float>(static_cast<std::size_t>(reals_));
  } else if (storage == "f64") {
    data_ = std::vector<double>(static_cast<std::size_t>(reals_));
  } else {
    data_ = ulpfft::NarrowArray(storage, rows, 2 * points);
  }
}

std::int64_t StoredNumbers::set(const std::vector<std::complex<double>>& numbers) {
  const std::span<const double> from = reals_of(numbers);
  if (auto* const narrow = std::get_if<ulpfft::NarrowArray>(&data_)) return narrow->encode(from);
  if (auto* const wide = std::get_if<std::vector<double>>(&data_)) {
    std::copy(from.begin(), from.end(), wide->begin());
  } else {
    std::transform(from.begin(), from.end(), std::get<std::vector<float>>(data_).begin(),
                   [](double x) { return static_cast<float>(x); });
  }
  return 0;
}

std::vector<std::complex<double>> StoredNumbers::numbers() const {
  std::vector<std::complex<double>> numbers(static_cast<std::size_t>(reals_ / 2));
  const std::span<double> to = reals_of(numbers);
  if (const auto* const narrow = std::get_if<ulpfft::NarrowArray>(&data_)) {
    narrow->decode(to);
  } else if (const auto* const wide = std::get_if<std::vector<double>>(&data_)) {
    std::copy(wide->begin(), wide->end(), to.begin());
  } else {
    const auto& floats = std::get<std::vector<float>>(data_);
    std::copy(floats.begin(), floats.end(), to.begin());
  }
  return numbers;
}

ulpfft_array StoredNumbers::array() {
  if (auto* const narrow = std::get_if<ulpfft::NarrowArray>(&data_)) return narrow->array();
  ulpfft_array array{};
  array.size = sizeof array;
  auto* const wide = std::get_if<std::vector<double>>(&data_);
  array.data[0] = wide != nullptr ? static_cast<void*>(wide->data()) : std::get<std::vector<float>>(data_).data();
  return array;
}

}  // namespace ulpfft_tool
