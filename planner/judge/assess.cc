// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/judge/assess.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "codelets/contract/through_f32.h"
#include "codelets/registry.h"
#include "planner/facts/stored_error.h"
#include "planner/judge/error_data.h"
#include "planner/judge/output_sums.h"
#include "planner/judge/problem_slice.h"
#include "planner/judge/stored_array.h"
#include "planner/lower/build_plan.h"
#include "planner/scheme/scheme_of.h"
#include "planner/strategy/node_ranker.h"
#include "planner/system/round_to_nearest.h"
#include "planner/table/pick_list.h"
#include "wisdom/error.h"

namespace ulpfft {
namespace {

constexpr std::int64_t kOutputs = std::int64_t{1} << 14;             // enough for a mean
constexpr std::int64_t kSampledDoubleDouble = std::int64_t{1} << 16;  // points up to which a sampled level runs a whole reference: 0.1 s
constexpr std::int64_t kSampledF64 = std::int64_t{1} << 20;           // 0.2 s
constexpr double kMostDirectProducts = 0x1p32;                       // at level full: 2^16 points where they have no divisor
constexpr double kSampledDirectProducts = 0x1p26;                    // at level sampled: 1 s
constexpr std::int64_t kLeastOutputs = 64;                           // even if they take more products
constexpr std::int64_t kLeastCombs = 4;                              // outputs of one comb have much in common
constexpr std::int64_t kCluster = 256;                               // outputs
constexpr std::int64_t kSliceBytes = std::int64_t{1} << 26;
// A whole reference may differ from the definition by this part of the rms output: 1e-3 of the error of one rounding.
constexpr double kF64Agreement = 0x1p-35;
constexpr double kDoubleDoubleAgreement = 0x1p-64;

// The node as a reference uses it: without the nodes around a line, which a transform that stands alone does not need, and with wide data.
Node alone(const Node& node) {
  if (node.kind == Node::Kind::kCols || node.kind == Node::Kind::kBatch || node.kind == Node::Kind::kChain) return alone(node.children[0]);
  Node copy = node;
  copy.format.clear();
  copy.decode = copy.encode = false;
  for (PassSpec& pass : copy.passes) pass.format.clear();
  for (Node& child : copy.children) child = alone(child);
  return copy;
}

const CodeletTable* find_table(const std::string& backend, const std::string& target) {
  for (const RegisteredTarget& t : registered_targets()) {
    if (t.available && backend == t.table.backend && target == t.table.target) return &t.table;
  }
  return nullptr;
}

// The cheapest predicted node for each length of a dense problem without a batch. Throws PlanError where a length has none.
Recipe cheapest_recipe(const Problem& problem, const CodeletTable& codelets, TableCache& cache) {
  NodeRanker ranker(codelets, cache, nullptr);
  std::vector<Node> nodes;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) {
    const bool is_r2r = problem.kind == Kind::kR2R;
    const std::int64_t reals = problem.dims[d].length, length = is_r2r ? numbers_of(problem.kinds[d], reals) : reals;
    const std::vector<Node>& best = ranker.best({length, compute_type_of_scheme(problem.storage_in)}, 1);
    if (best.empty()) {
      throw PlanError(ULPFFT_UNSUPPORTED, "recipe", "A length of " + std::to_string(length) + " has no reference recipe.");
    }
    nodes.push_back(best[0]);
    if (!is_r2r) continue;
    Node around;
    around.kind = Node::Kind::kR2R;
    around.n = reals;
    around.children = {std::move(nodes.back())};
    nodes.back() = std::move(around);
  }
  Recipe recipe{problem.storage_in, nodes[0]};
  if (nodes.size() > 1) {
    recipe.root = Node();
    recipe.root.kind = Node::Kind::kRank;
    recipe.root.children = std::move(nodes);
  }
  return recipe;
}

// All outputs of a dense forward transform, or of r2r, in a wider type.
class WholeReference {
 public:
  static std::optional<WholeReference> make(const ulpfft_plan& plan, ComputeType compute, const CodeletTable* references) {
    const bool wide = compute == ComputeType::kDoubleDouble;
    const CodeletTable* own = wide ? find_table("ref", "ref") : find_table(plan.backend, plan.target);
    const CodeletTable* table = references != nullptr ? references : own;
    if (table == nullptr) return std::nullopt;
    Problem problem;
    for (const Dimension& d : plan.problem.dims) problem.dims.push_back({d.length, 1, 1});
    set_dense_strides(problem);
    problem.storage_in = problem.storage_out = scheme_of_compute(compute);
    const bool is_r2r = plan.problem.kind == Kind::kR2R;
    if (is_r2r) {
      problem.kind = Kind::kR2R;
      problem.kinds = plan.problem.kinds;
      if (plan.problem.scale_kind == ScaleKind::kOrtho) problem.scale_kind = ScaleKind::kOrtho;  // for its weights
    }
    const bool same_lengths = is_r2r || plan.problem.kind == Kind::kC2C;  // else a recipe is one of other lengths
    if (same_lengths) {
      const Recipe recipe{problem.storage_in, alone(plan.recipe.root)};
      try {
        TableCache cache;
        return WholeReference(make_plan(problem, recipe, *table, build_plan(problem, recipe, *table, cache)), wide);
      } catch (const PlanError&) {
        // A codelet that exists in one type only.
      }
    }
    if (same_lengths && wide) return std::nullopt;
    try {
      TableCache cache;
      const Recipe cheapest = cheapest_recipe(problem, *table, cache);
      return WholeReference(make_plan(problem, cheapest, *table, build_plan(problem, cheapest, *table, cache)), wide);
    } catch (const PlanError&) {
      return std::nullopt;
    }
  }

