// Facts of an element format, derived by genfft from its descriptor.
//
// Wide formats (f32, f64) are themselves compute types; narrow ones name the compute type they are decoded to.
#ifndef ULPFFT_CODELETS_CONTRACT_FORMAT_INFO_H_
#define ULPFFT_CODELETS_CONTRACT_FORMAT_INFO_H_

namespace ulpfft {

struct FormatInfo {
  const char* name = "";
  const char* source = "";        // the standard that defines it
  int bits = 0;
  int exponent_bits = 0;
  int mantissa_bits = 0;          // stored, without the hidden bit
  int bias = 0;
  double largest = 0;
  double smallest_normal = 0;
  double smallest_subnormal = 0;
  double unit_roundoff = 0;       // 2^-(mantissa_bits + 1)
  double rms_error = 0;           // relative L2 error of one quantisation of normal data
  const char* compute = "";       // "f32" or "f64"
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_FORMAT_INFO_H_
