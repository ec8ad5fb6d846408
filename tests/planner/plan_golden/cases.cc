// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/plan_golden/cases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "codelets/registry.h"
#include "planner/api/request.h"
#include "planner/convert/side.h"
#include "planner/scheme/scheme.h"
#include "tests/support/api.h"
#include "tests/support/problems.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// Some without FMA, and the reference, whose vectors have one lane. What a build does not have is left out there.
constexpr std::array kTargets = {"avx3", "avx2", "sse4", "avx2", "avx3", "sse4", "ref"};

// Collects the cases of one family.
class Family {
 public:
  // A text of problem_text.h, which " deterministic" and " exponents=in", "=out" or "=both" may follow.
  void add(std::string text, const std::string& recipe = "") {
    GoldenCase one;
    const std::string name = recipe.empty() ? text : text + " by " + recipe;
    one.deterministic = take(text, " deterministic");
    one.in_exponents = take(text, " exponents=in");
    one.out_exponents = take(text, " exponents=out");
    if (take(text, " exponents=both")) one.in_exponents = one.out_exponents = true;
    one.problem = parse_problem(text);
    one.recipe = recipe;
    add(std::move(one), name);
  }
  void add(GoldenCase one, const std::string& name) {
    one.target = kTargets[cases_.size() % kTargets.size()];
    one.name = name + " @" + one.target;
    cases_.push_back(std::move(one));
  }
  std::size_t size() const { return cases_.size(); }
  std::vector<GoldenCase> all() { return std::move(cases_); }

 private:
  static bool take(std::string& text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return false;
    text.erase(at, word.size());
    return true;
  }

  std::vector<GoldenCase> cases_;
};

template <typename List>
const auto& turn(const List& list, std::size_t number) {
  return list[number % list.size()];
}

// ---- lengths

std::vector<GoldenCase> chosen_lengths(const std::string& storage) {
  constexpr std::int64_t kBoth = 64, kLongest = 512;  // beyond the first, types take turns
  Family family;
  for (std::int64_t n = 1; n <= kLongest; ++n) {
    if (n > kBoth && (n % 2 == 0) != (storage == "f32")) continue;
    family.add(std::to_string(n) + " " + storage + (n / 2 % 4 == 3 ? " deterministic" : ""));
  }
  return family.all();
}

std::vector<GoldenCase> forced_lengths() {
  constexpr std::array kOptions = {"", "*3",         "",       " inverse",   " centered",
                                   "", "*2 inplace", " split", " scale=1/n", "*5 centered"};
  Family family;
  for (std::int64_t n = 2; n <= 512; ++n) {
    const auto number = static_cast<std::size_t>(n);
    const std::string storage = n % 2 == 0 ? "f32" : "f64";
    const std::string_view option = turn(kOptions, number);
    const std::size_t batch = option.starts_with("*") ? 2 : 0;
    const std::string length = std::to_string(n) + std::string(option.substr(0, batch)), rest(option.substr(batch));
    family.add(length + " " + storage + rest, forced_recipe(storage, n, seed_of("plan golden " + length)));
  }
  return family.all();
}

// Beyond L1 and L2, up to where plans stream.
std::vector<GoldenCase> long_ones() {
  constexpr std::array kLengths = {"8192",     "65536",          "131072*2", "1048576",  "65537",   "100000 centered",
                                   "10007*3",  "512x512",        "1024*512", "256*4096", "64*8192", "4096*64 threads=2",
                                   "64x64x32", "1024x1024 split"};
  constexpr std::array kStorages = {"f32", "f16", "f64", "mxfp8_e4m3", "f32->f64"};
  Family family;
  std::size_t number = 0;
  for (const std::string lengths : kLengths) {
    const std::size_t end = std::min(lengths.find(' '), lengths.size());
    for (int i = 0; i < 3; ++i) family.add(lengths.substr(0, end) + " " + turn(kStorages, number++) + lengths.substr(end));
  }
  return family.all();
}

// ---- random problems

