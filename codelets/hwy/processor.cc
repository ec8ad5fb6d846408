// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "codelets/hwy/processor.h"

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace ulpfft {

bool has_x86_extension([[maybe_unused]] std::string_view name) {
#if defined(__x86_64__) || defined(__i386__)
#define ULPFFT_ASK(extension, asked) \
  if (name == extension) return __builtin_cpu_supports(asked) != 0;
  ULPFFT_X86_EXTENSIONS(ULPFFT_ASK)
#undef ULPFFT_ASK
#endif
  return false;
}

bool has_sve([[maybe_unused]] int bytes) {
#if defined(__aarch64__) && defined(__linux__) && defined(HWCAP_SVE) && defined(PR_SVE_GET_VL)
  if ((getauxval(AT_HWCAP) & HWCAP_SVE) == 0) return false;
  const int state = prctl(PR_SVE_GET_VL);
  return state >= 0 && (state & PR_SVE_VL_LEN_MASK) == bytes;
#else
  return false;
#endif
}

}  // namespace ulpfft
