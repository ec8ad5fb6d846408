// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/predicted_error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/contract/quantisation_error.h"
#include "codelets/contract/through_f32.h"
#include "codelets/registry.h"
#include "planner/convert/array_shape.h"
#include "planner/facts/prescale_target.h"
#include "planner/facts/stored_error.h"
#include "planner/scheme/mx_scheme.h"
#include "planner/scheme/rounded_scheme.h"
#include "planner/scheme/scheme_of.h"

namespace ulpfft {
namespace {

double unit_roundoff(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: return 0x1p-24;
    case ComputeType::kF64: return 0x1p-53;
    case ComputeType::kDoubleDouble: return 0x1p-104;
    default: return 0;
  }
}

// Relative rms error of a rounding over the unit roundoff, normal data.
constexpr double kRmsOfUnit = 0.426;

// Of the squared error of tables and of constants that becomes one of results: by i16 and i8 of 16, 256, 4096 points, within 1.8 (1000: 3.1).
constexpr double kTwiddlesRounded = 0.9, kConstantsRounded = 0.25;

// A share of the data: of stages that are cut in several passes, shares add up to 1 within this.
constexpr double kAllRounded = 1e-6;
// Digits that sums take beyond those of the numbers, which differ in size.
constexpr int kDigitsOfSums = 8;

// Relative rms error of rounding to a wide format.
double wide_rounding(const std::string& name) {
  const FormatInfo* format = find_format(formats(), name);
  return format == nullptr ? 0 : format->rms_error;
}

// Digits of a number in base 2; 1 for powers of two.
int significant_bits(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
  return 53 - std::countr_zero(static_cast<std::uint64_t>(mantissa));
}

// The most digits that a number of a storage has.
int significant_bits(const Storage& storage) {
  const FormatInfo& f = *storage.element;
  return f.kind == FormatKind::kInteger ? f.bits + (std::floor(f.offset) != f.offset ? 1 : 0) : f.mantissa_bits + 1;
}

// Of an arithmetic: those of each number.
int bits_of(const std::string& working) { return working == "f32" ? 24 : 53; }

// Relative difference of the factor that passes have from the exact scale.
double scale_deviation(const Problem& problem, double factor) {
  const double points = static_cast<double>(transform_points(problem));
  switch (problem.scale_kind) {
    case ScaleKind::kNone: return 0;
    case ScaleKind::kByN: return std::fma(factor, points, -1.0);
    case ScaleKind::kValue: return (factor - problem.scale_value) / problem.scale_value;
    case ScaleKind::kOrtho: {
      const double square = factor * factor;
      return 0.5 * (std::fma(square, points, -1.0) + std::fma(factor, factor, -square) * points);
    }
  }
  return 0;
}

// Of a pass of which `part` is computed by a standard body.
BodyErrors mixed(const BodyErrors& own, const BodyErrors* standard, double part) {
  if (standard == nullptr) return own;
  BodyErrors both = own;
  both.rms = std::sqrt((1 - part) * own.rms * own.rms + part * standard->rms * standard->rms);
  both.bias = (1 - part) * own.bias + part * standard->bias;
  return both;
}

// Relative errors of passes: what adds in squares, and what all outputs have alike, which adds up.
struct PassErrors {
  double square = 0;
  double bias = 0;
};

class Prediction {
 public:
  Prediction(const Problem& problem, const Recipe& recipe, Program& program, std::map<std::string, double>& blocks)
      : problem_(problem),
        program_(program),
        blocks_(blocks),
        working_(scheme_of_compute(program.compute)),
        rounded_(rounded_scheme(recipe.scheme)),
        mx_(mx_scheme(recipe.scheme)),
        intermediates_(intermediates_of(problem, recipe.root)) {}

