// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/pareto/arrays.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace ulpfft_tool::pareto {
namespace {

constexpr std::size_t kAlignment = 64;

ulpfft_layout layout_of(const ProblemParts& problem, const std::string& storage, const std::vector<std::int64_t>& batch) {
  std::vector<std::int64_t> lengths = batch;
  lengths.insert(lengths.end(), problem.shape.begin(), problem.shape.end());
  if (!problem.split) lengths.back() *= 2;
  ulpfft_layout layout{};
  layout.size = sizeof layout;
  ulpfft::detail::check(ulpfft_format_layout(storage.c_str(), static_cast<int>(lengths.size()), lengths.data(), &layout));
  return layout;
}

bool has_scales(const ProblemParts& problem, const std::string& storage) { return layout_of(problem, storage, {}).scale_bytes > 0; }

}  // namespace

double array_bytes(const ProblemParts& problem, const std::string& storage) {
  const ulpfft_layout layout = layout_of(problem, storage, problem.batch);
  return static_cast<double>(layout.data_bytes + layout.scale_bytes) * (problem.split ? 2 : 1);
}

void SharedArrays::Free::operator()(std::byte* memory) const { std::free(memory); }

void SharedArrays::reserve(const ProblemParts& problem, const std::string& in, const std::string& out, const std::vector<std::int64_t>& batch) {
  for (const bool output : {false, true}) {
    const ulpfft_layout layout = layout_of(problem, output ? out : in, batch);
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
  for (std::size_t part = 0; part < (problem.split ? 2U : 1U); ++part) {
    array.data[part] = address(parts_[side + part]);
    if (has_scales(problem, storage)) array.scales[part] = address(parts_[side + 2 + part]);
  }
  return array;
}

}  // namespace ulpfft_tool::pareto
