// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The error that a plan states against the error that is measured, over random problems of every storage, scheme and option.
//
// Stated is what estimate effort predicts; measured is every output of transforms of complex normal data. A problem prints as its text.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <iostream>
#include <limits>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"
#include "ulpfft/ulpfft.h"

namespace ulpfft::test {
namespace {

enum class Class { kPlain, kInteger, kChain, kRounded, kMx };

constexpr const char* kClassNames[] = {"plain", "integer", "chain", "rounded", "mx"};

struct Draw {
  Class kind = Class::kPlain;
  std::string text;
  std::int64_t points = 1;
  bool narrow_in = false, integers_to_narrow = false, without_sign = false, powers = false;
};

std::string pick(Random& random, const std::vector<std::string>& from) { return from[random.below(from.size())]; }

struct Names {
  std::vector<std::string> floats, integers, blocks;
  std::vector<std::string> with_mantissa;  // blocks whose scales are no powers of two
  std::vector<std::string> without_sign;   // floats
};

// Every format of the build that has a zero.
Names names_of_build() {
  Names names;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    auto info = sized<ulpfft_format>();
    if (ulpfft_format_get(i, &info) != ULPFFT_OK) continue;
    const std::string name = info.name, kind = info.kind;
    if (kind == "block") names.blocks.push_back(name);
    if (kind == "block" && info.rule == std::string("te")) names.with_mantissa.push_back(name);
    if (kind == "integer") names.integers.push_back(name);
    if (kind == "element" && info.lowest <= 0) names.floats.push_back(name);
    if (kind == "element" && info.lowest == 0) names.without_sign.push_back(name);
  }
  return names;
}

const Names& names() {
  static const Names all = names_of_build();
  return all;
}

bool is_prime(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return false;
  }
  return n > 1;
}

// Powers of two, products of primes up to 13, primes, doubles and squares of primes.
std::int64_t random_length(Random& random, std::int64_t limit, bool smooth) {
  static const std::vector<std::int64_t> smooth_list = smooth_lengths(1 << 14);
  const auto up_to = [&random](std::int64_t last) {  // uniform on a logarithmic scale
    return std::min(last, static_cast<std::int64_t>(std::exp(random.uniform() * std::log(static_cast<double>(last) + 1))));
  };
  const std::uint64_t shape = random.below(smooth ? 2 : 5);
  if (shape == 0) return std::int64_t{1} << std::ilogb(static_cast<double>(up_to(limit)));
  if (shape == 1) return *(std::upper_bound(smooth_list.begin(), smooth_list.end(), up_to(limit)) - 1);
  std::int64_t p = up_to(shape == 2 ? limit : shape == 3 ? std::max<std::int64_t>(limit / 2, 2) : static_cast<std::int64_t>(std::sqrt(static_cast<double>(limit))));
  while (p > 2 && !is_prime(p)) --p;
  return std::min(limit, shape == 2 ? p : shape == 3 ? 2 * p : p * p);
}

std::string lengths(Random& random, std::int64_t limit, bool smooth, Draw& draw) {
  const std::int64_t rank = random.chance(0.6) ? 1 : random.between(2, 3);
  std::string text;
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t left = limit / draw.points;
    const std::int64_t n = random_length(random, d + 1 < rank ? std::max<std::int64_t>(left / 8, 1) : left, smooth);
    text += (d > 0 ? "x" : "") + std::to_string(n);
    draw.points *= n;
  }
  if (random.chance(0.3)) text += "*" + std::to_string(random.between(2, 9));
  return text;
}

std::string scale(Random& random) {
  switch (random.below(6)) {
    case 0: return " scale=ortho";
    case 1: return " scale=1/n";
    case 2: return " scale=0.3";
    case 3: return " scale=" + std::to_string(random.between(3, 200));
    default: return "";
  }
}

std::string narrow_end(Random& random, bool integers) {
  const Names& all = names();
  if (integers) return pick(random, all.integers);
  if (random.chance(0.5)) return pick(random, all.floats);
  std::string block = pick(random, all.blocks);
  const bool with_mantissa = std::count(all.with_mantissa.begin(), all.with_mantissa.end(), block) > 0;
  if (random.chance(0.3)) block += random.chance(0.5) ? ":b16" : ":b0";
  if (with_mantissa && random.chance(0.5)) block += random.chance(0.5) ? ":torchao" : ":search";
  return block;
}

