// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the accesses of a kernel cost by the documented rules, and whether two threads touch a word without a barrier between them.
//
// Shared memory  32 banks of 4 bytes. A warp's request of b bytes a lane goes out 128 / b lanes at a time; lanes of one go out that want
//                different words of a bank need a wavefront each. Ideal: bytes / 128.
// Global memory  sectors of 32 bytes. Ideal: bytes / 32.
// Requests       the i-th access of its kind that the lanes of a warp make between two barriers is one request.
// Divergence     a warp whose lanes make different numbers of accesses of some kind between two barriers.
// Races          words of shared memory that two threads touch between two barriers, one of them writing.
#ifndef ULPFFT_TESTS_CODELETS_CUDA_METER_H_
#define ULPFFT_TESTS_CODELETS_CUDA_METER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "codelets/cuda/host.h"

namespace ulpfft::cuda::test {

class Meter : public host::Observer {
 public:
  struct Totals {
    std::int64_t requests = 0, ideal = 0, actual = 0;
    double ratio() const { return ideal == 0 ? 1.0 : static_cast<double>(actual) / static_cast<double>(ideal); }
  };

  // Observes while it lives; one at a time.
  Meter() { host::observer = this; }
  ~Meter() override { host::observer = nullptr; }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  const Totals& totals(host::Access kind) const { return totals_[static_cast<std::size_t>(kind)]; }
  std::int64_t races() const { return races_; }
  std::int64_t barriers() const { return barriers_; }
  std::int64_t divergent_warps() const { return divergent_; }

  void begin_block(const void* shared, std::size_t shared_bytes, int threads) override;
  void begin_thread(int thread) override { thread_ = static_cast<std::size_t>(thread); }
  void access(host::Access kind, const void* address, int bytes) override;
  void barrier() override;
  void end_block() override;

 private:
  static constexpr std::size_t kKinds = 5;
  struct Entry {
    std::uintptr_t address;
    int bytes;
  };
  using Logs = std::array<std::vector<Entry>, kKinds>;
  struct Word {
    std::int64_t interval = -1;
    std::int32_t thread = 0;   // the first
    bool several = false;
    bool written = false;
    bool raced = false;
  };

  void end_interval();
  void end_warp(std::size_t begin, std::size_t end);
  void add_request(std::size_t kind, const std::vector<Entry>& lanes);
  void touch(std::uintptr_t address, int bytes, bool writes);

  std::vector<Logs> threads_;
  std::vector<Word> words_;
  std::array<Totals, kKinds> totals_;
  std::uintptr_t shared_ = 0;
  std::size_t shared_bytes_ = 0;
  std::size_t thread_ = 0;
  std::int64_t interval_ = 0, races_ = 0, barriers_ = 0, divergent_ = 0;
};

}  // namespace ulpfft::cuda::test

#endif  // ULPFFT_TESTS_CODELETS_CUDA_METER_H_
