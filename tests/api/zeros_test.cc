// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Zeros of either sign and impulses have the bits of the reference on every target with FMA: random data hold no zero, so that a factor -0
// in a table, or a sum whose operands are exchanged, shows nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/problems.h"
#include "tests/support/r2r_case.h"
#include "tests/support/sample.h"
#include "tests/support/targets.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {
namespace {

// An element format as bytes: the codes of -0 and of 1. That of +0 is 0.
struct Element {
  std::size_t bytes;
  std::uint64_t sign, one;
};
const std::map<std::string, Element>& elements() {
  static const std::map<std::string, Element> table = {{"f32", {4, 0x80000000, 0x3f800000}},
                                                       {"f64", {8, 0x8000000000000000, 0x3ff0000000000000}},
                                                       {"f16", {2, 0x8000, 0x3c00}},
                                                       {"bf16", {2, 0x8000, 0x3f80}},
                                                       {"e4m3", {1, 0x80, 0x38}}};
  return table;
}

enum class Data : std::uint8_t { kZeros, kNegativeZeros, kSignedZeros, kImpulse, kNegativeImpulse, kImpulseInSignedZeros, kSigns, kSparse };
constexpr Data kAllData[] = {Data::kZeros,           Data::kNegativeZeros,        Data::kSignedZeros, Data::kImpulse,
                             Data::kNegativeImpulse, Data::kImpulseInSignedZeros, Data::kSigns,       Data::kSparse};

std::vector<std::byte> array_of(Data data, const Element& element, std::size_t bytes, Random& random) {
  std::vector<std::byte> array(bytes);
  const auto count = static_cast<std::int64_t>(bytes / element.bytes), impulse = random.between(0, count - 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t sign = random.chance(0.5) ? element.sign : 0;
    std::uint64_t code = 0;
    switch (data) {
      case Data::kZeros: break;
      case Data::kNegativeZeros: code = element.sign; break;
      case Data::kSignedZeros: code = sign; break;
      case Data::kImpulse: code = i == impulse ? element.one : 0; break;
      case Data::kNegativeImpulse: code = i == impulse ? element.one | element.sign : element.sign; break;
      case Data::kImpulseInSignedZeros: code = (i == impulse ? element.one : 0) | sign; break;
      case Data::kSigns: code = element.one | sign; break;
      case Data::kSparse: code = (random.chance(0.1) ? element.one : 0) | sign; break;
    }
    std::memcpy(array.data() + static_cast<std::size_t>(i) * element.bytes, &code, element.bytes);
  }
  return array;
}

// Of a split problem both arrays lie one after the other; the operation of a chain changes nothing.
std::vector<std::byte> run(const ulpfft_plan* plan, const std::string& problem, std::vector<std::byte> in, std::size_t out_bytes) {
  std::vector<std::byte> out(out_bytes);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  auto operation = sized<ulpfft_operation>();
  operation.apply = [](void*, const ulpfft_tile*) {};
  std::vector<std::byte>& result = out.empty() ? in : out;  // in place
  from.data[0] = in.data();
  to.data[0] = result.data();
  if (problem.find(" split") != std::string::npos) {
    from.data[1] = in.data() + in.size() / 2;
    to.data[1] = result.data() + result.size() / 2;
  }
  const bool chain = problem.find(" chain") != std::string::npos;
  EXPECT_EQ(chain ? ulpfft_execute_chain(plan, &from, &to, &operation, nullptr) : ulpfft_execute_arrays(plan, &from, &to, nullptr), ULPFFT_OK)
      << problem << " " << last_error_text();
  return result;
}

void expect_bits_of_the_reference(const std::string& problem, std::string_view storage) {
  const Element& element = elements().at(std::string(storage));
  for (const Target& target : targets()) {
    if (!target.has_fma || target.backend == "ref") continue;
    const PlanPtr plan = make_plan(target.context, problem);
    ASSERT_NE(plan, nullptr) << target.name << " " << problem;
    const std::string recipe = recipe_of(plan.get()), what = target.name + " \"" + problem + "\" by " + recipe;
    const PlanPtr judge = make_plan(ref_target().context, problem, recipe);
    ASSERT_NE(judge, nullptr) << what;
    auto memory = sized<ulpfft_memory>();
    ASSERT_EQ(ulpfft_plan_memory(plan.get(), &memory), ULPFFT_OK) << what;
    Random random(seed_of(problem));
    for (const Data data : kAllData) {
      const std::vector<std::byte> in = array_of(data, element, memory.in_bytes, random);
      EXPECT_TRUE(run(plan.get(), problem, in, memory.out_bytes) == run(judge.get(), problem, in, memory.out_bytes))
          << what << ", data " << static_cast<int>(data);
    }
  }
}

std::vector<std::string> all_kinds(const std::string& shape, std::int64_t n) {
  std::vector<std::string> problems = {shape, shape + " inverse", "r2c " + shape, "c2r " + shape, "r2c " + shape + " inverse",
                                       "c2r " + shape + " scale=1/n"};
  for (int kind = 0; kind < kR2rKinds; ++kind) {
    if (kind == ULPFFT_REDFT00 && n == 1) continue;
    problems.push_back("r2r " + shape + " kinds=" + std::string(kR2rNames[static_cast<std::size_t>(kind)]));
  }
  return problems;
}

TEST(Zeros, OfEveryKindHaveTheBitsOfTheReference) {
  const std::int64_t last = full_run() ? 200 : 40;
  Sampler sampler(3);
  std::vector<std::int64_t> lengths = {64, 101, 128, 210, 256, 263, 1000, 1009, 1024};
  for (std::int64_t n = 1; n <= last; ++n) lengths.push_back(n);
  if (full_run()) lengths.insert(lengths.end(), {512, 2187, 4096, 10007, 16384});
  for (const std::int64_t n : lengths) {
    for (const char* storage : {"f32", "f64"}) {
      for (const std::int64_t batch : {1, 5, 16}) {
        if (n > last && batch > 1) continue;
        const std::string shape = std::to_string(n) + (batch > 1 ? "*" + std::to_string(batch) : "") + " " + storage;
        for (const std::string& problem : all_kinds(shape, n)) {
          if (sampler.next()) expect_bits_of_the_reference(problem, storage);
        }
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Zeros, OfSeveralDimensionsPlacementsAndSchemesHaveTheBitsOfTheReference) {
  for (const std::string storage : {"f32", "f64"}) {
    for (const char* problem :
         {"18 ? inverse inplace", "24 ? inverse centered", "24 ? split inverse", "35*7 ? inverse scale=ortho", "24x18 ? inverse", "12x10*9 ? inverse",
          "48*5 ? inverse in_strides=7", "256*64 ? inverse batch_strides=1,1 in_strides=64 out_strides=64", "r2c 24x20 ?", "c2r 24x20 ? inplace",
          "c2r 24x21 ? inverse destroy_input", "r2r 8x8*33 ? kinds=dct2,dct3", "r2r 24x15 ? kinds=dst4,dct1", "240 ? inverse threads=2",
          "60 ? inverse chain=user", "60 ? inverse"}) {
      std::string text = problem;
      text.replace(text.find('?'), 1, storage);
      expect_bits_of_the_reference(text, storage);
    }
  }
  for (const std::string problem : {"24 f32", "36 f32 inverse", "r2c 24 f32", "c2r 36 f32", "r2r 20 f32 kinds=dct2"}) {
    for (const char* scheme : {"rounded:f16", "rounded:bf16/f32"}) expect_bits_of_the_reference(problem + " scheme=" + scheme, "f32");
  }
}

TEST(Zeros, OfNarrowStorageHaveTheBitsOfTheReference) {
  for (const std::string storage : {"f16", "bf16", "e4m3"}) {
    for (const std::string& ends : {storage, storage + "->f32", storage + "->i16"}) {
      for (const std::int64_t n : {1, 2, 3, 8, 15, 16, 18, 24, 35, 64, 101, 1000}) {
        for (const char* batch : {"", "*17"}) {
          for (const std::string& problem : all_kinds(std::to_string(n) + batch + " " + ends, n)) expect_bits_of_the_reference(problem, storage);
        }
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
