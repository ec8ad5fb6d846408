// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans cut for threads: the same bits for any number of them, in any order, on every target; parts write to memory of their own.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "codelets/registry.h"
#include "planner/backend/cpu/executor.h"
#include "planner/convert/side.h"
#include "planner/lower/build_plan.h"
#include "planner/plan/plan.h"
#include "planner/system/buffer.h"
#include "planner/system/team.h"
#include "tests/planner/best_target.h"
#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/compare.h"
#include "tests/support/hang.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"
#include "tests/support/signals.h"
#include "wisdom/problem_text.h"
#include "wisdom/recipe.h"

namespace ulpfft::test {
namespace {

// Parts one after another on the calling thread, in the order of `at`.
class OrderedTeam : public Team {
 public:
  OrderedTeam(int size, std::function<int(int i, int count)> at) : size_(size), at_(std::move(at)) {}
  int size() const override { return size_; }
  void run(int count, Work work, void* data) noexcept override {
    ++runs;
    for (int i = 0; i < count; ++i) work(data, at_(i, count));
  }
  int runs = 0;

 private:
  int size_;
  std::function<int(int, int)> at_;
};

int in_reverse(int i, int count) { return count - 1 - i; }
int odd_first(int i, int count) { return 2 * i + 1 < count ? 2 * i + 1 : 2 * (i - count / 2); }

// A thread for every part.
class ThreadTeam : public Team {
 public:
  explicit ThreadTeam(int size) : size_(size) {}
  int size() const override { return size_; }
  void run(int count, Work work, void* data) noexcept override {
    std::vector<std::thread> threads;
    for (int i = 1; i < count; ++i) threads.emplace_back(work, data, i);
    work(data, 0);
    for (std::thread& thread : threads) thread.join();
  }

 private:
  int size_;
};

// Watches which bytes each part of a split step changes: no byte may belong to two.
class WatchingTeam : public Team {
 public:
  explicit WatchingTeam(int size) : size_(size) {}
  int size() const override { return size_; }
  void watch(std::span<std::byte> memory) { memory_.push_back(memory); }
  void run(int count, Work work, void* data) noexcept override {
    ++runs;
    std::vector<std::vector<int>> owner;
    for (const auto& memory : memory_) owner.emplace_back(memory.size(), -1);
    for (int part = 0; part < count; ++part) {
      std::vector<std::vector<std::byte>> before;
      for (const auto& memory : memory_) before.emplace_back(memory.begin(), memory.end());
      work(data, part);
      for (std::size_t m = 0; m < memory_.size(); ++m) {
        for (std::size_t i = 0; i < memory_[m].size(); ++i) {
          if (memory_[m][i] == before[m][i]) continue;
          if (owner[m][i] >= 0) ++shared_bytes;
          owner[m][i] = part;
        }
      }
    }
  }
  int runs = 0;
  std::size_t shared_bytes = 0;

