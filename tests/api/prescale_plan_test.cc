// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Prescaled transforms: the bits of prescaling by hand, whatever the storage, layout and amplitude; exponents, overflow, errors, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/plan_checks.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr double kTarget = 4;
constexpr std::int64_t kBatch = 4;

// A batch whose transforms have very different amplitudes; `at_most`: powers of two apart.
std::vector<float> batch_of(std::int64_t n, double rms, int apart, std::uint64_t seed) {
  std::vector<float> data = normal<float>(static_cast<std::size_t>(2 * n * kBatch), rms, seed);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::ldexp(data[i], apart * static_cast<int>(i / static_cast<std::size_t>(2 * n)));
  return data;
}

int prescale_by_hand(float* numbers, std::int64_t count, double target) {
  auto how = sized<ulpfft_prescale>();
  how.count = count;
  how.target = target;
  how.lowest = -1000;
  how.highest = 1000;
  int exponent = 0;
  EXPECT_EQ(ulpfft_prescale_apply(&how, numbers, numbers, &exponent), ULPFFT_OK) << last_error_text();
  return exponent;
}

TEST(PrescaledPlans, GiveTheNumbersOfPrescalingByHandInEveryStorage) {
  const std::int64_t n = 48;
  std::vector<std::string> storages = narrow_formats();
  storages.insert(storages.end(), {"f32", "f64"});
  const struct {
    const char* scheme;
    const char* recipe;
  } schemes[] = {{"rounded:f16", "rounded:f16:dit(6 8:ds)"}, {"rounded:e4m3/f32", "rounded:e4m3/f32:dit(6 8)"}, {"mx:mxfp8_e4m3", "mx:mxfp8_e4m3:dit(6 8)"}, {"f32", "f32:dit(6 8)"}};
  for (const std::string& storage : storages) {
    if (needs_f64(storage)) continue;  // values that these arithmetics do not have
    for (const auto& scheme : schemes) {
      const std::string text = "48*4 " + storage + " inverse scale=0.3 scheme=" + scheme.scheme, by_hand = "48*4 f32 inverse scale=0.3 scheme=" + std::string(scheme.scheme);
      const PlanPtr plan = make_plan(default_target().context, text + " prescale=4", scheme.recipe);
      const PlanPtr plain = make_plan(default_target().context, by_hand, scheme.recipe);
      ASSERT_TRUE(plan != nullptr && plain != nullptr);
      Stored in(storage, kBatch, 2 * n), out(storage, kBatch, 2 * n), wide_in("f32", kBatch, 2 * n), wide_out("f32", kBatch, 2 * n);
      const std::vector<float> data = batch_of(n, fitting_rms(storage), -1, seed_of(text));
      if (storage == "f64") {
        in.encode(std::vector<double>(data.begin(), data.end()));
      } else {
        in.encode(data);
      }
      std::vector<float> decoded = data;
      if (storage == "f64") {
        const std::vector<double> reals = in.decode<double>();
        decoded.assign(reals.begin(), reals.end());
      } else {
        decoded = in.decode<float>();
      }
      std::int32_t in_exponents[kBatch] = {3, 0, -70, 100}, out_exponents[kBatch], plain_exponents[kBatch];
      int k[kBatch];
      for (std::int64_t t = 0; t < kBatch; ++t) k[t] = prescale_by_hand(decoded.data() + 2 * n * t, n, kTarget);
      wide_in.encode(decoded);
      ASSERT_EQ(execute(plain, wide_in, wide_out), ULPFFT_OK) << last_error_text();
      const std::vector<float> scaled = wide_out.decode<float>();

      // With exponents: the numbers as they are, or fitted into the format as any other.
      Stored expected(storage, kBatch, 2 * n);
      if (in.wide()) {
        if (storage == "f64") {
          expected.encode(std::vector<double>(scaled.begin(), scaled.end()));
        } else {
          expected.encode(scaled);
        }
        for (std::int32_t& exponent : plain_exponents) exponent = 0;
      } else {
        const PlanPtr narrow = make_plan(default_target().context, "48*4 f32->" + storage + " inverse scale=0.3 scheme=" + scheme.scheme, scheme.recipe);
        ASSERT_NE(narrow, nullptr);
        ASSERT_EQ(execute(narrow, wide_in, expected, nullptr, nullptr, plain_exponents), ULPFFT_OK) << last_error_text();
      }
      ASSERT_EQ(execute(plan, in, out, nullptr, in_exponents, out_exponents), ULPFFT_OK) << text << ": " << last_error_text();
      EXPECT_EQ(out.codes, expected.codes) << text;
      EXPECT_EQ(out.scales, expected.scales) << text;
      for (std::int64_t t = 0; t < kBatch; ++t) EXPECT_EQ(out_exponents[t], plain_exponents[t] + in_exponents[t] - k[t]) << text << " transform " << t;

      // Without: in the caller's units.
      if (in.wide()) {
        ASSERT_EQ(execute(plan, in, out), ULPFFT_OK) << last_error_text();
        for (std::size_t i = 0; i < scaled.size(); ++i) {
          const float undone = std::ldexp(scaled[i], -k[i / static_cast<std::size_t>(2 * n)]);
          EXPECT_EQ(storage == "f64" ? out.decode<double>()[i] : static_cast<double>(out.decode<float>()[i]), static_cast<double>(undone)) << text << " " << i;
          if (HasFailure()) return;
        }
      }
    }
  }
}