  double predicted() {
    const Scaling scale = scaling();
    const PassErrors filters = filter_errors();
    const PassErrors passes = rounded_ ? PassErrors{} : errors_of_passes(0, program_.passes.size(), scale.digits);
    double error = mx_error();
    const auto add = [&](double square) {
      error += square;
      if (mx_) program_.mx_errors.squares.push_back(square);
    };
    add(scale.products * scale.products);
    add(passes.square);
    add(filters.square);
    add(std::pow(scale.deviation + passes.bias + filters.bias, 2));
    const double input_rms = rms_of_passes(problem_, rounded_, intermediates_);
    // A power of two changes no digit of a float.
    const bool moved = program_.prescale_target != 0 && rounded_ && rounded_->element->kind == FormatKind::kInteger;
    if (rounded_ && (moved || problem_.storage_in != rounded_->element->name)) add(std::pow(element_rounding(problem_, *rounded_->element, 1, input_rms), 2));
    if (rounded_) add(square_of_rounded_passes(input_rms));
    for (const Intermediate& stage : intermediates_) add(std::pow(stored_between(problem_, stage, input_rms, blocks_), 2));
    // A conversion to fewer digits rounds once. Decoding narrow storage is exact.
    const std::size_t compute_bytes = real_bytes(program_.compute);
    if (is_wide(problem_.storage_in) && storage_real_bytes(problem_.storage_in) > compute_bytes) add(std::pow(wide_rounding(working_), 2));
    if (rounded_ && !moved && !rounded_->f32_sums && problem_.storage_out == rounded_->element->name) {
      // What is stored are its numbers.
    } else if (!is_wide(problem_.storage_out)) {
      add(std::pow(output_quantisation(problem_, blocks_), 2));
    } else if (storage_real_bytes(problem_.storage_out) < compute_bytes) {
      add(std::pow(wide_rounding(problem_.storage_out), 2));
    }
    return std::sqrt(error);
  }

 private:
  // `digits`: of the numbers that the first of the passes reads.
  PassErrors errors_of_passes(std::size_t begin, std::size_t end, int digits) const {
    const bool f32 = program_.compute == ComputeType::kF32;
    const double u = unit_roundoff(program_.compute);
    PassErrors sum;
    // Bodies whose sums are exact, and the share of the data that none of them has read yet. Where they do nothing but sums, the next are.
    const auto exact_share = [&] { return digits + kDigitsOfSums <= bits_of(working_) ? 1.0 : 0.0; };
    double exact = exact_share();
    bool sums_alone = true;
    int growth = 0;  // of digits
    for (std::size_t i = begin; i < end; ++i) {
      const PassUse& use = program_.passes[i];
      const BodyFacts& body = *use.codelet->body;
      const BodyErrors first = mixed(f32 ? body.f32 : body.f64, use.standard == nullptr ? nullptr : f32 ? &use.standard->f32 : &use.standard->f64, use.standard_part);
      const BodyErrors second = use.codelet->second == nullptr ? BodyErrors{} : f32 ? use.codelet->second->f32 : use.codelet->second->f64;
      if (body.form != TwiddleForm::kNone || (body.radix == 1 && first.rms > 0)) exact = 0;
      const double rms = exact > 0 ? first.exact_sums : first.rms;
      if (exact > 0 && body.radix > 1) {
        exact -= use.share;
        sums_alone = sums_alone && rms == 0 && use.codelet->second == nullptr;
        growth = std::max(growth, static_cast<int>(std::bit_width(static_cast<unsigned>(body.radix))));
        if (exact < kAllRounded) {
          digits += growth;
          exact = sums_alone ? exact_share() : 0;
          growth = 0;
        }
      }
      const double bias = std::clamp(first.bias, -rms, rms);  // no sum is without an error and has one on average
      sum.square += use.share * u * u * (rms * rms - bias * bias + second.rms * second.rms - second.bias * second.bias);
      sum.bias += use.share * u * (bias + second.bias);
    }
    return sum;
  }

