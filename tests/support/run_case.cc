// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/run_case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "tests/support/api.h"

namespace ulpfft::test {
namespace {

// The array of a side, or of both in place: one guarded buffer, or two when split.
template <typename T>
class Side {
 public:
  Side(const Case& problem, const std::vector<bool>& outputs, const RunOptions& options)
      : split_(problem.split && !is_real_side(problem, outputs[0])) {
    std::int64_t high = 0;
    for (const bool output : outputs) {
      places_[output] = {footprint_of(problem, output), is_real_side(problem, output) || split_ ? 1 : 2,
                         is_real_side(problem, output)};
      low_ = std::min(low_, places_[output].at.first * places_[output].reals);
      high = std::max(high, (places_[output].at.last + 1) * places_[output].reals);
    }
    used_.assign(static_cast<std::size_t>(high - low_), 0);
    for (const Places& side : places_) {
      for (const std::int64_t offset : side.at.offsets) {
        for (int real = 0; real < side.reals; ++real) used_[static_cast<std::size_t>(offset * side.reals + real - low_)] = 1;
      }
    }
    for (int part = 0; part < (split_ ? 2 : 1); ++part) {
      buffers_[part] = std::make_unique<GuardedBuffer>(used_.size() * sizeof(T), options.flush, options.shift);
    }
  }

  void scatter(bool output, const std::vector<std::complex<T>>& data) {
    const Places& side = places_[output];
    for (std::size_t i = 0; i < data.size(); ++i) {
      *re(side, i) = data[i].real();
      if (!side.is_real) *im(side, i) = data[i].imag();
    }
  }
  std::vector<std::complex<T>> gather(bool output) {
    const Places& side = places_[output];
    std::vector<std::complex<T>> data(side.at.offsets.size());
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = {*re(side, i), side.is_real ? T(0) : *im(side, i)};
    return data;
  }
  ulpfft_array array() {
    auto value = sized<ulpfft_array>();
    for (int part = 0; part < (split_ ? 2 : 1); ++part) value.data[part] = begin(part);
    return value;
  }
  // A sentence about the first gap written to; empty when none was.
  std::string touched(const char* name) const {
    for (const auto& buffer : buffers_) {
      if (buffer == nullptr) continue;
      const auto place = buffer->first_touched_gap(used_, sizeof(T));
      if (!place.has_value()) continue;
      return std::string(name) + " array written outside its elements, byte " + std::to_string(*place) + " (real offset " +
             std::to_string(*place / static_cast<std::ptrdiff_t>(sizeof(T)) + low_) + ")";
    }
    return "";
  }

 private:
  struct Places {
    Footprint at;
    int reals = 0;  // of an element in a buffer
    bool is_real = false;
  };
  T* begin(int part) { return buffers_[part]->template as<T>() - low_; }
  T* re(const Places& side, std::size_t i) { return begin(0) + side.at.offsets[i] * side.reals; }
  T* im(const Places& side, std::size_t i) { return split_ ? begin(1) + side.at.offsets[i] : re(side, i) + 1; }

  bool split_;
  Places places_[2];  // of input and output; those of another array are empty
  std::int64_t low_ = 0;
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
    status = ulpfft_execute(plan, in.array().data[0], out.array().data[0]);
  }
  if (status != ULPFFT_OK) result.trouble = "execute: " + last_error_text();
  if (result.trouble.empty()) result.trouble = in.touched("in");
  return result;
}

}  // namespace

template <typename S, typename T>
RunResult<T> run_case(const ulpfft_plan* plan, const Case& problem, const std::vector<std::complex<S>>& data, const RunOptions& options) {
  const bool arrays = problem.split || options.by_arrays || options.operation != nullptr;
  if constexpr (std::is_same_v<S, T>) {
    if (problem.in_place) {
      Side<S> both(problem, {false, true}, options);
      both.scatter(false, data);
      RunResult<T> result = run_sides(plan, arrays, options, both, both);
      result.out = both.gather(true);
      return result;
    }
  }
  Side<S> in(problem, {false}, options);
  in.scatter(false, data);
  Side<T> out(problem, {true}, options);
  RunResult<T> result = run_sides(plan, arrays, options, in, out);
  if (result.trouble.empty()) result.trouble = out.touched("out");
  const auto after = in.gather(false);
  if (result.trouble.empty() && !problem.destroy_input &&
      std::memcmp(after.data(), data.data(), data.size() * sizeof data[0]) != 0) {
    result.trouble = "input changed by an out-of-place transform";
  }
  result.out = out.gather(true);
  return result;
}

template RunResult<float> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
template RunResult<double> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);
template RunResult<double> run_case<float, double>(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
template RunResult<float> run_case<double, float>(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);

}  // namespace ulpfft::test
