// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tests/support/real_case.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "tests/support/api.h"
#include "tests/support/oracle.h"
#include "tests/support/signals.h"

namespace ulpfft::test {
namespace {

std::int64_t product(const std::vector<Dim>& dims) {
  std::int64_t points = 1;
  for (const Dim& dim : dims) points *= dim.length;
  return points;
}

std::int64_t stored(const RealCase& problem, std::size_t d, bool output) {
  const std::int64_t n = problem.dims[d].length;
  return d + 1 == problem.dims.size() && !is_real_side(problem, output) ? n / 2 + 1 : n;
}

std::vector<std::int64_t> stored_shape(const RealCase& problem, bool output) {
  std::vector<std::int64_t> shape;
  for (const Dim& dim : problem.batch) shape.push_back(dim.length);
  for (std::size_t d = 0; d < problem.dims.size(); ++d) shape.push_back(stored(problem, d, output));
  return shape;
}

std::string join(const std::vector<std::int64_t>& values, char separator) {
  std::string text;
  for (const std::int64_t value : values) text += (text.empty() ? "" : std::string(1, separator)) + std::to_string(value);
  return text;
}

std::vector<std::int64_t> column(const std::vector<Dim>& dims, std::int64_t Dim::*member) {
  std::vector<std::int64_t> values;
  for (const Dim& dim : dims) values.push_back(dim.*member);
  return values;
}

void set_dense_side(RealCase& problem, bool output) {
  const auto stride = output ? &Dim::out_stride : &Dim::in_stride;
  std::int64_t step = 1;
  for (std::size_t d = problem.dims.size(); d-- > 0;) {
    problem.dims[d].*stride = step;
    const bool padded = problem.in_place && problem.chain.empty() && is_real_side(problem, output) && d + 1 == problem.dims.size();
    step *= padded ? 2 * (problem.dims[d].length / 2 + 1) : stored(problem, d, output);
  }
  for (std::size_t b = problem.batch.size(); b-- > 0;) {
    problem.batch[b].*stride = step;
    step *= problem.batch[b].length;
  }
}

// The complex array of all logical points, transformed: forward has the negative sign.
void transform_whole(const RealCase& problem, std::vector<ComplexDD>& whole, bool forward) {
  std::vector<std::int64_t> shape;
  for (const Dim& dim : problem.batch) shape.push_back(dim.length);
  for (const Dim& dim : problem.dims) shape.push_back(dim.length);
  if (!forward) {
    for (ComplexDD& value : whole) value.im = -value.im;
  }
  for (std::size_t d = problem.batch.size(); d < shape.size(); ++d) transform_dimension(whole, shape, d);
  if (!forward) {
    for (ComplexDD& value : whole) value.im = -value.im;
  }
}

// Calls visit(place in the whole array, index of the stored element, place of the conjugate) for the elements that a side stores.
void each_stored(const RealCase& problem, bool output, const std::function<void(std::size_t, std::size_t, std::size_t)>& visit) {
  const std::vector<std::int64_t> shape = stored_shape(problem, output);
  const std::size_t first = problem.batch.size();
  std::vector<std::int64_t> index(shape.size(), 0);
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    for (std::size_t d = shape.size(); d-- > 0;) {
      index[d] = rest % shape[d];
      rest /= shape[d];
    }
    std::int64_t at = 0, other = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::int64_t n = d < first ? problem.batch[d].length : problem.dims[d - first].length;
      const bool is_half = d + 1 == shape.size() && !is_real_side(problem, output);
      const std::int64_t j = d < first || is_half || !problem.centered ? index[d] : (index[d] + n - n / 2) % n;
      at = at * n + j;
      other = other * n + (d < first ? j : (n - j) % n);
    }
    visit(static_cast<std::size_t>(at), static_cast<std::size_t>(i), static_cast<std::size_t>(other));
  }
}

// One side of an execution between guard pages.
template <typename T>
class Side {
 public:
  Side(const RealCase& problem, bool output, Flush flush)
      : split_(problem.split && !is_real_side(problem, output)), reals_(split_ || is_real_side(problem, output) ? 1 : 2) {
    places_.push_back({output, stored_offsets(problem, output), reals_});
    make(flush);
  }
  // In place: the array of both sides.
  Side(const RealCase& problem, Flush flush) : split_(false), reals_(2) {
    for (const bool output : {false, true}) {
      places_.push_back({output, stored_offsets(problem, output), is_real_side(problem, output) ? 1 : 2});
    }
    make(flush);
  }

