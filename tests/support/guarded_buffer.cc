// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace ulpfft::test {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Bytes 6 and 7 of eight, and 2 and 3 of four, of every naturally aligned number make a quiet NaN; the others vary.
std::byte pattern(std::size_t position) {
  const std::size_t place = page_size() + position;
  if (place % 4 == 3) return std::byte{0x7f};
  if (place % 4 == 2) return std::byte{0xff};
  return static_cast<std::byte>((place * 2654435761U) >> 13U & 0xffU);
}

// The pattern of as many bytes as most arrays have; computing it takes longer than what is tested.
const std::vector<std::byte>& pattern_table() {
  static const std::vector<std::byte> table = [] {
    std::vector<std::byte> bytes(std::size_t{1} << 18U);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i);
    return bytes;
  }();
  return table;
}

// First of the positions begin..end where `area` differs from the pattern, or end.
std::size_t first_difference(const std::byte* area, std::size_t begin, std::size_t end) {
  const std::vector<std::byte>& table = pattern_table();
  if (end <= table.size() && std::memcmp(area + begin, table.data() + begin, end - begin) == 0) return end;
  while (begin < end && area[begin] == pattern(begin)) ++begin;
  return begin;
}

// Mappings of buffers that are gone, by the bytes between their guard pages, which cannot be touched meanwhile either. A new mapping takes
// the kernel several times as long as access to an old one.
class Mappings {
 public:
  // Null: none of that size is left.
  std::byte* take(std::size_t area_size) {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(area_size);
    if (kept == kept_.end() || kept->second.empty()) return nullptr;
    std::byte* const pages = kept->second.back();
    kept->second.pop_back();
    bytes_ -= area_size;
    return pages;
  }
  // False: it is too large to be kept.
  bool keep(std::byte* pages, std::size_t area_size) {
    const std::lock_guard lock(mutex_);
    if (bytes_ + area_size > kMostBytes) return false;
    kept_[area_size].push_back(pages);
    bytes_ += area_size;
    return true;
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20U;

  std::mutex mutex_;
  std::map<std::size_t, std::vector<std::byte*>> kept_;
  std::size_t bytes_ = 0;
};

// It outlives buffers that are static.
Mappings& mappings() {
  static auto* const all = new Mappings;
  return *all;
}

}  // namespace

GuardedBuffer::GuardedBuffer(std::size_t bytes, Flush flush, std::size_t shift) : size_(bytes) {
  const std::size_t page = page_size();
  area_size_ = std::max<std::size_t>(1, (bytes + shift + page - 1) / page) * page;
  pages_ = mappings().take(area_size_);
  if (pages_ == nullptr) {
    void* mapping = mmap(nullptr, area_size_ + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    pages_ = static_cast<std::byte*>(mapping);
  }
  area_ = pages_ + page;
  if (mprotect(area_, area_size_, PROT_READ | PROT_WRITE) != 0) {
    munmap(pages_, area_size_ + 2 * page);
    throw std::bad_alloc();
  }
  data_ = flush == Flush::kStart ? area_ + shift : area_ + area_size_ - shift - bytes;
  fill();
}

GuardedBuffer::~GuardedBuffer() {
  if (mprotect(area_, area_size_, PROT_NONE) == 0 && mappings().keep(pages_, area_size_)) return;
  munmap(pages_, area_size_ + 2 * page_size());
}

void GuardedBuffer::fill() {
  const std::vector<std::byte>& table = pattern_table();
  const std::size_t known = std::min(area_size_, table.size());
  std::memcpy(area_, table.data(), known);
  for (std::size_t i = known; i < area_size_; ++i) area_[i] = pattern(i);
}

std::optional<std::ptrdiff_t> GuardedBuffer::first_touched_gap(std::span<const std::uint8_t> used, std::size_t element_bytes) const {
  const auto before = static_cast<std::size_t>(data_ - area_);
  const std::size_t elements = (size_ + element_bytes - 1) / element_bytes;
  std::size_t begin = 0;  // of a gap
  for (std::size_t element = 0; element <= elements; ++element) {
    if (element < elements && used[element] == 0) continue;
    const std::size_t end = element < elements ? before + element * element_bytes : area_size_;
    if (begin < end) {
      const std::size_t touched = first_difference(area_, begin, end);
      if (touched < end) return static_cast<std::ptrdiff_t>(touched) - static_cast<std::ptrdiff_t>(before);
    }
    begin = std::min(before + size_, before + (element + 1) * element_bytes);
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
