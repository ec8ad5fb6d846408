// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What kernels that ptx_to_c.py translates see of a machine. C and C++.
//
// Conversions of 16 bits are written apart from the library's codec, by the words of the PTX ISA.
#ifndef ULPFFT_TESTS_SUPPORT_PTX_MACHINE_H_
#define ULPFFT_TESTS_SUPPORT_PTX_MACHINE_H_

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A block as its threads see it. The functions give the place of an access of so many bytes, checked, which may be a place for rubbish.
typedef struct Block {
  const void* parameters;
  uint32_t id[3];
  char* (*global_at)(struct Block* block, uint32_t thread, uint64_t address, int bytes, int writes);
  char* (*shared_at)(struct Block* block, uint32_t thread, uint32_t address, int bytes, int writes);
} Block;

// `run` executes a thread up to its next barrier, and returns the number of that barrier, or 0 at the end. A state begins with a
// 32-bit 0; registers are written before they are read.
typedef struct PtxKernel {
  const char* name;
  int (*run)(void* state, Block* block, uint32_t thread);
  size_t state_bytes;
  int parameter_bytes, threads;
} PtxKernel;

// The last one has no name.
extern const PtxKernel ptx_kernels[];

#ifndef __cplusplus
static inline float as_f32(uint32_t code) {
  float x;
  memcpy(&x, &code, 4);
  return x;
}
static inline double as_f64(uint64_t code) {
  double x;
  memcpy(&x, &code, 8);
  return x;
}
static inline uint32_t of_f32(float x) {
  uint32_t code;
  memcpy(&code, &x, 4);
  return code;
}
static inline uint64_t of_f64(double x) {
  uint64_t code;
  memcpy(&code, &x, 8);
  return code;
}

static inline float rn_f32(double x) { return (float)x; }
static inline float rz_f32(double x) {
  const float near = (float)x;
  return near == near && fabs((double)near) > fabs(x) ? nextafterf(near, 0.0f) : near;
}

static inline uint16_t to_f16(float x) {
  const uint32_t code = of_f32(x), sign = code >> 16 & 0x8000, magnitude = code & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;                                                      // NaN
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00);                                  // from 65520 on infinity
  if (magnitude < 0x38800000) return (uint16_t)(sign | (uint32_t)rint(fabs((double)x) * 0x1p24));  // below 2^-14 subnormal
  return (uint16_t)(sign | (((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112 << 10)));
}
static inline float from_f16(uint16_t code) {
  const int exponent = code >> 10 & 31, mantissa = code & 1023;
  const double x = exponent == 31 ? (mantissa != 0 ? NAN : INFINITY)
                   : exponent != 0 ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
  return code & 0x8000 ? -(float)x : (float)x;
}
static inline uint16_t to_bf16(float x) {
  const uint32_t code = of_f32(x);
  if ((code & 0x7fffffff) > 0x7f800000) return 0x7fff;  // NaN
  return (uint16_t)((code + 0x7fff + (code >> 16 & 1)) >> 16);
}
static inline float from_bf16(uint16_t code) { return as_f32((uint32_t)code << 16); }

// Products of 16 bits are exact in f64. The sums that kernels form have products of 0, so that they are rounded once.
#define PTX_FMA_OF_PAIRS(format)                                                                                     \
  static inline uint32_t fma_##format##x2(uint32_t a, uint32_t b, uint32_t c) {                                      \
    uint32_t result = 0;                                                                                             \
    for (int at = 0; at < 32; at += 16) {                                                                            \
      const double product = (double)from_##format((uint16_t)(a >> at)) * (double)from_##format((uint16_t)(b >> at)); \
      result |= (uint32_t)to_##format((float)(product + (double)from_##format((uint16_t)(c >> at)))) << at;           \
    }                                                                                                                \
    return result;                                                                                                   \
  }
PTX_FMA_OF_PAIRS(f16)
PTX_FMA_OF_PAIRS(bf16)
#undef PTX_FMA_OF_PAIRS

static inline uint32_t bfi(uint32_t field, uint32_t into, uint32_t at, uint32_t bits) {
  const uint32_t mask = (bits >= 32 ? ~0u : (1u << bits) - 1) << at;
  return (into & ~mask) | (field << at & mask);
}
static inline uint32_t prmt(uint32_t low, uint32_t high, uint32_t selector) {
  const uint64_t bytes = (uint64_t)high << 32 | low;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t which = selector >> (4 * i) & 15;
    uint8_t byte = (uint8_t)(bytes >> (8 * (which & 7)));
    if (which & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= (uint32_t)byte << (8 * i);
  }
  return result;
}
static inline uint32_t dp2a(uint32_t pairs, uint32_t bytes, uint32_t sum) {
  return sum + (pairs & 0xffff) * (bytes & 0xff) + (pairs >> 16) * (bytes >> 8 & 0xff);
}
#endif

#endif  // ULPFFT_TESTS_SUPPORT_PTX_MACHINE_H_
