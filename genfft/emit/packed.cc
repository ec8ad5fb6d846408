// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/packed.h"

#include <algorithm>
#include <set>

#include "genfft/codelet_list.h"
#include "genfft/pass/pack.h"

namespace ulpfft::genfft {
namespace {

const char* operation(Op op) {
  switch (op) {
    case Op::kAdd: return "Add";
    case Op::kSub: return "Sub";
    case Op::kMul: return "Mul";
    case Op::kMulAdd: return "MulAdd";
    case Op::kNegMulAdd: return "NegMulAdd";
    case Op::kMulSub: return "MulSub";
    default: return "NegMulSub";
  }
}

}  // namespace

std::string packed_body_text(const Kernel& kernel, const ConstantNames& constants) {
  const PackedKernel packed = pack(kernel);
  const BodySpec& spec = kernel.body.spec;
  std::string text = "struct Packed" + struct_name(spec.name) + " {\n  static constexpr int kRadix = " + std::to_string(spec.radix) +
                     ";\n  static constexpr int kTableValues = " + std::to_string(kernel.body.table.size()) +
                     ";\n  template <class D, class In, class Table, class Out>\n  static HWY_INLINE void run([[maybe_unused]] D d, "
                     "[[maybe_unused]] hn::Vec<D> turn, const In& in, [[maybe_unused]] const Table& table, Out& out) {\n";
  const std::string indent = "    ";
  std::set<std::string> constants_made;
  const auto name = [](int node) { return "v" + std::to_string(node); };
  for (const PackedStatement& statement : packed.statements) {
    if (statement.store) {
      text += indent + "out.store(" + std::to_string(statement.point) + ", " + name(statement.node) + ");\n";
      continue;
    }
    const PackedNode& node = packed.nodes[static_cast<std::size_t>(statement.node)];
    std::string value;
    switch (node.kind) {
      case PackedNode::Kind::kLoad: value = "in.load(" + std::to_string(node.index) + ")"; break;
      case PackedNode::Kind::kSwap: value = "hn::Reverse2(d, " + name(node.x) + ")"; break;
      case PackedNode::Kind::kCompute: {
        std::string factor;
        if (node.factor == PackedNode::Factor::kTable) {
          factor = "table.get(" + std::to_string(node.index) + ")";
        } else if (node.factor == PackedNode::Factor::kConstant) {
          const std::string constant = constants.name(node.index);
          factor = "c" + constant.substr(2) + (node.turned ? "t" : "");
          if (constants_made.insert(factor).second) {
            const std::string set = "hn::Set(d, constant<hn::TFromD<D>>(" + constant + "))";
            text += indent + "const auto " + factor + " = " + (node.turned ? "hn::Mul(turn, " + set + ")" : set) + ";\n";
          }
        } else if (node.turned) {
          factor = "turn";
        }
        value = std::string("hn::") + operation(node.op) + "(" + (factor.empty() ? "" : factor + ", ") + name(node.x) +
                (node.y >= 0 ? ", " + name(node.y) : "") + ")";
        break;
      }
    }
    text += indent + "const auto " + name(statement.node) + " = " + value + ";\n";
  }
  return text + "  }\n};\n";
}

namespace {

const Kernel& kernel_named(const std::vector<Kernel>& kernels, const std::string& name) {
  return *std::find_if(kernels.begin(), kernels.end(), [&](const Kernel& k) { return k.body.spec.name == name; });
}

std::string add_pair(const std::string& add, const std::string& type, const std::string& first, const std::string& second) {
  const std::string bodies = "Packed" + struct_name(first) + ", Packed" + struct_name(second);
  return "  " + add + "<" + type + ", " + bodies + ">(sink, facts::" + first + ", facts::" + second + ");\n";
}

// `calls`: of every target with vectors; `large`: of those with FMA.
GeneratedFile translation_unit(const std::string& compute, const std::string& unit, const std::string& calls, const std::string& large) {
  const std::string name = "hwy_" + compute + "_" + unit + ".cc";
  std::string text = kGeneratedNotice;
  text +=
      "#include \"body_facts.h\"\n#include \"codelets/hwy/collect.h\"\n\n#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"" + name +
      "\"\n#include \"hwy/foreach_target.h\"  // IWYU pragma: keep\n#include \"hwy/highway.h\"\n\n#include \"codelets/hwy/packed-inl.h\"\n"
      "#include \"hwy_packed-inl.h\"\n\nHWY_BEFORE_NAMESPACE();\nnamespace ulpfft {\nnamespace HWY_NAMESPACE {\n\nvoid collect_" +
      compute + "_" + unit + "(CodeletSink& sink) {\n#if ULPFFT_HWY_SIMD\n" + calls + "#if ULPFFT_HWY_FMA\n" + large +
      "#endif\n#else\n  (void)sink;\n#endif\n}\n\n}  // namespace HWY_NAMESPACE\n}  // namespace ulpfft\nHWY_AFTER_NAMESPACE();\n\n"
      "#if HWY_ONCE\nULPFFT_HWY_COLLECT(" + compute + ", " + unit + ")\n#endif\n";
  return {name, std::move(text)};
}

GeneratedFile instantiations(const std::string& compute) {
  const std::string type = compute == "f32" ? "float" : "double";
  // Bodies of more than 16 points are not compiled for targets without FMA.
  std::string calls;
  std::string large;
  for (const std::string& body : packed_list()) {
    (std::stoi(body.substr(1)) > 16 ? large : calls) +=
        "  add_packed<" + type + ", Packed" + struct_name(body) + ">(sink, facts::" + body + ");\n";
  }
  for (const auto& [first, second] : packed_two_list()) {
    (std::stoi(first.substr(1)) > 16 ? large : calls) += add_pair("add_packed_two", type, first, second);
  }
  return translation_unit(compute, "packed", calls, large);
}

GeneratedFile rolled(const std::string& compute) {
  std::string large;
  const std::string type = compute == "f32" ? "float" : "double";
  for (const auto& [first, second] : packed_rolled_list()) large += add_pair("add_packed_rolled", type, first, second);
  return translation_unit(compute, "rolled", "", large);
}

}  // namespace

std::vector<GeneratedFile> emit_packed(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::set<std::string> names;
  for (const std::string& body : packed_list()) names.insert(body);
  for (const auto& [first, second] : packed_two_list()) names.insert({first, second});
  for (const auto& [first, second] : packed_rolled_list()) names.insert({first, second});
  const std::string guard = "ULPFFT_HWY_PACKED_INL_H_";
  std::string text = kGeneratedNotice;
  text += "#if defined(" + guard + ") == defined(HWY_TARGET_TOGGLE)\n#ifdef " + guard + "\n#undef " + guard + "\n#else\n#define " + guard +
          "\n#endif\n\n#include \"body_constants.h\"\n#include \"hwy/highway.h\"\n\nHWY_BEFORE_NAMESPACE();\nnamespace ulpfft {\n"
          "namespace HWY_NAMESPACE {\nnamespace hn = hwy::HWY_NAMESPACE;\n\n";
  for (const std::string& name : names) text += packed_body_text(kernel_named(kernels, name), constants) + "\n";
  text += "}  // namespace HWY_NAMESPACE\n}  // namespace ulpfft\nHWY_AFTER_NAMESPACE();\n\n#endif  // " + guard + "\n";
  return {{"hwy_packed-inl.h", std::move(text)}, instantiations("f32"), instantiations("f64"), rolled("f32"), rolled("f64")};
}

}  // namespace ulpfft::genfft
