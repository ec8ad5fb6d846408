// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Nodes of r2r transforms. A pass makes complex numbers of the reals of a line, the child transforms them in the workspace, and a pass
// makes the result of them. Even n take n/2 numbers; odd n, dct1 and dst1 go by lists (pick_list.h). The child of odd n may transform reals
// to half of a spectrum, or back, in rows (real_rows.h).
//
// Sines     are the transform of cosines with signs, backwards: dst2(x)[k] = dct2((-1)^j x)[n - 1 - k], dst3(x) = (-1)^k dct3(x backwards),
//           dst4(x) = (-1)^k dct4(x backwards). The passes know the signs by View::swap, and a line is read backwards by its stride.
// Source    J. Makhoul, IEEE Trans. ASSP 28 (1980) 27 (types 2 and 3); H. S. Malvar, Electronics Letters 23 (1987) 352 (type 4).
#include "planner/backend/cpu/expand/r2r.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

#include "planner/backend/cpu/expand/images.h"
#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_codelet.h"
#include "planner/backend/cpu/expand/real_line.h"
#include "planner/backend/cpu/expand/real_parts.h"
#include "planner/backend/cpu/expand/between.h"
#include "planner/facts/group_bytes.h"
#include "planner/facts/node_facts.h"
#include "planner/facts/r2r_gain.h"
#include "planner/table/find_codelet.h"
#include "planner/table/pick_list.h"

namespace ulpfft {
namespace {

// Of one dimension: the lines along it.
class R2rLine {
 public:
  R2rLine(Scope& scope, const Node& node, R2rKind kind, bool weighted)
      : scope_(scope),
        child_(node.children[0]),
        n_(node.n),
        numbers_(numbers_of(kind, node.n)),
        kind_(kind),
        base_(cosines_of(kind)),
        sines_(is_sine_transform(kind)),
        weighted_(weighted),
        rounds_input_(scope.rounds_input),
        points_(scope.scope_points) {}

  void expand(Place place) {
    const auto bytes = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    merge_loops(place.loops);
    // Lines side by side go together, where the numbers of a line are not.
    const bool apart = std::abs(place.in.stride) != 1 || std::abs(place.out.stride) != 1;
    const auto beside = std::find_if(place.loops.begin(), place.loops.end(), [](const LoopAround& loop) {
      return std::abs(loop.in_stride) == 1 && std::abs(loop.out_stride) == 1;
    });
    if (apart && beside != place.loops.end()) std::rotate(beside, beside + 1, place.loops.end());
    std::int64_t lines = std::max<std::int64_t>(1, kRealGroupBytes / (2 * numbers_ * bytes));
    if (apart && beside != place.loops.end()) lines = std::max(lines, kLeastRunBytes / bytes);
    for_groups(scope_, place, lines, [&](const Place& group) {
      scope_.rounds_input = rounds_input_;
      transform(group);
    });
    scope_.scope_points = points_;
  }

 private:
  // Lines of a group, and how far apart they lie.
  struct Lines {
    LineEnd end;
    std::int64_t step;
  };
  const FormatInfo* element() const { return scope_.scheme.element; }
  static std::int64_t count(const Place& group) { return group.loops.empty() ? 1 : group.loops[0].count; }

  void transform(const Place& group) {
    const Lines in{group.in, group.loops.empty() ? 0 : group.loops[0].in_stride};
    const Lines out{group.out, group.loops.empty() ? 0 : group.loops[0].out_stride};
    if (is_picked(kind_, n_)) return child_.kind == Node::Kind::kReal ? pick_half(group, in, out) : pick(group, in, out);
    switch (base_) {
      case R2rKind::kDCT3: return unfold(group, in, out);
      case R2rKind::kHC2R: return unfold(group, in, out);
      case R2rKind::kDCT4: return turn(group, in, out);
      default: return fold(group, in, out);
    }
  }

  // Lines of `reals` adjacent reals in the workspace. Lines a multiple of 1 KiB apart would share few cache sets.
  Lines take_lines(const Place& group, std::int64_t reals) {
    const auto bytes = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    std::int64_t pitch = count(group) > 1 ? align_up(reals, 2) : reals;
    if (count(group) > 1 && pitch * bytes % 1024 == 0) pitch += kLeastRunBytes / bytes;
    const Area area = scope_.allocate(pitch * (count(group) - 1) + reals);
    Lines lines{{area.array, area.offset}, pitch};
    lines.end.stride = 1;
    return lines;
  }

