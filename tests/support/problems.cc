// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/problems.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "tests/support/compare.h"
#include "tests/support/r2r_case.h"

namespace ulpfft::test {
namespace {

std::int64_t product(const std::vector<Dim>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, [](std::int64_t p, const Dim& dim) { return p * dim.length; });
}

bool is_last(const Case& problem, const Dim& dim) { return &dim == &problem.dims.back(); }

// How many elements a side stores along a dimension.
std::int64_t stored(const Case& problem, const Dim& dim, bool output) {
  const bool halved = problem.kind != ULPFFT_C2C && is_last(problem, dim) && !is_real_side(problem, output);
  return halved ? dim.length / 2 + 1 : dim.length;
}

// Innermost first.
template <typename Problem>
auto dims_of(Problem& problem) {
  std::vector<decltype(problem.dims.data())> order;
  for (auto dim = problem.dims.rbegin(); dim != problem.dims.rend(); ++dim) order.push_back(&*dim);
  for (auto dim = problem.batch.rbegin(); dim != problem.batch.rend(); ++dim) order.push_back(&*dim);
  return order;
}

bool is_between_reals_and_half(const Case& problem) { return is_real_side(problem, false) != is_real_side(problem, true); }

// Strides of one side: dimensions nest in a random order, innermost first, each leaving a random gap.
void random_strides(Random& random, Case& problem, bool output) {
  std::vector<Dim*> order = dims_of(problem);
  if (random.chance(0.5)) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }
  const bool gaps = random.chance(0.7);
  const bool signs = random.chance(0.3);
  std::int64_t extent = 1;
  for (Dim* dim : order) {
    const std::int64_t gap = gaps && random.chance(0.6) ? random.between(1, 5) : 0;
    const std::int64_t step = extent + gap;
    dim->*(output ? &Dim::out_stride : &Dim::in_stride) = signs && random.chance(0.5) ? -step : step;
    extent += (stored(problem, *dim, output) - 1) * step;
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

}  // namespace

bool is_real_side(const Case& problem, bool output) {
  switch (problem.kind) {
    case ULPFFT_C2C: return false;
    case ULPFFT_R2C: return !output || !problem.chain.empty();
    case ULPFFT_C2R: return output;
    default: return true;
  }
}

std::int64_t transform_points(const Case& problem) { return product(problem.dims); }
std::int64_t all_points(const Case& problem) { return product(problem.dims) * product(problem.batch); }
std::int64_t stored_elements(const Case& problem, bool output) {
  return all_points(problem) / problem.dims.back().length * stored(problem, problem.dims.back(), output);
}

bool out_f64(const Case& problem) { return problem.f64 != problem.converts; }
bool computes_f64(const Case& problem) { return problem.scheme.empty() ? problem.f64 || problem.converts : problem.scheme == "f64"; }

double result_bound(const Case& problem) {
  const bool complex = problem.kind == ULPFFT_C2C, r2r = problem.kind == ULPFFT_R2R;
  bool rough = false;
  for (std::size_t d = 0; d < problem.dims.size(); ++d) {
    const std::int64_t n = problem.dims[d].length;
    if (!is_smooth(r2r ? logical_length(problem.kinds[d], n) : n)) rough = true;
  }
  const double passes = complex ? 1 : r2r ? 2 * static_cast<double>(problem.dims.size()) : 2;
  const std::int64_t points =
      complex ? transform_points(problem) : (r2r ? 4 : 1) * std::max<std::int64_t>(2, transform_points(problem));
  const auto bound = [&]<typename T>(T) {
    double most = passes * theorem_bound<T>(points);
    if (rough) most = passes * 4 * 2 * (theorem_bound<T>(4 * points) + 3 * Storage<T>::kUnitRoundoff);
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
  for (const bool output : {false, true}) {
    const bool padded = problem.in_place && is_between_reals_and_half(problem) && is_real_side(problem, output);
    std::int64_t stride = 1;
    for (Dim* const dim : dims_of(problem)) {
      dim->*(output ? &Dim::out_stride : &Dim::in_stride) = stride;
      stride *= padded && is_last(problem, *dim) ? 2 * (dim->length / 2 + 1) : stored(problem, *dim, output);
    }
  }
}

Case dense_case(int kind, const std::vector<std::int64_t>& lengths, std::int64_t batch) {
  Case problem;
  problem.kind = kind;
  problem.dense = true;
  for (const std::int64_t n : lengths) problem.dims.push_back({n, 1, 1});
  if (batch != 1) problem.batch.push_back({batch, 1, 1});
  set_dense(problem);
  return problem;
}

Case line_case(std::int64_t n, std::int64_t batch, bool f64) {
  Case problem = dense_case(ULPFFT_C2C, {n}, batch);
  problem.dense = false;
  problem.f64 = f64;
  return problem;
}

Case dense_r2r_case(int r2r_kind, const std::vector<std::int64_t>& lengths, std::int64_t batch) {
  Case problem = dense_case(ULPFFT_R2R, lengths, batch);
  problem.kinds.assign(lengths.size(), r2r_kind);
  return problem;
}

Case random_case(Random& random, std::int64_t max_points, int kind, const std::string& chain) {
  Case problem;
  problem.kind = kind;
  problem.chain = chain;
  const bool complex = kind == ULPFFT_C2C, r2r = kind == ULPFFT_R2R;
  problem.f64 = random.chance(0.5);
  problem.split = random.chance(0.3) && !r2r;
  problem.in_place = random.chance(0.4);
  if (problem.in_place && !complex) problem.split = false;
  problem.converts = !problem.in_place && random.chance(0.3);
  if (random.chance(0.3)) problem.scheme = random.chance(0.5) ? "f32" : "f64";
  if (random.chance(0.15)) problem.threads = static_cast<int>(random.between(2, 5));
  problem.backward = random.chance(0.5) && !r2r;
  problem.centered = random.chance(0.25) && !r2r;
  if (random.chance(0.4)) problem.scale_kind = static_cast<int>(random.between(1, 3));
  if (problem.scale_kind == ULPFFT_SCALE_VALUE) problem.scale_value = random.chance(0.5) ? 0.1 : -3.0;

  const std::int64_t rank = random.between(1, r2r ? 3 : 4);
  const std::int64_t batch_rank = random.between(0, 2);
  std::int64_t left = max_points;
  for (std::int64_t d = 0; d < batch_rank; ++d) {
    problem.batch.push_back({random.between(1, std::min<std::int64_t>(left, r2r ? 40 : 9)), 1, 1});
    left /= problem.batch.back().length;
  }
  for (std::int64_t d = 0; d < rank; ++d) {
    const std::int64_t share = d + 1 < rank ? std::max<std::int64_t>(1, left / 4) : left;
    problem.dims.push_back({random_length(random, share), 1, 1});
    left /= problem.dims.back().length;
  }
  for (std::size_t i = problem.dims.size(); i > 1; --i) std::swap(problem.dims[i - 1], problem.dims[random.below(i)]);
  for (std::size_t d = 0; r2r && d < problem.dims.size(); ++d) {
    const int r2r_kind = static_cast<int>(random.below(kR2rKinds));
    problem.kinds.push_back(r2r_kind == ULPFFT_REDFT00 && problem.dims[d].length == 1 ? ULPFFT_REDFT10 : r2r_kind);
  }

  set_dense(problem);
  problem.dense = !complex;
  if (problem.in_place && is_between_reals_and_half(problem)) return problem;
  for (const bool output : {false, true}) {
    if (!random.chance(0.7)) continue;
    random_strides(random, problem, output);
    problem.dense = false;
  }
  if (problem.in_place) {
    for (Dim* const dim : dims_of(problem)) dim->out_stride = dim->in_stride;
  }
  return problem;
}

Case random_real_case(Random& random, std::int64_t max_points, const std::string& chain) {
  const int kind = chain.empty() && random.chance(0.5) ? ULPFFT_C2R : ULPFFT_R2C;
  Case problem = random_case(random, max_points, kind, chain);
  problem.converts = false;
  problem.scheme.clear();
  return problem;
}
Case random_r2r_case(Random& random, std::int64_t max_points) {
  Case problem = random_case(random, max_points, ULPFFT_R2R);
  problem.converts = false;
  problem.scheme.clear();
  return problem;
}

std::string text_of(const Case& problem) {
  constexpr const char* kKinds[] = {"", "r2c ", "c2r ", "r2r "};
  std::string text = kKinds[problem.kind] + join(column(problem.dims, &Dim::length), 'x');
  if (!problem.batch.empty()) text += '*' + join(column(problem.batch, &Dim::length), 'x');
  text += ' ' + (!problem.storages.empty() ? problem.storages : problem.f64 ? "f64" : "f32");
  if (problem.converts && problem.storages.empty()) text += out_f64(problem) ? "->f64" : "->f32";
  for (std::size_t d = 0; d < problem.kinds.size(); ++d) {
    text += (d == 0 ? " kinds=" : ",") + std::string(kR2rNames[static_cast<std::size_t>(problem.kinds[d])]);
  }
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
  if (problem.destroy_input) text += " destroy_input";
  if (!problem.chain.empty()) text += " chain=" + problem.chain;
  if (problem.window != nullptr) text += std::string(" window=") + problem.window->name;
  text += problem.options;
  if (problem.dense) return text;
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
  request.kind = problem.kind;
  if (!problem.kinds.empty()) request.kinds = problem.kinds.data();
  if (!problem.chain.empty()) request.chain = problem.chain.c_str();
  request.rank = static_cast<int>(problem.dims.size());
  request.lengths = lengths.data();
  request.in_strides = problem.dense ? nullptr : in_strides.data();
  request.out_strides = problem.dense ? nullptr : out_strides.data();
  request.batch_rank = static_cast<int>(problem.batch.size());
  request.batch_lengths = batch_lengths.data();
  request.batch_in_strides = problem.dense ? nullptr : batch_in_strides.data();
  request.batch_out_strides = problem.dense ? nullptr : batch_out_strides.data();
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
  request.destroy_input = problem.destroy_input ? 1 : 0;
  if (problem.window != nullptr) request.window = problem.window->name;
  use(request);
}

Footprint footprint_of(const Case& problem, bool output) {
  Footprint result;
  result.offsets = {0};
  const std::vector<const Dim*> order = dims_of(problem);
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const std::int64_t length = stored(problem, **at, output), stride = output ? (*at)->out_stride : (*at)->in_stride;
    std::vector<std::int64_t> next;
    next.reserve(result.offsets.size() * static_cast<std::size_t>(length));
    for (const std::int64_t offset : result.offsets) {
      for (std::int64_t j = 0; j < length; ++j) next.push_back(offset + j * stride);
    }
    result.offsets = std::move(next);
  }
  const auto [low, high] = std::minmax_element(result.offsets.begin(), result.offsets.end());
  result.first = std::min<std::int64_t>(0, *low);
  result.last = std::max<std::int64_t>(0, *high);
  return result;
}

}  // namespace ulpfft::test