  void run(const std::vector<double>& x) {
    if (plan_->problem.kind == Kind::kR2R) {
      for (std::size_t i = 0; i < x.size() / 2; ++i) {
        if (wide_) static_cast<DoubleDouble*>(in_.host())[i] = DoubleDouble(x[2 * i]);
        else static_cast<double*>(in_.host())[i] = x[2 * i];
      }
    } else if (wide_) {
      std::transform(x.begin(), x.end(), static_cast<DoubleDouble*>(in_.host()), [](double value) { return DoubleDouble(value); });
    } else {
      std::copy(x.begin(), x.end(), static_cast<double*>(in_.host()));
    }
    execute();
  }
  // Multiplies the output of run() by the factors and transforms it back. The way back is the conjugate of the transform of the conjugate.
  void run_back(const std::vector<std::complex<double>>& factors) {
    wide_ ? change_spectrum<DoubleDouble>(factors) : change_spectrum<double>(factors);
    execute();
    wide_ ? conjugate_output<DoubleDouble>(factors.size()) : conjugate_output<double>(factors.size());
  }
  ComplexDD at(std::int64_t index) const {
    if (plan_->problem.kind == Kind::kR2R) {
      const DoubleDouble value = wide_ ? static_cast<const DoubleDouble*>(out_.host())[index]
                                       : DoubleDouble(static_cast<const double*>(out_.host())[index]);
      return {value / DoubleDouble(scale_factor(plan_->problem)), DoubleDouble(0.0)};
    }
    if (wide_) {
      const DoubleDouble* out = static_cast<const DoubleDouble*>(out_.host()) + 2 * index;
      return {out[0], out[1]};
    }
    const double* out = static_cast<const double*>(out_.host()) + 2 * index;
    return {DoubleDouble(out[0]), DoubleDouble(out[1])};
  }
  double agreement() const { return wide_ ? kDoubleDoubleAgreement : kF64Agreement; }

 private:
  WholeReference(std::unique_ptr<ulpfft_plan> plan, bool wide)
      : plan_(std::move(plan)),
        wide_(wide),
        in_(plan_->executable->backend.memory, static_cast<std::size_t>(plan_->in_extent.high)),
        out_(plan_->executable->backend.memory, static_cast<std::size_t>(plan_->out_extent.high)) {}

