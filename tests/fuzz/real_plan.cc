// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bytes as a problem of real numbers and a recipe with nodes inside nodes: refused with a sentence, or the exact transform or chain.
#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/recipes.h"
#include "tests/fuzz/require.h"
#include "tests/support/api.h"
#include "tests/support/chain_operation.h"
#include "tests/support/compare.h"
#include "tests/support/r2r_case.h"
#include "tests/support/problems.h"
#include "tests/support/run_case.h"

namespace ulpfft::fuzz {
namespace {

using namespace ulpfft::test;

constexpr std::int64_t kLongest = 600;
constexpr std::int64_t kLongestOther = 24;
constexpr int kDepth = 4;
// Convolutions inside each other err by less than this times one; what is stored narrow between passes by a few percent.
constexpr double kFactor = 256, kNarrow = 0.5;

void make_r2r(Bytes& bytes, Case& problem) {
  problem.kind = ULPFFT_R2R;
  problem.backward = problem.split = false;
  for (const Dim& dim : problem.dims) {
    const int kind = static_cast<int>(bytes.below(kR2rNames.size()));
    problem.kinds.push_back(kind == ULPFFT_REDFT00 && dim.length == 1 ? ULPFFT_REDFT10 : kind);
  }
}

Case random_case(Bytes& bytes) {
  constexpr const char* kChains[] = {"", "", "mul", "user"};
  Case problem;
  problem.f64 = bytes.flag();
  problem.chain = kChains[bytes.below(4)];
  problem.kind = problem.chain.empty() && bytes.flag() ? ULPFFT_C2R : ULPFFT_R2C;
  problem.dense = true;
  problem.backward = bytes.flag();
  problem.in_place = bytes.below(4) == 0;
  problem.split = bytes.below(4) == 0;
  problem.destroy_input = bytes.below(4) == 0;
  if (bytes.below(4) == 0) problem.batch = {{1 + static_cast<std::int64_t>(bytes.below(3)), 1, 1}};
  if (bytes.flag()) problem.dims.push_back({random_length(bytes, kLongestOther), 1, 1});
  problem.dims.push_back({random_length(bytes, kLongest / (problem.dims.empty() ? 1 : problem.dims[0].length)), 1, 1});
  if (problem.chain.empty() && bytes.below(3) == 0) make_r2r(bytes, problem);
  set_dense(problem);
  return problem;
}

// A recipe of the transform there, or back. One length in eight of a child is not the one that it must be.
std::string r2r_node(std::int64_t n, int kind, Bytes& bytes) {
  const std::int64_t whole = kind == ULPFFT_REDFT00 ? n - 1 : kind == ULPFFT_RODFT00 ? n + 1 : n % 2 == 1 ? n : n / 2;
  const std::int64_t child = bytes.below(8) == 7 ? random_length(bytes, kLongest) : whole;
  return "r2r(" + std::to_string(n) + "; " + random_node(bytes, child, kDepth) + ")";
}
// One length, in rows of some factor where it has an odd one.
std::string real_node(std::int64_t n, Bytes& bytes) {
  std::vector<std::int64_t> radices;
  for (std::int64_t radix = 3; radix < n; radix += 2) {
    if (n % 2 == 1 && n % radix == 0) radices.push_back(radix);
  }
  const bool in_rows = !radices.empty() && bytes.flag();
  const std::int64_t radix = in_rows ? radices[bytes.below(static_cast<unsigned>(radices.size()))] : 1;
  const std::int64_t child = bytes.below(8) == 7 ? random_length(bytes, kLongest) : n % 2 == 0 ? n / 2 : n / radix;
  const std::string length = in_rows ? std::to_string(radix) + "x" + std::to_string(n / radix) : std::to_string(n);
  return "real(" + length + "; " + random_node(bytes, child, kDepth) + ")";
}
std::string node_of(const Case& problem, Bytes& bytes) {
  if (problem.kind == ULPFFT_R2R) {
    const std::string first = r2r_node(problem.dims[0].length, problem.kinds[0], bytes);
    return problem.dims.size() == 1 ? first : "rank(" + first + "; " + r2r_node(problem.dims[1].length, problem.kinds[1], bytes) + ")";
  }
  const std::string last = real_node(problem.dims.back().length, bytes);
  return problem.dims.size() == 1 ? last : "rank(" + random_node(bytes, problem.dims[0].length, 1) + "; " + last + ")";
}

template <typename T>
void expect_right(const ulpfft_plan* plan, const Case& problem, const std::string& which, bool flush_start) {
  const auto in = input_of<T>(problem);
  const ChainCall<T> call(problem, 5);
  const bool is_chain = !problem.chain.empty();
  RunOptions options = run_options(flush_start ? Flush::kStart : Flush::kEnd, true);
  if (is_chain) options.operation = &call.operation;
  const RunResult<T> run = run_case<T>(plan, problem, in, options);
  require(run.trouble.empty(), which + ": " + run.trouble);
  require(!is_chain || call.saw_each_once(), which + ": a number of a spectrum was not seen once");
  ErrorSum sum;
  const std::vector<ComplexDD> exact = is_chain ? exact_chain(problem, widen(in), widen(call.factors)) : exact_result(problem, widen(in));
  for (std::size_t i = 0; i < exact.size(); ++i) sum.add(run.out[i], exact[i]);
  // Factors take a part of the points that are their own conjugates, so that a result may be smaller than what it errs by.
  double norm = 0;
  for (const std::complex<T>& value : in) norm += std::norm(std::complex<double>(value));
  const auto points = static_cast<double>(transform_points(problem));
  norm *= is_chain ? points * points : points;
  const bool narrow = which.find('|') != std::string::npos;
  const double bound = narrow ? kNarrow : kFactor * theorem_bound<T>(std::max<std::int64_t>(2, transform_points(problem)));
  require(std::sqrt(sum.error) <= bound * std::sqrt(norm), which + ": error " + std::to_string(sum.relative_l2()));
}

void run(Bytes& bytes) {
  const Case problem = random_case(bytes);
  std::string recipe = node_of(problem, bytes);
  if (!problem.chain.empty()) {
    const std::string back = bytes.flag() ? node_of(problem, bytes) : recipe;
    recipe = "chain(" + recipe + "; " + problem.chain + "; " + back + ")";
  }
  recipe = (problem.f64 ? "f64:" : "f32:") + recipe;
  ulpfft_plan* made = nullptr;
  const ulpfft_status status = ulpfft_plan_from_recipe(nullptr, text_of(problem).c_str(), recipe.c_str(), &made);
  const PlanPtr plan(made);
  const std::string which = text_of(problem) + ", recipe " + recipe;
  require(status >= ULPFFT_OK && status < ULPFFT_INTERNAL, which + ": " + ulpfft_last_error());
  require((status == ULPFFT_OK) == (plan != nullptr), which + ": a plan and a failure, or neither");
  if (plan == nullptr) return require(is_one_line(ulpfft_last_error()), which + ": no sentence");
  const bool flush_start = bytes.flag();
  if (problem.f64) return expect_right<double>(plan.get(), problem, which, flush_start);
  expect_right<float>(plan.get(), problem, which, flush_start);
}

}  // namespace
}  // namespace ulpfft::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ulpfft::fuzz::Bytes bytes(data, size);
  ulpfft::fuzz::run(bytes);
  return 0;
}
