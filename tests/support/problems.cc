// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/problems.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <span>
#include <utility>

#include "tests/support/compare.h"
#include "tests/support/oracle.h"

namespace ulpfft::test {
namespace {

std::vector<Dim> all_dims(const Case& problem) {
  std::vector<Dim> dims = problem.batch;
  dims.insert(dims.end(), problem.dims.begin(), problem.dims.end());
  return dims;
}

std::int64_t product(const std::vector<Dim>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, [](std::int64_t p, const Dim& dim) { return p * dim.length; });
}

Footprint footprint(const Case& problem, std::int64_t Dim::*stride) {
  Footprint result;
  result.offsets = {0};
  for (const Dim& dim : all_dims(problem)) {
    std::vector<std::int64_t> next;
    next.reserve(result.offsets.size() * static_cast<std::size_t>(dim.length));
    for (const std::int64_t offset : result.offsets) {
      for (std::int64_t j = 0; j < dim.length; ++j) next.push_back(offset + j * dim.*stride);
    }
    result.offsets = std::move(next);
  }
  const auto [low, high] = std::minmax_element(result.offsets.begin(), result.offsets.end());
  result.first = std::min<std::int64_t>(0, *low);
  result.last = std::max<std::int64_t>(0, *high);
  return result;
}

// Strides of one side: dimensions nest in a random order, innermost first, each leaving a random gap.
void random_strides(Random& random, Case& problem, std::int64_t Dim::*stride) {
  std::vector<Dim*> order;
  for (Dim& dim : problem.batch) order.push_back(&dim);
  for (Dim& dim : problem.dims) order.push_back(&dim);
  std::reverse(order.begin(), order.end());
  if (random.chance(0.5)) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  const bool gaps = random.chance(0.7);
  const bool signs = random.chance(0.3);
  std::int64_t extent = 1;
  for (Dim* dim : order) {
    const std::int64_t gap = gaps && random.chance(0.6) ? random.between(1, 5) : 0;
    const std::int64_t step = extent + gap;
    dim->*stride = signs && random.chance(0.5) ? -step : step;
    extent += (dim->length - 1) * step;
  }
}

std::int64_t random_length(Random& random, std::int64_t limit) {
  static const std::vector<std::int64_t> smooth = smooth_lengths(4096);
  if (random.chance(0.3)) {  // powers of two are what the fast structure serves
    std::int64_t n = 1;
    while (random.chance(0.8) && 2 * n <= limit) n *= 2;
    return n;
  }
  if (random.chance(0.5)) return random.between(1, limit);  // most are rough
  const auto last = std::upper_bound(smooth.begin(), smooth.end(), limit) - smooth.begin();
  const double place = random.uniform() * random.uniform();  // small lengths more often
  return smooth[static_cast<std::size_t>(place * static_cast<double>(last))];
}

std::string join(const std::vector<std::int64_t>& values, char separator) {
  std::string text;
  for (const std::int64_t value : values) {
    if (!text.empty()) text += separator;
    text += std::to_string(value);
  }
  return text;
}

std::vector<std::int64_t> column(const std::vector<Dim>& dims, std::int64_t Dim::*member) {
  std::vector<std::int64_t> values;
  for (const Dim& dim : dims) values.push_back(dim.*member);
  return values;
}

// out[(j + by) mod n] = in[j] along one dimension of row-major data.
void rotate(std::vector<ComplexDD>& data, std::span<const std::int64_t> shape, std::size_t dimension, std::int64_t by) {
  std::int64_t inner = 1;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::int64_t n = shape[dimension];
  const std::int64_t block = n * inner;
  for (std::size_t start = 0; start < data.size(); start += static_cast<std::size_t>(block)) {
    const auto begin = data.begin() + static_cast<std::ptrdiff_t>(start);
    std::rotate(begin, begin + (n - by) % n * inner, begin + block);
  }
}

// Index k becomes -k mod n along one dimension: the backward transform from the forward one.
void reflect(std::vector<ComplexDD>& data, std::span<const std::int64_t> shape, std::size_t dimension) {
  std::int64_t inner = 1;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  const std::int64_t n = shape[dimension];
  const auto at = [inner](std::int64_t k, std::int64_t i) { return static_cast<std::size_t>(k * inner + i); };
  for (std::size_t start = 0; start < data.size(); start += at(n, 0)) {
    for (std::int64_t k = 1; k < n - k; ++k) {
      for (std::int64_t i = 0; i < inner; ++i) std::swap(data[start + at(k, i)], data[start + at(n - k, i)]);
    }
  }
}

}  // namespace

