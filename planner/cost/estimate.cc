// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/cost/estimate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codelets/contract/pass_rows.h"
#include "planner/backend/backend.h"
#include "planner/cost/cost_model.h"
#include "planner/table/find_codelet.h"

namespace ulpfft {
namespace {

constexpr double kExecutionNs = 8;     // what run_all() does before the first pass and after the last
constexpr double kLevelDoublings = 4;  // between two levels of a row
// Shares of what memory costs that remain, of the sweeps of 2^24 points: where stores go past the caches, 5.4 -> 2.1 ms; where the input is
// fetched ahead, 7.7 -> 5.0 ms (panels) and 13 -> 6 ms (batches).
constexpr double kStreamed = 0.4;
constexpr double kFetched = 0.6;
constexpr double kOverlapped = 0.1;  // of both, where one call computes transform after transform: 25 -> 0 ms (f64, n = 256)
constexpr double kInRegisters = 0.2;  // the same in registers: 0.14 to 0.25 of 14 to 22 ms (f32, AVX-512, n = 64 .. 512)
constexpr double kInOrder = 0.35;  // of a gather by rows, where whole vectors move: 0.3 to 0.45 (Zen 4, 64 to 1024 points)
constexpr double kFarBytes = 1e12;

// log2 made of exact steps: equal on every machine.
double doublings(double bytes) {
  int exponent = 0;
  const double mantissa = std::frexp(bytes, &exponent);  // in [0.5, 1)
  return exponent - 1 + (2 * mantissa - 1);
}

// Where a working set lies between the levels: position in the sweeps of the machine, and shares of two neighbouring levels.
class Levels {
 public:
  explicit Levels(const MachineCost& machine) : machine_(machine) {}

  // ns of the light pass.
  double sweep(double bytes) const {
    const double at = std::clamp(doublings(std::max(1.0, bytes)) - kFirstSweep, 0.0, static_cast<double>(kSweeps - 1));
    const std::size_t low = std::min(static_cast<std::size_t>(at), kSweeps - 2);
    const double begin = static_cast<double>(machine_.sweep[low]);
    return begin + (at - static_cast<double>(low)) * (static_cast<double>(machine_.sweep[low + 1]) - begin);
  }

  // ns a chunk takes longer than in L1; `far`: how much its points meet in few cache sets, 0..1.
  double beyond_l1(const CodeletCost& cost, double bytes, double far) const {
    if (far > 0) return (1 - far) * beyond_l1(cost, bytes, false) + far * beyond_l1(cost, bytes, true);
    return beyond_l1(cost, bytes, false);
  }

 private:
  // Between the levels of its row a pass grows as the light pass does.
  double beyond_l1(const CodeletCost& cost, double bytes, bool far) const {
    const double levels[4] = {cost[Cost::kL1], cost[far ? Cost::kFarL2 : Cost::kL2], cost[far ? Cost::kFarL3 : Cost::kL3],
                              cost[far ? Cost::kFarMemory : Cost::kMemory]};
    const double at = (doublings(std::max(1.0, bytes)) - kFirstSweep) / kLevelDoublings;
    if (at <= 0) return 0;
    const std::size_t low = std::min<std::size_t>(static_cast<std::size_t>(at), 2);
    const double begin = static_cast<double>(machine_.sweep[4 * low]);
    const double end = static_cast<double>(machine_.sweep[4 * low + 4]);
    double share = std::min(1.0, at - static_cast<double>(low));
    if (end > 1.05 * begin) share = std::clamp((sweep(bytes) - begin) / (end - begin), 0.0, 1.0);
    return std::max(0.0, levels[low] + share * (levels[low + 1] - levels[low]) - levels[0]);
  }

