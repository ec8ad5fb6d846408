// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage at its limits: memory beside the rows, strides of any size, exponents of any size, and data that overflow.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

class EveryFormatAtItsLimits : public testing::TestWithParam<std::string> {};

template <typename T>
void expect_rows_alone_touched(const std::string& storage, const Target& target, std::int64_t reals, bool backwards, Flush flush) {
  const std::int64_t rows = 3;
  const std::string text = storage + (sizeof(T) == 8 ? " f64 " : " f32 ") + std::to_string(reals) + (backwards ? " backwards" : "");
  Stored dense(storage, rows, reals);
  const std::vector<T> numbers = normal<T>(static_cast<std::size_t>(rows * reals), fitting_rms(storage), seed_of(text));
  ulpfft_conversion job = dense.conversion(sizeof(T) == 8 ? "f64" : "f32");
  std::int64_t expected_saturated = 0, saturated = 0;
  void* const dense_scales = dense.scales.empty() ? nullptr : dense.scales.data();
  ASSERT_EQ(ulpfft_encode(target.context, &job, numbers.data(), dense.codes.data(), dense_scales, &expected_saturated), ULPFFT_OK);
  // The arrays end or begin where memory does; rows lie in either order.
  GuardedBuffer codes(dense.codes.size(), flush), scales(dense.scales.size() + 1, flush);
  GuardedBuffer given(numbers.size() * sizeof(T), flush), back(numbers.size() * sizeof(T), flush);
  std::memcpy(given.data(), numbers.data(), numbers.size() * sizeof(T));
  const std::int64_t last = backwards ? rows - 1 : 0;
  auto* first_codes = codes.as<std::uint8_t>() + last * dense.layout.row_bytes;
  auto* first_scales = dense.scales.empty() ? nullptr : scales.as<std::uint8_t>() + (flush == Flush::kEnd ? 1 : 0) + last * dense.layout.scale_row_bytes;
  if (backwards) {
    job.code_row_bytes = -dense.layout.row_bytes;
    job.scale_row_bytes = -dense.layout.scale_row_bytes;
    job.real_row_stride = -reals;
  }
  ASSERT_EQ(ulpfft_encode(target.context, &job, given.as<T>() + last * reals, first_codes, first_scales, &saturated), ULPFFT_OK) << text << last_error_text();
  EXPECT_EQ(saturated, expected_saturated) << target << text;
  EXPECT_EQ(std::memcmp(codes.data(), dense.codes.data(), dense.codes.size()), 0) << target << text;
  if (first_scales != nullptr) {
    EXPECT_EQ(std::memcmp(first_scales - last * dense.layout.scale_row_bytes, dense.scales.data(), dense.scales.size()), 0) << target << text;
  }
  ASSERT_EQ(ulpfft_decode(target.context, &job, first_codes, first_scales, back.as<T>() + last * reals), ULPFFT_OK) << text << last_error_text();
  const std::vector<T> decoded = dense.decode<T>();
  EXPECT_EQ(std::memcmp(back.data(), decoded.data(), decoded.size() * sizeof(T)), 0) << target << text;
}

TEST_P(EveryFormatAtItsLimits, ConversionsTouchTheirRowsAlone) {
  for (const Target& target : targets()) {
    for (const std::int64_t reals : {1, 2, 7, 8, 15, 16, 31, 33, 64, 65, 129, 500}) {
      for (const Flush flush : {Flush::kStart, Flush::kEnd}) {
        for (const bool backwards : {false, true}) {
          expect_rows_alone_touched<float>(GetParam(), target, reals, backwards, flush);
          expect_rows_alone_touched<double>(GetParam(), target, reals, backwards, flush);
        }
      }
    }
  }
}

