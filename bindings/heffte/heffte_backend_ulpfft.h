// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ulpfft as a backend of heFFTe 2: heffte::fft3d<heffte::backend::ulpfft>, fft3d_r2c, rtransform<heffte::backend::ulpfft_cos> and so on.
//
//   #include <heffte.h>
//   #include <ulpfft/heffte_backend_ulpfft.h>   // behind heffte.h; heFFTe itself is built as it is; link with libulpfft
//   heffte::fft3d<heffte::backend::ulpfft> fft(inbox, outbox, comm);
//
// Arrays    boxes of heFFTe, in any order of their directions; one, two or three directions at once.
// Sign      forward has exp(-2 pi i j k / n). Nothing is scaled: heFFTe scales.
// Kinds     ulpfft_cos and ulpfft_sin have types 2 forward and 3 backward, ulpfft_cos1 and ulpfft_sin1 type 1, as FFTW defines them.
//           heFFTe's scale::full divides there and back by 4n for each direction of length n, as its stock backend needs it. Therefore
//           backward is multiplied for each direction by 2 (cos and sin), 2n / (n - 1) (cos1) or 2n / (n + 1) (sin1).
// Plans     made at the first execution in a precision and direction, with HEFFTE_ULPFFT_EFFORT, by the process-wide context.
// Errors    std::runtime_error with the sentence of ulpfft_last_error().
// Threads   an executor is used by one thread at a time, as those of other backends are.
#ifndef ULPFFT_BINDINGS_HEFFTE_HEFFTE_BACKEND_ULPFFT_H_
#define ULPFFT_BINDINGS_HEFFTE_HEFFTE_BACKEND_ULPFFT_H_

#include <heffte_r2r_executor.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "ulpfft/ulpfft.h"

// How hard plans are looked for: ULPFFT_ESTIMATE, ULPFFT_MEASURE, ...
#ifndef HEFFTE_ULPFFT_EFFORT
#define HEFFTE_ULPFFT_EFFORT ULPFFT_ESTIMATE
#endif

