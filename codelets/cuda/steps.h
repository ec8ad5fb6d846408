// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A kernel as a list of steps: phases, and what lies between them. nvcc runs the list once per thread; the host runs each phase for all
// threads of a block before the next one.
//
//   Phase<K, id>   K::phase<id>(state, shared, args, place); K::touches(id) says what it does to shared memory
//   Barrier        all threads of the block
//   NoBarrier<W>   none is needed here, for the reason W: the observer still sees a race if the reason is wrong
//
// A kernel K has State (what a thread keeps between phases), kThreads and kSharedBytes; StepsOf<K>::Type is its Program.
#ifndef ULPFFT_CODELETS_CUDA_STEPS_H_
#define ULPFFT_CODELETS_CUDA_STEPS_H_

#include "codelets/cuda/portable.h"
#ifndef __CUDACC__
#include <memory>
#include <vector>
#endif

namespace ulpfft::cuda {

enum Touch : int { kTouchesNone = 0, kReadsShared = 1, kWritesShared = 2 };

template <class K, int kId>
struct Phase {
  static constexpr int kTouches = K::touches(kId);
  static constexpr bool kFences = false;
  template <class State>
  ULPFFT_DEVICE static void on_device(State& state, unsigned char* shared, const Args& args, Place at) {
    K::template phase<kId>(state, shared, args, at);
  }
#ifndef __CUDACC__
  template <class State>
  static void on_host(State* states, unsigned char* shared, const Args& args, Place at, host::Order order) {
    host::for_each_thread(K::kThreads, order, [&](int thread) {
      Place own = at;
      own.thread = thread;
      K::template phase<kId>(states[thread], shared, args, own);
    });
  }
#endif
};

struct Barrier {
  static constexpr int kTouches = kTouchesNone;
  static constexpr bool kFences = true;
  template <class State>
  ULPFFT_DEVICE static void on_device(State&, unsigned char*, const Args&, Place) {
#ifdef __CUDACC__
    __syncthreads();
#endif
  }
#ifndef __CUDACC__
  template <class State>
  static void on_host(State*, unsigned char*, const Args&, Place, host::Order) {
    if (host::observer != nullptr) host::observer->barrier();
  }
#endif
};

template <class Why>
struct NoBarrier {
  static constexpr int kTouches = kTouchesNone;
  static constexpr bool kFences = true;
  template <class State>
  ULPFFT_DEVICE static void on_device(State&, unsigned char*, const Args&, Place) {}
#ifndef __CUDACC__
  template <class State>
  static void on_host(State*, unsigned char*, const Args&, Place, host::Order) {}
#endif
};
// A reason for NoBarrier.
struct OwnWords {
  static constexpr const char* kReason = "each thread touches only words that no other thread touches until the next barrier";
};

template <class... Steps>
struct Program {
  // Whether a fence lies between every two phases that touch shared memory, unless both read.
  ULPFFT_BOTH static bool fenced() {
    constexpr int kTouches[] = {Steps::kTouches...};
    constexpr bool kFences[] = {Steps::kFences...};
    int before = kTouchesNone;
    for (int i = 0; i < static_cast<int>(sizeof...(Steps)); ++i) {
      if (kFences[i]) before = kTouchesNone;
      if (before != kTouchesNone && kTouches[i] != kTouchesNone && ((before | kTouches[i]) & kWritesShared) != 0) return false;
      before |= kTouches[i];
    }
    return true;
  }
  template <class State>
  ULPFFT_DEVICE static void on_device(State& state, unsigned char* shared, const Args& args, Place at) {
    (Steps::on_device(state, shared, args, at), ...);
  }
#ifndef __CUDACC__
  template <class State>
  static void on_host(State* states, unsigned char* shared, const Args& args, Place at, host::Order order) {
    (Steps::on_host(states, shared, args, at, order), ...);
  }
#endif
};

template <class K>
struct StepsOf;

template <class... Programs>
struct Join;
template <class... A>
struct Join<Program<A...>> {
  using Type = Program<A...>;
};
template <class... A, class... B, class... Rest>
struct Join<Program<A...>, Program<B...>, Rest...> {
  using Type = typename Join<Program<A..., B...>, Rest...>::Type;
};

#ifdef __CUDACC__
template <class K>
ULPFFT_DEVICE void run_block(const Args& args) {
  static_assert(StepsOf<K>::Type::fenced(), "two phases touch shared memory without a barrier or a reason between them");
  extern __shared__ __align__(16) unsigned char shared[];
  typename K::State state;
  state.saturated = 0;
  const int thread = static_cast<int>(threadIdx.x);
  __builtin_assume(thread >= 0 && thread < K::kThreads);
  StepsOf<K>::Type::on_device(state, shared, args, Place{thread});
}
#else
struct Grid {
  unsigned x = 1, y = 1, z = 1;
};

// The twin of a launch.
template <class K>
void run_on_host(const Args& args, Grid grid, host::Order order) {
  static_assert(StepsOf<K>::Type::fenced(), "two phases touch shared memory without a barrier or a reason between them");
  std::vector<typename K::State> states(K::kThreads);
  // Shared memory begins at a whole set of banks.
  constexpr std::size_t kBytes = K::kSharedBytes == 0 ? 128 : (K::kSharedBytes + 127) / 128 * 128;
  struct alignas(128) Line {
    unsigned char bytes[128];
  };
  std::vector<Line> shared(kBytes / 128);
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) {
        for (auto& state : states) state = {};
        if (host::observer != nullptr) host::observer->begin_block(shared.data(), K::kSharedBytes, K::kThreads);
        StepsOf<K>::Type::on_host(states.data(), shared.data()->bytes, args, Place{0, {x, y, z}}, order);
        if (host::observer != nullptr) host::observer->end_block();
      }
    }
  }
}
#endif

}  // namespace ulpfft::cuda

#endif  // ULPFFT_CODELETS_CUDA_STEPS_H_
