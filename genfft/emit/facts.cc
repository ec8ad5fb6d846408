// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/facts.h"

#include <cstdio>

#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

std::string term_text(const TableTerm& term) {
  const char* kinds[] = {"kRe", "kIm", "kRatio", "kScale", "kSign"};
  const auto flag = [](bool value) { return value ? std::string("true") : std::string("false"); };
  return std::string("{TableTerm::Kind::") + kinds[static_cast<std::size_t>(term.kind)] + ", " + std::to_string(term.j) + ", " +
         flag(term.primed) + ", " + std::to_string(term.over_j) + ", " + flag(term.over_primed) + ", " + flag(term.sqrt_half) +
         "}";
}

const char* form_name(TwiddleForm form) {
  switch (form) {
    case TwiddleForm::kStandard: return "kStandard";
    case TwiddleForm::kDualSelect: return "kDualSelect";
    case TwiddleForm::kChained: return "kChained";
    case TwiddleForm::kLinzerFeig: return "kLinzerFeig";
    case TwiddleForm::kCosine: return "kCosine";
    default: return "kNone";
  }
}

std::string transform_text(const BodySpec& spec) {
  return spec.transform == RealTransform::kNone ? "" : ",\n    .transform = RealTransform::" + transform_name(spec.transform);
}

std::string facts_text(const Kernel& kernel) {
  const BodySpec& spec = kernel.body.spec;
  std::string text;
  if (!kernel.body.table.empty()) {
    text += "constexpr TableTerm table_" + spec.name + "[] = {\n";
    for (const TableTerm& term : kernel.body.table) text += "    " + term_text(term) + ",\n";
    text += "};\n";
  }
  char digest[32];
  std::snprintf(digest, sizeof digest, "0x%016llxu", static_cast<unsigned long long>(kernel.digest));
  const auto errors = [](const BodyErrors& e) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "{%.3f, %.3f, %.3f}", e.rms, e.exact_sums, e.bias);
    return std::string(numbers);
  };
  text += "constinit const BodyFacts " + spec.name + " = {\n    .name = \"" + spec.name +
          "\",\n    .radix = " + std::to_string(spec.radix) + ",\n    .form = TwiddleForm::" + form_name(spec.form) +
          ",\n    .ops = {.add = " + std::to_string(kernel.ops.add) + ", .mul = " + std::to_string(kernel.ops.mul) +
          ", .fma = " + std::to_string(kernel.ops.fma) + "},\n    .live_values = " + std::to_string(kernel.live_values) +
          ",\n    .digest = " + digest + ",\n    .table = " + (kernel.body.table.empty() ? "{}" : "table_" + spec.name) +
          ",\n    .f32 = " + errors(kernel.f32) + ",\n    .f64 = " + errors(kernel.f64) +
          transform_text(spec) + ",\n};\n\n";
  return text;
}

const char* flag_text(bool value) { return value ? "true" : "false"; }

std::string code_literal(std::uint64_t code) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llxu", static_cast<unsigned long long>(code));
  return text;
}

// No name of a format stands alone, where it could be that of a macro.
std::string type_name(const std::string& format) { return "format_" + format; }

std::string format_text(const FormatSpec& spec) {
  const char* kinds[] = {"kWide", "kFloat", "kInteger"};
  const char* specials[] = {"kIeee", "kFn", "kFnuz", "kP3109", "kNone"};
  const char* overflows[] = {"kInfinity", "kSaturate"};
  const FormatInfo& f = spec.facts;
  return "struct " + type_name(spec.name) + " {\n  static constexpr FormatInfo kInfo = {\n      .name = " + string_literal(spec.name) +
         ", .source = " + string_literal(spec.source) + ", .kind = FormatKind::" + kinds[static_cast<std::size_t>(f.kind)] +
         ",\n      .bits = " + std::to_string(f.bits) + ", .is_signed = " + flag_text(f.is_signed) +
         ", .exponent_bits = " + std::to_string(f.exponent_bits) + ", .mantissa_bits = " + std::to_string(f.mantissa_bits) +
         ", .bias = " + std::to_string(f.bias) + ", .has_zero = " + flag_text(f.has_zero) +
         ",\n      .special = Special::" + specials[static_cast<std::size_t>(f.special)] + ", .nan = " + code_literal(f.nan) +
         ", .fraction_bits = " + std::to_string(f.fraction_bits) + ", .offset = " + decimal_literal(f.offset) +
         ", .symmetric = " + flag_text(f.symmetric) + ", .overflow = Overflow::" + overflows[static_cast<std::size_t>(f.overflow)] +
         ",\n      .largest = " + hex_literal(f.largest) + ", .smallest_normal = " + hex_literal(f.smallest_normal) +
         ", .smallest_subnormal = " + hex_literal(f.smallest_subnormal) + ",\n      .unit_roundoff = " + hex_literal(f.unit_roundoff) +
         ", .rms_error = " + decimal_literal(f.rms_error) + ", .compute = " + string_literal(spec.compute) + "};\n};\n\n";
}

