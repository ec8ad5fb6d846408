// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Bodies of rounded schemes as lists of operations, see codelets/contract/rounded_pass.h.
#ifndef ULPFFT_GENFFT_EMIT_ROUNDED_H_
#define ULPFFT_GENFFT_EMIT_ROUNDED_H_

#include <vector>

#include "genfft/emit/body_text.h"

namespace ulpfft::genfft {

// rounded_bodies.h, rounded_bodies.cc
std::vector<GeneratedFile> emit_rounded(const std::vector<Kernel>& kernels, const ConstantNames& constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_ROUNDED_H_
