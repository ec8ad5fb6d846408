// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage between passes, and the search for exponents of a narrow output.
#include "planner/backend/cpu/expand/staging.h"

#include <algorithm>

#include "codelets/registry.h"
#include "planner/backend/cpu/expand/scope.h"
#include "planner/convert/underflow.h"
#include "wisdom/error.h"

namespace ulpfft {

void add_stage(Scope& scope, const PassSpec& pass, std::int64_t length, std::int64_t block, const Place& place, const View& work,
               RoundedStage layout) {
  const Storage storage = intermediate_storage(pass.format);
  if (storage.scale != nullptr && storage.length == 0)
    scope.refuse("'" + pass.format + "' between passes of dit needs blocks of some length, not of whole rows");
  if (storage.scale != nullptr && block != place.n && 2 * block % storage.length != 0) {
    scope.refuse("Behind '/' a pass works on " + std::to_string(block) + " points, which blocks of '" + pass.format + "' do not divide");
  }
  auto stage = std::make_shared<RoundedStage>(std::move(layout));
  static_cast<Codec&>(*stage) = scope.codec_of(storage, pass.format);
  stage->to_zero = largest_to_zero(*storage.element);
  stage->points = block;
  stage->exponent = scope.power_after(place.transformed * length);
  Pass added;
  added.op = RoundStage{stage.get()};
  Operands& args = added.args;
  args.in = args.out = work;
  args.lanes = static_cast<std::int64_t>(stage->columns.size());
  PassUse use;
  use.lanes = args.lanes;
  use.butterflies = block * use.lanes;
  use.working_set = 2.0 * static_cast<double>(use.butterflies) * static_cast<double>(real_bytes(scope.program.compute));
  scope.add_pass(scope.require_line(PassKind::kEncode), std::move(added), (block + kStagePoints - 1) / kStagePoints, use);
  scope.program.rounded_stages.push_back(std::move(stage));
}

Area narrow_matrix(Scope& scope, const std::string& name, std::int64_t rows, std::int64_t points, bool whole_rows) {
  auto matrix = std::make_shared<NarrowRows>();
  static_cast<Codec&>(*matrix) = scope.codec_of(intermediate_storage(name), name);
  matrix->to_zero = largest_to_zero(*matrix->storage.element);
  matrix->row_reals = 2 * points;
  matrix->row_bytes = code_bytes(matrix->storage, matrix->row_reals);
  matrix->row_scale_bytes = scale_bytes(matrix->storage, matrix->row_reals);
  matrix->whole_rows = whole_rows;
  const std::int64_t aligned = run_alignment(matrix->storage);
  matrix->joins = aligned != 0 && matrix->row_reals % aligned == 0;
  const std::int64_t bytes = static_cast<std::int64_t>(real_bytes(scope.program.compute));
  std::int64_t codes = 0, scales = 0;
  if (__builtin_mul_overflow(rows, matrix->row_bytes, &codes) || __builtin_mul_overflow(rows, matrix->row_scale_bytes, &scales)) {
    scope.refuse("The workspace would exceed 2^62 bytes");
  }
  const Area area = scope.allocate(codes / bytes + 1);
  const std::int64_t scales_at = scope.allocate_beside(area, scales / bytes + 1).offset;
  scope.program.arrays.back().scales_at = scales_at;
  scope.program.arrays.back().narrow = std::move(matrix);
  return area;
}

ExponentSearch::ExponentSearch(Scope& scope, bool wanted) : scope_(scope), wanted_(wanted), at_(scope.body().size()) {
  if (wanted) scope.add_pass(scope.require_line(PassKind::kEncode), {}, 1, {});  // in the place of the loop
}

// Passes that write the output only look, and what is stored between passes does not count again.
static void look_only(Scope& scope, std::vector<Item>& items) {
  for (Item& item : items) {
    if (Loop* loop = item.loop()) {
      look_only(scope, loop->body);
    } else if (item.pass() == nullptr) {
      continue;
    } else if (auto* compute = std::get_if<Compute>(&item.pass()->op)) {
      compute->looks = item.pass()->args.out.array == ArrayId::kOut;
    } else if (auto* round = std::get_if<RoundStage>(&item.pass()->op)) {
      auto copy = std::make_shared<RoundedStage>(*round->stage);
      copy->counts = false;
      round->stage = copy.get();
      scope.program.rounded_stages.push_back(std::move(copy));
    }
  }
}

void ExponentSearch::end() {
  if (!wanted_) return;
  std::vector<Item>& body = scope_.body();
  Loop search;
  search.when = When::kIfExponents;
  search.body = std::vector<Item>(body.begin() + static_cast<std::ptrdiff_t>(at_), body.end());
  look_only(scope_, search.body);
  search.body.front().pass()->op = FindExponent{};
  body[at_].emplace<Loop>(std::move(search));
}

}  // namespace ulpfft
