// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which lengths have two bodies in registers (kPacked), by rule: every product of two bodies up to 1024 points, once. Those
// that begin with a prime above 13 are shorter.
//
// Of the ways to write a length the one with the fewest operations wins, counted over the vectors of f32 and f64 that AVX2 and AVX-512
// have; a few that measurement decided otherwise are named with their reason. How much text a pair has of its own follows from its
// operations and from how smooth its length is. tests/bench/pair_study.cc times the rule against every other way.
#ifndef ULPFFT_GENFFT_REGISTER_PAIRS_H_
#define ULPFFT_GENFFT_REGISTER_PAIRS_H_

#include <string>
#include <utility>
#include <vector>

#include "genfft/kernel.h"

namespace ulpfft::genfft {

// The text that a pair has of its own. What exceeds it goes by loops that all pairs of a body share.
enum class PairText : std::uint8_t {
  kStraight,  // without loops on every target, up to 64 vectors between the bodies
  kLooped,    // without loops where the registers hold it; beyond that AVX-512 has loops with constant strides, up to 56 vectors
  kSmall,     // without loops where the registers hold it
  kShared,    // none
  kSums,      // none, nor of its first body, which is a prime of is_of_sums()
};

struct RegisterPair {
  std::string first, second;  // names of bodies, n8 and t4
  PairText text = PairText::kShared;
};

// By length.
std::vector<RegisterPair> register_pairs(const std::vector<Kernel>& kernels);

// Operations of a pair in cycles of a core with vectors of 32 bytes: vectors hold `lanes` / 2 numbers or fewer, in `registers`.
double pair_cycles(const Kernel& first, const Kernel& second, int lanes, int real_bytes);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_REGISTER_PAIRS_H_
