// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/cost/cost_subjects.h"

#include <algorithm>

#include "codelets/contract/pass_rows.h"
#include "codelets/contract/sums_alone.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kInBytes = 64 << 20;
constexpr std::int64_t kOutBytes = 32 << 20;
constexpr std::int64_t kSlackBytes = 1 << 20;        // for the distances between planes and between panels
constexpr std::int64_t kApartBytes = 2048 + 192;
constexpr std::int64_t kWindowBytes = 512 << 10;
constexpr std::int64_t kAliasBytes = 4096;
constexpr std::int64_t kDenseRows = 4;               // chunks in a run of lanes
constexpr std::int64_t kColumns = 16;                // columns of a panel at least
constexpr std::int64_t kTwistColumns = 64;
constexpr std::int64_t kMostJumps = 1 << 14;         // rows of a gather at most

constexpr std::int64_t kSumsTableBytes = 128 << 10;  // beyond that of 61 x 8 points

constexpr std::int64_t kSizes[] = {16 << 10, 256 << 10, 4 << 20, 64 << 20};

std::int64_t round_down(std::int64_t value, std::int64_t to) { return std::max(to, value / to * to); }

// The row of column c: c with its digits reversed.
std::uint32_t reversed_row(std::int64_t c, std::int64_t columns) {
  std::int64_t row = 0;
  for (std::int64_t rest = columns; rest > 1;) {
    const std::int64_t radix = rest % 8 == 0 ? 8 : rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : rest;
    row = row * radix + c % radix;
    c /= radix;
    rest /= radix;
  }
  return static_cast<std::uint32_t>(row);
}

// The distance of the im of n points from their re, as in plans.
std::int64_t plane(std::int64_t n) {
  const std::int64_t reals = (n + 15) / 16 * 16 + 16;
  return reals % 1024 == 0 ? reals + 16 : reals;
}

}  // namespace

CostSubjects::CostSubjects(const CodeletTable& codelets)
    : codelets_(codelets), in_(kInBytes + kSlackBytes), out_(kOutBytes + kSlackBytes), sums_(kSumsTableBytes) {
  buffers_.slot[static_cast<int>(Slot::kIn)] = {in_.data(), in_.data()};
  // Loads wait for earlier stores at the same distance from a page. If both arrays began alike, their times would include that.
  char* const out = static_cast<char*>(out_.data()) + kApartBytes;
  buffers_.slot[static_cast<int>(Slot::kOut)] = {out, out};
}

const void* CostSubjects::zeros() const { return static_cast<const char*>(out_.data()) + kOutBytes / 2; }
const std::uint32_t* CostSubjects::paths() const {
  return reinterpret_cast<const std::uint32_t*>(static_cast<const char*>(out_.data()) + kOutBytes / 2 + kSlackBytes);
}

const void* CostSubjects::sums_table(const CodeletInfo& codelet) {
  const std::int64_t vector = lanes(codelet);
  if (codelet.compute == ComputeType::kF32) {
    std::fill_n(static_cast<float*>(sums_.data()) + vector, vector, static_cast<float>(codelet.body->radix));
  } else {
    std::fill_n(static_cast<double*>(sums_.data()) + vector, vector, static_cast<double>(codelet.body->radix));
  }
  return sums_.data();
}

CostSubject CostSubjects::sweep(const CodeletInfo& codelet, std::int64_t bytes) {
  Subject subject = twiddled(codelet, Cost::kL1, bytes);
  subject.windowed = false;
  subject.first = 0;
  subject.count = subject.args.axes[0].count;
  subject.chunks = static_cast<double>(subject.count * kDenseRows);
  return subject;
}

CostSubject CostSubjects::make(const CodeletInfo& codelet, Cost cost) {
  const std::int64_t bytes = kSizes[level_of(cost)];
  if (is_of_r2r_transform(codelet.kind)) return r2r_line(codelet, cost, bytes);
  switch (codelet.kind) {
    case PassKind::kWhole: case PassKind::kWholeTwo: case PassKind::kPacked: return whole(codelet, cost, bytes);
    case PassKind::kFirst: return first(codelet, cost, bytes);
    case PassKind::kTwiddled: return twiddled(codelet, cost, bytes);
    case PassKind::kColumns: return columns(codelet, cost, bytes);
    case PassKind::kColumnsTwiddled: return columns_twiddled(codelet, cost, bytes);
    case PassKind::kTwist: return twist(codelet, cost, bytes);
    case PassKind::kReal: return real_lines(codelet, cost, bytes);
    default: return line(codelet, cost, bytes);
  }
}

