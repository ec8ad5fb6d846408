// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "stream/storage.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

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

ulpfft_conversion conversion_of(const SampleBlocks& blocks, std::int64_t count, bool f64) {
  ulpfft_conversion conversion = ULPFFT_CONVERSION_INIT;
  conversion.storage = blocks.name.c_str();
  conversion.real_type = f64 ? "f64" : "f32";
  conversion.rows = count;
  conversion.reals = blocks.reals;
  conversion.code_row_bytes = conversion.scale_row_bytes = static_cast<std::int64_t>(blocks.bytes());
  return conversion;
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
                  std::string(field) + " is '" + name + "'; samples lie in blocks, or in numbers of whole bytes: possible are " +
                      possible + ".");
}

SampleBlocks sample_blocks(const std::string& name) {
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    const ulpfft_format format = format_at(i);
    if (name != format.name || std::string(format.kind) != "block" || format.block_length == 0) continue;
    const RowBytes bytes = row_bytes(name, format.block_length);
    return {name, format.block_length, bytes.codes, bytes.scales};
  }
  return {};
}

void decode_blocks(const SampleBlocks& blocks, const void* from, std::int64_t count, bool f64, void* reals) {
  const ulpfft_conversion conversion = conversion_of(blocks, count, f64);
  check_call(ulpfft_decode(nullptr, &conversion, from, static_cast<const std::byte*>(from) + blocks.code_bytes, reals));
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

// Blocks scale with their largest number, which is near the amplitude: what a cosine loses is tried out.
double tone_rounding(const SampleBlocks& blocks) {
  constexpr std::int64_t kBlocks = 256;
  std::vector<double> tone(static_cast<std::size_t>(kBlocks * blocks.reals)), back(tone.size());
  for (std::size_t i = 0; i < tone.size(); ++i) tone[i] = std::cos(2 * std::numbers::pi * std::fmod(0.1377 * static_cast<double>(i), 1.0));
  std::vector<std::byte> codes(static_cast<std::size_t>(kBlocks) * blocks.bytes());
  const ulpfft_conversion conversion = conversion_of(blocks, kBlocks, true);
  check_call(ulpfft_encode(nullptr, &conversion, tone.data(), codes.data(), codes.data() + blocks.code_bytes, nullptr));
  decode_blocks(blocks, codes.data(), kBlocks, true, back.data());
  double squares = 0;
  for (std::size_t i = 0; i < tone.size(); ++i) squares += std::pow(back[i] - tone[i], 2);
  return squares / static_cast<double>(tone.size());
}

}  // namespace ulpfft