std::string wide(Random& random) { return random.chance(0.5) ? "f32" : "f64"; }

std::string storages(Random& random, bool integers, Draw& draw) {
  std::string in = wide(random), out = random.chance(0.7) ? in : wide(random);
  const double narrow = integers ? 1.0 : 0.6;
  if (random.chance(narrow)) {
    switch (random.below(3)) {
      case 0: in = narrow_end(random, integers); break;
      case 1: out = narrow_end(random, integers); break;
      default: in = narrow_end(random, integers), out = random.chance(0.5) ? in : narrow_end(random, integers && random.chance(0.5));
    }
  }
  const auto is_wide = [](const std::string& name) { return name == "f32" || name == "f64"; };
  draw.narrow_in = !is_wide(in);
  draw.without_sign = std::count(names().without_sign.begin(), names().without_sign.end(), in) > 0;
  draw.integers_to_narrow = !is_wide(out) && std::count(names().integers.begin(), names().integers.end(), in) > 0;
  return in == out ? in : in + "->" + out;
}

Draw random_draw(std::uint64_t seed) {
  Random random(seed);
  Draw draw;
  draw.kind = static_cast<Class>(std::array{0, 0, 0, 0, 1, 1, 2, 2, 3, 4}[random.below(10)]);
  const bool integers = draw.kind == Class::kInteger || (draw.kind == Class::kChain && random.chance(0.3));
  const bool smooth = draw.kind == Class::kRounded || draw.kind == Class::kMx;
  draw.text = lengths(random, smooth ? 2048 : full_run() && random.chance(0.02) ? 1 << 18 : 1 << 13, smooth, draw);
  draw.text += " " + (smooth && random.chance(0.6) ? wide(random) : storages(random, integers, draw)) + scale(random);
  if (random.chance(0.2)) draw.text += " inverse";
  if (random.chance(0.2)) draw.text += " centered";
  if (draw.kind == Class::kChain) draw.text += " chain=mul";
  // Formats of 8 bits hardly hold a transform: what saturates and what becomes 0 in between is predicted
  // within a factor of 4 (notebook/error_limits.md).
  if (draw.kind == Class::kRounded) draw.text += " scheme=rounded:" + pick(random, {"f16", "bf16"});
  if (draw.kind == Class::kMx) draw.text += " scheme=mx:" + pick(random, names().blocks);
  if (draw.kind == Class::kPlain && random.chance(0.1)) draw.text += " intermediate=" + narrow_end(random, false);
  if (draw.kind != Class::kChain && random.chance(0.1)) draw.text += " prescale=amax";
  const bool is_complex = draw.kind == Class::kChain || draw.kind == Class::kMx || draw.text.find("intermediate") != std::string::npos;
  if (!is_complex && random.chance(0.4)) draw.text.insert(0, random.chance(0.5) ? "r2c " : "c2r ");
  draw.powers = draw.kind != Class::kChain && !draw.text.starts_with("c2r") && random.chance(0.1);
  if (draw.powers) draw.text += " output=power";
  return draw;
}

// What a plan states, beside what was measured.
struct Ratio {
  Draw draw;
  std::string recipe;
  std::string data;  // "" for complex normal
  double stated = 0, measured = 0;
  double value() const { return measured / stated; }
};

std::ostream& operator<<(std::ostream& out, const Ratio& r) {
  return out << r.measured << " measured, " << r.stated << " stated, " << r.value() << " times: \"" << r.draw.text << "\" by " << r.recipe << (r.data.empty() ? "" : ", ") << r.data;
}

constexpr double kMostPlain = 1.25, kMostOther = 1.6, kLeast = 0.8;
constexpr double kLeastRounded = 0.6;
constexpr std::int64_t kLeastPoints = 64;  // from which kLeast holds: short transforms of few digits may be exact
// Of short transforms of few digits results are few numbers, which may all lie half a step from a value: the square root of 3 times the
// error of numbers that lie anywhere.
constexpr double kMostDiscrete = std::numbers::sqrt3 * 1.01;
constexpr std::int64_t kDiscretePoints = 4;
// Integers of half a step may saturate a narrow output: of 2^15 numbers 16 that lie beyond 3.5 times their rms are 60 % of the square.
// No more of them than that are measured, so that the error is known within 30 %.
constexpr double kLeastSaturating = 0.7;
// Numbers without a sign have a mean, whose square is 1 / pi of theirs. One output gathers it, from sums of few digits that are exact.
const double kLeastWithoutSign = kLeast * std::sqrt(1 - 1 / std::numbers::pi);

