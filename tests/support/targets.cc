// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/targets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace ulpfft::test {
namespace {

struct Machine {
  std::vector<ContextPtr> contexts;
  std::vector<Target> targets;

  Machine() {
    for (std::size_t i = 0; i < ulpfft_target_count(); ++i) {
      auto facts = sized<ulpfft_target>();
      if (ulpfft_target_get(i, &facts) != ULPFFT_OK) throw std::runtime_error(last_error_text());
      if (facts.available == 0) continue;
      ContextPtr context = make_context(facts.name);
      if (context == nullptr) continue;  // a failure is recorded already
      targets.push_back({i, facts.backend, facts.name, facts.is_default != 0, facts.has_fma != 0, facts.codelets, context.get()});
      contexts.push_back(std::move(context));
    }
    if (targets.empty()) throw std::runtime_error("ulpfft_target_get offers no available target");
    const auto first = std::find_if(targets.begin(), targets.end(), [](const Target& target) { return target.is_default; });
    if (first != targets.end()) std::rotate(targets.begin(), first, first + 1);
  }
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Target& target) { return out << target.backend << '/' << target.name; }

const std::vector<Target>& targets() {
  static const Machine machine;
  return machine.targets;
}

const Target& default_target() { return targets().front(); }

const Target& ref_target() {
  for (const Target& target : targets()) {
    if (target.backend == "ref") return target;
  }
  throw std::runtime_error("the ref backend is not among the targets; it is always built");
}

bool has_cuda() {
  static const bool has = [] {
    ulpfft_plan* plan = nullptr;
    const ulpfft_status status = ulpfft_plan_parse(default_target().context, "8 f32 backend=cuda", &plan);
    ulpfft_plan_destroy(plan);
    return status != ULPFFT_UNAVAILABLE || last_error().message.find("-Dcuda=disabled") == std::string::npos;
  }();
  return has;
}

}  // namespace ulpfft::test
