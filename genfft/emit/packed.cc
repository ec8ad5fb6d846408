// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/packed.h"

#include <algorithm>
#include <map>
#include <set>

#include "codelets/contract/sums_alone.h"
#include "genfft/codelet_list.h"
#include "genfft/emit/highway.h"
#include "genfft/pass/pack.h"
#include "genfft/register_pairs.h"

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

// Bodies of more than 16 points, and all but the straight pairs, are not compiled for targets without FMA.
struct Calls {
  std::string any, fma;
  std::string& of(const std::string& body) { return std::stoi(body.substr(1)) > 16 ? fma : any; }
};

std::string add_call(const RegisterPair& pair, const std::string& type) {
  constexpr const char* kTexts[] = {"kStraight", "kLooped", "kSmall", "kShared"};
  return "  add_packed_pair<" + type + ", Packed" + struct_name(pair.first) + ", Packed" + struct_name(pair.second) + ", PackedText::" +
         kTexts[static_cast<std::size_t>(pair.text)] + ">(sink, facts::" + pair.first + ", facts::" + pair.second + ");\n";
}

int radix_of(const std::string& body) { return std::stoi(body.substr(1)); }

GeneratedFile straight(const std::vector<RegisterPair>& pairs, const std::string& compute) {
  const std::string type = compute == "f32" ? "float" : "double";
  Calls calls;
  for (const std::string& body : packed_list()) {
    if (!is_of_sums_alone(radix_of(body))) calls.of(body) += "  add_packed<" + type + ", Packed" + struct_name(body) + ">(sink, facts::" + body + ");\n";
  }
  for (const RegisterPair& pair : pairs) {
    if (pair.text == PairText::kStraight) calls.of(pair.first) += add_call(pair, type);
  }
  return instantiation_unit(compute, "packed", "packed", calls.any, calls.fma);
}

// Primes alone, then those that each second body follows. Lists are constants, because lists as arguments would be text.
std::string sums_calls(const std::vector<RegisterPair>& pairs, const std::string& type) {
  std::map<std::string, std::string> firsts;  // by the second body; "": alone
  const auto add = [&](const std::string& second, const std::string& first) { firsts[second] += (firsts[second].empty() ? "&facts::" : ", &facts::") + first; };
  for (const std::string& body : packed_list()) {
    if (is_of_sums_alone(radix_of(body))) add("", body);
  }
  for (const RegisterPair& pair : pairs) {
    if (pair.text == PairText::kSums) add(pair.second, pair.first);
  }
  std::string calls;
  for (const auto& [second, list] : firsts) {
    const std::string name = "kBefore" + struct_name(second);
    calls += "  static constexpr const BodyFacts* " + name + "[] = {" + list + "};\n  add_sums<" + type + (second.empty() ? "" : ", Packed" + struct_name(second)) +
             ">(sink, " + name + (second.empty() ? "" : ", &facts::" + second) + ");\n";
  }
  return calls;
}

GeneratedFile rolled(const std::vector<RegisterPair>& pairs, const std::string& compute) {
  std::string calls;
  const std::string type = compute == "f32" ? "float" : "double";
  for (const RegisterPair& pair : pairs) {
    if (pair.text != PairText::kStraight && pair.text != PairText::kSums) calls += add_call(pair, type);
  }
  return instantiation_unit(compute, "rolled", "packed", "", calls + sums_calls(pairs, type));
}

}  // namespace

std::vector<GeneratedFile> emit_packed(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::set<std::string> names;
  const auto use = [&](const std::string& body) {
    if (!is_of_sums_alone(radix_of(body))) names.insert(body);
  };
  for (const std::string& body : packed_list()) use(body);
  const std::vector<RegisterPair> pairs = register_pairs(kernels);
  for (const RegisterPair& pair : pairs) {
    use(pair.first);
    use(pair.second);
  }
  std::string bodies;
  for (const std::string& name : names) bodies += packed_body_text(kernel_named(kernels, name), constants) + "\n";
  return {bodies_header("packed", bodies), straight(pairs, "f32"), straight(pairs, "f64"), rolled(pairs, "f32"), rolled(pairs, "f64")};
}

}  // namespace ulpfft::genfft
