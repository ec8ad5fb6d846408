// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The driver behind plans for CUDA: entry points, images of kernels, and modules that plans share.
#include "planner/backend/cuda/driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "codelets/cuda/launch.h"
#include "tests/cuda/plan_on_cuda.h"
#include "tests/support/api.h"
#include "tests/support/fake_driver.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

using cuda::Result;

void expect_word(const std::string& text, const std::string& word) { EXPECT_NE(text.find(word), std::string::npos) << text; }

// ---- modules

// Plans of one recipe load one module, at once or one after the other. It stays as long as the context.
TEST(CudaModules, AreLoadedOnceForAContext) {
  FakeDriver driver;
  driver.begin_counts();
  std::vector<PlanPtr> plans;
  for (int batch = 1; batch <= 10; ++batch) plans.push_back(plan_of("4096*" + std::to_string(batch) + " f32"));
  for (const PlanPtr& plan : plans) ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_EQ(driver.counts().modules, 1);
  plans.clear();
  for (int i = 0; i < 10; ++i) EXPECT_NE(plan_of("4096 f32"), nullptr) << last_error_text();
  EXPECT_EQ(driver.counts().modules, 1);
  EXPECT_EQ(driver.modules(), 1);
  EXPECT_EQ(driver.live(), 0);
  expect_no_faults(driver);
}

// Contexts have no numbers before CUDA 12: a module that outlives its plans could be that of a context which is gone.
TEST(CudaModules, GoWithTheirLastPlanWhereContextsHaveNoNumbers) {
  FakeDriver driver({.driver_version = 11080});
  std::vector<PlanPtr> plans;
  for (int batch = 1; batch <= 3; ++batch) plans.push_back(plan_of("4096*" + std::to_string(batch) + " f32"));
  while (plans.size() > 1) {
    plans.pop_back();
    EXPECT_EQ(driver.modules(), 1);
  }
  plans.clear();
  EXPECT_EQ(driver.modules(), 0);
  EXPECT_EQ(driver.live(), 0);
  expect_no_faults(driver);
}

// A plan loads the images of its kernels alone.
TEST(CudaModules, AreLoadedWhereAPlanNeedsThem) {
  const auto kernels = static_cast<int>(cuda::kernels().size());
  FakeDriver driver({.images = kernels});  // an image for each kernel
  driver.begin_counts();
  const PlanPtr one = plan_of("4096 f32"), two = plan_of("65536 f32"), both = plan_of("64x4096 f32 inverse");
  ASSERT_NE(both, nullptr) << last_error_text();
  EXPECT_EQ(driver.counts().modules, driver.modules());
  EXPECT_LE(driver.modules(), 5);
  expect_no_faults(driver);
}

TEST(CudaModules, BelongToAContext) {
  FakeDriver driver({.devices = 2});
  driver.begin_counts();
  PlanPtr plans[4];
  for (int i = 0; i < 4; ++i) {
    driver.set_current(driver.primary(i % 2));
    plans[i] = plan_of("4096 f32");
    ASSERT_NE(plans[i], nullptr) << last_error_text();
  }
  driver.set_current(nullptr);
  EXPECT_EQ(driver.counts().modules, 2);
  EXPECT_EQ(driver.modules(), 2);
  expect_no_faults(driver);
}

// A plan may be destroyed after its context, whose handle another one may have by then.
TEST(CudaModules, OfADestroyedContextAreNotThoseOfItsSuccessor) {
  FakeDriver driver;
  void* const context = driver.make_context(0);
  driver.set_current(context);
  PlanPtr old = plan_of("32768 f32");
  ASSERT_NE(old, nullptr) << last_error_text();
  driver.replace_context(context);
  EXPECT_EQ(driver.live(), 0);
  driver.begin_counts();
  const PlanPtr plan = plan_of("32768 f32");
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_GT(driver.counts().modules, 0);
  const int live = driver.live();
  old.reset();
  EXPECT_EQ(driver.live(), live) << "the old plan has nothing left to give back";
  expect_no_faults(driver);
}

TEST(CudaModules, AreSharedByThreadsThatPlan) {
  FakeDriver driver;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 20; ++i) EXPECT_NE(plan_of("4096 f32"), nullptr) << last_error_text();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(driver.modules(), 1);
  EXPECT_EQ(driver.live(), 0);
  expect_no_faults(driver);
}

// ---- images

constexpr Result kRefusals[] = {Result::kInvalidImage, Result::kNoBinaryForGpu, Result::kInvalidPtx, Result::kUnsupportedPtxVersion,
                                Result::kInvalidSource};

TEST(CudaImages, AreLoadedAsPtxWhereTheDriverRefusesTheBinary) {
  for (const Result refusal : kRefusals) {
    FakeDriver driver({.binary_result = static_cast<int>(refusal)});
    driver.begin_counts();
    const PlanPtr plan = plan_of("4096 f32");
    ASSERT_NE(plan, nullptr) << last_error_text();
    EXPECT_EQ(driver.counts().modules, 1);
    std::uint64_t hash = 0;
    EXPECT_EQ(ulpfft_plan_hash(plan.get(), &hash), ULPFFT_OK) << last_error_text();
    expect_no_faults(driver);
  }
}

