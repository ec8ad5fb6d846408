// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// NumPy's .npy: a magic text, a version, the length of the header, a Python dictionary as text, then the numbers.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/npy_type.h"

namespace ulpfft_tool {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kMostHeader = 1 << 16;

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

// Reads the dictionary: string keys; a string, True, False or a tuple of integers as value.
class HeaderReader {
 public:
  HeaderReader(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {}

  Header read() {
    Header header;
    expect('{', "header");
    while (!accept('}')) {
      const std::string key = quoted("header");
      expect(':', key);
      if (key == "descr") {
        if (peek() != '\'' && peek() != '"') refuse(path_, "descr", "arrays of records are not read.");
        header.descr = quoted(key);
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
      } else if (key == "shape") {
        header.shape = integers();
      } else {
        refuse(path_, "header", "has the unknown key '" + key + "'.");
      }
      if (!accept(',')) {
        expect('}', "header");
        break;
      }
    }
    skip_blanks();
    if (!text_.empty()) refuse(path_, "header", "has text after the dictionary.");
    return header;
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t')) text_.remove_prefix(1);
  }
  char peek() {
    skip_blanks();
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char wanted) {
    if (peek() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char wanted, const std::string& field) {
    if (!accept(wanted)) refuse(path_, field, "'" + std::string(1, wanted) + "' is missing in the header.");
  }
  std::string quoted(const std::string& field) {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse(path_, field, "a quoted text is missing in the header.");
    const std::size_t end = text_.find(quote, 1);
    if (end == text_.npos) refuse(path_, field, "a quotation mark is missing in the header.");
    std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }
  bool truth() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(std::strlen(word));
      return value;
    }
    refuse(path_, "fortran_order", "is neither True nor False.");
  }
  std::vector<std::int64_t> integers() {
    std::vector<std::int64_t> list;
    expect('(', "shape");
    while (!accept(')')) {
      skip_blanks();
      std::int64_t next = 0;
      const auto [end, failure] = std::from_chars(text_.data(), text_.data() + text_.size(), next);
      if (failure != std::errc{}) refuse(path_, "shape", "is not a tuple of integers.");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      if (list.size() == 64) refuse(path_, "shape", "has more than 64 axes.");
      list.push_back(next);
      accept('L');  // as Python 2 wrote
      if (!accept(',')) {
        expect(')', "shape");
        break;
      }
    }
    return list;
  }

  std::string path_;
  std::string_view text_;
};

// A file whose header is read, so that the numbers come next.
class Npy {
 public:
  explicit Npy(const std::string& path);
  const std::string& descr() const { return *header_.descr; }
  const std::vector<std::int64_t>& shape() const { return *header_.shape; }
  bool fortran_order() const { return *header_.fortran_order; }
  InputFile& file() { return file_; }
  std::size_t begin() const { return before_; }  // of the numbers
  // Refuses a file whose size is not that of `count` numbers of so many bytes.
  void require_data(std::size_t count, std::size_t bytes_of_one) const;

