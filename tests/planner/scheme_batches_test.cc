// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every scheme and option of the registry at every length of primes up to 13: a huge, a tiny and a broken transform change no bit of their
// neighbours in a batch, on any target, for any number of threads.
//
// Cases are numbered. A default run takes one in kDaily, beginning at a day's number, so that kDaily days meet all of them;
// ULPFFT_TEST_SEED takes another beginning. ULPFFT_TEST_FULL=1 runs all, from case ULPFFT_TEST_FIRST on, ULPFFT_TEST_SECONDS of them at
// most.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "planner/scheme/scheme.h"
#include "planner/table/number_theory.h"
#include "tests/support/api.h"
#include "tests/support/scheme_batch.h"
#include "tests/support/signals.h"
#include "wisdom/storage_names.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kLongest = 200;
constexpr std::uint64_t kDaily = 509;  // a prime: shares no factor with the numbers of lengths and forms
constexpr std::size_t kCounts[] = {1, 2, 3, 17};

std::vector<std::int64_t> smooth_lengths() {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 1; n <= kLongest; ++n) {
    if (rough_part(n) == 1) lengths.push_back(n);
  }
  return lengths;
}

// As it comes, with a chain, and with choices at random.
enum class Form : std::uint8_t { kPlain, kChain, kDrawn };
constexpr std::size_t kForms = 3;

std::span<const std::int64_t> radices_of(const SchemeFamily& family) {
  return family.radices != nullptr ? family.radices() : std::span<const std::int64_t>();
}

// The node that the planner chooses for such a batch.
std::string planned_node(const std::string& name, const std::string& storage, std::int64_t n) {
  const PlanPtr plan = make_plan(default_target().context, std::to_string(n) + "*17 " + storage + " scheme=" + name);
  return plan != nullptr ? recipe_of(plan.get()).substr(canonical_scheme(name).size() + 1) : "";
}

SchemeBatch batch_of(Random& random, const std::string& name, std::int64_t n, Form form) {
  const Scheme scheme = scheme_named(name);
  const bool f64 = scheme.carrier == ComputeType::kF64;
  SchemeBatch batch;
  batch.scheme = name;
  batch.storage = f64 ? "f64" : "f32";
  batch.lengths = {n};
  batch.f64_factors = f64;
  batch.mixes = scheme.mixes_batches;
  batch.extreme = random.chance(0.5);
  const bool chain = form == Form::kChain || (form == Form::kDrawn && scheme.family->no_chains == nullptr && random.chance(0.3));
  batch.same_with_fma = scheme.family->emulated && !chain;
  const std::string drawn = drawn_node(random, radices_of(*scheme.family), n);
  batch.there = random.chance(0.5) ? planned_node(name, batch.storage, n) : drawn;
  if (form == Form::kDrawn) {
    batch.backward = random.chance(0.5);
    batch.side_by_side = random.chance(0.3);
    batch.in_place = random.chance(0.4);
    if (random.chance(0.4)) batch.storage = "bf16";
    if (random.chance(0.4)) {
      const bool first = random.chance(0.5);
      const std::int64_t other = random.chance(0.5) ? 4 : 12;
      const std::string node = drawn_node(random, radices_of(*scheme.family), other);
      batch.lengths.insert(first ? batch.lengths.begin() : batch.lengths.end(), other);
      batch.there = first ? "rank(" + node + "; " + batch.there + ")" : "rank(" + batch.there + "; " + node + ")";
    }
  }
  if (chain) batch.back = batch.there;
  return batch;
}

// One to three others among the usual ones, at any position.
std::vector<BatchRun> runs_of(Random& random) {
  constexpr Member kUsual[] = {Member::kFirst, Member::kSecond, Member::kThird};
  constexpr Member kOthers[] = {Member::kHuge, Member::kTiny, Member::kNaN};
  std::vector<BatchRun> runs;
  for (const std::size_t count : kCounts) {
    std::vector<Member> members(count);
    for (std::size_t t = 0; t < count; ++t) members[t] = kUsual[random.below(3)];
    const std::size_t others = count < 3 ? 1 : count < 17 ? 2 : 3, first = random.below(3);
    for (std::size_t i = 0; i < others; ++i) members[random.below(count)] = kOthers[(first + i) % 3];
    for (const int threads : {1, 2, 3}) runs.push_back({members, threads});
  }
  return runs;
}

struct Numbered {
  std::string scheme;
  std::int64_t n;
  Form form;
};

std::vector<Numbered> all_cases() {
  const std::vector<std::int64_t> lengths = smooth_lengths();
  std::vector<Numbered> cases;
  for (const std::string& name : every_spelling()) {
    const bool has_chains = scheme_named(name).family->no_chains == nullptr;
    for (const std::int64_t n : lengths) {
      for (std::size_t form = 0; form < kForms; ++form) {
        if (has_chains || static_cast<Form>(form) != Form::kChain) cases.push_back({name, n, static_cast<Form>(form)});
      }
    }
  }
  return cases;
}

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::uint64_t today() {
  const auto hours = std::chrono::duration_cast<std::chrono::hours>(std::chrono::system_clock::now().time_since_epoch());
  return static_cast<std::uint64_t>(hours.count()) / 24;
}

TEST(SchemeBatches, KeepTheBitsOfTheirTransformsBesideHugeTinyAndBrokenOnes) {
  const std::vector<Numbered> cases = all_cases();
  const std::uint64_t seed = number_of("ULPFFT_TEST_SEED", today());
  const auto limit = std::chrono::seconds(number_of("ULPFFT_TEST_SECONDS", 1'000'000));
  const auto begun = std::chrono::steady_clock::now();
  const std::uint64_t step = full_run() ? 1 : kDaily;
  std::size_t run = 0, skipped = 0, failed = 0, transforms = 0;
  for (std::uint64_t i = full_run() ? number_of("ULPFFT_TEST_FIRST", 0) : seed % kDaily; i < cases.size(); i += step) {
    if (std::chrono::steady_clock::now() - begun > limit) break;
    // In a full run neighbours are far apart in the list, so that one that is cut short has met all of it.
    const Numbered& one = cases[full_run() ? i * 7919 % cases.size() : i];
    Random random(seed * 1'000'003 + i);
    const BatchOutcome outcome = run_scheme_batch(batch_of(random, one.scheme, one.n, one.form), runs_of(random));
    ++run;
    transforms += outcome.transforms;
    skipped += outcome.transforms == 0 && outcome.trouble.empty() ? 1 : 0;
    if (outcome.trouble.empty()) continue;
    if (++failed <= 20) ADD_FAILURE() << "case " << i << " with ULPFFT_TEST_SEED=" << seed << ": " << outcome.trouble;
  }
  std::printf("ULPFFT_TEST_SEED=%llu: %zu of %zu cases, %zu of them refused, %zu transforms, %zu failures\n",
              static_cast<unsigned long long>(seed), run, cases.size(), skipped, transforms, failed);
  EXPECT_EQ(failed, 0U);
  EXPECT_LE(20 * skipped, run) << "most cases have recipes";
}

// Names that do not exist would leave the sweep unseen.
TEST(SchemeRegistry, SpellsSchemesThatExist) {
  for (const std::string& name : every_spelling()) EXPECT_NE(scheme_named(name).family, nullptr) << name;
  EXPECT_GE(every_spelling().size(), all_schemes().size());
}

}  // namespace
}  // namespace ulpfft::test
