// An element format as its descriptor defines it, and what follows from that.
#ifndef ULPFFT_GENFFT_FORMAT_FORMAT_SPEC_H_
#define ULPFFT_GENFFT_FORMAT_FORMAT_SPEC_H_

#include <string>

namespace ulpfft::genfft {

// Which codes are not numbers: `ieee` gives the top exponent to infinities and NaN, `fn` only the top code to NaN.
enum class Special { kIeee, kFn };

// Where a value above the largest goes.
enum class Overflow { kInfinity, kSaturate };

struct FormatSpec {
  std::string name;
  std::string source;
  int bits = 0;
  int exponent = 0;
  int mantissa = 0;
  int bias = 0;
  Special special = Special::kIeee;
  Overflow overflow = Overflow::kInfinity;  // rounding is to nearest, ties to even
  std::string compute;                      // "f32" or "f64"

  // Derived, all exact in double.
  double largest() const;
  double smallest_normal() const;
  double smallest_subnormal() const;
  double unit_roundoff() const;  // 2^-(mantissa + 1)
  // Relative L2 error of one quantisation of normal data, rms 1: per binade the error is uniform over one step. Data beyond
  // the largest value (rarer than 10^-12 where the largest exceeds 8) are left out.
  double rms_error() const;
};

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_FORMAT_FORMAT_SPEC_H_
