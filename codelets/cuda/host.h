// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a kernel has on the host in place of a processor: conversions by the slow codec, an observer of every access, orders of threads.
//
// Threads   The observer belongs to the thread that runs a twin.
#ifndef ULPFFT_CODELETS_CUDA_HOST_H_
#define ULPFFT_CODELETS_CUDA_HOST_H_

#include <cmath>
#include <cstdint>

#include "codelets/contract/codec.h"
#include "codelets/cuda/launch_args.h"

namespace ulpfft::cuda::host {

enum class Access : std::uint8_t { kSharedRead, kSharedWrite, kGlobalRead, kGlobalWrite, kTableRead };

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin_block(const void* shared, std::size_t shared_bytes, int threads) = 0;
  virtual void begin_thread(int thread) = 0;
  virtual void access(Access kind, const void* address, int bytes) = 0;
  virtual void barrier() = 0;
  virtual void end_block() = 0;
};

inline thread_local Observer* observer = nullptr;

inline void observe(Access kind, const void* address, int bytes) {
  if (observer != nullptr) observer->access(kind, address, bytes);
}

// The format of a storage of 16 bits. In a file of its own, so that a new format compiles no list of kernels.
const FormatInfo& format(Storage storage);
inline float decode(Storage storage, std::uint16_t code) { return static_cast<float>(ulpfft::decode(format(storage), code)); }
inline std::uint16_t encode(Storage storage, double value, unsigned& saturated) {
  const Encoded encoded = ulpfft::encode(format(storage), value, Rounding::kNearestSaturate);
  saturated += encoded.saturated ? 1 : 0;
  return static_cast<std::uint16_t>(encoded.code);
}

// The order in which the threads of a phase run: no result may depend on it.
enum class Order : std::uint8_t { kUp, kDown, kScattered };
inline constexpr int kOrders = 3;

template <class Body>
void for_each_thread(int count, Order order, const Body& body) {
  // 37 is prime: a stride that visits every thread unless count is a multiple of it, and counts are at most 1024.
  const int stride = count % 37 == 0 ? 1 : 37;
  for (int i = 0; i < count; ++i) {
    const int thread = order == Order::kUp ? i : order == Order::kDown ? count - 1 - i : (i * stride + 11) % count;
    if (observer != nullptr) observer->begin_thread(thread);
    body(thread);
  }
}

}  // namespace ulpfft::cuda::host

#endif  // ULPFFT_CODELETS_CUDA_HOST_H_
