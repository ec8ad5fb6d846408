// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Programs built against an earlier ulpfft.h: every size of every struct that was ever published is taken, and every size between two of
// them is refused, because it cuts a member.
//
// A struct lies in memory whose bytes beyond its size are 0xa5. Read as members they would be refused, or written through as pointers; and
// nothing is written there. A new member of a struct adds a row here: the size before it stays. Sizes are those of 64-bit machines.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

// One struct: the sizes it was published with, the last of which is today's, and a call that takes it.
struct Published {
  const char* name;
  std::vector<std::size_t> sizes;
  std::size_t today;
  std::function<void(std::size_t, bool)> call;  // with a size, and whether it is to be accepted
};

constexpr unsigned char kBeyond = 0xa5;

// `fill` sets members of a whole struct, whose first `size` bytes are what `use` gets, and at least the size itself.
template <typename T, typename Fill, typename Use>
void with_size(std::size_t size, bool accepted, const Fill& fill, const Use& use) {
  T whole = sized<T>();
  whole.size = size;
  fill(whole);
  std::vector<unsigned char> memory(sizeof(T) + 64, kBeyond);
  const std::size_t set = std::clamp(size, sizeof size, sizeof whole);
  std::memcpy(memory.data(), &whole, set);
  const std::vector<unsigned char> before = memory;
  EXPECT_EQ(use(*reinterpret_cast<T*>(memory.data())) == ULPFFT_OK, accepted) << "size " << size << ": " << last_error_text();
  for (std::size_t i = accepted ? set : 0; i < memory.size(); ++i) ASSERT_EQ(memory[i], before[i]) << "size " << size << ", byte " << i;
}

template <typename T, typename Use>
Published filled(const char* name, std::vector<std::size_t> sizes, Use use) {
  return {name, std::move(sizes), sizeof(T), [use](std::size_t size, bool accepted) { with_size<T>(size, accepted, [](T&) {}, use); }};
}

template <typename T, typename Fill, typename Use>
Published given(const char* name, std::vector<std::size_t> sizes, Fill fill, Use use) {
  return {name, std::move(sizes), sizeof(T), [fill, use](std::size_t size, bool accepted) { with_size<T>(size, accepted, fill, use); }};
}

ulpfft_plan* narrow_plan() {
  static const PlanPtr plan = make_plan(nullptr, "16 f32->f16");
  return plan.get();
}

ulpfft_status expect_plan(ulpfft_status status, ulpfft_plan* made, const char* problem) {
  const PlanPtr plan(made);
  if (status == ULPFFT_OK) {
    EXPECT_EQ(take(ulpfft_plan_problem(made)), problem);
  }
  return status;
}

ulpfft_status plan_problem(const ulpfft_problem& problem) {
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_create(nullptr, &problem, &options, &plan);
  return expect_plan(status, plan, "16 f64 inverse");
}

ulpfft_status plan_options(const ulpfft_plan_options& options) {
  ulpfft_plan* plan = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(nullptr, "16 f32", &options, &plan);
  return expect_plan(status, plan, "16 f32");
}

ulpfft_status execute_into(const ulpfft_array& out) {
  const std::vector<float> numbers(32, 1e6F);  // all saturate
  ulpfft_array in = ULPFFT_ARRAY_INIT;
  in.data[0] = const_cast<float*>(numbers.data());
  return ulpfft_execute_arrays(narrow_plan(), &in, &out, nullptr);
}

ulpfft_status execute_from(const ulpfft_array& in) {
  std::uint16_t codes[32] = {};
  ulpfft_array out = ULPFFT_ARRAY_INIT;
  out.data[0] = codes;
  return ulpfft_execute_arrays(narrow_plan(), &in, &out, nullptr);
}

ulpfft_status create_context(const ulpfft_context_options& options) {
  ulpfft_context* made = nullptr;
  const ulpfft_status status = ulpfft_context_create(&options, &made);
  ulpfft_context_destroy(made);
  return status;
}

ulpfft_status multiply(const ulpfft_operation& operation) {
  static const PlanPtr plan = make_plan(nullptr, "16 f32 chain=mul");
  float numbers[32] = {}, results[32] = {};
  ulpfft_array in = ULPFFT_ARRAY_INIT, out = ULPFFT_ARRAY_INIT;
  in.data[0] = numbers;
  out.data[0] = results;
  return ulpfft_execute_chain(plan.get(), &in, &out, &operation, nullptr);
}

ulpfft_status encode(const ulpfft_conversion& conversion) {
  const float numbers[4] = {1, 2, 3, 4};
  std::uint16_t codes[4] = {};
  return ulpfft_encode(nullptr, &conversion, numbers, codes, nullptr, nullptr);
}

