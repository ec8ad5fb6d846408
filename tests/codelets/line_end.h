// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One end of a pass over lines, in guarded memory: where its points lie, and whether anything else was touched.
#ifndef ULPFFT_TESTS_CODELETS_LINE_END_H_
#define ULPFFT_TESTS_CODELETS_LINE_END_H_

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "codelets/contract/pass_rows.h"
#include "tests/support/guarded_buffer.h"

namespace ulpfft::test {

// Reals in the table of a pass over a line.
inline std::int64_t table_reals(PassTable table, std::int64_t lanes) {
  switch (table) {
    case PassTable::kNumbers: return 2 * lanes;
    case PassTable::kRoots: return 2 * (lanes / 2 + 1);
    case PassTable::kFold: return 6 * (lanes / 4 + 1);
    case PassTable::kPairs: return lanes;
    case PassTable::kFactors: return 4;
    default: return 0;
  }
}

// kPlanes: im of all points after re of all, in one array.
enum class Placing : std::uint8_t { kAdjacent, kStrided, kPlanes, kSplit };

struct LineShape {
  Placing placing = Placing::kAdjacent;
  std::int64_t points = 1, lines = 1;
  std::int64_t stride = 1;   // between points, in numbers or reals
  std::int64_t gap = 0;      // reals after a line
  std::int64_t shift = 0;    // of the first point, modulo `points`
  bool real = false;
  bool swap = false;         // Edge::swap
  bool exchanges = false;    // swap exchanges the parts
};

template <typename T>
class LineEnd {
 public:
  LineEnd(const LineShape& shape, Flush flush) : shape_(shape) {
    const bool pairs = !shape.real && (shape.placing == Placing::kAdjacent || shape.placing == Placing::kStrided);
    split_ = !shape.real && shape.placing == Placing::kSplit;
    point_stride_ = pairs ? 2 * shape.stride : shape.stride;
    const std::int64_t reach = (shape.points - 1) * std::abs(point_stride_) + 1;
    line_stride_ = reach + (pairs ? 1 : 0) + shape.gap;
    const std::int64_t all = (shape.lines - 1) * line_stride_ + reach;
    im_offset_ = shape.real || split_ ? 7 : pairs ? 1 : all + shape.gap;  // 7: of no meaning
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      used_[part].resize(static_cast<std::size_t>(shape.real || split_ ? all : all + im_offset_), 0);
      data_[part] = std::make_unique<GuardedBuffer>(used_[part].size() * sizeof(T), flush);
    }
  }

  // re or im of a point; marks it as one that may change.
  T& real(std::int64_t line, std::int64_t j, int part) {
    if (shape_.swap && shape_.exchanges) part = 1 - part;
    const std::int64_t at = offset() + line * line_stride_ + (j + shape_.shift) % shape_.points * point_stride_ +
                            (part == 1 && !split_ ? im_offset_ : 0);
    const int array = split_ ? part : 0;
    used_[array][static_cast<std::size_t>(at)] = 1;
    return data_[array]->template as<T>()[at];
  }
  bool gap_touched() const {
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      if (data_[part]->first_touched_gap(used_[part], sizeof(T)).has_value()) return true;
    }
    return false;
  }

  SlotAddress address() { return {data_[0]->data(), split_ ? data_[1]->data() : nullptr}; }
  // As the planner describes a shifted line.
  Edge edge(Slot slot) const {
    Edge edge;
    edge.slot = slot;
    edge.layout = split_ ? Layout::kSplit : Layout::kPaired;
    edge.swap = shape_.swap;
    edge.im_offset = im_offset_;
    edge.point_stride = point_stride_;
    edge.offset = offset() + shape_.shift * point_stride_;
    if (shape_.shift != 0) {
      edge.wrap = -shape_.points * point_stride_;
      edge.wrap_point = static_cast<std::int32_t>(shape_.points - shape_.shift);
    }
    return edge;
  }
  std::int64_t line_stride() const { return line_stride_; }

 private:
  std::int64_t offset() const { return point_stride_ < 0 ? (1 - shape_.points) * point_stride_ : 0; }

  LineShape shape_;
  bool split_ = false;
  std::int64_t point_stride_ = 1, line_stride_ = 0, im_offset_ = 0;
  std::unique_ptr<GuardedBuffer> data_[2];
  std::vector<std::uint8_t> used_[2];
};

}  // namespace ulpfft::test

#endif  // ULPFFT_TESTS_CODELETS_LINE_END_H_
