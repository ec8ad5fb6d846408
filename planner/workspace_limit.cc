#include "planner/workspace_limit.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "planner/array_shape.h"
#include "planner/buffer.h"
#include "planner/mx_scheme.h"
#include "planner/prescale_target.h"
#include "planner/stored_columns.h"
#include "planner/strategy/strategy.h"

namespace ulpfft {

namespace {

// Whether a side needs no array for what it is converted to or from. A row with one scale is encoded as one.
bool needs_no_copy(const std::string& storage, const std::string& working) {
  return storage == working || (!is_wide(storage) && run_alignment(find_storage_of(storage, "storage")) != 0);
}

}  // namespace

bool within_workspace_limit(const Problem& problem, const Recipe& recipe, const CompiledPlan& plan) {
  constexpr std::int64_t kL2 = 1 << 20;
  const bool is_chain = !problem.chain.empty();
  const Node& root = is_chain ? recipe.root.children[0] : recipe.root;
  if (problem.dims.size() != 1 || root.kind == Node::Kind::kCols) return true;
  const std::int64_t n = problem.dims[0].length;
  const auto element = static_cast<std::int64_t>(2 * real_bytes(plan.compute));
  if (n > kL2 / element) return true;
  const std::string working = working_storage(recipe.scheme);
  const bool prescaled = problem.prescale_kind != PrescaleKind::kNone;
  const bool converts = prescaled || problem.storage_in != working || problem.storage_out != working;
  // The passes of dit read narrow lines by way of tiles, and what is encoded lies where they work.
  const bool narrow = through_workspace(problem, false) || through_workspace(problem, true);
  const bool is_kept = prescaled || (needs_no_copy(problem.storage_in, working) && needs_no_copy(problem.storage_out, working));
  const bool one_array = narrow && !is_chain && is_kept && !(prescaled && mx_scheme(recipe.scheme)) && (root.kind == Node::Kind::kDit || root.kind == Node::Kind::kN);
  // mx schemes sum up from one array to another.
  const std::int64_t lines = (rough_part(n) == 1 ? 1 : 6) + ((converts && !one_array) || is_chain ? 1 : 0) + (mx_scheme(recipe.scheme) ? 1 : 0);
  // Short transforms are converted in groups, besides which there is what one of them takes; of one array, both together.
  const std::int64_t across = narrow ? transforms_across(problem, element) : 0;
  const std::int64_t whole_group = kStoredGroupBytes / element;
  const std::int64_t group = across > 0 ? across * n : is_chain ? kChainGroupBytes / element : !narrow ? 0 : one_array ? std::max<std::int64_t>(0, whole_group - n) : whole_group;
  // One real for each transform of a group: what undoes its prescale.
  const std::int64_t undo = problem.prescale_kind != PrescaleKind::kNone ? (group / n + 1) / 2 : 0;
  const std::int64_t between = (plan.threads - 1) * static_cast<std::int64_t>(kThreadsApart);
  return static_cast<std::int64_t>(plan.workspace_bytes) - between <= problem.threads * (lines * n + group + undo + kWorkspacePadding) * element;
}

}  // namespace ulpfft
