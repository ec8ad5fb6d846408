// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/program/butterflies.h"

#include <algorithm>
#include <utility>

#include "codelets/contract/pass_rows.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {
namespace {

Number number_at(const View& view, std::int64_t at) {
  const std::int64_t re = view.offset + at;
  const std::int64_t im = view.layout == Layout::kSplit ? re : re + view.im_offset;
  return view.swap ? Number{im, re} : Number{re, im};
}

std::int64_t point_at(const View& view, std::int64_t j) { return j * view.point_stride + (j >= view.wrap_point ? view.wrap : 0); }

void add_points(const View& view, std::int64_t at, std::int64_t points, std::vector<Number>& numbers) {
  for (std::int64_t j = 0; j < points; ++j) numbers.push_back(number_at(view, at + point_at(view, j)));
}

class Walk {
 public:
  Walk(const Program& program, const Pass& pass, const std::vector<std::uint32_t>* rows, std::int64_t position, const GroupVisitor& visit)
      : program_(program),
        pass_(pass),
        args_(pass.args),
        rows_(rows == nullptr ? nullptr : rows->data() + pass.rows_begin),
        position_(position),
        visit_(visit),
        block_(static_cast<int>(16 / real_bytes(program.compute))) {}

  void walk() {
    switch (pass_.codelet->kind) {
      case PassKind::kWhole: case PassKind::kPacked: whole(); break;
      case PassKind::kWholeTwo: whole_two(); break;
      case PassKind::kFirst: first(); break;
      case PassKind::kTwiddled: twiddled(); break;
      case PassKind::kColumns: columns(false); break;
      case PassKind::kColumnsTwiddled: columns(true); break;
      case PassKind::kReal: real_bodies(); break;
      case PassKind::kTwist: twist(); break;
      default: lines(); break;
    }
  }

 private:
  std::int64_t radix() const { return pass_.codelet->body->radix; }

  Butterfly& add() {
    if (used_ == group_.butterflies.size()) group_.butterflies.emplace_back();
    Butterfly& butterfly = group_.butterflies[used_++];
    butterfly.in.clear();
    butterfly.out.clear();
    butterfly.again.clear();
    butterfly.index = 0;
    return butterfly;
  }

  void finish() {
    group_.butterflies.resize(used_);
    visit_(group_);
    used_ = 0;
    group_.read_along.clear();
    group_.written_along.clear();
  }

  // Offsets of a position of both axes; the second one is walked over here.
  template <typename Visit>
  void each_position(const Visit& visit) const {
    for (std::int64_t b = 0; b < args_.axes[1].count; ++b) {
      visit(b, position_ * args_.axes[0].in_stride + b * args_.axes[1].in_stride,
            position_ * args_.axes[0].out_stride + b * args_.axes[1].out_stride);
    }
  }

  void whole() {
    const std::int64_t points = radix() * (pass_.codelet->second != nullptr ? pass_.codelet->second->radix : 1);
    each_position([&](std::int64_t, std::int64_t in, std::int64_t out) {
      for (std::int64_t l = 0; l < args_.lanes; ++l) {
        Butterfly& butterfly = add();
        add_points(args_.in, in + l * args_.in.lane_stride, points, butterfly.in);
        add_points(args_.out, out + l * args_.out.lane_stride, points, butterfly.out);
        finish();
      }
    });
  }

  // The points of an end are those of its first codelet, its lanes the columns.
  void whole_two() {
    const std::int64_t second = pass_.codelet->second->radix;
    each_position([&](std::int64_t, std::int64_t in, std::int64_t out) {
      Butterfly& butterfly = add();
      for (std::int64_t j = 0; j < radix() * second; ++j) {
        butterfly.in.push_back(number_at(args_.in, in + point_at(args_.in, j / second) + j % second * args_.in.lane_stride));
        butterfly.out.push_back(number_at(args_.out, out + point_at(args_.out, j / radix()) + j % radix() * args_.out.lane_stride));
      }
      finish();
    });
  }

  void first() {
    const RowOrder& order = program_.rows[static_cast<std::size_t>(pass_.rows)];
    const int w = order.lanes;
    const auto* const compute = std::get_if<Compute>(&pass_.op);
    const bool index_order = compute != nullptr && compute->fused != nullptr && compute->fused->index_order;
    const int reals_in_block = index_order ? 1 : order.reals_in_block;
    const View& out = args_.out;
    const std::int64_t in_at = position_ * args_.axes[0].in_stride, out_at = position_ * args_.axes[0].out_stride;
    const std::int64_t vectors = vectors_of(args_.lanes, w);
    for (std::int64_t v = 0; v < vectors; ++v) {
      const std::int64_t begin = vector_begin(v, args_.lanes, w);
      for (int l = 0; l < w; ++l) {
        const std::int64_t column = begin + index_of_lane(l, w, reals_in_block);
        const std::int64_t row = out_at + rows_[v * w + l] * args_.row_stride;
        if (column >= args_.lanes) {
          add_row(out, row, w, nullptr);
          continue;
        }
        Butterfly& butterfly = add();
        add_points(args_.in, in_at + column * args_.in.lane_stride, radix(), butterfly.in);
        add_row(out, row, w, &butterfly);
      }
      finish();
    }
  }

