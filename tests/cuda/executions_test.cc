// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Executions of plans for CUDA over a driver without a device: streams, captures, threads, refusals, and failures at every call.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/cuda/plan_on_cuda.h"
#include "tests/support/signals.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

// CUresult.
constexpr int kInvalidValue = 1, kOutOfMemory = 2, kIllegalAddress = 700;

// ---- executions

// Numbers of the input storage: normal ones, and of f16 bits with any sign, any mantissa and five exponents.
std::vector<std::uint8_t> random_bytes(const std::string& problem, std::size_t bytes, std::uint64_t seed) {
  const std::size_t width = problem.find(" f64") != problem.npos ? 8 : problem.find(" f32") != problem.npos ? 4 : 2;
  Random random(seed);
  std::vector<std::uint8_t> data(bytes);
  for (std::size_t i = 0; i < bytes; i += width) {
    const double wide = random.normal();
    const auto single = static_cast<float>(wide);
    const auto half = static_cast<std::uint16_t>((random.next() & 0x83ff) | (11 + random.below(5)) << 10);
    std::memcpy(&data[i], width == 8 ? static_cast<const void*>(&wide) : width == 4 ? static_cast<const void*>(&single) : &half, width);
  }
  return data;
}

// A plan with arrays on a device.
struct Work {
  Work(FakeDriver& owner, const std::string& text, int device = 0, int effort = ULPFFT_ESTIMATE)
      : driver(owner), problem(text), plan(plan_of(text, effort, 0.1)) {
    EXPECT_NE(plan, nullptr) << problem << ": " << last_error_text();
    auto memory = sized<ulpfft_memory>();
    EXPECT_EQ(ulpfft_plan_memory(plan.get(), &memory), ULPFFT_OK);
    bytes = memory.in_bytes;
    out_bytes = memory.out_bytes == 0 ? bytes : memory.out_bytes;
    in = driver.allocate(memory.in_bytes, device);
    out = memory.out_bytes == 0 ? in : driver.allocate(memory.out_bytes, device);
    workspace = memory.workspace_bytes == 0 ? nullptr : driver.allocate(memory.workspace_bytes, device);
    load(1);
  }
  ~Work() {
    for (void* const memory : {in, out == in ? nullptr : out, workspace}) {
      if (memory != nullptr) driver.free(memory);
    }
  }
  // Random numbers in the input, and in an output apart from it bytes that no result has.
  void load(std::uint64_t seed) {
    input = random_bytes(problem, bytes, seed);
    if (out != in) std::memset(out, 0x5a, out_bytes);
    std::memcpy(in, input.data(), bytes);
  }
  std::vector<std::uint8_t> result() const {
    std::vector<std::uint8_t> copy(out_bytes);
    std::memcpy(copy.data(), out, out_bytes);
    return copy;
  }
  // Of the processor, by the same recipe.
  std::vector<std::uint8_t> expected() const {
    const PlanPtr judge = make_plan(context(), problem, recipe_of(plan.get()));
    std::vector<std::uint8_t> numbers = input, results(out_bytes);
    EXPECT_EQ(ulpfft_execute(judge.get(), numbers.data(), out == in ? numbers.data() : results.data()), ULPFFT_OK) << last_error_text();
    return out == in ? numbers : results;
  }
  ulpfft_status execute(void* stream = nullptr) const { return ulpfft_execute_on(plan.get(), stream, in, out, workspace); }

  FakeDriver& driver;
  const std::string problem;
  PlanPtr plan;
  void *in = nullptr, *out = nullptr, *workspace = nullptr;
  std::size_t bytes = 0, out_bytes = 0;
  std::vector<std::uint8_t> input;
};

constexpr const char* kProblems[] = {"4096*3 f32", "16x32 f64 inplace", "65536*3 f32", "64*5 f16->f32"};

TEST(CudaExecutions, NeitherAllocateNorCopyNorSynchronise) {
  FakeDriver driver;
  void* const stream = driver.make_stream();
  for (const char* problem : kProblems) {
    Work work(driver, problem);
    driver.begin_counts();
    ASSERT_EQ(work.execute(stream), ULPFFT_OK) << problem << ": " << last_error_text();
    const DriverCounts counts = driver.counts();
    EXPECT_EQ(counts.allocations + counts.copies + counts.synchronisations + counts.sets, 0) << problem;
    EXPECT_GT(counts.launches, 0) << problem;
    for (const void* const used : driver.streams_of_launches()) EXPECT_EQ(used, stream) << problem;
  }
  expect_no_faults(driver);
}