  void execute() {
    in_.send();
    if (plan_->run(*plan_, in_.backend(), in_.backend(), out_.backend(), out_.backend(), nullptr) != ULPFFT_OK) throw std::bad_alloc();
    out_.fetch();
  }

  std::unique_ptr<ulpfft_plan> plan_;
  template <typename T>
  void change_spectrum(const std::vector<std::complex<double>>& factors) {
    T* const in = static_cast<T*>(in_.host());
    const T* const out = static_cast<const T*>(out_.host());
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const T re(factors[k].real()), im(factors[k].imag());
      in[2 * k] = out[2 * k] * re - out[2 * k + 1] * im;
      in[2 * k + 1] = -(out[2 * k] * im + out[2 * k + 1] * re);
    }
  }
  template <typename T>
  void conjugate_output(std::size_t points) {
    T* const out = static_cast<T*>(out_.host());
    for (std::size_t k = 0; k < points; ++k) out[2 * k + 1] = -out[2 * k + 1];
  }

  bool wide_;
  SharedBytes in_;
  SharedBytes out_;
};

// The factors of a chain, by the index of visit_transform. If the chain multiplies, they have magnitude 1 and angles like squares times the
// golden ratio, rounded to f32: these spread every number over the result, where angles like the index would only move it. A user's
// operation is not known, so its factors are 1. The half of a spectrum of real numbers that is not stored has the conjugates.
std::vector<std::complex<double>> chain_factors(const Problem& problem) {
  if (problem.chain.empty()) return {};
  std::vector<std::complex<double>> factors(static_cast<std::size_t>(transform_points(problem)), 1.0);
  if (problem.chain != "mul") return factors;
  double turns = 0, step = 0;
  for (std::complex<double>& factor : factors) {
    step += std::numbers::phi - 1;
    step -= std::floor(step);
    turns += step;
    turns -= std::floor(turns);
    const std::complex<double> exact = std::polar(1.0, 2 * std::numbers::pi * turns);
    factor = {through_f32(exact.real()), through_f32(exact.imag())};
  }
  const std::int64_t row = problem.dims.back().length;
  for (std::size_t i = 0; is_real_chain(problem) && i < factors.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (index % row > row / 2) factors[i] = std::conj(factors[static_cast<std::size_t>(mirrored_index(problem, index))]);
  }
  return factors;
}

// The factors as a plan reads them: dense and in its arithmetic.
SharedBytes stored_factors(const ulpfft_plan& plan, const std::vector<std::complex<double>>& factors) {
  Problem dense = transform_of_chain(plan.problem);  // its output is the spectrum
  dense.batch.clear();
  dense.layout = ArrayLayout::kInterleaved;
  dense.placement = Placement::kOutOfPlace;
  dense.storage_in = dense.storage_out = scheme_of_compute(plan.facts->compute);
  set_dense_strides(dense);
  const auto points = static_cast<std::size_t>(spectrum_points(plan.problem));
  SharedBytes buffer(plan.executable->backend.memory, points * 2 * real_bytes(plan.facts->compute));
  const StoredArray array(dense, true, {{buffer.host(), buffer.host()}, {}, nullptr});
  visit_transform(dense, true, 0, [&](std::int64_t index, std::int64_t offset) {
    array.set(offset, factors[static_cast<std::size_t>(index)]);
  });
  buffer.send();
  return buffer;
}

// The scale of a problem, mantissa * 2^exponent.
struct Scale {
  DoubleDouble mantissa{1.0};
  int exponent = 0;
};

Scale exact_scale(const Problem& problem) {
  DoubleDouble value(1.0);
  switch (problem.scale_kind) {
    case ScaleKind::kNone: return {};
    case ScaleKind::kOrtho: value = value / sqrt(DoubleDouble(scale_points(problem))); break;
    case ScaleKind::kByN: value = value / DoubleDouble(scale_points(problem)); break;
    case ScaleKind::kValue: value = DoubleDouble(problem.scale_value); break;
  }
  Scale scale;
  std::frexp(value.hi, &scale.exponent);
  scale.mantissa = {std::ldexp(value.hi, -scale.exponent), std::ldexp(value.lo, -scale.exponent)};
  return scale;
}