  // Reals as half as many complex numbers.
  static Lines paired(Lines lines) {
    lines.end.im_offset = lines.end.stride;
    lines.end.stride *= 2;
    return lines;
  }
  // The last real first.
  Lines backwards(Lines lines) const {
    lines.end.offset += (n_ - 1) * lines.end.stride;
    lines.end.stride = -lines.end.stride;
    return lines;
  }

  static bool are_adjacent(const Lines& lines) { return lines.end.stride == 1; }
  // Passes that compute want adjacent reals: others go by way of the workspace.
  Lines adjacent_input(const Place& group, const Lines& in) {
    if (are_adjacent(in)) return in;
    const Lines work = take_lines(group, n_);
    move(group, in, work);
    return work;
  }
  template <typename Compute>
  void to_output(const Place& group, const Lines& out, const Compute& compute) {
    if (are_adjacent(out)) return compute(out);
    const Lines work = take_lines(group, n_);
    compute(work);
    move(group, work, out);
  }

  // The inner loop runs along whichever is adjacent outside.
  void move(const Place& group, const Lines& from, const Lines& to) {
    const bool across = std::abs(is_work(from.end.array) ? to.step : from.step) == 1;
    if (across) {
      Lines in = from, out = to;
      std::swap(in.end.stride, in.step);
      std::swap(out.end.stride, out.step);
      add(PassKind::kMoveReals, n_, in, out, count(group), 1.0);
    } else {
      add(PassKind::kMoveReals, count(group), from, to, n_, 1.0);
    }
  }

  Pass& with_table(Pass& pass, TableOrder order) {
    pass.table = scope_.add_table(std::move(order));
    return pass;
  }
  // A pass over `lines` lines of `points` points.
  void add(PassKind kind, std::int64_t lines, const Lines& in, const Lines& out, std::int64_t points, double scale, Pass pass = {}) {
    pass.args.scale = scale;
    scope_.scope_points = points_;
    scope_.add_line_pass(kind, scope_.line_edge(in.end, points), scope_.line_edge(out.end, points), points, std::move(pass),
                         loops_of({lines, in.step, out.step}));
  }
  void add(PassKind kind, const Place& group, const Lines& in, const Lines& out, double scale, Pass pass = {}) {
    add(kind, count(group), in, out, n_, scale, std::move(pass));
  }

  // The child over the numbers of a group; `backward` exchanges re and im.
  void add_child(const Place& group, Lines in, Lines out, bool backward, double scale) {
    in.end.swap = out.end.swap = backward;
    Place place;
    place.n = numbers_;
    place.in = std::move(in.end);
    place.out = std::move(out.end);
    place.scale = scale;
    if (count(group) > 1) place.loops.push_back({count(group), in.step, out.step});
    scope_.scope_points = points_ / static_cast<double>(n_) * static_cast<double>(numbers_);
    expand_node(scope_, child_, place);
  }

  void fold(const Place& group, const Lines& in, const Lines& out) {
    const bool is_dct = base_ == R2rKind::kDCT2;
    const Lines work = take_lines(group, n_);
    if (is_dct) {
      Lines odds = adjacent_input(group, in);
      odds.end.swap = sines_;
      add(PassKind::kSplitOdds, group, odds, work, group.scale);
      add_child(group, paired(work), paired(work), false, 1.0);
    } else {
      add_child(group, paired(in), paired(work), false, group.scale);
    }
    scope_.rounds_input = false;
    to_output(group, out, [&](Lines line) {
      if (sines_) line = backwards(std::move(line));
      line.end.swap = is_dct;
      Pass pass;
      add(PassKind::kFold, group, work, line, 1.0, std::move(with_table(pass, FoldTwiddles{base_, n_, true, weighted_, element()})));
    });
  }

  void unfold(const Place& group, const Lines& in, const Lines& out) {
    const bool is_dct = base_ == R2rKind::kDCT3;
    const Lines work = take_lines(group, n_);
    Lines line = adjacent_input(group, in);
    if (sines_) line = backwards(std::move(line));
    line.end.swap = is_dct;
    Pass pass;
    const FoldTwiddles twiddles{base_, n_, false, weighted_, element()};
    add(PassKind::kUnfold, group, line, work, group.scale, std::move(with_table(pass, twiddles)));
    scope_.rounds_input = false;
    if (!is_dct) return add_child(group, paired(work), paired(out), true, 1.0);
    add_child(group, paired(work), paired(work), true, 1.0);
    to_output(group, out, [&](Lines odds) {
      odds.end.swap = sines_;
      add(PassKind::kJoinOdds, group, work, odds, 1.0);
    });
  }

