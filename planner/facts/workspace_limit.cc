// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/workspace_limit.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "planner/convert/side.h"
#include "planner/facts/group_bytes.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/table/number_theory.h"
#include "planner/table/twiddle_table.h"
#include "planner/system/buffer.h"

namespace ulpfft {

namespace {

// The most that dit takes beside a transform where it works in planes. Planes begin at vectors, apart from each other's cache sets, and
// have one row of the largest first radix more, for lanes that hold no column.
constexpr std::int64_t kPlanesPadding = 48 + 32;  // elements
static_assert(kPlanesPadding >= kWorkspacePadding);

bool is_convolution(const Node& node) { return node.kind == Node::Kind::kRader || node.kind == Node::Kind::kBluestein; }

template <typename Is>
bool holds(const Node& node, const Is& is) {
  return is(node) || std::any_of(node.children.begin(), node.children.end(), [&](const Node& child) { return holds(child, is); });
}

// Whether the passes of dit and n work on a side without a copy of it. They read narrow or prescaled numbers by tiles, and a narrow output
// is encoded from the array that they work in. A row with one scale is encoded from a copy of the whole row.
bool needs_no_copy(const Side& side, const std::string& working) {
  if (!side.by_groups) return side.format == working;
  if (side.windowed) return false;
  return !side.output || (!side.power && run_alignment(side.storage) != 0);
}

// Whether only convolutions transform a problem of one length.
bool is_convolved(const Problem& problem) { return problem.kind == Kind::kCzt || rough_part(problem.dims[0].length) > 1; }

// The numbers of one array; convolutions of chirps are as long as both sides.
std::int64_t points_of(const Problem& problem) {
  const Dimension& d = problem.dims[0];
  return problem.kind == Kind::kCzt ? d.length + index_length(problem, d, true) : d.length;
}

// How many arrays of one transform a recipe works in.
std::int64_t lines_of(const Problem& problem, bool converts, bool is_real, int copies) {
  const std::int64_t passes = is_convolved(problem) ? 6 : 1;
  const std::int64_t copy = converts || !problem.chain.empty() ? 1 : 0;
  return passes + copy + (is_real ? 1 : 0) + copies;  // real numbers: beside their imaginary parts, or what is untangled
}

// Lines side by side of r2r have reals and numbers in the workspace.
std::int64_t real_group(const Problem& problem, std::int64_t n, std::int64_t element) {
  const std::int64_t lines = !problem.kinds.empty() ? 2 * kLeastRunBytes / element : 0;
  return std::max(kRealGroupBytes / element, 2 * lines * (n + kWorkspacePadding));
}

}  // namespace

bool within_workspace_limit(const Problem& problem, const Recipe& recipe, const PlanFacts& plan, double most_scratch) {
  const bool is_chain = !problem.chain.empty();
  const Node& root = is_chain ? recipe.root.children[0] : recipe.root;
  if (problem.dims.size() != 1 || root.kind == Node::Kind::kCols) return true;
  const std::int64_t n = points_of(problem);
  const auto element = static_cast<std::int64_t>(2 * real_bytes(plan.compute));
  if (n > kL2Bytes / element) return true;
  const Sides sides(problem);
  const SchemeFamily& family = *scheme_named(recipe.scheme).family;
  const std::string working = working_storage(recipe.scheme);
  const bool prescaled = problem.prescale_kind != PrescaleKind::kNone;
  const bool narrow = sides.by_groups(), is_real = sides.hold_reals();
  const bool takes_tiles = !is_chain && family.tiles;
  const bool has_passes = takes_tiles && (root.kind == Node::Kind::kDit || root.kind == Node::Kind::kN);
  const bool one_array = narrow && has_passes && needs_no_copy(sides.in, working) && needs_no_copy(sides.out, working);
  const bool converts = narrow || sides.in.format != working || sides.out.format != working;
  const std::int64_t lines = lines_of(problem, converts && !one_array, is_real, family.copies);
  const std::int64_t line = static_cast<std::int64_t>(most_scratch * static_cast<double>(n));
  // Short transforms are converted in groups. Beside a group lies the scratch of one transform; with one array the group includes it.
  const std::int64_t across = narrow ? transforms_across(problem, sides, element) : 0;
  const std::int64_t whole_group = group_bytes(sides) / element;
  const std::int64_t group = across > 0   ? across * n
                             : is_chain   ? kChainGroupBytes / element
                             : is_real    ? real_group(problem, n, element) + (converts ? whole_group : 0)
                             : !converts  ? 0
                             : one_array  ? std::max<std::int64_t>(0, whole_group - n)
                                          : whole_group;
  const std::int64_t side_by_side = family.group_bytes / element;
  // One real for each transform of a group undoes its prescale.
  const std::int64_t undo = prescaled ? group / n / 2 + 1 : 0;
  const std::int64_t arrays = lines + 2;  // the lines, the group, and the reals that undo a prescale
  const std::int64_t padding = kPlanesPadding + arrays * static_cast<std::int64_t>(kBufferAlignment) / element;
  const std::int64_t between = (plan.threads - 1) * static_cast<std::int64_t>(kThreadsApart);
  return static_cast<std::int64_t>(plan.workspace_bytes) - between <= problem.threads * (lines * line + group + side_by_side + undo + padding) * element;
}

bool is_chosen_by_workspace(const Problem& problem, const Recipe& recipe) {
  if (problem.dims.size() != 1) return false;
  if (holds(recipe.root, [](const Node& node) { return node.kind == Node::Kind::kFour; })) return true;
  return !is_convolved(problem) && holds(recipe.root, is_convolution);
}

}  // namespace ulpfft
