// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of the passes of real transforms.
#include "codelets/contract/line_sink.h"
#include "codelets/contract/real_passes.h"
#include "codelets/contract/rounded_real.h"
#include "codelets/ref/arithmetic.h"
#include "codelets/ref/rounded.h"

namespace ulpfft::ref {
namespace {

// (x, y) times -i w = s - i c.
template <typename T>
[[gnu::noinline]] void turn(T& x, T& y, T c, T s) {
  const T re = fma(y, c, x * s);
  y = fnma(x, c, y * s);
  x = re;
}

// In double-double a call is shorter than an operation.
template <typename T>
[[gnu::noinline]] T sum(T a, T b) {
  return a + b;
}

// a / 2 + b.
template <typename T>
[[gnu::noinline]] T half_sum(T a, T b) {
  return fma(T(0.5), a, b);
}

template <typename T>
[[gnu::noinline]] T product(T a, T b) {
  return a * b;
}

// Both points of a pair are read before one is written, because the ends may be one line. The factor of im is a sign.
template <typename T>
void untangle(const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h) {
  const Unpaired<T> unpaired = untangle_unpaired(from, from + 1, 2, factors, h);
  for (std::int64_t k = 1; k <= pairs_of(h); ++k) {
    const T *const a = from + 2 * k, *const b = from + 2 * (h - k);
    const T sum_re = sum(a[0], b[0]), sum_im = sum(a[1], -b[1]);
    T x = sum(a[0], -b[0]), y = sum(a[1], b[1]);
    turn(x, y, table[2 * k], table[2 * k + 1]);
    T *const low = to + 2 * k, *const high = to + 2 * (h - k);
    low[0] = half_sum(sum_re, x);
    low[1] = product(half_sum(sum_im, y), factors.im);
    high[0] = half_sum(sum_re, -x);
    high[1] = product(half_sum(-sum_im, y), factors.im);
  }
  store_unpaired(unpaired, true, {to, to + 1}, 2, h);
}

template <typename T>
void tangle(const T* from, T* to, const T* table, PartFactors<T> factors, std::int64_t h) {
  const Unpaired<T> unpaired = tangle_unpaired(from, from + 1, 2, factors, h);
  for (std::int64_t k = 1; k <= pairs_of(h); ++k) {
    const T *const a = from + 2 * k, *const b = from + 2 * (h - k);
    const T a_re = product(a[0], factors.re), a_im = product(a[1], factors.im);
    const T b_re = product(b[0], factors.re), b_im = product(b[1], factors.im);
    const T sum_re = sum(a_re, b_re), sum_im = sum(a_im, -b_im);
    T x = sum(a_re, -b_re), y = sum(a_im, b_im);
    turn(x, y, -table[2 * k], table[2 * k + 1]);  // s + i c: i times the conjugate of w
    T *const low = to + 2 * k, *const high = to + 2 * (h - k);
    low[0] = sum(sum_re, x);
    low[1] = sum(sum_im, y);
    high[0] = sum(sum_re, -x);
    high[1] = sum(y, -sum_im);
  }
  store_unpaired(unpaired, false, {to, to + 1}, 2, h);
}

// One lane of rounded arithmetic by its definition. A call is shorter than an operation.
template <typename T>
class RoundedLane {
 public:
  static constexpr std::int64_t kLanes = 1;
  RoundedLane(const RoundedPass& pass, Narrow* count) : machine_(pass, count) {}

  T* row(int number) { return rows_ + number; }
  void set_lanes(std::int64_t) {}
  [[gnu::noinline]] void add(int d, int a, int b) { set(d, sum(value(a), value(b))); }
  [[gnu::noinline]] void subtract(int d, int a, int b) { set(d, sum(value(a), -value(b))); }
  [[gnu::noinline]] void multiply(int d, int a, int b) { set(d, machine_.multiply(value(a), value(b))); }
  [[gnu::noinline]] void fma(int d, int a, int b, int c) { set(d, product_and_sum(value(a), value(b), value(c))); }
  [[gnu::noinline]] void fnma(int d, int a, int b, int c) { set(d, product_and_sum(-value(a), value(b), value(c))); }
  [[gnu::noinline]] void fms(int d, int a, int b, int c) { set(d, product_and_sum(value(a), value(b), -value(c))); }
  [[gnu::noinline]] void negate(int d, int a) { set(d, machine_.f32_sums() ? -value(a) : machine_.negate(value(a))); }
  [[gnu::noinline]] void round(int d) { set(d, machine_.input(value(d))); }

 private:
  double value(int number) const { return static_cast<double>(rows_[number]); }
  void set(int number, double x) { rows_[number] = static_cast<T>(x); }
  double sum(double a, double b) { return machine_.f32_sums() ? machine_.wide_add(a, b) : machine_.add(a, b); }
  double product_and_sum(double a, double b, double c) {
    return machine_.f32_sums() ? machine_.wide_add(machine_.multiply(a, b), c) : machine_.fma(a, b, c);
  }

  RoundedMachine machine_;
  T rows_[kRoundedRealRows] = {};
};

template <typename T, bool kUntangles, PairsFn<T> kPairs>
void run_lines_of_pairs(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  if constexpr (kComputeTypeOf<T> != ComputeType::kDoubleDouble) {
    if (has_context<RoundedPass>(args)) {
      RoundedLane<T> lane(context_of<RoundedPass>(args), buffers.narrow);
      return run_rounded_pairs<T>(args, buffers, first, count, kUntangles, lane);
    }
  }
  run_pairs<T>(args, buffers, first, count, kUntangles, kPairs);
}

template <typename T, RealLine<T> kLine>
void run(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  run_real_lines<T>(args, buffers, first, count, kLine);
}

template <typename T>
void from_reals_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  move_from_reals(args, from, to, 0);
}

template <typename T>
void to_reals_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  move_to_reals(args, from, to, 0);
}

template <typename T>
void half_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  move_half(args, from, to, 0);
  to.im[0] = T(0);
}

template <typename T>
void mirror_line(const PassArgs& args, Ends<T> from, Ends<T> to) {
  mirror_first(args, from, to);
  move_mirror(args, from, to, 1);
}

template <typename T>
void add_real_lines(CodeletSink& sink) {
  constexpr ComputeType kCompute = kComputeTypeOf<T>;
  add_line(sink, PassKind::kUntangle, kCompute, &run_lines_of_pairs<T, true, &untangle<T>>);
  add_line(sink, PassKind::kTangle, kCompute, &run_lines_of_pairs<T, false, &tangle<T>>);
  add_line(sink, PassKind::kFromReals, kCompute, &run<T, &from_reals_line<T>>);
  add_line(sink, PassKind::kToReals, kCompute, &run<T, &to_reals_line<T>>);
  add_line(sink, PassKind::kHalf, kCompute, &run<T, &half_line<T>>);
  add_line(sink, PassKind::kMirror, kCompute, &run<T, &mirror_line<T>>);
  add_line(sink, PassKind::kSplitRows, kCompute, &run<T, &split_rows<T>>);
  add_line(sink, PassKind::kJoinRows, kCompute, &run<T, &join_rows<T>>);
}

}  // namespace

void collect_real_lines(CodeletSink& sink) {
  add_real_lines<float>(sink);
  add_real_lines<double>(sink);
  add_real_lines<DoubleDouble>(sink);
}

}  // namespace ulpfft::ref
