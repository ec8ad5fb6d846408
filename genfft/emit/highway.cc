// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/highway.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "genfft/codelet_list.h"
#include "genfft/register_pairs.h"

namespace ulpfft::genfft {
Dialect highway_dialect() {
  Dialect d;
  d.template_line = "template <class D, class In, class Table, class Out>";
  d.run_line = "static HWY_INLINE void run([[maybe_unused]] D d, const In& in, [[maybe_unused]] const Table& table, Out& out)";
  d.vector = "hn::Vec<D>";
  d.constant = "hn::Set(d, constant<hn::TFromD<D>>(%))";
  const auto op = [&](Op which) -> std::string& { return d.op[static_cast<std::size_t>(which)]; };
  op(Op::kAdd) = "hn::Add(%a, %b)";
  op(Op::kSub) = "hn::Sub(%a, %b)";
  op(Op::kMul) = "hn::Mul(%a, %b)";
  op(Op::kNeg) = "hn::Neg(%a)";
  op(Op::kMulAdd) = "hn::MulAdd(%a, %b, %c)";
  op(Op::kNegMulAdd) = "hn::NegMulAdd(%a, %b, %c)";
  op(Op::kMulSub) = "hn::MulSub(%a, %b, %c)";
  op(Op::kNegMulSub) = "hn::NegMulSub(%a, %b, %c)";
  return d;
}

GeneratedFile bodies_header(const std::string& unit, const std::string& bodies) {
  std::string guard = "ULPFFT_HWY_";
  for (const char c : unit) guard += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  guard += "_INL_H_";
  std::string text = kGeneratedNotice;
  text += "#if defined(" + guard + ") == defined(HWY_TARGET_TOGGLE)\n#ifdef " + guard + "\n#undef " + guard + "\n#else\n#define " + guard +
          "\n#endif\n\n#include \"body_constants.h\"\n#include \"hwy/highway.h\"\n\nHWY_BEFORE_NAMESPACE();\nnamespace ulpfft {\n"
          "namespace HWY_NAMESPACE {\nnamespace hn = hwy::HWY_NAMESPACE;\n\n" + bodies +
          "}  // namespace HWY_NAMESPACE\n}  // namespace ulpfft\nHWY_AFTER_NAMESPACE();\n\n#endif  // " + guard + "\n";
  return {"hwy_" + unit + "-inl.h", std::move(text)};
}

GeneratedFile instantiation_unit(const std::string& compute, const std::string& unit, const std::string& shapes, const std::string& calls,
                                 const std::string& large) {
  const std::string name = "hwy_" + compute + "_" + unit + ".cc";
  std::string text = kGeneratedNotice;
  text += "#include \"body_facts.h\"\n#include \"codelets/hwy/collect.h\"\n\n#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE \"" + name +
          "\"\n#include \"hwy/foreach_target.h\"  // IWYU pragma: keep\n#include \"hwy/highway.h\"\n\n#include \"codelets/hwy/" + shapes +
          "-inl.h\"\n#include \"hwy_" + shapes +
          "-inl.h\"\n\nHWY_BEFORE_NAMESPACE();\nnamespace ulpfft {\nnamespace HWY_NAMESPACE {\n\nvoid collect_" + compute + "_" + unit +
          "(CodeletSink& sink) {\n#if ULPFFT_HWY_SIMD\n" + calls + "#if ULPFFT_HWY_FMA\n" + large +
          "#endif\n#else\n  (void)sink;\n#endif\n}\n\n}  // namespace HWY_NAMESPACE\n}  // namespace ulpfft\nHWY_AFTER_NAMESPACE();\n\n"
          "#if HWY_ONCE\nULPFFT_HWY_COLLECT(" + compute + ", " + unit + ")\n#endif\n";
  return {name, std::move(text)};
}

namespace {

// Compile time grows a little faster than length.
double cost_of_operations(double operations) { return (operations + 10) * (1 + operations / 1000); }

struct Groups {
  std::vector<std::vector<std::size_t>> members;  // indices of kernels, in list order
  std::vector<int> group_of;
};

Groups divide(const std::vector<Kernel>& kernels, int count) {
  Groups groups{.members = std::vector<std::vector<std::size_t>>(static_cast<std::size_t>(count)),
                .group_of = std::vector<int>(kernels.size(), 0)};
  std::vector<double> load(static_cast<std::size_t>(count), 0);
  for (const auto& [first, second] : whole_two_list()) {
    load.back() += cost_of_operations(kernel_named(kernels, first).ops.total() + kernel_named(kernels, second).ops.total());
  }
  std::vector<double> cost;
  for (const Kernel& kernel : kernels) {
    const double one = cost_of_operations(kernel.ops.total());
    cost.push_back(one * static_cast<double>(shapes_of(kernel.body.spec).size()));
    // Dual-select passes call the standard pass; where that is in another file, both compile it.
    if (kernel.body.spec.form == TwiddleForm::kDualSelect) cost.back() += cost_of_operations(kernel_named(kernels, standard_body(kernel.body.spec)).ops.total());
  }
  std::vector<std::size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(cost[b], a) < std::pair(cost[a], b); });
  for (const bool large : {true, false}) {
    for (const std::size_t i : order) {
      if ((kernels[i].body.spec.radix >= 25) != large) continue;
      const std::size_t least = large ? 0 : static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
      load[least] += cost[i];
      groups.group_of[i] = static_cast<int>(least);
      groups.members[least].push_back(i);
    }
  }
  for (auto& members : groups.members) std::sort(members.begin(), members.end());
  return groups;
}

