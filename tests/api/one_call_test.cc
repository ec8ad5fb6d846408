// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The one-call forms of complex and real transforms, DCT and DST, of several dimensions and of one axis: equal to transforms of the lines,
// to the complex ones, to the definitions; inverses undo in every norm; errors name the argument. And plans between reals.
#include "ulpfft/ulpfft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "tests/api/thrown_error.h"

namespace {

using ulpfft::Norm;
using ulpfft::test::error_of;

using Complex = std::complex<double>;
using Array = std::vector<Complex>;
using Reals = std::vector<double>;
using Lengths = std::vector<std::int64_t>;

Reals reals(std::size_t n) {
  Reals values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::sin(0.7 * static_cast<double>(i * i)) + 0.1;
  return values;
}

// ---- complex transforms

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

// ---- real transforms

std::size_t product(const Lengths& shape) {
  return static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

// What a spectrum of all numbers has in the half of an axis.
Array half(const Array& whole, const Lengths& shape, std::size_t axis) {
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
  const auto n = static_cast<std::size_t>(shape[axis]);
  Array kept;
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
    const Reals in = reals(product(shape));
    const Array wide(in.begin(), in.end());
    Array whole(wide.size());
    ulpfft::fftn(wide, whole, shape, axes);
    const std::int64_t last = axes.back() < 0 ? axes.back() + static_cast<std::int64_t>(shape.size()) : axes.back();
    const Array expected = half(whole, shape, static_cast<std::size_t>(last));
    Array out(expected.size());
    ulpfft::rfftn(in, out, shape, axes);
    for (std::size_t i = 0; i < out.size(); ++i) ASSERT_LT(std::abs(out[i] - expected[i]), 1e-12) << shape.size() << " " << i;
    Reals back(in.size());
    ulpfft::irfftn(out, back, shape, axes);
    for (std::size_t i = 0; i < in.size(); ++i) ASSERT_NEAR(back[i], in[i], 1e-13) << shape.size() << " " << i;
  }
}

TEST(RealCall, FormsOfOneAndTwoAxesAreThoseOfSeveral) {
  const Lengths shape{6, 10};
  const Reals in = reals(60);
  Array one(6 * 6), several(6 * 6), columns(4 * 10), of_axis(4 * 10);
  ulpfft::rfft2(in, one, shape);
  ulpfft::rfftn(in, several, shape);
  EXPECT_EQ(one, several);
  ulpfft::rfft(in, columns, shape, 0);
  ulpfft::rfftn(in, of_axis, shape, 0);
  EXPECT_EQ(columns, of_axis);
  Reals back(60), same(60);
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
  Reals in(16);
  Array out(8);
  const ulpfft::Error size = error_of([&] { ulpfft::rfft(in, out); });
  EXPECT_EQ(size.field(), "out");
  EXPECT_NE(std::string(size.what()).find("out has 8 elements; this shape has 9"), std::string::npos) << size.what();
  EXPECT_EQ(error_of([&] { ulpfft::irfft(out, in); }).field(), "in");
  EXPECT_EQ(error_of([&] { ulpfft::rfft(in, out, {4, 4}, 2); }).field(), "axis");
  EXPECT_EQ(error_of([&] { ulpfft::rfft(in, out, {4, 5}); }).field(), "in");
  EXPECT_EQ(error_of([&] { ulpfft::rfft(in, out, {0}); }).field(), "shape");
}

// ---- cosine and sine transforms

double distance(const Reals& a, const Reals& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// y[k] = sum_j weight x[j] cos or sin(pi (j + a) (k + b) / m), ends of types 1 and 3 once and the others twice.
Reals defined(const Reals& x, int type, bool sines) {
  const auto n = static_cast<double>(x.size());
  const bool half_in = type == 2 || type == 4, half_out = type == 3 || type == 4;
  const double a = half_in ? 0.5 : sines ? 1 : 0, b = half_out ? 0.5 : sines ? 1 : 0, m = type != 1 ? n : sines ? n + 1 : n - 1;
  Reals y(x.size(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const bool first = j == 0, last = j + 1 == x.size();
      const bool once = (type == 1 && !sines && (first || last)) || (type == 3 && (sines ? last : first));
      const double angle = std::numbers::pi * (static_cast<double>(j) + a) * (static_cast<double>(k) + b) / m;
      y[k] += (once ? 1 : 2) * x[j] * (sines ? std::sin(angle) : std::cos(angle));
    }
  }
  return y;
}

double logical(std::size_t n, int type, bool sines) {
  return 2 * (static_cast<double>(n) + (type != 1 ? 0 : sines ? 1 : -1));
}

void forward(bool sines, const Reals& in, Reals& out, int type, Norm norm) {
  sines ? ulpfft::dst(in, out, type, norm) : ulpfft::dct(in, out, type, norm);
}
void inverse(bool sines, const Reals& in, Reals& out, int type, Norm norm) {
  sines ? ulpfft::idst(in, out, type, norm) : ulpfft::idct(in, out, type, norm);
}

TEST(CosineCall, IsTheDefinitionAndItsInverseUndoesItInEveryNorm) {
  for (const std::size_t n : {2, 3, 8, 15, 20, 64}) {
    for (int type = 1; type <= 4; ++type) {
      for (const bool sines : {false, true}) {
        const Reals in = reals(n), exact = defined(in, type, sines);
        Reals out(n), back(n);
        forward(sines, in, out, type, Norm::kBackward);
        EXPECT_LT(distance(out, exact), 1e-12 * static_cast<double>(n)) << n << " type " << type << sines;
        inverse(sines, out, back, type, Norm::kBackward);
        EXPECT_LT(distance(back, in), 1e-13) << n << " type " << type << sines;
        Reals divided = exact;
        for (double& value : divided) value /= logical(n, type, sines);
        forward(sines, in, out, type, Norm::kForward);
        EXPECT_LT(distance(out, divided), 1e-13) << n << " type " << type << sines;
        inverse(sines, out, back, type, Norm::kForward);
        EXPECT_LT(distance(back, in), 1e-13) << n << " type " << type << sines;
      }
    }
  }
}

TEST(CosineCall, WithNormOrthoIsAnOrthogonalMatrix) {
  for (const std::size_t n : {2, 3, 8, 15, 20}) {
    for (int type = 1; type <= 4; ++type) {
      for (const bool sines : {false, true}) {
        std::vector<Reals> columns;
        for (std::size_t j = 0; j < n; ++j) {
          Reals unit(n, 0.0), column(n), back(n);
          unit[j] = 1;
          forward(sines, unit, column, type, Norm::kOrtho);
          inverse(sines, column, back, type, Norm::kOrtho);
          EXPECT_LT(distance(back, unit), 1e-14) << n << " type " << type << sines;
          columns.push_back(column);
        }
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            const double product = std::inner_product(columns[i].begin(), columns[i].end(), columns[j].begin(), 0.0);
            EXPECT_NEAR(product, i == j ? 1 : 0, 1e-14) << n << " type " << type << sines;
          }
        }
      }
    }
  }
}

