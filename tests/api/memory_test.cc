// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Memory: execution allocates nothing, and an allocation that fails anywhere else is a status, not the end of the process.
//
// operator new of this program serves the library too; it counts, and fails when told to.
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/signals.h"

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> fail_at{-1};  // the allocation of this number fails, and every later one while it is set; -1: none

bool refused() {
  const std::int64_t number = allocations.fetch_add(1);
  const std::int64_t limit = fail_at.load();
  return limit >= 0 && number >= limit;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (refused()) return nullptr;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return alignment <= alignof(std::max_align_t) ? std::malloc(bytes == 0 ? 1 : bytes) : std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, 1); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocate_or_throw(bytes, static_cast<std::size_t>(alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return allocate_or_throw(bytes, static_cast<std::size_t>(alignment)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
// g++ sees memory of operator new end in free() where it inlines the second and not the first.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace ulpfft::test {
namespace {

// Allocation number `number` from here on fails, and all after it; lifted on destruction.
class Shortage {
 public:
  explicit Shortage(std::int64_t number) { fail_at = allocations + number; }
  ~Shortage() { fail_at = -1; }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;
};

// Without strings: it is called while memory is short.
ulpfft_status status_of_last_error() {
  auto error = sized<ulpfft_error>();
  ulpfft_last_error_get(&error);
  return error.status;
}

TEST(Counting, SeesTheAllocationsOfTheLibrary) {
  const std::int64_t before = allocations;
  const PlanPtr plan = make_plan(nullptr, "1000 f32");
  ASSERT_NE(plan, nullptr);
  // Static builds of the tests' tools excepted, this is the premise of everything below.
  EXPECT_GT(allocations - before, 10);
}

TEST(Execute, AllocatesNothing) {
  for (const std::string problem : {"8 f32", "1000 f64", "4096 f32", "65536 f32", "60x60*3 f64 centered", "64*100 f32", "100000 f64", "101 f32", "1009*3 f64", "34x51 f32 centered",
                                    "262144 f32", "1000 f32->f64", "60x40 f32 scheme=f64 inplace"}) {
    const PlanPtr plan = make_plan(nullptr, problem);
    ASSERT_NE(plan, nullptr);
    std::vector<std::complex<double>> in(1 << 18, 1.0);
    std::vector<std::complex<double>> out(in.size());
    std::vector<std::complex<double>>& result = problem.find("inplace") != std::string::npos ? in : out;
    const std::int64_t before = allocations;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), result.data()), ULPFFT_OK) << problem;
    EXPECT_EQ(allocations - before, 0) << problem;
  }
}

// Runs `work` with the k-th allocation failing, for every k until it gets through; every refusal must say "no memory".
template <typename Work>
void fail_everywhere(const std::string& name, const Work& work) {
  std::int64_t number = 0;
  for (;; number += number < 300 ? 1 : 7) {
    ulpfft_status status = ULPFFT_OK;
    {
      const Shortage shortage(number);
      status = work();
    }
    if (status == ULPFFT_OK) break;
    ASSERT_EQ(status, ULPFFT_NO_MEMORY) << name << ", allocation " << number << ": " << last_error_text();
    ASSERT_LT(number, 200000) << name << " never gets through";
  }
  EXPECT_GT(number, 0) << name << " allocates nothing: the sweep is empty";
}

TEST(Shortage, WhilePlanningIsAStatus) {
  for (const std::string problem : {"8 f32", "1000 f64", "4096 f32", "30x40*3 f64 centered scale=ortho", "64*33 f32 split inplace", "34 f32", "101 f64->f32"}) {
    for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE}) {
      const ContextPtr context = make_context();
      fail_everywhere("plan \"" + problem + "\", effort " + std::to_string(effort), [&] {
        auto options = sized<ulpfft_plan_options>();
        options.effort = effort;
        options.time_limit_seconds = 1e-4;
        ulpfft_plan* plan = nullptr;
        const ulpfft_status status = ulpfft_plan_parse_options(context.get(), problem.c_str(), &options, &plan);
        EXPECT_EQ(plan != nullptr, status == ULPFFT_OK);
        ulpfft_plan_destroy(plan);
        return status;
      });
      // Nothing half-made was left behind.
      const PlanPtr plan = make_plan(context.get(), problem, effort);
      EXPECT_NE(plan, nullptr);
    }
  }
}