  ulpfft_array array() {
    auto value = sized<ulpfft_array>();
    value.data[0] = re(0, 1);
    if (split_) value.data[1] = buffers_[1]->template as<T>() - low_;
    return value;
  }
  void put(bool output, const std::vector<std::complex<T>>& data) {
    const Places& side = side_of(output);
    for (std::size_t i = 0; i < data.size(); ++i) {
      *re(side.offsets[i], side.reals) = data[i].real();
      if (!is_real(output)) *im(side.offsets[i], side.reals) = data[i].imag();
    }
  }
  std::vector<std::complex<T>> get(bool output) {
    const Places& side = side_of(output);
    std::vector<std::complex<T>> data;
    for (const std::int64_t offset : side.offsets) {
      data.emplace_back(*re(offset, side.reals), is_real(output) ? T(0) : *im(offset, side.reals));
    }
    return data;
  }
  bool touched() const {
    return std::any_of(std::begin(buffers_), std::end(buffers_), [&](const auto& buffer) {
      return buffer != nullptr && buffer->first_touched_gap(used_, sizeof(T)).has_value();
    });
  }

 private:
  struct Places {
    bool output;
    std::vector<std::int64_t> offsets;
    int reals;  // of an element
  };
  const Places& side_of(bool output) const { return places_.size() == 2 && output ? places_[1] : places_[0]; }
  bool is_real(bool output) const { return !split_ && side_of(output).reals == 1; }

  void make(Flush flush) {
    std::int64_t high = 0;
    for (const Places& side : places_) {
      for (const std::int64_t offset : side.offsets) {
        low_ = std::min(low_, offset * side.reals);
        high = std::max(high, offset * side.reals + side.reals);
      }
    }
    used_.assign(static_cast<std::size_t>(high - low_), 0);
    for (const Places& side : places_) {
      for (const std::int64_t offset : side.offsets) {
        for (int real = 0; real < side.reals; ++real) used_[static_cast<std::size_t>(offset * side.reals + real - low_)] = 1;
      }
    }
    for (int part = 0; part < (split_ ? 2 : 1); ++part) buffers_[part] = std::make_unique<GuardedBuffer>(used_.size() * sizeof(T), flush);
  }
  T* re(std::int64_t offset, int reals) { return buffers_[0]->template as<T>() - low_ + offset * reals; }
  T* im(std::int64_t offset, int reals) { return split_ ? buffers_[1]->template as<T>() - low_ + offset : re(offset, reals) + 1; }

  bool split_;
  int reals_;
  std::vector<Places> places_;
  std::int64_t low_ = 0;
  std::vector<std::uint8_t> used_;
  std::unique_ptr<GuardedBuffer> buffers_[2];
};

template <typename T>
std::string execute(const ulpfft_plan* plan, Side<T>& in, Side<T>& out, bool arrays, bool own_workspace,
                    const ulpfft_operation* operation) {
  const ulpfft_array from = in.array(), to = out.array();
  if (!arrays && !own_workspace && operation == nullptr) {
    return ulpfft_execute(plan, from.data[0], to.data[0]) == ULPFFT_OK ? "" : last_error_text();
  }
  std::unique_ptr<GuardedBuffer> workspace;
  if (own_workspace) workspace = std::make_unique<GuardedBuffer>((ulpfft_plan_workspace_bytes(plan) + 63) / 64 * 64, Flush::kEnd);
  void* const memory = workspace != nullptr ? workspace->data() : nullptr;
  const ulpfft_status status = operation != nullptr ? ulpfft_execute_chain(plan, &from, &to, operation, memory)
                                                    : ulpfft_execute_arrays(plan, &from, &to, memory);
  return status == ULPFFT_OK ? "" : last_error_text();
}

}  // namespace

bool is_real_side(const RealCase& problem, bool output) { return problem.c2r == output || !problem.chain.empty(); }

std::vector<std::int64_t> stored_offsets(const RealCase& problem, bool output) {
  const std::vector<std::int64_t> shape = stored_shape(problem, output);
  std::vector<std::int64_t> offsets{0};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Dim& dim = i < problem.batch.size() ? problem.batch[i] : problem.dims[i - problem.batch.size()];
    const std::int64_t stride = output ? dim.out_stride : dim.in_stride;
    std::vector<std::int64_t> next;
    for (const std::int64_t offset : offsets) {
      for (std::int64_t j = 0; j < shape[i]; ++j) next.push_back(offset + j * stride);
    }
    offsets = std::move(next);
  }
  return offsets;
}

