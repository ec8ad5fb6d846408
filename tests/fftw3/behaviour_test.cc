// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What FFTW documents or programs rely on beside results: refusals, wisdom, the cache, placement decided at execution, sizes
// beyond int.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "fftw3_api.h"
#include "tests/fftw3/run_case.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {
namespace {

constexpr unsigned kEstimate = FFTW_ESTIMATE;

std::vector<double> numbers(std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = std::sin(static_cast<double>(i * i % 101));
  return out;
}

fftw_complex* complex(std::vector<double>& array) { return reinterpret_cast<fftw_complex*>(array.data()); }

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TEST(Fftw3Refusals, AreNullWithASentence) {
  std::vector<double> in(64), out(64);
  const auto refused = [](fftw_plan plan, const char* word) {
    EXPECT_EQ(plan, nullptr) << word;
    EXPECT_NE(std::string(ulpfft_last_error()).find(word), std::string::npos) << ulpfft_last_error();
  };
  const int n[] = {4, 0};
  refused(fftw_plan_dft(2, n, complex(in), complex(out), -1, kEstimate), "lengths[1] is 0");
  refused(fftw_plan_dft(-3, n, complex(in), complex(out), -1, kEstimate), "rank is -3");
  refused(fftw_plan_many_dft(1, n, -2, complex(in), nullptr, 1, 4, complex(out), nullptr, 1, 4, -1, kEstimate),
          "batch_lengths[0] is -2");
  refused(fftw_plan_r2r_1d(1, in.data(), out.data(), FFTW_REDFT00, kEstimate), "2 or more");
  refused(fftw_plan_r2r_1d(4, in.data(), out.data(), static_cast<fftw_r2r_kind>(11), kEstimate), "11");
  refused(fftw_plan_r2r(1, n, in.data(), out.data(), nullptr, kEstimate), "kind");
  refused(fftw_plan_dft(2, nullptr, complex(in), complex(out), -1, kEstimate), "lengths");
  fftw_forget_wisdom();
  refused(fftw_plan_dft_1d(12, complex(in), complex(out), -1, FFTW_WISDOM_ONLY), "Wisdom");
  ASSERT_EQ(setenv("ULPFFT_FFTW_VERBOSE", "1", 1), 0);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(fftw_plan_dft_1d(0, complex(in), complex(out), -1, kEstimate), nullptr);
  unsetenv("ULPFFT_FFTW_VERBOSE");
  const std::string printed = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(printed.find("lengths[0] is 0"), printed.rfind("lengths[0] is 0"));
  EXPECT_NE(printed.find("lengths[0] is 0"), std::string::npos);
}

TEST(Fftw3Wisdom, OfAnEffortServesThatEffortAndLess) {
  std::vector<double> in(128), out(128);
  const auto plan = [&](unsigned flags) {
    fftw_plan made = fftw_plan_dft_1d(60, complex(in), complex(out), -1, flags);
    fftw_destroy_plan(made);
    return made != nullptr;
  };
  fftw_forget_wisdom();
  EXPECT_FALSE(plan(FFTW_ESTIMATE | FFTW_WISDOM_ONLY));
  EXPECT_TRUE(plan(FFTW_ESTIMATE));
  EXPECT_TRUE(plan(FFTW_ESTIMATE | FFTW_WISDOM_ONLY));
  EXPECT_FALSE(plan(FFTW_WISDOM_ONLY));
  EXPECT_TRUE(plan(FFTW_PATIENT));
  EXPECT_TRUE(plan(FFTW_MEASURE | FFTW_WISDOM_ONLY));
  fftw_cleanup();
  EXPECT_FALSE(plan(FFTW_ESTIMATE | FFTW_WISDOM_ONLY));
}

TEST(Fftw3Cache, PlansTheSameAgainInMicroseconds) {
  std::vector<double> in(20000), out(20000);
  const auto plan = [&](int n, unsigned flags) { return fftw_plan_dft_1d(n, complex(in), complex(out), -1, flags); };
  fftw_plan first = plan(10000, FFTW_MEASURE);
  const double start = thread_seconds();
  for (int i = 0; i < 100; ++i) fftw_destroy_plan(plan(10000, FFTW_MEASURE));
  EXPECT_LT((thread_seconds() - start) / 100, 20e-6);
  fftw_destroy_plan(first);
}

// Each of these differs from the others in a part of the key alone, so none may take another's plan.
TEST(Fftw3Cache, KeepsApartWhatDiffers) {
  const int n[] = {4, 6};
  const std::vector<double> data = numbers(200);
  for (int round = 0; round < 2; ++round) {
    for (const int threads : {1, 3}) {
      fftw_plan_with_nthreads(threads);
      for (const int sign : {-1, 1}) {
        for (const int batch : {1, 2}) {
          for (const bool in_place : {false, true}) {
            for (const unsigned flags :
                 {FFTW_ESTIMATE, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT, FFTW_ESTIMATE | FFTW_DESTROY_INPUT}) {
              for (const int stride : {1, 2}) {
                Fftw3Case problem;
                problem.sign = sign;
                problem.dims = {{4, 12 * stride, 12 * stride}, {6, 2 * stride, 2 * stride}};
                problem.loops = {{batch, 96, 96}};
                Fftw3Array<double> in(problem, false, {}), apart(problem, true, {});
                for (std::size_t i = 0; i < in.memory().size(); ++i) in.memory()[i] = data[i];
                const auto want = transform(problem, in.read());
                Fftw3Array<double>& out = in_place ? in : apart;
                fftw_plan plan = fftw_plan_many_dft(2, n, batch, reinterpret_cast<fftw_complex*>(in.re()), nullptr, stride, 48,
                                                    reinterpret_cast<fftw_complex*>(out.re()), nullptr, stride, 48, sign, flags);
                fftw_execute(plan);
                fftw_destroy_plan(plan);
                EXPECT_LE(relative_l2(out.read(), want), 1e-14)
                    << describe(problem) << " " << threads << " " << in_place << " " << flags;
              }
            }
          }
        }
      }
    }
  }
  fftw_plan_with_nthreads(1);
}

TEST(Fftw3Cache, HoldsAThousandAndForgetsTheOldest) {
  std::vector<double> in(8800), out(8800);
  // Batches of two numbers, which cost little to plan.
  const auto plan = [&](int batch, unsigned flags) {
    const int n = 2;
    return fftw_plan_many_dft(1, &n, batch, complex(in), nullptr, 1, 4, complex(out), nullptr, 1, 4, FFTW_FORWARD,
                              FFTW_ESTIMATE | flags);
  };
  const auto is_known = [&](int batch) {
    fftw_plan known = plan(batch, FFTW_WISDOM_ONLY);
    fftw_destroy_plan(known);
    return known != nullptr;
  };
  fftw_cleanup();
  std::vector<fftw_plan> plans;
  for (int batch = 1; batch <= 1100; ++batch) plans.push_back(plan(batch, 0));
  EXPECT_FALSE(is_known(1));
  EXPECT_TRUE(is_known(1100));
  EXPECT_TRUE(is_known(100));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    in[8 * i] = 1;
    fftw_execute(plans[i]);
    EXPECT_EQ(out[8 * i + 2], 1);
    fftw_destroy_plan(plans[i]);
  }
  fftw_cleanup();
}

