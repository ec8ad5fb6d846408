// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Transforms of a batch, some of them huge, tiny or not numbers: each has the bits that it has alone, whatever its neighbours hold, on
// every target and for any number of threads.
#ifndef ULPFFT_TESTS_SUPPORT_SCHEME_BATCH_H_
#define ULPFFT_TESTS_SUPPORT_SCHEME_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/support/targets.h"

namespace ulpfft::test {

struct SchemeBatch {
  std::string scheme;           // as a problem spells it
  std::string storage = "f32";  // of both arrays: f32, f64 or bf16
  std::vector<std::int64_t> lengths;
  std::string there;            // the node of a recipe
  std::string back;             // of a chain with mul; "": no chain
  bool f64_factors = false;     // of a chain: the arithmetic is f64
  bool backward = false;
  bool in_place = false;
  bool side_by_side = false;    // neighbouring numbers are of different transforms
  bool extreme = false;         // huge and tiny numbers reach the ends of their range, and an infinity stands for a NaN
  bool mixes = false;           // the scheme gives a batch one norm: transforms are not compared with those made alone
  bool same_with_fma = true;    // bits are equal on targets with and without fused multiply-adds
};

// What a transform of a batch holds: numbers around 1, of which there are three sets, or one of the others.
enum class Member : std::uint8_t { kFirst, kSecond, kThird, kHuge, kTiny, kNaN };
inline constexpr std::size_t kMembers = 6;

struct BatchRun {
  std::vector<Member> members;
  int threads = 1;
};

struct BatchOutcome {
  std::size_t transforms = 0;  // that were compared with others
  std::string trouble;         // empty, or the first difference, with the problem and the recipe
};

// Targets that refuse the recipe are left out.
BatchOutcome run_scheme_batch(const SchemeBatch& batch, const std::vector<BatchRun>& runs);

// The radices of schemes that list none.
inline constexpr std::int64_t kUsualRadices[] = {16, 13, 11, 9, 8, 7, 5, 4, 3, 2};
// A node of passes of these radices in an order that `source` draws; n has primes up to 13 alone.
template <typename Source>
std::string drawn_node(Source& source, std::span<const std::int64_t> radices, std::int64_t n) {
  if (radices.empty()) radices = kUsualRadices;
  std::string passes;
  std::size_t count = 0;
  for (std::int64_t rest = n; rest > 1; ++count) {
    std::vector<std::int64_t> possible;
    for (const std::int64_t radix : radices) {
      if (rest % radix == 0) possible.push_back(radix);
    }
    const std::int64_t radix = possible[source.below(static_cast<unsigned>(possible.size()))];
    passes += (passes.empty() ? "" : " ") + std::to_string(radix);
    rest /= radix;
  }
  return count > 1 ? "dit(" + passes + ")" : "n" + std::to_string(n);
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_SCHEME_BATCH_H_
