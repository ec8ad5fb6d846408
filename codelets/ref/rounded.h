// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The reference of rounded schemes: the lists of operations of all bodies, each operation as codelets/contract/rounded.h defines it.
//
// T is what edges and tables hold (the carrier of the plan's format); arithmetic is exact, then rounded by the slow codec.
#ifndef ULPFFT_CODELETS_REF_ROUNDED_H_
#define ULPFFT_CODELETS_REF_ROUNDED_H_

#include <atomic>
#include <cstdint>

#include "codelets/contract/rounded_pass.h"
#include "codelets/contract/through_f32.h"
#include "codelets/ref/shapes.h"

namespace ulpfft::ref {

class RoundedMachine {
 public:
  RoundedMachine(const RoundedPass& pass, Narrow* count) : f_(*pass.scheme.element), f32_sums_(pass.scheme.f32_sums), count_(count) {}
  RoundedMachine(const RoundedMachine&) = delete;
  RoundedMachine& operator=(const RoundedMachine&) = delete;
  ~RoundedMachine() {
    if (count_ != nullptr && overflows_ != 0) std::atomic_ref(count_->saturated).fetch_add(overflows_, std::memory_order_relaxed);
  }

  bool f32_sums() const { return f32_sums_; }
  double input(double x) { return keep(round_to_element(f_, x)); }
  double constant(const BodyConstant& c) const { return round_to_element(f_, DoubleDouble(c.hi, c.lo)); }

  // Every operation rounded.
  double add(double a, double b) { return keep(rounded_sum(f_, a, b)); }
  double multiply(double a, double b) { return keep(rounded_product(f_, a, b)); }
  double negate(double a) { return keep(round_to_element(f_, -a)); }
  double fma(double a, double b, double c) { return keep(rounded_fma(f_, a, b, c)); }

  // Sums in f32. Of one butterfly a factor or a product that overflows counts once, however often it occurs.
  void begin() { known_ = 0; }
  double wide_add(double a, double b) { return through_f32(a + b); }
  double factor(double x, std::uint32_t key) { return keep_once(round_to_element(f_, x), key); }
  double product(double a, double b, std::uint32_t key) { return keep_once(rounded_product(f_, a, b), key); }

 private:
  double keep(const RoundedValue& rounded) {
    overflows_ += rounded.overflow ? 1 : 0;
    return rounded.value;
  }
  double keep_once(const RoundedValue& rounded, std::uint32_t key) {
    if (!rounded.overflow) return rounded.value;
    for (int i = 0; i < known_; ++i) {
      if (keys_[i] == key) return rounded.value;
    }
    keys_[known_++] = key;
    return keep(rounded);
  }