// Data of one transform whose results lie beyond the largest value, and how many of their parts do.
TEST_P(EveryFormatAtItsLimits, CountsTonesConstantsAndImpulsesThatSaturate) {
  const std::string storage = GetParam();
  const ulpfft_format format = format_of(storage);
  if (std::string(format.kind) == "block") GTEST_SKIP() << "by the rules of these descriptors scales grow with the numbers";
  const bool f64 = needs_f64(storage);
  if (format.largest > (f64 ? 1e305 : 1e36)) GTEST_SKIP() << "the arithmetic itself overflows";
  if (format.largest <= 0 || format.lowest > 0) GTEST_SKIP() << "zero saturates";
  const std::int64_t n = 64;
  const PlanPtr plan = make_plan(default_target().context, "64*4 " + std::string(f64 ? "f64" : "f32") + "->" + storage);
  const PlanPtr wide = make_plan(default_target().context, std::string("64*4 ") + (f64 ? "f64" : "f32"), recipe_of(plan.get()));
  ASSERT_TRUE(plan != nullptr && wide != nullptr);
  const double amplitude = format.largest / 3;
  std::vector<double> data(static_cast<std::size_t>(2 * n * 4), 0.0);
  const auto part = [&](std::int64_t transform, std::int64_t j, int p) -> double& { return data[static_cast<std::size_t>(2 * (transform * n + j) + p)]; };
  for (std::int64_t j = 0; j < n; ++j) {
    part(0, j, 0) = amplitude;  // constant: one part beyond
    const double angle = 2 * std::numbers::pi * 5 * static_cast<double>(j) / static_cast<double>(n) + 0.7;
    part(1, j, 0) = amplitude * std::cos(angle);  // tone: two parts beyond
    part(1, j, 1) = amplitude * std::sin(angle);
    part(3, j, static_cast<int>(j % 2)) = std::ldexp(amplitude, -static_cast<int>(j));  // sixty binades: some
  }
  part(2, 3, 0) = amplitude;  // impulse: none
  const auto run = [&](auto type) {
    using T = decltype(type);
    const std::vector<T> in(data.begin(), data.end());
    std::vector<T> expected(in.size());
    ASSERT_EQ(ulpfft_execute(wide.get(), in.data(), expected.data()), ULPFFT_OK);
    std::vector<T> copy = in;
    Stored out(storage, 4, 2 * n);
    auto from = sized<ulpfft_array>();
    from.data[0] = copy.data();
    ulpfft_array to = out.array();
    std::int64_t saturated = -1;
    to.saturated = &saturated;
    ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
    // Beyond: further from the end of the format than half of its last step.
    const std::vector<T> result = out.decode<T>();
    const double step = std::string(format.kind) == "integer" ? std::ldexp(1.0, -format.fraction_bits)
                                                              : std::ldexp(1.0, std::ilogb(format.largest) - format.mantissa_bits);
    std::int64_t beyond[4] = {};
    for (std::size_t i = 0; i < result.size(); ++i) {
      ASSERT_TRUE(std::isfinite(result[i])) << storage << " " << i;
      const double x = static_cast<double>(expected[i]);
      if (x > format.largest + step / 2 || x < format.lowest - step / 2) {
        ++beyond[i / static_cast<std::size_t>(2 * n)];
        EXPECT_EQ(static_cast<double>(result[i]), x > 0 ? format.largest : format.lowest) << storage << " " << i;
      }
    }
    EXPECT_EQ(beyond[0], 1) << storage;
    EXPECT_EQ(beyond[1], 2) << storage;
    if (amplitude <= -format.lowest) {
      EXPECT_EQ(beyond[2], 0) << storage;
    }
    EXPECT_EQ(saturated, beyond[0] + beyond[1] + beyond[2] + beyond[3]) << storage;
  };
  f64 ? run(double()) : run(float());
}

