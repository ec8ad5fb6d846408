// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A number format of one's own, fp10.json, in a program: what it does to numbers, before any library has it. The generator checks the
// descriptor and writes formats.h from it; codec.h encodes and decodes every format one value at a time.
#include <cmath>
#include <cstdint>
#include <iostream>

#include "codelets/contract/codec.h"
#include "formats.h"

int main() {
  constexpr const ulpfft::FormatInfo& format = ulpfft::format_fp10::kInfo;
  double square = 0.0, error = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double x = std::sin(0.37 * i) * std::exp2(0.01 * (i % 100));
    const std::uint64_t code = ulpfft::encode(format, x, ulpfft::default_rounding(format)).code;
    const double back = ulpfft::decode(format, code);
    square += x * x;
    error += (x - back) * (x - back);
  }
  const double relative = std::sqrt(error / square);
  std::cout << format.name << ": largest " << format.largest << ", unit roundoff " << format.unit_roundoff << ", error " << relative
            << "\n";
  return relative < format.unit_roundoff ? 0 : 1;
}
