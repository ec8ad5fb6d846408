// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What holds for any Fourier transform, without an oracle: impulse, constant, linearity, shifts, energy, round trip.
//
// Each compares two computed results, so each side may err by the theorem's bound.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

template <typename T>
using Signal = std::vector<std::complex<T>>;

// exp(-2 pi i k / n), correctly rounded but for the last bit.
template <typename T>
std::complex<T> root(std::int64_t k, std::int64_t n) {
  const ComplexDD point = circle_point(static_cast<std::uint64_t>(((k % n) + n) % n), static_cast<std::uint64_t>(n));
  return {static_cast<T>(point.re.value()), static_cast<T>(point.im.value())};
}

template <typename T>
double distance(const Signal<T>& a, const Signal<T>& b) {
  return relative_l2<T>(a, widen(b));
}

// Both plans of a length on one target, and their promises.
template <typename T>
class Transform {
 public:
  Transform(const Target& target, std::int64_t length)
      : n(length), bound(2 * bound_of(length)), target_(target),
        forward_(plan("")), backward_(plan(" inverse scale=1/n")) {}

  bool ready() const { return forward_ != nullptr && backward_ != nullptr; }
  Signal<T> forward(const Signal<T>& in) const { return run(forward_.get(), in); }
  Signal<T> backward(const Signal<T>& in) const { return run(backward_.get(), in); }
  // A convolution rounds even what is exact.
  bool convolves() const {
    const std::string recipe = recipe_of(forward_.get());
    return recipe.find("rader(") != std::string::npos || recipe.find("bluestein(") != std::string::npos;
  }
  std::string name() const {
    return "target " + target_.name + ", " + std::to_string(n) + ' ' + Storage<T>::kName + ", recipe \"" + recipe_of(forward_.get()) + '"';
  }

  const std::int64_t n;
  const double bound;

 private:
  static double bound_of(std::int64_t length) {
    Case problem;
    problem.f64 = sizeof(T) == 8;
    problem.dims = {{length, 1, 1}};
    return result_bound(problem);
  }
  PlanPtr plan(const char* rest) const { return make_plan(target_.context, std::to_string(n) + ' ' + Storage<T>::kName + rest); }
  static Signal<T> run(const ulpfft_plan* plan, const Signal<T>& in) {
    Signal<T> out(in.size());
    EXPECT_EQ(ulpfft_execute(plan, in.data(), out.data()), ULPFFT_OK) << last_error_text();
    return out;
  }

  const Target& target_;
  PlanPtr forward_;
  PlanPtr backward_;
};

template <typename T>
void impulses(const Transform<T>& transform) {
  const std::int64_t n = transform.n;
  for (std::int64_t place = 0; place < n; place += std::max<std::int64_t>(1, n / 17)) {
    Signal<T> expected(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) expected[static_cast<std::size_t>(k)] = root<T>(place * k, n);
    const auto got = transform.forward(impulse<T>(static_cast<std::size_t>(n), static_cast<std::size_t>(place)));
    EXPECT_LE(distance(got, expected), transform.bound) << "impulse at " << place << ", " << transform.name();
  }
  if (transform.convolves()) return;
  // At the origin nothing is rounded: every output is 1.
  const auto ones = transform.forward(impulse<T>(static_cast<std::size_t>(n), 0));
  EXPECT_EQ(ones, Signal<T>(static_cast<std::size_t>(n), T{1})) << transform.name();
}

template <typename T>
void constant(const Transform<T>& transform) {
  const auto got = transform.forward(Signal<T>(static_cast<std::size_t>(transform.n), T{1}));
  EXPECT_LE(distance(got, impulse<T>(got.size(), 0, static_cast<T>(transform.n))), transform.bound) << transform.name();
}

template <typename T>
void linearity(const Transform<T>& transform) {
  const auto n = static_cast<std::size_t>(transform.n);
  const auto x = random_signal<T>(n, 1);
  const auto y = random_signal<T>(n, 2);
  const std::complex<T> a(T(0.7), T(-1.3));
  const std::complex<T> b(T(-0.4), T(0.9));
  Signal<T> mixed(n);
  for (std::size_t i = 0; i < n; ++i) mixed[i] = a * x[i] + b * y[i];
  const auto fx = transform.forward(x);
  const auto fy = transform.forward(y);
  Signal<T> expected(n);
  for (std::size_t i = 0; i < n; ++i) expected[i] = a * fx[i] + b * fy[i];
  EXPECT_LE(distance(transform.forward(mixed), expected), 2 * transform.bound) << transform.name();
}

