// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/stored_error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "codelets/contract/quantisation_error.h"
#include "codelets/registry.h"
#include "planner/facts/output_variances.h"
#include "planner/facts/power_error.h"
#include "planner/facts/r2r_gain.h"
#include "planner/scheme/scheme.h"
#include "planner/table/window_table.h"

namespace ulpfft {
namespace {

// The rms of an element of a side whose reals have the rms 1.
double parts_of(const Side& side) { return side.real ? 1 : kParts; }
// An error is stated for data of this many parts, 2^14 complex numbers.
constexpr double kStatedParts = 0x1p15;
// Blocks of whole rows are measured as long as the rows, up to this many reals.
constexpr std::int64_t kLongestBlock = std::int64_t{1} << 14;
// In blocks up to this length the place of the data between two powers of two changes the error by at most 8 %.
constexpr std::int64_t kVariedBlock = 32;

// rms of the output over that of the input. A chain goes there and back, with factors of magnitude 1 between.
double gain(const Problem& problem) {
  const double points = static_cast<double>(transform_points(problem)) * r2r_gain(problem);
  return (problem.chain.empty() ? std::sqrt(points) : points) * std::abs(scale_factor(problem));
}

// The relative L2 error of normal parts of this rms, a share of the data, that saturate at the largest and the lowest value. Numbers so
// rare that the data hold less than one count by the chance that they hold one: what a number in a million loses is no error of these data.
double clipping_error(const FormatInfo& f, double rms, double share = 1) {
  const auto lost = [&](double limit) {  // mean square that one sign loses
    const double z = limit / rms;
    const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
    return std::min(1.0, kStatedParts * share * tail) * std::max(0.0, (1 + z * z) * tail - z * density);
  };
  return std::sqrt(lost(f.largest) + lost(std::max(0.0, -lowest_value(f))));
}

// The relative L2 error of normal parts of this rms that are rounded to multiples of a step that is not small against it; most become 0.
// With `between` there is no 0, and they become odd multiples of half a step.
double coarse_error(double step, double rms, bool between) {
  const double s = step / rms;
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  const auto density = [](double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); };
  // The mean square error of the numbers between a and b, which become c.
  const auto part = [&](double a, double b, double c) {
    return (1 + c * c) * (below(b) - below(a)) - (b * density(b) - a * density(a)) - 2 * c * (density(a) - density(b));
  };
  double sum = between ? 0 : part(-0.5 * s, 0.5 * s, 0);
  const double shift = between ? -0.5 : 0;
  for (int k = 1; k < 12; ++k) sum += 2 * part((k - 0.5 + shift) * s, (k + 0.5 + shift) * s, (k + shift) * s);
  return std::sqrt(std::max(0.0, sum));
}

// Whether the data must be placed within the range of a storage: that is so for elements, and for
// blocks whose scales do not bring elements near 1.
bool has_range(const Storage& s) {
  if (s.scale != nullptr) return placed_rms(s) != 1 || !has_powers_alone(*s.scale);
  return s.element->kind != FormatKind::kWide && s.element->name != std::string("dd");
}

double step_near_zero(const FormatInfo& f) {
  return f.kind == FormatKind::kInteger ? std::ldexp(1.0, -f.fraction_bits) : f.smallest_subnormal;
}

// Integers whose offset is between two codes have no 0.
double value_nearest_zero(const FormatInfo& f) {
  return f.kind == FormatKind::kInteger && std::floor(f.offset) != f.offset ? step_near_zero(f) / 2 : 0;
}

// Normal parts that are stored without a sign are 0 where they were negative. Half of their square is left, and a mean of this part of
// their rms.
const double kMeanWithoutSign = 1 / std::sqrt(2 * std::numbers::pi);
bool has_no_sign(const Storage& s) {
  return s.scale == nullptr && s.element->kind == FormatKind::kFloat && lowest_value(*s.element) >= 0;
}

// The part of the output's largest number, which gathers the mean of an input without a sign, over the rms of the input; 0 where none
// gathers it.
double gathered_mean(const Problem& problem, const Sides& sides) {
  if (!has_no_sign(sides.in.storage) || !problem.chain.empty()) return 0;
  return kMeanWithoutSign / parts_of(sides.in) * static_cast<double>(transform_points(problem)) * std::abs(scale_factor(problem));
}

double largest_rms(const Storage& s) {
  if (s.scale != nullptr) return largest_block_rms(s);
  return s.element->kind == FormatKind::kFloat ? largest_value(*s.element) / 8 : placed_rms(s);
}

}  // namespace

