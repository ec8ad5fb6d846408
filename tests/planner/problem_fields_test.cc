// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every field of a problem, by the rows of wisdom/problem_fields.cc: texts, C, C++, wisdom and checks know it, or the row is at fault.
// The tool, whose words come from the library, has tests/tool/words_test.py.
#include "wisdom/problem_fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "planner/api/request.h"
#include "tests/planner/members_of.h"
#include "tests/planner/problem_in_cpp.h"
#include "wisdom/codec.h"
#include "wisdom/entry.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

constexpr int kDct2[] = {ULPFFT_REDFT10};
constexpr std::int64_t kLengths[] = {8}, kThree[] = {3}, kZero[] = {0}, kTwo[] = {2}, kNine[] = {9}, kTen[] = {10};
constexpr int kNoKind[] = {11};

// One field: a word as it is printed, behind a problem of its own, and values of the member in C that mean it, and that no problem has.
struct Sample {
  std::string_view word;
  std::string problem;
  std::string printed;
  void (*in_c)(ulpfft_problem&);
  std::string bad = {};                         // a word that is refused; empty: none is
  void (*bad_in_c)(ulpfft_problem&) = nullptr;  // null: every value is taken
};

using C = ulpfft_problem;
const Sample kSamples[] = {
    {"kinds", "r2r 8 f32", "kinds=dct2", [](C& c) { c.kind = ULPFFT_R2R, c.kinds = kDct2; }, "kinds=dct5",
     [](C& c) { c.kind = ULPFFT_R2R, c.kinds = kNoKind; }},
    {"inverse", "8 f32", "inverse", [](C& c) { c.direction = ULPFFT_BACKWARD; }, "", [](C& c) { c.direction = -1; }},
    {"centered", "8 f32", "centered", [](C& c) { c.centered = 1; }},
    {"scale", "8 f32", "scale=0.5", [](C& c) { c.scale_kind = ULPFFT_SCALE_VALUE, c.scale_value = 0.5; }, "scale=0",
     [](C& c) { c.scale_kind = 4; }},
    {"max_error", "8 f32", "max_error=0.5", [](C& c) { c.max_error = 0.5; }, "max_error=-1", [](C& c) { c.max_error = -1; }},
    {"scheme", "8 f32", "scheme=f64", [](C& c) { c.scheme = "f64"; }, "scheme=f32:", [](C& c) { c.scheme = "f32:"; }},
    {"backend", "8 f32", "backend=ref", [](C& c) { c.backend = "ref"; }, "backend=Ref", [](C& c) { c.backend = "Ref"; }},
    {"threads", "8 f32", "threads=2", [](C& c) { c.threads = 2; }, "threads=257", [](C& c) { c.threads = 257; }},
    {"inplace", "8 f32", "inplace", [](C& c) { c.placement = ULPFFT_IN_PLACE; }, "", [](C& c) { c.placement = 2; }},
    {"split", "8 f32", "split", [](C& c) { c.layout = ULPFFT_SPLIT; }, "", [](C& c) { c.layout = 2; }},
    {"destroy_input", "8 f32", "destroy_input", [](C& c) { c.destroy_input = 1; }},
    {"in_strides", "8 f32", "in_strides=3", [](C& c) { c.in_strides = kThree; }, "in_strides=0", [](C& c) { c.in_strides = kZero; }},
    {"out_strides", "8 f32", "out_strides=3", [](C& c) { c.out_strides = kThree; }, "out_strides=0", [](C& c) { c.out_strides = kZero; }},
    {"batch_strides", "8*2 f32", "batch_strides=9,10",
     [](C& c) { c.batch_rank = 1, c.batch_lengths = kTwo, c.batch_in_strides = kNine, c.batch_out_strides = kTen; }, "batch_strides=9,0",
     [](C& c) { c.batch_rank = 1, c.batch_lengths = kTwo, c.batch_in_strides = kZero; }},
    {"intermediate", "8 f32", "intermediate=f16", [](C& c) { c.intermediate = "f16"; }, "intermediate=F16",
     [](C& c) { c.intermediate = "f 16"; }},
    {"chain", "8 f32", "chain=mul", [](C& c) { c.chain = "mul"; }, "chain=plus", [](C& c) { c.chain = "plus"; }},
    {"prescale", "8 f32", "prescale=16", [](C& c) { c.prescale_kind = ULPFFT_PRESCALE_TARGET, c.prescale_target = 16; }, "prescale=-1",
     [](C& c) { c.prescale_kind = ULPFFT_PRESCALE_TARGET; }},
    {"max_workspace", "8 f32", "max_workspace=one", [](C& c) { c.max_workspace = ULPFFT_WORKSPACE_ONE; }, "max_workspace=0",
     [](C& c) { c.max_workspace = -2; }},
    {"output", "8 f32", "output=power", [](C& c) { c.output = ULPFFT_OUTPUT_POWER; }, "output=powers", [](C& c) { c.output = 2; }},
    {"start", "czt 8 f32", "start=0.25", [](C& c) { c.kind = ULPFFT_CZT, c.start = 0.25; }, "start=inf",
     [](C& c) { c.kind = ULPFFT_CZT, c.start = HUGE_VAL; }},
    {"step", "czt 8 f32", "step=0.125", [](C& c) { c.kind = ULPFFT_CZT, c.step = 0.125; }, "step=nan",
     [](C& c) { c.kind = ULPFFT_CZT, c.step = NAN; }},
    {"window", "8 f32", "window=hann", [](C& c) { c.window = "hann"; }, "window=han", [](C& c) { c.window = "kaiser"; }},
};

ulpfft_problem eight_points() {
  ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
  problem.rank = 1;
  problem.lengths = kLengths;
  return problem;
}

