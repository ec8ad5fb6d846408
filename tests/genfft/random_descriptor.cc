// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/genfft/random_descriptor.h"

#include <algorithm>
#include <cstdio>

#include "tests/genfft/exact_codec.h"

namespace ulpfft::genfft {
namespace {

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// "f32" where it holds every value.
std::string compute_of(int highest, int lowest_step) { return highest <= 127 && lowest_step >= -149 ? "f32" : "f64"; }

std::string random_integer(std::mt19937_64& generator, const std::string& name) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
  FormatInfo f;
  f.kind = FormatKind::kInteger;
  f.bits = draw(3, 16);
  f.is_signed = draw(0, 1) == 1;
  f.fraction_bits = draw(-20, 20);
  f.symmetric = draw(0, 1) == 1;
  const int half = 1 << (f.bits - 1);
  f.offset = f.is_signed ? (draw(0, 2) == 0 ? draw(-half, half - 2) / 2.0 : 0) : draw(0, 1) == 0 ? half - 0.5 * draw(0, 1) : 0.5 * draw(0, 2 * half);
  const ExactFormat exact(f);
  return "{\"name\": \"" + name + "\", \"source\": \"random\", \"kind\": \"integer\", \"bits\": " + std::to_string(f.bits) +
         ", \"signed\": " + (f.is_signed ? "true" : "false") + ", \"fraction\": " + std::to_string(f.fraction_bits) + ", \"offset\": " + number(f.offset) +
         ", \"range\": \"" + (f.symmetric ? "symmetric" : "whole") + "\", \"compute\": \"f32\", \"expect\": {\"largest\": " +
         number(to_double(exact.values().back())) + ", \"lowest\": " + number(to_double(exact.values().front())) +
         ", \"step\": " + number(std::ldexp(1.0, -f.fraction_bits)) + "}}";
}

}  // namespace

std::string random_descriptor(std::mt19937_64& generator, const std::string& name) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); };
  if (draw(0, 4) == 0) return random_integer(generator, name);
  const char* const specials[] = {"ieee", "fn", "fnuz", "p3109", "none"};
  FormatInfo f;
  f.kind = FormatKind::kFloat;
  f.bits = draw(3, 16);
  f.is_signed = draw(0, 7) != 0;
  f.has_zero = f.is_signed || draw(0, 1) == 0;
  do {
    f.special = static_cast<Special>(draw(0, 4));
  } while (!f.is_signed && (f.special == Special::kFnuz || f.special == Special::kP3109));
  const bool ieee = f.special == Special::kIeee;
  const int rest = f.bits - (f.is_signed ? 1 : 0);
  if (ieee && rest < 3) f.special = Special::kFn;  // two bits of exponent, one of mantissa
  const bool is_ieee = f.special == Special::kIeee;
  f.exponent_bits = draw(is_ieee ? 2 : 1, std::min(rest - (is_ieee ? 1 : 0), 11));
  f.mantissa_bits = rest - f.exponent_bits;
  const int codes = 1 << f.exponent_bits;
  // The largest binade at most 1023, the smallest step at least 2^-1074.
  const int low = std::max(-1000, codes - 1 - 1023), high = 1074 - f.mantissa_bits;
  f.bias = draw(0, 1) == 0 ? std::max(codes / 2 - 1, low) : draw(low, high);
  const ExactFormat exact(f);
  const Dyadic largest = exact.values().back();
  const int lowest = (f.has_zero ? 1 : 0) - f.bias;
  const bool subnormals = f.has_zero && f.mantissa_bits > 0;
  std::string text = "{\"name\": \"" + name + "\", \"source\": \"random\", \"kind\": \"element\", \"bits\": " + std::to_string(f.bits) +
                     ", \"exponent\": " + std::to_string(f.exponent_bits) + ", \"mantissa\": " + std::to_string(f.mantissa_bits) +
                     ", \"bias\": " + std::to_string(f.bias) + ", \"special\": \"" + specials[static_cast<std::size_t>(f.special)] + "\"";
  if (!f.is_signed) text += ", \"signed\": false";
  if (!f.has_zero) text += ", \"zero\": false";
  text += ", \"compute\": \"" + compute_of(largest.log2(), lowest - f.mantissa_bits) + "\", \"overflow\": \"saturate\", \"expect\": {\"largest\": " +
          number(to_double(largest)) + ", \"smallest_normal\": " + number(std::ldexp(1.0, lowest));
  if (subnormals) text += ", \"smallest_subnormal\": " + number(std::ldexp(1.0, lowest - f.mantissa_bits));
  return text + "}}";
}

}  // namespace ulpfft::genfft
