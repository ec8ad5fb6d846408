// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The twin of every CUDA kernel gives the bits of ref for the recipe it names. Cases come from the list of kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>

#include "codelets/contract/codec.h"
#include "tests/codelets/cuda/launch_case.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::cuda {

// For names of parameters.
void PrintTo(const KernelInfo& kernel, std::ostream* out) { *out << kernel.name; }

namespace test {
namespace {

using ulpfft::test::seed_of;

std::vector<KernelInfo> list_of(bool (*takes)(const KernelInfo&)) {
  std::vector<KernelInfo> list;
  std::copy_if(kernels().begin(), kernels().end(), std::back_inserter(list), takes);
  return list;
}
std::vector<KernelInfo> transforms() {
  return list_of([](const KernelInfo& k) { return k.kind != KernelKind::kConvert; });
}
std::vector<KernelInfo> conversions() {
  return list_of([](const KernelInfo& k) { return k.kind == KernelKind::kConvert; });
}
std::string name_of(const ::testing::TestParamInfo<KernelInfo>& info) { return info.param.name; }

class EveryTransform : public ::testing::TestWithParam<KernelInfo> {
 protected:
  // Equal bits in every order of threads.
  void expect_ref(LaunchCase launch) {
    launch.kernel = &GetParam();
    const Twin* const twin = find_twin(GetParam().name);
    ASSERT_NE(twin, nullptr);
    const Bytes rows = random_rows(launch, seed_of(GetParam().name) + static_cast<std::uint64_t>(launch.count));
    std::int64_t saturated = 0;
    Bytes expected = transformed_by_ref(launch, rows, saturated);
    if (HasFailure()) return;
    twist_rows(launch, expected);
    for (int order = 0; order < host::kOrders; ++order) {
      launch.order = static_cast<host::Order>(order);
      const Outcome outcome = run_and_compare(launch, twin->run, rows, expected);
      EXPECT_EQ(outcome.difference, "") << "count " << launch.count << ", order of threads " << order << ", inverse " << launch.inverse;
      EXPECT_EQ(outcome.saturated, saturated);
    }
  }
  // Of a kernel that has a direction, its own.
  bool backward() const { return GetParam().fixed_direction && GetParam().backward; }
};

TEST_P(EveryTransform, OfOneEqualsRefWithGapsAndOuterLoops) {
  expect_ref({.count = 1, .outer = {1, 2, 3}, .inverse = backward(), .gap = 3});
}

TEST_P(EveryTransform, OfAFullBlockEqualsRefDense) { expect_ref({.count = GetParam().per_block, .inverse = backward()}); }

TEST_P(EveryTransform, OfAFullBlockAndOneEqualsRefScaledAndWithGaps) {
  expect_ref({.count = GetParam().per_block + 1, .inverse = backward(), .scale = 0.3, .gap = 1});
}

TEST_P(EveryTransform, InPlaceEqualsRefWhereItSaysSo) {
  if (!GetParam().in_place) return;
  expect_ref({.count = GetParam().per_block + 1, .inverse = backward(), .in_place = true});
}

TEST_P(EveryTransform, WithoutFactorsEqualsRef) {
  if (GetParam().kind != KernelKind::kTwisted) return;
  expect_ref({.count = GetParam().per_block + 1, .outer = {1, 2, 2}, .scale = 0.3, .gap = 2, .twists = false});
  if (GetParam().in_place) expect_ref({.count = GetParam().per_block, .in_place = true, .twists = false});
  expect_ref({.count = GetParam().per_block + 1, .gap = 1, .centered = true, .twists = false});
}

TEST_P(EveryTransform, BackwardEqualsRef) {
  if (GetParam().fixed_direction) return;  // kernels of their own
  // FourSteps has the twisted ones: the exchange at store comes after the second sweep.
  expect_ref({.count = GetParam().per_block + 1, .inverse = true, .gap = 1, .twists = false});
}

TEST_P(EveryTransform, CentredEqualsRefWithPointsTurned) {
  expect_ref({.count = GetParam().per_block + 1, .inverse = backward(), .gap = 1, .centered = true});
  if (GetParam().in_place) expect_ref({.count = GetParam().per_block, .inverse = backward(), .in_place = true, .centered = true});
}

TEST_P(EveryTransform, SaturatesAndCountsAsRefDoes) {
  if (real_bytes(GetParam().out) != 2) return;
  // Some results lie beyond the largest value, most do not.
  const double largest = GetParam().out == Storage::kF16 ? 65504.0 : 0x1.fep127;
  expect_ref({.count = 2, .inverse = backward(), .rms = largest / 2 / std::sqrt(static_cast<double>(GetParam().n))});
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryTransform, ::testing::ValuesIn(transforms()), name_of);

// The two sweeps of `four` through a matrix between them.
void run_four(const KernelInfo& first, const KernelInfo& second, bool inverse) {
  const std::int64_t n1 = first.n, n2 = second.n, n = n1 * n2, batch = 2;
  const std::string type = first.is_f64 ? "f64" : "f32";
  const auto node = [](const KernelInfo& kernel) { return std::string(kernel.recipe).substr(4); };
  const std::string lengths = std::to_string(n1) + "x" + std::to_string(n2);
  const std::string recipe = type + ":four(" + lengths + " p64; " + node(first) + "; " + node(second) + ")";
  const std::string storage = storage_name(first.in), storage_out = storage_name(second.out);
  const std::string problem = std::to_string(n) + "*2 " + storage + "->" + storage_out + (inverse ? " inverse" : "") + " scale=0.7";
  const auto plan = ulpfft::test::make_plan(ulpfft::test::ref_target().context, problem, recipe);
  ASSERT_NE(plan, nullptr);
  LaunchCase data{.kernel = &first, .count = n2 * batch};
  ulpfft::test::Stored in(storage, batch, 2 * n), out(storage_out, batch, 2 * n);
  in.codes = random_rows(data, seed_of(recipe));
  ASSERT_EQ(execute(plan, in, out), ULPFFT_OK);

  Bytes matrix(static_cast<std::size_t>(batch * n * 2 * real_bytes(first.out))), result(out.codes.size());
  std::vector<double> table1(first.table_bytes / 8 + 1), table2(second.table_bytes / 8 + 1);
  std::vector<double> twist(twist_bytes(first, n2) / 8);
  fill_table(first, table1.data());
  fill_table(second, table2.data());
  fill_twist(first, n2, twist.data());
  Args sweep;
  sweep.in = {in.codes.data(), n2, 1, n, 0, 0};
  sweep.out = {matrix.data(), n2, 1, n, 0, 0};
  sweep.count = n2;
  sweep.table = table1.data();
  sweep.twist = twist.data();
  sweep.twist_columns = n2;
  sweep.scale = 0.7;
  sweep.swap_in = inverse ? 1 : 0;
  const auto blocks = [](std::int64_t count, const KernelInfo& kernel) {
    return static_cast<unsigned>((count + kernel.per_block - 1) / kernel.per_block);
  };
  find_twin(first.name)->run(sweep, {blocks(n2, first), batch, 1}, host::Order::kUp);
  sweep = {};
  sweep.in = {matrix.data(), 1, n2, n, 0, 0};
  sweep.out = {result.data(), n1, 1, n, 0, 0};
  sweep.count = n1;
  sweep.table = table2.data();
  sweep.swap_out = inverse ? 1 : 0;
  find_twin(second.name)->run(sweep, {blocks(n1, second), batch, 1}, host::Order::kUp);
  EXPECT_TRUE(result == out.codes) << recipe << (inverse ? " inverse" : "");
}

TEST(FourSteps, EqualRefForEveryKernelOfEitherSweep) {
  const auto list = transforms();
  for (const KernelInfo& kernel : list) {
    const bool is_first = kernel.kind == KernelKind::kTwisted;
    if (!is_first && kernel.kind != KernelKind::kTurned) continue;
    // The partner has 64 points, and the storage of the arithmetic.
    const auto partner = std::find_if(list.begin(), list.end(), [&](const KernelInfo& k) {
      return k.kind == (is_first ? KernelKind::kTurned : KernelKind::kTwisted) && k.n == 64 && k.is_f64 == kernel.is_f64 && k.in == k.out;
    });
    ASSERT_NE(partner, list.end());
    for (const bool inverse : {false, true}) {
      is_first ? run_four(kernel, *partner, inverse) : run_four(*partner, kernel, inverse);
    }
  }
}

class EveryConversion : public ::testing::TestWithParam<KernelInfo> {};

// Values of every exponent, and what is no number.
std::vector<double> all_kinds(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  for (const double x : {0.0, -0.0, 65504.0, 65519.99, 65520.0, -65520.0, 0x1.fep127, 0x1.ffp127, -0x1.ffp127, 0x1p-149, 0x1p-133, 0x1p-24,
                         0x1.8p-25, 0x1p-25}) {
    values.push_back(x);
  }
  values.push_back(std::numeric_limits<double>::infinity());
  values.push_back(-std::numeric_limits<double>::infinity());
  values.push_back(std::numeric_limits<double>::quiet_NaN());
  while (values.size() < count) {
    const int exponent = static_cast<int>(random() % 320) - 212;
    values.push_back(std::ldexp(static_cast<double>(random() >> 11) - 0x1p52, exponent));
  }
  return values;
}

double value_of(Storage storage, const std::uint8_t* at) {
  float narrow;
  double wide;
  std::uint16_t code;
  switch (storage) {
    case Storage::kF64: std::memcpy(&wide, at, 8); return wide;
    case Storage::kF32: std::memcpy(&narrow, at, 4); return static_cast<double>(narrow);
    default: std::memcpy(&code, at, 2); return decode(host::format(storage), code);
  }
}
// Returns whether the real saturated.
bool put(Storage storage, double value, std::uint8_t* at) {
  if (storage == Storage::kF64) {
    std::memcpy(at, &value, 8);
  } else if (storage == Storage::kF32) {
    const auto narrow = static_cast<float>(value);
    std::memcpy(at, &narrow, 4);
  } else {
    const Encoded encoded = encode(host::format(storage), value, Rounding::kNearestSaturate);
    const auto code = static_cast<std::uint16_t>(encoded.code);
    std::memcpy(at, &code, 2);
    return encoded.saturated;
  }
  return false;
}

TEST_P(EveryConversion, EqualsTheSlowCodec) {
  const KernelInfo& kernel = GetParam();
  const auto in_bytes = static_cast<std::size_t>(real_bytes(kernel.in));
  const auto out_bytes = static_cast<std::size_t>(real_bytes(kernel.out));
  for (const std::int64_t count : {1, kernel.per_block, kernel.per_block + 1}) {
    const auto size = static_cast<std::size_t>(count);
    const std::vector<double> values = all_kinds(static_cast<std::size_t>(kernel.per_block), 5);
    ulpfft::test::GuardedBuffer in(size * in_bytes), out(size * out_bytes);
    std::vector<std::uint8_t> expected(size * out_bytes);
    std::int64_t saturated = 0;
    for (std::size_t i = 0; i < size; ++i) {
      put(kernel.in, values[i % values.size()], in.as<std::uint8_t>() + i * in_bytes);
      saturated += put(kernel.out, value_of(kernel.in, in.as<std::uint8_t>() + i * in_bytes), &expected[i * out_bytes]) ? 1 : 0;
    }
    unsigned long long counted = 0;
    Args args;
    args.in.data = in.data();
    args.out.data = out.data();
    args.count = count;
    args.saturated = &counted;
    const auto blocks = static_cast<unsigned>((count + kernel.per_block - 1) / kernel.per_block);
    for (int order = 0; order < host::kOrders; ++order) {
      counted = 0;
      find_twin(kernel.name)->run(args, {blocks, 1, 1}, static_cast<host::Order>(order));
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_EQ(std::memcmp(out.as<std::uint8_t>() + i * out_bytes, &expected[i * out_bytes], out_bytes), 0)
            << i << ": " << values[i % values.size()];
      }
      EXPECT_EQ(static_cast<std::int64_t>(counted), saturated);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryConversion, ::testing::ValuesIn(conversions()), name_of);

TEST(ListOfKernels, NamesAreUniqueAndTheBudgetHolds) {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : kernels()) names.emplace_back(kernel.name);
  EXPECT_LE(names.size(), 250u);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(std::count_if(kernels().begin(), kernels().end(), [](const KernelInfo& k) { return k.smoke; }), 11);
}

// Half of a line whose points are a matrix is half of the rows of the matrix.
TEST(ListOfKernels, SweepsOfFourHaveEvenLengths) {
  for (const KernelInfo& kernel : kernels()) {
    const bool is_sweep = kernel.kind == KernelKind::kTwisted || kernel.kind == KernelKind::kTurned;
    EXPECT_TRUE(!is_sweep || kernel.n % 2 == 0) << kernel.name;
  }
}

// What a block may have on every processor that the kernels are compiled for.
TEST(ListOfKernels, BlocksFitTheProcessors) {
  for (const KernelInfo& kernel : kernels()) {
    EXPECT_LE(kernel.threads, 1024) << kernel.name;
    EXPECT_LE(kernel.shared_bytes, 163u * 1024) << kernel.name;
    EXPECT_GE(kernel.per_block, 1) << kernel.name;
  }
}

}  // namespace
}  // namespace test
}  // namespace ulpfft::cuda
