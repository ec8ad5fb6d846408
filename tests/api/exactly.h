// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Operations of rounded:<element> in exact arithmetic, and executions of plans in such a scheme.
#ifndef ULPFFT_TESTS_API_EXACTLY_H_
#define ULPFFT_TESTS_API_EXACTLY_H_

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/exact_rounding.h"
#include "tests/support/stored.h"

namespace ulpfft::test {

using Numbers = std::vector<std::complex<double>>;

inline ExactFormat element(const std::string& name) {
  const ulpfft_format format = format_of(name);
  if (name == "f16") return ExactFormat({.bits = 16, .exponent_bits = 5, .mantissa_bits = 10, .bias = 15, .special = "ieee"});
  if (name == "bf16") return ExactFormat({.bits = 16, .exponent_bits = 8, .mantissa_bits = 7, .bias = 127, .special = "ieee"});
  if (name == "e5m2") return ExactFormat({.bits = 8, .exponent_bits = 5, .mantissa_bits = 2, .bias = 15, .special = "ieee"});
  EXPECT_EQ(name, "int8q6");
  return ExactFormat({.integer = true, .bits = 8, .fraction_bits = 6, .lowest_code = static_cast<std::int64_t>(format.lowest * 64)});
}

// Operations of rounded:<element>, which count what overflows.
class Exactly {
 public:
  explicit Exactly(const std::string& name) : format_(element(name)) {}
  double round(double x) { return counted([&](bool& beyond) { return format_.round(x, beyond); }); }
  double sum(double a, double b) { return fma(a, 1, b); }
  double product(double a, double b) { return fma(a, b, std::signbit(a) != std::signbit(b) ? -0.0 : 0.0); }
  double fma(double a, double b, double c) { return counted([&](bool& beyond) { return format_.fma(a, b, c, beyond); }); }
  double table(double x) const {
    bool beyond = false;
    return format_.round(x, beyond) + 0.0;
  }
  std::int64_t overflows = 0;

 private:
  template <typename Operation>
  double counted(const Operation& operation) {
    bool beyond = false;
    const double result = operation(beyond);
    overflows += beyond ? 1 : 0;
    return result;
  }
  ExactFormat format_;
};

inline double turn(std::int64_t k, std::int64_t n) { return 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n); }

inline Numbers complex_numbers(const std::vector<double>& reals) {
  Numbers numbers;
  for (std::size_t i = 0; i < reals.size(); i += 2) numbers.emplace_back(reals[i], reals[i + 1]);
  return numbers;
}
inline std::vector<double> reals_of(const Numbers& numbers) {
  std::vector<double> reals;
  for (const std::complex<double>& number : numbers) reals.insert(reals.end(), {number.real(), number.imag()});
  return reals;
}

// In f32, which holds the numbers of these schemes.
inline std::vector<double> run(const PlanPtr& plan, const std::vector<double>& given, std::size_t out_reals, std::int64_t& overflows) {
  std::vector<float> in(given.begin(), given.end()), out(out_reals, 77);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.data();
  to.data[0] = out.data();
  to.saturated = &overflows;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  return {out.begin(), out.end()};
}

inline void expect_same(const std::vector<double>& a, const std::vector<double>& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE((a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i])) || (std::isnan(a[i]) && std::isnan(b[i])))
        << where << " " << i << ": " << a[i] << " " << b[i];
  }
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_API_EXACTLY_H_
