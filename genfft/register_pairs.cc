// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/register_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

constexpr int kMostPoints = 1024;     // of a pair: kMostPackedPoints
constexpr int kMostOfPrimes = 200;    // of one that begins with 19 or 23
constexpr int kMostOfSums = 512;      // of one that begins with another prime above 13: kMostSumsPoints
constexpr int kMostAfterSums = 11;    // its second body; all such pairs together have the text of ten bodies

// Instruction sets that pairs are judged by, and what each counts: AVX-512 twice.
struct Lanes {
  int lanes, real_bytes, weight;
};
constexpr std::array<Lanes, 4> kJudges = {{{16, 4, 2}, {8, 8, 2}, {8, 4, 1}, {4, 8, 1}}};

// Measured: the length, and the first body of the pair that wins by 1.03 or more over the one with the fewest operations. Vectors that hold
// columns twice, and squares that are transposed for them, cost more than their operations tell.
const std::map<int, int>& measured_firsts() {
  static const std::map<int, int> list = {
      {18, 6}, {24, 6}, {28, 7}, {32, 4}, {42, 6}, {44, 4}, {52, 4}, {54, 6}, {56, 7}, {63, 9}, {72, 8}, {77, 7}, {80, 10}, {90, 10},
      {96, 12}, {100, 20}, {104, 8}, {108, 12}, {126, 14}, {132, 12}, {140, 14}, {156, 13}, {162, 18}, {168, 12}, {192, 8}, {200, 20},
      {210, 14}, {216, 12}, {264, 24}, {273, 21}, {280, 14}, {294, 21}, {300, 15}, {330, 30}, {350, 35}, {352, 22}, {378, 21}, {384, 16}, {500, 25},
      {504, 21}, {528, 22}, {600, 30}, {616, 22}, {704, 22}, {768, 24}, {896, 28},
  };
  return list;
}

// Primes that a length is made of: the largest.
int largest_prime(int n) {
  int largest = 1;
  for (int p = 2; n > 1; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return largest;
}

// Operations of all vectors, of `numbers` complex numbers each, between load and store.
double vector_operations(const Kernel& first, const Kernel& second, int numbers) {
  return 0.5 * (packed_vectors(second.body.spec.radix, numbers) * first.ops.total() +
                packed_vectors(first.body.spec.radix, numbers) * second.ops.total());
}

// Operations on vectors of 32 bytes: of straight text on every target, 100 of which take about 0.7 KB, and of straight text in registers.
constexpr double kMostStraight = 260, kMostSmall = 330;

PairText text_of(const Kernel& first, const Kernel& second) {
  const int r1 = first.body.spec.radix, r2 = second.body.spec.radix, n = r1 * r2;
  if (is_of_sums(r1)) return PairText::kSums;
  const int prime = largest_prime(n);
  const double operations = vector_operations(first, second, packed_numbers(8, r1, r2));
  // Common lengths; those named are longer, and 1.1 to 1.2 times as fast as by loops.
  const bool is_common = n <= 32 ? prime <= 7 : prime <= 5 && n % 27 != 0 && (operations <= kMostStraight || (prime == 2 && n <= 128));
  if (is_common || n == 49 || n == 100 || n == 120 || n == 256 || n == 512) return PairText::kStraight;
  if (prime <= 7 && r1 <= 32) return PairText::kLooped;
  return operations <= kMostSmall && prime <= 13 ? PairText::kSmall : PairText::kShared;
}

}  // namespace

double pair_cycles(const Kernel& first, const Kernel& second, int lanes, int real_bytes) {
  const int r1 = first.body.spec.radix, r2 = second.body.spec.radix;
  const int numbers = packed_numbers(lanes, r1, r2);
  const int registers = lanes * real_bytes >= 64 ? 32 : 16;
  // Half of the operations on parts; loads, stores and shuffles; what does not fit the registers; the loop.
  const auto one = [&](const Kernel& kernel) {
    return 0.5 * kernel.ops.total() + 1.5 * kernel.body.spec.radix + std::max(0.0, 0.5 * kernel.live_values - registers) + 5;
  };
  const double width = 2 * numbers * real_bytes > 32 ? 1.7 : 1;  // cores with two pipes of 32 bytes, or one of 64
  return width * (packed_vectors(r2, numbers) * one(first) + packed_vectors(r1, numbers) * one(second));
}

std::vector<RegisterPair> register_pairs(const std::vector<Kernel>& kernels) {
  std::map<int, std::pair<double, RegisterPair>> best;  // by length
  for (const Kernel& first : kernels) {
    if (!begins_pairs(first.body.spec)) continue;
    for (const Kernel& second : kernels) {
      const int r1 = first.body.spec.radix, r2 = second.body.spec.radix, n = r1 * r2;
      if (!ends_pairs(second.body.spec) || n > kMostPoints || is_one_body(n)) continue;
      if (is_of_sums(r1) ? n > kMostOfSums || r2 > kMostAfterSums : largest_prime(n) > 13 && n > kMostOfPrimes) continue;
      double cost = 0;
      for (const Lanes& judge : kJudges) cost += judge.weight * std::log(pair_cycles(first, second, judge.lanes, judge.real_bytes));
      const auto measured = measured_firsts().find(n);
      if (measured != measured_firsts().end()) cost = measured->second == r1 ? -1 : cost;
      const auto [entry, fresh] = best.try_emplace(n, cost, RegisterPair{});
      if (!fresh && cost >= entry->second.first) continue;
      entry->second = {cost, {first.body.spec.name, second.body.spec.name, text_of(first, second)}};
    }
  }
  std::vector<RegisterPair> pairs;
  for (const auto& [n, pair] : best) pairs.push_back(pair.second);
  return pairs;
}

}  // namespace ulpfft::genfft
