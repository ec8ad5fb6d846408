// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "wisdom/problem_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/wisdom/testing.h"

namespace ulpfft {
namespace {

using testing::draw;
using testing::error_of;

std::vector<Dimension> random_dimensions(std::mt19937_64& random, std::int64_t least) {
  std::vector<Dimension> dims;
  const std::int64_t rank = draw(random, least, 4);
  for (std::int64_t i = 0; i < rank; ++i) dims.push_back({draw(random, 1, 300), 0, 0});
  return dims;
}

Problem any_problem(std::mt19937_64& random) {
  const auto one_in = [&](std::int64_t n) { return draw(random, 1, n) == 1; };
  Problem problem;
  if (one_in(5)) problem.kind = static_cast<Kind>(draw(random, 0, 3));
  problem.dims = random_dimensions(random, 1);
  if (one_in(2)) problem.batch = random_dimensions(random, 0);
  constexpr std::array<const char*, 5> kFormats = {"f32", "f64", "bf16", "mxfp8_e4m3", "mxint8:b8:floor"};
  problem.storage_in = kFormats[static_cast<std::size_t>(draw(random, 0, 4))];
  problem.storage_out = one_in(2) ? problem.storage_in : kFormats[static_cast<std::size_t>(draw(random, 0, 4))];
  set_dense_strides(problem);
  const auto shake = [&](std::vector<Dimension>& dims, std::int64_t Dimension::*stride) {
    if (!one_in(4)) return;
    for (Dimension& dim : dims) dim.*stride = draw(random, -100000, 100000);
  };
  shake(problem.dims, &Dimension::in_stride);
  shake(problem.dims, &Dimension::out_stride);
  shake(problem.batch, &Dimension::in_stride);
  shake(problem.batch, &Dimension::out_stride);
  if (one_in(4)) problem.scheme = one_in(2) ? "f64" : "rounded:f16/f32";
  if (one_in(4)) problem.backend = "ref";
  if (one_in(2)) problem.layout = ArrayLayout::kSplit;
  if (one_in(2)) problem.placement = Placement::kInPlace;
  if (one_in(2)) problem.direction = Direction::kBackward;
  problem.centered = one_in(2);
  problem.scale_kind = static_cast<ScaleKind>(draw(random, 0, 3));
  if (problem.scale_kind == ScaleKind::kValue) {
    problem.scale_value =
        std::ldexp(static_cast<double>(draw(random, 1, std::int64_t{1} << 53)), static_cast<int>(draw(random, -1000, 900)));
  }
  if (one_in(4)) problem.max_error = std::ldexp(static_cast<double>(draw(random, 1, 1 << 30)), -60);
  if (one_in(4)) problem.threads = static_cast<int>(draw(random, 1, 256));
  if (one_in(8)) problem.intermediate = "f16";
  if (one_in(8)) problem.chain = one_in(2) ? "mul" : "user";
  problem.prescale_kind = static_cast<PrescaleKind>(one_in(4) ? draw(random, 0, 2) : 0);
  if (problem.prescale_kind == PrescaleKind::kTarget) problem.prescale_target = std::ldexp(static_cast<double>(draw(random, 1, 1 << 30)), -20);
  problem.destroy_input = one_in(8);
  if (one_in(8)) problem.output_kind = OutputKind::kPower;
  if (one_in(8)) problem.window = window_named(draw(random, 0, 1) == 0 ? "hann" : "kaiser:8.6:symmetric");
  if (one_in(8)) problem.max_workspace = one_in(2) ? kOneTransform : draw(random, 1, std::int64_t{1} << 40);
  return problem;
}

// One whose text fits, and whose dense strides do.
Problem random_problem(std::mt19937_64& random) {
  while (true) {
    try {
      const Problem problem = any_problem(random);
      print_problem(problem);
      return problem;
    } catch (const PlanError& error) {
      EXPECT_EQ(error.status, error.field == "problem" ? ULPFFT_UNSUPPORTED : ULPFFT_INVALID_ARGUMENT);
    }
  }
}

TEST(ProblemText, ParsesBackToTheSameProblem) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20000; ++round) {
    const Problem problem = random_problem(random);
    const std::string text = print_problem(problem);
    ASSERT_EQ(parse_problem(text), problem) << text;
    ASSERT_EQ(print_problem(parse_problem(text)), text);
  }
}

