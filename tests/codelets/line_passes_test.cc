// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes over lines, each kind from its row, on every target: the bits of their definition for every length and every way an edge can
// be, between guard pages; and the errors they claim, against the same pass in double-double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "codelets/contract/pass_definition.h"
#include "codelets/contract/pass_rows.h"
#include "codelets/contract/unit_root.h"
#include "codelets/registry.h"
#include "tests/codelets/line_end.h"
#include "tests/codelets/of_kind.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

using Exact = ulpfft::DoubleDouble;

std::vector<const PassRow*> line_rows() {
  std::vector<const PassRow*> rows;
  for (const PassRow& row : pass_rows::kAll) {
    if (row.loops >= PassLoops::kLine) rows.push_back(&row);
  }
  return rows;
}

struct Case {
  const PassRow& row;
  std::int64_t lanes = 1;
  std::int64_t row_step = 0;  // PassArgs::row
  std::int64_t pad = 0;
  double scale = 1;
  bool in_place = false;
  bool in_order = false;  // without a list
  LineShape in{}, out{};
  Flush flush = Flush::kEnd;
  std::uint64_t seed = 0;
};

std::string text_of(const LineShape& shape) {
  return std::to_string(shape.points) + " points placed as " + std::to_string(static_cast<int>(shape.placing)) + ", " +
         std::to_string(shape.stride) + " apart, turned by " + std::to_string(shape.shift) + (shape.swap ? ", swapped" : "");
}
std::string text_of(const Case& c) {
  return std::string(c.row.name) + ", " + std::to_string(c.lanes) + " lanes in " + std::to_string(c.in.lines) + " lines, row " +
         std::to_string(c.row_step) + ", pad " + std::to_string(c.pad) + ", scale " + std::to_string(c.scale) +
         (c.in_place ? ", in place" : "") + (c.in_order ? ", in order" : "") + "; in: " + text_of(c.in) + "; out: " + text_of(c.out);
}

// Lanes of the h-th line of a kind.
std::int64_t lanes_of(const PassRow& row, std::int64_t h, std::int64_t row_step) {
  if (row_step != 0) return row_step * (h | 1);
  if (row.kind == PassKind::kMirror) return 2 * h - 1;
  return row.table == PassTable::kFold || row.table == PassTable::kPairs ? 2 * h : h;
}

// Where the points of an end lie, in any way that the contract allows.
LineShape random_shape(const PassRow& row, bool input, Placing placing, Random& random) {
  const PassEnd& end = input ? row.in : row.out;
  LineShape shape{.placing = placing, .gap = random.between(0, 3), .real = end.real, .exchanges = end.swap == PassSwap::kExchanges};
  shape.swap = end.swap != PassSwap::kNone && random.chance(0.4);
  const bool any_strides = row.loops != PassLoops::kR2rLine || (row.in.swap == PassSwap::kNone && row.out.swap == PassSwap::kNone);
  if (any_strides && placing != Placing::kAdjacent && random.chance(0.7)) shape.stride = random.between(2, 5);
  const bool may_turn = row.loops == PassLoops::kR2rLine && (any_strides || (row.table == PassTable::kFold && end.swap != PassSwap::kNone));
  if (may_turn && random.chance(0.5)) shape.stride = -shape.stride;
  return shape;
}

Case random_case(const PassRow& row, std::int64_t h, Placing in, Placing out, std::uint64_t seed) {
  Random random(seed);
  Case c{.row = row, .row_step = is_in_rows(row.kind) ? 3 + 2 * random.between(0, 3) : 0, .seed = seed};
  c.lanes = lanes_of(row, h, c.row_step);
  c.in = random_shape(row, true, in, random);
  c.out = random_shape(row, false, out, random);
  c.in_place = row.places == PassPlaces::kOne || (row.places == PassPlaces::kMayBeOne && in == out && random.chance(0.5));
  c.in.lines = c.out.lines = h < 100 && random.chance(0.4) ? 3 : 1;
  if (row.scales) c.scale = random.chance(0.3) ? 0.3125 : random.chance(0.2) ? -1.75 : 1.0;
  const bool pads = row.loops == PassLoops::kLine && !is_conversion(row.kind) && row.list != PassList::kOut && !c.in_place;
  if (pads && random.chance(0.5)) c.pad = random.between(1, 9);
  c.in.points = line_points(row.in, c.lanes, c.row_step) + (row.list == PassList::kIn && random.chance(0.5) ? 3 : 0);
  c.out.points = line_points(row.out, c.lanes, c.row_step) + c.pad + (row.list == PassList::kOut && random.chance(0.5) ? 2 : 0);
  if (row.loops == PassLoops::kLine && row.places != PassPlaces::kOne) {
    if (random.chance(0.4)) c.in.shift = random.between(0, c.in.points - 1);
    if (random.chance(0.4)) c.out.shift = random.between(0, c.out.points - 1);
  }
  if (c.in_place) {
    const bool out_swap = c.out.swap;
    c.out = c.in;
    if (row.loops != PassLoops::kLine) c.out.swap = out_swap;
    c.in.points = c.out.points = std::max(c.in.points, line_points(row.out, c.lanes, c.row_step));
  }
  c.in_order = (row.kind == PassKind::kGather || row.kind == PassKind::kScatter) && random.chance(0.5);
  c.flush = random.chance(0.5) ? Flush::kStart : Flush::kEnd;
  return c;
}

