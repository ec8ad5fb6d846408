#include "genfft/emit/reference.h"

#include "genfft/codelet_list.h"

namespace ulpfft::genfft {
namespace {

Dialect dialect() {
  Dialect d;
  d.template_line = "template <class T, class In, class Table, class Out>";
  d.run_line = "static void run(const In& in, [[maybe_unused]] const Table& table, Out& out)";
  d.vector = "T";
  d.constant = "constant<T>(%)";
  const auto op = [&](Op which) -> std::string& { return d.op[static_cast<std::size_t>(which)]; };
  op(Op::kAdd) = "%a + %b";
  op(Op::kSub) = "%a - %b";
  op(Op::kMul) = "%a * %b";
  op(Op::kNeg) = "-%a";
  op(Op::kMulAdd) = "fma(%a, %b, %c)";
  op(Op::kNegMulAdd) = "fnma(%a, %b, %c)";
  op(Op::kMulSub) = "fms(%a, %b, %c)";
  op(Op::kNegMulSub) = "fnms(%a, %b, %c)";
  return d;
}

}  // namespace

std::vector<GeneratedFile> emit_reference(const std::vector<Kernel>& kernels, const ConstantNames& constants) {
  std::string bodies = kGeneratedNotice;
  bodies +=
      "// Bodies of every codelet on scalars: fma(a, b, c) = a b + c, fnma = c - a b, fms = a b - c, fnms = -a b - c.\n"
      "#ifndef ULPFFT_REF_BODIES_H_\n#define ULPFFT_REF_BODIES_H_\n\n"
      "#include \"body_constants.h\"\n#include \"codelets/ref/arithmetic.h\"\n\nnamespace ulpfft::ref {\n\n";
  for (const Kernel& kernel : kernels) bodies += body_text(kernel, constants, dialect()) + "\n";
  bodies += "}  // namespace ulpfft::ref\n\n#endif  // ULPFFT_REF_BODIES_H_\n";

  std::string list = kGeneratedNotice;
  list +=
      "#include \"body_facts.h\"\n#include \"codelets/ref/shapes.h\"\n#include \"ref_bodies.h\"\n\n"
      "namespace ulpfft::ref {\n\nvoid collect(CodeletSink& sink) {\n";
  for (const std::string type : {"float", "double"}) {
    for (const Kernel& kernel : kernels) {
      const BodySpec& spec = kernel.body.spec;
      for (const std::string& shape : shapes_of(spec)) {
        list += "  add_" + shape + "<" + type + ", " + body_arguments(spec) + ">(sink, facts::" + spec.name + ");\n";
      }
    }
  }
  list += "}\n\n}  // namespace ulpfft::ref\n";
  return {{"ref_bodies.h", std::move(bodies)}, {"ref_codelets.cc", std::move(list)}};
}

}  // namespace ulpfft::genfft
