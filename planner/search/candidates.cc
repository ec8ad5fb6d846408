// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/search/candidates.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>

#include "codelets/contract/quantisation_error.h"
#include "codelets/registry.h"
#include "planner/convert/side.h"
#include "planner/scheme/families.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/strategy/strategy.h"
#include "planner/strategy/variants.h"
#include "planner/table/find_codelet.h"
#include "planner/table/number_theory.h"
#include "planner/table/pick_list.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

// The problem as passes see it: in place of narrow ends they have dense arrays of one transform in the workspace.
Problem seen_by_passes(const Problem& problem) {
  const Sides sides(problem);
  const bool wide_in = !sides.in.by_groups, wide_out = !sides.out.by_groups;
  if (wide_in && wide_out) return problem;
  Problem seen = problem;
  const std::string scheme = working_storage(scheme_of(problem));
  if (!wide_in) seen.storage_in = scheme;
  seen.window = {};
  if (!wide_out) seen.storage_out = scheme;
  seen.output_kind = OutputKind::kSpectrum;
  Problem dense = seen;
  set_dense_strides(dense);
  const auto settle = [&](std::vector<Dimension>& dims, const std::vector<Dimension>& from) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (!wide_in) dims[i].in_stride = from[i].in_stride;
      if (!wide_out) dims[i].out_stride = from[i].out_stride;
    }
  };
  const std::int64_t across = transforms_across(problem, sides, scheme == "f64" ? 16 : 8);
  for (Dimension& d : dense.dims) {
    d = {d.length, d.in_stride * std::max<std::int64_t>(1, across), d.out_stride * std::max<std::int64_t>(1, across)};
  }
  settle(seen.dims, dense.dims);
  settle(seen.batch, dense.batch);
  if (!wide_in && !wide_out) {
    seen.prescale_kind = PrescaleKind::kNone;
    seen.placement = Placement::kInPlace;
    seen.layout = ArrayLayout::kInterleaved;
    seen.batch.clear();
    if (across > 0) seen.batch.push_back({across, 1, 1});
    return seen;
  }
  seen.placement = Placement::kOutOfPlace;  // between the workspace and one of the two
  if (across > 0) {
    Dimension& inner = *std::find_if(seen.batch.rbegin(), seen.batch.rend(), [](const Dimension& d) { return d.length > 1; });
    (wide_in ? inner.out_stride : inner.in_stride) = 1;
  }
  return seen;
}

// How many complex numbers the nodes of a line transform; those of reals are children of a real or r2r node.
std::int64_t complex_length(const Problem& line) {
  const std::int64_t reals = line.dims[0].length;
  if (line.kind == Kind::kC2C || line.kind == Kind::kCzt) return reals;
  return line.kind == Kind::kR2R ? numbers_of(line.kinds[0], reals) : reals % 2 == 0 ? reals / 2 : reals;
}

LineProblem describe_line(const Problem& line, ComputeType compute, Breadth breadth) {
  LineProblem out;
  out.n = complex_length(line);
  out.compute = compute;
  out.breadth = breadth;
  std::int64_t smallest = INT64_MAX;
  for (const Dimension& loop : line.batch) {
    if (loop.length == 1) continue;
    const std::int64_t span = std::abs(loop.in_stride) + std::abs(loop.out_stride);
    if (span < smallest) {
      smallest = span;
      out.columns = loop.length;
    }
  }
  return out;
}

// Rows of fewer bytes cost more than passes in L3: 2^24 f16 in panels of 16 columns 55 ms, of 32 33, of 64 32.
constexpr double kPanelRow = 128;

std::int64_t least_panel(const Sides& line) {
  std::int64_t least = 1;
  for (const Side* side : {&line.in, &line.out}) {
    if (side->wide && !side->power) continue;
    while (static_cast<double>(side->power ? least : 2 * least) * storage_bits(side->storage) < 8 * kPanelRow) least *= 2;
  }
  return least;
}

// Planes are proposed as streaming from this many bytes of arrays on, lines as the machine says. Planes leave their output to the next
// sweep. Measured beside 32 MiB of L3. Beside 260 MiB (Emerald Rapids) streaming takes 1.3 to 1.6 times as long at 8 and 16 MiB, 0.8 to 1.25 at 32
// MiB, as busy as L3 is, and 0.74 to 0.9 at 64 MiB.
constexpr double kStreamPlanes = 24 << 20;

