// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Passes that decode narrow input or encode narrow output: every codelet of the registry gives the bits of conversions before and after.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codelets/registry.h"
#include "tests/support/api.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

// One end: codes of an element or block format, or f32.
struct End {
  std::string storage;
  bool has_blocks() const { return storage.rfind("mx", 0) == 0; }
  std::size_t bytes() const {
    auto layout = sized<ulpfft_layout>();
    const std::int64_t one = 1;
    return ulpfft_format_layout(storage.c_str(), 1, &one, &layout) == ULPFFT_OK ? static_cast<std::size_t>(layout.row_bytes) : 4;  // f32
  }
};

struct Case {
  std::string lengths;     // with batch
  std::int64_t points = 0;  // of both arrays, gaps included
  End in, out;
  std::string options;     // as in a problem text
  std::string passes;      // of a dit, flags included
  std::string without;     // flags left out
  std::string problem() const { return lengths + " " + in.storage + "->" + out.storage + options; }
};

struct Input {
  Bytes codes, scales;
};

struct Result {
  Bytes out, scales;
  std::int64_t saturated = -1;
};

enum class Data { kNormal, kSmall, kLarge, kNotFinite };  // small: below 2 in magnitude, which transforms in registers look for

Input input(const Case& c, Data data) {
  std::mt19937_64 random(seed_of(c.problem()));
  std::normal_distribution<float> draw(0, data != Data::kLarge ? 1.0F : c.in.storage == "bf16" ? 3000.0F : 10000.0F);
  std::vector<float> reals(static_cast<std::size_t>(2 * c.points));
  for (float& x : reals) x = draw(random);
  if (data == Data::kSmall) {
    for (float& x : reals) x = std::clamp(x, -1.9921875F, 1.9921875F);
    std::fill_n(reals.begin(), reals.size() / 3, 1.9921875F);
  }
  if (c.in.storage == "i16" && data != Data::kLarge) {
    for (float& x : reals) x *= 1000;
  }
  if (c.in.has_blocks()) std::fill_n(reals.begin() + 32, 96, 0.0F);  // blocks with the least scale
  if (c.in.has_blocks() && data == Data::kLarge) {  // scales to the ends of f32
    std::uniform_int_distribution<int> power(-126, 110);
    int e = 0;
    for (std::size_t i = 0; i < reals.size(); ++i) {
      if (i % 64 == 0) e = power(random);
      reals[i] = std::ldexp(reals[i] / 10000, e);
    }
  }
  if (c.in.storage == "bf16" && data == Data::kLarge) {
    for (float& x : reals) x *= 0x1p112F;
  }
  if (data == Data::kNotFinite) {
    reals[5] = std::numeric_limits<float>::quiet_NaN();
    reals[static_cast<std::size_t>(2 * c.points - 8)] = -std::numeric_limits<float>::infinity();
  }
  Input made{Bytes(reals.size() * c.in.bytes()), Bytes(c.in.has_blocks() ? reals.size() / 2 : 0)};
  Bytes& bytes = made.codes;
  if (c.in.storage == "f32") {
    std::memcpy(bytes.data(), reals.data(), bytes.size());
    return made;
  }
  auto job = sized<ulpfft_conversion>();
  job.storage = c.in.storage.c_str();
  job.rows = 1;
  job.reals = static_cast<std::int64_t>(reals.size());
  job.rounding = ULPFFT_ROUND_NEAREST;  // infinities stay
  EXPECT_EQ(ulpfft_encode(nullptr, &job, reals.data(), bytes.data(), c.in.has_blocks() ? made.scales.data() : nullptr, nullptr), ULPFFT_OK)
      << last_error_text();
  if (c.in.storage.find("fp8") != std::string::npos && data == Data::kNotFinite) bytes[9] = 0xff;  // a NaN of its own
  return made;
}

Result execute(ulpfft_context* context, const Case& c, const std::string& passes, Input in, std::vector<std::int32_t>* exponents = nullptr) {
  Result result;
  const PlanPtr plan = make_plan(context, c.problem(), "f32:dit(" + passes + ")");
  if (plan == nullptr) return result;
  const bool in_place = c.options.find("inplace") != std::string::npos;
  result.out.assign(static_cast<std::size_t>(2 * c.points) * c.out.bytes(), 0xa5);
  if (c.out.has_blocks()) result.scales.assign(static_cast<std::size_t>(c.points), 0xa5);
  auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
  from.data[0] = in.codes.data();
  to.data[0] = in_place ? in.codes.data() : result.out.data();
  if (c.in.has_blocks()) from.scales[0] = in.scales.data();
  if (c.out.has_blocks()) to.scales[0] = in_place ? in.scales.data() : result.scales.data();
  to.saturated = &result.saturated;
  if (exponents != nullptr) {
    if (c.in.storage != "f32") from.exponents = exponents->data();
    if (c.out.storage != "f32") to.exponents = exponents->data();
  }
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  if (in_place) result.out = in.codes;
  if (in_place) result.scales = in.scales;
  if (c.out.storage == "f32") {  // which NaN it is differs
    for (std::size_t i = 0; i + 4 <= result.out.size(); i += 4) {
      float x = 0;
      std::memcpy(&x, &result.out[i], 4);
      if (!std::isnan(x)) continue;
      x = std::numeric_limits<float>::quiet_NaN();
      std::memcpy(&result.out[i], &x, 4);
    }
  }
  return result;
}

