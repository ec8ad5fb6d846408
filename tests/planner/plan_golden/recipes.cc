// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes by seed. Those that a target has no codelets for are cases, too: their refusals.
#include <algorithm>
#include <array>
#include <vector>

#include "tests/planner/plan_golden/cases.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

constexpr std::array<std::int64_t, 18> kFirst = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 25, 32};
constexpr std::array<std::int64_t, 10> kLater = {2, 3, 4, 5, 7, 8, 9, 11, 13, 16};
constexpr std::int64_t kLongestWhole = 17, kLongestColumn = 16;

template <std::size_t N>
std::int64_t draw_divisor(Random& random, const std::array<std::int64_t, N>& radices, std::int64_t n) {
  std::vector<std::int64_t> divisors;
  std::copy_if(radices.begin(), radices.end(), std::back_inserter(divisors), [n](std::int64_t radix) { return n % radix == 0; });
  return divisors[random.below(divisors.size())];
}

// Of a smooth n; "nN" where one pass is all.
std::string dit(Random& random, std::int64_t n, bool streams) {
  const std::int64_t first = draw_divisor(random, kFirst, n);
  if (first == n) return "n" + std::to_string(n);
  std::string text = "dit(" + std::to_string(first);
  for (std::int64_t rest = n / first; rest > 1;) {
    const std::int64_t radix = draw_divisor(random, kLater, rest);
    rest /= radix;
    text += (random.chance(0.2) ? " / " : " ") + std::to_string(radix);
    if (radix < 10 && random.chance(0.25)) text += random.chance(0.5) ? ":ds" : ":ch";
  }
  return text + (streams && random.chance(0.15) ? " stream)" : ")");
}

std::string column(Random& random, std::int64_t n) {
  if (n <= kLongestColumn && random.chance(0.4)) return "n" + std::to_string(n);
  const std::string text = dit(random, n, false);
  return text;
}

std::int64_t smallest_prime_factor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

// n1 of n = n1 * n2, both above 1.
std::int64_t draw_split(Random& random, std::int64_t n) {
  std::int64_t first = 1;
  for (std::int64_t rest = n; rest > 1;) {
    const std::int64_t p = smallest_prime_factor(rest);
    rest /= p;
    if (first * p < n && random.chance(0.5)) first *= p;
  }
  return first > 1 ? first : smallest_prime_factor(n);
}

std::string line(Random& random, std::int64_t n, int depth) {
  const bool smooth = is_smooth(n);
  if (smooth && n <= kLongestWhole && random.chance(0.3)) return "n" + std::to_string(n);
  const std::int64_t p = smallest_prime_factor(n);
  if (depth > 0 && p < n && (!smooth || (n >= 16 && random.chance(0.3)))) {
    const std::int64_t first = draw_split(random, n);
    const std::string panel = std::to_string(random.chance(0.5) ? std::int64_t{16} << random.below(3) : random.between(1, 40));
    const auto child = [&](std::int64_t m) { return is_smooth(m) ? column(random, m) : line(random, m, depth - 1); };
    const std::string one = child(first), other = child(n / first);  // in this order, whatever the compiler
    return "four(" + std::to_string(first) + "x" + std::to_string(n / first) + " p" + panel +
           (random.chance(0.3) ? " stream; " : "; ") + one + "; " + other + ")";
  }
  if (smooth) return dit(random, n, true);
  const bool rader = p == n && random.chance(0.6);
  std::int64_t m = rader ? 2 * n - 3 : 2 * n - 1;
  m = random.between(m, m + m / 2);
  while (!is_smooth(m)) ++m;
  if (rader && is_smooth(n - 1) && random.chance(0.5)) m = n - 1;
  const std::string child = line(random, m, 0);
  return rader ? "rader(" + std::to_string(n) + "; " + child + ")"
               : "bluestein(" + std::to_string(n) + "; " + std::to_string(m) + "; " + child + ")";
}

}  // namespace

std::string forced_recipe(const std::string& scheme, std::int64_t n, std::uint64_t seed) {
  Random random(seed);
  return scheme + ":" + line(random, n, 2);
}

}  // namespace ulpfft::test
