// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <stdexcept>

#include "tests/gpu/machine.h"

namespace ulpfft::test {

const cuda::Driver& driver() {
  const cuda::DriverOrReason found = cuda::find_driver();
  if (found.driver == nullptr) throw std::runtime_error(found.reason);
  return *found.driver;
}

void require(cuda::Result result, const char* doing) {
  if (result != cuda::Result::kSuccess) throw std::runtime_error(cuda::failure_of(driver(), result, doing).sentence);
}

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  require(driver().memory_allocate(&address_, bytes), "allocating memory of the device");
}
DeviceArray::~DeviceArray() { driver().memory_free(address_); }

void DeviceArray::from_host(const void* host, std::size_t bytes) const {
  require(driver().copy_to_device(address_, host, bytes), "copying to the device");
  require(driver().stream_synchronize(nullptr), "waiting for a copy");
}
std::vector<std::byte> DeviceArray::to_host(std::size_t bytes) const {
  std::vector<std::byte> host(bytes);
  require(driver().copy_to_host(host.data(), address_, bytes), "copying from the device");
  return host;
}

double Event::seconds_since(const Event& begin) const {
  require(driver().event_synchronize(handle_), "waiting for an event");
  float milliseconds = 0;
  require(driver().event_elapsed(&milliseconds, begin.handle_, handle_), "reading the time of events");
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace ulpfft::test
