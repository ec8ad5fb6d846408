// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/run_case.h"

#include <cstring>
#include <memory>
#include <type_traits>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

// One side of a transform: one guarded array, or two when split.
template <typename T>
class Side {
 public:
  Side(const Footprint& footprint, bool split, const RunOptions& options)
      : footprint_(footprint), split_(split), used_(footprint.elements(), 0) {
    const std::size_t bytes = footprint.elements() * sizeof(T);
    buffers_[0] = std::make_unique<GuardedBuffer>(split ? bytes : 2 * bytes, options.flush, options.shift);
    if (split) buffers_[1] = std::make_unique<GuardedBuffer>(bytes, options.flush, options.shift);
    for (const std::int64_t offset : footprint.offsets) used_[static_cast<std::size_t>(offset - footprint.first)] = 1;
  }

  T* re(std::int64_t offset) {
    const auto place = static_cast<std::size_t>(offset - footprint_.first);
    return buffers_[0]->template as<T>() + (split_ ? place : 2 * place);
  }
  T* im(std::int64_t offset) {
    if (!split_) return re(offset) + 1;
    return buffers_[1]->template as<T>() + static_cast<std::size_t>(offset - footprint_.first);
  }

  void scatter(const std::vector<std::complex<T>>& data) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      *re(footprint_.offsets[i]) = data[i].real();
      *im(footprint_.offsets[i]) = data[i].imag();
    }
  }
  std::vector<std::complex<T>> gather() {
    std::vector<std::complex<T>> data(footprint_.offsets.size());
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = {*re(footprint_.offsets[i]), *im(footprint_.offsets[i])};
    return data;
  }
  ulpfft_array array() {
    auto value = sized<ulpfft_array>();
    value.data[0] = re(0);
    if (split_) value.data[1] = im(0);
    return value;
  }
  // A sentence about the first gap written to; empty when none was.
  std::string touched(const char* name) const {
    for (const auto& buffer : buffers_) {
      if (buffer == nullptr) continue;
      const auto place = buffer->first_touched_gap(used_, split_ ? sizeof(T) : 2 * sizeof(T));
      if (!place.has_value()) continue;
      const auto bytes = static_cast<std::ptrdiff_t>(split_ ? sizeof(T) : 2 * sizeof(T));
      return std::string(name) + " array written outside its elements, byte " + std::to_string(*place) + " (element offset " +
             std::to_string(*place / bytes + footprint_.first) + ")";
    }
    return "";
  }

 private:
  const Footprint& footprint_;
  bool split_;
  std::vector<std::uint8_t> used_;
  std::unique_ptr<GuardedBuffer> buffers_[2];
};

// Both sides executed with: `out` is `in` for in place.
template <typename S, typename T>
RunResult<T> run_sides(const ulpfft_plan* plan, bool arrays, const RunOptions& options, Side<S>& in, Side<T>& out) {
  RunResult<T> result;
  ulpfft_status status = ULPFFT_OK;
  if (arrays) {
    const ulpfft_array in_array = in.array();
    const ulpfft_array out_array = out.array();
    const std::size_t bytes = ulpfft_plan_workspace_bytes(plan);
    std::unique_ptr<GuardedBuffer> workspace;
    // Aligned to 64 as promised, then as close to the guard page as its size allows.
    if (options.own_workspace) workspace = std::make_unique<GuardedBuffer>((bytes + 63) / 64 * 64, options.workspace_flush);
    void* const memory = workspace != nullptr ? workspace->data() : nullptr;
    status = options.operation != nullptr ? ulpfft_execute_chain(plan, &in_array, &out_array, options.operation, memory)
                                          : ulpfft_execute_arrays(plan, &in_array, &out_array, memory);
    if (workspace != nullptr && bytes != 0) {
      std::vector<std::uint8_t> used(workspace->size(), 1);
      for (std::size_t i = bytes; i < used.size(); ++i) used[i] = 0;
      if (workspace->first_touched_gap(used, 1).has_value()) result.trouble = "workspace written beyond workspace_bytes";
      result.workspace_used = workspace->touched_end();
    }
  } else {
    status = ulpfft_execute(plan, in.re(0), out.re(0));
  }
  if (status != ULPFFT_OK) result.trouble = "execute: " + last_error_text();
  if (result.trouble.empty()) result.trouble = in.touched("in");
  return result;
}

}  // namespace

template <typename S, typename T>
RunResult<T> run_case(const ulpfft_plan* plan, const Case& problem, const std::vector<std::complex<S>>& data, const RunOptions& options) {
  const bool arrays = problem.split || options.by_arrays || options.operation != nullptr;
  const Footprint in_places = in_footprint(problem);
  Side<S> in(in_places, problem.split, options);
  in.scatter(data);
  if constexpr (std::is_same_v<S, T>) {
    if (problem.in_place) {
      RunResult<T> result = run_sides(plan, arrays, options, in, in);
      result.out = in.gather();
      return result;
    }
  }
  const Footprint out_places = out_footprint(problem);
  Side<T> out(out_places, problem.split, options);
  RunResult<T> result = run_sides(plan, arrays, options, in, out);
  if (result.trouble.empty()) result.trouble = out.touched("out");
  const auto after = in.gather();
  if (result.trouble.empty() && std::memcmp(after.data(), data.data(), data.size() * sizeof data[0]) != 0) {
    result.trouble = "input changed by an out-of-place transform";
  }
  result.out = out.gather();
  return result;
}

template RunResult<float> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
template RunResult<double> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);
template RunResult<double> run_case<float, double>(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
template RunResult<float> run_case<double, float>(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);

}  // namespace ulpfft::test
