// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Residues and prime factors of lengths.
#ifndef ULPFFT_PLANNER_TABLE_NUMBER_THEORY_H_
#define ULPFFT_PLANNER_TABLE_NUMBER_THEORY_H_

#include <cstdint>

namespace ulpfft {

// (a b) mod n without overflow for n < 2^63.
std::int64_t multiply_mod(std::int64_t a, std::int64_t b, std::int64_t n);
std::int64_t power_mod(std::int64_t base, std::int64_t exponent, std::int64_t n);

bool is_prime(std::int64_t n);
// Smallest generator of the multiplicative group of a prime n.
std::int64_t primitive_root(std::int64_t n);

// The primes that codelets cover. A length without other prime factors is smooth.
inline constexpr std::int64_t kSmoothPrimes[] = {2, 3, 5, 7, 11, 13};
// n divided by all its factors among these primes.
std::int64_t rough_part(std::int64_t n);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_NUMBER_THEORY_H_
