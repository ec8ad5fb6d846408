// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// r2c, c2r, dct2 and dct3 in rounded schemes: the passes beside the complex transform operation by operation in exact arithmetic,
// the same bits and counts on every target, predicted errors, and numbers that stay exact.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/exact_rounding.h"
#include "tests/support/plan_checks.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

using Numbers = std::vector<std::complex<double>>;

ExactFormat element(const std::string& name) {
  const ulpfft_format format = format_of(name);
  if (name == "f16") return ExactFormat({.bits = 16, .exponent_bits = 5, .mantissa_bits = 10, .bias = 15, .special = "ieee"});
  if (name == "bf16") return ExactFormat({.bits = 16, .exponent_bits = 8, .mantissa_bits = 7, .bias = 127, .special = "ieee"});
  if (name == "e5m2") return ExactFormat({.bits = 8, .exponent_bits = 5, .mantissa_bits = 2, .bias = 15, .special = "ieee"});
  EXPECT_EQ(name, "int8q6");
  return ExactFormat(
      {.integer = true, .bits = 8, .fraction_bits = 6, .lowest_code = static_cast<std::int64_t>(format.lowest * 64)});
}

// Operations of rounded:<element>, which count what overflows.
class Exactly {
 public:
  explicit Exactly(const std::string& name) : format_(element(name)) {}
  double round(double x) {
    return counted([&](bool& beyond) { return format_.round(x, beyond); });
  }
  double sum(double a, double b) { return fma(a, 1, b); }
  double product(double a, double b) { return fma(a, b, std::signbit(a) != std::signbit(b) ? -0.0 : 0.0); }
  double fma(double a, double b, double c) {
    return counted([&](bool& beyond) { return format_.fma(a, b, c, beyond); });
  }
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

double turn(std::int64_t k, std::int64_t n) { return 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n); }

Numbers complex_numbers(const std::vector<double>& reals) {
  Numbers numbers;
  for (std::size_t i = 0; i < reals.size(); i += 2) numbers.emplace_back(reals[i], reals[i + 1]);
  return numbers;
}
std::vector<double> reals_of(const Numbers& numbers) {
  std::vector<double> reals;
  for (const std::complex<double>& number : numbers) reals.insert(reals.end(), {number.real(), number.imag()});
  return reals;
}

// In f32, which holds the numbers of these schemes.
std::vector<double> run(const PlanPtr& plan, const std::vector<double>& given, std::size_t out_reals, std::int64_t& overflows) {
  std::vector<float> in(given.begin(), given.end()), out(out_reals, 77);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.data();
  to.data[0] = out.data();
  to.saturated = &overflows;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  return {out.begin(), out.end()};
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, const std::string& where) {
  ASSERT_EQ(a.size(), b.size()) << where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE((a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i])) || (std::isnan(a[i]) && std::isnan(b[i])))
        << where << " " << i << ": " << a[i] << " " << b[i];
  }
}

// X of the transform Z of n reals as n/2 complex numbers.
Numbers untangled(const Numbers& z, bool backward, Exactly& with) {
  const auto h = static_cast<std::int64_t>(z.size());
  Numbers x(z.size() + 1);
  const auto conjugated = [&](double re, double im) { return std::complex(re, backward ? with.round(-im) : im); };
  x[0] = with.sum(z[0].real(), z[0].imag());
  x[z.size()] = with.sum(z[0].real(), -z[0].imag());
  if (h % 2 == 0) {
    const std::complex<double> middle = z[z.size() / 2];
    x[z.size() / 2] = {middle.real(), backward ? middle.imag() : with.round(-middle.imag())};
  }
  const double half = with.table(0.5);
  for (std::int64_t k = 1; 2 * k < h; ++k) {
    const std::complex<double> a = z[static_cast<std::size_t>(k)], b = z[static_cast<std::size_t>(h - k)];
    const double c = with.table(std::cos(turn(k, 2 * h)) / 2), s = with.table(-std::sin(turn(k, 2 * h)) / 2);
    const double sum_re = with.sum(a.real(), b.real()), sum_im = with.sum(a.imag(), -b.imag());
    const double p = with.sum(a.real(), -b.real()), q = with.sum(a.imag(), b.imag());
    const double re = with.fma(q, c, with.product(p, s)), im = with.fma(-p, c, with.product(q, s));
    x[static_cast<std::size_t>(k)] = conjugated(with.fma(half, sum_re, re), with.fma(half, sum_im, im));
    x[static_cast<std::size_t>(h - k)] = conjugated(with.fma(half, sum_re, -re), with.fma(-half, sum_im, im));
  }
  return x;
}

