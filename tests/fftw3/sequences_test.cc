// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Random sequences of calls, on one thread and on 16 at once, in both precisions, with children of fork() in between. Every
// result is looked at. 300 sequences by a seed that is printed; ULPFFT_TEST_FULL=1: 10,000.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "fftw3_api.h"
#include "tests/fftw3/run_case.h"
#include "tests/support/api.h"
#include "tests/support/sample.h"

namespace ulpfft::test {
namespace {

// A plan of 2 x n numbers in a known way, executed by any of the functions for it.
template <typename Real>
class Sequence {
 public:
  using F = Fftw<Real>;
  using Complex = typename F::Complex;

  explicit Sequence(std::uint64_t seed) : random_(seed) {}
  ~Sequence() {
    for (const Known& known : plans_) F::destroy_plan(known.plan);
  }

  // "" or what went wrong.
  std::string run(int calls) {
    for (int i = 0; i < calls; ++i) {
      if (std::string wrong = call(below(14)); !wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  struct Known {
    typename F::Plan plan;
    int n, sign;
    bool in_place;
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  std::string call(int what) {
    static constexpr int kLengths[] = {1, 2, 5, 8, 12, 30, 64, 97, 100};
    static constexpr unsigned kFlags[] = {
        FFTW_ESTIMATE,    FFTW_ESTIMATE | FFTW_UNALIGNED,  FFTW_ESTIMATE | FFTW_PRESERVE_INPUT, FFTW_MEASURE,
        FFTW_WISDOM_ONLY, FFTW_ESTIMATE | FFTW_WISDOM_ONLY};
    switch (what) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const int n = kLengths[below(9)];
        const bool in_place = below(2) == 0, on_null = below(4) == 0;
        const int sign = below(2) == 0 ? -1 : 1;
        const unsigned flags = kFlags[below(6)];
        if (flags == FFTW_MEASURE) F::set_timelimit(0.002);
        Complex* const in = on_null ? nullptr : reinterpret_cast<Complex*>(in_);
        Complex* const out = on_null ? nullptr : in_place ? in : reinterpret_cast<Complex*>(out_);
        auto plan = F::plan_many_dft(1, &n, 2, in, nullptr, 1, n, out, nullptr, 1, n, sign, flags);
        if (plan == nullptr && (flags & FFTW_WISDOM_ONLY) == 0) return std::string("no plan: ") + ulpfft_last_error();
        if (plan != nullptr) plans_.push_back({plan, n, sign, in_place || on_null});
        return "";
      }
      case 4:
      case 5:
      case 6: return plans_.empty() ? "" : execute(plans_[static_cast<std::size_t>(below(static_cast<int>(plans_.size())))]);
      case 7:
        if (plans_.empty()) return "";
        F::destroy_plan(plans_.back().plan);
        plans_.pop_back();
        return "";
      case 8:
        if (!plans_.empty())
          plans_.push_back({F::copy_plan(plans_.front().plan), plans_.front().n, plans_.front().sign, plans_.front().in_place});
        return "";
      case 9: below(4) == 0 ? F::cleanup() : F::forget_wisdom(); return "";
      case 10: F::plan_with_nthreads(1 + below(4)); return "";
      case 11: return wisdom();
      case 12: return refuse();
      default: return describe_plan();
    }
  }

  std::string execute(const Known& known) {
    const auto n = static_cast<std::size_t>(known.n);
    const bool in_place = below(2) == 0;
    for (Real& number : in_) number = 0;
    // A wave in the first transform, an impulse in the second.
    const int frequency = below(known.n);
    for (std::size_t j = 0; j < n; ++j) {
      const double angle = -known.sign * 2 * std::numbers::pi * frequency * static_cast<double>(j) / known.n;
      in_[2 * j] = static_cast<Real>(std::cos(angle));
      in_[2 * j + 1] = static_cast<Real>(std::sin(angle));
    }
    in_[2 * n] = 3;
    auto* const in = reinterpret_cast<Complex*>(in_);
    auto* const out = in_place ? in : reinterpret_cast<Complex*>(out_);
    if (below(3) == 0) {
      F::execute_split_dft(known.plan, known.sign > 0 ? in_ + 1 : in_, known.sign > 0 ? in_ : in_ + 1,
                           reinterpret_cast<Real*>(out) + (known.sign > 0 ? 1 : 0),
                           reinterpret_cast<Real*>(out) + (known.sign > 0 ? 0 : 1));
    } else {
      F::execute_dft(known.plan, in, out);
    }
    const Real* const got = in_place ? in_ : out_;
    const double bound = known.n * 10 * kBound<Real>;
    for (std::size_t k = 0; k < 2 * n; ++k) {
      const double want = k < n ? (k == static_cast<std::size_t>(frequency) ? known.n : 0) : 3;
      if (!(std::abs(got[2 * k] - want) <= bound && std::abs(got[2 * k + 1]) <= bound)) {
        return "n " + std::to_string(known.n) + ", sign " + std::to_string(known.sign) + ": number " + std::to_string(k) +
               " is " + std::to_string(got[2 * k]);
      }
    }
    return "";
  }

  std::string wisdom() {
    char* const text = F::export_wisdom_to_string();
    if (text == nullptr) return "no wisdom text";
    std::string broken = text;
    // A text that was broken before may have left entries of another machine, which alone are of no use: 0. Any other answer
    // is 1.
    const int taken = F::import_wisdom_from_string(text);
    std::free(text);
    if (taken != 0 && taken != 1) return "importing wisdom answers " + std::to_string(taken);
    broken[random_() % broken.size()] = static_cast<char>(random_() % 127 + 1);
    F::import_wisdom_from_string(broken.c_str());
    return "";
  }

  std::string refuse() {
    const int n = -below(3);
    return F::plan_dft(1, &n, nullptr, nullptr, -1, FFTW_ESTIMATE) == nullptr ? "" : "a plan of no numbers";
  }

  std::string describe_plan() {
    if (plans_.empty()) return "";
    double add = 0, mul = 0, fma = 0;
    F::flops(plans_.back().plan, &add, &mul, &fma);
    char* const text = F::sprint_plan(plans_.back().plan);
    const bool good = text != nullptr && text[0] == '(' && add + mul + fma >= 0 && F::cost(plans_.back().plan) >= 0;
    std::free(text);
    return good ? "" : "a plan does not tell of itself";
  }

  std::mt19937_64 random_;
  std::vector<Known> plans_;
  Real in_[512] = {}, out_[512] = {};
};

constexpr int kThreads = 16;
constexpr int kCalls = 30;

std::string run_one(std::uint64_t number) {
  const std::uint64_t seed = sample_seed() * 100003 + number;
  const std::string wrong = number % 2 == 0 ? Sequence<double>(seed).run(kCalls) : Sequence<float>(seed).run(kCalls);
  return wrong.empty()
             ? ""
             : "ULPFFT_TEST_SEED=" + std::to_string(sample_seed()) + ", sequence " + std::to_string(number) + ": " + wrong;
}

// A child plans and executes whatever the threads of its parent were doing.
std::string run_child(std::uint64_t number) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // a lock that nobody gives back
    _exit(run_one(number).empty() ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? "" : "a child ended with " + std::to_string(status);
}

TEST(Fftw3Sequences, OfCallsEndWell) {
  const std::uint64_t count = full_run() ? 10000 : 150;
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(run_one(i), "");
}

// Sequences on 16 threads, and meanwhile what the calling thread does while `running`.
void run_threads(std::uint64_t each, const std::function<std::string(const std::atomic<int>& running)>& meanwhile) {
  std::mutex mutex;
  std::vector<std::string> wrong;
  const auto note = [&](const std::string& sentence) {
    if (sentence.empty()) return;
    const std::lock_guard lock(mutex);
    wrong.push_back(sentence);
  };
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t i = 0; i < each; ++i) note(run_one(100000 + static_cast<std::uint64_t>(t) * each + i));
      --running;
    });
  }
  note(meanwhile(running));
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(wrong.empty()) << wrong.front();
}

TEST(Fftw3Sequences, OfSixteenThreadsEndWell) {
  run_threads(full_run() ? 600 : 6, [](const std::atomic<int>&) { return std::string(); });
}

TEST(Fftw3Sequences, OfChildrenOfForkEndWell) {
  run_threads(6, [](const std::atomic<int>& running) {
    std::string wrong;
    for (std::uint64_t i = 0; i < 10 && wrong.empty() && (i == 0 || running > 0); ++i) wrong = run_child(900000 + i);
    return wrong;
  });
}

}  // namespace
}  // namespace ulpfft::test
