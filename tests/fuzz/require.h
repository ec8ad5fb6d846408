// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a harness says before it stops the process: a fuzzer and a replay both take an abort for a find.
#ifndef ULPFFT_TESTS_FUZZ_REQUIRE_H_
#define ULPFFT_TESTS_FUZZ_REQUIRE_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ulpfft::fuzz {

inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "FUZZ: %s\n", what.c_str());
  std::abort();
}

inline bool is_one_line(const std::string& text) {
  for (const char c : text) {
    if (c < 0x20 || c > 0x7e) return false;
  }
  return !text.empty();
}

}  // namespace ulpfft::fuzz

#endif  // ULPFFT_TESTS_FUZZ_REQUIRE_H_
