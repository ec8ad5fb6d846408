// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Slices of a pass write together what the pass writes, and a tile in place of an end changes no bit. The passes are random ones of every
// codelet of every target, cut along every variable that the contract names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codelets/contract/codelet.h"
#include "codelets/contract/pass_rows.h"
#include "codelets/contract/pass_slice.h"
#include "codelets/contract/sums_alone.h"
#include "codelets/contract/twiddle_form.h"
#include "codelets/registry.h"
#include "tests/codelets/line_end.h"
#include "tests/support/sample.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

constexpr std::int64_t kPadding = 64;  // reals around an array, because passes read whole vectors

// Reals of either type, aligned to 64 bytes.
class Reals {
 public:
  Reals(std::int64_t count, bool is_f64, Random& random)
      : bytes_(static_cast<std::size_t>(count) * 8 + 64), count_(count), is_f64_(is_f64) {
    for (std::int64_t i = 0; i < count; ++i) set(i, 2 * random.uniform() - 1);
  }
  void* data() { return bytes_.data() + (64 - reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64) % 64; }
  void set(std::int64_t i, double value) {
    if (is_f64_) {
      static_cast<double*>(data())[i] = value;
    } else {
      static_cast<float*>(data())[i] = static_cast<float>(value);
    }
  }
  double get(std::int64_t i) { return is_f64_ ? static_cast<double*>(data())[i] : static_cast<double>(static_cast<float*>(data())[i]); }
  std::vector<std::byte> copy() {
    const auto* const from = static_cast<const std::byte*>(data());
    return {from, from + count_ * (is_f64_ ? 8 : 4)};
  }
  void restore(const std::vector<std::byte>& copy) { std::copy(copy.begin(), copy.end(), static_cast<std::byte*>(data())); }

 private:
  std::vector<std::byte> bytes_;
  std::int64_t count_;
  bool is_f64_;
};

// The number of positions of each variable.
struct Extents {
  std::int64_t points = 1, lanes = 1, inner = 1, outer = 1;
};

// A variable of an end, whose stride is to be chosen.
struct Loop {
  std::int64_t* stride;
  std::int64_t count;
};

// Nests the loops in random order around `unit` reals, with gaps, so that no two positions share a real. Returns the reals of all.
std::int64_t nest(std::vector<Loop> variables, std::int64_t unit, Random& random) {
  for (std::size_t i = variables.size(); i > 1; --i) std::swap(variables[i - 1], variables[random.below(i)]);
  std::int64_t reach = unit;
  for (const Loop& variable : variables) {
    *variable.stride = reach + (random.chance(0.3) ? unit * random.between(1, 3) : 0);
    reach = *variable.stride * variable.count;
  }
  return reach;
}

bool is_line(PassKind kind) { return row_of(kind).loops >= PassLoops::kLine; }
bool reads_planar(PassKind kind) { return row_of(kind).in.planar == PassPlanes::kAlways; }
constexpr std::int64_t kRow = 5;  // PassArgs::row of passes with rows
bool is_call(PassKind kind) { return kind == PassKind::kPacked || kind == PassKind::kWholeTwo; }

// A random pass of one codelet, with its table and lists.
class RandomPass {
 public:
  RandomPass(const CodeletTable& table, const CodeletInfo& codelet, std::uint64_t seed);

