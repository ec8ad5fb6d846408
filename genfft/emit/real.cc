// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/real.h"

#include "genfft/codelet_list.h"
#include "genfft/emit/highway.h"

namespace ulpfft::genfft {
namespace {

constexpr int kLargestWithoutFma = 16;

GeneratedFile instantiations(const std::vector<Kernel>& kernels, const std::string& compute, bool cosines) {
  std::string calls, large;
  for (const Kernel& kernel : kernels) {
    const BodySpec& spec = kernel.body.spec;
    if (spec.transform == RealTransform::kNone || (spec.transform >= RealTransform::kRedft00) != cosines) continue;
    const std::string type = compute == "f32" ? "float" : "double";
    (spec.radix > kLargestWithoutFma ? large : calls) +=
        "  add_real<" + type + ", " + struct_name(spec.name) + ">(sink, facts::" + spec.name + ");\n";
  }
  return instantiation_unit(compute, cosines ? "cosines" : "real", "real", calls, large);
}

}  // namespace

std::vector<GeneratedFile> emit_real(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::string bodies;
  for (const Kernel& kernel : kernels) {
    if (kernel.body.spec.transform != RealTransform::kNone) bodies += body_text(kernel, constants, highway_dialect()) + "\n";
  }
  std::vector<GeneratedFile> files{bodies_header("real", bodies)};
  for (const std::string compute : {"f32", "f64"}) {
    for (const bool cosines : {false, true}) files.push_back(instantiations(kernels, compute, cosines));
  }
  return files;
}

}  // namespace ulpfft::genfft