// Where a test has translated PTX, plans run on it.
TEST(CudaExecutions, RunThePtxThatIsGiven) {
  FakeDriver driver;
  const Work work(driver, "4096*3 f32");
  ASSERT_EQ(work.execute(), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(work.result(), work.expected());
  EXPECT_EQ(driver.counts().shipped_launches, std::getenv("ULPFFT_PTX_KERNELS") != nullptr ? 1 : 0);
  expect_no_faults(driver);
}

// A stream that does not wait for the default stream may read tables as soon as there is a plan, timed or not.
TEST(CudaExecutions, FindTheirTablesOnAnyStream) {
  FakeDriver driver;
  void* const stream = driver.make_stream();
  for (const char* problem : kProblems) {
    for (const int effort : {ULPFFT_ESTIMATE, ULPFFT_MEASURE}) {
      Work work(driver, problem, 0, effort);
      ASSERT_EQ(work.execute(stream), ULPFFT_OK) << problem << ": " << last_error_text();
      EXPECT_EQ(work.result(), work.expected()) << problem << ", effort " << effort;
    }
  }
  expect_no_faults(driver);
}

// An execution of arrays waits where it returns a count, and nowhere else. Two of five transforms are of a constant that is the largest
// number of f16, so that re and im of their first result saturate in f16, and nothing else does.
TEST(CudaExecutions, WaitWhereACountIsAskedFor) {
  FakeDriver driver;
  for (const char* problem : {"64*5 f16", "64*5 f16->f32", "64*5 f32"}) {
    Work work(driver, problem);
    const bool is_half = std::string(problem) != "64*5 f32";
    for (std::size_t i = 0; is_half && i < 640; ++i) {
      const std::uint16_t code = i / 128 % 2 == 1 ? 0x7bff : 0x3c00;  // 65504 and 1
      std::memcpy(static_cast<std::uint8_t*>(work.in) + 2 * i, &code, 2);
    }
    for (const bool asked : {false, true, true}) {  // each count begins at 0
      std::int64_t saturated = -1;
      auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
      from.data[0] = work.in;
      to.data[0] = work.out;
      to.saturated = asked ? &saturated : nullptr;
      driver.begin_counts();
      ASSERT_EQ(ulpfft_execute_arrays(work.plan.get(), &from, &to, work.workspace), ULPFFT_OK) << last_error_text();
      const DriverCounts counts = driver.counts();
      const int waits = asked && is_half ? 1 : 0;
      EXPECT_EQ(counts.allocations, 0) << problem;
      EXPECT_EQ(counts.copies, waits) << problem;
      EXPECT_EQ(counts.synchronisations, waits) << problem;
      EXPECT_EQ(counts.sets, waits) << problem;
      EXPECT_EQ(saturated, !asked ? -1 : std::string(problem) == "64*5 f16" ? 4 : 0) << problem;
    }
  }
  expect_no_faults(driver);
}

TEST(CudaExecutions, CanBeCapturedAndReplayed) {
  FakeDriver driver;
  void* const stream = driver.make_stream();
  for (const char* problem : kProblems) {
    Work work(driver, problem);
    const std::vector<std::uint8_t> before = work.result();
    driver.begin_capture(stream);
    ASSERT_EQ(work.execute(stream), ULPFFT_OK) << problem << ": " << last_error_text();
    EXPECT_EQ(ulpfft_execute(work.plan.get(), work.in, work.out), ULPFFT_INVALID_ARGUMENT) << "the default stream is not the captured one";
    EXPECT_NE(last_error().message.find("captured"), std::string::npos) << last_error_text();
    EXPECT_EQ(plan_of("128 f32"), nullptr) << "planning allocates";
    driver.end_capture();
    EXPECT_EQ(work.result(), before) << problem << ": a capture executes nothing";
    for (const std::uint64_t seed : {2, 3}) {
      work.load(seed);
      driver.replay();
      EXPECT_EQ(work.result(), work.expected()) << problem << ", replayed on numbers of seed " << seed;
    }
  }
  expect_no_faults(driver);
}

TEST(CudaExecutions, OfOnePlanRunOnManyThreadsWithWorkspacesOfTheirOwn) {
  FakeDriver driver;
  constexpr std::size_t kThreads = 4, kPoints = 32768;
  const PlanPtr plan = plan_of("32768 f32");
  ASSERT_NE(plan, nullptr) << last_error_text();
  const std::size_t bytes = ulpfft_plan_workspace_bytes(plan.get());
  ASSERT_GT(bytes, 0u);
  const std::vector<std::complex<float>> data = random_signal<float>(kThreads * kPoints, 7);
  std::vector<std::complex<float>> results(data.size());
  std::vector<std::thread> threads;
  std::vector<ulpfft_status> statuses(kThreads, ULPFFT_INTERNAL);
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      void* const stream = driver.make_stream();
      void* const in = driver.allocate(kPoints * 8);
      void* const out = driver.allocate(kPoints * 8);
      void* const workspace = driver.allocate(bytes);
      std::memcpy(in, data.data() + t * kPoints, kPoints * 8);
      statuses[t] = ULPFFT_OK;
      for (int i = 0; i < 3 && statuses[t] == ULPFFT_OK; ++i) statuses[t] = ulpfft_execute_on(plan.get(), stream, in, out, workspace);
      std::memcpy(results.data() + t * kPoints, out, kPoints * 8);
      for (void* const memory : {in, out, workspace}) driver.free(memory);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const PlanPtr judge = make_plan(context(), "32768*4 f32", recipe_of(plan.get()));
  std::vector<std::complex<float>> expected(data.size());
  ASSERT_EQ(ulpfft_execute(judge.get(), data.data(), expected.data()), ULPFFT_OK);
  for (std::size_t t = 0; t < kThreads; ++t) EXPECT_EQ(statuses[t], ULPFFT_OK) << t;
  EXPECT_EQ(std::memcmp(results.data(), expected.data(), expected.size() * 8), 0);
  expect_no_faults(driver);
}

TEST(CudaExecutions, RefuseArraysOfTheHost) {
  FakeDriver driver;
  Work work(driver, "64*5 f32");
  std::vector<std::complex<float>> host(320);
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, host.data(), work.out, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "in");
  EXPECT_NE(last_error().message.find("memory of the host"), std::string::npos) << last_error_text();
  EXPECT_EQ(ulpfft_execute(work.plan.get(), work.in, host.data()), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "out");
  alignas(64) char small[64];
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, work.in, work.out, small), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "workspace");
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, static_cast<char*>(work.in) + 4, work.out, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("8 bytes"), std::string::npos) << last_error_text();
  EXPECT_EQ(driver.counts().launches, 0);
  expect_no_faults(driver);
}