std::string bodies_file(int group) { return "hwy_bodies_" + std::to_string(group) + "-inl.h"; }

GeneratedFile bodies(const std::vector<Kernel>& kernels, const ConstantNames& constants, const Groups& groups, int group) {
  std::string text;
  for (const std::size_t i : groups.members[static_cast<std::size_t>(group)]) text += body_text(kernels[i], constants, highway_dialect()) + "\n";
  return bodies_header("bodies_" + std::to_string(group), text);
}

GeneratedFile instantiations(const std::vector<Kernel>& kernels, const std::vector<RegisterPair>& packed, const Groups& groups, int group,
                             const std::string& compute) {
  const std::string type = compute == "f32" ? "float" : "double";
  const std::string id = std::to_string(group);
  const std::string name = "hwy_" + compute + "_" + id + ".cc";
  std::set<int> headers = {group};
  std::string calls;
  std::string fma_calls;  // not compiled for targets without FMA: the forms that live on it, and large bodies, for their text
  for (const std::size_t i : groups.members[static_cast<std::size_t>(group)]) {
    const BodySpec& spec = kernels[i].body.spec;
    const bool needs_fma = spec.form == TwiddleForm::kDualSelect || spec.form == TwiddleForm::kChained || spec.radix > 16;
    for (const std::string& shape : shapes_of(spec)) {
      (needs_fma ? fma_calls : calls) +=
          "  add_" + shape + "<" + type + ", " + body_arguments(spec) + ">(sink, facts::" + spec.name + ");\n";
    }
    if (spec.form == TwiddleForm::kDualSelect) {
      headers.insert(groups.group_of[static_cast<std::size_t>(&kernel_named(kernels, standard_body(spec)) - kernels.data())]);
    }
  }
  if (static_cast<std::size_t>(group) + 1 == groups.members.size()) {
    for (const auto& pair : whole_two_list()) {
      const auto& [first, second] = pair;
      // Only where registers do not serve it.
      if (std::any_of(packed.begin(), packed.end(), [&](const RegisterPair& other) { return std::pair(other.first, other.second) == pair; })) {
        (kernel_named(kernels, first).body.spec.radix > 16 ? fma_calls : calls) += "  if constexpr (ULPFFT_HWY_SIZELESS || !packed_serves(static_cast<int>(hn::MaxLanes(hn::ScalableTag<" + type + ">())), sizeof(" +
            type + "), " + struct_name(first) + "::kRadix, " + struct_name(second) + "::kRadix))\n  ";
      }
      (kernel_named(kernels, first).body.spec.radix > 16 ? fma_calls : calls) += "  add_whole_two<" + type + ", " + struct_name(first) + ", " + struct_name(second) + ">(sink, facts::" + first +
               ", facts::" + second + ");\n";
      for (const std::string& body : {first, second}) {
        headers.insert(groups.group_of[static_cast<std::size_t>(&kernel_named(kernels, body) - kernels.data())]);
      }
    }
  }
  std::string text = kGeneratedNotice;
  text +=
      "#include \"body_facts.h\"\n#include \"codelets/hwy/collect.h\"\n\n#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE "
      "\"" +
      name +
      "\"\n#include \"hwy/foreach_target.h\"  // IWYU pragma: keep\n#include \"hwy/highway.h\"\n\n#include "
      "\"codelets/hwy/columns-inl.h\"\n";
  for (const int header : headers) text += "#include \"" + bodies_file(header) + "\"\n";
  text += "\nHWY_BEFORE_NAMESPACE();\nnamespace ulpfft {\nnamespace HWY_NAMESPACE {\n\nvoid collect_" + compute + "_" + id +
          "(CodeletSink& sink) {\n#if ULPFFT_HWY_SIMD\n" + calls +
          (fma_calls.empty() ? "" : "#if ULPFFT_HWY_FMA\n" + fma_calls + "#endif\n") +
          "#else\n  (void)sink;\n#endif\n}\n\n}  // namespace HWY_NAMESPACE\n}  // namespace ulpfft\nHWY_AFTER_NAMESPACE();\n\n"
          "#if HWY_ONCE\nULPFFT_HWY_COLLECT(" +
          compute + ", " + id + ")\n#endif\n";
  return {name, std::move(text)};
}

