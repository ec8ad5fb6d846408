// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans reach a processor through its row in the list of backends. This program links a list of its own with a second row: a backend that
// computes as the processor does, on memory whose bytes mean nothing to a reader who goes around the interface.
#include "planner/backend/backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "planner/backend/cpu/cpu.h"
#include "planner/facts/workspace_limit.h"
#include "planner/judge/assess.h"
#include "planner/judge/stored_array.h"
#include "planner/lower/build_plan.h"
#include "planner/plan/plan.h"
#include "planner/search/measure.h"
#include "planner/search/search.h"
#include "planner/system/buffer.h"
#include "tests/planner/built_plan.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

// ---- the remote backend

struct Calls {
  int expand = 0, stage = 0, link = 0, run = 0, executions = 0, allocations = 0, from_host = 0, to_host = 0, seconds = 0;
};
Calls& calls() {
  static Calls made;
  return made;
}

// Of its memory, by address; every byte there is stored with some bits changed.
std::map<char*, std::size_t>& pieces() {
  static std::map<char*, std::size_t> known;
  return known;
}

void change_bits(char* data, std::size_t bytes) {
  std::transform(data, data + bytes, data, [](char byte) { return static_cast<char>(byte ^ 0x5a); });
}
void change_all_bits() {
  for (const auto& [data, bytes] : pieces()) change_bits(data, bytes);
}

// Arrays of a call lie in this memory.
void require_remote(const void* address) {
  const auto next = pieces().upper_bound(static_cast<char*>(const_cast<void*>(address)));
  if (next == pieces().begin()) throw std::logic_error("an array lies elsewhere");
  const auto& [data, bytes] = *std::prev(next);
  if (static_cast<const char*>(address) >= data + bytes) throw std::logic_error("an array lies elsewhere");
}

class RemoteExecutable final : public Executable, public ContextOf<RemoteExecutable> {
 public:
  RemoteExecutable(const Backend& of, std::unique_ptr<Executable> made) : Executable(of), inner(std::move(made)) {}
  const PlanFacts& facts() const override { return inner->facts(); }

  std::unique_ptr<Executable> inner;
  Entries entries;  // of the inner one
};

Program expand_remote(const Lowering& given) {
  ++calls().expand;
  return cpu_backend().expand(given);
}

void remote_stage(const Lowering& given, Program& program) {
  ++calls().stage;
  for (const Stage& stage : cpu_backend().stages) stage.apply(given, program);
}

constexpr Stage kRemoteStages[] = {{"remote", &remote_stage}};
constexpr std::string_view kRemoteTables[] = {"remote"};
constexpr double kRemoteSeconds = 3;

extern const Backend kRemote;

std::unique_ptr<Executable> link_remote(const Program& program, const CodeletTable& codelets, TableCache& cache,
                                        const NodeTransform& transform) {
  ++calls().link;
  return std::make_unique<RemoteExecutable>(kRemote, cpu_backend().link(program, codelets, cache, transform));
}

// A throw ends the test that made the call.
int execute_remote(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace) {
  ++calls().executions;
  for (const void* address : {in_re, in_im, out_re, out_im}) require_remote(address);
  const DirectCall& inner = context_of<RemoteExecutable>(call).entries.call;
  change_all_bits();
  const int status = inner.run(inner, in_re, in_im, out_re, out_im, workspace);
  change_all_bits();
  return status;
}

int execute_arrays(const Executable& executable, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts,
                   const ChainOperation* chain) {
  ++calls().executions;
  for (const void* address : {in.data[0], in.data[1], out.data[0], out.data[1]}) require_remote(address);
  if (chain != nullptr && chain->factors != nullptr) require_remote(chain->factors);
  const auto& remote = static_cast<const RemoteExecutable&>(executable);
  change_all_bits();
  const int status = remote.entries.arrays(*remote.inner, in, out, workspace, counts, chain);
  change_all_bits();
  return status;
}

Entries run_remote(Executable& executable, const PlanNeeds& needs) {
  ++calls().run;
  auto& remote = static_cast<RemoteExecutable&>(executable);
  remote.entries = cpu_backend().run(*remote.inner, needs);
  return {{.run = &execute_remote, .context = &remote}, &execute_arrays, false};
}

