// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/window_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "wisdom/error.h"

namespace ulpfft {
namespace {

using Real = long double;
constexpr Real kPi = std::numbers::pi_v<Real>;

Real bessel_i0(Real x) {
  Real sum = 1, term = 1;
  for (int k = 1; term > sum * 1e-22L; ++k) {
    term *= x / (2 * k) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

Real cosines(Real x, const std::vector<Real>& terms) {
  Real sum = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) sum += terms[k] * std::cos(static_cast<Real>(k) * (2 * kPi * x - kPi));
  return sum;
}

// Factor j as scipy.signal.windows defines it: of the symmetric window of n points, or of the n + 1 of which the last is left out.
Real defined(const Window& window, std::int64_t n, std::int64_t j) {
  if (n == 1) return 1;
  const Real period = static_cast<Real>(window.symmetric ? n - 1 : n), x = static_cast<Real>(j) / period;
  const Real parameter = window.parameter, from_middle = static_cast<Real>(j) - period / 2;
  switch (window.kind) {
    case WindowKind::kHann: return cosines(x, {0.5L, 0.5L});
    case WindowKind::kHamming: return cosines(x, {0.54L, 0.46L});
    case WindowKind::kBlackman: return cosines(x, {0.42L, 0.5L, 0.08L});
    case WindowKind::kBlackmanHarris: return cosines(x, {0.35875L, 0.48829L, 0.14128L, 0.01168L});
    case WindowKind::kNuttall: return cosines(x, {0.3635819L, 0.4891775L, 0.1365995L, 0.0106411L});
    case WindowKind::kFlattop: return cosines(x, {0.21557895L, 0.41663158L, 0.277263158L, 0.083578947L, 0.006947368L});
    case WindowKind::kKaiser: return bessel_i0(parameter * std::sqrt(1 - (2 * x - 1) * (2 * x - 1))) / bessel_i0(parameter);
    default: return std::exp(-from_middle * from_middle / (2 * parameter * parameter));
  }
}

const std::vector<std::string> kNames = {"hann",    "hamming",  "blackman",   "blackmanharris", "nuttall",   "flattop",
                                         "kaiser:0", "kaiser:8.6", "kaiser:14", "kaiser:300", "gauss:0.4", "gauss:3", "gauss:1000"};

TEST(WindowTable, FactorsAreThoseOfTheDefinition) {
  RootCache roots;
  for (const std::string& name : kNames) {
    for (const char* const form : {"", ":symmetric"}) {
      const Window window = window_named(name + form);
      for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 8, 16, 30, 101, 1000, 4096}) {
        const std::vector<DoubleDouble> factors = factors_along({window, {n}}, 0, roots);
        ASSERT_EQ(factors.size(), static_cast<std::size_t>(n));
        for (std::int64_t j = 0; j < n; ++j) {
          const DoubleDouble factor = factors[static_cast<std::size_t>(j)];
          const Real difference = static_cast<Real>(factor.hi) + static_cast<Real>(factor.lo) - defined(window, n, j);
          // Bessel functions of the reference have the error of their argument times beta.
          EXPECT_LE(std::abs(difference), 3e-18L * (window.kind == WindowKind::kKaiser ? 1 + static_cast<Real>(window.parameter) : 1))
              << print_window(window) << " n=" << n << " j=" << j;
        }
      }
    }
  }
}

// scipy.signal.get_window(name, 5) and scipy.signal.windows.kaiser(5, 14), to 16 digits.
TEST(WindowTable, FactorsAreThoseOfScipy) {
  RootCache roots;
  const auto expect = [&](const char* name, const std::vector<double>& known) {
    const std::vector<DoubleDouble> factors = factors_along({window_named(name), {static_cast<std::int64_t>(known.size())}}, 0, roots);
    for (std::size_t j = 0; j < known.size(); ++j) EXPECT_NEAR(factors[j].hi, known[j], 4e-16) << name << " " << j;
  };
  expect("hann", {0.0, 0.34549150281252633, 0.9045084971874737, 0.9045084971874737, 0.34549150281252633});
  expect("hamming", {0.08000000000000007, 0.3978521825875243, 0.9121478174124759, 0.9121478174124759, 0.3978521825875243});
  expect("blackman", {-1.3877787807814457e-17, 0.2007701432625305, 0.8492298567374694, 0.8492298567374694, 0.2007701432625305});
  expect("blackmanharris", {6.0000000000001025e-05, 0.10301148934566379, 0.7938335106543363, 0.7938335106543363, 0.10301148934566379});
  expect("nuttall", {0.0003628000000000381, 0.11051525304987181, 0.7982580969501283, 0.7982580969501283, 0.11051525304987181});
  expect("flattop", {-0.0004210510000000013, -0.06771425207621193, 0.606872152576212, 0.606872152576212, -0.06771425207621193});
  expect("kaiser:14", {7.726866835270368e-06, 0.06815374319396057, 0.7615093990873935, 0.7615093990873935, 0.06815374319396057});
  expect("gauss:2", {0.45783336177161427, 0.7548396019890073, 0.9692332344763441, 0.9692332344763441, 0.7548396019890073});
  expect("kaiser:14:symmetric", {7.726866835270368e-06, 0.16493218754795197, 1.0, 0.16493218754795197, 7.726866835270368e-06});
  expect("flattop:symmetric", {-0.0004210510000000013, 0.19821052999999986, 0.1982105300000003, -0.0004210510000000013});
}

TEST(WindowTable, SmallFactorsHaveAllTheirBits) {
  RootCache roots;
  for (const std::int64_t n : {1000, 1 << 20}) {
    const std::vector<DoubleDouble> factors = factors_along({window_named("hann"), {n}}, 0, roots);
    const Real sine = std::sin(kPi / static_cast<Real>(n));
    EXPECT_NEAR(static_cast<double>(static_cast<Real>(factors[1].hi) / (sine * sine)), 1.0, 2.3e-16) << n;
  }
}

TEST(WindowTable, HoldsThePartsOfAnOuterProduct) {
  RootCache roots;
  const WindowFactors table{window_named("blackman"), {3, 4, 5}};
  ASSERT_EQ(table_values(table), 5 + 12);
  const AlignedBuffer made = make_window_factors(table, ComputeType::kF64, roots);
  const double* const values = static_cast<const double*>(made.data());
  const auto a = factors_along(table, 0, roots), b = factors_along(table, 1, roots), c = factors_along(table, 2, roots);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(values[j], c[j].hi);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(values[5 + i], (a[i / 4] * b[i % 4]).hi) << i;
}

TEST(WindowTable, TakesFactorsOfTheCaller) {
  RootCache roots;
  Window window;
  window.kind = WindowKind::kGiven;
  window.given = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4, 5});
  const AlignedBuffer made = make_window_factors({window, {2, 3}}, ComputeType::kF32, roots);
  const float* const values = static_cast<const float*>(made.data());
  EXPECT_EQ(std::vector<float>(values, values + 5), (std::vector<float>{3, 4, 5, 1, 2}));
}

