// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems of every kind, valid by construction, their text and struct forms, their input, and their exact results.
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

#include "tests/support/api.h"
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
  int kind = ULPFFT_C2C;
  std::vector<int> kinds;  // of r2r, one per dimension (r2r_case.h)
  std::string chain;       // "mul", "user"; those of r2c have reals on both sides
  bool f64 = false;        // storage of the input
  bool converts = false;   // the output is stored in the other of f32 and f64; not in place
  std::string storages;    // as in a problem text, instead of those two
  std::string scheme;      // "": left to the library
  std::vector<Dim> dims;   // the transformed lengths; strides count reals on a real side
  std::vector<Dim> batch;  // outermost first
  bool dense = false;      // the text leaves strides to the library
  bool split = false;      // of complex sides
  bool in_place = false;
  bool backward = false;
  bool centered = false;
  int scale_kind = ULPFFT_SCALE_NONE;
  double scale_value = 1.0;
  int threads = 1;
  bool destroy_input = false;
  const CosineWindow* window = nullptr;  // null: none
  std::string options;                   // the rest of the text, from a space on
};

bool is_real_side(const Case& problem, bool output);
bool out_f64(const Case& problem);
// The arithmetic: the scheme, or the wider of the two storages.
bool computes_f64(const Case& problem);

// Dense strides, batch outside; rows of the real side are padded in place.
void set_dense(Case& problem);
// A problem of dense strides; of r2r one kind along every length. Batch 1: none.
Case dense_case(int kind, const std::vector<std::int64_t>& lengths, std::int64_t batch = 1);
// Complex lines, whose strides the text names.
Case line_case(std::int64_t n, std::int64_t batch = 1, bool f64 = false);
Case dense_r2r_case(int r2r_kind, const std::vector<std::int64_t>& lengths, std::int64_t batch);
// Every choice at random: lengths of every kind, storages and schemes, rank 1..4 (r2r: 3), batch rank 0..2, strides dense or with
// gaps, odd, negative and permuted (in place between reals and a spectrum: dense), at most `max_points` points in all.
Case random_case(Random& random, std::int64_t max_points, int kind = ULPFFT_C2C, const std::string& chain = "");
// The same in f32 or f64 alone; of reals (r2c or c2r) or r2r.
Case random_real_case(Random& random, std::int64_t max_points, const std::string& chain = "");
Case random_r2r_case(Random& random, std::int64_t max_points);

std::string text_of(const Case& problem);
// Calls back with the struct form; its arrays live for the call. Not of `storages` and `options`.
void with_struct(const Case& problem, const std::function<void(const ulpfft_problem&)>& use);

std::int64_t transform_points(const Case& problem);
std::int64_t all_points(const Case& problem);
// Elements that a side stores, of the whole batch.
std::int64_t stored_elements(const Case& problem, bool output);
double scale_of(const Case& problem);
// Calls use(T()) with the reals of a problem that does not convert.
template <typename Use>
void with_real(bool f64, const Use& use) {
  f64 ? use(double()) : use(float());
}
// Calls use.operator()<S, T>() with the reals of input and output.
template <typename Use>
void with_storage(const Case& problem, const Use& use) {
  if (problem.f64) {
    out_f64(problem) ? use.template operator()<double, double>() : use.template operator()<double, float>();
  } else {
    out_f64(problem) ? use.template operator()<float, double>() : use.template operator()<float, float>();
  }
}
// Distance from the exact result that no finite input exceeds: theorem_bound of the arithmetic, and one rounding where a storage
// is narrower. Passes between reals and complex numbers double it; r2r has them in every dimension. Lengths with a prime beyond
// 13 are convolutions: two transforms of at most four times the length and three products with tables, in which an error grows
// with the filter's largest value, below 4 of its mean.
double result_bound(const Case& problem);

// Where the elements that one side stores lie, in elements from the caller's pointer, in row-major order of (batch, dims).
struct Footprint {
  std::vector<std::int64_t> offsets;
  std::int64_t first = 0;  // smallest offset, <= 0
  std::int64_t last = 0;   // largest offset, >= 0
  std::size_t elements() const { return static_cast<std::size_t>(last - first + 1); }
};
Footprint footprint_of(const Case& problem, bool output);

// Input elements in row-major order of (batch, dims) as stored: normal numbers, or the half of a Hermitian spectrum. Reals: im is
// 0.
template <typename T>
std::vector<std::complex<T>> input_of(const Case& problem, std::uint64_t seed);
template <typename T>
std::vector<std::complex<T>> input_of(const Case& problem) {
  return input_of<T>(problem, seed_of(text_of(problem)));
}
// The exact result of such elements, in the same order: direction, centring, window and scale included. Not of chains.
std::vector<ComplexDD> exact_result(const Case& problem, const std::vector<ComplexDD>& in);
// The problem of a chain without its operation, and that of the way back.
Case transform_of(const Case& chain);
Case inverse_of(const Case& chain);
// The exact output of a chain that multiplies the stored spectrum of every transform by factors.
std::vector<ComplexDD> exact_chain(const Case& problem, const std::vector<ComplexDD>& in, const std::vector<ComplexDD>& factors);

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