TEST(Fftw3Placement, IsThatOfTheExecution) {
  Fftw3Case problem;
  problem.dims = {{5, 12, 12}, {6, 2, 2}};
  const int n[] = {5, 6};
  const std::vector<double> data = numbers(60);
  std::vector<double> before = data, place(60), other(61);
  Fftw3Array<double> reference(problem, false, {});
  std::copy(data.begin(), data.end(), reference.memory().begin());
  const auto want = transform(problem, reference.read());
  const auto check = [&](const double* got, const char* how) {
    std::vector<std::complex<long double>> values;
    for (int i = 0; i < 30; ++i) values.emplace_back(got[2 * i], got[2 * i + 1]);
    EXPECT_LE(relative_l2(values, want), 1e-14) << how;
  };
  const std::pair<fftw_complex*, fftw_complex*> plannings[] = {
      {nullptr, nullptr}, {complex(place), complex(place)}, {complex(before), complex(place)}};
  for (const auto& [in, out] : plannings) {
    fftw_plan plan = fftw_plan_dft(2, n, in, out, -1, kEstimate);
    fftw_execute_dft(plan, complex(before), complex(place));
    check(place.data(), "out of place");
    EXPECT_EQ(before, data);
    place = data;
    fftw_execute_dft(plan, complex(place), complex(place));
    check(place.data(), "in place");
    // An odd real, and then not even aligned to one.
    auto* const odd = reinterpret_cast<fftw_complex*>(other.data() + 1);
    fftw_execute_dft(plan, complex(before), odd);
    check(other.data() + 1, "another alignment");
    std::vector<char> bytes(60 * sizeof(double) + 1);
    std::memcpy(bytes.data() + 1, data.data(), 60 * sizeof(double));
    fftw_execute_dft(plan, reinterpret_cast<fftw_complex*>(bytes.data() + 1), complex(place));
    check(place.data(), "no alignment");
    fftw_destroy_plan(plan);
  }
}