  const MachineCost& machine_;
};

bool is_user(ArrayId array) { return array == ArrayId::kIn || array == ArrayId::kOut; }
bool has_adjacent_lanes(const View& edge) { return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.lane_stride == 2; }
bool has_adjacent_numbers(const View& edge) { return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.point_stride == 2; }
bool has_planes(const View& edge) { return edge.layout == Layout::kPaired && edge.point_stride == 1 && !edge.planar && !edge.swap; }

// Addresses at multiples of 4 KiB meet in one set of L1, at 2 KiB in two, ...: how much of that a stride has, 0..1.
double meeting(std::int64_t stride, double real) {
  const double bytes = std::abs(static_cast<double>(stride)) * real;
  return bytes >= 1024 && std::fmod(bytes, 1024) == 0 ? std::min(1.0, bytes / static_cast<double>(kFarLaneBytes)) : 0.0;
}

// Whether a gather or scatter joins parts that lie apart, or the other way, in order.
bool moves_in_order(const Pass& pass) {
  const PassKind kind = pass.codelet->kind;
  const auto dense = [](const View& view) { return view.wrap == 0 && view.point_stride == (view.layout == Layout::kSplit ? 1 : 2); };
  return (kind == PassKind::kGather || kind == PassKind::kScatter) && pass.rows < 0 && pass.args.in.layout != pass.args.out.layout &&
         dense(pass.args.in) && dense(pass.args.out);
}

// What a pass does to memory, from its use and its ends.
struct Traffic {
  const PassUse& use;
  const Operands& args;
  bool staged = false;
  double in_bytes = 0;        // everything an execution reads at this edge before it comes back to the same place
  double out_bytes = 0;
  bool in_place = false;      // both ends are the same lines
  bool in_images = false;     // one of the passes that a pass over images stands for
  bool in_order = false;      // a gather or scatter without rows
};

struct PassEnds {
  bool interleaved = false;   // lanes go out as adjacent complex numbers
  bool natural = false;       // from lanes in index order
  double tiles = 0;           // how many ends go through a tile
  double far_tiles = 0;       // of those, with lanes that meet in few cache sets
};

bool is_later(const PassRow& row) { return row.loops == PassLoops::kStage && row.in.planar == PassPlanes::kAlways; }

// `staged`: a narrow end is converted slice by slice.
PassEnds ends_of(const CodeletInfo& codelet, const Operands& args, bool staged, double real) {
  PassEnds ends;
  bool tile_in = false;
  bool tile_out = false;
  const PassRow& row = row_of(codelet.kind);
  const bool in_lanes = has_adjacent_lanes(args.in), plain = args.scale == 1.0;
  const bool in_points = row.in.real ? args.in.point_stride == 1 : has_adjacent_numbers(args.in);
  const bool out_points = row.out.real ? args.out.point_stride == 1 : has_adjacent_numbers(args.out);
  const bool from_points = in_points && !args.in.swap, to_points = out_points && !args.out.swap;
  if (row.loops == PassLoops::kPanel) {
    ends.interleaved = args.out.lane_stride == 2;
  } else if (is_later(row)) {
    ends.interleaved = !args.out.planar;
    ends.natural = row.table == PassTable::kLaneValues && !args.in.lane_order;
  } else if (row.loops == PassLoops::kStage) {
    const bool is_first = row.out.planar == PassPlanes::kAlways;
    tile_in = !in_lanes || (!is_first && (args.in.swap || !plain));
    ends.interleaved = !is_first && !args.out.planar;
  } else if (row.table == PassTable::kNumbers) {
    // Dense numbers are scaled, and their parts exchanged, in whole vectors.
    const bool pairs = in_points && out_points && args.in.wrap == 0 && args.out.wrap == 0;
    if (!pairs && (has_planes(args.in) ? !to_points : !from_points || !has_planes(args.out))) {
      tile_in = !(args.in.planar || from_points) || !plain;
      tile_out = !to_points;
    }
  } else if (is_conversion(row.kind)) {
    tile_in = staged || !from_points || !to_points || !plain;
  } else if (row.loops == PassLoops::kRealLine) {
    tile_in = !in_points;
    tile_out = is_in_rows(row.kind) ? args.out.point_stride != 2 || std::abs(args.out.im_offset) != 1  // re and im may be exchanged
                                    : !out_points;
    if (row.table == PassTable::kNone) {  // moves: both by way of one
      tile_in = tile_in || tile_out;
      tile_out = false;
    }
  }
  if (has_body(codelet.kind)) tile_out = ends.interleaved && !has_adjacent_lanes(args.out);
  ends.tiles = (tile_in ? 1 : 0) + (tile_out ? 1 : 0);
  if (has_body(codelet.kind)) {
    ends.far_tiles = (tile_in ? meeting(args.in.lane_stride, real) : 0) + (tile_out ? meeting(args.out.lane_stride, real) : 0);
  }
  return ends;
}

// Rows of kReal are of lines that are transposed.
bool has_columns_of_reals(const Operands& args) {
  const bool one_loop = args.axes[1].count == 1 && args.lanes == 1;
  const std::int64_t in = one_loop ? args.axes[0].in_stride : args.in.lane_stride;
  const std::int64_t out = one_loop ? args.axes[0].out_stride : args.out.lane_stride;
  return in == 1 && out == 1 && args.scale == 1.0 && !args.in.swap && !args.out.swap;
}

class Estimate {
 public:
  Estimate(const Program& plan, const CodeletTable& codelets, const CostTable& costs)
      : plan_(plan), codelets_(codelets), costs_(costs), levels_(costs.machine()), real_(static_cast<double>(real_bytes(plan.compute))) {
    lanes_ = plan.compute == ComputeType::kF32 ? codelets.lanes_f32 : plan.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  }