  double square_of_rounded_passes(double input_rms) const {
    const FormatInfo& element = *rounded_->element;
    // Of tables and constants, numbers of rms 1. Of floats what bodies are said to err by has it; the step of an integer may be larger than they.
    const double tables = element.kind == FormatKind::kInteger ? rounding_of_unit_rms(element) : 0;
    double sum = 0;
    double done = 1;  // length of the transform so far
    for (const PassUse& use : program_.passes) {
      const double rms = use.codelet->body->f32.rms;
      // Steps of integers, and of floats below their normal numbers, do not follow the data, which grow from pass to pass.
      const double grown = done * use.codelet->body->radix;
      const double u = rounded_share(*rounded_) * element_rounding(problem_, element, std::sqrt(done * grown), input_rms) / kRmsOfUnit;
      done = grown;
      const bool twiddled = use.codelet->body->form != TwiddleForm::kNone;
      sum += use.share * tables * tables * ((twiddled ? kTwiddlesRounded : 0) + (use.codelet->body->radix > 4 ? kConstantsRounded : 0));
      sum += use.share * u * u * rms * rms;
    }
    return sum;
  }

  struct Scaling {
    double products = 0;   // rms of their roundings
    double deviation = 0;  // of the factor
    int digits = 0;        // of the products
  };
  // The factor is rounded to the arithmetic, and so is every product with it, unless it has the digits of both.
  Scaling scaling() const {
    const double factor = working_ == "f32" ? through_f32(scale_factor(problem_)) : scale_factor(problem_);
    const int bits = bits_of(working_);
    const int factor_bits = significant_bits(factor);
    const int digits = std::min(bits, significant_bits(find_storage_of(problem_.storage_in, "storage_in"))) + (factor_bits > 1 ? factor_bits : 0);
    return {digits > bits ? kRmsOfUnit * unit_roundoff(program_.compute) : 0, scale_deviation(problem_, factor), digits};
  }

  // Filters of convolutions, which a transform like that of the data made; filters inside are those of its own passes.
  PassErrors filter_errors() const {
    std::vector<PassErrors> sums{{}};  // of the filters before each
    for (const FilterUse& filter : program_.filters) {
      const PassErrors passes = errors_of_passes(filter.begin, filter.end, bits_of(working_));
      const PassErrors before = sums[filter.first_inside], last = sums.back();
      sums.push_back({last.square + (passes.square + (last.square - before.square)), last.bias + (passes.bias + (last.bias - before.bias))});
    }
    return sums.back();
  }

  // Squared, of the products of an mx scheme, whose twiddles are taken to err as data do.
  double mx_error() {
    if (!mx_) return 0;
    const Storage& storage = mx_->storage;
    const auto [known, is_new] = blocks_.try_emplace(
        std::string(storage.element->name) + " " + std::to_string(storage.length) + " " + kScaleRuleNames[static_cast<int>(storage.rule)]);
    if (is_new) known->second = block_quantisation_error(storage);
    const double block = program_.mx_errors.block = known->second;
    double sum = 0;
    std::vector<const Loop*> loops;
    visit_passes(program_.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
      const auto* const mx = std::get_if<MxProducts>(&pass.op);
      if (mx == nullptr) return;
      const MxPass outline = mx_pass(*mx_, mx->radix, mx->length, mx->butterflies, mx->ones);
      sum += mx_square(outline, program_.passes[pass.use].share, block, block * block);
    });
    return sum;
  }

  const Problem& problem_;
  Program& program_;
  std::map<std::string, double>& blocks_;
  const std::string working_;
  const std::optional<RoundedScheme> rounded_;
  const std::optional<MxScheme> mx_;
  const std::vector<Intermediate> intermediates_;
};

}  // namespace

void predict_error(const Problem& problem, const Recipe& recipe, Program& program, std::map<std::string, double>& blocks) {
  program.predicted_error = Prediction(problem, recipe, program, blocks).predicted();
}

}  // namespace ulpfft