bool streams(const Node& node, const Problem& line, const Side& out, bool planes, const StreamsFrom& from) {
  // Numbers of a narrow output are encoded while they are in the caches. The encoder of a batch stores codes past the caches, and the
  // sweeps of four encode their own output.
  if (!out.wide && node.kind != Node::Kind::kDit && (planes || node.kind != Node::Kind::kFour)) return false;
  switch (node.kind) {
    case Node::Kind::kDit: {
      if (batch_count(line) == 1 || line.layout != ArrayLayout::kInterleaved) return false;
      if (line.dims[0].in_stride != 1 || line.dims[0].out_stride != 1) return false;
      return array_bytes(line) >= (planes ? kStreamPlanes : from.batch);
    }
    case Node::Kind::kFour: return array_bytes(line) >= from.four;
    case Node::Kind::kCols: return array_bytes(line) >= kStreamPlanes;
    default: return false;
  }
}

bool has_matrix(const Node& node) {
  const auto on_columns = [](const Node& child) { return child.kind == Node::Kind::kN || child.kind == Node::Kind::kDit; };
  return node.kind == Node::Kind::kFour && std::all_of(node.children.begin(), node.children.end(), on_columns);
}

// Numbers between passes must not saturate because a caller's numbers are larger than the data that an error is stated for. So a limit
// chooses only formats with the range of f32, which they have by their own exponents or by the scales of their blocks.
constexpr double kAnyRms = 0x1p100;

struct StorageBetween {
  std::string name;
  double bits, error;
};

std::vector<StorageBetween> most_accurate_of_their_size() {
  std::vector<StorageBetween> all;
  for (const FormatInfo& f : formats()) {
    if (f.kind == FormatKind::kFloat && f.is_signed && f.has_zero && f.largest >= kAnyRms && f.smallest_normal <= 1 / kAnyRms) {
      all.push_back({f.name, static_cast<double>(f.bits), f.rms_error});
    }
  }
  for (const BlockInfo& block : block_formats()) {
    const Storage storage = find_storage_of(block.name, "intermediate");
    if (largest_block_rms(storage) >= kAnyRms && least_block_rms(storage) <= 1 / kAnyRms) {
      all.push_back({block.name, storage_bits(storage), block.rms_error});
    }
  }
  std::vector<StorageBetween> kept;
  for (const StorageBetween& one : all) {
    const auto better = [&](const StorageBetween& other) { return other.bits <= one.bits && other.error < one.error; };
    if (std::none_of(all.begin(), all.end(), better)) kept.push_back(one);
  }
  return kept;
}

Node real_node(const Problem& line, Node child) {
  Node node;
  node.kind = line.kind == Kind::kR2R ? Node::Kind::kR2R : Node::Kind::kReal;
  node.n = line.dims[0].length;
  node.children.push_back(std::move(child));
  return node;
}

// The index of the node whose text is shortest; 0 of none.
std::size_t shortest_text(const std::vector<const Candidate*>& nodes) {
  const auto shorter = [](const Candidate* a, const Candidate* b) { return recipe_text_bytes(a->recipe) < recipe_text_bytes(b->recipe); };
  return static_cast<std::size_t>(std::min_element(nodes.begin(), nodes.end(), shorter) - nodes.begin());
}

}  // namespace

double array_bytes(const Problem& problem) {
  const auto bytes = [&](const Side& side) {
    const double reals = (side.real ? 1.0 : 2.0) * static_cast<double>(stored_points(problem, side.output));
    return reals * static_cast<double>(batch_count(problem)) * storage_bits(side.storage) / 8;
  };
  const Sides sides(problem);
  const double in = bytes(sides.in), out = bytes(sides.out);
  return problem.placement == Placement::kInPlace ? std::max(in, out) : in + out;
}

std::vector<std::string> schemes_to_try(const Problem& problem) {
  if (!problem.scheme.empty()) {
    if (const Scheme asked = scheme_named(problem.scheme); asked.any) {
      std::vector<std::string> names;
      for (SchemeFamily::Listed& listed : asked.family->list()) names.push_back(std::move(listed.name));
      return names;
    }
  }
  if (!problem.scheme.empty() || problem.max_error == 0) return {scheme_of(problem)};
  // f32 cannot carry every scale.
  const double scale = std::abs(scale_factor(problem));
  const bool fits_f32 = scale <= FLT_MAX && static_cast<float>(scale) != 0.0F;
  std::vector<std::string> names;
  for (const SchemeFacts& scheme : all_schemes()) {
    if (!scheme.emulated && (fits_f32 || scheme.carrier != std::string_view("f32"))) names.push_back(scheme.name);
  }
  return names;
}

