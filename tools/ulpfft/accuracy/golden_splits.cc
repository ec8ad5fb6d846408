// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/accuracy/golden_splits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {
namespace {

using GoldenJson = nlohmann::json;
using GoldenReals = std::vector<double>;

double real_of(const GoldenJson& hex) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(hex.get<std::string>(), nullptr, 16)));
}

GoldenReals reals_of(const GoldenJson& list) {
  GoldenReals reals;
  for (const GoldenJson& one : list) reals.push_back(real_of(one));
  return reals;
}

// Numbers of a format of 16 bits, by their codes.
GoldenReals decoded(const std::string& format, const GoldenJson& codes) {
  ulpfft::NarrowArray array(format, 1, static_cast<std::int64_t>(codes.size()));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint16_t code = codes[i].get<std::uint16_t>();
    std::copy_n(reinterpret_cast<const std::byte*>(&code), sizeof code,
                array.codes().begin() + static_cast<std::ptrdiff_t>(i * sizeof code));
  }
  GoldenReals numbers(codes.size());
  array.decode(std::span<double>(numbers));
  return numbers;
}

GoldenReals rounded(const std::string& format, const GoldenReals& numbers) {
  ulpfft::NarrowArray array(format, 1, static_cast<std::int64_t>(numbers.size()));
  array.encode(std::span<const double>(numbers));
  GoldenReals result(numbers.size());
  array.decode(std::span<double>(result));
  return result;
}

double norm_of(const GoldenReals& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::abs(x));
  int exponent = 0;
  const double fraction = std::frexp(largest, &exponent);
  return largest == 0 ? 1 : std::ldexp(1.0, fraction == 0.5 ? exponent - 1 : exponent);
}

// The next part of each number, which is taken away from it. Signs of zeros are not compared.
void take_part(const std::string& format, const GoldenJson& expected, double norm, GoldenReals& rest, GoldenSplit& split) {
  GoldenReals scaled = rest;
  for (double& x : scaled) x /= norm;
  const GoldenReals parts = rounded(format, scaled), wanted = decoded(format, expected);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    split.differ += parts[i] != wanted[i];
    rest[i] -= norm * parts[i];
  }
  split.values += parts.size();
}

void compare_f16(const GoldenJson& vector, GoldenSplit& split) {
  GoldenReals rest = reals_of(vector["in"]);
  for (const auto& [part, norm_name] : {std::pair<const char*, const char*>{"hi", "s1"}, {"lo", "s2"}}) {
    const double norm = norm_of(rest);
    split.differ += norm != real_of(vector[norm_name]);
    ++split.values;
    take_part("f16", vector[part], norm, rest, split);
  }
}

void compare_bf16(const GoldenJson& vector, GoldenSplit& split) {
  GoldenReals rest = reals_of(vector["in"]);
  for (const GoldenJson& part : vector["parts"]) take_part("bf16", part, 1, rest, split);
}

}  // namespace

std::vector<GoldenSplit> measure_golden_splits() {
  const GoldenJson file = GoldenJson::parse(kGoldenSplits);
  std::vector<GoldenSplit> splits;
  for (const auto& [name, compare] : {std::pair{"fp16x2", &compare_f16}, std::pair{"bf16", &compare_bf16}}) {
    GoldenSplit split{name, 0, 0, 0, ""};
    try {
      for (const GoldenJson& vector : file[name]) {
        compare(vector, split);
        ++split.vectors;
      }
    } catch (const ulpfft::Error& error) {  // a build without the format
      split.reason = error.message();
    }
    splits.push_back(std::move(split));
  }
  return splits;
}

}  // namespace ulpfft_tool