std::string block_text(const BlockSpec& block) {
  std::string rule = kScaleRuleNames[static_cast<std::size_t>(block.rule)];
  rule[0] = static_cast<char>(rule[0] - 'a' + 'A');
  return "struct " + type_name(block.name) + " {\n  using Element = " + type_name(block.element) +
         ";\n  using Scale = " + type_name(block.scale) + ";\n  static constexpr BlockInfo kInfo = {\n      .name = " + string_literal(block.name) +
         ", .source = " + string_literal(block.source) + ",\n      .element = " + string_literal(block.element) +
         ", .scale = " + string_literal(block.scale) + ", .length = " + std::to_string(block.length) +
         ", .rule = ScaleRule::k" + rule + ", .rms_error = " + decimal_literal(block.rms_error) + "};\n};\n\n";
}

// #define NAME(X) X(format_a) X(format_b)
std::string list_text(const std::string& name, const std::vector<std::string>& formats) {
  std::string text = "#define " + name + "(X)";
  for (const std::string& format : formats) text += " \\\n  X(" + type_name(format) + ")";
  return text + "\n";
}

}  // namespace

std::vector<GeneratedFile> emit_body_facts(const std::vector<Kernel>& kernels) {
  std::string header = kGeneratedNotice;
  header +=
      "#ifndef ULPFFT_BODY_FACTS_H_\n#define ULPFFT_BODY_FACTS_H_\n\n#include \"codelets/contract/codelet.h\"\n\nnamespace "
      "ulpfft::facts {\n\n";
  std::string source = kGeneratedNotice;
  source += "#include \"body_facts.h\"\n\nnamespace ulpfft::facts {\n\n";
  for (const Kernel& kernel : kernels) {
    header += "extern const BodyFacts " + kernel.body.spec.name + ";\n";
    source += facts_text(kernel);
  }
  header += "\n}  // namespace ulpfft::facts\n\n#endif  // ULPFFT_BODY_FACTS_H_\n";
  source += "}  // namespace ulpfft::facts\n";
  return {{"body_facts.h", std::move(header)}, {"body_facts.cc", std::move(source)}};
}

std::vector<GeneratedFile> emit_formats(const FormatSet& set) {
  std::string types;
  std::vector<std::string> narrow, blocks;
  std::string infos, block_infos;
  for (const FormatSpec& format : set.formats) {
    types += format_text(format);
    if (format.facts.kind != FormatKind::kWide) narrow.push_back(format.name);
    infos += "    " + type_name(format.name) + "::kInfo,\n";
  }
  for (const BlockSpec& block : set.blocks) {
    types += block_text(block);
    blocks.push_back(block.name);
    block_infos += "    " + type_name(block.name) + "::kInfo,\n";
  }
  std::string header = kGeneratedNotice;
  header +=
      "#ifndef ULPFFT_FORMATS_H_\n#define ULPFFT_FORMATS_H_\n\n#include <span>\n\n#include \"codelets/contract/format_info.h\"\n\n"
      "namespace ulpfft {\n\n" +
      types +
      "// In the order of the build's list of descriptors.\nstd::span<const FormatInfo> formats();\n"
      "std::span<const BlockInfo> block_formats();\n\n}  // namespace ulpfft\n\n"
      "// The formats that are not wide, and those in blocks: X(format_NAME) for each.\n" +
      list_text("ULPFFT_ELEMENT_FORMATS", narrow) + list_text("ULPFFT_BLOCK_FORMATS", blocks) + "\n#endif  // ULPFFT_FORMATS_H_\n";
  std::string source = kGeneratedNotice;
  source += "#include \"formats.h\"\n\nnamespace ulpfft {\n";
  source += "namespace {\n\nconstexpr FormatInfo kFormats[] = {\n" + infos + "};\n";
  if (!blocks.empty()) source += "constexpr BlockInfo kBlocks[] = {\n" + block_infos + "};\n";
  source += "\n}  // namespace\n\nstd::span<const FormatInfo> formats() { return kFormats; }\nstd::span<const BlockInfo> block_formats() { return ";
  source += blocks.empty() ? "{}" : "kBlocks";
  source += "; }\n\n}  // namespace ulpfft\n";
  return {{"formats.h", std::move(header)}, {"formats.cc", std::move(source)}};
}

}  // namespace ulpfft::genfft
