// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs that test the C interface, on CUDA: their calls that make plans and execute them come here (the linker's --wrap). A problem that
// names no backend is planned for CUDA over the driver without a device, and ulpfft_execute_on_host() copies arrays to its memory and back.
// What CUDA refuses as unsupported is planned for the processor, as it would be without this file, and counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>

#include "tests/support/api.h"
#include "tests/support/fake_driver.h"

extern "C" {
ulpfft_status __real_ulpfft_plan_create(ulpfft_context*, const ulpfft_problem*, const ulpfft_plan_options*, ulpfft_plan**);
ulpfft_status __real_ulpfft_plan_parse_options(ulpfft_context*, const char*, const ulpfft_plan_options*, ulpfft_plan**);
ulpfft_status __real_ulpfft_plan_from_recipe(ulpfft_context*, const char*, const char*, ulpfft_plan**);
void __real_ulpfft_plan_destroy(ulpfft_plan*);
ulpfft_status __real_ulpfft_execute(const ulpfft_plan*, const void*, void*);
ulpfft_status __real_ulpfft_execute_arrays(const ulpfft_plan*, const ulpfft_array*, const ulpfft_array*, void*);
ulpfft_status __real_ulpfft_target_get(std::size_t, ulpfft_target*);
}

namespace ulpfft::test {
namespace {

struct Device {
  FakeDriver driver;
  std::mutex mutex;
  std::set<const ulpfft_plan*> plans;
  int planned = 0, refused = 0, executed = 0;

  bool has(const ulpfft_plan* plan) {
    const std::lock_guard lock(mutex);
    return plans.count(plan) == 1;
  }
};

// Made before main(), kept: plans of static contexts end after it.
Device& device() {
  static auto* const made = new Device;
  return *made;
}

class Summary : public testing::Environment {
  // ULPFFT_CUDA_SHARE holds "P/Q": P of Q plans were CUDA's when tests/cuda/meson.build was written. A share that grew is to be written
  // there, or else refusals could grow again unseen. The tolerance is for cases that come and go; a twentieth of the plans exceeds it.
  static void compare_share(const Device& of) {
    constexpr double kTolerance = 0.05;
    const char* const golden = std::getenv("ULPFFT_CUDA_SHARE");
    if (golden == nullptr || full_run()) return;
    double planned = 0, all = 0;
    ASSERT_EQ(std::sscanf(golden, "%lf/%lf", &planned, &all), 2) << golden;
    const double share = of.planned / std::max(1.0, 1.0 * of.planned + of.refused), expected = planned / all;
    EXPECT_NEAR(share / expected, 1, kTolerance) << of.planned << " of " << of.planned + of.refused << " plans are CUDA's, " << golden
                                                 << " were when tests/cuda/meson.build was written";
  }

  void TearDown() override {
    Device& of = device();
    std::printf("CUDA: %d plans, %d executions; %d plans are the processor's, because CUDA does not compute them\n", of.planned,
                of.executed, of.refused);
    EXPECT_GT(of.planned, 0) << "no test of this program has anything to do with CUDA";
    compare_share(of);
    for (const std::string& fault : of.driver.faults()) ADD_FAILURE() << fault;
  }
};
[[maybe_unused]] testing::Environment* const summary = testing::AddGlobalTestEnvironment(new Summary);

bool names_backend(const char* text) { return std::string(text).find("backend=") != std::string::npos; }

// `on_cuda` and `on_processor` make the same plan. Recipes of the processor may have what CUDA has no kernel for.
template <class OnCuda, class OnProcessor>
ulpfft_status plan_on_cuda(ulpfft_plan** plan, const OnCuda& on_cuda, const OnProcessor& on_processor) {
  Device& of = device();
  const ulpfft_status status = on_cuda();
  if (status != ULPFFT_OK && status != ULPFFT_UNSUPPORTED && last_error().field != "recipe") return status;
  const ulpfft_status there = status == ULPFFT_OK ? status : on_processor();
  const std::lock_guard lock(of.mutex);
  if (status == ULPFFT_OK) of.plans.insert(*plan);
  ++(status == ULPFFT_OK ? of.planned : of.refused);
  return there;
}

thread_local bool moving = false;  // the library calls itself with arrays of the device

ulpfft_status execute_on_cuda(const ulpfft_plan* plan, const ulpfft_array& in, const ulpfft_array& out) {
  moving = true;
  const ulpfft_status status = ulpfft_execute_on_host(plan, &in, &out);
  moving = false;
  const std::lock_guard lock(device().mutex);
  ++device().executed;
  return status;
}

}  // namespace
}  // namespace ulpfft::test

