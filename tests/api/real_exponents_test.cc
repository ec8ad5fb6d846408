// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Powers of two of r2c, c2r and r2r: exponents of every transform at both ends, and prescales, in every narrow storage.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kBatch = 4;

// Rows of a side of "6xN*4".
struct Shape {
  bool c2r;
  std::int64_t n;
  std::int64_t lines;
  std::string kind = {};  // of r2r; else empty

  // With the rest of the problem.
  std::string text(const std::string& rest = "") const {
    const std::string lengths = (lines == 1 ? "" : std::to_string(lines) + "x") + std::to_string(n) + "*" + std::to_string(kBatch) + " ";
    if (!kind.empty()) return "r2r " + lengths + rest + " kinds=" + kind + (lines == 1 ? "" : "," + kind);
    return (c2r ? "c2r " : "r2c ") + lengths + rest;
  }
  std::int64_t row(bool output) const { return c2r == output || !kind.empty() ? n : 2 * (n / 2 + 1); }
  Stored side(const std::string& storage, bool output) const { return {storage, lines * kBatch, row(output)}; }
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const bool c2r : {false, true}) {
    for (const std::int64_t n : {1, 2, 7, 60, 1000}) all.push_back({c2r, n, 1});
    all.push_back({c2r, 15, 6});
    all.push_back({c2r, 20, 6});
    all.push_back({c2r, 50, 60});
  }
  for (const char* kind : {"dct2", "dst1", "dht"}) {
    for (const std::int64_t n : {2, 7, 60}) all.push_back({false, n, 1, kind});
    all.push_back({false, 15, 6, kind});
  }
  return all;
}

std::vector<double> values_of(const Stored& side) {
  if (side.storage != "f32") return side.decode<double>();
  const std::vector<float> reals = side.decode<float>();
  return {reals.begin(), reals.end()};
}
void fill(Stored& side, std::uint64_t seed, int powers_apart) {
  std::vector<double> data = normal<double>(static_cast<std::size_t>(side.rows * side.reals), fitting_rms(side.storage), seed);
  const std::size_t each = data.size() / kBatch;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = std::ldexp(data[i], powers_apart * static_cast<int>(i / each));
  if (side.storage == "f32") {
    side.encode(std::vector<float>(data.begin(), data.end()));
  } else {
    side.encode(data);
  }
}

class RealsWithExponents : public testing::TestWithParam<std::string> {};