template <int kPart>
std::vector<GoldenCase> random_problems() {
  constexpr int kOfAPart = 500;
  constexpr std::int64_t kMostPoints = 2048;
  constexpr std::array kNarrow = {"f16", "bf16", "i16", "e4m3"};
  Family family;
  for (int i = kPart * kOfAPart; i < (kPart + 1) * kOfAPart; ++i) {
    const std::string name = "random " + std::to_string(i);
    Random random(seed_of("plan golden " + name));
    Case drawn = random_case(random, kMostPoints);
    GoldenCase one;
    with_struct(drawn, [&](const ulpfft_problem& problem) { one.problem = problem_from_c(problem); });
    one.deterministic = random.chance(0.1);
    if (random.chance(0.25)) {
      const std::string storage = turn(kNarrow, random.below(kNarrow.size()));
      const bool both = one.problem.placement == Placement::kInPlace || random.chance(0.5), out = random.chance(0.5);
      if (both || !out) one.problem.storage_in = storage;
      if (both || out) one.problem.storage_out = storage;
    }
    family.add(std::move(one), name);
  }
  return family.all();
}

// ---- storages

std::vector<std::string> narrow_storages() {
  std::vector<std::string> names;
  for (const FormatInfo& f : formats()) {
    if (f.kind != FormatKind::kWide && f.is_signed && f.has_zero) names.push_back(f.name);
  }
  for (const BlockInfo& block : block_formats()) {
    for (const char* const length : {"", ":b8", ":b0"}) names.push_back(block.name + std::string(length));
  }
  return names;
}

struct Structure {
  const char* lengths;
  const char* node;
};
// A structure is its node, at lengths that make different cases of it.
constexpr std::array<Structure, 4> kLines{
    {{"1024", "dit(16 8 8)"}, {"128", "dit(16 8)"}, {"1000", "dit(8 5 / 5 5)"}, {"4096", "dit(16 16:ds 16)"}}};
constexpr std::array<Structure, 3> kFours{{{"2048", "four(32x64 p16; dit(8 4); dit(8 8))"},
                                           {"1024", "four(32x32 p32 stream; dit(16 2); dit(4 8))"},
                                           {"4096", "four(64x64 p64 stream; dit(8 8); dit(16 4))"}}};
constexpr std::array<Structure, 3> kCols{{{"32x64", "rank(cols(p16; dit(8 4)); dit(16 4))"},
                                          {"16x96", "rank(cols(p32; n16); dit(12 8))"},
                                          {"8x6x32", "rank(cols(p64; n8); cols(p32; n6); dit(8 4))"}}};
constexpr std::array<Structure, 3> kPlanes{{{"64x32", "rank(cols(p16 stream; dit(8 8)); dit(8 4 stream))"},
                                            {"32x128", "rank(cols(p32 stream; dit(4 8)); dit(16 8 stream))"},
                                            {"16x64", "rank(cols(p64 stream; n16); dit(8 8 stream))"}}};

// `option` begins with the batch, if it has one; {} in it stands for nothing.
std::string problem_of(std::string_view lengths, const std::string& storage, std::string_view option) {
  const std::size_t batch = option.starts_with('*') ? std::min(option.find(' '), option.size()) : 0;
  return std::string(lengths) + std::string(option.substr(0, batch)) + " " + storage + std::string(option.substr(batch));
}

std::vector<GoldenCase> storages() {
  constexpr std::array kOptions = {"",
                                   "*3 exponents=both",
                                   " centered",
                                   " prescale=amax",
                                   " split",
                                   " inverse scale=ortho",
                                   "*4 exponents=out",
                                   " exponents=in",
                                   "*2 centered split",
                                   "*64",
                                   " scheme=f64"};
  Family family;
  std::size_t number = 0;
  for (const std::string& storage : narrow_storages()) {
    for (const std::string& ends : {storage, storage + "->f32", "f32->" + storage}) {
      if (ends == "f32->" + storage && storage.ends_with(":b8")) continue;  // the other two show what a length of its own does
      for (const Structure& structure :
           {turn(kLines, number), turn(kFours, number), turn(kCols, number), turn(kPlanes, number)}) {
        const std::string option = turn(kOptions, number++);
        const std::string scheme = option.find("scheme=f64") != std::string::npos ? "f64:" : "f32:";
        family.add(problem_of(structure.lengths, ends, option), scheme + structure.node);
      }
    }
  }
  return family.all();
}

