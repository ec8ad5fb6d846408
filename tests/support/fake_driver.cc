// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/fake_driver.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "codelets/cuda/launch.h"
#include "codelets/cuda/twins.h"
#include "planner/backend/cuda/device.h"
#include "planner/backend/cuda/driver.h"
#include "tests/support/ptx_run.h"
#include "tests/support/fake_memory.h"

namespace ulpfft::test {
namespace {

using cuda::DeviceAddress;
using cuda::Result;

constexpr unsigned kMostOuterBlocks = 65535;
constexpr std::size_t kSharedWithoutAsking = 48 << 10;

struct Context {
  int device = 0;
  int retained = 0;
  unsigned long long number = 0;
  bool is_destroyed = false;
};

// The kernels of the list are dealt to the images in turn.
struct Image {
  char binary = 0, ptx = 0;  // their addresses stand for them
  std::string names;
};

struct Function {
  const cuda::KernelInfo* kernel = nullptr;
  const cuda::Twin* twin = nullptr;
  std::size_t allowed_shared = kSharedWithoutAsking;
};

struct Module {
  const Context* context = nullptr;
  std::size_t image = 0;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

struct Work {
  const Function* function = nullptr;
  cuda::Args args;
  cuda::Grid grid;
  void run() const;
};

struct Event {
  double seconds = 0;
  bool on_default = false;
};

struct State {
  explicit State(const FakeMachine& of) : machine(of), memory(of.memory_bytes) {}

