// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The state of one build_plan call: loops around nodes, steps under construction.
#ifndef ULPFFT_PLANNER_EXPAND_PLAN_BUILDER_H_
#define ULPFFT_PLANNER_EXPAND_PLAN_BUILDER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "planner/convert/array_shape.h"
#include "planner/convert/coded_columns.h"
#include "planner/convert/intermediate.h"
#include "planner/convert/stored_stage.h"
#include "planner/program/program.h"
#include "planner/scheme/mx_scheme.h"
#include "planner/scheme/rounded_scheme.h"
#include "planner/table/table_cache.h"

namespace ulpfft {

// A loop around a transform; strides in reals.
struct LoopAround {
  std::int64_t count;
  std::int64_t in_stride;
  std::int64_t out_stride;
};

// A narrow array under passes that convert it slice by slice; offsets in CodedArray count bytes from the beginning of each array.
struct NarrowArray : CodedArray {
  ArrayId codes_array = ArrayId::kNone;
  ArrayId scales_array = ArrayId::kNone;
};

// One end of a line: where it lies and what happens there. Offset and stride in reals of the array.
struct LineEnd {
  ArrayId array = ArrayId::kIn;
  std::int64_t offset = 0;
  std::int64_t stride = 2;      // between neighbours of the line
  bool swap = false;
  std::int64_t shift = 0;       // centred: element j of the line is found at (j + shift) mod n
  const NarrowArray* coded = nullptr;  // a narrow array, addressed as if it held reals; only panels read and write it,
  std::int64_t number_reals = 0;      // by the number of the innermost numbered repeat
  std::string format = {};      // narrow storage that the pass there decodes or encodes: strides count codes; else empty
  const BlockRows* blocks = nullptr;  // of it, if it is in blocks
  // Of a dit with conversions of their own (stored_tiles.h): the narrow line that tiles are decoded from; and as output the array that the
  // passes work in, where the last one leaves its numbers, not shifted: as PlanBuilder::kept_im_ says, to be encoded from there.
  const StoredRows* stored = nullptr;
  ArrayId stored_work = ArrayId::kNone;  // of the group of the narrow line
  bool keeps = false;
};

// Where one dimension is transformed: its line and the loops around it.
struct Place {
  std::int64_t n = 1;
  LineEnd in;
  LineEnd out{ArrayId::kOut};
  double scale = 1.0;
  std::vector<LoopAround> loops;      // outermost first
  bool streams = false;         // a panel: what it writes to `out` goes past the caches
  bool fetches = false;         // a panel: its input is fetched ahead
};

// An array as the passes of a dimension see it; strides in its units.
struct ArrayLines {
  LineEnd base;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> batch;
};

// Workspace of one level of nested transforms.
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

class PlanBuilder {
 public:
  PlanBuilder(const Problem& problem, const Recipe& recipe, const CodeletTable& codelets, TableCache& cache, int threads);
  Program build();

  // What a repeat moves arrays on by, in reals.
  using Increments = std::vector<std::pair<ArrayId, std::int64_t>>;

 private:
  // A range of lanes or rows of a line whose circular shift does not wrap inside a row of points.
  struct Range {
    std::int64_t begin, end;
    std::int64_t offset;        // elements, of index `begin`
    std::int32_t wrap_point;
  };
  // Columns of a line seen as a matrix whose circular shift is one shift of columns and one of rows.
  struct ColumnRange {
    std::int64_t begin, end;
    std::int64_t at;            // where column `begin` is found
    std::int64_t turns;         // rows the columns are shifted by
  };

