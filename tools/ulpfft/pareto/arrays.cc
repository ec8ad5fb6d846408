// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/pareto/arrays.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ulpfft_tool::pareto {
namespace {

constexpr std::size_t kAlignment = 64;

// How many arrays a side has.
std::size_t parts_of(const ProblemParts& problem, bool output) { return problem.split && !problem.is_real(output) ? 2 : 1; }

ulpfft_layout layout_of(const ProblemParts& problem, const std::string& storage, bool output, const std::vector<std::int64_t>& batch) {
  std::vector<std::int64_t> lengths = batch;
  // In place a row has room for either side.
  const std::vector<std::int64_t> shape = problem.stored_shape(problem.is_real(output) && problem.in_place ? !output : output);
  lengths.insert(lengths.end(), shape.begin(), shape.end());
  const bool shares_spectrum = problem.in_place && !problem.is_r2r();
  if (parts_of(problem, output) == 1 && (!problem.is_real(output) || shares_spectrum)) lengths.back() *= 2;
  ulpfft_layout layout{};
  layout.size = sizeof layout;
  ulpfft::detail::check(ulpfft_format_layout(storage.c_str(), static_cast<int>(lengths.size()), lengths.data(), &layout));
  return layout;
}

bool has_scales(const ProblemParts& problem, const std::string& storage, bool output) {
  return layout_of(problem, storage, output, {}).scale_bytes > 0;
}

}  // namespace

double array_bytes(const ProblemParts& problem, const std::string& storage, bool output) {
  const ulpfft_layout layout = layout_of(problem, storage, output, problem.batch);
  return static_cast<double>(layout.data_bytes + layout.scale_bytes) * static_cast<double>(parts_of(problem, output));
}

void SharedArrays::Free::operator()(std::byte* memory) const { std::free(memory); }

void SharedArrays::reserve(const ProblemParts& problem, const std::string& in, const std::string& out, const std::vector<std::int64_t>& batch) {
  for (const bool output : {false, true}) {
    const ulpfft_layout layout = layout_of(problem, output ? out : in, output, batch);
    for (std::size_t part = 0; part < 2; ++part) {
      Part& codes = parts_[(output ? 4U : 0U) + part];
      Part& scales = parts_[(output ? 6U : 2U) + part];
      codes.bytes = std::max(codes.bytes, static_cast<std::size_t>(layout.data_bytes));
      scales.bytes = std::max(scales.bytes, static_cast<std::size_t>(layout.scale_bytes));
    }
  }
}

void* SharedArrays::address(Part& part) {
  if (part.memory == nullptr) {
    const std::size_t bytes = (part.bytes / kAlignment + 1) * kAlignment;
    part.memory.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, bytes)));
    if (part.memory == nullptr) throw std::bad_alloc();
    std::memset(part.memory.get(), 0, bytes);
  }
  return part.memory.get();
}

ulpfft_array SharedArrays::array(const ProblemParts& problem, const std::string& storage, bool output) {
  const std::size_t side = output && !problem.in_place ? 4 : 0;
  ulpfft_array array{};
  array.size = sizeof array;
  for (std::size_t part = 0; part < parts_of(problem, output); ++part) {
    array.data[part] = address(parts_[side + part]);
    if (has_scales(problem, storage, output)) array.scales[part] = address(parts_[side + 2 + part]);
  }
  return array;
}

}  // namespace ulpfft_tool::pareto
