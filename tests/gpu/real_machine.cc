// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The first device of the driver. Entry points that plans do not use are loaded here; their names carry the version of the declaration.
#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "tests/gpu/machine.h"

namespace ulpfft::test {
namespace {

using cuda::Result;
using GraphHandle = void*;

constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
constexpr int kThreadLocal = 1;       // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

template <class Function>
Function* entry(const char* name) {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const address = library != nullptr ? dlsym(library, name) : nullptr;
  if (address == nullptr) throw std::runtime_error(std::string("The driver has no ") + name + ".");
  return reinterpret_cast<Function*>(address);
}

class RealMachine final : public Machine {
 public:
  RealMachine() {
    require(driver().init(0), "initialising the driver");
    require(driver().device_get(&device_, 0), "asking for device 0");
    require(driver().primary_context_retain(&context_, device_), "retaining the primary context");
    require(driver().context_push(context_), "making the primary context current");
    char name[128] = "";
    require(driver().device_get_name(name, sizeof name - 1, device_), "asking for the name of a device");
    is_fake_ = std::string(name).starts_with("Fake device");
  }
  ~RealMachine() override {
    for (void* const stream : streams_) entry<Result(void*)>("cuStreamDestroy_v2")(stream);
    void* popped = nullptr;
    driver().context_pop(&popped);
    driver().primary_context_release(device_);
  }

  // libcuda.so.1 may be that of a rehearsal.
  bool is_fake() const override { return is_fake_; }
  void* make_stream() override {
    void* stream = nullptr;
    require(entry<Result(void**, unsigned)>("cuStreamCreate")(&stream, kNonBlocking), "creating a stream");
    streams_.push_back(stream);
    return stream;
  }
  void wait(void* stream) override { require(driver().stream_synchronize(stream), "waiting for a stream"); }
  void copy_on_device(void* to, const void* from, std::size_t bytes) override {
    static const auto copy = entry<Result(cuda::DeviceAddress, cuda::DeviceAddress, std::size_t, void*)>("cuMemcpyDtoDAsync_v2");
    require(copy(reinterpret_cast<cuda::DeviceAddress>(to), reinterpret_cast<cuda::DeviceAddress>(from), bytes, nullptr),
            "copying on the device");
  }
  void capture_and_replay(void* stream, const std::function<void()>& work) override {
    GraphHandle graph = nullptr, ready = nullptr;
    require(entry<Result(void*, int)>("cuStreamBeginCapture_v2")(stream, kThreadLocal), "beginning a capture");
    work();
    require(entry<Result(void*, void**)>("cuStreamEndCapture")(stream, &graph), "ending a capture");
    require(entry<Result(void**, void*, unsigned long long)>("cuGraphInstantiateWithFlags")(&ready, graph, 0), "instantiating a graph");
    require(entry<Result(void*, void*)>("cuGraphLaunch")(ready, stream), "launching a graph");
    wait(stream);
    entry<Result(void*)>("cuGraphExecDestroy")(ready);
    entry<Result(void*)>("cuGraphDestroy")(graph);
  }
  void spoil_context(const std::function<void()>& work) override {
    work();
    if (driver().stream_synchronize(nullptr) == Result::kSuccess) {
      throw std::runtime_error("A kernel that read beyond its arrays was not noticed.");
    }
  }

 private:
  bool is_fake_ = false;
  cuda::DeviceNumber device_ = 0;
  cuda::ContextHandle context_ = nullptr;
  std::vector<void*> streams_;
};

}  // namespace

std::unique_ptr<Machine> make_machine() { return std::make_unique<RealMachine>(); }

}  // namespace ulpfft::test
