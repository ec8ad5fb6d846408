// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Memory runs out at every allocation of 50 scripts over the C interface: each call says "no memory" or does its work, nothing is
// leaked, and a context that saw it goes on working.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/failing_malloc.h"
#include "tests/support/api.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// Made before memory runs out, by the whole program.
struct Fixtures {
  std::string folder, wisdom_path, new_path, array_path, wisdom, foreign, broken;
  std::vector<double> in = std::vector<double>(1 << 18, 1.0);
  std::vector<double> out = std::vector<double>(1 << 18);

  Fixtures() {
    char name[] = "/tmp/ulpfft_allocation_XXXXXX";
    folder = mkdtemp(name);
    wisdom_path = folder + "/wisdom.json";
    new_path = folder + "/new.json";
    array_path = folder + "/array.json";
    const ContextPtr context = make_context();
    for (const char* problem : {"64 f32", "100 f64", "1024 f32", "8x9 f64"}) (void)make_plan(context.get(), problem, ULPFFT_MEASURE);
    wisdom = take(ulpfft_wisdom_export_string(context.get()));
    EXPECT_EQ(ulpfft_wisdom_export_file(context.get(), wisdom_path.c_str()), ULPFFT_OK) << last_error_text();
    const std::string machine = ulpfft_machine(context.get());
    foreign = replaced(wisdom, machine, "x86.0.0.other");
    broken = wisdom.substr(0, wisdom.size() / 2);
  }
  ~Fixtures() { std::filesystem::remove_all(folder); }

  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
    return text;
  }
};
Fixtures* fixtures = nullptr;

ulpfft_status last_status() {
  auto error = sized<ulpfft_error>();
  ulpfft_last_error_get(&error);
  return error.status;
}

ulpfft_status status_of(char* text) {
  if (text == nullptr) return last_status();
  ulpfft_string_free(text);
  return ULPFFT_OK;
}

// What a script does in a context; no allocation of its own.
struct Script {
  const char* name;
  ulpfft_status (*run)(ulpfft_context* context, const char* name);
  ulpfft_status expected = ULPFFT_OK;
};

[[maybe_unused]] void PrintTo(const Script& script, std::ostream* out) { *out << script.name; }

ulpfft_status plan_with(ulpfft_context* context, const char* problem, int effort) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = effort;
  options.time_limit_seconds = 1e-4;
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(context, problem, &options, &plan);
  if ((plan != nullptr) != (status == ULPFFT_OK)) std::abort();
  ulpfft_plan_destroy(plan);
  return status;
}

// The script's name is a problem.
ulpfft_status estimate(ulpfft_context* context, const char* problem) { return plan_with(context, problem, ULPFFT_ESTIMATE); }
ulpfft_status measure(ulpfft_context* context, const char* problem) { return plan_with(context, problem, ULPFFT_MEASURE); }

// A build without CUDA refuses the backend: that is its success.
ulpfft_status estimate_for_cuda(ulpfft_context* context, const char* problem) {
  const ulpfft_status status = estimate(context, problem);
  return status == ULPFFT_UNAVAILABLE && !has_cuda() ? ULPFFT_OK : status;
}

// The script's name is a problem and, after " by ", a recipe.
ulpfft_status by_recipe(ulpfft_context* context, const char* name) {
  char problem[128] = "";
  const char* by = std::strstr(name, " by ");
  std::memcpy(problem, name, static_cast<std::size_t>(by - name));
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_from_recipe(context, problem, by + 4, &plan);
  ulpfft_plan_destroy(plan);
  return status;
}

// Plans the problem that is the script's name (after a colon), then uses it.
template <ulpfft_status (*use)(const ulpfft_plan*)>
ulpfft_status with_plan(ulpfft_context* context, const char* name) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* plan = nullptr;
  ulpfft_status status = ulpfft_plan_parse_options(context, std::strchr(name, ':') + 2, &options, &plan);
  if (status == ULPFFT_OK) status = use(plan);
  ulpfft_plan_destroy(plan);
  return status;
}

