// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems of real transforms (r2c, c2r, chains of r2c, r2r), their exact results, and executions between guard pages.
//
// A case is a plain value that prints: the text alone is enough to repeat a failure, since its data are seeded by it.
#ifndef ULPFFT_TESTS_SUPPORT_REAL_CASE_H_
#define ULPFFT_TESTS_SUPPORT_REAL_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/double_double.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/problems.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

struct RealCase {
  bool c2r = false;
  std::vector<int> kinds;  // of r2r, one per dimension (r2r_case.h): both sides are real; else empty
  bool f64 = false;
  std::vector<Dim> dims;   // logical lengths; strides count reals on the real side
  std::vector<Dim> batch;  // outermost first
  bool split = false;      // the spectrum
  bool in_place = false;
  bool backward = false;
  bool centered = false;
  int scale_kind = ULPFFT_SCALE_NONE;
  int threads = 1;
  bool dense = true;       // strides are left to the library
  bool destroy_input = false;
  std::string chain;       // "mul", "user"; both sides are real then, and c2r is false
  std::string storages;    // as in a problem text; "": f32 or f64, as f64 says
  std::string options;     // the rest of the text, from a space on
};

std::string text_of(const RealCase& problem);
// Sets dense strides, padded in place.
void set_dense(RealCase& problem);
// Lengths of every kind, rank 1..4, batch rank 0..2, dense strides or gaps; at most `max_points` points.
RealCase random_real_case(Random& random, std::int64_t max_points, const std::string& chain = "");

// Strides of either side in some order, with gaps and signs or without. In place both sides have the same; not for r2c and c2r in place.
void set_random_strides(Random& random, RealCase& problem);

// Offsets of the elements that a side stores, in row-major order of (batch, dims) and in units of its strides.
std::vector<std::int64_t> stored_offsets(const RealCase& problem, bool output);
bool is_real_side(const RealCase& problem, bool output);

std::int64_t transform_points(const RealCase& problem);
std::int64_t all_points(const RealCase& problem);
// Elements that a side stores, of the whole batch.
std::int64_t stored_elements(const RealCase& problem, bool output);

// Input elements in row-major order of (batch, dims) as stored: random normal reals, or the half of a Hermitian spectrum. Reals: im is 0.
template <typename T>
std::vector<std::complex<T>> real_case_input(const RealCase& problem);
// The exact output, in the same order; reals: im is 0. Not of chains.
std::vector<ComplexDD> exact_result(const RealCase& problem, const std::vector<ComplexDD>& in);
// The problem of a chain without its operation: r2c.
RealCase transform_of(const RealCase& chain);
// The exact output of a chain that multiplies the stored half of the spectrum by factors.
std::vector<ComplexDD> exact_chain(const RealCase& problem, const std::vector<ComplexDD>& in, const std::vector<ComplexDD>& factors);

template <typename T>
struct RealRun {
  std::vector<std::complex<T>> out;
  std::string trouble;  // empty, or what went wrong: status, touched gap, changed input
};
// Executes between guard pages, with a workspace of its own where `own_workspace`. Chains have an operation.
template <typename T>
RealRun<T> run_real_case(const ulpfft_plan* plan, const RealCase& problem, const std::vector<std::complex<T>>& in, Flush flush,
                         bool own_workspace, const ulpfft_operation* operation = nullptr);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_REAL_CASE_H_
