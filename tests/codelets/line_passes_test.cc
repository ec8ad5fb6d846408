// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes without a generated body, each alone, on every target: against a plain loop, bit for bit, for every number of points and
// every way an edge can be, between guard pages; and the errors they claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/registry.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/compare.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/oracle.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

template <typename T>
using Signal = std::vector<std::complex<T>>;

// Where the positions of a line lie: `count` of them, `stride` elements apart, turned by `shift`; `lines` of them `line_stride` apart.
struct Line {
  std::int64_t count = 1;
  std::int64_t stride = 1;
  std::int64_t shift = 0;
  std::int64_t lines = 1;
  std::int64_t line_stride = 0;
  bool split = false;
  bool swap = false;

  std::int64_t place(std::int64_t line, std::int64_t j) const { return line * line_stride + (j + shift) % count * stride; }
  std::int64_t elements() const { return (lines - 1) * line_stride + (count - 1) * stride + 1; }
};

std::ostream& operator<<(std::ostream& out, const Line& line) {
  return out << line.count << " points " << line.stride << " apart, turned by " << line.shift << (line.split ? ", split" : "") << (line.swap ? ", swapped" : "");
}

// A line in guarded memory.
template <typename T>
class Array {
 public:
  Array(const Line& line, Flush flush) : line_(line), used_(static_cast<std::size_t>(line.elements()), 0) {
    const std::size_t bytes = used_.size() * sizeof(T);
    data_[0] = std::make_unique<GuardedBuffer>(line.split ? bytes : 2 * bytes, flush);
    if (line.split) data_[1] = std::make_unique<GuardedBuffer>(bytes, flush);
  }
  void set(std::int64_t line, std::int64_t j, std::complex<T> value) {
    *part(line, j, 0) = value.real();
    *part(line, j, 1) = value.imag();
    mark(line, j);
  }
  std::complex<T> get(std::int64_t line, std::int64_t j) { return {*part(line, j, 0), *part(line, j, 1)}; }
  void mark(std::int64_t line, std::int64_t j) { used_[static_cast<std::size_t>(line_.place(line, j))] = 1; }
  bool gap_touched() const {
    for (const auto& data : data_) {
      if (data != nullptr && data->first_touched_gap(used_, line_.split ? sizeof(T) : 2 * sizeof(T)).has_value()) return true;
    }
    return false;
  }
  SlotAddress address() { return {data_[0]->data(), line_.split ? data_[1]->data() : nullptr}; }
  // As the planner describes a shifted line.
  Edge edge(Slot slot) const {
    const std::int64_t unit = line_.split ? 1 : 2;
    Edge edge;
    edge.slot = slot;
    edge.layout = line_.split ? Layout::kSplit : Layout::kPaired;
    edge.swap = line_.swap;
    edge.point_stride = unit * line_.stride;
    if (line_.shift != 0) {
      edge.offset = line_.shift * line_.stride * unit;
      edge.wrap = -line_.count * line_.stride * unit;
      edge.wrap_point = static_cast<std::int32_t>(line_.count - line_.shift);
    }
    return edge;
  }
  std::int64_t axis_stride() const { return (line_.split ? 1 : 2) * line_.line_stride; }

 private:
  T* part(std::int64_t line, std::int64_t j, int p) {
    const std::int64_t at = line_.place(line, j);
    if (line_.swap) p = 1 - p;
    return line_.split ? data_[p]->template as<T>() + at : data_[0]->template as<T>() + 2 * at + p;
  }
  Line line_;
  std::vector<std::uint8_t> used_;
  std::unique_ptr<GuardedBuffer> data_[2];
};

// (x, y) (c, s) as the contract has it: one rounding for the first products, one for the sums where there is FMA.
template <typename T>
std::complex<T> product(std::complex<T> a, std::complex<T> b, bool fma) {
  const T x = a.real(), y = a.imag(), c = b.real(), s = b.imag();
  if (fma) return {std::fma(-y, s, x * c), std::fma(y, c, x * s)};
  return {x * c - y * s, x * s + y * c};
}