  // The outputs of a column, in their order, and what else the vectors of its row hold.
  void add_row(const View& out, std::int64_t row, int w, Butterfly* butterfly) {
    const std::int64_t r = radix();
    const bool planes = out.lane_stride == 1;
    if (butterfly != nullptr) butterfly->out.resize(static_cast<std::size_t>(r));
    for (std::int64_t g = 0; g < vectors_of(r, w); ++g) {
      const std::int64_t begin = vector_begin(g, r, w);
      const std::int64_t at = planes && r % w != 0 ? begin : g * out.point_stride;
      for (int m = 0; m < w; ++m) {
        const std::int64_t k = begin + (out.lane_order ? index_of_lane(m, w, std::min(w, block_)) : m);
        const Number number = number_at(out, row + at + m);
        if (planes && k >= r) continue;
        if (butterfly == nullptr || k >= r) {
          group_.written_along.push_back(number);
        } else if (!planes && k < g * w) {
          butterfly->again.emplace_back(k, number);
        } else {
          butterfly->out[static_cast<std::size_t>(k)] = number;
        }
      }
    }
  }

  void twiddled() {
    const auto& request = std::get<TwiddleRequest>(program_.tables[static_cast<std::size_t>(pass_.table)]);
    const View &in = args_.in, &out = args_.out;
    const bool blocks = in.lane_stride == 2;
    const std::int64_t w = blocks ? in.im_offset : request.lanes;
    const std::int64_t row = request.row != 0 ? request.row : INT64_MAX;
    const std::int64_t vectors_a_row = request.row != 0 ? vectors_of(row, static_cast<int>(w)) : INT64_MAX;
    const std::int64_t in_at = position_ * args_.axes[0].in_stride, out_at = position_ * args_.axes[0].out_stride;
    for (std::int64_t v = 0; v < vectors_of(args_.lanes, static_cast<int>(w)); ++v) {
      const std::int64_t r = request.row != 0 ? v / vectors_a_row : 0, inside = request.row != 0 ? v % vectors_a_row * w : v * w;
      const std::int64_t begin = row > w ? std::min(inside, row - w) : inside;  // of the row
      for (std::int64_t m = 0; m < w; ++m) {
        const std::int64_t index =
            in.lane_order ? index_of_lane(static_cast<int>(m), static_cast<int>(w), std::min(static_cast<int>(w), block_)) : m;
        const std::int64_t from = in_at + v * w * in.lane_stride + m;
        const std::int64_t k = request.row != 0 ? r * row + begin + index : begin + index;
        // Where rows are padded in the output as in the input, a lane keeps its place.
        const std::int64_t to =
            out_at + (out.planar ? (args_.row != 0 ? (r * row + begin) * out.lane_stride : v * w * out.lane_stride) + m
                                 : k * out.lane_stride);
        const bool is_lane = request.row != 0 ? begin + index < row : v * w + index < args_.lanes;
        if (is_lane) {
          Butterfly& butterfly = add();
          butterfly.index = request.begin + k;
          add_points(in, from, radix(), butterfly.in);
          add_points(out, to, radix(), butterfly.out);
        } else {
          add_points(in, from, radix(), group_.read_along);
          if (out.planar && blocks && args_.row == 0) add_points(out, to, radix(), group_.written_along);
        }
      }
      finish();
    }
  }

  // Columns of a panel: the lanes of a vector are adjacent, in lane order.
  std::int64_t column_at(const View& view, std::int64_t v, std::int64_t w, std::int64_t m, std::int64_t l) const {
    return view.planar ? v * w * view.lane_stride + m : l * view.lane_stride;
  }

  void columns(bool twiddles) {
    const View &in = args_.in, &out = args_.out;
    const std::int64_t w = in.planar ? in.im_offset : out.planar ? out.im_offset : 1;
    each_position([&](std::int64_t b, std::int64_t in_at, std::int64_t out_at) {
      if (rows_ != nullptr) out_at += rows_[position_] * args_.row_stride - position_ * args_.axes[0].out_stride;
      for (std::int64_t v = 0; v < vectors_of(args_.lanes, static_cast<int>(w)); ++v) {
        for (std::int64_t m = 0; m < w; ++m) {
          const std::int64_t l = v * w + index_of_lane(static_cast<int>(m), static_cast<int>(w), std::min(static_cast<int>(w), block_));
          const std::int64_t from = in_at + column_at(in, v, w, m, l), to = out_at + column_at(out, v, w, m, l);
          if (l < args_.lanes) {
            Butterfly& butterfly = add();
            if (twiddles) butterfly.index = b;
            add_points(in, from, radix(), butterfly.in);
            add_points(out, to, radix(), butterfly.out);
          } else {
            if (in.planar) add_points(in, from, radix(), group_.read_along);
            if (out.planar) add_points(out, to, radix(), group_.written_along);
          }
        }
        finish();
      }
    });
  }

