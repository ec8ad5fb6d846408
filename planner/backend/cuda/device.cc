// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/device.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>

#include "codelets/cuda/launch.h"
#include "planner/backend/cuda/modules.h"
#include "wisdom/error.h"

namespace ulpfft::cuda {
namespace {

constexpr const char* kNoKernels = "This build has no CUDA kernels: configure it with -Dcuda=enabled, which needs nvcc.";

// The limits of the device that was asked last, so that not every recipe asks.
struct KnownLimits {
  const Driver* driver = nullptr;
  DeviceNumber device = 0;
  DeviceLimits limits;
};
constinit std::mutex limits_mutex;
constinit KnownLimits known_limits;

// Of device 0. Made without a lock, as in codelets/registry.cc: the thread that comes second releases what it retained.
constinit std::atomic<ContextHandle> primary{nullptr};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Throws where the driver cannot be used; returns the number of its devices.
int require_devices(const DriverOrReason& found) {
  if (found.driver == nullptr) throw PlanError(ULPFFT_UNAVAILABLE, "backend", found.reason);
  const Driver& driver = *found.driver;
  require_success(driver, driver.init(0), "initialising the driver");
  int version = 0, count = 0;
  require_success(driver, driver.driver_get_version(&version), "asking for the driver's version");
  if (version < kLeastDriverVersion) {
    throw PlanError(ULPFFT_UNAVAILABLE, "backend",
                    "The NVIDIA driver of this machine is too old: it serves CUDA " + version_text(version) + ", and ulpfft needs " +
                        version_text(kLeastDriverVersion) + " or later.");
  }
  require_success(driver, driver.device_get_count(&count), "counting devices");
  if (count == 0) require_success(driver, Result::kNoDevice, "counting devices");
  return count;
}

int attribute_of(const Driver& driver, int attribute, DeviceNumber device) {
  int value = 0;
  require_success(driver, driver.device_get_attribute(&value, attribute, device), "asking what a device can do");
  return value;
}

DeviceLimits limits_of(const Driver& driver, DeviceNumber device) {
  const std::lock_guard lock(limits_mutex);
  if (known_limits.driver == &driver && known_limits.device == device) return known_limits.limits;
  const auto ask = [&](int attribute) { return attribute_of(driver, attribute, device); };
  DeviceLimits limits;
  limits.capability = 10 * ask(kComputeCapabilityMajor) + ask(kComputeCapabilityMinor);
  limits.shared_bytes = static_cast<std::size_t>(ask(kSharedBytesOfBlock));
  limits.registers = ask(kRegistersOfBlock);
  limits.processors = ask(kProcessorCount);
  limits.cache_bytes = static_cast<std::size_t>(ask(kCacheBytes));
  known_limits = {&driver, device, limits};
  return limits;
}

DeviceAddress address_of(const void* memory) { return reinterpret_cast<DeviceAddress>(memory); }

}  // namespace

std::string absence() {
  try {
    const CurrentContext current;
    if (current.driver().images.empty()) return kNoKernels;
    const int capability = limits_of(current.driver(), current.device()).capability;
    if (capability >= kLeastCapability) return "";
    return "The device is too old: it is an sm_" + std::to_string(capability) + ", and the kernels need sm_" +
           std::to_string(kLeastCapability) + " or later.";
  } catch (const PlanError& error) {
    return error.message;
  }
}

DeviceLimits limits_of_device() {
  try {
    const CurrentContext current;
    return limits_of(current.driver(), current.device());
  } catch (const PlanError&) {
    return {};  // without a device there are plans to look at
  }
}

std::string machine_of_device() {
  const CurrentContext current;
  const Driver& driver = current.driver();
  char name[128] = "";
  int version = 0;
  require_success(driver, driver.device_get_name(name, sizeof name - 1, current.device()), "asking for the name of a device");
  require_success(driver, driver.driver_get_version(&version), "asking for the driver's version");
  std::string words = name;
  if (words.starts_with("NVIDIA ")) words.erase(0, 7);
  for (char& c : words) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::replace_if(words.begin(), words.end(), [](char c) { return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')); }, '_');
  return "nvidia." + words + "." + std::to_string(version);
}

std::string describe_devices() {
  std::string text;
  try {
    const DriverOrReason found = find_driver();
    const int count = require_devices(found);
    const Driver& driver = *found.driver;
    int version = 0;
    require_success(driver, driver.driver_get_version(&version), "asking for the driver's version");
    text = "driver for CUDA " + version_text(version) + "\n";
    for (int i = 0; i < count; ++i) {
      DeviceNumber device = 0;
      char name[128] = "";
      require_success(driver, driver.device_get(&device, i), "asking for a device");
      require_success(driver, driver.device_get_name(name, sizeof name - 1, device), "asking for the name of a device");
      const DeviceLimits limits = limits_of(driver, device);
      text += "device " + std::to_string(i) + ": " + name + ", sm_" + std::to_string(limits.capability) + ", " +
              std::to_string(limits.processors) + " processors, " + std::to_string(limits.shared_bytes >> 10) +
              " KiB of shared memory for a block, " + std::to_string(limits.cache_bytes >> 20) + " MiB of second-level cache\n";
    }
    if (driver.images.empty()) text.append(kNoKernels).append("\n");
  } catch (const PlanError& error) {
    text += error.message + "\n";
  }
  return text + std::to_string(kernels().size()) + " kernels can be planned\n";
}

namespace {

// The primary context of device 0, retained where it is not yet.
ContextHandle kept_primary(const Driver& driver) {
  ContextHandle kept = primary.load(std::memory_order_acquire);
  if (kept != nullptr) return kept;
  DeviceNumber first = 0;
  require_success(driver, driver.device_get(&first, 0), "asking for a device");
  ContextHandle retained = nullptr;
  require_success(driver, driver.primary_context_retain(&retained, first), "retaining the primary context");
  if (primary.compare_exchange_strong(kept, retained, std::memory_order_acq_rel)) return retained;
  driver.primary_context_release(first);
  return kept;
}

}  // namespace

CurrentContext::CurrentContext() {
  const DriverOrReason found = find_driver();
  require_devices(found);
  driver_ = found.driver;
  require_success(*driver_, driver_->context_get_current(&context_), "asking for the current context");
  if (context_ == nullptr) {
    context_ = kept_primary(*driver_);
    Result result = driver_->context_push(context_);
    if (result == Result::kContextIsDestroyed || result == Result::kInvalidContext) {
      // A program may have reset the device, and what was retained is gone.
      primary.compare_exchange_strong(context_, nullptr, std::memory_order_acq_rel);
      context_ = kept_primary(*driver_);
      result = driver_->context_push(context_);
    }
    require_success(*driver_, result, "making the primary context current");
    pushed_ = true;
  }
  const Result result = driver_->context_get_device(&device_);
  if (result == Result::kSuccess) return;
  if (pushed_) driver_->context_pop(&context_);
  require_success(*driver_, result, "asking for the device of the context");
}

CurrentContext::~CurrentContext() {
  ContextHandle popped = nullptr;
  if (pushed_) driver_->context_pop(&popped);
}

void forget_primary_context() noexcept {
  {
    const std::lock_guard lock(limits_mutex);
    known_limits.driver = nullptr;
  }
  forget_modules();
  const ContextHandle kept = primary.exchange(nullptr);
  DeviceNumber first = 0;
  const DriverOrReason found = find_driver();
  if (kept != nullptr && found.driver != nullptr && found.driver->device_get(&first, 0) == Result::kSuccess) {
    found.driver->primary_context_release(first);
  }
}

void* allocate_on_device(std::size_t bytes, Poll*) {
  if (bytes == 0) return nullptr;
  const CurrentContext current;
  const Driver& driver = current.driver();
  DeviceAddress address = 0;
  require_success(driver, driver.memory_allocate(&address, bytes), "allocating memory of the device");
  const Result cleared = driver.memory_set(address, 0, bytes);
  if (cleared != Result::kSuccess) {
    driver.memory_free(address);
    require_success(driver, cleared, "clearing memory of the device");
  }
  return reinterpret_cast<void*>(address);
}

void release_on_device(void* memory) noexcept {
  if (memory == nullptr) return;
  try {
    const CurrentContext current;
    current.driver().memory_free(address_of(memory));
  } catch (const std::exception&) {
    // The context is gone, and its memory with it.
  }
}

void copy_from_host(void* to, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  const CurrentContext current;
  require_success(current.driver(), current.driver().copy_to_device(address_of(to), host, bytes), "copying to the device");
}

void copy_to_host(void* host, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const CurrentContext current;
  require_success(current.driver(), current.driver().copy_to_host(host, address_of(from), bytes), "copying from the device");
}

namespace {

class Event {
 public:
  explicit Event(const Driver& driver) : driver_(driver) {
    require_success(driver, driver.event_create(&handle_, 0), "creating an event");
  }
  ~Event() { driver_.event_destroy(handle_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  // On the default stream.
  void record() const { require_success(driver_, driver_.event_record(handle_, nullptr), "recording an event"); }
  void wait() const { require_success(driver_, driver_.event_synchronize(handle_), "waiting for an event"); }
  EventHandle handle() const { return handle_; }

 private:
  const Driver& driver_;
  EventHandle handle_ = nullptr;
};

}  // namespace

double seconds_on_device(const Clock&, const std::function<void()>& batch) {
  const CurrentContext current;
  const Driver& driver = current.driver();
  const Event begin(driver), end(driver);
  begin.record();
  batch();
  end.record();
  end.wait();
  float milliseconds = 0;
  require_success(driver, driver.event_elapsed(&milliseconds, begin.handle(), end.handle()), "reading the time of events");
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace ulpfft::cuda
