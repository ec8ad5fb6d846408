// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The one-call forms of several dimensions and of one axis: equal to 1-D transforms of the lines, inverses undo, errors name the argument.
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
using Array = std::vector<Complex>;

Array numbers(std::size_t n) {
  Array values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = {std::sin(0.7 * static_cast<double>(i * i)), std::cos(1.3 * static_cast<double>(i))};
  return values;
}

// Transforms every line along an axis, one by one.
Array lines(const Array& in, const std::vector<std::int64_t>& shape, std::size_t axis) {
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  const auto n = static_cast<std::size_t>(shape[axis]);
  Array out(in.size()), line(n), result(n);
  for (std::size_t begin = 0; begin < in.size(); ++begin) {
    if (begin / inner % n != 0) continue;
    for (std::size_t k = 0; k < n; ++k) line[k] = in[begin + k * inner];
    ulpfft::fft(line, result);
    for (std::size_t k = 0; k < n; ++k) out[begin + k * inner] = result[k];
  }
  return out;
}

Array lines_of_axes(Array data, const std::vector<std::int64_t>& shape, const std::vector<std::size_t>& axes) {
  for (const std::size_t axis : axes) data = lines(data, shape, axis);
  return data;
}

void expect_near(const Array& a, const Array& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  const double most = 1e-13 * static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_LT(std::abs(a[i] - b[i]), most) << what << ", element " << i;
}

const std::vector<std::int64_t> kShape = {4, 6, 5};

TEST(OneCall, TransformsTheLinesOfEveryAxisCountedFromEitherEnd) {
  const Array in = numbers(120);
  for (int axis = 0; axis < 3; ++axis) {
    const Array expected = lines(in, kShape, static_cast<std::size_t>(axis));
    for (const int name : {axis, axis - 3}) {
      Array out(in.size()), back(in.size());
      ulpfft::fft(in, out, kShape, name);
      expect_near(out, expected, "axis " + std::to_string(name));
      ulpfft::ifft(out, back, kShape, name);
      expect_near(back, in, "back along axis " + std::to_string(name));
    }
  }
  Array last(in.size());
  ulpfft::fft(in, last, {4, 6, 5});
  expect_near(last, lines(in, kShape, 2), "the last axis by default");
}

TEST(OneCall, TransformsTwoAxesByDefaultTheLast) {
  const Array in = numbers(120);
  Array out(in.size()), back(in.size());
  ulpfft::fft2(in, out, {4, 6, 5});
  expect_near(out, lines_of_axes(in, kShape, {1, 2}), "fft2");
  ulpfft::ifft2(out, back, {4, 6, 5});
  expect_near(back, in, "ifft2");
  ulpfft::fft2(in, out, {4, 6, 5}, 2, 0);
  expect_near(out, lines_of_axes(in, kShape, {0, 2}), "axes 2 and 0");
}

TEST(OneCall, TransformsAnySetOfAxesByDefaultAll) {
  const Array in = numbers(120);
  for (unsigned set = 1; set < 8; ++set) {
    std::vector<std::size_t> axes;
    std::vector<std::int64_t> named;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if ((set >> axis & 1U) == 0) continue;
      axes.push_back(axis);
      named.push_back(axis);
    }
    Array out(in.size()), back(in.size());
    ulpfft::fftn(in, out, kShape, named);
    expect_near(out, lines_of_axes(in, kShape, axes), "set " + std::to_string(set));
    ulpfft::ifftn(out, back, kShape, named);
    expect_near(back, in, "back, set " + std::to_string(set));
    Array in_place = in;
    ulpfft::fftn(in_place, in_place, kShape, named);
    expect_near(in_place, out, "in place, set " + std::to_string(set));
  }
  Array out(in.size());
  ulpfft::fftn(in, out, {4, 6, 5});
  expect_near(out, lines_of_axes(in, kShape, {0, 1, 2}), "all");
  ulpfft::fftn(in, out, {2, 1, 2, 3, 1, 2, 5, 1}, {0, 6});
  expect_near(out, lines_of_axes(in, {2, 1, 2, 3, 1, 2, 5, 1}, {0, 6}), "eight axes");
}

TEST(OneCall, NamesTheArgumentAtFault) {
  Array a(24), b(24), c(23);
  EXPECT_EQ(error_of([&] { ulpfft::fft2(a, b, {4, 5}); }).field(), "shape");
  EXPECT_EQ(error_of([&] { ulpfft::fftn(a, b, {}); }).field(), "shape");
  EXPECT_EQ(error_of([&] { ulpfft::fftn(a, b, {24, -1}); }).field(), "shape");
  EXPECT_EQ(error_of([&] { ulpfft::fftn(a, b, {1LL << 62, 1LL << 62}); }).field(), "shape");
  EXPECT_EQ(error_of([&] { ulpfft::fftn(a, b, {24, 1, 1, 1, 1, 1, 1, 1, 1}); }).field(), "shape");
  EXPECT_EQ(error_of([&] { ulpfft::fft2(a, b, 24); }).field(), "axis");
  EXPECT_EQ(error_of([&] { ulpfft::fft(a, b, {4, 6}, 2); }).field(), "axis");
  EXPECT_EQ(error_of([&] { ulpfft::fft(a, b, {4, 6}, -3); }).field(), "axis");
  EXPECT_EQ(error_of([&] { ulpfft::fftn(a, b, {4, 6}, {1, -1}); }).message(), "axis -1 is named twice.");
  EXPECT_EQ(error_of([&] { ulpfft::fft2(a, c, {4, 6}); }).field(), "out");
}

}  // namespace
