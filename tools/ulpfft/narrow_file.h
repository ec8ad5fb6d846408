// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in narrow storage as files, which the library reads and writes (ulpfft/c/array_files.h), and conversions of them.
//
// Shapes   `shape` counts numbers. Rows run along `axis`; in the files it is the last axis, the others keep their order.
// Errors   Failure, naming the file and the field at fault.
#ifndef ULPFFT_TOOLS_ULPFFT_NARROW_FILE_H_
#define ULPFFT_TOOLS_ULPFFT_NARROW_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/ulpfft/array_file.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

// What a storage name, e.g. "mxfp8_e4m3:b8:floor", means.
struct StorageFacts {
  std::string name;       // with its suffixes
  ulpfft_format format{};
  bool wide = false;      // f32 or f64
  bool packed = false;    // codes are no whole bytes
  bool blocks = false;
  bool in_rows() const { return packed || blocks; }  // strides count rows
  std::size_t code_bytes() const { return static_cast<std::size_t>(format.bits) / 8; }  // not of packed formats
};

// `name` is the word [begin, begin + size) of `text`, an argument of the command line: UsageError shows it.
StorageFacts storage_facts(const std::string& name, const std::string& text, std::size_t begin = 0);

struct NarrowArray {
  StorageFacts storage;
  bool is_complex = true;
  std::vector<std::int64_t> shape;
  std::size_t axis = 0;  // rows run along it
  std::vector<std::byte> codes;
  std::vector<std::byte> scales;
  std::vector<std::int32_t> exponents;        // empty: none
  std::vector<std::int64_t> exponent_shape;   // of every axis its length, or 1; C order
  std::vector<std::string> files;             // that it was read from

  std::int64_t reals_of_row() const { return shape[axis] * (is_complex ? 2 : 1); }
  std::int64_t numbers() const;  // real ones
  ulpfft_layout layout() const;
  void allocate();  // codes and scales, zero
  std::vector<std::int64_t> strides() const;  // in numbers of the file's order, rows without gaps
  std::vector<std::int64_t> exponent_strides() const;  // 0 along axes that share one
};

bool is_narrow_file(const std::string& path);  // by the end of its name
NarrowArray read_narrow(const std::string& path);
void write_narrow(const std::string& path, const NarrowArray& array);
std::vector<std::string> files_of(const std::string& path, const NarrowArray& array);  // that write_narrow() writes
std::vector<std::string> files_beside(const std::string& path);  // that it may write besides `path`
// The real numbers of a .npy file in C order whose codes are those of a storage: float16, int8, int16. Nothing of other files.
std::optional<NarrowArray> read_npy_narrow(const std::string& path);
// Whether NumPy has a type for the codes of real numbers, so that a .npy file alone holds them; and such a file.
bool has_numpy_type(const StorageFacts& storage);
void write_npy(const std::string& path, const NarrowArray& array);
// Samples without a header, re first, as transforms of `length` points: shape (transforms, length). Streams are read to their end.
struct RawSamples {
  NarrowArray array;      // of an element format,
  Array wide;             // or of f32 and f64
  std::int64_t dropped = 0;  // bytes of a partial transform at the end
};
RawSamples read_raw(const std::string& path, const StorageFacts& storage, std::int64_t length, bool drop_partial);

// ---- Conversions ------------------------------------------------------------------------------------------------------------

struct Rounding {
  int kind = ULPFFT_ROUND_SATURATE;
  std::uint64_t seed = 0;
};
// Rounded once from the type of `from`. Adds to `saturated` what lay beyond the largest value.
NarrowArray encode(const Array& from, const StorageFacts& storage, std::size_t axis, const Rounding& rounding, std::int64_t& saturated);
// To f32 or f64, in C order.
Array decode(const NarrowArray& from, bool as_double);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_NARROW_FILE_H_
