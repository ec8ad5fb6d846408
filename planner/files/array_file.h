// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in files, see ulpfft/c/array_files.h: what opening one finds, and how one is written.
#ifndef ULPFFT_PLANNER_FILES_ARRAY_FILE_H_
#define ULPFFT_PLANNER_FILES_ARRAY_FILE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/contract/storage.h"
#include "planner/files/input_file.h"

namespace ulpfft {

// Codes, scales or exponents in their file.
struct ArrayPart {
  InputFile file;
  std::size_t begin = 0;    // byte of the first number
  std::int64_t bytes = 0;   // of all numbers
  std::size_t number = 1;   // bytes of a number
  std::size_t swapped = 0;  // bytes of a real whose order is that of other machines; 0: none is
};

// The lengths of a narrow array, and what follows from them.
struct NarrowShape {
  Storage storage;
  bool is_complex = false;
  std::vector<std::int64_t> shape;
  std::size_t axis = 0;

  std::vector<std::int64_t> codes_shape() const;  // in the file
  std::vector<std::int64_t> scales_shape() const;
  std::int64_t code_bytes() const { return rows() * row_bytes(); }
  std::int64_t scale_bytes() const { return rows() * ulpfft::scale_bytes(storage, row_reals()); }
  std::string numpy_type() const;  // of codes

 private:
  std::int64_t row_numbers() const { return shape.empty() ? 1 : shape[axis]; }
  std::int64_t row_reals() const { return row_numbers() * (is_complex ? 2 : 1); }
  std::int64_t row_bytes() const { return ulpfft::code_bytes(storage, row_reals()); }
  std::int64_t rows() const;
  std::vector<std::int64_t> others() const;
};

// The type that NumPy shows codes as: numbers where it knows them, else bytes.
std::string numpy_type_of(const Storage& storage);
// How many numbers there are; nothing where a length is negative, or where there are more than 2^48.
std::optional<std::int64_t> count_of(const std::vector<std::int64_t>& shape);
// Whether exponents of this shape suit an array: its lengths, or 1.
bool suits_exponents(const std::vector<std::int64_t>& exponent_shape, const std::vector<std::int64_t>& shape);

inline constexpr std::string_view kNarrowSuffix = ".json";
inline constexpr std::array<const char*, 3> kPartNames = {"codes", "scales", "exponents"};

}  // namespace ulpfft

// The C handle.
struct ulpfft_array_file {
  std::string storage;  // "" where there is none
  std::string numpy_type;
  bool is_complex = false;
  bool first_axis_fastest = false;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> exponent_shape;
  std::size_t axis = 0;
  std::array<std::optional<ulpfft::ArrayPart>, 3> parts;  // ULPFFT_CODES, ...
};

namespace ulpfft {

std::unique_ptr<ulpfft_array_file> open_array(const std::string& path);

// What is written: checked, and complete.
struct NarrowArray {
  std::string name;  // of the storage
  NarrowShape shape;
  std::array<std::span<const std::byte>, 3> parts;  // without scales and exponents: empty
  std::optional<std::vector<std::int64_t>> exponent_shape;
};
void write_narrow(const std::string& path, const NarrowArray& array);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_FILES_ARRAY_FILE_H_