std::int64_t transform_points(const RealCase& problem) { return product(problem.dims); }
std::int64_t all_points(const RealCase& problem) { return product(problem.dims) * product(problem.batch); }

std::int64_t stored_elements(const RealCase& problem, bool output) {
  std::int64_t count = 1;
  for (const std::int64_t length : stored_shape(problem, output)) count *= length;
  return count;
}

void set_dense(RealCase& problem) {
  for (const bool output : {false, true}) set_dense_side(problem, output);
}

std::string text_of(const RealCase& problem) {
  std::string text = std::string(problem.c2r ? "c2r " : "r2c ") + join(column(problem.dims, &Dim::length), 'x');
  if (!problem.batch.empty()) text += "*" + join(column(problem.batch, &Dim::length), 'x');
  text += " " + (!problem.storages.empty() ? problem.storages : problem.f64 ? "f64" : "f32");
  if (problem.backward) text += " inverse";
  if (problem.centered) text += " centered";
  if (problem.scale_kind != ULPFFT_SCALE_NONE) text += problem.scale_kind == ULPFFT_SCALE_ORTHO ? " scale=ortho" : " scale=1/n";
  if (problem.threads != 1) text += " threads=" + std::to_string(problem.threads);
  if (problem.in_place) text += " inplace";
  if (problem.split) text += " split";
  if (problem.destroy_input) text += " destroy_input";
  if (!problem.chain.empty()) text += " chain=" + problem.chain;
  text += problem.options;
  if (problem.dense) return text;
  text += " in_strides=" + join(column(problem.dims, &Dim::in_stride), ',');
  text += " out_strides=" + join(column(problem.dims, &Dim::out_stride), ',');
  if (problem.batch.empty()) return text;
  text += " batch_strides=" + join(column(problem.batch, &Dim::in_stride), ',');
  return text + "," + join(column(problem.batch, &Dim::out_stride), ',');
}

RealCase random_real_case(Random& random, std::int64_t max_points, const std::string& chain) {
  RealCase problem;
  problem.chain = chain;
  problem.c2r = random.chance(0.5) && chain.empty();
  problem.f64 = random.chance(0.5);
  problem.backward = random.chance(0.3);
  problem.centered = random.chance(0.25);
  problem.in_place = random.chance(0.3);
  problem.split = !problem.in_place && random.chance(0.3);
  if (random.chance(0.4)) problem.scale_kind = random.chance(0.5) ? ULPFFT_SCALE_ORTHO : ULPFFT_SCALE_BY_N;
  if (random.chance(0.2)) problem.threads = static_cast<int>(random.between(2, 4));
  std::int64_t left = max_points;
  for (std::int64_t b = random.between(0, 2); b > 0; --b) {
    problem.batch.push_back({random.between(1, std::min<std::int64_t>(left, 9)), 1, 1});
    left /= problem.batch.back().length;
  }
  for (std::int64_t d = random.between(1, 4); d > 0; --d) {
    const std::int64_t share = d > 1 ? std::max<std::int64_t>(1, left / 8) : left;
    std::int64_t n = random.between(1, share);
    if (random.chance(0.4)) {
      for (n = 1; random.chance(0.8) && 2 * n <= share;) n *= 2;
    }
    problem.dims.push_back({n, 1, 1});
    left /= n;
  }
  set_dense(problem);
  if (problem.in_place || random.chance(0.4)) return problem;
  problem.dense = false;
  for (const bool output : {false, true}) {
    const auto stride = output ? &Dim::out_stride : &Dim::in_stride;
    std::vector<std::pair<Dim*, std::int64_t>> order;
    for (Dim& dim : problem.batch) order.emplace_back(&dim, dim.length);
    for (std::size_t d = 0; d < problem.dims.size(); ++d) order.emplace_back(&problem.dims[d], stored(problem, d, output));
    std::reverse(order.begin(), order.end());
    if (random.chance(0.4)) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    }
    const bool signs = random.chance(0.3);
    std::int64_t extent = 1;
    for (auto& [dim, length] : order) {
      const std::int64_t step = extent + (random.chance(0.5) ? random.between(1, 3) : 0);
      dim->*stride = signs && random.chance(0.5) ? -step : step;
      extent += (length - 1) * step;
    }
  }
  return problem;
}

