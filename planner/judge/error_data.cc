// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/error_data.h"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "planner/facts/r2r_gain.h"
#include "planner/table/window_table.h"

namespace ulpfft {
namespace {

// Whether the exponent of the transform has the sign +.
bool has_plus_sign(const Problem& problem) { return (problem.direction == Direction::kBackward) != (problem.kind == Kind::kC2R); }

// Adds its conjugate at the mirrored place to every number, so that complex normal numbers keep their mean square and become the spectrum
// of real ones.
void make_symmetric(const Problem& problem, std::vector<std::complex<double>>& values, Poll& poll) {
  for (std::size_t index = 0; index < values.size(); ++index) {
    poll.count(1);
    const auto mirrored = static_cast<std::size_t>(mirrored_index(problem, static_cast<std::int64_t>(index)));
    if (mirrored < index) continue;
    values[index] = (values[index] + std::conj(values[mirrored])) * std::numbers::sqrt2 * 0.5;
    values[mirrored] = std::conj(values[index]);
  }
}

}  // namespace

std::complex<double> forward_value(const Problem& problem, std::complex<double> value) {
  return has_plus_sign(problem) ? std::conj(value) : value;
}

void gather(const Problem& problem, const StoredArray& in, std::int64_t transform, std::vector<double>& x, Poll& poll) {
  const auto put = [&x](std::int64_t index, std::complex<double> value) {
    x[static_cast<std::size_t>(2 * index)] = value.real();
    x[static_cast<std::size_t>(2 * index) + 1] = value.imag();
  };
  visit_transform(problem, false, transform, [&](std::int64_t index, std::int64_t offset) {
    poll.count(1);
    std::complex<double> value = forward_value(problem, in.get(offset));
    if (problem.kind == Kind::kC2R) {
      const std::int64_t mirrored = mirrored_index(problem, index);
      if (mirrored == index) value = value.real();
      if (!is_stored(problem, false, mirrored)) put(mirrored, std::conj(value));
    }
    put(index, value);
  });
}

InputWindow::InputWindow(const Problem& problem, Poll& poll) : problem_(problem), poll_(poll) {
  if (!problem.window) return;
  const WindowFactors table = window_of(problem);
  RootCache roots;
  roots.poll = Poll([&poll] { poll.count(Poll::kWork); });
  for (std::size_t d = 0; d < problem.dims.size(); ++d) factors_.push_back(factors_along(table, d, roots));
}

void InputWindow::multiply(std::vector<double>& x, std::vector<double>& low) const {
  if (factors_.empty()) return;
  low.resize(x.size());
  for (std::size_t i = 0; 2 * i < x.size(); ++i) {
    poll_.count(1);
    DoubleDouble factor(1.0);
    auto index = static_cast<std::int64_t>(i);
    for (std::size_t d = problem_.dims.size(); d-- > 0;) {
      const Dimension& dim = problem_.dims[d];
      const std::int64_t place = (index % dim.length + first_index(problem_, dim, false)) % dim.length;
      factor = factor * factors_[d][static_cast<std::size_t>(place)];
      index /= dim.length;
    }
    for (std::size_t part = 2 * i; part < 2 * i + 2; ++part) {
      const DoubleDouble product = factor * DoubleDouble(x[part]);
      x[part] = product.hi;
      low[part] = product.lo;
    }
  }
}

namespace {

// Of r2c. Outputs 0 and n/2 of the last dimension are conjugates of outputs that are stored as well; each other one stands for two of the
// n of a row. They hold the mean of the data, and so may hold most of the sum of squares.
double stored_mean_square(const Problem& problem, const std::vector<double>& x, Poll& poll) {
  const std::int64_t n = problem.dims.back().length, points = transform_points(problem), rows = points / n;
  double sum = 0, of_own = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    double even = 0, odd = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      poll.count(1);
      const double value = x[static_cast<std::size_t>(2 * (row * n + j))];
      (j % 2 == 0 ? even : odd) += value;
      sum += value * value;
    }
    of_own += (even + odd) * (even + odd) + (n % 2 == 0 ? (even - odd) * (even - odd) : 0);
  }
  return (sum * static_cast<double>(n) + of_own) / static_cast<double>(2 * (n / 2 + 1));
}

}  // namespace

double energy_of(const Problem& problem, const std::vector<double>& x, Poll* given) {
  Poll nobody;
  Poll& poll = given != nullptr ? *given : nobody;
  if (problem.kind == Kind::kR2C && problem.chain.empty()) return stored_mean_square(problem, x, poll);
  if (problem.kind != Kind::kC2R) {
    return std::inner_product(x.begin(), x.end(), x.begin(), 0.0) * r2r_gain(problem);
  }
  double energy = 0;
  for (std::int64_t index = 0; index < transform_points(problem); ++index) {
    poll.count(1);
    const double* const a = x.data() + 2 * index;
    const double* const b = x.data() + 2 * mirrored_index(problem, index);
    energy += std::norm(std::complex<double>(a[0] + b[0], a[1] - b[1])) / 4;
  }
  return energy;
}

void fill_normal(const Problem& problem, const StoredArray& in, std::int64_t transform, std::int64_t number, double rms, Poll& poll) {
  const auto mixed = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  // Splitmix64 counts in steps of kStep. Neighbouring transforms must not begin a step apart, because the data of one would then be the
  // data of the other, shifted by one.
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
  std::uint64_t state = mixed(mixed(static_cast<std::uint64_t>(number) + 20261120) + kStep);
  const auto uniform = [&] {  // in (0, 1]
    state += kStep;
    return (static_cast<double>(mixed(state) >> 11) + 1) * 0x1p-53;
  };
  std::vector<std::complex<double>> values;
  const std::int64_t points = transform_points(problem);
  values.reserve(static_cast<std::size_t>(points));
  for (std::int64_t i = 0; i < points; ++i) {
    poll.count(4);
    const double radius = rms * std::sqrt(-std::log(uniform()));
    std::complex<double> value = std::polar(radius, 2 * std::numbers::pi * uniform());
    if (problem.kind == Kind::kR2C || problem.kind == Kind::kR2R) value = value.real() * std::numbers::sqrt2;
    values.push_back(value);
  }
  if (problem.kind == Kind::kC2R) make_symmetric(problem, values, poll);
  store_transform(problem, false, in, transform, values, &poll);
}

}  // namespace ulpfft
