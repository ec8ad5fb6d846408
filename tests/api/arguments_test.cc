// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Wrong arguments are refused with a status, a sentence and the field at fault; nothing aborts, and *plan is NULL afterwards.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

// A sound problem of rank 2 with one batch dimension, whose numbers a test may spoil.
struct Request {
  std::array<std::int64_t, 9> lengths{6, 8, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, 9> in_strides{8, 1, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, 9> out_strides{8, 1, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, 9> batch_lengths{3, 1, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, 9> batch_in{48, 1, 1, 1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, 9> batch_out{48, 1, 1, 1, 1, 1, 1, 1, 1};
  ulpfft_problem problem = sized<ulpfft_problem>();

  Request() {
    problem.rank = 2;
    problem.lengths = lengths.data();
    problem.in_strides = in_strides.data();
    problem.out_strides = out_strides.data();
    problem.batch_rank = 1;
    problem.batch_lengths = batch_lengths.data();
    problem.batch_in_strides = batch_in.data();
    problem.batch_out_strides = batch_out.data();
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
};

// Plans, and checks what every refusal has to say.
ulpfft_status create(const Request& request) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  auto* plan = reinterpret_cast<ulpfft_plan*>(&options);  // must be overwritten
  const ulpfft_status status = ulpfft_plan_create(nullptr, &request.problem, &options, &plan);
  if (status == ULPFFT_OK) {
    ulpfft_plan_destroy(plan);
    return status;
  }
  EXPECT_EQ(plan, nullptr) << "*plan after a failure";
  const LastError error = last_error();
  EXPECT_EQ(error.status, status);
  EXPECT_NE(error.message, "");
  EXPECT_NE(error.message.back(), '\n');
  EXPECT_EQ(error.message, ulpfft_last_error());
  return status;
}

struct Wrong {
  const char* what;
  std::function<void(Request&)> spoil;
  ulpfft_status status;
  const char* field;
};

const std::vector<Wrong>& wrong_structs() {
  static const std::vector<Wrong> table{
      {"size 0", [](Request& r) { r.problem.size = 0; }, ULPFFT_INVALID_ARGUMENT, "problem.size"},
      {"size of a pointer", [](Request& r) { r.problem.size = 8; }, ULPFFT_INVALID_ARGUMENT, "problem.size"},
      {"kind unknown", [](Request& r) { r.problem.kind = 7; }, ULPFFT_INVALID_ARGUMENT, "kind"},
      {"kind negative", [](Request& r) { r.problem.kind = -1; }, ULPFFT_INVALID_ARGUMENT, "kind"},
      {"half rows that coincide in r2c",
       [](Request& r) {
         r.problem.kind = ULPFFT_R2C;
         r.out_strides[0] = 4;  // of 8 reals there are 5 numbers
       },
       ULPFFT_INVALID_ARGUMENT, "out_strides[0]"},
      {"r2c in place whose real rows are not padded",
       [](Request& r) {
         r.problem.kind = ULPFFT_R2C;
         r.problem.placement = ULPFFT_IN_PLACE;
         r.out_strides[0] = 5;
       },
       ULPFFT_INVALID_ARGUMENT, "out_strides[0]"},
      {"c2r in place with a stride",
       [](Request& r) {
         r.problem.kind = ULPFFT_C2R;
         r.problem.placement = ULPFFT_IN_PLACE;
         r.in_strides = {20, 2};
         r.out_strides[0] = 40;
       },
       ULPFFT_INVALID_ARGUMENT, "in_strides[1]"},
      {"r2c in place and split",
       [](Request& r) {
         r.problem.kind = ULPFFT_R2C;
         r.problem.placement = ULPFFT_IN_PLACE;
         r.problem.layout = ULPFFT_SPLIT;
       },
       ULPFFT_UNSUPPORTED, "layout"},
      {"a chain of c2r",
       [](Request& r) {
         r.problem.kind = ULPFFT_C2R;
         r.problem.chain = "mul";
       },
       ULPFFT_UNSUPPORTED, "chain"},
      {"a chain of r2c in place with padded input",
       [](Request& r) {
         r.problem.kind = ULPFFT_R2C;
         r.problem.chain = "user";
         r.problem.placement = ULPFFT_IN_PLACE;
         r.in_strides[0] = 10;
       },
       ULPFFT_INVALID_ARGUMENT, "out_strides[0]"},
      {"input rows coincide where they may be overwritten",
       [](Request& r) {
         r.problem.destroy_input = 1;
         r.in_strides[0] = 7;
       },
       ULPFFT_INVALID_ARGUMENT, "in_strides[0]"},
      {"a workspace below 0", [](Request& r) { r.problem.max_workspace = -2; }, ULPFFT_INVALID_ARGUMENT, "max_workspace"},
      {"a workspace of too few bytes",
       [](Request& r) {
         r.problem.rank = 1;
         r.problem.batch_rank = 0;
         r.lengths[0] = 2187;
         r.problem.in_strides = r.problem.out_strides = nullptr;
         r.problem.max_workspace = 1;
       },
       ULPFFT_NO_MEMORY, "max_workspace"},
      {"r2r without kinds", [](Request& r) { r.problem.kind = ULPFFT_R2R; }, ULPFFT_INVALID_ARGUMENT, "kinds"},
      {"a kind of r2r unknown",
       [](Request& r) {
         static constexpr int kKinds[] = {ULPFFT_REDFT10, ULPFFT_RODFT11 + 1};
         r.problem.kind = ULPFFT_R2R;
         r.problem.kinds = kKinds;
       },
       ULPFFT_INVALID_ARGUMENT, "kinds[1]"},
      {"a kind of r2r negative",
       [](Request& r) {
         static constexpr int kKinds[] = {-1, ULPFFT_REDFT10};
         r.problem.kind = ULPFFT_R2R;
         r.problem.kinds = kKinds;
       },
       ULPFFT_INVALID_ARGUMENT, "kinds[0]"},
      {"rank 0", [](Request& r) { r.problem.rank = 0; }, ULPFFT_INVALID_ARGUMENT, "rank"},
      {"rank negative", [](Request& r) { r.problem.rank = -1; }, ULPFFT_INVALID_ARGUMENT, "rank"},
      {"rank 9", [](Request& r) { r.problem.rank = 9; }, ULPFFT_INVALID_ARGUMENT, "rank"},
      {"rank huge", [](Request& r) { r.problem.rank = 1 << 30; }, ULPFFT_INVALID_ARGUMENT, "rank"},
      {"lengths null", [](Request& r) { r.problem.lengths = nullptr; }, ULPFFT_INVALID_ARGUMENT, "lengths"},
      {"length 0", [](Request& r) { r.lengths[0] = 0; }, ULPFFT_INVALID_ARGUMENT, "lengths[0]"},
      {"length negative", [](Request& r) { r.lengths[1] = -8; }, ULPFFT_INVALID_ARGUMENT, "lengths[1]"},
      {"length lowest", [](Request& r) { r.lengths[1] = kLowest; }, ULPFFT_INVALID_ARGUMENT, "lengths[1]"},
      {"length huge", [](Request& r) { r.lengths[0] = kHuge; }, ULPFFT_INVALID_ARGUMENT, "lengths"},
      {"product of lengths overflows", [](Request& r) { r.lengths = {std::int64_t{1} << 32, std::int64_t{1} << 33}; }, ULPFFT_INVALID_ARGUMENT, "lengths"},
      {"bytes overflow", [](Request& r) { r.lengths = {std::int64_t{1} << 30, std::int64_t{1} << 31}; }, ULPFFT_INVALID_ARGUMENT, ""},
      {"in stride 0", [](Request& r) { r.in_strides[0] = 0; }, ULPFFT_INVALID_ARGUMENT, "in_strides[0]"},
      {"out stride 0", [](Request& r) { r.out_strides[1] = 0; }, ULPFFT_INVALID_ARGUMENT, "out_strides[1]"},
      {"batch in stride 0", [](Request& r) { r.batch_in[0] = 0; }, ULPFFT_INVALID_ARGUMENT, "batch_in_strides[0]"},
      {"batch out stride 0", [](Request& r) { r.batch_out[0] = 0; }, ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]"},
      {"in stride overflows", [](Request& r) { r.in_strides[0] = kHuge / 2; }, ULPFFT_INVALID_ARGUMENT, "in_strides[0]"},
      {"in stride lowest", [](Request& r) { r.in_strides[0] = kLowest; }, ULPFFT_INVALID_ARGUMENT, "in_strides[0]"},
      {"out stride lowest", [](Request& r) { r.out_strides[1] = kLowest; }, ULPFFT_INVALID_ARGUMENT, "out_strides[1]"},
      {"batch stride huge", [](Request& r) { r.batch_out[0] = kHuge; }, ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]"},
      {"output rows coincide", [](Request& r) { r.out_strides[0] = 7; }, ULPFFT_INVALID_ARGUMENT, "out_strides[0]"},
      {"output rows coincide, backwards", [](Request& r) { r.out_strides[0] = -7; }, ULPFFT_INVALID_ARGUMENT, "out_strides[0]"},
      {"output batch members coincide", [](Request& r) { r.batch_out[0] = 47; }, ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]"},
      {"batch rank negative", [](Request& r) { r.problem.batch_rank = -1; }, ULPFFT_INVALID_ARGUMENT, "batch_rank"},
      {"batch rank 9", [](Request& r) { r.problem.batch_rank = 9; }, ULPFFT_INVALID_ARGUMENT, "batch_rank"},
      {"batch lengths null", [](Request& r) { r.problem.batch_lengths = nullptr; }, ULPFFT_INVALID_ARGUMENT, "batch_lengths"},
      {"batch length 0", [](Request& r) { r.batch_lengths[0] = 0; }, ULPFFT_INVALID_ARGUMENT, "batch_lengths[0]"},
      {"batch length huge", [](Request& r) { r.batch_lengths[0] = kHuge; }, ULPFFT_INVALID_ARGUMENT, "batch_lengths"},
      {"storage unknown", [](Request& r) { r.problem.storage_in = "f99"; }, ULPFFT_UNKNOWN_NAME, "storage_in"},
      {"storage empty", [](Request& r) { r.problem.storage_in = ""; }, ULPFFT_INVALID_ARGUMENT, "storage_in"},
      {"storage out unknown", [](Request& r) { r.problem.storage_out = "complex"; }, ULPFFT_UNKNOWN_NAME, "storage_out"},
      {"storage with a quote", [](Request& r) { r.problem.storage_in = "f32\"; drop"; }, ULPFFT_INVALID_ARGUMENT, "storage_in"},
      {"scheme unknown", [](Request& r) { r.problem.scheme = "f17"; }, ULPFFT_UNKNOWN_NAME, "scheme"},
      {"backend unknown", [](Request& r) { r.problem.backend = "abacus"; }, ULPFFT_UNKNOWN_NAME, "backend"},
      {"layout unknown", [](Request& r) { r.problem.layout = 2; }, ULPFFT_INVALID_ARGUMENT, "layout"},
      {"layout negative", [](Request& r) { r.problem.layout = -1; }, ULPFFT_INVALID_ARGUMENT, "layout"},
      {"placement unknown", [](Request& r) { r.problem.placement = 2; }, ULPFFT_INVALID_ARGUMENT, "placement"},
      {"direction unknown", [](Request& r) { r.problem.direction = -1; }, ULPFFT_INVALID_ARGUMENT, "direction"},
      {"direction like FFTW's", [](Request& r) { r.problem.direction = 5; }, ULPFFT_INVALID_ARGUMENT, "direction"},
      {"scale kind unknown", [](Request& r) { r.problem.scale_kind = 4; }, ULPFFT_INVALID_ARGUMENT, "scale_kind"},
      {"scale kind beyond a byte", [](Request& r) { r.problem.scale_kind = 256; }, ULPFFT_INVALID_ARGUMENT, "scale_kind"},
      {"direction beyond a byte", [](Request& r) { r.problem.direction = 256; }, ULPFFT_INVALID_ARGUMENT, "direction"},
      {"scale 0", [](Request& r) { r.problem.scale_kind = ULPFFT_SCALE_VALUE; }, ULPFFT_INVALID_ARGUMENT, "scale_value"},
      {"scale NaN", [](Request& r) { r.problem.scale_kind = ULPFFT_SCALE_VALUE; r.problem.scale_value = std::nan(""); }, ULPFFT_INVALID_ARGUMENT, "scale_value"},
      {"scale infinite", [](Request& r) { r.problem.scale_kind = ULPFFT_SCALE_VALUE; r.problem.scale_value = INFINITY; }, ULPFFT_INVALID_ARGUMENT, "scale_value"},
      {"error limit negative", [](Request& r) { r.problem.max_error = -1; }, ULPFFT_INVALID_ARGUMENT, "max_error"},
      {"error limit NaN", [](Request& r) { r.problem.max_error = std::nan(""); }, ULPFFT_INVALID_ARGUMENT, "max_error"},
      {"threads negative", [](Request& r) { r.problem.threads = -1; }, ULPFFT_INVALID_ARGUMENT, "threads"},
      {"threads too many", [](Request& r) { r.problem.threads = 257; }, ULPFFT_INVALID_ARGUMENT, "threads"},
      {"intermediate wide", [](Request& r) { r.problem.intermediate = "f32"; }, ULPFFT_INVALID_ARGUMENT, "intermediate"},
      {"intermediate unknown", [](Request& r) { r.problem.intermediate = "f17"; }, ULPFFT_UNKNOWN_NAME, "intermediate"},
      {"operation of a chain unknown", [](Request& r) { r.problem.chain = "div"; }, ULPFFT_INVALID_ARGUMENT, "chain"},
      {"chain with narrow data between passes", [](Request& r) { r.problem.chain = "mul", r.problem.intermediate = "f16"; }, ULPFFT_UNSUPPORTED, "intermediate"},
      {"prescale unknown", [](Request& r) { r.problem.prescale_kind = 3; }, ULPFFT_INVALID_ARGUMENT, "prescale_kind"},
      {"prescale to nothing", [](Request& r) { r.problem.prescale_kind = ULPFFT_PRESCALE_TARGET; }, ULPFFT_INVALID_ARGUMENT, "prescale_target"},
      {"prescale to NaN", [](Request& r) { r.problem.prescale_kind = ULPFFT_PRESCALE_TARGET; r.problem.prescale_target = std::nan(""); }, ULPFFT_INVALID_ARGUMENT, "prescale_target"},
      {"chain with prescale", [](Request& r) { r.problem.prescale_kind = ULPFFT_PRESCALE_AMAX; r.problem.chain = "mul"; }, ULPFFT_UNSUPPORTED, "prescale_kind"},
      {"in place, other strides", [](Request& r) { r.problem.placement = ULPFFT_IN_PLACE; r.out_strides[0] = 9; }, ULPFFT_INVALID_ARGUMENT, "out_strides[0]"},
      {"in place, other batch strides", [](Request& r) { r.problem.placement = ULPFFT_IN_PLACE; r.batch_out[0] = 50; }, ULPFFT_INVALID_ARGUMENT, "batch_out_strides[0]"},
      {"in place, other storage", [](Request& r) { r.problem.placement = ULPFFT_IN_PLACE; r.problem.storage_out = "f64"; }, ULPFFT_INVALID_ARGUMENT, "storage_out"},
  };
  return table;
}

// "lengths" is also named by "lengths[1]"; "" leaves the field open.
bool names_field(const std::string& field, const std::string& expected) {
  return field == expected || expected.empty() || (expected.back() != ']' && field.starts_with(expected + '['));
}

TEST(WrongStruct, IsRefusedWithItsField) {
  {
    const Request sound;
    ASSERT_EQ(create(sound), ULPFFT_OK) << last_error_text();
  }
  for (const Wrong& wrong : wrong_structs()) {
    Request request;
    wrong.spoil(request);
    EXPECT_EQ(create(request), wrong.status) << wrong.what << ": " << last_error_text();
    EXPECT_TRUE(names_field(last_error().field, wrong.field)) << wrong.what << ": expected \"" << wrong.field << "\"; " << last_error_text();
  }
}

TEST(Strides, OfADimensionOfLengthOneAreNotLookedAt) {
  Request request;
  request.lengths[0] = 1;
  request.in_strides[0] = 0;
  request.out_strides[0] = 0;
  EXPECT_EQ(create(request), ULPFFT_OK) << last_error_text();
}

TEST(Strides, ThatInterleaveWithoutCoincidingAreAccepted) {
  Request request;  // columns 3 apart, rows 1 apart, three of them: 0 1 2 | 3 4 5 | ...
  request.lengths[0] = 3;
  request.out_strides[0] = 1;
  request.out_strides[1] = 3;
  EXPECT_EQ(create(request), ULPFFT_OK) << last_error_text();
}

TEST(Null, IsRefusedByEveryFunctionThatNeedsMore) {
  ulpfft_plan* plan = nullptr;
  const Request request;
  EXPECT_EQ(ulpfft_plan_create(nullptr, nullptr, nullptr, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "problem");
  EXPECT_EQ(ulpfft_plan_create(nullptr, &request.problem, nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "plan");
  EXPECT_EQ(ulpfft_plan_parse(nullptr, nullptr, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "8 f32", nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, "8 f32", nullptr, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, nullptr, "f32:n8", &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, "8 f32", "f32:n8", nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_context_create(nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_target_get(0, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_codelet_get(0, 0, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_format_get(0, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_wisdom_get(nullptr, 0, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_wisdom_import_string(nullptr, nullptr, 5, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_wisdom_import_file(nullptr, nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_wisdom_export_file(nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);

  std::uint64_t hash = 0;
  auto candidate = sized<ulpfft_candidate>();
  float data[16] = {};
  EXPECT_EQ(ulpfft_execute(nullptr, data, data), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "plan");
  EXPECT_EQ(ulpfft_plan_hash(nullptr, &hash), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_candidate_get(nullptr, 0, &candidate), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_describe(nullptr), nullptr);
  EXPECT_EQ(ulpfft_plan_explain(nullptr), nullptr);
  EXPECT_EQ(ulpfft_plan_problem(nullptr), nullptr);
  EXPECT_EQ(ulpfft_plan_recipe(nullptr), nullptr);
  EXPECT_EQ(ulpfft_plan_workspace_bytes(nullptr), 0U);
  EXPECT_EQ(ulpfft_plan_candidate_count(nullptr), 0U);
  EXPECT_EQ(ulpfft_plan_from_wisdom(nullptr), 0);
  (void)ulpfft_plan_error(nullptr);
  (void)ulpfft_plan_seconds(nullptr);
  // Allowed.
  ulpfft_plan_destroy(nullptr);
  ulpfft_context_destroy(nullptr);
  ulpfft_string_free(nullptr);
  ulpfft_last_error_get(nullptr);
}

TEST(Null, AsAnArrayOrAnOutputIsRefused) {
  const PlanPtr plan = make_plan(nullptr, "8 f32");
  ASSERT_NE(plan, nullptr);
  float data[16] = {};
  EXPECT_EQ(ulpfft_execute(plan.get(), nullptr, data), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "in");
  EXPECT_EQ(ulpfft_execute(plan.get(), data, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "out");
  auto array = sized<ulpfft_array>();
  array.data[0] = data;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), nullptr, &array, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &array, nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_hash(plan.get(), nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_plan_candidate_get(plan.get(), 0, nullptr), ULPFFT_INVALID_ARGUMENT);
}

class Arrays : public testing::Test {
 protected:
  // `first` and `second` in bytes from an aligned start.
  static ulpfft_status run(const std::string& problem, std::size_t first, std::size_t second) {
    const PlanPtr plan = make_plan(nullptr, problem);
    if (plan == nullptr) return ULPFFT_INTERNAL;
    alignas(64) static std::array<std::byte, 1 << 16> memory;
    memory = {};
    return ulpfft_execute(plan.get(), memory.data() + first, memory.data() + second);
  }
};

TEST_F(Arrays, ThatOverlapAreRefusedOutOfPlace) {
  EXPECT_EQ(run("256 f32", 0, 2048), ULPFFT_OK);
  for (const std::size_t apart : {std::size_t{0}, std::size_t{4}, std::size_t{8}, std::size_t{1024}, std::size_t{2040}, std::size_t{2044}}) {
    EXPECT_EQ(run("256 f32", 0, apart), ULPFFT_INVALID_ARGUMENT) << apart;
    EXPECT_EQ(last_error().field, "out") << apart;
    EXPECT_EQ(run("256 f32", apart, 0), ULPFFT_INVALID_ARGUMENT) << apart;
  }
  EXPECT_EQ(run("8x8*4 f64", 0, 4095 - 4095 % 8), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(run("8x8*4 f64", 0, 4096), ULPFFT_OK);
}

TEST_F(Arrays, WithNegativeStridesOverlapWhereTheirElementsLie) {
  // Elements of `in` lie before its pointer.
  EXPECT_EQ(run("16 f32 in_strides=-1", 15 * 8, 16 * 8), ULPFFT_OK);
  EXPECT_EQ(run("16 f32 in_strides=-1", 16 * 8, 15 * 8), ULPFFT_INVALID_ARGUMENT);
}

TEST_F(Arrays, InPlaceMustBeTheSame) {
  EXPECT_EQ(run("256 f32 inplace", 64, 64), ULPFFT_OK);
  EXPECT_EQ(run("256 f32 inplace", 64, 72), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(run("256 f32 inplace", 0, 4096), ULPFFT_INVALID_ARGUMENT);
}

TEST_F(Arrays, NotAlignedToTheirElementAreRefused) {
  for (const std::size_t bytes : {1U, 2U, 3U}) {
    EXPECT_EQ(run("64 f32", bytes, 4096), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, "in");
    EXPECT_EQ(run("64 f32", 0, 4096 + bytes), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, "out");
  }
  EXPECT_EQ(run("64 f64", 4, 4096), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(run("64 f32", 4, 4096 + 12), ULPFFT_OK) << "any element-aligned address will do: " << last_error_text();
}

TEST(SplitArrays, AreCheckedOneByOne) {
  const PlanPtr plan = make_plan(nullptr, "64 f32 split");
  ASSERT_NE(plan, nullptr);
  std::vector<float> memory(64 * 5);
  float unused[2] = {};
  EXPECT_EQ(ulpfft_execute(plan.get(), memory.data(), memory.data() + 128), ULPFFT_INVALID_ARGUMENT) << "needs two addresses a side";
  auto in = sized<ulpfft_array>();
  auto out = sized<ulpfft_array>();
  const auto run = [&](float* in_re, float* in_im, float* out_re, float* out_im) {
    in.data[0] = in_re;
    in.data[1] = in_im;
    out.data[0] = out_re;
    out.data[1] = out_im;
    return ulpfft_execute_arrays(plan.get(), &in, &out, nullptr);
  };
  float* base = memory.data();
  EXPECT_EQ(run(base, base + 64, base + 128, base + 192), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(run(base, nullptr, base + 128, base + 192), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(run(base, base + 64, base + 128, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(run(base, base + 64, base + 63, base + 192), ULPFFT_INVALID_ARGUMENT);   // out re over in re
  EXPECT_EQ(run(base, base + 64, base + 100, base + 192), ULPFFT_INVALID_ARGUMENT);  // out re over in im
  EXPECT_EQ(run(base, base + 64, base + 128, base + 150), ULPFFT_INVALID_ARGUMENT);  // out re over out im
  in.scales[0] = unused;
  EXPECT_NE(run(base, base + 64, base + 128, base + 192), ULPFFT_OK) << "scales are reserved";
}

TEST(Workspace, MustBeAlignedAndApart) {
  const PlanPtr plan = make_plan(nullptr, "65536 f32");
  ASSERT_NE(plan, nullptr);
  const std::size_t bytes = ulpfft_plan_workspace_bytes(plan.get());
  ASSERT_GT(bytes, 0U) << "no recipe of this length does without";
  GuardedBuffer workspace(bytes + 64, Flush::kStart);
  auto data = random_signal<float>(65536, 1);
  std::vector<std::complex<float>> result(data.size());
  auto in = sized<ulpfft_array>();
  auto out = sized<ulpfft_array>();
  in.data[0] = data.data();
  out.data[0] = result.data();
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &in, &out, workspace.data()), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &in, &out, workspace.data() + 4), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "workspace");
  for (const ulpfft_array* array : {&in, &out}) {
    const auto inside = reinterpret_cast<std::uintptr_t>(array->data[0]) / 64 * 64;
    EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &in, &out, reinterpret_cast<void*>(inside)), ULPFFT_INVALID_ARGUMENT);
    EXPECT_EQ(last_error().field, "workspace");
  }
}

struct Text {
  const char* text;
  const char* word;  // the word at fault, as text_begin..text_end must show it
};

TEST(ProblemText, IsRefusedAtTheWordAtFault) {
  for (const Text& wrong : std::vector<Text>{{"", ""},
                                             {"   ", ""},
                                             {"f32", "f32"},
                                             {"8", ""},
                                             {"8 f99", "f99"},
                                             {"8 f32 inverze", "inverze"},
                                             {"0 f32", "0"},
                                             {"-8 f32", "-8"},
                                             {"8x f32", ""},
                                             {"8x0x8 f32", "0"},
                                             {"8** f32", ""},
                                             {"8*0 f32", "0"},
                                             {"99999999999999999999 f32", "99999999999999999999"},
                                             {"3000000000x4000000000 f32", ""},
                                             {"2x2x2x2x2x2x2x2x2 f32", "2"},
                                             {"8 f32 scale=0", "0"},
                                             {"8 f32 scale=nan", "nan"},
                                             {"8 f32 scale=inf", "inf"},
                                             {"8 f32 scale=", ""},
                                             {"8 f32 scale=1e999", "1e999"},
                                             {"8 f32 inverse inverse", "inverse"},
                                             {"8 f32 in_strides=1,2", "1,2"},
                                             {"8 f32 in_strides=0", "0"},
                                             {"8x8 f32 out_strides=4,1", "4"},
                                             {"8 f32 batch_strides=8,8", "8,8"},
                                             {"8*2 f32 batch_strides=8", "8"},
                                             {"8 f32 scheme=", ""},
                                             {"8 f32 scheme=f31", "f31"},
                                             {"8 f32 backend=gpu", "gpu"},
                                             {"8 f32->", ""},
                                             {"8 f32->f99", "f99"},
                                             {"r2r 8 f32", "r2r"},
                                             {"q2q 8 f32", "q2q"},
                                             {"8 f32 \x01", ""},
                                             {"8 f32 \xc3\xa4", ""},
                                             {"8;8 f32", ""}}) {
    ulpfft_plan* plan = nullptr;
    const ulpfft_status status = ulpfft_plan_parse(nullptr, wrong.text, &plan);
    EXPECT_NE(status, ULPFFT_OK) << '"' << wrong.text << '"';
    EXPECT_EQ(plan, nullptr) << '"' << wrong.text << '"';
    ulpfft_plan_destroy(plan);
    const LastError error = last_error();
    EXPECT_NE(error.message, "") << '"' << wrong.text << '"';
    const std::string text(wrong.text);
    ASSERT_LE(error.begin, error.end) << '"' << text << '"';
    ASSERT_LE(error.end, text.size()) << '"' << text << '"';
    if (*wrong.word == '\0') continue;
    EXPECT_NE(text.substr(error.begin, error.end - error.begin).find(wrong.word), std::string::npos)
        << '"' << text << "\": underlined is \"" << text.substr(error.begin, error.end - error.begin) << "\"; " << last_error_text();
  }
}

TEST(RecipeText, IsRefusedWhenItDoesNotParseOrDoesNotFit) {
  for (const char* recipe : {"", ":", "f32", "f32:", "f32:n", "f32:n0", "f32:n-8", "f32:n8 ", "f32:n9", "f64:n9", "f32:dit()", "f32:dit(8", "f32:dit(4 4)",
                             "f32:dit(2 4) ", "f32:dit(/ 8)", "f32:dit(8 /)", "f32:dit(2 4:xx)", "f32:dit(2:ds 4)", "f32:dit(2 4:lf)", "f32:dit(2,4)",
                             "f32:rank(n8; n8)", "f32:four(2x4 p0; n2; n4)", "f32:rader(8; n7)", "f32:bluestein(8; 14; n14)",
                             "f32:real(n4)", "f32:chain(n8; mul; n8)", "f32:n18446744073709551624", "f32:dit(4294967296 4294967298)", "f32:cols(p64; n8))",
                             "f99:n8", "f32:((((((((((n8))))))))))", "f32:rank(rank(rank(rank(rank(rank(rank(rank(rank(rank(n8))))))))))", "f32:n8|f16"}) {
    ulpfft_plan* plan = nullptr;
    const ulpfft_status status = ulpfft_plan_from_recipe(nullptr, "8 f32", recipe, &plan);
    EXPECT_NE(status, ULPFFT_OK) << '"' << recipe << '"';
    EXPECT_NE(status, ULPFFT_INTERNAL) << '"' << recipe << "\": " << last_error_text();
    EXPECT_EQ(plan, nullptr) << '"' << recipe << '"';
    ulpfft_plan_destroy(plan);
    EXPECT_NE(std::string(ulpfft_last_error()), "") << '"' << recipe << '"';
  }
  const std::string long_recipe = "f32:dit(" + std::string(5000, '2') + ")";
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, "8 f32", long_recipe.c_str(), &plan), ULPFFT_INVALID_TEXT);
}

TEST(RecipeText, IsRefusedWhereItContradictsItsProblem) {
  struct Contradiction {
    const char *problem, *recipe, *field, *words;
  };
  for (const Contradiction& one : {Contradiction{"1024 f32 scheme=rounded:f16", "rounded:bf16:dit(4 4 4 4 4)", "scheme", "begins with rounded:f16:"},
                                   {"1024 f32 scheme=mx:mxint8", "mx:mxint8:b8:dit(4 4 4 4 4)", "scheme", "begins with mx:mxint8:"},
                                   {"1024 f64 scheme=f64", "f32:dit(4 4 4 4 4)", "scheme", "leave scheme out"},
                                   {"1024 f64 max_error=1e-9", "f32:dit(4 4 4 4 4)", "max_error", "its error is"}}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_from_recipe(nullptr, one.problem, one.recipe, &plan), ULPFFT_OK) << one.problem;
    auto error = sized<ulpfft_error>();
    ulpfft_last_error_get(&error);
    EXPECT_STREQ(error.field, one.field) << one.problem;
    EXPECT_NE(std::string(error.message).find(one.words), std::string::npos) << error.message;
  }
  for (const auto& [problem, recipe] : {std::pair("1024 f64", "f32:dit(4 4 4 4 4)"), std::pair("1024 f64 max_error=1e-5", "f32:dit(4 4 4 4 4)"),
                                        std::pair("1024 f32 scheme=mx:mxint8:b32:rceil", "mx:mxint8:carry:dit(4 4 4 4 4)")}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_EQ(ulpfft_plan_from_recipe(nullptr, problem, recipe, &plan), ULPFFT_OK) << last_error_text();
    ulpfft_plan_destroy(plan);
  }
}

TEST(Names, OfOtherProgramsAreToldAsTheNearestHere) {
  const std::pair<const char*, const char*> names[] = {{"fp16", "f16"}, {"half", "f16"}, {"bfloat16", "bf16"}, {"float", "f32"}, {"double", "f64"},
                                                       {"complex64", "f32"}, {"complex128", "f64"}, {"cs16", "i16"}, {"cu8", "u8"}, {"cf32", "f32"}, {"e4m4", "e4m3"}};
  for (const auto& [name, meant] : names) {
    ulpfft_plan* plan = nullptr;
    EXPECT_EQ(ulpfft_plan_parse(nullptr, (std::string("64 ") + name).c_str(), &plan), ULPFFT_UNKNOWN_NAME) << name;
    EXPECT_NE(last_error().message.find(std::string("Did you mean '") + meant + "'?"), std::string::npos) << last_error().message;
  }
}

TEST(Names, ThatThisBuildDoesNotHaveAreRefused) {
  auto options = sized<ulpfft_context_options>();
  ulpfft_context* context = nullptr;
  options.target = "mips5";
  EXPECT_EQ(ulpfft_context_create(&options, &context), ULPFFT_UNKNOWN_NAME);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(last_error().field, "target");
  options.target = "avx512";
  EXPECT_EQ(ulpfft_context_create(&options, &context), ULPFFT_UNKNOWN_NAME);
  EXPECT_NE(last_error().message.find("Did you mean 'avx3'?"), std::string::npos) << last_error().message;
  options.target = "";
  EXPECT_NE(ulpfft_context_create(&options, &context), ULPFFT_OK);
  for (std::size_t i = 0; i < ulpfft_target_count(); ++i) {
    auto target = sized<ulpfft_target>();
    ASSERT_EQ(ulpfft_target_get(i, &target), ULPFFT_OK);
    if (target.available != 0) continue;
    options.target = target.name;
    EXPECT_EQ(ulpfft_context_create(&options, &context), ULPFFT_UNAVAILABLE) << target.name;
    EXPECT_NE(std::string(target.reason), "") << target.name;
  }
}

TEST(Options, OutOfRangeAreRefused) {
  const Request request;
  ulpfft_plan* plan = nullptr;
  auto options = sized<ulpfft_plan_options>();
  options.effort = 99;
  EXPECT_EQ(ulpfft_plan_create(nullptr, &request.problem, &options, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "effort");
  options.effort = ULPFFT_MEASURE;
  for (const double limit : {-1.0, std::nan(""), -std::numeric_limits<double>::infinity()}) {
    options.time_limit_seconds = limit;
    EXPECT_EQ(ulpfft_plan_create(nullptr, &request.problem, &options, &plan), ULPFFT_INVALID_ARGUMENT) << limit;
    EXPECT_EQ(last_error().field, "time_limit_seconds");
  }
  options = sized<ulpfft_plan_options>();
  options.size = 1;
  EXPECT_EQ(ulpfft_plan_create(nullptr, &request.problem, &options, &plan), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
}

TEST(Indices, BeyondTheEndAreRefused) {
  const PlanPtr plan = make_plan(nullptr, "8 f32");
  auto candidate = sized<ulpfft_candidate>();
  auto target = sized<ulpfft_target>();
  auto codelet = sized<ulpfft_codelet>();
  auto format = sized<ulpfft_format>();
  auto entry = sized<ulpfft_wisdom_entry>();
  constexpr std::size_t kFar = static_cast<std::size_t>(-1);
  EXPECT_EQ(ulpfft_plan_candidate_get(plan.get(), ulpfft_plan_candidate_count(plan.get()), &candidate), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "index");
  EXPECT_EQ(ulpfft_plan_candidate_get(plan.get(), kFar, &candidate), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_target_get(ulpfft_target_count(), &target), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_codelet_get(ulpfft_target_count(), 0, &codelet), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_codelet_get(0, kFar, &codelet), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_format_get(ulpfft_format_count(), &format), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_wisdom_get(nullptr, kFar, &entry), ULPFFT_INVALID_ARGUMENT);
  double value = 0;
  EXPECT_EQ(ulpfft_format_value(ulpfft_format_count(), 0, &value), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_format_value(0, 0, nullptr), ULPFFT_INVALID_ARGUMENT);
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    ASSERT_EQ(ulpfft_format_get(i, &format), ULPFFT_OK);
    const bool block = std::string(format.kind) == "block";
    EXPECT_EQ(ulpfft_format_value(i, 0, &value), block ? ULPFFT_INVALID_ARGUMENT : ULPFFT_OK) << format.name;
    if (format.bits == 64) continue;
    EXPECT_EQ(ulpfft_format_value(i, std::uint64_t(1) << format.bits, &value), ULPFFT_INVALID_ARGUMENT) << format.name;
    EXPECT_EQ(last_error().field, block ? "index" : "code");
  }
}

TEST(Memory, ThatDoesNotExistIsRefusedNotExhausted) {
  // 2^44 points: tables of hundreds of terabytes. Refused as too large or as out of memory, quickly, and nothing dies.
  ulpfft_plan* plan = nullptr;
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  EXPECT_NE(ulpfft_plan_parse_options(nullptr, "17592186044416 f64", &options, &plan), ULPFFT_OK);
  EXPECT_NE(last_error().status, ULPFFT_INTERNAL) << last_error_text();
  EXPECT_EQ(plan, nullptr);
}

}  // namespace
}  // namespace ulpfft::test
