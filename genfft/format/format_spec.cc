// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/format/format_spec.h"

#include <cmath>

#include "codelets/contract/quantisation_error.h"

namespace ulpfft::genfft {

void derive(FormatSpec& spec) {
  FormatInfo& f = spec.facts;
  f.largest = largest_value(f);
  f.smallest_normal = smallest_normal_value(f);
  f.smallest_subnormal = smallest_subnormal_value(f);
  f.unit_roundoff = std::ldexp(1.0, -significand_bits(f) - 1);
  f.rms_error = quantisation_error(f, placed_rms(f));
}

double bits_per_value(const BlockSpec& block, const FormatInfo& element, const FormatInfo& scale) {
  const int scale_bits = (scale.bits + 7) / 8 * 8;
  return element.bits + (block.length == 0 ? 0.0 : static_cast<double>(scale_bits) / block.length);
}

const FormatSpec* find(const FormatSet& set, const std::string& name) {
  for (const FormatSpec& format : set.formats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace ulpfft::genfft
