// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Plans for CUDA, from the C interface to the twins of kernels, over a driver without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "codelets/cuda/launch.h"
#include "tests/cuda/plan_on_cuda.h"

namespace ulpfft::test {
namespace {

void expect_refused(const std::string& problem, ulpfft_status status, const std::string& field, const std::string& word) {
  EXPECT_EQ(plan_of(problem), nullptr) << problem;
  EXPECT_EQ(last_error().status, status) << problem << ": " << last_error_text();
  EXPECT_EQ(last_error().field, field) << problem << ": " << last_error_text();
  EXPECT_NE(last_error().message.find(word), std::string::npos) << problem << ": " << last_error_text();
}

// ---- bits

// Of every kernel by its recipe, and of the recipe that is planned for its length.
TEST(CudaPlans, HaveTheBitsOfRefForEveryKernel) {
  const FakeDriver driver;
  static constexpr const char* kStorages[] = {"f64", "f32", "f16", "bf16"};
  for (const cuda::KernelInfo& kernel : cuda::kernels()) {
    const std::string in = kStorages[static_cast<std::size_t>(kernel.in)], out = kStorages[static_cast<std::size_t>(kernel.out)];
    const std::string storage = in + "->" + out;
    const std::string n = std::to_string(kernel.n), end = kernel.backward ? " inverse" : "";
    if (kernel.kind == cuda::KernelKind::kRows) {
      expect_bits_of_ref(n + "*3 " + storage + end, kernel.recipe);
      expect_bits_of_ref(n + " " + storage + end);
      if (!kernel.fixed_direction) expect_bits_of_ref(n + "*2 " + storage + " inverse", kernel.recipe);
    } else if (kernel.kind == cuda::KernelKind::kColumns || kernel.kind == cuda::KernelKind::kTwisted) {
      expect_bits_of_ref(n + "*3 " + storage + " in_strides=3 out_strides=3 batch_strides=1,1");
    }
  }
  expect_no_faults(driver);
}

TEST(CudaPlans, HaveTheBitsOfRefForEveryShape) {
  const FakeDriver driver;
  for (const char* problem : {
           // batches, directions, places, scales, distances
           "64*1000 f32", "64*3 f32 inverse", "64*3 f32 inplace", "64*3 f32 scale=0.3", "64*3 f32 inverse scale=ortho inplace",
           "64*3 f32 batch_strides=70,80", "64*3 f32 in_strides=3 out_strides=3 batch_strides=1,1",
           "16*3x5x7 f32 batch_strides=800,150,20,900,160,21", "64*66000x2 f32 batch_strides=64,4224000,128,64",
           "8*2x2x2x2x3 f64 batch_strides=4096,1024,300,80,16,4096,1024,300,80,16",
           // dimensions
           "16x32 f32", "16x32*5 f64 inverse", "8x16x32 f32 inplace", "8x16x32 f64 scale=1/n", "1x64 f32", "64x1 f32", "16x16*3 f16",
           "32x8 bf16 inverse", "1024x64 f32", "64x1*3 f16 inverse",
           // pairs of storage
           "64*5 f16->f32", "64*5 f32->f16", "64*5 f16->bf16", "64*5 f64->f32", "64*5 f32->f64", "64*5 f64->f16",
           "64*5 bf16->f64 inverse scale=1/n", "64*5 f16 scheme=f64", "64*5 f32 scheme=f64", "16x64 f16->f32",
           "64*4 f16->f32 batch_strides=64,96", "32x64 f32->f16 in_strides=64,1 out_strides=1,32",
           // 16 bits in sweeps, with gaps where nothing is converted apart
           "64*3 f16->f32 batch_strides=70,64", "128*3 bf16->f32 inverse batch_strides=130,140", "64x128*3 f16", "128x64*2 bf16 inverse",
           "64x64x64 f16->bf16", "64x8x128 f16 inplace", "128x16 f16", "16x128 bf16", "64x256 f32->f16", "256x64 bf16->f32 scale=1/n",
           "64x64*2 f16 batch_strides=5000,6000", "64x128 f16 in_strides=200,1 out_strides=1,70", "128*32 f16 in_strides=40 out_strides=40 "
           "batch_strides=1,1", "64x64 f64->f16", "64x64 f16 scheme=f64", "64*3 bf16 centered in_strides=3 out_strides=3 batch_strides=1,1",
           "64x64*2 f16 inplace centered", "32768 f16->f32 inverse", "32768 f32->bf16", "65536*2 bf16 in_strides=3 out_strides=2 "
           "batch_strides=196700,131100", "131072 f16 inplace inverse", "32768*129 f16",
           // two sweeps, and a batch in parts
           "4096 f16", "16384 bf16", "32768 f32", "65536*2 f32 inverse", "131072 f64 inplace", "32768 f16", "65536 f32->f64 scale=ortho",
           "32768*200 f32 inplace", "16384*193 f32->f64",
           // centred: rows in shared memory and not, of even and odd lengths, columns, two sweeps
           "64 f32 centered", "8*3 f64 centered inplace", "2*5 f16 centered inverse", "105*3 f32 centered inverse", "7*2 f64 centered",
           "729*2 f32 centered", "768 f64 centered inverse inplace", "1280*2 f32 centered scale=ortho", "4096 bf16 centered",
           "4096*2 f64 centered inplace", "16x32*3 f32 centered inverse inplace", "8x16x32 f64 centered scale=1/n", "16x105 f32 centered",
           "16x64 f16->f32 centered", "32x64*2 bf16 centered inverse", "64*3 f32 centered in_strides=3 out_strides=3 batch_strides=1,1",
           "65536*2 f32 centered", "32768 f64 centered inverse inplace", "32768 f16 centered",
       }) {
    expect_bits_of_ref(problem);
  }
  expect_no_faults(driver);
}

TEST(CudaPlans, HaveTheBitsOfRefInThreeSweeps) {
  const FakeDriver driver;
  const std::string cube = "four(64x4096 p64; dit(8 8); four(64x64 p64; dit(8 8); dit(8 8)))";
  for (const char* words : {"f32", "f64", "f32 inverse", "f32 inplace scale=0.3", "f64 inverse inplace", "f16 inverse",
                            "f16->f64 scheme=f64", "f32 in_strides=2 out_strides=3"}) {
    const std::string text = words, type = text.find("f64") == std::string::npos ? "f32:" : "f64:";
    expect_bits_of_ref("262144 " + text, type + cube);
  }
  // Batches: several transforms in the matrix, in parts, and with gaps.
  for (const char* words : {"*2 f32", "*2 f64 inverse inplace", "*3x2 f32 batch_strides=524288,262145,524289,262144 inverse"}) {
    const std::string text = words;
    expect_bits_of_ref("262144" + text, (text.find("f64") == std::string::npos ? "f32:" : "f64:") + cube);
  }
  // Factors that differ, and a sweep more.
  expect_bits_of_ref("1048576*2 f32", "f32:four(128x8192 p64; dit(16 8); four(64x128 p64; dit(8 8); dit(16 8)))");
  expect_bits_of_ref("524288 f64", "f64:four(64x8192 p64; dit(8 8); four(128x64 p64; dit(16 8); dit(8 8)))");
  if (full_run()) expect_bits_of_ref("16777216 f32", "f32:four(64x262144 p64; dit(8 8); " + cube + ")");
  if (full_run()) expect_bits_of_ref("33554432 f32 inverse");
  expect_no_faults(driver);
}

// Forms of twiddles that have a kernel are raced, and no others.
TEST(CudaPlans, AreChosenAmongTheFormsThatKernelsHave) {
  const FakeDriver driver;
  const auto raced = [](const std::string& problem) {
    const PlanPtr plan = plan_of(problem, ULPFFT_PATIENT, 60);  // more than a slow build takes
    return plan == nullptr ? std::vector<std::string>() : candidates_of(plan.get());
  };
  const auto holds = [](const std::vector<std::string>& recipes, const char* recipe) {
    return std::find(recipes.begin(), recipes.end(), recipe) != recipes.end();
  };
  const std::vector<std::string> f32 = raced("4096*2 f32"), others = raced("2048*2 f32");
  EXPECT_TRUE(holds(f32, "f32:dit(16 16:ch 16:ch)")) << ::testing::PrintToString(f32);
  EXPECT_FALSE(holds(f32, "f32:dit(16 16 16:ds)")) << ::testing::PrintToString(f32);
  EXPECT_TRUE(holds(raced("512*2 f64"), "f64:dit(8 8:ch 8:ch)"));
  EXPECT_TRUE(holds(others, "f32:dit(16 16 8)")) << ::testing::PrintToString(others);
  EXPECT_FALSE(holds(others, "f32:dit(16 16:ch 8:ch)")) << ::testing::PrintToString(others);
}

// Lengths that are too long for bits by a test: their recipes, and the memory that they take.
TEST(CudaPlans, OfTwoToThe25AndMoreHaveThreeSweeps) {
  const FakeDriver driver({.has_driver = false});
  for (const std::string storage : {"f64", "f32", "f16", "bf16"}) {
    for (const std::int64_t n : {std::int64_t{1} << 25, std::int64_t{1} << 26, std::int64_t{1} << 30}) {
      for (const char* words : {"", " inverse inplace", " inplace", " inverse"}) {
        for (const std::string batch : {"", "*3"}) {
          const std::string problem = std::to_string(n) + batch + " " + storage + words;
          const PlanPtr plan = plan_of(problem);
          ASSERT_NE(plan, nullptr) << problem << ": " << last_error_text();
          const std::string recipe = recipe_of(plan.get());
          EXPECT_EQ(recipe.find("four("), recipe.find(':') + 1) << recipe;
          EXPECT_NE(recipe.find("; four("), std::string::npos) << recipe;
          // A matrix: the first and the last sweep convert 16 bits themselves.
          EXPECT_EQ(static_cast<std::int64_t>(ulpfft_plan_workspace_bytes(plan.get())), n * (storage == "f64" ? 16 : 8)) << problem;
        }
      }
    }
  }
}

// A problem drawn from what CUDA computes.
std::string random_problem(std::mt19937_64& random) {
  const auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
  static constexpr const char* kLengths[] = {"2", "3", "4", "5", "7", "8", "9", "16", "25", "32", "64", "81", "105", "128", "256", "512",
                                             "1024"};
  static constexpr const char* kColumns[] = {"2", "4", "8", "16", "32", "64"};
  static constexpr const char* kStorages[] = {"f32", "f64"};
  static constexpr const char* kPairs[] = {"f16", "bf16", "f16->f32", "f32->bf16", "f64->f16", "f32->f64"};
  static constexpr const char* kBatches[] = {"", "*3", "*17", "*2x5"};
  static constexpr const char* kScales[] = {"", " scale=ortho", " scale=1/n", " scale=-0.7"};
  const int rank = static_cast<int>(random() % 3) + 1;
  std::string problem = rank == 1 ? pick(kLengths) : pick(kColumns);
  for (int d = 1; d < rank; ++d) problem += "x" + pick(kColumns);
  problem += pick(kBatches);
  const bool narrow = rank == 1 && random() % 3 == 0 && problem.find_first_not_of("0123456789*x") == std::string::npos;
  const std::string storage = narrow ? pick(kPairs) : pick(kStorages);
  problem += " " + storage + pick(kScales);
  if (random() % 2 == 0) problem += " inverse";
  if (random() % 3 == 0) problem += " centered";
  if (random() % 3 == 0 && storage.find("->") == std::string::npos) problem += " inplace";
  return problem;
}

TEST(CudaPlans, HaveTheBitsOfRefForRandomProblems) {
  const FakeDriver driver;
  std::mt19937_64 random(24);
  int planned = 0;
  const int wanted = full_run() ? 3000 : 250;
  for (int i = 0; i < wanted; ++i) {
    const std::string problem = random_problem(random);
    if (plan_of(problem) == nullptr) {
      EXPECT_EQ(last_error().status, ULPFFT_UNSUPPORTED) << problem << ": " << last_error_text();
      continue;
    }
    expect_bits_of_ref(problem);
    ++planned;
  }
  EXPECT_GT(planned, wanted * 3 / 4);
  expect_no_faults(driver);
}

TEST(CudaPlans, CountWhatSaturates) {
  FakeDriver driver;
  const PlanPtr plan = plan_of("64*2 f16");
  ASSERT_NE(plan, nullptr) << last_error_text();
  std::vector<std::uint16_t> in(256, 0x7bff), out(256);  // 65504
  std::int64_t saturated = -1;
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.data();
  to.data[0] = out.data();
  to.saturated = &saturated;
  ASSERT_EQ(ulpfft_execute_on_host(plan.get(), &from, &to), ULPFFT_OK) << last_error_text();
  const PlanPtr judge = make_plan(context(), "64*2 f16", recipe_of(plan.get()));
  std::vector<std::uint16_t> expected(256);
  std::int64_t counted = -1;
  to.data[0] = expected.data();
  to.saturated = &counted;
  ASSERT_EQ(ulpfft_execute_on_host(judge.get(), &from, &to), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(out, expected);
  EXPECT_GT(counted, 0);
  EXPECT_EQ(saturated, counted);
}

// ---- what is refused

TEST(CudaPlans, RefuseWhatIsNotBuiltByASentence) {
  const FakeDriver driver;
  expect_refused("64 e4m3", ULPFFT_UNSUPPORTED, "storage_in", "e4m3");
  expect_refused("64 f32->mxfp8_e4m3", ULPFFT_UNSUPPORTED, "storage_out", "mxfp8_e4m3");
  expect_refused("64 f32 scheme=rounded:f16", ULPFFT_UNSUPPORTED, "scheme", "rounded:f16");
  expect_refused("64 f32 scheme=mx:mxfp8_e4m3", ULPFFT_UNSUPPORTED, "scheme", "mx:");
  expect_refused("64 f32 split", ULPFFT_UNSUPPORTED, "layout", "split");
  expect_refused("64 f32 chain=mul", ULPFFT_UNSUPPORTED, "chain", "Chains");
  expect_refused("64 f32 intermediate=f16", ULPFFT_UNSUPPORTED, "intermediate", "between passes");
  expect_refused("64 f32 prescale=amax", ULPFFT_UNSUPPORTED, "prescale_kind", "prescale");
  expect_refused("17 f32", ULPFFT_UNSUPPORTED, "lengths[0]", "17");
  expect_refused("64*3 f32->f16 batch_strides=64,70", ULPFFT_UNSUPPORTED, "lengths[0]", "gaps");
}

// Sizes that a launch cannot have.
TEST(CudaPlans, RefuseMoreThanALaunchCanCount) {
  const FakeDriver driver({.has_driver = false});
  const auto refused = [](const std::string& problem, const char* recipe = "f32:dit(8 8)") {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_from_recipe(context(), (problem + " backend=cuda").c_str(), recipe, &plan), ULPFFT_OK) << problem;
    return last_error().message;
  };
  // The table of the first sweep would have 20 x 2^27 factors.
  const std::string many = refused("8589934592 f32",
                                   "f32:four(64x134217728 p64; dit(8 8); four(2048x65536 p64; dit(16 16 8); "
                                   "four(256x256 p64; dit(16 16); dit(16 16))))");
  EXPECT_NE(many.find("factors between two sweeps"), std::string::npos) << many;
  EXPECT_NE(refused("64*2147483648 f32").find("2^31 - 1 lines"), std::string::npos) << last_error_text();
  const std::string strides = "64000000000,512000000,4096000,32768,";
  EXPECT_NE(refused("64*100x100x100x100x100 f32 batch_strides=" + strides + "256," + strides + "64").find("launches"), std::string::npos)
      << last_error_text();
}

// Recipes that the processor has, and kernels have not.
TEST(CudaPlans, RefuseRecipesWithoutAKernel) {
  const FakeDriver driver;
  for (const char* recipe : {"f32:dit(16 4)", "f32:dit(8 8:ch)", "f32:cols(p8; dit(8 8:ds))",
                             "f32:dit(8 / 8)", "f32:dit(8 8 stream)", "f32:dit(8|f16 8)",
                             "f64:dit(8 8:ch)", "f32:n64", "rounded:f16:dit(8 8)", "f32:rader(64; n8)", "f32:dit(8 8 8)",
                             "f32:rank(n8; n8)"}) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_from_recipe(context(), "64 f32 backend=cuda", recipe, &plan), ULPFFT_OK) << recipe;
    EXPECT_EQ(plan, nullptr);
    EXPECT_FALSE(last_error().message.empty());
  }
}

