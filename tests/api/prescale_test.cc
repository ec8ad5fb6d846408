// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The power-of-two prescale: golden exponents and arrays bit for bit, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/golden.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

using nlohmann::json;

TEST(Prescale, GivesTheGoldenExponentsAndNumbers) {
  const json cases = golden("prescale.json")["cases"];
  EXPECT_GE(cases.size(), 15U);
  for (const json& one : cases) {
    const std::vector<float> in = golden_reals<float>(one["in"]), wanted = golden_reals<float>(one["out"]);
    auto how = sized<ulpfft_prescale>();
    how.count = std::ssize(in) / 2;
    how.target = one["target"].get<double>();
    how.percentile = one["tau"].get<double>();
    how.least = one["tau_min"].get<double>();
    how.lowest = one["kmin"].get<int>();
    how.highest = one["kmax"].get<int>();
    std::vector<float> out(in.size());
    int exponent = 1000;
    ASSERT_EQ(ulpfft_prescale_apply(&how, in.data(), out.data(), &exponent), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(exponent, one["k"].get<int>());
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(std::bit_cast<std::uint32_t>(out[i]), std::bit_cast<std::uint32_t>(wanted[i])) << i;
    const std::vector<double> wide(in.begin(), in.end());
    how.real_type = "f64";
    ASSERT_EQ(ulpfft_prescale_apply(&how, wide.data(), nullptr, &exponent), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(exponent, one["k"].get<int>());
  }
}

TEST(Prescale, LeavesOutWhatIsNotFiniteAndKeepsZeros) {
  std::vector<std::complex<float>> numbers = {{0, 0}, {std::numeric_limits<float>::infinity(), 1}, {3, 4}, {std::numeric_limits<float>::quiet_NaN(), 0}};
  ulpfft_prescale how{};
  how.target = 640;
  EXPECT_EQ(ulpfft::prescale<float>(numbers, how), 7);
  EXPECT_EQ(numbers[2], std::complex<float>(384, 512));
  EXPECT_EQ(numbers[0], std::complex<float>(0, 0));
  EXPECT_TRUE(std::isinf(numbers[1].real()) && std::isnan(numbers[3].real()));
  std::vector<std::complex<double>> zeros(5);
  EXPECT_EQ(ulpfft::prescale<double>(zeros), 0);
  EXPECT_EQ(ulpfft::prescale<double>(std::span<std::complex<double>>()), 0);
}

TEST(Prescale, RefusesWhatMakesNoSense) {
  std::vector<float> numbers(8, 1.0F);
  int exponent = 0;
  const auto field = [&](auto change) {
    auto how = sized<ulpfft_prescale>();
    how.count = 2;
    change(how);
    EXPECT_NE(ulpfft_prescale_apply(&how, numbers.data(), nullptr, &exponent), ULPFFT_OK);
    return last_error().field;
  };
  EXPECT_EQ(field([](auto& how) { how.target = -1; }), "target");
  EXPECT_EQ(field([](auto& how) { how.target = std::numeric_limits<double>::quiet_NaN(); }), "target");
  EXPECT_EQ(field([](auto& how) { how.percentile = 101; }), "percentile");
  EXPECT_EQ(field([](auto& how) { how.least = -1; }), "least");
  EXPECT_EQ(field([](auto& how) { how.lowest = 3; }), "lowest");
  EXPECT_EQ(field([](auto& how) { how.highest = 2000; }), "highest");
  EXPECT_EQ(field([](auto& how) { how.count = -1; }), "count");
  EXPECT_EQ(field([](auto& how) { how.real_type = "f16"; }), "real_type");
  EXPECT_EQ(field([](auto& how) { how.size = 8; }), "prescale.size");
  auto how = sized<ulpfft_prescale>();
  how.count = 3;
  EXPECT_NE(ulpfft_prescale_apply(&how, numbers.data(), numbers.data() + 2, &exponent), ULPFFT_OK);
  EXPECT_EQ(last_error().field, "out");
  EXPECT_NE(ulpfft_prescale_apply(&how, nullptr, nullptr, &exponent), ULPFFT_OK);
  EXPECT_EQ(last_error().field, "in");
  EXPECT_NE(ulpfft_prescale_apply(&how, numbers.data(), nullptr, nullptr), ULPFFT_OK);
  EXPECT_EQ(last_error().field, "exponent");
  EXPECT_EQ(numbers, std::vector<float>(8, 1.0F));
}

}  // namespace
}  // namespace ulpfft::test