// Distinct rows out of the longer end; those of kPick with their factors.
std::vector<std::uint32_t> random_rows(const Case& c, Random& random) {
  std::vector<std::uint32_t> rows;
  const std::int64_t count = c.row.list == PassList::kOut ? c.out.points : c.in.points;
  for (std::int64_t j = 0; j < count; ++j) rows.push_back(static_cast<std::uint32_t>(j));
  for (std::size_t j = c.in_order ? 1 : rows.size(); j > 1; --j) std::swap(rows[j - 1], rows[random.below(j)]);
  if (c.row.list != PassList::kPick) return rows;
  for (std::uint32_t& row : rows) row = 4 * row + static_cast<std::uint32_t>(random.below(4));
  return rows;
}

PassArgs args_of(const Case& c, const Edge& in, const Edge& out, std::int64_t in_line, std::int64_t out_line) {
  PassArgs args;
  args.in = in;
  args.out = out;
  args.in.swap = c.in.swap;
  args.out.swap = c.out.swap;
  args.axes[0] = {c.in.lines, in_line, out_line, 0};
  args.lanes = c.lanes;
  args.pad = c.pad;
  args.scale = c.scale;
  args.row = c.row_step;
  if (c.row_step != 0)
    args.row_stride = c.lanes / c.row_step * (c.row.in.points == PassPoints::kRows ? args.in : args.out).point_stride;
  return args;
}

// The parts that a result does not depend on.
bool is_read(const Case& c, std::int64_t j, int part) {
  if (part == 0 || !(c.row.in.half || c.row.kind == PassKind::kHalf)) return true;
  return j != 0 && !(c.row.kind == PassKind::kTangle && j == c.lanes);
}