std::int64_t transform_points(const Case& problem) { return product(problem.dims); }
std::int64_t all_points(const Case& problem) { return product(problem.dims) * product(problem.batch); }

bool out_f64(const Case& problem) { return problem.f64 != problem.converts; }
bool computes_f64(const Case& problem) { return problem.scheme.empty() ? problem.f64 || problem.converts : problem.scheme == "f64"; }

double result_bound(const Case& problem) {
  const auto bound = [&problem]<typename T>(T) {
    double most = theorem_bound<T>(transform_points(problem));
    const bool rough = std::any_of(problem.dims.begin(), problem.dims.end(), [](const Dim& dim) { return !is_smooth(dim.length); });
    if (rough) most = 4 * 2 * (theorem_bound<T>(4 * transform_points(problem)) + 3 * Storage<T>::kUnitRoundoff);
    if (problem.window != nullptr) most += 5 * Storage<T>::kUnitRoundoff;
    if constexpr (sizeof(T) == 4) {
      if (problem.f64) most += Storage<float>::kUnitRoundoff;
    } else {
      if (!out_f64(problem)) most += Storage<float>::kUnitRoundoff;
    }
    return most;
  };
  return computes_f64(problem) ? bound(double{}) : bound(float{});
}

double scale_of(const Case& problem) {
  const auto points = static_cast<double>(transform_points(problem));
  switch (problem.scale_kind) {
    case ULPFFT_SCALE_ORTHO: return 1.0 / std::sqrt(points);
    case ULPFFT_SCALE_BY_N: return 1.0 / points;
    case ULPFFT_SCALE_VALUE: return problem.scale_value;
    default: return 1.0;
  }
}

void set_dense(Case& problem) {
  std::int64_t stride = 1;
  for (std::vector<Dim>* dims : {&problem.dims, &problem.batch}) {
    for (auto dim = dims->rbegin(); dim != dims->rend(); ++dim) {
      dim->in_stride = dim->out_stride = stride;
      stride *= dim->length;
    }
  }
}

Case random_case(Random& random, std::int64_t max_points) {
  Case problem;
  problem.f64 = random.chance(0.5);
  problem.split = random.chance(0.3);
  problem.in_place = random.chance(0.4);
  problem.converts = !problem.in_place && random.chance(0.3);
  if (random.chance(0.3)) problem.scheme = random.chance(0.5) ? "f32" : "f64";
  if (random.chance(0.15)) problem.threads = static_cast<int>(random.between(2, 5));
  problem.backward = random.chance(0.5);
  problem.centered = random.chance(0.25);
  if (random.chance(0.4)) problem.scale_kind = static_cast<int>(random.between(1, 3));
  if (problem.scale_kind == ULPFFT_SCALE_VALUE) problem.scale_value = random.chance(0.5) ? 0.1 : -3.0;

  const std::int64_t rank = random.between(1, 4);
  const std::int64_t batch_rank = random.between(0, 2);
  std::int64_t left = max_points;
  for (std::int64_t d = 0; d < batch_rank; ++d) {
    problem.batch.push_back({random.between(1, std::min<std::int64_t>(left, 9)), 1, 1});
    left /= problem.batch.back().length;
  }
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t share = d + 1 < rank ? std::max<std::int64_t>(1, left / 4) : left;
    problem.dims.push_back({random_length(random, share), 1, 1});
    left /= problem.dims.back().length;
  }
  for (std::size_t i = problem.dims.size(); i > 1; --i) std::swap(problem.dims[i - 1], problem.dims[random.below(i)]);

  set_dense(problem);
  if (random.chance(0.7)) random_strides(random, problem, &Dim::in_stride);
  if (random.chance(0.7)) random_strides(random, problem, &Dim::out_stride);
  if (problem.in_place) {
    for (std::vector<Dim>* dims : {&problem.dims, &problem.batch}) {
      for (Dim& dim : *dims) dim.out_stride = dim.in_stride;
    }
  }
  return problem;
}

