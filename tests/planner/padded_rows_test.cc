// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rows of blocks converted side by side, against each by itself.
#include "planner/convert/padded_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "codelets/registry.h"

namespace ulpfft::test {
namespace {

template <typename T>
void check(const ConversionEntry& entry, const Storage& s, std::int64_t rows, std::int64_t count, std::int64_t gap) {
  const Codec codec{.storage = s, .decode = entry.decode, .encode = entry.encode, .is_f64 = entry.is_f64};
  std::mt19937_64 generator(static_cast<std::uint64_t>(rows * 1000 + count));
  std::normal_distribution<T> normal;
  ConversionArgs args{.storage = &s, .rows = rows, .count = count, .code_row_bytes = code_bytes(s, count) + gap, .scale_row_bytes = scale_bytes(s, count) + gap, .real_row_stride = count + gap};
  std::vector<T> in(static_cast<std::size_t>(rows * args.real_row_stride));
  for (T& x : in) x = normal(generator) * std::ldexp(T(1), static_cast<int>(generator() % 8));
  in.back() = T(1e9);
  const auto encoded = [&](bool together, std::vector<std::uint8_t>& codes, std::vector<std::uint8_t>& scales) {
    codes.assign(static_cast<std::size_t>(rows * args.code_row_bytes), 0x5a);
    scales.assign(static_cast<std::size_t>(rows * args.scale_row_bytes), 0xa5);
    ConversionArgs all = args;
    all.reals = in.data();
    all.codes = codes.data();
    all.scales = scales.data();
    return together ? encode_rows(codec, all) : entry.encode(all);
  };
  std::vector<std::uint8_t> codes, scales, expected_codes, expected_scales;
  const std::int64_t expected = encoded(false, expected_codes, expected_scales);
  EXPECT_EQ(encoded(true, codes, scales), expected);
  ASSERT_EQ(codes, expected_codes);
  ASSERT_EQ(scales, expected_scales);
  std::vector<T> out(in.size(), T(3)), expected_out = out;
  args.codes = codes.data();
  args.scales = scales.data();
  args.reals = expected_out.data();
  entry.decode(args);
  args.reals = out.data();
  decode_rows(codec, args);
  ASSERT_EQ(std::memcmp(out.data(), expected_out.data(), out.size() * sizeof(T)), 0);
}

TEST(PaddedRows, AreConvertedAsEachByItself) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const ConversionEntry& entry : target.table.conversions) {
      Storage s = find_storage({.format = entry.format}, formats(), block_formats()).storage;
      for (const int length : s.scale != nullptr ? std::vector<int>{0, 2, 32, 64} : std::vector<int>{0}) {
        s.length = length;
        for (const std::int64_t count : {1, 7, 33, 50, 100, 511, 513}) {
          const std::int64_t rows = count < 50 ? 70 : 25;  // more than one tile
          for (const std::int64_t gap : {0, 3}) {
            SCOPED_TRACE(target.table.target + std::string(" ") + entry.format + (entry.is_f64 ? " f64" : " f32") + ", blocks of " + std::to_string(length) + ", rows of " +
                         std::to_string(count) + ", gap " + std::to_string(gap));
            entry.is_f64 ? check<double>(entry, s, rows, count, gap) : check<float>(entry, s, rows, count, gap);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