TEST(ProblemText, OptionsMayStandInAnyOrder) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    const std::string text = print_problem(random_problem(random));
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    const bool has_kind = words[0].find_first_of("0123456789") == 1 && words[0].size() == 3;  // r2c and the like
    std::shuffle(words.begin() + (has_kind ? 3 : 2), words.end(), random);
    std::string shuffled = "  ";
    for (const std::string& word : words) shuffled += word + "  ";
    if (shuffled.size() > kMaxProblemText) continue;
    EXPECT_EQ(print_problem(parse_problem(shuffled)), text) << shuffled;
  }
}

struct Same {
  const char* text;
  const char* printed;
  const char* key;
};

TEST(ProblemText, DefaultsAreLeftOutAndKeysForgetDirectionAndScale) {
  constexpr Same kSame[] = {
      {"1000 f32", "1000 f32", "1000 f32"},
      {"c2c 256x256*8 f32 inverse centered scale=ortho", "256x256*8 f32 inverse centered scale=ortho", "256x256*8 f32 centered"},
      {"8 f32->f32 scale=none threads=0 max_error=0", "8 f32", "8 f32"},
      {"8 f32 threads=1 max_error=0.0", "8 f32", "8 f32"},
      {"c2r 8x8 f32 destroy_input scale=2", "c2r 8x8 f32 scale=2 destroy_input", "c2r 8x8 f32 destroy_input"},
      {"8 f32 max_workspace=one prescale=amax", "8 f32 prescale=amax max_workspace=one", "8 f32 prescale=amax max_workspace=one"},
      {"8 f32 max_workspace=4096 inverse", "8 f32 inverse max_workspace=4096", "8 f32 max_workspace=4096"},
      {"8 f32->f64 scale=1e-3 split inplace", "8 f32->f64 scale=0.001 inplace split", "8 f32->f64 inplace split"},
      {"8 f32 scale=1", "8 f32 scale=1", "8 f32"},
      {"8 f32 scale=1/n backend=hwy scheme=f64", "8 f32 scale=1/n scheme=f64 backend=hwy", "8 f32 scheme=f64 backend=hwy"},
      {"4x8 f32 in_strides=8,1 out_strides=1,4", "4x8 f32 out_strides=1,4", "4x8 f32 out_strides=1,4"},
      {"8*2 f32 batch_strides=8,8", "8*2 f32", "8*2 f32"},
      {"8*2x3 f32 batch_strides=-24,8,30,10", "8*2x3 f32 batch_strides=-24,8,30,10", "8*2x3 f32 batch_strides=-24,8,30,10"},
      {"8 f32 prescale=2.50 scheme=rounded:f16", "8 f32 scheme=rounded:f16 prescale=2.5", "8 f32 scheme=rounded:f16 prescale=2.5"},
      {"r2c 007 f16 chain=user intermediate=bf16", "r2c 7 f16 intermediate=bf16 chain=user",
       "r2c 7 f16 intermediate=bf16 chain=user"},
      // Weights are passes beside one codelet.
      {"czt 1000->500*8 f32 step=1e-4 start=0.1", "czt 1000->500*8 f32 start=0.1 step=1e-04", "czt 1000->500*8 f32"},
      {"czt 1k:1024 f32:f16 start=-0.25 inverse", "czt 1024 f32->f16 inverse start=-0.25", "czt 1024 f32->f16"},
      {"r2r 720x480 f32 scale=ortho kinds=redft10,hartley", "r2r 720x480 f32 kinds=dct2,dht scale=ortho",
       "r2r 720x480 f32 kinds=dct2,dht scale=ortho"},
      {"r2r 720x480 f32 scale=0.5 kinds=redft10,hartley", "r2r 720x480 f32 kinds=dct2,dht scale=0.5", "r2r 720x480 f32 kinds=dct2,dht"},
      {"r2r 720x480 f32 scale=ortho kinds=dct4,dst1", "r2r 720x480 f32 kinds=dct4,dst1 scale=ortho", "r2r 720x480 f32 kinds=dct4,dst1"},
      {"c2r 8x8 f32 destroy_input inplace", "c2r 8x8 f32 inplace destroy_input", "c2r 8x8 f32 inplace"},
      {"c2r 1x8 f32 destroy_input", "c2r 1x8 f32 destroy_input", "c2r 1x8 f32"},
      {"r2c 8x8 f32 destroy_input", "r2c 8x8 f32 destroy_input", "r2c 8x8 f32"},
      {"r2c 1000*8 f32 inverse scale=1/n", "r2c 1000*8 f32 inverse scale=1/n", "r2c 1000*8 f32"},
      {"c2r 3x10*2 f64 out_strides=10,1 in_strides=6,1 batch_strides=18,30", "c2r 3x10*2 f64", "c2r 3x10*2 f64"},
      {"r2c 3x10*2 f32 inplace in_strides=12,1", "r2c 3x10*2 f32 inplace", "r2c 3x10*2 f32 inplace"},
      {"c2r 3x10 f32 out_strides=10,1 inplace", "c2r 3x10 f32 inplace out_strides=10,1", "c2r 3x10 f32 inplace out_strides=10,1"},
      {"r2c 3x10 f32 in_strides=10,1", "r2c 3x10 f32", "r2c 3x10 f32"},
      {"r2c 3x10 f32 in_strides=12,1", "r2c 3x10 f32 in_strides=12,1", "r2c 3x10 f32 in_strides=12,1"},
  };
  for (const Same& same : kSame) {
    const Problem problem = parse_problem(same.text);
    EXPECT_EQ(print_problem(problem), same.printed);
    EXPECT_EQ(problem_key(problem), same.key);
    EXPECT_EQ(problem_key(parse_problem(same.key)), same.key);
  }
}