// A power of two in the data is one in the result, over the whole range of the storage.
TEST(PrescaledPlans, DoNotDependOnTheUnitsOfTheData) {
  const std::int64_t n = 120;
  for (const Target& target : targets()) {
    for (const char* scheme : {"rounded:f16", "rounded:bf16", "rounded:e4m3", "rounded:e5m2/f32", "rounded:int8q6"}) {
      const PlanPtr plan = make_plan(target.context, "120*4 f32 prescale=amax scale=ortho scheme=" + std::string(scheme));
      ASSERT_NE(plan, nullptr);
      Stored in("f32", kBatch, 2 * n), first("f32", kBatch, 2 * n), out("f32", kBatch, 2 * n);
      std::vector<float> data = normal<float>(static_cast<std::size_t>(2 * n * kBatch), 1, 3);
      in.encode(data);
      std::int32_t first_exponents[kBatch], exponents[kBatch];
      std::int64_t saturated = -1;
      ASSERT_EQ(execute(plan, in, first, &saturated, nullptr, first_exponents), ULPFFT_OK) << last_error_text();
      EXPECT_EQ(saturated, 0) << scheme;
      for (const int power : {-120, -60, 30, 110}) {
        std::vector<float> moved = data;
        for (float& x : moved) x = std::ldexp(x, power);
        in.encode(moved);
        ASSERT_EQ(execute(plan, in, out, &saturated, nullptr, exponents), ULPFFT_OK) << last_error_text();
        EXPECT_EQ(out.codes, first.codes) << scheme << " 2^" << power << " on " << target;
        EXPECT_EQ(saturated, 0) << scheme;
        for (std::int64_t t = 0; t < kBatch; ++t) EXPECT_EQ(exponents[t], first_exponents[t] + power) << scheme;
      }
    }
  }
}

// Tones, whose transform is as large as a transform can be: no sum of a float with range to spare goes beyond its largest value.
TEST(PrescaledPlans, OfTonesDoNotOverflowWhereTheFormatHasRoom) {
  for (const char* scheme : {"rounded:f16", "rounded:f16/f32", "rounded:bf16", "rounded:e5m2"}) {
    for (const std::int64_t n : {64, 1000, 4096}) {
      const std::string text = std::to_string(n) + " f32 scheme=" + scheme;
      const PlanPtr plan = make_plan(default_target().context, text + " prescale=amax");
      ASSERT_NE(plan, nullptr);
      for (const std::int64_t frequency : {std::int64_t{0}, n / 4, n / 3, n - 1}) {
        std::vector<float> tone(static_cast<std::size_t>(2 * n));
        for (std::int64_t i = 0; i < n; ++i) {
          const double angle = 2 * M_PI * static_cast<double>(frequency * i % n) / static_cast<double>(n);
          tone[static_cast<std::size_t>(2 * i)] = static_cast<float>(900 * std::cos(angle));
          tone[static_cast<std::size_t>(2 * i + 1)] = static_cast<float>(900 * std::sin(angle));
        }
        Stored in("f32", 1, 2 * n), out("f32", 1, 2 * n);
        in.encode(tone);
        std::int64_t saturated = -1;
        ASSERT_EQ(execute(plan, in, out, &saturated), ULPFFT_OK) << last_error_text();
        EXPECT_EQ(saturated, 0) << text << " frequency " << frequency;
        const float peak = out.decode<float>()[static_cast<std::size_t>(2 * frequency)];
        EXPECT_NEAR(peak, 900.0 * static_cast<double>(n), 0.5 * 900 * static_cast<double>(n)) << text;
      }
      if (scheme != std::string("rounded:f16")) continue;
      // The same plan without a prescale overflows.
      const PlanPtr plain = make_plan(default_target().context, text);
      Stored in("f32", 1, 2 * n), out("f32", 1, 2 * n);
      in.encode(std::vector<float>(static_cast<std::size_t>(2 * n), 9000.0F));
      std::int64_t saturated = -1;
      ASSERT_EQ(execute(plain, in, out, &saturated), ULPFFT_OK) << last_error_text();
      EXPECT_GT(saturated, 0) << text;
    }
  }
}