std::vector<std::string> intermediates_to_try(const Problem& problem) {
  if (!problem.intermediate.empty()) return {problem.intermediate};
  std::vector<std::string> names;
  if (problem.max_error == 0 || problem.kind == Kind::kR2R) return names;
  for (const StorageBetween& one : most_accurate_of_their_size()) {
    if (one.error <= kErrorTrust * problem.max_error) names.push_back(one.name);
  }
  return names;
}

std::vector<std::size_t> execution_order(const Problem& problem) {
  std::vector<std::size_t> order;
  const bool is_real = problem.kind != Kind::kC2C;
  const std::size_t last = problem.dims.size() - 1;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    if (problem.dims[d].length > 1 || problem.kind == Kind::kR2R || (is_real && d == last)) order.push_back(d);
  }
  if (order.empty()) order.push_back(last);
  if (problem.kind == Kind::kC2R) std::rotate(order.begin(), order.begin() + 1, order.end());
  return order;
}

// A dimension of a problem between real numbers. All but the first one executed lie in the output array, or in the workspace where that is
// another storage than the arithmetic's.
static Problem line_of_r2r(const Problem& problem, std::size_t d, bool first) {
  const std::string working = working_storage(scheme_of(problem));
  Problem whole = problem;
  if (const Side out = side_of(problem, true); !first && (out.by_groups || out.format != working)) {
    whole.storage_out = working;
    whole.prescale_kind = PrescaleKind::kNone;
    set_dense_strides(whole);
  }
  Problem line = whole;
  line.dims = {whole.dims[d]};
  line.kinds = {problem.kinds[d]};
  for (std::size_t other = 0; other < problem.dims.size(); ++other) {
    if (other != d && problem.dims[other].length > 1) line.batch.push_back(whole.dims[other]);
  }
  if (first) return line;
  line.storage_in = line.storage_out;
  line.placement = Placement::kInPlace;
  if (line.scale_kind != ScaleKind::kOrtho) line.scale_kind = ScaleKind::kNone;  // it has weights besides
  for (std::vector<Dimension>* const dims : {&line.dims, &line.batch}) {
    for (Dimension& dim : *dims) dim.in_stride = dim.out_stride;
  }
  return line;
}

// A dimension of a problem of real numbers. All but the last are complex, along the spectrum.
static Problem line_of_reals(const Problem& problem, std::size_t d) {
  const std::size_t last = problem.dims.size() - 1;
  const Sides sides(problem);
  const Side& spectrum = sides[sides.in.real];
  const bool output = spectrum.output;
  Problem line = problem;
  line.dims = {problem.dims[d]};
  if (d != last) line.kind = Kind::kC2C;
  for (std::size_t other = 0; other <= last; ++other) {
    Dimension loop = problem.dims[other];
    if (d != last) loop.length = stored_length(problem, problem.dims[other], output);
    if (other != d && loop.length > 1) line.batch.push_back(loop);
  }
  if (d == last) {
    for (std::size_t other = 0; other < last; ++other) line.window.begin += problem.dims[other].length;
    return line;
  }
  line.window = {};
  // The spectrum lies where the caller has it, or in the workspace in rows without gaps.
  const std::string working = working_storage(scheme_of(problem));
  if (spectrum.by_groups || spectrum.format != working) {
    std::vector<Dimension> loops;
    std::int64_t stride = 1;
    for (std::size_t other = last + 1; other-- > 0;) {
      const std::int64_t length = stored_length(problem, problem.dims[other], output);
      if (other == d) line.dims[0] = {length, stride, stride};
      else if (length > 1) loops.push_back({length, stride, stride});
      stride *= length;
    }
    line.batch.assign(loops.rbegin(), loops.rend());
    line.layout = ArrayLayout::kInterleaved;
    line.prescale_kind = PrescaleKind::kNone;
    line.output_kind = OutputKind::kSpectrum;
  }
  line.storage_in = line.storage_out = working;
  line.placement = Placement::kInPlace;
  line.scale_kind = ScaleKind::kNone;
  line.direction = Direction::kForward;
  for (std::vector<Dimension>* const dims : {&line.dims, &line.batch}) {
    for (Dimension& dim : *dims) (output ? dim.in_stride : dim.out_stride) = output ? dim.out_stride : dim.in_stride;
  }
  return line;
}