  // Type 4: n/2 numbers, rotated before and after.
  void turn(const Place& group, const Lines& in, const Lines& out) {
    const Lines work = take_lines(group, n_);
    Lines line = adjacent_input(group, in);
    line.end.swap = sines_;
    const int table = scope_.add_table(PairTwiddles{n_});
    Pass pass;
    pass.table = table;
    add(PassKind::kSplitPairs, group, line, work, 2 * group.scale, pass);
    scope_.grown *= 4;
    add_child(group, paired(work), paired(work), false, 1.0);
    to_output(group, out, [&](Lines pairs) {
      pairs.end.swap = sines_;
      add(PassKind::kJoinPairs, group, work, pairs, 1.0, pass);
    });
  }

  // A pass by the list of one side.
  Pass picking(RowOrder::Kind side, std::int64_t length, bool half) {
    if (n_ > kLongestPick) scope_.refuse("A list of " + std::to_string(n_) + " reals is too long");
    Pass pass;
    pass.rows = scope_.add_rows({.kind = side, .count = length, .n = n_, .r2r = kind_, .half = half});
    const bool weighted = weighted_ && kind_ != R2rKind::kDST1;
    return std::move(with_table(pass, PickFactors{base_, side == RowOrder::Kind::kPickOut, weighted, element(), half}));
  }

  // By reals and half of a spectrum, whose lines begin where one another do. r2hc begins with the reals of its line, hc2r ends with them.
  void pick_half(const Place& group, const Lines& in, const Lines& out) {
    const bool forward = picks_reals(kind_);
    const bool from_line = kind_ == R2rKind::kR2HC, to_line = kind_ == R2rKind::kHC2R;
    Lines spectrum = take_lines(group, n_ + 1);
    const Lines reals = spectrum;
    spectrum.end.stride = 2;
    if (!from_line) {
      const std::int64_t length = forward ? n_ : n_ + 1;
      add(PassKind::kPick, count(group), in, reals, length, group.scale, picking(RowOrder::Kind::kPickIn, length, true));
      scope_.rounds_input = false;
    }
    const Lines& source = from_line ? in : forward ? reals : spectrum;
    const Lines& target = to_line ? out : forward ? spectrum : reals;
    Place place;
    place.n = n_;
    place.in = source.end;
    place.out = target.end;
    if (from_line) place.scale = group.scale;
    if (count(group) > 1) place.loops.push_back({count(group), source.step, target.step});
    expand_real_line(scope_, child_, std::move(place), forward, from_line && rounds_input_);
    scope_.rounds_input = false;
    if (!to_line) add(PassKind::kPick, count(group), reals, out, n_, 1.0, picking(RowOrder::Kind::kPickOut, n_, true));
  }

  void pick(const Place& group, const Lines& in, const Lines& out) {
    const bool extends = base_ == R2rKind::kDCT1;
    const std::int64_t reals = 2 * numbers_;
    const Lines work = take_lines(group, reals + (extends ? 2 : 0));
    add(PassKind::kPick, count(group), in, work, reals, group.scale, picking(RowOrder::Kind::kPickIn, reals, false));
    scope_.grown *= 2;  // real numbers become real parts of complex ones, doubled, or parts that are 0 come beside them
    scope_.rounds_input = false;
    PassUse& picked = scope_.program.passes.back();
    picked.share /= 2;  // both parts of a number are one real
    picked.times_root_of_2 = base_ == R2rKind::kDCT4;
    const std::size_t begin = scope_.program.passes.size();
    add_child(group, paired(work), paired(work), false, 1.0);
    if (extends) {
      // The extension is symmetric: its reals of even index around one of them, those of odd index around the middle of two.
      keep_real_parts(scope_, begin, 1, 0.5);
      const std::size_t untangle = scope_.program.passes.size();
      Pass pass;
      const View edge = scope_.line_edge(paired(work).end, numbers_);
      scope_.add_line_pass(PassKind::kUntangle, edge, edge, numbers_, std::move(with_table(pass, RealTwiddles{2 * numbers_, true})),
                           loops_of({count(group), work.step, work.step}));
      keep_real_parts(scope_, untangle, 1, 0);
    }
    add(PassKind::kPick, count(group), work, out, n_, 1.0, picking(RowOrder::Kind::kPickOut, n_, false));
  }

