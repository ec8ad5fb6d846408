// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// An odd count of reals, n = r m, in half of the rows that complex numbers would need (decimation in frequency).
//
// Forward     Columns c < m of r reals, m apart, become half spectra by one codelet whose lanes are the columns. Numbers q <= r/2 of all
//             columns are row q; its number c is multiplied by w^(q c), w = exp(-2 pi i / n), and the child transforms the row. Its result
//             k is number r k + q of the spectrum, or the conjugate of number n - r k - q.
// Backward    The same steps in reverse order. Rows hold the spectrum with re and im exchanged, so that the child and the twiddles are
//             those of the forward direction; the last pass finds the parts by their addresses.
// Row 0       is real before the child, and takes as long as the others. It is 1 of (r + 1) / 2.
#include "planner/backend/cpu/expand/real_rows.h"

#include <algorithm>
#include <string>
#include <utility>

#include "planner/backend/cpu/expand/line_groups.h"
#include "planner/backend/cpu/expand/node.h"
#include "planner/backend/cpu/expand/real_codelet.h"
#include "planner/facts/group_bytes.h"
#include "planner/scheme/families.h"

namespace ulpfft {
namespace {

class RealRows {
 public:
  RealRows(Scope& scope, const Node& node, double lines)
      : scope_(scope), child_(node.children[0]), n_(node.n), m_(node.m), r_(n_ / m_), rows_((r_ + 1) / 2), all_lines_(lines) {
    // Planes of a multiple of 4 KiB would meet in few sets of the cache.
    plane_ = align_up(m_, 16);
    if (plane_ % 1024 == 0) plane_ += 16;
  }

  void expand(Place place, bool forward, bool first) {
    const auto bytes = static_cast<std::int64_t>(real_bytes(scope_.program.compute));
    const std::int64_t lines = std::max<std::int64_t>(1, kRealGroupBytes / (2 * line_reals() * bytes));  // two arrays
    merge_loops(place.loops);
    for_groups(scope_, place, lines, [&](const Place& group) {
      scope_.rounds_input = first;
      count_ = group.loops.empty() ? 1 : group.loops[0].count;
      forward ? to_spectrum(group) : from_spectrum(group);
    });
  }

 private:
  std::int64_t row_reals() const { return 2 * plane_; }
  std::int64_t line_reals() const { return rows_ * row_reals(); }
  // Of rows of adjacent numbers.
  std::int64_t dense_line() const { return 2 * rows_ * m_; }
  Area take_rows() { return scope_.allocate(line_reals() * count_); }

  static std::int64_t in_step(const Place& group) { return group.loops.empty() ? 0 : group.loops[0].in_stride; }
  static std::int64_t out_step(const Place& group) { return group.loops.empty() ? 0 : group.loops[0].out_stride; }

  // What passes compute is a share of these numbers.
  void count_rows() { scope_.scope_points = all_lines_ * static_cast<double>(rows_ * m_); }

  static LineEnd numbers_at(const Area& area) { return {.array = area.array, .offset = area.offset}; }
  static LineEnd reals_at(const Area& area) { return {.array = area.array, .offset = area.offset, .stride = 1}; }

  void to_spectrum(const Place& group) {
    LineEnd in = group.in;
    std::int64_t step = in_step(group);
    const Area planes = take_rows(), numbers = take_rows();
    if (in.shift != 0) {
      const LineEnd reals = reals_at(numbers);
      rotate(not_shifted(in), step, reals, n_, n_ - in.shift);
      in = reals;
      step = n_;
    }
    Place columns;
    columns.n = r_;
    columns.in = in;
    columns.in.stride = m_ * in.stride;
    columns.out = {.array = planes.array, .offset = planes.offset, .stride = row_reals(), .im_offset = plane_};
    add_columns(RealTransform::kR2C, columns, {count_, step, line_reals()}, {m_, in.stride, 1});
    scope_.rounds_input = false;
    count_rows();
    View from;
    from.array = planes.array;
    from.offset = planes.offset;
    from.point_stride = 1;
    from.im_offset = plane_;
    add_twiddles(from, {line_reals(), row_reals()}, scope_.line_edge(numbers_at(numbers), m_), {dense_line(), 2 * m_}, group.scale);
    add_child(numbers, planes, group.transformed);
    LineEnd out = group.out;
    out.swap = scope_.problem.direction == Direction::kBackward;
    View to = scope_.line_edge(out, n_);
    add_rows(PassKind::kJoinRows, scope_.line_edge(numbers_at(planes), m_), dense_line(), to, out_step(group));
  }

  void from_spectrum(const Place& group) {
    LineEnd in = group.in, out = group.out;
    in.swap = scope_.problem.direction == Direction::kBackward;
    std::int64_t step = out_step(group);
    const Area numbers = take_rows(), planes = take_rows();
    View exchanged = scope_.line_edge(numbers_at(numbers), m_);
    exchanged.offset += 1;
    exchanged.im_offset = -1;
    count_rows();
    add_rows(PassKind::kSplitRows, scope_.line_edge(in, n_), in_step(group), exchanged, dense_line());
    scope_.rounds_input = false;
    add_child(numbers, planes, group.transformed);
    View to;
    to.array = numbers.array;
    to.offset = numbers.offset + plane_;
    to.point_stride = 1;
    to.im_offset = -plane_;
    add_twiddles(scope_.line_edge(numbers_at(planes), m_), {dense_line(), 2 * m_}, to, {line_reals(), row_reals()}, group.scale);
    if (out.shift != 0) {
      out = reals_at(planes);
      step = n_;
    }
    Place columns;
    columns.n = r_;
    columns.in = {.array = numbers.array, .offset = numbers.offset, .stride = row_reals(), .im_offset = plane_};
    columns.out = out;
    columns.out.stride = m_ * out.stride;
    add_columns(RealTransform::kC2R, columns, {count_, line_reals(), step}, {m_, 1, out.stride});
    if (group.out.shift != 0) rotate(out, step, not_shifted(group.out), out_step(group), group.out.shift);
  }

