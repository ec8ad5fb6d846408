// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A backend: the processor that plans run on, and how a recipe becomes something that runs there. Rooms above reach it through this value.
// Only its folder knows its vectors, its steps and its memory.
//
// Value    A backend is a struct of functions and no class, because it has no state: its row is a constant, and a test replaces
//          functions of a copy. An executable is an object, because it owns tables and memory.
// Execute  A plan begins with a copy of Entries::call, so that an execution is one load and one jump. None of the functions below, and
//          nothing virtual, lies on its way.
// Threads  All functions may be called on several threads at once.
#ifndef ULPFFT_PLANNER_BACKEND_BACKEND_H_
#define ULPFFT_PLANNER_BACKEND_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "codelets/contract/codelet.h"
#include "planner/convert/side.h"
#include "planner/program/program.h"
#include "planner/scheme/scheme.h"
#include "planner/system/clock.h"
#include "planner/system/poll.h"
#include "planner/system/team.h"
#include "planner/table/table_cache.h"
#include "ulpfft/ulpfft.h"
#include "wisdom/problem.h"
#include "wisdom/recipe.h"

namespace ulpfft {

struct Backend;

inline constexpr double kMostScratch = 1.8;  // 9 numbers in vectors of 16

// What a program is made for.
struct Machine {
  Machine(const CodeletTable& table, int most_threads = 1) : codelets(table), threads(most_threads) {}

  const CodeletTable& codelets;  // names the backend; of its tables, one of narrower vectors is a choice like any other
  int threads;                   // the loops are cut for so many; 1 in the result where nothing can be shared
  // Numbers that the work array of a line that fits L2 may hold, by the numbers of the line. Rows that are padded to whole vectors need
  // more than one. A problem may ask for one (Problem::max_workspace).
  double most_scratch = kMostScratch;
};

// What every stage may ask. The recipe has no idle forms (facts/idle_forms.h).
struct Lowering {
  const Problem& problem;
  const Sides& sides;  // of the problem
  const Recipe& recipe;
  const Scheme& scheme;  // of the recipe
  const Machine& machine;
  const Backend& backend;
  TableCache& cache;
};

// A step on the way from a recipe to a program: takes the program as the stage before left it.
struct Stage {
  const char* name;
  void (*apply)(const Lowering& given, Program& program);
};

// Counts of reals in one execution; ulpfft_array explains them. The caller sets below 0 what it does not want. Saturation is free to count
// for the processor, which counts it all the same.
struct Counts {
  std::int64_t saturated = 0;
  std::int64_t underflowed = 0;
};

// What a chain does to its spectrum in one execution.
struct ChainOperation {
  const void* factors = nullptr;  // null: the spectrum is not multiplied
  void (*apply)(void* user, const ulpfft_tile* tile) = nullptr;  // null: nothing is called
  void* user = nullptr;
};

// Transforms m interleaved complex numbers by a node, forward and in place: how spectra of filters are made.
using NodeTransform = std::function<void(const Node& node, double* values, std::int64_t m)>;

// A program that is linked: what a backend runs, and the facts about it.
class Executable {
 public:
  explicit Executable(const Backend& of) : backend(of) {}
  virtual ~Executable() = default;
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;
  virtual const PlanFacts& facts() const = 0;

