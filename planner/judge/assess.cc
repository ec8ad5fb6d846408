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
#include "planner/facts/stored_error.h"
#include "planner/judge/dense_plan.h"
#include "planner/judge/error_data.h"
#include "planner/judge/output_sums.h"
#include "planner/judge/stored_array.h"
#include "planner/judge/whole_reference.h"
#include "planner/plan/memory_need.h"
#include "planner/scheme/scheme_of.h"
#include "planner/system/round_to_nearest.h"
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

// The factors of a chain, by the index of visit_transform. If the chain multiplies, they have magnitude 1 and angles like squares times the
// golden ratio, rounded to f32: these spread every number over the result, where angles like the index would only move it. A user's
// operation is not known, so its factors are 1. The half of a spectrum of real numbers that is not stored has the conjugates.
std::vector<std::complex<double>> chain_factors(const Problem& problem, Poll& poll) {
  if (problem.chain.empty()) return {};
  std::vector<std::complex<double>> factors(static_cast<std::size_t>(transform_points(problem)), 1.0);
  if (problem.chain != "mul") return factors;
  double turns = 0, step = 0;
  for (std::complex<double>& factor : factors) {
    poll.count(1);
    step += std::numbers::phi - 1;
    step -= std::floor(step);
    turns += step;
    turns -= std::floor(turns);
    const std::complex<double> exact = std::polar(1.0, 2 * std::numbers::pi * turns);
    factor = {through_f32(exact.real()), through_f32(exact.imag())};
  }
  const std::int64_t row = problem.dims.back().length;
  for (std::size_t i = 0; is_real_chain(problem) && i < factors.size(); ++i) {
    poll.count(1);
    const auto index = static_cast<std::int64_t>(i);
    if (index % row > row / 2) factors[i] = std::conj(factors[static_cast<std::size_t>(mirrored_index(problem, index))]);
  }
  return factors;
}