// The other way: numbers whose inverse transform is the reals of the spectrum x.
Numbers tangled(Numbers x, bool backward, Exactly& with) {
  const auto h = static_cast<std::int64_t>(x.size()) - 1;
  Numbers z(x.size() - 1);
  const auto input = [&](std::int64_t k) {
    const std::complex<double> value = x[static_cast<std::size_t>(k)];
    return std::complex(with.round(value.real()), with.round(backward ? -value.imag() : value.imag()));
  };
  const double first = with.round(x[0].real()), last = with.round(x[z.size()].real());
  z[0] = {with.sum(first, last), with.sum(first, -last)};
  if (h % 2 == 0) {
    const std::complex<double> middle = input(h / 2);
    z[z.size() / 2] = {with.sum(middle.real(), middle.real()), with.round(-with.sum(middle.imag(), middle.imag()))};
  }
  for (std::int64_t k = 1; 2 * k < h; ++k) {
    const std::complex<double> a = input(k), b = input(h - k);
    const double c = with.table(std::cos(turn(k, 2 * h))), s = with.table(-std::sin(turn(k, 2 * h)));
    const double sum_re = with.sum(a.real(), b.real()), sum_im = with.sum(a.imag(), -b.imag());
    const double p = with.sum(a.real(), -b.real()), q = with.sum(a.imag(), b.imag());
    const double re = with.fma(-q, c, with.product(p, s)), im = with.fma(p, c, with.product(q, s));
    z[static_cast<std::size_t>(k)] = {with.sum(sum_re, re), with.sum(sum_im, im)};
    z[static_cast<std::size_t>(h - k)] = {with.sum(sum_re, -re), with.sum(im, -sum_im)};
  }
  return z;
}

// The points k and h - k of Z to those of twice V (way 1), or those of V to those of twice Z (-1).
void combine(std::complex<double>& a, std::complex<double>& b, std::int64_t k, std::int64_t n, double way, Exactly& with) {
  const double c = with.table(std::cos(turn(k, n))), s = with.table(-std::sin(turn(k, n)));
  const double sum_re = with.sum(a.real(), b.real()), sum_im = with.sum(a.imag(), -b.imag());
  const double p = with.sum(a.real(), -b.real()), q = with.sum(a.imag(), b.imag());
  const double x = with.fma(way * q, c, with.product(p, s)), y = with.fma(-way * p, c, with.product(q, s));
  a = {with.sum(sum_re, x), with.sum(sum_im, y)};
  b = {with.sum(sum_re, -x), with.sum(y, -sum_im)};
}

// dct2 of the transform of the reals of even index, then the others backwards.
std::vector<double> folded(const Numbers& z, Exactly& with) {
  const auto h = static_cast<std::int64_t>(z.size()), n = 2 * h;
  std::vector<double> out(at(n));
  for (std::int64_t k = 1; k <= h / 2; ++k) {
    std::complex<double> v[2] = {z[at(k)], z[at(h - k)]};
    combine(v[0], v[1], k, n, 1, with);
    for (const std::int64_t j : {k, h - k}) {
      const std::complex<double> y = v[j == k ? 0 : 1];
      const double re = with.table(std::cos(turn(j, 4 * n))), im = with.table(-std::sin(turn(j, 4 * n)));
      out[at(j)] = with.fma(y.imag(), -im, with.product(y.real(), re));
      out[at(n - j)] = with.fma(y.imag(), -re, with.product(y.real(), -im));
    }
  }
  const double sum = with.sum(z[0].real(), z[0].imag()), difference = with.sum(z[0].real(), -z[0].imag());
  out[0] = with.sum(sum, sum);
  out[at(h)] = with.product(with.sum(difference, difference), with.table(std::sqrt(0.5)));
  return out;
}

// Numbers whose inverse transform is dct3 in that order.
Numbers unfolded(const std::vector<double>& x, Exactly& with) {
  const auto n = static_cast<std::int64_t>(x.size()), h = n / 2;
  Numbers z(at(h));
  std::vector<double> in;
  const auto input = [&](std::int64_t j) { return with.round(x[at(j)]); };
  for (std::int64_t k = 1; k <= h / 2; ++k) {
    std::complex<double> v[2];
    for (const std::int64_t j : {k, h - k}) {
      const double a = input(j), b = input(n - j);
      const double re = with.table(std::cos(turn(j, 4 * n))), im = with.table(-std::sin(turn(j, 4 * n)));
      const std::complex<double> y(with.fma(b, -im, with.product(a, re)), with.fma(b, -re, with.product(a, -im)));
      v[j == k ? 0 : 1] = y;
      if (2 * k == h) v[1] = y;
    }
    combine(v[0], v[1], k, n, -1, with);
    z[at(k)] = v[0];
    z[at(h - k)] = v[1];
  }
  const double first = input(0), half = with.product(input(h), with.table(std::sqrt(0.5))), last = with.sum(half, half);
  z[0] = {with.sum(first, last), with.sum(first, -last)};
  return z;
}

