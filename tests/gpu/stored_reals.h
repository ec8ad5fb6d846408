// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Real numbers of the four storages that kernels for CUDA have, by their bits.
#ifndef ULPFFT_TESTS_GPU_STORED_REALS_H_
#define ULPFFT_TESTS_GPU_STORED_REALS_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/gpu/cufft.h"

namespace ulpfft::test {

struct StoredReals {
  CudaComplex type;
  std::size_t bytes;
  int mantissa_bits;
  int bias;
  double unit_roundoff;
};

inline StoredReals storage_of(const std::string& name) {
  if (name == "f64") return {CudaComplex::k64, 8, 52, 1023, 0x1p-53};
  if (name == "f32") return {CudaComplex::k32, 4, 23, 127, 0x1p-24};
  if (name == "f16") return {CudaComplex::k16, 2, 10, 15, 0x1p-11};
  if (name == "bf16") return {CudaComplex::kBf16, 2, 7, 127, 0x1p-8};
  throw std::runtime_error("There is no storage " + name + " in the grid.");
}

// Of magnitude 1/16 to 1/8 with random signs, so that no transform of 2^26 points overflows in f16.
inline std::vector<std::byte> random_reals(const StoredReals& storage, std::size_t count) {
  std::vector<std::byte> data(count * storage.bytes);
  std::mt19937_64 random(5);
  const std::uint64_t exponent = static_cast<std::uint64_t>(storage.bias - 4) << storage.mantissa_bits;
  const std::uint64_t mantissa = (std::uint64_t{1} << storage.mantissa_bits) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t drawn = random();
    const std::uint64_t bits = (drawn >> 63) << (8 * storage.bytes - 1) | exponent | (drawn & mantissa);
    std::memcpy(data.data() + i * storage.bytes, &bits, storage.bytes);  // little-endian, as the device is
  }
  return data;
}

// Infinities and NaNs are NaN.
inline std::vector<double> as_doubles(const StoredReals& storage, const std::vector<std::byte>& data) {
  std::vector<double> values(data.size() / storage.bytes);
  const int width = static_cast<int>(8 * storage.bytes);
  const std::uint64_t ones = (std::uint64_t{1} << (width - 1 - storage.mantissa_bits)) - 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, data.data() + i * storage.bytes, storage.bytes);
    const std::uint64_t exponent = bits >> storage.mantissa_bits & ones;
    const std::uint64_t mantissa = bits & ((std::uint64_t{1} << storage.mantissa_bits) - 1);
    const auto whole = static_cast<double>(exponent == 0 ? mantissa : mantissa | std::uint64_t{1} << storage.mantissa_bits);
    const int power = static_cast<int>(exponent == 0 ? 1 : exponent) - storage.bias - storage.mantissa_bits;
    const double magnitude = exponent == ones ? std::nan("") : std::ldexp(whole, power);
    values[i] = bits >> (width - 1) != 0 ? -magnitude : magnitude;
  }
  return values;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_STORED_REALS_H_