ulpfft_status execute(const ulpfft_plan* plan) { return ulpfft_execute(plan, fixtures->in.data(), fixtures->out.data()); }
ulpfft_status execute_split(const ulpfft_plan* plan) {
  auto in = sized<ulpfft_array>();
  auto out = sized<ulpfft_array>();
  for (int part = 0; part < 2; ++part) {
    in.data[part] = fixtures->in.data() + (part << 17);
    out.data[part] = fixtures->out.data() + (part << 17);
  }
  return ulpfft_execute_arrays(plan, &in, &out, nullptr);
}
ulpfft_status describe(const ulpfft_plan* plan) { return status_of(ulpfft_plan_describe(plan)); }
ulpfft_status explain(const ulpfft_plan* plan) { return status_of(ulpfft_plan_explain(plan)); }
ulpfft_status problem_text(const ulpfft_plan* plan) { return status_of(ulpfft_plan_problem(plan)); }
ulpfft_status recipe_text(const ulpfft_plan* plan) { return status_of(ulpfft_plan_recipe(plan)); }
ulpfft_status hash(const ulpfft_plan* plan) {
  std::uint64_t value = 0;
  return ulpfft_plan_hash(plan, &value);
}
ulpfft_status measured_error(const ulpfft_plan* plan) {
  auto report = sized<ulpfft_error_report>();
  return ulpfft_plan_measure_error(plan, ULPFFT_ERROR_SAMPLED, &report);
}
ulpfft_status assessed_error(const ulpfft_plan* plan) {
  auto in = sized<ulpfft_array>();
  in.data[0] = fixtures->in.data();
  auto report = sized<ulpfft_error_report>();
  return ulpfft_plan_assess(plan, &in, ULPFFT_ERROR_FULL, &report);
}
ulpfft_status candidates(const ulpfft_plan* plan) {
  auto candidate = sized<ulpfft_candidate>();
  for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan); ++i) {
    if (const ulpfft_status status = ulpfft_plan_candidate_get(plan, i, &candidate); status != ULPFFT_OK) return status;
  }
  return ULPFFT_OK;
}

ulpfft_status struct_form(ulpfft_context* context, const char*) {
  const std::int64_t lengths[] = {30, 16};
  const std::int64_t batch[] = {3};
  auto problem = sized<ulpfft_problem>();
  problem.rank = 2;
  problem.lengths = lengths;
  problem.batch_rank = 1;
  problem.batch_lengths = batch;
  problem.storage_in = "f64";
  problem.centered = 1;
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_create(context, &problem, &options, &plan);
  ulpfft_plan_destroy(plan);
  return status;
}

int stop_at_once(void*, double, const char*) { return 1; }

ulpfft_status cancelled(ulpfft_context* context, const char*) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_MEASURE;
  options.progress = &stop_at_once;
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(context, "1000 f32", &options, &plan);
  ulpfft_plan_destroy(plan);
  return status;
}

ulpfft_status context_with(const ulpfft_context_options& options) {
  ulpfft_context* made = nullptr;
  const ulpfft_status status = ulpfft_context_create(&options, &made);
  ulpfft_context_destroy(made);
  return status;
}
ulpfft_status context_of_ref(ulpfft_context*, const char*) {
  auto options = sized<ulpfft_context_options>();
  options.target = "ref";
  options.threads = 5;
  return context_with(options);
}
ulpfft_status context_with_loop(ulpfft_context*, const char*) {
  auto options = sized<ulpfft_context_options>();
  options.parallel_for = [](void*, int count, void (*work)(void*, int), void* data) {
    for (int i = 0; i < count; ++i) work(data, i);
  };
  return context_with(options);
}
ulpfft_status context_of_unknown_target(ulpfft_context*, const char*) {
  auto options = sized<ulpfft_context_options>();
  options.target = "no such instruction set, and a name too long for the small string";
  return context_with(options);
}