// An even length, and the recipe of the complex transform of half of it.
struct Even {
  std::int64_t n;
  std::string child;
};

// A plan around a complex transform: its output is what `after` makes of the transform of what `before` makes of the input.
struct Around {
  std::string problem, node, options;
  bool inverse;  // of the transform inside
  std::int64_t in_reals, out_reals;
  std::function<std::vector<double>(const std::vector<double>&, Exactly&)> before, after;
};

void check(const Around& around, const Even& even, const std::string& name, const Target& target) {
  const std::string scheme = "rounded:" + name, n = std::to_string(even.n), options = " f32 scheme=" + scheme;
  const std::string text = around.problem + n + options + around.options, where = text + " " + target.name;
  std::vector<double> in = normal<double>(at(around.in_reals), fitting_rms(name) / std::sqrt(2 * even.n), seed_of(where));
  for (double& x : in) x = static_cast<double>(static_cast<float>(x));
  const PlanPtr plan = make_plan(target.context, text, scheme + ":" + around.node + "(" + n + "; " + even.child + ")");
  const PlanPtr inside = make_plan(target.context, std::to_string(even.n / 2) + options + (around.inverse ? " inverse" : ""),
                                   scheme + ":" + even.child);
  ASSERT_TRUE(plan != nullptr && inside != nullptr) << where;
  std::int64_t overflows = 0, of_child = 0;
  Exactly with(name);
  const std::vector<double> expected = around.after(run(inside, around.before(in, with), at(even.n), of_child), with);
  expect_same(run(plan, in, at(around.out_reals), overflows), expected, where);
  EXPECT_EQ(overflows, of_child + with.overflows) << where;
}

std::vector<Around> transforms_of(std::int64_t n) {
  using Reals = std::vector<double>;
  const auto same = [](const Reals& x, Exactly&) { return x; };
  // The reals of even index, then the others backwards.
  const auto place = [n](std::int64_t j) { return at(j % 2 == 0 ? j / 2 : n - 1 - j / 2); };
  std::vector<Around> all;
  for (const bool backward : {false, true}) {
    const std::string inverse = backward ? " inverse" : "";
    all.push_back({"r2c ", "real", inverse, false, n, n + 2, same,
                   [=](const Reals& z, Exactly& with) { return reals_of(untangled(complex_numbers(z), backward, with)); }});
    all.push_back({"c2r ", "real", inverse, true, n + 2, n,
                   [=](const Reals& x, Exactly& with) { return reals_of(tangled(complex_numbers(x), backward, with)); }, same});
  }
  all.push_back({"r2r ", "r2r", " kinds=dct2", false, n, n,
                 [=](const Reals& x, Exactly&) {
                   Reals moved(x.size());
                   for (std::int64_t j = 0; j < n; ++j) moved[place(j)] = x[at(j)];
                   return moved;
                 },
                 [](const Reals& z, Exactly& with) { return folded(complex_numbers(z), with); }});
  all.push_back({"r2r ", "r2r", " kinds=dct3", true, n, n,
                 [](const Reals& x, Exactly& with) { return reals_of(unfolded(x, with)); },
                 [=](const Reals& x, Exactly&) {
                   Reals moved(x.size());
                   for (std::int64_t j = 0; j < n; ++j) moved[at(j)] = x[place(j)];
                   return moved;
                 }});
  return all;
}

TEST(RoundedReals, AreTheComplexTransformAndExactOperations) {
  for (const std::string name : {"f16", "bf16", "e5m2", "int8q6"}) {
    for (const Even& even : {Even{2, "n1"}, {4, "n2"}, {6, "n3"}, {16, "n8"}, {30, "n15"}, {240, "dit(8 5 3)"}, {1024, "dit(8 8 8)"}}) {
      for (const Around& around : transforms_of(even.n)) {
        check(around, even, name, default_target());
        check(around, even, name, ref_target());
      }
    }
  }
}