bool has_loops(const std::vector<RegisterPair>& pairs, const std::string& first, const std::string& second) {
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const RegisterPair& pair) { return pair.first == first && pair.second == second && pair.text != PairText::kStraight; });
}

// First and last passes, and pairs in registers, with narrow storage at their outer ends.
GeneratedFile fused(const std::vector<Kernel>& kernels, const std::vector<RegisterPair>& pairs, const Groups& groups) {
  const std::string name = "hwy_f32_fused.cc";
  std::set<int> headers;
  const auto use = [&](const std::string& body) { headers.insert(groups.group_of[static_cast<std::size_t>(&kernel_named(kernels, body) - kernels.data())]); };
  std::string calls;
  for (const auto& [format, port, encodes] : fused_format_list()) {
    const std::string ends = port + ", format_" + format + "::kInfo>(sink, facts::";
    for (const std::string& body : fused_first_list(format)) {
      use(body);
      calls += "  add_first_fused<" + struct_name(body) + ", " + ends + body + ");\n";
    }
    for (const std::string& body : encodes ? fused_last_list(format) : std::vector<std::string>()) {
      use(body);
      calls += "  add_twiddled_fused<" + struct_name(body) + ", " + ends + body + ");\n";
    }
    for (const auto& [first, second] : fused_packed_list(format)) {
      const bool loops = has_loops(pairs, first, second);
      calls += std::string("  add_packed_fused<") + (loops ? "true" : "false") + ", Packed" + struct_name(first) + ", Packed" + struct_name(second) + ", " + ends + first + ", facts::" + second + ");\n";
    }
    for (const auto& [first, second] : fused_widening_list(format)) {
      calls += "  add_packed_decode<Packed" + struct_name(first) + ", Packed" + struct_name(second) + ", " + ends + first + ", facts::" + second + ");\n";
    }
  }
  for (const auto& [format, port] : fused_block_list()) {
    for (const std::string& body : fused_first_list(format)) {
      calls += "  add_first_block<" + struct_name(body) + ", " + port + ", format_" + format + ">(sink, facts::" + body + ");\n";
    }
    for (const auto& [first, second] : fused_packed_block_list()) {
      calls += "  add_packed_block<Packed" + struct_name(first) + ", Packed" + struct_name(second) + ", " + port + ", format_" + format + ">(sink, facts::" + first +
               ", facts::" + second + ");\n";
    }
  }
  calls += "#if ULPFFT_FUSE_ALL_FORMATS\n#define ULPFFT_FUSE(format)";
  for (const std::string& body : fused_first_list("")) calls += " add_first_of_any<" + struct_name(body) + ", format>(sink, facts::" + body + ");";
  for (const std::string& body : fused_last_list("")) calls += " add_twiddled_of_any<" + struct_name(body) + ", format>(sink, facts::" + body + ");";
  calls += "\n  ULPFFT_ELEMENT_FORMATS(ULPFFT_FUSE)\n#undef ULPFFT_FUSE\n#endif\n";
  std::string text = kGeneratedNotice;
  text += "#include \"body_facts.h\"\n#include \"codelets/hwy/collect.h\"\n#include \"formats.h\"\n\n#undef HWY_TARGET_INCLUDE\n"
          "#define HWY_TARGET_INCLUDE \"" + name +
          "\"\n#include \"hwy/foreach_target.h\"  // IWYU pragma: keep\n#include \"hwy/highway.h\"\n\n#include \"codelets/hwy/fused-inl.h\"\n#include \"codelets/hwy/packed_blocks-inl.h\"\n"
          "#include \"hwy_packed-inl.h\"\n";
  for (const int header : headers) text += "#include \"" + bodies_file(header) + "\"\n";
  text += "\nHWY_BEFORE_NAMESPACE();\nnamespace ulpfft {\nnamespace HWY_NAMESPACE {\n\nvoid collect_f32_fused(CodeletSink& sink) {\n"
          "#if ULPFFT_HWY_FUSED\n" + calls +
          "#else\n  (void)sink;\n#endif\n}\n\n}  // namespace HWY_NAMESPACE\n}  // namespace ulpfft\nHWY_AFTER_NAMESPACE();\n\n"
          "#if HWY_ONCE\nULPFFT_HWY_COLLECT(f32, fused)\n#endif\n";
  return {name, std::move(text)};
}

}  // namespace

