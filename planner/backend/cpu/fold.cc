// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/fold.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ulpfft {
namespace {

// Whose lanes are transforms.
bool lanes_are_transforms(PassKind kind) { return kind == PassKind::kWhole || kind == PassKind::kPacked || kind == PassKind::kReal; }

// Loops that a pass may have; 0: none but those that make up its transform.
int most_loops(const Pass& pass) {
  switch (pass.codelet->kind) {
    case PassKind::kWhole: case PassKind::kPacked: case PassKind::kReal: return 3;
    case PassKind::kWholeTwo: return 1;
    case PassKind::kFirst: case PassKind::kTwiddled: case PassKind::kColumnsTwiddled: case PassKind::kTwist: return 0;
    case PassKind::kColumns: return pass.rows < 0 ? 2 : 0;  // with a list its axis has the columns of one transform
    default: return 2;
  }
}

// Loops that an expander gave it.
int own_loops(const Pass& pass) { return pass.args.axes[1].count > 1 ? 2 : pass.args.axes[0].count > 1 ? 1 : 0; }

bool may_fold(const Loop& loop) {
  return loop.body.size() == 1 && loop.parallel && !loop.numbered && !loop.panels && loop.images == nullptr && loop.when == When::kAlways;
}

bool steps_evenly(const Loop& outer, const Loop& inner) {
  return std::equal(outer.moves.begin(), outer.moves.end(), inner.moves.begin(), inner.moves.end(),
                    [&](const Moves::Move& a, const Moves::Move& b) { return a.array == b.array && a.by == inner.count * b.by; });
}

class Folding {
 public:
  explicit Folding(Program& program) : program_(program) {}

  void fold_body(std::vector<Item>& body) {
    for (Item& item : body) {
      if (item.loop() != nullptr) fold_item(item);
    }
  }

 private:
  // How many loops a pass has, where the item is a pass or nothing but loops around one. Without a value, loops around the item stay.
  std::optional<int> fold_item(Item& item) {
    if (const Pass* const pass = item.pass()) {
      const bool may_have = std::holds_alternative<Compute>(pass->op) && most_loops(*pass) > 0;
      return may_have ? std::optional(own_loops(*pass)) : std::nullopt;
    }
    Loop* const loop = item.loop();
    if (loop == nullptr) return std::nullopt;
    if (!may_fold(*loop)) {
      fold_body(loop->body);
      return std::nullopt;
    }
    const std::optional<int> inside = fold_item(loop->body.front());
    if (!inside) return std::nullopt;
    if (Loop* const inner = loop->body.front().loop()) {
      if (steps_evenly(*loop, *inner)) {
        inner->count *= loop->count;
        replace_by_body(item);
      }
      return inside;
    }
    Pass& pass = *loop->body.front().pass();
    const std::optional<Axis> axis = axis_of(*loop, pass);
    if (!axis) return std::nullopt;
    const std::optional<int> loops = add_axis(*axis, pass, *inside);
    if (!loops) return inside;
    pass.extent = pass.args.axes[0].count;
    pass.parallel = pass.extent > 1;
    program_.passes[pass.use].calls /= loop->count;
    replace_by_body(item);
    return loops;
  }

  // A loop by the only item inside.
  static void replace_by_body(Item& item) {
    std::vector<Item> body = std::move(item.loop()->body);
    if (Loop* const inner = body.front().loop()) {
      item.emplace<Loop>(std::move(*inner));
    } else {
      item.emplace<Pass>(std::move(*body.front().pass()));
    }
  }

  // The loop as one of the pass. None: it moves something else.
  std::optional<Axis> axis_of(const Loop& loop, const Pass& pass) const {
    const ArrayId in = pass.args.in.array, out = pass.args.out.array;
    Axis axis{loop.count, 0, 0, 0};
    for (const auto& [array, bytes] : loop.moves) {
      if (array == in) axis.in_stride = bytes / unit_bytes(program_, in);
      if (array == out) axis.out_stride = bytes / unit_bytes(program_, out);
      const bool goes_along = array == ArrayId::kInScales && std::get<Compute>(pass.op).blocks != nullptr;  // with the rows of `in`
      if (array != in && array != out && bytes != 0 && !goes_along) return std::nullopt;
    }
    return axis;
  }

  // Puts it around the `loops` that the pass has, and returns how many there are then. None: it may have no more.
  static std::optional<int> add_axis(const Axis& axis, Pass& pass, int loops) {
    Operands& args = pass.args;
    Axis& outer = args.axes[0];
    if (loops > 0 && outer.table_stride == 0 && axis.in_stride == outer.count * outer.in_stride &&
        axis.out_stride == outer.count * outer.out_stride) {
      outer.count *= axis.count;
      return loops;
    }
    if (loops == most_loops(pass)) return std::nullopt;
    if (loops == 1 && lanes_are_transforms(pass.codelet->kind)) {
      args.lanes = outer.count;
      args.in.lane_stride = outer.in_stride;
      args.out.lane_stride = outer.out_stride;
    } else if (loops > 0) {
      args.axes[1] = outer;
    }
    outer = axis;
    return loops + 1;
  }

  Program& program_;
};

}  // namespace

void fold(Program& program) { Folding(program).fold_body(program.body); }

}  // namespace ulpfft