void CostSubjects::window(Subject& subject, std::int64_t bytes, double chunks_of_one) {
  if (bytes > kSizes[1]) {
    const std::int64_t windows = bytes / kWindowBytes;
    const std::int64_t part = std::max<std::int64_t>(1, subject.args.axes[0].count / windows);
    subject.first = std::min(turn_++ % windows * part, subject.args.axes[0].count - part);
    subject.count = part;
    subject.windowed = true;
  } else {
    subject.count = subject.args.axes[0].count;
  }
  subject.chunks = static_cast<double>(subject.count) * chunks_of_one;
}
std::int64_t CostSubjects::inner_window(Subject& subject, std::int64_t bytes, std::int64_t extent, std::int64_t multiple,
                                        std::int64_t& part) {
  part = extent;
  if (bytes <= kSizes[1]) return 0;
  const std::int64_t windows = bytes / kWindowBytes;
  part = std::min(extent, round_down(extent / windows, multiple));
  subject.windowed = true;
  return std::min(turn_++ % windows * part, (extent - part) / multiple * multiple);
}

CostSubject CostSubjects::whole(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  const bool two = codelet.second != nullptr;
  const bool call = cost == Cost::kCall;
  subject.exists = call || (level_of(cost) == static_cast<int>(cost));  // only the near levels exist
  const std::int64_t r1 = codelet.body->radix;
  const std::int64_t n = two ? r1 * codelet.second->radix : r1;
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  const bool tile = codelet.kind == PassKind::kWholeTwo;
  args.in.point_stride = tile ? 2 * codelet.second->radix : 2;
  args.out.point_stride = tile ? 2 * r1 : 2;
  args.in.lane_stride = args.out.lane_stride = tile ? 2 : 0;
  args.table = codelet.kind == PassKind::kPacked && is_of_sums(codelet.body->radix, !two) ? sums_table(codelet) : zeros();
  args.axes[0] = {call ? 1 : std::max<std::int64_t>(1, bytes / (4 * n * real(codelet))), 2 * n, 2 * n, 0};
  window(subject, bytes, 1);
  return subject;
}

// Rows, a complex one as long as n + 2 reals.
CostSubject CostSubjects::real_lines(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  const bool call = cost == Cost::kCall;
  subject.exists = call || (level_of(cost) == static_cast<int>(cost));
  const std::int64_t n = codelet.body->radix;
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  args.in.point_stride = has_complex_input(codelet.body->transform) ? 2 : 1;
  args.out.point_stride = has_complex_output(codelet.body->transform) ? 2 : 1;
  const std::int64_t count = std::min(bytes / (2 * n * real(codelet)), kOutBytes / ((n + 2) * real(codelet)));
  args.axes[0] = {call ? 1 : std::max<std::int64_t>(1, count), n + 2, n + 2, 0};
  window(subject, bytes, 1);
  return subject;
}

