// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/table/number_theory.h"

#include <algorithm>
#include <vector>

namespace ulpfft {
namespace {

std::vector<std::int64_t> prime_factors(std::int64_t n) {
  std::vector<std::int64_t> factors;
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p != 0) continue;
    factors.push_back(p);
    while (n % p == 0) n /= p;
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

}  // namespace

std::int64_t multiply_mod(std::int64_t a, std::int64_t b, std::int64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(a) * static_cast<Wide>(b) % static_cast<Wide>(n));
}

std::int64_t power_mod(std::int64_t base, std::int64_t exponent, std::int64_t n) {
  std::int64_t result = 1 % n;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result = multiply_mod(result, base, n);
    base = multiply_mod(base, base, n);
  }
  return result;
}

bool is_prime(std::int64_t n) {
  if (n < 2) return false;
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return false;
  }
  return true;
}

std::int64_t primitive_root(std::int64_t n) {
  if (n == 2) return 1;
  const std::vector<std::int64_t> factors = prime_factors(n - 1);
  for (std::int64_t g = 2;; ++g) {
    if (std::all_of(factors.begin(), factors.end(), [&](std::int64_t p) { return power_mod(g, (n - 1) / p, n) != 1; })) return g;
  }
}

std::int64_t rough_part(std::int64_t n) {
  for (const std::int64_t p : kSmoothPrimes) {
    while (n % p == 0) n /= p;
  }
  return n;
}

}  // namespace ulpfft
