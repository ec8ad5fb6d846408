/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* The kernels of each group as data: cubins in a fat binary, PTX for other processors and older drivers, and names. ulpfft_cuda_images
   holds the three addresses of each group (KernelImage in images.h). The files lie in the folder of the build. */
    .altmacro
    .macro image group
    .balign 64
#if ULPFFT_CUDA_BINARIES
binary_\group:
    .incbin "cuda_kernels_\group\().fatbin"
    .balign 64
#endif
#if ULPFFT_CUDA_PTX
ptx_\group:
    .incbin "cuda_kernels_\group\().ptx"
    .byte 0
#endif
names_\group:
    .incbin "cuda_kernels_\group\().names"
    .byte 0
    .endm

    .section .rodata
    .set group, 0
    .rept ULPFFT_CUDA_IMAGES
    image %group
    .set group, group + 1
    .endr

    .macro addresses group
#if ULPFFT_CUDA_BINARIES
    .quad binary_\group
#else
    .quad 0
#endif
#if ULPFFT_CUDA_PTX
    .quad ptx_\group
#else
    .quad 0
#endif
    .quad names_\group
    .endm

    .section .data.rel.ro, "aw"
    .balign 8
    .globl ulpfft_cuda_images
    .hidden ulpfft_cuda_images
ulpfft_cuda_images:
    .set group, 0
    .rept ULPFFT_CUDA_IMAGES
    addresses %group
    .set group, group + 1
    .endr
    .section .note.GNU-stack, "", %progbits
