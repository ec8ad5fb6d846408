// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The one-call forms of real numbers: equal to the complex ones, inverses undo, errors name the argument.
#include "ulpfft/ulpfft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/api/thrown_error.h"

namespace {

using ulpfft::test::error_of;

using Complex = std::complex<double>;
using Lengths = std::vector<std::int64_t>;

std::vector<double> reals(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::sin(0.7 * static_cast<double>(i * i)) + 0.1;
  return values;
}

std::size_t product(const Lengths& shape) {
  return static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

// What a spectrum of all numbers has in the half of an axis.
std::vector<Complex> half(const std::vector<Complex>& whole, const Lengths& shape, std::size_t axis) {
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  const auto n = static_cast<std::size_t>(shape[axis]);
  std::vector<Complex> kept;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i / inner % n <= n / 2) kept.push_back(whole[i]);
  }
  return kept;
}

struct ShapeAndAxes {
  Lengths shape, axes;
};

TEST(RealCall, IsTheHalfOfTheComplexTransformAndItsInverseUndoesIt) {
  for (const auto& [shape, axes] : {ShapeAndAxes{{16}, {0}}, ShapeAndAxes{{15}, {0}}, ShapeAndAxes{{1}, {0}}, ShapeAndAxes{{6, 8}, {0, 1}},
                                    ShapeAndAxes{{6, 8}, {1, 0}}, ShapeAndAxes{{6, 9}, {0}}, ShapeAndAxes{{4, 5, 6}, {-1}},
                                    ShapeAndAxes{{4, 5, 6}, {2, 1}}, ShapeAndAxes{{4, 5, 6}, {0, 1, 2}}}) {
    const std::vector<double> in = reals(product(shape));
    const std::vector<Complex> wide(in.begin(), in.end());
    std::vector<Complex> whole(wide.size());
    ulpfft::fftn(wide, whole, shape, axes);
    const std::int64_t last = axes.back() < 0 ? axes.back() + static_cast<std::int64_t>(shape.size()) : axes.back();
    const std::vector<Complex> expected = half(whole, shape, static_cast<std::size_t>(last));
    std::vector<Complex> out(expected.size());
    ulpfft::rfftn(in, out, shape, axes);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_LT(std::abs(out[i] - expected[i]), 1e-12) << shape.size() << " " << i;
    std::vector<double> back(in.size());
    ulpfft::irfftn(out, back, shape, axes);
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_NEAR(back[i], in[i], 1e-13) << shape.size() << " " << i;
  }
}

TEST(RealCall, FormsOfOneAndTwoAxesAreThoseOfSeveral) {
  const Lengths shape{6, 10};
  const std::vector<double> in = reals(60);
  std::vector<Complex> one(6 * 6), several(6 * 6), columns(4 * 10), of_axis(4 * 10);
  ulpfft::rfft2(in, one, shape);
  ulpfft::rfftn(in, several, shape);
  EXPECT_EQ(one, several);
  ulpfft::rfft(in, columns, shape, 0);
  ulpfft::rfftn(in, of_axis, shape, 0);
  EXPECT_EQ(columns, of_axis);
  std::vector<double> back(60), same(60);
  ulpfft::irfft2(one, back, shape);
  ulpfft::irfft(columns, same, shape, 0);
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_NEAR(back[i], in[i], 1e-13);
    EXPECT_NEAR(same[i], in[i], 1e-13);
  }
}

TEST(RealCall, TakesFloatAndWholeRanges) {
  std::vector<float> in{1, 2, 3, 4, 5}, back(5);
  std::vector<std::complex<float>> out(3);
  ulpfft::rfft(in, out);
  EXPECT_FLOAT_EQ(out[0].real(), 15);
  EXPECT_EQ(out[0].imag(), 0);
  ulpfft::irfft(out, back);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_NEAR(back[i], in[i], 1e-6);
}

TEST(RealCall, ErrorsNameTheArgument) {
  std::vector<double> in(16);
  std::vector<Complex> out(8);
  const ulpfft::Error size = error_of([&] { ulpfft::rfft(in, out); });
  EXPECT_EQ(size.field(), "out");
  EXPECT_NE(std::string(size.what()).find("out has 8 elements; this shape has 9"), std::string::npos) << size.what();
  EXPECT_EQ(error_of([&] { ulpfft::irfft(out, in); }).field(), "in");
  EXPECT_EQ(error_of([&] { ulpfft::rfft(in, out, {4, 4}, 2); }).field(), "axis");
  EXPECT_EQ(error_of([&] { ulpfft::rfft(in, out, {4, 5}); }).field(), "in");
  EXPECT_EQ(error_of([&] { ulpfft::rfft(in, out, {0}); }).field(), "shape");
}

}  // namespace
