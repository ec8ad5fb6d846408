// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans of the C++ interface whose input or output is real numbers, whatever executes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/planner/exact_plan.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

using Complex = std::complex<float>;

Plan plan_of(const std::string& text) { return Plan(exact_plan(text)); }

template <typename Call>
std::string field_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.field());
  }
  return "";
}

// Two impulses of 10 real numbers.
std::vector<float> impulses() {
  std::vector<float> real(20);
  real[0] = 1;
  real[10] = 2;
  return real;
}
std::vector<Complex> their_spectra() {
  std::vector<Complex> spectra(12, 1.0F);
  std::fill(spectra.begin() + 6, spectra.end(), 2.0F);
  return spectra;
}

TEST(RealRanges, GoThereAndBackOnRangesAndPointers) {
  const Plan there = plan_of("r2c 10*2 f32"), back = plan_of("c2r 10*2 f32 scale=1/n");
  const std::vector<float> real = impulses();
  std::vector<Complex> spectra(12);
  std::vector<float> again(20);
  there.execute(std::span<const float>(real), std::span<Complex>(spectra));
  EXPECT_EQ(spectra, their_spectra());
  back.execute(std::span<const Complex>(spectra), std::span<float>(again));
  EXPECT_EQ(again, real);
  std::fill(spectra.begin(), spectra.end(), 0.0F);
  std::fill(again.begin(), again.end(), 0.0F);
  there.execute(real.data(), spectra.data());
  EXPECT_EQ(spectra, their_spectra());
  back.execute(spectra.data(), again.data());
  EXPECT_EQ(again, real);
  EXPECT_LE(there.assess(real).relative_l2, 0x1p-24);
  EXPECT_LE(back.assess(spectra).relative_l2, 0x1p-24);
}

TEST(RealRanges, InPlaceAreArraysOfEitherSide) {
  const Plan there = plan_of("r2c 10*2 f32 inplace"), back = plan_of("c2r 10*2 f32 inplace scale=1/n");
  std::vector<float> array(24);  // rows of 12 reals, 10 and padding
  array[0] = 1;
  array[12] = 2;
  there.execute(array);
  std::vector<Complex> spectra(12);
  for (std::size_t i = 0; i < 12; ++i) spectra[i] = {array[2 * i], array[2 * i + 1]};
  EXPECT_EQ(spectra, their_spectra());
  back.execute(spectra);
  EXPECT_EQ(spectra[0], Complex(1, 0));
  EXPECT_EQ(spectra[6], Complex(2, 0));
  EXPECT_EQ(field_of([&] { there.execute(std::span(array).first(23)); }), "in");
  EXPECT_EQ(field_of([&] { back.execute(std::span(array).first(23)); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(std::span(spectra).first(11)); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(array, spectra); }), "out");
  EXPECT_EQ(field_of([&] { plan_of("r2c 10 f32").execute(array); }), "out");
}

TEST(RealRanges, ThatDoNotFitAreRefused) {
  const Plan there = plan_of("r2c 10*2 f32"), back = plan_of("c2r 10*2 f32");
  std::vector<float> real(20), few(19);
  std::vector<double> wide(20);
  std::vector<Complex> spectra(12), fewer(11);
  std::vector<std::complex<double>> wide_spectra(12);
  EXPECT_EQ(field_of([&] { there.execute(few, spectra); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(wide, spectra); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(spectra, spectra); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(spectra, real); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(real, fewer); }), "out");
  EXPECT_EQ(field_of([&] { there.execute(real, wide_spectra); }), "out");
  EXPECT_EQ(field_of([&] { back.execute(fewer, real); }), "in");
  EXPECT_EQ(field_of([&] { back.execute(spectra, few); }), "out");
  EXPECT_EQ(field_of([&] { back.execute(spectra, spectra); }), "out");
  EXPECT_EQ(field_of([&] { back.execute(real, spectra); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(wide.data(), spectra.data()); }), "in");
  EXPECT_EQ(field_of([&] { there.execute(spectra.data(), spectra.data()); }), "in");
  EXPECT_EQ(field_of([&] { back.execute(spectra.data(), wide.data()); }), "out");
  EXPECT_EQ(field_of([&] { there.execute(real, real, real, real); }), "in");
  EXPECT_EQ(field_of([&] { (void)there.assess(spectra); }), "in");
  EXPECT_EQ(field_of([&] { (void)there.assess(real, real); }), "in");
  std::vector<float> both(44);
  const std::span overlapping(reinterpret_cast<Complex*>(both.data() + 18), 12);
  EXPECT_EQ(field_of([&] { there.execute(std::span(both).first(20), overlapping); }), "out");
}

TEST(RealRanges, SplitPlansTakeArraysOfTheCInterface) {
  const Plan there = plan_of("r2c 10 f32 split");
  std::vector<float> real = impulses(), re(6), im(6);
  ulpfft_array in = ULPFFT_ARRAY_INIT, out = ULPFFT_ARRAY_INIT;
  in.data[0] = real.data();
  out.data[0] = re.data();
  out.data[1] = im.data();
  EXPECT_EQ(there.execute(in, out), 0);
  EXPECT_EQ(re, std::vector<float>(6, 1.0F));
  EXPECT_EQ(im, std::vector<float>(6, 0.0F));
  std::vector<Complex> spectrum(6);
  EXPECT_EQ(field_of([&] { there.execute(real, spectrum); }), "out");
  EXPECT_EQ(field_of([&] { there.execute(real, real, re, im); }), "in");
}

}  // namespace
}  // namespace ulpfft::test