std::vector<GeneratedFile> emit_highway(const std::vector<Kernel>& all, const ConstantNames& constants, int groups) {
  std::vector<Kernel> kernels;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kernels),
               [](const Kernel& kernel) {
                 const BodySpec& spec = kernel.body.spec;
                 return !is_comparison(spec.form) && !shapes_of(spec).empty() && spec.transform == RealTransform::kNone;
               });
  const Groups divided = divide(kernels, groups);
  const std::vector<RegisterPair> packed = register_pairs(all);
  std::vector<GeneratedFile> files;
  std::string list;
  for (int group = 0; group < groups; ++group) files.push_back(bodies(kernels, constants, divided, group));
  for (const std::string compute : {"f32", "f64"}) {
    list += " X(" + compute + ", packed) X(" + compute + ", rolled)" + " X(" + compute + ", real) X(" + compute + ", cosines)";
    for (int group = 0; group < groups; ++group) {
      files.push_back(instantiations(kernels, packed, divided, group, compute));
      list += " X(" + compute + ", " + std::to_string(group) + ")";
    }
  }
  files.push_back(fused(kernels, register_pairs(all), divided));
  list += " X(f32, fused)";
  std::string text = kGeneratedNotice;
  text +=
      "// Calls X(compute, group) for every translation unit of the hwy backend.\n#ifndef ULPFFT_HWY_GROUPS_H_\n"
      "#define ULPFFT_HWY_GROUPS_H_\n\n#define ULPFFT_HWY_GROUPS(X)" +
      list + "\n\n#endif  // ULPFFT_HWY_GROUPS_H_\n";
  files.push_back({"hwy_groups.h", std::move(text)});
  return files;
}

}  // namespace ulpfft::genfft
