// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/fork.h"

#include <pthread.h>

#include <atomic>

namespace ulpfft {
namespace {

// Constant initialised: usable from constructors of other files, and there is no moment at which a fork finds it half-made.
constinit std::mutex list_mutex;
constinit ForkSafeMutex* first_mutex = nullptr;
constinit std::atomic<std::uint32_t> generation{0};

}  // namespace

struct ForkHandlers {
  static void before() {
    list_mutex.lock();
    for (ForkSafeMutex* mutex = first_mutex; mutex != nullptr; mutex = mutex->next_) mutex->lock();
  }
  static void after() {
    for (ForkSafeMutex* mutex = first_mutex; mutex != nullptr; mutex = mutex->next_) mutex->unlock();
    list_mutex.unlock();
  }
  static void after_in_child() {
    generation.fetch_add(1, std::memory_order_relaxed);
    after();
  }
  // When the library is loaded: registering on first use could itself be interrupted by a fork.
  [[gnu::constructor]] static void install() { pthread_atfork(&before, &after, &after_in_child); }
};

ForkSafeMutex::ForkSafeMutex() noexcept {
  const std::lock_guard lock(list_mutex);
  next_ = first_mutex;
  if (first_mutex != nullptr) first_mutex->previous_ = this;
  first_mutex = this;
}

ForkSafeMutex::~ForkSafeMutex() {
  const std::lock_guard lock(list_mutex);
  (previous_ != nullptr ? previous_->next_ : first_mutex) = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
}

std::uint32_t fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

}  // namespace ulpfft