  PassKind kind() const { return codelet_.kind; }
  const PassRow& row() const { return row_of(codelet_.kind); }
  bool reads_f64() const { return is_f64_ != row().in.other_type; }
  bool writes_f64() const { return is_f64_ != row().out.other_type; }
  PassShape shape() const { return {kind(), is_f64_ ? 8 : 4, lane_values_}; }
  std::int64_t extent(PassVariable variable) const {
    return variable == PassVariable::kOuter   ? extents_.outer
           : variable == PassVariable::kInner ? extents_.inner
           : variable == PassVariable::kLanes ? extents_.lanes
                                              : args.twist.rows;
  }
  std::vector<PassVariable> variables() const;
  bool may_begin(PassVariable variable, std::int64_t at) const;
  // Ranges that partition the variable; at every place where a slice may begin, or at some.
  std::vector<PassRange> cut(PassVariable variable, Random& random, bool everywhere = false) const;
  const Extents& extents() const { return extents_; }
  // The points of an end, those behind the lanes included.
  std::int64_t points_at(bool input) const {
    if (kind() == PassKind::kReal) {
      const BodyFacts& body = *codelet_.body;
      return input ? input_points(body.transform, body.radix) : output_points(body.transform, body.radix);
    }
    if (row().places == PassPlaces::kOne) return extents_.points;
    return line_points(input ? row().in : row().out, extents_.points, kRow) + (input ? 0 : args.pad);
  }
  // Sets what lanes that hold no column leave: kColumns in a planar output, kFirst in the row after the last.
  void clear_padding(Reals& out) const;

  PassArgs args;
  std::int64_t in_reals = 0, out_reals = 0;

 private:
  void choose_extents(Random& random);
  void lay_planar(Edge& edge, bool input, Random& random);
  void lay_numbers(Edge& edge, bool input, Random& random);
  void lay_reals(Edge& edge, bool input, Random& random);
  void lay_rows(Random& random);
  void lay_tables(Random& random);

  const CodeletInfo& codelet_;
  bool is_f64_;
  std::int64_t width_;
  Extents extents_;
  std::int64_t lane_values_ = 0;
  std::vector<std::uint32_t> rows_, paths_;
  std::vector<Reals> table_;
};

RandomPass::RandomPass(const CodeletTable& table, const CodeletInfo& codelet, std::uint64_t seed)
    : codelet_(codelet), is_f64_(codelet.compute == ComputeType::kF64), width_(is_f64_ ? table.lanes_f64 : table.lanes_f32) {
  Random random(seed);
  const PassKind kind = codelet.kind;
  choose_extents(random);
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  if (row().scales) args.scale = random.chance(0.3) ? 0.3125 : 1.0;
  if (kind == PassKind::kPointwise || kind == PassKind::kGather) args.pad = random.between(0, 3);
  if (kind == PassKind::kTwist) {
    args.twist.rows = extents_.points;
    args.twist.block = random.between(1, extents_.points);
    args.twist.split = random.between(1, 5);
  }
  if (is_of_r2r_transform(kind)) {
    lay_reals(args.in, true, random);
  } else {
    reads_planar(kind) ? lay_planar(args.in, true, random) : lay_numbers(args.in, true, random);
  }
  if (is_of_r2r_transform(kind)) {
    lay_reals(args.out, false, random);
  } else if (kind == PassKind::kFirst) {
    lay_rows(random);
  } else if (row().out.planar == PassPlanes::kPerhaps && random.chance(0.5)) {
    lay_planar(args.out, false, random);
  } else {
    lay_numbers(args.out, false, random);
  }
  args.lanes = is_line(kind) ? extents_.points - (row().places == PassPlaces::kOne ? 1 : 0) : extents_.lanes;
  if (is_in_rows(kind)) {
    args.row = kRow;
    args.row_stride = extents_.points / kRow * (row().in.points == PassPoints::kRows ? args.in : args.out).point_stride;
  }
  args.axes[0].count = extents_.outer;
  args.axes[1].count = extents_.inner;
  if (row().places == PassPlaces::kOne) {
    args.in = args.out;
    args.axes[0].in_stride = args.axes[0].out_stride;
    args.axes[1].in_stride = args.axes[1].out_stride;
  }
  if (kind == PassKind::kColumns && random.chance(0.5)) {
    for (std::int64_t a = 0; a < extents_.outer; ++a) rows_.push_back(static_cast<std::uint32_t>(extents_.outer - 1 - a));
    args.rows = rows_.data();
    args.row_stride = args.axes[0].out_stride;
  }
  if (row().loops == PassLoops::kLine && row().list != PassList::kNone) {
    for (std::int64_t j = 0; j < extents_.points; ++j) rows_.push_back(static_cast<std::uint32_t>(extents_.points - 1 - j));
    args.rows = rows_.data();
  }
  if (kind == PassKind::kPick) {
    for (std::int64_t j = 0; j < extents_.points; ++j) rows_.push_back(static_cast<std::uint32_t>(4 * (extents_.points - 1 - j) + j % 4));
    args.rows = rows_.data();
  }
  if (kind == PassKind::kTwiddled || kind == PassKind::kColumns) {
    args.ahead = {random.chance(0.5), random.chance(0.5), Slot::kIn, random.between(0, 64), random.between(0, 64), random.between(0, 64)};
  }
  lay_tables(random);
}

