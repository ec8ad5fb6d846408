// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a launch of a CUDA kernel needs: its arguments as plain data, and the facts of every kernel of codelets/cuda/kernels.list.
//
// The executor, the host twins and the static reports read the same table. Nothing here depends on CUDA.
//
// Grid      x: ceil(Args::count / KernelInfo::per_block) blocks; y and z: two outer loops (batches, further dimensions), at most 65535
//           each.
// Block     KernelInfo::threads threads, KernelInfo::shared_bytes of dynamic shared memory; more than 48 KiB have to be allowed for the
//           function first.
// Arrays    aligned to a complex number of their storage; tables to one of the compute type.
// Name      The symbol of a kernel in the module is KernelInfo::name; it takes one Args by value.
// Recipe    A kernel gives the bits of the recipe KernelInfo::recipe of one transform, as every other backend does.
// Threads   The table is constant.
#ifndef ULPFFT_CODELETS_CUDA_LAUNCH_H_
#define ULPFFT_CODELETS_CUDA_LAUNCH_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/contract/twiddle_form.h"
#include "codelets/cuda/launch_args.h"

namespace ulpfft::cuda {

inline constexpr int kMostPasses = 5;

struct KernelInfo {
  const char* name = "";
  const char* recipe = "";              // of one transform: "f32:dit(16 16 16)", "f32:n8"; kConvert: ""
  KernelKind kind = KernelKind::kRows;
  Storage in = Storage::kF32;
  Storage out = Storage::kF32;
  bool fixed_direction = false;         // the direction is in the kernel
  bool backward = false;                // of those: re and im are exchanged at both ends
  bool in_place = false;                // out.data may be in.data, with equal strides
  bool is_f64 = false;                  // compute type
  bool smoke = false;                   // one of the few that every build with a CUDA compiler compiles
  int n = 0;
  int passes = 0;
  int radix[kMostPasses] = {};
  TwiddleForm form[kMostPasses] = {};   // of twiddles, kNone of the first pass
  int threads = 0;
  int per_block = 0;                    // transforms of a block; kConvert: reals
  int blocks_per_sm = 1;                // resident blocks that registers are limited for
  std::size_t shared_bytes = 0;         // dynamic
  std::size_t table_bytes = 0;          // of Args::table
};

std::span<const KernelInfo> kernels();

// Twiddles of the later passes in order of use: for each pass of radix r behind sub-transforms of length l, w^(j k) of length r l for
// j = 1 .. r - 1, k = 0 .. l - 1, k fastest, as (re, im) of the compute type. Rounded once. Writes table_bytes.
void fill_table(const KernelInfo& kernel, void* table);

// kTwisted, n rows and `columns` columns of a transform of n * columns points: w^(k j) = lo[k % split] * hi[k / split] of column j. Entry
// e of column j is complex number e * columns + j; `split` entries lo, then those of hi.
constexpr std::size_t twist_entries(std::int64_t rows) {
  const std::int64_t split = twist_split(rows);
  return static_cast<std::size_t>(split + (rows + split - 1) / split);
}
constexpr std::size_t twist_bytes(const KernelInfo& kernel, std::int64_t columns) {
  return twist_entries(kernel.n) * static_cast<std::size_t>(columns) * (kernel.is_f64 ? 16 : 8);
}
void fill_twist(const KernelInfo& kernel, std::int64_t columns, void* twist);

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_LAUNCH_H_
