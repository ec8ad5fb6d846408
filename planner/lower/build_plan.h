// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// From a recipe to steps and tables: the only way a plan comes to exist, whoever proposed the recipe.
//
// Checks every precondition (codelets exist, radices multiply to the length, lanes fit) and throws PlanError otherwise, so a recipe
// from wisdom, a user or a fuzzer can be slow but never wrong.
#ifndef ULPFFT_PLANNER_LOWER_BUILD_PLAN_H_
#define ULPFFT_PLANNER_LOWER_BUILD_PLAN_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "codelets/contract/block_rows.h"
#include "codelets/contract/codelet.h"
#include "codelets/contract/rounded_pass.h"
#include "planner/backend/chain_step.h"
#include "planner/convert/array_shape.h"
#include "planner/convert/coded_columns.h"
#include "planner/convert/stored_rows.h"
#include "planner/convert/stored_stage.h"
#include "planner/convert/stored_tiles.h"
#include "planner/scheme/mx_scheme.h"
#include "planner/table/twiddle_table.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// One pass of a plan, for op counts, the cost model and the predicted error.
struct PassUse {
  const CodeletInfo* codelet = nullptr;
  std::int64_t butterflies = 0;    // in one execution
  std::int64_t lanes = 1;          // in one call of the innermost loop
  std::int64_t padded_lanes = 0;   // kTwiddled: with what fills the last vector of a row
  std::int64_t calls = 1;          // of the pass function
  double working_set = 0;          // bytes touched before the pass comes back to the same block
  bool direct = true;              // lanes adjacent at both ends: no tiles
  bool shuffled = true;            // an end is interleaved or transposed
  double in_bits = 0;              // of a real of a coded end, scales included; 0: it is not coded
  double out_bits = 0;
  double conversion = 1;           // of stored rows, and tiles of a first pass: time in L1 over that of the line pass between f32 and f64
  double user_bits = 0;            // of stored rows, and passes that convert: bits a real at the narrow end
  const BodyFacts* standard = nullptr;  // of a dual-select pass of a line: what computes this part of it, groups whose k differ in their path
  double standard_part = 0;
  double share = 1;                // of the points of the transform it belongs to, for the predicted error
};

// One transform in registers with conversions before or after it, by way of a tile on the stack: what walking over steps takes is more than
// short transforms do (256 points i16->f32, AVX-512: 103 -> 72 ns of which the transform takes 48).
struct TiledTransform {
  static constexpr std::int64_t kMostPoints = 512;
  DirectCall::Run run = nullptr;    // null: the plan is none
  const void* table = nullptr;
  const StoredRows* in = nullptr;   // null: the end is wide
  const StoredRows* out = nullptr;
};

struct CompiledPlan {
  ComputeType compute = ComputeType::kF64;
  std::vector<Step> steps;
  std::vector<std::shared_ptr<const TwiddleTable>> tables;
  std::vector<std::shared_ptr<const std::vector<std::uint32_t>>> rows;
  std::vector<std::shared_ptr<const StoredRows>> stored_rows;
  std::vector<std::shared_ptr<const StoredTiles>> stored_tiles;
  std::vector<std::shared_ptr<const BlockRows>> block_rows;
  std::vector<std::shared_ptr<const StoredStage>> stored_stages;
  std::vector<std::shared_ptr<const CodedColumns>> coded_columns;
  std::vector<std::shared_ptr<const ChainStep>> chain_steps;
  std::vector<std::shared_ptr<const LookAhead>> look_ahead;
  std::vector<PassUse> passes;
  std::size_t workspace_bytes = 0;
  double table_bytes = 0;          // of all tables and row lists, counted whether they are filled or not
  double making_bytes = 0;         // that are taken for a while, beside tables and workspace, while they are filled
  int threads = 1;                 // that may share an execution
  bool bare = false;               // one kWhole pass that needs no loop, shift or scale
  bool direct = false;             // one kPacked pass without a loop
  bool streams = false;            // some pass stores past the caches
  std::vector<std::string> idle_forms;    // of the recipe (idle_forms.h)
  bool decodes = false, encodes = false;  // passes do so with narrow storage
  // Why the passes do not though the recipe says so, the last clause of a sentence; empty: they do, or it does not say so.
  std::string decodes_not, encodes_not;
  DirectCall::Run direct_fused = nullptr;  // one kPacked pass that does, without a loop
  TiledTransform tiled;
  bool work_may_be_out = false;    // a vector-aligned output array can serve as kWork0
  std::vector<std::unique_ptr<const RoundedPass>> rounded;  // of rounded schemes
  // Where passes decode or encode: the same arithmetic with conversions of their own, for executions with exponents per transform.
  std::shared_ptr<const CompiledPlan> with_exponents;
  double prescale_target = 0;  // what the largest magnitude of a transform becomes; 0: it stays as it is
  std::vector<std::shared_ptr<const MxTables>> mx;          // of mx schemes
  double adds = 0, muls = 0, fmas = 0;  // real operations; beyond 2^63 for lengths that are only estimated
  double predicted_error = 0;      // relative L2
};