void RandomPass::choose_extents(Random& random) {
  const PassKind kind = codelet_.kind;
  const bool has_inner = (row().cuts & bit_of(PassVariable::kInner)) != 0;
  const bool selects = selects_path(codelet_.body->form) && kind == PassKind::kTwiddled;
  extents_.points = has_body(kind) ? codelet_.body->radix : random.between(1, 24);
  if (codelet_.second != nullptr) extents_.points *= codelet_.second->radix;
  if (row().places == PassPlaces::kOne) ++extents_.points;  // the last one lies aside
  if (kind == PassKind::kMirror) extents_.points |= 1;
  if (is_in_rows(kind)) extents_.points = kRow * (extents_.points | 1);
  if (is_of_r2r_transform(kind)) extents_.points = 2 * random.between(1, 24);
  if (!is_line(kind) && kind != PassKind::kWholeTwo) extents_.lanes = random.between(1, selects ? 6 * kPathGroup : 2 * width_ + 2);
  if (kind == PassKind::kTwist) return;
  extents_.outer = random.between(1, 3);
  if (has_inner) extents_.inner = random.between(1, 3);
}

// Lays an end in blocks of W reals re and W reals im, or in planes. Lanes are innermost.
void RandomPass::lay_planar(Edge& edge, bool input, Random& random) {
  const std::int64_t vectors = vectors_of(extents_.lanes, static_cast<int>(width_)) * width_;
  const bool blocks = kind() == PassKind::kTwist || random.chance(0.5);
  const std::int64_t unit = blocks ? 2 : 1;
  std::int64_t& outer = input ? args.axes[0].in_stride : args.axes[0].out_stride;
  std::int64_t& inner = input ? args.axes[1].in_stride : args.axes[1].out_stride;
  const std::vector<Loop> around{{&edge.point_stride, extents_.points}, {&inner, extents_.inner}, {&outer, extents_.outer}};
  const std::int64_t reals = nest(around, unit * vectors, random);
  edge.planar = true;
  edge.lane_order = blocks && random.chance(0.5);
  edge.lane_stride = unit;
  edge.im_offset = blocks ? width_ : reals + kPadding;
  edge.offset = kPadding;
  (input ? in_reals : out_reals) = 2 * (reals + 2 * kPadding);
}

