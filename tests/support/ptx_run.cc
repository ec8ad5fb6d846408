// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/ptx_run.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace ulpfft::cuda::test {
namespace {

constexpr int kWordBytes = 4;

// Who accessed a word of shared memory last.
struct Word {
  std::uint32_t interval = 0, thread = 0;
  bool is_written = false, is_shared = false;  // by several threads
};

class Machine : public Block {
 public:
  Machine(const PtxKernel& kernel, const KernelInfo& info, const Args& args, std::span<const Region> memory)
      : Block{&args, {0, 0, 0}, &Machine::at_global, &Machine::at_shared}, kernel_(kernel), memory_(memory),
        states_(kernel.state_bytes * static_cast<std::size_t>(kernel.threads)), shared_(info.shared_bytes),
        words_(info.shared_bytes / kWordBytes) {}

  void run_block() {
    std::fill(states_.begin(), states_.end(), std::byte{0xcd});
    for (int thread = 0; thread < kernel_.threads; ++thread) {
      const std::uint32_t begin = 0;
      std::memcpy(state_of(thread), &begin, sizeof begin);
    }
    std::fill(shared_.begin(), shared_.end(), std::byte{0xff});
    for (int barrier = -1; barrier != 0;) {
      ++interval_;
      int first = -1;
      host::for_each_thread(kernel_.threads, host::Order::kScattered, [&](int thread) {
        const int reached = kernel_.run(state_of(thread), this, static_cast<std::uint32_t>(thread));
        if (first < 0) first = reached;
        if (reached != first) ++faults_.divergent;
      });
      barrier = first;
      if (faults_.divergent != 0) return;  // nothing that follows would mean anything
    }
  }
  const PtxFaults& faults() const { return faults_; }

 private:
  static char* at_global(Block* block, std::uint32_t, std::uint64_t address, int bytes, int writes) {
    return static_cast<Machine*>(block)->global(address, static_cast<std::uint64_t>(bytes), writes != 0);
  }
  static char* at_shared(Block* block, std::uint32_t thread, std::uint32_t address, int bytes, int writes) {
    return static_cast<Machine*>(block)->shared(thread, address, static_cast<std::uint32_t>(bytes), writes != 0);
  }

  char* global(std::uint64_t address, std::uint64_t bytes, bool writes) {
    if (address % bytes != 0) ++faults_.misaligned;
    for (const Region& region : memory_) {
      const auto begin = reinterpret_cast<std::uint64_t>(region.begin);
      if (address >= begin && address + bytes <= begin + region.bytes && (region.writable || !writes)) {
        return reinterpret_cast<char*>(address);
      }
    }
    ++faults_.outside;
    return rubbish_;
  }

  char* shared(std::uint32_t thread, std::uint32_t address, std::uint32_t bytes, bool writes) {
    if (address % bytes != 0) ++faults_.misaligned;
    if (address + std::uint64_t{bytes} > shared_.size()) {
      ++faults_.outside;
      return rubbish_;
    }
    for (std::uint32_t i = address / kWordBytes; i * kWordBytes < address + bytes; ++i) {
      Word& word = words_[i];
      const bool is_new = word.interval != interval_;
      const bool others = !is_new && (word.is_shared || word.thread != thread);
      if (others && (writes || word.is_written)) ++faults_.races;
      word = {interval_, thread, writes || (!is_new && word.is_written), others};
    }
    return reinterpret_cast<char*>(shared_.data()) + address;
  }

  std::byte* state_of(int thread) { return states_.data() + kernel_.state_bytes * static_cast<std::size_t>(thread); }

  const PtxKernel& kernel_;
  const std::span<const Region> memory_;
  std::vector<std::byte> states_, shared_;
  std::vector<Word> words_;
  std::uint32_t interval_ = 0;
  PtxFaults faults_;
  char rubbish_[16] = {};
};

}  // namespace

std::string PtxFaults::text() const {
  return std::to_string(races) + " races, " + std::to_string(outside) + " accesses out of bounds, " + std::to_string(misaligned) +
         " misaligned, " + std::to_string(divergent) + " divergent barriers";
}

const PtxKernel* shipped_kernel(const std::string& name) {
  static const std::map<std::string, const PtxKernel*> known = [] {
    std::map<std::string, const PtxKernel*> all;
    const char* const given = std::getenv("ULPFFT_PTX_KERNELS");
    std::istringstream paths(given != nullptr ? given : "");
    for (std::string path; std::getline(paths, path, ':');) {
      void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      const void* const table = library == nullptr ? nullptr : dlsym(library, "ptx_kernels");
      if (table == nullptr) throw std::runtime_error(path + " has no kernels.");
      for (const auto* kernel = static_cast<const PtxKernel*>(table); kernel->name != nullptr; ++kernel) all[kernel->name] = kernel;
    }
    return all;
  }();
  const auto found = known.find(name);
  return found == known.end() ? nullptr : found->second;
}

PtxFaults run_ptx(const PtxKernel& kernel, const KernelInfo& info, const Args& args, Grid grid, std::span<const Region> memory) {
  Machine machine(kernel, info, args, memory);
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        machine.id[0] = x;
        machine.id[1] = y;
        machine.id[2] = z;
        machine.run_block();
      }
    }
  }
  return machine.faults();
}

}  // namespace ulpfft::cuda::test