TEST(PrescaledPlans, OfEveryLayoutGiveTheSameNumbers) {
  const std::size_t n = 6 * 8;
  const std::string recipe = "rounded:f16:rank(n6; n8)", scheme = " prescale=amax scheme=rounded:f16";
  ulpfft_context* const context = default_target().context;
  const std::vector<float> data = batch_of(static_cast<std::int64_t>(n), 3, -9, 4);
  Stored in("f32", kBatch, 2 * static_cast<std::int64_t>(n)), out = in;
  in.encode(data);
  std::int32_t exponents[kBatch];
  ASSERT_EQ(execute(make_plan(context, "6x8*4 f32" + scheme, recipe), in, out, nullptr, nullptr, exponents), ULPFFT_OK) << last_error_text();
  const std::vector<float> expected = out.decode<float>();
  const auto check = [&](const std::string& problem, const auto& index, std::size_t room) {
    for (const bool split : {false, true}) {
      for (const bool in_place : {false, true}) {
        const std::string text = problem + (in_place ? " inplace" : "") + (split ? " split" : "") + scheme;
        const PlanPtr plan = make_plan(context, text, recipe);
        ASSERT_NE(plan, nullptr);
        std::vector<float> parts[2] = {std::vector<float>(2 * room, 5.0F), std::vector<float>(room, 5.0F)};
        std::vector<float> results[2] = {parts[0], parts[1]};
        const auto place = [&](std::vector<float>(&to)[2], std::size_t i, int part) -> float& {
          return split ? to[part][index(i)] : to[0][2 * index(i) + static_cast<std::size_t>(part)];
        };
        for (std::size_t i = 0; i < n * kBatch; ++i) {
          for (const int part : {0, 1}) place(parts, i, part) = data[2 * i + static_cast<std::size_t>(part)];
        }
        auto from = sized<ulpfft_array>(), to = sized<ulpfft_array>();
        std::int32_t got[kBatch];
        for (const int part : {0, 1}) {
          if (part == 1 && !split) continue;
          from.data[part] = parts[part].data();
          to.data[part] = in_place ? parts[part].data() : results[part].data();
        }
        to.exponents = got;
        ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << text << ": " << last_error_text();
        for (std::size_t i = 0; i < n * kBatch; ++i) {
          for (const int part : {0, 1}) ASSERT_EQ(place(in_place ? parts : results, i, part), expected[2 * i + static_cast<std::size_t>(part)]) << text << " " << i;
        }
        for (std::int64_t t = 0; t < kBatch; ++t) EXPECT_EQ(got[t], exponents[t]) << text;
      }
    }
  };
  check("6x8*4 f32", [](std::size_t i) { return i; }, n * kBatch);
  check("6x8*4 f32 threads=2", [](std::size_t i) { return i; }, n * kBatch);
  check("6x8*2x2 f32", [](std::size_t i) { return i; }, n * kBatch);
  // Every other number, the batch innermost.
  check("6x8*4 f32 in_strides=64,8 out_strides=64,8 batch_strides=2,2", [](std::size_t i) { return i / 48 * 2 + i % 48 * 8; }, 2 * n * kBatch);
}