// The factors as a plan reads them: dense and in its arithmetic.
SharedBytes stored_factors(const ulpfft_plan& plan, const std::vector<std::complex<double>>& factors, Poll& poll) {
  Problem dense = transform_of_chain(plan.problem);  // its output is the spectrum
  dense.batch.clear();
  dense.layout = ArrayLayout::kInterleaved;
  dense.placement = Placement::kOutOfPlace;
  dense.storage_in = dense.storage_out = scheme_of_compute(plan.facts->compute);
  set_dense_strides(dense);
  const auto points = static_cast<std::size_t>(spectrum_points(plan.problem));
  SharedBytes buffer(plan.executable->backend.memory, points * 2 * real_bytes(plan.facts->compute), &poll);
  const StoredArray array(dense, true, {{buffer.host(), buffer.host()}, {}, nullptr});
  visit_transform(dense, true, 0, [&](std::int64_t index, std::int64_t offset) {
    poll.count(1);
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
  // `factors` are those of the chain. A whole reference takes at most `most_bytes`.
  Comparison(const ulpfft_plan& plan, ErrorLevel level, const CodeletTable* references, double largest, double most_bytes,
             std::vector<std::complex<double>> factors, Poll& poll)
      : problem_(plan.problem),
        level_(level),
        scale_(exact_scale(plan.problem)),
        window_(plan.problem, poll),
        direct_(plan.problem, &poll),
        poll_(poll),
        factors_(std::move(factors)) {
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    input_exponent_ = std::abs(exponent) > 200 ? -exponent : 0;
    const bool narrow = (plan.facts->compute != ComputeType::kF64 && plan.facts->compute != ComputeType::kDoubleDouble) ||
                        problem_.storage_out != "f64";
    for (std::complex<double>& factor : factors_) factor = forward_value(plan.problem, factor);
    if (level == ErrorLevel::kFull || !factors_.empty() || points() <= (narrow ? kSampledF64 : kSampledDoubleDouble)) {
      whole_ = WholeReference::make(plan, narrow ? ComputeType::kF64 : ComputeType::kDoubleDouble, references, most_bytes, poll);
    }
  }

  void compare_random_data() { is_random_ = true; }
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
      for (double& part : x) {
        poll_.count(1);
        part = std::ldexp(part, input_exponent_);
      }
    }
    window_.multiply(x, low_);
    energy_ = energy_of(problem_, x, &poll_);
    error2_ = reference2_ = 0;
    compared_ = 0;
    compared_outputs_.clear();
    cluster_ = {};
    if (whole_) {
      whole_->run(x, low_);
      if (transforms_ == 0 && !agrees(x, first_comb(transform))) whole_.reset();
      if (whole_ && !factors_.empty()) whole_->run_back(factors_);
    }
    if (!whole_ && !factors_.empty()) {
      throw PlanError(ULPFFT_UNSUPPORTED, "error_level",
                      "The error of this chain cannot be measured: its transform has no reference recipe, or no memory for one.");
    }
    if (whole_) {
      visit_transform(problem_, true, transform, [&](std::int64_t index, std::int64_t offset) {
        add_output(whole_->at(index), out.get(offset));
      });
      close_cluster();
    } else {
      add_combs(x, out, transform, wanted);
    }
    if (counts_energy()) {
      reference2_ = mean_square() * static_cast<double>(compared_);
      largest_reference2_ = std::max(largest_reference2_, mean_square());
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

  // Numbers of a transform, of the longer side.
  std::int64_t points() const { return std::max(direct_.teeth() * direct_.combs(), transform_points(problem_)); }

  // Leaps visit every comb once. The first comb depends on the transform.
  std::int64_t first_comb(std::int64_t transform) const { return (transform % direct_.combs() * 7919 + 1) % direct_.combs(); }
  std::int64_t leap() const {
    std::int64_t leap = static_cast<std::int64_t>(0.381966 * static_cast<double>(direct_.combs())) | 1;
    while (std::gcd(leap, direct_.combs()) != 1) leap += 2;
    return leap;
  }

  // The sums of the input with what it is beyond doubles.
  std::vector<ComplexDD> sums_of(const std::vector<double>& x, std::int64_t comb) const {
    std::vector<ComplexDD> sums = direct_.run(x.data(), comb, poll_);
    if (low_.empty()) return sums;
    const std::vector<ComplexDD> low = direct_.run(low_.data(), comb, poll_);
    for (std::size_t m = 0; m < sums.size(); ++m) sums[m] = {sums[m].re + low[m].re, sums[m].im + low[m].im};
    return sums;
  }

  bool agrees(const std::vector<double>& x, std::int64_t comb) const {
    const std::vector<ComplexDD> sums = sums_of(x, comb);
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
      const std::vector<ComplexDD> sums = sums_of(x, comb);
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

  // Whether outputs are |scale * reference|^2. Parseval's theorem tells nothing of the mean of their squares.
  bool powers() const { return problem_.output_kind == OutputKind::kPower; }

  // Whether the mean square of the reference comes from that of the input: by Parseval's theorem where few outputs of a transform are
  // compared, and of random data of a chirp transform, whose outputs may lie so close together that they are few numbers.
  bool counts_energy() const {
    if (problem_.kind == Kind::kCzt) return is_random_ && !powers();
    return !whole_ && !powers();
  }
  double mean_square() const { return energy_ * scale_.mantissa.hi * scale_.mantissa.hi; }

  // Compares y with scale * reference, both times 2^(input exponent - scale's exponent), and so twice where y is a power.
  void add_output(const ComplexDD& unscaled, std::complex<double> stored) {
    // The reference of c2r has an imaginary part where the input is no spectrum of real numbers; the definition drops it.
    const DoubleDouble im = holds_reals(problem_, true) && !powers() ? DoubleDouble(0.0) : unscaled.im;
    ComplexDD reference{unscaled.re * scale_.mantissa, im * scale_.mantissa};
    if (powers()) reference = {reference.re * reference.re + reference.im * reference.im, DoubleDouble(0.0)};
    std::complex<double> y = forward_value(problem_, stored);
    const int exponent = (input_exponent_ - scale_.exponent) * (powers() ? 2 : 1);
    if (exponent != 0) y = {std::ldexp(y.real(), exponent), std::ldexp(y.imag(), exponent)};
    double error2 = magnitude2({DoubleDouble(y.real()) - reference.re, DoubleDouble(y.imag()) - reference.im});
    if (!std::isfinite(y.real()) || !std::isfinite(y.imag())) error2 = std::numeric_limits<double>::infinity();
    const double reference2 = magnitude2(reference);
    error2_ += error2;
    reference2_ += reference2;
    poll_.count(1);
    cluster_.error2 += error2;
    cluster_.reference2 += counts_energy() ? mean_square() : reference2;
    if (++cluster_.outputs == kCluster) close_cluster();
    largest_error2_ = std::max(largest_error2_, error2);
    largest_reference2_ = std::max(largest_reference2_, reference2);
    ++compared_;
  }

  const Problem& problem_;
  ErrorLevel level_;
  Scale scale_;
  const InputWindow window_;
  std::vector<double> low_;  // of the transform under comparison, see InputWindow
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
  bool is_random_ = false;
};

// What a measurement keeps beside its plan and a whole reference, for a problem without gaps.
double bytes_beside(const Problem& problem, bool on_given) {
  const double points = static_cast<double>(transform_points(problem)), complex = sizeof(std::complex<double>);
  // The inputs and one more, the factors of a chain twice, and of a window what products are beyond doubles.
  const double inputs = static_cast<double>(on_given ? 1 : transforms_to_measure(problem)) + 1;
  const double dense = inputs + (problem.chain.empty() ? 0 : 2) + (problem.window ? 1 : 0);
  return bytes_of_arrays(problem) + points * complex * dense;
}

// Executes a plan, which is a chain with these factors or a transform.
class Executions {
 public:
  Executions(const ulpfft_plan& plan, const std::vector<std::complex<double>>& factors, Poll& poll) : plan_(plan), poll_(poll) {
    if (plan.problem.chain == "mul") chain_.factors = stored_.emplace(stored_factors(plan, factors, poll)).backend();
  }
  void run(const ArrayAddress& in, const OwnArray& out) const {
    require_executed(run_interruptibly(plan_, in, out.on_backend(), &chain_, &poll_));
    out.fetch();
  }

 private:
  const ulpfft_plan& plan_;
  Poll& poll_;
  std::optional<SharedBytes> stored_;
  ChainOperation chain_;
};

// The index of the i-th of `count` transforms that are spread evenly over a batch. The last transform of the batch is among them.
std::int64_t spread_over(std::int64_t batch, std::int64_t count, std::int64_t i) { return batch - 1 - i * (batch / count); }

// Copies the codes and scales of every element of one side to an array of a problem that differs in its strides alone.
void copy_codes(const Problem& from, const StoredArray& source, const Problem& to, const StoredArray& target, Poll& poll) {
  const Side shape = side_of(from, false);
  const std::int64_t points = source.row_points();
  const auto copy = [](void* target_of, const void* source_of, std::int64_t to_at, std::int64_t from_at, std::int64_t bytes) {
    std::memcpy(static_cast<char*>(target_of) + to_at, static_cast<const char*>(source_of) + from_at, static_cast<std::size_t>(bytes));
  };
  for (std::int64_t transform = 0; transform < batch_count(from); ++transform) {
    visit_transform(from, false, transform, [&](std::int64_t index, std::int64_t offset) {
      poll.count(1);
      const std::int64_t other = element_offset(to, false, transform, index);
      // The first element of a row stands for all.
      if (shape.rows && ((offset % points) + points) % points != 0) return;
      const std::int64_t at = shape.rows ? offset / points : offset, to_at = shape.rows ? other / points : other;
      for (int part = 0; part < shape.parts(); ++part) {
        const std::int64_t bytes = shape.outer_bytes, scales = shape.scale_bytes;
        copy(target.address().data[part], source.address().data[part], to_at * bytes, at * bytes, bytes);
        if (scales != 0) copy(target.address().scales[part], source.address().scales[part], to_at * scales, at * scales, scales);
      }
    });
  }
}

// Throws PlanError where these bytes are too many for the caller's limit or for this process.
void require_bytes(const Problem& problem, double bytes, double most_bytes) {
  if (bytes <= most_bytes) return require_memory_of_process(bytes, "Measuring the error of this plan");
  throw PlanError(ULPFFT_NO_MEMORY, "max_memory",
                  "Measuring the error of this problem takes " + show_bytes(bytes) + " beside its plan, of which max_memory leaves " +
                      show_bytes(std::max(0.0, most_bytes)) + ". Raise it, or plan without " +
                      (problem.max_error > 0 ? "max_error." : "a measured error."));
}

}  // namespace

void require_memory_to_measure(const Problem& problem, bool on_given, double most_bytes) {
  const Problem dense = without_gaps(problem);
  require_bytes(dense, bytes_beside(dense, on_given), most_bytes);
}

Problem error_slice(const Problem& problem, std::int64_t transforms) {
  Problem slice = without_gaps(problem);
  while (batch_count(slice) > std::max<std::int64_t>(transforms, 1)) {
    const auto longer = [](const Dimension& a, const Dimension& b) { return a.length < b.length; };
    std::int64_t& length = std::max_element(slice.batch.begin(), slice.batch.end(), longer)->length;
    length = (length + 1) / 2;
  }
  return without_gaps(slice);
}

std::int64_t transforms_to_measure(const Problem& problem) {
  const std::int64_t outputs = stored_points(problem, true);
  return std::min(batch_count(problem), (kOutputs + outputs - 1) / outputs);
}

ErrorMeasurement measure_error(const ulpfft_plan& given, ErrorLevel level, const CodeletTable* references, Poll* given_poll,
                               double most_bytes) {
  const RoundToNearest nearest;
  Poll nobody;
  Poll& poll = given_poll != nullptr ? *given_poll : nobody;
  const DensePlan dense(given, &poll);
  const ulpfft_plan& plan = *dense;
  const Problem& problem = plan.problem;
  const std::int64_t points = transform_points(problem);
  const std::int64_t outputs = stored_points(problem, true);
  const std::int64_t batch = batch_count(problem);
  const double beside = bytes_beside(problem, false);
  require_bytes(problem, beside, most_bytes);
  const double rms = error_data_rms(problem, Sides(problem));
  const Memory& memory = plan.executable->backend.memory;
  const OwnArray in(problem, false, memory, &poll);
  std::optional<OwnArray> own_out;
  if (!plan.in_place) own_out.emplace(problem, true, memory, &poll);
  const OwnArray& out = plan.in_place ? in : *own_out;
  const StoredArray results = out.view_of(problem, true);
  std::vector<std::complex<double>> factors = chain_factors(problem, poll);
  const Executions executions(plan, factors, poll);
  Comparison comparison(plan, level, references, rms, most_bytes - beside, std::move(factors), poll);
  comparison.compare_random_data();
  std::int64_t number = 0;
  while (comparison.outputs() < comparison.enough()) {
    const std::int64_t left = comparison.enough() - comparison.outputs();
    const std::int64_t count = std::min(batch, (left + outputs - 1) / outputs);
    for (std::int64_t i = 0; i < count; ++i) fill_normal(problem, in.view(), spread_over(batch, count, i), number + i, rms, poll);
    // The input is kept, because a plan that works in place destroys it. The transforms have few numbers in all, enough for kOutputs.
    std::vector<std::vector<double>> inputs(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      inputs[static_cast<std::size_t>(i)].resize(static_cast<std::size_t>(2 * points));
      gather(problem, in.view(), spread_over(batch, count, i), inputs[static_cast<std::size_t>(i)], poll);
    }
    in.send();
    executions.run(in.on_backend(), out);
    for (std::int64_t i = 0; i < count; ++i) {
      comparison.add(inputs[static_cast<std::size_t>(i)], results, spread_over(batch, count, i), (left + count - 1) / count);
    }
    number += count;
  }
  return comparison.result();
}

ErrorMeasurement assess(const ulpfft_plan& given, const ArrayAddress& array, ErrorLevel level, Poll* given_poll, double most_bytes) {
  const RoundToNearest nearest;
  Poll nobody;
  Poll& poll = given_poll != nullptr ? *given_poll : nobody;
  const DensePlan dense(given, &poll);
  const ulpfft_plan& plan = *dense;
  const Problem& problem = given.problem;  // of the array
  const std::int64_t points = transform_points(problem);
  const std::int64_t batch = batch_count(problem);
  const double beside = bytes_beside(plan.problem, true);
  require_bytes(problem, beside, most_bytes);
  // The array is only read: plans that change theirs get a copy, and so do backends with memory of their own.
  const StoredArray in(problem, false, array);
  const Memory& memory = plan.executable->backend.memory;
  const OwnArray out(plan.problem, true, memory, &poll);
  std::vector<std::complex<double>> factors = chain_factors(problem, poll);
  const Executions executions(plan, factors, poll);
  const auto execute_copy = [&](const OwnArray& copy) {
    copy_codes(problem, in, plan.problem, copy.view_of(plan.problem, false), poll);
    copy.send();
    executions.run(copy.on_backend(), out);
  };
  if (plan.in_place) {
    execute_copy(out);
  } else if (!memory.is_host() || problem.destroy_input || dense.has_other_strides()) {
    execute_copy(OwnArray(plan.problem, false, memory, &poll));
  } else {
    executions.run(array, out);
  }
  const std::int64_t outputs = stored_points(problem, true);
  const std::int64_t count = level == ErrorLevel::kFull ? batch : std::min(batch, (kOutputs + outputs - 1) / outputs);
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit_transform(problem, false, spread_over(batch, count, i), [&](std::int64_t, std::int64_t offset) {
      poll.count(1);
      const std::complex<double> value = in.get(offset);
      if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) {
        throw PlanError(ULPFFT_INVALID_ARGUMENT, "in",
                        "The input element at offset " + std::to_string(offset) +
                            " is not finite: there is no exact transform to compare with.");
      }
      largest = std::max({largest, std::abs(value.real()), std::abs(value.imag())});
    });
  }
  Comparison comparison(plan, level, nullptr, largest, most_bytes - beside, std::move(factors), poll);
  std::vector<double> x(static_cast<std::size_t>(2 * points));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t transform = spread_over(batch, count, i);
    gather(problem, in, transform, x, poll);
    comparison.add(x, out.view_of(plan.problem, true), transform, (comparison.enough() + count - 1) / count);
  }
  return comparison.result();
}

}  // namespace ulpfft
