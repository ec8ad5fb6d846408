// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a Highway target to the codelets of one generated file: a switch, so that a target is chosen explicitly and once.
//
// Used in the HWY_ONCE part of a generated file, where every compiled target has its namespace.
#ifndef ULPFFT_CODELETS_HWY_COLLECT_H_
#define ULPFFT_CODELETS_HWY_COLLECT_H_

#include <cstdint>

#include "codelets/contract/codelet_sink.h"
#include "hwy/targets.h"

#if HWY_TARGETS & HWY_AVX3
#define ULPFFT_HWY_CASE_AVX3(call) case HWY_AVX3: N_AVX3::call; break;
#else
#define ULPFFT_HWY_CASE_AVX3(call)
#endif
#if HWY_TARGETS & HWY_AVX2
#define ULPFFT_HWY_CASE_AVX2(call) case HWY_AVX2: N_AVX2::call; break;
#else
#define ULPFFT_HWY_CASE_AVX2(call)
#endif
#if HWY_TARGETS & HWY_SSE4
#define ULPFFT_HWY_CASE_SSE4(call) case HWY_SSE4: N_SSE4::call; break;
#else
#define ULPFFT_HWY_CASE_SSE4(call)
#endif
#if HWY_TARGETS & HWY_NEON
#define ULPFFT_HWY_CASE_NEON(call) case HWY_NEON: N_NEON::call; break;
#else
#define ULPFFT_HWY_CASE_NEON(call)
#endif
#if HWY_TARGETS & HWY_SVE_256
#define ULPFFT_HWY_CASE_SVE_256(call) case HWY_SVE_256: N_SVE_256::call; break;
#else
#define ULPFFT_HWY_CASE_SVE_256(call)
#endif

// Runs `call` in the namespace of `target`; nothing for a target this file was not compiled for.
#define ULPFFT_HWY_SWITCH(target, call) \
  switch (target) {                     \
    ULPFFT_HWY_CASE_AVX3(call)          \
    ULPFFT_HWY_CASE_AVX2(call)          \
    ULPFFT_HWY_CASE_SSE4(call)          \
    ULPFFT_HWY_CASE_NEON(call)          \
    ULPFFT_HWY_CASE_SVE_256(call)       \
    default: break;                     \
  }

#define ULPFFT_HWY_COLLECT(type, group)                                          \
  namespace ulpfft {                                                             \
  void collect_hwy_##type##_##group(std::int64_t target, CodeletSink& sink);     \
  void collect_hwy_##type##_##group(std::int64_t target, CodeletSink& sink) {    \
    ULPFFT_HWY_SWITCH(target, collect_##type##_##group(sink))                    \
  }                                                                              \
  }

#endif  // ULPFFT_CODELETS_HWY_COLLECT_H_