TEST(CosineCall, OfSeveralAxesIsThatOfEachInTurn) {
  const Lengths shape{4, 6, 5};
  const Reals in = reals(120);
  Reals whole(120), step(120), out(120);
  ulpfft::dctn(in, whole, shape);
  ulpfft::dct(in, step, shape, 0);
  ulpfft::dct(step, step, shape, 1);  // in place
  ulpfft::dct(step, out, shape, -1);
  EXPECT_LT(distance(whole, out), 1e-11);
  Reals back(120);
  ulpfft::idctn(whole, back, shape);
  EXPECT_LT(distance(back, in), 1e-14);
  ulpfft::dstn(in, whole, shape, {0, 2}, 3, Norm::kOrtho);
  ulpfft::idstn(whole, back, shape, {2, 0}, 3, Norm::kOrtho);
  EXPECT_LT(distance(back, in), 1e-14);
  std::vector<float> narrow(in.begin(), in.end()), result(120);
  ulpfft::dctn(narrow, result, shape, {}, 4);
  ulpfft::dctn(in, whole, shape, {}, 4);
  for (std::size_t i = 0; i < result.size(); ++i) EXPECT_NEAR(result[i], whole[i], 1e-4);
}

TEST(CosineCall, TakesAShapeInBracesForAShape) {
  const Reals in = reals(8);
  Reals expected(8), out(8);
  const auto expect_lines = [&](const auto& transform, const auto& of_braces, const auto& of_variable, const auto& of_two) {
    transform(expected, Lengths{8});
    of_braces();
    EXPECT_EQ(out, expected);
    of_variable(std::size_t{8});
    EXPECT_EQ(out, expected);
    transform(expected, Lengths{2, 4});
    of_two(std::int64_t{2}, 4);
    EXPECT_EQ(out, expected);
  };
  expect_lines([&](Reals& to, const Lengths& shape) { ulpfft::dct(in, to, shape); }, [&] { ulpfft::dct(in, out, {8}); },
               [&](std::size_t n) { ulpfft::dct(in, out, {n}); }, [&](std::int64_t a, int b) { ulpfft::dct(in, out, {a, b}); });
  expect_lines([&](Reals& to, const Lengths& shape) { ulpfft::idct(in, to, shape); }, [&] { ulpfft::idct(in, out, {8}); },
               [&](std::size_t n) { ulpfft::idct(in, out, {n}); }, [&](std::int64_t a, int b) { ulpfft::idct(in, out, {a, b}); });
  expect_lines([&](Reals& to, const Lengths& shape) { ulpfft::dst(in, to, shape); }, [&] { ulpfft::dst(in, out, {8}); },
               [&](std::size_t n) { ulpfft::dst(in, out, {n}); }, [&](std::int64_t a, int b) { ulpfft::dst(in, out, {a, b}); });
  expect_lines([&](Reals& to, const Lengths& shape) { ulpfft::idst(in, to, shape); }, [&] { ulpfft::idst(in, out, {8}); },
               [&](std::size_t n) { ulpfft::idst(in, out, {n}); }, [&](std::int64_t a, int b) { ulpfft::idst(in, out, {a, b}); });
}

