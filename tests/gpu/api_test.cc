// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The interface with backend=cuda on the machine of the check. Results are compared with those of the processor bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <thread>

#include "tests/gpu/parts.h"
#include "tests/gpu/stored_reals.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

PlanPtr plan_of(const std::string& problem, int effort = ULPFFT_ESTIMATE) {
  return make_plan(check_context(), problem + " backend=cuda", effort, 1);
}

// A plan for CUDA with arrays on the device, and the bytes that the processor computes by the same recipe.
class Work {
 public:
  explicit Work(const std::string& problem) : plan(plan_of(problem)) {
    if (plan == nullptr) throw std::runtime_error(problem + ": " + last_error_text());
    auto memory = sized<ulpfft_memory>();
    if (ulpfft_plan_memory(plan.get(), &memory) != ULPFFT_OK) throw std::runtime_error(last_error_text());
    in = std::make_unique<DeviceArray>(memory.in_bytes);
    if (memory.out_bytes != 0) separate_ = std::make_unique<DeviceArray>(memory.out_bytes);
    if (memory.workspace_bytes != 0) workspace_ = std::make_unique<DeviceArray>(memory.workspace_bytes);
    input_ = numbers_of(problem, memory.in_bytes);
    expected.resize(out().size());
    const PlanPtr judge = make_plan(check_context(), problem, recipe_of(plan.get()));
    if (separate_ == nullptr) expected = input_;
    const void* const from = separate_ == nullptr ? expected.data() : input_.data();
    if (judge == nullptr || ulpfft_execute(judge.get(), from, expected.data()) != ULPFFT_OK) throw std::runtime_error(last_error_text());
    load();
  }

  // The input again, and another output.
  void load() const {
    out().from_host(std::vector<std::byte>(out().size(), std::byte{0x5a}).data(), out().size());
    in->from_host(input_.data(), input_.size());
  }
  const DeviceArray& out() const { return separate_ != nullptr ? *separate_ : *in; }
  void* workspace() const { return workspace_ != nullptr ? workspace_->data() : nullptr; }
  ulpfft_status execute(void* stream) const { return ulpfft_execute_on(plan.get(), stream, in->data(), out().data(), workspace()); }
  std::vector<std::byte> result() const { return out().to_host(out().size()); }
  const std::vector<std::byte>& input() const { return input_; }

  PlanPtr plan;
  std::unique_ptr<DeviceArray> in;
  std::vector<std::byte> expected;

 private:
  // Numbers with any sign and any mantissa in the storage of the input.
  static std::vector<std::byte> numbers_of(const std::string& problem, std::size_t bytes) {
    const std::size_t begin = problem.find(' ') + 1;
    const StoredReals storage = storage_of(problem.substr(begin, problem.find_first_of(" -", begin) - begin));
    return random_reals(storage, bytes / storage.bytes);
  }

  std::unique_ptr<DeviceArray> separate_, workspace_;
  std::vector<std::byte> input_;
};

constexpr const char* kProblems[] = {"4096*3 f32", "16x32 f64 inplace", "65536*3 f32", "64*5 f16->f32", "1024*9 bf16 inverse", "131072 f64",
                                     "64*1000 f32 scale=ortho", "16384 f16", "8x16x32 f32 inplace"};

TEST(GpuApi, NamesTheDevice) {
  const std::string text = take(ulpfft_backend_describe("cuda"));
  EXPECT_NE(text.find("device 0: "), std::string::npos) << text;
  EXPECT_EQ(text.find("no CUDA kernels"), std::string::npos) << text;
}

TEST(GpuApi, HasTheBitsOfTheProcessor) {
  for (const char* problem : kProblems) {
    Work work(problem);
    ASSERT_EQ(work.execute(nullptr), ULPFFT_OK) << problem << ": " << last_error_text();
    EXPECT_EQ(work.result(), work.expected) << problem;
    work.load();
    ASSERT_EQ(ulpfft_execute(work.plan.get(), work.in->data(), work.out().data()), ULPFFT_OK) << problem << ": " << last_error_text();
    EXPECT_EQ(work.result(), work.expected) << problem << ", workspace of the plan";
  }
}

TEST(GpuApi, RunsOnAStream) {
  void* const stream = machine().make_stream();
  for (const char* problem : kProblems) {
    Work work(problem);
    ASSERT_EQ(work.execute(stream), ULPFFT_OK) << problem << ": " << last_error_text();
    machine().wait(stream);
    EXPECT_EQ(work.result(), work.expected) << problem;
  }
}

TEST(GpuApi, IsCapturedIntoAGraph) {
  void* const stream = machine().make_stream();
  for (const char* problem : kProblems) {
    Work work(problem);
    ulpfft_status status = ULPFFT_INTERNAL;
    machine().capture_and_replay(stream, [&] { status = work.execute(stream); });
    ASSERT_EQ(status, ULPFFT_OK) << problem << ": " << last_error_text();
    EXPECT_EQ(work.result(), work.expected) << problem;
  }
}

