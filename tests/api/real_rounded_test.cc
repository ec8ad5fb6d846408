// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// r2c and c2r in rounded schemes: the passes beside the complex transform operation by operation in exact arithmetic, the same bits and
// counts on every target, predicted errors, and numbers that stay exact.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "tests/api/exactly.h"
#include "tests/support/api.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

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

struct Even {
  std::int64_t n;
  std::string child;
};

void check(const Even& even, const std::string& name, bool backward, const Target& target) {
  const std::string scheme = "rounded:" + name, size = std::to_string(even.n), half = std::to_string(even.n / 2);
  const std::string options = " f32 scheme=" + scheme, recipe = scheme + ":real(" + size + "; " + even.child + ")";
  const std::string where = size + options + (backward ? " inverse " : " ") + target.name;
  const auto reals = static_cast<std::size_t>(even.n);
  const auto data = [&](std::size_t count) {
    std::vector<double> values = normal<double>(count, fitting_rms(name) / std::sqrt(even.n), seed_of(where));
    for (double& x : values) x = static_cast<double>(static_cast<float>(x));
    return values;
  };
  const auto plan = [&](const std::string& text, const std::string& by) { return make_plan(target.context, text, by); };
  std::int64_t overflows = 0, of_child = 0;

  Exactly there(name);
  const std::vector<double> in = data(reals);
  const PlanPtr r2c = plan("r2c " + size + options + (backward ? " inverse" : ""), recipe);
  const PlanPtr forward = plan(half + options, scheme + ":" + even.child);
  ASSERT_TRUE(r2c != nullptr && forward != nullptr) << where;
  const Numbers z = complex_numbers(run(forward, in, reals, of_child));
  expect_same(run(r2c, in, reals + 2, overflows), reals_of(untangled(z, backward, there)), "r2c " + where);
  EXPECT_EQ(overflows, of_child + there.overflows) << "r2c " << where;

  Exactly back(name);
  const std::vector<double> spectrum = data(reals + 2);
  const PlanPtr c2r = plan("c2r " + size + options + (backward ? " inverse" : ""), recipe);
  const PlanPtr inverse = plan(half + options + " inverse", scheme + ":" + even.child);
  ASSERT_TRUE(c2r != nullptr && inverse != nullptr) << where;
  const Numbers tangle = tangled(complex_numbers(spectrum), backward, back);
  const std::vector<double> expected = run(inverse, reals_of(tangle), reals, of_child);
  expect_same(run(c2r, spectrum, reals, overflows), expected, "c2r " + where);
  EXPECT_EQ(overflows, of_child + back.overflows) << "c2r " << where;
}

TEST(RoundedReals, AreTheComplexTransformAndExactOperations) {
  for (const std::string name : {"f16", "bf16", "e5m2", "int8q6"}) {
    for (const Even& even : {Even{2, "n1"}, {4, "n2"}, {6, "n3"}, {16, "n8"}, {30, "n15"}, {240, "dit(8 5 3)"}, {1024, "dit(8 8 8)"}}) {
      for (const bool backward : {false, true}) {
        check(even, name, backward, default_target());
        check(even, name, backward, ref_target());
      }
    }
  }
}

TEST(RoundedReals, GiveTheHashOfTheReferenceOnEveryTarget) {
  for (const char* problem : {"240 f32", "250*3 f32 inverse scale=1/n", "240 f32 centered scale=0.3", "240*5 f32 inplace",
                              "105*4 f32 inverse", "9x16*3 f32", "9x16*3 f32 centered inverse", "7x9 f64->f32", "12 f16",
                              "48*9 f64->f32", "20x6*2 f32 inplace inverse"}) {
    for (const char* scheme : {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:e4m3/f32", "rounded:e5m2fnuz", "rounded:i16"}) {
      for (const std::string kind : {"r2c ", "c2r "}) {
        const std::string text = kind + problem + " scheme=" + scheme;
        const PlanPtr judge = make_plan(ref_target().context, text);
        ASSERT_NE(judge, nullptr) << text;
        const std::string recipe = recipe_of(judge.get());
        for (const Target& target : targets()) {
          const PlanPtr plan = make_plan(target.context, text, recipe);
          ASSERT_NE(plan, nullptr) << text;
          EXPECT_EQ(hash_of(plan.get()), hash_of(judge.get())) << text << " " << recipe << " on " << target;
        }
      }
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

}  // namespace
}  // namespace ulpfft::test
