#include "tests/support/run_case.h"

#include <cstring>
#include <memory>

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

}  // namespace

template <typename T>
RunResult<T> run_case(const ulpfft_plan* plan, const Case& problem, const std::vector<std::complex<T>>& data, const RunOptions& options) {
  RunResult<T> result;
  const Footprint in_places = in_footprint(problem);
  const Footprint out_places = problem.in_place ? in_places : out_footprint(problem);
  Side<T> in(in_places, problem.split, options);
  std::unique_ptr<Side<T>> other;
  if (!problem.in_place) other = std::make_unique<Side<T>>(out_places, problem.split, options);
  Side<T>& out = problem.in_place ? in : *other;
  in.scatter(data);

  ulpfft_status status = ULPFFT_OK;
  std::string trouble;
  if (problem.split || options.by_arrays) {
    const ulpfft_array in_array = in.array();
    const ulpfft_array out_array = out.array();
    std::unique_ptr<GuardedBuffer> workspace;
    if (options.own_workspace) {
      // Aligned to 64 as promised, then as close to the guard page as its size allows.
      const std::size_t bytes = ulpfft_plan_workspace_bytes(plan);
      workspace = std::make_unique<GuardedBuffer>((bytes + 63) / 64 * 64, Flush::kEnd);
    }
    status = ulpfft_execute_arrays(plan, &in_array, &out_array, workspace != nullptr ? workspace->data() : nullptr);
    if (workspace != nullptr && ulpfft_plan_workspace_bytes(plan) != 0) {
      std::vector<std::uint8_t> used(workspace->size(), 1);
      for (std::size_t i = ulpfft_plan_workspace_bytes(plan); i < used.size(); ++i) used[i] = 0;
      if (workspace->first_touched_gap(used, 1).has_value()) trouble = "workspace written beyond workspace_bytes";
    }
  } else {
    status = ulpfft_execute(plan, in.re(0), out.re(0));
  }

  if (status != ULPFFT_OK) {
    result.trouble = "execute: " + last_error_text();
    return result;
  }
  if (trouble.empty()) trouble = in.touched("in");
  if (trouble.empty() && !problem.in_place) trouble = out.touched("out");
  if (trouble.empty() && !problem.in_place) {
    const auto after = in.gather();
    if (std::memcmp(after.data(), data.data(), data.size() * sizeof data[0]) != 0) trouble = "input changed by an out-of-place transform";
  }
  result.out = out.gather();
  result.trouble = trouble;
  return result;
}

template RunResult<float> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<float>>&, const RunOptions&);
template RunResult<double> run_case(const ulpfft_plan*, const Case&, const std::vector<std::complex<double>>&, const RunOptions&);

}  // namespace ulpfft::test