TEST(PrescaledPlans, KeepZerosAndConfineWhatIsNotFinite) {
  const std::int64_t n = 64;
  const PlanPtr plan = make_plan(default_target().context, "64*4 f32 prescale=amax scheme=rounded:f16");
  Stored in("f32", kBatch, 2 * n), clean("f32", kBatch, 2 * n), out("f32", kBatch, 2 * n);
  std::vector<float> data = batch_of(n, 1, 20, 6);
  std::fill(data.begin(), data.begin() + 2 * n, 0.0F);
  in.encode(data);
  std::int32_t exponents[kBatch];
  ASSERT_EQ(execute(plan, in, clean, nullptr, nullptr, exponents), ULPFFT_OK);
  EXPECT_EQ(exponents[0], 0);
  for (std::int64_t i = 0; i < 2 * n; ++i) EXPECT_EQ(clean.decode<float>()[static_cast<std::size_t>(i)], 0.0F);
  data[static_cast<std::size_t>(2 * n * 2 + 5)] = std::numeric_limits<float>::quiet_NaN();
  data[static_cast<std::size_t>(2 * n * 2 + 9)] = std::numeric_limits<float>::infinity();
  in.encode(data);
  ASSERT_EQ(execute(plan, in, out, nullptr, nullptr, exponents), ULPFFT_OK);
  const std::vector<float> before = clean.decode<float>(), after = out.decode<float>();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (i / static_cast<std::size_t>(2 * n) != 2) {
      EXPECT_EQ(before[i], after[i]) << i;
    }
  }
  EXPECT_TRUE(std::isnan(after[static_cast<std::size_t>(2 * n * 2)]));
}

// From the registry: every element as arithmetic, every storage between passes that a limit of range makes worth it.
TEST(PrescaledPlans, ErrAsPredicted) {
  std::vector<std::string> problems;
  for (const ulpfft_format& format : all_formats()) {
    const std::string kind = format.kind;
    if (kind == "wide" || kind == "block" || format.is_signed == 0) continue;
    for (const char* n : {"64", "1024", "16384"}) {
      if (n == std::string("16384") && !full_run()) continue;
      problems.push_back(std::string(n) + " f64 scale=ortho prescale=amax scheme=rounded:" + format.name);
    }
  }
  for (const std::string& text : problems) {
    const PlanPtr plan = make_plan(default_target().context, text);
    ASSERT_NE(plan, nullptr);
    const double measured = measured_error(plan.get());
    const double predicted = ulpfft_plan_error(plan.get());
    std::printf("%-60s predicted %.3g measured %.3g ratio %.2f\n", text.c_str(), predicted, measured, predicted / measured);
    if (predicted > 0.3) continue;  // little is left of the numbers
    EXPECT_LE(measured, 1.5 * predicted) << text;
    EXPECT_GE(measured, predicted / 1.5) << text;
  }
}

// What undoes the prescales of a group takes as much as the shortest transforms themselves.
TEST(PrescaledPlans, AreFoundForShortTransformsAndAxes) {
  for (const std::string storage : {"f32", "f64", "f16", "mxint8"}) {
    for (const int n : {1, 2, 3, 4, 5, 7, 8, 16}) {
      for (const std::string& shape : {std::to_string(n) + "*3000", "256x" + std::to_string(n)}) {
        EXPECT_NE(make_plan(default_target().context, shape + ' ' + storage + " prescale=amax"), nullptr);
        EXPECT_NE(make_plan(default_target().context, shape + ' ' + storage + " prescale=amax threads=2"), nullptr);
      }
    }
  }
}

TEST(PrescaledRequests, ThatMakeNoSenseNameTheField) {
  expect_refused({
      {"64 f32 prescale=0", "", "positive", "prescale_target"},
      {"64 f32 prescale=-3", "", "positive", "prescale_target"},
      {"64 f32 prescale=max", "", "none, amax or", "prescale_target"},
      {"64 f32 prescale", "", "needs a value", "problem"},
      {"64 f32 prescale=amax prescale=2", "", "twice", "prescale"},
      {"64 f32 chain=mul prescale=amax", "", "chain", "prescale_kind"},
      {"64 f16 prescale=amax", "f32:dit(8 8 decode encode)", "", "recipe"},
  });
  // Wide arrays have exponents only with a prescale.
  const PlanPtr plain = make_plan(default_target().context, "64 f32 scheme=rounded:f16");
  Stored in("f32", 1, 128), out("f32", 1, 128);
  in.encode(std::vector<float>(128, 1.0F));
  std::int32_t exponent = 0;
  EXPECT_EQ(execute(plain, in, out, nullptr, nullptr, &exponent), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "out.exponents");
  EXPECT_NE(last_error().message.find("prescale"), std::string::npos) << last_error().message;
}

}  // namespace
}  // namespace ulpfft::test
