#include "planner/stored_error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "codelets/contract/quantisation_error.h"
#include "codelets/registry.h"
#include "planner/array_shape.h"

namespace ulpfft {
namespace {

// A complex number of this rms has parts of rms 1.
constexpr double kParts = std::numbers::sqrt2;
// Blocks of whole rows are as long as the rows, up to here.
constexpr std::int64_t kLongestBlock = std::int64_t{1} << 14;

double gain(const Problem& problem) { return std::sqrt(static_cast<double>(transform_points(problem))) * std::abs(scale_factor(problem)); }

// Relative L2 of what normal parts of this rms lose beyond the largest value.
double clipping_error(const FormatInfo& f, double rms) {
  const double z = f.largest / rms;
  const double tail = 0.5 * std::erfc(z / std::numbers::sqrt2);
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  return std::sqrt(std::max(0.0, 2 * ((1 + z * z) * tail - z * density)));
}

// Of normal parts of this rms rounded to multiples of a step that is not small against it: most become 0.
double coarse_error(double step, double rms) {
  const double s = step / rms;
  const auto below = [](double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); };
  const auto density = [](double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); };
  // What lies between a and b and becomes c.
  const auto part = [&](double a, double b, double c) {
    return (1 + c * c) * (below(b) - below(a)) - (b * density(b) - a * density(a)) - 2 * c * (density(a) - density(b));
  };
  double sum = part(-0.5 * s, 0.5 * s, 0);
  for (int k = 1; k < 12; ++k) sum += 2 * part((k - 0.5) * s, (k + 0.5) * s, k * s);
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace

double error_data_rms(const Problem& problem) {
  const Storage in = find_storage_of(problem.storage_in, "storage_in");
  const Storage out = find_storage_of(problem.storage_out, "storage_out");
  const auto is_element = [](const Storage& s) { return s.scale == nullptr && s.element->kind != FormatKind::kWide && s.element->name != std::string("dd"); };
  const auto is_integer = [](const Storage& s) { return s.scale == nullptr && s.element->kind == FormatKind::kInteger; };
  double rms = 1;
  if (is_integer(in)) {
    rms = kParts * placed_rms(*in.element);
  } else if (is_integer(out)) {
    rms = kParts * placed_rms(*out.element) / gain(problem);
  }
  if (is_element(in)) rms = std::min(rms, kParts * placed_rms(*in.element));
  if (is_element(out)) rms = std::min(rms, kParts * placed_rms(*out.element) / gain(problem));
  // An input of zeros would say nothing: rather an output that saturates.
  if (is_element(in)) rms = std::max(rms, kParts * std::min(placed_rms(*in.element), 4 * in.element->smallest_normal));
  return rms;
}

double output_quantisation(const Problem& problem, std::map<std::string, double>& blocks) {
  Storage out = find_storage_of(problem.storage_out, "storage_out");
  if (out.scale == nullptr) {
    const double rms = error_data_rms(problem) * gain(problem) / kParts;
    const bool coarse = out.element->kind == FormatKind::kFloat && out.element->smallest_subnormal > rms;
    const double rounding = coarse ? coarse_error(out.element->smallest_subnormal, rms) : quantisation_error(*out.element, rms);
    return std::hypot(rounding, clipping_error(*out.element, rms));
  }
  for (const BlockInfo& block : block_formats()) {
    if (problem.storage_out == block.name && block.length > 0) return block.rms_error;
  }
  std::string key = problem.storage_out;
  if (out.length == 0) {
    const std::int64_t row = array_shape(problem, true).row_reals;
    out.length = static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(std::min(row, kLongestBlock))));
    key += " " + std::to_string(out.length);
  }
  const auto known = blocks.find(key);
  return known != blocks.end() ? known->second : blocks.emplace(key, block_quantisation_error(out)).first->second;
}

}  // namespace ulpfft
