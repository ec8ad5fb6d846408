// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/recipe.h"

#include <array>

#include "tests/wisdom/testing.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

using testing::draw;
using testing::error_of;

constexpr int kKinds = 9;

Node random_node(std::mt19937_64& random, int depth) {
  Node node;
  node.kind = depth >= 4 ? Node::Kind::kN : static_cast<Node::Kind>(draw(random, 0, kKinds - 1));
  const auto number = [&] { return draw(random, 1, draw(random, 0, 9) == 0 ? INT64_MAX : 5000); };
  const auto child = [&] { node.children.push_back(random_node(random, depth + 1)); };
  switch (node.kind) {
    case Node::Kind::kN: node.n = number(); break;
    case Node::Kind::kDit: {
      const std::int64_t passes = draw(random, 1, 5);
      for (std::int64_t i = 0; i < passes; ++i) {
        PassSpec pass;
        pass.radix = draw(random, 2, 64);
        pass.form = static_cast<TwiddleForm>(draw(random, 1, 5));
        if (draw(random, 0, 5) == 0) pass.format = draw(random, 0, 1) == 0 ? "f16" : "mxfp8_e4m3:b32";
        pass.starts_group = i > 0 && draw(random, 0, 2) == 0;
        node.passes.push_back(pass);
      }
      node.stream = draw(random, 0, 3) == 0;
      node.decode = draw(random, 0, 3) == 0;
      node.encode = draw(random, 0, 3) == 0;
      break;
    }
    case Node::Kind::kFour:
      node.n = number();
      node.m = number();
      node.panel = number();
      node.stream = draw(random, 0, 3) == 0;
      if (draw(random, 0, 2) == 0) node.format = "mxint8:fit";
      child();
      child();
      break;
    case Node::Kind::kReal:
      node.n = draw(random, 1, 1000);
      if (draw(random, 0, 1) == 0) {
        node.m = draw(random, 1, 1000);
        node.n *= node.m;
      }
      child();
      break;
    case Node::Kind::kR2R:
    case Node::Kind::kRader:
      node.n = number();
      child();
      break;
    case Node::Kind::kCols:
      node.panel = number();
      node.stream = draw(random, 0, 3) == 0;
      child();
      break;
    case Node::Kind::kRank: {
      if (draw(random, 0, 2) == 0) node.format = "bf16";
      const std::int64_t children = draw(random, 1, 4);
      for (std::int64_t i = 0; i < children; ++i) child();
      break;
    }
    case Node::Kind::kBluestein:
      node.n = number();
      node.m = number();
      child();
      break;
    case Node::Kind::kChain:
      child();
      node.op = draw(random, 0, 1) == 0 ? "mul" : "user";
      child();
      break;
  }
  return node;
}

Recipe random_recipe(std::mt19937_64& random) {
  constexpr std::array<const char*, 5> kSchemes = {"f32", "f64", "rounded:f16/f32", "mx:mxfp8_e4m3:b16:floor:fresh",
                                                   "split:bf16x3"};
  return {kSchemes[static_cast<std::size_t>(draw(random, 0, 4))], random_node(random, 0)};
}

TEST(Recipe, HasOneSpellingOfAScheme) {
  EXPECT_EQ(print_recipe(parse_recipe("mx:mxfp8_e4m3:b32:rceil:carry:n8")), "mx:mxfp8_e4m3:n8");
  EXPECT_EQ(print_recipe(parse_recipe("mx:mxint8:b8:rceil:fresh:dit(4 2)")), "mx:mxint8:b8:fresh:dit(4 2)");
  EXPECT_EQ(parse_problem("8 f32 scheme=mx:mxint8:b32:carry").scheme, "mx:mxint8");
  EXPECT_EQ(parse_problem("8 f32 scheme=mx:nothing:carry").scheme, "mx:nothing:carry") << "what it is, is not known here";
}

