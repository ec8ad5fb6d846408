// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft_plan_side tells where the elements of both arrays lie, for every kind and every storage of the build, and ulpfft_const_array is an
// input. What is expected is found by walking over the elements of an array whose strides the test chose itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/sample.h"

namespace ulpfft::test {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Kind {
  const char* word;     // before the lengths
  const char* options;  // behind the storage
  bool real_in, real_out, half_in, half_out;
};
constexpr Kind kKinds[] = {{"c2c", "", false, false, false, false},
                           {"c2c", " chain=mul", false, false, false, false},
                           {"c2c", " output=power", false, true, false, false},
                           {"r2c", "", true, false, false, true},
                           {"r2c", " output=power", true, true, false, true},
                           {"c2r", "", false, true, true, false},
                           {"r2c", " chain=mul", true, true, false, false},
                           {"r2r", " kinds=dct2,dst3", true, true, false, false}};

// What is chosen for a problem of 3 lines of n numbers, twice.
struct Placed {
  bool strided = false, in_place = false, split = false;
};
constexpr Placed kPlaced[] = {{}, {true, false, false}, {false, true, false}, {false, false, true}, {true, false, true}};

std::string text_of(const Numbers& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

constexpr std::int64_t kBatch = 2, kLines = 3;

// One array as the test lays it out: batch, lines, and numbers of a line.
struct Array {
  bool real, half, rows;
  Numbers lengths, strides;

  Array(bool holds_reals, bool is_half, bool counts_rows, std::int64_t n, std::int64_t padded, bool strided)
      : real(holds_reals), half(is_half), rows(counts_rows), lengths{kBatch, kLines, is_half ? n / 2 + 1 : n} {
    const std::int64_t row = rows ? 1 : std::max(padded, lengths[2]);
    strides = {kLines * row, row, 1};
    if (strided && rows) strides = {-5, 1, 1};
    if (strided && !rows) strides = {2, 5 * (2 * lengths[2] + 3), -5};
  }
};

// Elements or rows from the first that the strides reach to the last, as offsets.
struct Reach {
  std::int64_t first = 0, last = 0;
};
Reach reach_of(const Array& array) {
  Reach reach;
  for (std::int64_t b = 0; b < array.lengths[0]; ++b) {
    for (std::int64_t line = 0; line < array.lengths[1]; ++line) {
      for (std::int64_t j = 0; j < (array.rows ? 1 : array.lengths[2]); ++j) {
        const std::int64_t at = b * array.strides[0] + line * array.strides[1] + j * array.strides[2];
        reach = {std::min(reach.first, at), std::max(reach.last, at)};
      }
    }
  }
  return reach;
}

// Bytes of a row of so many reals, and of its scales.
struct RowBytes {
  std::int64_t codes = 0, scales = 0;
};
RowBytes bytes_of_row(const ulpfft_format& format, std::int64_t reals) {
  RowBytes bytes{(reals * format.bits + 7) / 8, 0};
  const std::int64_t block = format.block_length == 0 ? reals : format.block_length;
  if (std::string(format.kind) != "block") return bytes;
  for (std::int64_t begin = 0; begin < reals; begin += block) ++bytes.scales;  // every scale has 8 bits
  return bytes;
}

void compare(const ulpfft_plan* plan, bool output, const Array& array, const Array& other, const ulpfft_format& format,
             const Placed& placed) {
  ulpfft_side side = ULPFFT_SIDE_INIT;
  ASSERT_EQ(ulpfft_plan_side(plan, output ? ULPFFT_SIDE_OUT : ULPFFT_SIDE_IN, &side), ULPFFT_OK) << last_error_text();
  EXPECT_STREQ(side.storage, format.name);
  EXPECT_EQ(side.element, array.real ? ULPFFT_ELEMENT_REAL : ULPFFT_ELEMENT_COMPLEX);
  EXPECT_EQ(side.extent, array.half ? ULPFFT_EXTENT_HALF : ULPFFT_EXTENT_FULL);
  EXPECT_EQ(side.parts, placed.split && !array.real ? 2 : 1);
  EXPECT_EQ(side.in_place, placed.in_place ? 1 : 0);
  EXPECT_EQ(side.rows, array.rows ? 1 : 0);
  EXPECT_EQ(side.batch_rank, 1);
  EXPECT_EQ(side.rank, 2);
  EXPECT_EQ((Numbers{side.batch_lengths[0], side.lengths[0], side.lengths[1]}), array.lengths);
  EXPECT_EQ((Numbers{side.batch_strides[0], side.strides[0], side.strides[1]}), array.strides);
  EXPECT_EQ(side.lengths[2] + side.strides[2] + side.batch_lengths[1] + side.batch_strides[1], 0);

  const auto reals_of = [&](const Array& of) { return of.real || placed.split ? 1 : 2; };
  const auto bytes_of = [&](const Array& of) {
    return bytes_of_row(format, of.rows ? reals_of(of) * of.lengths[2] : reals_of(of));  // of a row, or of an element
  };
  const Reach reach = reach_of(array), beside = placed.in_place ? reach_of(other) : Reach{};
  const std::int64_t unit = array.rows ? array.lengths[2] : 1;
  std::int64_t elements = (reach.last + 1) * unit;
  const std::int64_t numbers = (beside.last + 1) * (other.rows ? other.lengths[2] : 1);
  if (placed.in_place && array.real && !other.real) elements = std::max(elements, 2 * numbers);
  EXPECT_EQ(side.elements, elements);
  EXPECT_EQ(side.elements_before, -reach.first * unit);
  const RowBytes own = bytes_of(array), its = placed.in_place ? bytes_of(other) : RowBytes{};
  EXPECT_EQ(side.bytes, std::max((reach.last + 1) * own.codes, (beside.last + 1) * its.codes));
  EXPECT_EQ(side.bytes_before, -reach.first * own.codes);
  EXPECT_EQ(side.scale_bytes, std::max((reach.last + 1) * own.scales, (beside.last + 1) * its.scales));
  EXPECT_EQ(side.scale_bytes_before, -reach.first * own.scales);
  EXPECT_EQ(side.row_bytes, array.rows ? own.codes : 0);
  EXPECT_EQ(side.row_scale_bytes, array.rows ? own.scales : 0);
}

// Whether the library has such a plan, whose sides are as expected then.
bool check(const Kind& kind, const ulpfft_format& format, const Placed& placed, std::int64_t n) {
  const bool blocks = std::string(format.kind) == "block";
  const bool rows = blocks || format.bits % 8 != 0;
  const bool is_power = std::string(kind.options).find("power") != std::string::npos;
  if (placed.split && (std::string(kind.word) == "r2r" || (is_power && kind.real_in))) return true;  // real numbers have no parts
  if (placed.in_place && is_power) return true;  // there is none
  const std::int64_t padded = placed.in_place && kind.real_in != kind.real_out ? 2 * (n / 2 + 1) : 0;
  const Array in(kind.real_in, kind.half_in, rows, n, kind.real_in ? padded : 0, placed.strided);
  const Array out(kind.real_out, kind.half_out, rows, n, kind.real_out ? padded : 0, placed.strided);
  std::string text = std::string(kind.word) + " 3x" + std::to_string(n) + "*2 " + format.name + kind.options;
  if (placed.strided) {
    text += " in_strides=" + text_of({in.strides[1], in.strides[2]}) + " out_strides=" + text_of({out.strides[1], out.strides[2]}) +
            " batch_strides=" + text_of({in.strides[0], out.strides[0]});
  }
  text += std::string(placed.in_place ? " inplace" : "") + (placed.split ? " split" : "");
  SCOPED_TRACE(text);
  ulpfft_plan* made = nullptr;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = ULPFFT_ESTIMATE;
  if (ulpfft_plan_parse_options(nullptr, text.c_str(), &options, &made) != ULPFFT_OK) return false;
  const PlanPtr plan(made);
  compare(made, false, in, out, format, placed);
  compare(made, true, out, in, format, placed);
  return true;
}

TEST(PlanSide, TellsWhereTheElementsOfEveryKindAndStorageLie) {
  Sampler sampler(17);
  std::size_t refused = 0, taken = 0;
  for (std::size_t i = 0; i < ulpfft_format_count(); ++i) {
    ulpfft_format format = ULPFFT_FORMAT_INIT;
    ASSERT_EQ(ulpfft_format_get(i, &format), ULPFFT_OK);
    for (const Kind& kind : kKinds) {
      for (const Placed& placed : kPlaced) {
        for (const std::int64_t n : {10, 9}) {
          const bool wide = std::string(format.kind) == "wide";
          if (!wide && !sampler.next()) continue;
          const bool made = check(kind, format, placed, n);
          if (wide) {
            EXPECT_TRUE(made) << kind.word << " " << format.name << ": " << last_error_text();
          }
          made ? ++taken : ++refused;
        }
      }
    }
  }
  EXPECT_LT(refused, taken);  // rows of odd numbers in place, and formats without a negative sign or zero are refused
}

TEST(PlanSide, TellsTheSpectrumThatFactorsOfAChainBelongTo) {
  for (const auto& [text, storage, last, elements] :
       {std::tuple{"3x10*2 f16 chain=mul", "f32", 10, 30},
        {"r2c 3x10 f64 chain=mul", "f64", 6, 18},
        {"r2c 9 f32 chain=user", "f32", 5, 5}}) {
    const PlanPtr plan = make_plan(nullptr, text);
    ulpfft_side side = ULPFFT_SIDE_INIT;
    ASSERT_EQ(ulpfft_plan_side(plan.get(), ULPFFT_SIDE_FACTORS, &side), ULPFFT_OK) << text << ": " << last_error_text();
    EXPECT_STREQ(side.storage, storage) << text;
    EXPECT_EQ(side.element, ULPFFT_ELEMENT_COMPLEX) << text;
    EXPECT_EQ(side.lengths[side.rank - 1], last) << text;
    EXPECT_EQ(side.elements, elements) << text;
    EXPECT_EQ(side.bytes, elements * (std::string(storage) == "f64" ? 16 : 8)) << text;
    EXPECT_EQ(side.batch_rank, 0) << text;
  }
}

TEST(PlanSide, RefusesSidesThatAPlanDoesNotHave) {
  const PlanPtr plan = make_plan(nullptr, "16 f32");
  ulpfft_side side = ULPFFT_SIDE_INIT;
  const auto field = [&](const ulpfft_plan* of, int which, ulpfft_side* to) {
    EXPECT_EQ(ulpfft_plan_side(of, which, to), ULPFFT_INVALID_ARGUMENT);
    return last_error().field;
  };
  EXPECT_EQ(field(nullptr, ULPFFT_SIDE_IN, &side), "plan");
  EXPECT_EQ(field(plan.get(), ULPFFT_SIDE_IN, nullptr), "side");
  EXPECT_EQ(field(plan.get(), 3, &side), "which");
  EXPECT_EQ(field(plan.get(), -1, &side), "which");
  EXPECT_EQ(field(plan.get(), ULPFFT_SIDE_FACTORS, &side), "plan");
  side.size = 8;
  EXPECT_EQ(field(plan.get(), ULPFFT_SIDE_IN, &side), "side.size");
}

TEST(ConstArray, IsAnInput) {
  const PlanPtr plan = make_plan(nullptr, "16 f16");
  static constexpr std::uint16_t kImpulse[32] = {0x3c00};
  static constexpr std::int32_t kExponent = 1;
  ulpfft_const_array in = ULPFFT_CONST_ARRAY_INIT;
  in.data[0] = kImpulse;
  in.exponents = &kExponent;
  const ulpfft_array from = ulpfft_input(&in);
  std::uint16_t codes[32] = {};
  ulpfft_array out = ULPFFT_ARRAY_INIT;
  out.data[0] = codes;
  ASSERT_EQ(ulpfft_execute_arrays(plan.get(), &from, &out, nullptr), ULPFFT_OK) << last_error_text();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(codes[i], i % 2 == 0 ? 0x4000 : 0) << i;
}

}  // namespace
}  // namespace ulpfft::test