TEST(Shortage, InContextsRecipesAndWisdomIsAStatus) {
  fail_everywhere("context", [] {
    ulpfft_context* context = nullptr;
    const ulpfft_status status = ulpfft_context_create(nullptr, &context);
    EXPECT_EQ(context != nullptr, status == ULPFFT_OK);
    ulpfft_context_destroy(context);
    return status;
  });
  fail_everywhere("recipe", [] {
    ulpfft_plan* plan = nullptr;
    const ulpfft_status status = ulpfft_plan_from_recipe(nullptr, "1024 f32", "f32:dit(16 8:ds / 8:ch)", &plan);
    ulpfft_plan_destroy(plan);
    return status;
  });
  const ContextPtr context = make_context();
  for (const char* problem : {"64 f32", "100 f64", "1024 f32"}) (void)make_plan(context.get(), problem, ULPFFT_MEASURE);
  const std::string text = take(ulpfft_wisdom_export_string(context.get()));
  fail_everywhere("export", [&] {
    char* exported = ulpfft_wisdom_export_string(context.get());
    if (exported == nullptr) return status_of_last_error();
    ulpfft_string_free(exported);
    return ULPFFT_OK;
  });
  const ContextPtr reader = make_context();
  fail_everywhere("import", [&] {
    auto report = sized<ulpfft_import_report>();
    const ulpfft_status status = ulpfft_wisdom_import_string(reader.get(), text.data(), text.size(), &report);
    EXPECT_TRUE(status == ULPFFT_OK || ulpfft_wisdom_count(reader.get()) == 0) << "a failed import left something";
    ulpfft_string_free(report.details);
    return status;
  });
  EXPECT_EQ(ulpfft_wisdom_count(reader.get()), 3U);
}

TEST(Shortage, InDescriptionsAndHashesIsAStatus) {
  const PlanPtr plan = make_plan(nullptr, "1000 f32");
  ASSERT_NE(plan, nullptr);
  const auto text_of = [](char* text) {
    if (text == nullptr) return status_of_last_error();
    ulpfft_string_free(text);
    return ULPFFT_OK;
  };
  fail_everywhere("describe", [&] { return text_of(ulpfft_plan_describe(plan.get())); });
  fail_everywhere("explain", [&] { return text_of(ulpfft_plan_explain(plan.get())); });
  fail_everywhere("problem", [&] { return text_of(ulpfft_plan_problem(plan.get())); });
  fail_everywhere("recipe", [&] { return text_of(ulpfft_plan_recipe(plan.get())); });
  fail_everywhere("hash", [&] {
    std::uint64_t hash = 0;
    return ulpfft_plan_hash(plan.get(), &hash);
  });
}

// Even the sentence about an error needs memory: without any, a status and some sentence remain.
TEST(Shortage, WhileReportingAnErrorStillGivesAStatus) {
  for (std::int64_t number = 0; number < 40; ++number) {
    ulpfft_plan* plan = nullptr;
    ulpfft_status status = ULPFFT_OK;
    {
      const Shortage shortage(number);
      status = ulpfft_plan_parse(nullptr, "8 f32 nonsense", &plan);
    }
    EXPECT_TRUE(status == ULPFFT_NO_MEMORY || status == ULPFFT_INVALID_TEXT) << number << ": " << ulpfft_status_name(status);
    EXPECT_EQ(plan, nullptr);
    EXPECT_NE(ulpfft_last_error(), nullptr);
  }
}

}  // namespace
}  // namespace ulpfft::test
