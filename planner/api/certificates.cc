// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/certificates.h"

#include <mutex>

#include "wisdom/problem_text.h"

namespace ulpfft {
namespace {

std::string identity(const Problem& problem, const Recipe& recipe) {
  Problem alone = problem;
  alone.max_error = 0;
  alone.threads = 1;
  return print_problem(alone) + "\n" + print_recipe(recipe);
}

}  // namespace

std::optional<Certificate> Certificates::find(const Problem& problem, const Recipe& recipe) const {
  const std::string name = identity(problem, recipe);
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(name);
  return known == known_.end() ? std::nullopt : std::optional(known->second);
}

void Certificates::put(const Problem& problem, const Recipe& recipe, const Certificate& certificate) {
  const std::string name = identity(problem, recipe);
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMost) known_.clear();
  known_.insert_or_assign(name, certificate);
}

}  // namespace ulpfft
