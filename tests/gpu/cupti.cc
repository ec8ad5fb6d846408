// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/gpu/cupti.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <type_traits>

#include "tests/gpu/libraries.h"

namespace ulpfft::test {
namespace {

// The beginning of CUpti_ActivityKernel4 (CUDA 9) to CUpti_ActivityKernel10 (CUDA 13.0), which is the same in all of them.
struct CuptiKernel {
  std::uint32_t kind;
  std::uint8_t cache_config, shared_config;
  std::uint16_t registers;
  std::uint32_t partitioned[2];
  std::uint64_t begin_ns, end_ns, completed_ns;
  std::uint32_t device, context, stream;
  std::int32_t grid[3], block[3];
  std::int32_t static_shared_bytes, dynamic_shared_bytes;
  std::uint32_t local_bytes_per_thread, local_bytes, correlation;
  std::int64_t grid_id;
  const char* name;
};
static_assert(offsetof(CuptiKernel, begin_ns) == 16 && offsetof(CuptiKernel, grid) == 52 && offsetof(CuptiKernel, name) == 104);

constexpr std::uint32_t kConcurrentKernel = 10;  // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
constexpr std::uint32_t kForced = 1;             // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
constexpr std::size_t kBufferBytes = std::size_t{1} << 20, kAlignment = 8;

// cuptiGetVersion(): 18 is CUDA 11.8, 28 is 12.9; from CUDA 13 on 130000 and so forth.
bool is_known(std::uint32_t version) { return (version >= 18 && version <= 28) || version / 10000 == 13; }

struct Recorded {
  CuptiKernel facts;
  std::string name;
};

// What the callbacks of CUPTI, which take no user's pointer, fill on threads of its own.
std::mutex mutex;
std::vector<Recorded> recorded;
int (*next_record)(std::uint8_t* buffer, std::size_t valid, void** record) = nullptr;

void request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBufferBytes));
  *size = *buffer != nullptr ? kBufferBytes : 0;
  *most_records = 0;  // as many as there is room for
}

void take_buffer(void*, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  {
    const std::lock_guard lock(mutex);
    void* record = nullptr;
    while (valid > 0 && next_record(buffer, valid, &record) == 0) {
      const auto* const kernel = static_cast<const CuptiKernel*>(record);
      if (kernel->kind == kConcurrentKernel) recorded.push_back({*kernel, kernel->name != nullptr ? kernel->name : ""});
    }
  }
  std::free(buffer);
}

void require_cupti(int result, const char* doing) {
  if (result != 0) throw std::runtime_error(std::string("CUPTI failed while ") + doing + ": result " + std::to_string(result) + ".");
}

}  // namespace

Cupti::Cupti() {
  void* const library = load_library({.title = "CUPTI",
                                      .variable = "ULPFFT_CUPTI",
                                      .names = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"},
                                      .folders = {"/usr/local/cuda/extras/CUPTI/lib64", "/usr/local/cuda/lib64"},
                                      .packages = {"cu13", "cuda_cupti"}});
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr) throw std::runtime_error(std::string("The library of CUPTI lacks ") + name + "().");
  };
  int (*get_version)(std::uint32_t*) = nullptr;
  int (*enable)(std::uint32_t kind) = nullptr;
  int (*register_callbacks)(decltype(&request_buffer), decltype(&take_buffer)) = nullptr;
  find(get_version, "cuptiGetVersion");
  find(register_callbacks, "cuptiActivityRegisterCallbacks");
  find(enable, "cuptiActivityEnable");
  find(disable_, "cuptiActivityDisable");
  find(flush_, "cuptiActivityFlushAll");
  find(next_record, "cuptiActivityGetNextRecord");
  require_cupti(get_version(&version_), "asking for its version");
  if (!is_known(version_)) {
    throw std::runtime_error("Records of CUPTI " + std::to_string(version_) + " are not known: only those of CUDA 11.8 to 13 are.");
  }
  require_cupti(register_callbacks(&request_buffer, &take_buffer), "taking callbacks");
  require_cupti(enable(kConcurrentKernel), "beginning to record kernels");
}

Cupti::~Cupti() {
  disable_(kConcurrentKernel);
  flush_(kForced);  // what is left must not come later
}

std::vector<KernelRecord> Cupti::take() const {
  require_cupti(flush_(kForced), "handing over records");
  std::vector<Recorded> all;
  {
    const std::lock_guard lock(mutex);
    all.swap(recorded);
  }
  std::sort(all.begin(), all.end(), [](const Recorded& a, const Recorded& b) { return a.facts.begin_ns < b.facts.begin_ns; });
  std::vector<KernelRecord> records;
  for (const auto& [facts, name] : all) {
    KernelRecord& record = records.emplace_back();
    record.name = name;
    record.registers = facts.registers;
    record.static_shared_bytes = facts.static_shared_bytes;
    record.dynamic_shared_bytes = facts.dynamic_shared_bytes;
    record.local_bytes = static_cast<int>(facts.local_bytes_per_thread);
    std::copy(std::begin(facts.grid), std::end(facts.grid), record.grid);
    std::copy(std::begin(facts.block), std::end(facts.block), record.block);
    record.seconds = 1e-9 * static_cast<double>(facts.end_ns - facts.begin_ns);
  }
  return records;
}

}  // namespace ulpfft::test
