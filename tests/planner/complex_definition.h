// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What programs of complex transforms shall compute, by the definition.
#ifndef ULPFFT_TESTS_PLANNER_COMPLEX_DEFINITION_H_
#define ULPFFT_TESTS_PLANNER_COMPLEX_DEFINITION_H_

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "planner/table/window_table.h"
#include "tests/planner/interpret_problem.h"
#include "tests/planner/interpret_tables.h"
#include "tests/support/signals.h"

namespace ulpfft::test {

// Numbers of the problem, transform by transform, each in the order of its points.
using Numbers = std::vector<Complex>;

inline Numbers random_numbers(std::size_t count) {
  Random random(20261122);
  Numbers numbers(count);
  for (Complex& number : numbers) {
    const double re = static_cast<double>(random.between(-1000, 1000)) / 1000;
    number = {re, static_cast<double>(random.between(-1000, 1000)) / 1000};
  }
  return numbers;
}

// One dimension of all transforms; centred lines begin in their middle.
inline void transform_dimension(const Problem& problem, std::size_t dimension, bool backward, Numbers& numbers) {
  const auto n = static_cast<std::size_t>(problem.dims[dimension].length);
  std::size_t stride = 1;
  for (std::size_t d = dimension + 1; d < problem.dims.size(); ++d) stride *= static_cast<std::size_t>(problem.dims[d].length);
  const std::size_t shift = problem.centered ? n / 2 : 0;
  for (std::size_t first = 0; first < numbers.size(); ++first) {
    if (first / stride % n != 0) continue;
    Numbers line(n);
    for (std::size_t j = 0; j < n; ++j) {
      const Complex value = numbers[first + (j + shift) % n * stride];
      line[j] = backward ? std::conj(value) : value;
    }
    line = dft(line);
    for (std::size_t k = 0; k < n; ++k) numbers[first + (k + shift) % n * stride] = backward ? std::conj(line[k]) : line[k];
  }
}

// A chirp transform of every line.
inline Numbers zoomed(const Problem& problem, bool backward, const Numbers& numbers) {
  const Dimension& d = problem.dims.back();
  const std::int64_t outputs = index_length(problem, d, true);
  Numbers result;
  for (std::size_t first = 0; first < numbers.size(); first += static_cast<std::size_t>(d.length)) {
    for (std::int64_t k = 0; k < outputs; ++k) {
      const double frequency = problem.zoom.start + static_cast<double>(k) * step_of(problem.zoom, d.length);
      Complex sum = 0;
      for (std::int64_t j = 0; j < d.length; ++j) {
        const Complex root = turned(static_cast<double>(j) * frequency);
        sum += numbers[first + static_cast<std::size_t>(j)] * (backward ? std::conj(root) : root);
      }
      result.push_back(sum);
    }
  }
  return result;
}

inline Numbers transformed(const Problem& problem, Numbers numbers, const Numbers& factors) {
  const bool backward = problem.direction == Direction::kBackward;
  if (problem.window) {
    const std::vector<double> window = values_of_window(window_of(problem));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= window[i % window.size()];
  }
  if (problem.kind == Kind::kCzt) {
    numbers = zoomed(problem, backward, numbers);
  } else {
    for (std::size_t d = 0; d < problem.dims.size(); ++d) transform_dimension(problem, d, backward, numbers);
  }
  if (!problem.chain.empty()) {
    for (std::size_t i = 0; i < numbers.size() && problem.chain == "mul"; ++i) numbers[i] *= factors[i % factors.size()];
    for (std::size_t d = 0; d < problem.dims.size(); ++d) transform_dimension(problem, d, !backward, numbers);
  }
  for (Complex& number : numbers) number *= scale_factor(problem);
  if (problem.output_kind == OutputKind::kPower) {
    for (Complex& number : numbers) number = std::norm(number);
  }
  return numbers;
}

inline double relative_difference(const Numbers& a, const Numbers& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    size += std::norm(b[i]);
  }
  return std::sqrt(difference / size);
}

// f64 arithmetic, and a scale that f32 plans round to f32.
inline constexpr double kMostDifference = 1e-6;

// Where passes convert, so does the program for executions with exponents.
inline bool computes_the_transform(const Program& program, const Problem& problem) {
  if (program.with_exponents != nullptr && !computes_the_transform(*program.with_exponents, problem)) return false;
  const Numbers in = random_numbers(static_cast<std::size_t>(transform_points(problem) * batch_count(problem)));
  const Numbers factors = random_numbers(static_cast<std::size_t>(transform_points(problem)));
  try {
    return relative_difference(interpreted(program, problem, in, factors), transformed(problem, in, factors)) <= kMostDifference;
  } catch (const std::out_of_range&) {
    return false;
  }
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_COMPLEX_DEFINITION_H_
