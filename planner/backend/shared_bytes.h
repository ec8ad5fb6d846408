// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes that both the host and a backend address: one piece of memory where they share it, else a piece on each side and copies in between.
#ifndef ULPFFT_PLANNER_BACKEND_SHARED_BYTES_H_
#define ULPFFT_PLANNER_BACKEND_SHARED_BYTES_H_

#include <cstddef>
#include <utility>

#include "planner/backend/backend.h"
#include "planner/system/buffer.h"

namespace ulpfft {

class SharedBytes {
 public:
  SharedBytes() = default;
  // Zeros on both sides. Keeps the reference.
  SharedBytes(const Memory& memory, std::size_t bytes, Poll* poll = nullptr);
  // On the host's side these bytes, which are not sent yet.
  SharedBytes(const Memory& memory, void* host, std::size_t bytes);
  SharedBytes(SharedBytes&& other) noexcept { *this = std::move(other); }
  SharedBytes& operator=(SharedBytes&& other) noexcept;
  ~SharedBytes();

  void* host() const { return host_; }
  void* backend() const { return backend_; }
  void send() const;   // from the host to the backend
  void fetch() const;  // back

 private:
  const Memory* memory_ = nullptr;
  AlignedBuffer own_;  // the host's side, where it is another one
  void* host_ = nullptr;
  void* backend_ = nullptr;
  bool owns_backend_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_SHARED_BYTES_H_
