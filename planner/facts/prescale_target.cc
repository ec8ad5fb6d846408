// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/prescale_target.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "codelets/contract/quantisation_error.h"
#include "codelets/registry.h"
#include "planner/facts/r2r_gain.h"
#include "planner/facts/stored_error.h"
#include "planner/scheme/scheme_of.h"

namespace ulpfft {
namespace {

// Rounding to a power of two and parts instead of magnitudes each take up to a square root of two, and sums inside a butterfly take two.
constexpr double kHeadroom = 4;
constexpr double kRmsBelowLargest = 8;  // the data of a stated error have this headroom
constexpr double kAboveSubnormal = 64;  // least rms, in smallest normal numbers

// The mean of the largest magnitude of n complex normal numbers over their rms; the squares are distributed exponentially.
double crest(double n) { return std::sqrt(std::log(std::max(n, 2.0)) + std::numbers::egamma); }

// The crest of a problem's input. The largest of n real numbers is larger than that of complex ones: a magnitude is beyond it with the
// probability exp(-gamma) / n in either case.
double input_crest(const Problem& problem) {
  const double n = static_cast<double>(transform_points(problem));
  if (!holds_reals(problem, false)) return crest(n);
  const double beyond = std::exp(-std::numbers::egamma) / std::max(n, 2.0);
  double low = 0, high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (std::erfc(middle / std::numbers::sqrt2) > beyond ? low : high) = middle;
  }
  return high;
}

// A place where numbers of a transform are rounded to a format. They may be `grown` times the
// input's largest magnitude, and have `gain` times its rms.
struct Meeting {
  Storage storage;
  double grown = 1, gain = 1;
};

double largest_part(const Storage& s) {
  if (s.scale != nullptr) return kRmsBelowLargest * largest_block_rms(s);
  const double largest = largest_value(*s.element), lowest = lowest_value(*s.element);
  return lowest < 0 ? std::min(largest, -lowest) : largest;
}

double target_of(const Meeting& meeting, double first, double crest) {
  const FormatInfo& f = *meeting.storage.element;
  const double largest = largest_part(meeting.storage);
  double typical = crest * kParts * largest / kRmsBelowLargest / meeting.gain;
  if (meeting.storage.scale != nullptr) return typical;  // scales leave no number subnormal
  // Saturation is better than zeros.
  typical = std::max(typical, crest * kParts * std::min(placed_rms(f), 4 * smallest_normal_value(f)));
  if (f.kind == FormatKind::kInteger) return typical;
  const double safe = largest / kHeadroom / meeting.grown;
  return std::max(safe, std::min(typical, kAboveSubnormal * crest * smallest_normal_value(f) / first));
}

}  // namespace

double prescale_target(const Problem& problem, const FormatInfo* element, const std::vector<Intermediate>& stages) {
  if (problem.prescale_kind == PrescaleKind::kTarget) return problem.prescale_target;
  const double n = static_cast<double>(transform_points(problem));
  const double scale = std::abs(scale_factor(problem));
  const double first = std::min(1.0, scale);  // least factor of the input in any pass
  double target = INFINITY;
  const double largest = input_crest(problem);
  if (element != nullptr) {
    const double grown = static_cast<double>(scale_points(problem)), gain = std::sqrt(n * r2r_gain(problem));
    target = target_of({{.element = element}, std::max(1.0, grown * scale), std::max(1.0, gain * scale)}, first, largest);
  }
  for (const Intermediate& stage : stages) {
    const double length = static_cast<double>(stage.length) * stage.gain;
    const double applied = std::scalbn(scale, stage.power - scale_power(problem));
    target = std::min(target, target_of({intermediate_storage(stage.format), length * applied, std::sqrt(length) * applied}, 1, largest));
  }
  if (!std::isfinite(target)) return 1;
  return std::ldexp(1.0, std::clamp(static_cast<int>(std::floor(std::log2(target))), -120, 120));
}

std::string prescale_fault(const Problem& problem, const Scheme& scheme) {
  if (problem.prescale_kind != PrescaleKind::kTarget) return "";
  const std::string carrier = scheme_of_compute(scheme.carrier);
  const FormatInfo* const format = find_format(formats(), carrier);
  if (format == nullptr) return "";
  const double scale = std::abs(scale_factor(problem));
  const double least = format->smallest_subnormal / std::min(1.0, scale);
  const double gain = std::sqrt(static_cast<double>(transform_points(problem)) * r2r_gain(problem)) * scale;
  const double most = largest_part({.element = format}) * kParts * input_crest(problem) / kRmsBelowLargest / std::max(1.0, gain);
  if (least <= problem.prescale_target && problem.prescale_target <= most) return "";
  const auto shown = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::string(text);
  };
  return "prescale = " + shown(problem.prescale_target) + " is beyond the range of " + format->name +
         ", in which this problem is computed: " + shown(least) + " to " + shown(most) + " are possible" +
         (carrier == "f32" && scheme.element == nullptr ? ", and more with scheme=f64." : ".");
}

double rms_of_passes(const Problem& problem, const Sides& sides, const FormatInfo* element, const std::vector<Intermediate>& stages) {
  if (problem.prescale_kind == PrescaleKind::kNone) return encoded_rms(problem, sides);
  return prescale_target(problem, element, stages) / input_crest(problem);
}

}  // namespace ulpfft