  std::recursive_mutex mutex;
  FakeMachine machine;
  cuda::Driver table{};
  std::vector<Image> images;
  std::vector<cuda::KernelImage> image_addresses;
  unsigned long long contexts_made = 0;
  DriverCounts counts;
  int fails_in = 0;  // calls; 0: never
  Result failure = Result::kSuccess;
  Result sticky = Result::kSuccess;
  std::vector<Context> primaries;
  std::vector<std::unique_ptr<Context>> contexts;
  FakeMemory memory;
  std::map<Module*, std::unique_ptr<Module>> modules;
  std::set<Event*> events;
  std::vector<std::unique_ptr<int>> streams;
  std::vector<void*> launched_on;
  void* capturing = nullptr;
  std::vector<Work> captured;
  std::vector<std::string> faults;
  bool initialised = false;
};

State* state = nullptr;
// Of current contexts. Without a destructor, because plans of static contexts end after those of threads.
struct ContextStack {
  Context* contexts[8];
  int depth;
  bool empty() const { return depth == 0; }
  Context* back() const { return contexts[depth - 1]; }
  void push_back(Context* context) {
    if (depth == static_cast<int>(std::size(contexts))) std::abort();
    contexts[depth++] = context;
  }
  void pop_back() { --depth; }
  void clear() { depth = 0; }
};
constinit thread_local ContextStack stack{};

Context* current_context() { return stack.empty() ? nullptr : stack.back(); }

Result fault(const std::string& sentence, Result result) {
  state->faults.push_back(sentence);
  return result;
}

bool is_sticky(Result result) { return result == Result::kIllegalAddress || result == Result::kLaunchFailed; }

// Counts a call; what is returned ends it unless it is kSuccess.
Result begin_call() {
  ++state->counts.calls;
  if (state->sticky != Result::kSuccess) return state->sticky;
  if (state->fails_in > 0 && --state->fails_in == 0) {
    if (is_sticky(state->failure)) state->sticky = state->failure;
    return state->failure;
  }
  return Result::kSuccess;
}

// What gives something back never fails by script: nothing could be done about it.
Result begin_release() {
  ++state->counts.calls;
  return state->capturing != nullptr ? Result::kStreamCaptureUnsupported : Result::kSuccess;
}

// Of what a capture forbids on any stream.
Result begin_forbidden() {
  if (const Result result = begin_call(); result != Result::kSuccess) return result;
  return state->capturing != nullptr ? Result::kStreamCaptureUnsupported : Result::kSuccess;
}

Result begin_in_context() {
  if (const Result result = begin_call(); result != Result::kSuccess) return result;
  if (!state->initialised) return Result::kNotInitialized;
  return current_context() == nullptr ? Result::kInvalidContext : Result::kSuccess;
}

#define ULPFFT_FAKE_BEGIN(begin)                                              \
  const std::lock_guard lock(state->mutex);                                   \
  if (const Result begun = begin(); begun != Result::kSuccess) return begun

// ---- the entry points

Result init(unsigned) {
  ULPFFT_FAKE_BEGIN(begin_call);
  state->initialised = true;
  return Result::kSuccess;
}
Result driver_get_version(int* version) {
  ULPFFT_FAKE_BEGIN(begin_call);
  *version = state->machine.driver_version;
  return Result::kSuccess;
}
Result device_get_count(int* count) {
  ULPFFT_FAKE_BEGIN(begin_call);
  *count = state->machine.devices;
  return Result::kSuccess;
}
Result device_get(int* device, int ordinal) {
  ULPFFT_FAKE_BEGIN(begin_call);
  if (ordinal >= state->machine.devices) return Result::kInvalidValue;
  *device = ordinal;
  return Result::kSuccess;
}
Result device_get_name(char* name, int size, int device) {
  ULPFFT_FAKE_BEGIN(begin_call);
  std::snprintf(name, static_cast<std::size_t>(size), "Fake device %d", device);
  return Result::kSuccess;
}
Result device_get_attribute(int* value, int attribute, int) {
  ULPFFT_FAKE_BEGIN(begin_call);
  const cuda::DeviceLimits& device = state->machine.device;
  switch (attribute) {
    case cuda::kComputeCapabilityMajor: *value = device.capability / 10; break;
    case cuda::kComputeCapabilityMinor: *value = device.capability % 10; break;
    case cuda::kSharedBytesOfBlock: *value = static_cast<int>(device.shared_bytes); break;
    case cuda::kRegistersOfBlock: *value = device.registers; break;
    case cuda::kProcessorCount: *value = device.processors; break;
    case cuda::kCacheBytes: *value = static_cast<int>(device.cache_bytes); break;
    default: return fault("An unknown attribute of a device is asked for.", Result::kInvalidValue);
  }
  return Result::kSuccess;
}
Result primary_context_retain(void** context, int device) {
  ULPFFT_FAKE_BEGIN(begin_call);
  Context& primary = state->primaries[static_cast<std::size_t>(device)];
  if (primary.is_destroyed) primary = {device, 0, ++state->contexts_made};
  ++primary.retained;
  *context = &primary;
  return Result::kSuccess;
}
Result primary_context_release(int device) {
  ULPFFT_FAKE_BEGIN(begin_call);
  Context& primary = state->primaries[static_cast<std::size_t>(device)];
  if (primary.retained == 0) return fault("A primary context is released more often than retained.", Result::kInvalidContext);
  --primary.retained;
  return Result::kSuccess;
}
Result context_get_current(void** context) {
  ULPFFT_FAKE_BEGIN(begin_call);
  *context = current_context();
  return Result::kSuccess;
}
Result context_push(void* context) {
  ULPFFT_FAKE_BEGIN(begin_call);
  if (static_cast<const Context*>(context)->is_destroyed) return Result::kContextIsDestroyed;
  stack.push_back(static_cast<Context*>(context));
  return Result::kSuccess;
}
// Never fails by script: nobody could go on.
Result context_pop(void** context) {
  const std::lock_guard lock(state->mutex);
  ++state->counts.calls;
  if (stack.empty()) return fault("No context can be popped.", Result::kInvalidContext);
  *context = stack.back();
  stack.pop_back();
  return Result::kSuccess;
}
Result context_get_device(int* device) {
  ULPFFT_FAKE_BEGIN(begin_in_context);
  *device = current_context()->device;
  return Result::kSuccess;
}

Result context_get_id(void* context, unsigned long long* number) {
  ULPFFT_FAKE_BEGIN(begin_call);
  *number = static_cast<const Context*>(context)->number;
  return Result::kSuccess;
}

Result module_load_data(void** module, const void* image) {
  ULPFFT_FAKE_BEGIN(begin_forbidden);
  if (current_context() == nullptr) return Result::kInvalidContext;
  const auto known = std::find_if(state->images.begin(), state->images.end(),
                                  [&](const Image& candidate) { return image == &candidate.binary || image == &candidate.ptx; });
  if (known == state->images.end()) return fault("Another image is loaded than that of the build.", Result::kInvalidValue);
  const int result = image == &known->binary ? state->machine.binary_result : state->machine.ptx_result;
  if (result != 0) return static_cast<Result>(result);
  ++state->counts.modules;
  auto made = std::make_unique<Module>();
  made->context = current_context();
  made->image = static_cast<std::size_t>(known - state->images.begin());
  *module = made.get();
  state->modules[made.get()] = std::move(made);
  return Result::kSuccess;
}
Result module_unload(void* module) {
  ULPFFT_FAKE_BEGIN(begin_release);
  if (state->modules.erase(static_cast<Module*>(module)) == 0) return fault("An unknown module is unloaded.", Result::kInvalidValue);
  return Result::kSuccess;
}
Result module_get_function(void** function, void* module, const char* name) {
  ULPFFT_FAKE_BEGIN(begin_call);
  Module& of = *static_cast<Module*>(module);
  if (state->modules.count(&of) == 0) return fault("A kernel is looked up in an unknown module.", Result::kInvalidValue);
  if (of.context != current_context()) return fault("A kernel is looked up in a module of another context.", Result::kInvalidContext);
  const cuda::Twin* const twin = cuda::find_twin(name);
  if (twin == nullptr) return Result::kNotFound;
  auto made = std::make_unique<Function>();
  made->twin = twin;
  for (const cuda::KernelInfo& kernel : cuda::kernels()) {
    if (std::strcmp(kernel.name, name) == 0) made->kernel = &kernel;
  }
  if (static_cast<std::size_t>(made->kernel - cuda::kernels().data()) % state->images.size() != of.image) return Result::kNotFound;
  auto& known = of.functions[name];
  if (known == nullptr) known = std::move(made);
  *function = known.get();
  return Result::kSuccess;
}
Result function_set_attribute(void* function, int attribute, int value) {
  ULPFFT_FAKE_BEGIN(begin_call);
  if (attribute != cuda::kMaxDynamicSharedBytes) return fault("An unknown attribute of a function is set.", Result::kInvalidValue);
  if (static_cast<std::size_t>(value) > state->machine.device.shared_bytes) return Result::kInvalidValue;
  static_cast<Function*>(function)->allowed_shared = static_cast<std::size_t>(value);
  return Result::kSuccess;
}

Result memory_allocate(DeviceAddress* address, std::size_t bytes) {
  ULPFFT_FAKE_BEGIN(begin_in_context);
  ++state->counts.allocations;
  if (state->capturing != nullptr) return Result::kStreamCaptureUnsupported;
  if (bytes == 0) return Result::kInvalidValue;
  void* const made = state->memory.allocate(bytes, current_context()->device, current_context());
  *address = reinterpret_cast<DeviceAddress>(made);
  return made != nullptr ? Result::kSuccess : Result::kOutOfMemory;
}
Result memory_free(DeviceAddress address) {
  ULPFFT_FAKE_BEGIN(begin_release);
  return state->memory.free(address) ? Result::kSuccess : fault("Unknown memory is freed.", Result::kInvalidValue);
}
Result begin_copy() {
  if (const Result result = begin_in_context(); result != Result::kSuccess) return result;
  return state->capturing != nullptr ? Result::kStreamCaptureImplicit : Result::kSuccess;
}
Result copy_to_device(DeviceAddress to, const void* from, std::size_t bytes) {
  ULPFFT_FAKE_BEGIN(begin_copy);
  ++state->counts.copies;
  void* const there = reinterpret_cast<void*>(to);
  if (state->memory.find(there) == nullptr) return fault("Memory is copied that is not of a device.", Result::kInvalidValue);
  state->memory.begin_copy(there, from, bytes);
  return Result::kSuccess;
}
Result copy_to_host(void* to, DeviceAddress from, std::size_t bytes) {
  ULPFFT_FAKE_BEGIN(begin_copy);
  ++state->counts.copies;
  ++state->counts.synchronisations;
  const void* const there = reinterpret_cast<void*>(from);
  if (state->memory.find(there) == nullptr) return fault("Memory is copied that is not of a device.", Result::kInvalidValue);
  state->memory.finish_writes();
  std::memcpy(to, there, bytes);
  return Result::kSuccess;
}
Result memory_set(DeviceAddress to, unsigned char value, std::size_t bytes) {
  ULPFFT_FAKE_BEGIN(begin_copy);
  ++state->counts.sets;
  state->memory.begin_fill(reinterpret_cast<void*>(to), value, bytes);
  return Result::kSuccess;
}
Result stream_synchronize(void* stream) {
  ULPFFT_FAKE_BEGIN(begin_forbidden);
  ++state->counts.synchronisations;
  if (stream == nullptr) state->memory.finish_writes();
  return Result::kSuccess;
}

// The PTX that is shipped where a test has it, else the twin.
void Work::run() const {
  const PtxKernel* const ptx = cuda::test::shipped_kernel(function->kernel->name);
  if (ptx == nullptr) return function->twin->run(args, grid, cuda::host::Order::kScattered);
  std::vector<cuda::test::Region> regions;
  {
    const std::lock_guard lock(state->mutex);
    const auto add = [&](const void* address, bool writable) {
      const FakeMemory::Allocation* const known = state->memory.find(address);
      if (known != nullptr) regions.push_back({known->buffer->data(), known->buffer->size(), writable});
    };
    add(args.out.data, true);
    add(args.in.data, false);
    add(args.table, false);
    add(args.twist, false);
    add(args.saturated, true);
  }
  const cuda::test::PtxFaults faults = cuda::test::run_ptx(*ptx, *function->kernel, args, grid, regions);
  const std::lock_guard lock(state->mutex);
  ++state->counts.shipped_launches;
  if (faults.any()) state->faults.push_back(std::string(function->kernel->name) + " as it is shipped: " + faults.text() + ".");
}

// Why a launch is one that a driver refuses; empty where it is not.
std::string fault_of(const Work& work, unsigned threads, unsigned shared) {
  const cuda::KernelInfo& kernel = *work.function->kernel;
  const std::string name = kernel.name;
  if (threads != static_cast<unsigned>(kernel.threads)) return name + " is launched with other threads than it has.";
  if (shared != kernel.shared_bytes || shared > work.function->allowed_shared) {
    return name + " is launched with other shared memory than it has.";
  }
  if (work.grid.x == 0 || work.grid.y == 0 || work.grid.z == 0 || work.grid.y > kMostOuterBlocks || work.grid.z > kMostOuterBlocks) {
    return name + " is launched with a grid that no device has.";
  }
  if (work.grid.x != static_cast<unsigned>((work.args.count + kernel.per_block - 1) / kernel.per_block)) {
    return name + " is launched with blocks for another count.";
  }
  const bool reads_table = kernel.table_bytes != 0, reads_twist = work.args.twist_columns != 0;
  for (const void* const address : {work.args.in.data, work.args.out.data}) {
    const FakeMemory::Allocation* const known = state->memory.find(address);
    if (known == nullptr) return name + " is launched on memory that is not of a device.";
    if (known->device != current_context()->device) return name + " is launched on memory of another device.";
  }
  if (reads_table && state->memory.find(work.args.table) == nullptr) return name + " is launched with a table that is not of a device.";
  if (reads_twist && state->memory.find(work.args.twist) == nullptr) return name + " is launched with twiddles that are not of a device.";
  if (!reads_twist && work.args.twist != nullptr) return name + " is launched with twiddles of no columns.";
  return "";
}

Result launch_kernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned, unsigned, unsigned shared,
                     void* stream, void** parameters, void**) {
  Work work{static_cast<const Function*>(function), *static_cast<const cuda::Args*>(parameters[0]), {x, y, z}};
  {
    ULPFFT_FAKE_BEGIN(begin_in_context);
    ++state->counts.launches;
    state->launched_on.push_back(stream);
    if (const std::string sentence = fault_of(work, threads, shared); !sentence.empty()) {
      state->sticky = Result::kIllegalAddress;
      return fault(sentence, Result::kIllegalAddress);
    }
    if (state->capturing != nullptr && stream == nullptr) return Result::kStreamCaptureImplicit;
    if (state->capturing == stream && stream != nullptr) {
      state->captured.push_back(work);
      return Result::kSuccess;
    }
    if (stream == nullptr) state->memory.finish_writes();
  }
  work.run();
  return Result::kSuccess;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Result event_create(void** event, unsigned) {
  ULPFFT_FAKE_BEGIN(begin_call);
  auto* const made = new Event;
  state->events.insert(made);
  *event = made;
  return Result::kSuccess;
}
Result event_record(void* event, void* stream) {
  ULPFFT_FAKE_BEGIN(begin_call);
  *static_cast<Event*>(event) = {now(), stream == nullptr};
  return Result::kSuccess;
}
Result event_synchronize(void* event) {
  ULPFFT_FAKE_BEGIN(begin_forbidden);
  ++state->counts.synchronisations;
  if (static_cast<const Event*>(event)->on_default) state->memory.finish_writes();
  return Result::kSuccess;
}
Result event_elapsed(float* milliseconds, void* begin, void* end) {
  ULPFFT_FAKE_BEGIN(begin_call);
  *milliseconds = static_cast<float>(1e3 * (static_cast<const Event*>(end)->seconds - static_cast<const Event*>(begin)->seconds));
  return Result::kSuccess;
}
Result event_destroy(void* event) {
  ULPFFT_FAKE_BEGIN(begin_release);
  auto* const known = static_cast<Event*>(event);
  if (state->events.erase(known) == 0) return fault("An unknown event is destroyed.", Result::kInvalidValue);
  delete known;
  return Result::kSuccess;
}

Result pointer_get_attributes(unsigned count, int* attributes, void** values, DeviceAddress address) {
  ULPFFT_FAKE_BEGIN(begin_in_context);
  const FakeMemory::Allocation* const known = state->memory.find(reinterpret_cast<void*>(address));
  for (unsigned i = 0; i < count; ++i) {
    int value = 0;
    if (attributes[i] == cuda::kMemoryType) value = known != nullptr ? 2 : 0;
    if (attributes[i] == cuda::kPointerDevice) value = known != nullptr ? known->device : -2;
    std::memcpy(values[i], &value, sizeof value);
  }
  return Result::kSuccess;
}
Result get_error_name(Result, const char** name) {
  *name = "CUDA_ERROR_SCRIPTED";
  return Result::kSuccess;
}

constexpr int kFirstWithIds = 12000;

cuda::Driver table_of(const FakeMachine& machine) {
  return {&init, &driver_get_version, &device_get_count, &device_get, &device_get_name, &device_get_attribute, &primary_context_retain,
          &primary_context_release, &context_get_current, &context_push, &context_pop, &context_get_device,
          machine.driver_version >= kFirstWithIds ? &context_get_id : nullptr, &module_load_data,
          &module_unload, &module_get_function, &function_set_attribute, &memory_allocate, &memory_free, &copy_to_device, &copy_to_host,
          &memory_set, &stream_synchronize, &launch_kernel, &event_create, &event_record, &event_synchronize, &event_elapsed,
          &event_destroy, &pointer_get_attributes, &get_error_name,
          state->image_addresses};
}

cuda::DriverOrReason fake_source() {
  if (!state->machine.has_driver) return {nullptr, "This machine has no NVIDIA driver: libcuda.so.1 cannot be loaded."};
  return {&state->table, ""};
}

}  // namespace

FakeDriver::FakeDriver(const FakeMachine& machine) {
  state = new State(machine);
  state->images.resize(static_cast<std::size_t>(machine.images));
  for (std::size_t i = 0; i < cuda::kernels().size() && machine.images > 0; ++i) {
    state->images[i % state->images.size()].names += std::string(cuda::kernels()[i].name) + "\n";
  }
  for (const Image& image : state->images) state->image_addresses.push_back({&image.binary, &image.ptx, image.names.c_str()});
  state->table = table_of(machine);
  for (int device = 0; device < machine.devices; ++device) state->primaries.push_back({device, 0, ++state->contexts_made});
  cuda::set_driver_source(&fake_source);
}

FakeDriver::~FakeDriver() {
  cuda::forget_primary_context();
  cuda::set_driver_source(nullptr);
  for (Event* const event : state->events) delete event;
  stack.clear();
  delete state;
  state = nullptr;
}

void FakeDriver::fail_at(int k, int result) {
  const std::lock_guard lock(state->mutex);
  state->fails_in = k;
  state->failure = static_cast<Result>(result);
}
bool FakeDriver::has_failed() const {
  const std::lock_guard lock(state->mutex);
  return state->fails_in == 0 && state->failure != Result::kSuccess;
}
void FakeDriver::heal() {
  const std::lock_guard lock(state->mutex);
  state->fails_in = 0;
  state->sticky = Result::kSuccess;
}
void FakeDriver::begin_counts() {
  const std::lock_guard lock(state->mutex);
  state->counts = {};
  state->launched_on.clear();
}
DriverCounts FakeDriver::counts() const {
  const std::lock_guard lock(state->mutex);
  return state->counts;
}

void* FakeDriver::allocate(std::size_t bytes, int device) {
  DeviceAddress address = 0;
  stack.push_back(&state->primaries[static_cast<std::size_t>(device)]);
  state->initialised = true;
  memory_allocate(&address, bytes);
  stack.pop_back();
  return reinterpret_cast<void*>(address);
}
void FakeDriver::free(void* memory) {
  stack.push_back(&state->primaries[0]);
  memory_free(reinterpret_cast<DeviceAddress>(memory));
  stack.pop_back();
}
void* FakeDriver::make_context(int device) {
  const std::lock_guard lock(state->mutex);
  state->contexts.push_back(std::make_unique<Context>(Context{device, 0, ++state->contexts_made}));
  return state->contexts.back().get();
}
void FakeDriver::replace_context(void* context) {
  const std::lock_guard lock(state->mutex);
  destroy_context(context);
  auto& successor = *static_cast<Context*>(context);
  successor = {successor.device, successor.retained, ++state->contexts_made};
}
void FakeDriver::destroy_context(void* context) {
  const std::lock_guard lock(state->mutex);
  std::erase_if(state->modules, [&](const auto& module) { return module.second->context == context; });
  state->memory.forget(context);
  static_cast<Context*>(context)->is_destroyed = true;
}
void FakeDriver::set_current(void* context) {
  stack.clear();
  if (context != nullptr) stack.push_back(static_cast<Context*>(context));
}
void* FakeDriver::current() const { return current_context(); }
void* FakeDriver::primary(int device) const { return &state->primaries[static_cast<std::size_t>(device)]; }
void* FakeDriver::make_stream() {
  const std::lock_guard lock(state->mutex);
  state->streams.push_back(std::make_unique<int>(0));
  return state->streams.back().get();
}
void FakeDriver::begin_capture(void* stream) {
  const std::lock_guard lock(state->mutex);
  state->capturing = stream;
  state->captured.clear();
}
void FakeDriver::end_capture() {
  const std::lock_guard lock(state->mutex);
  state->capturing = nullptr;
}
void FakeDriver::replay() {
  for (const Work& work : state->captured) work.run();
}
std::vector<void*> FakeDriver::streams_of_launches() const {
  const std::lock_guard lock(state->mutex);
  return state->launched_on;
}
int FakeDriver::live() const {
  const std::lock_guard lock(state->mutex);
  return static_cast<int>(state->memory.allocations() + state->events.size());
}
int FakeDriver::modules() const {
  const std::lock_guard lock(state->mutex);
  return static_cast<int>(state->modules.size());
}
std::vector<std::string> FakeDriver::faults() const {
  const std::lock_guard lock(state->mutex);
  return state->faults;
}

}  // namespace ulpfft::test