// From S to T, in the arithmetic of C.
template <typename S, typename T, typename C>
void check_case(const CodeletTable& table, const Case& c) {
  const CodeletInfo* const codelet = find(table, c.row.kind, kCompute<C>);
  ASSERT_NE(codelet, nullptr) << table.target << " " << c.row.name;
  Random random(c.seed + 1);
  LineEnd<T> out(c.out, c.flush);
  LineEnd<S> apart(c.in, c.flush);
  const auto in = [&](std::int64_t line, std::int64_t j, int part) -> S& {
    if constexpr (std::is_same_v<S, T>) {
      if (c.in_place) return out.real(line, j, part);
    }
    return apart.real(line, j, part);
  };
  const std::vector<std::uint32_t> rows = random_rows(c, random);
  // Exactly the table, against the guard page.
  GuardedBuffer factors(static_cast<std::size_t>(std::max<std::int64_t>(1, table_reals(c.row.table, c.lanes))) * sizeof(C));
  for (std::int64_t i = 0; i < table_reals(c.row.table, c.lanes); ++i) factors.as<C>()[i] = static_cast<C>(random.normal());
  if (c.row.table == PassTable::kFactors) factors.as<C>()[0] = C(0);
  std::vector<std::vector<std::complex<S>>> lines;
  const int in_parts = c.row.in.real ? 1 : 2, out_parts = c.row.out.real ? 1 : 2;
  const std::int64_t in_points = c.in_place ? line_points(c.row.in, c.lanes, c.row_step) : c.in.points;
  for (std::int64_t line = 0; line < c.in.lines; ++line) {
    lines.push_back(random_signal<S>(static_cast<std::size_t>(in_points), random.next()));
    for (std::int64_t j = 0; j < in_points; ++j) {
      std::complex<S>& value = lines.back()[static_cast<std::size_t>(j)];
      if (!is_read(c, j, 1)) value.imag(std::numeric_limits<S>::quiet_NaN());
      if (in_parts == 1) value.imag(S(0));
      in(line, j, 0) = value.real();
      if (in_parts == 2) in(line, j, 1) = value.imag();
    }
  }
  const LineEnd<T>* const one = c.in_place ? &out : nullptr;
  PassArgs args = args_of(c, one != nullptr ? one->edge(Slot::kOut) : apart.edge(Slot::kIn), out.edge(Slot::kOut),
                          one != nullptr ? one->line_stride() : apart.line_stride(), out.line_stride());
  args.table = factors.data();
  args.rows = c.in_order ? nullptr : rows.data();
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)] = apart.address();
  buffers.slot[static_cast<int>(Slot::kOut)] = out.address();
  // In two slices, as threads would.
  codelet->run(args, buffers, 0, c.in.lines / 2);
  codelet->run(args, buffers, c.in.lines / 2, c.in.lines - c.in.lines / 2);

  const LineDefinition<C> definition{.kind = c.row.kind, .lanes = c.lanes, .row = c.row_step, .pad = c.pad,
                                     .scale = static_cast<C>(c.scale), .in_swap = c.in.swap, .out_swap = c.out.swap,
                                     .table = factors.as<C>(), .rows = rows.data(), .fma = table.has_fma};
  const auto point_read = [&](std::int64_t j) -> std::int64_t {
    const auto listed = [&] { return static_cast<std::int64_t>(rows[static_cast<std::size_t>(j)]); };
    return c.row.list == PassList::kIn ? listed() : c.row.list == PassList::kPick ? listed() / 4 : j;
  };
  for (std::int64_t line = 0; line < c.in.lines; ++line) {
    std::vector<std::complex<C>> values;
    for (std::int64_t j = 0; j < line_points(c.row.in, c.lanes, c.row_step); ++j) {
      if (c.row.list == PassList::kPick && rows[static_cast<std::size_t>(j)] % 4 == 0) continue;
      const std::complex<S> value = lines[static_cast<std::size_t>(line)][static_cast<std::size_t>(point_read(j))];
      values.emplace_back(static_cast<C>(value.real()), static_cast<C>(value.imag()));
    }
    values = definition(std::move(values));
    ASSERT_EQ(static_cast<std::int64_t>(values.size()), line_points(c.row.out, c.lanes, c.row_step) + c.pad) << text_of(c);
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(values.size()); ++j) {
      const bool listed = c.row.list == PassList::kOut && j < c.lanes;
      const std::int64_t point = listed ? rows[static_cast<std::size_t>(j)] : j;
      const std::complex<C> value = values[static_cast<std::size_t>(j)];
      for (int part = 0; part < out_parts; ++part) {
        const T expected = static_cast<T>(part == 0 ? value.real() : value.imag()), got = out.real(line, point, part);
        ASSERT_EQ(std::memcmp(&got, &expected, sizeof(T)), 0)
            << table.target << (sizeof(C) == 4 ? " f32 " : " f64 ") << text_of(c) << ": part " << part << " of point " << j << " of line "
            << line << " is " << got << " instead of " << expected;
      }
    }
    for (std::int64_t j = 0; j < in_points && !c.in_place; ++j) {
      const std::complex<S> before = lines[static_cast<std::size_t>(line)][static_cast<std::size_t>(j)];
      const S parts[] = {before.real(), before.imag()};
      for (int part = 0; part < in_parts; ++part) ASSERT_EQ(std::memcmp(&in(line, j, part), &parts[part], sizeof(S)), 0) << text_of(c);
    }
  }
  ASSERT_FALSE(apart.gap_touched() || out.gap_touched()) << table.target << " " << text_of(c) << ": wrote outside its points";
}