  // Of each dimension, by a root that is not a chain.
  std::vector<const Node*> nodes_of(const Node& root) const;
  void emit_dimensions(const std::vector<const Node*>& nodes);
  // The same where an end is narrow; `order`: of the dimensions.
  struct StoredSide;
  struct StoredGroup;
  void emit_stored(const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order);
  void emit_stored_group(const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, const StoredSide& in,
                         const StoredSide& out, const StoredGroup& group);
  void add_stored_rows(const StoredSide& side, const StoredGroup& group);
  StoredSide stored_side(const Node& node, bool output) const;
  void find_tiled(const StoredSide& in, const StoredSide& out);  // whether the program so far can begin as Program::tile says
  const BlockRows* add_block_rows(const StoredSide& side, const StoredGroup& group);
  // The sides that the passes of `node` convert themselves: those of which the recipe says so and the target has the passes.
  void take_fused(const Node& node, StoredSide& in, StoredSide& out);
  void take_fused(StoredSide& side);
  NarrowArray coded_side(const StoredSide& side) const;
  // A repeat over `count` times `iterations` transforms of a batch dimension, each of which stands for some of the whole batch.
  void open_transforms(const Dimension& d, std::int64_t count, std::int64_t iterations, std::int64_t transforms, const StoredSide& in,
                              const StoredSide& out);
  // rank with something narrow; false where the ordinary way has to do.
  bool emit_planes(const std::vector<const Node*>& nodes);
  void emit_plane(const Node& root, const StoredSide& in, const StoredSide& out);
  // Rows of a plane, from or to dense reals; the first of them are row `first` + `rows` * number.
  void add_coded_rows(const NarrowArray& array, bool encodes, std::int64_t first, std::int64_t rows, std::int64_t row_step, std::int64_t points,
                      bool numbered, const Area& reals);
  // Whole rows, or inside a row what begins a byte and a block.
  static CodedPlace coded_place(const CodedArray& array, std::int64_t reals);
  std::int64_t most_across() const;  // transforms of a group that lie across, 0: they do not
  std::int64_t group_size(std::int64_t transforms, bool in_one_call) const;
  // Of a node that is the whole transform: whether it needs no work array.
  bool in_one_call(const Node& node, const StoredSide& in, const StoredSide& out) const;
  // Whether its passes read tiles of a narrow side, and leave what is encoded where they work: no second array of a transform.
  bool takes_tiles(const Node& node, const StoredSide& in, const StoredSide& out) const;
  std::int64_t kept_reals(const Node& node) const;  // of that array, whatever lies there
  std::shared_ptr<StoredRows> stored_rows(const StoredSide& side, const StoredGroup& group) const;
  // A line pass between wide storage and the compute type, over the lines of the last length; `lines` without strides.
  void emit_conversion(PassKind kind, Place lines, std::int64_t in_stride, std::int64_t out_stride, double scale);
  double rounded_scale() const;
  // Emits a dimension from array to array, `loops` around the other dimensions. The first one executed scales, and it and the last one
  // exchange re and im where their arrays ask for it.
  void emit_dimension(const Node& node, std::size_t d, const ArrayLines& source, const ArrayLines& target, double scale, bool first, bool last,
                      std::vector<LoopAround> loops);
  void emit_node(const Node& node, const Place& place);
  void emit_n(const Node& node, const Place& place);
  // Opens the outer loops of a node and gives the three innermost ones to its pass; returns how many were opened.
  std::size_t take_inner_loops(const Place& place, Operands& args, std::int64_t& transforms);
  void emit_cols(const Node& node, Place place);
  void emit_dit(const Node& node, const Place& place);
  void check_dit(const Node& node) const;
  void require_passes(const Node& node, PassKind first, PassKind later) const;  // codelets of the kinds, or the recipe is refused
  void read_tiles(const Place& place, const Range& range, std::int64_t radix, Pass& first);  // its input
  // Where a codelet of kPacked serves the node: dense interleaved ends.
  const CodeletInfo* packed_codelet(const Node& node, const Place& place) const;  // null: none serves
  const CodeletInfo* whole_two_codelet(const Node& node, const Place& place) const;
  bool emit_packed(const Node& node, const Place& place);
  // Whether every pass of a dit has a loop of its own; bodies of some pairs in registers have none.
  bool has_loops(const Node& node) const;
  // Such a pair where its ends are not dense: a line is gathered into the workspace, transformed there and scattered.
  bool emit_packed_apart(const Node& node, const Place& place);
  bool emit_whole_two(const Node& node, const Place& place);
  // A codelet of kPacked with narrow storage at both ends.
  bool emit_packed_fused(const Node& node, const Place& place);
  const CodeletInfo* packed_fused_codelet(const Node& node, const Place& place) const;
  // Whether 'decode' and 'encode' are said of what can be converted by passes at all; whether this target has them is no fault.
  void check_flags(const Node& node, bool root) const;
  void check_converted_end(bool output) const;
  // What keeps a pass of dit from converting at its outer end on this target, the last clause of a sentence; empty: nothing.
  std::string fused_end_fault(const Node& node, const Place& place, bool output) const;
  void emit_four(const Node& node, const Place& place);
  struct FourMatrix {
    Area area;
    bool panels_again = true;     // the second sweep reads panels: blocks of `block` values of k1
    std::int64_t block = 1;
    bool narrow = false;
    NarrowArray coded;
  };
  FourMatrix four_matrix(const Node& node);
  // What the first sweep transforms comes from there, panel by panel, instead of place.in: emit() adds the steps that make it, and
  // `increments` are what a repeat over panels moves on beside.
  struct PanelSource {
    std::function<LineEnd(std::int64_t lanes, std::int64_t begin)> emit;
    Increments increments;
  };
  void emit_first_sweep(const Node& node, const Place& place, const FourMatrix& matrix, const PanelSource* source = nullptr);
  void emit_four_lines(const Node& node, const Place& place);
  void emit_second_sweep_panels(const Node& node, const Place& place, const Area& matrix, const NarrowArray* coded);
  // Chains: the nodes of one group, there to the spectrum, the operation, and back. Ends as the passes see them; `work`: dense.
  void emit_chain(const std::vector<const Node*>& nodes, const std::vector<std::size_t>& order, const ArrayLines& source, const ArrayLines& work, const ArrayLines& target,
                  const StoredGroup& group);
  // Whether the last dimension there and the first one back run panel by panel, the operation between them.
  bool chain_is_fused(const Node& there, const Node& back, const std::vector<std::size_t>& order) const;
  void emit_chain_columns(const Node& there, const Node& back, std::size_t d, const ArrayLines& work, std::int64_t transform);
  void emit_chain_four(const Node& there, const Node& back, const Place& ends, std::int64_t transform);
  // Of a tile: `rows` of `columns` points, `row` points apart.
  struct SpectrumTile {
    LineEnd at;
    std::int64_t rows, row, columns;
    std::int64_t index = 0, row_step = 0;  // see ChainStep
    std::int64_t transform = 0;
    bool rows_are_transforms = false;
  };
  void add_spectrum_step(const SpectrumTile& tile);
  // Of convolutions inside convolutions, before any table: how often longer than their line the innermost may be.
  void check_padding(const Node& node, double padded) const;
  void emit_rader(const Node& node, const Place& place);
  void emit_bluestein(const Node& node, const Place& place);
  // A node's transform from `first` to `second`, the product with a filter there, and the transform back.
  void emit_there_and_back(const Node& node, std::int64_t m, const LineEnd& first, const LineEnd& second, PassKind product,
                           int filter);
  // One panel of `lanes` columns (node: n or dit); the lane loop is taken out of place.loops already. With `keep` the result stays
  // planar there, else it goes to place.out.
  void emit_panel(const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, std::int64_t panel, const Panel* keep = nullptr);
  void emit_panel_codelet(const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, const Panel* keep);
  void emit_panel_dit(const Node& node, const Place& place, const LoopAround& lane, std::int64_t lanes, const Panel& work, bool keep);
  std::int64_t panel_pitch(std::int64_t panel) const;