TEST(RoundedReals, GiveTheHashOfTheReferenceOnEveryTarget) {
  for (const char* problem : {"240 f32", "250*3 f32 inverse scale=1/n", "240 f32 centered scale=0.3", "240*5 f32 inplace",
                              "105*4 f32 inverse", "9x16*3 f32", "9x16*3 f32 centered inverse", "7x9 f64->f32", "12 f16",
                              "48*9 f64->f32", "20x6*2 f32 inplace inverse"}) {
    for (const char* scheme : {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:e4m3/f32", "rounded:e5m2fnuz", "rounded:i16"}) {
      for (const std::string kind : {"r2c ", "c2r "}) expect_one_hash(kind + problem + " scheme=" + scheme, true);
    }
  }
}

TEST(RoundedCosines, GiveTheHashOfTheReferenceOnEveryTarget) {
  for (const std::string scheme :
       {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:e4m3/f32", "rounded:e5m2fnuz", "rounded:i16"}) {
    for (const char* problem :
         {"240 f32 kinds=dct2", "250*3 f32 kinds=dct3 scale=1/n", "105*4 f32 kinds=dct2 scale=ortho",
          "63*5 f32 kinds=dct3 inplace", "9x16*3 f32 kinds=dct2,dct3", "7x9 f64->f32 kinds=dct3,dct2 scale=ortho",
          "12 f16 kinds=dct2", "5x6x4 f16->bf16 kinds=dct2,dct2,dct2"}) {
      expect_one_hash(std::string("r2r ") + problem + " scheme=" + scheme, true);
    }
  }
}

// Sums of small integers and products with 1/2 are exact.
TEST(RoundedReals, KeepNumbersThatTheFormatHas) {
  for (const std::string scheme : {"rounded:f16", "rounded:f16/f32", "rounded:bf16"}) {
    for (const std::int64_t n : {3, 4, 6, 16, 30, 64}) {
      std::vector<double> impulse(static_cast<std::size_t>(n), 0.0);
      impulse[0] = 3;
      std::int64_t overflows = 0;
      const std::string text = std::to_string(n) + " f32 scheme=" + scheme;
      const PlanPtr r2c = make_plan(default_target().context, "r2c " + text), c2r = make_plan(default_target().context, "c2r " + text);
      ASSERT_TRUE(r2c != nullptr && c2r != nullptr);
      const auto half = static_cast<std::size_t>(2 * (n / 2 + 1));
      const std::vector<double> flat = run(r2c, impulse, half, overflows);
      for (std::size_t i = 0; i < half; ++i) EXPECT_EQ(flat[i], i % 2 == 0 ? 3 : 0) << text << " " << i;
      std::vector<double> constant(half, 0.0);
      constant[0] = 5;
      for (const double x : run(c2r, constant, static_cast<std::size_t>(n), overflows)) EXPECT_EQ(x, 5) << text;
      EXPECT_EQ(overflows, 0) << text;
    }
  }
}

// The steps of integers do not follow the data: predictions of complex transforms are within 3.1 as well
// (facts/predicted_error.cc).
TEST(RoundedCosines, PredictTheirErrors) {
  for (const std::string scheme :
       {"rounded:f16", "rounded:bf16", "rounded:f16/f32", "rounded:e5m2", "rounded:e4m3/f32", "rounded:int8q6"}) {
    for (const char* lengths : {"64*8", "1000*3", "105*9", "4096", "32x48", "15x21"}) {
      for (const std::string kind : {"dct2", "dct3"}) {
        const std::string twice = std::string(lengths).find('x') != std::string::npos ? "," + kind : "";
        expect_predicted_within(scheme.ends_with("int8q6") ? 3.1 : 1.5,
                                std::string("r2r ") + lengths + " f32 scale=ortho scheme=" + scheme + " kinds=" + kind + twice);
      }
    }
  }
}

// Sums of small integers, their doubles, and products with 0.
TEST(RoundedCosines, KeepNumbersThatTheFormatHas) {
  for (const std::string scheme : {"rounded:f16", "rounded:f16/f32", "rounded:bf16"}) {
    for (const std::int64_t n : {1, 2, 3, 4, 9, 16, 45, 64}) {
      std::int64_t overflows = 0;
      const std::string text = "r2r " + std::to_string(n) + " f32 scheme=" + scheme + " kinds=";
      const PlanPtr dct3 = make_plan(default_target().context, text + "dct3");
      ASSERT_NE(dct3, nullptr);
      std::vector<double> impulse(at(n), 0.0);
      impulse[0] = 3;
      for (const double x : run(dct3, impulse, at(n), overflows)) EXPECT_EQ(x, 3) << text;
      const PlanPtr dct2 = make_plan(default_target().context, text + "dct2");
      ASSERT_NE(dct2, nullptr);
      const std::vector<double> flat(at(n), 1.0);
      EXPECT_EQ(run(dct2, flat, at(n), overflows)[0], static_cast<double>(2 * n)) << text;
      EXPECT_EQ(overflows, 0) << text;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