namespace heffte {

// Later versions of heFFTe have all of them.
struct cpu_cos1_pre_pos_processor;
struct cpu_sin1_pre_pos_processor;

namespace backend {

struct ulpfft {};
struct ulpfft_cos {};
struct ulpfft_sin {};
struct ulpfft_cos1 {};
struct ulpfft_sin1 {};

template <> struct is_enabled<ulpfft> : std::true_type {};
template <> struct is_enabled<ulpfft_cos> : std::true_type {};
template <> struct is_enabled<ulpfft_sin> : std::true_type {};
template <> struct is_enabled<ulpfft_cos1> : std::true_type {};
template <> struct is_enabled<ulpfft_sin1> : std::true_type {};

template <> struct uses_fft_types<ulpfft_cos> : std::false_type {};
template <> struct uses_fft_types<ulpfft_sin> : std::false_type {};
template <> struct uses_fft_types<ulpfft_cos1> : std::false_type {};
template <> struct uses_fft_types<ulpfft_sin1> : std::false_type {};

template <> inline std::string name<ulpfft>() { return "ulpfft"; }
template <> inline std::string name<ulpfft_cos>() { return "ulpfft-cos-type-II"; }
template <> inline std::string name<ulpfft_sin>() { return "ulpfft-sin-type-II"; }
template <> inline std::string name<ulpfft_cos1>() { return "ulpfft-cos-type-I"; }
template <> inline std::string name<ulpfft_sin1>() { return "ulpfft-sin-type-I"; }

}  // namespace backend

namespace ulpfft_detail {

// The lines of a box: lengths along some directions, and all other directions as a batch. Strides count numbers of their side.
struct Lines {
  std::vector<std::int64_t> lengths, in_strides, out_strides, batch, batch_in_strides, batch_out_strides;
};

template <typename index>
std::int64_t stride_of(box3d<index> const& box, int direction) {
  std::int64_t stride = 1;
  for (int place = 0; place < box.find_order(direction); ++place) stride *= box.osize(place);
  return stride;
}

// `real` has the lengths. Both boxes have the same order.
template <typename index>
Lines lines_of(box3d<index> const& real, box3d<index> const& in, box3d<index> const& out, std::initializer_list<int> directions) {
  Lines lines;
  for (int place = 2; place >= 0; --place) {  // slowest first
    const int direction = real.order[static_cast<std::size_t>(place)];
    const bool transformed = std::find(directions.begin(), directions.end(), direction) != directions.end();
    (transformed ? lines.lengths : lines.batch).push_back(real.size[static_cast<std::size_t>(direction)]);
    (transformed ? lines.in_strides : lines.batch_in_strides).push_back(stride_of(in, direction));
    (transformed ? lines.out_strides : lines.batch_out_strides).push_back(stride_of(out, direction));
  }
  return lines;
}

class Plan {
 public:
  // r2r_kind: along every direction; of other kinds not read.
  Plan(Lines const& lines, int kind, bool is_double, bool backward, bool in_place, int r2r_kind = 0, double scale = 1) {
    const std::vector<int> kinds(lines.lengths.size(), r2r_kind);
    ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
    problem.kind = kind;
    problem.rank = static_cast<int>(lines.lengths.size());
    problem.lengths = lines.lengths.data();
    problem.in_strides = lines.in_strides.data();
    problem.out_strides = lines.out_strides.data();
    problem.batch_rank = static_cast<int>(lines.batch.size());
    problem.batch_lengths = lines.batch.data();
    problem.batch_in_strides = lines.batch_in_strides.data();
    problem.batch_out_strides = lines.batch_out_strides.data();
    problem.storage_in = is_double ? "f64" : "f32";
    problem.direction = backward ? ULPFFT_BACKWARD : ULPFFT_FORWARD;
    problem.placement = in_place ? ULPFFT_IN_PLACE : ULPFFT_OUT_OF_PLACE;
    problem.kinds = kind == ULPFFT_R2R ? kinds.data() : nullptr;
    problem.scale_kind = scale == 1 ? ULPFFT_SCALE_NONE : ULPFFT_SCALE_VALUE;
    problem.scale_value = scale;
    ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
    options.effort = HEFFTE_ULPFFT_EFFORT;
    if (ulpfft_plan_create(nullptr, &problem, &options, &plan_) != ULPFFT_OK) throw std::runtime_error(ulpfft_last_error());
  }
  ~Plan() { ulpfft_plan_destroy(plan_); }
  Plan(Plan const&) = delete;
  Plan& operator=(Plan const&) = delete;

  void execute(void const* in, void* out) const {
    if (ulpfft_execute(plan_, in, out) != ULPFFT_OK) throw std::runtime_error(ulpfft_last_error());
  }

 private:
  ulpfft_plan* plan_ = nullptr;
};

// Plans of an executor in both precisions and directions, each made when it is first needed.
class Plans {
 public:
  template <typename Make>
  Plan const& get(bool is_double, bool backward, Make const& make) const {
    std::unique_ptr<Plan>& plan = plans_[is_double][backward];
    if (!plan) plan.reset(make());
    return *plan;
  }

