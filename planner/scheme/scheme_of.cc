// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/scheme/scheme_of.h"

#include <string_view>

#include "planner/convert/storage_by_name.h"
#include "planner/scheme/scheme.h"

namespace ulpfft {
namespace {

const std::string kSchemeF32 = "f32";
const std::string kSchemeF64 = "f64";

// Whether a storage is narrow and has values that f32 does not have.
bool needs_f64(const std::string& storage) {
  return !is_wide(storage) && std::string_view(find_storage_of(storage, "storage_in").element->compute) == "f64";
}

}  // namespace

const std::string& scheme_of(const Problem& problem) {
  if (!problem.scheme.empty()) return problem.scheme;
  // The wider of two wide storages is taken, so that rounding happens once, at the narrower end.
  // Narrow arrays are transformed in f32 where it has their values.
  if (needs_f64(problem.storage_in) || needs_f64(problem.storage_out)) return kSchemeF64;
  const bool wide_in = is_wide(problem.storage_in), wide_out = is_wide(problem.storage_out);
  if (!wide_in && !wide_out) return kSchemeF32;
  if (!wide_in || !wide_out) return wide_in ? problem.storage_in : problem.storage_out;
  return storage_real_bytes(problem.storage_in) >= storage_real_bytes(problem.storage_out) ? problem.storage_in : problem.storage_out;
}

ComputeType compute_type_of_scheme(const std::string& scheme) { return scheme_named(scheme).compute; }

std::string scheme_of_compute(ComputeType compute) {
  switch (compute) {
    case ComputeType::kF32: case ComputeType::kRoundedF32: return "f32";
    case ComputeType::kF64: case ComputeType::kRoundedF64: return "f64";
    case ComputeType::kDoubleDouble: return "dd";
  }
  return "";
}

std::string working_storage(const std::string& scheme) { return scheme_of_compute(scheme_named(scheme).carrier); }

}  // namespace ulpfft
