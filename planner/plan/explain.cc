// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <stdexcept>
#include <string>
#include <string_view>

#include "codelets/registry.h"
#include "planner/lower/pipeline.h"
#include "planner/plan/plan.h"
#include "planner/program/print.h"

namespace ulpfft {
namespace {

const CodeletTable& codelets_of(const ulpfft_plan& plan) {
  const Backend& backend = plan.executable->backend;
  if (backend.codelets != nullptr) return backend.codelets();
  for (const RegisteredTarget& target : registered_targets()) {
    if (plan.target == target.table.target) return target.table;
  }
  throw std::logic_error("The target of the plan is none of this build.");
}

}  // namespace

// The plan does not keep its program, which is made again.
std::string explain(const ulpfft_plan& plan) {
  TableCache cache;
  std::string text, before;
  const auto add = [&](const std::string& heading, std::string program) {
    if (program == before) return;
    text += (text.empty() ? "" : "\n") + heading + "\n" + program;
    before = std::move(program);
  };
  const Program program = make_program(
      plan.problem, plan.recipe, {codelets_of(plan), plan.facts->threads}, cache,
      [&](const Stage& stage, const Program& so_far) { add(std::string("after ") + stage.name, print_program(so_far)); });
  if (program.with_exponents != nullptr) add("where an array has exponents", print_program(*program.with_exponents));
  return text;
}

}  // namespace ulpfft