  static LineEnd not_shifted(LineEnd end) {
    end.shift = 0;
    return end;
  }

  // Columns that fill no vector are computed with the ones before them, some of these again: 125 columns of 9 f32, AVX-512, one by one
  // took an eighth of the whole transform.
  void add_columns(RealTransform transform, const Place& place, const LoopAround& lines, const LoopAround& columns) {
    const std::int64_t w = scope_.lanes, rest = m_ % w;
    const bool overlaps = rest > 1 && m_ > w && columns.in_stride == 1 && columns.out_stride == 1;
    const double grown = scope_.grown;
    const auto add = [&](std::int64_t begin, std::int64_t count) {
      scope_.grown = grown;
      Place part = place;
      part.in.offset += begin * columns.in_stride;
      part.out.offset += begin * columns.out_stride;
      if (count_ > 1) part.loops.push_back(lines);
      part.loops.push_back({count, columns.in_stride, columns.out_stride});
      // What is computed twice counts once.
      const double computed = static_cast<double>(overlaps ? m_ - rest + w : m_) / static_cast<double>(m_);
      scope_.scope_points = all_lines_ * static_cast<double>(n_) * computed;
      expand_real_codelet(scope_, transform, part);
    };
    add(0, overlaps ? m_ - rest : m_);
    if (overlaps) add(m_ - w, w);
  }

  // Real j goes to (j + by) mod n.
  void rotate(const LineEnd& from, std::int64_t from_step, const LineEnd& to, std::int64_t to_step, std::int64_t by) {
    const auto move = [&](std::int64_t begin, std::int64_t target, std::int64_t reals) {
      View in = scope_.line_edge(from, n_), out = scope_.line_edge(to, n_);
      in.offset += begin * from.stride;
      out.offset += target * to.stride;
      scope_.add_line_pass(PassKind::kMoveReals, in, out, reals, {}, loops_of({count_, from_step, to_step}));
    };
    move(0, by, n_ - by);
    move(n_ - by, 0, by);
  }

  struct Steps {
    std::int64_t line, row;
  };
  // Every row times its twiddles. One line is cut between threads by its rows.
  void add_twiddles(const View& from, Steps in, const View& to, Steps out, double scale) {
    Pass pass;
    pass.args.axes[0] = {rows_, in.row, out.row, 2 * m_};
    pass.args.scale = scale;
    pass.table = scope_.add_table(LineTwiddles{.rows = m_, .columns = r_, .kept = rows_});
    scope_.add_line_pass(PassKind::kPointwise, from, to, m_, std::move(pass), loops_of({count_, in.line, out.line}));
  }

  void add_child(const Area& from, const Area& to, std::int64_t transformed) {
    Place place;
    place.n = m_;
    place.in = numbers_at(from);
    place.out = numbers_at(to);
    place.transformed = transformed;
    place.loops.push_back({count_ * rows_, 2 * m_, 2 * m_});
    expand_node(scope_, child_, place);
  }

  void add_rows(PassKind kind, const View& from, std::int64_t from_step, const View& to, std::int64_t to_step) {
    Pass pass;
    pass.args.row = r_;
    pass.args.row_stride = 2 * m_;
    scope_.add_line_pass(kind, from, to, n_, std::move(pass), loops_of({count_, from_step, to_step}));
  }

  Scope& scope_;
  const Node& child_;
  const std::int64_t n_, m_, r_;
  const std::int64_t rows_;  // that are stored
  const double all_lines_;
  std::int64_t plane_ = 0;  // reals from re to im of a row
  std::int64_t count_ = 1;  // lines of the group
};

}  // namespace

void check_real_rows(const Scope& scope, const Node& node) {
  const std::string text = "real(" + std::to_string(node.n / node.m) + "x" + std::to_string(node.m) + ")";
  if (scope.scheme.family != &kWideFamily && scope.scheme.family != &kReferenceFamily)
    scope.refuse(text + " computes in f32 or f64; real(" + std::to_string(node.n) + "; ...) in any scheme");
  if (node.n % 2 == 0) scope.refuse("A real node in rows has an odd length, not " + std::to_string(node.n));
  if (node.n == node.m) scope.refuse(text + " has one row; write real(" + std::to_string(node.n) + "; ...)");
}

void expand_real_rows(Scope& scope, const Node& node, Place place, bool forward, bool first) {
  const double lines = static_cast<double>(transform_points(scope.problem) / place.n * batch_count(scope.problem));
  const Scope::Level level = scope.level();
  RealRows(scope, node, lines).expand(std::move(place), forward, first);
  scope.leave(level);
}

}  // namespace ulpfft
