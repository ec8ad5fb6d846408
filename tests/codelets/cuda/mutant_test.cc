// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Kernels with one fault in their text: the check of its kind sees it, and sees nothing in the sound text (fault `none`). The faulty header
// comes first, and its include guard keeps the sound one out. -DULPFFT_MUTANT="mutant_<fault>.h" -DULPFFT_FAULT=k<Fault>
#include <gtest/gtest.h>

#include <algorithm>

#include ULPFFT_MUTANT

#define ULPFFT_CUDA_WANTED 0
#define ULPFFT_KERNEL(name, bodies, ...)
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL

#include "tests/codelets/cuda/metered.h"

namespace ulpfft::cuda::test {
namespace {

enum class Fault { kNone, kBarrier, kPadding, kFactor, kStore };

constexpr Twin kMutants[] = {
#define ULPFFT_KERNEL(name, bodies, ...) {#name, &run_on_host<__VA_ARGS__>},
#include "codelets/cuda/each_kernel.h"
#undef ULPFFT_KERNEL
};

TEST(Mutant, IsCaughtByTheCheckOfItsKindInEveryKernelOfSeveralPasses) {
  constexpr Fault kFault = Fault::ULPFFT_FAULT;
  int tried = 0;
  for (const KernelInfo& kernel : kernels()) {
    if (!kernel.smoke || kernel.passes < 2) continue;
    const auto is_it = [&](const Twin& twin) { return std::string_view(twin.name) == kernel.name; };
    const auto* const mutant = std::find_if(std::begin(kMutants), std::end(kMutants), is_it);
    ASSERT_NE(mutant, std::end(kMutants));
    const Metered metered = run_metered(kernel, mutant->run);
    ++tried;
    EXPECT_EQ(metered.races > 0, kFault == Fault::kBarrier) << kernel.name;
    // Some tiles need no padding.
    const std::size_t points = static_cast<std::size_t>(kernel.n) * static_cast<std::size_t>(kernel.per_block);
    const bool padded = kernel.shared_bytes > points * (kernel.is_f64 ? 16 : 8);
    EXPECT_EQ(std::max(metered.shared_reads, metered.shared_writes) > 1, kFault == Fault::kPadding && padded) << kernel.name;
    // The host runs phase by phase: a barrier that is missing does not show in results. That is what the meter is for.
    EXPECT_EQ(!metered.difference.empty(), kFault == Fault::kFactor || kFault == Fault::kStore) << kernel.name;
    EXPECT_EQ(std::max(metered.global_reads, metered.global_writes) > 1, false) << kernel.name;
    // One complex number beside an aligned address.
    if (kFault == Fault::kNone) {
      const Metered unaligned = run_metered(kernel, mutant->run, 1);
      EXPECT_EQ(unaligned.difference, "") << kernel.name;
      EXPECT_GT(unaligned.global_reads, 1) << kernel.name;
      EXPECT_GT(unaligned.global_writes, 1) << kernel.name;
    }
  }
  EXPECT_GT(tried, 0);
}

// The list of steps itself refuses phases without a barrier.
struct Touching {
  static constexpr int touches(int id) { return id; }
};
template <int kTouches>
using Toucher = Phase<Touching, kTouches>;
static_assert(Program<Toucher<kWritesShared>, Barrier, Toucher<kReadsShared>>::fenced());
static_assert(Program<Toucher<kWritesShared>, NoBarrier<OwnWords>, Toucher<kReadsShared>>::fenced());
static_assert(Program<Toucher<kReadsShared>, Toucher<kTouchesNone>, Toucher<kReadsShared>>::fenced());
static_assert(!Program<Toucher<kWritesShared>, Toucher<kReadsShared>>::fenced());
static_assert(!Program<Toucher<kReadsShared>, Toucher<kTouchesNone>, Toucher<kWritesShared>>::fenced());

}  // namespace
}  // namespace ulpfft::cuda::test
