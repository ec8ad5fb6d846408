// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A driver of CUDA without a device. Memory of its devices is memory of the host between guard pages, and a launch runs the twin of the
// kernel, so that plans give their real bits; where $ULPFFT_PTX_KERNELS names translated PTX of the kernel, it runs that. It counts what is
// called, fails where a test says so, and refuses what a capture refuses.
//
// Streams   Work is done at once, in the order it is launched; during a capture it is recorded, and done by replay(). Copies to the device
//           are queued until something waits for the default stream or is launched there: work on another stream finds old bytes.
// Faults    A call that no driver would accept (an unknown address, a wrong grid) is told by faults(); no test should leave one.
// Threads   All functions may be called on several threads. The current context belongs to a thread.
#ifndef ULPFFT_TESTS_SUPPORT_FAKE_DRIVER_H_
#define ULPFFT_TESTS_SUPPORT_FAKE_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "planner/backend/cuda/device.h"

namespace ulpfft::test {

// Calls since begin_counts().
struct DriverCounts {
  int calls = 0;  // of the table, but for names of errors
  int allocations = 0, copies = 0, synchronisations = 0, launches = 0, sets = 0, modules = 0;
  int shipped_launches = 0;  // that executed PTX
};

struct FakeMachine {
  int devices = 1;
  int driver_version = 12040;
  bool has_driver = true;
  int images = 2;  // that the kernels are spread over; 0: the build has none
  int binary_result = 0, ptx_result = 0;  // CUresult of loading one; 0: it is loaded
  std::size_t memory_bytes = SIZE_MAX;  // that may be allocated
  cuda::DeviceLimits device{};            // of all devices
};

// What devices of each class have.
struct FakeClass {
  const char* name;
  cuda::DeviceLimits device;
};
inline constexpr FakeClass kFakeClasses[] = {
    {"A100", {.capability = 80, .shared_bytes = 166912, .processors = 108, .cache_bytes = std::size_t{40} << 20}},
    {"A10", {.capability = 86, .shared_bytes = 101376, .processors = 72, .cache_bytes = std::size_t{6} << 20}},
    {"L4", {.capability = 89, .shared_bytes = 101376, .processors = 58, .cache_bytes = std::size_t{48} << 20}},
    {"H100", {.capability = 90, .shared_bytes = 232448, .processors = 132, .cache_bytes = std::size_t{50} << 20}},
    {"B200", {.capability = 100, .shared_bytes = 232448, .processors = 148, .cache_bytes = std::size_t{126} << 20}},
    {"RTX 5090", {.capability = 120, .shared_bytes = 101376, .processors = 170, .cache_bytes = std::size_t{96} << 20}},
};

// Takes the place of the driver as long as it lives. One at a time; plans must not outlive it.
class FakeDriver {
 public:
  explicit FakeDriver(const FakeMachine& machine = {});
  ~FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;

  // The k-th call from now on fails, k from 1, with this CUresult. A sticky one fails every call from then on.
  void fail_at(int k, int result);
  bool has_failed() const;  // the call has come
  void heal();
  void begin_counts();
  DriverCounts counts() const;

  // What a program that uses CUDA does.
  void* allocate(std::size_t bytes, int device = 0);
  void free(void* memory);
  void* make_context(int device);
  void replace_context(void* context);  // destroys it with all that is in it, and makes another one of its handle
  void destroy_context(void* context);  // of a primary one: until it is retained again
  void set_current(void* context);  // of this thread; null: none
  void* current() const;
  void* primary(int device) const;  // retains it for as long as the driver lives
  void* make_stream();                              // that does not wait for the default stream (CU_STREAM_NON_BLOCKING)
  void begin_capture(void* stream);
  void end_capture();               // later launches are done at once again
  void replay();                    // what was captured
  std::vector<void*> streams_of_launches() const;  // since begin_counts()

  // Allocations and events that exist. Modules stay as long as their context.
  int live() const;
  int modules() const;
  std::vector<std::string> faults() const;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_SUPPORT_FAKE_DRIVER_H_