  void twist() {
    const View &in = args_.in, &out = args_.out;
    const Twist& twist = args_.twist;
    const std::int64_t w = in.im_offset, end = std::min(twist.end, twist.rows);
    for (std::int64_t v = 0; v < vectors_of(args_.lanes, static_cast<int>(w)); ++v) {
      for (std::int64_t m = 0; m < w; ++m) {
        const std::int64_t l = v * w + index_of_lane(static_cast<int>(m), static_cast<int>(w), std::min(static_cast<int>(w), block_));
        Butterfly* const butterfly = l < args_.lanes ? &add() : nullptr;
        if (butterfly != nullptr) butterfly->index = l;
        for (std::int64_t k = twist.begin; k < end; ++k) {
          const Number from = number_at(in, k * in.point_stride + column_at(in, v, w, m, l));
          if (butterfly == nullptr) {
            group_.read_along.push_back(from);
            continue;
          }
          butterfly->in.push_back(from);
          butterfly->out.push_back(number_at(out, (k - twist.begin) / twist.block * twist.block_stride +
                                                      k % twist.block * out.point_stride + l * out.lane_stride));
        }
      }
      finish();
    }
  }

  // View::swap changes a sign there.
  static Number unswapped(const View& view, std::int64_t at, bool is_real) {
    const std::int64_t re = view.offset + at;
    return {re, is_real ? kNoPart : view.layout == Layout::kSplit ? re : re + view.im_offset};
  }

  // The points of a line at one end, and `pad` behind them.
  void add_line(const PassEnd& end, const View& view, std::int64_t at, PassList list, std::int64_t pad, std::vector<Number>& numbers) const {
    const std::int64_t count = line_points(end, args_.lanes, args_.row);
    const std::int64_t row_points = end.points == PassPoints::kRows ? args_.lanes / args_.row : 0;
    // Reals that kToReals reads may lie side by side.
    const bool is_real = end.real || (pass_.codelet->kind == PassKind::kToReals && view.point_stride == 1);
    for (std::int64_t j = 0; j < count + pad; ++j) {
      std::int64_t from = at;
      if (list == PassList::kPick) {
        if (rows_[j] % 4 == 0) continue;
        from += rows_[j] / 4 * view.point_stride;
      } else if (row_points != 0) {
        from += j / row_points * args_.row_stride + j % row_points * view.point_stride;
      } else {
        from += point_at(view, list == PassList::kNone ? j : rows_[j]);
      }
      numbers.push_back(end.swap == PassSwap::kExchanges ? number_at(view, from) : unswapped(view, from, is_real));
    }
  }

  void lines() {
    const PassRow& row = row_of(pass_.codelet->kind);
    const PassList list = rows_ != nullptr ? row.list : PassList::kNone;
    each_position([&](std::int64_t b, std::int64_t in, std::int64_t out) {
      Butterfly& butterfly = add();
      butterfly.index = position_ * args_.axes[0].table_stride + b * args_.axes[1].table_stride;
      add_line(row.in, args_.in, in, list == PassList::kOut ? PassList::kNone : list, 0, butterfly.in);
      add_line(row.out, args_.out, out, list == PassList::kOut ? list : PassList::kNone, args_.pad, butterfly.out);
      finish();
    });
  }

  // The points of one end of a real body; the im parts that half-complex order lacks are nothing.
  void add_real_points(const View& view, std::int64_t at, bool is_complex, std::vector<Number>& numbers) const {
    const auto n = static_cast<int>(radix());
    for (int k = 0; k < (is_complex ? half_points(n) : n); ++k) {
      Number number = unswapped(view, at + k * view.point_stride, !is_complex || (view.half_complex && is_real_point(k, n)));
      if (number.im != kNoPart && view.half_complex) number.im = view.offset + at + (n - k) * view.point_stride;
      numbers.push_back(number);
    }
  }

  void real_bodies() {
    const RealTransform transform = pass_.codelet->body->transform;
    each_position([&](std::int64_t, std::int64_t in, std::int64_t out) {
      for (std::int64_t l = 0; l < args_.lanes; ++l) {
        Butterfly& butterfly = add();
        add_real_points(args_.in, in + l * args_.in.lane_stride, has_complex_input(transform), butterfly.in);
        add_real_points(args_.out, out + l * args_.out.lane_stride, has_complex_output(transform), butterfly.out);
        finish();
      }
    });
  }

  const Program& program_;
  const Pass& pass_;
  const Operands& args_;
  const std::uint32_t* const rows_;
  const std::int64_t position_;
  const GroupVisitor& visit_;
  const int block_;  // reals in 128 bits
  Group group_;
  std::size_t used_ = 0;
};

}  // namespace

void visit_groups(const Program& program, const Pass& pass, const std::vector<std::uint32_t>* rows, std::int64_t position,
                  const GroupVisitor& visit) {
  Walk(program, pass, rows, position, visit).walk();
}

}  // namespace ulpfft