TEST(CudaExecutions, RefuseAnotherDeviceAndAnotherContext) {
  FakeDriver driver({.devices = 2});
  driver.set_current(driver.primary(1));
  Work work(driver, "64*5 f32", 1);  // of device 1, whose context is current
  EXPECT_EQ(work.execute(), ULPFFT_OK) << last_error_text();
  void* const elsewhere = driver.allocate(64 * 5 * 8, 0);
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, elsewhere, work.out, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("memory of device 0, the plan is for device 1"), std::string::npos) << last_error_text();
  driver.set_current(driver.primary(0));
  EXPECT_EQ(work.execute(), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("device 1, but the current context is of device 0"), std::string::npos) << last_error_text();
  driver.set_current(driver.make_context(1));
  EXPECT_EQ(work.execute(), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("another context"), std::string::npos) << last_error_text();
  driver.set_current(nullptr);
  EXPECT_EQ(work.execute(), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(driver.current(), nullptr) << "the call leaves no context behind";
  driver.free(elsewhere);
  expect_no_faults(driver);
}

// A program resets the device: what is gone is named, whether or not another context has the handle, and plans can be made again.
TEST(CudaExecutions, AfterAResetNameTheContext) {
  for (const bool has_successor : {false, true}) {
    FakeDriver driver;
    void* const primary = driver.primary(0);
    const PlanPtr old = plan_of("64*5 f32");
    ASSERT_NE(old, nullptr) << last_error_text();
    has_successor ? driver.replace_context(primary) : driver.destroy_context(primary);
    void* const in = driver.allocate(64 * 5 * 8);
    void* const out = driver.allocate(64 * 5 * 8);
    driver.begin_counts();
    for (void* const current : {static_cast<void*>(nullptr), primary}) {
      driver.set_current(has_successor ? current : nullptr);
      EXPECT_NE(ulpfft_execute_on(old.get(), nullptr, in, out, nullptr), ULPFFT_OK);
      EXPECT_NE(last_error().message.find("the context of the plan was destroyed"), std::string::npos) << last_error_text();
    }
    EXPECT_EQ(driver.counts().launches, 0);
    driver.set_current(nullptr);
    const Work work(driver, "64*5 f32");
    EXPECT_EQ(work.execute(), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(work.result(), work.expected());
    driver.free(in);
    driver.free(out);
    expect_no_faults(driver);
  }
}

TEST(CudaExecutions, TakeNoStreamOnTheProcessor) {
  const PlanPtr plan = make_plan(context(), "64 f32");
  std::vector<std::complex<float>> in(64), out(64);
  EXPECT_EQ(ulpfft_execute_on(plan.get(), nullptr, in.data(), out.data(), nullptr), ULPFFT_OK);
  int stream = 0;
  EXPECT_EQ(ulpfft_execute_on(plan.get(), &stream, in.data(), out.data(), nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "stream");
}

TEST(CudaExecutions, TakeAStreamInCpp) {
  FakeDriver driver;
  Work work(driver, "65536*3 f32");
  ulpfft::Context own;
  const ulpfft::Plan plan = own.plan({.lengths = {65536}, .batch = 3, .backend = "cuda"}, {.effort = ulpfft::Effort::kEstimate});
  void* const stream = driver.make_stream();
  driver.begin_counts();
  plan.execute(work.in, work.out, {.stream = stream, .workspace = work.workspace});
  EXPECT_EQ(driver.streams_of_launches(), std::vector<void*>(2, stream));
  EXPECT_THROW(plan.execute(nullptr, work.out, {.stream = stream}), ulpfft::Error);
  expect_no_faults(driver);
}

// ---- failures

// Plans and executes once. Each call of the driver fails in one run.
void fail_at_every_call(FakeDriver& driver, const char* problem, int result, int least_refused) {
  void* const in = driver.allocate(3 * 32768 * 8);
  void* const out = driver.allocate(3 * 32768 * 8);
  const int before = driver.live();
  int k = 1, refused = 0;
  for (bool came = true; came; ++k) {
    driver.fail_at(k, result);
    PlanPtr plan = plan_of(problem);
    const ulpfft_status status = plan == nullptr ? last_error().status : ulpfft_execute_on(plan.get(), nullptr, in, out, nullptr);
    // A failure while the driver is only looked at may leave a plan that executes.
    if (status != ULPFFT_OK) {
      ++refused;
      EXPECT_EQ(last_error().message.back(), '.') << problem << ", call " << k;
      EXPECT_NE(last_error().message.find("CUDA failed while"), std::string::npos) << last_error_text();
    }
    came = driver.has_failed();
    EXPECT_TRUE(came || status == ULPFFT_OK) << problem << ", call " << k << ": " << last_error_text();
    driver.heal();
    plan.reset();
    EXPECT_EQ(driver.live(), before) << problem << ", call " << k << ", " << result << ": " << last_error_text();
  }
  EXPECT_GT(refused, least_refused) << problem;
  EXPECT_GT(k, 30) << problem;
  driver.free(in);
  driver.free(out);
}

TEST(CudaFailures, AtEveryCallGiveASentenceAndLeaveNothingBehind) {
  constexpr int kWithoutNumbers = 11080;  // modules go with their plan and are loaded in each run
  for (const int version : {kWithoutNumbers, 12040}) {
    FakeDriver driver({.driver_version = version});
    for (const int result : {kOutOfMemory, kInvalidValue}) {
      for (const char* problem : {"4096*3 f32", "32768 f32"}) {
        fail_at_every_call(driver, problem, result, version == kWithoutNumbers ? 20 : 15);
      }
    }
    EXPECT_EQ(version == kWithoutNumbers, driver.modules() == 0);
    expect_no_faults(driver);
  }
}

TEST(CudaFailures, OfMemoryNameTheDevice) {
  const FakeDriver driver({.memory_bytes = 4096});
  EXPECT_EQ(plan_of("4096 f32"), nullptr);
  EXPECT_EQ(last_error().status, ULPFFT_NO_MEMORY) << last_error_text();
  EXPECT_NE(last_error().message.find("the device has not enough free memory"), std::string::npos) << last_error_text();
  EXPECT_EQ(driver.live(), 0);
}

TEST(CudaFailures, OfAnEarlierKernelAreNamedAndTheDeviceIsNotReset) {
  FakeDriver driver;
  Work work(driver, "64*5 f32");
  driver.fail_at(1, kIllegalAddress);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(work.execute(), ULPFFT_INTERNAL);
    EXPECT_NE(last_error().message.find("an earlier kernel of this context failed"), std::string::npos) << last_error_text();
    EXPECT_NE(last_error().message.find("never resets a device"), std::string::npos) << last_error_text();
  }
  driver.heal();
  EXPECT_EQ(work.execute(), ULPFFT_OK) << last_error_text();
}

}  // namespace
}  // namespace ulpfft::test