void* allocate_remote(std::size_t bytes, Poll* poll) {
  ++calls().allocations;
  char* const data = static_cast<char*>(allocate_zeroed(bytes, poll));
  change_bits(data, bytes);
  if (data != nullptr) pieces()[data] = bytes;
  return data;
}

void release_remote(void* memory) noexcept {
  pieces().erase(static_cast<char*>(memory));
  free_aligned(memory);
}

void copy_from_host(void* to, const void* host, std::size_t bytes) {
  ++calls().from_host;
  std::memcpy(to, host, bytes);
  change_bits(static_cast<char*>(to), bytes);
}

void copy_to_host(void* host, const void* from, std::size_t bytes) {
  ++calls().to_host;
  std::memcpy(host, from, bytes);
  change_bits(static_cast<char*>(host), bytes);
}

double remote_seconds(const Clock&, const std::function<void()>& batch) {
  ++calls().seconds;
  batch();
  return kRemoteSeconds;
}

constexpr Backend kRemote{
    .tables = kRemoteTables,
    .expand = &expand_remote,
    .stages = kRemoteStages,
    .link = &link_remote,
    .run = &run_remote,
    .memory = {.allocate = &allocate_remote, .release = &release_remote, .from_host = &copy_from_host, .to_host = &copy_to_host},
    .seconds = &remote_seconds,
};

const CodeletTable& ref_table() { return registered_targets().back().table; }

const CodeletTable& remote_table() {
  static const CodeletTable table = [] {
    CodeletTable copy = ref_table();
    copy.backend = "remote";
    return copy;
  }();
  return table;
}

}  // namespace

// In place of backends.cc.
std::span<const Backend* const> backends() {
  static const Backend* const kBackends[] = {&cpu_backend(), &kRemote};
  return kBackends;
}

