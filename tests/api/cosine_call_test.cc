// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The one-call forms of DCT and DST: the definitions, inverses and norms, axes, errors that name the argument; and plans between reals.
#include "ulpfft/ulpfft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace {

using ulpfft::Norm;
using Reals = std::vector<double>;
using Lengths = std::vector<std::int64_t>;

Reals reals(std::size_t n) {
  Reals values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = std::sin(0.7 * static_cast<double>(i * i)) + 0.1;
  return values;
}

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

std::string field_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const ulpfft::Error& error) {
    return error.field();
  }
  return "";
}

TEST(CosineCall, ErrorsNameTheArgument) {
  const Reals in = reals(8);
  Reals out(8), other(9), one(1);
  EXPECT_EQ(field_of([&] { ulpfft::dct(in, out, 5); }), "type");
  EXPECT_EQ(field_of([&] { ulpfft::idst(in, out, 0); }), "type");
  EXPECT_EQ(field_of([&] { ulpfft::dct(in, other); }), "out");
  EXPECT_EQ(field_of([&] { ulpfft::dct(in, out, {3, 3}, 0); }), "shape");
  EXPECT_EQ(field_of([&] { ulpfft::dct(in, out, {2, 4}, 2); }), "axis");
  EXPECT_EQ(field_of([&] { ulpfft::dct(one, one, 1); }), "type");
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
  EXPECT_EQ(field_of([&] { plan.execute(in, few); }), "out");
  const std::vector<std::complex<double>> complex(48);
  EXPECT_EQ(field_of([&] { plan.execute(complex, out); }), "in");
  EXPECT_EQ(field_of([&] { (void)context.plan({.kind = ulpfft::Kind::kR2R, .lengths = {8, 6}, .kinds = {ulpfft::R2r::kDCT2}}); }), "kinds");
}

}  // namespace