struct Fused {
  const RegisteredTarget* target;
  const CodeletInfo* codelet;
};

std::vector<Fused> fused_codelets() {
  std::vector<Fused> list;
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    for (const CodeletInfo& codelet : target.table.fused) list.push_back({&target, &codelet});
  }
  return list;
}

std::string name_of(const Fused& fused) {
  std::string name = std::string(fused.target->table.target) + "_" + fused.codelet->body->name;
  if (fused.codelet->second != nullptr) name += std::string("_") + fused.codelet->second->name;
  return name + "_" + fused.codelet->in + "_" + fused.codelet->out;
}

void add(std::vector<Case>& cases, const std::vector<int>& radices, const std::string& in, const std::string& out, const std::string& flags) {
  std::int64_t n = 1;
  std::string passes;
  for (const int radix : radices) {
    n *= radix;
    passes += (passes.empty() ? "" : " ") + std::to_string(radix);
  }
  const std::string length = std::to_string(n);
  const auto keep = [&](const std::string& batch, std::int64_t points, const std::string& options, const std::string& stream = "") {
    cases.push_back({length + batch, points, {in}, {out}, options, passes + stream + flags, passes});
  };
  keep("", n, "");
  keep("", n, " inverse scale=1/n");
  keep("*3", 3 * n, " scale=0.75");
  keep("*4", 4 * n, "", " stream");
  // Strides of blocks count rows.
  const auto gap = [&](const std::string& storage, int more) { return End{storage}.has_blocks() ? "2" : std::to_string(n + more); };
  keep("*3", 5 * (n + 9), " batch_strides=" + gap(in, 7) + "," + gap(out, 9));
  keep("*3x2", 6 * n, " inverse threads=2");
  if (in == out) {
    keep("", n, " inplace");
    keep("*2", 2 * n, " inplace", " stream");
  }
}

std::vector<Case> cases_of(const Fused& fused) {
  const CodeletInfo& codelet = *fused.codelet;
  std::vector<Case> cases;
  if (codelet.kind == PassKind::kPacked) {
    const std::vector<int> radices{codelet.body->radix, codelet.second->radix};
    if (std::string(codelet.out).empty()) {
      add(cases, radices, codelet.in, "f32", " decode");
      add(cases, radices, codelet.in, codelet.in, " decode");
    } else {
      add(cases, radices, codelet.in, codelet.out, " decode encode");
    }
  } else if (codelet.kind == PassKind::kFirst) {
    for (const std::vector<int>& later : {std::vector<int>{4, 8}, {5, 4}, {9, 2}, {16, 3}}) {  // the last ones end inside a vector
      std::vector<int> radices{codelet.body->radix};
      radices.insert(radices.end(), later.begin(), later.end());
      if (End{codelet.in}.has_blocks()) radices[1] = 16;
      add(cases, radices, codelet.in, "f32", " decode");
      add(cases, radices, codelet.in, codelet.in, " decode");
    }
  } else {
    const int radix = codelet.body->radix;
    for (const std::vector<int>& before : {std::vector<int>{16}, {16, 3}, {16, 8}}) {
      std::vector<int> radices = before;
      radices.push_back(radix);
      add(cases, radices, "f32", codelet.out, " encode");
      add(cases, radices, codelet.out, codelet.out, " encode");
    }
    add(cases, {16, 16, radix}, codelet.out, codelet.out, " decode encode");
  }
  return cases;
}

class EveryFusedCodelet : public testing::TestWithParam<Fused> {};