// Short rows, which are converted side by side, and rows that end inside a block.
std::vector<GoldenCase> rows() {
  constexpr std::array kLengths = {"7*9", "50*12", "100*5", "150*7", "225*6", "6x150", "30x40", "3x225*2", "600*3"};
  constexpr std::array kOptions = {"",          " exponents=both",          " prescale=amax exponents=both",
                                   " centered", " prescale=8 exponents=in", " inverse prescale=amax exponents=out",
                                   " split"};
  Family family;
  std::size_t number = 0;
  for (const std::string storage :
       {"mxint8", "mxfp8_e4m3", "mxfp6_e2m3", "mxfp4_e2m1:b8", "mxint8:b0", "e2m3", "f16", "f64->mxint8", "i8->f64"}) {
    for (const char* const lengths : kLengths) family.add(std::string(lengths) + " " + storage + turn(kOptions, number++));
  }
  return family.all();
}

// What passes convert by themselves.
std::vector<GoldenCase> fused_ends() {
  constexpr std::array<Structure, 8> kNodes{{{"64", "dit(8 8"},
                                             {"128", "dit(16 8"},
                                             {"256", "dit(16 16"},
                                             {"512", "dit(32 16"},
                                             {"1024", "dit(16 16 4"},
                                             {"4096", "dit(16 16 16"},
                                             {"640", "dit(16 5 8"},
                                             {"1000", "dit(8 5 5 5"}}};
  constexpr std::array kOptions = {"", "*6", " inverse", "*4 exponents=both", "*3 scale=1/n", "*9 threads=2"};
  Family family;
  std::size_t number = 0;
  for (const std::string storage : {"f16", "bf16", "i16", "e4m3", "mxint8", "mxfp8_e4m3"}) {
    for (const Structure& structure : kNodes) {
      const bool streams = number % 5 == 4;
      const std::string node = std::string("f32:") + structure.node + (streams ? " stream" : "");
      const bool blocks = storage.starts_with("mx");
      family.add(problem_of(structure.lengths, storage, turn(kOptions, number)),
                 node + (blocks ? " decode)" : " decode encode)"));
      family.add(problem_of(structure.lengths, storage + "->f32", turn(kOptions, number + 1)), node + " decode)");
      if (!blocks) family.add(problem_of(structure.lengths, "f32->" + storage, turn(kOptions, number + 2)), node + " encode)");
      family.add(problem_of(structure.lengths, storage, turn(kOptions, number + 3)));
      ++number;
    }
  }
  return family.all();
}

// Narrow storage between passes.
std::vector<GoldenCase> between() {
  constexpr std::array kEnds = {"f32", "f16", "f64", "mxfp8_e4m3"};
  constexpr std::array kOptions = {"", " centered", "*3 scale=1/n", " split", " inverse", "*2 threads=2"};
  Family family;
  std::size_t number = 0;
  for (const std::string& format : narrow_storages()) {
    if (format.ends_with(":b0")) continue;  // one scale a row serves no panels
    const std::string ends = turn(kEnds, number), option = turn(kOptions, number), scheme = ends == "f64" ? "f64:" : "f32:";
    ++number;
    family.add(problem_of("1024", ends, option), scheme + "dit(16|" + format + " 8 8)");
    family.add(problem_of("720", ends, option), scheme + "dit(16 / 9|" + format + " 5)");
    family.add(problem_of("2048", ends, option),
               scheme + "four(32x64 p16 stream |" + format + "; dit(8|" + format + " 4); dit(8 8))");
    family.add(problem_of("32x64", ends, option), scheme + "rank(|" + format + "; cols(p16 stream; dit(8 4)); dit(16 4 stream))");
    family.add(problem_of("4096", ends, option) + " intermediate=" + format);
  }
  return family.all();
}

