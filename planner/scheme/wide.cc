// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The schemes f32 and f64, and dd, which only reference runs of the planner use: no storage of a caller is dd.
#include "planner/scheme/families.h"

namespace ulpfft {
namespace {

std::optional<Scheme> parse_wide(const std::string& name) {
  if (name == "f32") return Scheme{.family = &kWideFamily, .compute = ComputeType::kF32, .carrier = ComputeType::kF32};
  if (name == "f64") return Scheme{.family = &kWideFamily};
  return std::nullopt;
}

std::optional<Scheme> parse_reference(const std::string& name) {
  if (name != "dd") return std::nullopt;
  return Scheme{.family = &kReferenceFamily, .compute = ComputeType::kDoubleDouble, .carrier = ComputeType::kDoubleDouble};
}

}  // namespace

constinit const SchemeFamily kWideFamily{
    .kind = "wide",
    .spelling = "f32, f64",
    .parse = &parse_wide,
    .list = [] { return std::vector<SchemeFamily::Listed>{{"f32", "f32"}, {"f64", "f64"}}; },
};

constinit const SchemeFamily kReferenceFamily{
    .kind = "wide",
    .spelling = nullptr,
    .parse = &parse_reference,
    .list = [] { return std::vector<SchemeFamily::Listed>{}; },
    .side_by_side = false,
};

}  // namespace ulpfft