  // Loops nest: what is added goes into the one begun last. The reference holds until another one begins.
  Loop& begin_repeat(std::int64_t count, const Increments& increments);
  // Of independent iterations: what is allocated inside is private to an iteration.
  Loop& begin_parallel(std::int64_t count, const Increments& increments);
  void end_repeat();
  std::vector<Item>& body() { return open_repeats_.empty() ? program_.body : open_repeats_.back().loop.body; }
  std::size_t open_loops(const Place& place, std::size_t count);  // as parallel repeats, returns how many were opened
  void close_loops(std::size_t opened);

  const CodeletInfo& require(PassKind kind, std::int64_t radix, TwiddleForm form) const;
  const CodeletInfo& require_line(PassKind kind) const { return require(kind, 1, TwiddleForm::kNone); }
  // Gives the pass its codelet and extent, and counts it. The reference holds until something else is added.
  Pass& add_pass(const CodeletInfo& codelet, Pass pass, std::int64_t extent, PassUse use);
  // A line pass of `points` points, positions of a node's ends.
  void add_line_pass(PassKind kind, const View& in, const View& out, std::int64_t points, Pass pass);
  bool interleaved(const LineEnd& end) const;
  // Of a batch that streams: the passes of one transform fetch the input of a later one.
  Fetch fetch_later(const Place& place, std::int64_t point_stride) const;
  // Whether a transform ends where it began: what it writes is in the caches already.
  bool rewrites(const Place& place) const {
    return place.in.array == place.out.array || (is_work(place.out.array) && (stores_narrow_ || keeps_spectrum_)) || (problem_.placement == Placement::kInPlace && place.in.array == ArrayId::kIn && place.out.array == ArrayId::kOut);
  }
  std::int64_t array_bytes(ArrayId array) const;  // of a real
  View edge_of(const LineEnd& end, std::int64_t point_stride, std::int64_t lane_stride) const;
  View line_edge(const LineEnd& end, std::int64_t n) const;  // points are the elements, shifted
  std::vector<Range> shifted_ranges(std::int64_t radix, std::int64_t rows, std::int64_t shift, bool path_groups) const;
  static std::vector<ColumnRange> column_ranges(std::int64_t rows, std::int64_t columns, std::int64_t shift);
  // What these return names the list, or the table, in a pass.
  int add_rows(RowOrder order);
  int add_table(TableOrder order);
  // The spectrum of a filter of m points for a line of n, by a plan of `child`.
  int add_filter(FilterSpectrum::Kind kind, std::int64_t n, std::int64_t m, const Node& child);

