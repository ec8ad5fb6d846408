// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the golden holds of one case, and how it is made and written.
//
//   steps      digest of the recipe, of what wisdom knows its codelets by, and of the steps as text, those for executions with
//              exponents among them
//   trace      digest of the calls of codelets and conversions, in order, as recorder.h writes them
//   workspace  bytes
//   operations adds/multiplications/FMAs
//   error      bits of the predicted error
//   estimate   bits of the predicted seconds
//   brief      passes of the trace that fetch what need not stay in the caches, as AMD's from Zen 5 on are asked to; 0 on others
//   hash       of the output arrays and of how many numbers saturated; equal on all targets that agree about FMA
//   refused    instead of all these: digest of the refusal
//
// Threads      a plan for several is executed by a team of one thread, one part after the other: by the real executor, in an
//              order that does not depend on time.
// Machines     everything but the hash is made of any target's facts on any machine. The hash takes a target that the processor
//              can run: where the case's own is none, another that agrees about FMA, the reference at the latest.
#ifndef ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_GOLDEN_LINE_H_
#define ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_GOLDEN_LINE_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "planner/cost/cost_table.h"
#include "tests/planner/plan_golden/cases.h"
#include "tests/planner/plan_golden/recorder.h"

namespace ulpfft::test {

class GoldenLine {
 public:
  enum Column : std::size_t { kSteps, kTrace, kWorkspace, kOperations, kError, kEstimate, kBrief, kHash, kColumns };
  static constexpr std::array<const char*, kColumns> kNames = {"steps", "trace",    "workspace", "operations",
                                                               "error", "estimate", "brief",     "hash"};

  std::string refused;                        // not empty: there is nothing else
  std::array<std::string, kColumns> columns;  // empty: unknown here

  std::string print() const;
  // Throws std::runtime_error.
  static GoldenLine parse(std::string_view text);
  // Columns in which they differ, "steps, trace"; what either does not know does not differ.
  std::string differences(const GoldenLine& other) const;
};

// Makes lines. Keeps a recorder and costs of every target.
class GoldenMaker {
 public:
  // Of a target that this build has.
  static bool has_target(const std::string& name);
  // `text` is not null: receives recipe, steps and trace, or the refusal. A message of std::logic_error tells what the trace
  // cannot follow.
  GoldenLine make(const GoldenCase& one, std::string* text = nullptr);

 private:
  struct Machine {
    explicit Machine(const CodeletTable& real) : codelets(real), recorder(real), costs(CostTable::shipped(real)) {}
    const CodeletTable& codelets;
    Recorder recorder;
    CostTable costs;
  };
  struct Made {
    Recipe recipe;
    double estimate = 0;
  };

  Machine& machine(const std::string& target);
  Made choose(const GoldenCase& one, const Machine& machine) const;
  void trace(const GoldenCase& one, const Made& made, Machine& machine, Lines& steps, Lines& calls, GoldenLine& line);
  std::string hash(const GoldenCase& one, const Recipe& recipe, const CodeletTable& codelets);
  // In a full run on every target of this machine that agrees; where they do not, both.
  std::string hash_of_any(const GoldenCase& one, const Recipe& recipe, const CodeletTable& wanted);

  std::map<std::string, std::unique_ptr<Machine>> machines_;
  Arena arena_;
};

// Whether this processor is one that brief fetches are for.
bool fetches_briefly();

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_PLANNER_PLAN_GOLDEN_GOLDEN_LINE_H_
