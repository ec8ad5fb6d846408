// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A storage with its conversions from and to reals of one type.
#ifndef ULPFFT_PLANNER_CONVERT_CODEC_H_
#define ULPFFT_PLANNER_CONVERT_CODEC_H_

#include <atomic>
#include <cstdint>

#include "codelets/contract/conversion.h"
#include "codelets/contract/power.h"
#include "codelets/contract/step.h"
#include "codelets/contract/storage.h"

namespace ulpfft {

struct Codec {
  Storage storage;
  DecodeFn decode = nullptr;
  EncodeFn encode = nullptr;
  PowerFn power = nullptr;  // what is encoded is the power of the numbers of the passes; null: these themselves
  bool is_f64 = false;  // reals are double, else float
  Rounding rounding = Rounding::kNearestSaturate;
  double to_zero = -1;  // numbers of up to so much become 0, and are counted: largest_to_zero() of the element; -1: they are not

  std::int64_t real_bytes() const { return is_f64 ? 8 : 4; }
};

// Returns act(T()), T the type of the reals.
template <typename Act>
decltype(auto) with_reals_of(const Codec& codec, const Act& act) {
  return codec.is_f64 ? act(double()) : act(float());
}

// Re of a slot.
inline char* slot_address(const Buffers& buffers, Slot slot) { return static_cast<char*>(buffers.slot[static_cast<int>(slot)].re); }

inline void count_saturated(const Buffers& buffers, std::int64_t saturated) {
  if (saturated != 0) std::atomic_ref(buffers.narrow->saturated).fetch_add(saturated, std::memory_order_relaxed);
}

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_CONVERT_CODEC_H_
