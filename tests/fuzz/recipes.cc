// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/fuzz/recipes.h"

#include <algorithm>
#include <vector>

namespace ulpfft::fuzz {
namespace {

constexpr std::int64_t kRadices[] = {2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 25, 32, 64};

std::string number(std::int64_t value) { return std::to_string(value); }

std::string passes(Bytes& bytes, std::int64_t n) {
  std::string text;
  while (n > 1) {
    std::vector<std::int64_t> fit;
    for (const std::int64_t radix : kRadices) {
      if (n % radix == 0) fit.push_back(radix);
    }
    const std::int64_t radix = fit.empty() ? n : fit[bytes.below(static_cast<unsigned>(fit.size()))];
    if (!text.empty()) text += bytes.below(8) == 0 ? " / " : " ";
    text += number(radix);
    const unsigned extra = text.find(' ') == std::string::npos ? 0 : bytes.below(8);
    if (extra == 1) text += ":ds";
    if (extra == 2) text += ":ch";
    n /= radix;
    if (n > 1 && bytes.below(16) == 0) text += bytes.flag() ? "|f16" : "|mxfp8_e4m3";
  }
  return text;
}

std::int64_t divisor(Bytes& bytes, std::int64_t n) {
  std::vector<std::int64_t> all;
  for (std::int64_t d = 2; d * d <= n; ++d) {
    if (n % d != 0) continue;
    all.push_back(d);
    all.push_back(n / d);
  }
  return all.empty() ? 1 : all[bytes.byte() % all.size()];
}

// Of a convolution: what it must have, and up to 16 times that.
std::int64_t padded(Bytes& bytes, std::int64_t least) {
  static constexpr std::int64_t kOdd[] = {1, 3, 5, 7, 9, 15};
  std::int64_t m = kOdd[bytes.below(6)];
  while (m < least) m *= 2;
  return m << (bytes.below(4) == 0 ? bytes.below(5) : 0U);
}

}  // namespace

std::int64_t random_length(Bytes& bytes, std::int64_t most) {
  if (bytes.flag()) return 1 + static_cast<std::int64_t>(bytes.byte() << 8U | bytes.byte()) % most;
  std::int64_t n = 1;
  for (unsigned count = 1 + bytes.below(6); count > 0; --count) {
    const std::int64_t radix = kRadices[bytes.below(std::size(kRadices))];
    if (n * radix <= most) n *= radix;
  }
  return n;
}

std::string random_node(Bytes& bytes, std::int64_t n, int depth) {
  const unsigned kind = depth <= 0 || n < 4 ? bytes.below(2) : bytes.below(7);
  switch (kind) {
    case 0: return "n" + number(n);
    case 1: return "dit(" + passes(bytes, n) + (bytes.below(16) == 0 ? " stream)" : ")");
    case 2:
    case 3: {
      const bool exact = bytes.below(4) == 0;
      const std::int64_t m = exact ? n - 1 : padded(bytes, 2 * n - 3);
      return "rader(" + number(n) + "; " + random_node(bytes, m, depth - 1) + ")";
    }
    case 4: {
      const std::int64_t m = padded(bytes, 2 * n - 1);
      return "bluestein(" + number(n) + "; " + number(m) + "; " + random_node(bytes, m, depth - 1) + ")";
    }
    case 5: {
      const std::int64_t n1 = divisor(bytes, n);
      return "four(" + number(n1) + "x" + number(n / n1) + " p" + number(std::int64_t{16} << bytes.below(4)) + "; " + random_node(bytes, n1, depth - 1) + "; " +
             random_node(bytes, n / n1, depth - 1) + ")";
    }
    default: return "cols(p" + number(std::int64_t{16} << bytes.below(4)) + "; " + random_node(bytes, n, 0) + ")";
  }
}

}  // namespace ulpfft::fuzz
