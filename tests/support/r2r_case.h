// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Problems between real numbers (r2r), their exact results, and executions between guard pages.
//
// A case is a plain value that prints: the text alone is enough to repeat a failure, since its data are seeded by it.
#ifndef ULPFFT_TESTS_SUPPORT_R2R_CASE_H_
#define ULPFFT_TESTS_SUPPORT_R2R_CASE_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/double_double.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/problems.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {

// By the numbers of ULPFFT_R2HC, ...
inline constexpr std::array<std::string_view, 11> kR2rNames = {"r2hc", "hc2r", "dht",  "dct1", "dct3", "dct2",
                                                               "dct4", "dst1", "dst3", "dst2", "dst4"};
inline bool is_type_1(int kind) { return kind == ULPFFT_REDFT00 || kind == ULPFFT_RODFT00; }

struct R2rCase {
  bool f64 = false;
  std::vector<Dim> dims;
  std::vector<int> kinds;  // one per dimension
  std::vector<Dim> batch;  // outermost first
  bool in_place = false;
  int scale_kind = ULPFFT_SCALE_NONE;
  int threads = 1;
  bool dense = true;       // strides are left to the library
};

std::string text_of(const R2rCase& problem);
void set_dense(R2rCase& problem);
// Kinds and lengths of every sort, rank 1..3, batch rank 0..2, dense strides or gaps; at most `max_points` points.
R2rCase random_r2r_case(Random& random, std::int64_t max_points);

std::int64_t transform_points(const R2rCase& problem);
std::int64_t all_points(const R2rCase& problem);

// One line by the formula of its kind, unscaled: the sums of the definition, or one transform of the extension that the formula stands for.
std::vector<DoubleDouble> r2r_by_definition(int kind, const std::vector<DoubleDouble>& in);
std::vector<DoubleDouble> r2r_by_extension(int kind, const std::vector<DoubleDouble>& in);

// Normal reals in row-major order of (batch, dims).
template <typename T>
std::vector<T> r2r_case_input(const R2rCase& problem);
// The exact output, in the same order.
std::vector<DoubleDouble> exact_result(const R2rCase& problem, std::vector<DoubleDouble> data);

template <typename T>
struct R2rRun {
  std::vector<T> out;
  std::string trouble;  // empty, or what went wrong: status, touched gap, changed input
};
// Executes between guard pages, with a workspace of its own where `own_workspace`.
template <typename T>
R2rRun<T> run_r2r_case(const ulpfft_plan* plan, const R2rCase& problem, const std::vector<T>& in, Flush flush, bool own_workspace);

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_R2R_CASE_H_
