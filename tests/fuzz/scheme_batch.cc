// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a scheme with its options, a recipe and a batch: each transform has the bits that it has alone, on every target, by any threads.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "planner/scheme/scheme.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"
#include "tests/support/scheme_batch.h"
#include "wisdom/error.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr std::int64_t kMostPoints = 320;
constexpr unsigned kMostTransforms = 40;

// A name of the registry, or a split scheme put together from an element, parts and a tile of any size.
std::string random_scheme(Bytes& bytes) {
  static const std::vector<std::string> kNames = every_spelling();
  const std::size_t high = bytes.byte();
  const std::string name = kNames[(high << 8 | bytes.byte()) % kNames.size()];
  if (bytes.below(3) != 0 || !name.starts_with("split:")) return name;
  const std::string element = name.substr(0, name.find_first_of(":", 6));
  return element + ":tile" + std::to_string(1 + bytes.byte()) + (bytes.below(4) == 0 ? ":arbitrary" : "");
}

// A product of primes up to 13.
std::int64_t random_length(Bytes& bytes, std::int64_t most) {
  constexpr std::int64_t kPrimes[] = {2, 2, 2, 3, 3, 5, 7, 11, 13};
  std::int64_t n = 1;
  for (unsigned factors = 1 + bytes.below(7); factors > 0; --factors) {
    if (const std::int64_t prime = kPrimes[bytes.below(9)]; n * prime <= most) n *= prime;
  }
  return n;
}

SchemeBatch random_batch(Bytes& bytes, const std::string& name, const Scheme& scheme) {
  const bool f64 = scheme.carrier == ComputeType::kF64, chain = scheme.family->no_chains == nullptr && bytes.below(3) == 0;
  std::span<const std::int64_t> radices;
  if (scheme.family->radices != nullptr) radices = scheme.family->radices();
  SchemeBatch batch;
  batch.scheme = name;
  batch.storage = bytes.below(3) == 0 ? "bf16" : f64 ? "f64" : "f32";
  batch.f64_factors = f64;
  batch.mixes = scheme.mixes_batches;
  batch.same_with_fma = scheme.family->emulated && !chain;
  batch.backward = bytes.flag();
  batch.in_place = bytes.below(3) == 0;
  batch.side_by_side = bytes.below(3) == 0;
  batch.extreme = bytes.flag();
  batch.lengths = {random_length(bytes, kMostPoints)};
  const auto node = [&] {
    const std::string last = drawn_node(bytes, radices, batch.lengths.back());
    return batch.lengths.size() == 1 ? last : "rank(" + drawn_node(bytes, radices, batch.lengths.front()) + "; " + last + ")";
  };
  if (bytes.below(3) == 0) batch.lengths.push_back(random_length(bytes, kMostPoints / batch.lengths.front()));
  batch.there = node();
  if (chain) batch.back = bytes.flag() ? node() : batch.there;
  return batch;
}

void run(Bytes& bytes) {
  const std::string name = random_scheme(bytes);
  Scheme scheme;
  try {
    scheme = scheme_named(name);
  } catch (const PlanError& error) {
    return require(is_one_line(error.what()), name + ": no sentence");
  }
  const SchemeBatch batch = random_batch(bytes, name, scheme);
  std::vector<Member> members(1 + bytes.below(kMostTransforms));
  for (std::size_t t = 0; t < members.size(); ++t) members[t] = static_cast<Member>(bytes.below(3));
  for (unsigned others = 1 + bytes.below(3); others > 0; --others) {
    members[bytes.byte() % members.size()] = static_cast<Member>(3 + bytes.below(3));
  }
  const int threads = 2 + static_cast<int>(bytes.below(2));
  const BatchOutcome outcome = run_scheme_batch(batch, {{members, 1}, {members, threads}});
  require(outcome.trouble.empty(), outcome.trouble);
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}
