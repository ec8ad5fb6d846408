// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One kernel text, two compilers: the words that kernels are written in. The only kernel-side file that knows which compiler reads it.
//
// Arithmetic   add, sub, mul, fma, fms, fnma, fnms: each rounds once, and nothing else is fused or reordered.
// Ports        shared_load/store, load/store of a point or a real in some storage, table_load. On the host each of them tells Observer.
// Storage      f64 and f32 as they are; f16 and bf16 in f32, to nearest, saturating, NaN quiet and positive, as codelets/contract/codec.h.
#ifndef ULPFFT_CODELETS_CUDA_PORTABLE_H_
#define ULPFFT_CODELETS_CUDA_PORTABLE_H_

#include <cstdint>
#include <type_traits>

#include "codelets/cuda/launch_args.h"

#ifdef __CUDACC__
#define ULPFFT_DEVICE __device__ __forceinline__
#define ULPFFT_BOTH __host__ __device__ constexpr
#define ULPFFT_BODY __device__ __forceinline__
#define ULPFFT_UNROLL _Pragma("unroll")
#else
#include "codelets/cuda/host.h"
#define ULPFFT_DEVICE inline
#define ULPFFT_BOTH constexpr
#define ULPFFT_BODY __attribute__((noinline))
#define ULPFFT_UNROLL
#endif

namespace ulpfft::cuda {

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

// Generated bodies name their constants in both types.
template <class T>
ULPFFT_BOTH T constant(float f32, double f64) {
  return std::is_same<T, float>::value ? T(f32) : T(f64);
}

#ifdef __CUDACC__
ULPFFT_DEVICE float add(float a, float b) { return __fadd_rn(a, b); }
ULPFFT_DEVICE float sub(float a, float b) { return __fsub_rn(a, b); }
ULPFFT_DEVICE float mul(float a, float b) { return __fmul_rn(a, b); }
ULPFFT_DEVICE float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
ULPFFT_DEVICE double add(double a, double b) { return __dadd_rn(a, b); }
ULPFFT_DEVICE double sub(double a, double b) { return __dsub_rn(a, b); }
ULPFFT_DEVICE double mul(double a, double b) { return __dmul_rn(a, b); }
ULPFFT_DEVICE double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
#else
template <class T>
inline T add(T a, T b) { return a + b; }
template <class T>
inline T sub(T a, T b) { return a - b; }
template <class T>
inline T mul(T a, T b) { return a * b; }
template <class T>
inline T fma(T a, T b, T c) { return std::fma(a, b, c); }
#endif
// Signs of operands are exact.
template <class T>
ULPFFT_DEVICE T fms(T a, T b, T c) { return fma(a, b, -c); }
template <class T>
ULPFFT_DEVICE T fnma(T a, T b, T c) { return fma(-a, b, c); }
template <class T>
ULPFFT_DEVICE T fnms(T a, T b, T c) { return fma(-a, b, -c); }

// ---- Storage: Real is the type of arithmetic, Code what an array holds of a real. ----
struct F64 { using Real = double; using Code = double; static constexpr Storage kStorage = Storage::kF64; };
struct F32 { using Real = float; using Code = float; static constexpr Storage kStorage = Storage::kF32; };
struct F16 { using Real = float; using Code = std::uint16_t; static constexpr Storage kStorage = Storage::kF16; };
struct BF16 { using Real = float; using Code = std::uint16_t; static constexpr Storage kStorage = Storage::kBF16; };
template <class S>
inline constexpr bool kIsWide = std::is_same<typename S::Real, typename S::Code>::value;

inline constexpr float kLargestF16 = 65504.0f;
inline constexpr float kLargestBF16 = 0x1.fep127f;
inline constexpr std::uint16_t kNanF16 = 0x7e00;
inline constexpr std::uint16_t kNanBF16 = 0x7fc0;

#ifdef __CUDACC__
// The processor's conversions are exact or round once; a NaN takes its one form afterwards.
template <class S>
ULPFFT_DEVICE float decode(std::uint16_t code) {
  if (std::is_same<S, BF16>::value) {
    const float x = __uint_as_float(static_cast<unsigned>(code) << 16);
    return x != x ? __uint_as_float(0x7fc00000u) : x;
  }
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(code));
  return x != x ? __uint_as_float(0x7fc00000u) : x;
}
// Rounded to f32 so that a second rounding, to fewer digits, is that of the value itself: towards zero, the last bit set if inexact.
ULPFFT_DEVICE float to_odd(double value) {
  const float x = __double2float_rz(value);
  return static_cast<double>(x) == value || value != value ? x : __uint_as_float(__float_as_uint(x) | 1u);
}
ULPFFT_DEVICE float to_odd(float value) { return value; }
// What rounds to the largest value is no overflow: the limit lies half a step beyond it.
template <class S, class Real>
ULPFFT_DEVICE std::uint16_t encode(Real real, unsigned& saturated) {
  constexpr bool kIsF16 = std::is_same<S, F16>::value;
  constexpr float kLargest = kIsF16 ? kLargestF16 : kLargestBF16;
  constexpr float kLimit = kIsF16 ? 65520.0f : 0x1.ffp127f;
  const float value = to_odd(real);
  const float x = fminf(fmaxf(value, -kLargest), kLargest);
  std::uint16_t code;
  if constexpr (kIsF16) {
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(x));
  } else {
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(x));
  }
  saturated += fabsf(value) >= kLimit ? 1u : 0u;
  return value != value ? (kIsF16 ? kNanF16 : kNanBF16) : code;
}
ULPFFT_DEVICE void count_saturated(unsigned long long* sum, unsigned count) {
  if (sum != nullptr && count != 0) atomicAdd(sum, static_cast<unsigned long long>(count));
}
#else
template <class S>
inline float decode(std::uint16_t code) { return host::decode(S::kStorage, code); }
template <class S, class Real>
inline std::uint16_t encode(Real value, unsigned& saturated) { return host::encode(S::kStorage, value, saturated); }
inline void count_saturated(unsigned long long* sum, unsigned count) {
  if (sum != nullptr) *sum += count;
}
#endif