Problem line_of(const Problem& problem, std::size_t d, bool first) {
  if (problem.dims.size() == 1) return problem;
  if (problem.kind == Kind::kR2R) return line_of_r2r(problem, d, first);
  if (problem.kind != Kind::kC2C) return line_of_reals(problem, d);
  const Problem seen = seen_by_passes(problem);
  Problem line = seen;
  line.dims = {seen.dims[d]};
  for (std::size_t other = 0; other < seen.dims.size(); ++other) {
    if (other != d && seen.dims[other].length > 1) line.batch.push_back(seen.dims[other]);
  }
  if (!first) {
    line.placement = Placement::kInPlace;
    line.storage_in = line.storage_out;
    line.scale_kind = ScaleKind::kNone;
    line.direction = Direction::kForward;
    for (Dimension& dim : line.dims) dim.in_stride = dim.out_stride;
    for (Dimension& dim : line.batch) dim.in_stride = dim.out_stride;
  }
  return line;
}

// Sorts indices, because std::stable_sort asks for a temporary buffer by a function that C++17 deprecates.
void sort_by_prediction(std::vector<Candidate>& candidates) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double first = candidates[a].predicted_seconds;
    const double second = candidates[b].predicted_seconds;
    return first < second || (first == second && a < b);
  });
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const std::size_t i : order) sorted.push_back(std::move(candidates[i]));
  candidates = std::move(sorted);
}

namespace {

// The proposals for a line, gathered scheme by scheme.
class Proposals {
 public:
  Proposals(Planning& planning, const Problem& line, Breadth breadth, bool planes)
      : planning_(planning),
        line_(line),
        sides_(line),
        seen_(seen_by_passes(line)),
        between_(intermediates_to_try(line)),
        breadth_(breadth),
        planes_(planes) {}

  void add(const std::string& scheme) {
    const Scheme parsed = scheme_named(scheme);
    family_ = parsed.family;
    scheme_ = &scheme;
    may_stream_ = family_->no_streams == nullptr && !backend_of(planning_.codelets).no_streams;
    LineProblem description = describe_line(seen_, parsed.compute, breadth_);
    description.least_panel = least_panel(sides_);
    description.family = family_;
    description.max_workspace = line_.max_workspace;
    const Backend& backend = backend_of(planning_.codelets);
    description.longest_sweep = backend.longest_sweep == nullptr ? 0 : backend.longest_sweep();
    if (line_.kind == Kind::kCzt) return add_chirps(description);
    if (is_real()) add_real_codelets(parsed.compute);
    if (is_real()) add_real_rows(description);
    for (const Strategy& strategy : strategies_in_order()) {
      if (enough()) break;
      if (!family_->has(strategy.kind) || (is_real() && strategy.kind == Node::Kind::kCols)) continue;
      std::vector<Node> nodes;
      strategy.propose(description, planning_.predicted_codelets(), planning_.ranker(), nodes);
      for (Node& node : nodes) {
        if (is_late()) break;
        is_real() ? add_real(node, strategy.name) : add_complex(node, strategy.name);
      }
    }
  }

  std::vector<Candidate> sorted() {
    sort_by_prediction(candidates_);
    return std::move(candidates_);
  }

 private:
  bool is_real() const { return sides_.hold_reals(); }
  bool is_late() const { return !candidates_.empty() && planning_.too_late(); }
  bool enough() const {
    const Hurry hurry = planning_.hurry();
    return hurry == Hurry::kStop || (hurry == Hurry::kFirstWillDo && !candidates_.empty());
  }

  // Where neighbours belong to other transforms, columns come first: late predictions stop at the first strategy that had a node.
  std::vector<Strategy> strategies_in_order() const {
    std::vector<Strategy> order(strategies().begin(), strategies().end());
    if (seen_.dims[0].in_stride != 1) {
      std::partition(order.begin(), order.end(), [](const Strategy& strategy) { return strategy.propose == &propose_columns; });
    }
    return order;
  }

  // Returns whether the node can be built.
  bool keep(Node proposed, std::string_view kind) {
    Candidate candidate;
    candidate.recipe = {*scheme_, std::move(proposed)};
    candidate.kind = kind;
    if (!planning_.predict(line_, candidate)) return false;
    const auto same = [&](const Candidate& known) { return known.recipe == candidate.recipe; };
    if (std::none_of(candidates_.begin(), candidates_.end(), same)) candidates_.push_back(std::move(candidate));
    return true;
  }

