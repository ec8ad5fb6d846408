// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/predicted_error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "codelets/contract/quantisation_error.h"
#include "codelets/contract/through_f32.h"
#include "codelets/registry.h"
#include "planner/facts/exact_sums.h"
#include "planner/facts/power_error.h"
#include "planner/facts/prescale_target.h"
#include "planner/facts/stored_error.h"
#include "planner/scheme/mx.h"
#include "planner/scheme/rounded.h"
#include "planner/scheme/rounding.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/scheme/split.h"
#include "planner/table/find_codelet.h"

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

// The parts of the squared errors of twiddles and of constants that reach the results. With them predictions for i16 and i8 at 16, 256 and
// 4096 points are within a factor of 1.8 (1000 points: 3.1).
constexpr double kTwiddlesRounded = 0.9, kConstantsRounded = 0.25;

// The shares of the passes of one stage add up to 1 within this.
constexpr double kAllRounded = 1e-6;
// Numbers of this rms, in units of the smallest normal number, are hardly ever subnormal.
constexpr double kAmple = 0x1p40;
// Relative rms error of rounding to a wide format.
double wide_rounding(const std::string& name) {
  const FormatInfo* format = find_format(formats(), name);
  return format == nullptr ? 0 : format->rms_error;
}

// How many digits a number has in base 2; 1 for powers of two.
int significant_bits(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
  return 53 - std::countr_zero(static_cast<std::uint64_t>(mantissa));
}

// Numbers of a storage, whose parts have this rms, in an arithmetic of `bits` digits.
Summands summands(const Storage& storage, double rms, int bits) {
  constexpr double kLargestOfABlock = 2;  // over the rms
  const FormatInfo& f = *storage.element;
  const bool integer = f.kind == FormatKind::kInteger, blocks = storage.scale != nullptr;
  Summands numbers;
  numbers.is_fixed = integer && !blocks;
  numbers.digits = integer ? f.bits + (std::floor(f.offset) != f.offset ? 1 : 0) : f.mantissa_bits + 1;
  numbers.step = integer ? std::ldexp(std::floor(f.offset) != f.offset ? 0.5 : 1.0, -f.fraction_bits) : f.smallest_subnormal;
  if (blocks && !has_powers_alone(*storage.scale)) {
    numbers.digits += storage.scale->mantissa_bits + 1;
    numbers.step = std::ldexp(numbers.step, -storage.scale->mantissa_bits);
  }
  numbers.step *= blocks ? kLargestOfABlock / f.largest : 1 / rms;
  numbers.digits = std::min(numbers.digits, bits);
  return numbers;
}

// How many digits a number of an arithmetic has.
int bits_of(const std::string& working) { return working == "f32" ? 24 : 53; }

