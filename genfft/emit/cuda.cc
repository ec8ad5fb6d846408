// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/emit/cuda.h"

#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

Dialect dialect() {
  Dialect d;
  d.template_line = "template <class T, class In, class Table, class Out>";
  d.run_line = "static ULPFFT_BODY void run(const In& in, [[maybe_unused]] const Table& table, Out& out)";
  d.vector = "T";
  d.constant = "constant<T>(%f, %d)";
  const auto op = [&](Op which) -> std::string& { return d.op[static_cast<std::size_t>(which)]; };
  op(Op::kAdd) = "add(%a, %b)";
  op(Op::kSub) = "sub(%a, %b)";
  op(Op::kMul) = "mul(%a, %b)";
  op(Op::kNeg) = "-%a";
  op(Op::kMulAdd) = "fma(%a, %b, %c)";
  op(Op::kNegMulAdd) = "fnma(%a, %b, %c)";
  op(Op::kMulSub) = "fms(%a, %b, %c)";
  op(Op::kNegMulSub) = "fnms(%a, %b, %c)";
  return d;
}

}  // namespace

std::vector<GeneratedFile> emit_cuda(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::string bodies = kGeneratedNotice;
  bodies +=
      "#ifndef ULPFFT_CUDA_BODIES_H_\n#define ULPFFT_CUDA_BODIES_H_\n\n#include \"codelets/cuda/portable.h\"\n\n"
      "namespace ulpfft::cuda {\n\n" +
      constants.scalars() + "\n";
  std::string list = kGeneratedNotice;
  list +=
      "// Calls X(struct of a body, its facts) for every body of backend cuda.\n"
      "#ifndef ULPFFT_CUDA_LIST_H_\n#define ULPFFT_CUDA_LIST_H_\n\n"
      "#define ULPFFT_CUDA_BODIES(X)";
  for (const Kernel& kernel : kernels) {
    const BodySpec& spec = kernel.body.spec;
    if (!has_cuda(spec)) continue;
    bodies += body_text(kernel, constants, dialect()) + "\n";
    list += " \\\n  X(" + struct_name(spec.name) + ", " + spec.name + ")";
  }
  bodies += "}  // namespace ulpfft::cuda\n\n#endif  // ULPFFT_CUDA_BODIES_H_\n";
  list += "\n\n#endif  // ULPFFT_CUDA_LIST_H_\n";
  return {{"cuda_bodies.h", std::move(bodies)}, {"cuda_list.h", std::move(list)}};
}

}  // namespace ulpfft::genfft
