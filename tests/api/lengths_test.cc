// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every smooth length on every target: both types, directions and placements, within the release gate; every length up to 4096
// and random ones beyond, within twice that where their recipe is a convolution. A default run takes a third of all, a ninth of
// those from 1025 on. Lengths of real kinds: r2c and c2r within the same gate, r2r within one and a half of it, those of type 1
// within two.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/compare.h"
#include "tests/support/gates.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/problems.h"
#include "tests/support/r2r_case.h"
#include "tests/support/run_case.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// Random data of one length and their exact forward transforms, `count` of them, one after another.
template <typename T>
struct Sample {
  std::int64_t n;
  std::int64_t count;
  std::vector<std::complex<T>> data;
  std::vector<ComplexDD> forward;

  explicit Sample(std::int64_t length) : n(length), count((kGateOutputs + length - 1) / length) {
    data = random_signal<T>(static_cast<std::size_t>(n * count), seed_of("length " + std::to_string(n)));
    const auto wide = widen(data);
    forward.resize(wide.size());
    const auto oracle = oracle_for(n);
    for (std::int64_t t = 0; t < count; ++t) oracle->forward(wide.data() + t * n, 1, forward.data() + t * n);
  }

  // Centred: index 0 at n / 2 on both sides.
  void place(std::complex<T>* in, bool centered) const {
    const std::int64_t centre = centered ? n / 2 : 0;
    for (std::int64_t t = 0; t < count; ++t) {
      for (std::int64_t j = 0; j < n; ++j) in[t * n + (j + centre) % n] = data[static_cast<std::size_t>(t * n + j)];
    }
  }

  double error_of(const std::complex<T>* got, bool backward, bool centered) const {
    const std::int64_t centre = centered ? n / 2 : 0;
    ErrorSum sum;
    for (std::int64_t t = 0; t < count; ++t) {
      for (std::int64_t k = 0; k < n; ++k) {
        const std::int64_t exact = backward ? (n - k) % n : k;
        sum.add(got[t * n + (k + centre) % n], forward[static_cast<std::size_t>(t * n + exact)]);
      }
    }
    return sum.relative_l2();
  }
};

struct Variant {
  bool backward;
  bool in_place;
  bool centered;
  bool aligned;  // to a page, which lets a plan use the output as its scratch; else against the end of a page
};

// Both directions and placements, aligned and not, and centring where it is hardest: odd shifts within one array.
constexpr Variant kVariants[] = {
    {false, false, false, true}, {true, false, false, false}, {false, true, false, false}, {true, true, false, true}, {true, false, true, true}, {false, true, true, true},
};

template <typename T>
void check(const Target& target, const Sample<T>& sample, const Variant& variant, int effort) {
  std::string problem = std::to_string(sample.n);
  if (sample.count > 1) problem += '*' + std::to_string(sample.count);
  problem += std::string(" ") + Storage<T>::kName + (variant.backward ? " inverse" : "") + (variant.centered ? " centered" : "") +
             (variant.in_place ? " inplace" : "");
  const PlanPtr plan = make_plan(target.context, problem, effort);
  if (plan == nullptr) return;
  const std::size_t bytes = sample.data.size() * sizeof(sample.data[0]);
  const Flush flush = variant.aligned ? Flush::kStart : Flush::kEnd;
  GuardedBuffer in(bytes, flush);
  GuardedBuffer other(bytes, flush);
  GuardedBuffer& out = variant.in_place ? in : other;
  sample.place(in.as<std::complex<T>>(), variant.centered);
  ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << last_error_text();
  const std::string recipe = recipe_of(plan.get());
  EXPECT_LE(sample.error_of(out.as<std::complex<T>>(), variant.backward, variant.centered), gate_of<T>(recipe, sample.n))
      << "target " << target << ", problem \"" << problem << "\", recipe \"" << recipe << "\", "
      << (variant.aligned ? "aligned" : "unaligned");
}