  // Workspace is a stack: what is allocated at a level is given back with leave().
  using Level = std::size_t;
  Level level() const { return program_.arrays.size(); }
  void leave(Level level);
  Area allocate(std::int64_t reals);                           // an array of its own
  Area allocate_beside(const Area& area, std::int64_t reals);  // in the same array, which is the last one allocated
  [[noreturn]] void refuse(const std::string& message) const;

  // Where a recipe says "|": what is stored after `length` of the transform_points() are transformed (intermediate.h). The power of two
  // that a reader multiplies by.
  int power_after(std::int64_t length) const;
  // `length`: of the passes of this node up to and with `pass`. `layout`: places, columns and rows in the work array.
  void add_stage(const PassSpec& pass, std::int64_t length, std::int64_t block, std::int64_t n, const View& work, StoredStage layout);
  // Adds a pass of a panel; what it reads or writes may be coded (null: it stays in the panel).
  Pass& add_panel_pass(const CodeletInfo& codelet, Pass pass, std::int64_t extent, PassUse use, const LineEnd* in, const LineEnd* out);
  // The matrix of four in a narrow storage, in the workspace: `rows` rows of `points`.
  NarrowArray coded_matrix(const std::string& name, std::int64_t rows, std::int64_t points);
  // The twist into it. `columns`: from the first of the matrix on, j2.
  void add_coded_twist(Pass pass, PassUse use, const NarrowArray& matrix, std::int64_t number_reals);
  // Whether the sweeps of a node read or write a narrow array of the problem themselves.
  bool sweeps_take(const Node& node, const ArrayShape& shape, bool output) const;
  // The passes behind the one reserved, once more in its place where exponents of the output are wanted.
  void look_ahead_of(std::size_t reserved);
  const ConversionEntry& conversion_of(const Storage& storage, const std::string& name) const;
  [[noreturn]] void refuse_rounded(PassKind kind, std::int64_t radix, TwiddleForm form) const;

  // Of mx schemes.
  void emit_mx(const std::vector<PassSpec>& passes, const Place& place);
  void add_mx_pass(MxProducts products, Pass pass);
  const CodeletTable& mx_sums_table(PassKind kind, std::int64_t radix) const;
  const CodeletInfo& require_mx_sums(PassKind kind, std::int64_t radix) const;
  // Sums of the columns of the first pass, interleaved rows, go to their digit-reversed places, planar.
  View add_mx_columns(const std::vector<PassSpec>& passes, std::int64_t n, const View& rows, const Area& planes);
  std::int64_t mx_plane(std::int64_t n, std::int64_t radix) const;

  // Emits the twiddled passes of a dit in groups, rows of the first radix being `row` reals; emit_pass(i, length, block) adds pass i on
  // one block.
  template <typename EmitPass>
  void emit_groups(const std::vector<PassSpec>& passes, ArrayId work, std::int64_t row, const EmitPass& emit_pass);

  const Problem& problem_;
  const Recipe& recipe_;
  const CodeletTable& codelets_;
  TableCache& cache_;
  int threads_;
  int lanes_ = 1;
  int lanes_per_block_ = 1;
  std::string working_;            // what passes work on: f32, f64, dd
  std::vector<const Node*> back_;  // of a chain: nodes of the transform back; else empty
  bool keeps_spectrum_ = false;    // of a chain: in the caches
  std::optional<RoundedScheme> rounded_;
  std::optional<MxScheme> mx_;
  bool rounds_input_ = false;      // rounded schemes: the node being emitted reads what the caller stored
  std::int64_t kept_im_ = 1;       // reals from re to im of what the last dit left in its work array
  bool stores_narrow_ = false;     // the output is encoded from the workspace
  std::string fused_in_, fused_out_;   // formats that passes decode and encode
  std::int64_t fused_in_bytes_ = 0, fused_out_bytes_ = 0;  // of a code
  std::vector<Intermediate> intermediates_;
  std::int64_t base_length_ = 1;   // transformed before the node being emitted
  double scope_points_ = 1;        // of all lines of the transform being emitted: what a pass computes is a share of it
  std::int64_t loop_calls_ = 1;    // product of the counts of the open repeats
  struct OpenRepeat {
    Loop loop;
    std::int64_t outer_calls;
  };
  std::vector<OpenRepeat> open_repeats_;
  Program program_;
};

// Neighbouring loops that step evenly become one.
void merge_loops(std::vector<LoopAround>& loops);

std::vector<std::int64_t> radices_of(const std::vector<PassSpec>& passes);

constexpr std::int64_t align_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_EXPAND_PLAN_BUILDER_H_