  // The node with each narrow matrix; `around` makes the proposal of it.
  void keep_narrow(const Node& node, const auto& around) {
    if (!has_matrix(node) || family_->no_storage_between != nullptr) return;
    for (const std::string& format : between_) {
      if (planning_.too_late()) break;
      Node narrow = node;
      narrow.format = format;
      keep(around(std::move(narrow)), "narrow matrix");
    }
  }

  void add_chirps(const LineProblem& description) {
    if (!family_->has(Node::Kind::kBluestein)) return;
    std::vector<Node> nodes;
    propose_chirps(description, index_length(line_, line_.dims[0], true), planning_.ranker(), nodes);
    for (Node& node : nodes) {
      if (is_late()) break;
      keep(std::move(node), "bluestein");
    }
  }

  void add_real_codelets(ComputeType compute) {
    const RealTransform transform = line_.kind == Kind::kR2R   ? transform_of(line_.kinds[0])
                                    : line_.kind == Kind::kR2C ? RealTransform::kR2C
                                                               : RealTransform::kC2R;
    std::vector<Node> nodes;
    propose_real_codelet(transform, line_.dims[0].length, compute, planning_.predicted_codelets(), nodes);
    for (Node& node : nodes) {
      if (is_late()) break;
      keep(std::move(node), "codelet");
    }
  }

  void add_real_rows(LineProblem reals) {
    if (family_ != &kWideFamily && family_ != &kReferenceFamily) return;
    const bool is_r2r = line_.kind == Kind::kR2R;
    const bool from_reals = is_r2r ? picks_reals(line_.kinds[0]) : line_.kind == Kind::kR2C;
    if (is_r2r && !from_reals && !picks_spectrum(line_.kinds[0])) return;
    reals.n = line_.dims[0].length;
    std::vector<Node> nodes;
    const RealTransform transform = from_reals ? RealTransform::kR2C : RealTransform::kC2R;
    propose_real_rows(reals, transform, planning_.predicted_codelets(), planning_.ranker(), nodes);
    for (Node& node : nodes) {
      if (is_late()) break;
      keep(is_r2r ? real_node(line_, std::move(node)) : std::move(node), "rows of reals");
    }
  }

  void add_real(const Node& node, std::string_view strategy) {
    const auto around = [&](Node child) { return real_node(line_, std::move(child)); };
    keep(around(node), strategy);
    keep_narrow(node, around);
  }

  // Each node is proposed twice: with as many conversions in its passes as possible, and converted apart.
  void add_complex(Node& node, std::string_view strategy) {
    if (may_stream_ && streams(node, line_, sides_.out, planes_, planning_.streams_from())) node.stream = true;
    const bool narrow_in = !sides_.in.wide && !sides_.in.windowed, narrow_out = !sides_.out.wide && !sides_.out.power;
    if (!planes_ && (narrow_in || narrow_out) && !planning_.predicted_codelets().fused.empty()) {
      for (Variant& variant : end_variants(node, narrow_in, narrow_out)) {
        if (may_stream_ && streams(variant.node, line_, sides_.out, planes_, planning_.streams_from())) variant.node.stream = true;
        if (keep(std::move(variant.node), strategy)) break;
      }
    }
    keep(node, strategy);
    keep_narrow(node, [](Node narrow) { return narrow; });
  }

