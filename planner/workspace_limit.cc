#include "planner/workspace_limit.h"

#include <cstdint>

#include "planner/buffer.h"
#include "planner/mx_scheme.h"
#include "planner/prescale_target.h"
#include "planner/stored_columns.h"
#include "planner/strategy/strategy.h"

namespace ulpfft {

bool within_workspace_limit(const Problem& problem, const Recipe& recipe, const CompiledPlan& plan) {
  constexpr std::int64_t kL2 = 1 << 20;
  const bool is_chain = !problem.chain.empty();
  const Node& root = is_chain ? recipe.root.children[0] : recipe.root;
  if (problem.dims.size() != 1 || root.kind == Node::Kind::kCols) return true;
  const std::int64_t n = problem.dims[0].length;
  const auto element = static_cast<std::int64_t>(2 * real_bytes(plan.compute));
  if (n > kL2 / element) return true;
  const bool converts = problem.prescale_kind != PrescaleKind::kNone || problem.storage_in != working_storage(recipe.scheme) || problem.storage_out != working_storage(recipe.scheme);
  // mx schemes sum up from one array to another.
  const std::int64_t lines = (rough_part(n) == 1 ? 1 : 6) + (converts || is_chain ? 1 : 0) + (mx_scheme(recipe.scheme) ? 1 : 0);
  // Narrow storage is converted in groups of transforms, besides which there is what one of them takes.
  const bool narrow = through_workspace(problem, false) || through_workspace(problem, true);
  const std::int64_t across = narrow ? transforms_across(problem, element) : 0;
  const std::int64_t group = across > 0 ? across * n : is_chain ? kChainGroupBytes / element : narrow ? kStoredGroupBytes / element : 0;
  // One real for each transform of a group: what undoes its prescale.
  const std::int64_t undo = problem.prescale_kind != PrescaleKind::kNone ? (group / n + 1) / 2 : 0;
  const std::int64_t between = (plan.threads - 1) * static_cast<std::int64_t>(kThreadsApart);
  return static_cast<std::int64_t>(plan.workspace_bytes) - between <= problem.threads * (lines * n + group + undo + kWorkspacePadding) * element;
}

}  // namespace ulpfft
