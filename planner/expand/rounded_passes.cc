// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What passes of rounded schemes carry with them, and which there are.
#include <algorithm>
#include <set>

#include "codelets/registry.h"
#include "planner/expand/plan_builder.h"
#include "planner/scheme/rounded_scheme.h"

namespace ulpfft {

const RoundedPass* PlanBuilder::add_rounded(const CodeletInfo& codelet) {
  const bool rounds_input = rounds_input_ && codelet.body->form == TwiddleForm::kNone;
  for (const auto& known : plan_.rounded) {
    if (known->body == codelet.rounded && known->rounds_input == rounds_input) return known.get();
  }
  auto pass = std::make_unique<RoundedPass>();
  pass->scheme = *rounded_;
  pass->body = codelet.rounded;
  pass->rounds_input = rounds_input;
  if (has_fast_codelets(*rounded_)) {
    if (plan_.compute == ComputeType::kRoundedF32) {
      pass->f32 = rounding_constants<float>(*rounded_->element);
    } else {
      pass->f64 = rounding_constants<double>(*rounded_->element);
    }
    if (fill_tables_) pass->constants = add_line_table("constants of " + recipe_.scheme, 0, [&] { return rounded_constants(*rounded_); });
  }
  plan_.rounded.push_back(std::move(pass));
  return plan_.rounded.back().get();
}

void PlanBuilder::refuse_rounded(PassKind kind, std::int64_t radix, TwiddleForm form) const {
  std::set<std::int64_t> radices;
  std::string forms;
  for (const CodeletInfo& info : registered_targets().back().table.codelets) {
    if (info.kind != kind || info.compute != plan_.compute) continue;
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
