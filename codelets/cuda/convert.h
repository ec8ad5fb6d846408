// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Reals of one storage to reals of another, dense. Arithmetic is f64 where either end is, else f32; each real rounds once.
#ifndef ULPFFT_CODELETS_CUDA_CONVERT_H_
#define ULPFFT_CODELETS_CUDA_CONVERT_H_

#include "codelets/cuda/steps.h"

namespace ulpfft::cuda {

template <class In, class Out>
struct Convert {
  using Real = std::conditional_t<std::is_same<In, F64>::value || std::is_same<Out, F64>::value, double, float>;
  static constexpr int kThreads = 128;
  static constexpr int kEach = 8;  // reals of a thread
  static constexpr int kPerBlock = kThreads * kEach;
  static constexpr int kSharedBytes = 0;
  static constexpr int kBlocksPerSm = 1;

  struct State {
    unsigned saturated;
  };
  ULPFFT_BOTH static int touches(int) { return kTouchesNone; }

  template <int kId>
  ULPFFT_DEVICE static void phase(State& state, unsigned char*, const Args& args, Place at) {
    const std::int64_t first = static_cast<std::int64_t>(at.x()) * kPerBlock + at.thread;
    const auto* const from = static_cast<const typename In::Code*>(args.in.data) + first;
    auto* const to = static_cast<typename Out::Code*>(args.out.data) + first;
    const Real scale = static_cast<Real>(args.scale);
    ULPFFT_UNROLL
    for (int i = 0; i < kEach; ++i) {
      if (first + i * kThreads >= args.count) continue;
      Real x = widen<In, Real>(load_code(from + i * kThreads));
      if constexpr (!kIsWide<In> && kIsWide<Out>) x = quieted(static_cast<float>(x));
      store_code(to + i * kThreads, narrow<Out>(args.scale == 1.0 ? x : mul(x, scale), state.saturated));
    }
    count_saturated(args.saturated, state.saturated);
  }
};

template <class In, class Out>
struct StepsOf<Convert<In, Out>> {
  using Type = Program<Phase<Convert<In, Out>, 0>>;
};

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_CONVERT_H_
