// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/sample.h"

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

std::uint64_t read_seed() {
  const char* text = std::getenv("ULPFFT_TEST_SEED");
  const bool given = text != nullptr && *text != '\0';
  const auto now = std::chrono::system_clock::now();
  const auto day = std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
  const std::uint64_t seed = given ? std::strtoull(text, nullptr, 10) : static_cast<std::uint64_t>(day);
  std::cout << "Cases are sampled by seed " << seed << "; ULPFFT_TEST_SEED=" << seed << " takes the same ones, ULPFFT_TEST_FULL=1 all.\n";
  return seed;
}

}  // namespace

std::uint64_t sample_seed() {
  static const std::uint64_t seed = read_seed();
  return seed;
}

bool is_sampled(std::uint64_t index, std::uint64_t k) { return full_run() || k < 2 || index % k == sample_seed() % k; }

}  // namespace ulpfft::test