 private:
  int size_;
  std::vector<std::span<std::byte>> memory_;
};

using Built = std::unique_ptr<ulpfft_plan>;

Built build(const Case& problem, const std::string& recipe, const CodeletTable& table, int threads, std::shared_ptr<Team> team, TableCache& cache) {
  const Problem value = parse_problem(text_of(problem));
  const Recipe parsed = parse_recipe(recipe);
  return ulpfft::make_plan(value, parsed, table, build_plan(value, parsed, {table, threads}, cache), std::move(team));
}

struct Work {
  Case problem;
  std::string recipe;
};

// Every node kind as the outermost one, inside another, in a batch, and with each placement, layout and storage.
std::vector<Work> works() {
  std::vector<Work> list;
  const auto add = [&](std::int64_t n, std::int64_t batch, const std::string& node) {
    for (int variant = 0; variant < 4; ++variant) {
      Case problem = line_case(n, batch, variant % 2 != 0);
      problem.in_place = variant == 1;
      problem.split = variant == 2;
      problem.centered = variant >= 2;
      problem.backward = variant == 3;
      problem.converts = variant == 3;
      list.push_back({problem, (computes_f64(problem) ? "f64:" : "f32:") + node});
    }
  };
  add(16, 37, "n16");
  add(64, 21, "dit(8 8)");
  add(480, 5, "dit(16 / 5 / 3 2)");
  add(24 * 10, 1, "four(24x10 p7; dit(4 3 2); n10)");
  add(1024, 1, "four(32x32 p16; n32; dit(8 4))");
  add(1024, 3, "four(16x64 p16; n16; dit(8 8))");
  add(17 * 12, 1, "four(12x17 p5; n12; rader(17; n16))");
  add(17 * 12, 2, "four(17x12 p5; rader(17; n16); n12)");
  add(37 * 19, 1, "four(37x19 p8; rader(37; dit(12 3)); bluestein(19; 40; dit(8 5)))");
  add(4 * 9 * 16, 1, "four(4x144 p16; n4; four(9x16 p4; n9; n16))");
  add(16 * 9 * 4, 1, "four(144x4 p16; four(9x16 p4; n9; n16); n4)");
  add(101, 1, "rader(101; dit(20 5))");
  add(263, 3, "rader(263; dit(16 / 11 3))");
  add(1009, 1, "rader(1009; four(28x36 p16; dit(7 4); dit(9 4)))");
  add(51, 4, "bluestein(51; 105; dit(15 7))");
  add(1000, 1, "bluestein(1000; 2048; four(32x64 p16; n32; dit(16 4)))");
  const auto plane = [&](std::int64_t rows, std::int64_t columns, std::int64_t batch, const std::string& node) {
    for (int variant = 0; variant < 4; ++variant) {
      Case problem;
      problem.f64 = variant % 2 != 0;
      problem.dims = {{rows, 1, 1}, {columns, 1, 1}};
      if (batch > 1) problem.batch = {{batch, 1, 1}};
      set_dense(problem);
      problem.in_place = variant == 1;
      problem.split = variant == 2;
      problem.centered = variant >= 2;
      problem.converts = variant == 3;
      list.push_back({problem, (computes_f64(problem) ? "f64:rank(" : "f32:rank(") + node + ")"});
    }
  };
  plane(16, 40, 1, "cols(p8; n16); dit(8 5)");
  plane(24, 20, 3, "cols(p16; dit(8 3)); dit(10 2)");
  plane(17, 34, 1, "rader(17; n16); four(2x17 p2; n2; rader(17; n16))");
  plane(19, 23, 2, "bluestein(19; 40; dit(8 5)); bluestein(23; 48; dit(16 3))");
  plane(40, 7, 1, "four(8x5 p3; n8; n5); n7");
  return list;
}

class Threads : public testing::TestWithParam<std::size_t> {};

template <typename S, typename T>
void check_bits(const Work& work) {
  const Case& problem = work.problem;
  const std::string name = "problem \"" + text_of(problem) + "\", recipe " + work.recipe;
  const auto data = random_signal<S>(static_cast<std::size_t>(all_points(problem)), seed_of(name));
  const auto exact = exact_result(problem, widen(data));
  std::map<bool, std::vector<std::complex<T>>> bits;  // by FMA
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    TableCache cache;
    Built alone;
    try {
      alone = build(problem, work.recipe, target.table, 1, nullptr, cache);
    } catch (const std::exception& error) {
      EXPECT_FALSE(target.table.has_fma) << name << ": " << error.what();
      continue;
    }
    const RunOptions options{Flush::kEnd, 0, true, true};
    const auto single = run_case<S, T>(alone.get(), problem, data, options);
    const std::string where = std::string("target ") + target.table.target + ", " + name;
    ASSERT_EQ(single.trouble, "") << where;
    EXPECT_LE(relative_l2<T>(single.out, exact), result_bound(problem)) << where;
    // Not more than is used either, but for the padding of a last plane or row (at most 48 reals) and the next multiple of 64.
    EXPECT_GE(single.workspace_used + 48 * sizeof(double) + 64, alone->facts->workspace_bytes) << where;
    const auto& first = bits.try_emplace(target.table.has_fma, single.out).first->second;
    EXPECT_FALSE(first_difference<std::complex<T>>(first, single.out).has_value()) << "other bits than another target's: " << where;
    for (int threads = 2; threads <= 16; ++threads) {
      // All of them on the best target; elsewhere a few.
      if (&target != &best_target() && threads != 3 && threads != 8) continue;
      const std::shared_ptr<OrderedTeam> ordered = std::make_shared<OrderedTeam>(threads, threads % 2 == 0 ? in_reverse : odd_first);
      std::shared_ptr<Team> team = ordered;
      if (threads == 4 || threads == 7) team = std::make_shared<ThreadTeam>(threads);
      const Built plan = build(problem, work.recipe, target.table, threads, team, cache);
      // Beside the guard pages, and in memory of the plan's own.
      const auto shared = run_case<S, T>(plan.get(), problem, data, {threads % 3 == 0 ? Flush::kStart : Flush::kEnd, 0, true, threads % 4 != 0});
      ASSERT_EQ(shared.trouble, "") << threads << " threads, " << where;
      const auto difference = first_difference<std::complex<T>>(first, shared.out);
      EXPECT_FALSE(difference.has_value()) << "bits differ at output " << difference.value_or(0) << " with " << threads << " threads, " << where;
      if (plan->facts->threads > 1 && team == ordered) {
        EXPECT_GT(ordered->runs, 0) << where;
      }
    }
  }
}

TEST_P(Threads, ChangeNoBit) {
  const Work work = works()[GetParam()];
  with_storage(work.problem, [&]<typename S, typename T>() { check_bits<S, T>(work); });
}

template <typename S, typename T>
void check_parts(const Work& work) {
  const Case& problem = work.problem;
  const auto data = random_signal<S>(static_cast<std::size_t>(all_points(problem)), 3);
  const CodeletTable& table = best_target().table;
  for (const int threads : {2, 3, 5}) {
    const std::string where = "problem \"" + text_of(problem) + "\", recipe " + work.recipe + ", " + std::to_string(threads) + " threads";
    TableCache cache;
    const auto team = std::make_shared<WatchingTeam>(threads);
    const Built plan = build(problem, work.recipe, table, threads, team, cache);
    if (plan->facts->threads == 1) continue;
    const auto places = footprint_of(problem, !problem.in_place);
    const auto in_places = footprint_of(problem, false);
    const std::size_t parts = problem.split ? 1 : 2;
    std::vector<S> in[2], unused;
    std::vector<T> out[2];
    auto in_array = sized<ulpfft_array>();
    auto out_array = sized<ulpfft_array>();
    for (std::size_t p = 0; p < (problem.split ? 2U : 1U); ++p) {
      in[p].assign(in_places.elements() * parts, S(0));
      for (std::size_t i = 0; i < data.size(); ++i) {
        const auto at = static_cast<std::size_t>(in_places.offsets[i] - in_places.first) * parts;
        if (problem.split) {
          in[p][at] = p == 0 ? data[i].real() : data[i].imag();
        } else {
          in[p][at] = data[i].real();
          in[p][at + 1] = data[i].imag();
        }
      }
      out[p].assign(places.elements() * parts, T(0));
      in_array.data[p] = in[p].data();
      out_array.data[p] = problem.in_place ? static_cast<void*>(in[p].data()) : out[p].data();
      if (problem.in_place) {
        team->watch(std::as_writable_bytes(std::span(in[p])));
      } else {
        team->watch(std::as_writable_bytes(std::span(out[p])));
      }
    }
    std::vector<std::byte> memory(plan->facts->workspace_bytes + 64, std::byte{0});
    const std::size_t skip = (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
    team->watch(std::span(memory).subspan(skip, plan->facts->workspace_bytes));
    ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &in_array, &out_array, memory.data() + skip), ULPFFT_OK) << last_error_text();
    EXPECT_GT(team->runs, 0) << where;
    EXPECT_EQ(team->shared_bytes, 0U) << where;
  }
}