TEST(Recipe, ParsesBackToTheSameValue) {
  std::mt19937_64 random(5);
  int too_long = 0;
  for (int round = 0; round < 20000; ++round) {
    const Recipe recipe = random_recipe(random);
    try {
      const std::string text = print_recipe(recipe);
      ASSERT_LE(text.size(), kMaxRecipeText);
      ASSERT_EQ(parse_recipe(text), recipe) << text;
      ASSERT_EQ(print_recipe(parse_recipe(text)), text);
    } catch (const PlanError& error) {
      ASSERT_EQ(error.status, ULPFFT_UNSUPPORTED) << error.message;
      ++too_long;
    }
  }
  EXPECT_LT(too_long, 10000);
}

TEST(Recipe, TheExamplesOfTheGrammarParse) {
  for (const char* text : {"f32:n8", "f64:dit(16 8 8 4)", "f32:dit(16 / 8 8 / 8 4)", "f32:dit(16:ds 8:ch 2:lf 2:cos)",
                           "f32:rank(dit(16 16); cols(p64; dit(16 16)))", "f32:four(4096x4096 p64; dit(16 8 8 4); dit(16 8 8 4))",
                           "f32:dit(16 / 8 8 stream)", "f64:four(1024x1024 p64 stream; dit(16 8 8); dit(16 8 8))",
                           "f32:dit(16 8 decode)", "f32:dit(16 / 8 8 encode)", "f32:dit(16 8 stream decode encode)",
                           "f32:rank(cols(p32 stream; dit(16 16)); dit(16 16:ch stream))",
                           "rounded:f16:dit(8:ds|f16 8:ds|)", "f32:four(8x8 p8 stream |mxint8:b8; n8; n8)", "f32:rank(|f16; n8; n8)", "f32:bluestein(17; 64; dit(8 8))",
                           "f32:rader(17; chain(dit(4 4); mul; dit(4 4)))", "f64:real(8; n4)", "f32:real(9x125; dit(25 5))",
                           "f32:rank(r2r(8; n4); n8; r2r(15; dit(5 3)))"}) {
    EXPECT_EQ(print_recipe(parse_recipe(text)), text);
  }
}

TEST(Recipe, LengthsFollowTheKinds) {
  const auto length = [](const char* text) { return node_length(parse_recipe(text).root); };
  EXPECT_EQ(length("f32:n8"), 8);
  EXPECT_EQ(length("f32:dit(16 / 8 8)"), 1024);
  EXPECT_EQ(length("f32:four(64x32 p16; n64; n32)"), 2048);
  EXPECT_EQ(length("f32:cols(p64; n16)"), 16);
  EXPECT_EQ(length("f32:rank(n4; cols(p64; n8))"), 32);
  EXPECT_EQ(length("f32:rader(17; n16)"), 17);
  EXPECT_EQ(length("f32:bluestein(17; 64; n64)"), 17);
  EXPECT_EQ(length("f32:real(16; n8)"), 16);
  EXPECT_EQ(length("f32:real(9x5; n5)"), 45);
  EXPECT_EQ(length("f32:r2r(16; n17)"), 16);
  EXPECT_EQ(length("f32:chain(n8; mul; n8)"), 8);
  EXPECT_THROW(length("f32:four(4294967296x4294967296 p1; n1; n1)"), PlanError);
  EXPECT_THROW(length("f32:rank(n4294967296; n4294967296)"), PlanError);
}

struct BadRecipe {
  const char* text;
  std::size_t begin;
  std::size_t end;
  const char* says;
};