  const FormatInfo& f_;
  bool f32_sums_;
  Narrow* count_;
  std::int64_t overflows_ = 0;
  int known_ = 0;
  std::uint32_t keys_[kMostValues];  // of the butterfly's factors and products that overflowed
};

// load(j, x, y), table(i), store(j, x, y).
template <class Load, class Table, class Store>
void interpret_rounded(const Program& body, RoundedMachine& m, const Load& load, const Table& table, const Store& store) {
  // With a value: the point it depends on.
  constexpr int kNoPoint = -1, kSeveral = -2;
  double v[kMostValues];
  int point[kMostValues];
  int next = 0;
  m.begin();
  for (const BodyStep& s : body.steps) {
    switch (s.op) {
      case BodyOp::kLoad:
        load(s.a, v[next], v[next + 1]);
        point[next] = point[next + 1] = s.a;
        next += 2;
        continue;
      case BodyOp::kTable:
        v[next] = table(s.a);
        point[next++] = kNoPoint;
        continue;
      case BodyOp::kStore: store(s.a, v[s.b], v[s.c]); continue;
      default: break;
    }
    // What the operation is: a product of a and b or not, a sum with c or of a and b or not, signs.
    const bool by_constant = s.op >= BodyOp::kMulC;
    const BodyOp op = s.op == BodyOp::kMulC   ? BodyOp::kMul
                      : s.op == BodyOp::kFmaC ? BodyOp::kFma
                      : s.op == BodyOp::kFnmaC ? BodyOp::kFnma
                      : s.op == BodyOp::kFmsC  ? BodyOp::kFms
                      : s.op == BodyOp::kFnmsC ? BodyOp::kFnms
                                               : s.op;
    const bool fused = op == BodyOp::kFma || op == BodyOp::kFnma || op == BodyOp::kFms || op == BodyOp::kFnms;
    const double minus_product = op == BodyOp::kFnma || op == BodyOp::kFnms ? -1 : 1;
    const double minus_c = op == BodyOp::kFms || op == BodyOp::kFnms ? -1 : 1;
    const int used = op == BodyOp::kNeg ? 1 : fused ? 3 : 2;
    const int operands[3] = {s.a, s.b, s.c};
    point[next] = kNoPoint;
    for (int i = by_constant ? 1 : 0; i < used; ++i) {
      const int other = point[operands[i]];
      if (other != kNoPoint) point[next] = point[next] == kNoPoint || point[next] == other ? other : kSeveral;
    }
    // Values have keys below kMostValues; products of two values, and of a constant and a value, others.
    constexpr std::uint32_t kConstant = kMostValues, kSecond = 2 * kMostValues;
    const std::uint32_t key = (static_cast<std::uint32_t>(s.b) + 1) * kSecond + (by_constant ? kConstant : 0) + static_cast<std::uint32_t>(s.a);
    const bool every = !m.f32_sums();
    const bool narrow = every || point[next] >= 0;
    const auto number = [&](int i) {
      if (i == 0 && by_constant) return m.constant(body.constants[s.a]);
      return every ? v[operands[i]] : m.factor(v[operands[i]], static_cast<std::uint32_t>(operands[i]));
    };
    double result = 0;
    if (narrow) {
      switch (op) {
        case BodyOp::kAdd: result = m.add(number(0), number(1)); break;
        case BodyOp::kSub: result = m.add(number(0), -number(1)); break;
        case BodyOp::kMul: result = m.multiply(number(0), number(1)); break;
        case BodyOp::kNeg: result = m.negate(number(0)); break;
        default: result = m.fma(minus_product * number(0), number(1), minus_c * number(2)); break;
      }
    } else {
      switch (op) {
        case BodyOp::kAdd: result = m.wide_add(v[s.a], v[s.b]); break;
        case BodyOp::kSub: result = m.wide_add(v[s.a], -v[s.b]); break;
        case BodyOp::kMul: result = m.product(number(0), number(1), key); break;
        case BodyOp::kNeg: result = -v[s.a]; break;
        default: result = m.wide_add(minus_product * m.product(number(0), number(1), key), minus_c * v[s.c]); break;
      }
    }
    v[next++] = result;
  }
}

// kWhole, kFirst, kTwiddled: lanes are columns, or k with table values and a path each.
template <class T, bool kToRows>
void rounded_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count) {
  constexpr std::int64_t kBlock = rounded_lanes(sizeof(T));
  const RoundedPass& pass = context_of<RoundedPass>(args);
  const Program& body = *static_cast<const Program*>(pass.body->program);
  RoundedMachine machine(pass, buffers.narrow);
  const Ends<T> from = resolve<T>(args.in, buffers);
  const Ends<T> to = resolve<T>(args.out, buffers);
  const T scale = static_cast<T>(args.scale);
  for (std::int64_t a0 = first; a0 < first + count; ++a0) {
    for (std::int64_t a1 = 0; a1 < args.axes[1].count; ++a1) {
      for (std::int64_t l = 0; l < args.lanes; ++l) {
        const std::int64_t i = a0 * args.axes[0].in_stride + a1 * args.axes[1].in_stride + l * args.in.lane_stride;
        const std::int64_t o = a0 * args.axes[0].out_stride + a1 * args.axes[1].out_stride +
                               (kToRows ? static_cast<std::int64_t>(args.rows[l]) * args.row_stride : l * args.out.lane_stride);
        const std::uint32_t path = args.paths != nullptr ? args.paths[l] : 0;
        interpret_rounded(
            body, machine,
            [&](int j, double& x, double& y) {
              const std::int64_t at = i + point_offset(args.in, j);
              const bool exchange = j > 0 && (path >> (j - 1) & 1) != 0;
              x = static_cast<double>((exchange ? from.im : from.re)[at]);
              y = static_cast<double>((exchange ? from.re : from.im)[at]);
              if (pass.rounds_input) {
                x = machine.input(static_cast<double>(static_cast<T>(x) * scale));
                y = machine.input(static_cast<double>(static_cast<T>(y) * scale));
              }
            },
            [&](int value) {
              return static_cast<double>(static_cast<const T*>(args.table)[(l / kBlock * body.table_values + value) * kBlock + l % kBlock]);
            },
            [&](int j, double x, double y) {
              // One NaN for all: which of two a sum hands on is the processor's choice.
              const auto settled = [](double value) { return is_nan(value) ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(value); };
              const std::int64_t at = o + point_offset(args.out, j);
              to.re[at] = settled(x);
              to.im[at] = settled(y);
            });
      }
    }
  }
}

template <class T>
inline constexpr ComputeType kRoundedIn = sizeof(T) == 4 ? ComputeType::kRoundedF32 : ComputeType::kRoundedF64;

template <class T>
void add_rounded(CodeletSink& sink, PassKind kind, const BodyFacts& facts, const RoundedBody& body) {
  sink.add_rounded(kind, kRoundedIn<T>, facts, kind == PassKind::kFirst ? &rounded_pass<T, true> : &rounded_pass<T, false>, &body);
}

}  // namespace ulpfft::ref

#endif  // ULPFFT_CODELETS_REF_ROUNDED_H_