// All or nothing, whatever happens.
ulpfft_status import_text(ulpfft_context* context, const std::string& text) {
  auto report = sized<ulpfft_import_report>();
  const ulpfft_status status = ulpfft_wisdom_import_string(context, text.data(), text.size(), &report);
  if (status != ULPFFT_OK && ulpfft_wisdom_count(context) != 0) std::abort();
  ulpfft_string_free(report.details);
  return status;
}
ulpfft_status import_wisdom(ulpfft_context* context, const char*) { return import_text(context, fixtures->wisdom); }
ulpfft_status import_foreign(ulpfft_context* context, const char*) { return import_text(context, fixtures->foreign); }
ulpfft_status import_broken(ulpfft_context* context, const char*) { return import_text(context, fixtures->broken); }
ulpfft_status import_file(ulpfft_context* context, const char*) {
  return ulpfft_wisdom_import_file(context, fixtures->wisdom_path.c_str(), nullptr);
}
ulpfft_status import_no_file(ulpfft_context* context, const char*) {
  return ulpfft_wisdom_import_file(context, "/no such folder/wisdom.json", nullptr);
}
ulpfft_status import_twice(ulpfft_context* context, const char*) {
  const ulpfft_status status = import_wisdom(context, nullptr);
  return status != ULPFFT_OK ? status : ulpfft_wisdom_import_string(context, fixtures->foreign.data(), fixtures->foreign.size(), nullptr);
}
ulpfft_status export_text(ulpfft_context* context, const char*) {
  const ulpfft_status status = import_wisdom(context, nullptr);
  return status != ULPFFT_OK ? status : status_of(ulpfft_wisdom_export_string(context));
}
ulpfft_status export_file(ulpfft_context* context, const char*) {
  const ulpfft_status status = import_wisdom(context, nullptr);
  return status != ULPFFT_OK ? status : ulpfft_wisdom_export_file(context, fixtures->new_path.c_str());
}
ulpfft_status merge_file(ulpfft_context* context, const char*) {
  const ulpfft_status status = estimate(context, "12 f64");
  return status != ULPFFT_OK ? status : ulpfft_wisdom_export_file(context, fixtures->wisdom_path.c_str());
}
ulpfft_status export_nowhere(ulpfft_context* context, const char*) {
  return ulpfft_wisdom_export_file(context, "/no such folder/wisdom.json");
}
ulpfft_status get_and_forget(ulpfft_context* context, const char*) {
  ulpfft_status status = import_wisdom(context, nullptr);
  auto entry = sized<ulpfft_wisdom_entry>();
  for (std::size_t i = ulpfft_wisdom_count(context); status == ULPFFT_OK && i-- > 0;) status = ulpfft_wisdom_get(context, i, &entry);
  if (status == ULPFFT_OK) status = ulpfft_wisdom_get(context, 1000, &entry) == ULPFFT_INVALID_ARGUMENT ? ULPFFT_OK : last_status();
  return status == ULPFFT_OK ? ulpfft_wisdom_forget(context) : status;
}
ulpfft_status plan_from_wisdom(ulpfft_context* context, const char*) {
  const ulpfft_status status = import_wisdom(context, nullptr);
  return status != ULPFFT_OK ? status : measure(context, "1024 f32");
}
ulpfft_status array_file(ulpfft_context*, const char*) {
  static constexpr std::int64_t kShape[] = {3, 5}, kExponentShape[] = {3, 1};
  static constexpr std::int32_t kExponents[3] = {};
  static constexpr unsigned char kCodes[32] = {};
  auto array = sized<ulpfft_stored_array>();
  array.storage = "mxint8";
  array.is_complex = 1;
  array.rank = 2;
  array.shape = kShape;
  array.axis = 1;
  array.codes = array.scales = kCodes;
  array.exponents = kExponents;
  array.exponent_shape = kExponentShape;
  ulpfft_array_file* file = nullptr;
  unsigned char codes[30];
  ulpfft_status status = ulpfft_array_file_write(fixtures->array_path.c_str(), &array);
  if (status == ULPFFT_OK) status = ulpfft_array_file_open(fixtures->array_path.c_str(), &file);
  if (status == ULPFFT_OK) status = ulpfft_array_file_get(file, &array);
  if (status == ULPFFT_OK) status = ulpfft_array_file_read(file, ULPFFT_CODES, 0, array.code_bytes, codes);
  ulpfft_array_file_close(file);
  return status;
}
ulpfft_status pareto(ulpfft_context* context, const char*) {
  static const char* const kStorages[] = {"f16"};
  auto options = sized<ulpfft_pareto_options>();
  options.time_limit_seconds = 0.004;
  options.storages = kStorages;
  options.storage_count = 1;
  ulpfft_pareto* measured = nullptr;
  ulpfft_status status = ulpfft_pareto_measure(context, "16 f32", &options, &measured);
  auto row = sized<ulpfft_pareto_row>();
  if (status == ULPFFT_OK) status = ulpfft_pareto_row_get(measured, 0, &row);
  ulpfft_pareto_destroy(measured);
  return status;
}
ulpfft_status two_plans(ulpfft_context* context, const char*) {
  ulpfft_plan* first = nullptr;
  ulpfft_plan* second = nullptr;
  ulpfft_status status = ulpfft_plan_from_recipe(context, "64 f32", "f32:n64", &first);
  if (status == ULPFFT_OK) status = ulpfft_plan_from_recipe(context, "64 f64", "f64:n64", &second);
  if (status == ULPFFT_OK) status = execute(second);
  ulpfft_plan_destroy(first);
  ulpfft_plan_destroy(second);
  return status;
}