TEST(GpuApi, RunsOnePlanOnManyThreadsAndStreams) {
  constexpr std::size_t kThreads = 4;
  const Work work("32768 f32");
  std::vector<std::unique_ptr<DeviceArray>> outs, workspaces;
  std::vector<void*> streams;
  for (std::size_t t = 0; t < kThreads; ++t) {
    outs.push_back(std::make_unique<DeviceArray>(work.out().size()));
    workspaces.push_back(std::make_unique<DeviceArray>(std::max<std::size_t>(64, ulpfft_plan_workspace_bytes(work.plan.get()))));
    streams.push_back(machine().make_stream());
  }
  std::vector<std::thread> threads;
  std::vector<ulpfft_status> statuses(kThreads, ULPFFT_INTERNAL);
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      statuses[t] = ULPFFT_OK;
      for (int i = 0; i < 20 && statuses[t] == ULPFFT_OK; ++i) {
        statuses[t] = ulpfft_execute_on(work.plan.get(), streams[t], work.in->data(), outs[t]->data(), workspaces[t]->data());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < kThreads; ++t) {
    machine().wait(streams[t]);
    EXPECT_EQ(statuses[t], ULPFFT_OK) << t;
    EXPECT_EQ(outs[t]->to_host(work.expected.size()), work.expected) << t;
  }
}

TEST(GpuApi, RefusesArraysOfTheHost) {
  const Work work("64*5 f32");
  std::vector<std::complex<float>> host(320);
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, host.data(), work.out().data(), nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "in") << last_error_text();
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, work.in->data(), host.data(), nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "out") << last_error_text();
  EXPECT_EQ(ulpfft_execute_on(work.plan.get(), nullptr, static_cast<char*>(work.in->data()) + 4, work.out().data(), nullptr),
            ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("8 bytes"), std::string::npos) << last_error_text();
  EXPECT_EQ(work.execute(nullptr), ULPFFT_OK) << last_error_text();
}

TEST(GpuApi, TransformsArraysOfTheHost) {
  for (const char* problem : {"4096*3 f32", "64*5 f16->f32", "65536 f64"}) {
    Work work(problem);
    std::vector<std::byte> input = work.input(), output(work.expected.size());
    auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
    from.data[0] = input.data();
    to.data[0] = output.data();
    ASSERT_EQ(ulpfft_execute_on_host(work.plan.get(), &from, &to), ULPFFT_OK) << problem << ": " << last_error_text();
    EXPECT_EQ(output, work.expected) << problem;
  }
}

TEST(GpuApi, CountsWhatSaturates) {
  const PlanPtr plan = plan_of("64*2 f16");
  ASSERT_NE(plan, nullptr);
  const PlanPtr judge = make_plan(check_context(), "64*2 f16", recipe_of(plan.get()));
  std::vector<std::uint16_t> in(256, 0x7bff), results[2];  // 65504
  std::int64_t saturated[2] = {-1, -1};
  for (int i = 0; i < 2; ++i) {
    results[i].resize(256);
    auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
    from.data[0] = in.data();
    to.data[0] = results[i].data();
    to.saturated = &saturated[i];
    ASSERT_EQ(ulpfft_execute_on_host((i == 0 ? plan : judge).get(), &from, &to), ULPFFT_OK) << last_error_text();
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(saturated[0], saturated[1]);
  EXPECT_GT(saturated[1], 0);
}

TEST(GpuApi, TimesPlansByEvents) {
  const PlanPtr plan = plan_of("512*64 f32", ULPFFT_MEASURE);
  ASSERT_NE(plan, nullptr);
  // The time of the plan lies where those of 20 executions between events lie, within a factor that other work on the machine, and what a
  // single execution waits for, can explain.
  const DeviceArray in(512 * 64 * 8), out(512 * 64 * 8);
  const std::vector<std::byte> zeros(in.size());
  in.from_host(zeros.data(), zeros.size());
  std::vector<double> seconds;
  for (int i = 0; i < 20; ++i) {
    const Event begin, end;
    begin.record();
    ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_OK) << last_error_text();
    end.record();
    seconds.push_back(end.seconds_since(begin));
  }
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  EXPECT_GT(ulpfft_plan_seconds(plan.get()), *least / 8);
  EXPECT_LT(ulpfft_plan_seconds(plan.get()), *most * 8);
}

TEST(GpuApi, KeepsAnErrorLimit) {
  const PlanPtr plan = plan_of("256*8 f16 max_error=1e-3");
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED);
  EXPECT_LE(ulpfft_plan_error(plan.get()), 1e-3);
}

TEST(GpuApi, TakesAStreamInCpp) {
  const Work work("65536*3 f32");
  const ulpfft::Plan plan = ulpfft::Context().plan({.lengths = {65536}, .batch = 3, .backend = "cuda"},
                                                   {.effort = ulpfft::Effort::kEstimate});
  ASSERT_EQ(plan.workspace_bytes() == 0, work.workspace() == nullptr);
  void* const stream = machine().make_stream();
  plan.execute(work.in->data(), work.out().data(), {.stream = stream, .workspace = work.workspace()});
  machine().wait(stream);
  EXPECT_EQ(work.result(), work.expected);
}

// A process of its own: no context is of use afterwards.
TEST(GpuSpoiled, ContextIsNamedByEveryCall) {
  const PlanPtr plan = plan_of("4096*65536 f32 inplace");  // 2 GiB, of which the array has 32 KiB
  ASSERT_NE(plan, nullptr);
  const DeviceArray array(4096 * 8);
  const auto execute = [&] { return ulpfft_execute_on(plan.get(), nullptr, array.data(), array.data(), nullptr); };
  machine().spoil_context([&] { static_cast<void>(execute()); });
  for (int i = 0; i < 2; ++i) {
    EXPECT_NE(execute(), ULPFFT_OK);
    EXPECT_NE(last_error().message.find("an earlier kernel of this context failed"), std::string::npos) << last_error_text();
  }
}

}  // namespace
}  // namespace ulpfft::test