template <typename T>
void shifts(const Transform<T>& transform) {
  const std::int64_t n = transform.n;
  const auto x = random_signal<T>(static_cast<std::size_t>(n), 3);
  const auto fx = transform.forward(x);
  for (const std::int64_t by : {std::int64_t{1}, n / 3, n - 1}) {
    Signal<T> moved(x.size());
    Signal<T> turned(x.size());
    Signal<T> moved_spectrum(x.size());
    Signal<T> turned_spectrum(x.size());
    for (std::int64_t j = 0; j < n; ++j) {
      const auto from = static_cast<std::size_t>(j);
      const auto to = static_cast<std::size_t>((j + by) % n);
      moved[to] = x[from];
      turned_spectrum[from] = fx[from] * root<T>(by * j, n);
      turned[from] = x[from] * std::conj(root<T>(by * j, n));
      moved_spectrum[to] = fx[from];
    }
    EXPECT_LE(distance(transform.forward(moved), turned_spectrum), transform.bound) << "time shift by " << by << ", " << transform.name();
    EXPECT_LE(distance(transform.forward(turned), moved_spectrum), transform.bound) << "frequency shift by " << by << ", " << transform.name();
  }
}

template <typename T>
double energy_of(const Signal<T>& signal) {
  double sum = 0;
  for (const auto& value : signal) sum += std::norm(std::complex<double>(value));
  return sum;
}

template <typename T>
void energy_and_round_trip(const Transform<T>& transform) {
  const auto x = random_signal<T>(static_cast<std::size_t>(transform.n), 4);
  const auto fx = transform.forward(x);
  const double ratio = energy_of<T>(fx) / (energy_of<T>(x) * static_cast<double>(transform.n));
  EXPECT_NEAR(ratio, 1.0, 2 * transform.bound + 1e-14) << transform.name();
  EXPECT_LE(distance(transform.backward(fx), x), transform.bound) << transform.name();
}

template <typename T>
void all_properties(std::int64_t n) {
  for (const Target& target : targets()) {
    const Transform<T> transform(target, n);
    if (!transform.ready()) continue;
    impulses(transform);
    constant(transform);
    linearity(transform);
    shifts(transform);
    energy_and_round_trip(transform);
  }
}

class Properties : public testing::TestWithParam<std::int64_t> {};

TEST_P(Properties, HoldInF32) { all_properties<float>(GetParam()); }
TEST_P(Properties, HoldInF64) { all_properties<double>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Small, Properties, testing::Range(std::int64_t{1}, std::int64_t{33}), testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Some, Properties,
                         testing::Values(34, 37, 48, 49, 51, 64, 81, 97, 100, 101, 121, 125, 221, 263, 289, 1009, 2018, 4099, 128, 169, 225, 256, 343, 500, 512, 1000, 1001, 1024, 2187, 3125, 4096,
                                         5040, 10010, 16384, 65536),
                         testing::PrintToStringParamName());

// Along one axis of a plane, with the others riding along: a mix-up of axes cannot hide behind symmetry.
TEST(Properties, AnImpulseInSpaceTransformsToAPlaneWave) {
  const std::int64_t rows = 12;
  const std::int64_t columns = 40;
  for (const Target& target : targets()) {
    const PlanPtr plan = make_plan(target.context, "12x40 f64");
    if (plan == nullptr) continue;
    const std::int64_t r = 5;
    const std::int64_t c = 9;
    const auto in = impulse<double>(static_cast<std::size_t>(rows * columns), static_cast<std::size_t>(r * columns + c));
    Signal<double> out(in.size());
    ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << last_error_text();
    Signal<double> expected(in.size());
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        expected[static_cast<std::size_t>(i * columns + j)] = root<double>(r * i, rows) * root<double>(c * j, columns);
      }
    }
    EXPECT_LE(distance(out, expected), 2 * theorem_bound<double>(rows * columns)) << target << ' ' << recipe_of(plan.get());
  }
}

}  // namespace
}  // namespace ulpfft::test
