// Times every codelet in loops like those of a plan, on zeros (times do not depend on values).
//
// What fits L1 or L2 is swept again and again; of larger working sets a window that moves on with every call is swept, so that each
// visit finds its data where a sweep over everything would.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "planner/buffer.h"
#include "planner/cost_table.h"
#include "planner/plan_builder.h"

namespace ulpfft {
namespace {

constexpr double kBatchSeconds = 15e-6;
constexpr std::size_t kWarming = 32;
constexpr std::int64_t kMostRepeats = 1 << 12;
constexpr int kMostRounds = 7;
constexpr std::int64_t kInBytes = 64 << 20;
constexpr std::int64_t kOutBytes = 32 << 20;
constexpr std::int64_t kSlackBytes = 1 << 20;   // planes beside planes, panels beside panels
constexpr std::int64_t kApartBytes = 2048 + 192;
constexpr std::int64_t kWindowBytes = 512 << 10;
constexpr std::int64_t kAliasBytes = 4096;
constexpr std::int64_t kFarLaneBytes = 8192;
constexpr std::int64_t kDenseRows = 4;          // chunks in a run of lanes
constexpr std::int64_t kColumns = 16;           // in a panel, at least

constexpr std::int64_t kSizes[] = {16 << 10, 256 << 10, 4 << 20, 64 << 20};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// What one timed call does.
struct Subject {
  PassArgs args;
  std::int64_t first = 0;   // slice of axes[0]
  std::int64_t count = 1;
  double chunks = 1;
  bool windowed = false;
  bool exists = true;
};

std::int64_t round_down(std::int64_t value, std::int64_t to) { return std::max(to, value / to * to); }

// The row of column c, its digits reversed.
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

// Where the im of n points lies after their re, as in plans.
std::int64_t plane(std::int64_t n) {
  const std::int64_t reals = (n + 15) / 16 * 16 + 16;
  return reals % 1024 == 0 ? reals + 16 : reals;
}

bool is_far(Cost cost) { return cost == Cost::kFarL2 || cost == Cost::kFarL3 || cost == Cost::kFarMemory; }
int level_of(Cost cost) {
  switch (cost) {
    case Cost::kL2: case Cost::kFarL2: return 1;
    case Cost::kL3: case Cost::kFarL3: return 2;
    case Cost::kMemory: case Cost::kFarMemory: return 3;
    default: return 0;
  }
}

}  // namespace

class CostMeasurement {
 public:
  CostMeasurement(const CodeletTable& codelets, double seconds, const Clock& clock)
      : codelets_(codelets), clock_(clock), begin_(clock()), seconds_(seconds), in_(kInBytes + kSlackBytes), out_(kOutBytes + kSlackBytes) {
    buffers_.slot[static_cast<int>(Slot::kIn)] = {in_.data(), in_.data()};
    // Loads wait for earlier stores at the same distance from a page: arrays that begin alike would time that.
    char* const out = static_cast<char*>(out_.data()) + kApartBytes;
    buffers_.slot[static_cast<int>(Slot::kOut)] = {out, out};
  }

  CostTable run() {
    std::vector<const CodeletInfo*> subjects;
    for (const CodeletInfo& codelet : codelets_.codelets) {
      const bool timed = has_body(codelet.kind) && (codelet.compute == ComputeType::kF32 || codelet.compute == ComputeType::kF64);
      if (timed) subjects.push_back(&codelet);
    }
    CostTable table;
    table.costs_.resize(codelets_.codelets.size());
    table.is_own_.resize(codelets_.codelets.size(), 0);
    // Rounds outermost, so that a slow phase of the machine falls on one sample of everything; level by level inside, so that what one
    // codelet leaves in the caches is what the next one expects.
    std::array<std::vector<double>, kSweeps> sweeps;
    std::vector<std::vector<double>> samples(kCosts * subjects.size());
    int rounds = 0;
    for (; rounds < kMostRounds; ++rounds) {
      const double start = clock_();
      bool whole = sweep(sweeps);
      for (std::size_t c = 0; c < kCosts && whole; ++c) whole = level(static_cast<Cost>(c), subjects, &samples[c * subjects.size()]);
      if (!whole) break;
      if (clock_() + (clock_() - start) - begin_ > seconds_) {
        ++rounds;
        break;
      }
    }
    if (rounds == 0) {  // not even once
      table.complete(codelets_);
      return table;
    }
    // From the largest down: no working set is slower than a larger one.
    for (std::size_t i = kSweeps; i-- > 0;) {
      const float ns = static_cast<float>(median(sweeps[i]));
      table.machine_.sweep[i] = i + 1 < kSweeps ? std::min(ns, table.machine_.sweep[i + 1]) : ns;
    }
    table.machine_.sweep_bytes = static_cast<float>(4 * codelets_.lanes_f32 * 2 * 4);
    std::vector<std::vector<double>> ns(kCosts, std::vector<double>(subjects.size(), 0.0));
    for (std::size_t c = 0; c < kCosts; ++c) {
      for (std::size_t i = 0; i < subjects.size(); ++i) {
        std::vector<double>& values = samples[c * subjects.size() + i];
        if (!values.empty()) ns[c][i] = median(values);
      }
    }
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const std::size_t place = static_cast<std::size_t>(subjects[i] - codelets_.codelets.data());
      const auto at = [&](Cost cost) { return ns[static_cast<std::size_t>(cost)][i]; };
      // A sweep so short that its ends show can seem slower than one of L2.
      const double l1 = std::min(at(Cost::kL1), at(Cost::kL2));
      if (!(l1 > 0)) continue;
      for (std::size_t c = 0; c < kCosts; ++c) {
        const Cost cost = static_cast<Cost>(c);
        double value = cost == Cost::kL1 ? l1 : at(cost);
        if (cost == Cost::kRow || cost == Cost::kCall) {
          value = std::max(0.0, value - l1);
        } else if (value <= 0) {
          value = is_far(cost) ? at(static_cast<Cost>(level_of(cost))) : l1;  // a case that this kind does not have
        }
        table.costs_[place].ns[c] = static_cast<float>(value);
      }
      table.is_own_[place] = 1;
      table.measured_ = true;
    }
    table.complete(codelets_);
    return table;
  }

