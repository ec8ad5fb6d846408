// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Variants of a recipe compute the same length, are new, and are what their kind says.
#include "planner/strategy/variants.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace ulpfft::test {
namespace {

std::string text(const Node& node) { return print_recipe({"f32", node}); }

const char* const kRecipes[] = {"f32:n16",
                                "f32:dit(16 8)",
                                "f32:dit(16 / 8 8 / 4:ch)",
                                "f32:cols(p64; dit(16 9 5))",
                                "f32:cols(p64; n16)",
                                "f32:dit(16 8 stream)",
                                "f32:four(64x64 p32; dit(8 8); dit(16 4:ds))",
                                "f32:rader(1009; dit(16 9 7))",
                                "f32:bluestein(101; 256; dit(16 16))",
                                "f32:rank(dit(16 8); cols(p32; dit(9 5)))"};

TEST(Neighbours, ComputeTheSameLengthAndAreEachNew) {
  for (const char* recipe : kRecipes) {
    const Node node = parse_recipe(recipe).root;
    std::set<std::string> seen{text(node)};
    for (const Variant& variant : neighbours(node)) {
      EXPECT_EQ(node_length(variant.node), node_length(node)) << recipe << " -> " << text(variant.node);
      EXPECT_TRUE(seen.insert(text(variant.node)).second) << recipe << " -> " << text(variant.node) << " twice";
      EXPECT_NO_THROW(parse_recipe(text(variant.node))) << text(variant.node);
    }
  }
}

TEST(Neighbours, AreOfTheKindTheySay) {
  const std::map<std::string, std::string> expected{{"f32:dit(16 8:ch 4)", "mixed forms"}, {"f32:dit(16 8 4:ds)", "mixed forms"},
                                                    {"f32:dit(8 16 4)", "pass order"},     {"f32:dit(16 4 8)", "pass order"},
                                                    {"f32:dit(16 32)", "radices"},         {"f32:dit(32 4 4)", "radices"},
                                                    {"f32:dit(4 4 8 4)", "radices"},       {"f32:dit(16 / 8 4)", "groups"}};
  std::map<std::string, std::string> found;
  for (const Variant& variant : neighbours(parse_recipe("f32:dit(16 8 4)").root)) found[text(variant.node)] = variant.kind;
  for (const auto& [recipe, kind] : expected) EXPECT_EQ(found[recipe], kind) << recipe;
  found.clear();
  for (const Variant& variant : neighbours(parse_recipe("f32:four(64x64 p32; dit(8 8); dit(16 4))").root)) found[text(variant.node)] = variant.kind;
  EXPECT_EQ(found["f32:four(64x64 p64; dit(8 8); dit(16 4))"], "panels");
  EXPECT_EQ(found["f32:four(64x64 p32; dit(8 8:ch); dit(16 4))"], "mixed forms");
  EXPECT_EQ(found["f32:four(64x64 p32; dit(8 8); dit(4 16))"], "pass order");
  EXPECT_EQ(found["f32:four(64x64 p32 stream; dit(8 8); dit(16 4))"], "streaming");
}

TEST(FormVariants, ChangeEveryTwiddledPassAndNothingElse) {
  std::set<std::string> found;
  for (const Variant& variant : form_variants(parse_recipe("f32:four(64x64 p32; dit(8 8); dit(16 4:ds))").root)) found.insert(text(variant.node));
  EXPECT_EQ(found, (std::set<std::string>{"f32:four(64x64 p32; dit(8 8); dit(16 4))", "f32:four(64x64 p32; dit(8 8:ch); dit(16 4:ch))",
                                          "f32:four(64x64 p32; dit(8 8:ds); dit(16 4:ds))"}));
  EXPECT_TRUE(form_variants(parse_recipe("f32:n16").root).empty());
}

TEST(StreamVariants, SetEveryDimensionThatCanStreamAndNothingInsidePanels) {
  const auto found = [](const char* recipe) {
    std::set<std::string> texts;
    for (const Variant& variant : stream_variants(parse_recipe(recipe).root)) texts.insert(text(variant.node));
    return texts;
  };
  using Texts = std::set<std::string>;
  EXPECT_EQ(found("f32:four(64x64 p32; dit(8 8); dit(16 4))"), (Texts{"f32:four(64x64 p32 stream; dit(8 8); dit(16 4))"}));
  EXPECT_EQ(found("f32:dit(16 8 stream)"), (Texts{"f32:dit(16 8)"}));
  EXPECT_EQ(found("f32:rank(n4; cols(p64; dit(8 8)); dit(8 8 stream))"),
            (Texts{"f32:rank(n4; cols(p64 stream; dit(8 8)); dit(8 8 stream))", "f32:rank(n4; cols(p64; dit(8 8)); dit(8 8))"}));
  EXPECT_EQ(found("f32:n16"), Texts{});
}

TEST(EndVariants, AreEveryChoiceOfTheEndsThatAreNarrow) {
  const auto found = [](const char* recipe, bool narrow_in, bool narrow_out) {
    std::set<std::string> texts;
    for (const Variant& variant : end_variants(parse_recipe(recipe).root, narrow_in, narrow_out)) texts.insert(text(variant.node));
    return texts;
  };
  using Texts = std::set<std::string>;
  EXPECT_EQ(found("f32:dit(16 8 stream)", true, true),
            (Texts{"f32:dit(16 8 stream decode)", "f32:dit(16 8 stream encode)", "f32:dit(16 8 stream decode encode)"}));
  EXPECT_EQ(found("f32:dit(16 8 decode)", true, false), (Texts{"f32:dit(16 8)"}));
  EXPECT_EQ(found("f32:dit(16 8)", false, true), (Texts{"f32:dit(16 8 encode)"}));
  EXPECT_EQ(found("f32:n16", true, true), Texts{});
}

}  // namespace
}  // namespace ulpfft::test
