// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems valid by construction, their text and struct forms, and their exact results.
//
// A case is a plain value that prints: the text alone is enough to repeat a failure, since its data are seeded by it.
#ifndef ULPFFT_TESTS_SUPPORT_PROBLEMS_H_
#define ULPFFT_TESTS_SUPPORT_PROBLEMS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/double_double.h"
#include "tests/support/signals.h"
#include "tests/support/windows.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

struct Dim {
  std::int64_t length = 1;
  std::int64_t in_stride = 1;
  std::int64_t out_stride = 1;
};

struct Case {
  bool f64 = false;        // storage of the input
  bool converts = false;   // the output is stored in the other of f32 and f64; not in place
  std::string scheme;      // "": left to the library
  std::vector<Dim> dims;   // the transformed lengths
  std::vector<Dim> batch;  // outermost first
  bool split = false;
  bool in_place = false;
  bool backward = false;
  bool centered = false;
  int scale_kind = ULPFFT_SCALE_NONE;
  double scale_value = 1.0;
  int threads = 1;
  const CosineWindow* window = nullptr;  // null: none
};

bool out_f64(const Case& problem);
// The arithmetic: the scheme, or the wider of the two storages.
bool computes_f64(const Case& problem);

// Every choice at random: lengths of every kind, storages and schemes, rank 1..4, batch rank 0..2, strides dense or with gaps, odd, negative and permuted, at most
// `max_points` points in all.
Case random_case(Random& random, std::int64_t max_points);
// Dense strides, batch outside.
void set_dense(Case& problem);

std::string text_of(const Case& problem);
// Calls back with the struct form; its arrays live for the call.
void with_struct(const Case& problem, const std::function<void(const ulpfft_problem&)>& use);

std::int64_t transform_points(const Case& problem);
std::int64_t all_points(const Case& problem);
double scale_of(const Case& problem);
// Calls use.operator()<S, T>() with the reals of input and output.
template <typename Use>
void with_storage(const Case& problem, const Use& use) {
  if (problem.f64) {
    out_f64(problem) ? use.template operator()<double, double>() : use.template operator()<double, float>();
  } else {
    out_f64(problem) ? use.template operator()<float, double>() : use.template operator()<float, float>();
  }
}
// Distance from the exact result that no finite input exceeds: theorem_bound of the arithmetic, and one rounding where a storage is
// narrower. Lengths with a prime beyond 13 are convolutions: two transforms of at most four times the length and three products with
// tables, in which an error grows with the filter's largest value, below 4 of its mean.
double result_bound(const Case& problem);

// Where the elements of one side lie, in elements from the caller's pointer, in row-major order of (batch, dims).
struct Footprint {
  std::vector<std::int64_t> offsets;
  std::int64_t first = 0;  // smallest offset, <= 0
  std::int64_t last = 0;   // largest offset, >= 0
  std::size_t elements() const { return static_cast<std::size_t>(last - first + 1); }
};
Footprint in_footprint(const Case& problem);
Footprint out_footprint(const Case& problem);

// The exact result for data in row-major order of (batch, dims): direction, centring and scale included.
std::vector<ComplexDD> exact_result(const Case& problem, std::vector<ComplexDD> data);

template <typename T>
std::vector<ComplexDD> widen(const std::vector<std::complex<T>>& data) {
  std::vector<ComplexDD> wide(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) {
    wide[i] = {static_cast<double>(data[i].real()), static_cast<double>(data[i].imag())};
  }
  return wide;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_PROBLEMS_H_
