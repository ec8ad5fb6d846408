// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Backend hwy: bodies on interleaved complex numbers (pass/pack.h), for the shapes of codelets/hwy/packed_shapes-inl.h.
#ifndef ULPFFT_GENFFT_EMIT_PACKED_H_
#define ULPFFT_GENFFT_EMIT_PACKED_H_

#include <vector>

#include "genfft/emit/body_text.h"

namespace ulpfft::genfft {

// struct PackedN8 { ... }, a template over ports of vectors.
std::string packed_body_text(const Kernel& kernel, const ConstantNames& constants);

// hwy_packed-inl.h, hwy_f32_packed.cc, hwy_f64_packed.cc
std::vector<GeneratedFile> emit_packed(const std::vector<Kernel>& kernels, const ConstantNames& constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_PACKED_H_