  Scope& scope_;
  const Node& child_;
  const std::int64_t n_, numbers_;
  const R2rKind kind_, base_;
  const bool sines_, weighted_, rounds_input_;
  const double points_;  // reals of all transforms
};

// Of one dimension whose node is one codelet. It has no weights: ends that have one are multiplied in the output array.
class R2rCodelet {
 public:
  R2rCodelet(Scope& scope, R2rKind kind, std::int64_t n, bool weighted)
      : scope_(scope), kind_(kind), ends_(ends_of_kind(kind, static_cast<int>(n), weighted)) {}

  void expand(Place place) {
    if (ends_.first_in != 1 || ends_.last_in != 1) {
      if (place.in.array != place.out.array || place.scale != 1.0) {  // the scale before the weight, wherever the input lies
        copy_to_output(place);
        place.scale = 1.0;
      }
      place.in = place.out;
      for (LoopAround& loop : place.loops) loop.in_stride = loop.out_stride;
      weight_ends(place, false);
    }
    Place lines = place;
    lines.in.swap = ends_.negates_in;
    lines.out.swap = ends_.negates_out;
    if (ends_.backwards_in) turn_back(lines.in, place.n);
    if (ends_.backwards_out) turn_back(lines.out, place.n);
    lines.in.half_complex = kind_ == R2rKind::kHC2R;
    lines.out.half_complex = kind_ == R2rKind::kR2HC;
    expand_real_codelet(scope_, transform_of(kind_), std::move(lines));
    if (ends_.first_out != 1 || ends_.last_out != 1) weight_ends(place, true);
  }

 private:
  static void turn_back(LineEnd& end, std::int64_t n) {
    end.offset += (n - 1) * end.stride;
    end.stride = -end.stride;
  }

  void copy_to_output(const Place& place) {
    Pass pass;
    pass.args.scale = place.scale;
    add(PassKind::kMoveReals, place, place.n, std::move(pass));
  }

  void weight_ends(const Place& place, bool output) {
    Place lines = place;
    lines.in = lines.out;
    for (LoopAround& loop : lines.loops) loop.in_stride = loop.out_stride;
    const double first = output ? ends_.first_out : ends_.first_in, last = output ? ends_.last_out : ends_.last_in;
    const std::int64_t count = first != 1 && last != 1 ? 2 : 1;
    if (first == 1) turn_back(lines.in, place.n);
    lines.in.stride *= place.n - 1;
    lines.out = lines.in;
    Pass pass;
    pass.rows = scope_.add_rows({.kind = RowOrder::Kind::kPickEnds, .count = count});
    pass.table = scope_.add_table(PickFactors{cosines_of(kind_), output, true});
    add(PassKind::kPick, lines, count, std::move(pass));
  }

  void add(PassKind kind, const Place& lines, std::int64_t points, Pass pass) {
    scope_.add_line_pass(kind, scope_.line_edge(lines.in, points), scope_.line_edge(lines.out, points), points, std::move(pass),
                         lines.loops);
  }