TEST_P(EveryFusedCodelet, GivesTheBitsOfConversionsBeforeAndAfter) {
  const ContextPtr context = make_context(GetParam().target->table.target);
  ASSERT_NE(context, nullptr);
  for (const Case& c : cases_of(GetParam())) {
    for (const Data data : {Data::kNormal, Data::kSmall, Data::kLarge, Data::kNotFinite}) {
      SCOPED_TRACE(c.problem() + ", " + c.passes + ", data " + std::to_string(static_cast<int>(data)));
      const Input in = input(c, data);
      const Result fused = execute(context.get(), c, c.passes, in);
      const Result converted = execute(context.get(), c, c.without, in);
      ASSERT_EQ(fused.out, converted.out);
      ASSERT_EQ(fused.scales, converted.scales);
      EXPECT_EQ(fused.saturated, converted.saturated);
      if (data == Data::kLarge && (c.out.storage == "f16" || c.out.storage == "i16") && c.options.find("scale=1/n") == std::string::npos) {
        EXPECT_GT(fused.saturated, 0);
      }
    }
  }
}

// Targets without the codelet convert apart; without FMA the arithmetic between has other bits.
TEST_P(EveryFusedCodelet, IsExecutedByEveryTarget) {
  const ContextPtr context = make_context(GetParam().target->table.target);
  ASSERT_NE(context, nullptr);
  ASSERT_TRUE(GetParam().target->table.has_fma);
  for (const Case& c : cases_of(GetParam())) {
    const Input in = input(c, Data::kNormal);
    const Result expected = execute(context.get(), c, c.passes, in);
    for (const Target& target : targets()) {
      SCOPED_TRACE(c.problem() + ", " + c.passes + " on " + target.name);
      if (try_plan(target.context, c.problem(), "f32:dit(" + c.without + ")") == nullptr) continue;  // no codelet of that radix
      const Result found = execute(target.context, c, c.passes, in);
      const Bytes wanted = target.has_fma ? expected.out : execute(target.context, c, c.without, in).out;
      ASSERT_EQ(found.out, wanted);
    }
  }
}

TEST_P(EveryFusedCodelet, LeavesExponentsToConversions) {
  const ContextPtr context = make_context(GetParam().target->table.target);
  ASSERT_NE(context, nullptr);
  for (const Case& c : cases_of(GetParam())) {
    SCOPED_TRACE(c.problem() + ", " + c.passes);
    const Input in = input(c, Data::kLarge);
    std::vector<std::int32_t> first{3, -2, 0, 1, 5, -1}, second = first;
    ASSERT_EQ(execute(context.get(), c, c.passes, in, &first).out, execute(context.get(), c, c.without, in, &second).out);
    EXPECT_EQ(first, second);
  }
}