// A row with one scale errs by its step, which is one power of two or the next: squares 1 or 4, whose standard deviation is at most 3/4 of their
// mean. Of few rows the mean is uncertain by three of these over the root of their number.
double chance_of(const Draw& draw) {
  if (draw.text.find(":b0") == std::string::npos) return 1;
  const double rows = std::max(1.0, 16384.0 / static_cast<double>(draw.points));
  return std::sqrt(1 + 3 * 0.75 / std::sqrt(rows));
}

// Sums of floats of few digits are exact but where one is far smaller than the others. So few were rounded where the error is well below a unit in
// the last place that their number is uncertain by chance: 16 sums meet the same small number, and squares vary by 5 times their mean.
double chance_of_rare_sums(const Ratio& ratio) {
  const double u = ratio.recipe.starts_with("f64") ? 0x1p-53 : 0x1p-24, part = ratio.measured / (0.4247 * u);
  if (!ratio.draw.narrow_in || part > 0.5) return 1;
  return std::sqrt(1 + 3 * std::sqrt(5 * 16 / (part * part * 32768)));
}

// Powers of integers of half a step have a mean that cannot be less. In long transforms one of the 2^14 outputs may saturate, or none: by up
// to 4 times the mean.
double rare_power(const Draw& draw) { return draw.powers && draw.integers_to_narrow && draw.points > 4096 ? 4 / std::sqrt(2 * 16384.0) : 0; }

// The farthest from 1 of each kind, for those who read the log.
class Farthest {
 public:
  void add(const Ratio& r) {
    auto& [least, most, count] = of_[kClassNames[static_cast<int>(r.draw.kind)]];
    if (count == 0 || r.value() < least.value()) least = r;
    if (count == 0 || r.value() > most.value()) most = r;
    ++count;
  }
  ~Farthest() {
    for (const auto& [name, entry] : of_) {
      std::cout << name << ", " << entry.count << " problems\n  least " << entry.least << "\n  most  " << entry.most << "\n";
    }
  }

 private:
  struct Entry {
    Ratio least, most;
    int count = 0;
  };
  std::map<std::string, Entry> of_;
};

PlanPtr plan_of(const ContextPtr& context, const Draw& draw) {
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* plan = nullptr;
  if (ulpfft_plan_parse_options(context.get(), draw.text.c_str(), &options, &plan) == ULPFFT_OK) return PlanPtr(plan);
  EXPECT_EQ(last_error().status, ULPFFT_UNSUPPORTED) << draw.text << ": " << last_error_text();
  return nullptr;
}

TEST(StatedErrors, AreThoseMeasuredOverRandomProblems) {
  const ContextPtr context = make_context();
  Farthest farthest;
  const int count = full_run() ? 3000 : 300;
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    Ratio ratio{random_draw(static_cast<std::uint64_t>(i) + 1), "", "", 0, 0};
    const PlanPtr plan = plan_of(context, ratio.draw);
    refused += plan == nullptr ? 1 : 0;
    if (plan == nullptr) continue;
    ratio.recipe = recipe_of(plan.get());
    ratio.stated = ulpfft_plan_error(plan.get());
    auto report = sized<ulpfft_error_report>();
    ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << ratio.draw.text << ": " << last_error_text();
    ratio.measured = report.relative_l2;
    if (ratio.measured == 0) continue;  // few digits, short transforms: exact
    const double most = ratio.draw.kind == Class::kPlain ? kMostPlain : kMostOther;
    // Of powers of numbers without a sign one output, of their mean, has nearly all of the square: its error is that of a single number.
    if (ratio.draw.powers && ratio.draw.without_sign) continue;
    const double chance = chance_of(ratio.draw) * chance_of_rare_sums(ratio), rare = rare_power(ratio.draw);
    EXPECT_LE(ratio.measured, chance * (ratio.draw.narrow_in && ratio.draw.points <= kDiscretePoints ? kMostDiscrete : most) * ratio.stated + rare) << ratio;
    if (ratio.draw.points >= kLeastPoints && ratio.draw.kind != Class::kMx && rare == 0) {
      const double least = ratio.draw.kind == Class::kRounded   ? kLeastRounded
                           : ratio.draw.integers_to_narrow      ? kLeastSaturating
                           : ratio.draw.without_sign            ? kLeastWithoutSign
                                                                : kLeast;
      EXPECT_GE(ratio.measured, least / chance * ratio.stated) << ratio;
    }
    farthest.add(ratio);
  }
  EXPECT_LE(refused, count / 20);
}