// With exponents too, several threads, and rows far apart.
TEST_P(EveryFormatAtItsLimits, NotANumberAndInfinityStayInTheirTransform) {
  const std::string storage = GetParam();
  const char* const wide = needs_f64(storage) ? "f64" : "f32";
  for (const std::string options : {"", " threads=2", " in_strides=1 out_strides=1 batch_strides=70,90"}) {
    const bool strided = options.find("strides") != std::string::npos;
    // Rows of packed formats and blocks are counted, not numbers.
    const ulpfft_format format = format_of(storage);
    const bool rows = std::string(format.kind) == "block" || (format.bits != 8 && format.bits != 16);
    if (strided && rows) continue;
    const std::int64_t in_row = strided ? 70 : 64, out_row = strided ? 90 : 64;
    const PlanPtr plan = make_plan(default_target().context, std::string("64*33 ") + wide + "->" + storage + options);
    ASSERT_NE(plan, nullptr);
    for (const bool with_exponents : {false, true}) {
      const auto transform = [&](bool spoilt, Stored& out, std::vector<std::int32_t>& exponents) {
        std::vector<double> data = normal<double>(static_cast<std::size_t>(2 * in_row * 33), fitting_rms(storage) / 8, 9);
        if (spoilt) {
          data[static_cast<std::size_t>(2 * in_row * 4 + 3)] = std::numeric_limits<double>::infinity();
          data[static_cast<std::size_t>(2 * in_row * 20 + 77)] = std::numeric_limits<double>::quiet_NaN();
        }
        const std::vector<float> narrow(data.begin(), data.end());
        auto from = sized<ulpfft_array>();
        from.data[0] = needs_f64(storage) ? static_cast<void*>(data.data()) : const_cast<float*>(narrow.data());
        ulpfft_array to = out.array();
        if (with_exponents) to.exponents = exponents.data();
        ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << last_error_text();
      };
      Stored clean(storage, 33, 2 * out_row), spoilt(storage, 33, 2 * out_row);
      std::vector<std::int32_t> exponents(33, 77), spoilt_exponents(33, 77);
      transform(false, clean, exponents);
      transform(true, spoilt, spoilt_exponents);
      for (std::int64_t row = 0; row < 33; ++row) {
        if (row == 4 || row == 20) continue;
        const auto same = [&](const Bytes& a, const Bytes& b, std::int64_t bytes) {
          return std::equal(a.begin() + row * bytes, a.begin() + (row + 1) * bytes, b.begin() + row * bytes);
        };
        ASSERT_TRUE(same(clean.codes, spoilt.codes, clean.layout.row_bytes)) << storage << options << row;
        ASSERT_TRUE(same(clean.scales, spoilt.scales, clean.layout.scale_row_bytes)) << storage << options << row;
        ASSERT_EQ(exponents[static_cast<std::size_t>(row)], spoilt_exponents[static_cast<std::size_t>(row)]) << storage << options << row;
      }
    }
  }
}

template <typename T>
void expect_exponents_fit(const PlanPtr& plan, const PlanPtr& wide, const std::string& storage, std::int64_t transforms, std::int64_t rows, std::int64_t reals,
                          int place) {
  const std::string text = storage + (sizeof(T) == 8 ? " f64 " : " f32 ") + std::to_string(reals) + " 2^" + std::to_string(place);
  const ulpfft_format format = format_of(storage);
  const std::int64_t of_one = rows * reals / transforms;
  std::vector<T> in = normal<T>(static_cast<std::size_t>(rows * reals), 1, seed_of(text)), expected(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::ldexp(in[i], place + static_cast<int>(i / static_cast<std::size_t>(of_one) % 7));
  ASSERT_EQ(ulpfft_execute(wide.get(), in.data(), expected.data()), ULPFFT_OK);
  Stored out(storage, rows, reals);
  std::vector<std::int32_t> exponents(static_cast<std::size_t>(transforms), 77);
  std::int64_t saturated = -1;
  auto from = sized<ulpfft_array>();
  from.data[0] = in.data();
  ulpfft_array to = out.array();
  to.exponents = exponents.data();
  to.saturated = &saturated;
  ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK) << text << last_error_text();
  // An exponent is chosen by magnitude: formats that reach less far below zero than above saturate there.
  const bool two_sided = -format.lowest >= 0.9 * format.largest;
  if (std::string(format.kind) != "block" && two_sided) {
    EXPECT_EQ(saturated, 0) << text;
  }
  // Formats whose range the arithmetic hardly reaches keep few digits, if any.
  const bool reached = two_sided && (sizeof(T) == 8 || (format.largest > 0x1p-100 && format.smallest_normal < 0x1p100));
  const std::vector<double> stored = out.decode<double>();
  for (std::int64_t t = 0; t < transforms; ++t) {
    double most = 0, most_expected = 0;
    for (std::int64_t i = t * of_one; i < (t + 1) * of_one; ++i) {
      const double x = stored[static_cast<std::size_t>(i)];
      ASSERT_TRUE(std::isfinite(x)) << text << ", number " << i;
      most = std::max(most, std::abs(std::ldexp(x, exponents[static_cast<std::size_t>(t)])));
      most_expected = std::max(most_expected, static_cast<double>(std::abs(expected[static_cast<std::size_t>(i)])));
    }
    if (reached) {
      EXPECT_NEAR(most / most_expected, 1, 0.5) << text << ", transform " << t << ", exponent " << exponents[static_cast<std::size_t>(t)];
    }
  }
}

