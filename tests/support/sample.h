// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which cases of a sweep a default run takes: one in k, by a seed that is the day, so that k days in a row take them all.
//
// ULPFFT_TEST_SEED in the environment is the seed instead; every program that samples prints it. ULPFFT_TEST_FULL=1 takes all cases.
#ifndef ULPFFT_TESTS_SUPPORT_SAMPLE_H_
#define ULPFFT_TESTS_SUPPORT_SAMPLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ulpfft::test {

// Days since 1970, or ULPFFT_TEST_SEED. Printed when it is first asked for.
std::uint64_t sample_seed();

// Whether case `index` of a sweep is one of those taken, one in `k`.
bool is_sampled(std::uint64_t index, std::uint64_t k);

// Counts the cases of a sweep, of any nesting. `k` is best prime, and no divisor of what an inner loop counts, so that a day has some of
// everything.
class Sampler {
 public:
  explicit Sampler(std::uint64_t k) : k_(k) {}
  // Whether the next case is taken.
  bool next() { return is_sampled(seen_++, k_); }

 private:
  std::uint64_t k_;
  std::uint64_t seen_ = 0;
};

// Those of a list that are taken, at least one where there is one.
template <typename T>
std::vector<T> sampled(const std::vector<T>& all, std::uint64_t k) {
  std::vector<T> taken;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_sampled(i, k < all.size() ? k : all.size())) taken.push_back(all[i]);
  }
  return taken;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_SAMPLE_H_
