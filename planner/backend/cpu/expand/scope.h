// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What expanders work with: the problem and the recipe, the program so far, and what holds for the node being expanded.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SCOPE_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SCOPE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/backend/backend.h"
#include "planner/convert/side.h"
#include "planner/convert/intermediate.h"
#include "planner/convert/rounded_stage.h"
#include "planner/program/program.h"
#include "planner/scheme/scheme.h"
#include "planner/table/table_cache.h"

namespace ulpfft {

// A loop around a transform; strides in reals.
struct LoopAround {
  std::int64_t count;
  std::int64_t in_stride;
  std::int64_t out_stride;
};

// One end of a line: where it lies and what happens there. Offset and stride count reals of the array.
struct LineEnd {
  ArrayId array = ArrayId::kIn;
  std::int64_t offset = 0;
  std::int64_t stride = 2;  // between neighbours of the line
  bool swap = false;
  std::int64_t shift = 0;  // centred: element j of the line is found at (j + shift) mod n
  std::int64_t number_stride = 0;  // of a narrow array: per iteration of the innermost numbered loop
  // A narrow storage that the pass at this end converts; strides count codes then. Empty: the pass converts nothing.
  std::string format = {};
  const BlockRows* blocks = nullptr;  // of that storage, where it is in blocks
  // Of a dit: the narrow line that its first pass reads by way of tiles, and the work array of the group it belongs to.
  const StoredRows* stored = nullptr;
  ArrayId stored_work = ArrayId::kNone;
  // The output is the array that the passes of a dit work in. The last pass leaves its numbers there, not shifted, with their parts as far
  // apart as Array::im_offset says.
  bool keeps = false;
  std::int64_t im_offset = 1;  // of an interleaved array: from re to im. Of reals that are taken as complex numbers it is their stride
  bool half_complex = false;   // of real codelets: n reals in the order of R2HC
};

// Where one dimension is transformed: its line and the loops around it.
struct Place {
  std::int64_t n = 1;
  std::int64_t transformed = 1;  // length that was before: "|" of a recipe counts from there
  LineEnd in;
  LineEnd out{ArrayId::kOut};
  double scale = 1.0;
  std::vector<LoopAround> loops;  // outermost first
  bool streams = false;           // of a panel: its output goes past the caches
  bool fetches = false;           // of a panel: its input is fetched ahead
};

// An array as the passes of a dimension see it; strides in its units.
struct ArrayLines {
  LineEnd base;
  std::vector<std::int64_t> dims;
  std::int64_t step = 0;  // of a group: from a transform to the next
};

// A part of an array.
struct Area {
  ArrayId array = ArrayId::kNone;
  std::int64_t offset = 0;      // reals
};

// The planar result of a panel of columns: row k at offset + k * pitch.
struct Panel {
  Area area;
  std::int64_t pitch = 0;
};

// Bytes between what a pass reads and what it fetches: enough for memory to answer, few enough to stay in L2.
inline constexpr std::int64_t kFetchAhead = 8 << 10;
// Of the input of a transform of a batch: what is fetched as Ahead::brief. 16384 f32, 128 KiB, takes 1.08 to 1.14 times as long so.
inline constexpr std::int64_t kBriefBytes = 64 << 10;

struct Scope {
  explicit Scope(const Lowering& given);

  // Loops nest: what is added goes into the one begun last. The reference holds until another one begins.
  // Moves count reals, or what else the strides of an array do (unit_bytes).
  Loop& begin_repeat(std::int64_t count, const Moves& moves);
  // Of independent iterations: what is allocated inside is private to an iteration.
  Loop& begin_parallel(std::int64_t count, const Moves& moves);
  void end_repeat();
  std::vector<Item>& body() { return open_repeats.empty() ? program.body : open_repeats.back().loop.body; }
  Loop& open_loop(const Place& place, const LoopAround& loop);    // between the arrays of the place, as a parallel repeat
  std::size_t open_loops(const Place& place, std::size_t count);  // the first ones of the place, returns how many were opened
  void close_loops(std::size_t opened);