// ---- options

// Ways to transform, each with and without what the others have.
constexpr std::array<Structure, 10> kStructures{{{"1024", "dit(16 8 8)"},
                                                 {"60", "dit(15 4)"},
                                                 {"16", "n16"},
                                                 {"360", "dit(8 9 / 5)"},
                                                 {"2048", "four(32x64 p16; dit(8 4); dit(8 8))"},
                                                 {"32x64", "rank(cols(p16; dit(8 4)); dit(8 8))"},
                                                 {"64x32", "rank(cols(p16 stream; dit(8 8)); dit(8 4 stream))"},
                                                 {"4x6x20", "rank(n4; cols(p32; n6); dit(5 4))"},
                                                 {"61", "rader(61; dit(15 4))"},
                                                 {"77", "bluestein(77; 160; dit(10 16))"}}};

std::vector<GoldenCase> options() {
  constexpr std::array kOptions = {" inverse",
                                   " centered",
                                   " split",
                                   " inplace",
                                   " scale=1/n",
                                   "*5",
                                   "*3 prescale=8",
                                   "*7x2 inverse centered split",
                                   "*4 inplace scale=ortho"};
  Family family;
  for (const Structure& structure : kStructures) {
    for (const char* const option : kOptions) {
      for (const std::string storage : {"f32", "f64", "f16", "mxfp8_e4m3"}) {
        family.add(problem_of(structure.lengths, storage, option),
                   (storage == "f64" ? "f64:" : "f32:") + std::string(structure.node));
      }
    }
  }
  for (const Structure& structure : kStructures) {
    for (const std::string storage : {"f32", "i16->f64", "mxfp8_e4m3"}) {
      family.add(problem_of(structure.lengths, storage, "*3 window=hann"), (storage == "i16->f64" ? "f64:" : "f32:") + std::string(structure.node));
    }
  }
  return family.all();
}

// Neighbours of other transforms.
std::vector<GoldenCase> columns() {
  Family family;
  for (const std::string storage : {"f32", "f64", "f16", "bf16", "i16", "e4m3", "f16->f32", "f32->e5m2", "i8"}) {
    for (const std::string n : {"16", "60", "256"}) {
      for (const std::string option : {"", " centered", " exponents=both", " prescale=amax", " inverse threads=2"}) {
        const bool narrow = storage != "f32" && storage != "f64";
        if (!narrow && option.find("exponents") != std::string::npos) continue;
        family.add(n + "*48 " + storage + option + " in_strides=48 out_strides=48 batch_strides=1,1");
        if (option.empty()) family.add(n + "*48 " + storage + " in_strides=48 batch_strides=1," + n);
      }
    }
  }
  return family.all();
}

std::vector<GoldenCase> chains() {
  struct Chain {
    const char *lengths, *there, *back;
  };
  constexpr std::array<Chain, 7> kChains{
      {{"1024", "dit(16 8 8)", "dit(8 8 16)"},
       {"16", "n16", "n16"},
       {"60", "dit(15 4)", "dit(12 5)"},
       {"2048", "four(32x64 p16; dit(8 4); dit(8 8))", "four(64x32 p16; dit(8 8); dit(8 4))"},
       {"32x64", "rank(cols(p16; dit(8 4)); dit(8 8))", "rank(cols(p16; dit(4 8)); dit(16 4))"},
       {"64x32", "rank(cols(p16 stream; dit(8 8)); dit(8 4 stream))", "rank(cols(p16 stream; dit(8 8)); dit(8 4 stream))"},
       {"61", "rader(61; dit(15 4))", "bluestein(61; 128; dit(16 8))"}}};
  constexpr std::array kOptions = {"", "*5", " centered", "*3 inverse threads=2", " split scale=1/n", "*4 exponents=both"};
  Family family;
  std::size_t number = 0;
  for (const Chain& chain : kChains) {
    for (const std::string op : {"mul", "user"}) {
      for (const std::string storage : {"f32", "f64", "f16", "mxint8", "f32->f64"}) {
        std::string option = turn(kOptions, number++);
        if (storage != "f16" && storage != "mxint8" && option.find("exponents") != std::string::npos) option = "*4";
        const std::string scheme = storage.find("f64") != std::string::npos ? "f64" : "f32";
        family.add(problem_of(chain.lengths, storage, option) + " chain=" + op,
                   scheme + ":chain(" + chain.there + "; " + op + "; " + chain.back + ")");
        if (number % 3 == 0) family.add(problem_of(chain.lengths, storage, option) + " chain=" + op);
      }
    }
  }
  return family.all();
}

