// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/rounded.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "codelets/contract/rounded_pass.h"
#include "genfft/codelet_list.h"
#include "genfft/pass/place_rounding.h"
#include "genfft/pass/schedule.h"
#include "genfft/pass/verify.h"

namespace ulpfft::genfft {
namespace {

// A step whose operands are values, numbered as they appear; rows are given to them afterwards. Table values are negative.
constexpr int table_operand(int index) { return -2 - index; }

struct OpenStep {
  RoundedOp op;
  std::uint8_t flag = 0;
  int number = 0;                     // kLoad, kStore: point; kConstant: constant
  std::vector<int> makes;             // values
  std::vector<int> reads;
};

RoundedOp rounded_op(Op op) {
  switch (op) {
    case Op::kAdd: return RoundedOp::kAdd;
    case Op::kSub: return RoundedOp::kSub;
    case Op::kMul: return RoundedOp::kMul;
    case Op::kNeg: return RoundedOp::kNeg;
    case Op::kMulAdd: return RoundedOp::kFma;
    case Op::kNegMulAdd: return RoundedOp::kFnma;
    case Op::kMulSub: return RoundedOp::kFms;
    case Op::kNegMulSub: return RoundedOp::kFnms;
    case Op::kRound: return RoundedOp::kRound;
    case Op::kRoundSum: return RoundedOp::kRoundSum;
    default: throw std::logic_error("an operation that rounded bodies do not have");
  }
}

std::vector<OpenStep> open_steps(const Dag& dag, const ConstantNames& constants) {
  std::vector<OpenStep> steps;
  std::map<NodeId, int> values;
  int next = 0;
  const std::vector<int> readers = reader_counts(dag);
  // The only reader, where that is a rounding.
  std::map<NodeId, NodeId> rounded_by;
  for (NodeId id = 0; id < dag.size(); ++id) {
    if (readers[static_cast<std::size_t>(id)] > 0 && is_rounding(dag[id].op) && readers[static_cast<std::size_t>(dag[id].a)] == 1) rounded_by[dag[id].a] = id;
  }
  const auto load_value = [&](int point, int component) {
    for (NodeId id = 0; id < dag.size(); ++id) {
      if (dag[id] == Node{Op::kLoad, point, component}) return values[id] = next++;
    }
    return next++;
  };
  const auto value = [&](NodeId id) {
    if (dag.is(id, Op::kTable)) return table_operand(dag[id].a);
    if (dag.is(id, Op::kConstant) && !values.contains(id)) {
      values[id] = next++;
      steps.push_back({.op = RoundedOp::kConstant, .number = constants.number(dag[id].a), .makes = {values[id]}, .reads = {}});
    }
    return values.at(id);
  };
  std::set<NodeId> done;
  for (const Statement& s : schedule(dag)) {
    switch (s.kind) {
      case Statement::Kind::kLoad: {
        const int re = load_value(s.index, 0);
        steps.push_back({.op = RoundedOp::kLoad, .number = s.index, .makes = {re, load_value(s.index, 1)}, .reads = {}});
        break;
      }
      case Statement::Kind::kTable: break;
      case Statement::Kind::kCompute: {
        if (done.contains(s.index)) break;
        OpenStep step{.op = rounded_op(dag[s.index].op), .makes = {}, .reads = {}};
        for_each_operand(dag[s.index], [&](NodeId operand) { step.reads.push_back(value(operand)); });
        NodeId result = s.index;
        const auto rounding = rounded_by.find(s.index);
        if (rounding != rounded_by.end() && !is_rounding(dag[s.index].op)) {
          result = rounding->second;
          done.insert(result);
          step.flag = dag.is(result, Op::kRound) ? kThenRound : kThenRoundSum;
        }
        step.makes = {values[result] = next++};
        steps.push_back(std::move(step));
        break;
      }
      case Statement::Kind::kStore: {
        const Store& store = dag.stores[static_cast<std::size_t>(s.index)];
        const int re = value(store.re);
        const int im = value(store.im);
        steps.push_back({.op = RoundedOp::kStore, .number = s.index, .makes = {}, .reads = {re, im}});
        break;
      }
    }
  }
  return steps;
}

// Gives every value a row from where it is made to where it is read last; returns how many rows that takes.
int place(const std::vector<OpenStep>& steps, std::vector<RoundedStep>& out) {
  std::map<int, std::size_t> last;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const int made : steps[i].makes) last[made] = i;
    for (const int read : steps[i].reads) last[read] = i;
  }
  std::set<int> free;
  std::map<int, int> rows;
  int count = 0;
  const auto operand = [&](int value) { return static_cast<std::uint8_t>(value <= table_operand(0) ? kRoundedTable + table_operand(0) - value : rows.at(value)); };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const OpenStep& step = steps[i];
    std::uint8_t reads[3] = {0, 0, 0};
    for (std::size_t r = 0; r < step.reads.size(); ++r) reads[r] = operand(step.reads[r]);
    // A result may take the row of an operand that ends here: lanes are independent.
    for (const int read : std::set<int>(step.reads.begin(), step.reads.end())) {
      if (read >= 0 && last[read] == i) free.insert(rows.at(read));
    }
    std::uint8_t makes[2] = {0, 0};
    for (std::size_t m = 0; m < step.makes.size(); ++m) {
      if (free.empty()) free.insert(count++);
      rows[step.makes[m]] = *free.begin();
      free.erase(free.begin());
      makes[m] = static_cast<std::uint8_t>(rows[step.makes[m]]);
    }
    for (const int made : step.makes) {
      if (last[made] == i) free.insert(rows.at(made));
    }
    const auto number = static_cast<std::uint8_t>(step.number & 0xff);
    RoundedStep placed{.op = static_cast<std::uint8_t>(static_cast<std::uint8_t>(step.op) | step.flag), .d = makes[0], .a = reads[0], .b = reads[1], .c = reads[2]};
    if (step.op == RoundedOp::kLoad) {
      placed.a = number;
      placed.b = makes[1];
    } else if (step.op == RoundedOp::kStore) {
      placed.d = number;
    } else if (step.op == RoundedOp::kConstant) {
      placed.b = number;
      placed.c = static_cast<std::uint8_t>(step.number >> 8);
    }
    out.push_back(placed);
  }
  if (count > kMostRoundedRows) throw std::logic_error("a rounded body needs more rows than there are");
  return count;
}