TEST_P(Threads, WriteToMemoryOfTheirOwn) {
  const Work work = works()[GetParam()];
  with_storage(work.problem, [&]<typename S, typename T>() { check_parts<S, T>(work); });
}

INSTANTIATE_TEST_SUITE_P(Plan, Threads, testing::Range(std::size_t{0}, works().size()), testing::PrintToStringParamName());

// The workspace bytes each part of a split step changes, as one range.
TEST(Threads, WorkFarFromEachOther) {
  for (const auto& [problem, recipe] : {std::pair("4096*6 f32", "f32:dit(16 16 16)"), std::pair("1024*6 f64", "f64:dit(8 16 8)")}) {
    class RangeTeam : public Team {
     public:
      int size() const override { return 3; }
      void run(int count, Work work, void* data) noexcept override {
        for (int part = 0; part < count; ++part) {
          std::fill(memory.begin(), memory.end(), std::byte{0xa5});
          work(data, part);
          const auto changed = [](std::byte b) { return b != std::byte{0xa5}; };
          const auto first = std::find_if(memory.begin(), memory.end(), changed) - memory.begin();
          ranges.emplace_back(first, memory.rend() - std::find_if(memory.rbegin(), memory.rend(), changed));
        }
      }
      std::vector<std::byte> memory;
      std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> ranges;
    };
    const auto team = std::make_shared<RangeTeam>();
    TableCache cache;
    const Problem value = parse_problem(problem);
    const Recipe parsed = parse_recipe(recipe);
    const CodeletTable& table = best_target().table;
    const Built plan = ulpfft::make_plan(value, parsed, table, build_plan(value, parsed, {table, 3}, cache), team);
    const AlignedBuffer in(static_cast<std::size_t>(array_extent(value, false).high));
    const AlignedBuffer out(static_cast<std::size_t>(array_extent(value, true).high));
    team->memory.resize(plan->facts->workspace_bytes + 64);
    const std::size_t skip = (64 - reinterpret_cast<std::uintptr_t>(team->memory.data()) % 64) % 64;
    ASSERT_EQ(plan->run(*plan, in.data(), in.data(), out.data(), out.data(), team->memory.data() + skip), ULPFFT_OK) << last_error_text();
    ASSERT_EQ(team->ranges.size(), 3U) << problem;
    for (std::size_t part = 1; part < 3; ++part) {
      EXPECT_GE(team->ranges[part].first - team->ranges[part - 1].second, static_cast<std::ptrdiff_t>(kThreadsApart)) << problem << ", part " << part;
    }
  }
}