double magnitude2(const ComplexDD& value) { return value.re.hi * value.re.hi + value.im.hi * value.im.hi; }

// Compares the output of a plan with the reference, transform by transform.
class Comparison {
 public:
  // `largest` is the largest real of the input. Extreme values are moved to the middle of the range, exactly.
  Comparison(const ulpfft_plan& plan, ErrorLevel level, const CodeletTable* references, double largest, Poll& poll)
      : problem_(plan.problem), level_(level), scale_(exact_scale(plan.problem)), direct_(plan.problem), poll_(poll) {
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    input_exponent_ = std::abs(exponent) > 200 ? -exponent : 0;
    const bool narrow = (plan.facts->compute != ComputeType::kF64 && plan.facts->compute != ComputeType::kDoubleDouble) ||
                        problem_.storage_out != "f64";
    for (const std::complex<double>& factor : chain_factors(plan.problem)) factors_.push_back(forward_value(plan.problem, factor));
    if (level == ErrorLevel::kFull || !factors_.empty() || points() <= (narrow ? kSampledF64 : kSampledDoubleDouble)) {
      whole_ = WholeReference::make(plan, narrow ? ComputeType::kF64 : ComputeType::kDoubleDouble, references);
    }
  }

  std::int64_t outputs() const { return outputs_; }
  // How many outputs are enough for a mean: kOutputs, or as many as direct sums can afford.
  std::int64_t enough() const {
    if (whole_) return kOutputs;
    const std::int64_t affordable = static_cast<std::int64_t>(kSampledDirectProducts / static_cast<double>(points())) * direct_.teeth();
    return std::min(kOutputs, std::max({affordable, kLeastOutputs, kLeastCombs * direct_.teeth()}));
  }

  // Compares one transform. `x` holds its input as gather() made it, and is changed. Without a
  // whole reference about `wanted` outputs are compared.
  void add(std::vector<double>& x, const StoredArray& out, std::int64_t transform, std::int64_t wanted) {
    if (input_exponent_ != 0) {
      for (double& part : x) part = std::ldexp(part, input_exponent_);
    }
    energy_ = energy_of(problem_, x);
    error2_ = reference2_ = 0;
    compared_ = 0;
    compared_outputs_.clear();
    cluster_ = {};
    if (whole_) {
      whole_->run(x);
      if (transforms_ == 0 && !agrees(x, first_comb(transform))) whole_.reset();
      if (whole_ && !factors_.empty()) whole_->run_back(factors_);
    }
    if (!whole_ && !factors_.empty()) {
      throw PlanError(ULPFFT_UNSUPPORTED, "error_level",
                      "The error of this chain cannot be measured: its transform has no reference recipe. It is predicted.");
    }
    if (whole_) {
      visit_transform(problem_, true, transform, [&](std::int64_t index, std::int64_t offset) {
        add_output(whole_->at(index), out.get(offset));
      });
      close_cluster();
    } else {
      add_combs(x, out, transform, wanted);
      reference2_ = energy_ * scale_.mantissa.hi * scale_.mantissa.hi * static_cast<double>(compared_);  // Parseval
      largest_reference2_ = std::max(largest_reference2_, energy_ * scale_.mantissa.hi * scale_.mantissa.hi);
    }
    // Every transform has the same weight, even if fewer of its outputs were compared.
    mean_error2_ += error2_ / static_cast<double>(compared_);
    mean_reference2_ += reference2_ / static_cast<double>(compared_);
    outputs_ += compared_;
    ++transforms_;
    all_outputs_ = all_outputs_ && compared_ == stored_points(problem_, true);
  }

  ErrorMeasurement result() const {
    const auto ratio = [](double error2, double reference2) {
      return error2 == 0 ? 0.0 : reference2 == 0 ? std::numeric_limits<double>::infinity() : std::sqrt(error2 / reference2);
    };
    ErrorMeasurement result;
    result.relative_l2 = ratio(mean_error2_, mean_reference2_);
    result.relative_largest = ratio(largest_error2_, largest_reference2_);
    result.standard_error = standard_error();
    result.outputs = outputs_;
    result.level = level_ == ErrorLevel::kFull && all_outputs_ ? ErrorLevel::kFull : ErrorLevel::kSampled;
    return result;
  }