// Lays an end as numbers whose parts are side by side or apart, perhaps exchanged, perhaps with a wrap.
void RandomPass::lay_numbers(Edge& edge, bool input, Random& random) {
  std::int64_t& outer = input ? args.axes[0].in_stride : args.axes[0].out_stride;
  std::int64_t& inner = input ? args.axes[1].in_stride : args.axes[1].out_stride;
  const bool call = is_call(kind());
  const std::int64_t unit = !call && kind() != PassKind::kTwist && random.chance(0.3) ? 1 : 2;
  std::int64_t points = points_at(input);
  std::vector<Loop> around{{&edge.lane_stride, extents_.lanes}, {&inner, extents_.inner}, {&outer, extents_.outer}};
  std::int64_t reals = 0;
  if (kind() == PassKind::kTwist) {
    around = {{&edge.lane_stride, extents_.lanes}, {&args.twist.block_stride, (points + args.twist.block - 1) / args.twist.block}};
    points = args.twist.block;
  }
  if (call) {
    edge.point_stride = 2;
    reals = nest(around, 2 * points, random);
  } else if (random.chance(0.5)) {  // adjacent lanes
    edge.lane_stride = unit;
    around[0] = {&edge.point_stride, points};
    reals = nest(around, unit * extents_.lanes, random);
  } else {
    around.push_back({&edge.point_stride, points});
    reals = nest(around, unit, random);
  }
  edge.offset = kPadding;
  edge.swap = (input ? row().in : row().out).swap != PassSwap::kNone && random.chance(0.4);
  const bool may_wrap = !call && kind() != PassKind::kTwist && kind() != PassKind::kConvolve && !is_of_real_transform(kind());
  if (may_wrap && points > 1 && random.chance(0.4)) {
    edge.wrap = reals;
    edge.wrap_point = static_cast<std::int32_t>(random.between(1, points - 1));
  }
  if (unit == 1) {
    edge.layout = Layout::kSplit;
    edge.im_offset = 7;  // of no meaning
  }
  (input ? in_reals : out_reals) = 2 * reals + 2 * kPadding;
}

// Lays an end as lines of adjacent reals.
void RandomPass::lay_reals(Edge& edge, bool input, Random& random) {
  std::int64_t& outer = input ? args.axes[0].in_stride : args.axes[0].out_stride;
  std::int64_t& inner = input ? args.axes[1].in_stride : args.axes[1].out_stride;
  edge.point_stride = 1;
  edge.offset = kPadding;
  edge.swap = random.chance(0.4);
  (input ? in_reals : out_reals) = 2 * nest({{&inner, extents_.inner}, {&outer, extents_.outer}}, extents_.points, random) + 2 * kPadding;
}

// Lays the rows of a first pass as dit does: the list is in lane order, and the last vector begins early enough to be whole.
void RandomPass::lay_rows(Random& random) {
  const int w = static_cast<int>(width_);
  const bool blocks = extents_.points % width_ == 0;
  const std::int64_t unit = blocks ? 2 : 1, row = unit * extents_.points;
  Edge& edge = args.out;
  edge.planar = true;
  edge.lane_stride = unit;
  edge.lane_order = blocks && w > 1;
  edge.point_stride = unit * width_;
  edge.offset = kPadding;
  args.row_stride = row;
  args.axes[0].out_stride = row * (extents_.lanes + 1);
  const std::int64_t reals = args.axes[0].out_stride * extents_.outer;
  edge.im_offset = blocks ? width_ : reals + kPadding;
  out_reals = 2 * (reals + 2 * kPadding);
  std::vector<std::uint32_t> row_of(static_cast<std::size_t>(extents_.lanes));
  for (std::size_t l = 0; l < row_of.size(); ++l) row_of[l] = static_cast<std::uint32_t>(l);
  for (std::size_t l = row_of.size(); l > 1; --l) std::swap(row_of[l - 1], row_of[random.below(l)]);
  for (std::int64_t v = 0; v < vectors_of(extents_.lanes, w); ++v) {
    for (int l = 0; l < w; ++l) {
      const std::int64_t c = vector_begin(v, extents_.lanes, w) + index_of_lane(l, w, 16 / (is_f64_ ? 8 : 4));
      rows_.push_back(c < extents_.lanes ? row_of[static_cast<std::size_t>(c)] : static_cast<std::uint32_t>(extents_.lanes));
    }
  }
  args.rows = rows_.data();
}

