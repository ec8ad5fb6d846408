// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A format of the library (FormatInfo, which support does not know) for exact_rounding.h, which has facts of its own.
#ifndef ULPFFT_TESTS_SUPPORT_EXACT_FORMAT_H_
#define ULPFFT_TESTS_SUPPORT_EXACT_FORMAT_H_

#include <cstddef>

#include "tests/support/exact_rounding.h"

namespace ulpfft::test {

template <typename Format>
ExactFormat exact_format(const Format& f) {
  const char* const specials[] = {"ieee", "fn", "fnuz", "p3109", "none"};
  ExactFacts facts;
  facts.integer = f.kind == decltype(f.kind)::kInteger;
  facts.bits = f.bits;
  facts.exponent_bits = f.exponent_bits;
  facts.mantissa_bits = f.mantissa_bits;
  facts.bias = f.bias;
  facts.special = specials[static_cast<std::size_t>(f.special)];
  facts.fraction_bits = f.fraction_bits;
  facts.offset = f.offset;
  if (facts.integer) facts.lowest_code = lowest_integer(f);
  return ExactFormat(facts);
}

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_EXACT_FORMAT_H_