TEST(Recipe, AnErrorNamesTheWordAndWhereItStands) {
  constexpr BadRecipe kBad[] = {
      {"", 0, 0, "scheme"},
      {"dit(8)", 0, 3, "scheme"},
      {":n8", 0, 0, "scheme"},
      {"F32:n8", 0, 3, "scheme"},
      {"f32/:n8", 0, 4, "scheme"},
      {"f32:", 4, 4, "Expected a node"},
      {"f32: n8", 4, 5, "Expected a node"},
      {"f32:n", 4, 5, "Expected a node"},
      {"f32:n0", 5, 6, "too small"},
      {"f32:n08", 5, 7, "leading zeros"},
      {"f32:n-8", 4, 5, "Expected a node"},
      {"f32:n9223372036854775808", 5, 24, "64 bits"},
      {"f32:n8 ", 6, 7, "Nothing may follow"},
      {"f32:n8)", 6, 7, "Nothing may follow"},
      {"f32:dti(8)", 4, 7, "Did you mean 'dit'"},
      {"f32:dit", 4, 7, "dit(...)"},
      {"f32:dit 8", 4, 7, "dit(...)"},
      {"f32:dit()", 8, 9, "radix"},
      {"f32:dit(16", 10, 10, "')'"},
      {"f32:dit(16  8)", 11, 12, "radix"},
      {"f32:dit( 8)", 8, 9, "radix"},
      {"f32:dit(8 )", 10, 11, "radix"},
      {"f32:dit(/ 8)", 8, 9, "radix"},
      {"f32:dit(8 /)", 11, 12, "after '/'"},
      {"f32:dit(8 / / 8)", 12, 13, "radix"},
      {"f32:dit(8/8)", 9, 10, "')'"},
      {"f32:dit(1 8)", 8, 9, "2 or more"},
      {"f32:dit(8:st)", 10, 12, "ds, ch, lf or cos"},
      {"f32:dit(8:)", 10, 11, "ds, ch, lf or cos"},
      {"f32:dit(8|)", 10, 11, "format"},
      {"f32:dit(8|16)", 10, 12, "format"},
      {"f32:dit(8|f16 8|f16 8)", 16, 19, "bare"},
      {"f32:dit(8; 8)", 9, 10, "')'"},
      {"f32:dit(16 8stream)", 12, 18, "')'"},
      {"f32:dit(16 stream 8)", 17, 18, "')'"},
      {"f32:dif(16 16)", 4, 7, "Did you mean 'dit'"},
      {"f32:batch(8; n8)", 4, 9, "Expected a node"},
      {"f32:dit(16 encode decode)", 17, 18, "')'"},
      {"f32:dit(16 decode stream)", 17, 18, "')'"},
      {"f32:dit(16 decoder)", 17, 18, "')'"},
      {"f32:cols(p64  stream; n8)", 12, 13, "'; '"},
      {"f32:four(8 p64; n8; n8)", 10, 11, "'x'"},
      {"f32:four(8x8; n8; n8)", 12, 13, "p64"},
      {"f32:four(8x8 64; n8; n8)", 13, 15, "p64"},
      {"f32:four(8x8 p64; n8)", 20, 21, "'; '"},
      {"f32:four(8x8 p64;n8; n8)", 16, 17, "'; '"},
      {"f32:cols(p0; n8)", 10, 11, "too small"},
      {"f32:rank(n8;  n8)", 13, 14, "Expected a node"},
      {"f32:rank()", 9, 10, "Expected a node"},
      {"f32:chain(n8; mull; n8)", 14, 18, "mul or user"},
      {"f32:bluestein(17; n64)", 18, 21, "padded length"},
      {"f32:real(n8)", 9, 11, "a count of reals"},
      {"f32:r2r(n8)", 8, 10, "a count of reals"},
      {"f32:real(16; n8; n8)", 15, 16, "')'"},
      {"f32:real(9x; n5)", 11, 12, "the length of a row"},
      {"f32:real(9x0; n5)", 11, 12, "too small"},
      {"f32:real(4294967297x4294967297; n5)", 9, 30, "does not fit in 64 bits"},
  };
  for (const BadRecipe& bad : kBad) {
    const PlanError error = error_of([&] { parse_recipe(bad.text); });
    EXPECT_EQ(error.status, ULPFFT_INVALID_TEXT) << bad.text;
    EXPECT_EQ(error.field, "recipe");
    EXPECT_EQ(error.text_begin, bad.begin) << bad.text << ": " << error.message;
    EXPECT_EQ(error.text_end, bad.end) << bad.text << ": " << error.message;
    EXPECT_NE(error.message.find(bad.says), std::string::npos) << bad.text << ": " << error.message;
  }
}