 private:
  std::int64_t lanes(const CodeletInfo& codelet) const { return codelet.compute == ComputeType::kF32 ? codelets_.lanes_f32 : codelets_.lanes_f64; }

  bool late() const { return clock_() - begin_ > seconds_; }

  void execute(const CodeletInfo& codelet, const Subject& subject) const { codelet.run(subject.args, buffers_, subject.first, subject.count); }

  double time(const CodeletInfo& codelet, const Subject& subject, std::int64_t repeats) const {
    const double start = clock_();
    for (std::int64_t i = 0; i < repeats; ++i) execute(codelet, subject);
    return (clock_() - start) / static_cast<double>(repeats);
  }

  // Of one call; batches are long enough that reading the clock does not show.
  double time_batch(const CodeletInfo& codelet, const Subject& subject) const {
    std::int64_t repeats = 1;
    execute(codelet, subject);  // brings data and code nearer
    double seconds = time(codelet, subject, repeats);
    while (static_cast<double>(repeats) * seconds < 0.5 * kBatchSeconds && repeats < kMostRepeats) {
      const double factor = seconds > 0 ? kBatchSeconds / (static_cast<double>(repeats) * seconds) : 16;
      repeats = std::min(kMostRepeats, 1 + static_cast<std::int64_t>(static_cast<double>(repeats) * std::min(factor, 16.0)));
      seconds = time(codelet, subject, repeats);
    }
    return seconds;
  }

