// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/copied.h"

#include <new>
#include <utility>
#include <vector>

#include "bindings/fftw3/strided_copy.h"

namespace ulpfft::fftw3 {

namespace {

// Real numbers of a number of that side.
std::int64_t width(const Problem& problem, bool out) {
  return (out ? is_complex_out(problem.kind) : is_complex_in(problem.kind)) ? 2 : 1;
}

std::int64_t dense_bytes(const Problem& problem, bool out) {
  std::int64_t bytes = times(times(loop_count(problem), width(problem, out)), kPrecision.real_bytes);
  for (std::size_t d = 0; d < problem.dims.size(); ++d) bytes = times(bytes, stored_length(problem, d, out));
  return bytes;
}

}  // namespace

DenseBuffers::DenseBuffers(const Problem& problem) : problem_(problem) {
  const bool two = problem.kind == kR2C || problem.kind == kC2R;
  for (int buffer = 0; buffer < (two ? 2 : 1); ++buffer) {
    const std::int64_t bytes = dense_bytes(problem, buffer == 1);
    if (bytes != kTooLarge) memory_[buffer].reset(ulpfft_malloc(static_cast<std::size_t>(bytes)));
    if (memory_[buffer] == nullptr) throw std::bad_alloc();
  }
}

// One part of every number of a side: into the dense array, or of the output out of it.
void DenseBuffers::copy(bool out, const void* from, void* to) const {
  std::vector<CopyLoop> loops;
  std::int64_t dense = width(problem_, out);
  const auto add = [&](std::int64_t n, const Dim& dim) {
    const std::int64_t bytes = kPrecision.real_bytes;
    if (out) {
      loops.push_back({n, dense * bytes, dim.out_stride * bytes});
    } else {
      loops.push_back({n, dim.in_stride * bytes, dense * bytes});
    }
    dense *= n;
  };
  for (std::size_t d = problem_.dims.size(); d-- > 0;) add(stored_length(problem_, d, out), problem_.dims[d]);
  for (std::size_t l = problem_.loops.size(); l-- > 0;) add(problem_.loops[l].n, problem_.loops[l]);
  copy_strided(std::move(loops), kPrecision.real_bytes, from, to);
}

void DenseBuffers::gather(const Arrays& arrays) const {
  auto* const dense = static_cast<char*>(data(0));
  for (std::int64_t part = 0; part < width(problem_, false); ++part)
    copy(false, arrays.in[part], dense + part * kPrecision.real_bytes);
}

void DenseBuffers::scatter(const Arrays& arrays) const {
  const auto* const dense = static_cast<const char*>(data(memory_[1] != nullptr ? 1 : 0));
  for (std::int64_t part = 0; part < width(problem_, true); ++part)
    copy(true, dense + part * kPrecision.real_bytes, arrays.out[part]);
}

}  // namespace ulpfft::fftw3
