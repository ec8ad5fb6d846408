// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The device that the check of a GPU runs on: the first of this machine, or in rehearsals a driver without a device. Each program links one
// implementation of make_machine().
//
// Context   The primary context of device 0 is current while a Machine lives.
// Errors    All functions throw std::runtime_error with a sentence.
#ifndef ULPFFT_TESTS_GPU_MACHINE_H_
#define ULPFFT_TESTS_GPU_MACHINE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "planner/backend/cuda/driver.h"

namespace ulpfft::test {

class Machine {
 public:
  virtual ~Machine() = default;
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  virtual bool is_fake() const = 0;
  virtual void* make_stream() = 0;  // exists as long as the machine
  virtual void wait(void* stream) = 0;
  virtual void copy_on_device(void* to, const void* from, std::size_t bytes) = 0;  // on the default stream
  // Records what `work` launches on the stream, and runs the record once.
  virtual void capture_and_replay(void* stream, const std::function<void()>& work) = 0;
  // Whatever is executed after it finds a context that a kernel made useless. `work` executes a plan beyond the ends of its arrays.
  virtual void spoil_context(const std::function<void()>& work) = 0;
};

std::unique_ptr<Machine> make_machine();

const cuda::Driver& driver();
void require(cuda::Result result, const char* doing);

// Memory of the device.
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void* data() const { return reinterpret_cast<void*>(address_); }
  std::size_t size() const { return bytes_; }
  void from_host(const void* host, std::size_t bytes) const;  // waits until the copy has arrived
  std::vector<std::byte> to_host(std::size_t bytes) const;  // waits for the default stream

 private:
  cuda::DeviceAddress address_ = 0;
  std::size_t bytes_ = 0;
};

// A point in time on the default stream.
class Event {
 public:
  Event() { require(driver().event_create(&handle_, 0), "creating an event"); }
  ~Event() { driver().event_destroy(handle_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record() const { require(driver().event_record(handle_, nullptr), "recording an event"); }
  double seconds_since(const Event& begin) const;  // waits for both

 private:
  cuda::EventHandle handle_ = nullptr;
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_GPU_MACHINE_H_