std::vector<GoldenCase> threads() {
  Family family;
  for (const Structure& structure : kStructures) {
    for (const std::string storage : {"f32", "f64", "f16", "mxfp8_e4m3"}) {
      for (const std::string count : {"1", "2", "4"}) {
        family.add(problem_of(structure.lengths, storage, storage.starts_with("f6") ? "" : "*9") + " threads=" + count,
                   (storage == "f64" ? "f64:" : "f32:") + std::string(structure.node));
      }
    }
  }
  return family.all();
}

// Rounded and mx schemes, chosen recipes.
std::vector<GoldenCase> schemes() {
  constexpr std::array kProblems = {"60 f32",
                                    "64*3 f16",
                                    "256 f32 centered",
                                    "8x12 f64->f32",
                                    "1000 f32 inverse",
                                    "11 f32 prescale=amax",
                                    "512 mxint8 threads=2",
                                    "34 f32 split"};
  Family family;
  std::size_t number = 0;
  for (const SchemeFacts& scheme : all_schemes()) {
    if (!scheme.emulated) continue;
    for (int i = 0; i < 3; ++i) family.add(turn(kProblems, number++) + std::string(" scheme=") + scheme.name);
  }
  return family.all();
}

// What no plan is built for: sentences are promises, too.
constexpr std::array<std::array<const char*, 2>, 62> kRefused{{
    {"64 f32", "f32:dit(64)"},
    {"64 f32", "f32:dit(8:ds 8)"},
    {"64 f32", "f32:dit(8 6)"},
    {"64 f32", "f32:dit(8 4)"},
    {"64 f32", "f32:n63"},
    {"64 f32", "f32:n64 "},
    {"64 f32", "f32:dit(8 8"},
    {"8x8 f32", "f32:dit(8 8)"},
    {"64 f32", "f32:rank(n8; n8)"},
    {"68 f32", "f32:dit(4 17)"},
    {"62 f32", "f32:dit(31 2)"},
    {"64 f32", "f32:dif(8 8)"},
    {"64 f32", "f32:batch(4; n16)"},
    {"64 f32", "f32:cols(p0; dit(8 8))"},
    {"64 f32", "f32:cols(p16; four(8x8 p8; n8; n8))"},
    {"64 f32", "f32:cols(p16; dit(8 8 stream))"},
    {"64 f32", "f32:four(8x8 p0; n8; n8)"},
    {"64 f32", "f32:four(1x64 p8; n1; dit(8 8))"},
    {"64 f32", "f32:four(8x8 p8; n8; n4)"},
    {"62 f32", "f32:four(2x31 p2 |f16; n2; rader(31; dit(6 5)))"},
    {"61 f32", "f32:rader(61; n59)"},
    {"61 f32", "f32:rader(61; dit(16 8 8))"},
    {"60 f32", "f32:rader(60; n59)"},
    {"61 f32", "f32:rader(61; dit(15|f16 4))"},
    {"61 f32", "f32:bluestein(61; 120; dit(15 8))"},
    {"61 f32", "f32:bluestein(61; 128; dit(15 8))"},
    {"61 f32", "f32:bluestein(61; 2048; dit(16 16 8))"},
    {"1024 f32", "f32:dit(16 8 8|f16)"},
    {"1024 f32", "f32:dit(16|e9 8 8)"},
    {"1024 f32", "f32:dit(16|mxint8:b0 8 8)"},
    {"720 f32", "f32:dit(15 / 3|mxint8 / 16)"},
    {"32x64 f32", "f32:rank(|f16; dit(8 4); dit(16 4))"},
    {"32x64 f32 prescale=8", "f32:rank(|f16; cols(p16; dit(8 4)); dit(16 4))"},
    {"32x64 f64->f32", "f64:rank(|f16; cols(p16; dit(8 4)); dit(16 4))"},
    {"32x64 f16 split", "f32:rank(|f16; cols(p16; dit(8 4)); dit(16 4))"},
    {"32x64 f32", "f32:rank(|mxint8:b64; cols(p8; dit(8 4)); dit(16 4))"},
    {"64 f32", "f32:dit(8 8 decode)"},
    {"64 f32", "f32:dit(8 8 encode)"},
    {"64 e2m3", "f32:dit(8 8 decode)"},
    {"64 mxint8", "f32:dit(8 8 encode)"},
    {"64 f16 centered", "f32:dit(8 8 decode)"},
    {"64 f16 split", "f32:dit(8 8 encode)"},
    {"64 mxint8:b0", "f32:dit(8 8 decode)"},
    {"64 f16 prescale=8", "f32:dit(8 8 decode)"},
    {"8x64 f16", "f32:rank(n8; dit(8 8 decode))"},
    {"64 f16", "f32:dit(8|bf16 8 decode)"},
    {"64*2 f16 in_strides=2 batch_strides=1,64", "f32:dit(8 8 decode)"},
    {"64 f16 scheme=rounded:f16", "rounded:f16:dit(8 8 decode)"},
    {"64 f32 scheme=rounded:f16", "rounded:f16:four(8x8 p8; n8; n8)"},
    {"64 f32 scheme=rounded:f16", "rounded:f16:dit(8|bf16 8)"},
    {"64 f32 scheme=rounded:e4m3", "rounded:e4m3:dit(4 4:cos 4)"},
    {"64 f32 scheme=rounded:f32", ""},
    {"64 f32 scheme=rounded:mxint8", ""},
    {"64 f32 scheme=mx:mxint8", "mx:mxint8:four(8x8 p8; n8; n8)"},
    {"64 f32 scheme=mx:mxint8", "mx:mxint8:dit(8 / 8)"},
    {"64 f32 scheme=mx:mxint8", "mx:mxint8:dit(8 8:ds)"},
    {"64 f32 scheme=mx:mxint8", "mx:mxint8:dit(8 8 stream)"},
    {"64 f32 scheme=mx:mxint8:b0", ""},
    {"64 f32 chain=mul", "f32:dit(8 8)"},
    {"64 f32", "f32:chain(n64; mul; n64)"},
    {"64 f32 chain=mul", "f32:chain(n64; user; n64)"},
    {"361 f32 scheme=mx:mxint8", ""},
}};
std::vector<GoldenCase> refusals() {
  Family family;
  for (const auto& [problem, recipe] : kRefused) family.add(problem, recipe);
  return family.all();
}