using namespace ulpfft::test;

extern "C" {

ulpfft_status __wrap_ulpfft_plan_create(ulpfft_context* context, const ulpfft_problem* problem, const ulpfft_plan_options* options,
                                        ulpfft_plan** plan) {
  const auto as_given = [&] { return __real_ulpfft_plan_create(context, problem, options, plan); };
  if (plan == nullptr || problem == nullptr || problem->size != sizeof *problem || problem->backend != nullptr) return as_given();
  ulpfft_problem moved = *problem;
  moved.backend = "cuda";
  return plan_on_cuda(plan, [&] { return __real_ulpfft_plan_create(context, &moved, options, plan); }, as_given);
}

ulpfft_status __wrap_ulpfft_plan_parse_options(ulpfft_context* context, const char* problem, const ulpfft_plan_options* options,
                                               ulpfft_plan** plan) {
  const auto as_given = [&] { return __real_ulpfft_plan_parse_options(context, problem, options, plan); };
  if (plan == nullptr || problem == nullptr || names_backend(problem)) return as_given();
  const std::string moved = std::string(problem) + " backend=cuda";
  return plan_on_cuda(plan, [&] { return __real_ulpfft_plan_parse_options(context, moved.c_str(), options, plan); }, as_given);
}

ulpfft_status __wrap_ulpfft_plan_parse(ulpfft_context* context, const char* problem, ulpfft_plan** plan) {
  return __wrap_ulpfft_plan_parse_options(context, problem, nullptr, plan);
}

ulpfft_status __wrap_ulpfft_plan_from_recipe(ulpfft_context* context, const char* problem, const char* recipe, ulpfft_plan** plan) {
  const auto as_given = [&] { return __real_ulpfft_plan_from_recipe(context, problem, recipe, plan); };
  if (plan == nullptr || problem == nullptr || names_backend(problem)) return as_given();
  const std::string moved = std::string(problem) + " backend=cuda";
  return plan_on_cuda(plan, [&] { return __real_ulpfft_plan_from_recipe(context, moved.c_str(), recipe, plan); }, as_given);
}

void __wrap_ulpfft_plan_destroy(ulpfft_plan* plan) {
  {
    const std::lock_guard lock(device().mutex);
    device().plans.erase(plan);
  }
  __real_ulpfft_plan_destroy(plan);
}

ulpfft_status __wrap_ulpfft_execute(const ulpfft_plan* plan, const void* in, void* out) {
  if (in == nullptr || out == nullptr || !device().has(plan)) return __real_ulpfft_execute(plan, in, out);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = const_cast<void*>(in);
  to.data[0] = out;
  return execute_on_cuda(plan, from, to);
}

// The workspace is the host's: the plan's own is taken.
ulpfft_status __wrap_ulpfft_execute_arrays(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out, void* workspace) {
  if (moving || in == nullptr || out == nullptr || !device().has(plan)) return __real_ulpfft_execute_arrays(plan, in, out, workspace);
  return execute_on_cuda(plan, *in, *out);
}

// Plans for CUDA are the same for every target: the default one and ref are enough.
ulpfft_status __wrap_ulpfft_target_get(std::size_t index, ulpfft_target* target) {
  const ulpfft_status status = __real_ulpfft_target_get(index, target);
  if (status == ULPFFT_OK && target->is_default == 0 && std::string(target->backend) != "ref") {
    target->available = 0;
    target->reason = "left out: the tests run on CUDA";
  }
  return status;
}

}  // extern "C"
