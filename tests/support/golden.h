// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The golden files, whose folder a test is told when it is compiled; numbers in them are the hexadecimal digits of their bits.
#ifndef ULPFFT_TESTS_SUPPORT_GOLDEN_H_
#define ULPFFT_TESTS_SUPPORT_GOLDEN_H_

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ulpfft::test {

inline nlohmann::json golden(const std::string& file) {
  std::ifstream in(std::string(ULPFFT_GOLDEN_FOLDER) + "/" + file);
  EXPECT_TRUE(in.good()) << file;
  return nlohmann::json::parse(in);
}

template <typename T>
T from_hex(const std::string& text) {
  const std::uint64_t bits = std::strtoull(text.c_str(), nullptr, 16);
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<T>(bits);
  }
}

template <typename T>
std::vector<T> golden_reals(const nlohmann::json& list) {
  std::vector<T> result;
  for (const nlohmann::json& item : list) result.push_back(from_hex<T>(item.get<std::string>()));
  return result;
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_GOLDEN_H_
