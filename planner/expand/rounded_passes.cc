// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which passes there are of rounded schemes.
#include <algorithm>
#include <set>

#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"

namespace ulpfft {

void PlanBuilder::refuse_rounded(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  std::set<std::int64_t> radices;
  std::string forms;
  for (const CodeletInfo& info : registered_targets().back().table.codelets) {
    if (info.kind != kind || info.compute != program_.compute) continue;
    if (info.body->form == form) radices.insert(info.body->radix);
    if (info.body->radix == radix && info.body->form != TwiddleForm::kNone) {
      const std::string suffix(twiddle_suffix(info.body->form));
      forms += (forms.empty() ? "" : ", ") + std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix);
    }
  }
  std::string list;
  const std::string suffix(twiddle_suffix(form));
  for (const std::int64_t r : radices) list += (list.empty() ? "" : ", ") + std::to_string(r) + (suffix.empty() ? "" : ":" + suffix);
  const std::string pass = std::to_string(radix) + (suffix.empty() ? "" : ":" + suffix);
  refuse("Rounded schemes have no pass " + pass + (form == TwiddleForm::kNone ? " without twiddles" : "") + "; " +
         (list.empty() ? "none of them has this twiddle form" : "there are " + list) +
         (forms.empty() ? "" : ", and of radix " + std::to_string(radix) + " " + forms));
}

}  // namespace ulpfft