std::string text_of(const Case& problem) {
  std::string text = join(column(problem.dims, &Dim::length), 'x');
  if (!problem.batch.empty()) text += '*' + join(column(problem.batch, &Dim::length), 'x');
  text += problem.f64 ? " f64" : " f32";
  if (problem.converts) text += out_f64(problem) ? "->f64" : "->f32";
  if (problem.backward) text += " inverse";
  if (problem.centered) text += " centered";
  switch (problem.scale_kind) {
    case ULPFFT_SCALE_ORTHO: text += " scale=ortho"; break;
    case ULPFFT_SCALE_BY_N: text += " scale=1/n"; break;
    case ULPFFT_SCALE_VALUE: {
      char number[32];
      std::snprintf(number, sizeof number, "%.17g", problem.scale_value);
      text += std::string(" scale=") + number;
      break;
    }
    default: break;
  }
  if (!problem.scheme.empty()) text += " scheme=" + problem.scheme;
  if (problem.threads != 1) text += " threads=" + std::to_string(problem.threads);
  if (problem.in_place) text += " inplace";
  if (problem.split) text += " split";
  if (problem.window != nullptr) text += std::string(" window=") + problem.window->name;
  text += " in_strides=" + join(column(problem.dims, &Dim::in_stride), ',');
  text += " out_strides=" + join(column(problem.dims, &Dim::out_stride), ',');
  if (!problem.batch.empty()) {
    text += " batch_strides=" + join(column(problem.batch, &Dim::in_stride), ',') + ',' +
            join(column(problem.batch, &Dim::out_stride), ',');
  }
  return text;
}

void with_struct(const Case& problem, const std::function<void(const ulpfft_problem&)>& use) {
  const auto lengths = column(problem.dims, &Dim::length);
  const auto in_strides = column(problem.dims, &Dim::in_stride);
  const auto out_strides = column(problem.dims, &Dim::out_stride);
  const auto batch_lengths = column(problem.batch, &Dim::length);
  const auto batch_in_strides = column(problem.batch, &Dim::in_stride);
  const auto batch_out_strides = column(problem.batch, &Dim::out_stride);
  ulpfft_problem request{};
  request.size = sizeof request;
  request.kind = ULPFFT_C2C;
  request.rank = static_cast<int>(problem.dims.size());
  request.lengths = lengths.data();
  request.in_strides = in_strides.data();
  request.out_strides = out_strides.data();
  request.batch_rank = static_cast<int>(problem.batch.size());
  request.batch_lengths = batch_lengths.data();
  request.batch_in_strides = batch_in_strides.data();
  request.batch_out_strides = batch_out_strides.data();
  request.storage_in = problem.f64 ? "f64" : "f32";
  if (problem.converts) request.storage_out = out_f64(problem) ? "f64" : "f32";
  if (!problem.scheme.empty()) request.scheme = problem.scheme.c_str();
  request.layout = problem.split ? ULPFFT_SPLIT : ULPFFT_INTERLEAVED;
  request.placement = problem.in_place ? ULPFFT_IN_PLACE : ULPFFT_OUT_OF_PLACE;
  request.direction = problem.backward ? ULPFFT_BACKWARD : ULPFFT_FORWARD;
  request.centered = problem.centered ? 1 : 0;
  request.scale_kind = problem.scale_kind;
  request.scale_value = problem.scale_value;
  request.threads = problem.threads;
  if (problem.window != nullptr) request.window = problem.window->name;
  use(request);
}

Footprint in_footprint(const Case& problem) { return footprint(problem, &Dim::in_stride); }
Footprint out_footprint(const Case& problem) { return footprint(problem, &Dim::out_stride); }

namespace {

void multiply_by_window(const Case& problem, std::vector<ComplexDD>& data) {
  std::vector<DoubleDouble> factors{1.0};
  for (const Dim& dim : problem.dims) {
    std::vector<DoubleDouble> next;
    std::vector<DoubleDouble> along;
    for (std::int64_t j = 0; j < dim.length; ++j) along.push_back(factor_of(*problem.window, false, dim.length, j));
    for (const DoubleDouble& outer : factors) {
      for (const DoubleDouble& inner : along) next.push_back(outer * inner);
    }
    factors = std::move(next);
  }
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = factors[i % factors.size()] * data[i];
}

}  // namespace

std::vector<ComplexDD> exact_result(const Case& problem, std::vector<ComplexDD> data) {
  if (problem.window != nullptr) multiply_by_window(problem, data);
  const auto shape = column(all_dims(problem), &Dim::length);
  for (std::size_t d = problem.batch.size(); d < shape.size(); ++d) {
    const std::int64_t centre = problem.centered ? shape[d] / 2 : 0;
    rotate(data, shape, d, -centre + (centre == 0 ? 0 : shape[d]));  // ifftshift: index centre to 0
    transform_dimension(data, shape, d);
    if (problem.backward) reflect(data, shape, d);
    rotate(data, shape, d, centre);  // fftshift: index 0 to centre
  }
  const double scale = scale_of(problem);
  if (scale != 1.0) {
    for (ComplexDD& value : data) value = DoubleDouble(scale) * value;
  }
  return data;
}

}  // namespace ulpfft::test
