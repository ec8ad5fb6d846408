// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A copy shared by several threads, as a contender: what more threads of this machine gain where nothing but memory limits them.
//
// Virtual machines share caches and memory with neighbours, so that the gain changes from second to second: it is measured by turns with
// the transforms it explains.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_COPY_TEAM_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_COPY_TEAM_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "tools/ulpfft/bench/timing.h"

namespace ulpfft_tool::bench {

class CopyTeam : public Contender {
 public:
  // streaming: with non-temporal stores, where the machine has them. Whole steps of 256 bytes are copied, a rest is left out.
  CopyTeam(const std::byte* from, std::byte* to, std::size_t bytes, int threads, bool streaming);
  ~CopyTeam() override;
  CopyTeam(const CopyTeam&) = delete;
  CopyTeam& operator=(const CopyTeam&) = delete;

  void run(std::int64_t repeats) override;

 private:
  void copy_part(std::size_t part) const;
  void help(std::size_t part);

  const std::byte* from_;
  std::byte* to_;
  std::size_t bytes_;
  std::size_t parts_;
  void (*copy_)(const std::byte*, std::byte*, std::size_t);
  std::atomic<std::uint64_t> round_{0};  // the helpers copy once for each; the last one ends them
  std::atomic<std::uint64_t> done_{0};   // parts copied by helpers since the beginning
  std::atomic<bool> ends_{false};
  std::vector<std::thread> helpers_;
};

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_COPY_TEAM_H_