  Planning& planning_;
  const Problem& line_;
  const Sides sides_;
  const Problem seen_;  // by passes
  const std::vector<std::string> between_;
  const Breadth breadth_;
  const bool planes_;
  const SchemeFamily* family_ = nullptr;
  const std::string* scheme_ = nullptr;
  bool may_stream_ = false;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> propose(Planning& planning, const Problem& line, const std::vector<std::string>& schemes, Breadth breadth,
                               bool planes) {
  Proposals proposals(planning, line, breadth, planes);
  for (const std::string& scheme : schemes) proposals.add(scheme);
  return proposals.sorted();
}

// Refuses a chirp transform whose filter would be longer than those of this version.
static void refuse_long_chirp(const Problem& problem) {
  constexpr std::int64_t kMostPoints = std::int64_t{1} << 30;
  if (problem.kind != Kind::kCzt) return;
  const std::int64_t inputs = problem.dims[0].length, outputs = index_length(problem, problem.dims[0], true);
  if (inputs <= kMostPoints && outputs <= kMostPoints - inputs + 1) return;
  throw PlanError(ULPFFT_UNSUPPORTED, problem.zoom.points != 0 ? "points" : "lengths[0]",
                  "A chirp transform from " + std::to_string(inputs) + " to " + std::to_string(outputs) +
                      " numbers has more than 2^30 + 1 of both together, the most that are possible.");
}

void refuse_length(const Planning& planning, const Problem& problem, std::size_t d) {
  if (planning.refused_for_size()) planning.refuse_size();
  refuse_long_chirp(problem);
  const std::string field = "lengths[" + std::to_string(d) + "]";
  std::string message = "No strategy of this version transforms " + field + " = " + std::to_string(problem.dims[d].length) + ".";
  const SchemeFamily& family = *scheme_named(scheme_of(problem)).family;
  if (const char* const lengths = family.lengths == nullptr ? nullptr : family.lengths(problem.dims[d].length)) {
    message = std::string(lengths) + "; " + field + " = " + std::to_string(problem.dims[d].length) +
              " has others. The schemes f32 and f64 transform any length.";
  } else if (const std::size_t bytes = planning.shortest_refused_text(); bytes != 0) {
    const std::size_t most = planning.options.recipe_bytes;
    message = "The shortest recipe has " + std::to_string(bytes) + " bytes of text, but at most " + std::to_string(most) + " are possible";
    message += most == kMaxRecipeText ? "."
                                      : " in a chain, whose recipe of at most " + std::to_string(kMaxRecipeText) +
                                            " bytes holds it there and back. Plan both ways apart.";
  } else if (!planning.refusal().empty()) {
    message += " Of the last one: " + planning.refusal();
  }
  throw PlanError(ULPFFT_UNSUPPORTED, field, message);
}

std::vector<Candidate> combine(Planning& planning, const Problem& problem, const std::vector<std::vector<Candidate>>& lines,
                               const std::vector<std::string>& schemes, std::size_t alternatives) {
  std::vector<Candidate> whole;
  const std::vector<std::string> between = intermediates_to_try(problem);
  for (const std::string& scheme : schemes) {
    // Nodes of this scheme by dimension, best first.
    std::vector<std::vector<const Candidate*>> nodes(lines.size());
    bool possible = true;
    for (std::size_t d = 0; d < lines.size(); ++d) {
      for (const Candidate& candidate : lines[d]) {
        if (candidate.recipe.scheme == scheme) nodes[d].push_back(&candidate);
      }
      possible = possible && (lines[d].empty() || !nodes[d].empty());
    }
    if (!possible) continue;
    const auto put_together = [&](const std::vector<std::size_t>& choice) {
      Candidate candidate;
      candidate.kind = "combination";
      candidate.recipe.scheme = scheme;
      candidate.recipe.root.kind = Node::Kind::kRank;
      for (std::size_t d = 0; d < lines.size(); ++d) {
        Node one;
        one.kind = Node::Kind::kN;
        one.n = 1;
        candidate.recipe.root.children.push_back(nodes[d].empty() ? one : nodes[d][choice[d]]->recipe.root);
      }
      const bool planes = lines.size() == 2 && candidate.recipe.root.children[0].kind == Node::Kind::kCols;
      const Candidate plain = candidate;
      if (planning.predict(problem, candidate)) whole.push_back(std::move(candidate));
      for (std::size_t i = 0; planes && i < between.size(); ++i) {
        Candidate narrow = plain;
        narrow.recipe.root.format = between[i];
        narrow.kind = "narrow array";
        if (planning.predict(problem, narrow)) whole.push_back(std::move(narrow));
      }
    };
    const std::size_t before = whole.size();
    std::vector<std::size_t> choice(lines.size(), 0);
    put_together(choice);
    for (std::size_t d = 0; d < lines.size(); ++d) {
      std::size_t& next = choice[d];
      for (next = 1; next <= alternatives && next < nodes[d].size() && (whole.empty() || !planning.too_late()); ++next) {
        put_together(choice);
      }
      next = 0;
    }
    if (whole.size() > before) continue;
    // The best nodes of many dimensions may have no text together.
    for (std::size_t d = 0; d < lines.size(); ++d) choice[d] = shortest_text(nodes[d]);
    put_together(choice);
  }
  sort_by_prediction(whole);
  return whole;
}

}  // namespace ulpfft