// Calls `use` with each row that has a word, but words for what another word says, and with its sample.
template <typename Use>
void for_each_word(const Use& use) {
  for (const ProblemField& field : problem_fields()) {
    if (field.word.empty() || field.print == nullptr) continue;
    SCOPED_TRACE(field.word);
    const auto sample = std::find_if(std::begin(kSamples), std::end(kSamples), [&](const Sample& one) { return one.word == field.word; });
    if (sample == std::end(kSamples)) {
      ADD_FAILURE() << "has no sample in this test";
      continue;
    }
    use(field, *sample);
  }
}

// Whether an error names a member of the row, or an entry of it.
void expect_own_name(const ProblemField& field, const PlanError& error) {
  const std::string named = error.field.substr(0, error.field.find('['));
  const auto is_named = [&](const char* member) { return member != nullptr && named == member; };
  EXPECT_TRUE(std::any_of(field.members.begin(), field.members.end(), is_named)) << error.field << ": " << error.message;
  EXPECT_FALSE(error.message.empty());
}

template <typename Make>
void expect_refused_by_name(const ProblemField& field, const Make& make) {
  try {
    check(make());
    ADD_FAILURE() << "was not refused";
  } catch (const PlanError& error) {
    expect_own_name(field, error);
  }
}

TEST(ProblemFields, AreEveryMemberOfBothInterfaces) {
  std::set<std::string_view> members, words;
  std::size_t in_cpp = 0;
  for (const ProblemField& field : problem_fields()) {
    for (const char* member : field.members) {
      if (member != nullptr) members.insert(member);
    }
    EXPECT_NE(field.members[0], nullptr) << field.word;
    EXPECT_TRUE(field.word.empty() || words.insert(field.word).second) << field.word;
    EXPECT_EQ(find_field(field.word), field.word.empty() ? nullptr : &field) << field.word;
    EXPECT_EQ(field.read != nullptr, !field.word.empty()) << field.members[0];
    // A scale and a prescale are one member each in C++, ranks follow from lists.
    if (field.from_c != nullptr) in_cpp += field.word == "batch_strides" ? 2 : 1;
  }
  EXPECT_EQ(members.size() + 1, members_of<ulpfft_problem>()) << "and its size";
  EXPECT_EQ(in_cpp, members_in_cpp());
}

TEST(ProblemFields, EachIsPrintedAndReadBack) {
  for_each_word([](const ProblemField& field, const Sample& sample) {
    const std::string text = sample.problem + " " + sample.printed;
    const Problem problem = parse_problem(text);
    EXPECT_EQ(print_problem(problem), text);
    EXPECT_NE(problem, parse_problem(sample.problem));
    EXPECT_NE(print_problem(problem), print_problem(parse_problem(sample.problem)));
    EXPECT_NO_THROW(check(problem));
    for (const char* member : field.members) {
      if (member == nullptr) continue;
      const TextRange range = field_range(text, member);
      EXPECT_GT(range.end, range.begin) << member;
      EXPECT_GT(range.begin, sample.problem.size()) << member;
    }
  });
}

TEST(ProblemFields, EachChangesTheKeyAsItsRowSays) {
  for_each_word([](const ProblemField& field, const Sample& sample) {
    const std::string with = problem_key(parse_problem(sample.problem + " " + sample.printed));
    const std::string without = problem_key(parse_problem(sample.problem));
    EXPECT_EQ(with == without, field.leave_out_of_key != nullptr) << with;
    EXPECT_EQ(problem_key(parse_problem(with)), with);
  });
}

TEST(ProblemFields, EachHasTheSchemaOfItsRowInWisdom) {
  for_each_word([](const ProblemField& field, const Sample& sample) {
    Document document;
    document.plans.resize(1);
    Entry& entry = document.plans[0];
    entry.machine = "x86.25.17.avx3";
    entry.recipe = "f32:n8";
    entry.problem_key = problem_key(parse_problem(sample.problem + " " + sample.printed));
    Entry without = entry;
    without.problem_key = problem_key(parse_problem(sample.problem));
    EXPECT_EQ(entry_schema(entry), field.leave_out_of_key != nullptr ? entry_schema(without) : field.schema) << entry.problem_key;
    const std::string text = encode_wisdom(document);
    ImportReport report;
    EXPECT_EQ(decode_wisdom(text, report), document) << text;
    EXPECT_LE(field.schema, newest_entry_schema());
  });
}

TEST(ProblemFields, EachComesFromCAndFromCpp) {
  for_each_word([](const ProblemField& field, const Sample& sample) {
    ulpfft_problem in_c = eight_points();
    sample.in_c(in_c);
    EXPECT_EQ(print_problem(problem_from_c(in_c)), sample.problem + " " + sample.printed);
    std::string from_cpp = "no member in problem_in_cpp.cc";
    use_problem_in_cpp(field.word, [&](const ulpfft_problem& given) { from_cpp = print_problem(problem_from_c(given)); });
    EXPECT_EQ(from_cpp, sample.problem + " " + sample.printed);
  });
}

TEST(ProblemFields, EachIsRefusedByItsOwnNameWhereItIsOutOfRange) {
  for_each_word([](const ProblemField& field, const Sample& sample) {
    if (!sample.bad.empty()) expect_refused_by_name(field, [&] { return parse_problem(sample.problem + " " + sample.bad); });
    if (sample.bad_in_c == nullptr) return;
    ulpfft_problem in_c = eight_points();
    sample.bad_in_c(in_c);
    expect_refused_by_name(field, [&] { return problem_from_c(in_c); });
  });
}

}  // namespace
}  // namespace ulpfft::test
