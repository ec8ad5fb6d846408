// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "bindings/fftw3/transform.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "bindings/fftw3/copied.h"
#include "bindings/fftw3/wishes.h"
#include "bindings/what_if/subject.h"

namespace ulpfft::fftw3 {

namespace {

// Stands for a plan that ulpfft does not make.
ulpfft_plan* refused() {
  static char address;
  return reinterpret_cast<ulpfft_plan*>(&address);
}

// Lengths and strides as ulpfft takes them.
struct Sizes {
  std::vector<std::int64_t> n, in, out;

  void add(const Dim& dim, std::int64_t in_unit, std::int64_t out_unit) {
    n.push_back(dim.n);
    in.push_back(dim.in_stride / in_unit);
    out.push_back(dim.out_stride / out_unit);
  }
};

bool divides(const std::vector<Dim>& dims, std::int64_t in_unit, std::int64_t out_unit) {
  for (const Dim& dim : dims) {
    if (dim.in_stride % in_unit != 0 || dim.out_stride % out_unit != 0) return false;
  }
  return true;
}

}  // namespace

Occasion occasion_of(const Problem& problem, const void* in, const void* out) {
  const Form form = problem.kind == kC2C && problem.sign >= 0 ? kExchanged : kInterleaved;
  return {form, in == out, in == nullptr && out == nullptr};
}

// Parts of one side alone may coincide with those of the other: no plan takes these.
Occasion occasion_of(Kind kind, const Arrays& arrays) {
  const auto apart_by = [&](std::int64_t bytes) {
    const auto are = [&](const void* re, const void* im) {
      return static_cast<const char*>(im) - static_cast<const char*>(re) == bytes;
    };
    return (!is_complex_in(kind) || are(arrays.in[0], arrays.in[1])) &&
           (!is_complex_out(kind) || are(arrays.out[0], arrays.out[1]));
  };
  const bool unknown = arrays.in[0] == nullptr && arrays.out[0] == nullptr;
  // An exchange on one side alone is no direction: it multiplies conjugates by i.
  const Form form = apart_by(kPrecision.real_bytes)                    ? kInterleaved
                    : kind == kC2C && apart_by(-kPrecision.real_bytes) ? kExchanged
                                                                       : kSplit;
  if (form != kSplit) return {form, arrays.in[form == kExchanged] == arrays.out[form == kExchanged], unknown};
  return {form, arrays.in[0] == arrays.out[0] && arrays.in[1] == arrays.out[1], unknown};
}

void complain(const char* sentence) { std::fprintf(stderr, "ulpfft: %s\n", sentence); }

Transform::Transform(const Problem& problem, const Settings& settings)
    : problem_(problem),
      settings_(settings),
      empty_(is_empty(problem)),
      plain_form_(occasion_of(problem, nullptr, nullptr).form) {}

Transform::~Transform() {
  for (auto& placements : plans_) {
    for (auto& plan : placements) {
      if (plan.load() != refused()) ulpfft_plan_destroy(plan.load());
    }
  }
  delete dense_.load();
}

Transform::Dense::~Dense() {
  for (const Step& step : steps) ulpfft_plan_destroy(step.plan);
}

std::shared_ptr<Transform> Transform::make(const Problem& problem, const Settings& settings, const Search& search,
                                           const Occasion& occasion) {
  std::shared_ptr<Transform> made(new Transform(problem, settings));
  if (made->empty_) return made;
  made->first_ = made->fill(occasion.form, occasion.in_place, search);
  if (occasion.unknown) {
    const ulpfft_plan* apart = made->fill(occasion.form, false, search);
    if (made->first_ == nullptr) made->first_ = apart;
  }
  // Without memory or wisdom there is no way around.
  const bool has_way = made->plans_[occasion.form][occasion.in_place].load() == refused();
  if (made->first_ == nullptr && (!has_way || made->dense_for(search) == nullptr)) return nullptr;
  return made;
}

const ulpfft_plan* Transform::plan_for(Form form, bool in_place) {
  const ulpfft_plan* plan = plans_[form][in_place].load(std::memory_order_acquire);
  if (plan == nullptr) [[unlikely]]
    return fill(form, in_place, {});
  return plan == refused() ? nullptr : plan;
}

// Threads that come at the same time make a plan each, and all use that of the first. Without wisdom for a plan nothing is known
// about it.
const ulpfft_plan* Transform::fill(Form form, bool in_place, const Search& search) {
  ulpfft_plan* made = nullptr;
  ulpfft_status status = ULPFFT_INVALID_ARGUMENT;
  if (!in_place && settings_.destroy_input) status = create(form, in_place, true, search, &made);
  if (made == nullptr) status = create(form, in_place, false, search, &made);
  if (made == nullptr) {
    if (status != ULPFFT_INVALID_ARGUMENT && status != ULPFFT_UNSUPPORTED) return nullptr;
    made = refused();
  }
  ulpfft_plan* before = nullptr;
  if (plans_[form][in_place].compare_exchange_strong(before, made, std::memory_order_acq_rel)) {
    if (made != refused()) add_bytes(made);
    return made == refused() ? nullptr : made;
  }
  if (made != refused()) ulpfft_plan_destroy(made);
  return before == refused() ? nullptr : before;
}

ulpfft_status Transform::create(Form form, bool in_place, bool destroy, const Search& search, ulpfft_plan** plan) const try {
  const std::int64_t in_unit = form != kSplit && is_complex_in(problem_.kind) ? 2 : 1;
  const std::int64_t out_unit = form != kSplit && is_complex_out(problem_.kind) ? 2 : 1;
  if (!divides(problem_.dims, in_unit, out_unit) || !divides(problem_.loops, in_unit, out_unit)) return ULPFFT_INVALID_ARGUMENT;
  Sizes dims, loops;
  for (const Dim& dim : problem_.dims) dims.add(dim, in_unit, out_unit);
  for (const Dim& loop : problem_.loops) loops.add(loop, in_unit, out_unit);
  ulpfft_problem asked = ULPFFT_PROBLEM_INIT;
  asked.kind = problem_.kind;
  asked.rank = static_cast<int>(dims.n.size());
  asked.lengths = dims.n.data();
  asked.in_strides = dims.in.data();
  asked.out_strides = dims.out.data();
  asked.batch_rank = static_cast<int>(loops.n.size());
  asked.batch_lengths = loops.n.data();
  asked.batch_in_strides = loops.in.data();
  asked.batch_out_strides = loops.out.data();
  asked.storage_in = kPrecision.storage;
  asked.layout = form == kSplit ? ULPFFT_SPLIT : ULPFFT_INTERLEAVED;
  asked.placement = in_place ? ULPFFT_IN_PLACE : ULPFFT_OUT_OF_PLACE;
  asked.direction = form == kExchanged ? ULPFFT_BACKWARD : ULPFFT_FORWARD;
  asked.threads = settings_.threads;
  asked.destroy_input = destroy;
  asked.kinds = problem_.kind == kR2R ? problem_.kinds.data() : nullptr;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = search.effort;
  options.time_limit_seconds = search.seconds;
  options.flags = wishes().same_bits ? ULPFFT_DETERMINISTIC : 0;
  return ulpfft_plan_create(settings_.context.get(), &asked, &options, plan);
} catch (...) {
  return ULPFFT_NO_MEMORY;
}

void Transform::run(const void* in, void* out) {
  const ulpfft_plan* const plan = plan_for(plain_form_, in == out);
  if (plan != nullptr && ulpfft_execute(plan, in, out) == ULPFFT_OK) [[likely]]
    return;
  const auto* from = static_cast<const char*>(in);
  auto* to = static_cast<char*>(out);
  const bool exchanged = plain_form_ == kExchanged;
  const std::int64_t re = exchanged ? kPrecision.real_bytes : 0, im = exchanged ? 0 : kPrecision.real_bytes;
  if (in != nullptr && out != nullptr) run_copied({{from + re, from + im}, {to + re, to + im}});
}

void Transform::run(const Arrays& arrays) {
  if (arrays.in[0] == nullptr || arrays.in[1] == nullptr || arrays.out[0] == nullptr || arrays.out[1] == nullptr) return;
  if (!execute(arrays)) run_copied(arrays);
}

bool Transform::execute(const Arrays& arrays) {
  const Occasion occasion = occasion_of(problem_.kind, arrays);
  const ulpfft_plan* const plan = plan_for(occasion.form, occasion.in_place);
  if (plan == nullptr) return false;
  const int first = occasion.form == kExchanged;
  if (occasion.form != kSplit) return ulpfft_execute(plan, arrays.in[first], arrays.out[first]) == ULPFFT_OK;
  ulpfft_array in = ULPFFT_ARRAY_INIT, out = ULPFFT_ARRAY_INIT;
  for (int part = 0; part < 2; ++part) {
    in.data[part] = const_cast<void*>(arrays.in[part]);
    out.data[part] = arrays.out[part];
  }
  return ulpfft_execute_arrays(plan, &in, &out, nullptr) == ULPFFT_OK;
}

void Transform::run_copied(const Arrays& arrays) {
  if (empty_) return;
  const Dense* const dense = dense_for({});
  if (dense == nullptr) return complain(ulpfft_last_error());
  try {
    const bool two = problem_.kind == kR2C || problem_.kind == kC2R;
    const what_if::Memory buffers[2] = {what_if::make_memory(dense_bytes(problem_, false)),
                                        two ? what_if::make_memory(dense_bytes(problem_, true)) : nullptr};
    gather(problem_, false, false, arrays.in, buffers[0].get());
    for (const Step& step : dense->steps) {
      if (ulpfft_execute(step.plan, buffers[step.from].get(), buffers[step.to].get()) != ULPFFT_OK)
        return complain(ulpfft_last_error());
    }
    scatter(problem_, false, buffers[two].get(), arrays.out);
  } catch (...) {
    complain("There is not enough memory for a copy of the arrays: the transform was not computed.");
  }
}

const Transform::Dense* Transform::dense_for(const Search& search) try {
  Dense* dense = dense_.load(std::memory_order_acquire);
  if (dense != nullptr) return dense;
  std::unique_ptr<Dense> made = make_dense(search);
  if (made == nullptr) return nullptr;
  if (!dense_.compare_exchange_strong(dense, made.get(), std::memory_order_acq_rel)) return dense;
  for (const Step& step : made->steps) add_bytes(step.plan);
  return made.release();
} catch (...) {
  return nullptr;
}

// At most 8 lengths at a time, the last ones first; c2r last of all, because its input is the spectrum along every other length.
std::unique_ptr<Transform::Dense> Transform::make_dense(const Search& search) const {
  constexpr std::size_t kMost = 8;
  auto dense = std::make_unique<Dense>();
  const std::size_t rank = problem_.dims.size();
  const auto add = [&](int kind, std::size_t first, std::size_t last, int from, int to) {
    ulpfft_plan* plan = dense_step(kind, kind == ULPFFT_C2C && problem_.kind == kC2R ? ULPFFT_BACKWARD : ULPFFT_FORWARD, first,
                                   last, from == to, search);
    if (plan != nullptr) dense->steps.push_back({plan, from, to});
    return plan != nullptr;
  };
  const std::size_t inner = rank > kMost ? rank - kMost : 0;
  const bool halved = problem_.kind == kR2C || problem_.kind == kC2R;
  const auto add_halved = [&] { return add(problem_.kind, inner, rank, 0, 1); };
  if (problem_.kind == kR2C && !add_halved()) return nullptr;
  for (std::size_t last = halved ? inner : rank; last > 0; last -= std::min(kMost, last)) {
    const int buffer = problem_.kind == kR2C ? 1 : 0;
    if (!add(halved ? ULPFFT_C2C : static_cast<int>(problem_.kind), last - std::min(kMost, last), last, buffer, buffer))
      return nullptr;
  }
  if (problem_.kind == kC2R && !add_halved()) return nullptr;
  return dense;
}

// Along dims first..last-1 of a dense array, in whose other dims it is repeated.
ulpfft_plan* Transform::dense_step(int kind, int direction, std::size_t first, std::size_t last, bool in_place,
                                   const Search& search) const {
  const bool out = problem_.kind == kR2C;  // complex steps of r2c see its output, those of c2r its input
  std::int64_t before = loop_count(problem_), after = 1;
  for (std::size_t d = 0; d < first; ++d) before = times(before, problem_.dims[d].n);
  for (std::size_t d = last; d < problem_.dims.size(); ++d) after = times(after, stored_length(problem_, d, out));
  std::vector<std::int64_t> lengths, strides(last - first);
  for (std::size_t d = first; d < last; ++d) lengths.push_back(problem_.dims[d].n);
  std::int64_t stride = after;
  for (std::size_t d = last; d-- > first; stride = times(stride, problem_.dims[d].n)) strides[d - first] = stride;
  const std::int64_t batch[] = {before, after}, batch_strides[] = {stride, 1};
  ulpfft_problem asked = ULPFFT_PROBLEM_INIT;
  asked.kind = kind;
  asked.rank = static_cast<int>(last - first);
  asked.lengths = lengths.data();
  asked.batch_rank = before != 1;
  asked.batch_lengths = batch;
  if (after != 1) {
    asked.in_strides = asked.out_strides = strides.data();
    asked.batch_rank = 2;
    asked.batch_in_strides = asked.batch_out_strides = batch_strides;
  }
  asked.storage_in = kPrecision.storage;
  asked.placement = in_place ? ULPFFT_IN_PLACE : ULPFFT_OUT_OF_PLACE;
  asked.direction = direction;
  asked.threads = settings_.threads;
  asked.destroy_input = !in_place;
  asked.kinds = kind == ULPFFT_R2R ? problem_.kinds.data() + first : nullptr;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = search.effort;
  options.time_limit_seconds = search.seconds;
  options.flags = wishes().same_bits ? ULPFFT_DETERMINISTIC : 0;
  ulpfft_plan* plan = nullptr;
  return ulpfft_plan_create(settings_.context.get(), &asked, &options, &plan) == ULPFFT_OK ? plan : nullptr;
}

void Transform::add_bytes(const ulpfft_plan* plan) {
  ulpfft_memory memory = ULPFFT_MEMORY_INIT;
  if (ulpfft_plan_memory(plan, &memory) != ULPFFT_OK) return;
  bytes_.fetch_add(memory.table_bytes + memory.workspace_bytes, std::memory_order_relaxed);
}

void Transform::each_plan(const std::function<void(const ulpfft_plan*)>& visit) const {
  if (first_ != nullptr) return visit(first_);
  const Dense* const dense = dense_.load(std::memory_order_acquire);
  if (dense == nullptr) return;
  for (const Step& step : dense->steps) visit(step.plan);
}

}  // namespace ulpfft::fftw3
