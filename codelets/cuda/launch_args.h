// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a CUDA kernel is told, as plain data: the half of launch.h that kernels read. C++17, for the compiler of kernels.
#ifndef ULPFFT_CODELETS_CUDA_LAUNCH_ARGS_H_
#define ULPFFT_CODELETS_CUDA_LAUNCH_ARGS_H_

#include <cstdint>

namespace ulpfft::cuda {

enum class Storage : std::uint8_t { kF64, kF32, kF16, kBF16 };

// What a kernel does. Transforms of kRows are dense (point stride 1) at both ends.
enum class KernelKind : std::uint8_t {
  kRows,     // row -> row
  kColumns,  // column -> column, any point stride at either end
  kTwisted,  // as kColumns, with Args::twist the result times w^(k j) of column j: the sweeps of `four` but the last
  kTurned,   // dense row -> column: the last sweep of `four`
  kConvert,  // reals of one storage -> reals of another, dense
};

// One end. Point j of transform (x, y, z) is complex number j * point_stride + x * x_stride + y * y_stride + z * z_stride, and `wrap` is
// added for the last `shift` points; strides count complex numbers of the storage. kRows and the input of kTurned take point_stride as 1
// and do not read it. kConvert counts reals, and x_stride is 1.
struct End {
  void* data = nullptr;
  std::int64_t point_stride = 1;
  std::int64_t x_stride = 0;
  std::int64_t y_stride = 0;
  std::int64_t z_stride = 0;
  // Point 0 of a centred transform lies in the middle: wrap is -n * point_stride and shift n / 2, rounded down; else both are 0. The output
  // of kTwisted, the input of kTurned, and kConvert do not read them.
  std::int64_t wrap = 0;
  std::int32_t shift = 0;
};

struct Args {
  End in;
  End out;                              // may be the input where every block reads all that it writes: KernelInfo::in_place
  std::int64_t count = 0;               // transforms along x, less than 2^31; kConvert: reals, less than 2^41
  const void* table = nullptr;          // fill_table()
  const void* twist = nullptr;          // kTwisted: fill_twist(); null: columns alone
  std::int64_t twist_columns = 0;       // kTwisted: columns of its table; transform x takes column x
  double scale = 1.0;                   // multiplies what is loaded
  std::int32_t swap_in = 0;             // 1: re and im are exchanged at load. Not read where KernelInfo::fixed_direction
  std::int32_t swap_out = 0;            // 1: at store
  unsigned long long* saturated = nullptr;  // storage of 16 bits: adds how many reals lay beyond the largest value; null: not counted
};

// Rows for each value of the second table of a twist, see fill_twist(): about the square root, a power of two.
#ifdef __CUDACC__
__host__ __device__
#endif
constexpr int twist_split(std::int64_t rows) {
  int split = 16;
  while (std::int64_t(split) * split < rows) split *= 2;
  return split;
}

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_LAUNCH_ARGS_H_
