// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/signals.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <set>

namespace ulpfft::test {

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

std::uint64_t Random::below(std::uint64_t bound) { return next() % bound; }  // the bias does not matter here

std::int64_t Random::between(std::int64_t first, std::int64_t last) {
  return first + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(last - first + 1)));
}

double Random::uniform() { return (static_cast<double>(next() >> 11U) + 0.5) * 0x1p-53; }

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

bool is_smooth(std::int64_t n) {
  for (const std::int64_t prime : {2, 3, 5, 7, 11, 13}) {
    while (n % prime == 0) n /= prime;
  }
  return n == 1;
}

std::vector<std::int64_t> smooth_lengths(std::int64_t last) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = 1; n <= last; ++n) {
    if (is_smooth(n)) lengths.push_back(n);
  }
  return lengths;
}

std::vector<std::int64_t> random_smooth_lengths(std::size_t count, std::int64_t first, std::int64_t last, std::uint64_t seed) {
  Random random(seed);
  std::set<std::int64_t> chosen;
  const double ratio = static_cast<double>(last) / static_cast<double>(first);
  while (chosen.size() < count) {
    auto n = static_cast<std::int64_t>(static_cast<double>(first) * std::pow(ratio, random.uniform()));
    while (!is_smooth(n)) --n;
    if (n >= first) chosen.insert(n);
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace ulpfft::test
