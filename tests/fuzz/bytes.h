// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The bytes of a fuzzer as choices, numbers and texts.
#ifndef ULPFFT_TESTS_FUZZ_BYTES_H_
#define ULPFFT_TESTS_FUZZ_BYTES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ulpfft::fuzz {

// Zeros when the bytes have run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool done() const { return at_ >= size_; }
  unsigned byte() { return at_ < size_ ? data_[at_++] : 0U; }
  // 0 <= result < count, count up to 256
  unsigned below(unsigned count) { return byte() % count; }
  bool flag() { return below(2) == 1; }
  std::int64_t number() {
    std::uint64_t value = 0;
    const unsigned width = std::array{1U, 1U, 2U, 8U}[below(4)];
    for (unsigned i = 0; i < width; ++i) value = value << 8 | byte();
    return static_cast<std::int64_t>(value);
  }
  std::string text() {
    std::string result;
    for (unsigned left = byte(); left > 0 && !done(); --left) result += static_cast<char>(byte());
    return result;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace ulpfft::fuzz

#endif  // ULPFFT_TESTS_FUZZ_BYTES_H_
