// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How fast arrays become narrow and wide again, beside a copy.
//
// Ratio    seconds of a conversion from or to f32 over seconds of a copy that reads and writes as many bytes as the conversion does, both
//          ways together: of a copy of half as many. The copy is the faster of plain and non-temporal stores at that size. Above 1 the
//          conversion is the slower one.
// Arrays   of 2048 numbers, which fit L1, and of more than the last-level cache holds. One thread; all take turns (timing.h).
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_CONVERSIONS_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_CONVERSIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/bench/timing.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::bench {

inline constexpr std::string_view kConvertSuite = "convert";

struct ConversionRow {
  std::string storage;
  std::string direction;  // "encode", "decode"
  std::string level;      // "L1", "DRAM"
  std::int64_t numbers = 0;
  std::size_t bytes = 0;  // read and written
  double seconds = 0;     // median
  Estimate ratio;         // to the copy: median of the rounds' ratios, and its spread
};

// Every element, integer and block format of the build, or those named. `beyond`: bytes that no cache holds.
std::vector<std::string> convertible(const std::vector<std::string>& named);
ConversionRow measure_conversion(ulpfft_context* context, const std::string& storage, bool encode, std::size_t beyond, double seconds);
// How times were taken and what the numbers mean.
std::string conversions_note();
std::string conversions_heading();
std::string line_of(const ConversionRow& row);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_CONVERSIONS_H_