// Relative difference between the factor in the passes and the exact scale.
double scale_deviation(const Problem& problem, double factor) {
  const double points = static_cast<double>(scale_points(problem));
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

// The errors of a pass; the body `standard` computes `part` of it.
BodyErrors mixed(const BodyErrors& own, const BodyErrors* standard, double part) {
  if (standard == nullptr) return own;
  BodyErrors both = own;
  both.rms = std::sqrt((1 - part) * own.rms * own.rms + part * standard->rms * standard->rms);
  both.bias = (1 - part) * own.bias + part * standard->bias;
  return both;
}

// The squared error, in units, of the products with twiddles in a body: both products of a component, of which an FMA does not round one,
// and the twiddle. Number 0 has none.
double squared_error_of_twiddles(const BodyFacts& body) {
  return body.form == TwiddleForm::kNone ? 0 : 2.5 * kRmsOfUnit * kRmsOfUnit * (1 - 1.0 / body.radix);
}

// What results keep of the squared error of a pass, in units. `before` of it comes before the body.
double kept_square(const PassUse& use, const BodyFacts& body, double square, double before = 0) {
  if (use.kept == use.kept_of_sums) return use.kept * square;
  const double products = before + std::min(square - before, squared_error_of_twiddles(body));
  return use.kept * products + use.kept_of_sums * (square - products);
}

// Relative errors of passes. The squares of random errors add up, and so do biases, which are errors that all outputs share.
struct PassErrors {
  double square = 0;
  double bias = 0;
};

class Prediction {
 public:
  Prediction(const Problem& problem, const Sides& sides, const Recipe& recipe, Program& program, std::map<std::string, double>& blocks)
      : problem_(problem),
        sides_(sides),
        program_(program),
        blocks_(blocks),
        working_(scheme_of_compute(program.compute)),
        scheme_(program.scheme),
        intermediates_(intermediates_of(problem, recipe.root)),
        input_rms_(rms_of_passes(problem, sides, scheme_.element, intermediates_) * window_rms(problem, blocks)),
        wide_(find_format(formats(), working_)) {}

  double predicted() {
    return std::visit([&](const auto& constants) { return predicted(constants); }, scheme_.constants);
  }

 private:
  // `constants` choose what a scheme adds: each question has a function for the families that differ from wide schemes.
  double predicted(const auto& constants) {
    const Scaling scale = scaling();
    const PassErrors filters = filter_errors();
    const PassErrors passes = errors_of_codelets(constants, scale.numbers);
    double error = square_of_products(constants);
    const auto add = [&](double square) {
      error += square;
      if (other_squares_ != nullptr) other_squares_->push_back(square);
    };
    add(scale.products * scale.products);
    add(passes.square);
    add(filters.square);
    add(std::pow((scale.deviation + passes.bias + filters.bias) * (sides_.out.power ? kBiasOfPower : 1), 2));
    // A single point has no pass but its product, which follows it.
    double rounded = passes.square + (transform_points(problem_) == 1 ? scale.products * scale.products : 0);
    for (const double square : squares_of_roundings(constants, input_rms_)) {
      add(square);
      rounded += square;
    }
    for (const Intermediate& stage : intermediates_) add(std::pow(stored_between(problem_, stage, input_rms_, blocks_), 2));
    add(square_of_small_input());
    add(window_products() * std::pow(kRmsOfUnit * unit_roundoff(program_.compute), 2));
    // A conversion to fewer digits rounds once. Decoding narrow storage is exact.
    const std::size_t compute_bytes = real_bytes(program_.compute);
    const auto real_bytes_of = [](const Side& side) { return static_cast<std::size_t>(side.storage.element->bits / 8); };
    if (sides_.in.wide && real_bytes_of(sides_.in) > compute_bytes) add(std::pow(wide_rounding(working_), 2));
    if (sides_.out.power) {
      const auto points = static_cast<double>(transform_points(problem_));
      add(square_of_powers(error, rounded, points, sides_.in.real, unit_roundoff(program_.compute)));
    }
    if (stores_its_numbers(constants)) {
      // The output stores numbers of the scheme, so storing them adds no error.
    } else if (!sides_.out.wide) {
      add(std::pow(output_quantisation(problem_, sides_, blocks_), 2));
    } else if (real_bytes_of(sides_.out) < compute_bytes) {
      add(std::pow(wide_rounding(sides_.out.format), 2));
    }
    return std::sqrt(error);
  }

  // Roundings of a window: of each product, and of each factor but those of a caller in f64.
  double window_products() const {
    if (!problem_.window) return 0;
    if (problem_.dims.size() > 1) return 5;
    return problem_.window.given != nullptr && program_.compute == ComputeType::kF64 ? 1 : 2;
  }

  // The unit roundoff of the numbers of a pass: more than u of numbers so small that the arithmetic keeps fewer digits of them.
  double unit_at(const PassUse& use, double u) const {
    if (wide_ == nullptr || input_rms_ == 0) return u;
    const double length = std::sqrt(use.grown_before * use.grown);
    const double rms = input_rms_ * std::sqrt(length) * std::abs(scale_factor(problem_));
    if (rms > kAmple * wide_->smallest_normal) return u;
    return std::max(u, element_rounding(problem_, *wide_, length, input_rms_) / kRmsOfUnit);
  }

  // Relative error of the square root of 2 in the arithmetic.
  double deviation_of_root() const {
    const double root = working_ == "f32" ? through_f32(std::numbers::sqrt2) : std::numbers::sqrt2;
    return std::fma(root, root, -2.0) / 4;
  }

  // The errors of the second body of a pair whose first body adds numbers of few digits: the first outputs of all those bodies, which are
  // sums of `count` numbers, meet no twiddle but 1, and their sums are exact as well.
  BodyErrors after_exact_sums(const BodyErrors& second, const Summands& numbers, double count, double clean,
                              const CodeletInfo& pair) const {
    const double exact = clean * (1 - rounded_part_of_body(numbers, count, pair.second->radix, bits_of(working_))) / pair.body->radix;
    return {second.rms * std::sqrt(1 - exact), second.exact_sums, second.bias * (1 - exact)};
  }

  // The errors of passes begin .. end - 1, the first of which reads `numbers`.
  PassErrors errors_of_passes(std::size_t begin, std::size_t end, const Summands& numbers) const {
    const bool f32 = program_.compute == ComputeType::kF32;
    const double u = unit_roundoff(program_.compute);
    PassErrors sum;
    // Sums are exact as long as the arithmetic has their digits. `exact` is the share of the data that the bodies of such a stage have not
    // read yet. Outputs of a body at multiples of a quarter of it are sums alone, and so are exact for the next stage.
    double count = 1;  // of the numbers that the stage reads the sums of
    double clean = 1;  // the part of what the stage reads that is exact
    const int bits = bits_of(working_);
    const auto exact_share = [&] { return rounded_part(numbers, 2 * count, bits) < 1 ? 1.0 : 0.0; };
    double exact = exact_share();
    int growth = 1;
    for (std::size_t i = begin; i < end; ++i) {
      const PassUse& use = program_.passes[i];
      const BodyFacts& body = *use.codelet->body;
      const BodyErrors* const standard = use.standard == nullptr ? nullptr : f32 ? &use.standard->f32 : &use.standard->f64;
      const BodyErrors first = mixed(f32 ? body.f32 : body.f64, standard, use.standard_part);
      BodyErrors second = use.codelet->second == nullptr ? BodyErrors{} : f32 ? use.codelet->second->f32 : use.codelet->second->f64;
      if (body.form != TwiddleForm::kNone || (body.radix == 1 && first.rms > 0)) exact = 0;
      double rms = first.rms;
      if (exact > 0) {
        const double part = rounded_part_of_body(numbers, count, body.radix, bits);
        const double few = std::lerp(first.exact_sums * first.exact_sums, rms * rms, part);
        rms = std::sqrt(std::lerp(rms * rms, few, clean));
        if (use.codelet->second != nullptr) second = after_exact_sums(second, numbers, count * body.radix, clean, *use.codelet);
      }
      if (exact > 0 && body.radix > 1) {
        exact -= use.share;
        growth = std::max(growth, body.radix * (use.codelet->second != nullptr ? use.codelet->second->radix : 1));
        if (exact < kAllRounded) {
          count *= growth;
          clean *= std::gcd(growth, 4) / static_cast<double>(growth);
          exact = exact_share();
          growth = 1;
        }
      }
      const double bias = std::clamp(first.bias, -rms, rms);  // no bias exceeds the rms error; exact sums have neither
      const double unit = unit_at(use, u);
      const double all = rms * rms - bias * bias + second.rms * second.rms - second.bias * second.bias;
      // The second of two bodies in a pass ends the transform.
      const BodyFacts* const last = use.codelet->second;
      const double before = last == nullptr ? 0 : rms * rms - bias * bias;
      sum.square += use.share * unit * unit * kept_square(use, last == nullptr ? body : *last, all, before);
      sum.bias += use.share * u * (bias + second.bias);
      if (use.times_root_of_2) {
        sum.square += use.share * std::pow(kRmsOfUnit * unit, 2);
        sum.bias += use.share * deviation_of_root();
      }
    }
    return sum;
  }

  // The squared error of a prescale, or a scale, that brings the input among the subnormal numbers of the arithmetic.
  double square_of_small_input() const {
    if (wide_ == nullptr || input_rms_ * std::abs(scale_factor(problem_)) > kAmple * wide_->smallest_normal) return 0;
    return std::pow(element_rounding(problem_, *wide_, sides_.in.real ? 2 : 1, input_rms_), 2);
  }

  struct Scaling {
    double products = 0;   // relative rms error of products with the factor
    double deviation = 0;  // relative error of the factor
    Summands numbers;      // products
  };
  // The factor is rounded to the arithmetic. Every product with it is rounded as well, unless the arithmetic has all digits of a product.
  Scaling scaling() const {
    const double factor = working_ == "f32" ? through_f32(scale_factor(problem_)) : scale_factor(problem_);
    const int bits = bits_of(working_);
    Summands numbers{.digits = bits};
    if (!sides_.in.windowed) numbers = summands(sides_.in.storage, input_rms_ / (sides_.in.real ? 1 : kParts), bits);
    if (const int factor_bits = significant_bits(factor); factor_bits > 1) {
      numbers.digits += factor_bits;
      int exponent = 0;
      numbers.step /= std::ldexp(std::frexp(std::abs(factor), &exponent), factor_bits);
    }
    const bool rounds = numbers.digits > bits;
    return {rounds ? kRmsOfUnit * unit_roundoff(program_.compute) : 0, scale_deviation(problem_, factor), numbers};
  }

  // The errors of the filters of convolutions. A transform like that of the data made each filter,
  // and the passes of that transform may have filters inside.
  PassErrors filter_errors() const {
    std::vector<PassErrors> sums{{}};  // sums[i]: the errors of the first i filters
    for (const FilterUse& filter : program_.filters) {
      const PassErrors passes = errors_of_passes(filter.begin, filter.end, Summands{});
      const PassErrors before = sums[filter.first_inside], last = sums.back();
      sums.push_back({last.square + (passes.square + (last.square - before.square)),
                      last.bias + (passes.bias + (last.bias - before.bias))});
    }
    return sums.back();
  }

  // ---- by scheme

  // The errors of passes that round to the carrier alone, by the facts of their codelets.
  PassErrors errors_of_codelets(const auto&, const Summands& numbers) const {
    return errors_of_passes(0, program_.passes.size(), numbers);
  }
  PassErrors errors_of_codelets(const RoundedScheme&, const Summands&) const { return {}; }
  PassErrors errors_of_codelets(const SplitScheme&, const Summands&) const { return {}; }

  // The squared error of products that have no codelet.
  double square_of_products(const auto&) { return 0; }
  // The squared error of the products of an mx scheme. Twiddles are assumed to have the same relative error as data.
  double square_of_products(const MxScheme& scheme) {
    other_squares_ = &program_.mx_errors.squares;
    const Storage& storage = scheme.storage;
    const auto [known, is_new] = blocks_.try_emplace(
        std::string(storage.element->name) + " " + std::to_string(storage.length) + " " + kScaleRuleNames[static_cast<int>(storage.rule)]);
    if (is_new) known->second = block_quantisation_error(storage);
    const double block = program_.mx_errors.block = known->second;
    double sum = 0;
    std::vector<const Loop*> loops;
    visit_passes(program_.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
      const auto* const mx = std::get_if<MxProducts>(&pass.op);
      if (mx == nullptr) return;
      const MxPass outline = mx_pass(scheme, mx->radix, mx->length, mx->butterflies, mx->ones);
      const PassUse& use = program_.passes[pass.use];
      sum += mx_square(outline, use.share * use.kept, block, block * block);
    });
    return sum;
  }

  double square_of_products(const SplitScheme& scheme) {
    const double input_rms = input_rms_ / std::sqrt(2.0);  // of parts
    double sum = 0, bias = 0;
    std::vector<const Loop*> loops;
    visit_passes(program_.body, loops, [&](const Pass& pass, const std::vector<const Loop*>&) {
      const auto* const op = std::get_if<SplitProducts>(&pass.op);
      if (op == nullptr || op->finds_norms) return;
      const SplitPass outline = split_pass(scheme, op->radix, op->length, op->points, op->next);
      const PassUse& use = program_.passes[pass.use];
      const SplitError error = split_error(outline, input_rms * std::sqrt(use.grown_before));
      sum += use.share * use.kept * (error.square - error.bias * error.bias);
      bias += use.share * error.bias;
    });
    return sum + bias * bias;
  }

  // The squared errors of the roundings to the element of the scheme.
  std::vector<double> squares_of_roundings(const auto&, double) const { return {}; }
  std::vector<double> squares_of_roundings(const RoundedScheme& scheme, double input_rms) const {
    std::vector<double> squares;
    if (is_moved(scheme) || sides_.in.windowed || std::string_view(sides_.in.format) != scheme.element->name) {
      squares.push_back(std::pow(element_rounding(problem_, *scheme.element, sides_.in.real ? 2 : 1, input_rms), 2));
    }
    squares.push_back(square_of_rounded_passes(scheme, input_rms));
    return squares;
  }

  // Whether the output stores numbers of the scheme without another rounding.
  bool stores_its_numbers(const auto&) const { return false; }
  bool stores_its_numbers(const RoundedScheme& scheme) const {
    return !is_moved(scheme) && !scheme.f32_sums && !sides_.out.power && std::string_view(sides_.out.format) == scheme.element->name;
  }

  // A power of two changes no digit of a float.
  bool is_moved(const RoundedScheme& scheme) const { return program_.prescale_target != 0 && scheme.element->kind == FormatKind::kInteger; }

  double square_of_rounded_passes(const RoundedScheme& scheme, double input_rms) const {
    const FormatInfo& element = *scheme.element;
    // The rounding of twiddles and constants, numbers of rms 1. The errors of bodies include it for floats. The step of an integer may be
    // larger than these numbers.
    const double tables = element.kind == FormatKind::kInteger ? rounding_of_unit_rms(element) : 0;
    double sum = 0;
    for (const PassUse& use : program_.passes) {
      const double rms = use.codelet->body->f32.rms;
      // Steps of integers, and of floats below their normal numbers, do not follow the data, which grow from pass to pass.
      const double length = std::sqrt(use.grown_before * use.grown);
      const double u = rounded_share(scheme) * element_rounding(problem_, element, length, input_rms) / kRmsOfUnit;
      const bool twiddled = use.codelet->body->form != TwiddleForm::kNone;
      sum += use.share * use.kept * tables * tables *
             ((twiddled ? kTwiddlesRounded : 0) + (use.codelet->body->radix > 4 ? kConstantsRounded : 0));
      if (element.kind == FormatKind::kInteger) {
        const BodyFacts& body = *use.codelet->body;
        const double at_input = rounded_share(scheme) * element_rounding(problem_, element, use.grown_before, input_rms);
        const double products = at_input * at_input * rounded_products(body) + u * u * square_of_constants(body);
        // Sums saturate, those that untangle real transforms before they are halved; sums in f32 where the next pass reads them.
        const double sums = scheme.f32_sums ? use.grown_before : use.grown * (is_of_real_transform(use.codelet->kind) ? 2 : 1);
        const double saturation = element_saturation(problem_, element, sums, input_rms);
        sum += use.share * (use.kept * products + saturation * saturation);
      } else {
        sum += use.share * u * u * kept_square(use, *use.codelet->body, rms * rms);
      }
    }
    return sum;
  }

  // Sums of integers are exact: their passes round products alone. A product with a twiddle takes two roundings of each part.
  static double rounded_products(const BodyFacts& body) { return body.form == TwiddleForm::kNone ? 0 : 2 * (1 - 1.0 / body.radix); }
  // The squared error, in units, of products with the constants of a body.
  static double square_of_constants(const BodyFacts& body) {
    if (body.radix <= 4 && body.radix != 3) return 0;
    const CodeletTable& all = registered_targets().back().table;
    const CodeletInfo* const plain = find_codelet(all, PassKind::kColumns, ComputeType::kF32, body.radix, TwiddleForm::kNone);
    const double rms = plain != nullptr ? plain->body->f32.exact_sums : body.f32.rms;
    return rms * rms;
  }

  const Problem& problem_;
  const Sides& sides_;
  Program& program_;
  std::map<std::string, double>& blocks_;
  const std::string working_;
  const Scheme& scheme_;
  std::vector<double>* other_squares_ = nullptr;  // where a program keeps the other squares until twiddles are known
  const std::vector<Intermediate> intermediates_;
  const double input_rms_;        // of the data in the passes
  const FormatInfo* const wide_;  // the type that passes work on
};

}  // namespace

void predict_error(const Problem& problem, const Sides& sides, const Recipe& recipe, Program& program,
                   std::map<std::string, double>& blocks) {
  program.predicted_error = Prediction(problem, sides, recipe, program, blocks).predicted();
}

}  // namespace ulpfft
