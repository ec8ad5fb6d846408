// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real numbers in a storage: f32, f64 or a narrow one. They are rounded to it once, and come back as f64.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_STORED_NUMBERS_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_STORED_NUMBERS_H_

#include <complex>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

class StoredNumbers {
 public:
  // Zeros: rows of `points` complex numbers each.
  StoredNumbers(const std::string& storage, std::int64_t rows, std::int64_t points);

  // How many reals saturated, which in f32 and f64 none does. `numbers` has rows * points of them, and so has what numbers()
  // returns.
  std::int64_t set(const std::vector<std::complex<double>>& numbers);
  std::vector<std::complex<double>> numbers() const;
  ulpfft_array array();  // for executions, while this lives

 private:
  std::int64_t reals_;
  std::variant<std::vector<float>, std::vector<double>, ulpfft::NarrowArray> data_;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_STORED_NUMBERS_H_
