// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft as a backend of heFFTe, against a stand-in for heFFTe's interface: every executor, order of directions and precision by
// sums.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "bindings/heffte/heffte_backend_ulpfft.h"

namespace {

namespace backend = heffte::backend;
using Box = heffte::box3d<int>;
using Complex = std::complex<long double>;

constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

Box box_of(const int (&order)[3], std::array<int, 3> size = {6, 5, 8}) {
  return Box({3, 0, 7}, {size[0] + 2, size[1] - 1, size[2] + 6}, {order[0], order[1], order[2]});
}

template <typename Number>
std::vector<Number> random_numbers(long long count) {
  std::mt19937 random(20261124);
  std::normal_distribution<double> normal;
  std::vector<Number> numbers(static_cast<std::size_t>(count));
  for (Number& number : numbers) {
    if constexpr (std::is_floating_point_v<Number>) {
      number = static_cast<Number>(normal(random));
    } else {
      number = Number(static_cast<typename Number::value_type>(normal(random)),
                      static_cast<typename Number::value_type>(normal(random)));
    }
  }
  return numbers;
}

template <typename Number>
std::vector<Complex> wide(const std::vector<Number>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::size_t place(const Box& box, const std::array<int, 3>& at) {
  std::size_t index = 0;
  for (int order = 2; order >= 0; --order) {
    index = index * static_cast<std::size_t>(box.osize(order)) +
            static_cast<std::size_t>(at[static_cast<std::size_t>(box.order[static_cast<std::size_t>(order)])]);
  }
  return index;
}

// Along one direction: sum over j of the numbers of `from` times factor(k, j), at every k of `to`.
template <typename Factor>
std::vector<Complex> sums(const std::vector<Complex>& numbers, const Box& from, const Box& to, int direction,
                          const Factor& factor) {
  const auto d = static_cast<std::size_t>(direction);
  std::vector<Complex> out(static_cast<std::size_t>(to.count()));
  std::array<int, 3> at{};
  for (at[0] = 0; at[0] < to.size[0]; ++at[0]) {
    for (at[1] = 0; at[1] < to.size[1]; ++at[1]) {
      for (at[2] = 0; at[2] < to.size[2]; ++at[2]) {
        Complex sum = 0;
        std::array<int, 3> source = at;
        for (source[d] = 0; source[d] < from.size[d]; ++source[d]) sum += numbers[place(from, source)] * factor(at[d], source[d]);
        out[place(to, at)] = sum;
      }
    }
  }
  return out;
}

// exp(sign 2 pi i j k / n)
auto turn(int n, int sign) {
  return [=](int k, int j) {
    return std::polar(1.0L, sign * 2 * std::numbers::pi_v<long double> * static_cast<long double>(j * k % n) / n);
  };
}

std::vector<Complex> transformed(std::vector<Complex> numbers, const Box& box, std::initializer_list<int> directions, int sign) {
  for (const int direction : directions)
    numbers = sums(numbers, box, box, direction, turn(box.size[static_cast<std::size_t>(direction)], sign));
  return numbers;
}

template <typename Number>
void expect_near(const std::vector<Number>& got, const std::vector<Complex>& right, const char* what) {
  long double difference = 0, sum = 0;
  ASSERT_EQ(got.size(), right.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    difference += std::norm(Complex(got[i]) - right[i]);
    sum += std::norm(right[i]);
  }
  constexpr bool kIsFloat = std::is_same_v<Number, float> || std::is_same_v<Number, std::complex<float>>;
  EXPECT_LE(std::sqrt(difference / sum), kIsFloat ? 3e-7L : 6e-16L) << what;
}

template <typename Real>
void test_complex(const Box& box) {
  const auto numbers = random_numbers<std::complex<Real>>(box.count());
  const auto check = [&](const heffte::executor_base& executor, std::initializer_list<int> directions) {
    EXPECT_EQ(executor.box_size(), box.count());
    EXPECT_EQ(executor.workspace_size(), 0u);
    auto data = numbers;
    executor.forward(data.data(), nullptr);
    expect_near(data, transformed(wide(numbers), box, directions, -1), "forward");
    data = numbers;
    executor.backward(data.data(), nullptr);
    expect_near(data, transformed(wide(numbers), box, directions, 1), "backward");
    // Real numbers give the same, and the way back gives the real part.
    const auto reals = random_numbers<Real>(box.count());
    executor.forward(reals.data(), data.data(), nullptr);
    expect_near(data, transformed(wide(reals), box, directions, -1), "of real numbers");
    std::vector<Real> back(reals.size());
    executor.backward(data.data(), back.data(), nullptr);
    std::vector<Complex> scaled = wide(reals);
    for (Complex& number : scaled) {
      for (const int direction : directions) number *= box.size[static_cast<std::size_t>(direction)];
    }
    expect_near(back, scaled, "to real numbers");
  };
  for (int direction = 0; direction < 3; ++direction)
    check(*heffte::make_executor<backend::ulpfft>(nullptr, box, direction), {direction});
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(2, 0), std::pair(1, 2)})
    check(*heffte::make_executor<backend::ulpfft>(nullptr, box, a, b), {a, b});
  check(*heffte::make_executor<backend::ulpfft>(nullptr, box), {0, 1, 2});
}

