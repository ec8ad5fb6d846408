// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Operations of chains: factors, and a function that multiplies by them and remembers what it has seen.
#ifndef ULPFFT_TESTS_SUPPORT_CHAIN_OPERATION_H_
#define ULPFFT_TESTS_SUPPORT_CHAIN_OPERATION_H_

#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/problems.h"
#include "tests/support/signals.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// Factors of magnitude 1, so that an error in the spectrum stays as large as it is.
template <typename T>
std::vector<std::complex<T>> phases(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::complex<T>> list(static_cast<std::size_t>(count));
  for (std::complex<T>& value : list) {
    const std::complex<double> exact = std::polar(1.0, 6.283185307179586 * random.uniform());
    value = {static_cast<T>(exact.real()), static_cast<T>(exact.imag())};
  }
  return list;
}

// What apply() is given: the factors, and which points it has seen.
template <typename T>
struct Multiplier {
  const std::vector<std::complex<T>>* factors;
  std::int64_t points;
  std::vector<std::atomic<int>> seen;

  Multiplier(const std::vector<std::complex<T>>& list, std::int64_t transforms)
      : factors(&list), points(static_cast<std::int64_t>(list.size())), seen(list.size() * static_cast<std::size_t>(transforms)) {}

  static void apply(void* user, const ulpfft_tile* tile) {
    Multiplier& self = *static_cast<Multiplier*>(user);
    auto* const values = static_cast<std::complex<T>*>(tile->values);
    for (std::int64_t r = 0; r < tile->rows; ++r) {
      for (std::int64_t c = 0; c < tile->columns; ++c) {
        const std::int64_t index = tile->index + r * tile->row_step + c;
        ASSERT_TRUE(index >= 0 && index < self.points) << index;
        const auto flat = static_cast<std::size_t>(tile->transform * self.points + index);
        ASSERT_LT(flat, self.seen.size());
        ++self.seen[flat];
        values[r * tile->row_stride + c] *= (*self.factors)[static_cast<std::size_t>(index)];
      }
    }
  }
  bool saw_each_once() const {
    for (const std::atomic<int>& times : seen) {
      if (times != 1) return false;
    }
    return true;
  }
};

// The operation of a chain, which multiplies every spectrum by the same random factors.
template <typename T>
struct ChainCall {
  std::vector<std::complex<T>> factors;  // of the points that one transform stores
  Multiplier<T> multiplier;
  ulpfft_operation operation = sized<ulpfft_operation>();

  ChainCall(const Case& problem, std::uint64_t seed)
      : factors(phases<T>(stored_elements(transform_of(problem), true) / batch_of(problem), seed)),
        multiplier(factors, batch_of(problem)) {
    if (problem.chain == "mul") {
      operation.factors = factors.data();
    } else {
      operation.apply = &Multiplier<T>::apply;
      operation.user = &multiplier;
    }
  }
  ChainCall(const ChainCall&) = delete;
  bool saw_each_once() const { return operation.apply == nullptr || multiplier.saw_each_once(); }

 private:
  static std::int64_t batch_of(const Case& problem) { return all_points(problem) / transform_points(problem); }
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_CHAIN_OPERATION_H_
