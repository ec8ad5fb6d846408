// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Memory that is aligned to 64 bytes. Buffers from 2 MiB on ask for huge pages.
#ifndef ULPFFT_PLANNER_SYSTEM_BUFFER_H_
#define ULPFFT_PLANNER_SYSTEM_BUFFER_H_

#include <atomic>
#include <array>
#include <cstddef>
#include <utility>

#include "planner/system/poll.h"

namespace ulpfft {

inline constexpr std::size_t kBufferAlignment = 64;
// Bytes between the scratch of two threads. Prefetchers reach this far beyond the rows of a transform, and take away lines that a neighbour
// is writing: two cores with 4096 f32 points each (32 KiB) side by side did 1.11 times the work of one; with 4, 8, 16, 24, 32 KiB in
// between 1.13, 1.17, 1.51, 1.72, 1.96 times (Zen 5).
inline constexpr std::size_t kThreadsApart = std::size_t{32} << 10;

// Owns zeroed memory. Throws std::bad_alloc. `poll` is asked while the memory is zeroed; null: it is zeroed without a question.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t bytes, Poll* poll = nullptr);
  AlignedBuffer(AlignedBuffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~AlignedBuffer();
  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  void* release();  // the memory is the caller's, for free_aligned()

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Uninitialised memory, which free_aligned() releases; null on failure.
void* allocate_aligned(std::size_t bytes) noexcept;
// Zeroed memory, which free_aligned() releases; null for 0 bytes. Throws std::bad_alloc and what the poll throws; `poll` may be null.
void* allocate_zeroed(std::size_t bytes, Poll* poll);
void free_aligned(void* data) noexcept;

// The workspaces of a plan, each kThreadsApart from the memory behind it. The pool holds one from the start, allocates another only when
// more threads execute at once than ever before, and keeps up to kKept of them. Neither function locks.
class WorkspacePool {
 public:
  explicit WorkspacePool(std::size_t bytes, Poll* poll = nullptr);
  ~WorkspacePool();
  WorkspacePool(const WorkspacePool&) = delete;
  WorkspacePool& operator=(const WorkspacePool&) = delete;

  void* take() noexcept;  // null when memory is short
  void give_back(void* workspace) noexcept;

 private:
  static constexpr std::size_t kKept = 64;
  WorkspacePool() = default;
  std::size_t bytes_ = 0;
  std::array<std::atomic<void*>, kKept> kept_{};
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_SYSTEM_BUFFER_H_
