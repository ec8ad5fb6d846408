// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// An array between two pages that cannot be touched: reading or writing outside it ends the test at once, and so does touching it when it
// is gone.
//
// Data lie flush against the page after (kEnd: a vector loaded past the end faults) or before (kStart), or `shift` bytes away
// from it, which gives any misalignment. Every byte, the slack between data and guard page included, starts as a pattern
// derived from its position: a NaN in every format, different everywhere, so that a gap that was read shows up in results and
// a gap that was written is found by comparing.
#ifndef ULPFFT_TESTS_SUPPORT_GUARDED_BUFFER_H_
#define ULPFFT_TESTS_SUPPORT_GUARDED_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ulpfft::test {

enum class Flush : std::uint8_t { kStart, kEnd };

class GuardedBuffer {
 public:
  // Throws std::bad_alloc when the pages cannot be mapped.
  explicit GuardedBuffer(std::size_t bytes, Flush flush = Flush::kEnd, std::size_t shift = 0);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  std::byte* data() { return data_; }
  std::size_t size() const { return size_; }
  template <typename T>
  T* as() {
    return reinterpret_cast<T*>(data_);
  }

  // All bytes back to the pattern.
  void fill();
  // First byte (relative to data) that differs from the pattern, outside the elements marked in `used`: one flag per element
  // of `element_bytes`, covering the data. Slack is always checked; negative positions lie before the data.
  std::optional<std::ptrdiff_t> first_touched_gap(std::span<const std::uint8_t> used, std::size_t element_bytes) const;

  // One past the last byte of the data that differs from the pattern; 0: none does.
  std::size_t touched_end() const;

 private:
  std::byte* pages_ = nullptr;  // the whole mapping, guards included
  std::byte* area_ = nullptr;   // what may be touched
  std::size_t area_size_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_GUARDED_BUFFER_H_
