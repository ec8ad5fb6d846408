// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What narrow storage turns into zeros, counted beforehand, against what it decodes afterwards.
#include "planner/convert/underflow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "codelets/registry.h"

namespace ulpfft::test {
namespace {

// Encodes rows that no vector fills, and decodes them.
template <typename T>
void expect_counted(const Storage& storage, const std::string& name) {
  constexpr std::int64_t kRows = 3, kCount = 101, kStride = 110;
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  const double to_zero = largest_to_zero(*storage.element);
  std::int64_t all = 0;
  for (int place = -160; place <= 60; place += 4) {
    std::vector<T> reals(kRows * kStride), back(reals.size());
    for (T& x : reals) x = static_cast<T>(std::ldexp(normal(generator), place + static_cast<int>(generator() % 9)));
    for (std::size_t i = 0; i < 4; ++i) reals[i] = static_cast<T>(std::ldexp(to_zero, static_cast<int>(i) - 1));
    reals[7] = 0, reals[8] = -T(0);
    if (place % 8 == 0) reals[9] = std::numeric_limits<T>::quiet_NaN(), reals[120] = std::numeric_limits<T>::infinity();
    std::vector<std::uint8_t> codes(kRows * kStride * 2), scales(kRows * kStride);
    ConversionArgs args;
    args.storage = &storage;
    args.reals = reals.data();
    args.codes = codes.data();
    args.scales = storage.scale == nullptr ? nullptr : scales.data();
    args.rows = kRows;
    args.count = kCount;
    args.code_row_bytes = kStride * 2;
    args.scale_row_bytes = kStride;
    args.real_row_stride = kStride;
    const ConversionEntry* conversion = nullptr;
    for (const ConversionEntry& entry : registered_targets().back().table.conversions) {
      if (name == entry.format && entry.is_f64 == (sizeof(T) == 8)) conversion = &entry;
    }
    ASSERT_NE(conversion, nullptr) << name;
    conversion->encode(args);
    const std::int64_t counted = count_underflowed(args, sizeof(T) == 8, to_zero);
    args.reals = back.data();
    conversion->decode(args);
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < kRows * kStride; ++i) {
      const T before = reals[static_cast<std::size_t>(i)], after = back[static_cast<std::size_t>(i)];
      if (i % kStride < kCount && !std::isnan(before) && before != 0 && after == 0) ++expected;
    }
    EXPECT_EQ(counted, expected) << name << (sizeof(T) == 8 ? " f64" : " f32") << ", numbers near 2^" << place;
    all += expected;
  }
  EXPECT_EQ(all > 0, to_zero > 0) << name;
}

TEST(Underflow, IsCountedAsEveryFormatRounds) {
  for (const FormatInfo& format : formats()) {
    if (format.kind == FormatKind::kWide || lowest_value(format) >= 0) continue;  // not between passes
    const Storage storage{.element = &format};
    expect_counted<double>(storage, format.name);
    if (format.compute == std::string("f32")) expect_counted<float>(storage, format.name);
  }
  for (const BlockInfo& block : block_formats()) {
    for (const int length : {4, 32, 0}) {
      Storage storage = find_storage({.format = block.name}, formats(), block_formats()).storage;
      storage.length = length;
      expect_counted<double>(storage, block.name);
      expect_counted<float>(storage, block.name);
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
