// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Runs a graph on numbers: the judge of every pass, and the source of the measured rounding error of a body.
//
// The number type T needs + - * unary -, and fused(a, b, c) = a * b + c, defined here for float, double and DoubleDouble.
#ifndef ULPFFT_GENFFT_IR_EVALUATE_H_
#define ULPFFT_GENFFT_IR_EVALUATE_H_

#include <cmath>
#include <span>
#include <vector>

#include "genfft/ir/dag.h"

namespace ulpfft::genfft {

template <class T>
struct ComplexValue {
  T re{};
  T im{};
};

// Wide types leave rounding nodes alone.
template <class T>
T rounded(T a) {
  return a;
}
template <class T>
T rounded_sum(T a) {
  return a;
}

inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
inline double fused(double a, double b, double c) { return std::fma(a, b, c); }
inline DoubleDouble fused(DoubleDouble a, DoubleDouble b, DoubleDouble c) { return a * b + c; }

// Stored values for these loads and table values; constants are rounded once to T.
template <class T>
std::vector<ComplexValue<T>> evaluate(const Dag& dag, std::span<const ComplexValue<T>> loads, std::span<const T> table) {
  const auto at = [](NodeId id) { return static_cast<std::size_t>(id); };
  std::vector<T> values(at(dag.size()));
  const auto value = [&](NodeId id) { return values[at(id)]; };
  for (NodeId id = 0; id < dag.size(); ++id) {
    const Node& n = dag[id];
    T& result = values[at(id)];
    switch (n.op) {
      case Op::kLoad: result = n.b == 0 ? loads[at(n.a)].re : loads[at(n.a)].im; break;
      case Op::kTable: result = table[at(n.a)]; break;
      case Op::kConstant: result = round_to<T>(dag.constant_value(id)); break;
      case Op::kAdd: result = value(n.a) + value(n.b); break;
      case Op::kSub: result = value(n.a) - value(n.b); break;
      case Op::kMul: result = value(n.a) * value(n.b); break;
      case Op::kNeg: result = -value(n.a); break;
      case Op::kRound: result = rounded(value(n.a)); break;
      case Op::kRoundSum: result = rounded_sum(value(n.a)); break;
      case Op::kMulAdd: result = fused(value(n.a), value(n.b), value(n.c)); break;
      case Op::kNegMulAdd: result = fused(-value(n.a), value(n.b), value(n.c)); break;
      case Op::kMulSub: result = fused(value(n.a), value(n.b), -value(n.c)); break;
      case Op::kNegMulSub: result = fused(-value(n.a), value(n.b), -value(n.c)); break;
    }
  }
  std::vector<ComplexValue<T>> stored;
  for (const Store& store : dag.stores) stored.push_back({value(store.re), value(store.im)});
  return stored;
}

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_IR_EVALUATE_H_