 private:
  // Sums over outputs that have more in common with each other than with the rest.
  struct Cluster {
    double error2 = 0, reference2 = 0;
    std::int64_t outputs = 0;
  };
  void close_cluster() {
    if (cluster_.outputs > 0) clusters_.push_back(cluster_);
    cluster_ = {};
  }

  // The ratio r of two sums over k clusters has the standard error
  // sqrt(k / (k - 1) sum (e - r y)^2) / sum y. Its square root has that error over 2 sqrt(r).
  double standard_error() const {
    double error2 = 0, reference2 = 0, variance = 0;
    for (const Cluster& c : clusters_) {
      error2 += c.error2;
      reference2 += c.reference2;
    }
    const double r = error2 / reference2;
    if (clusters_.size() < 2 || !(r > 0) || !std::isfinite(r)) return 0;
    for (const Cluster& c : clusters_) variance += (c.error2 - r * c.reference2) * (c.error2 - r * c.reference2);
    const double k = static_cast<double>(clusters_.size());
    return std::sqrt(k / (k - 1) * variance) / reference2 / (2 * std::sqrt(r));
  }

  std::int64_t points() const { return direct_.teeth() * direct_.combs(); }

  // Leaps visit every comb once. The first comb depends on the transform.
  std::int64_t first_comb(std::int64_t transform) const { return (transform % direct_.combs() * 7919 + 1) % direct_.combs(); }
  std::int64_t leap() const {
    std::int64_t leap = static_cast<std::int64_t>(0.381966 * static_cast<double>(direct_.combs())) | 1;
    while (std::gcd(leap, direct_.combs()) != 1) leap += 2;
    return leap;
  }

  bool agrees(const std::vector<double>& x, std::int64_t comb) const {
    const std::vector<ComplexDD> sums = direct_.run(x.data(), comb, poll_);
    double difference2 = 0;
    for (std::int64_t m = 0; m < direct_.teeth(); ++m) {
      const ComplexDD value = whole_->at(direct_.index(comb, m));
      const ComplexDD& sum = sums[static_cast<std::size_t>(m)];
      difference2 += magnitude2({value.re - sum.re, value.im - sum.im});
    }
    const double bound = whole_->agreement();
    return difference2 <= bound * bound * energy_ * static_cast<double>(direct_.teeth());
  }

  void add_combs(const std::vector<double>& x, const StoredArray& out, std::int64_t transform, std::int64_t wanted) {
    const double products = static_cast<double>(points()) * static_cast<double>(direct_.combs());
    const bool every = level_ == ErrorLevel::kFull && products <= kMostDirectProducts;
    std::int64_t comb = first_comb(transform);
    for (std::int64_t i = 0; i < direct_.combs(); ++i, comb = (comb + leap()) % direct_.combs()) {
      if (!every && compared_ >= wanted) return;
      const std::vector<ComplexDD> sums = direct_.run(x.data(), comb, poll_);
      for (std::int64_t m = 0; m < direct_.teeth(); ++m) add_sum(direct_.index(comb, m), sums[static_cast<std::size_t>(m)], out, transform);
      close_cluster();
    }
  }

  // Compares the output at an index with its sum, or an output that is not stored with the conjugate that is, if no comb did so before.
  void add_sum(std::int64_t index, ComplexDD sum, const StoredArray& out, std::int64_t transform) {
    if (problem_.kind == Kind::kR2C) {
      if (!is_stored(problem_, true, index)) {
        index = mirrored_index(problem_, index);
        sum.im = -sum.im;
      }
      if (!compared_outputs_.insert(index).second) return;
    }
    add_output(sum, out.get(element_offset(problem_, true, transform, index)));
  }

