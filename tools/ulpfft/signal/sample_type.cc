// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/signal/sample_type.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::signals {
namespace {

bool is_plain_copy(const SampleType& type) {
  return type.kind == 'f' && type.big_endian == (std::endian::native == std::endian::big);
}

ulpfft_conversion conversion_to(const char* storage, std::int64_t reals) {
  ulpfft_conversion conversion = ULPFFT_CONVERSION_INIT;
  conversion.storage = storage;
  conversion.rows = 1;
  conversion.reals = reals;
  return conversion;
}

// The bits of a code, whatever its order of bytes.
std::uint64_t load_code(const SampleType& type, const std::byte* from) {
  const std::size_t bytes = type.real_bytes();
  std::uint64_t code = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    code |= std::to_integer<std::uint64_t>(from[i]) << 8 * (type.big_endian ? bytes - 1 - i : i);
  }
  return code;
}

void store_code(const SampleType& type, std::uint64_t code, std::byte* to) {
  const std::size_t bytes = type.real_bytes();
  for (std::size_t i = 0; i < bytes; ++i) to[type.big_endian ? bytes - 1 - i : i] = static_cast<std::byte>(code >> 8 * i & 0xFF);
}

double number_of(const SampleType& type, std::uint64_t code) {
  if (type.kind == 'f') {
    return type.bits == 64 ? std::bit_cast<double>(code)
                           : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
  }
  if (type.kind == 'u') return static_cast<double>(code) - type.middle;
  const std::uint64_t sign = std::uint64_t{1} << (type.bits - 1);
  return static_cast<double>(static_cast<std::int64_t>((code ^ sign) - sign)) - type.middle;
}

// Sets `clipped` where the number lies beyond the ends.
std::uint64_t code_of(const SampleType& type, double number, std::int64_t& clipped) {
  if (type.kind == 'f') {
    return type.bits == 64 ? std::bit_cast<std::uint64_t>(number) : std::bit_cast<std::uint32_t>(static_cast<float>(number));
  }
  const double half = std::ldexp(1.0, type.bits - 1);
  const double least = type.kind == 'u' ? 0 : -half, most = type.kind == 'u' ? 2 * half - 1 : half - 1;
  const double code = std::nearbyint(std::isnan(number) ? type.middle : number + type.middle);
  clipped += std::isnan(number) || code < least || code > most;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(code, least, most)));
}

template <typename Real>
void widen_each(const SampleType& type, std::span<const std::byte> bytes, Real* into) {
  for (std::size_t at = 0; at < bytes.size(); at += type.real_bytes())
    *into++ = static_cast<Real>(number_of(type, load_code(type, &bytes[at])));
}

template <typename Real>
std::int64_t narrow_each(const SampleType& type, const Real* numbers, std::int64_t reals, std::byte* to) {
  std::int64_t clipped = 0;
  for (std::int64_t i = 0; i < reals; ++i, to += type.real_bytes())
    store_code(type, code_of(type, static_cast<double>(numbers[i]), clipped), to);
  return clipped;
}

}  // namespace

const char* SampleType::storage() const {
  if (kind == 'i' && bits == 8) return "i8";
  if (kind == 'u' && bits == 8 && middle == 127.5) return "u8";
  const bool is_native = big_endian == (std::endian::native == std::endian::big);
  return kind == 'i' && bits == 16 && is_native ? "i16" : nullptr;
}

std::optional<SampleType> find_sample_type(std::string_view name) {
  SampleType type;
  type.name = name == "cfile" ? "cf32" : name;
  std::string_view rest = type.name;
  type.big_endian = rest.ends_with("_be");
  if (rest.ends_with("_be") || rest.ends_with("_le")) rest.remove_suffix(3);
  type.is_complex = rest.starts_with('c') || rest.starts_with("sc") || rest.starts_with("fc");
  const bool kind_first = rest.starts_with("sc") || rest.starts_with("fc");
  if (rest.empty()) return {};
  type.kind = rest[0];
  if (kind_first) rest.remove_prefix(2);
  if (!kind_first && (rest[0] == 'c' || rest[0] == 'r')) rest.remove_prefix(1);
  if (!kind_first) {
    if (rest.empty()) return {};
    type.kind = rest[0];
    rest.remove_prefix(1);
  }
  if (type.kind == 's') type.kind = 'i';
  const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), type.bits);
  if (failure != std::errc{} || end != rest.data() + rest.size()) return {};
  const bool known = type.kind == 'f'
                         ? type.bits == 32 || type.bits == 64
                         : (type.kind == 'i' || type.kind == 'u') && (type.bits == 8 || type.bits == 16 || type.bits == 32);
  if (!known) return {};
  if (type.kind != 'f') type.full_scale = std::ldexp(1.0, type.bits - 1);
  if (type.kind == 'u') type.middle = type.full_scale = type.full_scale - 0.5;
  return type;
}

std::string sample_type_names() {
  return "cs8, cu8, cs16, cs32, cf32, cf64 of complex samples, s8, u8, s16, u16, s32, f32, f64 of real ones, and with _be those "
         "whose first "
         "byte is the most significant";
}

std::optional<SampleType> type_by_extension(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == path.npos || path.find('/', dot) != path.npos ? std::nullopt
                                                              : find_sample_type(std::string_view(path).substr(dot + 1));
}

void widen(const SampleType& type, std::span<const std::byte> bytes, void* into) {
  if (bytes.empty()) return;
  if (is_plain_copy(type)) {
    std::memcpy(into, bytes.data(), bytes.size());
  } else if (const char* storage = type.storage()) {
    const ulpfft_conversion conversion = conversion_to(storage, static_cast<std::int64_t>(bytes.size() / type.real_bytes()));
    ulpfft::detail::check(ulpfft_decode(nullptr, &conversion, bytes.data(), nullptr, into));
  } else if (type.is_wide()) {
    widen_each(type, bytes, static_cast<double*>(into));
  } else {
    widen_each(type, bytes, static_cast<float*>(into));
  }
}

std::int64_t narrow(const SampleType& type, const void* numbers, std::int64_t reals, std::span<std::byte> into) {
  if (reals == 0) return 0;
  if (is_plain_copy(type)) {
    std::memcpy(into.data(), numbers, into.size());
    return 0;
  }
  if (const char* storage = type.storage()) {
    const ulpfft_conversion conversion = conversion_to(storage, reals);
    std::int64_t saturated = 0;
    ulpfft::detail::check(ulpfft_encode(nullptr, &conversion, numbers, into.data(), nullptr, &saturated));
    return saturated;
  }
  return type.is_wide() ? narrow_each(type, static_cast<const double*>(numbers), reals, into.data())
                        : narrow_each(type, static_cast<const float*>(numbers), reals, into.data());
}

}  // namespace ulpfft_tool::signals