template <typename Real>
void test_half(const Box& box) {
  const auto numbers = random_numbers<Real>(box.count());
  for (int direction = 0; direction < 3; ++direction) {
    const int n = box.size[static_cast<std::size_t>(direction)];
    const Box half = box.r2c(direction);
    const auto executor = heffte::make_executor_r2c<backend::ulpfft>(nullptr, box, direction);
    ASSERT_EQ(executor->complex_size(), half.count());
    EXPECT_EQ(executor->box_size(), box.count());
    std::vector<std::complex<Real>> spectrum(static_cast<std::size_t>(half.count()));
    executor->forward(numbers.data(), spectrum.data(), nullptr);
    expect_near(spectrum, sums(wide(numbers), box, half, direction, turn(n, -1)), "r2c");
    std::vector<Real> back(numbers.size());
    executor->backward(spectrum.data(), back.data(), nullptr);
    std::vector<Complex> scaled = wide(numbers);
    for (Complex& number : scaled) number *= n;
    expect_near(back, scaled, "c2r");
  }
}

// There by factor(n, k, j) along the directions. There and back multiply by 4n for each, which heFFTe divides by.
template <typename Tag, typename Real, typename Factor>
void test_real(const Box& box, const Factor& factor) {
  const auto numbers = random_numbers<Real>(box.count());
  const auto check = [&](const heffte::executor_base& executor, std::initializer_list<int> directions) {
    std::vector<Complex> right = wide(numbers), scaled = right;
    for (const int direction : directions) {
      const int n = box.size[static_cast<std::size_t>(direction)];
      right = sums(right, box, box, direction, [&](int k, int j) { return factor(n, k, j); });
      for (Complex& number : scaled) number *= 4 * n;
    }
    auto data = numbers;
    executor.forward(data.data(), nullptr);
    expect_near(data, right, "there");
    executor.backward(data.data(), nullptr);
    expect_near(data, scaled, "back");
    EXPECT_EQ(executor.box_size(), box.count());
  };
  for (int direction = 0; direction < 3; ++direction) check(*heffte::make_executor<Tag>(nullptr, box, direction), {direction});
  check(*heffte::make_executor<Tag>(nullptr, box, 2, 0), {2, 0});
  check(*heffte::make_executor<Tag>(nullptr, box), {0, 1, 2});
}

template <typename Real>
void test_real_kinds(const Box& box) {
  constexpr auto kPi = std::numbers::pi_v<long double>;
  test_real<backend::ulpfft_cos, Real>(box, [](int n, int k, int j) { return 2 * std::cos(kPi * (j + 0.5L) * k / n); });
  test_real<backend::ulpfft_sin, Real>(box, [](int n, int k, int j) { return 2 * std::sin(kPi * (j + 0.5L) * (k + 1) / n); });
  const auto cos1 = [](int n, int k, int j) { return (j == 0 || j == n - 1 ? 1 : 2) * std::cos(kPi * j * k / (n - 1)); };
  test_real<backend::ulpfft_cos1, Real>(box, cos1);
  test_real<backend::ulpfft_sin1, Real>(box, [](int n, int k, int j) { return 2 * std::sin(kPi * (j + 1) * (k + 1) / (n + 1)); });
}

TEST(HeffteBackend, TransformsBoxesOfAnyOrderInOneTwoAndThreeDirections) {
  for (const auto& order : kOrders) {
    test_complex<double>(box_of(order));
    test_complex<float>(box_of(order));
  }
}

TEST(HeffteBackend, TransformsRealNumbersToHalfTheirSpectrum) {
  for (const auto& order : kOrders) {
    test_half<double>(box_of(order));
    test_half<float>(box_of(order, {7, 4, 9}));
  }
}

TEST(HeffteBackend, HasCosineAndSineTransforms) {
  for (const auto& order : kOrders) {
    test_real_kinds<double>(box_of(order));
    test_real_kinds<float>(box_of(order));
  }
}

TEST(HeffteBackend, AnswersForBoxesWithoutNumbersAndThoseOfOneIndex) {
  EXPECT_EQ(heffte::make_executor<backend::ulpfft>(nullptr, Box({0, 0, 0}, {-1, 3, 3}), 0), nullptr);
  test_complex<double>(box_of(kOrders[0], {1, 1, 4}));
  test_half<double>(box_of(kOrders[4], {1, 2, 1}));
}

TEST(HeffteBackend, RefusesByTheSentenceOfTheLibrary) {
  const auto executor =
      heffte::make_executor<backend::ulpfft_cos1>(nullptr, Box({0, 0, 0}, {0, 3, 3}), 0);  // one number has no such transform
  std::vector<double> data(16);
  try {
    executor->forward(data.data(), nullptr);
    FAIL() << "nothing is refused";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("lengths[0]"), std::string::npos) << error.what();
  }
}

TEST(HeffteBackend, NamesItself) {
  EXPECT_EQ(backend::name<backend::ulpfft>(), "ulpfft");
  EXPECT_EQ(backend::name<backend::ulpfft_sin1>(), "ulpfft-sin-type-I");
  EXPECT_TRUE(backend::is_enabled<backend::ulpfft_cos>::value && !backend::uses_fft_types<backend::ulpfft_cos>::value);
}

}  // namespace
