// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/machine_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ulpfft_tool::bench {
namespace {

// Twelve chains in named variables: an array of vectors would live in memory.
#define ULPFFT_BENCH_MULTIPLY_ADD(attribute, type, width, name)                                                             \
  attribute type name(std::int64_t rounds) {                                                                                \
    typedef type Vector __attribute__((vector_size(width)));                                                                \
    const Vector a = Vector{} + static_cast<type>(0.999);                                                                   \
    const Vector b = Vector{} + static_cast<type>(0.001);                                                                   \
    Vector x0 = a, x1 = a + b, x2 = x1 + b, x3 = x2 + b, x4 = x3 + b, x5 = x4 + b;                                          \
    Vector x6 = x5 + b, x7 = x6 + b, x8 = x7 + b, x9 = x8 + b, x10 = x9 + b, x11 = x10 + b;                                 \
    for (std::int64_t i = 0; i < rounds; ++i) {                                                                             \
      x0 = x0 * a + b, x1 = x1 * a + b, x2 = x2 * a + b, x3 = x3 * a + b, x4 = x4 * a + b, x5 = x5 * a + b;                 \
      x6 = x6 * a + b, x7 = x7 * a + b, x8 = x8 * a + b, x9 = x9 * a + b, x10 = x10 * a + b, x11 = x11 * a + b;             \
    }                                                                                                                       \
    const Vector all = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7)) + ((x8 + x9) + (x10 + x11));                       \
    type sum = 0;                                                                                                           \
    for (std::size_t i = 0; i < (width) / sizeof(type); ++i) sum += all[i];                                                 \
    return sum;                                                                                                             \
  }

// The empty assembler text keeps the loop a loop: the compiler would make it a call of memcpy, which chooses its stores itself.
#define ULPFFT_BENCH_COPY(attribute, width, name, store)                                       \
  attribute void name(const std::byte* from, std::byte* to, std::size_t bytes) {               \
    typedef float Vector __attribute__((vector_size(width), may_alias));                       \
    const Vector* in = reinterpret_cast<const Vector*>(from);                                  \
    Vector* out = reinterpret_cast<Vector*>(to);                                               \
    for (std::size_t i = 0; i < bytes / (width); i += 4) {                                     \
      const Vector v0 = in[i], v1 = in[i + 1], v2 = in[i + 2], v3 = in[i + 3];                 \
      store(out + i, v0), store(out + i + 1, v1), store(out + i + 2, v2), store(out + i + 3, v3); \
      asm volatile("" ::: "memory");                                                           \
    }                                                                                          \
  }

#define ULPFFT_BENCH_PLAIN(to, value) (*(to) = (value))
#define ULPFFT_BENCH_NONE

#if defined(__x86_64__)
#define ULPFFT_BENCH_STREAM_16(to, value) _mm_stream_ps(reinterpret_cast<float*>(to), value)
#define ULPFFT_BENCH_STREAM_32(to, value) _mm256_stream_ps(reinterpret_cast<float*>(to), value)
#define ULPFFT_BENCH_STREAM_64(to, value) _mm512_stream_ps(reinterpret_cast<float*>(to), value)
#define ULPFFT_BENCH_AVX2 __attribute__((target("avx2,fma")))
#define ULPFFT_BENCH_AVX512 __attribute__((target("avx512f")))

ULPFFT_BENCH_MULTIPLY_ADD(ULPFFT_BENCH_AVX512, float, 64, multiply_add_f32_avx512)
ULPFFT_BENCH_MULTIPLY_ADD(ULPFFT_BENCH_AVX512, double, 64, multiply_add_f64_avx512)
ULPFFT_BENCH_COPY(ULPFFT_BENCH_AVX512, 64, copy_avx512, ULPFFT_BENCH_PLAIN)
ULPFFT_BENCH_COPY(ULPFFT_BENCH_AVX512, 64, stream_avx512, ULPFFT_BENCH_STREAM_64)
ULPFFT_BENCH_MULTIPLY_ADD(ULPFFT_BENCH_AVX2, float, 32, multiply_add_f32_avx2)
ULPFFT_BENCH_MULTIPLY_ADD(ULPFFT_BENCH_AVX2, double, 32, multiply_add_f64_avx2)
ULPFFT_BENCH_COPY(ULPFFT_BENCH_AVX2, 32, copy_avx2, ULPFFT_BENCH_PLAIN)
ULPFFT_BENCH_COPY(ULPFFT_BENCH_AVX2, 32, stream_avx2, ULPFFT_BENCH_STREAM_32)
ULPFFT_BENCH_COPY(ULPFFT_BENCH_NONE, 16, stream_baseline, ULPFFT_BENCH_STREAM_16)

template <void (*kCopy)(const std::byte*, std::byte*, std::size_t)>
void fenced(const std::byte* from, std::byte* to, std::size_t bytes) {
  kCopy(from, to, bytes);
  _mm_sfence();
}
#endif

ULPFFT_BENCH_MULTIPLY_ADD(ULPFFT_BENCH_NONE, float, 16, multiply_add_f32_baseline)
ULPFFT_BENCH_MULTIPLY_ADD(ULPFFT_BENCH_NONE, double, 16, multiply_add_f64_baseline)
ULPFFT_BENCH_COPY(ULPFFT_BENCH_NONE, 16, copy_baseline, ULPFFT_BENCH_PLAIN)

#if defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA) || defined(__FMA__)
constexpr bool kBaselineFuses = true;
#else
constexpr bool kBaselineFuses = false;
#endif

}  // namespace

const MachineKernels& machine_kernels() {
#if defined(__x86_64__)
  static const MachineKernels avx512 = {"AVX-512", true, 64, multiply_add_f32_avx512, multiply_add_f64_avx512,
                                         copy_avx512, fenced<stream_avx512>};
  static const MachineKernels avx2 = {"AVX2", true, 32, multiply_add_f32_avx2, multiply_add_f64_avx2,
                                       copy_avx2, fenced<stream_avx2>};
  static const MachineKernels baseline = {"SSE2", kBaselineFuses, 16, multiply_add_f32_baseline,
                                           multiply_add_f64_baseline, copy_baseline, fenced<stream_baseline>};
  if (__builtin_cpu_supports("avx512f")) return avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2;
#else
  static const MachineKernels baseline = {"vectors of 16 bytes", kBaselineFuses, 16, multiply_add_f32_baseline,
                                           multiply_add_f64_baseline, copy_baseline, nullptr};
#endif
  return baseline;
}

}  // namespace ulpfft_tool::bench
