// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/shared_bytes.h"

namespace ulpfft {

SharedBytes::SharedBytes(const Memory& memory, std::size_t bytes, Poll* poll) : memory_(&memory), bytes_(bytes) {
  if (!memory.is_host()) own_ = AlignedBuffer(bytes, poll);
  backend_ = memory.allocate(bytes, poll);
  owns_backend_ = true;
  host_ = memory.is_host() ? backend_ : own_.data();
}

SharedBytes::SharedBytes(const Memory& memory, void* host, std::size_t bytes) : memory_(&memory), host_(host), bytes_(bytes) {
  owns_backend_ = !memory.is_host();
  backend_ = owns_backend_ ? memory.allocate(bytes, nullptr) : host;
}

SharedBytes& SharedBytes::operator=(SharedBytes&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(own_, other.own_);
  std::swap(host_, other.host_);
  std::swap(backend_, other.backend_);
  std::swap(owns_backend_, other.owns_backend_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedBytes::~SharedBytes() {
  if (owns_backend_) memory_->release(backend_);
}

void SharedBytes::send() const {
  if (host_ != backend_) memory_->from_host(backend_, host_, bytes_);
}

void SharedBytes::fetch() const {
  if (host_ != backend_) memory_->to_host(host_, backend_, bytes_);
}

}  // namespace ulpfft