struct BadText {
  const char* text;
  std::size_t begin;
  std::size_t end;
  const char* says;
};

TEST(ProblemText, AnErrorNamesTheWordAndWhereItStands) {
  constexpr BadText kBad[] = {
      {"", 0, 0, "lengths are missing"},
      {"   ", 3, 3, "lengths are missing"},
      {"c2c", 3, 3, "lengths are missing"},
      {"1000", 4, 4, "storage format is missing"},
      {"c2r 1000", 8, 8, "storage format is missing"},
      {"f32 1000", 0, 3, "Expected lengths"},
      {"c2d 1000 f32", 0, 3, "Did you mean 'c2c'"},
      {"rfft 1000 f32", 0, 4, "Did you mean 'r2c'"},
      {"dct 1000 f32", 0, 3, "Did you mean 'r2r 1000 f32 kinds=dct2'"},
      {"dst4 1000 f32", 0, 4, "Did you mean 'r2r 1000 f32 kinds=dst4'"},
      {"1000 f32 r2c", 9, 12, "'r2c' stands before the lengths: 'r2c 1000 f32'"},
      {"r2c 100,100 f32", 4, 11, "joined by 'x'"},
      {"r2r 8 f32 kinds=dct", 16, 19, "Did you mean 'dct2'"},
      {"r2r 8 f32 kinds=rfft", 16, 20, "no kind of a transform between real numbers"},
      {"8 f32 precision=bf16x3", 16, 22, "Did you mean 'scheme=split:bf16x3'"},
      {"0 f32", 0, 1, "lengths[0] is 0"},
      {"8x-2 f32", 2, 4, "lengths[1] is -2"},
      {"8x f32", 2, 2, "missing"},
      {"8xx8 f32", 2, 2, "missing"},
      {"8X8 f32", 0, 3, "'8X8'"},
      {"+8 f32", 0, 2, "Expected lengths"},
      {"8.5 f32", 0, 3, "'8.5'"},
      {"8* f32", 2, 2, "batch_lengths[0]"},
      {"8*2*2 f32", 3, 5, "one '*'"},
      {"8*0 f32", 2, 3, "batch_lengths[0]"},
      {"9223372036854775808 f32", 0, 19, "64 bits"},
      {"9223372036854775807x2 f32", 0, 21, "64 bits"},
      {"4x8*4294967296x4294967296 f32", 0, 25, "64 bits"},
      {"2x2x2x2x2x2x2x2x2 f32", 16, 17, "at most 8"},
      {"8 F32", 2, 5, "'F32'"},
      {"8 f32->", 7, 7, "storage_out"},
      {"8 ->f32", 2, 2, "storage_in"},
      {"8 f32->f64->f32", 7, 15, "storage_out"},
      {"8 inverse", 2, 9, "missing before 'inverse'"},
      {"8 scale=ortho", 2, 13, "missing before 'scale=ortho'"},
      {"8 f32 backward", 6, 14, "Did you mean 'inverse'?"},
      {"8 f32 invers", 6, 12, "Did you mean 'inverse'"},
      {"8 f32 inverse inverse", 14, 21, "twice"},
      {"8 f32 scale=ortho scale=none", 18, 28, "twice"},
      {"8 f32 scale", 6, 11, "needs a value"},
      {"8 f32 inverse=1", 6, 15, "takes no value"},
      {"8 f32 scael=2", 6, 13, "Did you mean 'scale'"},
      {"8 f32 scale=", 12, 12, "finite number"},
      {"8 f32 scale=2/n", 12, 15, "ortho"},
      {"8 f32 scale=0", 12, 13, "zero"},
      {"8 f32 scale=-0.0", 12, 16, "zero"},
      {"8 f32 scale=inf", 12, 15, "finite"},
      {"8 f32 scale=nan", 12, 15, "finite"},
      {"8 f32 scale=1e999", 12, 17, "finite"},
      {"8 f32 scale=1.5x", 12, 16, "finite"},
      {"8 f32 max_error=-1", 16, 18, "not negative"},
      {"8 f32 max_error=small", 16, 21, "max_error"},
      {"8 f32 scheme=", 13, 13, "scheme"},
      {"8 f32 scheme=f32::b", 13, 19, "scheme"},
      {"8 f32 backend=Ref", 14, 17, "backend"},
      {"8 f32 threads=-1", 14, 16, "threads"},
      {"8 f32 max_error=inf", 16, 19, "max_error"},
      {"8 f32 max_error=1e999", 16, 21, "max_error"},
      {"8 f32 max_error=", 16, 16, "max_error"},
      {"8 f32 threads=257", 14, 17, "1 to 256"},
      {"8 f32 threads=9999999999", 14, 24, "1 to 256"},
      {"8 f32 threads=two", 14, 17, "whole number"},
      {"8x8 f32 in_strides=8", 19, 20, "needs 2"},
      {"8 f32 out_strides=8,1", 18, 21, "needs 1"},
      {"8 f32 in_strides=", 17, 17, "missing"},
      {"8x8 f32 in_strides=8,", 21, 21, "missing"},
      {"8x8 f32 in_strides=8;1", 19, 22, "needs 2"},
      {"8 f32 in_strides=1e3", 17, 20, "whole number"},
      {"8 f32 in_strides=-9223372036854775809", 17, 37, "64 bits"},
      {"8 f32 batch_strides=1,2", 20, 23, "batch dimensions"},
      {"8*2 f32 batch_strides=8", 22, 23, "needs 2"},
      {"8*2 f32 batch_strides=8,a", 24, 25, "whole number"},
      {"8\tf32", 1, 2, "printable"},
      {"8 f32 \xc3\xa9", 6, 7, "printable"},
  };
  for (const BadText& bad : kBad) {
    const PlanError error = error_of([&] { parse_problem(bad.text); });
    EXPECT_EQ(error.status, ULPFFT_INVALID_TEXT) << bad.text;
    EXPECT_EQ(error.text_begin, bad.begin) << bad.text << ": " << error.message;
    EXPECT_EQ(error.text_end, bad.end) << bad.text << ": " << error.message;
    EXPECT_NE(error.message.find(bad.says), std::string::npos) << bad.text << ": " << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos);
  }
}