TEST(Recipe, LimitsHold) {
  const auto nested = [](int depth) {
    std::string text = "f32:";
    for (int i = 1; i < depth; ++i) text += "real(2; ";
    text += "n1";
    return text + std::string(static_cast<std::size_t>(depth - 1), ')');
  };
  EXPECT_NO_THROW(parse_recipe(nested(kMaxRecipeDepth)));
  EXPECT_NE(error_of([&] { parse_recipe(nested(kMaxRecipeDepth + 1)); }).message.find("deeper"), std::string::npos);
  EXPECT_NE(error_of([&] { parse_recipe(nested(24)); }).message.find("deeper"), std::string::npos);

  const auto passes = [](int count) {
    std::string text = "f32:dit(2";
    for (int i = 1; i < count; ++i) text += " 2";
    return text + ")";
  };
  EXPECT_NO_THROW(parse_recipe(passes(64)));
  EXPECT_NE(error_of([&] { parse_recipe(passes(65)); }).message.find("64 passes"), std::string::npos);
  EXPECT_NE(error_of([&] { parse_recipe(std::string(257, 'a')); }).message.find("257 bytes"), std::string::npos);

  Recipe recipe = parse_recipe("f32:rank(n1)");
  const Node one = recipe.root.children[0];
  recipe.root.children.assign(61, one);
  EXPECT_EQ(print_recipe(recipe).size(), 4u + 5 + 61 * 4 - 2 + 1);
  recipe.root.children.assign(64, one);
  EXPECT_EQ(error_of([&] { print_recipe(recipe); }).status, ULPFFT_UNSUPPORTED);
}

TEST(Recipe, AValueWithoutATextIsNotPrinted) {
  const auto refused = [](auto change) {
    Recipe recipe = parse_recipe("f32:dit(8 8)");
    change(recipe);
    EXPECT_EQ(error_of([&] { print_recipe(recipe); }).status, ULPFFT_INTERNAL);
  };
  refused([](Recipe& r) { r.scheme = ""; });
  refused([](Recipe& r) { r.root.passes.clear(); });
  refused([](Recipe& r) { r.root.passes[0].starts_group = true; });
  refused([](Recipe& r) { r.root.passes[0].form = TwiddleForm::kNone; });
  refused([](Recipe& r) { r.root.passes[0].radix = -8; });
  refused([](Recipe& r) { r.root.n = 64; });
  refused([](Recipe& r) { r.root.kind = Node::Kind::kFour; });
  refused([](Recipe& r) { r.root.op = "mul"; });
}

TEST(Recipe, RandomBytesAreRefusedOrPrintTheSame) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50000; ++round) {
    std::string text = "f32:four(64x64 p16; dit(16:ds 4|f16 / 4); rank(n4; n4))";
    const std::int64_t changes = draw(random, 1, 3);
    constexpr std::string_view kLikely = "0123456789 ():;/|xpndit";
    for (std::int64_t i = 0; i < changes; ++i) {
      const char byte = draw(random, 0, 3) == 0 ? static_cast<char>(draw(random, 0, 255))
                                                : kLikely[static_cast<std::size_t>(draw(random, 0, 22))];
      text[static_cast<std::size_t>(draw(random, 0, static_cast<std::int64_t>(text.size()) - 1))] = byte;
    }
    try {
      EXPECT_EQ(print_recipe(parse_recipe(text)), text);
    } catch (const PlanError& error) {
      ASSERT_EQ(error.status, ULPFFT_INVALID_TEXT) << text;
      ASSERT_LE(error.text_begin, error.text_end);
      ASSERT_LE(error.text_end, text.size());
    }
  }
}

}  // namespace
}  // namespace ulpfft
