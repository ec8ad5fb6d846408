// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/image.h"

namespace ulpfft::cuda {

#ifdef ULPFFT_CUDA_IMAGE
// The assembler reads the file that nvcc wrote. Fat binaries are aligned to 8 bytes.
__asm__(
    ".section .rodata\n"
    ".balign 64\n"
    "ulpfft_cuda_image:\n"
    ".incbin \"" ULPFFT_CUDA_IMAGE "\"\n"
    ".byte 0\n"
    ".previous\n");
extern "C" const char ulpfft_cuda_image[] __attribute__((visibility("hidden")));

const void* kernel_image() { return ulpfft_cuda_image; }
#else
const void* kernel_image() { return nullptr; }
#endif

}  // namespace ulpfft::cuda
