// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/api/request.h"

#include <cfloat>
#include <cmath>
#include <cstddef>

#include "codelets/registry.h"
#include "planner/api/guard.h"
#include "planner/convert/side.h"
#include "planner/scheme/scheme.h"
#include "planner/scheme/scheme_of.h"
#include "planner/system/clock.h"
#include "wisdom/error.h"
#include "wisdom/problem_fields.h"
#include "wisdom/storage_names.h"

namespace ulpfft {
namespace {

constexpr double kMeasureSeconds = 0.85;  // the last build and one measurement more bring it to a second
constexpr double kPatientSeconds = 10;
constexpr double kExhaustiveSeconds = 60;

}  // namespace

Storage require_format(const std::string& name, const char* field) {
  if (is_wide(name) && find_format(formats(), name) == nullptr) throw PlanError(ULPFFT_UNKNOWN_NAME, field, no_format(name));
  return find_storage_of(name, field);  // throws for names that are no storage
}

namespace {

void require_storage(const std::string& name, const char* field) {
  if (require_format(name, field).element->has_zero) return;
  throw PlanError(ULPFFT_UNSUPPORTED, field,
                  "'" + name + "' has neither a zero nor a sign: it is a format of scales, not of complex numbers.");
}

void require_intermediate(const std::string& name) {
  require_storage(name, "intermediate");
  if (!is_wide(name)) return;
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "intermediate",
                  "The storage between passes is '" + name + "', but only a narrow one is a choice: leave it out for wide data.");
}

}  // namespace

Problem problem_from_c(const ulpfft_problem& given) {
  const ulpfft_problem in = read_sized(given, "problem.size");
  Problem out;
  const auto read = [&](bool needs_others) {
    for (const ProblemField& field : problem_fields()) {
      if (field.from_c != nullptr && field.needs_others == needs_others) field.from_c(in, out);
    }
  };
  read(false);
  set_dense_strides(out);
  read(true);
  return out;
}

void complete(Problem& problem, bool is_judged) {
  // All spellings of a storage become one, because storages are compared in place and in wisdom. check() refuses names that are no storage.
  problem.storage_in = canonical_storage(problem.storage_in);
  problem.storage_out = canonical_storage(problem.storage_out);
  problem.intermediate = canonical_storage(problem.intermediate);
  problem.scheme = canonical_scheme(problem.scheme);
  check(problem);
  require_storage(problem.storage_in, "storage_in");
  require_storage(problem.storage_out, "storage_out");
  if (!problem.intermediate.empty()) require_intermediate(problem.intermediate);
  if (const Scheme scheme = scheme_named(scheme_of(problem)); !problem.chain.empty() && scheme.family->no_chains != nullptr) {
    const std::string possible = is_real_chain(problem) ? "Chains of real numbers are computed in f32 or f64"
                                                        : "Chains are computed in f32, f64 or a split scheme";
    throw PlanError(ULPFFT_UNSUPPORTED, "scheme", possible + ", not in " + problem.scheme + ".");
  }
  if (scheme_named(scheme_of(problem)).any && problem.max_error == 0 && !is_judged) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "scheme",
                    "The scheme " + problem.scheme + " stands for all of its family, of which an error limit or data to judge by choose one. "
                        "Give max_error or a judge, or name one, e.g. " +
                        scheme_named(scheme_of(problem)).family->list().back().name + ".");
  }
  const bool chosen_by_error = problem.scheme.empty() && problem.max_error > 0;
  if (!chosen_by_error && working_storage(scheme_of(problem)) == "f32") {
    const double scale = scale_factor(problem);
    if (!(std::abs(scale) <= FLT_MAX) || static_cast<float>(scale) == 0.0F) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, problem.scale_kind == ScaleKind::kValue ? "scale_value" : "scale_kind",
                      "The scale is zero or infinite in f32, the arithmetic of this problem.");
    }
  }
  // The stride of a dimension of length 1 has no meaning and may have any value. It becomes dense, so that equal problems share a key.
  Problem dense = problem;
  set_dense_strides(dense);
  const auto settle = [&](std::vector<Dimension>& dims, const std::vector<Dimension>& from) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (index_length(problem, dims[i], false) == 1) dims[i].in_stride = from[i].in_stride;
      if (index_length(problem, dims[i], true) == 1) dims[i].out_stride = from[i].out_stride;
    }
  };
  settle(problem.dims, dense.dims);
  settle(problem.batch, dense.batch);
  // The default scheme is spelt by leaving it out. With an error limit, a scheme that is left out is chosen by the search.
  if (problem.max_error == 0) {
    Problem unnamed = problem;
    unnamed.scheme.clear();
    if (problem.scheme == scheme_of(unnamed)) problem.scheme.clear();
  }
}