TEST(WindowName, IsReadAndPrinted) {
  for (const std::string& name : kNames) {
    EXPECT_EQ(print_window(window_named(name)), name);
    EXPECT_EQ(print_window(window_named(name + ":periodic")), name);
    EXPECT_EQ(print_window(window_named(name + ":symmetric")), name + ":symmetric");
    EXPECT_EQ(window_named(name), window_named(name + ":periodic"));
    EXPECT_NE(window_named(name), window_named(name + ":symmetric"));
  }
}

TEST(WindowName, IsRefusedInASentence) {
  const auto message = [](std::string_view name) {
    try {
      window_named(name);
    } catch (const PlanError& error) {
      EXPECT_EQ(error.field, "window");
      return error.message;
    }
    return std::string();
  };
  EXPECT_NE(message("han").find("Did you mean 'hann'?"), std::string::npos) << message("han");
  EXPECT_NE(message("gaussian:3").find("Did you mean 'gauss'?"), std::string::npos);
  EXPECT_NE(message("given").find("window_factors"), std::string::npos);
  EXPECT_EQ(message("kaiser"), "'kaiser' needs a number behind ':', its beta, e.g. kaiser:8.6; found ''.");
  EXPECT_EQ(message("gauss:wide"), "'gauss' needs a number behind ':', its standard deviation in points, e.g. gauss:100; found 'wide'.");
  EXPECT_EQ(message("hann:8"), "Behind the window 'hann' may stand ':symmetric' or ':periodic', not '8'.");
  EXPECT_EQ(message("hann:"), "Behind the window 'hann' may stand ':symmetric' or ':periodic', not ''.");
  EXPECT_EQ(message("kaiser:701"), "The beta of the kaiser window is 701; 0 to 700 are possible.");
  EXPECT_EQ(message("gauss:0"), "The standard deviation of the gauss window is 0; it is a positive number of points.");
}

}  // namespace
}  // namespace ulpfft