// With exponents at both ends a narrow output is that of a wide plan, each transform times a power of two that brings its largest real to
// the upper half of the range, and nothing saturates.
TEST_P(RealsWithExponents, FitEachTransformIntoTheRange) {
  const std::string name = GetParam();
  const ulpfft_format format = format_of(name);
  const double largest = format.lowest < 0 ? std::min(format.largest, -format.lowest) : format.largest;
  for (const Shape& shape : shapes()) {
    const PlanPtr plan = make_plan(default_target().context, shape.text(name + " scheme=f64"));
    const PlanPtr wide = make_plan(default_target().context, shape.text("f64"), recipe_of(plan.get()));
    ASSERT_TRUE(plan != nullptr && wide != nullptr);
    Stored in = shape.side(name, false), out = shape.side(name, true);
    fill(in, seed_of(shape.text(name)), 0);
    std::vector<std::int32_t> given{3, 0, -40, 60}, chosen(kBatch, 12345);
    std::vector<double> from = in.decode<double>(), to(static_cast<std::size_t>(out.rows * out.reals));
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = std::ldexp(from[i], given[i / (from.size() / kBatch)]);
    ASSERT_EQ(ulpfft_execute(wide.get(), from.data(), to.data()), ULPFFT_OK) << last_error_text();
    std::int64_t saturated = -1;
    ASSERT_EQ(execute(plan, in, out, &saturated, given.data(), chosen.data()), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(saturated, 0) << shape.text() << name;
    const bool blocks = std::string(format.kind) == "block";
    Stored expected = shape.side(name, true);
    const std::size_t each = to.size() / kBatch;
    for (std::size_t t = 0; t < kBatch; ++t) {
      double most = 0;
      for (std::size_t i = t * each; i < (t + 1) * each; ++i) {
        to[i] = std::ldexp(to[i], -chosen[t]);
        most = std::max(most, std::abs(to[i]));
      }
      if (!blocks && most > 0) {
        EXPECT_LE(most, largest) << shape.text() << name << " transform " << t;
        EXPECT_GT(2 * most, largest) << shape.text() << name << " transform " << t;
      }
    }
    expected.encode(to);
    EXPECT_EQ(out.codes, expected.codes) << shape.text() << name;
    EXPECT_EQ(out.scales, expected.scales) << shape.text() << name;
  }
}

// The arithmetic of f64 has room for every power of two: a prescale changes no bit of the output, and with exponents no value of it.
TEST_P(RealsWithExponents, AreNotChangedByAPrescale) {
  const std::string name = GetParam();
  for (const Shape& shape : shapes()) {
    for (const std::string prescale : {" prescale=amax", " prescale=0.001"}) {
      const PlanPtr plain = make_plan(default_target().context, shape.text(name + " scheme=f64"));
      const PlanPtr plan = make_plan(default_target().context, shape.text(name + " scheme=f64" + prescale), recipe_of(plain.get()));
      ASSERT_TRUE(plan != nullptr && plain != nullptr);
      Stored in = shape.side(name, false), out = shape.side(name, true), expected = out;
      fill(in, seed_of(name), -1);
      std::int64_t saturated = -1, counted = -2;
      ASSERT_EQ(execute(plain, in, expected, &saturated), ULPFFT_OK) << last_error_text();
      ASSERT_EQ(execute(plan, in, out, &counted), ULPFFT_OK) << last_error_text();
      EXPECT_EQ(out.codes, expected.codes) << shape.text() << name << prescale;
      EXPECT_EQ(out.scales, expected.scales) << shape.text() << name << prescale;
      EXPECT_EQ(counted, saturated) << shape.text() << name << prescale;
      std::vector<std::int32_t> given{1, 0, -3, 9}, chosen(kBatch), plain_chosen(kBatch);
      ASSERT_EQ(execute(plain, in, expected, nullptr, given.data(), plain_chosen.data()), ULPFFT_OK) << last_error_text();
      ASSERT_EQ(execute(plan, in, out, nullptr, given.data(), chosen.data()), ULPFFT_OK) << last_error_text();
      const std::vector<double> values = values_of(out), plain_values = values_of(expected);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t t = i / (values.size() / kBatch);
        ASSERT_EQ(std::ldexp(values[i], chosen[t]), std::ldexp(plain_values[i], plain_chosen[t]))
            << shape.text() << name << prescale << " " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RealsWithExponents, testing::ValuesIn(narrow_formats()), [](const auto& format) { return format.param; });

// One long line, which the first sweep of four decodes: as by passes that are told apart from its conversions.
TEST(LongRealsWithExponents, AreTheSameWhereASweepDecodesThem) {
  for (const std::string name : {"i16", "mxfp8_e4m3", "e2m1"}) {
    const Shape shape{false, 1 << 20, 1};
    const std::string recipe = "f64:real(1048576; four(1024x512 p32; dit(8 16 8); dit(8 8 8)))";
    const PlanPtr plan = make_plan(default_target().context, shape.text() + name + " scheme=f64", recipe);
    const PlanPtr apart = make_plan(default_target().context, shape.text() + name + " scheme=f64 prescale=1", recipe);
    ASSERT_TRUE(plan != nullptr && apart != nullptr);
    Stored in = shape.side(name, false), out = shape.side(name, true), expected = out;
    fill(in, seed_of(name), -1);
    std::vector<std::int32_t> given{1, 0, -3, 9}, chosen(kBatch), chosen_apart(kBatch);
    ASSERT_EQ(execute(plan, in, out, nullptr, given.data(), chosen.data()), ULPFFT_OK) << last_error_text();
    ASSERT_EQ(execute(apart, in, expected, nullptr, given.data(), chosen_apart.data()), ULPFFT_OK) << last_error_text();
    const std::vector<double> values = values_of(out), values_apart = values_of(expected);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t t = i / (values.size() / kBatch);
      ASSERT_EQ(std::ldexp(values[i], chosen[t]), std::ldexp(values_apart[i], chosen_apart[t])) << shape.text() << name << " " << i;
    }
  }
}

// The largest magnitude of a transform is that of its reals or of its complex numbers. A power of two of the data is one of the result.
TEST(PrescaledReals, AreAsLargeAsTheirTarget) {
  for (const Shape& shape : shapes()) {
    const PlanPtr plan = make_plan(default_target().context, shape.text("f32 prescale=3 scale=1"));
    ASSERT_NE(plan, nullptr);
    Stored in = shape.side("f32", false), out = shape.side("f32", true), again = out;
    fill(in, 5, 7);
    std::vector<std::int32_t> exponents(kBatch), more(kBatch);
    ASSERT_EQ(execute(plan, in, out, nullptr, nullptr, exponents.data()), ULPFFT_OK) << last_error_text();
    const std::vector<float> data = in.decode<float>();
    const std::size_t each = data.size() / kBatch;
    for (std::size_t t = 0; t < kBatch; ++t) {
      double most = 0;
      for (std::size_t i = t * each; i < (t + 1) * each; i += shape.c2r ? 2 : 1) {
        most = std::max(most, shape.c2r ? std::hypot(data[i], data[i + 1]) : std::abs(static_cast<double>(data[i])));
      }
      EXPECT_EQ(exponents[t], -std::nearbyint(std::log2(3 / most))) << shape.text() << t;
    }
    std::vector<float> louder = data;
    for (float& x : louder) x = std::ldexp(x, 30);
    in.encode(louder);
    ASSERT_EQ(execute(plan, in, again, nullptr, nullptr, more.data()), ULPFFT_OK) << last_error_text();
    EXPECT_EQ(again.codes, out.codes) << shape.text();
    for (std::size_t t = 0; t < kBatch; ++t) EXPECT_EQ(more[t], exponents[t] + 30) << shape.text() << t;
  }
}

}  // namespace
}  // namespace ulpfft::test
