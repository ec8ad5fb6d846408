// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Backend ref: bodies as lists of operations that run on any number type, and the list of their shapes.
#ifndef ULPFFT_GENFFT_EMIT_REFERENCE_H_
#define ULPFFT_GENFFT_EMIT_REFERENCE_H_

#include <vector>

#include "genfft/emit/body_text.h"

namespace ulpfft::genfft {

// ref_bodies.h, ref_codelets.cc
std::vector<GeneratedFile> emit_reference(const std::vector<Kernel>& kernels, const ConstantNames& constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_REFERENCE_H_
