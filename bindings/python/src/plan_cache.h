// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans that calls of ulpfft.fft made, by problem, threads and effort. What was not used for longest leaves first.
//
// Bounds   a number of plans, and the bytes of their tables and workspaces; the plan used last stays whatever its size.
// Threads  any. Two threads that miss the same plan both make it, and one of the two is kept.
#ifndef ULPFFT_BINDINGS_PYTHON_SRC_PLAN_CACHE_H_
#define ULPFFT_BINDINGS_PYTHON_SRC_PLAN_CACHE_H_

#include <cstdint>
#include <memory>

#include "bindings/python/src/request.h"

namespace ulpfft_python {

struct CacheInfo {
  std::int64_t plans, bytes, hits, misses, most_plans, most_bytes;
};

// NULL where planning fails: the library's last error tells. Called with the GIL, which is given up while a plan is made.
std::shared_ptr<const ulpfft_plan> plan_for(const Request& request);

CacheInfo cache_info();
void limit_cache(std::int64_t plans, std::int64_t bytes);
void clear_cache();

}  // namespace ulpfft_python

#endif  // ULPFFT_BINDINGS_PYTHON_SRC_PLAN_CACHE_H_