void RandomPass::lay_tables(Random& random) {
  const auto values = static_cast<std::int64_t>((codelet_.second != nullptr ? codelet_.second : codelet_.body)->table.size());
  const std::int64_t vectors = vectors_of(extents_.lanes, static_cast<int>(width_)) * width_;
  std::int64_t reals = table_reals(row().table, args.lanes);
  switch (row().table) {
    case PassTable::kLaneValues: lane_values_ = values; reals = values * vectors; break;
    case PassTable::kPanel:
      lane_values_ = 2 * (args.twist.split + (args.twist.rows + args.twist.split - 1) / args.twist.split);
      reals = lane_values_ * vectors;
      break;
    case PassTable::kAxisValues: args.axes[1].table_stride = values; reals = values * extents_.inner; break;
    case PassTable::kNumbers:
      if (row().places == PassPlaces::kOne) break;
      args.axes[0].table_stride = 2 * args.lanes;
      args.axes[1].table_stride = 2 * args.lanes * extents_.outer;
      reals = args.axes[1].table_stride * extents_.inner;
      break;
    case PassTable::kPacked: reals = (4 * (values + 1) + 2 * codelet_.body->radix) * (extents_.points + width_); break;
    default: break;
  }
  if (reals > 0) args.table = table_.emplace_back(reals + kPadding, is_f64_, random).data();
  const int radix = codelet_.body->radix;
  if (kind() == PassKind::kPacked && is_of_sums(radix, codelet_.second == nullptr))
    table_.back().set(2 * packed_numbers(static_cast<int>(width_), radix, codelet_.second != nullptr ? codelet_.second->radix : 1), radix);
  if (!selects_path(codelet_.body->form)) return;
  const bool by_lanes = kind() == PassKind::kTwiddled;
  const std::int64_t words = by_lanes ? (extents_.lanes + kPathGroup - 1) / kPathGroup : extents_.inner;
  for (std::int64_t i = 0; i < words; ++i) {
    const auto word = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << (codelet_.body->radix - 1)));
    paths_.push_back(by_lanes && random.chance(0.5) ? kStraddle : word);
  }
  args.paths = paths_.data();
  args.path_stride = by_lanes ? 0 : 1;
}

std::vector<PassVariable> RandomPass::variables() const {
  std::vector<PassVariable> all;
  for (const PassVariable variable : {PassVariable::kOuter, PassVariable::kInner, PassVariable::kLanes, PassVariable::kRows}) {
    if ((row().cuts & bit_of(variable)) != 0) all.push_back(variable);
  }
  return all;
}

// Whether the contract lets a slice begin there, of places above 0.
bool RandomPass::may_begin(PassVariable variable, std::int64_t at) const {
  if (variable == PassVariable::kRows) return at % args.twist.block == 0;
  if (variable != PassVariable::kLanes) return true;
  if (at % width_ != 0 || (kind() == PassKind::kFirst && extents_.lanes - at < width_)) return false;
  if (kind() != PassKind::kTwiddled || args.paths == nullptr) return true;
  return at % kPathGroup == 0 && !(args.paths[at / kPathGroup - 1] == kStraddle && args.paths[at / kPathGroup] == kStraddle);
}

std::vector<PassRange> RandomPass::cut(PassVariable variable, Random& random, bool everywhere) const {
  std::vector<PassRange> ranges;
  std::int64_t begin = 0;
  for (std::int64_t at = 1; at < extent(variable); ++at) {
    if (!may_begin(variable, at) || (!everywhere && random.chance(0.3))) continue;
    ranges.push_back({variable, begin, at - begin});
    begin = at;
  }
  ranges.push_back({variable, begin, extent(variable) - begin});
  return ranges;
}