CostSubject CostSubjects::first(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  subject.exists = cost != Cost::kInterleaved && cost != Cost::kNatural;
  const std::int64_t w = lanes(codelet);
  const std::int64_t r = codelet.body->radix;
  const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
  if (partial && w == 1) subject.exists = false;
  if (!subject.exists) return subject;
  const std::int64_t row = 2 * w * vectors_of(r, static_cast<int>(w));
  const std::int64_t strided = cost == Cost::kStrided ? 2 : cost == Cost::kStridedFar ? kFarLaneBytes / (2 * real(codelet)) : 1;
  const std::int64_t alias = kAliasBytes / (2 * real(codelet));
  const bool rows = partial || cost == Cost::kRow;
  std::int64_t columns = std::min(bytes / ((2 * r + row) * real(codelet)), kOutBytes / (row * real(codelet)));
  if (cost == Cost::kCall || cost == Cost::kStridedFar || rows) {
    columns = w;
  } else if (is_far(cost)) {
    columns = round_down(columns, alias);
  } else {
    columns = round_down(columns, w);
    if (columns % alias == 0) columns -= w;
  }
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.in.point_stride = 2 * columns * strided;
  args.in.lane_stride = 2 * strided;
  args.out.slot = Slot::kOut;
  args.out.planar = true;
  args.out.lane_order = w > 1;
  args.out.im_offset = w;
  args.out.lane_stride = 2;
  args.out.point_stride = 2 * w;
  args.row_stride = row;
  std::int64_t part = columns;
  std::int64_t begin = 0;
  if (rows) {
    const std::int64_t count = std::max<std::int64_t>(1, bytes / ((2 * r + row) * real(codelet) * w));
    args.axes[0] = {count, 2 * columns * r, columns * row, 0};
    args.lanes = cost == Cost::kPartial ? 1 : cost == Cost::kPartialMost ? w - 1 : w;
    window(subject, bytes, 1);
  } else {
    begin = inner_window(subject, bytes, columns, w, part);
    args.in.offset = 2 * begin * strided;
    args.lanes = part;
    subject.chunks = static_cast<double>((part + w - 1) / w);
  }
  rows_.clear();
  const std::int64_t listed = (rows ? args.lanes : part);
  for (std::int64_t c0 = 0; c0 < listed; c0 += w) {
    for (int l = 0; l < w; ++l) {
      const std::int64_t c = c0 + index_of_lane(l, static_cast<int>(w), static_cast<int>(16 / real(codelet)));
      rows_.push_back(c < listed ? reversed_row(begin + c, columns) : static_cast<std::uint32_t>(columns - 1));
    }
  }
  args.rows = rows_.data();
  return subject;
}

CostSubject CostSubjects::twiddled(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  const std::int64_t w = lanes(codelet);
  const std::int64_t r = codelet.body->radix;
  const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
  if (partial && w == 1) subject.exists = false;
  if (!subject.exists) return subject;
  const std::int64_t unit = partial ? 1 : 2;
  std::int64_t l = kDenseRows * w;
  if (is_far(cost)) l = round_down(bytes / 2 / (2 * real(codelet) * r), kAliasBytes / (2 * real(codelet)));
  if (cost == Cost::kCall || cost == Cost::kRow || cost == Cost::kStridedFar) l = w;
  if (cost == Cost::kPartial) l = 1;
  if (cost == Cost::kPartialMost) l = w - 1;
  const bool to_out = cost == Cost::kInterleaved || cost == Cost::kNatural || cost == Cost::kStrided || cost == Cost::kStridedFar;
  const std::int64_t count = is_far(cost) || cost == Cost::kCall || cost == Cost::kStridedFar
                                 ? 1
                                 : std::max<std::int64_t>(1, bytes / ((to_out ? 4 : 2) * l * r * real(codelet)));
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.in.planar = true;
  args.in.lane_order = w > 1 && unit == 2 && cost != Cost::kNatural;
  args.in.im_offset = unit == 2 ? w : plane(l * r * count);
  args.in.lane_stride = unit;
  args.in.point_stride = l * unit;
  args.out = args.in;
  args.axes[0] = {count, l * r * unit, l * r * unit, 0};
  if (to_out) {
    const std::int64_t strided = cost == Cost::kStrided ? 2 : cost == Cost::kStridedFar ? kFarLaneBytes / (2 * real(codelet)) : 1;
    args.out = Edge();
    args.out.slot = Slot::kOut;
    args.out.point_stride = 2 * l * strided;
    args.out.lane_stride = 2 * strided;
    args.axes[0].out_stride = 2 * l * r * strided;
  }
  args.lanes = l;
  const std::int64_t values = static_cast<std::int64_t>(codelet.body->table.size());
  args.table = zeros();
  args.paths = paths();
  if (is_far(cost)) {
    std::int64_t part = 0;
    const std::int64_t begin = inner_window(subject, bytes, l, std::max<std::int64_t>(w, kPathGroup), part);
    args.in.offset = args.out.offset = begin * unit;
    args.lanes = part;
    // The table is as much of the other area as it would fill; paths repeat.
    args.table = static_cast<const char*>(out_.data()) + begin * values * real(codelet) % (kOutBytes - 2 * kWindowBytes) / 64 * 64;
    subject.chunks = static_cast<double>(part) / static_cast<double>(w);
    return subject;
  }
  window(subject, bytes, static_cast<double>((l + w - 1) / w));
  return subject;
}

