// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/body_text.h"

#include <algorithm>
#include <set>

#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

std::string replaced(std::string text, const std::string& mark, const std::string& by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
  return text;
}

std::string value_name(const Dag& dag, NodeId id) {
  const Node& node = dag[id];
  if (node.op == Op::kLoad) return "x" + std::to_string(node.a) + (node.b == 0 ? "r" : "i");
  if (node.op == Op::kTable) return "w" + std::to_string(node.a);
  if (node.op == Op::kConstant) return "c" + std::to_string(node.a);
  return "t" + std::to_string(id);
}

}  // namespace

ConstantNames::ConstantNames(const std::vector<Kernel>& kernels) {
  // Steps of rounded bodies number constants: what real transforms add comes last.
  for (const bool real : {false, true}) {
    std::set<ConstantId> used;
    for (const Kernel& kernel : kernels) {
      if ((kernel.body.spec.transform != RealTransform::kNone) != real) continue;
      const Dag& dag = kernel.body.dag;
      pool_ = dag.constants();
      const std::vector<int> readers = reader_counts(dag);
      for (NodeId id = 0; id < dag.size(); ++id) {
        const bool is_constant = readers[static_cast<std::size_t>(id)] > 0 && dag.is(id, Op::kConstant);
        if (is_constant && std::find(by_value_.begin(), by_value_.end(), dag[id].a) == by_value_.end()) used.insert(dag[id].a);
      }
    }
    std::vector<ConstantId> added(used.begin(), used.end());
    std::sort(added.begin(), added.end(), [&](ConstantId x, ConstantId y) { return pool_->value(x) < pool_->value(y); });
    by_value_.insert(by_value_.end(), added.begin(), added.end());
    if (!real) complex_size_ = size();
  }
  for (std::size_t i = 0; i < by_value_.size(); ++i) number_[by_value_[i]] = static_cast<int>(i);
}

GeneratedFile ConstantNames::header() const {
  std::string text = kGeneratedNotice;
  text +=
      "// Constants of the bodies, by rising value, then those of real transforms alone; each rounded once to its type.\n"
      "#ifndef ULPFFT_BODY_CONSTANTS_H_\n#define ULPFFT_BODY_CONSTANTS_H_\n\n"
      "#include \"codelets/contract/body_constant.h\"\n\nnamespace ulpfft {\n\n";
  for (const ConstantId id : by_value_) {
    const DoubleDouble& v = pool_->value(id);
    text += "inline constexpr BodyConstant " + name(id) + " = {" + hex_literal(round_to<float>(v)) + ", " + hex_literal(v.hi) +
            ", " + hex_literal(v.hi) + ", " + hex_literal(v.lo) + "};  // " + decimal_literal(v.hi) + "\n";
  }
  text += "\n}  // namespace ulpfft\n\n#endif  // ULPFFT_BODY_CONSTANTS_H_\n";
  return {"body_constants.h", std::move(text)};
}

std::string ConstantNames::scalars() const {
  std::string text;
  for (const ConstantId id : by_value_) {
    const DoubleDouble& v = pool_->value(id);
    text += "inline constexpr float " + name(id) + "f = " + hex_literal(round_to<float>(v)) + ";\n";
    text += "inline constexpr double " + name(id) + "d = " + hex_literal(v.hi) + ";\n";
  }
  return text;
}

std::string body_text(const Kernel& kernel, const ConstantNames& constants, const Dialect& dialect) {
  const Dag& dag = kernel.body.dag;
  // Values are numbered as they appear; names of graph nodes would depend on what other passes left behind.
  std::map<NodeId, std::string> names;
  const auto name = [&](NodeId id) {
    const auto found = names.find(id);
    return found == names.end() ? value_name(dag, id) : found->second;
  };
  std::string text = "// " + kernel.body.spec.name + ": " + std::to_string(kernel.ops.add) + " add, " +
                     std::to_string(kernel.ops.mul) + " mul, " + std::to_string(kernel.ops.fma) + " fma; " +
                     std::to_string(kernel.live_values) + " live\n";
  text += "struct " + struct_name(kernel.body.spec.name) + " {\n";
  text += "  static constexpr int kRadix = " + std::to_string(kernel.body.spec.radix) + ";\n";
  if (const RealTransform transform = kernel.body.spec.transform; transform != RealTransform::kNone) {
    text += "  static constexpr RealTransform kTransform = RealTransform::" + transform_name(transform) + ";\n";
  }
  text += "  static constexpr int kTableValues = " + std::to_string(kernel.body.table.size()) + ";\n";
  text += "  " + dialect.template_line + "\n  " + dialect.run_line + " {\n";
  const std::string indent = "    ";
  if (!dialect.unused.empty()) text += indent + dialect.unused + "\n";
  for (const Statement& s : kernel.statements) {
    const std::string index = std::to_string(s.index);
    switch (s.kind) {
      case Statement::Kind::kLoad:
        if (loads_im(dag, s.index)) {
          text += indent + dialect.vector + " x" + index + "r, x" + index + "i;\n" + indent + "in.load(" + index + ", x" + index +
                  "r, x" + index + "i);\n";
        } else {
          text += indent + "const auto x" + index + "r = in.load(" + index + ");\n";
        }
        break;
      case Statement::Kind::kTable: text += indent + "const auto w" + index + " = table.get(" + index + ");\n"; break;
      case Statement::Kind::kStore: {
        const Store& store = dag.stores[static_cast<std::size_t>(s.index)];
        text += indent + "out.store(" + index + ", " + name(store.re) + (stores_zero_im(dag, store) ? "" : ", " + name(store.im)) + ");\n";
        break;
      }
      case Statement::Kind::kCompute: {
        const Node& node = dag[s.index];
        for_each_operand(node, [&](NodeId operand) {
          if (!dag.is(operand, Op::kConstant) || names.contains(operand)) return;
          const std::string constant = constants.name(dag[operand].a);
          names[operand] = "c" + constant.substr(2);
          text += indent + "const auto " + names[operand] + " = " + replaced(dialect.constant, "%", constant) + ";\n";
        });
        std::string expression = dialect.op[static_cast<std::size_t>(node.op)];
        const int count = operand_count(node.op);
        if (count >= 1) expression = replaced(expression, "%a", name(node.a));
        if (count >= 2) expression = replaced(expression, "%b", name(node.b));
        if (count >= 3) expression = replaced(expression, "%c", name(node.c));
        std::string fresh = "t";
        fresh +=
            std::to_string(std::count_if(names.begin(), names.end(), [](const auto& entry) { return entry.second[0] == 't'; }));
        names[s.index] = fresh;
        text += indent + "const auto " + fresh + " = " + expression + ";\n";
        break;
      }
    }
  }
  text += "  }\n};\n";
  return text;
}

}  // namespace ulpfft::genfft
