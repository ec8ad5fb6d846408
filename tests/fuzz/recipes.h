// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Recipes for a length, nested as deep as bytes say: most of them can be built, some name what is not there.
#ifndef ULPFFT_TESTS_FUZZ_RECIPES_H_
#define ULPFFT_TESTS_FUZZ_RECIPES_H_

#include <cstdint>
#include <string>

#include "tests/fuzz/bytes.h"

namespace ulpfft::fuzz {

// The node of a line of n points. `depth`: how many levels may follow.
std::string random_node(Bytes& bytes, std::int64_t n, int depth);

// A length of up to `most`, smooth, prime or any.
std::int64_t random_length(Bytes& bytes, std::int64_t most);

}  // namespace ulpfft::fuzz

#endif  // ULPFFT_TESTS_FUZZ_RECIPES_H_