// Sums of numbers with a fixed step are exact while they do not saturate: products round, and inputs of more digits.
void expect_ratio_within(const ContextPtr& context, Class of, const std::string& text, double least, double most) {
  Ratio ratio{{of, text}, "", "", 0, 0};
  const PlanPtr plan = plan_of(context, ratio.draw);
  ASSERT_NE(plan, nullptr) << text;
  ratio.recipe = recipe_of(plan.get());
  ratio.stated = ulpfft_plan_error(plan.get());
  auto report = sized<ulpfft_error_report>();
  ASSERT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << text << ": " << last_error_text();
  ratio.measured = report.relative_l2;
  EXPECT_GE(ratio.measured, least * ratio.stated) << ratio;
  EXPECT_LE(ratio.measured, most * ratio.stated) << ratio;
}

TEST(StatedErrors, OfFixedPointArithmeticCountProductsAndSaturation) {
  const ContextPtr context = make_context();
  constexpr double kLeastFixed = 0.55, kMostFixed = 1.5;  // the least: odd real transforms, whose imaginary parts begin as 0
  for (const std::int64_t n : full_run() ? smooth_lengths(256) : sampled(smooth_lengths(256), 11)) {
    if (n < 2) continue;
    for (const char* kind : {"", "r2c ", "c2r "}) {
      for (const char* option : {"", " window=hann", " prescale=amax"}) {
        if (kind == std::string("c2r ") && option == std::string(" window=hann")) continue;
        const std::string text = kind + std::to_string(n) + " f32 scheme=rounded:int8q6" + option;
        expect_ratio_within(context, Class::kRounded, text, kLeastFixed, kMostFixed);
      }
    }
  }
}

// Some outputs of DCT 1, DCT 2, DST 2 and half-complex arrays have twice the square of the others, in several dimensions 4 and 8 times.
TEST(StatedErrors, OfRealKindsKnowWhichOutputsSaturate) {
  const ContextPtr context = make_context();
  constexpr double kLeastStored = 0.7, kMostStored = 1.45;  // rare saturations are a matter of chance
  std::vector<std::string> texts;
  for (const char* kind : {"r2hc", "hc2r", "dht", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"}) {
    for (const auto& [shape, rank] : {std::pair("48", 1), {"5", 1}, {"32x48", 2}, {"17x9", 2}, {"8x8x8", 3}, {"3x4x5", 3}}) {
      std::string kinds = kind;
      for (int d = 1; d < rank; ++d) kinds += std::string(",") + kind;
      for (const char* storage : {"i8", "u8", "i16", "int8q6", "e4m3", "f16"}) {
        if (rank == 3 && storage == std::string("i16")) continue;  // one output that saturates, or none, is the whole error
        for (const char* scale : {"", " scale=ortho", " scale=3"}) {
          texts.push_back(std::string("r2r ") + shape + " f32->" + storage + " kinds=" + kinds + scale);
        }
      }
    }
  }
  for (const std::string& text : full_run() ? texts : sampled(texts, 23)) {
    expect_ratio_within(context, Class::kInteger, text, kLeastStored, kMostStored);
  }
}

TEST(StatedErrors, OfChainsOfEveryColumnAreMeasured) {
  const ContextPtr context = make_context();
  for (std::int64_t n = full_run() ? 2 : 32; n <= 64; n += full_run() ? 1 : 8) {
    for (const char* storage : {"f32", "f64"}) {
      const PlanPtr plan = plan_of(context, {Class::kChain, std::to_string(n) + "x31 " + storage + " chain=mul"});
      ASSERT_NE(plan, nullptr) << n;
      auto report = sized<ulpfft_error_report>();
      EXPECT_EQ(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << n << ": " << last_error_text();
    }
  }
}

// ---- Data that are not normal -----------------------------------------------------------------------------------------

struct Signal {
  const char* name;
  // Of point j of n; `draw` is a normal number, its own at every point.
  std::complex<double> (*value)(double j, double n, const std::complex<double>& draw);
};

std::complex<double> turn(double turns) { return std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns))); }