// An impulse: every result is the first number times the scale. It lies where a code ends or rounds either way, or beyond every code.
TEST_P(EveryFusedCodelet, RoundsAtTheEndsOfCodesAsConversionsDo) {
  const ContextPtr context = make_context(GetParam().target->table.target);
  ASSERT_NE(context, nullptr);
  std::set<std::string> seen;
  for (Case c : cases_of(GetParam())) {
    const bool is_plain = c.options.empty() && c.lengths.find('*') == std::string::npos;
    if (!is_plain || !seen.insert(c.problem() + c.passes).second) continue;
    for (const char* scale : {"1", "0.5", "-0.5", "1.0000153", "1.00001525878906250", "1.0000229", "1.0000305", "1.0000458", "2.0000306", "-1.5",
                              "40", "60", "100000", "3e30"}) {
      c.options = std::string(" scale=") + scale;
      for (const float first : {1.0F, -3.0F, 5.0F, 32767.0F, -32767.0F, -32768.0F, 65504.0F, 1e30F}) {
        if (c.in.has_blocks() || (c.in.storage == "i16" && std::abs(first) > 32768)) continue;
        std::vector<float> reals(static_cast<std::size_t>(2 * c.points));
        reals[0] = first;
        reals[1] = -first;
        Input in{Bytes(reals.size() * c.in.bytes()), {}};
        if (c.in.storage == "f32") {
          std::memcpy(in.codes.data(), reals.data(), in.codes.size());
        } else {
          auto job = sized<ulpfft_conversion>();
          job.storage = c.in.storage.c_str();
          job.rows = 1;
          job.reals = static_cast<std::int64_t>(reals.size());
          ASSERT_EQ(ulpfft_encode(nullptr, &job, reals.data(), in.codes.data(), nullptr, nullptr), ULPFFT_OK) << last_error_text();
        }
        const Result fused = execute(context.get(), c, c.passes, in);
        const Result converted = execute(context.get(), c, c.without, in);
        ASSERT_EQ(fused.out, converted.out) << c.problem() << " by " << c.passes << ", " << first;
        ASSERT_EQ(fused.saturated, converted.saturated) << c.problem() << " by " << c.passes << ", " << first;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFusedCodelet, testing::ValuesIn(fused_codelets()),
                         [](const testing::TestParamInfo<Fused>& fused) { return name_of(fused.param); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryFusedCodelet);

TEST(FusedEnds, WhatNoPassCouldConvertIsRefusedOnEveryTarget) {
  const struct {
    const char *problem, *recipe, *reason;
  } cases[] = {
      {"1024 f32", "f32:dit(16 16 4 decode)", "'decode' is for narrow input, which f32 is not"},
      {"1024 f16->f32", "f32:dit(16 16 4 encode)", "'encode' is for narrow output, which f32 is not"},
      {"1024 mxfp8_e4m3", "f32:dit(16 16 4 encode)", "No pass converts mxfp8_e4m3"},
      {"1024 mxfp4_e2m1", "f32:dit(16 16 4 decode)", "No pass converts mxfp4_e2m1"},
      {"1024 mxint8:b0", "f32:dit(16 16 4 decode)", "its rows have one scale each"},
      {"1024 f16 centered", "f32:dit(16 16 4 decode)", "the transform is centred"},
      {"1024 f16 split", "f32:dit(16 16 4 encode)", "the array is split"},
      {"1024 f16 in_strides=2 out_strides=1", "f32:dit(16 16 4 decode)", "its numbers are not adjacent"},
      {"1024 f16 prescale=amax", "f32:dit(16 16 4 decode)", "Passes of prescaled transforms"},
      {"1024 f16 scheme=rounded:f16", "rounded:f16:dit(16 16 4 decode)", "Passes of rounded and mx schemes"},
      {"1024 f16", "f32:dit(16 16 5 encode)", "the recipe gives 1280"},
      {"64x64 f16", "f32:rank(dit(16 4 decode); dit(16 4))", "Only a dit that is the whole transform"},
      {"65536 f16", "f32:four(256x256 p16; dit(16 16); dit(16 16 encode))", "Only a dit that is the whole transform"},
  };
  for (const Target& target : targets()) {
    for (const auto& c : cases) {
      EXPECT_EQ(try_plan(target.context, c.problem, c.recipe), nullptr) << target << ": " << c.problem << " by " << c.recipe;
      EXPECT_NE(last_error().message.find(c.reason), std::string::npos) << target << ": " << last_error().message;
      EXPECT_EQ(last_error().field, "recipe");
    }
  }
}

std::string description_of(const ulpfft_plan* plan) { return take(ulpfft_plan_describe(plan)); }

// What is missing is a codelet, or whole vectors of the target: the recipe runs, and the description says how.
TEST(FusedEnds, WithoutCodeletsForThemAreConvertedApart) {
  const struct {
    const char *problem, *passes, *flag, *reason;
  } cases[] = {
      {"1280 f16", "16 16 5", "encode", "has no codelet of radix 5 for it"},
      {"1024 f16", "16 16 4:ds", "encode", "has no codelet of radix 4:ds for it"},
      {"1000 f16", "10 5 5 4", "decode", "rows of 10 are no whole vectors"},
      {"48 f16", "16 3", "decode", "fewer columns than a vector"},
      {"960 mxint8", "16 5 4 3", "decode", ""},   // columns that are no whole vectors, of 8 and 16
      {"1024 mxint8:b8", "16 16 4", "decode", ""},  // blocks that are none
      {"1024 e5m2", "16 16 4", "decode", "has no codelet of radix 16 for it"},
  };
  for (const Target& target : targets()) {
    for (const auto& c : cases) {
      SCOPED_TRACE(target.name + ": " + c.problem + ", " + c.passes + " " + c.flag);
      if (!target.has_fma && std::string(c.passes).find("ds") != std::string::npos) continue;
      const PlanPtr apart = make_plan(target.context, c.problem, std::string("f32:dit(") + c.passes + ")");
      const PlanPtr plan = make_plan(target.context, c.problem, std::string("f32:dit(") + c.passes + " " + c.flag + ")");
      ASSERT_NE(plan, nullptr);
      EXPECT_EQ(hash_of(plan.get()), hash_of(apart.get()));
      const std::string text = description_of(plan.get()), wanted = std::string(c.flag) + "      converted apart here: ";
      EXPECT_NE(text.find(wanted), std::string::npos) << text;
      EXPECT_EQ(description_of(apart.get()).find("converted apart"), std::string::npos);
      if (target.backend != "ref") {
        EXPECT_NE(text.find(c.reason), std::string::npos) << text;
      }
    }
  }
}

// Of two ends one may have its codelet: f32 decodes with radix 16, and encodes with radices 4, 8 and 16.
TEST(FusedEnds, OneEndIsConvertedByPassesWhereTheOtherCannotBe) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || target.table.fused.empty()) continue;
    const ContextPtr context = make_context(target.table.target);
    const PlanPtr plan = make_plan(context.get(), "1280 f16", std::string("f32:dit(16 16 5 decode encode)"));
    ASSERT_NE(plan, nullptr);
    const std::string text = description_of(plan.get());
    EXPECT_EQ(text.find("decode      converted apart"), std::string::npos) << text;
    EXPECT_NE(text.find("encode      converted apart here: target"), std::string::npos) << text;
    EXPECT_EQ(hash_of(plan.get()), hash_of(make_plan(context.get(), "1280 f16", std::string("f32:dit(16 16 5)")).get()));
  }
}

// Recipes with the words where they change nothing are the recipes without them: no search looks at both.
TEST(FusedEnds, NoCandidateSaysWhatItsPassesDoNotDo) {
  for (const Target& target : targets()) {
    for (const char* problem : {"256 f16", "1000 f16", "1024 e4m3->f32", "1024 f32->f16", "960 mxint8", "1024 mxfp8_e4m3:b8", "1024 f16 centered", "120 e5m2"}) {
      const PlanPtr plan = make_plan(target.context, problem, ULPFFT_MEASURE, 0.1);
      std::set<std::string> seen;
      for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan.get()); ++i) {
        auto candidate = sized<ulpfft_candidate>();
        ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), i, &candidate), ULPFFT_OK);
        // Codelets of narrower vectors may convert where these do not.
        const auto is_kind = [&](const Target& other) { return other.name == candidate.kind; };
        if (std::any_of(targets().begin(), targets().end(), is_kind)) continue;
        EXPECT_TRUE(seen.insert(candidate.recipe).second) << target << ": " << candidate.recipe << " twice";
        if (std::string(candidate.recipe).find("code") == std::string::npos) continue;
        const PlanPtr one = make_plan(target.context, problem, std::string(candidate.recipe));
        EXPECT_EQ(description_of(one.get()).find("converted apart"), std::string::npos) << target << ": " << problem << " by " << candidate.recipe;
      }
    }
  }
}

