// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/failing_malloc.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <new>

extern "C" std::size_t malloc_usable_size(void*) noexcept;  // <malloc.h>

// The allocator underneath: that of the sanitizer, which would otherwise be cut off, or of the C library.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1  // clang has another name for it
#endif
#endif
extern "C" {
#ifdef __SANITIZE_ADDRESS__
void* __interceptor_malloc(std::size_t) noexcept;
void* __interceptor_calloc(std::size_t, std::size_t) noexcept;
void* __interceptor_realloc(void*, std::size_t) noexcept;
void* __interceptor_memalign(std::size_t, std::size_t) noexcept;
void __interceptor_free(void*) noexcept;
#define UNDERLYING(name) __interceptor_##name
#else
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;
#define UNDERLYING(name) __libc_##name
#endif
}

// The loader asks for memory before the sanitizer has mapped the memory that its checks read. So these functions are not checked, and use no
// templates of the standard library, which would be.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("address", "undefined"))), apply_to = function)
#endif

namespace {

struct State {
  bool watching = false;
  bool lasting = false;
  std::int64_t refuse = -1;
  std::int64_t count = 0;
  std::int64_t live = 0;
  std::int64_t bytes = 0, peak = 0;  // of what is live
};
constinit thread_local State state;

// Addresses made while watching and not freed: open addressing with linear probing. One thread watches at a time.
constexpr int kSlotBits = 20;
constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
constinit void* addresses[kSlots] = {};

std::size_t slot_of(const void* address) {
  return (reinterpret_cast<std::uintptr_t>(address) >> 4) * 0x9e3779b97f4a7c15u >> (64 - kSlotBits);
}

bool refused() {
  if (!state.watching) return false;
  const std::int64_t number = state.count++;
  if (state.refuse < 0 || (state.lasting ? number < state.refuse : number != state.refuse)) return false;
  errno = ENOMEM;
  return true;
}

void* noted(void* address) {
  if (!state.watching || address == nullptr) return address;
  if (++state.live > static_cast<std::int64_t>(kSlots / 2)) std::abort();
  std::size_t slot = slot_of(address);
  while (addresses[slot] != nullptr) slot = (slot + 1) % kSlots;
  addresses[slot] = address;
  state.bytes += static_cast<std::int64_t>(malloc_usable_size(address));
  if (state.peak < state.bytes) state.peak = state.bytes;
  return address;
}

void forget(void* address) {
  if (!state.watching || address == nullptr) return;
  std::size_t slot = slot_of(address);
  while (addresses[slot] != address) {
    if (addresses[slot] == nullptr) return;  // made before
    slot = (slot + 1) % kSlots;
  }
  --state.live;
  state.bytes -= static_cast<std::int64_t>(malloc_usable_size(address));
  // What follows closes up, or a search for it would end at the gap.
  addresses[slot] = nullptr;
  for (std::size_t next = (slot + 1) % kSlots; addresses[next] != nullptr; next = (next + 1) % kSlots) {
    void* moved = addresses[next];
    addresses[next] = nullptr;
    std::size_t to = slot_of(moved);
    while (addresses[to] != nullptr) to = (to + 1) % kSlots;
    addresses[to] = moved;
  }
}

void* aligned(std::size_t alignment, std::size_t bytes) { return refused() ? nullptr : noted(UNDERLYING(memalign)(alignment, bytes)); }

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) noexcept { return refused() ? nullptr : noted(UNDERLYING(malloc)(bytes)); }
void* calloc(std::size_t count, std::size_t bytes) noexcept { return refused() ? nullptr : noted(UNDERLYING(calloc)(count, bytes)); }
void* realloc(void* memory, std::size_t bytes) noexcept {
  if (refused()) return nullptr;
  forget(memory);
  return noted(UNDERLYING(realloc)(memory, bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return aligned(alignment, bytes); }
void* memalign(std::size_t alignment, std::size_t bytes) noexcept { return aligned(alignment, bytes); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept {
  void* made = aligned(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}
void free(void* memory) noexcept {
  forget(memory);
  UNDERLYING(free)(memory);
}

}  // extern "C"

void* operator new(std::size_t bytes) { return or_throw(malloc(bytes)); }
void* operator new[](std::size_t bytes) { return or_throw(malloc(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return or_throw(aligned(static_cast<std::size_t>(alignment), bytes)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return or_throw(aligned(static_cast<std::size_t>(alignment), bytes)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return malloc(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return malloc(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return aligned(static_cast<std::size_t>(alignment), bytes);
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, std::size_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }

#if defined(__clang__)
#pragma clang attribute pop
#endif

namespace ulpfft::test {

Allocations::Allocations(std::int64_t refuse, bool lasting) noexcept {
  state = {true, lasting, refuse, 0, 0, 0, 0};
}
Allocations::~Allocations() {
  if (state.live != 0) std::fill(std::begin(addresses), std::end(addresses), nullptr);
  state = {};
}
std::int64_t Allocations::count() const noexcept { return state.count; }
std::int64_t Allocations::live() const noexcept { return state.live; }
std::int64_t Allocations::peak_bytes() const noexcept { return state.peak; }
void Allocations::refuse_no_more() noexcept { state.refuse = kNever; }

}  // namespace ulpfft::test