  double seconds() {
    double ns = is_one_pass() ? 0 : kExecutionNs;
    const std::vector<Traffic> passes = traffic();
    for (const Traffic& pass : passes) ns += pass_ns(pass) + conversion_ns(pass.use);
    return 1e-9 * ns;
  }

 private:
  std::size_t slot_of(ArrayId array) const { return static_cast<std::size_t>(placed(plan_, array).slot); }

  // Which begins as one call.
  bool is_one_pass() const {
    const auto has_loop = [](const Item& item) { return item.loop() != nullptr; };
    return plan_.passes.size() == 1 && std::none_of(plan_.body.begin(), plan_.body.end(), has_loop);
  }

  // Of coded ends, from and to L1: as conversions between the wide formats take.
  double conversion_ns(const PassUse& use) const {
    double ns = 0;
    for (const auto& [bits, kind] : {std::pair{use.in_bits, PassKind::kDecode}, std::pair{use.out_bits, PassKind::kEncode}}) {
      const CodeletInfo* codelet = bits > 0 ? find_codelet(codelets_, kind, plan_.compute, 1, TwiddleForm::kNone) : nullptr;
      const CodeletCost* cost = codelet != nullptr ? costs_.find(*codelet) : nullptr;
      if (cost != nullptr) ns += points_of(use) / lanes_ * (*cost)[Cost::kL1] * use.conversion;
    }
    return ns;
  }

  static double points_of(const PassUse& use) {
    return static_cast<double>(use.butterflies) * use.codelet->body->radix *
           (use.codelet->second != nullptr ? use.codelet->second->radix : 1);
  }

  // An edge covers what one call does, times the loops that move it.
  std::vector<Traffic> traffic() {
    std::vector<Traffic> passes;
    passes.reserve(plan_.passes.size());
    double user_in = 0;
    double user_out = 0;
    std::vector<const Loop*> around;
    visit_passes(plan_.body, around, [&](const Pass& step, const std::vector<const Loop*>& loops) {
      Traffic pass{plan_.passes[step.use], step.args, std::holds_alternative<StagedPass>(step.op)};
      pass.in_order = moves_in_order(step);
      const double reals = pass.use.codelet->kind == PassKind::kReal ? 1 : 2;  // of a point
      pass.in_bytes = pass.out_bytes = reals * real_ * points_of(pass.use) / static_cast<double>(pass.use.calls);
      if (pass.use.user_bits > 0) (is_user(step.args.in.array) ? pass.in_bytes : pass.out_bytes) *= pass.use.user_bits / (8 * real_);
      for (const Loop* loop : loops) {
        const auto moves = [&](ArrayId array, double bits) {
          const auto moves_it = [array](const auto& move) { return move.array == array && move.by != 0; };
          return std::any_of(loop->moves.begin(), loop->moves.end(), moves_it) || (loop->numbered && bits > 0);
        };
        if (moves(step.args.in.array, pass.use.in_bits)) pass.in_bytes *= static_cast<double>(loop->count);
        if (moves(step.args.out.array, pass.use.out_bits)) pass.out_bytes *= static_cast<double>(loop->count);
      }
      if (pass.use.in_bits > 0) pass.in_bytes *= pass.use.in_bits / (8 * real_);
      if (pass.use.out_bits > 0) pass.out_bytes *= pass.use.out_bits / (8 * real_);
      pass.in_place = step.args.in.array == step.args.out.array && step.args.in.offset == step.args.out.offset;
      pass.in_images = std::any_of(loops.begin(), loops.end(), [](const Loop* loop) { return loop->images != nullptr; });
      if (step.args.ahead.fetches) fetched_[slot_of(step.args.ahead.array)] = true;
      if (is_user(step.args.in.array)) user_in = std::max(user_in, pass.in_bytes);
      if (is_user(step.args.out.array)) user_out = std::max(user_out, pass.out_bytes);
      passes.push_back(pass);
    });
    arrays_ = user_in + user_out;
    return passes;
  }