// ---- real numbers

constexpr std::array<Structure, 8> kRealLines{{{"64", "real(64; dit(8 4))"},
                                               {"30", "real(30; n15)"},
                                               {"45", "real(45; dit(9 5))"},
                                               {"1000", "real(1000; dit(4 / 5 5 5))"},
                                               {"4096", "real(4096; dit(16 16:ds 8))"},
                                               {"202", "real(202; rader(101; dit(5 5 4)))"},
                                               {"59", "real(59; bluestein(59; 120; dit(15 8)))"},
                                               {"8192", "real(8192; four(64x64 p16; dit(8 8); dit(16 4)))"}}};
constexpr std::array<Structure, 4> kRealPlanes{{{"32x64", "rank(cols(p16; dit(8 4)); real(64; dit(8 4)))"},
                                                {"16x45", "rank(cols(p32; n16); real(45; dit(9 5)))"},
                                                {"8x6x32", "rank(cols(p64; n8); cols(p32; n6); real(32; n16))"},
                                                {"1x24x20", "rank(n1; dit(6 4); real(20; dit(5 2)))"}}};
constexpr std::array<std::string_view, 1> kRealRefused = {"c2r 64 f32 chain=mul"};

std::vector<GoldenCase> reals() {
  constexpr std::array kOptions = {"", "*9", " inplace", "*3 split", " inverse", "*2 scale=1/n inplace", " destroy_input", "*40 threads=2"};
  constexpr std::int64_t kLongest = 128;
  Family family;
  for (std::int64_t n = 1; n <= kLongest; ++n) {
    const auto number = static_cast<std::size_t>(n);
    family.add((n % 4 < 2 ? "r2c " : "c2r ") + problem_of(std::to_string(n), n % 3 == 0 ? "f64" : "f32", turn(kOptions, number / 2)) +
               (n % 8 == 3 ? " deterministic" : ""));
  }
  for (const std::string_view lengths : {"1000*3", "65536", "100003", "100x99", "512x512", "20x18x14*2", "1048576"}) {
    for (const std::string kind : {"r2c ", "c2r ", "r2c ", "c2r "}) {
      const bool is_f64 = family.size() % 3 == 0;
      family.add(kind + std::string(lengths) + (is_f64 ? " f64" : " f32") + (family.size() % 5 == 0 ? " destroy_input" : ""));
    }
  }
  std::size_t number = 0;
  const auto add_forced = [&](const Structure& structure) {
    for (const std::string kind : {"r2c ", "c2r ", "chain"}) {
      const std::string scheme = number % 3 == 1 ? "f64" : "f32";
      const std::string option = turn(kOptions, number++);
      const std::string problem = problem_of(structure.lengths, scheme, option);
      if (kind != "chain") {
        family.add(kind + problem, scheme + ":" + structure.node);
        continue;
      }
      const std::string op = number % 2 == 0 ? "mul" : "user";
      const std::string chain = "r2c " + problem + " chain=" + op;
      family.add(chain, scheme + ":chain(" + structure.node + "; " + op + "; " + structure.node + ")");
      family.add(chain);
    }
  };
  for (const Structure& structure : kRealLines) add_forced(structure);
  for (const Structure& structure : kRealPlanes) add_forced(structure);
  for (const std::string_view refused : kRealRefused) family.add(std::string(refused));
  return family.all();
}