// A real of storage S as Real, and back.
template <class S, class Real>
ULPFFT_DEVICE Real widen(typename S::Code code) {
  if constexpr (kIsWide<S>) {
    return static_cast<Real>(code);
  } else {
    return static_cast<Real>(decode<S>(code));
  }
}
template <class S, class Real>
ULPFFT_DEVICE typename S::Code narrow(Real x, unsigned& saturated) {
  if constexpr (kIsWide<S>) {
    return static_cast<typename S::Code>(x);
  } else {
    return encode<S>(x, saturated);
  }
}

// ---- Ports. Addresses are pointers: offsets that are constant become immediates. ----
template <class V>
struct alignas(2 * sizeof(V)) CodePair {
  V re, im;
};

#ifdef __CUDACC__
#define ULPFFT_OBSERVE(access, address, bytes)
template <class T>
ULPFFT_DEVICE T read_only(const T* at) { return __ldg(at); }
ULPFFT_DEVICE Complex<float> read_only(const Complex<float>* at) {
  const float2 v = __ldg(reinterpret_cast<const float2*>(at));
  return {v.x, v.y};
}
ULPFFT_DEVICE Complex<double> read_only(const Complex<double>* at) {
  const double2 v = __ldg(reinterpret_cast<const double2*>(at));
  return {v.x, v.y};
}
#else
#define ULPFFT_OBSERVE(access, address, bytes) host::observe(host::Access::access, address, static_cast<int>(bytes))
template <class T>
inline T read_only(const T* at) { return *at; }
#endif

template <class T>
ULPFFT_DEVICE T shared_load(const T* at) {
  ULPFFT_OBSERVE(kSharedRead, at, sizeof(T));
  return *at;
}
template <class T>
ULPFFT_DEVICE void shared_store(T* at, T value) {
  ULPFFT_OBSERVE(kSharedWrite, at, sizeof(T));
  *at = value;
}
template <class T>
ULPFFT_DEVICE T table_load(const T* at) {
  ULPFFT_OBSERVE(kTableRead, at, sizeof(T));
  return read_only(at);
}
// One point: both codes in one access.
template <class S>
ULPFFT_DEVICE Complex<typename S::Real> load_point(const CodePair<typename S::Code>* at) {
  ULPFFT_OBSERVE(kGlobalRead, at, sizeof(*at));
  const CodePair<typename S::Code> codes = *at;
  return {widen<S, typename S::Real>(codes.re), widen<S, typename S::Real>(codes.im)};
}
template <class S>
ULPFFT_DEVICE void store_point(CodePair<typename S::Code>* at, Complex<typename S::Real> value, unsigned& saturated) {
  ULPFFT_OBSERVE(kGlobalWrite, at, sizeof(*at));
  *at = {narrow<S>(value.re, saturated), narrow<S>(value.im, saturated)};
}
template <class V>
ULPFFT_DEVICE V load_code(const V* at) {
  ULPFFT_OBSERVE(kGlobalRead, at, sizeof(V));
  return *at;
}
template <class V>
ULPFFT_DEVICE void store_code(V* at, V code) {
  ULPFFT_OBSERVE(kGlobalWrite, at, sizeof(V));
  *at = code;
}

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_PORTABLE_H_
