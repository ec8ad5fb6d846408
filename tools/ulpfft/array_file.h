// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays of numbers in files: NumPy's .npy (versions 1 to 3) and BART's pair .cfl + .hdr.
//
// Shapes   `shape` and axis numbers are those of the file: NumPy's order for .npy; dimensions 0..15 for .cfl, of which 0
//          varies fastest. `strides` say where an axis lies in memory, which is the order of the file.
// Types    .npy: every type of npy_type.h; read_array() reads real numbers as complex with imaginary part 0. .cfl: complex of float32.
// Errors   Failure, naming the file and the field at fault. A size that contradicts the header is refused before anything is
//          allocated. Writing goes to a new file beside the old one, which it replaces when complete.
#ifndef ULPFFT_TOOLS_ULPFFT_ARRAY_FILE_H_
#define ULPFFT_TOOLS_ULPFFT_ARRAY_FILE_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/ulpfft/npy_type.h"
#include "tools/ulpfft/unfinished.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool {

enum class FileKind { kNpy, kCfl };

// By the end of the name; throws Failure for any other.
FileKind kind_of(const std::string& path);

using Numbers = std::variant<std::vector<std::complex<float>>, std::vector<std::complex<double>>>;

struct Array {
  FileKind kind = FileKind::kNpy;
  std::vector<std::int64_t> shape;  // every entry at least 1
  bool first_axis_fastest = false;  // Fortran order; always for .cfl
  bool is_real = false;             // a .npy file of real numbers, as which it is written; imaginary parts are 0
  std::string type;  // of the numbers in a .npy file: a storage, e.g. "i16", or where there is none NumPy's name
  Numbers data;

  bool is_double() const { return data.index() == 1; }
  std::vector<std::int64_t> strides() const;  // in elements
};

// The real numbers of a .npy file, without imaginary parts.
using Reals = std::variant<std::vector<float>, std::vector<double>>;
struct RealArray {
  std::vector<std::int64_t> shape;
  bool first_axis_fastest = false;
  Reals data;

  bool is_double() const { return data.index() == 1; }
  std::vector<std::int64_t> strides() const;  // in reals
};

// An Array whose imaginary parts are 0, and back.
Array with_imaginary_parts(const RealArray& reals);
RealArray real_parts(const Array& array);

// An Array or a RealArray with its numbers as doubles, or as floats.
template <typename WideArray>
WideArray in_type(const WideArray& array, bool as_double) {
  if (array.is_double() == as_double) return array;
  WideArray result = array;
  std::visit(
      [&](const auto& numbers) {
        if (as_double) {
          result.data.template emplace<1>(numbers.begin(), numbers.end());
        } else {
          result.data.template emplace<0>(numbers.begin(), numbers.end());
        }
      },
      array.data);
  return result;
}

Array read_array(const std::string& path);

// The kind of file follows from `path`. A .cfl file needs first_axis_fastest and at most 16 axes; f64 is rounded to f32 there.
void write_array(const std::string& path, const Array& array);

// ---- For the two formats --------------------------------------------------------------------------------------------------

Array read_npy(const std::string& path);
Array read_cfl(const std::string& path);
void write_npy(const std::string& path, const Array& array);
RealArray read_real_npy(const std::string& path);  // refuses complex numbers
void write_npy(const std::string& path, const RealArray& array);
void write_cfl(const std::string& path, const Array& array);

std::vector<std::int64_t> read_cfl_shape(const std::string& path);  // 16 lengths; the numbers begin the file

// Whether a file that begins so is a .npy file.
bool begins_as_npy(std::span<const std::byte> start);

// A file of an array as the library reads it, .json or .npy, and bytes of its codes. Failure with the sentence of the library.
ulpfft::ArrayFile open_array_file(const std::string& path);
void read_array_file(const ulpfft::ArrayFile& file, std::int64_t first, std::span<std::byte> into,
                     ulpfft::ArrayPart part = ulpfft::ArrayPart::kCodes);

// A .npy file with one axis and one number at least, whose numbers are read piece by piece.
struct NpyFile {
  explicit NpyFile(const std::string& path);
  // From number `first` on, in the byte order of memory.
  void read(std::size_t first, std::span<std::byte> into) const;

  ulpfft::ArrayFile file;
  NpyType type;
  std::vector<std::int64_t> shape;
  bool first_axis_fastest = false;
  std::size_t count = 0;
};

// Bytes of numbers in C order as a .npy file. `file` is left to finish.
class OutputFile;
// A header of version 1; at least of so many bytes, so that another shape fits into the same.
std::string npy_header(const std::string& descr, bool fortran_order, const std::vector<std::int64_t>& shape, std::size_t least_bytes = 0);
void write_npy_codes(OutputFile& file, const std::string& descr, const std::vector<std::int64_t>& shape, std::span<const std::byte> codes);

[[noreturn]] void refuse(const std::string& path, const std::string& field, const std::string& why);

// Product of all entries; refuses what exceeds 2^48 numbers.
std::size_t count_elements(const std::string& path, const std::vector<std::int64_t>& shape);

// A file opened for reading, of known size.
class InputFile {
 public:
  explicit InputFile(const std::string& path);  // a regular file, or Failure
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  std::size_t size() const { return size_; }
  void seek(std::size_t byte);  // of the file, where the next read begins
  void read(std::span<std::byte> into, const std::string& field);  // all of it, or Failure naming the field

 private:
  std::string path_;
  int descriptor_;
  std::size_t size_ = 0;
};

// A file that appears under its name when it is complete: written beside it, then renamed. See unfinished.h for what happens when it is not.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();  // removes what was not committed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  void write(std::span<const std::byte> from);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void write_again(std::size_t at, std::string_view text);  // bytes that are there already, e.g. a header
  void finish();  // everything is on the disk, under the temporary name
  void commit();  // after finish()

 private:
  [[noreturn]] void fail(const std::string& what) const;
  std::string path_;
  std::string temporary_;
  std::optional<RemovedBySignals> begun_;  // before the file is
  int descriptor_;                         // -1: committed
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ARRAY_FILE_H_