  // Adds ns of a chunk to the samples of each subject that has such a case. False when time ran out.
  bool level(Cost cost, const std::vector<const CodeletInfo*>& subjects, std::vector<double>* samples) {
    // The windows must have been where the level says before the first one is timed.
    const std::size_t warming = level_of(cost) == 2 ? std::min(subjects.size(), kWarming) : 0;
    for (std::size_t i = 0; i < warming; ++i) {
      const Subject subject = make(*subjects[i], cost);
      if (subject.exists) execute(*subjects[i], subject);
    }
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (late()) return false;
      const Subject subject = make(*subjects[i], cost);
      if (!subject.exists) continue;
      const double seconds = subject.windowed ? time(*subjects[i], subject, 1) : time_batch(*subjects[i], subject);
      samples[i].push_back(1e9 * seconds / subject.chunks);
    }
    return true;
  }

  // The light pass whose sweeps tell the levels of the machine apart.
  bool sweep(std::array<std::vector<double>, kSweeps>& samples) {
    const CodeletInfo* light = find_codelet(codelets_, PassKind::kTwiddled, ComputeType::kF32, 4, TwiddleForm::kStandard);
    if (light == nullptr) return false;
    for (std::size_t i = 0; i < kSweeps; ++i) {
      if (late()) return false;
      Subject subject = twiddled(*light, Cost::kL1, std::int64_t{1} << (kFirstSweep + static_cast<int>(i)));
      subject.first = 0;
      subject.count = subject.args.axes[0].count;
      subject.chunks = static_cast<double>(subject.count * kDenseRows);
      samples[i].push_back(1e9 * time_batch(*light, subject) / subject.chunks);
    }
    return true;
  }

  Subject make(const CodeletInfo& codelet, Cost cost) {
    const std::int64_t bytes = kSizes[level_of(cost)];
    switch (codelet.kind) {
      case PassKind::kWhole: case PassKind::kWholeTwo: return whole(codelet, cost, bytes);
      case PassKind::kFirst: return first(codelet, cost, bytes);
      case PassKind::kTwiddled: return twiddled(codelet, cost, bytes);
      case PassKind::kColumns: return columns(codelet, cost, bytes);
      default: return columns_twiddled(codelet, cost, bytes);
    }
  }

  // Cuts a slice of axes[0] out of large working sets.
  void window(Subject& subject, std::int64_t bytes, double chunks_of_one) {
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
  // The same of `extent` lanes or rows that are not axes[0]: returns the first of `part`.
  std::int64_t inner_window(Subject& subject, std::int64_t bytes, std::int64_t extent, std::int64_t multiple, std::int64_t& part) {
    part = extent;
    if (bytes <= kSizes[1]) return 0;
    const std::int64_t windows = bytes / kWindowBytes;
    part = std::min(extent, round_down(extent / windows, multiple));
    subject.windowed = true;
    return std::min(turn_++ % windows * part, (extent - part) / multiple * multiple);
  }

  Subject whole(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
    Subject subject;
    const bool two = codelet.kind == PassKind::kWholeTwo;
    const bool call = cost == Cost::kCall;
    subject.exists = call || (level_of(cost) == static_cast<int>(cost));  // the near levels
    const std::int64_t r1 = codelet.body->radix;
    const std::int64_t n = two ? r1 * codelet.second->radix : r1;
    PassArgs& args = subject.args;
    args.in.slot = Slot::kIn;
    args.out.slot = Slot::kOut;
    args.in.point_stride = two ? 2 * codelet.second->radix : 2;
    args.out.point_stride = two ? 2 * r1 : 2;
    args.in.lane_stride = args.out.lane_stride = two ? 2 : 0;
    args.table = zeros();
    args.axes[0] = {call ? 1 : std::max<std::int64_t>(1, bytes / (4 * n * real(codelet))), 2 * n, 2 * n, 0};
    window(subject, bytes, 1);
    return subject;
  }

  Subject first(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
    Subject subject;
    subject.exists = cost != Cost::kInterleaved && cost != Cost::kNatural;
    const std::int64_t w = lanes(codelet);
    const std::int64_t r = codelet.body->radix;
    const bool partial = cost == Cost::kPartial || cost == Cost::kPartialMost;
    if (partial && w == 1) subject.exists = false;
    if (!subject.exists) return subject;
    const bool blocks = r % w == 0 && !partial;
    const std::int64_t unit = blocks ? 2 : 1;
    const std::int64_t strided = cost == Cost::kStrided ? 2 : cost == Cost::kStridedFar ? kFarLaneBytes / (2 * real(codelet)) : 1;
    const std::int64_t alias = kAliasBytes / (2 * real(codelet));
    const bool rows = partial || cost == Cost::kRow;
    std::int64_t columns = bytes / (4 * real(codelet) * r);
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
    args.out.lane_order = blocks && w > 1;
    args.out.im_offset = blocks ? w : plane(columns * r);
    args.out.lane_stride = unit;
    args.out.point_stride = w * unit;
    args.row_stride = r * unit;
    std::int64_t part = columns;
    std::int64_t begin = 0;
    if (rows) {
      const std::int64_t count = std::max<std::int64_t>(1, bytes / (4 * real(codelet) * r * w));
      args.axes[0] = {count, 2 * columns * r, 2 * columns * r, 0};
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
        const std::int64_t c = c0 + column_of_lane(l, static_cast<int>(w));
        rows_.push_back(c < listed ? reversed_row(begin + c, columns) : kNoRow);
      }
    }
    args.rows = rows_.data();
    return subject;
  }

  Subject twiddled(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
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
      // Of the other area as much as the table would fill; paths repeat.
      args.table = static_cast<const char*>(out_.data()) + begin * values * real(codelet) % (kOutBytes - 2 * kWindowBytes) / 64 * 64;
      subject.chunks = static_cast<double>(part) / static_cast<double>(w);
      return subject;
    }
    window(subject, bytes, static_cast<double>((l + w - 1) / w));
    return subject;
  }

  Subject columns(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
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
    if (cost == Cost::kStridedFar) {  // lines of one lane each
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

  Subject columns_twiddled(const CodeletInfo& codelet, Cost cost, std::int64_t bytes) {
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
    if (cost == Cost::kStridedFar) {  // lines of one lane each
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

  static std::int64_t real(const CodeletInfo& codelet) { return codelet.compute == ComputeType::kF32 ? 4 : 8; }
  // Twiddles of a short pass, and its paths: cosine everywhere.
  const void* zeros() const { return static_cast<const char*>(out_.data()) + kOutBytes / 2; }
  const std::uint32_t* paths() const { return reinterpret_cast<const std::uint32_t*>(static_cast<const char*>(out_.data()) + kOutBytes / 2 + kSlackBytes); }

  const CodeletTable& codelets_;
  const Clock& clock_;
  double begin_;
  double seconds_;
  AlignedBuffer in_, out_;
  Buffers buffers_{};
  std::vector<std::uint32_t> rows_;
  std::int64_t turn_ = 0;
};

CostTable CostTable::measure(const CodeletTable& codelets, double seconds, const Clock& clock) {
  return CostMeasurement(codelets, seconds, clock).run();
}

}  // namespace ulpfft
