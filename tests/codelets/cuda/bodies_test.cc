// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every body of backend cuda gives the bits of the same body of ref, whatever its table holds. Cases come from the generator's list.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "codelets/cuda/tile.h"
#include "cuda_list.h"
#include "ref_bodies.h"

namespace ulpfft::cuda {
namespace {

template <class T>
struct RefPort {
  std::vector<Complex<T>>& points;
  void load(int j, T& re, T& im) const {
    re = points[static_cast<std::size_t>(j)].re;
    im = points[static_cast<std::size_t>(j)].im;
  }
  void store(int j, T re, T im) const { points[static_cast<std::size_t>(j)] = {re, im}; }
};
template <class T>
struct Row {
  const T* values;
  T get(int i) const { return values[i]; }
};

template <class T, class Body>
void expect_equal(const char* name, const ref::Program& program) {
  EXPECT_EQ(program.table_values, Body::kTableValues) << name;
  std::mt19937_64 random(7);
  std::normal_distribution<T> normal;
  constexpr std::size_t kRadix = Body::kRadix;
  for (int round = 0; round < 20; ++round) {
    std::vector<Complex<T>> in(kRadix), expected(kRadix), got(kRadix);
    std::vector<T> table(Body::kTableValues + 1);
    for (auto& point : in) point = {normal(random), normal(random)};
    for (T& value : table) value = normal(random);
    ref::interpret<T>(program, RefPort<T>{in}, table.data(), RefPort<T>{expected});
    Points<T> out{got.data()};
    Body::template run<T>(Points<T>{in.data()}, Row<T>{table.data()}, out);
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), kRadix * sizeof(Complex<T>)), 0) << name;
  }
}

TEST(Bodies, EqualThoseOfRef) {
#define ULPFFT_EXPECT_EQUAL(Body, name)                              \
  expect_equal<float, cuda::Body>(#name, ref::Body::kProgram);       \
  expect_equal<double, cuda::Body>(#name, ref::Body::kProgram);
  ULPFFT_CUDA_BODIES(ULPFFT_EXPECT_EQUAL)
#undef ULPFFT_EXPECT_EQUAL
}

}  // namespace
}  // namespace ulpfft::cuda