namespace {

using test::plan_of;

// ---- tests

Recipe estimated(const Problem& problem) { return estimated_recipe(problem, ref_table(), SearchOptions()).recipe; }

TEST(Backends, ServeEveryTableOfTheBuild) {
  for (const RegisteredTarget& target : registered_targets()) EXPECT_EQ(&backend_of(target.table), &cpu_backend()) << target.table.target;
  EXPECT_EQ(&backend_of(remote_table()), &kRemote);
  CodeletTable unknown = ref_table();
  unknown.backend = "unknown";
  EXPECT_THROW(backend_of(unknown), std::logic_error);
}

TEST(Backends, ServeNoTableTwice) {
  std::vector<std::string_view> names;
  for (const Backend* backend : backends()) names.insert(names.end(), backend->tables.begin(), backend->tables.end());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

class OnTheRemoteBackend : public testing::TestWithParam<const char*> {
 protected:
  const Problem problem_ = parse_problem(GetParam());
  const Recipe recipe_ = estimated(problem_);
};

TEST_P(OnTheRemoteBackend, APlanIsMadeByEveryPartOfTheInterface) {
  calls() = {};
  const auto plan = plan_of(problem_, recipe_, remote_table());
  EXPECT_GE(calls().expand, 1);
  EXPECT_EQ(calls().stage, calls().expand);
  EXPECT_GE(calls().link, 1);
  EXPECT_EQ(calls().run, calls().link);
  EXPECT_EQ(&plan->executable->backend, &kRemote);
}

TEST_P(OnTheRemoteBackend, AnExecutionHasTheBitsOfTheProcessor) {
  calls() = {};
  const auto remote = plan_of(problem_, recipe_, remote_table()), plan = plan_of(problem_, recipe_, ref_table());
  EXPECT_EQ(hash_of_fixed_input(*remote), hash_of_fixed_input(*plan));
  EXPECT_GE(calls().executions, 1);
  EXPECT_GE(calls().from_host, 1);
  EXPECT_GE(calls().to_host, 1);
}

TEST_P(OnTheRemoteBackend, ErrorsAreThoseOfTheProcessor) {
  const auto remote = plan_of(problem_, recipe_, remote_table()), plan = plan_of(problem_, recipe_, ref_table());
  EXPECT_EQ(measure_error(*remote, ErrorLevel::kSampled, &remote_table()).relative_l2,
            measure_error(*plan, ErrorLevel::kSampled, &ref_table()).relative_l2);
  const OwnArray data(problem_, false, cpu_backend().memory);
  visit_transform(problem_, false, 0, [&](std::int64_t index, std::int64_t offset) {
    if (!data.view().rows()) data.view().set(offset, {1.0 + static_cast<double>(index % 7), 0.5});
  });
  if (!problem_.chain.empty()) return;
  // References of f32 are direct sums where the build has no table of that name, and f64 transforms on the processor.
  const double error = assess(*plan, data.view().address(), ErrorLevel::kSampled).relative_l2;
  EXPECT_NEAR(assess(*remote, data.view().address(), ErrorLevel::kSampled).relative_l2, error, 1e-6 * error);
}

TEST_P(OnTheRemoteBackend, TheBackendTimesOnItsOwnMemory) {
  const auto plan = plan_of(problem_, recipe_, remote_table());
  calls() = {};
  const std::vector<Timing> timings = time_plans(problem_, {plan.get()}, steady_clock(), 1e9, [](std::size_t) { return true; });
  EXPECT_EQ(timings[0].seconds, kRemoteSeconds);
  EXPECT_GE(calls().seconds, 1);
  EXPECT_GE(calls().executions, calls().seconds);
  EXPECT_GE(calls().allocations, 1);
  EXPECT_GE(calls().from_host, 1);
}

// Storage, layouts, scales, chains; a length whose filter is transformed while the plan is made.
INSTANTIATE_TEST_SUITE_P(Problems, OnTheRemoteBackend,
                         testing::Values("16 f32", "1000 f32", "64 f64 inplace", "60*3 f16", "4*64 mxfp8_e4m3", "48 f32 split", "89 f32",
                                         "64 f32 chain=mul", "16x12 f32", "r2c 60*3 f64", "c2r 60*3 i16", "r2c 12x64*2 f16 chain=mul",
                                         "r2r 15x16 f64 kinds=dct2,dst4"));

TEST(Searches, ReachTheBackend) {
  calls() = {};
  SearchOptions options;
  options.time_limit_seconds = 0.1;
  const auto plan = search_plan(parse_problem("240 f32"), remote_table(), options);
  EXPECT_EQ(plan->seconds, kRemoteSeconds);
  EXPECT_EQ(plan->backend, "remote");
  EXPECT_GE(calls().expand, 2);
  EXPECT_EQ(calls().stage, calls().expand);
}

// ---- what a program is made for

TEST(Machine, MoreScratchPadsRowsAndKeepsTheBits) {
  int padded = 0;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const char* const text : {"360 f32", "1000 f32", "1080 f32", "360 f64", "1000 f64"}) {
      const Problem problem = parse_problem(text);
      const Recipe recipe = estimated_recipe(problem, target.table, SearchOptions()).recipe;
      Machine roomy(target.table), tight(target.table);
      tight.most_scratch = 1;
      TableCache cache;
      const Program narrow = make_program(problem, recipe, tight, cache), wide = make_program(problem, recipe, roomy, cache);
      EXPECT_TRUE(within_workspace_limit(problem, recipe, narrow, 1)) << target.table.target << " " << text;
      EXPECT_TRUE(within_workspace_limit(problem, recipe, wide, roomy.most_scratch)) << target.table.target << " " << text;
      if (wide.workspace_bytes == narrow.workspace_bytes) continue;
      ++padded;
      EXPECT_GT(wide.workspace_bytes, narrow.workspace_bytes);
      EXPECT_EQ(hash_of_fixed_input(*make_plan(problem, recipe, target.table, build_plan(problem, recipe, roomy, cache))),
                hash_of_fixed_input(*make_plan(problem, recipe, target.table, build_plan(problem, recipe, tight, cache))))
          << target.table.target << " " << text;
    }
  }
  const RegisteredTarget& best = registered_targets().front();
  EXPECT_EQ(padded > 0, best.available && best.table.lanes_f32 >= 8);
}

}  // namespace
}  // namespace ulpfft
