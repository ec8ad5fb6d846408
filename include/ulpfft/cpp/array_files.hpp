// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Arrays in files. c/array_files.h says what the files are, and which errors there are.
#ifndef ULPFFT_CPP_ARRAY_FILES_HPP_
#define ULPFFT_CPP_ARRAY_FILES_HPP_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ulpfft/cpp/error.hpp"
#include "ulpfft/ulpfft.h"

namespace ulpfft {
inline namespace v0 {

enum class ArrayPart : int { kCodes = ULPFFT_CODES, kScales = ULPFFT_SCALES, kExponents = ULPFFT_EXPONENTS };

// A narrow array or a .npy file that is open for reading.
class ArrayFile {
 public:
  explicit ArrayFile(const std::string& path) {
    ulpfft_array_file* opened = nullptr;
    detail::check(ulpfft_array_file_open(path.c_str(), &opened));
    file_.reset(opened);
    facts_.size = sizeof facts_;
    detail::check(ulpfft_array_file_get(opened, &facts_));
  }

  // Its texts and lengths live as long as this.
  const ulpfft_stored_array& facts() const noexcept { return facts_; }
  std::vector<std::int64_t> shape() const { return {facts_.shape, facts_.shape + facts_.rank}; }
  // Bytes of a part from byte `first` on, in the byte order of this machine.
  void read(ArrayPart part, std::int64_t first, std::span<std::byte> into) const {
    detail::check(ulpfft_array_file_read(file_.get(), static_cast<int>(part), first, static_cast<std::int64_t>(into.size()), into.data()));
  }

 private:
  struct Close {
    void operator()(ulpfft_array_file* file) const noexcept { ulpfft_array_file_close(file); }
  };
  std::unique_ptr<ulpfft_array_file, Close> file_;
  ulpfft_stored_array facts_{};
};

// A whole array as its files hold it.
struct StoredArray {
  std::string storage;  // empty: a .npy file whose numbers are codes of no storage; see numpy_type
  bool is_complex = false;
  std::vector<std::int64_t> shape;
  int axis = 0;
  std::vector<std::byte> codes;
  std::vector<std::byte> scales;
  std::vector<std::int32_t> exponents;
  std::optional<std::vector<std::int64_t>> exponent_shape;  // where there are exponents
  std::string numpy_type;           // of the file that was read
  bool first_axis_fastest = false;  // likewise
};

inline StoredArray read_array(const std::string& path) {
  const ArrayFile file(path);
  const ulpfft_stored_array& facts = file.facts();
  StoredArray array;
  array.storage = facts.storage == nullptr ? "" : facts.storage;
  array.is_complex = facts.is_complex != 0;
  array.shape = file.shape();
  array.axis = facts.axis;
  array.numpy_type = facts.numpy_type;
  array.first_axis_fastest = facts.first_axis_fastest != 0;
  array.codes.resize(static_cast<std::size_t>(facts.code_bytes));
  file.read(ArrayPart::kCodes, 0, array.codes);
  array.scales.resize(static_cast<std::size_t>(facts.scale_bytes));
  if (!array.scales.empty()) file.read(ArrayPart::kScales, 0, array.scales);
  if (facts.exponent_shape == nullptr) return array;
  array.exponent_shape.emplace(facts.exponent_shape, facts.exponent_shape + facts.rank);
  array.exponents.resize(static_cast<std::size_t>(facts.exponent_count));
  file.read(ArrayPart::kExponents, 0, std::as_writable_bytes(std::span(array.exponents)));
  return array;
}

// A narrow array: path ends in ".json".
inline void write_array(const std::string& path, const StoredArray& array) {
  ulpfft_stored_array to{};
  to.size = sizeof to;
  to.storage = array.storage.c_str();
  to.is_complex = array.is_complex ? 1 : 0;
  to.rank = static_cast<int>(array.shape.size());
  to.shape = array.shape.data();
  to.axis = array.axis;
  to.codes = array.codes.data();
  to.code_bytes = static_cast<std::int64_t>(array.codes.size());
  if (!array.scales.empty()) to.scales = array.scales.data();
  to.scale_bytes = static_cast<std::int64_t>(array.scales.size());
  if (array.exponent_shape) {
    static constexpr std::int64_t kNoLengths[1] = {};
    to.exponent_shape = array.exponent_shape->empty() ? kNoLengths : array.exponent_shape->data();
    to.exponents = array.exponents.data();
    to.exponent_count = static_cast<std::int64_t>(array.exponents.size());
  }
  detail::check(ulpfft_array_file_write(path.c_str(), &to));
}

}  // namespace v0
}  // namespace ulpfft

#endif  // ULPFFT_CPP_ARRAY_FILES_HPP_