// ---- machines that cannot execute

struct Absence {
  FakeMachine machine;
  std::string word;
};

TEST(CudaPlans, AreMadeByTheModelWhereNothingCanBeExecuted) {
  const Absence absences[] = {{{.has_driver = false}, "no NVIDIA driver"},
                              {{.driver_version = 11070}, "too old: it serves CUDA 11.7, and ulpfft needs 11.8"},
                              {{.devices = 0}, "no device"},
                              {{.images = 0}, "This build has no CUDA kernels"}};
  for (const Absence& absence : absences) {
    const FakeDriver driver(absence.machine);
    const PlanPtr plan = plan_of("4096 f32", ULPFFT_MEASURE);
    ASSERT_NE(plan, nullptr) << absence.word << ": " << last_error_text();
    EXPECT_EQ(recipe_of(plan.get()), "f32:dit(16 16 16)");
    const std::string text = take(ulpfft_plan_describe(plan.get()));
    EXPECT_NE(text.find("not timed: no device"), std::string::npos) << text;
    auto candidate = sized<ulpfft_candidate>();
    ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), 0, &candidate), ULPFFT_OK);
    EXPECT_EQ(candidate.predicted_seconds + candidate.seconds, 0) << "no time is claimed";
    EXPECT_NE(text.find(absence.word), std::string::npos) << text;
    std::vector<float> in(8192), out(8192);
    EXPECT_EQ(ulpfft_execute(plan.get(), in.data(), out.data()), ULPFFT_UNAVAILABLE);
    EXPECT_NE(last_error().message.find(absence.word), std::string::npos) << last_error_text();
    auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
    from.data[0] = in.data();
    to.data[0] = out.data();
    EXPECT_NE(ulpfft_execute_on_host(plan.get(), &from, &to), ULPFFT_OK);
    std::uint64_t hash = 0;
    EXPECT_NE(ulpfft_plan_hash(plan.get(), &hash), ULPFFT_OK);
    EXPECT_NE(take(ulpfft_backend_describe("cuda")).find(absence.word), std::string::npos);
    expect_refused("64 f32 max_error=1e-3", ULPFFT_UNAVAILABLE, "backend", "Errors are measured on the device");
    EXPECT_EQ(driver.live(), 0);
  }
}

