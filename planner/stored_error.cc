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
    return std::hypot(quantisation_error(*out.element, rms), clipping_error(*out.element, rms));
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
