// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/chain_step.h"

#include <algorithm>

namespace ulpfft {
namespace {

constexpr std::int64_t kRowsFetched = 16;
constexpr std::int64_t kLine = 64;  // bytes

const char* factors_of(const Buffers& buffers) { return static_cast<const char*>(buffers.slot[static_cast<int>(Slot::kFactors)].re); }

}  // namespace

void multiply_spectrum(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if (buffers.chain->factors == nullptr) return;
  const auto& step = context_of<ChainStep>(args);
  PassArgs product = args;
  const char* const factors = factors_of(buffers) + step.index * step.complex_bytes;
  product.table = factors;
  const std::int64_t row = args.lanes * step.complex_bytes, stride = step.row_step * step.complex_bytes;
  if (stride <= row) {
    step.multiply(product, buffers, first, count);
    return;
  }
  // Short rows far apart, which no prefetcher follows: those of the next rows are fetched while these are multiplied.
  for (std::int64_t begin = first; begin < first + count; begin += kRowsFetched) {
    const std::int64_t end = std::min(begin + kRowsFetched, first + count);
    for (std::int64_t r = end; r < std::min(end + kRowsFetched, first + count); ++r) {
      for (std::int64_t at = 0; at < row; at += kLine) __builtin_prefetch(factors + r * stride + at);
    }
    step.multiply(product, buffers, begin, end - begin);
  }
}

void apply_to_spectrum(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  const ChainCall& chain = *buffers.chain;
  if (chain.apply == nullptr) return;
  const auto& step = context_of<ChainStep>(args);
  const auto* const exponent = static_cast<const char*>(buffers.slot[static_cast<int>(Slot::kExponents)].re);
  const std::int64_t row_bytes = args.axes[0].in_stride * step.complex_bytes / 2;
  ulpfft_tile tile{};
  tile.size = sizeof tile;
  tile.values =
      static_cast<char*>(buffers.slot[static_cast<int>(args.in.slot)].re) + args.in.offset * step.complex_bytes / 2 + first * row_bytes;
  tile.columns = args.lanes;
  tile.row_stride = args.axes[0].in_stride / 2;
  tile.row_step = step.row_step;
  tile.transform =
      (exponent - static_cast<const char*>(chain.first_exponent)) / static_cast<std::int64_t>(sizeof(std::int32_t)) + step.transform;
  tile.index = (factors_of(buffers) - static_cast<const char*>(chain.first_factor)) / step.complex_bytes + step.index;
  if (!step.rows_are_transforms) {
    tile.rows = count;
    tile.index += first * step.row_step;
    chain.apply(chain.user, &tile);
    return;
  }
  tile.rows = 1;
  tile.transform += first;
  for (std::int64_t i = 0; i < count; ++i, ++tile.transform, tile.values = static_cast<char*>(tile.values) + row_bytes)
    chain.apply(chain.user, &tile);
}

}  // namespace ulpfft
