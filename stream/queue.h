// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Items that wait to be taken, in memory of a fixed size.
#ifndef ULPFFT_STREAM_QUEUE_H_
#define ULPFFT_STREAM_QUEUE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "stream/memory.h"

namespace ulpfft {

class StreamQueue {
 public:
  StreamQueue(std::int64_t room, std::size_t item_bytes)
      : memory_(static_cast<std::size_t>(room) * item_bytes), room_(room), item_bytes_(item_bytes) {}

  std::int64_t size() const noexcept { return end_ - begin_; }
  std::int64_t room() const noexcept { return room_; }
  bool has_room(std::int64_t items) const noexcept { return size() + items <= room_; }
  // Where the next `items`, for which there is room, are written; add() makes them wait.
  void* place(std::int64_t items) noexcept {
    if (end_ + items > room_) {
      std::memmove(memory_.data(), at(begin_), static_cast<std::size_t>(size()) * item_bytes_);
      end_ -= begin_;
      begin_ = 0;
    }
    return at(end_);
  }
  void add(std::int64_t items) noexcept { end_ += items; }
  // Hands out up to `most` items, oldest first. go_on() may add more wherever room was made.
  template <typename GoOn>
  std::int64_t take(void* items, std::int64_t most, const GoOn& go_on) {
    std::int64_t taken = 0;
    while (taken < most && size() > 0) {
      const std::int64_t count = std::min(most - taken, size());
      std::memcpy(static_cast<std::byte*>(items) + static_cast<std::size_t>(taken) * item_bytes_, at(begin_),
                  static_cast<std::size_t>(count) * item_bytes_);
      begin_ += count;
      taken += count;
      if (begin_ == end_) clear();
      go_on();
    }
    return taken;
  }
  // The oldest item, until items are added or dropped.
  const void* oldest() noexcept { return at(begin_); }
  void drop_oldest() noexcept {
    if (++begin_ == end_) clear();
  }
  void clear() noexcept { begin_ = end_ = 0; }

 private:
  std::byte* at(std::int64_t item) noexcept { return memory_.data() + static_cast<std::size_t>(item) * item_bytes_; }

  StreamArray<std::byte> memory_;
  std::int64_t room_;
  std::size_t item_bytes_;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace ulpfft

#endif  // ULPFFT_STREAM_QUEUE_H_
