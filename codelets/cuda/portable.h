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
#define ULPFFT_UNROLL_FEW _Pragma("unroll 4")
#else
#include "codelets/cuda/host.h"
#define ULPFFT_DEVICE inline
#define ULPFFT_BOTH constexpr
#define ULPFFT_BODY __attribute__((noinline))
#define ULPFFT_UNROLL
#define ULPFFT_UNROLL_FEW
#endif

namespace ulpfft::cuda {

template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re, im;
};

template <class V>
struct alignas(2 * sizeof(V)) CodePair {
  V re, im;
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
ULPFFT_DEVICE float magnitude(float x) {
#ifdef __CUDACC__
  return fabsf(x);
#else
  return std::fabs(x);
#endif
}
// A branch that says so is not made selects.
ULPFFT_DEVICE void stays_a_branch() {
#ifdef __CUDACC__
  asm volatile("");
#endif
}
// Signs of operands are exact.
template <class T>
ULPFFT_DEVICE T fms(T a, T b, T c) { return fma(a, b, -c); }
template <class T>
ULPFFT_DEVICE T fnma(T a, T b, T c) { return fma(-a, b, c); }
template <class T>
ULPFFT_DEVICE T fnms(T a, T b, T c) { return fma(-a, b, -c); }

// Which thread of which block. On the device block indices are read where they are used: kept, they would cost a register each.
#ifdef __CUDACC__
struct Place {
  int thread;
#define ULPFFT_BLOCK_INDEX(name)                                  \
  ULPFFT_DEVICE std::uint32_t name() const {                      \
    std::uint32_t index;                                          \
    asm volatile("mov.u32 %0, %%ctaid." #name ";" : "=r"(index)); \
    return index;                                                 \
  }
  ULPFFT_BLOCK_INDEX(x)
  ULPFFT_BLOCK_INDEX(y)
  ULPFFT_BLOCK_INDEX(z)
#undef ULPFFT_BLOCK_INDEX
};
#else
struct Place {
  int thread;
  std::uint32_t block[3];
  std::uint32_t x() const { return block[0]; }
  std::uint32_t y() const { return block[1]; }
  std::uint32_t z() const { return block[2]; }
};
#endif

// ---- Storage: Real is the type of arithmetic, Code what an array holds of a real. ----
struct F64 { using Real = double; using Code = double; static constexpr Storage kStorage = Storage::kF64; };
struct F32 { using Real = float; using Code = float; static constexpr Storage kStorage = Storage::kF32; };
struct F16 { using Real = float; using Code = std::uint16_t; static constexpr Storage kStorage = Storage::kF16; };
struct BF16 { using Real = float; using Code = std::uint16_t; static constexpr Storage kStorage = Storage::kBF16; };
template <class S>
inline constexpr bool kIsWide = std::is_same<typename S::Real, typename S::Code>::value;

inline constexpr float kLargestF16 = 65504.0f;
inline constexpr float kLargestBF16 = 0x1.fep127f;
// The limit of what rounds to a number of the format lies half a step beyond the largest one.
template <class S>
inline constexpr float kOverflow = std::is_same<S, F16>::value ? 65520.0f : 0x1.ffp127f;
inline constexpr std::uint16_t kNanF16 = 0x7e00;
inline constexpr std::uint16_t kNanBF16 = 0x7fc0;

#ifdef __CUDACC__
// The processor's conversions are exact or round once. A NaN keeps a payload: quieted() gives it its one form where it is stored.
template <class S>
ULPFFT_DEVICE float decode(std::uint16_t code) {
  if constexpr (std::is_same<S, BF16>::value) return __uint_as_float(static_cast<unsigned>(code) << 16);
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(code));
  return x;
}
ULPFFT_DEVICE float quieted(float x) { return x != x ? __uint_as_float(0x7fc00000u) : x; }
// Rounded to f32 so that a second rounding, to fewer digits, is that of the value itself: towards zero, the last bit set if inexact.
ULPFFT_DEVICE float to_odd(double value) {
  const float x = __double2float_rz(value);
  return static_cast<double>(x) == value || value != value ? x : __uint_as_float(__float_as_uint(x) | 1u);
}
ULPFFT_DEVICE float to_odd(float value) { return value; }
template <class S, class Real>
ULPFFT_DEVICE std::uint16_t encode(Real real, unsigned& saturated) {
  constexpr bool kIsF16 = std::is_same<S, F16>::value;
  constexpr float kLargest = kIsF16 ? kLargestF16 : kLargestBF16;
  const float value = to_odd(real);
  const float x = fminf(fmaxf(value, -kLargest), kLargest);
  std::uint16_t code;
  if constexpr (kIsF16) {
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(code) : "f"(x));
  } else {
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(code) : "f"(x));
  }
  saturated += fabsf(value) >= kOverflow<S> ? 1u : 0u;
  return value != value ? (kIsF16 ? kNanF16 : kNanBF16) : code;
}
// Both parts, the first in the low half: where they fit.
template <class S>
ULPFFT_DEVICE std::uint32_t encode_both(Complex<float> value) {
  std::uint32_t codes;
  if constexpr (std::is_same<S, F16>::value) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(codes) : "f"(value.im), "f"(value.re));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(codes) : "f"(value.im), "f"(value.re));
  }
  return codes;
}
// Both parts leave in one instruction: the compiler makes two of a plain assignment, also of a float2 or double2. Those of f32 leave as one
// number, so that registers stay the compiler's to choose: some kernels would spill.
template <class S>
ULPFFT_DEVICE void store_both(CodePair<double>* at, Complex<double> value) {
  asm volatile("st.global.v2.f64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(at)), "d"(value.re), "d"(value.im) : "memory");
}
template <class S>
ULPFFT_DEVICE void store_both(CodePair<float>* at, Complex<float> value) {
  unsigned long long both;
  asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "f"(value.re), "f"(value.im));
  *reinterpret_cast<unsigned long long*>(at) = both;
}
template <class S>
ULPFFT_DEVICE void store_both(CodePair<std::uint16_t>* at, Complex<float> value) {
  // The codes leave as the one register that the conversion fills: apart they would be joined again.
  asm volatile("st.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(at)), "r"(encode_both<S>(value)) : "memory");
}
ULPFFT_DEVICE void store_codes(CodePair<std::uint16_t>* at, CodePair<std::uint16_t> codes) {
  *reinterpret_cast<std::uint32_t*>(at) = codes.re | static_cast<std::uint32_t>(codes.im) << 16;
}
ULPFFT_DEVICE void count_saturated(unsigned long long* sum, unsigned count) {
  if (sum != nullptr && count != 0) atomicAdd(sum, static_cast<unsigned long long>(count));
}
#else
template <class S>
inline float decode(std::uint16_t code) { return host::decode(S::kStorage, code); }
template <class S, class Real>
inline std::uint16_t encode(Real value, unsigned& saturated) { return host::encode(S::kStorage, value, saturated); }
inline float quieted(float x) { return x; }  // host::decode() has done it
template <class S>
inline void store_both(CodePair<typename S::Code>* at, Complex<typename S::Real> value) {
  if constexpr (kIsWide<S>) {
    *at = {value.re, value.im};
  } else {
    unsigned none = 0;
    *at = {host::encode(S::kStorage, value.re, none), host::encode(S::kStorage, value.im, none)};
  }
}
inline void store_codes(CodePair<std::uint16_t>* at, CodePair<std::uint16_t> codes) { *at = codes; }
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
#ifdef __CUDACC__
#define ULPFFT_OBSERVE(access, address, bytes)
// Not through the read-only path: such loads would be moved before barriers, and values that wait for their pass cost registers, which then
// spill. Both parts are one access, and who asks twice gets one.
ULPFFT_DEVICE Complex<float> load_both(const Complex<float>* at) {
  Complex<float> value;
  asm("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(value.re), "=f"(value.im) : "l"(__cvta_generic_to_global(at)));
  return value;
}
ULPFFT_DEVICE Complex<double> load_both(const Complex<double>* at) {
  Complex<double> value;
  asm("ld.global.v2.f64 {%0, %1}, [%2];" : "=d"(value.re), "=d"(value.im) : "l"(__cvta_generic_to_global(at)));
  return value;
}
#else
#define ULPFFT_OBSERVE(access, address, bytes) host::observe(host::Access::access, address, static_cast<int>(bytes))
template <class T>
inline Complex<T> load_both(const Complex<T>* at) { return *at; }
#endif

// An address of global memory that other addresses count from: the compiler would compute some of them from the beginning.
template <class T>
ULPFFT_DEVICE T* computed(T* at) {
#ifdef __CUDACC__
  asm("" : "+l"(at));
  __builtin_assume(__isGlobal(at));
#endif
  return at;
}
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
  return load_both(at);
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
  store_codes(at, {narrow<S>(value.re, saturated), narrow<S>(value.im, saturated)});
}
// Whether both parts are numbers that round to numbers of the storage: then store_fitting() stores them. Conversion in pairs takes half an
// instruction for each, with clamps, counts and NaN six.
template <class S>
ULPFFT_DEVICE bool fits(Complex<float> value) {
  return magnitude(value.re) < kOverflow<S> && magnitude(value.im) < kOverflow<S>;
}
// Of some points.
#ifdef __CUDACC__
// What does not fit is converted to an infinity or to a NaN, and either of them times 0 is a NaN, which stays in the sum.
template <class S>
struct Fitting {
  std::uint32_t sum = 0;
  ULPFFT_DEVICE void add(Complex<float> value) {
    if constexpr (std::is_same<S, F16>::value) {
      asm("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(encode_both<S>(value)), "r"(0));
    } else {
      asm("fma.rn.bf16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(encode_both<S>(value)), "r"(0));
    }
  }
  ULPFFT_DEVICE bool all() const { return (sum & 0x7fff7fffu) == 0; }
};
#else
template <class S>
struct Fitting {
  bool fit = true;
  void add(Complex<float> value) { fit = fit && fits<S>(value); }
  bool all() const { return fit; }
};
#endif
template <class S>
ULPFFT_DEVICE void store_fitting(CodePair<typename S::Code>* at, Complex<typename S::Real> value) {
  ULPFFT_OBSERVE(kGlobalWrite, at, sizeof(*at));
  store_both<S>(at, value);
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
