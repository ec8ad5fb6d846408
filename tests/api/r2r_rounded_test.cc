// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// dct2 and dct3 in rounded schemes: even lengths beside the complex transform operation by operation in exact arithmetic, the same bits and
// counts on every target, predicted errors, and numbers that stay exact.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/api/exactly.h"
#include "tests/api/real_checks.h"
#include "tests/api/real_storage.h"
#include "tests/support/api.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

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

struct EvenLength {
  std::int64_t n;
  std::string child;
};

void check(const EvenLength& even, const std::string& name, const Target& target) {
  const std::string scheme = "rounded:" + name, size = std::to_string(even.n), half = std::to_string(even.n / 2);
  const std::string options = " f32 scheme=" + scheme, recipe = scheme + ":r2r(" + size + "; " + even.child + ")";
  const std::string where = size + options + " " + target.name;
  const auto reals = at(even.n);
  const auto data = [&](std::uint64_t seed) {
    std::vector<double> values = normal<double>(reals, fitting_rms(name) / std::sqrt(2 * even.n), seed_of(where) + seed);
    for (double& x : values) x = static_cast<double>(static_cast<float>(x));
    return values;
  };
  std::int64_t counted = 0, of_child = 0;

  Exactly there(name);
  const std::vector<double> in = data(0);
  std::vector<double> odds(reals);
  for (std::int64_t j = 0; j < even.n; ++j) odds[at(j % 2 == 0 ? j / 2 : even.n - 1 - j / 2)] = in[at(j)];
  const PlanPtr dct2 = make_plan(target.context, "r2r " + size + options + " kinds=dct2", recipe);
  const PlanPtr forward = make_plan(target.context, half + options, scheme + ":" + even.child);
  ASSERT_TRUE(dct2 != nullptr && forward != nullptr) << where;
  const Numbers z = complex_numbers(run(forward, odds, reals, of_child));
  expect_same(run(dct2, in, reals, counted), folded(z, there), "dct2 " + where);
  EXPECT_EQ(counted, of_child + there.overflows) << "dct2 " << where;

  Exactly back(name);
  const std::vector<double> spectrum = data(1);
  const PlanPtr dct3 = make_plan(target.context, "r2r " + size + options + " kinds=dct3", recipe);
  const PlanPtr inverse = make_plan(target.context, half + options + " inverse", scheme + ":" + even.child);
  ASSERT_TRUE(dct3 != nullptr && inverse != nullptr) << where;
  const std::vector<double> result = run(inverse, reals_of(unfolded(spectrum, back)), reals, of_child);
  std::vector<double> expected(reals);
  for (std::int64_t j = 0; j < even.n; ++j) expected[at(j)] = result[at(j % 2 == 0 ? j / 2 : even.n - 1 - j / 2)];
  expect_same(run(dct3, spectrum, reals, counted), expected, "dct3 " + where);
  EXPECT_EQ(counted, of_child + back.overflows) << "dct3 " << where;
}

TEST(RoundedCosines, AreTheComplexTransformAndExactOperations) {
  for (const std::string name : {"f16", "bf16", "e5m2", "int8q6"}) {
    for (const EvenLength& even : {EvenLength{2, "n1"}, {4, "n2"}, {6, "n3"}, {16, "n8"}, {30, "n15"}, {240, "dit(8 5 3)"}, {1024, "dit(8 8 8)"}}) {
      check(even, name, default_target());
      check(even, name, ref_target());
    }
  }
}

TEST(RoundedCosines, GiveTheHashOfTheReferenceOnEveryTarget) {
  for (const std::string scheme :
       {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:e4m3/f32", "rounded:e5m2fnuz", "rounded:i16"}) {
    for (const char* problem : {"240 f32 kinds=dct2", "250*3 f32 kinds=dct3 scale=1/n", "105*4 f32 kinds=dct2 scale=ortho",
                                "63*5 f32 kinds=dct3 inplace", "9x16*3 f32 kinds=dct2,dct3", "7x9 f64->f32 kinds=dct3,dct2 scale=ortho",
                                "12 f16 kinds=dct2", "5x6x4 f16->bf16 kinds=dct2,dct2,dct2"}) {
      expect_one_hash(std::string("r2r ") + problem + " scheme=" + scheme, true);
    }
  }
}

// The steps of integers do not follow the data: predictions of complex transforms are within 3.1 as well (facts/predicted_error.cc).
TEST(RoundedCosines, PredictTheirErrors) {
  for (const std::string scheme :
       {"rounded:f16", "rounded:bf16", "rounded:f16/f32", "rounded:e5m2", "rounded:e4m3/f32", "rounded:int8q6"}) {
    for (const char* lengths : {"64*8", "1000*3", "105*9", "4096", "32x48", "15x21"}) {
      for (const std::string kind : {"dct2", "dct3"}) {
        const std::string twice = std::string(lengths).find('x') != std::string::npos ? "," + kind : "";
        expect_predicted_within(scheme.ends_with("int8q6") ? 3.1 : 1.5, std::string("r2r ") + lengths + " f32 scale=ortho scheme=" + scheme + " kinds=" + kind + twice);
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