// Loops and dimensions that the planner of ulpfft does not take at once.
TEST(Fftw3Sizes, RanksHaveNoLimit) {
  for (const Fftw3Kind kind : {Fftw3Kind::kC2C, Fftw3Kind::kR2C, Fftw3Kind::kC2R, Fftw3Kind::kR2R}) {
    for (const int rank : {1, 9, 11}) {
      Fftw3Case problem;
      problem.kind = kind;
      std::vector<fftw_iodim> dims, loops;
      const int loop_rank = rank == 1 ? 9 : 2;
      std::int64_t is = problem.complex_in() ? 2 : 1, os = problem.complex_out() ? 2 : 1;
      problem.dims.assign(static_cast<std::size_t>(rank), {2, 0, 0});
      for (int d = rank; d-- > 0;) {
        const auto at = static_cast<std::size_t>(d);
        problem.dims[at].is = is;
        problem.dims[at].os = os;
        is *= problem.length(at, false) + 1;  // gaps, so that nothing merges
        os *= problem.length(at, true);
      }
      for (int l = 0; l < loop_rank; ++l, is *= 3, os *= 2) problem.loops.push_back({2, is, os});
      if (kind == Fftw3Kind::kR2R) problem.kinds.assign(static_cast<std::size_t>(rank), FFTW_REDFT10);
      for (auto [from, to] : {std::pair{&problem.dims, &dims}, std::pair{&problem.loops, &loops}}) {
        for (const Fftw3Dim& dim : *from) {
          to->push_back({static_cast<int>(dim.n), static_cast<int>(dim.is / (problem.complex_in() ? 2 : 1)),
                         static_cast<int>(dim.os / (problem.complex_out() ? 2 : 1))});
        }
      }
      Fftw3Array<double> in(problem, false, {}), out(problem, true, {});
      std::mt19937_64 random(3);
      in.fill(random);
      const auto want = transform(problem, in.read());
      const std::vector<fftw_r2r_kind> kinds(static_cast<std::size_t>(rank), FFTW_REDFT10);
      auto* const ci = reinterpret_cast<fftw_complex*>(in.re());
      auto* const co = reinterpret_cast<fftw_complex*>(out.re());
      fftw_plan plan =
          kind == Fftw3Kind::kC2C   ? fftw_plan_guru_dft(rank, dims.data(), loop_rank, loops.data(), ci, co, -1, kEstimate)
          : kind == Fftw3Kind::kR2C ? fftw_plan_guru_dft_r2c(rank, dims.data(), loop_rank, loops.data(), in.re(), co, kEstimate)
          : kind == Fftw3Kind::kC2R
              ? fftw_plan_guru_dft_c2r(rank, dims.data(), loop_rank, loops.data(), ci, out.re(), kEstimate)
              : fftw_plan_guru_r2r(rank, dims.data(), loop_rank, loops.data(), in.re(), out.re(), kinds.data(), kEstimate);
      ASSERT_NE(plan, nullptr) << describe(problem) << ": " << ulpfft_last_error();
      fftw_execute(plan);
      fftw_destroy_plan(plan);
      EXPECT_LE(relative_l2(out.read(), want), 1e-14) << describe(problem);
    }
  }
}