const Script kScripts[] = {
    {"1 f32", estimate},
    {"8 f32", estimate},
    {"1000 f64", estimate},
    {"4096 f32 inverse scale=ortho", estimate},
    {"64*33 f32 split inplace", estimate},
    {"30x40*3 f64 centered scale=1/n", estimate},
    {"12x10x8 f32", estimate},
    {"100*7 f64 in_strides=7 out_strides=7 batch_strides=1,1", estimate},
    {"101 f32", estimate},
    {"1009 f64", estimate},
    {"65536 f32", estimate},
    {"256 f32->f64", estimate},
    {"480 f64 backend=ref", estimate},
    {"96*16 f64 threads=3", estimate},
    {"r2c 1000 f32", estimate},
    {"c2r 30x40*3 i16->f64 centered", estimate},
    {"r2c 60x64 mxfp8_e4m3->f16 chain=mul", estimate},
    {"r2r 16x15 f64 kinds=dct2,dct1", estimate},
    {"0 f32", estimate, ULPFFT_INVALID_TEXT},
    {"8 f32 nonsense", estimate, ULPFFT_INVALID_TEXT},
    {"8 f31", estimate, ULPFFT_UNKNOWN_NAME},
    {"8 f32 backend=cuda", estimate_for_cuda},
    {"60 f32", measure},
    {"1024 f64", measure},
    {"16x15 f32", measure},
    {"r2c 60 f16", measure},
    {"64 f32 by f32:n64", by_recipe},
    {"1024 f32 by f32:dit(16 8:ds / 8:ch)", by_recipe},
    {"64*48 f64 threads=3 by f64:n64", by_recipe},
    {"1024 f32 by f32:dit(16 8)", by_recipe, ULPFFT_INVALID_ARGUMENT},
    {"1024 f32 by f32:dit(16 8", by_recipe, ULPFFT_INVALID_TEXT},
    {"execute: 1000 f64", with_plan<execute>},
    {"execute: 65536 f64", with_plan<execute>},
    {"execute: r2c 1000 f64", with_plan<execute>},
    {"execute: r2r 1000 f64 kinds=dct2", with_plan<execute>},
    {"execute split arrays: 500*3 f64 split", with_plan<execute_split>},
    {"describe: 1000 f32", with_plan<describe>},
    {"describe: 20x30 f64 inverse", with_plan<describe>},
    {"explain: 60x64 f16", with_plan<explain>},
    {"explain: r2c 60x64 f16", with_plan<explain>},
    {"problem: 20x30*2 f64 inverse", with_plan<problem_text>},
    {"recipe: 4096 f64", with_plan<recipe_text>},
    {"hash: 1000 f32", with_plan<hash>},
    {"hash in place: 24x10 f64 inplace split", with_plan<hash>},
    {"candidates: 720 f32", with_plan<candidates>},
    {"measured error: 60 f32", with_plan<measured_error>},
    {"measured error: c2r 60 f16", with_plan<measured_error>},
    {"assessed error: 60 f64", with_plan<assessed_error>},
    {"a problem as a struct", struct_form},
    {"planning cancelled", cancelled, ULPFFT_CANCELLED},
    {"context for ref", context_of_ref},
    {"context with a loop of the caller", context_with_loop},
    {"context for an unknown target", context_of_unknown_target, ULPFFT_UNKNOWN_NAME},
    {"import", import_wisdom},
    {"import of another machine's wisdom", import_foreign},
    {"import of half a text", import_broken, ULPFFT_INVALID_TEXT},
    {"import of a file", import_file},
    {"import of a file that is not there", import_no_file, ULPFFT_IO},
    {"import of two texts", import_twice},
    {"export", export_text},
    {"export to a new file", export_file},
    {"export merged into a file", merge_file},
    {"export to a folder that is not there", export_nowhere, ULPFFT_IO},
    {"entries one by one", get_and_forget},
    {"plan from wisdom", plan_from_wisdom},
    {"two plans", two_plans},
    {"pareto", pareto},
    {"an array in files", array_file},
};