double error_data_rms(const Problem& problem, const Sides& sides) {
  const Storage &in = sides.in.storage, &out = sides.out.storage;
  // What the transform leaves where the reals of the output have this rms. Few powers are 16 times their mean, and few squares 32 times:
  // most results of a few real numbers are real.
  constexpr std::int64_t kMostlyReal = 8;  // points
  const double powers = sides.in.real && transform_points(problem) <= kMostlyReal ? 4 : 2;
  const auto left = [&](double rms) { return sides.out.power ? std::sqrt(rms / powers) : parts_of(sides.out) * rms; };
  const auto is_integer = [](const Storage& s) { return s.scale == nullptr && s.element->kind == FormatKind::kInteger; };
  const double in_parts = parts_of(sides.in);
  double rms = 1;
  if (is_integer(in)) {
    rms = in_parts * placed_rms(in);
  } else if (is_integer(out)) {
    rms = left(placed_rms(out)) / gain(problem);
  }
  if (has_range(out) && placed_rms(out) > 1) rms = std::max(rms, left(placed_rms(out)) / gain(problem));
  if (has_range(in)) rms = std::min(rms, in_parts * largest_rms(in));
  if (has_range(out)) rms = std::min(rms, left(largest_rms(out)) / gain(problem));
  const double gathered = has_range(out) ? gathered_mean(problem, sides) : 0;
  if (gathered > 0 && out.scale == nullptr) {
    const double largest = largest_value(*out.element);
    constexpr double kPowersOfMean = 2;   // two parts have the mean
    constexpr double kRoomForPowers = 4;  // the sum of the parts varies around it
    rms = std::min(rms, (sides.out.power ? std::sqrt(largest / (kPowersOfMean * kRoomForPowers)) : largest) / gathered);
  }
  const bool prescaled = problem.prescale_kind != PrescaleKind::kNone;
  const FormatInfo* const element = problem.scheme.empty() ? nullptr : scheme_named(problem.scheme).element;
  if (element != nullptr && !prescaled) {
    const FormatInfo& f = *element;
    const double largest = kParts * std::min(largest_value(f), lowest_value(f) < 0 ? -lowest_value(f) : largest_value(f)) / 8;
    if (f.kind == FormatKind::kInteger && !is_integer(in) && !is_integer(out)) rms = largest;
    rms = std::min(rms, largest / std::max(1.0, gain(problem)));
    rms = std::max(rms, kParts * std::min(placed_rms(f), 4 * f.smallest_normal));
  }
  // The error of an input of zeros would say nothing, so it is better that the output saturates.
  // Parts of half a step are still numbers: every third is not 0.
  if (has_range(in)) rms = std::max(rms, in_parts * (in.scale == nullptr ? step_near_zero(*in.element) / 2 : least_block_rms(in)));
  return rms;
}

namespace {

// The rms of normal parts after they are rounded to an element. A small step adds its variance, step^2 / 12.
double rounded_rms(const FormatInfo& f, double rms) {
  const double step = step_near_zero(f);
  if (step < rms / 2) return std::hypot(rms, step / std::sqrt(12.0));
  // Units are multiples of the rms, because squares of a format's numbers may be beyond f64.
  const double s = step / rms;
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  const double shift = value_nearest_zero(f) > 0 ? 0.5 : 0;
  double sum = 0;
  for (int k = -24; k <= 24; ++k) {
    const double value = (k + shift) * s;
    sum += value * value * (below(value + s / 2) - below(value - s / 2));
  }
  return rms * std::sqrt(sum);
}

}  // namespace

double encoded_rms(const Problem& problem, const Sides& sides) {
  const double rms = error_data_rms(problem, sides);
  const Storage& in = sides.in.storage;
  const double parts = parts_of(sides.in);
  const double left = has_no_sign(in) ? std::numbers::sqrt2 / 2 : 1;
  return has_range(in) && in.scale == nullptr ? left * parts * rounded_rms(*in.element, rms / parts) : rms;
}

namespace {

// The relative L2 error of storing normal parts of this rms in blocks of `length` reals. The largest number of a long block varies little,
// so that the error depends on how near a power of two it is; it is measured at eight places in an octave.
double block_error(const std::string& name, Storage storage, std::int64_t length, double rms, std::map<std::string, double>& blocks) {
  const bool powers = has_powers_alone(*storage.scale);
  const double octaves = length > kVariedBlock || !powers ? std::log2(rms) : 0;
  // Scales with a mantissa reach over few binades, so that the place among them counts.
  const double below = powers ? std::floor(octaves) : floor_log2(placed_rms(storage));
  const double place = std::isfinite(octaves) ? std::nearbyint(8 * (octaves - below)) / 8 : 0;
  const std::string key = name + " " + std::to_string(length) + " " + std::to_string(place);
  const auto known = blocks.find(key);
  if (known != blocks.end()) return known->second;
  storage.length = static_cast<int>(std::min(length + length % 2, kLongestBlock));  // codes of a block begin with a byte
  return blocks.emplace(key, block_quantisation_error(storage, length, std::exp2(place))).first->second;
}

// The relative L2 error of storing normal reals of this rms, a share of the data, as elements.
double element_error(const FormatInfo& f, double rms, double share) {
  const double step = step_near_zero(f);
  const bool coarse = step > rms;
  const double rounding = coarse ? coarse_error(step, rms, value_nearest_zero(f) > 0) : quantisation_error(f, rms);
  return std::hypot(rounding, clipping_error(f, rms, share));
}

// The relative L2 error of storing normal reals of this rms in rows of `row_reals`.
double quantisation(const std::string& name, const Storage& storage, double rms, std::int64_t row_reals,
                    std::map<std::string, double>& blocks) {
  if (storage.scale == nullptr) return element_error(*storage.element, rms, 1);
  const std::int64_t length = storage.length == 0 ? row_reals : storage.length;
  const bool within = has_powers_alone(*storage.scale) || (rms >= least_block_rms(storage) && rms <= largest_block_rms(storage));
  const auto whole = [&] {
    for (const BlockInfo& block : block_formats()) {
      if (name == block.name && block.length > 0 && within) return block.rms_error;
    }
    return block_error(name, storage, length, rms, blocks);
  };
  // The last block of a row may be shorter, and its error is less. In long rows it does not matter.
  const std::int64_t rest = row_reals % length;
  if (rest == 0 || row_reals > 4 * length) return whole();
  const double share = static_cast<double>(rest) / static_cast<double>(row_reals);
  const double last = block_error(name, storage, rest, rms, blocks);
  return rest == row_reals ? last : std::sqrt((1 - share) * std::pow(whole(), 2) + share * last * last);
}

}  // namespace