CostSubject CostSubjects::columns(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  subject.exists = cost != Cost::kNatural && cost != Cost::kRow;
  const std::int64_t w = lanes(codelet);
  const std::int64_t r = codelet.body->radix;
  const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
  if (partial && w == 1) subject.exists = false;
  if (!subject.exists) return subject;
  const std::int64_t many = std::max<std::int64_t>(2 * w, kColumns);
  const std::int64_t strided = cost == Cost::kStrided ? 2 : 1;
  const std::int64_t pitch = is_far(cost) ? 2 * many : 2 * many + 2 * w;
  std::int64_t count = std::max<std::int64_t>(1, bytes / (2 * r * pitch * real(codelet)));
  if (is_far(cost)) count = round_down(count, std::max<std::int64_t>(1, kAliasBytes / (pitch * real(codelet))));
  if (cost == Cost::kCall) count = 1;
  if (cost == Cost::kStridedFar) count = std::max<std::int64_t>(1, kFarLaneBytes / (2 * r * real(codelet)));
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.in.point_stride = count * pitch * strided;
  args.in.lane_stride = 2 * strided;
  args.axes[0] = {count, pitch * strided, 0, 0};
  if (cost == Cost::kStridedFar) {  // each lane is a line of its own
    args.in.point_stride = 2 * count;
    args.in.lane_stride = kFarLaneBytes / real(codelet);
    args.axes[0].in_stride = 2;
  }
  args.lanes = cost == Cost::kPartial ? 1 : cost == Cost::kPartialMost ? w - 1 : cost == Cost::kCall ? w : many;
  args.out.slot = Slot::kOut;
  if (cost == Cost::kInterleaved) {
    args.out.point_stride = count * pitch;
    args.out.lane_stride = 2;
    args.axes[0].out_stride = pitch;
  } else {
    args.out.planar = true;
    args.out.im_offset = w;
    args.out.lane_stride = 2;
    args.out.point_stride = pitch;
    args.row_stride = r * pitch;
    rows_.clear();
    for (std::int64_t c = 0; c < count; ++c) rows_.push_back(reversed_row(c, count));
    args.rows = rows_.data();
  }
  window(subject, bytes, static_cast<double>((args.lanes + w - 1) / w));
  return subject;
}

CostSubject CostSubjects::columns_twiddled(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  subject.exists = cost != Cost::kNatural && cost != Cost::kRow;
  const std::int64_t w = lanes(codelet);
  const std::int64_t r = codelet.body->radix;
  const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
  if (partial && w == 1) subject.exists = false;
  if (!subject.exists) return subject;
  const bool to_out = partial || cost == Cost::kInterleaved || cost == Cost::kStrided || cost == Cost::kStridedFar;
  const std::int64_t many = std::max<std::int64_t>(2 * w, kColumns);
  const std::int64_t pitch = is_far(cost) ? 2 * many : 2 * many + 2 * w;
  const std::int64_t block = r * pitch * real(codelet);
  std::int64_t l = cost == Cost::kCall || level_of(cost) == 0 ? 1 : 4;
  if (is_far(cost)) l = round_down(bytes / block, std::max<std::int64_t>(1, kAliasBytes / (pitch * real(codelet))));
  if (cost == Cost::kStridedFar) l = std::max<std::int64_t>(1, kFarLaneBytes / (2 * r * real(codelet)));
  const bool once = is_far(cost) || cost == Cost::kCall || cost == Cost::kStridedFar;
  const std::int64_t count = once ? 1 : std::max<std::int64_t>(1, bytes / (l * block * (to_out ? 2 : 1)));
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.in.planar = true;
  args.in.im_offset = w;
  args.in.lane_stride = 2;
  args.in.point_stride = l * pitch;
  args.out = args.in;
  if (to_out) {
    const std::int64_t strided = cost == Cost::kStrided ? 2 : 1;
    args.out = Edge();
    args.out.slot = Slot::kOut;
    args.out.point_stride = l * pitch * strided;
    args.out.lane_stride = 2 * strided;
  }
  const std::int64_t out_pitch = cost == Cost::kStrided ? 2 * pitch : pitch;
  args.axes[0] = {count, l * r * pitch, l * r * out_pitch, 0};
  if (cost == Cost::kStridedFar) {  // each lane is a line of its own
    args.out.point_stride = 2 * l;
    args.out.lane_stride = kFarLaneBytes / real(codelet);
  }
  args.axes[1] = {l, pitch, cost == Cost::kStridedFar ? 2 : out_pitch, static_cast<std::int64_t>(codelet.body->table.size())};
  args.lanes = cost == Cost::kPartial ? 1 : cost == Cost::kPartialMost ? w - 1 : cost == Cost::kCall ? w : many;
  args.table = zeros();
  args.paths = paths();
  const double chunks = static_cast<double>((args.lanes + w - 1) / w);
  if (is_far(cost)) {
    std::int64_t part = 0;
    const std::int64_t begin = inner_window(subject, bytes, l, 1, part);
    args.in.offset = args.out.offset = begin * pitch;
    args.axes[1].count = part;
    subject.chunks = chunks * static_cast<double>(part);
    return subject;
  }
  window(subject, bytes, chunks * static_cast<double>(l));
  return subject;
}