TEST(ProblemText, ReadsNumbersInShortAndPrintsDigits) {
  const auto printed = [](const char* text) { return print_problem(parse_problem(text)); };
  EXPECT_EQ(printed("2^20 f32"), "1048576 f32");
  EXPECT_EQ(printed("r2c 2^3x64k*3^4x1M f64"), "r2c 8x65536*81x1048576 f64");
  EXPECT_EQ(printed("1^99999999999 f32"), "1 f32");
  EXPECT_EQ(printed("7^0x10^18 f32"), "1x1000000000000000000 f32");
  EXPECT_EQ(printed("2^59 f32"), "576460752303423488 f32");
  EXPECT_EQ(printed("8 f32 max_workspace=2^21"), "8 f32 max_workspace=2097152");
  EXPECT_EQ(printed("8 f32 max_workspace=3k"), "8 f32 max_workspace=3072");
  struct Refused {
    const char *text, *says;
  };
  for (const Refused& bad : {Refused{"2^ f32", "whole number"}, {"2^-1 f32", "whole number"}, {"-2^2 f32", "whole number"}, {"2^3^2 f32", "whole number"},
                         {"64K f32", "whole number"}, {"64kM f32", "whole number"}, {"0^3 f32", "1 or more"}, {"2^63 f32", "64 bits"},
                         {"2^99999999999999999999 f32", "64 bits"}, {"9223372036854775807k f32", "64 bits"}, {"8 f32 threads=2^1", "whole number"},
                         {"8 f32 in_strides=2^1", "whole number"}}) {
    const PlanError error = error_of([&] { parse_problem(bad.text); });
    EXPECT_EQ(error.status, ULPFFT_INVALID_TEXT) << bad.text;
    EXPECT_NE(error.message.find(bad.says), std::string::npos) << bad.text << ": " << error.message;
  }
}

