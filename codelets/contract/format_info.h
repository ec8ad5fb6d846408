// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Facts of number formats, derived by genfft from their descriptors (genfft/formats/README.md explains every field).
//
// Element formats are wide (f32, f64: compute types themselves), floats of 3 to 16 bits, or integers:
//   float    value = (-1)^S * 2^(E - bias) * (1 + M / 2^m), and for E = 0 (-1)^S * 2^(1 - bias) * M / 2^m. Without a zero, E = 0 is
//            a binade like the others (e8m0: value = 2^(code - 127)).
//   integer  value = (code - offset) * 2^-fraction_bits; the code is two's complement where signed.
// A block format gives a row of elements one scale per `length` of them, kept in an array of its own.
//
// Here are the facts that define a format and what follows from them without arithmetic on values; codec.h has the values.
// Everything is constexpr: the generated formats.h holds each format as `struct format_NAME { static constexpr FormatInfo kInfo; }`.
#ifndef ULPFFT_CODELETS_CONTRACT_FORMAT_INFO_H_
#define ULPFFT_CODELETS_CONTRACT_FORMAT_INFO_H_

#include <cstdint>

namespace ulpfft {

enum class FormatKind : std::uint8_t { kWide, kFloat, kInteger };

// Which codes of a float are not finite numbers.
enum class Special : std::uint8_t {
  kIeee,   // the top exponent: infinities (M = 0) and NaN
  kFn,     // the top code of each sign is NaN; no infinities
  kFnuz,   // the code of -0 is NaN; no infinities, no -0
  kP3109,  // the code of -0 is NaN, the top code of each sign an infinity; no -0
  kNone,   // none: NaN becomes the largest value, whatever the rounding overflow saturates
};

// What a conversion does with a value beyond the largest unless it is asked for something else.
enum class Overflow : std::uint8_t { kInfinity, kSaturate };

// How the scale of a block follows from its reals, whose largest magnitude is amax. max: largest value of the element format.
// Scales that are powers of two, 2^e (golden vectors, section 3); emax, m: exponent of max, stored significand bits. Scales with a mantissa
// (storage.h) are rounded to nearest in their format, and each operation of a rule in the type of the reals.
enum class ScaleRule : std::uint8_t {
  kFloor,  // floor(log2 amax) - emax
  kCeil,   // ceil(log2 amax) - emax
  kRceil,  // the smallest e with amax <= max * 2^e
  kEven,   // kFloor of amax rounded half up to m bits
  kFit,    // the smallest e for which amax / 2^e does not overflow when rounded
  kTe,       // amax * (1 / max), as TransformerEngine; reals are multiplied by min(1 / scale, the largest real)
  kTorchao,  // amax / max, at least the smallest normal scale, as torchao; reals are divided by the scale
  kSearch,   // kTe, or amax * (1 / the element below max) where the block then differs less from its reals ("four over six")
};
inline constexpr int kPowerRules = 5;  // the first of them
inline constexpr int kScaleRules = 8;
inline constexpr const char* kScaleRuleNames[kScaleRules] = {"floor", "ceil", "rceil", "even", "fit", "te", "torchao", "search"};

struct FormatInfo {
  const char* name = "";
  const char* source = "";      // the standard that defines it
  FormatKind kind = FormatKind::kWide;
  int bits = 0;                 // of a code; not 8, 16, 32 or 64: rows are packed, see codec.h
  bool is_signed = true;        // float: has a sign bit; integer: two's complement
  // Floats.
  int exponent_bits = 0;
  int mantissa_bits = 0;        // stored, without the hidden bit
  int bias = 0;
  bool has_zero = true;         // false (unsigned only): no zero and no subnormals
  Special special = Special::kIeee;
  std::uint64_t nan = 0;        // code that NaN becomes; formats without NaN: the largest; integers: unused, NaN becomes the value 0
  // Integers.
  int fraction_bits = 0;
  double offset = 0;            // a multiple of 1/2
  bool symmetric = false;       // encoding never yields a code further below the offset than the highest is above it
  Overflow overflow = Overflow::kSaturate;
  // Derived.
  double largest = 0;
  double smallest_normal = 0;   // integers: the smallest positive value, twice
  double smallest_subnormal = 0;
  double unit_roundoff = 0;     // 2^-(significand_bits + 1)
  double rms_error = 0;         // relative L2 error of one quantisation of normal data, see quantisation_error.h
  const char* compute = "";     // "f32" or "f64": arithmetic that holds every value
};

struct BlockInfo {
  const char* name = "";
  const char* source = "";
  const char* element = "";            // names of element formats
  const char* scale = "";              // an unsigned element format
  int length = 32;                     // reals that share a scale: 2, 4, ... 64; 0: the whole row
  ScaleRule rule = ScaleRule::kRceil;
  double rms_error = 0;                // of the length and rule above
};

constexpr bool is_block_length(int length) {
  return length == 0 || (length >= 2 && length <= 64 && (length & (length - 1)) == 0);
}

// Codes that are no whole number of bytes lie in a row as a little-endian bit stream.
constexpr bool is_packed(const FormatInfo& f) { return f.bits != 8 && f.bits != 16 && f.bits != 32 && f.bits != 64; }

// What follows for floats. Magnitude codes count 0, smallest, ... upwards; the sign bit is apart.
constexpr int magnitude_bits(const FormatInfo& f) { return f.bits - (f.is_signed ? 1 : 0); }
constexpr std::uint64_t sign_bit(const FormatInfo& f) { return f.is_signed ? std::uint64_t(1) << (f.bits - 1) : 0; }
constexpr std::uint64_t top_magnitude(const FormatInfo& f) { return (std::uint64_t(1) << magnitude_bits(f)) - 1; }
// Exponent of the lowest binade, whose steps subnormals share.
constexpr int lowest_exponent(const FormatInfo& f) { return (f.has_zero ? 1 : 0) - f.bias; }
constexpr bool has_negative_zero(const FormatInfo& f) {
  return f.kind != FormatKind::kInteger && f.is_signed && f.special != Special::kFnuz && f.special != Special::kP3109;
}
constexpr bool has_infinity(const FormatInfo& f) {
  return f.kind != FormatKind::kInteger && (f.special == Special::kIeee || f.special == Special::kP3109);
}
constexpr bool has_nan(const FormatInfo& f) { return f.kind != FormatKind::kInteger && f.special != Special::kNone; }
// Whether every value is a power of two.
constexpr bool has_powers_alone(const FormatInfo& f) { return f.kind == FormatKind::kFloat && f.mantissa_bits == 0 && !f.has_zero; }
// Whether a rule chooses scales of this format.
constexpr bool is_rule_of(const FormatInfo& scale, ScaleRule rule) {
  return has_powers_alone(scale) == (static_cast<int>(rule) < kPowerRules);
}
constexpr std::uint64_t infinity_magnitude(const FormatInfo& f) {  // if has_infinity
  return f.special == Special::kIeee ? ((std::uint64_t(1) << f.exponent_bits) - 1) << f.mantissa_bits : top_magnitude(f);
}
constexpr std::uint64_t largest_magnitude(const FormatInfo& f) {
  if (has_infinity(f)) return infinity_magnitude(f) - 1;
  return top_magnitude(f) - (f.special == Special::kFn ? 1 : 0);
}
// The NaN that an overflow without saturation becomes in a format without infinities, sign included (if has_nan).
constexpr std::uint64_t overflow_nan(const FormatInfo& f, bool negative) {
  return f.special == Special::kFn ? top_magnitude(f) | (negative ? sign_bit(f) : 0) : f.nan;
}

// Integers: the codes, as numbers, that encoding yields.
constexpr std::int64_t highest_integer(const FormatInfo& f) { return (std::int64_t(1) << (f.bits - (f.is_signed ? 1 : 0))) - 1; }
constexpr std::int64_t lowest_integer(const FormatInfo& f) {
  const std::int64_t lowest = f.is_signed ? -highest_integer(f) - 1 : 0;
  const std::int64_t mirrored = static_cast<std::int64_t>(2 * f.offset) - highest_integer(f);
  return f.symmetric && mirrored > lowest ? mirrored : lowest;
}

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_FORMAT_INFO_H_
