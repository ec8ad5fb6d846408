// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Accesses of every CUDA kernel, counted on its twin: no race, no bank conflict, no sector too many.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/codelets/cuda/metered.h"

namespace ulpfft::cuda::test {
namespace {

bool is_power_of_two(std::int64_t n) { return (n & (n - 1)) == 0; }
bool is_odd(const KernelInfo& kernel) {
  return !std::all_of(kernel.radix, kernel.radix + kernel.passes, [](int r) { return is_power_of_two(r); });
}

// Sectors over those of whole runs, where a block has fewer columns than numbers of a sector.
double part_of_sector(const KernelInfo& kernel, Storage storage) {
  if (kernel.kind != KernelKind::kColumns) return 1;
  const double number = storage == Storage::kF64 ? 16 : storage == Storage::kF32 ? 8 : 4;
  return std::max(1.0, 32 / (kernel.per_block * number));
}

TEST(Meter, EveryKernelIsFreeOfRacesAndConflictsAndTouchesNoSectorInVain) {
  for (const KernelInfo& kernel : kernels()) {
    if (kernel.kind == KernelKind::kConvert) continue;
    const Metered metered = run_metered(kernel, find_twin(kernel.name)->run);
    EXPECT_EQ(metered.difference, "") << kernel.name;
    EXPECT_EQ(metered.races, 0) << kernel.name;
    // The ratios of odd radices are budgets: 6 % of conflicts; sectors where rows do not begin at one.
    const double wavefronts = is_odd(kernel) ? 1.06 : 1.0;
    EXPECT_LE(metered.shared_reads, wavefronts) << kernel.name;
    EXPECT_LE(metered.shared_writes, wavefronts) << kernel.name;
    const double sectors = is_odd(kernel) ? 1.25 : 1.0;
    EXPECT_LE(metered.global_reads, sectors * part_of_sector(kernel, kernel.in)) << kernel.name;
    EXPECT_LE(metered.global_writes, sectors * part_of_sector(kernel, kernel.out)) << kernel.name;
    if (!is_odd(kernel)) {
      EXPECT_EQ(metered.divergent_warps, 0) << kernel.name;
    }
    // Two for each exchange but the first. Staging adds one at either end, and two where several threads hold a transform.
    const int unstaged = kernel.passes == 1 ? 0 : 2 * kernel.passes - 3;
    const int staged = kernel.passes == 1 ? 2 : unstaged + 4;
    EXPECT_TRUE(metered.barriers == unstaged || (kernel.kind == KernelKind::kRows && metered.barriers == staged))
        << kernel.name << ": " << metered.barriers;
  }
}

}  // namespace
}  // namespace ulpfft::cuda::test