struct Outcome {
  ulpfft_status status = ULPFFT_OK;
  ulpfft_status last = ULPFFT_OK;
  ulpfft_status afterwards = ULPFFT_OK;
  std::int64_t count = 0;
  std::int64_t live = 0;
};

Outcome run(const Script& script, std::int64_t refuse, bool lasting) {
  Allocations allocations(refuse, lasting);
  Outcome outcome;
  ulpfft_context* context = nullptr;
  outcome.status = ulpfft_context_create(nullptr, &context);
  if (outcome.status == ULPFFT_OK) outcome.status = script.run(context, script.name);
  outcome.last = last_status();
  outcome.count = allocations.count();
  allocations.refuse_no_more();
  if (context != nullptr && outcome.status == ULPFFT_NO_MEMORY) outcome.afterwards = estimate(context, "8 f32");
  ulpfft_context_destroy(context);
  outcome.live = allocations.live();
  return outcome;
}

TEST(Allocation, OfThisProgramIsThatOfTheLibrary) {
  ulpfft_plan* plan = nullptr;
  ASSERT_EQ(ulpfft_plan_parse(nullptr, "8 f32", &plan), ULPFFT_OK);  // what is made once
  ulpfft_plan_destroy(plan);
  Allocations allocations;
  ASSERT_EQ(ulpfft_plan_from_recipe(nullptr, "65536 f32", "f32:dit(16 16 16 16)", &plan), ULPFFT_OK);
  const std::int64_t held = allocations.live();
  ulpfft_plan_destroy(plan);
  EXPECT_GT(held, 5);
  EXPECT_EQ(allocations.live(), 0);
}

class EveryScript : public testing::TestWithParam<Script> {};

TEST_P(EveryScript, SaysNoMemoryOrWorksWhicheverAllocationFails) {
  const Script& script = GetParam();
  // What the library makes once and keeps is made here.
  Outcome whole;
  for (int repeat = 0; repeat < 2; ++repeat) whole = run(script, Allocations::kNever, false);
  ASSERT_EQ(whole.status, script.expected) << last_error_text();
  ASSERT_EQ(whole.live, 0) << "leaks even with memory";
  ASSERT_GT(whole.count, 0);
  // All of them where that takes a second or so, else the first and a sample of the others.
  const std::int64_t every = full_run() ? whole.count : 600;
  std::int64_t refusals = 0;
  for (const bool lasting : {false, true}) {
    for (std::int64_t number = 0; number < whole.count; number += number < every / 2 ? 1 : std::max<std::int64_t>(1, whole.count / every)) {
      const Outcome outcome = run(script, number, lasting);
      const bool refused = outcome.status == ULPFFT_NO_MEMORY;
      refusals += refused;
      const std::string where = "allocation " + std::to_string(number) + " of " + std::to_string(whole.count) + (lasting ? " and all later" : "");
      ASSERT_TRUE(refused || outcome.status == script.expected) << where << ": " << ulpfft_status_name(outcome.status);
      ASSERT_TRUE(!refused || outcome.last == ULPFFT_NO_MEMORY) << where << ": last error " << ulpfft_status_name(outcome.last);
      ASSERT_EQ(outcome.afterwards, ULPFFT_OK) << where << ": the context is of no use any more";
      ASSERT_EQ(outcome.live, 0) << where << ": leaked";
    }
  }
  EXPECT_GT(refusals, 0);
}

INSTANTIATE_TEST_SUITE_P(Scripts, EveryScript, testing::ValuesIn(kScripts), [](const testing::TestParamInfo<Script>& script) {
  std::string name = std::to_string(script.index) + "_";
  for (const char c : std::string(script.param.name)) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

class Environment : public testing::Environment {
  void SetUp() override { fixtures = new Fixtures; }
  void TearDown() override { delete fixtures; }
};
[[maybe_unused]] const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new Environment);

}  // namespace
}  // namespace ulpfft::test
