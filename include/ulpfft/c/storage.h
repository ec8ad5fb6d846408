/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Arrays in narrow storage: their size, to them and from them. ulpfft.h includes it. */
#ifndef ULPFFT_C_STORAGE_H_
#define ULPFFT_C_STORAGE_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Arrays in narrow storage: their size, to them and from them ------------------------------------------------------ */

/* Of a dense array of any storage. */
typedef struct ulpfft_layout {
  size_t size;             /* sizeof(ulpfft_layout) */
  int64_t rows;            /* product of all lengths but the last */
  int64_t row_bytes;       /* codes of a row */
  int64_t scale_row_bytes; /* scales of a row; 0 without blocks */
  int64_t data_bytes;      /* rows * row_bytes */
  int64_t scale_bytes;     /* rows * scale_row_bytes */
} ulpfft_layout;
#define ULPFFT_LAYOUT_INIT {sizeof(ulpfft_layout), 0, 0, 0, 0, 0}
/* lengths count real numbers: the last one of an interleaved complex array is twice that of the transform. Batch dimensions are lengths
 * as well, so rank is 1..16: 8 of the batch and 8 of the transform. */
ULPFFT_RESULT ulpfft_status ulpfft_format_layout(const char* storage, int rank, const int64_t* lengths, ulpfft_layout* layout);

enum {
  ULPFFT_ROUND_SATURATE = 0,  /* to nearest, ties to the even code; beyond the largest value, and infinities: the largest. What plans do */
  ULPFFT_ROUND_NEAREST = 1,   /* the same, but overflow becomes infinity, or NaN where there is none; blocks and formats with neither
                                 saturate */
  ULPFFT_ROUND_STOCHASTIC = 2 /* up or down at random, by the distance; saturating */
};

/* Rows of real numbers: complex ones are two reals, re first. Begin with ULPFFT_CONVERSION_INIT, set storage, rows, reals. */
typedef struct ulpfft_conversion {
  size_t size;             /* sizeof(ulpfft_conversion) */
  const char* storage;     /* narrow: as in ulpfft_problem */
  const char* real_type;   /* "f32" (NULL) or "f64"; encoding rounds once from it */
  int64_t rows;            /* 0 or more */
  int64_t reals;           /* of a row; every row begins a new byte and a new block */
  int64_t code_row_bytes;  /* between rows; 0: dense, as ulpfft_format_layout() says */
  int64_t scale_row_bytes; /* likewise */
  int64_t real_row_stride; /* reals between rows; 0: dense */
  int rounding;            /* ULPFFT_ROUND_... of encoding */
  uint64_t seed;           /* stochastic: the random bits of a number follow from the seed and from its place, index + row * reals + i */
  uint64_t index;
} ulpfft_conversion;
#define ULPFFT_CONVERSION_INIT {sizeof(ulpfft_conversion), NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0}

/* context: whose target converts (the bits are the same on all); NULL: the default. reals are aligned to their type, codes to a code
 * (packed: a byte); arrays must not overlap, and may be NULL where there are no rows. scales: of block formats, else NULL. saturated: NULL,
 * or receives how many numbers round beyond the largest value. */
ULPFFT_RESULT ulpfft_status ulpfft_encode(ulpfft_context* context, const ulpfft_conversion* conversion, const void* reals, void* codes,
                                          void* scales, int64_t* saturated);
/* Exact, but that an f32 rounds values of blocks near the ends of its range; NaN becomes the quiet NaN. */
ULPFFT_RESULT ulpfft_status ulpfft_decode(ulpfft_context* context, const ulpfft_conversion* conversion, const void* codes,
                                          const void* scales, void* reals);

/* One power of two that brings an array of complex numbers into the range of a narrow format: 2^exponent times the largest magnitude is
 * about `target` (to the nearest power of two), and the percentile of those that are not 0 at least `least`, which comes first; then
 * limited to lowest .. highest. A largest magnitude below 1e-30 counts as 1e-30. 0 where nothing is nonzero; numbers that are not finite
 * do not count. Begin with ULPFFT_PRESCALE_INIT, set
 * count and what is wanted. Transforms are linear: undo it on the result, or leave it in the exponent. */
typedef struct ulpfft_prescale {
  size_t size;           /* sizeof(ulpfft_prescale) */
  const char* real_type; /* "f32" (NULL) or "f64" */
  int64_t count;         /* complex numbers, interleaved */
  double target;         /* above 0; 0: 1 */
  double percentile;     /* 0..100, by linear interpolation between neighbours in order */
  double least;          /* 0: the percentile does not matter */
  int lowest, highest;   /* -1000..1000; both 0: -126 and 126 */
} ulpfft_prescale;
#define ULPFFT_PRESCALE_INIT {sizeof(ulpfft_prescale), NULL, 0, 0.0, 0.0, 0.0, 0, 0}
/* out: NULL, or receives the numbers times 2^exponent; may be in itself. Needs 8 bytes a number for a while. */
ULPFFT_RESULT ulpfft_status ulpfft_prescale_apply(const ulpfft_prescale* prescale, const void* in, void* out, int* exponent);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_STORAGE_H_ */