void RandomPass::clear_padding(Reals& out) const {
  const Edge& edge = args.out;
  for (std::int64_t a0 = 0; kind() == PassKind::kFirst && a0 < extents_.outer; ++a0) {
    const std::int64_t row = edge.offset + a0 * args.axes[0].out_stride + extents_.lanes * args.row_stride;
    for (std::int64_t i = row; i < row + args.row_stride; ++i) out.set(i, 0), out.set(i + edge.im_offset, 0);
  }
  if (kind() != PassKind::kColumns || !edge.planar) return;
  const int w = static_cast<int>(width_);
  const std::int64_t last = extents_.lanes / width_ * width_;
  for (std::int64_t a0 = 0; a0 < extents_.outer; ++a0) {
    const std::int64_t row = args.rows != nullptr ? args.rows[a0] * args.row_stride : a0 * args.axes[0].out_stride;
    for (std::int64_t i = 0; i < extents_.inner * extents_.points; ++i) {
      const std::int64_t at = edge.offset + row + i / extents_.points * args.axes[1].out_stride + i % extents_.points * edge.point_stride;
      for (int l = 0; l < w && last < extents_.lanes; ++l) {
        if (last + index_of_lane(l, w, 16 / (is_f64_ ? 8 : 4)) < extents_.lanes) continue;
        out.set(at + last * edge.lane_stride + l, 0);
        out.set(at + last * edge.lane_stride + l + edge.im_offset, 0);
      }
    }
  }
}

// The arrays of a pass, and a tile for one end. The parts im of split arrays lie in the second half.
struct Arrays {
  Reals in, out, tile;
  std::int64_t in_half, out_half;
  Arrays(const RandomPass& pass, bool in_at_tile, std::int64_t tile_reals, Random& random)
      : in(2 * pass.in_reals + kPadding, pass.reads_f64(), random), out(2 * pass.out_reals + kPadding, pass.writes_f64(), random),
        tile(tile_reals, in_at_tile ? pass.reads_f64() : pass.writes_f64(), random), in_half(pass.in_reals), out_half(pass.out_reals) {}
  Buffers buffers(const RandomPass& pass) {
    Buffers all{};
    const auto half = [](Reals& reals, std::int64_t at, bool is_f64) { return static_cast<char*>(reals.data()) + at * (is_f64 ? 8 : 4); };
    all.slot[static_cast<int>(Slot::kIn)] = {in.data(), half(in, in_half, pass.reads_f64())};
    all.slot[static_cast<int>(Slot::kOut)] = {out.data(), half(out, out_half, pass.writes_f64())};
    all.slot[static_cast<int>(Slot::kWork0)] = {tile.data(), nullptr};
    return all;
  }
};

std::string name_of(const CodeletTable& table, const CodeletInfo& codelet) {
  const std::string second = codelet.second != nullptr ? std::string("+") + codelet.second->name : "";
  return std::string(table.target) + ' ' + codelet.body->name + second + " kind " + std::to_string(static_cast<int>(codelet.kind)) +
         (codelet.compute == ComputeType::kF64 ? " f64" : " f32");
}

