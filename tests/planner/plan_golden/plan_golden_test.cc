// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The golden of the planner: what every plan of a large set of cases is, does, takes and is predicted to be stays as it was.
//
//   plan_golden_test                  compares all cases, in seconds; with ULPFFT_TEST_FULL=1 takes hashes by every target
//   plan_golden_test --print 'CASE'   recipe, steps and trace of a case, to compare with those of another build
//   plan_golden_test --write [FAMILY] writes the files anew, after a change that is meant to change plans; no test does so
//
// tests/golden/plans/FAMILY.txt has a line for each case: its name, " = ", and the columns of golden_line.h. Lines of targets
// that a build does not have are neither compared nor written. Hashes that no target of a machine can compute are kept as they
// were.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/planner/plan_golden/golden_line.h"

namespace ulpfft::test {
namespace {

constexpr std::size_t kMostShown = 20;  // cases that differ

std::string file_of(const GoldenFamily& family) {
  std::string path = ULPFFT_GOLDEN_FOLDER "/plans/";
  path += family.name;
  return path += ".txt";
}

using Golden = std::map<std::string, std::string>;  // columns by name

Golden read_golden(const GoldenFamily& family) {
  std::ifstream in(file_of(family));
  Golden golden;
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.rfind(" = ");
    if (at == std::string::npos) continue;  // a comment
    if (!golden.emplace(line.substr(0, at), line.substr(at + 3)).second)
      throw std::runtime_error("two lines of " + file_of(family) + " are for " + line.substr(0, at));
  }
  return golden;
}

// What brief fetches there are is known of one kind of processor, and that others have none.
GoldenLine expected_here(const std::string& text) {
  GoldenLine line = GoldenLine::parse(text);
  std::string& brief = line.columns[GoldenLine::kBrief];
  if (!brief.empty() && !fetches_briefly()) brief = "0";
  return line;
}

class PlanGolden : public testing::TestWithParam<const GoldenFamily*> {};

TEST_P(PlanGolden, StaysAsItWas) {
  const GoldenFamily& family = *GetParam();
  const Golden golden = read_golden(family);
  GoldenMaker maker;
  std::size_t compared = 0, different = 0;
  std::ostringstream shown;
  for (const GoldenCase& one : family.cases()) {
    if (!GoldenMaker::has_target(one.target)) continue;
    const auto known = golden.find(one.name);
    if (known == golden.end()) continue;  // the next test says so
    const GoldenLine expected = expected_here(known->second), got = maker.make(one);
    ++compared;
    const std::string differences = expected.differences(got);
    if (differences.empty() || ++different > kMostShown) continue;
    shown << one.name << ": " << differences << "\n  expected " << expected.print() << "\n  got      " << got.print() << "\n";
  }
  EXPECT_EQ(different, 0U)
      << shown.str() << different << " of " << compared << " cases of " << family.name
      << " differ. The text of a case: plan_golden_test --print '"
      << "CASE'; the head of plan_golden_test.cc says how the golden is written anew where plans were meant to change.";
  EXPECT_GT(compared, 0U) << "nothing was compared";
}

TEST_P(PlanGolden, HasALineForEveryCaseAndNoOther) {
  const GoldenFamily& family = *GetParam();
  Golden golden = read_golden(family);
  std::size_t missing = 0;
  std::string first;
  for (const GoldenCase& one : family.cases()) {
    if (golden.erase(one.name) == 1) continue;
    if (missing++ == 0) first = one.name;
  }
  EXPECT_EQ(missing, 0U) << "the first of them is " << first << "; plan_golden_test --write " << family.name << " adds them";
  EXPECT_TRUE(golden.empty()) << golden.size() << " lines are for no case; the first is " << golden.begin()->first;
}

INSTANTIATE_TEST_SUITE_P(Families, PlanGolden, testing::ValuesIn([] {
                           std::vector<const GoldenFamily*> all;
                           for (const GoldenFamily& family : golden_families()) all.push_back(&family);
                           return all;
                         }()),
                         [](const testing::TestParamInfo<const GoldenFamily*>& family) {
                           return std::string(family.param->name);
                         });

int print_case(const std::string& name) {
  GoldenMaker maker;
  for (const GoldenFamily& family : golden_families()) {
    for (const GoldenCase& one : family.cases()) {
      if (one.name != name) continue;
      if (!GoldenMaker::has_target(one.target)) {
        std::cerr << "This build has no target " << one.target << ".\n";
        return 1;
      }
      std::string text;
      const GoldenLine line = maker.make(one, &text);
      std::cout << text << line.print() << "\n";
      return 0;
    }
  }
  std::cerr << "There is no case '" << name << "'; tests/golden/plans has their names.\n";
  return 1;
}

// The columns known of a case that this build or this machine cannot make.
std::string kept(const std::string& known, const GoldenLine& made) {
  GoldenLine line = made;
  if (!line.refused.empty() || known.empty()) return line.print();
  const GoldenLine old = GoldenLine::parse(known);
  if (line.columns[GoldenLine::kHash].empty()) line.columns[GoldenLine::kHash] = old.columns[GoldenLine::kHash];
  if (!fetches_briefly()) line.columns[GoldenLine::kBrief] = old.columns[GoldenLine::kBrief];
  return line.print();
}

int write_golden(const std::string& wanted) {
  std::size_t written = 0;
  for (const GoldenFamily& family : golden_families()) {
    if (!wanted.empty() && wanted != family.name) continue;
    const Golden golden = read_golden(family);
    GoldenMaker maker;
    std::ostringstream text;
    text << "# Written by plan_golden_test --write; what the columns are says tests/planner/plan_golden/golden_line.h.\n";
    for (const GoldenCase& one : family.cases()) {
      const auto known = golden.find(one.name);
      const std::string old = known == golden.end() ? "" : known->second;
      const std::string line = GoldenMaker::has_target(one.target) ? kept(old, maker.make(one)) : old;
      if (line.empty()) continue;
      text << one.name << " = " << line << "\n";
      ++written;
    }
    std::ofstream out(file_of(family), std::ios::binary);
    out << text.str();
    if (!out.flush()) {
      std::cerr << "Cannot write " << file_of(family) << "\n";
      return 1;
    }
  }
  std::cout << written << " lines\n";
  return written == 0 ? 1 : 0;
}

}  // namespace
}  // namespace ulpfft::test

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--print") == 0) return ulpfft::test::print_case(argv[2]);
  if ((argc == 2 || argc == 3) && std::strcmp(argv[1], "--write") == 0)
    return ulpfft::test::write_golden(argc == 3 ? argv[2] : "");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
