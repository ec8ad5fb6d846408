// The state of one build_plan call: loops around nodes, steps under construction.
#ifndef ULPFFT_PLANNER_PLAN_BUILDER_H_
#define ULPFFT_PLANNER_PLAN_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "planner/build_plan.h"

namespace ulpfft {

// A loop around a transform; strides in reals.
struct Loop {
  std::int64_t count;
  std::int64_t in_stride;
  std::int64_t out_stride;
};

// Where one dimension is transformed: its line, the loops around it, what happens at its ends.
struct Place {
  std::int64_t n = 1;
  std::int64_t in_stride = 2;   // reals between neighbours of the line
  std::int64_t out_stride = 2;
  Slot in = Slot::kIn;
  Slot out = Slot::kOut;
  bool swap_in = false;
  bool swap_out = false;
  double scale = 1.0;
  std::int64_t shift = 0;       // centred: circular shift of both ends
  std::vector<Loop> loops;      // outermost first
};

class PlanBuilder {
 public:
  PlanBuilder(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, bool fill_tables);
  CompiledPlan build();

 private:
  // A range of lanes or rows of a line whose circular shift does not wrap inside a row of points.
  struct Range {
    std::int64_t begin, end;
    std::int64_t offset;        // elements, of index `begin`
    std::int32_t wrap_point;
  };

  void emit_node(const Node& node, const Place& place);
  void emit_n(const Node& node, const Place& place);
  void emit_cols(const Node& node, Place place);
  void emit_dit(const Node& node, const Place& place);
  void check_dit(const Node& node, PassKind first, PassKind later) const;
  bool emit_whole_two(const Node& node, const Place& place);
  // One panel of `lanes` columns; the lane loop is taken out of place.loops already.
  void emit_dit_columns(const Node& node, const Place& place, const Loop& lane, std::int64_t lanes, std::int64_t panel);

  std::size_t begin_repeat(std::int64_t count, std::initializer_list<std::pair<Slot, std::int64_t>> increments);
  void end_repeat(std::size_t index);
  std::size_t open_loops(const Place& place, std::size_t count);  // as repeats, returns how many were opened
  void close_loops(std::size_t opened);

  const CodeletInfo& require(PassKind kind, std::int64_t radix, TwiddleForm form) const;
  void add_pass(const CodeletInfo& codelet, PassArgs args, std::int64_t extent, PassUse use);
  Edge user_edge(Slot slot, std::int64_t point_stride, std::int64_t lane_stride, bool swap) const;
  std::vector<Range> shifted_ranges(std::int64_t radix, std::int64_t rows, std::int64_t shift, bool path_groups) const;
  const std::vector<std::uint32_t>& add_rows(std::vector<std::uint32_t> rows);
  const TwiddleTable& add_twiddles(const TwiddleRequest& request);
  void use_workspace(std::int64_t reals);
  [[noreturn]] void refuse(const std::string& message) const;

  // Emits the twiddled passes of a dit in groups; emit_pass(i, length, block) adds pass i on one block.
  template <typename EmitPass>
  void emit_groups(const std::vector<PassSpec>& passes, std::int64_t unit, const EmitPass& emit_pass);

  const Problem& problem_;
  const Recipe& recipe_;
  const CodeletTable& codelets_;
  TableCache& cache_;
  bool fill_tables_;
  int lanes_ = 1;
  int lanes_per_block_ = 1;
  std::int64_t loop_calls_ = 1;    // product of the counts of the open repeats
  std::vector<std::size_t> open_;  // their step indices
  std::vector<std::int64_t> saved_calls_;
  CompiledPlan plan_;
};

// Row each column goes to, for the digit reversal of radices[1..]: columns of a line are the residues of its index.
std::vector<std::uint32_t> digit_reversed_rows(const std::vector<PassSpec>& passes);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PLAN_BUILDER_H_