TEST(FusedEnds, PairsEncodeIntegersWithTheScaleThatTheirSumsNeed) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || target.table.fused.empty()) continue;
    const ContextPtr context = make_context(target.table.target);
    for (const auto& [problem, passes] : {std::pair{"256 i16 scale=ortho", "16 16"}, std::pair{"1024 i16 inverse scale=1/n", "32 32"},
                                          std::pair{"1024 f16", "32 32"}}) {
      const PlanPtr plan = make_plan(context.get(), problem, std::string("f32:dit(") + passes + " decode encode)");
      const std::string text = description_of(plan.get());
      EXPECT_EQ(text.find("converted apart"), std::string::npos) << target.table.target << ": " << problem << "\n" << text;
    }
  }
}

// Predictions may be wrong about a way to convert as a whole. So of each way the cheapest predicted recipe is timed, whatever wins.
TEST(FusedEnds, ThePlannerTimesTheCheapestRecipeOfEachWayToConvert) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available || target.table.fused.empty()) continue;
    const ContextPtr context = make_context(target.table.target);
    for (const char* problem : {"256 f16", "1024 bf16", "1024 f16->f32", "1024 f32->f16", "256 i16->f32", "256 i16 scale=ortho", "1024 mxint8", "1024 e4m3",
                                "512 f16->f32", "2048 i16->f32", "4096 f16->f32"}) {
      const PlanPtr plan = make_plan(context.get(), problem, ULPFFT_MEASURE, kNoHurry);
      std::map<std::pair<bool, bool>, ulpfft_candidate> cheapest;
      for (std::size_t i = 0; i < ulpfft_plan_candidate_count(plan.get()); ++i) {
        auto candidate = sized<ulpfft_candidate>();
        ASSERT_EQ(ulpfft_plan_candidate_get(plan.get(), i, &candidate), ULPFFT_OK);
        const std::string recipe = candidate.recipe;
        const auto has = [&](const char* word) { return recipe.find(word) != std::string::npos; };
        const auto [known, is_new] = cheapest.insert({{has("decode"), has("encode")}, candidate});
        if (!is_new && candidate.predicted_seconds < known->second.predicted_seconds) known->second = candidate;
      }
      EXPECT_GE(cheapest.size(), 2) << target.table.target << ": " << problem;
      for (const auto& [way, candidate] : cheapest) {
        EXPECT_GT(candidate.seconds, 0) << target.table.target << ": " << problem << " by " << candidate.recipe << ", the cheapest of its way";
      }
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
