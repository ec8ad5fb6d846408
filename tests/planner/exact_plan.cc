// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/planner/exact_plan.h"

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "codelets/registry.h"
#include "planner/judge/stored_array.h"
#include "planner/lower/build_plan.h"
#include "planner/plan/plan.h"
#include "planner/search/search.h"
#include "tests/support/oracle.h"
#include "wisdom/problem_text.h"

namespace ulpfft::test {
namespace {

// -k modulo the lengths, as row-major indices.
std::int64_t negated(const std::vector<std::int64_t>& lengths, std::int64_t index) {
  std::vector<std::int64_t> k(lengths.size());
  for (std::size_t d = lengths.size(); d-- > 0; index /= lengths[d]) k[d] = index % lengths[d];
  std::int64_t result = 0;
  for (std::size_t d = 0; d < lengths.size(); ++d) result = result * lengths[d] + (lengths[d] - k[d]) % lengths[d];
  return result;
}

void conjugate(std::vector<ComplexDD>& x) {
  for (ComplexDD& value : x) value.im = -value.im;
}

// One transform of the batch, all outputs of it.
std::vector<ComplexDD> transformed(const Problem& problem, const StoredArray& in, std::int64_t transform) {
  std::vector<std::int64_t> lengths;
  for (const Dimension& d : problem.dims) lengths.push_back(d.length);
  const std::int64_t n = lengths.back();
  std::vector<ComplexDD> x(static_cast<std::size_t>(transform_points(problem)));
  visit_transform(problem, false, transform, [&](std::int64_t index, std::int64_t offset) {
    const std::complex<double> value = in.get(offset);
    x[static_cast<std::size_t>(index)] = {value.real(), value.imag()};
  });
  if (problem.kind == Kind::kC2R) {
    for (std::int64_t index = 0; index < transform_points(problem); ++index) {
      if (index % n <= n / 2) continue;
      const ComplexDD& other = x[static_cast<std::size_t>(negated(lengths, index))];
      x[static_cast<std::size_t>(index)] = {other.re, -other.im};
    }
  }
  const bool plus = (problem.kind == Kind::kC2R) == (problem.direction == Direction::kForward);
  if (plus) conjugate(x);
  for (std::size_t d = 0; d < lengths.size(); ++d) transform_dimension(x, lengths, d);
  if (plus) conjugate(x);
  return x;
}

int run_exactly(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void*) {
  const Problem& problem = static_cast<const ulpfft_plan&>(call).problem;
  const StoredArray in(problem, false, {{in_re, in_im}, {}, nullptr}), out(problem, true, {{out_re, out_im}, {}, nullptr});
  const std::int64_t transforms = batch_count(problem);
  std::vector<std::vector<ComplexDD>> results;  // of all transforms before any is stored, because the plan may be in place
  for (std::int64_t t = 0; t < transforms; ++t) results.push_back(transformed(problem, in, t));
  if (call.table != nullptr) results[0][1].re = results[0][1].re + DoubleDouble(*static_cast<const double*>(call.table));
  const DoubleDouble scale(scale_factor(problem));
  for (std::int64_t t = 0; t < transforms; ++t) {
    visit_transform(problem, true, t, [&](std::int64_t index, std::int64_t offset) {
      const ComplexDD value = scale * results[static_cast<std::size_t>(t)][static_cast<std::size_t>(index)];
      out.set(offset, {value.re.value(), value.im.value()});
    });
  }
  return ULPFFT_OK;
}

}  // namespace

ulpfft_plan* exact_plan(const std::string& problem_text, const double* deviation) {
  const Problem problem = parse_problem(problem_text);
  // What a plan has besides its arrays is that of a complex transform of the same lengths.
  Problem complex;
  for (const Dimension& d : problem.dims) complex.dims.push_back({d.length, 1, 1});
  complex.storage_in = complex.storage_out = problem.storage_in;
  set_dense_strides(complex);
  const CodeletTable& table = registered_targets().back().table;
  SearchOptions options;
  options.effort = Effort::kEstimate;
  const Recipe recipe = search_plan(complex, table, options)->recipe;
  TableCache cache;
  std::unique_ptr<ulpfft_plan> plan = make_plan(problem, recipe, table, build_plan(complex, recipe, table, cache));
  static_cast<DirectCall&>(*plan) = {&run_exactly, deviation};
  return plan.release();
}

}  // namespace ulpfft::test
