#include "planner/buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace ulpfft {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

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

AlignedBuffer::AlignedBuffer(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  data_ = allocate_aligned(bytes);
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_, 0, bytes);
}

AlignedBuffer::~AlignedBuffer() { free_aligned(data_); }

WorkspacePool::WorkspacePool(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* first = take();
  if (first == nullptr) throw std::bad_alloc();
  std::memset(first, 0, bytes);
  kept_[0].store(first);
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
