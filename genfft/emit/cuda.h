// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Backend cuda: bodies of one thread as C++17 text, compiled by nvcc for kernels and by the host compiler for their twins.
//
// Operations go by the names of codelets/cuda/portable.h, each of which rounds once; every value is a named scalar.
#ifndef ULPFFT_GENFFT_EMIT_CUDA_H_
#define ULPFFT_GENFFT_EMIT_CUDA_H_

#include <vector>

#include "genfft/emit/body_text.h"

namespace ulpfft::genfft {

// cuda_bodies.h: the bodies of has_cuda(); cuda_list.h: X(name) for each of them.
std::vector<GeneratedFile> emit_cuda(const std::vector<Kernel>& kernels, const ConstantNames& constants);

}  // namespace ulpfft::genfft

#endif  // ULPFFT_GENFFT_EMIT_CUDA_H_