template <typename T>
void check_everywhere(std::int64_t n) {
  const Sample<T> sample(n);
  // Timing candidates changes the recipe, not the promise: the full run repeats everything as a user would plan it.
  std::vector<int> efforts{ULPFFT_ESTIMATE};
  if (full_run()) efforts.push_back(ULPFFT_MEASURE);
  for (const int effort : efforts) {
    for (const Target& target : targets()) {
      // Timing large lengths on ref takes minutes and chooses among the same recipes.
      if (effort == ULPFFT_MEASURE && target.backend == "ref" && n > 1024) continue;
      // ref runs scalar loops: beyond small lengths the hardest variants of it are enough, the hash test ties it to the others.
      const bool all = target.backend != "ref" || n <= 1024;
      for (const Variant& variant : kVariants) {
        if (all || variant.centered) check(target, sample, variant, effort);
      }
    }
  }
}

class SmoothLength : public testing::TestWithParam<std::int64_t> {};

TEST_P(SmoothLength, StaysWithinTheGateInF32) { check_everywhere<float>(GetParam()); }
TEST_P(SmoothLength, StaysWithinTheGateInF64) { check_everywhere<double>(GetParam()); }

std::vector<std::int64_t> large_lengths() {
  auto lengths = random_smooth_lengths(full_run() ? 100 : 30, 1025, 1 << 20, 2024);
  // Powers of two are the structure's own ground, and the ends of the range belong in every run.
  for (std::int64_t n = 2048; n <= 1 << 20; n *= full_run() ? 2 : 8) lengths.push_back(n);
  lengths.push_back(1 << 20);
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

// One type and variant a length, each in turn; in full both types on every target up to 4096.
template <typename T>
void check_one(std::int64_t n) {
  const Sample<T> sample(n);
  for (const Target& target : targets()) {
    check(target, sample, kVariants[static_cast<std::size_t>(n / 2) % std::size(kVariants)], ULPFFT_ESTIMATE);
    if (!full_run() || n > 4096) break;
  }
}

void check_length(std::int64_t n) {
  const bool both = full_run() && n <= 4096;
  if (both || n % 2 == 0) check_one<float>(n);
  if (both || n % 2 != 0) check_one<double>(n);
}

constexpr std::int64_t kBlock = 128;
class AnyLength : public testing::TestWithParam<std::int64_t> {};

TEST_P(AnyLength, StaysWithinTheGate) {
  for (std::int64_t n = GetParam(); n < GetParam() + kBlock; ++n) {
    if (is_sampled(static_cast<std::uint64_t>(n), n <= 1024 ? 3 : 9)) check_length(n);
  }
}

std::string block_name(const testing::TestParamInfo<std::int64_t>& info) {
  return "From" + std::to_string(info.param) + "To" + std::to_string(info.param + kBlock - 1);
}
INSTANTIATE_TEST_SUITE_P(To4096, AnyLength, testing::Range(std::int64_t{1}, std::int64_t{4096}, kBlock), block_name);

class RandomLength : public testing::TestWithParam<int> {};

// Uniform on a logarithmic scale, as sizes are; the default run stays where the reference takes less than a second.
TEST_P(RandomLength, StaysWithinTheGate) {
  for (int i = 0; i < (full_run() ? 10 : 1); ++i) {
    Random random(static_cast<std::uint64_t>(GetParam()) * 1299709U + static_cast<std::uint64_t>(i));
    const double last = full_run() ? 0x1p22 : 0x1p16;
    check_length(static_cast<std::int64_t>(4097.0 * std::pow(last / 4097.0, random.uniform())));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, RandomLength, testing::Range(0, 20), testing::PrintToStringParamName());

// ---- transforms of reals

double gate_factor(const Case& problem) {
  if (problem.kind != ULPFFT_R2R) return problem.dims[0].length == 1 ? 0 : 1;
  return problem.kinds[0] <= ULPFFT_DHT ? 1.0 : is_type_1(problem.kinds[0]) ? 2.0 : 1.5;
}

template <typename T>
void check_case(const Case& problem) {
  const std::string text = text_of(problem);
  const auto in = input_of<T>(problem);
  const std::vector<ComplexDD> exact = exact_result(problem, widen(in));
  for (const Target& target : targets()) {
    if (target.backend == "ref" && targets().size() > 1) continue;  // it is slow, and the hash test ties it to the others
    const PlanPtr plan = make_plan(target.context, text);
    ASSERT_NE(plan, nullptr) << target.name << " " << text;
    const RunResult<T> run = run_case<T>(plan.get(), problem, in, run_options(Flush::kStart, false));
    ASSERT_EQ(run.trouble, "") << target.name << " " << text;
    const double most =
        gate_factor(problem) * gate_of<T>(recipe_of(plan.get()), std::max<std::int64_t>(2, problem.dims[0].length));
    EXPECT_LE(relative_l2<T>(run.out, exact), most) << target.name << " " << text << " " << recipe_of(plan.get());
  }
}

// Outputs enough for a mean; where a hundredth more or less does not matter, fewer.
Case case_of(int kind, int r2r_kind, std::int64_t n) {
  const bool r2r = kind == ULPFFT_R2R;
  const std::int64_t outputs = r2r ? kGateOutputs / 4 : kGateOutputs, row = r2r ? n : n / 2 + 1;
  Case problem = dense_case(kind, {n}, (outputs + row - 1) / row);
  if (r2r) problem.kinds = {r2r_kind};
  problem.backward = !r2r && n % 3 == 1;
  problem.in_place = n % 5 == 2;
  set_dense(problem);
  return problem;
}

void check_reals(std::int64_t n, const std::vector<int>& kinds, Sampler& cases) {
  for (const bool f64 : {false, true}) {
    for (const int kind : kinds) {
      for (int r2r_kind = 0; r2r_kind < (kind == ULPFFT_R2R ? kR2rKinds : 1); ++r2r_kind) {
        if ((kind == ULPFFT_R2R && r2r_kind == ULPFFT_REDFT00 && n == 1) || !cases.next()) continue;
        Case problem = case_of(kind, r2r_kind, n);
        problem.f64 = f64;
        with_real(f64, [&](auto real) { check_case<decltype(real)>(problem); });
      }
    }
  }
}

struct RealKinds {
  std::vector<int> kinds;
  std::uint64_t share, share_of_large;
  std::int64_t last_listed, last_random, last_of_most;  // of eight random lengths one is up to last_random
};
class RealsLength : public testing::TestWithParam<RealKinds> {};

TEST_P(RealsLength, StaysWithinTheGate) {
  Sampler cases(GetParam().share);
  for (std::int64_t n = 1; n <= (full_run() ? 1024 : 200); ++n) check_reals(n, GetParam().kinds, cases);
}

TEST_P(RealsLength, StaysWithinTheGateWhereItIsLarge) {
  const auto& [kinds, share, share_of_large, last_listed, last_random, last_of_most] = GetParam();
  Random random(20261123);
  Sampler cases(share_of_large);
  for (const std::int64_t n : {256, 512, 1000, 1024, 2047, 2048, 2049, 2187, 4096, 6000, 8192, 10007, 16384, 65536, 100000}) {
    if (n <= last_listed) check_reals(n, kinds, cases);
  }
  for (int i = 0; i < 47; ++i) check_reals(random.between(201, i % 8 == 0 ? last_random : last_of_most), kinds, cases);
}

INSTANTIATE_TEST_SUITE_P(Reals, RealsLength,
                         testing::Values(RealKinds{{ULPFFT_R2C, ULPFFT_C2R}, 3, 3, 100000, 60000, 4096},
                                         RealKinds{{ULPFFT_R2R}, 5, 7, 16384, 20000, 2048}),
                         [](const auto& kinds) { return kinds.param.kinds.size() == 1 ? "R2r" : "R2cAndC2r"; });

INSTANTIATE_TEST_SUITE_P(To1024, SmoothLength, testing::ValuesIn(sampled(smooth_lengths(1024), 3)), testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Large, SmoothLength, testing::ValuesIn(sampled(large_lengths(), 3)), testing::PrintToStringParamName());

}  // namespace
}  // namespace ulpfft::test