TEST(CosineCall, ErrorsNameTheArgument) {
  const Reals in = reals(8);
  Reals out(8), other(9), one(1);
  EXPECT_EQ(error_of([&] { ulpfft::dct(in, out, 5); }).field(), "type");
  EXPECT_EQ(error_of([&] { ulpfft::idst(in, out, 0); }).field(), "type");
  EXPECT_EQ(error_of([&] { ulpfft::dct(in, other); }).field(), "out");
  EXPECT_EQ(error_of([&] { ulpfft::dct(in, out, {3, 3}, 0); }).field(), "shape");
  EXPECT_EQ(error_of([&] { ulpfft::dct(in, out, {2, 4}, 2); }).field(), "axis");
  EXPECT_EQ(error_of([&] { ulpfft::dct(one, one, 1); }).field(), "type");
}

TEST(R2rPlan, TakesRealsOnBothSides) {
  ulpfft::Context context;
  const ulpfft::Plan plan = context.plan({.kind = ulpfft::Kind::kR2R, .lengths = {8, 6}, .storage = "f64", .kinds = {ulpfft::R2r::kDCT2, ulpfft::R2r::kDHT}},
                                         {.effort = ulpfft::Effort::kEstimate});
  EXPECT_EQ(plan.problem(), "r2r 8x6 f64 kinds=dct2,dht");
  const Reals in = reals(48);
  Reals out(48), by_pointers(48), few(47);
  plan.execute(in, out);
  plan.execute(in.data(), by_pointers.data());
  EXPECT_EQ(out, by_pointers);
  EXPECT_EQ(error_of([&] { plan.execute(in, few); }).field(), "out");
  const std::vector<std::complex<double>> complex(48);
  EXPECT_EQ(error_of([&] { plan.execute(complex, out); }).field(), "in");
  EXPECT_EQ(error_of([&] { (void)context.plan({.kind = ulpfft::Kind::kR2R, .lengths = {8, 6}, .kinds = {ulpfft::R2r::kDCT2}}); }).field(), "kinds");
}

}  // namespace