// What stands behind a ':' is a storage unless it is a block length or a rule.
TEST(ProblemText, TwoStoragesAreJoinedByAColonToo) {
  std::vector<std::string> spellings = {"f32", "f64", "f16", "bf16", "e4m3", "e5m2", "i16", "u8"};
  for (const char* block : {"mxfp8_e4m3", "mxfp4_e2m1", "mxint8"}) {
    for (const char* suffix : {"", ":b8", ":floor", ":b0:even"}) spellings.push_back(std::string(block) + suffix);
  }
  for (const std::string& in : spellings) {
    EXPECT_EQ(parse_problem("8 " + in).storage_in, parse_problem("8 " + in).storage_out) << in;
    for (const std::string& out : spellings) {
      const std::string arrow = "8 " + in + "->" + out + " inverse", colon = "8 " + in + ":" + out + " inverse";
      EXPECT_EQ(parse_problem(colon), parse_problem(arrow)) << colon;
      EXPECT_EQ(print_problem(parse_problem(colon)), print_problem(parse_problem(arrow))) << colon;
      const TextRange range = field_range(colon, "storage_out");
      EXPECT_EQ(colon.substr(range.begin, range.end - range.begin), out) << colon;
    }
  }
  // A format of another build may be named behind one without blocks; behind one with blocks a word may be a slip of a rule.
  EXPECT_EQ(parse_problem("8 i16:elsewhere").storage_out, "elsewhere");
  for (const BadText& bad : {BadText{"8 i16-", 2, 6, "write i16:f32"},
                         {"8 mxfp8_e4m3:flor", 14, 18, "After a block format"},
                         {"8 i16:", 6, 6, "storage_out"},
                         {"8 i16:f32:f64", 6, 13, "After a block format"}}) {
    const PlanError error = error_of([&] { parse_problem(bad.text); });
    EXPECT_EQ(error.status, ULPFFT_INVALID_TEXT) << bad.text;
    EXPECT_NE(error.message.find(bad.says), std::string::npos) << bad.text << ": " << error.message;
  }
}

