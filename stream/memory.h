// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// An array of a stream: zeros at first, aligned to a cache line.
#ifndef ULPFFT_STREAM_MEMORY_H_
#define ULPFFT_STREAM_MEMORY_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "ulpfft/ulpfft.h"

namespace ulpfft {

template <typename T>
class StreamArray {
 public:
  explicit StreamArray(std::size_t count) : numbers_(static_cast<T*>(ulpfft_malloc(count * sizeof(T)))), count_(count) {
    if (numbers_ == nullptr) throw std::bad_alloc();
    clear();
  }
  T* data() noexcept { return numbers_.get(); }
  const T* data() const noexcept { return numbers_.get(); }
  void clear() noexcept { std::memset(static_cast<void*>(numbers_.get()), 0, count_ * sizeof(T)); }

 private:
  struct Free {
    void operator()(T* memory) const noexcept { ulpfft_free(memory); }
  };
  std::unique_ptr<T, Free> numbers_;
  std::size_t count_;
};

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_MEMORY_H_