template <typename T>
std::vector<std::complex<T>> real_case_input(const RealCase& problem) {
  Random random(seed_of(text_of(problem)));
  std::vector<std::complex<T>> in(static_cast<std::size_t>(stored_elements(problem, false)));
  for (std::complex<T>& value : in) {
    const double re = random.normal();
    value = {static_cast<T>(re), problem.c2r ? static_cast<T>(random.normal()) : T(0)};
  }
  if (!problem.c2r) return in;
  // What equals its own conjugate's place is made Hermitian.
  std::vector<std::ptrdiff_t> known(static_cast<std::size_t>(all_points(problem)), -1);
  each_stored(problem, false, [&](std::size_t at, std::size_t i, std::size_t other) {
    known[at] = static_cast<std::ptrdiff_t>(i);
    if (at == other) in[i] = in[i].real();
    else if (known[other] >= 0) in[i] = std::conj(in[static_cast<std::size_t>(known[other])]);
  });
  return in;
}
template std::vector<std::complex<float>> real_case_input(const RealCase&);
template std::vector<std::complex<double>> real_case_input(const RealCase&);

std::vector<ComplexDD> exact_result(const RealCase& problem, const std::vector<ComplexDD>& in) {
  std::vector<ComplexDD> whole(static_cast<std::size_t>(all_points(problem)));
  each_stored(problem, false, [&](std::size_t at, std::size_t i, std::size_t other) {
    whole[at] = in[i];
    const auto row = static_cast<std::size_t>(problem.dims.back().length);
    if (problem.c2r && other % row > row / 2) whole[other] = {in[i].re, -in[i].im};
  });
  transform_whole(problem, whole, problem.c2r == problem.backward);
  const double points = static_cast<double>(transform_points(problem));
  const bool ortho = problem.scale_kind == ULPFFT_SCALE_ORTHO, by_n = problem.scale_kind == ULPFFT_SCALE_BY_N;
  const DoubleDouble scale(ortho ? 1 / std::sqrt(points) : by_n ? 1 / points : 1);
  std::vector<ComplexDD> out(static_cast<std::size_t>(stored_elements(problem, true)));
  each_stored(problem, true, [&](std::size_t at, std::size_t i, std::size_t) {
    out[i] = scale * whole[at];
    if (problem.c2r) out[i].im = 0.0;
  });
  return out;
}

RealCase transform_of(const RealCase& chain) {
  RealCase problem = chain;
  problem.chain.clear();
  problem.in_place = false;
  problem.scale_kind = ULPFFT_SCALE_NONE;
  set_dense(problem);
  return problem;
}

std::vector<ComplexDD> exact_chain(const RealCase& problem, const std::vector<ComplexDD>& in, const std::vector<ComplexDD>& factors) {
  const RealCase there = transform_of(problem);
  std::vector<ComplexDD> spectrum = exact_result(there, in);
  for (std::size_t i = 0; i < spectrum.size(); ++i) {
    const ComplexDD value = spectrum[i], factor = factors[i % factors.size()];
    spectrum[i] = {value.re * factor.re - value.im * factor.im, value.re * factor.im + value.im * factor.re};
  }
  RealCase back = there;
  back.c2r = true;
  back.scale_kind = problem.scale_kind;
  set_dense(back);
  return exact_result(back, spectrum);
}

template <typename T>
RealRun<T> run_real_case(const ulpfft_plan* plan, const RealCase& problem, const std::vector<std::complex<T>>& in, Flush flush,
                         bool own_workspace, const ulpfft_operation* operation) {
  RealRun<T> result;
  if (problem.in_place) {
    Side<T> both(problem, flush);
    both.put(false, in);
    result.trouble = execute(plan, both, both, false, own_workspace, operation);
    if (both.touched()) result.trouble += " written outside the elements";
    result.out = both.get(true);
    return result;
  }
  Side<T> from(problem, false, flush), to(problem, true, flush);
  from.put(false, in);
  result.trouble = execute(plan, from, to, problem.split, own_workspace, operation);
  if (to.touched()) result.trouble += " output written outside its elements";
  const std::vector<std::complex<T>> after = from.get(false);
  const bool changed = std::memcmp(after.data(), in.data(), in.size() * sizeof in[0]) != 0;
  if (from.touched() || (changed && !problem.destroy_input)) result.trouble += " input changed";
  result.out = to.get(true);
  return result;
}
template RealRun<float> run_real_case(const ulpfft_plan*, const RealCase&, const std::vector<std::complex<float>>&, Flush, bool,
                                     const ulpfft_operation*);
template RealRun<double> run_real_case(const ulpfft_plan*, const RealCase&, const std::vector<std::complex<double>>&, Flush, bool,
                                     const ulpfft_operation*);

}  // namespace ulpfft::test