template <typename T>
bool same(std::complex<T> a, std::complex<T> b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// S to T, in C; the edges and everything around them.
template <typename S, typename T, typename C>
void check_line(const CodeletTable& table, PassKind kind, const Line& in_line, const Line& out_line, std::int64_t points, std::int64_t pad, double scale,
                Flush flush, std::uint64_t seed) {
  const CodeletInfo* const codelet = find(table, kind, kCompute<C>);
  ASSERT_NE(codelet, nullptr) << table.target;
  Random random(seed);
  Array<S> in(in_line, flush);
  Array<T> out(out_line, flush);
  const std::int64_t lines = in_line.lines;
  const auto data = random_signal<S>(static_cast<std::size_t>(lines * in_line.count), seed);
  const auto input = [&](std::int64_t line, std::int64_t j) { return data[static_cast<std::size_t>(line * in_line.count + j)]; };
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t j = 0; j < in_line.count; ++j) in.set(line, j, input(line, j));
  }
  const bool in_order = (kind == PassKind::kGather || kind == PassKind::kScatter) && random.chance(0.5);
  // Distinct random rows out of the longer end.
  std::vector<std::uint32_t> rows;
  const std::int64_t range = kind == PassKind::kGather ? in_line.count : out_line.count;
  for (std::int64_t j = 0; j < range; ++j) rows.push_back(static_cast<std::uint32_t>(j));
  for (std::size_t j = in_order ? 1 : rows.size(); j > 1; --j) std::swap(rows[j - 1], rows[random.below(j)]);
  // Exactly the table of the points, against the guard page.
  GuardedBuffer factors(static_cast<std::size_t>(points) * sizeof(std::complex<C>));
  const auto values = random_signal<C>(static_cast<std::size_t>(points), seed + 1);
  std::copy(values.begin(), values.end(), factors.as<std::complex<C>>());

  PassArgs args;
  args.in = in.edge(Slot::kIn);
  args.out = out.edge(Slot::kOut);
  args.axes[0] = {lines, in.axis_stride(), out.axis_stride(), 0};
  args.lanes = points;
  args.pad = pad;
  args.scale = scale;
  args.rows = in_order ? nullptr : rows.data();
  args.table = factors.data();
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)] = in.address();
  buffers.slot[static_cast<int>(Slot::kOut)] = out.address();
  // In two slices, as threads would.
  codelet->run(args, buffers, 0, lines / 2);
  codelet->run(args, buffers, lines / 2, lines - lines / 2);

  const std::string where = std::string(table.target) + " " + codelet->body->name + (sizeof(C) == 4 ? " f32, " : " f64, ") + std::to_string(points) +
                            " points, pad " + std::to_string(pad) + ", scale " + std::to_string(scale);
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t j = 0; j < points + pad; ++j) {
      const std::int64_t source = kind == PassKind::kGather && j < points ? rows[static_cast<std::size_t>(j)] : j;
      const std::int64_t target = kind == PassKind::kScatter && j < points ? rows[static_cast<std::size_t>(j)] : j;
      std::complex<T> expected{};
      if (j < points) {
        const std::complex<S> x = input(line, source);
        std::complex<C> wide(static_cast<C>(x.real()) * static_cast<C>(scale), static_cast<C>(x.imag()) * static_cast<C>(scale));
        if (kind == PassKind::kPointwise) wide = product(wide, values[static_cast<std::size_t>(j)], table.has_fma);
        expected = {static_cast<T>(wide.real()), static_cast<T>(wide.imag())};
      }
      out.mark(line, target);
      ASSERT_TRUE(same(out.get(line, target), expected)) << where << ", point " << j << " of line " << line << ": " << out.get(line, target) << " instead of "
                                                         << expected << "; in: " << in_line << "; out: " << out_line;
      if (j < points) {
        ASSERT_TRUE(same(in.get(line, source), input(line, source))) << where << ": the input changed";
      }
    }
  }
  ASSERT_FALSE(in.gap_touched() || out.gap_touched()) << where << ": wrote outside its elements; in: " << in_line << "; out: " << out_line;
}

