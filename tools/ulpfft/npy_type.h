// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// NumPy's types of numbers, and how they are read: float16, float32, float64, complex64, complex128, bool, and integers of 8 to 64 bits,
// each in both byte orders.
//
// Exact    Every number becomes a float or a double that equals it: a double where the type has numbers that a float lacks.
//          Integers of 64 bits that no double equals are refused.
#ifndef ULPFFT_TOOLS_ULPFFT_NPY_TYPE_H_
#define ULPFFT_TOOLS_ULPFFT_NPY_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ulpfft_tool {

struct NpyType {
  std::string descr;    // "<c8"
  char kind = 'f';      // c complex, f floating, i and u integer, b bool
  std::size_t bytes = 0;  // of one number

  bool is_complex() const { return kind == 'c'; }
  std::size_t parts() const { return is_complex() ? 2 : 1; }
  bool is_double() const;
  // "complex64", "int16": as NumPy calls it.
  std::string name() const;
  // The storage whose codes these are: f16, i8, i16, f32, f64; "" where there is none.
  std::string storage() const;
};

// The type of a file that the library has opened.
NpyType npy_type(const std::string& descr);

// Numbers in the byte order of memory, as reals: two of each complex one. `first`: the place of the first of them, for what is refused.
template <typename Real>
void decode_npy(const std::string& path, const NpyType& type, std::span<const std::byte> numbers, std::size_t first, std::span<Real> into);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_NPY_TYPE_H_