std::string steps_text(const std::string& name, const std::vector<RoundedStep>& steps) {
  std::string text = "constexpr RoundedStep " + name + "[] = {";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RoundedStep& s = steps[i];
    text += i % 8 == 0 ? "\n    {" : " {";
    for (const int number : {s.op, s.d, s.a, s.b}) text += std::to_string(number) + ", ";
    text += std::to_string(s.c) + "},";
  }
  return text + "\n};\n";
}

std::string rounded_body_steps(const Kernel& kernel, const ConstantNames& constants) {
  const std::string& name = kernel.body.spec.name;
  std::string text;
  int rows = 0;
  for (const RoundingPlace where : {RoundingPlace::kEvery, RoundingPlace::kFactors}) {
    Body body = kernel.body;
    body.dag = place_rounding(kernel.body.dag, where);
    verify(body);
    std::vector<RoundedStep> steps;
    rows = std::max(rows, place(open_steps(body.dag, constants), steps));
    text += steps_text(name + (where == RoundingPlace::kEvery ? "_every" : "_factors"), steps);
  }
  return text + "constexpr RoundedBody " + name + " = {{" + name + "_every, " + name + "_factors}, " + std::to_string(rows) + ", " +
         std::to_string(kernel.body.table.size()) + ", nullptr};\n\n";
}

}  // namespace

std::vector<GeneratedFile> emit_rounded(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::string header = kGeneratedNotice;
  header +=
      "#ifndef ULPFFT_ROUNDED_BODIES_H_\n#define ULPFFT_ROUNDED_BODIES_H_\n\n#include <span>\n\n#include \"codelets/contract/body_constant.h\"\n"
      "#include \"codelets/contract/codelet.h\"\n#include \"codelets/contract/rounded_pass.h\"\n\nnamespace ulpfft {\n\n"
      "std::span<const RoundedBodyEntry> rounded_bodies();\n"
      "// The constants they number.\nstd::span<const BodyConstant> rounded_body_constants();\n\n}  // namespace ulpfft\n\n#endif  // ULPFFT_ROUNDED_BODIES_H_\n";
  std::string source = kGeneratedNotice;
  source += "#include \"body_constants.h\"\n#include \"body_facts.h\"\n#include \"rounded_bodies.h\"\n\nnamespace ulpfft {\nnamespace {\n\n";
  std::string entries;
  for (const Kernel& kernel : kernels) {
    if (!has_rounded(kernel.body.spec)) continue;
    source += rounded_body_steps(kernel, constants);
    entries += "    {&facts::" + kernel.body.spec.name + ", &" + kernel.body.spec.name + "},\n";
  }
  source += "constexpr RoundedBodyEntry kEntries[] = {\n" + entries + "};\nconstexpr BodyConstant kConstants[] = {";
  for (int i = 0; i < constants.complex_size(); ++i) source += (i == 0 ? "kC" : ", kC") + std::to_string(i);
  source +=
      "};\n\n}  // namespace\n\nstd::span<const RoundedBodyEntry> rounded_bodies() { return kEntries; }\n"
      "std::span<const BodyConstant> rounded_body_constants() { return kConstants; }\n\n}  // namespace ulpfft\n";
  return {{"rounded_bodies.h", std::move(header)}, {"rounded_bodies.cc", std::move(source)}};
}

}  // namespace ulpfft::genfft
