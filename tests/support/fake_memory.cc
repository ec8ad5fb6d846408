// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/fake_memory.h"

#include <cstring>

namespace ulpfft::test {
namespace {

constexpr std::size_t kAlignment = 64;  // less than a device's: what reads beyond an array meets the guard page sooner

}  // namespace

void* FakeMemory::allocate(std::size_t bytes, int device, const void* context) {
  if (bytes > most_bytes_ - bytes_) return nullptr;
  const std::size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  Allocation made{std::make_unique<GuardedBuffer>(whole), device, context};
  void* const address = made.buffer->data();
  bytes_ += whole;
  allocations_[reinterpret_cast<std::uintptr_t>(address)] = std::move(made);
  return address;
}

bool FakeMemory::free(std::uintptr_t address) {
  finish_writes();
  const auto known = allocations_.find(address);
  if (known == allocations_.end()) return false;
  bytes_ -= known->second.buffer->size();
  allocations_.erase(known);
  return true;
}

void FakeMemory::forget(const void* context) {
  finish_writes();
  for (const auto& [address, allocation] : allocations_) {
    if (allocation.context == context) bytes_ -= allocation.buffer->size();
  }
  std::erase_if(allocations_, [&](const auto& allocation) { return allocation.second.context == context; });
}

const FakeMemory::Allocation* FakeMemory::find(const void* address) const {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  auto next = allocations_.upper_bound(at);
  if (next == allocations_.begin()) return nullptr;
  --next;
  return at < next->first + next->second.buffer->size() ? &next->second : nullptr;
}

void FakeMemory::begin_copy(void* to, const void* from, std::size_t bytes) {
  const auto* const data = static_cast<const std::byte*>(from);
  writes_.push_back({to, {data, data + bytes}});
}

void FakeMemory::begin_fill(void* to, unsigned char value, std::size_t bytes) {
  writes_.push_back({to, std::vector<std::byte>(bytes, std::byte{value})});
}

void FakeMemory::finish_writes() {
  for (const Write& write : writes_) std::memcpy(write.to, write.bytes.data(), write.bytes.size());
  writes_.clear();
}

}  // namespace ulpfft::test
