// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Memory that runs out on purpose: this program's malloc and operator new, which serve the library too, count what the calling thread
// allocates, remember what it has not freed, and refuse when told to. Linking failing_malloc.cc replaces them.
#ifndef ULPFFT_TESTS_ROBUST_FAILING_MALLOC_H_
#define ULPFFT_TESTS_ROBUST_FAILING_MALLOC_H_

#include <cstdint>

namespace ulpfft::test {

// Of the calling thread, from construction to destruction; one at a time, none inside another.
class Allocations {
 public:
  static constexpr std::int64_t kNever = -1;
  // Refuses the allocation of this number (the first is 0), and with `lasting` all that follow.
  explicit Allocations(std::int64_t refuse = kNever, bool lasting = false) noexcept;
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  std::int64_t count() const noexcept;  // refused ones included
  std::int64_t live() const noexcept;   // made since construction and not freed
  std::int64_t peak_bytes() const noexcept;  // the most that these had at a time
  void refuse_no_more() noexcept;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_ROBUST_FAILING_MALLOC_H_