// Calls check(in, out, points, pad, scale, flush, seed) for every count of points up to two vectors and one, and every kind of edge.
template <typename Check>
void for_each_edge(int width, bool pads, bool permutes, const Check& check) {
  for (std::int64_t points = 1; points <= 2 * width + 1; ++points) {
    for (unsigned flags = 0; flags < 64; ++flags) {
      const auto seed = static_cast<std::uint64_t>(points * 64) + flags;
      Random random(seed);
      const std::int64_t pad = pads && (flags & 1U) != 0 ? random.between(1, 9) : 0;
      Line in, out;
      in.count = points + (permutes && (flags & 2U) != 0 ? 3 : 0);
      out.count = points + pad;
      if (permutes && pad == 0 && (flags & 2U) == 0) out.count += 2;
      in.stride = (flags & 4U) != 0 ? random.between(2, 5) : 1;
      out.stride = (flags & 8U) != 0 ? random.between(2, 5) : 1;
      in.split = (flags & 16U) != 0;
      out.split = in.split != random.chance(0.4);
      if (random.chance(0.4)) in.shift = random.between(0, in.count - 1);
      if (random.chance(0.4)) out.shift = random.between(0, out.count - 1);
      in.swap = random.chance(0.3);
      out.swap = random.chance(0.3);
      in.lines = out.lines = (flags & 32U) != 0 ? 3 : 1;
      in.line_stride = in.count * in.stride + static_cast<std::int64_t>(random.below(3));
      out.line_stride = out.count * out.stride + static_cast<std::int64_t>(random.below(3));
      const double scale = random.chance(0.3) ? 0.3125 : random.chance(0.2) ? -1.75 : 1.0;
      check(in, out, points, pad, scale, flags % 3 == 0 ? Flush::kStart : Flush::kEnd, seed);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

template <typename C, typename Other>
void check_all(const CodeletTable& table) {
  const int width = sizeof(C) == 4 ? table.lanes_f32 : table.lanes_f64;
  const int wide = 2 * std::max(width, 2);  // conversions go by lanes of the wider type
  const auto moves = [&](PassKind kind, bool pads, bool permutes) {
    for_each_edge(width, pads, permutes, [&](const auto&... edge) { check_line<C, C, C>(table, kind, edge...); });
  };
  moves(PassKind::kGather, true, true);
  moves(PassKind::kScatter, false, true);
  moves(PassKind::kPointwise, true, false);
  for_each_edge(wide, false, false, [&](const auto&... edge) { check_line<Other, C, C>(table, PassKind::kDecode, edge...); });
  for_each_edge(wide, false, false, [&](const auto&... edge) { check_line<C, Other, C>(table, PassKind::kEncode, edge...); });
}

class LinePasses : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!registered_targets()[GetParam()].available) GTEST_SKIP() << registered_targets()[GetParam()].reason;
  }
  const CodeletTable& table() const { return registered_targets()[GetParam()].table; }
};

TEST_P(LinePasses, ComputeWhatAPlainLoopDoesInF32) { check_all<float, double>(table()); }
TEST_P(LinePasses, ComputeWhatAPlainLoopDoesInF64) { check_all<double, float>(table()); }