  // ns a chunk takes longer than in L1.
  double beyond_l1(const CodeletCost& cost, const Traffic& pass) {
    const CodeletInfo& codelet = *pass.use.codelet;
    const double far = has_body(codelet.kind) ? meeting(pass.args.in.point_stride, real_) : 0;
    const bool later = is_later(row_of(codelet.kind));
    // Passes on their way through a block find it where the pass before left it.
    double own = pass.use.working_set;
    if (codelet.kind == PassKind::kTwiddled)
      own += static_cast<double>(pass.use.lanes) * static_cast<double>(codelet.body->table.size()) * real_;
    double in = std::max(own, later ? left_ : pass.in_bytes);
    double out = std::max(own, later && pass.in_place ? left_ : pass.out_bytes);
    if (is_user(pass.args.in.array)) in = std::max(in, arrays_);
    // Where the output serves as work array, the first pass brings it near and the last finds it there.
    const bool brings = plan_.work_may_be_out && !later && slot_of(pass.args.out.array) == static_cast<std::size_t>(Slot::kWork0);
    const bool finds = plan_.work_may_be_out && later;
    if (brings || (is_user(pass.args.out.array) && !finds)) out = std::max(out, arrays_);
    if (finds && is_user(pass.args.out.array)) out = std::max(own, left_);
    left_ = pass.in_place ? pass.use.working_set : pass.out_bytes;
    // What a twist reads is a panel, which its row has in L2 already.
    const bool streamed = pass.args.out.non_temporal;
    if (row_of(codelet.kind).loops == PassLoops::kPanel)
      return streamed ? kStreamed * levels_.beyond_l1(cost, kFarBytes, 0.0) : levels_.beyond_l1(cost, out, 0.0);
    if (codelet.kind == PassKind::kWholeTwo && streamed) return kOverlapped * levels_.beyond_l1(cost, kFarBytes, 0.0);
    if (codelet.kind == PassKind::kPacked && streamed) return kInRegisters * levels_.beyond_l1(cost, kFarBytes, 0.0);
    if (pass.in_place) return levels_.beyond_l1(cost, std::max(in, out), far);
    const bool fetched = !later && fetched_[slot_of(pass.args.in.array)];
    const double reads = (fetched ? kFetched : 1.0) * levels_.beyond_l1(cost, in, fetched ? 0.0 : far);
    const double writes = streamed ? kStreamed * levels_.beyond_l1(cost, kFarBytes, 0.0) : levels_.beyond_l1(cost, out, far);
    return 0.5 * (reads + writes);
  }