// Twists one panel into a matrix of `bytes`.
CostSubject CostSubjects::twist(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  const std::int64_t w = lanes(codelet);
  const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
  const bool near = level_of(cost) == static_cast<int>(cost);
  subject.exists = near || cost == Cost::kInterleaved || (partial && w > 1);
  if (!subject.exists) return subject;
  const int level = level_of(cost);
  const std::int64_t rows = level == 0 ? 16 : 256;
  const std::int64_t column = 2 * rows * real(codelet);
  const std::int64_t panels = level < 2 ? 1 : std::min(bytes, kOutBytes / 2) / (column * kTwistColumns);
  const std::int64_t at = turn_++ % panels * kTwistColumns;
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.in.planar = true;
  args.in.im_offset = w;
  args.in.lane_stride = 2;
  args.in.point_stride = 2 * kTwistColumns + 2 * w;
  args.out.slot = Slot::kOut;
  args.lanes = cost == Cost::kPartial ? 1 : cost == Cost::kPartialMost ? w - 1 : kTwistColumns;
  args.twist = {rows, rows, 0, 16};
  if (cost == Cost::kInterleaved) {
    args.out.point_stride = 2 * kTwistColumns;
    args.out.lane_stride = 2;
  } else {
    const std::int64_t block = std::min(rows, kTwistColumns);
    args.twist.block = block;
    args.twist.block_stride = 2 * block * panels * kTwistColumns;
    args.out.point_stride = 2;
    args.out.lane_stride = 2 * block;
    args.out.offset = at * args.out.lane_stride;
  }
  args.table = zeros();
  subject.windowed = panels > 1;
  subject.chunks = static_cast<double>(rows * ((args.lanes + w - 1) / w));
  return subject;
}

// The ends of a pass between reals and numbers, or between half a line and a line, from point `begin` on.
void CostSubjects::place_moves(const PassRow& row, std::int64_t begin, std::int64_t strided, PassArgs& args) {
  const std::int64_t in_unit = row.in.real ? 1 : 2, out_unit = row.out.real ? 1 : 2;
  args.in.point_stride = in_unit * strided;
  args.in.offset = begin * args.in.point_stride;
  args.out.point_stride = out_unit;
  args.out.offset = begin * out_unit;
  if (is_in_rows(row.kind)) {
    constexpr std::int64_t kRow = 9;  // as many as fit a vector, of those that are common
    const std::int64_t points = std::max<std::int64_t>(1, (args.lanes / kRow - 1) | 1);
    args.lanes = kRow * points;
    args.row = kRow;
    (row.out.points == PassPoints::kRows ? args.out : args.in).point_stride = 2;
    args.row_stride = 2 * points;
  } else if (row.in.half) {
    args.lanes = (args.lanes - 1) | 1;  // odd
  }
}

