// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What fork() would break in the child: only the forking thread lives on there, so a lock that any other thread held stays held.
//
// Locks     Mutexes here are taken by the forking thread before the fork and released on both sides of it, so the child finds every
//           one free and what it guards whole. A thread must not hold one while it forks or waits for another one.
// Threads   a component with threads of its own compares fork_generation() and starts new ones in the child.
#ifndef ULPFFT_WISDOM_FORK_H_
#define ULPFFT_WISDOM_FORK_H_

#include <cstdint>
#include <mutex>

namespace ulpfft {

// For std::lock_guard. Making and destroying one takes a process-wide lock.
class ForkSafeMutex {
 public:
  ForkSafeMutex() noexcept;
  ~ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  void lock() { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  friend struct ForkHandlers;
  std::mutex mutex_;
  ForkSafeMutex* previous_ = nullptr;
  ForkSafeMutex* next_ = nullptr;
};

// Forks between the first process and this one.
std::uint32_t fork_generation() noexcept;

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_FORK_H_
