// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/copy_team.h"

#include <algorithm>

#include "tools/ulpfft/bench/machine_kernels.h"

namespace ulpfft_tool::bench {
namespace {

constexpr std::size_t kStep = 256;   // of the kernels
constexpr int kSpins = 20000;        // some 20 us before a helper sleeps, like the library's own threads

}  // namespace

CopyTeam::CopyTeam(const std::byte* from, std::byte* to, std::size_t bytes, int threads, bool streaming)
    : from_(from), to_(to), bytes_(bytes / kStep * kStep), parts_(static_cast<std::size_t>(std::max(1, threads))) {
  const MachineKernels& kernels = machine_kernels();
  copy_ = streaming && kernels.copy_streaming != nullptr ? kernels.copy_streaming : kernels.copy;
  for (std::size_t part = 1; part < parts_; ++part) helpers_.emplace_back([this, part] { help(part); });
}

CopyTeam::~CopyTeam() {
  ends_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void CopyTeam::copy_part(std::size_t part) const {
  const std::size_t steps = bytes_ / kStep;
  const std::size_t first = steps * part / parts_ * kStep, end = steps * (part + 1) / parts_ * kStep;
  copy_(from_ + first, to_ + first, end - first);
}

void CopyTeam::help(std::size_t part) {
  for (std::uint64_t seen = 0;;) {
    for (int spin = 0; spin < kSpins && round_ == seen; ++spin) {
    }
    round_.wait(seen);
    ++seen;
    if (ends_) return;
    copy_part(part);
    ++done_;
  }
}

void CopyTeam::run(std::int64_t repeats) {
  for (std::int64_t i = 0; i < repeats; ++i) {
    const std::uint64_t round = ++round_;
    round_.notify_all();
    copy_part(0);
    while (done_ != round * (parts_ - 1)) std::this_thread::yield();
  }
}

}  // namespace ulpfft_tool::bench