  // Compares y with scale * reference, both times 2^(input exponent - scale's exponent).
  void add_output(const ComplexDD& unscaled, std::complex<double> stored) {
    // Of c2r the reference has an imaginary part where the input is no spectrum of real numbers; the definition drops it.
    const DoubleDouble im = holds_reals(problem_, true) ? DoubleDouble(0.0) : unscaled.im;
    const ComplexDD reference{unscaled.re * scale_.mantissa, im * scale_.mantissa};
    std::complex<double> y = forward_value(problem_, stored);
    const int exponent = input_exponent_ - scale_.exponent;
    if (exponent != 0) y = {std::ldexp(y.real(), exponent), std::ldexp(y.imag(), exponent)};
    double error2 = magnitude2({DoubleDouble(y.real()) - reference.re, DoubleDouble(y.imag()) - reference.im});
    if (!std::isfinite(y.real()) || !std::isfinite(y.imag())) error2 = std::numeric_limits<double>::infinity();
    const double reference2 = magnitude2(reference);
    error2_ += error2;
    reference2_ += reference2;
    poll_.count(1);
    cluster_.error2 += error2;
    // Where few outputs of a transform are compared, the mean square of the reference comes from Parseval's theorem.
    cluster_.reference2 += whole_ ? reference2 : energy_ * scale_.mantissa.hi * scale_.mantissa.hi;
    if (++cluster_.outputs == kCluster) close_cluster();
    largest_error2_ = std::max(largest_error2_, error2);
    largest_reference2_ = std::max(largest_reference2_, reference2);
    ++compared_;
  }

  const Problem& problem_;
  ErrorLevel level_;
  Scale scale_;
  OutputSums direct_;
  Poll& poll_;
  int input_exponent_ = 0;
  std::optional<WholeReference> whole_;
  std::vector<std::complex<double>> factors_;  // of a chain, conjugated for backward problems like the data

  // These describe the transform under comparison.
  double energy_ = 0, error2_ = 0, reference2_ = 0;
  std::int64_t compared_ = 0;
  std::unordered_set<std::int64_t> compared_outputs_;  // of r2c without a whole reference: their indices
  Cluster cluster_;

  std::vector<Cluster> clusters_;
  double mean_error2_ = 0, mean_reference2_ = 0;
  double largest_error2_ = 0, largest_reference2_ = 0;
  std::int64_t outputs_ = 0, transforms_ = 0;
  bool all_outputs_ = true;
};

void execute(const ulpfft_plan& plan, const ArrayAddress& in, const OwnArray& out) {
  ChainOperation chain;
  std::optional<SharedBytes> factors;
  if (plan.problem.chain == "mul") chain.factors = factors.emplace(stored_factors(plan, chain_factors(plan.problem))).backend();
  require_executed(run_arrays(plan, in, out.on_backend(), nullptr, nullptr, &chain));
  out.fetch();
}

// The index of the i-th of `count` transforms that are spread evenly over a batch. The last transform of the batch is among them.
std::int64_t spread_over(std::int64_t batch, std::int64_t count, std::int64_t i) { return batch - 1 - i * (batch / count); }

// Copies the input of a plan to an array of the same shape, with the bytes between its elements.
void copy_codes(const ulpfft_plan& plan, const ArrayAddress& from, const ArrayAddress& to) {
  const auto copy = [](const void* source, void* target, const Extent& extent) {
    std::memcpy(static_cast<char*>(target) + extent.low, static_cast<const char*>(source) + extent.low,
                static_cast<std::size_t>(extent.high - extent.low));
  };
  for (int part = 0; part < plan.in_shape.parts(); ++part) {
    copy(from.data[part], to.data[part], plan.in_shape.codes);
    if (plan.in_shape.storage.scale != nullptr) copy(from.scales[part], to.scales[part], plan.in_shape.scales);
  }
}

}  // namespace

Problem error_slice(const Problem& problem) {
  Problem slice;
  double part = 1;
  timing_slice(problem, kSliceBytes, slice, part);
  return slice;
}

