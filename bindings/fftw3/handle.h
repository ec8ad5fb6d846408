// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What fftw_plan points to.
#ifndef ULPFFT_BINDINGS_FFTW3_HANDLE_H_
#define ULPFFT_BINDINGS_FFTW3_HANDLE_H_

#include <atomic>
#include <memory>

#include "bindings/fftw3/problem.h"
#include "bindings/fftw3/record.h"
#include "bindings/fftw3/transform.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::fftw3 {

struct Plan {
  const ulpfft_plan* direct = nullptr;  // for the arrays of the plan; null where that takes more than one call
  Arrays arrays;                        // of interleaved arrays each one twice
  std::shared_ptr<Transform> transform;
  bool split = false;
  Record* record = nullptr;  // of all plans for this problem; null where no report is asked for
  std::atomic<int> handles{1};
};

inline const Plan* plan_of(const void* handle) { return static_cast<const Plan*>(handle); }

}  // namespace ulpfft::fftw3

#endif  // ULPFFT_BINDINGS_FFTW3_HANDLE_H_
