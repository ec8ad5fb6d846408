// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/reference.h"

#include <map>
#include <stdexcept>
#include <utility>

#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

const char* op_name(Op op) {
  switch (op) {
    case Op::kAdd: return "kAdd";
    case Op::kSub: return "kSub";
    case Op::kMul: return "kMul";
    case Op::kNeg: return "kNeg";
    case Op::kMulAdd: return "kFma";
    case Op::kNegMulAdd: return "kFnma";
    case Op::kMulSub: return "kFms";
    case Op::kNegMulSub: return "kFnms";
    default: return "";
  }
}

// Two values per load (or one), one per table value and operation.
int value_count(const Kernel& kernel) {
  int count = 0;
  for (const Statement& s : kernel.statements) {
    count += s.kind == Statement::Kind::kLoad ? (loads_im(kernel.body.dag, s.index) ? 2 : 1) : s.kind == Statement::Kind::kStore ? 0 : 1;
  }
  return count;
}

// The steps of a body, four to a line.
std::string steps_text(const Kernel& kernel, const ConstantNames& constants) {
  const Dag& dag = kernel.body.dag;
  std::map<std::pair<int, int>, int> loads;  // (point, component) -> value
  std::map<int, int> tables;
  std::map<NodeId, int> results;
  const auto operand = [&](NodeId id) {
    const Node& node = dag[id];
    switch (node.op) {
      case Op::kConstant: return constants.number(node.a);
      case Op::kLoad: return loads.at({node.a, node.b});
      case Op::kTable: return tables.at(node.a);
      default: return results.at(id);
    }
  };
  std::string text;
  int column = 0;
  const auto put = [&](const std::string& op, const std::vector<int>& numbers) {
    std::string step = "{BodyOp::" + op;
    for (const int number : numbers) step += ", " + std::to_string(number);
    text += (column++ % 4 == 0 ? "\n    " : " ") + step + "},";
  };
  int next = 0;
  for (const Statement& s : kernel.statements) {
    switch (s.kind) {
      case Statement::Kind::kLoad:
        put(loads_im(dag, s.index) ? "kLoad" : "kLoadRe", {s.index});
        loads[{s.index, 0}] = next++;
        if (loads_im(dag, s.index)) loads[{s.index, 1}] = next++;
        break;
      case Statement::Kind::kTable:
        put("kTable", {s.index});
        tables[s.index] = next++;
        break;
      case Statement::Kind::kStore: {
        const Store& store = dag.stores[static_cast<std::size_t>(s.index)];
        if (stores_zero_im(dag, store)) {
          put("kStoreRe", {s.index, operand(store.re)});
        } else {
          put("kStore", {s.index, operand(store.re), operand(store.im)});
        }
        break;
      }
      case Statement::Kind::kCompute: {
        std::vector<int> numbers;
        std::string name = op_name(dag[s.index].op);
        for_each_operand(dag[s.index], [&](NodeId id) {
          if (dag.is(id, Op::kConstant)) {
            // In a product the coefficient is the first operand; constants occur nowhere else.
            if (!numbers.empty() || name == "kAdd" || name == "kSub" || name == "kNeg") throw std::logic_error("a constant that is no coefficient");
            name += "C";
          }
          numbers.push_back(operand(id));
        });
        put(name, numbers);
        results[s.index] = next++;
        break;
      }
    }
  }
  return text;
}

std::string body_steps(const Kernel& kernel, const ConstantNames& constants) {
  const BodySpec& spec = kernel.body.spec;
  return "struct " + struct_name(spec.name) + " {\n  static constexpr BodyStep kSteps[] = {" + steps_text(kernel, constants) +
         "\n  };\n  static_assert(" + std::to_string(value_count(kernel)) + " <= kMostValues);\n  static constexpr Program kProgram{kSteps, kConstants, " +
         std::to_string(kernel.body.table.size()) + "};\n" +
         (spec.transform == RealTransform::kNone ? ""
                                                 : "  static constexpr int kRadix = " + std::to_string(spec.radix) +
                                                       ";\n  static constexpr RealTransform kTransform = RealTransform::" +
                                                       transform_name(spec.transform) + ";\n") +
         "};\n";
}

}  // namespace

std::vector<GeneratedFile> emit_reference(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::string bodies = kGeneratedNotice;
  bodies +=
      "// Bodies of every codelet as lists of operations, see codelets/ref/interpret.h.\n"
      "#ifndef ULPFFT_REF_BODIES_H_\n#define ULPFFT_REF_BODIES_H_\n\n"
      "#include \"body_constants.h\"\n#include \"codelets/contract/real_transform.h\"\n#include \"codelets/ref/interpret.h\"\n\nnamespace ulpfft::ref {\n\n";
  bodies += "inline constexpr BodyConstant kConstants[] = {";
  for (int i = 0; i < constants.size(); ++i) bodies += (i == 0 ? "kC" : ", kC") + std::to_string(i);
  bodies += "};\n\n";
  for (const Kernel& kernel : kernels) bodies += body_steps(kernel, constants) + "\n";
  bodies += "}  // namespace ulpfft::ref\n\n#endif  // ULPFFT_REF_BODIES_H_\n";

  std::string list = kGeneratedNotice;
  list +=
      "#include \"body_facts.h\"\n#include \"codelets/ref/real.h\"\n#include \"codelets/ref/rounded.h\"\n#include \"codelets/ref/shapes.h\"\n#include \"ref_bodies.h\"\n\n"
      "namespace ulpfft::ref {\nnamespace {\n\n";
  for (const Kernel& kernel : kernels) {
    const std::string name = struct_name(kernel.body.spec.name);
    if (has_rounded(kernel.body.spec)) list += "constexpr RoundedBody kRounded" + name + "{{}, 0, 0, &" + name + "::kProgram};\n";
  }
  list += "\n}  // namespace\n\nvoid collect(CodeletSink& sink) {\n";
  for (const std::string type : {"float", "double", "DoubleDouble"}) {
    for (const Kernel& kernel : kernels) {
      const BodySpec& spec = kernel.body.spec;
      for (const std::string& shape : ref_shapes_of(spec)) {
        list += "  add_" + shape + "<" + type + ", " + body_arguments(spec) + ">(sink, facts::" + spec.name + ");\n";
      }
    }
  }
  for (const std::string type : {"float", "double"}) {
    for (const Kernel& kernel : kernels) {
      const BodySpec& spec = kernel.body.spec;
      if (!has_rounded(spec)) continue;
      const auto add = [&](const std::string& kind) {
        list += "  add_rounded<" + type + ">(sink, PassKind::" + kind + ", facts::" + spec.name + ", " + "kRounded" + struct_name(spec.name) + ");\n";
      };
      if (spec.form != TwiddleForm::kNone) {
        add("kTwiddled");
      } else {
        add("kWhole");
        if (spec.radix > 1) add("kFirst");
      }
    }
  }
  list += "}\n\n}  // namespace ulpfft::ref\n";
  return {{"ref_bodies.h", std::move(bodies)}, {"ref_codelets.cc", std::move(list)}};
}

}  // namespace ulpfft::genfft