// Tables by content, shared by the candidates of one planning.
struct TableCache {
  RootCache roots;
  using Key = std::tuple<ComputeType, const BodyFacts*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, int, bool, bool, int, const FormatInfo*>;
  std::map<Key, std::shared_ptr<const TwiddleTable>> twiddles;
  std::map<std::string, std::shared_ptr<const TwiddleTable>> lines;  // of passes without a body, by what they hold
  std::map<std::string, std::shared_ptr<const MxTables>> mx;
  std::map<std::string, double> block_errors;                       // see output_quantisation
  struct CodeletKey {
    const CodeletTable* table;
    std::uint64_t shape;  // kind, compute type, form, radices
    bool operator==(const CodeletKey&) const = default;
  };
  struct CodeletHash {
    std::size_t operator()(const CodeletKey& key) const { return std::hash<const void*>()(key.table) ^ (key.shape * 0x9e3779b97f4a7c15u); }
  };
  std::unordered_map<CodeletKey, const CodeletInfo*, CodeletHash> codelets;  // what find_codelet() found
  bool for_digests = false;  // which need neither predicted errors (those of block formats take milliseconds) nor a second way to execute
};

// What a problem is computed in: its scheme, or that of its storage; f32 where that is narrow.
const std::string& scheme_of(const Problem& problem);
// "f32" and mx schemes -> kF32, "f64" -> kF64, rounded schemes by what their numbers are kept in; throws PlanError for others.
ComputeType compute_type_of_scheme(const std::string& scheme);
std::string scheme_of_compute(ComputeType compute);
// The wide storage that passes of a scheme work on: "f32", "f64" (or "dd").
std::string working_storage(const std::string& scheme);
// Null when the table has none. `second` is for pairs of bodies.
const CodeletInfo* find_codelet(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second = 0);
// The same, remembered: tables are hundreds of entries long.
const CodeletInfo* find_codelet(TableCache& cache, const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form,
                                std::int64_t second = 0);

// With narrow storage at an end (`in`, `out`: names of formats, "" for the compute type); null when the table has none.
const CodeletInfo* find_fused(const CodeletTable& table, PassKind kind, ComputeType compute, std::int64_t radix, TwiddleForm form, std::int64_t second,
                              std::string_view in, std::string_view out);

// `problem` has passed check(). With fill_tables false the tables are left empty: enough for counts and estimates. `threads`: how many
// the steps are cut for; 1 in the result when nothing can be shared.
CompiledPlan build_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache,
                        bool fill_tables = true, int threads = 1);

// Of the set of codelets a recipe uses, whatever the strides, and of the narrow formats; changes when any of their arithmetic does.
std::uint64_t recipe_digest(const Problem& problem, const Recipe& recipe, const CompiledPlan& plan);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_LOWER_BUILD_PLAN_H_