// In place; the constant term leaves and the point aside comes in, as rader needs it.
template <typename T>
void check_convolve(const CodeletTable& table) {
  const CodeletInfo* const codelet = find(table, PassKind::kConvolve, kCompute<T>);
  ASSERT_NE(codelet, nullptr);
  const int width = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  for (std::int64_t points = 1; points <= 2 * width + 1; ++points) {
    for (const std::int64_t lines : {1, 3}) {
      Line line;
      line.count = points + 1;
      line.lines = lines;
      line.line_stride = points + 2;
      Array<T> data(line, points % 2 == 0 ? Flush::kStart : Flush::kEnd);
      const auto signal = random_signal<T>(static_cast<std::size_t>(lines * (points + 1)), static_cast<std::uint64_t>(points));
      const auto at = [&](std::int64_t l, std::int64_t j) { return signal[static_cast<std::size_t>(l * (points + 1) + j)]; };
      for (std::int64_t l = 0; l < lines; ++l) {
        for (std::int64_t j = 0; j <= points; ++j) data.set(l, j, at(l, j));
      }
      GuardedBuffer factors(static_cast<std::size_t>(points) * sizeof(std::complex<T>));
      const auto values = random_signal<T>(static_cast<std::size_t>(points), 5);
      std::copy(values.begin(), values.end(), factors.as<std::complex<T>>());
      PassArgs args;
      args.in = args.out = data.edge(Slot::kWork1);
      args.axes[0] = {lines, data.axis_stride(), data.axis_stride(), 0};
      args.lanes = points;
      args.table = factors.data();
      Buffers buffers{};
      buffers.slot[static_cast<int>(Slot::kWork1)] = data.address();
      codelet->run(args, buffers, 0, lines);
      for (std::int64_t l = 0; l < lines; ++l) {
        for (std::int64_t j = 0; j <= points; ++j) {
          std::complex<T> expected;
          if (j < points) expected = product(at(l, j), values[static_cast<std::size_t>(j)], table.has_fma);
          if (j == 0) expected = {expected.real() + at(l, points).real(), expected.imag() + at(l, points).imag()};
          if (j == points) expected = {at(l, points).real() + at(l, 0).real(), at(l, points).imag() + at(l, 0).imag()};
          ASSERT_TRUE(same(data.get(l, j), expected)) << table.target << ", point " << j << " of " << points << ", line " << l;
        }
      }
      ASSERT_FALSE(data.gap_touched()) << table.target << ", " << points << " points";
    }
  }
}

TEST_P(LinePasses, ConvolveWhatRaderNeedsInF32) { check_convolve<float>(table()); }
TEST_P(LinePasses, ConvolveWhatRaderNeedsInF64) { check_convolve<double>(table()); }

// A panel in the lane order of a vector's columns, multiplied by two table factors a point, stored by rows or in blocks.
template <typename T>
void check_twist(const CodeletTable& table, std::int64_t columns, std::int64_t rows, std::int64_t split, std::int64_t block, Flush flush) {
  const CodeletInfo* const codelet = find(table, PassKind::kTwist, kCompute<T>);
  ASSERT_NE(codelet, nullptr);
  const int w = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  const std::int64_t vectors = (columns + w - 1) / w;
  const std::int64_t pitch = 2 * w * vectors;
  const std::int64_t pairs = split + (rows + split - 1) / split;
  const std::int64_t stretch = columns + 2;  // elements between rows where they are not blocks
  Random random(static_cast<std::uint64_t>(columns * 1000 + rows * 10 + split + block));
  GuardedBuffer panel(static_cast<std::size_t>(rows * pitch) * sizeof(T), flush);
  // Vectors of tables are aligned.
  GuardedBuffer factors((static_cast<std::size_t>(vectors * pairs * 2 * w) * sizeof(T) + 63) / 64 * 64, Flush::kStart);
  const auto blocks = (rows + block - 1) / block;
  const std::int64_t elements = block > 1 ? blocks * block * columns : (rows - 1) * stretch + columns;
  GuardedBuffer to(static_cast<std::size_t>(elements) * sizeof(std::complex<T>), flush);
  std::vector<std::uint8_t> used(static_cast<std::size_t>(elements), 0);
  for (std::int64_t i = 0; i < rows * pitch; ++i) panel.as<T>()[i] = static_cast<T>(random.normal());
  for (std::int64_t i = 0; i < vectors * pairs * 2 * w; ++i) factors.as<T>()[i] = static_cast<T>(random.normal());
  PassArgs args;
  args.in.slot = Slot::kWork1;
  args.in.planar = true;
  args.in.im_offset = w;
  args.in.lane_stride = 2;
  args.in.point_stride = pitch;
  args.out.slot = Slot::kWork0;
  args.lanes = columns;
  args.table = factors.data();
  if (block > 1) {
    args.twist = {rows, block, 2 * block * columns, split};
    args.out.point_stride = 2;
    args.out.lane_stride = 2 * block;
  } else {
    args.twist = {rows, rows, 0, split};
    args.out.point_stride = 2 * stretch;
    args.out.lane_stride = 2;
  }
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kWork1)] = {panel.data(), nullptr};
  buffers.slot[static_cast<int>(Slot::kWork0)] = {to.data(), nullptr};
  codelet->run(args, buffers, 0, 1);
  const std::string where = std::string(table.target) + (sizeof(T) == 4 ? " f32 " : " f64 ") + std::to_string(columns) + " columns, " + std::to_string(rows) +
                            " rows, split " + std::to_string(split) + ", block " + std::to_string(block);
  for (std::int64_t c = 0; c < columns; ++c) {
    std::int64_t lane = 0;
    while (index_of_lane(static_cast<int>(lane), w, 16 / static_cast<int>(sizeof(T))) != c % w) ++lane;
    const T* const set = factors.as<T>() + c / w * pairs * 2 * w;
    for (std::int64_t k = 0; k < rows; ++k) {
      const T* const re = panel.as<T>() + k * pitch + c / w * 2 * w + lane;
      const auto factor = [&](std::int64_t pair) { return std::complex<T>(set[pair * 2 * w + lane], set[pair * 2 * w + w + lane]); };
      const auto expected = product({re[0], re[w]}, product(factor(k % split), factor(split + k / split), table.has_fma), table.has_fma);
      const std::int64_t at = block > 1 ? k / block * block * columns + c * block + k % block : k * stretch + c;
      used[static_cast<std::size_t>(at)] = 1;
      ASSERT_TRUE(same(to.as<std::complex<T>>()[at], expected)) << where << ": row " << k << ", column " << c;
    }
  }
  ASSERT_FALSE(to.first_touched_gap(used, sizeof(std::complex<T>)).has_value()) << where << ": wrote outside its elements";
}

