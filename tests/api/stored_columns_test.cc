// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Columns of narrow numbers: the codes, counts and exponents of the same transforms as rows, by the same recipe.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/stored.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

struct Setting {
  std::vector<std::int64_t> lengths;
  std::int64_t columns;
  std::string options;
  std::string recipe = {};  // empty: the planner's

  std::int64_t points() const {
    std::int64_t product = 1;
    for (const std::int64_t n : lengths) product *= n;
    return product;
  }
  std::string rows_text() const {
    std::string text;
    for (const std::int64_t n : lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
    return text + "*" + std::to_string(columns);
  }
  // in_strides=... or out_strides=... of columns, or of rows.
  std::string strides(bool output, bool across) const {
    std::string text;
    std::int64_t stride = across ? columns : 1;
    for (std::size_t d = lengths.size(); d-- > 0; stride *= lengths[d]) text = std::to_string(stride) + (text.empty() ? "" : ",") + text;
    return std::string(output ? " out_strides=" : " in_strides=") + text;
  }
};

// Complex numbers of `bytes` from rows to columns: what lies at [b][p] to [p][b].
Bytes across(const Bytes& rows, const Setting& setting, std::size_t bytes) {
  Bytes result(rows.size());
  const auto points = static_cast<std::size_t>(setting.points()), columns = static_cast<std::size_t>(setting.columns);
  for (std::size_t b = 0; b < columns; ++b) {
    for (std::size_t p = 0; p < points; ++p) std::memcpy(&result[(p * columns + b) * bytes], &rows[(b * points + p) * bytes], bytes);
  }
  return result;
}

std::size_t number_bytes(const std::string& storage) {
  return static_cast<std::size_t>(Stored(storage, 1, 2).layout.data_bytes);
}

void expect_the_codes_of_rows(const std::string& in_name, const std::string& out_name, const Setting& setting, bool in_across, bool out_across) {
  const std::string formats = in_name == out_name ? in_name : in_name + "->" + out_name;
  const std::string text = setting.rows_text() + " " + formats + setting.options;
  const std::size_t in_place = text.find(" inplace");
  const std::string apart = in_place == std::string::npos ? text : text.substr(0, in_place);
  const std::string strides = setting.strides(false, in_across) + setting.strides(true, out_across) + " batch_strides=" +
                              std::to_string(in_across ? 1 : setting.points()) + "," + std::to_string(out_across ? 1 : setting.points());
  Stored in(in_name, setting.columns, 2 * setting.points()), out(out_name, setting.columns, 2 * setting.points());
  in.encode(normal<float>(static_cast<std::size_t>(2 * setting.columns * setting.points()), fitting_rms(in_name), seed_of(text)));
  std::vector<std::int32_t> given(static_cast<std::size_t>(setting.columns)), exponents(given.size(), 77), expected_exponents(given.size(), 78);
  for (std::size_t t = 0; t < given.size(); ++t) given[t] = static_cast<std::int32_t>(t % 9) - 4;
  for (const Target& target : targets()) {
    const PlanPtr columns = setting.recipe.empty() ? make_plan(target.context, text + strides) : make_plan(target.context, text + strides, setting.recipe);
    ASSERT_NE(columns, nullptr) << text << strides << ": " << last_error_text();
    const PlanPtr rows = make_plan(target.context, apart, recipe_of(columns.get()));
    ASSERT_NE(rows, nullptr) << text << " by " << recipe_of(columns.get()) << ": " << last_error_text();
    for (const bool scaled : {false, true}) {
      const bool reads = scaled && in_name != "f32", writes = scaled && out_name != "f32";
      std::int64_t expected_count = -1, count = -2;
      ASSERT_EQ(execute(rows, in, out, &expected_count, reads ? given.data() : nullptr, writes ? expected_exponents.data() : nullptr), ULPFFT_OK) << last_error_text();
      Stored from = in, to = out;
      if (in_across) from.codes = across(in.codes, setting, number_bytes(in_name));
      std::fill(to.codes.begin(), to.codes.end(), std::uint8_t{0x5a});
      Stored& result = in_place != std::string::npos ? from : to;
      ASSERT_EQ(execute(columns, from, result, &count, reads ? given.data() : nullptr, writes ? exponents.data() : nullptr), ULPFFT_OK) << last_error_text();
      const Bytes expected = out_across ? across(out.codes, setting, number_bytes(out_name)) : out.codes;
      ASSERT_TRUE(result.codes == expected) << target << ", " << text << strides << " by " << recipe_of(columns.get()) << (scaled ? ", with exponents" : "");
      EXPECT_EQ(count, expected_count) << text << strides;
      if (writes) {
        EXPECT_EQ(exponents, expected_exponents) << text << strides;
      }
    }
  }
}

TEST(StoredColumns, HaveTheCodesOfRows) {
  for (const std::string name : {"f16", "bf16", "e4m3", "u8"}) {
    for (const Setting& setting : {Setting{{64}, 3, ""}, Setting{{64}, 70, " inplace"}, Setting{{24, 30}, 65, " inverse"}, Setting{{1000}, 130, " scale=ortho"},
                                   Setting{{101}, 9, ""}, Setting{{256}, 200, " threads=2 scale=1/n"}, Setting{{8, 1, 12}, 20, " centered"}, Setting{{48}, 40, " scheme=f64"}}) {
      expect_the_codes_of_rows(name, name, setting, true, true);
    }
  }
  for (const std::string recipe : {"f32:cols(p16; dit(16|bf16 4|f16 4))", "f32:dit(4|mxint8:b8 16|f16 4)", "f32:cols(p24; dit(16 16))", "f32:dit(16 8 2)",
                                   "rounded:f16:dit(16 16)", "mx:mxfp8_e4m3:dit(4 4 16)", "f32:four(16x16 p16; n16; n16)"}) {
    expect_the_codes_of_rows("f16", "f16", {{256}, 70, " scale=1/n" + std::string(recipe[0] == 'f' ? "" : " scheme=" + recipe.substr(0, recipe.find(":dit"))), recipe}, true, true);
  }
  expect_the_codes_of_rows("f16", "f16", {{16, 48}, 33, "", "f32:rank(cols(p16; n16); dit(16 3))"}, true, true);
  expect_the_codes_of_rows("f16", "f16", {{65536}, 17, " scale=1/n"}, true, true);   // groups of fewer
  expect_the_codes_of_rows("f16", "f16", {{131072}, 2, " scale=1/n"}, true, true);   // too long for groups
}

TEST(StoredColumns, OfOneSideBecomeRowsOrWideColumnsOfTheOther) {
  const Setting setting{{96}, 67, " scale=ortho"};
  for (const bool in_across : {false, true}) {
    for (const bool out_across : {false, true}) {
      if (!in_across && !out_across) continue;
      expect_the_codes_of_rows("f16", "i8", setting, in_across, out_across);
      expect_the_codes_of_rows("f32", "bf16", setting, in_across, out_across);
      expect_the_codes_of_rows("i16", "f32", setting, in_across, out_across);
    }
  }
}

// The images of a stack, each along its first axis.
TEST(StoredColumns, OfEveryImageOfAStackAreTransformed) {
  const std::string columns = " i16->f16 scale=ortho in_strides=48 out_strides=48 batch_strides=";
  const PlanPtr stack = make_plan(default_target().context, "32*5x48" + columns + "1536,1,1536,1");
  ASSERT_NE(stack, nullptr) << last_error_text();
  const PlanPtr image = make_plan(default_target().context, "32*48" + columns + "1,1", recipe_of(stack.get()));
  ASSERT_NE(image, nullptr) << last_error_text();
  constexpr std::size_t kBytes = 32 * 48 * 4;
  Stored in("i16", 5 * 32, 96), out("f16", 5 * 32, 96), expected = out;
  in.encode(normal<float>(5 * 32 * 96, fitting_rms("i16"), 3));
  ASSERT_EQ(execute(stack, in, out), ULPFFT_OK) << last_error_text();
  for (std::size_t i = 0; i < 5; ++i) ASSERT_EQ(ulpfft_execute(image.get(), &in.codes[i * kBytes], &expected.codes[i * kBytes]), ULPFFT_OK);
  EXPECT_TRUE(out.codes == expected.codes);
}

// A group is a workspace of at most 64 columns: it does not grow with the array.
TEST(StoredColumns, TakeAWorkspaceThatDoesNotGrowWithTheirNumber) {
  const auto bytes = [](std::int64_t columns) {
    const Setting setting{{512}, columns, ""};
    const PlanPtr plan = make_plan(default_target().context, setting.rows_text() + " f16" + setting.strides(false, true) + setting.strides(true, true) + " batch_strides=1,1");
    return ulpfft_plan_workspace_bytes(plan.get());
  };
  EXPECT_LE(bytes(4096), 2u * 64 * 512 * 8 + (64u << 10));
  EXPECT_LE(bytes(4096), 2 * bytes(64));
}

}  // namespace
}  // namespace ulpfft::test