ArrayAddress input_address(const Problem& problem, const ulpfft_array& in, const std::string& field) {
  require_size(in, (field + ".size").c_str());
  const Side shape = side_of(problem, false);
  const int parts = shape.parts();
  for (int part = 0; part < 2; ++part) {
    const std::string index = "[" + std::to_string(part) + "]";
    const std::string data = field + ".data" + index;
    if (part < parts) {
      require_pointer(in.data[part], data.c_str());
      if (reinterpret_cast<std::uintptr_t>(in.data[part]) % static_cast<std::uintptr_t>(shape.alignment) != 0) {
        throw PlanError(ULPFFT_INVALID_ARGUMENT, data, data + " is not aligned to an element of " + problem.storage_in + ".");
      }
    }
    if (part < parts && shape.storage.scale != nullptr) {
      require_pointer(in.scales[part], (field + ".scales" + index).c_str());
    } else if (in.scales[part] != nullptr) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, field + ".scales",
                      "There are no scales in " + problem.storage_in + " of this layout: leave them null.");
    }
  }
  if (in.exponents != nullptr) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, field + ".exponents", "A relative error does not depend on exponents: leave them null.");
  }
  const int second = parts - 1;
  return {{in.data[0], in.data[second]}, {in.scales[0], in.scales[second]}, nullptr};
}

PlanRequest request_from_c(const ulpfft_plan_options* given) {
  PlanRequest out;
  out.search.work_clock = thread_clock();
  if (given == nullptr) return out;
  const ulpfft_plan_options options = read_sized(*given, "options.size");
  switch (options.effort) {
    case 0: case ULPFFT_MEASURE: out.search.effort = Effort::kMeasure; break;
    case ULPFFT_ESTIMATE: out.search.effort = Effort::kEstimate; break;
    case ULPFFT_PATIENT: out.search.effort = Effort::kPatient; break;
    case ULPFFT_EXHAUSTIVE: out.search.effort = Effort::kExhaustive; break;
    case ULPFFT_WISDOM_ONLY: out.wisdom_only = true; break;
    default:
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "effort",
                      "effort is " + std::to_string(options.effort) +
                          ", expected ULPFFT_ESTIMATE (1), ULPFFT_MEASURE (2), ULPFFT_PATIENT (3), ULPFFT_EXHAUSTIVE (4) or "
                          "ULPFFT_WISDOM_ONLY (5).");
  }
  if (!std::isfinite(options.time_limit_seconds) || options.time_limit_seconds < 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "time_limit_seconds", "time_limit_seconds must be finite and not negative.");
  }
  const Effort effort = out.search.effort;
  out.search.time_limit_seconds = options.time_limit_seconds > 0      ? options.time_limit_seconds
                                  : effort == Effort::kExhaustive ? kExhaustiveSeconds
                                  : effort == Effort::kPatient    ? kPatientSeconds
                                                                  : kMeasureSeconds;
  if ((options.flags & ~ULPFFT_DETERMINISTIC) != 0) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "flags",
                    "flags is " + std::to_string(options.flags) + ", expected 0 or ULPFFT_DETERMINISTIC (1).");
  }
  out.search.deterministic = options.flags != 0;
  if (out.search.deterministic && out.wisdom_only) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "flags", "A deterministic plan ignores wisdom: it cannot be had with ULPFFT_WISDOM_ONLY.");
  }
  out.judge = options.judge;
  out.max_memory = static_cast<double>(options.max_memory);
  if (out.judge != nullptr && out.wisdom_only) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "judge",
                    "Errors in wisdom are those of random numbers: a judge cannot be had with ULPFFT_WISDOM_ONLY.");
  }
  if (out.search.deterministic) out.search.effort = Effort::kEstimate;
  if (options.error_level != ULPFFT_ERROR_PREDICTED && options.error_level != ULPFFT_ERROR_SAMPLED) {
    throw PlanError(ULPFFT_INVALID_ARGUMENT, "error_level",
                    "error_level is " + std::to_string(options.error_level) +
                        ", expected ULPFFT_ERROR_PREDICTED (0) or ULPFFT_ERROR_SAMPLED (1); ulpfft_plan_measure_error() has more.");
  }
  out.search.error_level = static_cast<ErrorLevel>(options.error_level);
  if (options.progress != nullptr) {
    out.search.progress = [progress = options.progress, user = options.progress_user](double fraction, const std::string& what) {
      return progress(user, fraction, what.c_str()) == 0;
    };
  }
  return out;
}

}  // namespace ulpfft
