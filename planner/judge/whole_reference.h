// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A transform of the library itself in a wider type, as the reference of measured errors (assess.h says which serves where).
#ifndef ULPFFT_PLANNER_JUDGE_WHOLE_REFERENCE_H_
#define ULPFFT_PLANNER_JUDGE_WHOLE_REFERENCE_H_

#include <algorithm>
#include <complex>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "planner/backend/shared_bytes.h"
#include "planner/judge/direct_sums.h"
#include "planner/plan/plan.h"

namespace ulpfft {

// A whole reference may differ from the definition by this part of the rms output: 1e-3 of the error of one rounding.
inline constexpr double kF64Agreement = 0x1p-35;
inline constexpr double kDoubleDoubleAgreement = 0x1p-64;

// All outputs of a dense forward transform, or of r2r, in a wider type.
class WholeReference {
 public:
  // A plan with tables, workspace and arrays of at most `most_bytes`; none where there is no such recipe. `poll` is asked on the way, and
  // while the reference runs; it is kept. `references` has the codelets; null: those of this build.
  static std::optional<WholeReference> make(const ulpfft_plan& plan, ComputeType compute, const CodeletTable* references, double most_bytes,
                                            Poll& poll);

  // `low`: what the input is beyond x, or empty.
  void run(const std::vector<double>& x, const std::vector<double>& low) {
    if (plan_->problem.kind == Kind::kR2R) {
      for (std::size_t i = 0; i < x.size() / 2; ++i) {
        poll_->count(1);
        if (wide_) static_cast<DoubleDouble*>(in_.host())[i] = DoubleDouble(x[2 * i]);
        else static_cast<double*>(in_.host())[i] = x[2 * i];
      }
    } else {
      for (std::size_t i = 0; i < x.size(); ++i) {
        poll_->count(1);
        if (wide_) static_cast<DoubleDouble*>(in_.host())[i] = DoubleDouble(x[i], low.empty() ? 0 : low[i]);
        else static_cast<double*>(in_.host())[i] = x[i];
      }
    }
    execute();
  }
  // Multiplies the output of run() by the factors and transforms it back. The way back is the conjugate of the transform of the conjugate.
  void run_back(const std::vector<std::complex<double>>& factors) {
    wide_ ? change_spectrum<DoubleDouble>(factors) : change_spectrum<double>(factors);
    execute();
    wide_ ? conjugate_output<DoubleDouble>(factors.size()) : conjugate_output<double>(factors.size());
  }
  ComplexDD at(std::int64_t index) const {
    if (plan_->problem.kind == Kind::kR2R) {
      const DoubleDouble value = wide_ ? static_cast<const DoubleDouble*>(out_.host())[index]
                                       : DoubleDouble(static_cast<const double*>(out_.host())[index]);
      return {value / DoubleDouble(scale_factor(plan_->problem)), DoubleDouble(0.0)};
    }
    if (wide_) {
      const DoubleDouble* out = static_cast<const DoubleDouble*>(out_.host()) + 2 * index;
      return {out[0], out[1]};
    }
    const double* out = static_cast<const double*>(out_.host()) + 2 * index;
    return {DoubleDouble(out[0]), DoubleDouble(out[1])};
  }
  double agreement() const { return wide_ ? kDoubleDoubleAgreement : kF64Agreement; }

 private:
  WholeReference(std::unique_ptr<ulpfft_plan> plan, bool wide, Poll& poll)
      : plan_(std::move(plan)),
        wide_(wide),
        poll_(&poll),
        in_(plan_->executable->backend.memory, static_cast<std::size_t>(plan_->in_extent.high), &poll),
        out_(plan_->executable->backend.memory, static_cast<std::size_t>(plan_->out_extent.high), &poll) {}

  void execute() {
    in_.send();
    const ArrayAddress in{{in_.backend(), in_.backend()}, {}, nullptr}, out{{out_.backend(), out_.backend()}, {}, nullptr};
    if (run_interruptibly(*plan_, in, out, nullptr, poll_) != ULPFFT_OK) throw std::bad_alloc();
    out_.fetch();
  }

  std::unique_ptr<ulpfft_plan> plan_;
  template <typename T>
  void change_spectrum(const std::vector<std::complex<double>>& factors) {
    T* const in = static_cast<T*>(in_.host());
    const T* const out = static_cast<const T*>(out_.host());
    for (std::size_t k = 0; k < factors.size(); ++k) {
      poll_->count(1);
      const T re(factors[k].real()), im(factors[k].imag());
      in[2 * k] = out[2 * k] * re - out[2 * k + 1] * im;
      in[2 * k + 1] = -(out[2 * k] * im + out[2 * k + 1] * re);
    }
  }
  template <typename T>
  void conjugate_output(std::size_t points) {
    T* const out = static_cast<T*>(out_.host());
    for (std::size_t k = 0; k < points; ++k) out[2 * k + 1] = -out[2 * k + 1];
  }

  bool wide_;
  Poll* poll_;
  SharedBytes in_;
  SharedBytes out_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_JUDGE_WHOLE_REFERENCE_H_