 private:
  mutable std::unique_ptr<Plan> plans_[2][2];
};

// Types of the transforms of real numbers there and back, and what back times there multiplies by is 2 (n + more).
template <typename prepost_processor> struct Kinds;
template <> struct Kinds<cpu_cos_pre_pos_processor> { enum { there = ULPFFT_REDFT10, back = ULPFFT_REDFT01, more = 0 }; };
template <> struct Kinds<cpu_sin_pre_pos_processor> { enum { there = ULPFFT_RODFT10, back = ULPFFT_RODFT01, more = 0 }; };
template <> struct Kinds<cpu_cos1_pre_pos_processor> { enum { there = ULPFFT_REDFT00, back = ULPFFT_REDFT00, more = -1 }; };
template <> struct Kinds<cpu_sin1_pre_pos_processor> { enum { there = ULPFFT_RODFT00, back = ULPFFT_RODFT00, more = 1 }; };

}  // namespace ulpfft_detail

// What executors that transform a box in place share.
class ulpfft_in_place : public executor_base {
 public:
  template <typename index>
  ulpfft_in_place(void*, box3d<index> const box, int dimension) : ulpfft_in_place(box, {dimension}) {}
  template <typename index>
  ulpfft_in_place(void*, box3d<index> const box, int dir1, int dir2) : ulpfft_in_place(box, {dir1, dir2}) {}
  template <typename index>
  ulpfft_in_place(void*, box3d<index> const box) : ulpfft_in_place(box, {0, 1, 2}) {}

  int box_size() const override { return size_; }
  std::size_t workspace_size() const override { return 0; }

 protected:
  ulpfft_detail::Lines const lines_;
  int const size_;
  ulpfft_detail::Plans const plans_;

 private:
  template <typename index>
  ulpfft_in_place(box3d<index> const& box, std::initializer_list<int> directions)
      : lines_(ulpfft_detail::lines_of(box, box, box, directions)), size_(static_cast<int>(box.count())) {}
};

// Between complex numbers, in place; of real numbers by a complex transform of the same box.
class ulpfft_executor : public ulpfft_in_place {
 public:
  using executor_base::backward;
  using executor_base::forward;
  using ulpfft_in_place::ulpfft_in_place;

  void forward(std::complex<float> data[], std::complex<float>*) const override { transform(data, false, false); }
  void forward(std::complex<double> data[], std::complex<double>*) const override { transform(data, true, false); }
  void backward(std::complex<float> data[], std::complex<float>*) const override { transform(data, false, true); }
  void backward(std::complex<double> data[], std::complex<double>*) const override { transform(data, true, true); }

  void forward(float const in[], std::complex<float> out[], std::complex<float>*) const override { from_real(in, out); }
  void forward(double const in[], std::complex<double> out[], std::complex<double>*) const override { from_real(in, out); }
  void backward(std::complex<float> in[], float out[], std::complex<float>*) const override { to_real(in, out); }
  void backward(std::complex<double> in[], double out[], std::complex<double>*) const override { to_real(in, out); }

 private:
  void transform(void* data, bool is_double, bool back) const {
    const auto make = [&] { return new ulpfft_detail::Plan(lines_, ULPFFT_C2C, is_double, back, true); };
    plans_.get(is_double, back, make).execute(data, data);
  }
  template <typename real>
  void from_real(real const in[], std::complex<real> out[]) const {
    for (int i = 0; i < size_; ++i) out[i] = std::complex<real>(in[i]);
    transform(out, sizeof(real) == 8, false);
  }
  template <typename real>
  void to_real(std::complex<real> in[], real out[]) const {
    transform(in, sizeof(real) == 8, true);
    for (int i = 0; i < size_; ++i) out[i] = in[i].real();
  }
};

// Real numbers of a box to the half of their spectrum in box.r2c(dimension), and back.
class ulpfft_executor_r2c : public executor_base {
 public:
  using executor_base::backward;
  using executor_base::forward;

  template <typename index>
  ulpfft_executor_r2c(void*, box3d<index> const box, int dimension)
      : there_(ulpfft_detail::lines_of(box, box, box.r2c(dimension), {dimension})),
        back_(ulpfft_detail::lines_of(box, box.r2c(dimension), box, {dimension})),
        real_size_(static_cast<int>(box.count())),
        complex_size_(static_cast<int>(box.r2c(dimension).count())) {}

  void forward(float const in[], std::complex<float> out[], std::complex<float>*) const override { there(in, out); }
  void forward(double const in[], std::complex<double> out[], std::complex<double>*) const override { there(in, out); }
  void backward(std::complex<float> in[], float out[], std::complex<float>*) const override { back(in, out); }
  void backward(std::complex<double> in[], double out[], std::complex<double>*) const override { back(in, out); }

