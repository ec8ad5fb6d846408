// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Launches of the twin of a kernel on arrays of a test, and the results that ref gives for the same recipe.
#ifndef ULPFFT_TESTS_CODELETS_CUDA_LAUNCH_CASE_H_
#define ULPFFT_TESTS_CODELETS_CUDA_LAUNCH_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/cuda/launch.h"
#include "codelets/cuda/twins.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/stored.h"

namespace ulpfft::cuda::test {

using ulpfft::test::Bytes;

const char* storage_name(Storage storage);
std::int64_t real_bytes(Storage storage);

// Where the transforms of a launch lie, in complex numbers. What lies between them is never touched.
struct LaunchCase {
  const KernelInfo* kernel = nullptr;
  std::int64_t count = 1;        // transforms along x
  Grid outer{1, 1, 1};           // y and z
  bool inverse = false;
  double scale = 1.0;
  double rms = 1.0;              // of the input
  std::int64_t gap = 0;          // between rows, or columns beyond the last one
  bool in_place = false;         // without gaps
  bool centered = false;         // point 0 lies at n / 2, at ends that may shift
  bool twists = true;            // kTwisted: with factors, else columns
  host::Order order = host::Order::kUp;
  bool is_twisted() const { return twists && kernel->kind == KernelKind::kTwisted; }
  std::int64_t transforms() const { return count * outer.y * outer.z; }
};

struct Place2 {
  std::int64_t point = 1, x = 0, y = 0, z = 0, size = 0, n = 1, shift = 0;
  std::int64_t at(std::int64_t j, std::int64_t xi, std::int64_t yi, std::int64_t zi) const {
    return (j + shift) % n * point + xi * x + yi * y + zi * z;
  }
};
Place2 place_of(const LaunchCase& launch, bool is_output);

// Complex numbers in the storage of the input: transform by transform, dense.
Bytes random_rows(const LaunchCase& launch, std::uint64_t seed);
// By ref, in the storage of the output, with how many reals saturated.
Bytes transformed_by_ref(const LaunchCase& launch, const Bytes& rows, std::int64_t& saturated);
// Where the case is twisted: what ref's transform becomes.
void twist_rows(const LaunchCase& launch, Bytes& rows);

struct Outcome {
  std::string difference;  // empty: the output array holds the expected bits, and its gaps what they held
  std::int64_t saturated = 0;
};
// Runs the twin and compares with `expected` rows. `offset`: complex numbers between an aligned address and the arrays.
using Run = void (*)(const Args& args, Grid grid, host::Order order);
Outcome run_and_compare(const LaunchCase& launch, Run run, const Bytes& rows, const Bytes& expected, std::int64_t offset = 0);

}  // namespace ulpfft::cuda::test

#endif  // ULPFFT_TESTS_CODELETS_CUDA_LAUNCH_CASE_H_