  Scope& scope_;
  const R2rKind kind_;
  const ImageLines ends_;
};

// In rows.
void check_real_child(const Scope& scope, const Node& node, R2rKind kind) {
  if (std::holds_alternative<RoundedScheme>(scope.scheme.constants))
    scope.refuse("r2r over rows of reals computes in f32 or f64; r2r(" + std::to_string(node.n) + "; ...) over numbers in any scheme");
  if (!picks_reals(kind) && !picks_spectrum(kind))
    scope.refuse("r2r over rows of reals computes r2hc, hc2r, dct2, dst2, dct3 and dst3, not " + std::string(name_of(kind)));
  if (node.n % 2 == 0) scope.refuse("r2r over rows of reals has an odd length, not " + std::to_string(node.n));
  check_real_line(scope, node.children[0]);
}

void check_node(const Scope& scope, const Node& node, R2rKind kind) {
  if (node.kind == Node::Kind::kN) return;  // one codelet, whose absence refuses it
  if (node.kind != Node::Kind::kR2R) scope.refuse("A length of a transform between real numbers has an r2r node, or is one codelet");
  if (node.children.size() != 1) scope.refuse("r2r has one child");
  const Node& child = node.children[0];
  const bool is_line = child.kind != Node::Kind::kR2R && child.kind != Node::Kind::kCols && child.kind != Node::Kind::kRank;
  const bool is_real = child.kind == Node::Kind::kReal;
  if (!is_line || (is_real && child.m == 0))
    scope.refuse("The child of r2r transforms one complex line, or an odd count of reals in rows");
  if (is_real) check_real_child(scope, node, kind);
  if (node_length(child) != numbers_of(kind, node.n)) {
    scope.refuse("r2r(" + std::to_string(node.n) + ") of kind " + std::string(name_of(kind)) + " needs a child of length " +
                 std::to_string(numbers_of(kind, node.n)) + ", not " + std::to_string(node_length(child)));
  }
  if (streams(node)) scope.refuse("Nothing streams inside r2r: its passes come back to what they wrote");
}

}  // namespace

// From the last length to the first, each but the first one executed in the output array.
static void expand_passes(Scope& scope, const std::vector<const Node*>& nodes, const SeenArrays& arrays) {
  const Problem& problem = scope.problem;
  const std::shared_ptr<const RealImages> images = find_images(scope, nodes, arrays);
  if (images != nullptr) scope.begin_repeat(1, {}).images = images;
  bool first = true;
  for (std::size_t d = nodes.size(); d-- > 0; first = false) {
    const ArrayLines &source = first ? arrays.in : arrays.out, &target = arrays.out;
    Place place;
    place.n = problem.dims[d].length;
    place.in = source.base;
    place.out = target.base;
    place.in.stride = source.dims[d];
    place.out.stride = target.dims[d];
    place.scale = first ? rounded_scale(scope) : 1.0;
    place.loops = arrays.batch;
    for (LoopAround& loop : place.loops) {
      if (!first) loop.in_stride = loop.out_stride;
    }
    for (std::size_t other = 0; other < nodes.size(); ++other) {
      const std::int64_t length = problem.dims[other].length;
      if (other != d && length > 1) place.loops.push_back({length, source.dims[other], target.dims[other]});
    }
    const bool weighted = problem.scale_kind == ScaleKind::kOrtho;
    scope.rounds_input = first;
    const double grown = scope.grown * r2r_gain(problem.kinds[d], place.n) * static_cast<double>(place.n);
    if (nodes[d]->kind == Node::Kind::kN) {
      R2rCodelet(scope, problem.kinds[d], place.n, weighted).expand(std::move(place));
    } else {
      R2rLine(scope, *nodes[d], problem.kinds[d], weighted).expand(std::move(place));
    }
    scope.grown = grown;
    if (images != nullptr && d + 2 == nodes.size()) scope.end_repeat();
  }
}

// Short transforms go through all their dimensions while they are in L1, a group of them at a time. In groups of 32 KiB 8x8*65536 took
// 1.3 times as long.
static void expand_groups(Scope& scope, const std::vector<const Node*>& nodes, const SeenArrays& arrays) {
  if (nodes.size() == 1 || arrays.batch.size() != 1) return expand_passes(scope, nodes, arrays);
  Place all;
  all.in = arrays.in.base;
  all.out = arrays.out.base;
  all.loops = arrays.batch;
  const std::int64_t bytes = transform_points(scope.problem) * static_cast<std::int64_t>(real_bytes(scope.program.compute));
  for_groups(scope, all, kRealGroupBytes / bytes, [&](const Place& group) {
    SeenArrays part = arrays;
    part.in.base = group.in;
    part.out.base = group.out;
    part.batch = group.loops;
    expand_passes(scope, nodes, part);
  });
}

void expand_r2r_dimensions(Scope& scope, const std::vector<const Node*>& nodes) {
  const bool rounds = std::holds_alternative<RoundedScheme>(scope.scheme.constants);
  if (!rounds && !std::holds_alternative<WideScheme>(scope.scheme.constants))
    scope.refuse("r2r computes in f32, f64 or rounded:<element>, not in " + scope.recipe.scheme);
  for (const R2rKind kind : scope.problem.kinds) {
    if (rounds && kind != R2rKind::kDCT2 && kind != R2rKind::kDCT3) scope.refuse("Rounded schemes compute dct2 and dct3 of the kinds of r2r");
  }
  for (std::size_t d = 0; d < nodes.size(); ++d) check_node(scope, *nodes[d], scope.problem.kinds[d]);
  expand_between(scope, settle_real_ends(scope, *nodes.back()), [&](const SeenArrays& arrays) { expand_groups(scope, nodes, arrays); });
}

}  // namespace ulpfft