template <typename T>
void check_twists(const CodeletTable& table) {
  const int w = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  for (std::int64_t columns = 1; columns <= 2 * w + 1; ++columns) {
    for (const std::int64_t rows : {1, 2, 3, 8, 17, 32, 37}) {
      for (const std::int64_t block : {1, 2, 4, 7, 8, 16, 32}) {
        check_twist<T>(table, columns, rows, rows % 2 == 0 ? 16 : 4, block, block % 2 == 0 ? Flush::kEnd : Flush::kStart);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(LinePasses, TwistAPanelInF32) { check_twists<float>(table()); }
TEST_P(LinePasses, TwistAPanelInF64) { check_twists<double>(table()); }

// The error a pass claims is the one it has, on random normal data and tables of correctly rounded roots.
template <typename T>
void check_claims(const CodeletTable& table) {
  const std::int64_t points = 1 << 16;
  const auto data = random_signal<T>(static_cast<std::size_t>(points), 17);
  Random random(18);
  const double u = Storage<T>::kUnitRoundoff;
  const auto angle = [&random] { return static_cast<std::uint64_t>(random.below(1U << 20U)); };
  const auto rounded = [](const ComplexDD& w) { return std::complex<T>(static_cast<T>(w.re.value()), static_cast<T>(w.im.value())); };
  {
    const CodeletInfo* const codelet = find(table, PassKind::kPointwise, kCompute<T>);
    Signal<T> factors, out(data.size());
    std::vector<ComplexDD> exact;
    for (const auto& value : data) {
      const ComplexDD w = circle_point(angle(), 1U << 20U);
      factors.push_back(rounded(w));
      exact.push_back(w * ComplexDD{static_cast<double>(value.real()), static_cast<double>(value.imag())});
    }
    PassArgs args;
    args.in.point_stride = args.out.point_stride = 2;
    args.out.slot = Slot::kOut;
    args.lanes = points;
    args.table = factors.data();
    Buffers buffers{};
    buffers.slot[static_cast<int>(Slot::kIn)].re = const_cast<std::complex<T>*>(data.data());
    buffers.slot[static_cast<int>(Slot::kOut)].re = out.data();
    codelet->run(args, buffers, 0, 1);
    const double measured = relative_l2<T>(out, exact) / u;
    testing::Test::RecordProperty(sizeof(T) == 4 ? "pointwise_f32" : "pointwise_f64", std::to_string(measured));
    EXPECT_NEAR(measured, codelet->body->f32.rms, 0.1 * codelet->body->f32.rms) << table.target << " pointwise";
  }
  const CodeletInfo* const codelet = find(table, PassKind::kTwist, kCompute<T>);
  const int w = sizeof(T) == 4 ? table.lanes_f32 : table.lanes_f64;
  const std::int64_t rows = 256, split = 16, pairs = 32;
  ErrorSum sum;
  for (std::int64_t at = 0; at < points; at += rows * w) {
    std::vector<ComplexDD> roots(static_cast<std::size_t>(pairs * w));
    GuardedBuffer factors(static_cast<std::size_t>(2 * pairs * w) * sizeof(T), Flush::kStart);
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
      for (std::int64_t lane = 0; lane < w; ++lane) {
        const ComplexDD root = circle_point(angle(), 1U << 20U);
        roots[static_cast<std::size_t>(pair * w + lane)] = root;
        factors.as<T>()[pair * 2 * w + lane] = rounded(root).real();
        factors.as<T>()[pair * 2 * w + w + lane] = rounded(root).imag();
      }
    }
    std::vector<T> panel(static_cast<std::size_t>(rows * 2 * w));
    Signal<T> out(static_cast<std::size_t>(rows * w));
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t lane = 0; lane < w; ++lane) {
        panel[static_cast<std::size_t>(k * 2 * w + lane)] = data[static_cast<std::size_t>(at + k * w + lane)].real();
        panel[static_cast<std::size_t>(k * 2 * w + w + lane)] = data[static_cast<std::size_t>(at + k * w + lane)].imag();
      }
    }
    PassArgs args;
    args.in.im_offset = w;
    args.in.planar = true;
    args.in.lane_stride = 2;
    args.in.point_stride = 2 * w;
    args.out.slot = Slot::kOut;
    args.out.lane_stride = 2;
    args.out.point_stride = 2 * w;
    args.twist = {rows, rows, 0, split};
    args.lanes = w;
    args.table = factors.data();
    Buffers buffers{};
    buffers.slot[static_cast<int>(Slot::kIn)].re = panel.data();
    buffers.slot[static_cast<int>(Slot::kOut)].re = out.data();
    codelet->run(args, buffers, 0, 1);
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t lane = 0; lane < w; ++lane) {
        const auto x = data[static_cast<std::size_t>(at + k * w + lane)];
        const ComplexDD factor = roots[static_cast<std::size_t>(k % split * w + lane)] * roots[static_cast<std::size_t>((split + k / split) * w + lane)];
        sum.add(out[static_cast<std::size_t>(k * w + index_of_lane(static_cast<int>(lane), w, 16 / static_cast<int>(sizeof(T))))],
                factor * ComplexDD{static_cast<double>(x.real()), static_cast<double>(x.imag())});
      }
    }
  }
  const double measured = sum.relative_l2() / u;
  testing::Test::RecordProperty(sizeof(T) == 4 ? "twist_f32" : "twist_f64", std::to_string(measured));
  EXPECT_NEAR(measured, codelet->body->f32.rms, 0.1 * codelet->body->f32.rms) << table.target << " twist";
}

TEST_P(LinePasses, ErrAsMuchAsTheyClaimInF32) {
  if (table().has_fma) check_claims<float>(table());
}
TEST_P(LinePasses, ErrAsMuchAsTheyClaimInF64) {
  if (table().has_fma) check_claims<double>(table());
}

std::string target_name(const testing::TestParamInfo<std::size_t>& info) { return registered_targets()[info.param].table.target; }
INSTANTIATE_TEST_SUITE_P(On, LinePasses, testing::Range(std::size_t{0}, registered_targets().size()), target_name);

}  // namespace
}  // namespace ulpfft::test
