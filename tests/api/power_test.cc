// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// output=power: what such a plan stores is re * re + im * im of what the same recipe leaves without it, in the type of the arithmetic and
// then encoded, bit for bit, and nothing outside the elements is written. Every format of the build, every family of schemes and every
// target takes part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::test {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t product(const Numbers& numbers) {
  std::int64_t points = 1;
  for (const std::int64_t number : numbers) points *= number;
  return points;
}
std::string joined(const Numbers& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

bool is_wide(const std::string& storage) { return storage == "f32" || storage == "f64"; }
bool keeps_rows(const std::string& storage) {
  const ulpfft_format format = format_of(storage);
  return std::string(format.kind) == "block" || format.bits % 8 != 0;
}

struct Case {
  bool real = false, split = false, strided = false;
  Numbers lengths;
  std::int64_t batch = 1;
  std::string in = "f32", out = "f32", options;

  std::int64_t stored_row() const { return real ? lengths.back() / 2 + 1 : lengths.back(); }
  std::int64_t rows() const { return batch * product(lengths) / lengths.back(); }
  std::int64_t transform_outputs() const { return rows() / batch * stored_row(); }

  // The problem with the storage of an output; `power`: as the test asks it, else the spectrum, dense.
  std::string text(const std::string& storage_out, bool power) const {
    std::string text = (real ? "r2c " : "") + joined(lengths) + (batch > 1 ? "*" + std::to_string(batch) : "") + " " + in;
    if (storage_out != in) text += "->" + storage_out;
    text += options + (split ? " split" : "");
    if (!power) return text;
    if (strided && lengths.size() == 1) {
      text += " out_strides=3";
      const std::int64_t in_step = keeps_rows(in) ? 1 : lengths[0], out_step = 3 * stored_row() + 5;
      if (batch > 1) text += " batch_strides=" + std::to_string(in_step) + "," + std::to_string(out_step);
    }
    return text + " output=power";
  }
  // For what goes in and what comes out to be within the range of both.
  std::string fitting_scale() const {
    const double rms = fitting_rms(in) * std::sqrt(2.0 * static_cast<double>(product(lengths)));
    return " scale=" + std::to_string(std::sqrt(fitting_rms(out) / 2) / rms);
  }
};

// The type that a recipe computes in.
bool is_f64(const std::string& recipe) { return recipe.starts_with("f64:") || recipe.starts_with("split:i"); }

// Arrays of a side: one, or two of a split one.
struct Arrays {
  std::vector<Stored> parts;
  ulpfft_array address() {
    ulpfft_array array = parts[0].array();
    if (parts.size() == 2) {
      array.data[1] = parts[1].array().data[0];
      array.scales[1] = parts[1].array().scales[0];
    }
    return array;
  }
};

Arrays input_of(const Case& one, std::uint64_t seed) {
  Arrays in;
  const std::int64_t row = one.lengths.back() * (one.real || one.split ? 1 : 2);
  for (int part = 0; part < (one.split ? 2 : 1); ++part) {
    Stored stored(one.in, one.rows(), row);
    const auto count = static_cast<std::size_t>(one.rows() * row);
    const auto reals = normal<double>(count, fitting_rms(one.in), seed + static_cast<std::uint64_t>(part));
    if (one.in == "f32") stored.encode(std::vector<float>(reals.begin(), reals.end()));
    else stored.encode(reals);
    in.parts.push_back(std::move(stored));
  }
  return in;
}

// What the spectrum of the same recipe gives, squared in T.
template <typename T>
std::vector<T> expected_powers(const Case& one, const Target& target, const std::string& recipe, Arrays& in, std::int32_t* exponents) {
  const std::string wide = sizeof(T) == 8 ? "f64" : "f32";
  const PlanPtr plan = make_plan(target.context, one.text(wide, false), recipe);
  if (plan == nullptr) return {};
  const std::int64_t row = one.stored_row() * (one.split ? 1 : 2);
  Arrays out;
  for (int part = 0; part < (one.split ? 2 : 1); ++part) out.parts.emplace_back(wide, one.rows(), row);
  ulpfft_array from = in.address(), to = out.address();
  from.exponents = exponents;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  std::vector<std::vector<T>> parts;
  for (const Stored& part : out.parts) parts.push_back(part.decode<T>());
  std::vector<T> powers(static_cast<std::size_t>(one.rows() * one.stored_row()));
  for (std::size_t i = 0; i < powers.size(); ++i) {
    const volatile T re = one.split ? parts[0][i] : parts[0][2 * i], im = one.split ? parts[1][i] : parts[0][2 * i + 1];
    const volatile T re2 = re * re, im2 = im * im;  // each rounded once
    powers[i] = re2 + im2;
  }
  return powers;
}

template <typename T>
Stored encoded(const Case& one, const std::vector<T>& powers) {
  Stored dense(one.out, one.rows(), one.stored_row());
  if (one.out == "f64") dense.encode(std::vector<double>(powers.begin(), powers.end()));
  else if (one.out == "f32") dense.encode(std::vector<float>(powers.begin(), powers.end()));
  else dense.encode(powers);
  return dense;
}

// Offsets of the elements of a side in the order of the problem.
Numbers offsets_of(const ulpfft_side& side) {
  Numbers offsets{0};
  const auto add = [&](std::int64_t length, std::int64_t stride) {
    Numbers more;
    for (const std::int64_t offset : offsets) {
      for (std::int64_t i = 0; i < length; ++i) more.push_back(offset + i * stride);
    }
    offsets = more;
  };
  for (int b = 0; b < side.batch_rank; ++b) add(side.batch_lengths[b], side.batch_strides[b]);
  for (int d = 0; d < side.rank; ++d) add(side.lengths[d], side.strides[d]);
  return offsets;
}

// Executes the plan, and takes its output to a dense array. Bytes between the elements must keep what they held.
Stored executed(const Case& one, const PlanPtr& plan, Arrays& in, std::int32_t* in_exponents, std::int32_t* out_exponents) {
  ulpfft_side side = ULPFFT_SIDE_INIT;
  EXPECT_EQ(ulpfft_plan_side(plan.get(), ULPFFT_SIDE_OUT, &side), ULPFFT_OK) << last_error_text();
  EXPECT_EQ(side.element, ULPFFT_ELEMENT_REAL);
  EXPECT_EQ(side.extent, one.real ? ULPFFT_EXTENT_HALF : ULPFFT_EXTENT_FULL);
  EXPECT_EQ(side.parts, 1);
  Stored dense(one.out, one.rows(), one.stored_row());
  ulpfft_array from = in.address(), to = dense.array();
  from.exponents = in_exponents;
  to.exponents = out_exponents;
  if (keeps_rows(one.out)) {
    EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
    return dense;
  }
  constexpr std::size_t kMargin = 64;
  Bytes memory(static_cast<std::size_t>(side.bytes) + 2 * kMargin, 0x5a);
  to.data[0] = memory.data() + kMargin;
  EXPECT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
  const std::size_t bytes = static_cast<std::size_t>(format_of(one.out).bits) / 8;
  std::size_t next = 0;
  for (const std::int64_t offset : offsets_of(side)) {
    std::uint8_t* const at = memory.data() + kMargin + static_cast<std::size_t>(offset) * bytes;
    std::memcpy(dense.codes.data() + next, at, bytes);
    std::memset(at, 0x5a, bytes);
    next += bytes;
  }
  EXPECT_EQ(next, dense.codes.size());
  EXPECT_TRUE(std::all_of(memory.begin(), memory.end(), [](std::uint8_t byte) { return byte == 0x5a; })) << "bytes beside the elements";
  return dense;
}

bool takes_exponents(const std::string& storage) { return !is_wide(storage); }

template <typename T>
void compare(const Case& one, const Target& target, const PlanPtr& plan, const std::string& recipe, bool with_exponents) {
  Arrays in = input_of(one, seed_of(one.text(one.out, true)));
  std::vector<std::int32_t> given(static_cast<std::size_t>(one.batch)), chosen(given.size(), 99);
  for (std::size_t b = 0; b < given.size(); ++b) given[b] = static_cast<std::int32_t>(b % 5) - 2;
  std::int32_t* const in_exponents = with_exponents && takes_exponents(one.in) ? given.data() : nullptr;
  std::int32_t* const out_exponents = with_exponents && takes_exponents(one.out) ? chosen.data() : nullptr;
  std::vector<T> powers = expected_powers<T>(one, target, recipe, in, in_exponents);
  ASSERT_FALSE(powers.empty());
  const Stored got = executed(one, plan, in, in_exponents, out_exponents);
  const auto outputs = static_cast<std::size_t>(one.transform_outputs());
  for (std::size_t i = 0; out_exponents != nullptr && i < powers.size(); ++i) powers[i] = std::ldexp(powers[i], -chosen[i / outputs]);
  const Stored expected = encoded(one, powers);
  EXPECT_EQ(got.codes == expected.codes && got.scales == expected.scales, true) << [&] {
    for (std::size_t i = 0; i < got.codes.size(); ++i) {
      if (got.codes[i] != expected.codes[i]) return "byte " + std::to_string(i) + " of " + std::to_string(got.codes.size());
    }
    return std::string("scales");
  }();
  if (out_exponents == nullptr || std::string(format_of(one.out).kind) == "block") return;
  // The least exponent: with one less something is too large, and with two less it does not round to the largest value either.
  for (T& power : powers) power *= 4;
  Stored less(one.out, one.rows(), one.stored_row());
  const bool all_zero = std::all_of(powers.begin(), powers.end(), [](T power) { return power == 0; });
  EXPECT_TRUE(less.encode(powers) > 0 || all_zero);
}

void check(const Case& one, const Target& target, bool with_exponents = false, const std::string& asked = "") {
  const std::string text = one.text(one.out, true);
  SCOPED_TRACE(text + (with_exponents ? ", exponents" : "") + " on " + target.name);
  PlanPtr plan = asked.empty() ? make_plan(target.context, text) : make_plan(target.context, text, asked);
  ASSERT_NE(plan, nullptr);
  if (one.split && asked.empty()) {  // bodies of some lengths write no split spectrum, and powers take them: a recipe that both take
    const PlanPtr spectrum = make_plan(target.context, one.text(is_f64(recipe_of(plan.get())) ? "f64" : "f32", false));
    ASSERT_NE(spectrum, nullptr);
    plan = make_plan(target.context, text, recipe_of(spectrum.get()));
    ASSERT_NE(plan, nullptr);
  }
  const std::string recipe = recipe_of(plan.get());
  SCOPED_TRACE(recipe);
  is_f64(recipe) ? compare<double>(one, target, plan, recipe, with_exponents) : compare<float>(one, target, plan, recipe, with_exponents);
}

std::vector<std::string> every_format() {
  std::vector<std::string> names{"f32", "f64"};
  for (const ulpfft_format& format : all_formats()) {
    if (std::string(format.kind) != "wide" && format.lowest <= 0) names.emplace_back(format.name);  // others have no 0
  }
  return names;
}
std::vector<std::string> input_formats() {
  std::vector<std::string> names = narrow_formats();
  names.insert(names.begin(), {"f32", "f64"});
  return names;
}

// ---- every format by registry

TEST(Power, OfEveryFormatIsTheEncodedSquareOfTheSpectrum) {
  const Numbers lengths{1, 2, 3, 8, 16, 30, 97, 128, 1001, 4096};
  Sampler sampler(7);
  std::size_t turn = 0;
  for (const std::string& out : every_format()) {
    for (const bool real : {false, true}) {
      for (const std::int64_t n : lengths) {
        ++turn;
        if (!sampler.next()) continue;
        Case one;
        one.real = real;
        one.lengths = {n};
        one.batch = n < 200 ? 1 + static_cast<std::int64_t>(turn % 9) : 1;
        one.out = out;
        one.in = needs_f64(out) ? "f64" : "f32";
        one.options = one.fitting_scale();
        one.strided = turn % 3 == 0 && !keeps_rows(out);
        check(one, targets()[turn % targets().size()]);
        check(one, default_target(), true);
      }
    }
  }
}

// ---- random problems

std::string pick(Random& random, const std::vector<std::string>& from) { return from[random.below(from.size())]; }

Case random_case(Random& random, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  static const std::vector<std::int64_t> smooth = smooth_lengths(2000);
  Case one;
  one.real = random.chance(0.5);
  const int rank = random.chance(0.6) ? 1 : static_cast<int>(random.between(2, 3));
  for (int d = 0; d < rank; ++d) {
    const std::int64_t most = rank == 1 ? (random.chance(0.1) ? 20000 : 1500) : rank == 2 ? 60 : 16;
    one.lengths.push_back(random.chance(0.3) ? random.between(1, most) : smooth[random.below(smooth.size())] % most + 1);
  }
  if (random.chance(0.5)) one.batch = random.between(2, product(one.lengths) < 200 ? 60 : 5);
  one.in = pick(random, inputs);
  one.out = random.chance(0.3) ? (random.chance(0.7) ? "f32" : "f64") : pick(random, outputs);
  one.split = !one.real && random.chance(0.2);
  one.strided = rank == 1 && !keeps_rows(one.out) && random.chance(0.3);
  one.options = random.chance(0.7) ? one.fitting_scale() : " scale=ortho";
  if (random.chance(0.25)) one.options.insert(0, " centered");
  if (random.chance(0.25)) one.options.insert(0, " inverse");
  if (random.chance(0.25)) one.options += " threads=" + std::to_string(random.between(2, 4));
  if (random.chance(0.1)) one.options += " prescale=amax";
  if (random.chance(0.1)) one.options += needs_f64(one.in) || needs_f64(one.out) ? "" : " scheme=f64";
  return one;
}

TEST(Power, OfRandomProblemsIsTheEncodedSquareOfTheSpectrum) {
  Random random(20261128);
  const std::vector<std::string> inputs = input_formats(), outputs = every_format();
  Sampler sampler(5);
  const int count = full_run() ? 6000 : 900;
  for (int i = 0; i < count; ++i) {
    const Case one = random_case(random, inputs, outputs);
    const Target& target = random.chance(0.2) ? ref_target() : targets()[random.below(targets().size())];
    const bool with_exponents = random.chance(0.3) && one.options.find("prescale") == std::string::npos;
    if (!sampler.next()) continue;
    check(one, target, with_exponents);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// ---- schemes

TEST(Power, OfEveryFamilyOfSchemes) {
  std::vector<std::string> schemes;
  for (std::size_t i = 0; i < ulpfft_scheme_count(); ++i) {
    auto scheme = sized<ulpfft_scheme>();
    ASSERT_EQ(ulpfft_scheme_get(i, &scheme), ULPFFT_OK);
    schemes.emplace_back(scheme.name);
  }
  Sampler sampler(5);
  const std::vector<std::string> outputs{"f32", "i16", "mxfp8_e4m3", "f16"};
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    for (const bool real : {false, true}) {
      if (real && !(schemes[i] == "f32" || schemes[i] == "f64" || schemes[i].starts_with("rounded:"))) continue;
      for (const Numbers& lengths : {Numbers{64}, Numbers{360}, Numbers{12, 20}}) {
        if (!sampler.next()) continue;
        Case one;
        one.real = real;
        one.lengths = lengths;
        one.batch = 3;
        one.out = outputs[i % outputs.size()];
        one.options = one.fitting_scale() + " scheme=" + schemes[i];
        check(one, default_target());
      }
    }
  }
}

// ---- long transforms, whose last sweep takes what it can

TEST(Power, OfLongTransformsIsTheEncodedSquareOfTheSpectrum) {
  const std::string four = "f32:four(512x256 p32; dit(8 8 8); dit(16 16))";
  for (const std::string out : {"f32", "bf16", "i16", "mxfp8_e4m3", "e2m1", "mxfp6_e3m2:b0"}) {
    for (const std::string options : {"", " centered", " inverse threads=2"}) {
      Case one;
      one.lengths = {1 << 17};
      one.out = out;
      one.options = options;
      one.options += one.fitting_scale();
      check(one, default_target(), false, four);
      check(one, default_target(), true, four);
      if (options.empty()) check(one, ref_target(), false, four);
      one.split = true;
      check(one, default_target(), false, four);
      one.split = false;
      one.lengths = {40000};
      check(one, default_target(), out != "f32");
      one.real = true;
      check(one, default_target(), out != "f32");
      one.lengths = {3, 10000};
      check(one, default_target(), out != "f32");
      one.lengths = {300, 200};
      check(one, default_target());
      one.real = false;
      check(one, default_target(), out != "f32");
    }
  }
}

// ---- errors

TEST(Power, StatesTheErrorThatIsMeasured) {
  const ContextPtr context = make_context();
  Sampler sampler(4);
  double least = 2, most = 0;
  for (const std::string& out : every_format()) {
    for (const std::string kind : {"", "r2c "}) {
      for (const std::string lengths : {"64*8", "1000", "4096", "24x32", "97*3"}) {
        if (!sampler.next()) continue;
        const std::string text = kind + lengths + (needs_f64(out) ? " f64->" : " f32->") + out + " output=power";
        const PlanPtr plan = make_plan(context.get(), out == "f32" ? kind + lengths + " f32 output=power" : text);
        ASSERT_NE(plan, nullptr) << text;
        auto report = sized<ulpfft_error_report>();
        ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << text << ": " << last_error_text();
        const double ratio = report.relative_l2 / ulpfft_plan_error(plan.get());
        least = std::min(least, ratio);
        most = std::max(most, ratio);
        EXPECT_GE(ratio, 0.8) << text << ": " << report.relative_l2 << " measured";
        EXPECT_LE(ratio, 1.25) << text << ": " << report.relative_l2 << " measured";
      }
    }
  }
  std::cout << "measured over stated " << least << " to " << most << "\n";
}

TEST(Power, KeepsAnErrorLimit) {
  const ContextPtr context = make_context();
  for (const std::string problem : {"1024 f64 max_error=1e-5 output=power", "r2c 360*4 f64->bf16 max_error=0.01 output=power"}) {
    const PlanPtr plan = make_plan(context.get(), problem);
    ASSERT_NE(plan, nullptr) << problem;
    EXPECT_LE(ulpfft_plan_error(plan.get()), problem.find("bf16") == std::string::npos ? 1e-5 : 0.01);
  }
}

// ---- C++

TEST(Power, IsAnArrayOfRealsInCpp) {
  Context context;
  const std::vector<float> in{1, 0, -1, 0, 1, 0, -1, 0};
  std::vector<float> out(5, -1);
  const Plan plan = context.plan({.kind = Kind::kR2C, .lengths = {8}, .output = Output::kPower});
  EXPECT_EQ(plan.problem(), "r2c 8 f32 output=power");
  plan.execute(in, out);
  EXPECT_EQ(out, (std::vector<float>{0, 0, 16, 0, 0}));
  std::vector<std::complex<float>> numbers(5);
  EXPECT_THROW(plan.execute(in, numbers), Error);
}

// ---- refusals

TEST(Power, OfWhatHasNoneIsRefusedByASentence) {
  const struct {
    const char *problem, *field, *says;
  } wrong[] = {{"c2r 64 f32 output=power", "output", "c2r is real"},
               {"r2r 64 f32 kinds=dct2 output=power", "output", "r2r is real"},
               {"64 f32 chain=mul output=power", "output", "leave out 'chain'"},
               {"r2c 64 f32 chain=mul output=power", "output", "leave out 'chain'"},
               {"64 f32 inplace output=power", "output", "out of place"},
               {"r2c 64 f32 split output=power", "layout", "leave out 'split'"},
               {"64 f32 backend=cuda output=power", "backend", "on the CPU"},
               {"64 f32 output=phase", "output", "spectrum or power"},
               {"64 f32 output=pwer", "output", "Did you mean 'power'?"}};
  for (const auto& one : wrong) {
    ulpfft_plan* plan = nullptr;
    EXPECT_NE(ulpfft_plan_parse(default_target().context, one.problem, &plan), ULPFFT_OK) << one.problem;
    EXPECT_EQ(last_error().field, one.field) << one.problem << ": " << last_error_text();
    EXPECT_NE(last_error().message.find(one.says), std::string::npos) << one.problem << ": " << last_error_text();
  }
  ulpfft_plan* plan = nullptr;
  EXPECT_NE(ulpfft_plan_from_recipe(default_target().context, "1024 f32->f16 output=power", "f32:dit(32 32 encode)", &plan), ULPFFT_OK);
  EXPECT_NE(last_error().message.find("powers of what it computes"), std::string::npos) << last_error_text();
}

}  // namespace
}  // namespace ulpfft::test