ErrorMeasurement measure_error(const ulpfft_plan& plan, ErrorLevel level, const CodeletTable* references, Poll* given_poll) {
  const RoundToNearest nearest;
  Poll nobody;
  Poll& poll = given_poll != nullptr ? *given_poll : nobody;
  const Problem& problem = plan.problem;
  const std::int64_t points = transform_points(problem);
  const std::int64_t outputs = stored_points(problem, true);
  const std::int64_t batch = batch_count(problem);
  const double rms = error_data_rms(problem);
  const Memory& memory = plan.executable->backend.memory;
  const OwnArray in(problem, false, memory, &poll);
  std::optional<OwnArray> own_out;
  if (!plan.in_place) own_out.emplace(problem, true, memory, &poll);
  const OwnArray& out = plan.in_place ? in : *own_out;
  const StoredArray results = out.view_of(problem, true);
  Comparison comparison(plan, level, references, rms, poll);
  std::int64_t number = 0;
  while (comparison.outputs() < comparison.enough()) {
    const std::int64_t left = comparison.enough() - comparison.outputs();
    const std::int64_t count = std::min(batch, (left + outputs - 1) / outputs);
    for (std::int64_t i = 0; i < count; ++i) fill_normal(problem, in.view(), spread_over(batch, count, i), number + i, rms, poll);
    // The input is kept, because a plan that works in place destroys it. The transforms have few numbers in all, enough for kOutputs.
    std::vector<std::vector<double>> inputs(static_cast<std::size_t>(count), std::vector<double>(static_cast<std::size_t>(2 * points)));
    for (std::int64_t i = 0; i < count; ++i) {
      gather(problem, in.view(), spread_over(batch, count, i), inputs[static_cast<std::size_t>(i)], poll);
    }
    in.send();
    execute(plan, in.on_backend(), out);
    for (std::int64_t i = 0; i < count; ++i) {
      comparison.add(inputs[static_cast<std::size_t>(i)], results, spread_over(batch, count, i), (left + count - 1) / count);
    }
    number += count;
  }
  return comparison.result();
}

ErrorMeasurement assess(const ulpfft_plan& plan, const ArrayAddress& given, ErrorLevel level, Poll* given_poll) {
  const RoundToNearest nearest;
  Poll nobody;
  Poll& poll = given_poll != nullptr ? *given_poll : nobody;
  const Problem& problem = plan.problem;
  const std::int64_t points = transform_points(problem);
  const std::int64_t batch = batch_count(problem);
  // The array is only read: plans that change theirs get a copy, and so do backends with memory of their own.
  const StoredArray in(problem, false, given);
  const Memory& memory = plan.executable->backend.memory;
  const OwnArray out(problem, true, memory, &poll);
  const auto execute_copy = [&](const OwnArray& copy) {
    copy_codes(plan, in.address(), copy.view().address());
    copy.send();
    execute(plan, copy.on_backend(), out);
  };
  if (plan.in_place) {
    execute_copy(out);
  } else if (!memory.is_host() || problem.destroy_input) {
    execute_copy(OwnArray(problem, false, memory, &poll));
  } else {
    execute(plan, given, out);
  }
  const std::int64_t outputs = stored_points(problem, true);
  const std::int64_t count = level == ErrorLevel::kFull ? batch : std::min(batch, (kOutputs + outputs - 1) / outputs);
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit_transform(problem, false, spread_over(batch, count, i), [&](std::int64_t, std::int64_t offset) {
      const std::complex<double> value = in.get(offset);
      if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) {
        throw PlanError(ULPFFT_INVALID_ARGUMENT, "in",
                        "The input element at offset " + std::to_string(offset) +
                            " is not finite: there is no exact transform to compare with.");
      }
      largest = std::max({largest, std::abs(value.real()), std::abs(value.imag())});
    });
  }
  Comparison comparison(plan, level, nullptr, largest, poll);
  std::vector<double> x(static_cast<std::size_t>(2 * points));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t transform = spread_over(batch, count, i);
    gather(problem, in, transform, x, poll);
    comparison.add(x, out.view(), transform, (comparison.enough() + count - 1) / count);
  }
  return comparison.result();
}

}  // namespace ulpfft
