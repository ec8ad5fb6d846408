// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/copied.h"

#include <vector>

#include "bindings/fftw3/strided_copy.h"

namespace ulpfft::fftw3 {

namespace {

// The loops over one part of every number of a side: from the array into the dense one, or with `back` out of it.
std::vector<CopyLoop> loops_of(const Problem& problem, bool out, bool split, bool back) {
  std::vector<CopyLoop> loops;
  const std::int64_t bytes = kPrecision.real_bytes;
  std::int64_t dense = split ? bytes : width(problem, out) * bytes;
  const auto add = [&](std::int64_t n, const Dim& dim) {
    const std::int64_t stride = (out ? dim.out_stride : dim.in_stride) * bytes;
    loops.push_back({n, back ? dense : stride, back ? stride : dense});
    dense *= n;
  };
  for (std::size_t d = problem.dims.size(); d-- > 0;) add(stored_length(problem, d, out), problem.dims[d]);
  for (std::size_t l = problem.loops.size(); l-- > 0;) add(problem.loops[l].n, problem.loops[l]);
  return loops;
}

// Bytes from re to im in a dense array.
std::int64_t part_step(const Problem& problem, bool out, bool split) {
  return split ? dense_bytes(problem, out) / 2 : kPrecision.real_bytes;
}

}  // namespace

std::int64_t width(const Problem& problem, bool out) {
  return (out ? is_complex_out(problem.kind) : is_complex_in(problem.kind)) ? 2 : 1;
}

std::int64_t dense_bytes(const Problem& problem, bool out) {
  std::int64_t bytes = times(times(loop_count(problem), width(problem, out)), kPrecision.real_bytes);
  for (std::size_t d = 0; d < problem.dims.size(); ++d) bytes = times(bytes, stored_length(problem, d, out));
  return bytes;
}

void gather(const Problem& problem, bool out, bool split, const void* const parts[2], void* dense) {
  for (std::int64_t part = 0; part < width(problem, out); ++part) {
    copy_strided(loops_of(problem, out, split, false), kPrecision.real_bytes, parts[part],
                 static_cast<char*>(dense) + part * part_step(problem, out, split));
  }
}

void scatter(const Problem& problem, bool split, const void* dense, void* const parts[2]) {
  for (std::int64_t part = 0; part < width(problem, true); ++part) {
    copy_strided(loops_of(problem, true, split, true), kPrecision.real_bytes,
                 static_cast<const char*>(dense) + part * part_step(problem, true, split), parts[part]);
  }
}

}  // namespace ulpfft::fftw3