  const CodeletInfo& require(PassKind kind, std::int64_t radix, TwiddleForm form) const;
  const CodeletInfo& require_line(PassKind kind) const { return require(kind, 1, TwiddleForm::kNone); }
  // Gives the pass its codelet and extent, and counts it. The reference holds until something else is added.
  Pass& add_pass(const CodeletInfo& codelet, Pass&& pass, std::int64_t extent, PassUse use);
  // The same in loops of its own, outermost first. The stage `fold` decides which of them the pass runs over.
  void add_in_loops(const CodeletInfo& codelet, std::span<const LoopAround> loops, Pass&& pass, const PassUse& use);
  // A line pass of `points` points, positions of a node's ends, in such loops.
  void add_line_pass(PassKind kind, const View& in, const View& out, std::int64_t points, Pass pass,
                     std::span<const LoopAround> loops = {});
  bool interleaved(const LineEnd& end) const;
  // Whether an array of the caller holds real numbers.
  bool holds_reals(ArrayId array) const;
  bool is_narrow(const LineEnd& end) const { return narrow_rows(program, end.array) != nullptr; }
  // Of a batch that streams: the passes of one transform fetch the input of a later one.
  Fetch fetch_later(const Place& place, std::int64_t point_stride) const;
  // Whether a transform ends where it began: its output is in the caches already.
  bool rewrites(const Place& place) const;
  View edge_of(const LineEnd& end, std::int64_t point_stride, std::int64_t lane_stride) const;
  View line_edge(const LineEnd& end, std::int64_t n) const;  // points are the elements, shifted

  // What these return names the list, or the table, in a pass.
  int add_rows(RowOrder order);
  int add_table(TableOrder order);

  // Workspace is a stack: what is allocated at a level is given back with leave().
  using Level = std::size_t;
  Level level() const { return program.arrays.size(); }
  void leave(Level level);
  Area allocate(std::int64_t reals);                           // an array of its own
  Area allocate_beside(const Area& area, std::int64_t reals);  // in the same array, which is the last one allocated
  [[noreturn]] void refuse(const std::string& message) const;

  // The power of two that a reader multiplies by, where a recipe says "|" after `length` of the transform_points() (intermediate.h).
  int power_after(std::int64_t length) const;
  Codec codec_of(const Storage& storage, std::string_view name) const;
  Loop loop_of(std::int64_t count, const Moves& moves) const;
  // What a loop around passes between two arrays moves, an array that is read and written once. `blocks`: of the first one, or null.
  Moves moves_of(ArrayId in, ArrayId out, const BlockRows* blocks, const LoopAround& loop) const;
  [[noreturn]] void refuse_pass(PassKind kind, std::int64_t radix, TwiddleForm form) const;

  const Problem& problem;
  const Recipe& recipe;
  const CodeletTable& codelets;
  TableCache& cache;
  int threads;
  double most_scratch;  // as in Machine
  int lanes = 1;
  int lanes_per_block = 1;
  const Sides& sides;
  const Scheme& scheme;
  std::string working;            // what passes work on: f32, f64, dd
  std::vector<const Node*> back;  // of a chain: nodes of the transform back; else empty
  bool keeps_spectrum = false;    // of a chain: in the caches
  bool rounds_input = false;      // rounded schemes: the node being expanded reads what the caller stored
  bool stores_narrow = false;     // the output is encoded from the workspace
  std::int64_t next_line = 0;     // of lines that are expanded alone, inside a loop: reals to the input of the next one; 0: none is fetched
  std::vector<Intermediate> intermediates;
  double scope_points = 1;        // of all lines of the transform being expanded: what a pass computes is a share of it
  // The growth of what the next pass reads (PassUse::grown_before). Who expands parts of the data one after the other, each by the same
  // passes, sets it back before every part.
  double grown = 1;
  std::int64_t loop_calls = 1;    // product of the counts of the open repeats
  struct OpenRepeat {
    Loop loop;
    std::int64_t outer_calls;
  };
  std::vector<OpenRepeat> open_repeats;
  std::vector<ArrayId> live;  // work arrays that are not given back yet
  Program program;
};

// None where it runs once.
inline std::span<const LoopAround> loops_of(const LoopAround& loop) { return {&loop, loop.count > 1 ? std::size_t{1} : 0}; }

// Neighbouring loops that step evenly become one.
void merge_loops(std::vector<LoopAround>& loops);

constexpr std::int64_t align_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_SCOPE_H_