TEST(CudaImages, ThatAreRefusedInBothFormsNameBothFailures) {
  FakeDriver driver({.binary_result = static_cast<int>(Result::kNoBinaryForGpu),
                     .ptx_result = static_cast<int>(Result::kUnsupportedPtxVersion)});
  EXPECT_EQ(plan_of("4096 f32"), nullptr);
  EXPECT_EQ(last_error().status, ULPFFT_UNAVAILABLE);
  expect_word(last_error().message,
              "loading the kernels of this build: this build has no kernels for the device (CUDA_ERROR_SCRIPTED, 209)");
  expect_word(last_error().message, "compiling their PTX: the driver does not take this form of the kernels (CUDA_ERROR_SCRIPTED, 222)");
  EXPECT_EQ(driver.live(), 0);
  expect_no_faults(driver);
}

// Other failures have nothing to do with the form.
TEST(CudaImages, AreNotTriedAgainAfterOtherFailures) {
  FakeDriver driver({.binary_result = static_cast<int>(Result::kOutOfMemory), .ptx_result = static_cast<int>(Result::kInvalidPtx)});
  EXPECT_EQ(plan_of("4096 f32"), nullptr);
  EXPECT_EQ(last_error().status, ULPFFT_NO_MEMORY) << last_error_text();
  EXPECT_EQ(last_error().message.find("PTX"), std::string::npos) << last_error_text();
}

// ---- entry points

// A library of the driver: what is asked of it, and what it lacks.
struct Library {
  bool has_lookup = true;
  std::string lacks{};
  int serves = 12040;
  std::map<std::string, int> asked{};  // names that cuGetProcAddress() is asked for, with the version
  std::vector<std::string> symbols{};
};
Library* library = nullptr;

void entry_point() {}

Result version_of_library(int* version) {
  *version = library->serves;
  return Result::kSuccess;
}

void* address_of(const std::string& name) {
  if (name == library->lacks) return nullptr;
  return name == "cuDriverGetVersion" ? reinterpret_cast<void*>(&version_of_library) : reinterpret_cast<void*>(&entry_point);
}

Result get_address(const char* name, void** address, int version, std::uint64_t flags) {
  EXPECT_EQ(flags, 0u);
  library->asked[name] = version;
  if (version > library->serves || address_of(name) == nullptr) return Result::kNotFound;
  *address = address_of(name);
  return Result::kSuccess;
}

void* symbol_of(void* handle, const char* name) {
  EXPECT_EQ(handle, library);
  if (std::string(name) == "cuGetProcAddress") return library->has_lookup ? reinterpret_cast<void*>(&get_address) : nullptr;
  library->symbols.push_back(name);
  return address_of(name);
}

std::string missing_in(Library& of, cuda::Driver& table) {
  library = &of;
  char reason[256] = "";
  const bool found = cuda::find_entries(&of, &symbol_of, table, reason);
  EXPECT_EQ(found, *reason == '\0') << reason;
  return reason;
}

bool has(const std::vector<std::string>& names, const std::string& name) { return std::count(names.begin(), names.end(), name) == 1; }

TEST(CudaEntryPoints, AreAskedForByTheVersionOfTheirDeclaration) {
  Library of;
  cuda::Driver table{};
  EXPECT_EQ(missing_in(of, table), "");
  EXPECT_TRUE(of.symbols.empty()) << of.symbols.front();
  EXPECT_EQ(of.asked.at("cuMemAlloc"), 11080);
  EXPECT_EQ(of.asked.at("cuLaunchKernel"), 11080);
  EXPECT_EQ(of.asked.at("cuCtxGetId"), 12000);
  for (const auto& [name, version] : of.asked) EXPECT_FALSE(name.ends_with("_v2")) << name;
  EXPECT_NE(table.get_error_name, nullptr);
  EXPECT_NE(table.context_get_id, nullptr);
}

TEST(CudaEntryPoints, AreFoundByTheirNamesInOlderLibraries) {
  Library of{.has_lookup = false};
  cuda::Driver table{};
  EXPECT_EQ(missing_in(of, table), "");
  EXPECT_TRUE(of.asked.empty());
  for (const char* name : {"cuInit", "cuMemAlloc_v2", "cuMemFree_v2", "cuEventDestroy_v2", "cuCtxPushCurrent_v2", "cuLaunchKernel"}) {
    EXPECT_TRUE(has(of.symbols, name)) << name;
  }
  EXPECT_FALSE(has(of.symbols, "cuMemAlloc"));
}

TEST(CudaEntryPoints, ThatAreMissingAreNamedWithBothVersions) {
  for (const bool has_lookup : {true, false}) {
    Library of{.has_lookup = has_lookup, .lacks = "cuLaunchKernel", .serves = 12010};
    cuda::Driver table{};
    EXPECT_EQ(missing_in(of, table),
              "The NVIDIA driver of this machine is too old: it serves CUDA 12.1, it lacks cuLaunchKernel(), and ulpfft needs CUDA 11.8 or "
              "later.");
  }
  Library old{.serves = 11040};
  cuda::Driver table{};
  expect_word(missing_in(old, table), "it serves CUDA 11.4, it lacks cuInit(), and ulpfft needs CUDA 11.8 or later.");
  Library without_ids{.serves = 11080};
  EXPECT_EQ(missing_in(without_ids, table), "");
  EXPECT_EQ(table.context_get_id, nullptr);
}

}  // namespace
}  // namespace ulpfft::test