 private:
  std::string path_;
  InputFile file_;
  std::size_t before_ = 0;  // bytes before the numbers
  Header header_;
};

// A file of something else, by its first bytes as they can be printed.
[[noreturn]] void refuse_content(const std::string& path, InputFile& file) {
  constexpr std::size_t kShown = 24;
  std::string begin(std::min(file.size(), kShown), ' ');
  file.seek(0);
  file.read(std::as_writable_bytes(std::span(begin)), "magic");
  if (const std::size_t end = begin.find('\n'); end != begin.npos) begin.resize(end);
  std::replace_if(begin.begin(), begin.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  refuse(path, "magic", "it is not a NumPy file: it begins with '" + begin + "'.");
}

Npy::Npy(const std::string& path) : path_(path), file_(path) {
  if (file_.size() == 0) throw Failure(path + ": is empty.");
  std::array<unsigned char, 8> start{};
  const std::size_t present = std::min(file_.size(), kMagic.size());
  file_.read(std::as_writable_bytes(std::span(start).first(present)), "magic");
  if (std::memcmp(start.data(), kMagic.data(), present) != 0) refuse_content(path, file_);
  file_.read(std::as_writable_bytes(std::span(start).subspan(present)), "magic");
  const int version = start[6];
  if (version < 1 || version > 3) refuse(path, "version", std::to_string(version) + " is not 1, 2 or 3.");
  std::array<unsigned char, 4> length_bytes{};
  const std::size_t width = version == 1 ? 2 : 4;
  file_.read(std::as_writable_bytes(std::span(length_bytes).first(width)), "header length");
  std::size_t header_bytes = 0;
  for (std::size_t i = width; i-- > 0;) header_bytes = header_bytes << 8 | length_bytes[i];
  if (header_bytes > kMostHeader) refuse(path, "header length", std::to_string(header_bytes) + " bytes are more than 65536.");
  std::string text(header_bytes, ' ');
  file_.read(std::as_writable_bytes(std::span(text)), "header");
  header_ = HeaderReader(path, text).read();
  if (!header_.descr) refuse(path, "descr", "is missing in the header.");
  if (!header_.fortran_order) refuse(path, "fortran_order", "is missing in the header.");
  if (!header_.shape) refuse(path, "shape", "is missing in the header.");
  if (header_.shape->empty()) refuse(path, "shape", "is (): the file holds one number, not an array.");
  before_ = kMagic.size() + 2 + width + header_bytes;
}

void Npy::require_data(std::size_t count, std::size_t bytes_of_one) const {
  const std::size_t present = file_.size() - std::min(file_.size(), before_);
  if (present == count * bytes_of_one) return;
  refuse(path_, "data", "has " + std::to_string(present) + " bytes, but shape and descr ask for " + std::to_string(count * bytes_of_one) + ".");
}

constexpr std::size_t kPiece = std::size_t{1} << 16;  // numbers that are read at a time

// Calls take(reals of a piece, place of its first number) from the first number to the last.
template <typename Real, typename Take>
void read_pieces(const std::string& path, InputFile& file, const NpyType& type, std::size_t count, const Take& take) {
  std::vector<std::byte> bytes(std::min(count, kPiece) * type.bytes);
  std::vector<Real> reals(std::min(count, kPiece) * type.parts());
  for (std::size_t done = 0; done < count; done += kPiece) {
    const std::size_t now = std::min(count - done, kPiece);
    const auto piece = std::span(bytes).first(now * type.bytes);
    const auto of_piece = std::span(reals).first(now * type.parts());
    file.read(piece, "data");
    decode_npy(path, type, piece, done, of_piece);
    take(of_piece, done);
  }
}

template <typename Real>
Numbers read_numbers(const std::string& path, InputFile& file, const NpyType& type, std::size_t count) {
  std::vector<std::complex<Real>> numbers(count);
  if (type.is_complex()) {
    file.read(std::as_writable_bytes(std::span(numbers)), "data");
    if (type.swapped) swap_bytes(type, std::as_writable_bytes(std::span(numbers)));
    return numbers;
  }
  read_pieces<Real>(path, file, type, count, [&](std::span<const Real> reals, std::size_t first) {
    std::copy(reals.begin(), reals.end(), numbers.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return numbers;
}

template <typename Real>
Reals read_reals(const std::string& path, InputFile& file, const NpyType& type, std::size_t count) {
  std::vector<Real> numbers(count);
  read_pieces<Real>(path, file, type, count, [&](std::span<const Real> reals, std::size_t first) {
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
  std::string text = "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape_text(shape) + ", }";
  const std::size_t before = kMagic.size() + 4;
  text += std::string(63 - (before + text.size()) % 64, ' ') + "\n";  // the numbers begin at a multiple of 64
  file.write(kMagic);
  file.write(std::string{'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)});
  file.write(text);
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

NpyFacts read_npy_facts(const std::string& path) {
  const Npy npy(path);
  NpyFacts facts{npy_type(path, npy.descr()), npy.fortran_order(), npy.shape(), npy.begin()};
  npy.require_data(count_elements(path, npy.shape()), facts.type.bytes);
  return facts;
}

Array read_npy(const std::string& path) {
  Npy npy(path);
  const NpyType type = npy_type(path, npy.descr());
  Array array;
  array.kind = FileKind::kNpy;
  array.shape = npy.shape();
  array.first_axis_fastest = npy.fortran_order();
  array.is_real = !type.is_complex();
  array.type = type.storage().empty() ? type.name() : type.storage();
  const std::size_t count = count_elements(path, array.shape);
  npy.require_data(count, type.bytes);
  array.data = type.is_double() ? read_numbers<double>(path, npy.file(), type, count) : read_numbers<float>(path, npy.file(), type, count);
  return array;
}

RealArray read_real_npy(const std::string& path) {
  Npy npy(path);
  const NpyType type = npy_type(path, npy.descr());
  if (type.is_complex())
    refuse(path, "descr", "'" + type.descr + "' is complex, but real numbers are needed: float32, float64, float16 or integers.");
  RealArray array;
  array.shape = npy.shape();
  array.first_axis_fastest = npy.fortran_order();
  const std::size_t count = count_elements(path, array.shape);
  npy.require_data(count, type.bytes);
  array.data = type.is_double() ? read_reals<double>(path, npy.file(), type, count) : read_reals<float>(path, npy.file(), type, count);
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

std::vector<std::byte> read_npy_codes(const std::string& path, const std::string& descr, const std::vector<std::int64_t>& shape,
                                      std::size_t bytes_of_one) {
  Npy npy(path);
  if (npy.descr() != descr) refuse(path, "descr", "is '" + npy.descr() + "', but this array needs '" + descr + "'.");
  if (npy.fortran_order()) refuse(path, "fortran_order", "is True; codes are in C order.");
  if (npy.shape() != shape) refuse(path, "shape", "is " + shape_text(npy.shape()) + ", but this array needs " + shape_text(shape) + ".");
  const std::size_t count = count_elements(path, shape);
  npy.require_data(count, bytes_of_one);
  std::vector<std::byte> codes(count * bytes_of_one);
  npy.file().read(codes, "data");
  return codes;
}

void write_npy_codes(OutputFile& file, const std::string& descr, const std::vector<std::int64_t>& shape, std::span<const std::byte> codes) {
  write_header(file, descr, false, shape);
  file.write(codes);
}

}  // namespace ulpfft_tool