  const Backend& backend;
};

// What an executable must know of the plan that it is entered by.
struct PlanNeeds {
  bool narrow = false;      // executions count reals, because storage or arithmetic is narrow or transforms are prescaled
  bool chain = false;
  bool has_scales = false;  // an array is in blocks
  std::shared_ptr<Team> team = nullptr;  // executes what was cut for several threads
  Poll* poll = nullptr;                  // is asked while a workspace is made
};

// The ways into an executable. Both functions return a ulpfft_status and set the last error unless it is ULPFFT_OK.
struct Entries {
  using Arrays = int (*)(const Executable& executable, const ArrayAddress& in, const ArrayAddress& out, void* workspace, Counts* counts,
                         const ChainOperation* chain);
  // The same for any plan, on behalf of a planning: it asks the poll on the way, and throws what that throws.
  using Asking = int (*)(const Executable& executable, const ArrayAddress& in, const ArrayAddress& out, const ChainOperation* chain,
                         Poll& poll);
  // Begins an execution on a stream of the device and returns before it ends.
  using OnStream = int (*)(const Executable& executable, void* stream, void* in, void* out, void* workspace);
  DirectCall call;
  Arrays arrays = nullptr;  // with scales, exponents or a chain
  bool counts = false;      // `call` adds the number of saturated reals to its fourth address, unless that is the output
  OnStream on_stream = nullptr;  // null where there are no streams
  Asking asking = nullptr;       // null where an execution cannot be interrupted
};

// Where the arrays of executions lie.
struct Memory {
  void* (*allocate)(std::size_t bytes, Poll* poll);  // zeroed; throws std::bad_alloc and what the poll throws, which may be null
  void (*release)(void* memory) noexcept;
  // Both are null where the processor that plans reads and writes this memory itself.
  void (*from_host)(void* to, const void* host, std::size_t bytes);
  void (*to_host)(void* host, const void* from, std::size_t bytes);

  bool is_host() const { return from_host == nullptr; }
};

struct Backend {
  std::span<const std::string_view> tables;  // the CodeletTable::backend that it serves

  // One function for each kind of node: passes, loops around them, work arrays that are not placed yet. Checks every precondition (codelets
  // exist, radices multiply to the length) and throws PlanError, so that a recipe from wisdom, a user or a fuzzer is slow but never wrong.
  Program (*expand)(const Lowering& given);
  std::span<const Stage> stages;  // of its own, on programs whose arrays are placed
  // `codelets`: those that the program was expanded for. Tables that the cache has are shared. Throws what the poll of the cache throws,
  // and std::bad_alloc.
  std::unique_ptr<Executable> (*link)(const Program& program, const CodeletTable& codelets, TableCache& cache,
                                      const NodeTransform& transform);
  // Makes an executable ready to run for one plan, which calls this once.
  Entries (*run)(Executable& executable, const PlanNeeds& needs);
  Memory memory;
  // Seconds from the first to the last execution of `batch`, which executes plans of this backend.
  double (*seconds)(const Clock& clock, const std::function<void()>& batch);

  // The rest is null for the processor that plans.

  // The codelets that plan a problem which names the backend; null: those of a registered target.
  const CodeletTable& (*codelets)() = nullptr;
  // Throws PlanError for a problem that no recipe of the backend computes.
  void (*check)(const Problem& problem) = nullptr;
  // A model of the time of a program that needs no device; null: the table of measured codelets.
  double (*predicted_seconds)(const Program& program) = nullptr;
  // Why no plan can be executed here now, as a sentence; empty where they can. Recipes are planned anyway.
  std::string (*absence)() = nullptr;
  // The name in wisdom of what executes; null: that of the context.
  std::string (*machine)() = nullptr;
  // What the backend has here: lines for people.
  std::string (*describe)() = nullptr;
  bool no_streams = false;  // recipes have no "stream"
  bool large_workspace = false;  // it may hold more than the transform or two of facts/workspace_limit.h
  // Points of a transform that a sweep of `four` computes here, at most; null: any.
  std::int64_t (*longest_sweep)() = nullptr;
};

// Every backend of this build; a list in a file of its own (backends.cc), so that a program may link another list.
std::span<const Backend* const> backends();

// Whether it serves tables of that backend.
bool serves(const Backend& backend, std::string_view tables);

// The one that serves the table. Throws std::logic_error where none does.
const Backend& backend_of(const CodeletTable& codelets);

// Why its plans cannot be executed here; empty where they can.
inline std::string absence_of(const Backend& backend) { return backend.absence == nullptr ? "" : backend.absence(); }

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_BACKEND_H_