// ---- real numbers in any storage, chains of them, narrow matrices

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kRealBetween{
    {{"r2c 8192 f32 scale=1/n intermediate=f16", "f32:real(8192; four(64x64 p16 |f16; dit(8 8); dit(16 4)))"},
     {"c2r 8192*2 f64 intermediate=mxfp8_e4m3", "f64:real(8192; four(64x64 p16 |mxfp8_e4m3; dit(8 8); dit(16 4)))"},
     {"r2c 6x8192 i16->f16 intermediate=bf16", "f32:rank(n6; real(8192; four(64x64 p16 |bf16; dit(8 8); dit(16 4))))"},
     {"c2r 256x20 f32 scale=ortho inverse intermediate=f16", "f32:rank(four(16x16 p8 |f16; n16; n16); real(20; dit(5 2)))"}}};

std::vector<GoldenCase> real_storages() {
  constexpr std::array kStorages = {"i16->f32", "f16", "f32->e2m1", "mxfp8_e4m3->f16", "f64->f32", "e4m3->f64", "bf16->mxint8"};
  constexpr std::array kStoredOptions = {"*3", "", " centered", " inverse threads=2", "*9 scale=1/n", "*2 split", "*4 prescale=amax"};
  Family family;
  std::size_t number = 0;
  for (const std::string_view lengths : {"7", "64", "105", "256", "1000", "4096", "16384", "262144", "12x15", "60x64", "50x45", "256x250", "20x18x14", "1024x1024"}) {
    for (const std::string kind : {"r2c ", "c2r ", "r2c "}) {
      const std::string storage = turn(kStorages, number), option = turn(kStoredOptions, number / 2);
      const bool chain = number % 3 == 2;
      const bool prescaled = option.find("prescale") != std::string::npos;
      family.add(kind + problem_of(std::string(lengths), storage, chain && prescaled ? "*4" : option) + (chain ? number % 2 == 0 ? " chain=mul" : " chain=user" : ""));
      ++number;
    }
  }
  for (const Structure& structure : kRealLines) {
    for (const std::string kind : {"r2c ", "c2r "}) {
      const std::string storage = turn(kStorages, number), option = turn(kStoredOptions, number);
      const std::string scheme = storage.find("f64") != std::string::npos ? "f64" : "f32";
      family.add(kind + problem_of(structure.lengths, storage, option), scheme + ":" + structure.node);
      ++number;
    }
  }
  for (const auto& [problem, recipe] : kRealBetween) family.add(std::string(problem), std::string(recipe));
  for (const std::string_view problem : {"r2c 64 f32 centered chain=user", "r2c 64 f16 chain=mul"}) family.add(std::string(problem));
  constexpr std::array kKinds = {"dct2", "dst3", "dht", "dct1", "r2hc", "dst4", "hc2r", "dct4", "dst1", "dct3", "dst2"};
  constexpr std::array kR2rOptions = {"*3", "", "*9 scale=1/n", " threads=2", "*4 prescale=amax", "*5 scale=ortho"};
  for (const std::string_view lengths : {"7", "8", "64", "101", "105", "256", "1000", "4096", "65536", "12x15", "8x8", "60x64", "256x250", "20x18x14"}) {
    for (int i = 0; i < 2; ++i, ++number) {
      std::string kinds = turn(kKinds, number);
      const auto lines = static_cast<std::size_t>(std::count(lengths.begin(), lengths.end(), 'x'));
      for (std::size_t line = 0; line < lines; ++line) kinds += std::string(",") + turn(kKinds, number + 3 * line + 1);
      family.add("r2r " + problem_of(std::string(lengths), turn(kStorages, number), turn(kR2rOptions, number)) + " kinds=" + kinds);
    }
  }
  return family.all();
}

