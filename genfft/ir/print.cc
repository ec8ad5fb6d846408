// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/ir/print.h"

#include <cstdio>

namespace ulpfft::genfft {
namespace {

std::string operand(const Dag& dag, NodeId id) {
  const Node& node = dag[id];
  if (node.op == Op::kLoad) return "x" + std::to_string(node.a) + (node.b == 0 ? ".re" : ".im");
  if (node.op == Op::kTable) return "w[" + std::to_string(node.a) + "]";
  if (node.op == Op::kConstant) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", dag.constant_value(id).hi);
    return text;
  }
  return "t" + std::to_string(id);
}

std::string expression(const Dag& dag, const Node& node) {
  const auto a = [&] { return operand(dag, node.a); };
  const auto b = [&] { return operand(dag, node.b); };
  const auto c = [&] { return operand(dag, node.c); };
  switch (node.op) {
    case Op::kAdd: return a() + " + " + b();
    case Op::kSub: return a() + " - " + b();
    case Op::kMul: return a() + " * " + b();
    case Op::kNeg: return "-" + a();
    case Op::kRound: return "round(" + a() + ")";
    case Op::kRoundSum: return "round_sum(" + a() + ")";
    case Op::kMulAdd: return "fma(" + a() + " * " + b() + " + " + c() + ")";
    case Op::kNegMulAdd: return "fma(" + c() + " - " + a() + " * " + b() + ")";
    case Op::kMulSub: return "fma(" + a() + " * " + b() + " - " + c() + ")";
    case Op::kNegMulSub: return "fma(-" + a() + " * " + b() + " - " + c() + ")";
    default: return {};
  }
}

}  // namespace

std::string print_term(const TableTerm& term) {
  const std::string j = "(" + std::to_string(term.j) + ")";
  switch (term.kind) {
    case TableTerm::Kind::kRe: return "re" + j;
    case TableTerm::Kind::kIm: return "im" + j;
    case TableTerm::Kind::kRatio: return "ratio" + j;
    case TableTerm::Kind::kSign: return "sign" + j;
    case TableTerm::Kind::kScale: break;
  }
  std::string text = std::string(term.primed ? "scale'" : "scale") + j;
  if (term.over_j != 0) text += std::string("/scale") + (term.over_primed ? "'" : "") + "(" + std::to_string(term.over_j) + ")";
  if (term.sqrt_half) text += "*sqrt(1/2)";
  return text;
}

std::string print_kernel(const Kernel& kernel) {
  const Dag& dag = kernel.body.dag;
  std::string text = kernel.body.spec.name + ": " + std::to_string(kernel.ops.add) + " add, " + std::to_string(kernel.ops.mul) +
                     " mul, " + std::to_string(kernel.ops.fma) + " fma, " + std::to_string(kernel.live_values) + " live\n";
  for (std::size_t i = 0; i < kernel.body.table.size(); ++i)
    text += "  w[" + std::to_string(i) + "] = " + print_term(kernel.body.table[i]) + "\n";
  for (const Statement& s : kernel.statements) {
    const std::string index = std::to_string(s.index);
    switch (s.kind) {
      case Statement::Kind::kLoad: text += "  load x" + index + "\n"; break;
      case Statement::Kind::kTable: text += "  table w[" + index + "]\n"; break;
      case Statement::Kind::kCompute: text += "  t" + index + " = " + expression(dag, dag[s.index]) + "\n"; break;
      case Statement::Kind::kStore: {
        const Store& store = dag.stores[static_cast<std::size_t>(s.index)];
        text += "  store y" + index + " = (" + operand(dag, store.re) + ", " + operand(dag, store.im) + ")\n";
        break;
      }
    }
  }
  return text;
}

std::string print_stats(const std::vector<Kernel>& kernels) {
  std::string text = "# body      unfused: add  mul total   fused: add  mul  fma total   live\n";
  for (const Kernel& k : kernels) {
    char line[128];
    std::snprintf(line, sizeof line, "%-8s %16d %4d %5d %12d %4d %4d %5d %6d\n", k.body.spec.name.c_str(), k.unfused.add,
                  k.unfused.mul, k.unfused.total(), k.ops.add, k.ops.mul, k.ops.fma, k.ops.total(), k.live_values);
    text += line;
  }
  return text;
}

}  // namespace ulpfft::genfft