ulpfft_status get_error(ulpfft_error& error) {
  EXPECT_EQ(ulpfft_plan_1d(0, "f32", ULPFFT_FORWARD, ULPFFT_ESTIMATE), nullptr);
  ulpfft_last_error_get(&error);
  return error.status == ULPFFT_INVALID_ARGUMENT ? ULPFFT_OK : ULPFFT_INTERNAL;
}

ulpfft_status measure_error(ulpfft_error_report& report) { return ulpfft_plan_measure_error(narrow_plan(), ULPFFT_ERROR_SAMPLED, &report); }

ulpfft_status get_entry(ulpfft_wisdom_entry& entry) {
  static const ContextPtr context = make_context();
  static const PlanPtr plan = make_plan(context.get(), "16 f32", ULPFFT_MEASURE, 0.01);
  const ulpfft_status status = ulpfft_wisdom_get(context.get(), 0, &entry);
  if (status == ULPFFT_OK) {
    EXPECT_EQ(std::string(entry.problem), "16 f32");
  }
  return status;
}

ulpfft_status get_import(ulpfft_import_report& report) {
  const ContextPtr context = make_context();
  const std::string text = take(ulpfft_wisdom_export_string(context.get()));
  const ulpfft_status status = ulpfft_wisdom_import_string(context.get(), text.data(), text.size(), &report);
  if (status == ULPFFT_OK) ulpfft_string_free(report.details);
  return status;
}

// A file of an array that the test removes.
struct ArrayInFile {
  ArrayInFile() {
    name = "/tmp/ulpfft_struct_sizes." + std::to_string(::getpid()) + ".npy";
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }\n";
    std::ofstream(name, std::ios::binary) << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(header.size()) << '\0' << header << 'x';
    EXPECT_EQ(ulpfft_array_file_open(name.c_str(), &file), ULPFFT_OK) << last_error_text();
  }
  ~ArrayInFile() {
    ulpfft_array_file_close(file);
    std::remove(name.c_str());
  }
  std::string name;
  ulpfft_array_file* file = nullptr;
};

ulpfft_status get_array(ulpfft_stored_array& array) {
  static const ArrayInFile made;
  return ulpfft_array_file_get(made.file, &array);
}

// Refused for its path, after the struct was read.
ulpfft_status write_array(const ulpfft_stored_array& array) {
  const ulpfft_status status = ulpfft_array_file_write("/dev/null/x.json", &array);
  return status == ULPFFT_IO ? ULPFFT_OK : status;
}

ulpfft_pareto* measured_pareto() {
  static const auto destroy = [](ulpfft_pareto* pareto) { ulpfft_pareto_destroy(pareto); };
  static const std::unique_ptr<ulpfft_pareto, decltype(destroy)> pareto(
      [] {
        ulpfft_pareto_options options = ULPFFT_PARETO_OPTIONS_INIT;
        options.time_limit_seconds = 0.05;
        options.choices = 1;
        ulpfft_pareto* made = nullptr;
        EXPECT_EQ(ulpfft_pareto_measure(nullptr, "16 f32", &options, &made), ULPFFT_OK) << last_error_text();
        return made;
      }(),
      destroy);
  return pareto.get();
}

int cancel(void*, double, const char*) { return 1; }

ulpfft_status measure_pareto(const ulpfft_pareto_options& options) {
  ulpfft_pareto* made = nullptr;
  const ulpfft_status status = ulpfft_pareto_measure(nullptr, "16 f32", &options, &made);
  EXPECT_EQ(made, nullptr);
  return status == ULPFFT_CANCELLED ? ULPFFT_OK : status;
}

std::vector<Published> structs_told() {
  static const std::int64_t kLengths[] = {3, 8};
  return {
      filled<ulpfft_error>("error", {48}, get_error),
      filled<ulpfft_memory>("memory", {56}, [](ulpfft_memory& memory) { return ulpfft_plan_memory(narrow_plan(), &memory); }),
      filled<ulpfft_operation_counts>("operation_counts", {32},
                                      [](ulpfft_operation_counts& counts) { return ulpfft_plan_operation_counts(narrow_plan(), &counts); }),
      filled<ulpfft_side>("side", {368}, [](ulpfft_side& side) { return ulpfft_plan_side(narrow_plan(), ULPFFT_SIDE_OUT, &side); }),
      filled<ulpfft_candidate>("candidate", {296, 344},
                               [](ulpfft_candidate& one) { return ulpfft_plan_candidate_get(narrow_plan(), 0, &one); }),
      filled<ulpfft_error_report>("error_report", {40}, measure_error),
      filled<ulpfft_import_report>("import_report", {48}, get_import),
      filled<ulpfft_wisdom_entry>("wisdom_entry", {640, 664}, get_entry),
      filled<ulpfft_target>("target", {64}, [](ulpfft_target& target) { return ulpfft_target_get(0, &target); }),
      filled<ulpfft_codelet>("codelet", {64}, [](ulpfft_codelet& codelet) { return ulpfft_codelet_get(0, 0, &codelet); }),
      filled<ulpfft_format>("format", {72, 152},
                            [](ulpfft_format& format) { return ulpfft_format_get(ulpfft_format_count() - 1, &format); }),
      filled<ulpfft_stored_array>("stored_array, told", {144}, get_array),
      filled<ulpfft_pareto_facts>("pareto_facts", {80},
                                  [](ulpfft_pareto_facts& facts) { return ulpfft_pareto_get(measured_pareto(), &facts); }),
      filled<ulpfft_pareto_row>("pareto_row", {136},
                                [](ulpfft_pareto_row& row) { return ulpfft_pareto_row_get(measured_pareto(), 0, &row); }),
      filled<ulpfft_pareto_choice>("pareto_choice", {64},
                                   [](ulpfft_pareto_choice& choice) { return ulpfft_pareto_choice_get(measured_pareto(), 0, &choice); }),
      filled<ulpfft_scheme>("scheme", {48}, [](ulpfft_scheme& scheme) { return ulpfft_scheme_get(0, &scheme); }),
      filled<ulpfft_layout>("layout", {48}, [](ulpfft_layout& layout) { return ulpfft_format_layout("f16", 2, kLengths, &layout); }),
  };
}

