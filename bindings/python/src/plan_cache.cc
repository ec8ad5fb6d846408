// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/python/src/plan_cache.h"

#include <nanobind/nanobind.h>

#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bindings/python/src/without_gil.h"

namespace nb = nanobind;

namespace ulpfft_python {
namespace {

using SharedPlan = std::shared_ptr<const ulpfft_plan>;

struct Kept {
  std::string key;
  SharedPlan plan;
  std::int64_t bytes;
};

struct Cache {
  std::mutex mutex;
  std::list<Kept> plans;                                                   // used last comes first
  std::unordered_map<std::string_view, std::list<Kept>::iterator> places;  // keys lie in `plans`
  std::int64_t bytes = 0, hits = 0, misses = 0;
  std::int64_t most_plans = 512, most_bytes = std::int64_t{1} << 29;

  void shrink(std::size_t least) {
    while (plans.size() > least && (static_cast<std::int64_t>(plans.size()) > most_plans || bytes > most_bytes)) {
      bytes -= plans.back().bytes;
      places.erase(plans.back().key);
      plans.pop_back();
    }
  }
};

// Never destroyed: threads may transform while the process ends.
Cache& cache() {
  static Cache* const made = new Cache;
  return *made;
}

ulpfft_plan* make_plan(const Request& request) {
  std::int64_t lengths[kMostDimensions], in[kMostDimensions], out[kMostDimensions];
  std::int64_t batch[kMostDimensions], batch_in[kMostDimensions], batch_out[kMostDimensions];
  int kinds[kMostDimensions];
  for (int i = 0; i < request.rank + request.batch_rank; ++i) {
    const Dimension& dimension = request.dimensions[static_cast<std::size_t>(i)];
    const bool is_batch = i >= request.rank;
    const int to = is_batch ? i - request.rank : i;
    (is_batch ? batch : lengths)[to] = dimension.length;
    (is_batch ? batch_in : in)[to] = dimension.in_stride;
    (is_batch ? batch_out : out)[to] = dimension.out_stride;
    kinds[to] = request.r2r_kind;
  }
  ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
  problem.kind = request.kind;
  problem.rank = request.rank;
  problem.lengths = lengths;
  problem.in_strides = in;
  problem.out_strides = out;
  problem.batch_rank = request.batch_rank;
  problem.batch_lengths = batch;
  problem.batch_in_strides = batch_in;
  problem.batch_out_strides = batch_out;
  problem.storage_out = request.is_double != 0 ? "f64" : "f32";
  problem.storage_in = request.half_input != 0 ? "f16" : problem.storage_out;
  problem.placement = request.placement;
  problem.direction = request.direction;
  problem.scale_kind = request.scale_kind;
  problem.threads = request.threads;
  problem.kinds = request.kind == ULPFFT_R2R ? kinds : nullptr;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = request.effort;
  ulpfft_plan* plan = nullptr;
  return ulpfft_plan_create(nullptr, &problem, &options, &plan) == ULPFFT_OK ? plan : nullptr;
}

}  // namespace

SharedPlan plan_for(const Request& request) {
  Cache& kept = cache();
  const std::string_view key = request.key();
  {
    const std::lock_guard lock(kept.mutex);
    const auto found = kept.places.find(key);
    if (found != kept.places.end()) {
      ++kept.hits;
      kept.plans.splice(kept.plans.begin(), kept.plans, found->second);
      return found->second->plan;
    }
    ++kept.misses;
  }
  ulpfft_plan* made = nullptr;
  without_gil([&] { made = make_plan(request); });
  if (made == nullptr) return nullptr;
  SharedPlan plan(made, [](const ulpfft_plan* ended) { ulpfft_plan_destroy(const_cast<ulpfft_plan*>(ended)); });
  ulpfft_memory memory = ULPFFT_MEMORY_INIT;
  const bool is_known = ulpfft_plan_memory(plan.get(), &memory) == ULPFFT_OK;
  const auto bytes = static_cast<std::int64_t>(is_known ? memory.table_bytes + memory.workspace_bytes : 0);
  const std::lock_guard lock(kept.mutex);
  const auto found = kept.places.find(key);
  if (found != kept.places.end()) return found->second->plan;
  kept.plans.push_front({std::string(key), plan, bytes});
  kept.places.emplace(kept.plans.front().key, kept.plans.begin());
  kept.bytes += bytes;
  kept.shrink(1);
  return plan;
}

CacheInfo cache_info() {
  Cache& kept = cache();
  const std::lock_guard lock(kept.mutex);
  return {static_cast<std::int64_t>(kept.plans.size()), kept.bytes, kept.hits, kept.misses, kept.most_plans, kept.most_bytes};
}

void limit_cache(std::int64_t plans, std::int64_t bytes) {
  if (plans < 1 || bytes < 1) throw nb::value_error("The cache holds one plan or more, in one byte or more.");
  Cache& kept = cache();
  const std::lock_guard lock(kept.mutex);
  kept.most_plans = plans;
  kept.most_bytes = bytes;
  kept.shrink(1);
}

void clear_cache() {
  Cache& kept = cache();
  const std::lock_guard lock(kept.mutex);
  kept.places.clear();
  kept.plans.clear();
  kept.bytes = kept.hits = kept.misses = 0;
}

}  // namespace ulpfft_python
