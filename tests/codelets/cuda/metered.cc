// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/codelets/cuda/metered.h"

namespace ulpfft::cuda::test {

Metered run_metered(const KernelInfo& kernel, Run run, std::int64_t offset) {
  const LaunchCase launch{.kernel = &kernel, .count = kernel.per_block, .inverse = kernel.fixed_direction && kernel.backward};
  const Bytes rows = random_rows(launch, 11);
  std::int64_t saturated = 0;
  Bytes expected = transformed_by_ref(launch, rows, saturated);
  twist_rows(launch, expected);
  Metered result;
  const Meter meter;
  result.difference = run_and_compare(launch, run, rows, expected, offset).difference;
  result.races = meter.races();
  result.barriers = meter.barriers();
  result.divergent_warps = meter.divergent_warps();
  result.shared_reads = meter.totals(host::Access::kSharedRead).ratio();
  result.shared_writes = meter.totals(host::Access::kSharedWrite).ratio();
  result.global_reads = meter.totals(host::Access::kGlobalRead).ratio();
  result.global_writes = meter.totals(host::Access::kGlobalWrite).ratio();
  return result;
}

}  // namespace ulpfft::cuda::test