// Calls check(codelet, seed) several times for every codelet in f32 and f64 that runs here, but for some of the many pairs of bodies.
template <typename Check>
void for_each_codelet(const Check& check) {
  for (const RegisteredTarget& target : registered_targets()) {
    if (!target.available) continue;
    std::uint64_t seed = 0;
    Sampler pairs(5);
    for (const CodeletInfo& codelet : target.table.codelets) {
      if (codelet.compute != ComputeType::kF32 && codelet.compute != ComputeType::kF64) continue;
      if (codelet.kind == PassKind::kPacked && codelet.second != nullptr && !pairs.next()) continue;
      for (int i = 0; i < 3; ++i) {
        SCOPED_TRACE(name_of(target.table, codelet) + ", seed " + std::to_string(++seed));
        check(target.table, codelet, seed);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// What has been cut, so that a test cannot pass by cutting nothing.
using Cuts = std::map<std::pair<PassKind, PassVariable>, std::size_t>;

void check_slices(const CodeletTable& table, const CodeletInfo& codelet, std::uint64_t seed, Cuts& most_slices) {
  const RandomPass pass(table, codelet, seed);
  Random random(seed + 1);
  Arrays arrays(pass, true, kPadding, random);
  const Buffers buffers = arrays.buffers(pass);
  const std::vector<std::byte> before = arrays.out.copy();
  codelet.run(pass.args, buffers, 0, pass.args.axes[0].count);
  pass.clear_padding(arrays.out);
  const std::vector<std::byte> expected = arrays.out.copy();
  ASSERT_NE(before, expected) << "the pass wrote nothing";
  for (const PassVariable variable : pass.variables()) {
    arrays.out.restore(before);
    PassArgs part = pass.args;
    std::vector<PassRange> ranges = pass.cut(variable, random);
    std::size_t& most = most_slices[{codelet.kind, variable}];
    most = std::max(most, ranges.size());
    for (std::size_t i = ranges.size(); i > 1; --i) std::swap(ranges[i - 1], ranges[random.below(i)]);
    for (const PassRange& range : ranges) {
      slice_pass(part, pass.args, pass.shape(), range);
      codelet.run(part, buffers, 0, part.axes[0].count);
    }
    pass.clear_padding(arrays.out);
    ASSERT_TRUE(arrays.out.copy() == expected) << ranges.size() << " slices along variable " << static_cast<int>(variable);
  }
}

TEST(PassSlices, WriteTheBitsOfTheWholePassInAnyOrder) {
  Cuts most_slices;
  for_each_codelet([&](const auto&... codelet) { check_slices(codelet..., most_slices); });
  for (const auto& [cut, slices] : most_slices) {
    EXPECT_GE(slices, 2U) << "kind " << static_cast<int>(cut.first) << " along variable " << static_cast<int>(cut.second);
  }
}

TEST(PassSlices, FetchAheadWhatTheirPositionsAreToFetch) {
  PassArgs whole;
  whole.ahead = {.fetches = true, .offset = 100, .axis_stride = 30, .lane_stride = 4};
  PassArgs part = whole;
  slice_pass(part, whole, {PassKind::kColumns, 4}, {PassVariable::kOuter, 2, 3});
  EXPECT_EQ(part.ahead.offset, 160);
  slice_pass(part, whole, {PassKind::kTwiddled, 4}, {PassVariable::kLanes, 16, 8});
  EXPECT_EQ(part.ahead.offset, 164);
}

// Whether the contract lets this end go to a tile.
bool may_redirect(const RandomPass& pass, bool input) {
  const Edge& edge = input ? pass.args.in : pass.args.out;
  if (edge.planar || pass.row().places == PassPlaces::kOne) return false;
  if (is_of_r2r_transform(pass.kind())) return false;  // their ends are reals
  if ((input ? pass.row().in : pass.row().out).points == PassPoints::kRows) return false;  // rows are further apart than a tile has them
  return input || pass.kind() != PassKind::kColumns || pass.args.rows == nullptr;
}

// Calls visit(place in the array, place in the tile) for every real of one end of a slice. `half`: where a split array has its parts im.
template <typename Visit>
void for_each_real(const PassArgs& apart, const PassArgs& at_tile, bool input, bool has_im, const Extents& extents, std::int64_t half,
                   const Visit& visit) {
  const auto place = [&](const PassArgs& pass, std::int64_t j, std::int64_t l, std::int64_t a1, std::int64_t a0) {
    const Edge& edge = input ? pass.in : pass.out;
    const auto stride = [&](int axis) { return input ? pass.axes[axis].in_stride : pass.axes[axis].out_stride; };
    return edge.offset + a0 * stride(0) + a1 * stride(1) + j * edge.point_stride + l * edge.lane_stride +
           (j >= edge.wrap_point ? edge.wrap : 0);
  };
  const Edge& edge = input ? apart.in : apart.out;
  const std::int64_t im_offset = edge.layout == Layout::kSplit ? half : edge.im_offset;
  for (std::int64_t a0 = 0; a0 < extents.outer; ++a0) {
    for (std::int64_t a1 = 0; a1 < extents.inner; ++a1) {
      for (std::int64_t l = 0; l < extents.lanes; ++l) {
        for (std::int64_t j = 0; j < extents.points; ++j) {
          const std::int64_t at = place(apart, j, l, a1, a0), to = place(at_tile, j, l, a1, a0);
          visit(at, to);
          if (has_im) visit(at + im_offset, to + 1);
        }
      }
    }
  }
}

// One end of every slice is a tile, which is filled from the array before it runs, or emptied into it after.
void check_tile(const CodeletTable& table, const CodeletInfo& codelet, std::uint64_t seed, bool input) {
  const RandomPass pass(table, codelet, seed);
  if (!may_redirect(pass, input)) return;
  Random random(seed + 2);
  Extents most = pass.extents();
  most.points = pass.points_at(input);
  const RealTransform transform = codelet.body->transform;
  const bool has_im = codelet.kind == PassKind::kReal ? (input ? has_complex_input(transform) : has_complex_output(transform))
                                                      : !(input ? pass.row().in : pass.row().out).real;
  PassTile tile;
  tile.offset = random.between(0, 8);
  std::vector<Loop> around{{&tile.lane_stride, most.lanes}, {&tile.inner_stride, most.inner}, {&tile.outer_stride, most.outer}};
  if (is_call(codelet.kind)) {
    tile.point_stride = 2;
  } else {
    around.push_back({&tile.point_stride, most.points});
  }
  const std::int64_t reals = nest(around, is_call(codelet.kind) ? 2 * most.points : 2, random);
  Arrays arrays(pass, input, reals + kPadding, random);
  const Buffers buffers = arrays.buffers(pass);
  const std::vector<std::byte> before = arrays.out.copy();
  codelet.run(pass.args, buffers, 0, most.outer);
  pass.clear_padding(arrays.out);
  const std::vector<std::byte> expected = arrays.out.copy();
  for (const PassVariable variable : pass.variables()) {
    if (codelet.kind == PassKind::kTwist && variable != PassVariable::kRows) continue;  // a tile has no blocks
    arrays.out.restore(before);
    PassArgs apart = pass.args, part = pass.args;
    for (const PassRange& range : pass.cut(variable, random, codelet.kind == PassKind::kTwist)) {
      slice_pass(apart, pass.args, pass.shape(), range);
      slice_pass(part, pass.args, pass.shape(), range);
      input ? redirect_in(part, tile) : redirect_out(part, tile);
      Extents here = most;
      (variable == PassVariable::kOuter   ? here.outer
       : variable == PassVariable::kInner ? here.inner
       : variable == PassVariable::kLanes ? here.lanes
                                          : here.points) = range.count;
      const auto fill = [&](std::int64_t at, std::int64_t to) { arrays.tile.set(to, arrays.in.get(at)); };
      const auto empty = [&](std::int64_t at, std::int64_t to) { arrays.out.set(at, arrays.tile.get(to)); };
      if (input) for_each_real(apart, part, true, has_im, here, arrays.in_half, fill);
      codelet.run(part, buffers, 0, part.axes[0].count);
      if (!input) for_each_real(apart, part, false, has_im, here, arrays.out_half, empty);
    }
    pass.clear_padding(arrays.out);
    ASSERT_TRUE(arrays.out.copy() == expected) << "slices along variable " << static_cast<int>(variable) << ", input at a tile: " << input;
  }
}

TEST(PassTiles, InPlaceOfTheInputOfSlicesChangeNoBit) {
  for_each_codelet([](const auto&... codelet) { check_tile(codelet..., true); });
}
TEST(PassTiles, InPlaceOfTheOutputOfSlicesChangeNoBit) {
  for_each_codelet([](const auto&... codelet) { check_tile(codelet..., false); });
}

}  // namespace
}  // namespace ulpfft::test
