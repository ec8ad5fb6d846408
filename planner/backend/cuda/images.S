/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* The fat binaries of the kernels as data, and their addresses. The files lie in the folder of the build. */
    .altmacro
    .macro image group
    .balign 64
image_\group:
    .incbin "cuda_kernels_\group\().fatbin"
    .byte 0
    .endm

    .section .rodata
    .set group, 0
    .rept ULPFFT_CUDA_IMAGES
    image %group
    .set group, group + 1
    .endr

    .macro address group
    .quad image_\group
    .endm

    .section .data.rel.ro, "aw"
    .balign 8
    .globl ulpfft_cuda_images
    .hidden ulpfft_cuda_images
ulpfft_cuda_images:
    .set group, 0
    .rept ULPFFT_CUDA_IMAGES
    address %group
    .set group, group + 1
    .endr
    .section .note.GNU-stack, "", %progbits