constexpr Signal kSignals[] = {
    {"impulse", [](double j, double n, const auto&) { return std::complex(j == std::floor(n / 3) ? 0.7 : 0.0, 0.0); }},
    {"constant", [](double, double, const auto&) { return std::complex(0.7, -0.3); }},
    {"a tone of a bin", [](double j, double n, const auto&) { return 0.9 * turn(5 * j / n); }},
    {"a tone between bins", [](double j, double n, const auto&) { return 0.9 * turn(5.37 * j / n); }},
    {"a real tone", [](double j, double n, const auto&) { return std::complex(turn(3.21 * j / n).real(), 0.0); }},
    {"normal beside a constant of 1e6", [](double, double, const auto& draw) { return 1e6 + draw; }},
    {"a chirp", [](double j, double n, const auto&) { return turn(j * j / (2 * n)); }},
    {"alternating signs", [](double j, double, const auto&) { return std::complex(std::fmod(j, 2) == 0 ? 0.3 : -0.3, 0.1); }},
    {"a ramp", [](double j, double n, const auto&) { return std::complex(j / n, 1 - j / n); }},
    {"real normal", [](double, double, const auto& draw) { return std::complex(draw.real(), 0.0); }},
    {"random phases", [](double, double, const auto& draw) { return draw / std::abs(draw); }},
    {"every seventh point", [](double j, double, const auto& draw) { return std::fmod(j, 7) == 0 ? draw : 0.0; }},
    {"sixty binades", [](double j, double n, const auto& draw) { return draw * std::exp2(-60 * j / n); }},
    {"normal of 1e-30", [](double, double, const auto& draw) { return 1e-30 * draw; }},
    {"normal of 1e30", [](double, double, const auto& draw) { return 1e30 * draw; }}};

Draw random_wide_draw(std::uint64_t seed) {
  Random random(seed);
  Draw draw;
  const std::int64_t rank = random.chance(0.7) ? 1 : 2;
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t n = rank == 1 ? std::max(kLeastPoints, random_length(random, 1 << 12, false)) : std::max<std::int64_t>(8, random_length(random, 1 << 6, false));
    draw.text += (d > 0 ? "x" : "") + std::to_string(n);
    draw.points *= n;
  }
  draw.text += " " + wide(random) + scale(random);
  if (random.chance(0.3)) draw.text += " inverse";
  return draw;
}

template <typename T>
double error_on(const PlanPtr& plan, const Signal& signal, std::int64_t points, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::complex<T>> data;
  for (std::int64_t j = 0; j < points; ++j) {
    const double re = random.normal(), im = random.normal();
    const std::complex<double> value = signal.value(static_cast<double>(j), static_cast<double>(points), {re, im});
    data.emplace_back(static_cast<T>(value.real()), static_cast<T>(value.imag()));
  }
  auto array = sized<ulpfft_array>();
  array.data[0] = data.data();
  auto report = sized<ulpfft_error_report>();
  EXPECT_EQ(ulpfft_plan_assess(plan.get(), &array, ULPFFT_ERROR_FULL, &report), ULPFFT_OK) << last_error_text();
  return report.relative_l2;
}

// In units in the last place, what sums of h = (r - 1) / 2 terms, one after another, add to the error of data that agree in sign, where
// one result has all the energy. Partial sums of k equal terms are rounded by 0.43 u k in the mean: 0.43 u sqrt(h / 3) of the whole, and
// three times that for one number. Bodies of 17 and of primes to 61 sum so; 0 without one.
double sums_in_order(const std::string& recipe) {
  double most = 0;
  for (const int r : {17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61}) {
    const std::string digits = std::to_string(r);
    for (std::size_t at = recipe.find(digits); at != std::string::npos; at = recipe.find(digits, at + 1)) {
      const auto is_digit = [&](std::size_t i) { return i < recipe.size() && recipe[i] >= '0' && recipe[i] <= '9'; };
      if (!is_digit(at - 1) && !is_digit(at + 2)) most = std::max(most, 3 * 0.43 * std::sqrt((r - 1) / 6.0));
    }
  }
  return most;
}