TEST(CudaPlans, AreTimedByEventsWhereThereIsADevice) {
  FakeDriver driver;
  const PlanPtr plan = plan_of("512*64 f32", ULPFFT_MEASURE);
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_GT(ulpfft_plan_seconds(plan.get()), 0);
  EXPECT_NE(take(ulpfft_backend_describe("cuda")).find("Fake device 0, sm_90"), std::string::npos);
  expect_no_faults(driver);
}

TEST(CudaPlans, AreTheSameWhereTheyAreDeterministicAndForSeveralThreads) {
  const FakeDriver driver;
  for (const char* problem : {"4096*3 f32", "65536 f64", "16x32 f16"}) {
    auto options = sized<ulpfft_plan_options>();
    options.flags = ULPFFT_DETERMINISTIC;
    ulpfft_plan* plan = nullptr;
    ASSERT_EQ(ulpfft_plan_parse_options(context(), (problem + std::string(" backend=cuda threads=4")).c_str(), &options, &plan), ULPFFT_OK)
        << last_error_text();
    const PlanPtr owned(plan);
    EXPECT_EQ(recipe_of(plan), recipe_of(plan_of(problem).get())) << problem;
    EXPECT_EQ(ulpfft_plan_threads(plan), 1) << problem;
    EXPECT_NE(take(ulpfft_plan_explain(plan)).find("launch "), std::string::npos) << problem;
  }
}