  int box_size() const override { return real_size_; }
  int complex_size() const override { return complex_size_; }
  std::size_t workspace_size() const override { return 0; }

 private:
  template <typename real>
  void there(real const in[], std::complex<real> out[]) const {
    const auto make = [&] { return new ulpfft_detail::Plan(there_, ULPFFT_R2C, sizeof(real) == 8, false, false); };
    plans_.get(sizeof(real) == 8, false, make).execute(in, out);
  }
  template <typename real>
  void back(std::complex<real> const in[], real out[]) const {
    const auto make = [&] { return new ulpfft_detail::Plan(back_, ULPFFT_C2R, sizeof(real) == 8, false, false); };
    plans_.get(sizeof(real) == 8, true, make).execute(in, out);
  }

  ulpfft_detail::Lines there_, back_;
  int real_size_, complex_size_;
  ulpfft_detail::Plans plans_;
};

// Cosine and sine transforms, in place.
template <typename prepost_processor>
struct real2real_executor<backend::ulpfft, prepost_processor> : public ulpfft_in_place {
  using executor_base::backward;
  using executor_base::forward;
  using ulpfft_in_place::ulpfft_in_place;

  void forward(float data[], float*) const override { transform(data, false, false); }
  void forward(double data[], double*) const override { transform(data, true, false); }
  void backward(float data[], float*) const override { transform(data, false, true); }
  void backward(double data[], double*) const override { transform(data, true, true); }

 private:
  void transform(void* data, bool is_double, bool back) const {
    using Kinds = ulpfft_detail::Kinds<prepost_processor>;
    double scale = 1;
    for (const std::int64_t n : lines_.lengths) {
      if (back) scale *= 2 * static_cast<double>(n) / static_cast<double>(n + static_cast<int>(Kinds::more));
    }
    const int kind = back ? static_cast<int>(Kinds::back) : static_cast<int>(Kinds::there);
    const auto make = [&] { return new ulpfft_detail::Plan(lines_, ULPFFT_R2R, is_double, false, true, kind, scale); };
    plans_.get(is_double, back, make).execute(data, data);
  }
};

template <> struct one_dim_backend<backend::ulpfft> {
  using executor = ulpfft_executor;
  using executor_r2c = ulpfft_executor_r2c;
};
template <> struct one_dim_backend<backend::ulpfft_cos> {
  using executor = real2real_executor<backend::ulpfft, cpu_cos_pre_pos_processor>;
  using executor_r2c = void;
};
template <> struct one_dim_backend<backend::ulpfft_sin> {
  using executor = real2real_executor<backend::ulpfft, cpu_sin_pre_pos_processor>;
  using executor_r2c = void;
};
template <> struct one_dim_backend<backend::ulpfft_cos1> {
  using executor = real2real_executor<backend::ulpfft, cpu_cos1_pre_pos_processor>;
  using executor_r2c = void;
};
template <> struct one_dim_backend<backend::ulpfft_sin1> {
  using executor = real2real_executor<backend::ulpfft, cpu_sin1_pre_pos_processor>;
  using executor_r2c = void;
};

// heFFTe makes lines adjacent as it exchanges them.
template <> struct default_plan_options<backend::ulpfft> { static const bool use_reorder = true; };
template <> struct default_plan_options<backend::ulpfft_cos> { static const bool use_reorder = true; };
template <> struct default_plan_options<backend::ulpfft_sin> { static const bool use_reorder = true; };
template <> struct default_plan_options<backend::ulpfft_cos1> { static const bool use_reorder = true; };
template <> struct default_plan_options<backend::ulpfft_sin1> { static const bool use_reorder = true; };

}  // namespace heffte

#endif  // ULPFFT_BINDINGS_HEFFTE_HEFFTE_BACKEND_ULPFFT_H_
