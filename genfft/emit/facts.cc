#include "genfft/emit/facts.h"

#include <cstdio>

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
  char error[32];
  std::snprintf(error, sizeof error, "%.3f", kernel.rms_error_f32);
  text += "constinit const BodyFacts " + spec.name + " = {\n    .name = \"" + spec.name +
          "\",\n    .radix = " + std::to_string(spec.radix) + ",\n    .form = TwiddleForm::" + form_name(spec.form) +
          ",\n    .ops = {.add = " + std::to_string(kernel.ops.add) + ", .mul = " + std::to_string(kernel.ops.mul) +
          ", .fma = " + std::to_string(kernel.ops.fma) + "},\n    .live_values = " + std::to_string(kernel.live_values) +
          ",\n    .digest = " + digest + ",\n    .table = " + (kernel.body.table.empty() ? "{}" : "table_" + spec.name) +
          ",\n    .rms_error_f32 = " + error + ",\n};\n\n";
  return text;
}

std::string format_text(const FormatSpec& f) {
  return "    {.name = " + string_literal(f.name) + ", .source = " + string_literal(f.source) +
         ", .bits = " + std::to_string(f.bits) + ", .exponent_bits = " + std::to_string(f.exponent) +
         ", .mantissa_bits = " + std::to_string(f.mantissa) + ", .bias = " + std::to_string(f.bias) +
         ",\n     .largest = " + hex_literal(f.largest()) + ", .smallest_normal = " + hex_literal(f.smallest_normal()) +
         ", .smallest_subnormal = " + hex_literal(f.smallest_subnormal()) +
         ",\n     .unit_roundoff = " + hex_literal(f.unit_roundoff()) + ", .rms_error = " + decimal_literal(f.rms_error()) +
         ", .compute = " + string_literal(f.compute) + "},\n";
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

std::vector<GeneratedFile> emit_formats(const std::vector<FormatSpec>& formats) {
  std::string header = kGeneratedNotice;
  header +=
      "#ifndef ULPFFT_FORMATS_H_\n#define ULPFFT_FORMATS_H_\n\n#include <span>\n\n#include "
      "\"codelets/contract/format_info.h\"\n\n"
      "namespace ulpfft {\n\n// In the order of the build's list of descriptors.\nstd::span<const FormatInfo> formats();\n\n"
      "}  // namespace ulpfft\n\n#endif  // ULPFFT_FORMATS_H_\n";
  std::string source = kGeneratedNotice;
  source += "#include \"formats.h\"\n\nnamespace ulpfft {\nnamespace {\n\nconstexpr FormatInfo kFormats[] = {\n";
  for (const FormatSpec& format : formats) source += format_text(format);
  source += "};\n\n}  // namespace\n\nstd::span<const FormatInfo> formats() { return kFormats; }\n\n}  // namespace ulpfft\n";
  return {{"formats.h", std::move(header)}, {"formats.cc", std::move(source)}};
}

}  // namespace ulpfft::genfft
