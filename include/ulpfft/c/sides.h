/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* The arrays of a plan: what each holds, and where its elements lie. ulpfft.h includes it. */
#ifndef ULPFFT_C_SIDES_H_
#define ULPFFT_C_SIDES_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which array. ULPFFT_SIDE_FACTORS is of chains alone: one spectrum as ulpfft_operation::factors points to it. */
enum { ULPFFT_SIDE_IN = 0, ULPFFT_SIDE_OUT = 1, ULPFFT_SIDE_FACTORS = 2 };
/* Elements. */
enum { ULPFFT_ELEMENT_COMPLEX = 0, ULPFFT_ELEMENT_REAL = 1 };
/* ULPFFT_EXTENT_HALF: of each row, which is the spectrum of n real numbers, the n/2 + 1 first. */
enum { ULPFFT_EXTENT_FULL = 0, ULPFFT_EXTENT_HALF = 1 };

/* Shapes   dimensions are row-major: of the batch first, then those of a transform. Members beyond rank and batch_rank are 0.
 * Units    strides and elements count elements of the side. Where `rows` is 1, those of all dimensions but the last count rows, each of
 *          lengths[rank - 1] elements, and row_bytes and row_scale_bytes are what a row takes; else these are 0. Bytes are of one part.
 * Places   element (or row) 0 lies where the array's pointer points. A negative stride puts elements before it.
 * In place both sides lie in the same memory. The elements and bytes of a side of real numbers are then at least those of its spectrum. */
typedef struct ulpfft_side {
  size_t size;              /* sizeof(ulpfft_side) */
  const char* storage;      /* as problems spell it, e.g. "f16"; lives as long as the plan */
  int element;              /* ULPFFT_ELEMENT_... */
  int extent;               /* ULPFFT_EXTENT_... */
  int parts;                /* 2: real and imaginary parts are arrays of their own, data[0] and data[1]; else 1 */
  int in_place;             /* 1: of a plan in place */
  int rows;                 /* 1: the storage is packed or in blocks */
  int rank, batch_rank;     /* 1..8, 0..8 */
  int64_t lengths[8];       /* elements that are stored: of half a spectrum the last is n/2 + 1 */
  int64_t strides[8];
  int64_t batch_lengths[8];
  int64_t batch_strides[8];
  int64_t elements;         /* from element 0 to the last that strides reach; of rows: to the end of the last row */
  int64_t elements_before;  /* from the first that strides reach to element 0: 0 unless a stride is negative */
  int64_t bytes;            /* from element 0 to the end of the array */
  int64_t bytes_before;     /* that lie before element 0 */
  int64_t scale_bytes;      /* of block formats, likewise; else 0 */
  int64_t scale_bytes_before;
  int64_t row_bytes;
  int64_t row_scale_bytes;
} ulpfft_side;
#define ULPFFT_SIDE_INIT {sizeof(ulpfft_side), NULL, 0, 0, 0, 0, 0, 0, 0, {0}, {0}, {0}, {0}, 0, 0, 0, 0, 0, 0, 0, 0}

/* Tells a side of a plan. Refused: ULPFFT_SIDE_FACTORS of a plan that is no chain. */
ULPFFT_RESULT ulpfft_status ulpfft_plan_side(const ulpfft_plan* plan, int which, ulpfft_side* side);

/* An input whose memory is const.
 *   const ulpfft_const_array in = {sizeof in, {samples, NULL}, {NULL, NULL}, NULL};
 *   const ulpfft_array from = ulpfft_input(&in);
 *   status = ulpfft_execute_arrays(plan, &from, &out, NULL);
 * Plans that are out of place and have no destroy_input only read it. */
typedef struct ulpfft_const_array {
  size_t size;              /* sizeof(ulpfft_const_array) */
  const void* data[2];      /* as those of ulpfft_array */
  const void* scales[2];
  const int32_t* exponents;
} ulpfft_const_array;
#define ULPFFT_CONST_ARRAY_INIT {sizeof(ulpfft_const_array), {NULL, NULL}, {NULL, NULL}, NULL}

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_SIDES_H_ */
