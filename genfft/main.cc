// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// genfft: writes the codelets of a build, and shows what it would write.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "codelets/contract/quantisation_error.h"
#include "genfft/codelet_list.h"
#include "genfft/emit/cuda.h"
#include "genfft/emit/facts.h"
#include "genfft/emit/highway.h"
#include "genfft/emit/packed.h"
#include "genfft/emit/real.h"
#include "genfft/emit/reference.h"
#include "genfft/emit/rounded.h"
#include "genfft/format/parse.h"
#include "genfft/ir/print.h"
#include "genfft/pipeline.h"

namespace {

using namespace ulpfft::genfft;

constexpr const char* kUsage =
    "usage: ulpfft-genfft COMMAND ...\n"
    "  emit --outdir DIR --groups G FORMAT.json...   write the codelets; G translation units per compute type (2 to 64)\n"
    "  stats                                         operation counts before and after fusing, live values, per body\n"
    "  dump BODY                                     scheduled statements of a body, e.g. t8_ds\n"
    "  describe FORMAT.json...                       what follows from the last descriptor; the others are those it refers to\n"
    "  check FORMAT.json...                          validate descriptors, which may refer to each other; exit status 1 on the first fault\n";

int usage_error(const std::string& message) {
  std::fprintf(stderr, "ulpfft-genfft: %s\n%s", message.c_str(), kUsage);
  return 2;
}

int emit(const std::vector<std::string>& arguments) {
  std::string folder;
  int groups = 0;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--outdir" || argument == "--groups") {
      if (++i == arguments.size()) return usage_error(argument + " needs a value");
      const std::string& value = arguments[i];
      if (argument == "--outdir") {
        folder = value;
        continue;
      }
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), groups);
      if (error != std::errc() || end != value.data() + value.size() || groups < kFewestGroups || groups > kMostGroups) {
        return usage_error("--groups must be an integer from 2 to 64, not '" + value + "'");
      }
    } else if (argument.starts_with("-")) {
      return usage_error("emit does not know '" + argument + "'");
    } else {
      paths.push_back(argument);
    }
  }
  if (folder.empty() || groups == 0 || paths.empty()) return usage_error("emit needs --outdir, --groups and at least one format");
  const FormatSet formats = read_formats(paths);
  const std::vector<Kernel> kernels = make_all_kernels();
  const ConstantNames constants(kernels);
  write_if_changed(folder, {constants.header()});
  write_if_changed(folder, emit_body_facts(kernels));
  write_if_changed(folder, emit_reference(kernels, constants));
  write_if_changed(folder, emit_rounded(kernels, constants));
  write_if_changed(folder, emit_highway(kernels, constants, groups));
  write_if_changed(folder, emit_packed(kernels, constants));
  write_if_changed(folder, emit_real(kernels, constants));
  write_if_changed(folder, emit_cuda(kernels, constants));
  write_if_changed(folder, emit_formats(formats));
  return 0;
}

int dump(const std::string& name) {
  for (const BodySpec& spec : body_list()) {
    if (spec.name != name) continue;
    std::fputs(print_kernel(make_kernel(spec, std::make_shared<ConstantPool>())).c_str(), stdout);
    return 0;
  }
  std::string list;
  for (const BodySpec& spec : body_list()) list += " " + spec.name;
  return usage_error("there is no body '" + name + "'; there are" + list);
}

void print_element(const FormatSpec& spec) {
  const ulpfft::FormatInfo& f = spec.facts;
  std::printf("%s: %s\n", spec.name.c_str(), spec.source.c_str());
  if (f.kind == ulpfft::FormatKind::kInteger) {
    std::printf("  value = (code - %g) * 2^%d, %s codes of %d bits, computed in %s\n", f.offset, -f.fraction_bits,
                f.is_signed ? "signed" : "unsigned", f.bits, spec.compute.c_str());
    std::printf("  largest             %.17g\n  lowest              %.17g\n", f.largest, ulpfft::lowest_value(f));
  } else {
    std::printf("  bits %d = %d + %d + %d, bias %d, computed in %s\n", f.bits, f.is_signed ? 1 : 0, f.exponent_bits, f.mantissa_bits, f.bias,
                spec.compute.c_str());
    std::printf("  largest             %.17g\n  smallest normal     %.17g\n  smallest subnormal  %.17g\n", f.largest, f.smallest_normal,
                f.smallest_subnormal);
  }
  std::printf("  unit roundoff       %.6g\n  rms error           %.6g  (one quantisation of normal data, rms %g)\n", f.unit_roundoff,
              f.rms_error, ulpfft::placed_rms(f));
}

// The last file is described; those before it define what it refers to.
int describe(const std::vector<std::string>& paths) {
  const FormatSet set = read_formats(paths);
  const Descriptor last = read_descriptor(paths.back());
  if (const FormatSpec* format = std::get_if<FormatSpec>(&last)) {
    print_element(*format);
    return 0;
  }
  const BlockSpec& block = set.blocks.back();
  std::printf("%s: %s\n  blocks of %d %s sharing a scale, %s; scale rule %s\n", block.name.c_str(), block.source.c_str(), block.length,
              block.element.c_str(), block.scale.c_str(), ulpfft::kScaleRuleNames[static_cast<std::size_t>(block.rule)]);
  std::printf("  bits per value      %.6g\n  rms error           %.6g  (one quantisation of normal data)\n", block.bits_per_value,
              block.rms_error);
  return 0;
}

int run(const std::string& command, const std::vector<std::string>& arguments) {
  if (command == "emit") return emit(arguments);
  if (command == "stats") {
    if (!arguments.empty()) return usage_error("stats takes no arguments");
    std::fputs(print_stats(make_all_kernels()).c_str(), stdout);
    return 0;
  }
  if (command == "dump") {
    if (arguments.size() != 1) return usage_error("dump takes one argument");
    return dump(arguments[0]);
  }
  if (command == "describe" || command == "check") {
    if (arguments.empty()) return usage_error(command + " needs at least one descriptor");
    if (command == "describe") return describe(arguments);
    read_formats(arguments);
    for (const std::string& path : arguments) std::printf("%s: valid\n", path.c_str());
    return 0;
  }
  return usage_error("there is no command '" + command + "'");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return usage_error("a command is missing");
  if (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  try {
    return run(argv[1], std::vector<std::string>(argv + 2, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ulpfft-genfft: %s\n", error.what());
    return 1;
  }
}
