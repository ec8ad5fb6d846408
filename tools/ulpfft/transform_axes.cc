// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/transform_axes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/text.h"

namespace ulpfft_tool {
namespace {

// One axis of the array, as a plan sees it.
struct AxisExtent {
  std::int64_t length;
  std::int64_t in_stride;
  std::int64_t out_stride;
  bool is_last = false;  // whatever its length and strides
  std::size_t axis = 0;  // of the file
};

// Slowest first, so that a dense array gives a dense problem; axes of length 1 change nothing and are left out.
void order(std::vector<AxisExtent>& extents) {
  std::erase_if(extents, [](const AxisExtent& extent) { return extent.length == 1 && !extent.is_last; });
  std::sort(extents.begin(), extents.end(),
            [](const AxisExtent& a, const AxisExtent& b) { return a.is_last != b.is_last ? b.is_last : a.in_stride > b.in_stride; });
}

// Neighbours in memory, on both sides, are one dimension.
void join(std::vector<AxisExtent>& extents) {
  std::vector<AxisExtent> joined;
  for (const AxisExtent& inner : extents) {
    if (!joined.empty() && joined.back().in_stride == inner.length * inner.in_stride &&
        joined.back().out_stride == inner.length * inner.out_stride) {
      joined.back() = {joined.back().length * inner.length, inner.in_stride, inner.out_stride};
    } else {
      joined.push_back(inner);
    }
  }
  extents = std::move(joined);
}

}  // namespace

std::vector<std::size_t> read_axes(const std::string& text, const std::vector<std::int64_t>& shape, bool negative_allowed) {
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t lowest = negative_allowed ? -rank : 0;
  std::vector<std::size_t> axes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::int64_t axis = 0;
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, axis);
    if (failure != std::errc{} || stop != text.data() + end) {
      throw UsageError("--axes takes integers separated by commas, e.g. 0,1.", text, begin, end);
    }
    if (axis < lowest || axis >= rank) {
      throw UsageError("The file has " + std::to_string(rank) + " axes, " + std::to_string(lowest) + " to " +
                           std::to_string(rank - 1) + "; " + std::to_string(axis) + " is not one of them.",
                       text, begin, end);
    }
    const auto index = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    if (std::find(axes.begin(), axes.end(), index) != axes.end()) {
      throw UsageError("Axis " + std::to_string(axis) + " is named twice.", text, begin, end);
    }
    axes.push_back(index);
    begin = end + 1;
  }
  return axes;
}

std::vector<std::size_t> only_axis(const std::string& path, const std::vector<std::int64_t>& shape) {
  std::vector<std::size_t> longer;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] > 1) longer.push_back(i);
  }
  if (longer.empty()) return {0};
  if (longer.size() == 1) return longer;
  throw UsageError(path + " has the shape " + show_lengths(shape) + ": say with --axes which of the axes 0 to " +
                std::to_string(shape.size() - 1) + " to transform, e.g. --axes " + std::to_string(longer[0]) + "," +
                std::to_string(longer[1]) + ".", path, 0, path.size());
}

End end_of(const Array& array) { return {array.is_double() ? "f64" : "f32", array.strides()}; }

End end_of(const RealArray& array) { return {array.is_double() ? "f64" : "f32", array.strides()}; }

End end_of(const NarrowArray& array) {
  return {array.storage.name, array.strides(), array.storage.in_rows() ? array.shape[array.axis] : 1};
}

std::int64_t real_length(std::int64_t stored, std::int64_t asked) {
  const std::int64_t even = 2 * (stored - 1);
  if (asked == 0 && even > 0) return even;
  if (asked == even + 1 || (asked == even && even > 0)) return asked;
  const std::string lengths = even == 0 ? "1 real number" : std::to_string(even) + " or " + std::to_string(even + 1) + " real numbers";
  const std::string word = asked == 0 ? "--length" : std::to_string(asked);
  const std::string numbers = std::to_string(stored) + (stored == 1 ? " number" : " numbers");
  throw UsageError("The halved axis has " + numbers + ", the spectrum of " + lengths + (asked == 0 ? ": say --length 1." : "."), word,
                   0, word.size());
}

ulpfft::Problem make_problem(const std::vector<std::int64_t>& shape, const End& in, const End& out, const std::vector<std::size_t>& axes,
                             std::size_t last_axis, AxesOfProblem& of_problem) {
  std::vector<AxisExtent> lengths;
  std::vector<AxisExtent> batch;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool transformed = std::find(axes.begin(), axes.end(), i) != axes.end();
    const std::int64_t out_stride = i < out.strides.size() ? out.strides[i] : 1;  // an axis left out has length 1
    (transformed ? lengths : batch).push_back({shape[i], in.strides[i], out_stride, i == last_axis, i});
  }
  order(lengths);
  for (const AxisExtent& extent : lengths) of_problem.lengths.push_back(extent.axis);
  if (lengths.empty()) lengths.push_back({1, 1, 1});
  order(batch);
  for (const AxisExtent& extent : batch) of_problem.batch.push_back(extent.axis);
  join(batch);
  ulpfft::Problem problem;
  for (const AxisExtent& extent : lengths) {
    const bool last = &extent == &lengths.back();
    problem.lengths.push_back(extent.length);
    problem.in_strides.push_back(last ? extent.in_stride : extent.in_stride / in.row_length);
    problem.out_strides.push_back(last ? extent.out_stride : extent.out_stride / out.row_length);
  }
  for (const AxisExtent& extent : batch) {
    problem.batch.push_back(extent.length);
    problem.batch_in_strides.push_back(extent.in_stride / in.row_length);
    problem.batch_out_strides.push_back(extent.out_stride / out.row_length);
  }
  problem.storage = in.storage;
  problem.storage_out = out.storage;
  return problem;
}

}  // namespace ulpfft_tool
