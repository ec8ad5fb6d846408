// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/system/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ulpfft {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kZeroed = kHugePage;  // bytes between two questions: 0.3 ms, and 10 ms where the system must find a page first

// If the poll throws, the caller's destructor releases the memory.
void zero(void* data, std::size_t bytes, Poll* poll) {
  for (std::size_t at = 0; at < bytes; at += kZeroed) {
    if (poll != nullptr && at != 0) poll->count(Poll::kWork);
    std::memset(static_cast<char*>(data) + at, 0, std::min(kZeroed, bytes - at));
  }
}

}  // namespace

void* allocate_aligned(std::size_t bytes) noexcept {
  const std::size_t alignment = bytes >= kHugePage ? kHugePage : kBufferAlignment;
  if (bytes > SIZE_MAX - alignment) return nullptr;
  void* data = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#ifdef MADV_HUGEPAGE
  if (data != nullptr && bytes >= kHugePage) madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

void free_aligned(void* data) noexcept { std::free(data); }

void* allocate_zeroed(std::size_t bytes, Poll* poll) { return AlignedBuffer(bytes, poll).release(); }

AlignedBuffer::AlignedBuffer(std::size_t bytes, Poll* poll) : AlignedBuffer() {
  if (bytes == 0) return;
  data_ = allocate_aligned(bytes);
  if (data_ == nullptr) throw std::bad_alloc();
  bytes_ = bytes;
  zero(data_, bytes, poll);
}

void* AlignedBuffer::release() {
  bytes_ = 0;
  return std::exchange(data_, nullptr);
}

AlignedBuffer::~AlignedBuffer() { free_aligned(data_); }

WorkspacePool::WorkspacePool(std::size_t bytes, Poll* poll) : WorkspacePool() {
  bytes_ = bytes;
  if (bytes == 0) return;
  void* first = take();
  if (first == nullptr) throw std::bad_alloc();
  kept_[0].store(first);
  zero(first, bytes, poll);
}

WorkspacePool::~WorkspacePool() {
  for (std::atomic<void*>& slot : kept_) free_aligned(slot.load());
}

void* WorkspacePool::take() noexcept {
  for (std::atomic<void*>& slot : kept_) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    if (void* workspace = slot.exchange(nullptr, std::memory_order_acquire)) return workspace;
  }
  return bytes_ > SIZE_MAX - kThreadsApart ? nullptr : allocate_aligned(bytes_ + kThreadsApart);
}

void WorkspacePool::give_back(void* workspace) noexcept {
  for (std::atomic<void*>& slot : kept_) {
    void* empty = nullptr;
    if (slot.load(std::memory_order_relaxed) == nullptr && slot.compare_exchange_strong(empty, workspace, std::memory_order_release)) {
      return;
    }
  }
  free_aligned(workspace);
}

}  // namespace ulpfft