// Two numbers more than 2^31 apart, in memory of which two pages are used.
TEST(Fftw3Sizes, StridesAreSixtyFourBitsWide) {
  const std::ptrdiff_t stride = (std::ptrdiff_t{1} << 31) + 5;
  const std::size_t bytes = static_cast<std::size_t>(stride + 1) * sizeof(float);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no address space for 8 GiB";
  auto* const in = static_cast<float*>(memory);
  in[0] = 3;
  in[stride] = 5;
  float out[2] = {};
  const fftwf_iodim64 dim{2, stride, 1};
  const fftwf_r2r_kind kind = FFTW_DHT;
  fftwf_plan plan = fftwf_plan_guru64_r2r(1, &dim, 0, nullptr, in, out, &kind, FFTW_ESTIMATE);
  if (plan != nullptr) {
    fftwf_execute(plan);
    EXPECT_EQ(out[0], 8);
    EXPECT_EQ(out[1], -2);
    fftwf_destroy_plan(plan);
  } else {
    // A machine with less memory than the array has no use for it.
    EXPECT_NE(std::string(ulpfft_last_error()).find("memory"), std::string::npos) << ulpfft_last_error();
  }
  munmap(memory, bytes);
}

// What FFTW's check program does at lengths that sums are too slow for: linearity, an impulse, and shifts of time and frequency.
template <typename Real>
void check_properties(const std::vector<int>& n) {
  using F = Fftw<Real>;
  using Value = std::complex<Real>;
  const double bound = kBound<Real>;
  std::size_t points = 1;
  for (const int length : n) points *= static_cast<std::size_t>(length);
  std::mt19937_64 random(points);
  std::uniform_real_distribution<Real> uniform(-1, 1);
  const auto noise = [&] {
    std::vector<Value> out(points);
    for (Value& value : out) value = {uniform(random), uniform(random)};
    return out;
  };
  for (const int sign : {-1, 1}) {
    std::vector<Value> from(points), to(points);
    auto plan = F::plan_dft(static_cast<int>(n.size()), n.data(), reinterpret_cast<typename F::Complex*>(from.data()),
                            reinterpret_cast<typename F::Complex*>(to.data()), sign, FFTW_ESTIMATE);
    ASSERT_NE(plan, nullptr);
    const auto spectrum = [&](const std::vector<Value>& in) {
      from = in;
      F::execute(plan);
      return to;
    };
    const auto close = [&](const std::vector<Value>& got, const std::vector<Value>& want, const char* what) {
      double difference = 0, size = 0;
      for (std::size_t i = 0; i < points; ++i) {
        difference += std::norm(std::complex<double>(got[i]) - std::complex<double>(want[i]));
        size += std::norm(std::complex<double>(want[i]));
      }
      EXPECT_LE(std::sqrt(difference / size), bound) << what << ", " << points << " points, sign " << sign;
    };
    const std::vector<Value> x = noise(), y = noise(), fx = spectrum(x), fy = spectrum(y);
    const Value a{uniform(random), uniform(random)}, b{uniform(random), uniform(random)};
    std::vector<Value> mixed(points), want(points);
    for (std::size_t i = 0; i < points; ++i) {
      mixed[i] = a * x[i] + b * y[i];
      want[i] = a * fx[i] + b * fy[i];
    }
    close(spectrum(mixed), want, "linearity");
    std::vector<Value> impulse(points);
    impulse[0] = a;
    close(spectrum(impulse), std::vector<Value>(points, a), "impulse");
    // Along the last length: one later in time is a rotation of the spectrum, and a rotation is one further in frequency.
    const auto last = static_cast<std::size_t>(n.back());
    const auto rotated = [&](const std::vector<Value>& in, int by) {
      std::vector<Value> out(points);
      for (std::size_t i = 0; i < points; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i % last) / static_cast<double>(last);
        out[i] = Value(std::complex<double>(in[i]) * std::polar(1.0, by * angle));
      }
      return out;
    };
    const auto shifted = [&](const std::vector<Value>& in) {
      std::vector<Value> out(points);
      for (std::size_t i = 0; i < points; ++i) out[i - i % last + (i % last + 1) % last] = in[i];
      return out;
    };
    close(spectrum(shifted(x)), rotated(fx, sign), "shift of time");
    close(spectrum(rotated(x, -sign)), shifted(fx), "shift of frequency");
    F::destroy_plan(plan);
  }
}

TEST(Fftw3Properties, HoldAtLargerLengths) {
  for (const std::vector<int>& n :
       std::vector<std::vector<int>>{{1024}, {4099}, {5040}, {16384}, {128, 90}, {24, 36, 35}, {8, 9, 10, 11}}) {
    check_properties<double>(n);
    check_properties<float>(n);
  }
}

}  // namespace
}  // namespace ulpfft::test
