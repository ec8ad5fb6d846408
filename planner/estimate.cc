#include "planner/estimate.h"

#include <algorithm>
#include <cmath>

#include "planner/cost_model.h"

namespace ulpfft {
namespace {

constexpr double kExecutionNs = 8;     // what run_all() does before the first pass and after the last
constexpr double kFarLaneBytes = 8192;  // at which Cost::kStridedFar is measured
constexpr double kLevelDoublings = 4;  // between two levels of a row

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
    return static_cast<double>(machine_.sweep[low]) + (at - static_cast<double>(low)) * static_cast<double>(machine_.sweep[low + 1] - machine_.sweep[low]);
  }

  // ns a chunk takes longer than in L1; `far`: how much its points meet in few cache sets, 0..1.
  double beyond_l1(const CodeletCost& cost, double bytes, double far) const {
    if (far > 0) return (1 - far) * beyond_l1(cost, bytes, false) + far * beyond_l1(cost, bytes, true);
    return beyond_l1(cost, bytes, false);
  }

  // ns of a byte read and written, beyond L1.
  double byte_beyond_l1(double bytes) const { return std::max(0.0, sweep(bytes) - static_cast<double>(machine_.sweep[0])) / static_cast<double>(machine_.sweep_bytes); }

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

bool is_user(Slot slot) { return slot == Slot::kIn || slot == Slot::kOut; }
bool is_adjacent(const Edge& edge) { return edge.layout == Layout::kPaired && edge.im_offset == 1 && edge.lane_stride == 2; }

// Addresses at multiples of 4 KiB meet in one set of L1, at 2 KiB in two, ...: how much of that a stride has, 0..1.
double meeting(std::int64_t stride, double real) {
  const double bytes = std::abs(static_cast<double>(stride)) * real;
  return bytes >= 1024 && std::fmod(bytes, 1024) == 0 ? std::min(1.0, bytes / kFarLaneBytes) : 0.0;
}

// Everything one estimate needs of the plan as a whole.
struct Context {
  const CompiledPlan& plan;
  const CodeletTable& codelets;
  const CostTable& costs;
  Levels levels;
  double real = 8;
  int lanes = 1;
  double arrays = 0;          // bytes of both arrays of the caller
  double left_by_previous = 0;  // bytes that the pass before wrote before it came back
};

double points_of(const PassUse& use, const Step* step) {
  if (use.codelet->body == nullptr) {
    return static_cast<double>(use.butterflies) * (step != nullptr ? static_cast<double>(std::max<std::int64_t>(1, step->args.lanes)) : 1.0);
  }
  const double radix = use.codelet->body->radix * (use.codelet->second != nullptr ? use.codelet->second->radix : 1);
  return static_cast<double>(use.butterflies) * radix;
}

double line_pass_ns(const Context& context, const PassUse& use, const Step* step) {
  const double points = static_cast<double>(use.butterflies) * std::max(1, use.codelet->body == nullptr ? 1 : use.codelet->body->radix);
  const double bytes = std::max(use.working_set, step != nullptr && (is_user(step->args.in.slot) || is_user(step->args.out.slot)) ? context.arrays : 0.0);
  return static_cast<double>(use.calls) * 5 + points * (context.costs.point_ns(context.plan.compute) + 2 * context.real * context.levels.byte_beyond_l1(bytes));
}

double pass_ns(Context& context, const PassUse& use, const Step* step) {
  const CodeletInfo& codelet = *use.codelet;
  if (!has_body(codelet.kind) || codelet.body == nullptr) return line_pass_ns(context, use, step);
  CodeletCost modelled;
  const CodeletCost* found = context.costs.find(codelet);
  if (found == nullptr) {
    modelled = modelled_cost(codelet, context.codelets);
    found = &modelled;
  }
  const CodeletCost& cost = *found;
  const double calls = static_cast<double>(use.calls);
  const double butterflies = static_cast<double>(use.butterflies);
  const bool scalar = codelet.kind == PassKind::kWhole || codelet.kind == PassKind::kWholeTwo;
  const bool without_twiddles = codelet.kind == PassKind::kFirst || codelet.kind == PassKind::kColumns;

  // What the edges are.
  bool user_in = without_twiddles || scalar;
  bool user_out = scalar || (!without_twiddles && use.shuffled);
  bool interleaved = !without_twiddles && use.shuffled;
  bool natural = false;
  int strided_ends = use.direct ? 0 : 1;
  double far_ends = 0;           // how many of those have lanes that meet in few cache sets
  double far = 0;
  if (step != nullptr) {
    const Edge& in = step->args.in;
    const Edge& out = step->args.out;
    user_in = is_user(in.slot);
    user_out = is_user(out.slot);
    interleaved = !out.planar && codelet.kind != PassKind::kFirst;
    natural = !in.lane_order;
    const bool tile_in = without_twiddles && (!is_adjacent(in) || (codelet.kind == PassKind::kColumns && (in.swap || step->args.scale != 1.0)));
    const bool tile_out = interleaved && !is_adjacent(out);
    strided_ends = (tile_in ? 1 : 0) + (tile_out ? 1 : 0);
    far_ends = (tile_in ? meeting(in.lane_stride, context.real) : 0) + (tile_out ? meeting(out.lane_stride, context.real) : 0);
    far = meeting(in.point_stride, context.real);
  }

  // Memory: both ends of a sweep in place are the same lines; otherwise each end has its own distance.
  double own = use.working_set;
  if (codelet.kind == PassKind::kTwiddled) own += static_cast<double>(use.lanes) * static_cast<double>(codelet.body->table.size()) * context.real;
  const double in_distance = user_in ? std::max(own, context.arrays) : std::max(own, context.left_by_previous);
  const double out_distance = user_out && !context.plan.work_may_be_out ? std::max(own, context.arrays)
                              : without_twiddles && context.plan.work_may_be_out ? std::max(own, context.arrays)
                                                                                 : own;
  double beyond = 0;
  if (user_in == user_out && !without_twiddles) {
    beyond = context.levels.beyond_l1(cost, std::max(in_distance, out_distance), far);
  } else {
    beyond = 0.5 * (context.levels.beyond_l1(cost, in_distance, far) + context.levels.beyond_l1(cost, out_distance, far));
  }
  context.left_by_previous = user_in == user_out ? use.working_set : use.working_set / 2;

  if (scalar) return calls * cost[Cost::kCall] + butterflies * (cost[Cost::kL1] + beyond);

  const double lanes = static_cast<double>(std::max<std::int64_t>(1, use.lanes));
  const double width = context.lanes;
  const double runs = butterflies / lanes;
  const double full = std::floor(lanes / width);
  const double rest = lanes - full * width;
  const double l1 = cost[Cost::kL1];
  double chunk = interleaved ? (codelet.kind == PassKind::kTwiddled && natural ? cost[Cost::kNatural] : cost[Cost::kInterleaved]) : l1;
  const double direct = without_twiddles ? l1 : cost[Cost::kInterleaved];
  const double tile = std::max(0.0, cost[Cost::kStrided] - direct);
  chunk += (strided_ends - far_ends) * tile + far_ends * std::max(tile, cost[Cost::kStridedFar] - direct);
  double partial = 0;
  if (rest > 0) {
    const double share = width > 2 ? (rest - 1) / (width - 2) : 0.0;
    partial = cost[Cost::kPartial] + share * (cost[Cost::kPartialMost] - cost[Cost::kPartial]);
    // Panels are padded: their partial vectors need no tile.
    if (codelet.kind == PassKind::kColumnsTwiddled && !interleaved) partial = l1;
    if (codelet.kind == PassKind::kColumns && interleaved) partial += tile * rest / width;
    partial += beyond * rest / width;
  }
  return calls * cost[Cost::kCall] + runs * (cost[Cost::kRow] + full * (chunk + beyond) + partial);
}

}  // namespace

