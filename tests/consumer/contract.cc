// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What somebody with a format of their own writes against the installed contract: a look at the formats and codelets that
// ulpfft-genfft emitted, and one of the codelets run.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "codelets/contract/codelet_sink.h"
#include "codelets/contract/format_info.h"

namespace ulpfft {
std::span<const FormatInfo> formats();
namespace ref {
void collect(CodeletSink& sink);
}
}  // namespace ulpfft

int main() {
  bool found = false;
  for (const ulpfft::FormatInfo& format : ulpfft::formats()) {
    found = found || (std::string_view(format.name) == "fp12" && format.largest == 65024.0 && format.unit_roundoff == std::ldexp(1.0, -7));
  }
  if (!found) {
    std::fprintf(stderr, "fp12 is not among the formats emitted, or has other facts\n");
    return 1;
  }

  ulpfft::CodeletSink sink;
  ulpfft::ref::collect(sink);
  for (const ulpfft::CodeletInfo& codelet : sink.entries) {
    if (codelet.whole == nullptr || codelet.compute != ulpfft::ComputeType::kF64 || std::strcmp(codelet.body->name, "n8") != 0) continue;
    double in[16] = {1.0};  // an impulse: every output is 1
    double out[16] = {};
    codelet.whole(in, in + 1, 2, out, out + 1, 2);
    for (int k = 0; k < 8; ++k) {
      if (out[2 * k] != 1.0 || out[2 * k + 1] != 0.0) {
        std::fprintf(stderr, "output %d of n8 is %g%+gi\n", k, out[2 * k], out[2 * k + 1]);
        return 1;
      }
    }
    std::printf("contract: ok, %zu codelets\n", sink.entries.size());
    return 0;
  }
  std::fprintf(stderr, "there is no n8 among %zu codelets\n", sink.entries.size());
  return 1;
}
