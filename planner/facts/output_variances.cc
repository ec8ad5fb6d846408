// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/facts/output_variances.h"

#include <cstddef>
#include <cstdint>

namespace ulpfft {
namespace {

// The outputs of a line of n reals: some, whose cosines or sines are all 1 or -1, and the others. Orthogonal kinds have weights against
// that.
struct LineClasses {
  std::int64_t some = 0;
  double variance_of_some = 2, variance = 1;
};
LineClasses classes_of(R2rKind kind, std::int64_t n, bool orthogonal) {
  if (kind == R2rKind::kR2HC) return {n % 2 == 0 ? 2 : 1};
  if (orthogonal) return {};
  if (kind == R2rKind::kDCT2 || kind == R2rKind::kDST2) return {1};
  if (kind != R2rKind::kDCT1) return {};
  const auto length = static_cast<double>(n);  // its ends are added once, the others twice
  return {2, (2 * length - 3) / (length - 1), (length - 2) / (length - 1)};
}

std::vector<OutputClass> of_r2r(const Problem& problem) {
  std::vector<OutputClass> classes{{1, 1}};
  for (std::size_t d = 0; d < problem.kinds.size(); ++d) {
    const std::int64_t n = problem.dims[d].length;
    const LineClasses line = classes_of(problem.kinds[d], n, problem.scale_kind == ScaleKind::kOrtho);
    if (line.some == 0) continue;
    const double share = static_cast<double>(line.some) / static_cast<double>(n);
    const std::size_t before = classes.size();
    for (std::size_t c = 0; c < before; ++c) {
      classes.push_back({share * classes[c].share, line.variance_of_some * classes[c].variance});
      classes[c] = {(1 - share) * classes[c].share, line.variance * classes[c].variance};
    }
  }
  return classes;
}

}  // namespace

std::vector<OutputClass> output_variances(const Problem& problem, const Sides& sides) {
  if (!problem.kinds.empty()) return of_r2r(problem);
  if (!sides.in.real || !sides.out.half) return {{1, 1}};
  // Spectra of real numbers are real where they are their own mirror image: one part has the square of two.
  double own = 1, all = static_cast<double>(sides.out.row);
  for (const Dimension& d : problem.dims) own *= d.length % 2 == 0 && d.length > 1 ? 2 : 1;
  for (std::size_t d = 0; d + 1 < problem.dims.size(); ++d) all *= static_cast<double>(problem.dims[d].length);
  const double share = own / all / 2;
  return {{share, 0}, {1 - 2 * share, 1}, {share, 2}};
}

}  // namespace ulpfft