// ---- chirp transforms

std::vector<GoldenCase> chirps() {
  constexpr std::array kLengths = {"1->7", "64", "1000->30", "97->500", "360->1000", "4096->100", "65536->4096"};
  constexpr std::array kOptions = {"", "*5 threads=2", "*3 split inverse", "*40 window=hann", " prescale=amax", "*4 output=power", " max_workspace=one"};
  constexpr std::array kStorages = {"f32", "i16->f32", "f64", "f16", "f32->f64", "mxfp8_e4m3", "f64->bf16"};
  Family family;
  std::size_t number = 0;
  for (const std::string_view lengths : kLengths) {
    for (int i = 0; i < 3; ++i, ++number)
      family.add("czt " + problem_of(std::string(lengths), turn(kStorages, number), turn(kOptions, number + number / 7)) + " step=0.001");
  }
  return family.all();
}

}  // namespace

const std::vector<GoldenFamily>& golden_families() {
  static const std::vector<GoldenFamily> all{{"chosen_f32", [] { return chosen_lengths("f32"); }},
                                             {"chosen_f64", [] { return chosen_lengths("f64"); }},
                                             {"forced", &forced_lengths},
                                             {"long", &long_ones},
                                             {"random_0", &random_problems<0>},
                                             {"random_1", &random_problems<1>},
                                             {"random_2", &random_problems<2>},
                                             {"random_3", &random_problems<3>},
                                             {"storages", &storages},
                                             {"rows", &rows},
                                             {"fused_ends", &fused_ends},
                                             {"between", &between},
                                             {"options", &options},
                                             {"columns", &columns},
                                             {"chains", &chains},
                                             {"threads", &threads},
                                             {"schemes", &schemes},
                                             {"refusals", &refusals},
                                             {"reals", &reals},
                                             {"real_storages", &real_storages},
                                             {"chirps", &chirps}};
  return all;
}

}  // namespace ulpfft::test
