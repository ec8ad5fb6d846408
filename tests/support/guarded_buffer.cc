// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace ulpfft::test {

GuardedBuffer::GuardedBuffer(std::size_t bytes, Flush flush, std::size_t shift) : size_(bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  area_size_ = std::max<std::size_t>(1, (bytes + shift + page - 1) / page) * page;
  mapped_ = area_size_ + 2 * page;
  void* mapping = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte*>(mapping);
  area_ = pages_ + page;
  mprotect(pages_, page, PROT_NONE);
  mprotect(area_ + area_size_, page, PROT_NONE);
  data_ = flush == Flush::kStart ? area_ + shift : area_ + area_size_ - shift - bytes;
  fill();
}

GuardedBuffer::~GuardedBuffer() { munmap(pages_, mapped_); }

// Bytes 6 and 7 of eight, and 2 and 3 of four, of every naturally aligned number make a quiet NaN; the others vary.
std::byte GuardedBuffer::pattern(std::size_t position) const {
  const auto place = static_cast<std::size_t>(area_ - pages_) + position;
  if (place % 4 == 3) return std::byte{0x7f};
  if (place % 4 == 2) return std::byte{0xff};
  return static_cast<std::byte>((place * 2654435761U) >> 13U & 0xffU);
}

void GuardedBuffer::fill() {
  for (std::size_t i = 0; i < area_size_; ++i) area_[i] = pattern(i);
}

std::optional<std::ptrdiff_t> GuardedBuffer::first_touched_gap(std::span<const std::uint8_t> used, std::size_t element_bytes) const {
  const auto before = static_cast<std::size_t>(data_ - area_);
  for (std::size_t i = 0; i < area_size_; ++i) {
    const bool inside = i >= before && i < before + size_;
    if (inside && used[(i - before) / element_bytes] != 0) continue;
    if (area_[i] != pattern(i)) return static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(before);
  }
  return std::nullopt;
}

std::size_t GuardedBuffer::touched_end() const {
  const auto before = static_cast<std::size_t>(data_ - area_);
  std::size_t end = size_;
  while (end > 0 && data_[end - 1] == pattern(before + end - 1)) --end;
  return end;
}

}  // namespace ulpfft::test
