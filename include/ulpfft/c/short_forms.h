/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Plans by a few arguments, for programs that come from FFTW or cuFFT. ulpfft.h includes it. */
#ifndef ULPFFT_C_SHORT_FORMS_H_
#define ULPFFT_C_SHORT_FORMS_H_

#include "ulpfft/c/base.h"
#include "ulpfft/c/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Short forms -------------------------------------------------------------------------------------------------- */

/* Plans by the default context. The arguments are those of FFTW's functions of the same name (fftw_plan_dft_1d is ulpfft_plan_1d).
 * `storage` stands in the place of the arrays, which a plan takes when it is executed, and `effort` in the place of the flags.
 *   n, n0, ...  lengths, each 1 or more; the last one varies fastest. In r2c and c2r they count the real numbers.
 *   storage     words that follow the lengths in a problem text: a storage and more words, if any, e.g. "f32", "f16->f32",
 *               "f64 inplace", "f32 inplace scale=1/n threads=4". NULL: "f32". What an argument says, no word says.
 *   direction   ULPFFT_FORWARD or ULPFFT_BACKWARD. r2c and c2r have none: the word "inverse" gives the other sign (c/problem.h, Kinds).
 *   kind, ...   ULPFFT_R2HC ... ULPFFT_RODFT11, along the length of the same number.
 *   effort      ULPFFT_ESTIMATE ... ULPFFT_WISDOM_ONLY; 0 measures, as FFTW_MEASURE does.
 * Transforms are not scaled, and out of place keep their input, unless the words say otherwise (FFTW's c2r destroys it: "destroy_input").
 * NULL on failure, see ulpfft_last_error(). The field of an error is an argument, where the words are not at fault: "n1", "direction",
 * "in_distance". Byte ranges of errors are those of `storage`. */

/* One dense transform of 1, 2 or 3 lengths, between complex numbers. */
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_1d(int64_t n, const char* storage, int direction, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_2d(int64_t n0, int64_t n1, const char* storage, int direction, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int direction, int effort);

/* From real numbers to the half of their spectrum that has n/2 + 1 (rounded down) complex numbers along the last length. In place the
 * rows of real numbers are padded to 2 (n/2 + 1). */
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_r2c_1d(int64_t n, const char* storage, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_r2c_2d(int64_t n0, int64_t n1, const char* storage, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_r2c_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int effort);

/* Back. Both ways multiply by the product of the lengths. */
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_c2r_1d(int64_t n, const char* storage, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_c2r_2d(int64_t n0, int64_t n1, const char* storage, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_c2r_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int effort);

/* Between real numbers. */
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_r2r_1d(int64_t n, const char* storage, int kind, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_r2r_2d(int64_t n0, int64_t n1, const char* storage, int kind0, int kind1, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_r2r_3d(int64_t n0, int64_t n1, int64_t n2, const char* storage, int kind0, int kind1, int kind2,
                                              int effort);

/* A batch of transforms of arrays inside larger arrays, as fftw_plan_many_dft() and its kin have them.
 *   rank         1 to 8.
 *   lengths      `rank` lengths, the last of which varies fastest. In r2c and c2r they count the real numbers.
 *   batch        transforms, 1 or more.
 *   in_stride    elements from one number to the next along the last length; not 0.
 *   in_distance  elements from the first number of a transform to that of the next; not 0. Not read where batch is 1.
 *   in_embed     `rank` lengths of the array around a transform: number (i0, i1, i2) of transform b is the element
 *                b * in_distance + in_stride * ((i0 * in_embed[1] + i1) * in_embed[2] + i2). in_embed[0] is not read; the others are at
 *                least as long as the transform. NULL: as long, so that the stride alone lies between numbers; r2c and c2r in place have
 *                2 (n/2 + 1) along the last length of the real numbers. (cuFFT takes NULL for dense arrays, whatever the strides are.)
 *   out_...      the same of the output.
 *   kinds        of r2r: one per length.
 * Units        elements are those of their side: real numbers, or complex ones (split: reals of a part). A spectrum has n/2 + 1 elements
 *              along the last length, in out_embed of r2c and in_embed of c2r as well. Packed and block storage (c/problem.h, Narrow
 *              storage) has stride 1, and no gaps along the last length; distances and the other lengths of the array count its rows.
 * Placement    in place (the word "inplace") both sides have equal strides and distances, and arrays of equal lengths around them. r2c and
 *              c2r have stride 1 there, and from row to row and from transform to transform twice as many real numbers as complex ones.
 * Overlap      the numbers of an output lie apart. Those of an input may lie together, unless they are overwritten. */
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_many(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                            int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                            const char* storage, int direction, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_many_r2c(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                                int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                                const char* storage, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_many_c2r(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                                int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                                const char* storage, int effort);
ULPFFT_RESULT ulpfft_plan* ulpfft_plan_many_r2r(int rank, const int64_t* lengths, int64_t batch, const int64_t* in_embed, int64_t in_stride,
                                                int64_t in_distance, const int64_t* out_embed, int64_t out_stride, int64_t out_distance,
                                                const char* storage, const int* kinds, int effort);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_SHORT_FORMS_H_ */