// Arrays lie on the device, so that the memory of the host is no limit, but that of the caller is.
TEST(CudaPlans, MayBeLargerThanTheMemoryOfTheHost) {
  const FakeDriver driver({.has_driver = false});
  EXPECT_NE(plan_of("4096*1000000000 f32"), nullptr) << last_error_text();
  auto options = sized<ulpfft_plan_options>();
  options.max_memory = 1000;
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse_options(context(), "4096 f32 backend=cuda", &options, &plan), ULPFFT_NO_MEMORY) << last_error_text();
}

TEST(CudaPlans, AreRememberedByTheNameOfTheDevice) {
  const FakeDriver driver;
  const ContextPtr first = make_context("ref"), second = make_context("ref");
  const char* const problem = "512*64 f32 backend=cuda";
  ASSERT_NE(make_plan(first.get(), problem, ULPFFT_MEASURE), nullptr);
  const std::string wisdom = take(ulpfft_wisdom_export_string(first.get()));
  EXPECT_NE(wisdom.find("nvidia.fake_device_0.12040"), std::string::npos) << wisdom;
  auto report = sized<ulpfft_import_report>();
  ASSERT_EQ(ulpfft_wisdom_import_string(second.get(), wisdom.data(), wisdom.size(), &report), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(report.foreign, 1u) << "an import loads no driver";
  const std::string details = take(report.details);
  EXPECT_NE(details.find("it is of a device. Plans for that device find it, if it is here."), std::string::npos) << details;
  const PlanPtr plan = make_plan(second.get(), problem, ULPFFT_WISDOM_ONLY);
  ASSERT_NE(plan, nullptr);
  EXPECT_NE(ulpfft_plan_from_wisdom(plan.get()), 0);
  EXPECT_GT(ulpfft_plan_seconds(plan.get()), 0);
}

TEST(CudaPlans, KeepAnErrorLimitByWhatTheyMeasure) {
  const FakeDriver driver;
  const PlanPtr plan = plan_of("256*8 f16 max_error=1e-3");
  ASSERT_NE(plan, nullptr) << last_error_text();
  EXPECT_EQ(ulpfft_plan_error_level(plan.get()), ULPFFT_ERROR_SAMPLED);
  EXPECT_LE(ulpfft_plan_error(plan.get()), 1e-3);
}

}  // namespace
}  // namespace ulpfft::test
