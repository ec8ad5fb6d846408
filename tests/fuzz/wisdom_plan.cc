// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as wisdom that claims anything of any recipe, and as a problem with an error limit: a plan keeps it, or there is none.
#include <cmath>
#include <cstdio>
#include <string>

#include "planner/api/context.h"
#include "planner/lower/build_plan.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/recipes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"
#include "wisdom/error.h"
#include "wisdom/problem_text.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr std::int64_t kLongest = 512;
constexpr const char* kStorages[] = {"f32", "f64", "f64->f32", "f16", "f32->f16", "mxfp8_e4m3"};
constexpr const char* kLimits[] = {"0.5", "0.01", "1e-05", "1e-06", "1.2e-07", "1e-08", "1e-12", "1e-14", "2e-16"};
constexpr const char* kErrors[] = {"0", "1e-300", "1e-17", "1e-15", "1e-09", "1e-07", "0.001", "1e300"};
constexpr const char* kLevels[] = {"predicted", "sampled", "full"};
constexpr const char* kEfforts[] = {"estimate", "measure", "patient", "exhaustive"};

// The digest a stranger would compute: it is no secret. Empty where the recipe cannot be built.
std::string digest_of(const std::string& problem_text, const std::string& recipe_text) {
  try {
    const Problem problem = parse_problem(problem_text);
    const Recipe recipe = parse_recipe(recipe_text);
    TableCache cache;
    const Program plan = make_program(problem, recipe, context_of(nullptr).target.table, cache);
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(recipe_digest(problem, recipe, plan)));
    return digits;
  } catch (const PlanError&) {
    return "";
  }
}

void run(Bytes& bytes) {
  const std::int64_t n = random_length(bytes, kLongest);
  std::string base = std::to_string(n);
  if (bytes.below(4) == 0) base += "*" + std::to_string(1 + bytes.below(40));
  base += std::string(" ") + kStorages[bytes.below(std::size(kStorages))];
  const std::string filed = kLimits[bytes.below(std::size(kLimits))];
  const std::string asked = bytes.flag() ? filed : kLimits[bytes.below(std::size(kLimits))];
  const std::string recipe = std::string(bytes.flag() ? "f32:" : "f64:") + random_node(bytes, n, 3);
  const std::string digest = digest_of(base, recipe);
  if (digest.empty()) return;
  const bool limited = bytes.below(4) != 0;
  const std::string key = problem_key(parse_problem(base + (limited ? " max_error=" + filed : "")));
  const std::string text = "{\"ulpfft_wisdom\": 1, \"plans\": [{\"problem\": \"" + key + "\", \"machine\": \"" + ulpfft_machine(nullptr) +
                           "\", \"recipe\": \"" + recipe + "\", \"digest\": \"" + digest + "\", \"seconds\": 1e-9, \"spread\": 0, \"error\": " +
                           kErrors[bytes.below(std::size(kErrors))] + ", \"error_level\": \"" + kLevels[bytes.below(3)] + "\", \"effort\": \"" +
                           kEfforts[bytes.below(4)] + "\"}]}";
  require(ulpfft_wisdom_import_string(nullptr, text.data(), text.size(), nullptr) == ULPFFT_OK, std::string("import: ") + ulpfft_last_error() + " of " + text);
  const std::string problem = base + (limited ? " max_error=" + asked : "");
  auto options = sized<ulpfft_plan_options>();
  options.effort = bytes.flag() ? ULPFFT_WISDOM_ONLY : ULPFFT_ESTIMATE;
  options.error_level = bytes.flag() ? ULPFFT_ERROR_SAMPLED : ULPFFT_ERROR_PREDICTED;
  ulpfft_plan* made = nullptr;
  const ulpfft_status status = ulpfft_plan_parse_options(nullptr, problem.c_str(), &options, &made);
  const PlanPtr plan(made);
  const std::string which = problem + ", wisdom " + text;
  require(status >= ULPFFT_OK && status < ULPFFT_INTERNAL, which + ": " + ulpfft_last_error());
  if (plan == nullptr) return;
  auto report = sized<ulpfft_error_report>();
  require(ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report) == ULPFFT_OK, which + ": " + ulpfft_last_error());
  const double stated = ulpfft_plan_error(plan.get());
  // The full measurement looks at the outputs of the sample and others: 3 standard errors of 2^14 outputs are 1.2 to 2 %.
  if (limited) require(report.relative_l2 <= 1.03 * std::stod(asked), which + ": true error " + std::to_string(report.relative_l2 / std::stod(asked)) + " of the limit");
  const bool sampled = ulpfft_plan_error_level(plan.get()) == ULPFFT_ERROR_SAMPLED;
  if (sampled && (limited || options.error_level == ULPFFT_ERROR_SAMPLED)) {
    require(std::abs(stated - report.relative_l2) <= 0.05 * report.relative_l2, which + ": states " + std::to_string(stated / report.relative_l2) + " of its error");
  }
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)ulpfft_wisdom_forget(nullptr);
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}