// Results of any size, in either arithmetic, by rows, across, with strides and in tiles: the wide result over a power of two, rounded once.
TEST_P(EveryFormatAtItsLimits, ExponentsKeepEveryResultInTheRangeOfFormatAndArithmetic) {
  const std::string storage = GetParam();
  struct Shape {
    const char* lengths;
    std::int64_t transforms, rows, reals;
  };
  for (const std::string scheme : {"f32", "f64"}) {
    for (const Shape& shape : {Shape{"64*9", 9, 9, 128}, {"8*33", 33, 33, 16}, {"1000*2", 2, 2, 2000}, {"16x9*3", 3, 48, 18}}) {
      const std::string head = std::string(shape.lengths) + " " + scheme;
      const PlanPtr plan = make_plan(default_target().context, head + "->" + storage + " scheme=" + scheme);
      const PlanPtr wide = make_plan(default_target().context, head);
      ASSERT_TRUE(plan != nullptr && wide != nullptr);
      for (const int place : {-300, -100, -20, 0, 20, 100, 300}) {
        if (std::abs(place) > 100 && scheme == "f32") continue;
        scheme == "f64" ? expect_exponents_fit<double>(plan, wide, storage, shape.transforms, shape.rows, shape.reals, place)
                        : expect_exponents_fit<float>(plan, wide, storage, shape.transforms, shape.rows, shape.reals, place);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormatAtItsLimits, testing::ValuesIn(narrow_formats()), [](const auto& format) { return format.param; });

TEST(Exponents, OfAnySizeAreAPowerOfTwo) {
  for (const std::string storage : {"f16", "e4m3", "mxint8"}) {
    for (const std::string wide : {"f32", "f64"}) {
      const PlanPtr plan = make_plan(default_target().context, "8*9 " + storage + "->" + wide);
      ASSERT_NE(plan, nullptr);
      Stored in(storage, 9, 16);
      in.encode(normal<float>(144, 1, 2));
      constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min(), kMost = std::numeric_limits<std::int32_t>::max();
      std::vector<std::int32_t> exponents = {0, 1, -126, -127, 127, 128, kLeast, kMost, -5};
      std::vector<std::uint8_t> result(static_cast<std::size_t>(144 * (wide == "f64" ? 8 : 4))), plain = result;
      auto to = sized<ulpfft_array>();
      to.data[0] = plain.data();
      ulpfft_array from = in.array();
      ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK);
      from.exponents = exponents.data();
      to.data[0] = result.data();
      ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &to, nullptr), ULPFFT_OK);
      const auto at = [&](const std::vector<std::uint8_t>& bytes, std::size_t i) {
        if (wide == "f64") return reinterpret_cast<const double*>(bytes.data())[i];
        return static_cast<double>(reinterpret_cast<const float*>(bytes.data())[i]);
      };
      for (std::size_t i = 0; i < 144; ++i) {
        const std::int32_t exponent = exponents[i / 16];
        if (exponent == kMost) {
          EXPECT_FALSE(std::isfinite(at(result, i))) << storage << wide;
        } else if (exponent == kLeast) {
          EXPECT_EQ(at(result, i), 0) << storage << wide;
        } else if (std::abs(exponent) < 100 || wide == "f64") {
          EXPECT_EQ(at(result, i), std::ldexp(at(plain, i), exponent)) << storage << wide << " 2^" << exponent;
        }
      }
    }
  }
}