// Passes are plain functions: what they share is static.
std::atomic<bool> held_begun{false};
std::atomic<std::int64_t> others_done{0};
std::atomic<std::int64_t> held{0};

// Of 64 iterations in two parts: the first piece of the second part lasts until all others are done, or for kHangSeconds.
void held_up(const PassArgs&, const Buffers&, std::int64_t first, std::int64_t count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kHangSeconds);
  const auto wait_for = [&](const auto& condition) {
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  };
  if (first == 32) {
    held = count;
    held_begun = true;
    wait_for([&] { return others_done + count == 64; });
    held = others_done + count == 64 ? count : -1;
  } else {
    wait_for([] { return held_begun.load(); });
    others_done += count;
  }
}

TEST(Threads, TakeOverWhatOneThatIsHeldUpHasNotBegun) {
  Step step;
  step.run = &held_up;
  step.count = 64;
  step.parallel = step.split = true;
  ThreadTeam team(2);
  run_steps_shared(&step, &step + 1, Buffers{}, team, 2);
  EXPECT_GT(held, 0) << "the rest waited for it";
  EXPECT_LT(held, 32) << "it began with all of its part";
  EXPECT_EQ(others_done + held, 64) << "each once";
}

// Most nodes have something to share; a table of what has, so that a plan that stops sharing is noticed.
TEST(Threads, ShareWhatIsWorthSharing) {
  const CodeletTable& table = best_target().table;
  const auto threads_of = [&](const std::string& problem, const std::string& recipe) {
    TableCache cache;
    const Problem value = parse_problem(problem);
    return make_program(value, parse_recipe(recipe), {table, 4}, cache).threads;
  };
  EXPECT_EQ(threads_of("64 f32", "f32:dit(8 8)"), 1);
  EXPECT_EQ(threads_of("64*100 f32", "f32:dit(8 8)"), 4);
  EXPECT_EQ(threads_of("16*100 f32", "f32:n16"), 4);
  EXPECT_EQ(threads_of("16*10x10 f32", "f32:n16"), 4);
  EXPECT_EQ(threads_of("1024 f32", "f32:four(32x32 p8; n32; n32)"), 4);
  EXPECT_EQ(threads_of("64x64 f32", "f32:rank(cols(p16; dit(8 8)); dit(8 8))"), 4);
  EXPECT_EQ(threads_of("1009*8 f32", "f32:rader(1009; four(28x36 p16; dit(7 4); dit(9 4)))"), 4);
  EXPECT_EQ(threads_of("1009 f32", "f32:rader(1009; four(28x36 p16; dit(7 4); dit(9 4)))"), 4);
}

}  // namespace
}  // namespace ulpfft::test