// A pass between lines of adjacent reals.
CostSubject CostSubjects::r2r_line(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  const bool lines = cost == Cost::kRow;
  subject.exists = level_of(cost) == static_cast<int>(cost) || cost == Cost::kCall || (lines && lanes(codelet) > 1);
  if (!subject.exists) return subject;
  const std::int64_t w = lanes(codelet), reals = std::min(bytes / 2, kOutBytes / 4) / real(codelet);
  std::int64_t part = reals;
  const std::int64_t begin = inner_window(subject, bytes, reals, 64, part);
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.out.slot = Slot::kOut;
  args.in.point_stride = args.out.point_stride = 1;
  args.in.offset = args.out.offset = begin;
  if (row_of(codelet.kind).list == PassList::kPick) part = std::min(part, kMostJumps);
  args.lanes = cost == Cost::kCall || lines ? std::max<std::int64_t>(2, w) : round_down(part, 2);
  args.table = zeros();
  if (row_of(codelet.kind).list == PassList::kPick) {
    rows_.clear();
    for (std::int64_t j = 0; j < args.lanes; ++j) rows_.push_back(static_cast<std::uint32_t>(4 * (j * 2654435769 % args.lanes) + 1));
    args.rows = rows_.data();
  }
  subject.chunks = static_cast<double>(args.lanes) / static_cast<double>(w);
  if (lines) line_after_line(w, reals / w, subject);
  return subject;
}

// A pass along one line. Rows of gather and scatter jump about in the whole line.
CostSubject CostSubjects::line(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
  Subject subject;
  const std::int64_t w = lanes(codelet);
  const PassRow& row = row_of(codelet.kind);
  const bool multiplies = row.table == PassTable::kNumbers, converts = is_conversion(codelet.kind);
  const bool real_transform = row.loops == PassLoops::kRealLine, in_place = row.places != PassPlaces::kApart;
  const bool near = level_of(cost) == static_cast<int>(cost);
  const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
  const bool lines = cost == Cost::kRow;
  subject.exists = near || cost == Cost::kCall || (cost == Cost::kStrided && (multiplies || converts || real_transform)) ||
                    (partial && multiplies && w > 1) || (lines && real_transform && w > 1);
  if (!subject.exists) return subject;
  const std::int64_t strided = cost == Cost::kStrided ? 2 : 1;
  const std::int64_t points = std::min(bytes / (converts ? 24 : 4 * real(codelet)), kOutBytes / 16);
  std::int64_t part = points;
  const std::int64_t begin = inner_window(subject, bytes, points, 64, part);
  PassArgs& args = subject.args;
  args.in.slot = Slot::kIn;
  args.in.point_stride = 2 * strided;
  args.out = args.in;
  args.lanes = cost == Cost::kPartial ? 1 : cost == Cost::kPartialMost ? w - 1 : cost == Cost::kCall || lines ? w : part;
  if (in_place) {
    args.in.offset = args.out.offset = 2 * begin * strided;
    args.table = static_cast<const char*>(out_.data()) + 2 * begin * real(codelet) % (kOutBytes - kWindowBytes);
    // One number more lies behind them.
    if (row.in.points != row.out.points || row.places == PassPlaces::kOne) args.lanes = std::max<std::int64_t>(1, args.lanes - 1);
  } else {
    args.out.slot = Slot::kOut;
    args.out.point_stride = 2;
    if (real_transform) {
      place_moves(row, begin, strided, args);
    } else if (!converts) {
      rows_.clear();
      const std::int64_t many = std::min(args.lanes, kMostJumps);
      // The factor is 2^32 over the golden mean, which sends neighbours far apart.
      for (std::int64_t j = 0; j < many; ++j) {
        const std::uint64_t jump = static_cast<std::uint64_t>(begin + j) * 2654435769u & 0xffffffffu;
        rows_.push_back(static_cast<std::uint32_t>(jump * static_cast<std::uint64_t>(points) >> 32));
      }
      args.rows = rows_.data();
      args.lanes = many;
      (row.list == PassList::kIn ? args.out : args.in).offset = 2 * begin;
    } else {
      // A number of the wider storage takes the place of two of the narrower.
      args.in.offset = args.out.offset = 2 * begin * strided;
    }
  }
  subject.chunks = partial ? 1 : static_cast<double>(args.lanes) / static_cast<double>(w);
  if (lines) line_after_line(2 * w + 2, points / (w + 1), subject);
  return subject;
}

// Short lines, so many reals apart at either end.
void CostSubjects::line_after_line(std::int64_t pitch, std::int64_t count, CostSubject& subject) {
  subject.args.axes[0] = {count, pitch, pitch, 0};
  subject.count = count;
  subject.chunks = static_cast<double>(count);
}

}  // namespace ulpfft