TEST(ProblemText, WordsOfOtherProgramsAreToldApart) {
  for (const auto& [word, meant] :
       {std::pair("backward", "'inverse'"), {"ortho", "'scale=ortho'"}, {"norm=ortho", "'scale=ortho'"}, {"scale=1/N", "finite number"}}) {
    const PlanError error = error_of([&, text = std::string("8 f32 ") + word] { parse_problem(text); });
    EXPECT_NE(error.message.find(meant), std::string::npos) << word << ": " << error.message;
  }
}

TEST(ProblemText, MoreThan256BytesAreRefused) {
  EXPECT_NO_THROW(parse_problem("8 f32" + std::string(251, ' ')));
  const PlanError error = error_of([] { parse_problem("8 f32" + std::string(252, ' ')); });
  EXPECT_EQ(error.text_begin, 256u);
  EXPECT_EQ(error.text_end, 257u);
  EXPECT_NE(error.message.find("257 bytes"), std::string::npos);
}

TEST(ProblemText, RandomBytesAreRefusedOrRead) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50000; ++round) {
    std::string text = print_problem(random_problem(random));
    const std::int64_t changes = draw(random, 1, 3);
    for (std::int64_t i = 0; i < changes; ++i) {
      text[static_cast<std::size_t>(draw(random, 0, static_cast<std::int64_t>(text.size()) - 1))] =
          static_cast<char>(draw(random, 0, 255));
    }
    try {
      const Problem problem = parse_problem(text);
      EXPECT_EQ(parse_problem(print_problem(problem)), problem) << text;
    } catch (const PlanError& error) {
      ASSERT_LE(error.text_begin, error.text_end);
      ASSERT_LE(error.text_end, text.size());
    }
  }
}

TEST(ProblemText, DefaultStridesFollowFromWordsBeforeAndAfterThem) {
  for (const char* text : {"r2c 3x10*2 f32 inplace", "r2c 3x10*2 f32 out_strides=6,1 inplace", "r2c 3x10*2 f32 inplace out_strides=6,1"}) {
    const Problem problem = parse_problem(text);
    EXPECT_EQ(problem.dims, (std::vector<Dimension>{{3, 12, 6}, {10, 1, 1}})) << text;
    EXPECT_EQ(problem.batch, (std::vector<Dimension>{{2, 36, 18}})) << text;
  }
}

TEST(ProblemText, FieldRangeFindsTheWordThatSetAField) {
  const std::string text = "r2c 16x32*4 f32->f64 inverse scale=2 in_strides=40,1 batch_strides=900,512 threads=2";
  const auto word = [&](const char* field) {
    const TextRange range = field_range(text, field);
    return text.substr(range.begin, range.end - range.begin);
  };
  EXPECT_EQ(word("kind"), "r2c");
  EXPECT_EQ(word("rank"), "16x32");
  EXPECT_EQ(word("lengths"), "16x32");
  EXPECT_EQ(word("lengths[1]"), "32");
  EXPECT_EQ(word("batch_lengths[0]"), "4");
  EXPECT_EQ(word("storage_in"), "f32");
  EXPECT_EQ(word("storage_out"), "f64");
  EXPECT_EQ(word("direction"), "inverse");
  EXPECT_EQ(word("scale_value"), "2");
  EXPECT_EQ(word("in_strides[0]"), "40");
  EXPECT_EQ(word("batch_out_strides[0]"), "512");
  EXPECT_EQ(word("threads"), "2");
  EXPECT_EQ(word("out_strides[0]"), "");
  EXPECT_EQ(word("nonsense"), "");
}

}  // namespace
}  // namespace ulpfft