  double pass_ns(const Traffic& pass) {
    const CodeletInfo& codelet = *pass.use.codelet;
    CodeletCost modelled;
    const CodeletCost* found = is_rounded(codelet.compute) ? nullptr : costs_.find(codelet);  // those have no rows
    if (found == nullptr) {
      modelled = modelled_cost(codelet, codelets_);
      found = &modelled;
    }
    const CodeletCost& cost = *found;
    const double beyond = beyond_l1(cost, pass);
    // The call of a pair is that of its transform.
    const bool called = plan_.entry_point != EntryPoint::kPair || !is_of_real_transform(codelet.kind);
    const double calls = called ? static_cast<double>(pass.use.calls) * cost[Cost::kCall] : 0.0;
    const double butterflies = static_cast<double>(pass.use.butterflies);
    // There ends multiply a row of a tile, and lines lie side by side.
    if (pass.in_images && codelet.kind != PassKind::kReal) return 0;
    const double l1 = codelet.kind == PassKind::kReal && (pass.in_images || has_columns_of_reals(pass.args))
                          ? std::min(cost[Cost::kL1], modelled_columns_of_reals(codelet, codelets_))
                          : cost[Cost::kL1];
    if (row_of(codelet.kind).loops == PassLoops::kTransform) return calls + butterflies * (l1 + beyond);

    const PassEnds ends = ends_of(codelet, pass.args, pass.staged, real_);
    const bool later = is_later(row_of(codelet.kind));
    double chunk = !ends.interleaved ? l1 * pass.use.conversion : cost[ends.natural ? Cost::kNatural : Cost::kInterleaved];
    const double direct = later ? cost[Cost::kInterleaved] : l1;
    const double tile = std::max(0.0, cost[Cost::kStrided] - direct);
    chunk += (ends.tiles - ends.far_tiles) * tile + ends.far_tiles * std::max(tile, cost[Cost::kStridedFar] - direct);
    // Of what the line pass moves the narrow end is a part: f32 and f64, of which this one is neither.
    chunk += pass.use.user_bits > 0 ? beyond * (32 + pass.use.user_bits) / 96 : beyond;

    const double lanes = static_cast<double>(std::max<std::int64_t>(1, pass.use.lanes));
    const double runs = butterflies / lanes;
    if (row_of(codelet.kind).loops >= PassLoops::kLine) {
      // The first line of a call is part of it.
      const double later_lines = runs - static_cast<double>(pass.use.calls);
      if (pass.in_order) chunk *= kInOrder;
      return calls + later_lines * cost[Cost::kRow] + runs * (lanes + static_cast<double>(pass.args.pad)) / lanes_ * chunk;
    }
    // Where the last vector of a first pass or of a padded row begins early enough to be whole, it costs what the others do.
    double full = std::floor(lanes / lanes_);
    double rest = lanes - full * lanes_;
    const bool overlaps =
        codelet.kind == PassKind::kFirst ? full > 0 : codelet.kind == PassKind::kTwiddled && pass.use.padded_lanes > pass.use.lanes;
    if (overlaps) {
      full = codelet.kind == PassKind::kFirst ? std::ceil(lanes / lanes_) : static_cast<double>(pass.use.padded_lanes) / lanes_;
      rest = 0;
    }
    double partial = 0;
    if (rest > 0) {
      const double share = lanes_ > 2 ? (rest - 1) / (lanes_ - 2) : 0.0;
      partial = cost[Cost::kPartial] + share * (cost[Cost::kPartialMost] - cost[Cost::kPartial]);
      // Panels are padded: their partial vectors need no tile.
      if (codelet.kind == PassKind::kColumnsTwiddled && !ends.interleaved) partial = l1;
      if (codelet.kind == PassKind::kColumns && ends.interleaved) partial += tile * rest / lanes_;
      partial += beyond * rest / lanes_;
    }
    return calls + runs * (cost[Cost::kRow] + full * chunk + partial);
  }

  const Program& plan_;
  const CodeletTable& codelets_;
  const CostTable& costs_;
  Levels levels_;
  double real_;
  double lanes_ = 1;
  bool fetched_[kSlots] = {};  // read from there is what an earlier iteration fetched
  double arrays_ = 0;  // bytes of both arrays of the caller
  double left_ = 0;    // bytes that the pass before went through
};

}  // namespace

double estimate_seconds(const Program& plan, const CodeletTable& codelets, const CostTable* costs) {
  if (const Backend& backend = backend_of(codelets); backend.predicted_seconds != nullptr) return backend.predicted_seconds(plan);
  if (costs == nullptr) costs = CostTable::default_for(codelets);
  return costs != nullptr ? Estimate(plan, codelets, *costs).seconds() : Estimate(plan, codelets, CostTable::shipped(codelets)).seconds();
}

}  // namespace ulpfft