double window_rms(const Problem& problem, std::map<std::string, double>& blocks) {
  if (!problem.window) return 1;
  constexpr std::int64_t kEnough = 64;  // factors of a named window along a length, which has the form of one with more of them
  double rms = 1;
  RootCache roots;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) {
    WindowFactors table = window_of(problem);
    std::int64_t& length = table.lengths[d];
    const std::int64_t whole = length;
    std::string key = "window " + print_window(table.window) + " " + std::to_string(whole);
    if (table.window.given != nullptr) key.clear();
    else length = std::min(length, kEnough);
    if (table.window.kind == WindowKind::kGauss) table.window.parameter *= static_cast<double>(length) / static_cast<double>(whole);
    const auto mean_square = [&] {
      double sum = 0;
      for (const DoubleDouble& factor : factors_along(table, d, roots)) sum += factor.hi * factor.hi;
      return sum / static_cast<double>(length);
    };
    if (const auto known = blocks.find(key); known != blocks.end()) rms *= known->second;
    else if (key.empty()) rms *= std::sqrt(mean_square());
    else rms *= blocks[key] = std::sqrt(mean_square());
  }
  return rms;
}

double output_quantisation(const Problem& problem, const Sides& sides, std::map<std::string, double>& blocks) {
  const double left = encoded_rms(problem, sides) * window_rms(problem, blocks) * gain(problem);
  if (sides.out.power) {
    const std::int64_t row = sides.out.row_reals;
    const auto [known, is_new] =
        blocks.try_emplace(problem.storage_out + " powers " + std::to_string(std::log2(left)) + " " + std::to_string(row));
    if (is_new) known->second = stored_powers_error(sides.out.storage, left * left, row);
    return known->second;
  }
  const double rms = left / parts_of(sides.out);
  if (sides.out.storage.scale != nullptr || !has_range(sides.out.storage) || !problem.chain.empty()) {
    return quantisation(problem.storage_out, sides.out.storage, rms, sides.out.row_reals, blocks);
  }
  const FormatInfo& element = *sides.out.storage.element;
  double error = 0, all = 0;
  for (const OutputClass& some : output_variances(problem, sides)) {
    const bool is_zero = some.share == 0 || some.variance == 0;
    const double of_class = is_zero ? 0 : element_error(element, rms * std::sqrt(some.variance), some.share);
    error += some.share * (is_zero ? std::pow(value_nearest_zero(element) / rms, 2) : some.variance * of_class * of_class);
    all += some.share * some.variance;
  }
  return std::sqrt(error / all);
}

double element_rounding(const Problem& problem, const FormatInfo& element, double length, double input_rms) {
  std::map<std::string, double> blocks;
  const double rms = input_rms * std::sqrt(length) * std::abs(scale_factor(problem));
  return quantisation(element.name, {.element = &element}, rms / kParts, 0, blocks);
}

double element_saturation(const Problem& problem, const FormatInfo& element, double length, double input_rms) {
  return clipping_error(element, input_rms * std::sqrt(length) * std::abs(scale_factor(problem)) / kParts);
}

double rounding_of_unit_rms(const FormatInfo& element) {
  std::map<std::string, double> blocks;
  return quantisation(element.name, {.element = &element}, 1 / kParts, 0, blocks);
}

double stored_between(const Problem& problem, const Intermediate& stage, double input_rms, std::map<std::string, double>& blocks) {
  // The first load applies the whole mantissa.
  const double mantissa = std::scalbn(std::abs(scale_factor(problem)), -scale_power(problem));
  const double rms = input_rms * std::sqrt(static_cast<double>(stage.length) * stage.gain) * std::scalbn(mantissa, stage.power);
  return quantisation(stage.format, intermediate_storage(stage.format), rms / kParts, stage.row_reals, blocks);
}

}  // namespace ulpfft
