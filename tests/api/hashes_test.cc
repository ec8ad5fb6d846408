// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Equal recipes give equal bits on every machine: the hashes of hashes.txt, on every target that can run here. A target of another
// architecture is compared with this table as it is with ref, so that a build for Arm proves itself against one for x86.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/api.h"
#include "tests/support/codelets.h"
#include "tests/support/targets.h"

namespace ulpfft::test {
namespace {

// A line of the table; of a comment only `text` is set.
struct Row {
  std::string text;
  std::string problem;
  std::string recipe;
  std::string hash[2] = {"-", "-"};  // [0]: with FMA
};

std::vector<Row> read_table() {
  std::vector<Row> rows;
  std::ifstream file(ULPFFT_HASHES);
  for (std::string line; std::getline(file, line);) {
    Row row;
    row.text = line;
    if (!line.empty() && line[0] != '#') {
      std::vector<std::string> fields;
      for (std::size_t begin = 0; begin != std::string::npos;) {
        const std::size_t end = line.find(" | ", begin);
        fields.push_back(line.substr(begin, end - begin));
        begin = end == std::string::npos ? end : end + 3;
      }
      row.problem = fields[0];
      if (fields.size() > 1) row.recipe = fields[1];
      for (std::size_t i = 2; i < std::min<std::size_t>(fields.size(), 4); ++i) row.hash[i - 2] = fields[i];
    }
    rows.push_back(row);
  }
  return rows;
}

// "" when the target refuses; it does so for a missing body only.
std::string hash_on(const Target& target, const Row& row) {
  if (!has_bodies(target, row.recipe)) return "-";
  const PlanPtr plan = make_plan(target.context, row.problem, row.recipe);
  if (plan == nullptr) return "";
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016" PRIx64, hash_of(plan.get()));
  return text.data();
}

TEST(Hashes, AreThoseOfTheTableOnEveryTarget) {
  const std::vector<Row> rows = read_table();
  std::size_t compared = 0;
  for (const Row& row : rows) {
    if (row.problem.empty()) continue;
    EXPECT_NE(row.hash[0], "-") << "without a hash: " << row.text;
    for (const Target& target : targets()) {
      const std::string& expected = row.hash[target.has_fma ? 0 : 1];
      EXPECT_EQ(hash_on(target, row), expected) << "target " << target << ", problem \"" << row.problem << "\", recipe \"" << row.recipe << '"';
      ++compared;
    }
  }
  EXPECT_GE(compared, 30U) << "read from " << ULPFFT_HASHES;
}

}  // namespace

// Fills in the hashes: with FMA from ref, without from the first target that has none.
int write_table() {
  std::vector<Row> rows = read_table();
  const Target* without = nullptr;
  for (const Target& target : targets()) {
    if (!target.has_fma) without = &target;
  }
  if (without == nullptr || rows.empty()) {
    std::fprintf(stderr, "%s: needs a table, and a machine with a target without FMA\n", ULPFFT_HASHES);
    return 1;
  }
  std::ostringstream text;
  for (const Row& row : rows) {
    if (row.problem.empty()) {
      text << row.text << '\n';
    } else {
      text << row.problem << " | " << row.recipe << " | " << hash_on(ref_target(), row) << " | " << hash_on(*without, row) << '\n';
    }
  }
  std::ofstream(ULPFFT_HASHES) << text.str();
  return ::testing::Test::HasFailure() ? 1 : 0;
}

}  // namespace ulpfft::test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (std::getenv("ULPFFT_WRITE_HASHES") != nullptr) return ulpfft::test::write_table();
  return RUN_ALL_TESTS();
}
