// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan: a compiled recipe that any number of threads can execute.
#ifndef ULPFFT_PLANNER_PLAN_PLAN_H_
#define ULPFFT_PLANNER_PLAN_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner/backend/cpu/compiled_plan.h"
#include "planner/convert/array_shape.h"
#include "planner/system/buffer.h"
#include "planner/system/team.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

// How an error was found.
enum class ErrorLevel : std::uint8_t { kPredicted, kSampled, kFull };

// A recipe that the planner considered.
struct Candidate {
  Recipe recipe;
  double predicted_seconds = 0;
  double seconds = 0;   // median; 0: not timed
  double spread = 0;    // relative median absolute deviation
  std::string kind = {};  // the strategy that proposed it, or the kind of variant it is
  int threads = 1;
  double error = 0;     // relative L2
  double error_bound = 0;  // the measured error plus three standard errors, which was compared with a limit; 0: not measured
};

}  // namespace ulpfft

// The C handle. The function that executes comes first, so that a call is one load and one jump. It returns a ulpfft_status; unless that is
// ULPFFT_OK, it has set the last error.
// Addresses travel in registers: a struct of them would be stored in halves and loaded whole, which stalls for 12 ns.
struct ulpfft_plan : ulpfft::DirectCall {
  // ulpfft_execute checks each address by one comparison with its mask. No address passes the mask of split arrays.
  std::uintptr_t in_execute_mask = 0, out_execute_mask = 0;
  // The arrays are separate, or the same one in place, when (out - in) - overlap_low >= overlap_range, unsigned.
  std::uintptr_t overlap_low = 0, overlap_range = 0;
  // run_bare calls this body. The offsets are the places of its four streams in the arrays.
  ulpfft::WholeFn body = nullptr;
  std::int64_t in_stride = 0, out_stride = 0;                                     // reals
  std::int64_t in_re_offset = 0, in_im_offset = 0, out_re_offset = 0, out_im_offset = 0;  // bytes
  std::uintptr_t in_alignment_mask = 0, out_alignment_mask = 0;
  bool in_place = false;
  bool split = false;
  // Executing counts the numbers that saturate or overflow, because an end, the storage between passes or the arithmetic is narrow, or
  // because transforms are prescaled.
  bool narrow = false;
  bool chain = false;
  bool counts = false;  // run() adds the number of saturated reals to its fourth address, unless that is the output
  std::int64_t transforms = 1;
  ulpfft::ArrayShape in_shape, out_shape;
  ulpfft::Extent in_extent, out_extent;  // bytes of the codes

  ulpfft::Problem problem;
  ulpfft::Recipe recipe;
  ulpfft::CompiledPlan compiled;
  std::unique_ptr<ulpfft::WorkspacePool> pool;
  std::shared_ptr<ulpfft::Team> team;  // null with one thread
  std::string backend;
  std::string target;
  std::vector<ulpfft::Candidate> candidates;  // best first
  double seconds = 0;
  double spread = 0;
  double error = 0;
  double error_bound = 0;  // as in Candidate
  ulpfft::ErrorLevel error_level = ulpfft::ErrorLevel::kPredicted;
  double planning_seconds = 0;
  bool from_wisdom = false;
};

namespace ulpfft {

// Makes a plan of compiled steps; the caller fills in how the recipe was chosen. `team` executes plans that were built for several threads.
// `poll` is asked while the first workspace is made.
std::unique_ptr<ulpfft_plan> make_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, CompiledPlan compiled,
                                       std::shared_ptr<Team> team = nullptr, Poll* poll = nullptr);

// Counts of reals in one execution; ulpfft_array explains them.
struct Counts {
  std::int64_t saturated = 0;
  std::int64_t underflowed = 0;  // the caller sets it below 0 if it does not want this count
};

// Executes on arrays of any storage and returns a ulpfft_status. `counts` is null or receives the counts. `chain` is the operation of a
// chain on the spectrum; null: none.
int run_arrays(const ulpfft_plan& plan, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts = nullptr,
               const ChainCall* chain = nullptr);

// FNV-1a of the output bits, in index order, for a fixed pseudo-random input. Throws std::bad_alloc.
std::uint64_t hash_of_fixed_input(const ulpfft_plan& plan);

// The plan in several lines for people.
std::string describe(const ulpfft_plan& plan);
// The text of its program (program/print.h) after each stage that changed the text.
std::string explain(const ulpfft_plan& plan);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PLAN_PLAN_H_