template <typename C, typename Other>
void check_kind(const CodeletTable& table, const PassRow& row) {
  constexpr Placing kPlacings[] = {Placing::kAdjacent, Placing::kStrided, Placing::kPlanes, Placing::kSplit};
  std::vector<std::int64_t> lengths{127, 128, 257, 1000, 4096, 4099};
  for (std::int64_t h = 1; h <= 70; ++h) lengths.push_back(h);
  std::uint64_t seed = static_cast<std::uint64_t>(row.kind) * 1000000;
  for (const std::int64_t h : lengths) {
    for (const Placing in : kPlacings) {
      for (const Placing out : kPlacings) {
        // Reals have strides alone; of long lines each takes a few.
        const bool is_left_out = row.loops == PassLoops::kR2rLine ? in != out : h > 70 && (seed + static_cast<std::uint64_t>(h)) % 4 != 0;
        ++seed;
        if (is_left_out) continue;
        const Case c = random_case(row, h, in, out, seed);
        if (row.in.other_type) check_case<Other, C, C>(table, c);
        else if (row.out.other_type) check_case<C, Other, C>(table, c);
        else check_case<C, C, C>(table, c);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

class LinePasses : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (!registered_targets()[GetParam()].available) GTEST_SKIP() << registered_targets()[GetParam()].reason;
  }
  const CodeletTable& table() const { return registered_targets()[GetParam()].table; }
};

TEST_P(LinePasses, ComputeWhatTheirDefinitionDoesInF32) {
  for (const PassRow* row : line_rows()) check_kind<float, double>(table(), *row);
}
TEST_P(LinePasses, ComputeWhatTheirDefinitionDoesInF64) {
  for (const PassRow* row : line_rows()) check_kind<double, float>(table(), *row);
}

// ---- errors

// Roots of unity in the table of a pass: of kFold as dct2 has them, of kUnfold as dct3.
std::vector<Exact> exact_table(const PassRow& row, std::int64_t lanes) {
  std::vector<Exact> values;
  const auto add = [&](std::int64_t k, std::int64_t n, double share) {
    const UnitRoot root = unit_root(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
    values.push_back(root.re * Exact(share));
    values.push_back(root.im * Exact(share));
  };
  const std::int64_t h = lanes / 2;
  const bool is_whole = row.scales;  // roots of the other direction are halves
  switch (row.table) {
    case PassTable::kNumbers:
      for (std::int64_t j = 0; j < lanes; ++j) add(j * 5077 % (1 << 20), 1 << 20, 1);
      break;
    case PassTable::kRoots:
      for (std::int64_t k = 0; k <= h; ++k) add(k, 2 * lanes, is_whole ? 1 : 0.5);
      break;
    case PassTable::kFold:
      for (std::int64_t k = 0; k <= h / 2; ++k) add(k, lanes, is_whole ? 1 : 0.5);
      for (std::int64_t k = 0; k <= h / 2; ++k) add(k, 4 * lanes, is_whole ? 1 : 2);
      for (std::int64_t k = 0; k <= h / 2; ++k) add(h - k, 4 * lanes, is_whole ? 1 : 2);
      break;
    default:
      for (std::int64_t j = 0; j < h; ++j) add(8 * j + 1, 16 * lanes, 1);
      break;
  }
  return values;
}

// One line of adjacent points.
template <typename T>
std::vector<T> run_line(const CodeletTable& table, const PassRow& row, std::int64_t lanes, const std::vector<double>& in) {
  std::vector<T> from, to, factors;
  for (const double real : in) from.push_back(static_cast<T>(real));
  for (const Exact& value : exact_table(row, lanes)) factors.push_back(round_to<T>(value));
  to.resize(static_cast<std::size_t>((row.out.real ? 1 : 2) * line_points(row.out, lanes, 0)));
  PassArgs args;
  args.in.point_stride = row.in.real ? 1 : 2;
  args.out.point_stride = row.out.real ? 1 : 2;
  args.out.slot = row.places == PassPlaces::kOne ? Slot::kIn : Slot::kOut;
  args.lanes = lanes;
  args.table = factors.data();
  Buffers buffers{};
  buffers.slot[static_cast<int>(Slot::kIn)].re = from.data();
  buffers.slot[static_cast<int>(Slot::kOut)].re = to.data();
  find(table, row.kind, kCompute<T>)->run(args, buffers, 0, 1);
  return row.places == PassPlaces::kOne ? from : to;
}

// The error a pass claims is the one it has, on random normal data and correctly rounded roots.
template <typename T>
void check_claim(const CodeletTable& table, const PassRow& row) {
  constexpr std::int64_t kLanes = 1 << 16;
  Random random(18);
  std::vector<double> in(static_cast<std::size_t>((row.in.real ? 1 : 2) * line_points(row.in, kLanes, 0)));
  for (double& real : in) real = static_cast<double>(static_cast<T>(random.normal()));
  const std::vector<T> got = run_line<T>(table, row, kLanes, in);
  const std::vector<Exact> exact = run_line<Exact>(registered_targets().back().table, row, kLanes, in);
  double error = 0, signal = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const Exact difference = Exact(static_cast<double>(got[i])) - exact[i];
    error += difference.hi * difference.hi;
    signal += exact[i].hi * exact[i].hi;
  }
  const double measured = std::sqrt(error / signal) / (sizeof(T) == 4 ? 0x1p-24 : 0x1p-53);
  testing::Test::RecordProperty(std::string(row.name) + (sizeof(T) == 4 ? "_f32" : "_f64"), std::to_string(measured));
  EXPECT_NEAR(measured, row.body.f32.rms, 0.1 * row.body.f32.rms) << table.target << " " << row.name;
}

TEST_P(LinePasses, ErrAsMuchAsTheyClaim) {
  if (!table().has_fma) return;
  for (const PassRow* row : line_rows()) {
    if (row->body.ops.total() == 0) continue;
    check_claim<float>(table(), *row);
    check_claim<double>(table(), *row);
  }
}

std::string target_name(const testing::TestParamInfo<std::size_t>& info) { return registered_targets()[info.param].table.target; }
INSTANTIATE_TEST_SUITE_P(On, LinePasses, testing::Range(std::size_t{0}, registered_targets().size()), target_name);

}  // namespace
}  // namespace ulpfft::test