TEST(Conversion, RefusesRowsThatCannotBe) {
  std::vector<float> reals(64);
  Bytes codes(64), scales(64);
  const auto refused = [&](const char* storage, const char* field, const char* words, auto change) {
    auto job = sized<ulpfft_conversion>();
    job.storage = storage;
    job.rows = 2;
    job.reals = 4;
    change(job);
    void* const some_scales = std::string(storage).find("mx") == 0 ? scales.data() : nullptr;
    EXPECT_EQ(ulpfft_encode(nullptr, &job, reals.data(), codes.data(), some_scales, nullptr), ULPFFT_INVALID_ARGUMENT) << storage << " " << field;
    EXPECT_EQ(last_error().field, field);
    EXPECT_NE(last_error().message.find(words), std::string::npos) << last_error().message;
    EXPECT_EQ(ulpfft_decode(nullptr, &job, codes.data(), some_scales, reals.data()), ULPFFT_INVALID_ARGUMENT) << storage << " " << field;
  };
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = std::numeric_limits<std::int64_t>::max();
  refused("e4m3", "code_row_bytes", "64 bits", [](auto& job) { job.code_row_bytes = kLeast; });
  refused("e4m3", "code_row_bytes", "64 bits", [](auto& job) { job.code_row_bytes = kMost; });
  refused("e4m3", "code_row_bytes", "overlap", [](auto& job) { job.code_row_bytes = -3; });
  refused("mxint8", "scale_row_bytes", "64 bits", [](auto& job) { job.scale_row_bytes = kLeast; });
  refused("e4m3", "real_row_stride", "64 bits", [](auto& job) { job.real_row_stride = std::int64_t{1} << 60; });
  refused("e4m3", "real_row_stride", "64 bits", [](auto& job) { job.real_row_stride = kLeast; });
  refused("e4m3", "real_row_stride", "overlap", [](auto& job) { job.real_row_stride = 3; });
  refused("e4m3", "rows", "64 bits", [](auto& job) { job.rows = std::int64_t{1} << 62; });
  refused("e4m3", "rows", "0 or more", [](auto& job) { job.rows = -1; });
  refused("e4m3", "reals", "2^56", [](auto& job) { job.reals = 0; });
  refused("e4m3", "reals", "2^56", [](auto& job) { job.reals = kMost; });
  refused("f16", "code_row_bytes", "bytes of a code", [](auto& job) { job.code_row_bytes = 9; });
  refused("e4m3", "rounding", "ULPFFT_ROUND", [](auto& job) { job.rounding = 3; });
  auto none = sized<ulpfft_conversion>();
  none.storage = "mxint8";
  none.reals = 4;
  std::int64_t saturated = -1;
  EXPECT_EQ(ulpfft_encode(nullptr, &none, reals.data(), codes.data(), scales.data(), &saturated), ULPFFT_OK) << "no rows are nothing to do";
  EXPECT_EQ(saturated, 0);
  EXPECT_EQ(ulpfft_encode(nullptr, &none, nullptr, nullptr, nullptr, nullptr), ULPFFT_OK) << "as empty vectors give them: " << last_error_text();
  EXPECT_EQ(ulpfft_decode(nullptr, &none, nullptr, nullptr, nullptr), ULPFFT_OK) << last_error_text();
}

TEST(Layout, InternalFormatsAreNone) {
  auto layout = sized<ulpfft_layout>();
  const std::int64_t length = 4;
  EXPECT_EQ(ulpfft_format_layout("dd", 1, &length, &layout), ULPFFT_UNKNOWN_NAME);
  ulpfft_plan* plan = nullptr;
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "64 dd", &plan), ULPFFT_UNKNOWN_NAME);
  EXPECT_EQ(ulpfft_plan_parse(nullptr, "64 f16->dd", &plan), ULPFFT_UNKNOWN_NAME);
}

TEST(Storage, StridesOfAnySizeAreRefusedOrRight) {
  for (const std::string storage : {"f16", "e2m3", "mxint8", "mxfp4_e2m1:b0"}) {
    for (const std::string strides : {"batch_strides=4611686018427387904,64", "batch_strides=64,4611686018427387904", "batch_strides=-9223372036854775808,64",
                                      "batch_strides=9223372036854775807,64", "batch_strides=576460752303423488,576460752303423488"}) {
      ulpfft_plan* plan = nullptr;
      EXPECT_NE(ulpfft_plan_parse(default_target().context, ("64*4 " + storage + " " + strides).c_str(), &plan), ULPFFT_OK) << storage << strides;
      EXPECT_NE(last_error().message.find("64 bits"), std::string::npos) << storage << " " << strides << ": " << last_error().message;
    }
  }
}

}  // namespace
}  // namespace ulpfft::test
