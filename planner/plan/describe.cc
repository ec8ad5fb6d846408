// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cinttypes>
#include <cstdio>

#include "planner/plan/memory_need.h"
#include "planner/plan/plan.h"
#include "wisdom/machine.h"
#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

template <typename... Args>
std::string format(const char* pattern, Args... args) {
  char text[512];
  std::snprintf(text, sizeof text, pattern, args...);
  return text;
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-6) return format("%.4g ns", seconds * 1e9);
  if (seconds < 1e-3) return format("%.4g us", seconds * 1e6);
  if (seconds < 1) return format("%.4g ms", seconds * 1e3);
  return format("%.4g s", seconds);
}

}  // namespace

std::string describe(const ulpfft_plan& plan) {
  const PlanFacts& facts = *plan.facts;
  const std::string absence = absence_of(plan.executable->backend);
  const double total = facts.adds + facts.muls + facts.fmas;
  std::string text = "problem     " + print_problem(plan.problem) + "\n";
  text += "recipe      " + print_recipe(plan.recipe) + "\n";
  for (const std::string& passes : facts.idle_forms) text += "twiddles    standard here: " + passes + "\n";
  if (!facts.decodes_not.empty()) text += "decode      converted apart here: " + facts.decodes_not + "\n";
  if (!facts.encodes_not.empty()) text += "encode      converted apart here: " + facts.encodes_not + "\n";
  text += "codelets    " + plan.backend + (plan.backend == plan.target ? "" : " " + shown_target(plan.target)) + "\n";
  if (plan.problem.threads > 1) text += format("threads     %d of %d\n", facts.threads, plan.problem.threads);
  if (facts.prescale_target != 0) {
    text += format("prescale    largest magnitude of each transform to about %g\n", facts.prescale_target);
  }
  if (plan.problem.window) text += "window      " + print_window(plan.problem.window) + ", as the input is read into the workspace\n";
  text += format("operations  %.0f (%.0f add, %.0f mul, %.0f fma)\n", total, facts.adds, facts.muls, facts.fmas);
  if (plan.seconds > 0) {
    const char* const source = plan.from_wisdom ? "from wisdom" : "measured";
    text += "seconds     " + seconds_text(plan.seconds) + format(" (spread %.1f %%, %s)\n", 100 * plan.spread, source);
  } else {
    text += absence.empty() ? "seconds     not measured\n" : "seconds     not timed: no device\n";
  }
  static constexpr const char* kLevels[] = {"predicted", "sampled", "measured in full"};
  text += format("error       %.3g relative L2, %s\n", plan.error, kLevels[static_cast<int>(plan.error_level)]);
  text += "memory      " + show_bytes(bytes_of_arrays(plan.problem)) + " of arrays, " + show_bytes(facts.table_bytes) + " of tables\n";
  text += format("workspace   %zu bytes\n", facts.workspace_bytes);
  if (!absence.empty()) return text + "device      " + absence + "\n";
  text += format("hash        %016" PRIx64 " of the fixed input\n", hash_of_fixed_input(plan));
  return text;
}

}  // namespace ulpfft
