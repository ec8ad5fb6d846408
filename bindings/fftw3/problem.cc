// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/problem.h"

#include <algorithm>
#include <tuple>

#include "ulpfft/ulpfft.h"

namespace ulpfft::fftw3 {

namespace {

// Whether a length of 1 of this kind gives the number back.
bool keeps_one_number(int kind) { return kind == ULPFFT_R2HC || kind == ULPFFT_HC2R || kind == ULPFFT_DHT; }

void drop_single_dims(Problem& problem) {
  const bool halved = problem.kind == kR2C || problem.kind == kC2R;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    if (problem.dims[d].n != 1) continue;
    problem.dims[d].in_stride = problem.dims[d].out_stride = 0;
    const bool last = d + 1 == problem.dims.size();
    if ((halved && last) || problem.dims.size() == 1 || (problem.kind == kR2R && !keeps_one_number(problem.kinds[d]))) continue;
    problem.dims.erase(problem.dims.begin() + static_cast<std::ptrdiff_t>(d));
    if (problem.kind == kR2R) problem.kinds.erase(problem.kinds.begin() + static_cast<std::ptrdiff_t>(d));
  }
  if (!problem.dims.empty()) return;
  problem.dims.push_back({});
  if (problem.kind == kR2R) problem.kinds.push_back(ULPFFT_R2HC);
}

void merge_loops(std::vector<Dim>& loops) {
  std::erase_if(loops, [](const Dim& loop) { return loop.n == 1; });
  const auto magnitude = [](std::int64_t stride) {
    return stride < 0 ? -static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
  };
  const auto order = [&](const Dim& loop) { return std::tuple(magnitude(loop.out_stride), magnitude(loop.in_stride), loop.n); };
  std::sort(loops.begin(), loops.end(), [&](const Dim& a, const Dim& b) { return order(a) > order(b); });
  for (std::size_t i = 1; i < loops.size();) {
    Dim& outer = loops[i - 1];
    const Dim& inner = loops[i];
    const std::int64_t n = times(outer.n, inner.n);
    if (n == kTooLarge || outer.in_stride != times(inner.n, inner.in_stride) ||
        outer.out_stride != times(inner.n, inner.out_stride)) {
      ++i;
      continue;
    }
    outer = {n, inner.in_stride, inner.out_stride};
    loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

bool is_empty(const Problem& problem) {
  return std::any_of(problem.loops.begin(), problem.loops.end(), [](const Dim& loop) { return loop.n == 0; });
}

Problem simplified(Problem problem) {
  drop_single_dims(problem);
  merge_loops(problem.loops);
  return problem;
}

std::string bytes_of(const Problem& problem) {
  std::string bytes;
  const auto add = [&](std::int64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); };
  const auto add_dims = [&](const std::vector<Dim>& dims) {
    add(static_cast<std::int64_t>(dims.size()));
    for (const Dim& dim : dims) {
      add(dim.n);
      add(dim.in_stride);
      add(dim.out_stride);
    }
  };
  add(problem.kind);
  add(problem.sign);
  add_dims(problem.dims);
  for (const int kind : problem.kinds) add(kind);
  add_dims(problem.loops);
  return bytes;
}

std::int64_t loop_count(const Problem& problem) {
  std::int64_t count = 1;
  for (const Dim& loop : problem.loops) count = times(count, loop.n);
  return count;
}

std::int64_t stored_length(const Problem& problem, std::size_t d, bool out) {
  const std::int64_t n = problem.dims[d].n;
  const bool halved = d + 1 == problem.dims.size() && problem.kind == (out ? kR2C : kC2R);
  return halved ? n / 2 + 1 : n;
}

}  // namespace ulpfft::fftw3
