// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Memory of the driver without a device: memory of the host between guard pages.
//
// Writes    What the host begins to write is queued, as a driver may do it with copies from pageable memory. finish_writes() does it. Who
//           reads without waiting finds old bytes, which are not numbers.
// Threads   The caller holds a lock.
#ifndef ULPFFT_TESTS_SUPPORT_FAKE_MEMORY_H_
#define ULPFFT_TESTS_SUPPORT_FAKE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tests/support/guarded_buffer.h"

namespace ulpfft::test {

class FakeMemory {
 public:
  struct Allocation {
    std::unique_ptr<GuardedBuffer> buffer;
    int device = 0;
    const void* context = nullptr;
  };

  explicit FakeMemory(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null where more than all bytes would be allocated.
  void* allocate(std::size_t bytes, int device, const void* context);
  // Returns false for an address that was not allocated. Waits for writes, as a device does.
  bool free(std::uintptr_t address);
  // Frees all memory of a context.
  void forget(const void* context);
  // The allocation in which an address lies; null where there is none.
  const Allocation* find(const void* address) const;
  std::size_t allocations() const { return allocations_.size(); }

  void begin_copy(void* to, const void* from, std::size_t bytes);
  void begin_fill(void* to, unsigned char value, std::size_t bytes);
  void finish_writes();

 private:
  struct Write {
    void* to;
    std::vector<std::byte> bytes;
  };

  const std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::map<std::uintptr_t, Allocation> allocations_;
  std::vector<Write> writes_;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_FAKE_MEMORY_H_
