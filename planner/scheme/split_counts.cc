// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/scheme/split_counts.h"

namespace ulpfft {

SplitCounts split_counts(const SplitPass& pass) {
  const SplitScheme& scheme = pass.scheme;
  const std::int64_t r = pass.radix, reals = 2 * r, products = pass.product_count;
  const bool slices = scheme.slices();
  SplitCounts counts;
  counts.norms = scheme.norm == SplitNorm::kNone ? 0 : 2 * reals;
  counts.twiddles = pass.next > 0 ? 2 * reals : 0;
  if (has_split_butterflies(pass)) {
    // Each output adds up `r` numbers.
    const std::int64_t of_part = reals * (r - 1);
    counts.splits = slices ? reals : reals * scheme.parts;
    counts.products = slices ? reals : 0;
    counts.sums = slices ? of_part : products * of_part + (products - 1) * reals;
    return counts;
  }
  counts.splits = reals * scheme.parts;
  const std::int64_t blocks = slices ? 1 : (r + kSplitBlock - 1) / kSplitBlock;
  counts.products = products * (4 * r * r + (slices ? reals : 0));
  counts.sums = products * (4 * r * r + blocks * reals);
  return counts;
}

double split_nanoseconds(const SplitPass& pass) {
  const SplitScheme& scheme = pass.scheme;
  const bool has_lines = scheme.norm == SplitNorm::kLine || scheme.norm == SplitNorm::kWhole;
  if (has_split_butterflies(pass)) {
    // Of short transforms before a pass of radix 2 few vectors have twiddles side by side.
    const double around = pass.radix == 2 ? 13 : 7;
    if (scheme.slices()) return around + 15;
    const double norms = scheme.norm == SplitNorm::kNone ? 0 : has_lines || split_tile(scheme, pass.radix) <= kMostTileOfVector ? 6 : 20;
    return around + 4 * scheme.parts + norms;
  }
  const auto computed = static_cast<double>(split_blocks(pass.radix) * kSplitOutputs * pass.product_count * 4);
  return scheme.slices() ? 44 + 0.5 * computed : 22 + 0.45 * computed;
}

}  // namespace ulpfft
