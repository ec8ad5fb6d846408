// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plan: an executable that any number of threads can run, and how its recipe was chosen.
#ifndef ULPFFT_PLANNER_PLAN_PLAN_H_
#define ULPFFT_PLANNER_PLAN_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner/backend/backend.h"
#include "planner/convert/side.h"
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
  const CodeletTable* codelets = nullptr;  // of narrower vectors than the context's; null: the context's
  double error_bound = 0;  // the measured error plus three standard errors, which was compared with a limit; 0: not measured
  double bytes = 0;        // of its tables and workspace, and while tables are made; predicted
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
  std::uintptr_t in_alignment_mask = 0, out_alignment_mask = 0;
  bool in_place = false;
  bool split = false;  // complex sides are split: in_shape and out_shape say which
  // Executing counts the numbers that saturate or overflow, because an end, the storage between passes or the arithmetic is narrow, or
  // because transforms are prescaled.
  bool narrow = false;
  bool chain = false;
  bool counts = false;  // as in Entries
  ulpfft::Entries::Arrays run_arrays = nullptr;
  ulpfft::Entries::OnStream run_on_stream = nullptr;
  ulpfft::Entries::Asking run_asking = nullptr;
  std::int64_t transforms = 1;
  ulpfft::Side in_shape, out_shape;
  ulpfft::Extent in_extent, out_extent;  // bytes of the codes

  ulpfft::Problem problem;
  ulpfft::Recipe recipe;
  std::unique_ptr<ulpfft::Executable> executable;
  const ulpfft::PlanFacts* facts = nullptr;  // of the executable
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

// Makes a plan of an executable; the caller fills in how the recipe was chosen. `team` executes plans that were built for several threads.
// `poll` is asked while the first workspace is made.
std::unique_ptr<ulpfft_plan> make_plan(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets,
                                       std::unique_ptr<Executable> executable, std::shared_ptr<Team> team = nullptr, Poll* poll = nullptr);

// Executes on arrays of any storage, in the memory of the backend, and returns a ulpfft_status. `counts` is null or receives the counts.
// `chain` is the operation of a chain on the spectrum; null: none.
int run_arrays(const ulpfft_plan& plan, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts = nullptr,
               const ChainOperation* chain = nullptr);

// The same on behalf of a planning. An execution of more than a few milliseconds asks the poll, and throws what that throws; null: it
// runs as run_arrays() does.
int run_interruptibly(const ulpfft_plan& plan, const ArrayAddress& in, const ArrayAddress& out, const ChainOperation* chain, Poll* poll);

// Throws the last error as a PlanError unless an execution returned ULPFFT_OK.
void require_executed(int status);

// FNV-1a of the output bits, in index order, for a fixed pseudo-random input. Throws std::bad_alloc.
std::uint64_t hash_of_fixed_input(const ulpfft_plan& plan);

// The plan in several lines for people.
std::string describe(const ulpfft_plan& plan);
// The text of its program (program/print.h) after each stage that changed the text.
std::string explain(const ulpfft_plan& plan);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PLAN_PLAN_H_