TEST(StatedErrors, HoldForDataThatAreNotNormal) {
  const ContextPtr context = make_context();
  const int count = full_run() ? 500 : 40;
  for (int i = 0; i < count; ++i) {
    Ratio ratio{random_wide_draw(static_cast<std::uint64_t>(i) + 1), "", "", 0, 0};
    const PlanPtr plan = plan_of(context, ratio.draw);
    ASSERT_NE(plan, nullptr) << ratio.draw.text;
    ratio.recipe = recipe_of(plan.get());
    ratio.stated = ulpfft_plan_error(plan.get());
    for (const Signal& signal : kSignals) {
      ratio.data = signal.name;
      const auto seed = static_cast<std::uint64_t>(i);
      const bool f64 = ratio.draw.text.find("f64") != std::string::npos;
      // Where few numbers make up the data or the result, their products with a scale are not rounded by 0.43 u in the mean, but by u at most.
      const double unit = f64 ? 0x1p-53 : 0x1p-24;
      const double products = ratio.draw.text.find("scale=") == std::string::npos ? 0 : unit, sums = unit * sums_in_order(ratio.recipe);
      ratio.measured = f64 ? error_on<double>(plan, signal, ratio.draw.points, seed) : error_on<float>(plan, signal, ratio.draw.points, seed);
      EXPECT_LE(ratio.measured, kMostOther * ratio.stated + products + sums) << ratio;
    }
  }
}

// ---- Results near the largest number ----------------------------------------------------------------------------------

// ulpfft.h, "Range": results of normal data may reach half of the largest number, a quarter where a recipe has convolutions.
template <typename T>
void expect_finite_near_the_largest(const ContextPtr& context, std::int64_t n) {
  const std::string text = std::to_string(n) + " " + Storage<T>::kName;
  const PlanPtr plan = make_plan(context.get(), text);
  ASSERT_NE(plan, nullptr);
  const std::string recipe = recipe_of(plan.get());
  const double reach = recipe.find("rader") != std::string::npos || recipe.find("bluestein") != std::string::npos ? 0.25 : 0.5;
  std::vector<std::complex<T>> in = random_signal<T>(static_cast<std::size_t>(n), seed_of(text)), small(in.size()), large(in.size());
  ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), small.data()), ULPFFT_OK);
  T most = 0;
  for (const auto& value : small) most = std::max({most, std::abs(value.real()), std::abs(value.imag())});
  const T largest = std::numeric_limits<T>::max() * static_cast<T>(reach);
  for (auto& value : in) value = value / most * largest;
  ASSERT_EQ(ulpfft_execute(plan.get(), in.data(), large.data()), ULPFFT_OK);
  for (std::size_t k = 0; k < large.size(); ++k) {
    const std::complex<T> expected = small[k] / most, got = large[k] / largest;
    ASSERT_NEAR(static_cast<double>(got.real()), static_cast<double>(expected.real()), 1e-5) << text << " by " << recipe << ", output " << k;
    ASSERT_NEAR(static_cast<double>(got.imag()), static_cast<double>(expected.imag()), 1e-5) << text << " by " << recipe << ", output " << k;
  }
}

TEST(Range, OfNormalDataIsAsTheHeaderSays) {
  const ContextPtr context = make_context();
  for (int i = 0; i < (full_run() ? 1000 : 100); ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    const std::int64_t n = random_length(random, 1 << 13, false);
    expect_finite_near_the_largest<float>(context, n);
    expect_finite_near_the_largest<double>(context, n);
  }
  for (const std::int64_t n : {1009, 1018, 4099, 65537}) {
    expect_finite_near_the_largest<float>(context, n);
    expect_finite_near_the_largest<double>(context, n);
  }
}

}  // namespace
}  // namespace ulpfft::test
