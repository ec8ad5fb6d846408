// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/storage.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stream/plan.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

ulpfft_format format_at(std::size_t index) {
  ulpfft_format format = ULPFFT_FORMAT_INIT;
  check_call(ulpfft_format_get(index, &format));
  return format;
}

bool holds_samples(const ulpfft_format& format) {
  return std::string(format.kind) != "block" && format.bits % 8 == 0 && format.lowest < 0;
}

}  // namespace

SampleStorage sample_storage(const std::string& name, const char* field) {
  std::string possible;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    const ulpfft_format format = format_at(i);
    if (!holds_samples(format)) continue;
    possible += (possible.empty() ? "" : ", ") + std::string(format.name);
    if (name != format.name) continue;
    SampleStorage storage;
    storage.name = name;
    storage.bytes = static_cast<std::size_t>(format.bits / 8);
    storage.mantissa_bits = format.mantissa_bits;
    storage.is_integer = std::string(format.kind) == "integer";
    if (storage.is_integer) {
      storage.full_scale = std::max(format.largest, -format.lowest);
      storage.zero = format.is_signed != 0 ? 0 : static_cast<unsigned char>(std::lround(std::floor(format.offset + 0.5)));
    }
    storage.smallest_step = format.smallest_subnormal * (format.offset != 0 ? 2 : 1) / storage.full_scale;
    return storage;
  }
  throw PlanError(ULPFFT_UNSUPPORTED, field,
                  std::string(field) + " is '" + name + "'; samples lie in numbers of whole bytes: possible are " + possible + ".");
}

RowBytes row_bytes(const std::string& name, std::int64_t reals) {
  ulpfft_layout layout = ULPFFT_LAYOUT_INIT;
  try {
    check_call(ulpfft_format_layout(name.c_str(), 1, &reals, &layout));
  } catch (const PlanError& error) {
    throw PlanError(error.status, "items", "items is '" + name + "', which no row is stored in. " + error.message);
  }
  return {static_cast<std::size_t>(layout.row_bytes), static_cast<std::size_t>(layout.scale_row_bytes)};
}

// Over a step errors are uniform. Parts of the tone are cosines of uniform angles: each binade has its share of them, and its step.
double tone_rounding(const SampleStorage& storage) {
  const double least = storage.smallest_step;
  if (storage.is_integer) return least * least / 12;
  double squares = 0;
  for (double high = 1; high > least; high /= 2) {
    const double share = (std::asin(high) - std::asin(high / 2)) * 2 / std::numbers::pi;
    squares += share * std::pow(std::max(std::ldexp(high / 2, -storage.mantissa_bits), least), 2);
  }
  return squares / 12;
}

}  // namespace ulpfft
