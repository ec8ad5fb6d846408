// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/npy_type.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "tools/ulpfft/array_file.h"

namespace ulpfft_tool {
namespace {

static_assert(std::endian::native == std::endian::little, "the order of memory");

// Binary16, exactly.
float half(std::uint16_t code) {
  const int exponent = code >> 10 & 31, mantissa = code & 1023;
  float value = std::ldexp(static_cast<float>(exponent == 0 ? mantissa : mantissa + 1024), std::max(exponent, 1) - 25);
  if (exponent == 31) value = mantissa == 0 ? HUGE_VALF : NAN;
  return (code & 0x8000) != 0 ? -value : value;
}

template <typename Stored, typename Real>
void convert(const std::string& path, const std::byte* from, std::size_t first, std::span<Real> into) {
  for (std::size_t i = 0; i < into.size(); ++i, from += sizeof(Stored)) {
    Stored number;
    std::memcpy(&number, from, sizeof number);
    into[i] = static_cast<Real>(number);
    if constexpr (std::is_integral_v<Stored> && sizeof(Stored) == 8) {
      // Converting a double beyond the type back is undefined; the type's largest number rounds up to such a one.
      const bool beyond = static_cast<double>(into[i]) >= (std::is_signed_v<Stored> ? 0x1p63 : 0x1p64);
      if (!beyond && static_cast<Stored>(into[i]) == number) continue;
      refuse(path, "data", "number " + std::to_string(first + i) + " is " + std::to_string(number) +
                               ", which f64 does not hold exactly. Round it first: numpy.ndarray.astype('float64').");
    }
  }
}

}  // namespace

bool NpyType::is_double() const {
  if (kind == 'c') return bytes == 16;
  return kind == 'f' ? bytes == 8 : bytes > 2;
}

std::string NpyType::name() const {
  if (kind == 'b') return "bool";
  return (kind == 'c' ? "complex" : kind == 'f' ? "float" : kind == 'i' ? "int" : "uint") + std::to_string(8 * bytes);
}

std::string NpyType::storage() const {
  if (kind == 'c') return bytes == 16 ? "f64" : "f32";
  if (kind == 'f' || (kind == 'i' && bytes <= 2)) return kind + std::to_string(8 * bytes);
  return "";
}

NpyType npy_type(const std::string& descr) {
  const std::string type = descr.substr(1);
  return {descr, type.front(), type == "c16" ? 16 : static_cast<std::size_t>(type[1] - '0')};
}

template <typename Real>
void decode_npy(const std::string& path, const NpyType& type, std::span<const std::byte> numbers, std::size_t first, std::span<Real> into) {
  const std::byte* const from = numbers.data();
  const std::size_t size = type.bytes / type.parts();
  if (type.kind == 'f' && size == 2) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      std::uint16_t code;
      std::memcpy(&code, from + 2 * i, sizeof code);
      into[i] = half(code);
    }
    return;
  }
  if (type.kind == 'c' || type.kind == 'f')
    return size == 4 ? convert<float>(path, from, first, into) : convert<double>(path, from, first, into);
  if (type.kind == 'i') {
    return size == 1   ? convert<std::int8_t>(path, from, first, into)
           : size == 2 ? convert<std::int16_t>(path, from, first, into)
           : size == 4 ? convert<std::int32_t>(path, from, first, into)
                       : convert<std::int64_t>(path, from, first, into);
  }
  return size == 1   ? convert<std::uint8_t>(path, from, first, into)
         : size == 2 ? convert<std::uint16_t>(path, from, first, into)
         : size == 4 ? convert<std::uint32_t>(path, from, first, into)
                     : convert<std::uint64_t>(path, from, first, into);
}

template void decode_npy(const std::string&, const NpyType&, std::span<const std::byte>, std::size_t, std::span<float>);
template void decode_npy(const std::string&, const NpyType&, std::span<const std::byte>, std::size_t, std::span<double>);

}  // namespace ulpfft_tool
