// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Rounding to a narrow format by its definition, in exact arithmetic: numbers are integers times powers of two, of any size; a format is
// the list of its values, rounding a search in it. Shares nothing with the library.
#ifndef ULPFFT_TESTS_SUPPORT_EXACT_ROUNDING_H_
#define ULPFFT_TESTS_SUPPORT_EXACT_ROUNDING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft::test {

// (-1)^negative * digits * 2^exponent, digits to base 2^32, least first; zero has none, and a sign.
struct Exact {
  bool negative = false;
  std::vector<std::uint32_t> digits;
  int exponent = 0;

  bool is_zero() const { return digits.empty(); }
};
Exact exact(double x);  // finite
Exact exact_product(const Exact& a, const Exact& b);
// The sign of a zero as IEEE 754 has it.
Exact exact_sum(const Exact& a, const Exact& b);
int compare_magnitudes(const Exact& a, const Exact& b);

// What defines an element format.
struct ExactFacts {
  bool integer = false;
  int bits = 0, exponent_bits = 0, mantissa_bits = 0, bias = 0;
  std::string special = "none";  // ieee, fn, fnuz, p3109, none
  int fraction_bits = 0;
  double offset = 0;
  std::int64_t lowest_code = 0;  // integers: that encoding yields
};

class ExactFormat {
 public:
  explicit ExactFormat(const ExactFacts& facts);

  // Value of a result; `overflow`: a finite number lay beyond the values.
  double round(const Exact& x, bool& overflow) const;
  // Of NaN and infinities, too.
  double round(double x, bool& overflow) const;
  // a * b + c, each operand any double; rounded once.
  double fma(double a, double b, double c, bool& overflow) const;

 private:
  double beyond(bool negative) const;
  std::size_t place(const Exact& magnitude, bool& tie) const;

  ExactFacts facts_;
  std::vector<Exact> values_;  // ascending: magnitudes of a float, one more than it has; all of an integer format, one more at each end
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_EXACT_ROUNDING_H_