std::vector<Published> structs_read() {
  static const std::int64_t kLength = 16;
  static float numbers[32] = {};
  static std::uint16_t codes[32] = {};
  return {
      given<ulpfft_context_options>("context_options", {16, 40, 48},
                                    [](ulpfft_context_options& options) { options.target = "ref"; }, create_context),
      given<ulpfft_problem>("problem", {168, 184, 200, 208, 240, 264},
                            [](ulpfft_problem& problem) {
                              problem.rank = 1;
                              problem.lengths = &kLength;
                              problem.storage_in = "f64";
                              problem.direction = ULPFFT_BACKWARD;
                            },
                            plan_problem),
      given<ulpfft_plan_options>("plan_options", {40, 48, 56, 64},
                                 [](ulpfft_plan_options& options) { options.effort = ULPFFT_ESTIMATE; }, plan_options),
      given<ulpfft_array>("array, in", {48, 56, 64}, [](ulpfft_array& array) { array.data[0] = numbers; }, execute_from),
      given<ulpfft_array>("array, out", {48, 56, 64}, [](ulpfft_array& array) { array.data[0] = codes; }, execute_into),
      given<ulpfft_operation>("operation", {32}, [](ulpfft_operation& operation) { operation.factors = numbers; }, multiply),
      given<ulpfft_conversion>("conversion", {88},
                               [](ulpfft_conversion& conversion) {
                                 conversion.storage = "f16";
                                 conversion.rows = 1;
                                 conversion.reals = 4;
                               },
                               encode),
      given<ulpfft_stored_array>("stored_array, given", {144},
                                 [](ulpfft_stored_array& array) {
                                   array.storage = "f16";
                                   array.codes = codes;
                                 },
                                 write_array),
      given<ulpfft_pareto_options>("pareto_options", {64}, [](ulpfft_pareto_options& options) { options.progress = cancel; }, measure_pareto),
      given<ulpfft_prescale>("prescale", {56}, [](ulpfft_prescale& prescale) { prescale.count = 4; },
                             [](const ulpfft_prescale& prescale) {
                               int exponent = 0;
                               return ulpfft_prescale_apply(&prescale, numbers, nullptr, &exponent);
                             }),
  };
}

class StructSizes : public testing::Test {
 protected:
  void SetUp() override {
    if (sizeof(void*) != 8) GTEST_SKIP() << "the table is of 64-bit machines";
  }
  static std::vector<Published> all() {
    std::vector<Published> list = structs_told();
    for (Published& one : structs_read()) list.push_back(std::move(one));
    return list;
  }
};

TEST_F(StructSizes, EveryPublishedOneIsAcceptedAndNothingBeyondItTouched) {
  for (const Published& one : all()) {
    for (const std::size_t size : one.sizes) {
      SCOPED_TRACE(one.name);
      one.call(size, true);
    }
  }
}

TEST_F(StructSizes, EveryOtherOneIsRefusedAndChangesNothing) {
  for (const Published& one : all()) {
    SCOPED_TRACE(one.name);
    for (std::size_t size = 0; size < one.today + 16; ++size) {
      const bool published = std::find(one.sizes.begin(), one.sizes.end(), size) != one.sizes.end();
      one.call(size, published || size >= one.today);
    }
  }
}

TEST_F(StructSizes, TodaysIsInTheTable) {
  for (const Published& one : all()) {
    EXPECT_EQ(one.sizes.back(), one.today) << one.name << ": append today's size to its row, and keep the others";
  }
}

}  // namespace
}  // namespace ulpfft::test
