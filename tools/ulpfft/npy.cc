// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// NumPy's .npy: what its numbers are here, and how one is written.
#include <algorithm>
#include <cstring>
#include <utility>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/npy_type.h"

namespace ulpfft_tool {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kNumbersAtATime = std::size_t{1} << 16;  // numbers that are read at a time

// Calls take(reals of a piece, place of its first number) from the first number to the last.
template <typename Real, typename Take>
void read_pieces(const std::string& path, const NpyFile& npy, const Take& take) {
  const NpyType& type = npy.type;
  std::vector<std::byte> bytes(std::min(npy.count, kNumbersAtATime) * type.bytes);
  std::vector<Real> reals(std::min(npy.count, kNumbersAtATime) * type.parts());
  for (std::size_t done = 0; done < npy.count; done += kNumbersAtATime) {
    const std::size_t now = std::min(npy.count - done, kNumbersAtATime);
    const auto piece = std::span(bytes).first(now * type.bytes);
    const auto of_piece = std::span(reals).first(now * type.parts());
    npy.read(done, piece);
    decode_npy(path, type, std::span<const std::byte>(piece), done, of_piece);
    take(of_piece, done);
  }
}

template <typename Real>
Numbers read_numbers(const std::string& path, const NpyFile& npy) {
  std::vector<std::complex<Real>> numbers(npy.count);
  if (npy.type.is_complex()) {
    npy.read(0, std::as_writable_bytes(std::span(numbers)));
    return numbers;
  }
  read_pieces<Real>(path, npy, [&](std::span<const Real> reals, std::size_t first) {
    std::copy(reals.begin(), reals.end(), numbers.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return numbers;
}

template <typename Real>
Reals read_reals(const std::string& path, const NpyFile& npy) {
  std::vector<Real> numbers(npy.count);
  read_pieces<Real>(path, npy, [&](std::span<const Real> reals, std::size_t first) {
    std::copy(reals.begin(), reals.end(), numbers.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return numbers;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (const std::int64_t length : shape) text += std::to_string(length) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);
  if (shape.size() == 1) text.resize(text.size() - 1);
  return text + ")";
}

void write_header(OutputFile& file, const std::string& descr, bool fortran_order, const std::vector<std::int64_t>& shape) {
  file.write(npy_header(descr, fortran_order, shape));
}

template <typename Element>
void write_reals(OutputFile& file, const std::vector<Element>& numbers) {
  std::vector<typename Element::value_type> reals(std::min<std::size_t>(numbers.size(), std::size_t{1} << 16));
  for (std::size_t done = 0; done < numbers.size();) {
    const auto piece = std::span(reals).first(std::min(reals.size(), numbers.size() - done));
    for (auto& real : piece) real = numbers[done++].real();
    file.write(std::as_bytes(piece));
  }
}

}  // namespace

std::string npy_header(const std::string& descr, bool fortran_order, const std::vector<std::int64_t>& shape, std::size_t least_bytes) {
  std::string text = "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape_text(shape) + ", }";
  const std::size_t before = kMagic.size() + 4;
  const std::size_t whole = std::max((before + text.size() + 64) / 64 * 64, least_bytes);  // the numbers begin at a multiple of 64
  text += std::string(whole - before - text.size() - 1, ' ') + "\n";
  return std::string(kMagic) + std::string{'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)} + text;
}

NpyFile::NpyFile(const std::string& path)
    : file(open_array_file(path)), type(npy_type(file.facts().numpy_type)), shape(file.shape()),
      first_axis_fastest(file.facts().first_axis_fastest != 0) {
  if (shape.empty()) refuse(path, "shape", "is (): the file holds one number, not an array.");
  count = count_elements(path, shape);
}

void NpyFile::read(std::size_t first, std::span<std::byte> into) const {
  read_array_file(file, static_cast<std::int64_t>(first * type.bytes), into);
}

Array read_npy(const std::string& path) {
  const NpyFile npy(path);
  Array array;
  array.kind = FileKind::kNpy;
  array.shape = npy.shape;
  array.first_axis_fastest = npy.first_axis_fastest;
  array.is_real = !npy.type.is_complex();
  array.type = npy.type.storage().empty() ? npy.type.name() : npy.type.storage();
  array.data = npy.type.is_double() ? read_numbers<double>(path, npy) : read_numbers<float>(path, npy);
  return array;
}

RealArray read_real_npy(const std::string& path) {
  const NpyFile npy(path);
  if (npy.type.is_complex())
    refuse(path, "descr", "'" + npy.type.descr + "' is complex, but real numbers are needed: float32, float64, float16 or integers.");
  RealArray array;
  array.shape = npy.shape;
  array.first_axis_fastest = npy.first_axis_fastest;
  array.data = npy.type.is_double() ? read_reals<double>(path, npy) : read_reals<float>(path, npy);
  return array;
}

bool begins_as_npy(std::span<const std::byte> start) {
  return start.size() >= kMagic.size() && std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

void write_npy(const std::string& path, const RealArray& array) {
  OutputFile file(path);
  write_header(file, array.is_double() ? "<f8" : "<f4", array.first_axis_fastest, array.shape);
  std::visit([&](const auto& numbers) { file.write(std::as_bytes(std::span(numbers))); }, array.data);
  file.finish();
  file.commit();
}

void write_npy(const std::string& path, const Array& array) {
  OutputFile file(path);
  const std::string descr = array.is_real ? (array.is_double() ? "<f8" : "<f4") : array.is_double() ? "<c16" : "<c8";
  write_header(file, descr, array.first_axis_fastest, array.shape);
  std::visit(
      [&](const auto& numbers) {
        if (array.is_real) {
          write_reals(file, numbers);
        } else {
          file.write(std::as_bytes(std::span(numbers)));
        }
      },
      array.data);
  file.finish();
  file.commit();
}

void write_npy_codes(OutputFile& file, const std::string& descr, const std::vector<std::int64_t>& shape, std::span<const std::byte> codes) {
  write_header(file, descr, false, shape);
  file.write(codes);
}

}  // namespace ulpfft_tool