double estimate_seconds(const CompiledPlan& plan, const CodeletTable& codelets, const CostTable* costs) {
  const CostTable& table = costs != nullptr ? *costs : CostTable::default_for(codelets);
  Context context{plan, codelets, table, Levels(table.machine())};
  context.real = static_cast<double>(real_bytes(plan.compute));
  context.lanes = plan.compute == ComputeType::kF32 ? codelets.lanes_f32 : plan.compute == ComputeType::kF64 ? codelets.lanes_f64 : 1;
  // The passes of a plan are its steps that are no repeats, in order.
  const std::size_t runs = static_cast<std::size_t>(std::count_if(plan.steps.begin(), plan.steps.end(), [](const Step& s) { return s.run != nullptr; }));
  const bool paired = runs == plan.passes.size();
  double most = 0;
  for (const PassUse& use : plan.passes) most = std::max(most, points_of(use, nullptr));
  context.arrays = 4 * most * context.real;
  double ns = plan.steps.size() < 2 ? 0 : kExecutionNs;
  std::size_t at = 0;
  for (const PassUse& use : plan.passes) {
    while (paired && plan.steps[at].run == nullptr) ++at;
    ns += pass_ns(context, use, paired ? &plan.steps[at++] : nullptr);
  }
  return 1e-9 * ns;
}

}  // namespace ulpfft
