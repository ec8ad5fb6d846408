// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Calls ULPFFT_KERNEL(name, bodies, type...) for the kernels of group ULPFFT_CUDA_WANTED, of all groups where that is -1. `bodies` is the
// text between the parentheses of kernels.list, "" for conversions. May be included many times.
#if !defined(ULPFFT_KERNEL) || !defined(ULPFFT_CUDA_WANTED)
#error "define ULPFFT_KERNEL(name, bodies, ...) and ULPFFT_CUDA_WANTED first"
#endif

#ifndef ULPFFT_CODELETS_CUDA_EACH_KERNEL_H_
#define ULPFFT_CODELETS_CUDA_EACH_KERNEL_H_
#include "codelets/cuda/convert.h"
#include "codelets/cuda/tile.h"
namespace ulpfft::cuda::storage_named {
using f64 = F64;
using f32 = F32;
using f16 = F16;
using bf16 = BF16;
template <class Storage>
using RealsOf = std::conditional_t<std::is_same<typename Storage::Real, double>::value, F64, F32>;
}  // namespace ulpfft::cuda::storage_named
#endif

#define ULPFFT_CUDA_GROUP(group) (ULPFFT_CUDA_WANTED < 0 || ULPFFT_CUDA_WANTED == group)
#define ULPFFT_STORED(storage) storage_named::storage
#define ULPFFT_REALS(storage) storage_named::RealsOf<storage_named::storage>
#define ULPFFT_TILE(name, kind, in, out, direction, ...) \
  ULPFFT_KERNEL(name, #__VA_ARGS__, Tile<KernelKind::kind, in, out, Passes<__VA_ARGS__>, Direction::direction>)
#define ULPFFT_SAME(name, kind, storage, direction, ...) \
  ULPFFT_TILE(name, kind, ULPFFT_STORED(storage), ULPFFT_STORED(storage), direction, __VA_ARGS__)
#define ULPFFT_ROWS(storage, length, ...) ULPFFT_SAME(storage##_rows_##length, kRows, storage, kGiven, __VA_ARGS__)
#define ULPFFT_ROWS_FIXED(storage, length, ...)                                       \
  ULPFFT_SAME(storage##_rows_##length, kRows, storage, kForward, __VA_ARGS__)         \
  ULPFFT_SAME(storage##_rows_##length##_back, kRows, storage, kBackward, __VA_ARGS__)
#define ULPFFT_COLUMNS(storage, length, ...) ULPFFT_SAME(storage##_columns_##length, kColumns, storage, kGiven, __VA_ARGS__)
#define ULPFFT_FOUR(storage, length, ...)                                                                                            \
  ULPFFT_TILE(storage##_twisted_##length, kTwisted, ULPFFT_STORED(storage), ULPFFT_REALS(storage), kGiven, __VA_ARGS__)              \
  ULPFFT_TILE(storage##_turned_##length, kTurned, ULPFFT_REALS(storage), ULPFFT_STORED(storage), kGiven, __VA_ARGS__)
#define ULPFFT_DIMENSIONS(storage, length, ...)                                                                                      \
  ULPFFT_TILE(storage##_first_##length, kRows, ULPFFT_STORED(storage), ULPFFT_REALS(storage), kGiven, __VA_ARGS__)                   \
  ULPFFT_TILE(storage##_last_##length, kColumns, ULPFFT_REALS(storage), ULPFFT_STORED(storage), kGiven, __VA_ARGS__)
#define ULPFFT_NARROW(name, in, out, ...)                                                                       \
  ULPFFT_KERNEL(name, #__VA_ARGS__,                                                                             \
                Tile<KernelKind::kColumns, in, out, Passes<__VA_ARGS__>, Direction::kGiven, Room::kSmall>)
#define ULPFFT_COLUMNS_NARROW(storage, length, ...) \
  ULPFFT_NARROW(storage##_columns_##length##_narrow, ULPFFT_STORED(storage), ULPFFT_STORED(storage), __VA_ARGS__)
#define ULPFFT_LAST_NARROW(storage, length, ...) \
  ULPFFT_NARROW(storage##_last_##length##_narrow, ULPFFT_REALS(storage), ULPFFT_STORED(storage), __VA_ARGS__)
#define ULPFFT_CONVERT(from, to) ULPFFT_KERNEL(from##_to_##to, "", Convert<storage_named::from, storage_named::to>)

#include "codelets/cuda/kernels.list"

#undef ULPFFT_CUDA_GROUP
#undef ULPFFT_STORED
#undef ULPFFT_REALS
#undef ULPFFT_TILE
#undef ULPFFT_SAME
#undef ULPFFT_ROWS
#undef ULPFFT_ROWS_FIXED
#undef ULPFFT_COLUMNS
#undef ULPFFT_FOUR
#undef ULPFFT_DIMENSIONS
#undef ULPFFT_NARROW
#undef ULPFFT_COLUMNS_NARROW
#undef ULPFFT_LAST_NARROW
#undef ULPFFT_CONVERT
