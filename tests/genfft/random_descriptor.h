// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Descriptors of random formats that are right: any split of 3 to 16 bits, any bias that f64 holds, any policy; and integers.
#ifndef ULPFFT_TESTS_GENFFT_RANDOM_DESCRIPTOR_H_
#define ULPFFT_TESTS_GENFFT_RANDOM_DESCRIPTOR_H_

#include <random>
#include <string>

namespace ulpfft::genfft {

std::string random_descriptor(std::mt19937_64& generator, const std::string& name);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_TESTS_GENFFT_RANDOM_DESCRIPTOR_H_
