// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Input and exact results of cases (problems.h).
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/r2r_case.h"

namespace ulpfft::test {
namespace {

std::vector<std::int64_t> shape_of(const Case& problem) {
  std::vector<std::int64_t> shape;
  for (const Dim& dim : problem.batch) shape.push_back(dim.length);
  for (const Dim& dim : problem.dims) shape.push_back(dim.length);
  return shape;
}

// Calls visit(place in the array of all points, index of the stored element, place of the conjugate) for the elements that a side
// stores.
template <typename Visit>
void each_stored(const Case& problem, bool output, const Visit& visit) {
  const std::vector<std::int64_t> shape = shape_of(problem);
  const std::size_t first = problem.batch.size(), rank = shape.size();
  const bool halved = problem.kind != ULPFFT_C2C && !is_real_side(problem, output);
  std::vector<std::int64_t> index(rank, 0);
  const auto count = static_cast<std::size_t>(stored_elements(problem, output));
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t at = 0, other = 0;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t n = shape[d];
      const bool shifted = problem.centered && d >= first && !(halved && d + 1 == rank);
      const std::int64_t j = shifted ? (index[d] + n - n / 2) % n : index[d];
      at = at * n + j;
      other = other * n + (d < first ? j : (n - j) % n);
    }
    visit(static_cast<std::size_t>(at), i, static_cast<std::size_t>(other));
    for (std::size_t d = rank; d-- > 0;) {
      if (++index[d] < (halved && d + 1 == rank ? shape[d] / 2 + 1 : shape[d])) break;
      index[d] = 0;
    }
  }
}

// The array of all points, transformed: forward has the negative sign.
void transform_whole(const Case& problem, std::vector<ComplexDD>& whole, bool forward) {
  const auto conjugate = [&] {
    for (ComplexDD& value : whole) value.im = -value.im;
  };
  const std::vector<std::int64_t> shape = shape_of(problem);
  if (!forward) conjugate();
  for (std::size_t d = problem.batch.size(); d < shape.size(); ++d) transform_dimension(whole, shape, d);
  if (!forward) conjugate();
}

void multiply_by_window(const Case& problem, std::vector<ComplexDD>& data) {
  std::vector<DoubleDouble> factors{1.0};
  for (const Dim& dim : problem.dims) {
    std::vector<DoubleDouble> next;
    std::vector<DoubleDouble> along;
    for (std::int64_t j = 0; j < dim.length; ++j) along.push_back(factor_of(*problem.window, false, dim.length, j));
    for (const DoubleDouble& outer : factors) {
      for (const DoubleDouble& inner : along) next.push_back(outer * inner);
    }
    factors = std::move(next);
  }
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = factors[i % factors.size()] * data[i];
}

}  // namespace

template <typename T>
std::vector<std::complex<T>> input_of(const Case& problem, std::uint64_t seed) {
  std::vector<std::complex<T>> in(static_cast<std::size_t>(stored_elements(problem, false)));
  Random random(seed);
  for (std::complex<T>& value : in) {
    const double re = random.normal();
    value = {static_cast<T>(re), is_real_side(problem, false) ? T(0) : static_cast<T>(random.normal())};
  }
  if (problem.kind != ULPFFT_C2R) return in;
  // What equals its own conjugate's place is made Hermitian.
  std::vector<std::ptrdiff_t> known(static_cast<std::size_t>(all_points(problem)), -1);
  each_stored(problem, false, [&](std::size_t at, std::size_t i, std::size_t other) {
    known[at] = static_cast<std::ptrdiff_t>(i);
    if (at == other)
      in[i] = in[i].real();
    else if (known[other] >= 0)
      in[i] = std::conj(in[static_cast<std::size_t>(known[other])]);
  });
  return in;
}
template std::vector<std::complex<float>> input_of(const Case&, std::uint64_t);
template std::vector<std::complex<double>> input_of(const Case&, std::uint64_t);

std::vector<ComplexDD> exact_result(const Case& problem, const std::vector<ComplexDD>& in) {
  if (problem.kind == ULPFFT_R2R) return exact_r2r(problem, in);
  std::vector<ComplexDD> given = in;
  if (problem.window != nullptr) multiply_by_window(problem, given);
  std::vector<ComplexDD> whole(static_cast<std::size_t>(all_points(problem)));
  const bool c2r = problem.kind == ULPFFT_C2R;
  const auto row = static_cast<std::size_t>(problem.dims.back().length);
  each_stored(problem, false, [&](std::size_t at, std::size_t i, std::size_t other) {
    whole[at] = given[i];
    if (c2r && other % row > row / 2) whole[other] = {given[i].re, -given[i].im};
  });
  transform_whole(problem, whole, c2r == problem.backward);
  const DoubleDouble scale(scale_of(problem));
  std::vector<ComplexDD> out(static_cast<std::size_t>(stored_elements(problem, true)));
  each_stored(problem, true, [&](std::size_t at, std::size_t i, std::size_t) {
    out[i] = scale * whole[at];
    if (c2r) out[i].im = 0.0;
  });
  return out;
}

Case transform_of(const Case& chain) {
  Case problem = chain;
  problem.chain.clear();
  problem.in_place = false;
  problem.scale_kind = ULPFFT_SCALE_NONE;
  set_dense(problem);
  return problem;
}

Case inverse_of(const Case& chain) {
  Case back = transform_of(chain);
  if (back.kind == ULPFFT_C2C)
    back.backward = !back.backward;
  else
    back.kind = ULPFFT_C2R;
  back.window = nullptr;
  back.scale_kind = chain.scale_kind;
  set_dense(back);
  return back;
}

std::vector<ComplexDD> exact_chain(const Case& problem, const std::vector<ComplexDD>& in, const std::vector<ComplexDD>& factors) {
  std::vector<ComplexDD> spectrum = exact_result(transform_of(problem), in);
  for (std::size_t i = 0; i < spectrum.size(); ++i) spectrum[i] = spectrum[i] * factors[i % factors.size()];
  return exact_result(inverse_of(problem), spectrum);
}

}  // namespace ulpfft::test
