/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* What this build and machine have: targets, codelets, formats, schemes. ulpfft.h includes it. */
#ifndef ULPFFT_C_CAPABILITIES_H_
#define ULPFFT_C_CAPABILITIES_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What this build and machine have ------------------------------------------------------------------------------ */

typedef struct ulpfft_target {
  size_t size; /* sizeof(ulpfft_target) */
  const char* backend;
  const char* name;
  int available;      /* nonzero: can run here */
  int is_default;
  const char* reason; /* why not available; "" otherwise */
  int has_fma;
  int lanes_f32;
  int lanes_f64;
  size_t codelets;
} ulpfft_target;
#define ULPFFT_TARGET_INIT {sizeof(ulpfft_target), NULL, NULL, 0, 0, NULL, 0, 0, 0, 0}
ULPFFT_API size_t ulpfft_target_count(void);
ULPFFT_RESULT ulpfft_status ulpfft_target_get(size_t index, ulpfft_target* target);

typedef struct ulpfft_codelet {
  size_t size; /* sizeof(ulpfft_codelet) */
  const char* name;    /* e.g. "t8_ds"; of whole_two and packed the first body, the counts are of the pair */
  const char* kind;    /* loop shape: whole, whole_two, packed, first, twiddled, columns, columns_twiddled, or a pass without a body: twist,
                          pointwise, ... */
  const char* compute; /* "f32", "f64"; "rounded in f32", "rounded in f64": each operation rounded to the format of the scheme, by what its
                          numbers are kept in; of ref also "double-double", in which the errors of f64 are measured */
  int radix;
  int adds, muls, fmas; /* per butterfly */
  int live_values;
  uint64_t digest;
} ulpfft_codelet;
#define ULPFFT_CODELET_INIT {sizeof(ulpfft_codelet), NULL, NULL, NULL, 0, 0, 0, 0, 0, 0}
/* target_index as in ulpfft_target_get; index < codelets. */
ULPFFT_RESULT ulpfft_status ulpfft_codelet_get(size_t target_index, size_t index, ulpfft_codelet* codelet);

typedef struct ulpfft_format {
  size_t size; /* sizeof(ulpfft_format) */
  const char* name;
  const char* source; /* the standard */
  int bits, exponent_bits, mantissa_bits, bias; /* of a block format: of its elements, and so the numbers up to lowest */
  double largest, smallest_normal, smallest_subnormal; /* of integers the last two are the smallest positive value */
  double rms_error; /* of one quantisation, relative, normal real numbers of rms 1, or as the range of the format has it
                       (ulpfft_plan_error()) */
  const char* kind; /* "wide", "element", "integer", "block" */
  const char* compute; /* "f32" or "f64": arithmetic that holds every value */
  const char* special; /* floats: which codes are no finite numbers: "ieee", "fn", "fnuz", "p3109", "none"; integers: "" */
  int is_signed; /* floats: has a sign bit; integers: two's complement, else unsigned */
  int fraction_bits; /* integers: value = (code - offset) * 2^-fraction_bits */
  double offset;
  double lowest; /* what numbers far below zero become */
  const char *element, *scale, *rule; /* block formats: their element and scale formats, and the scale rule; else "" */
  int block_length; /* block formats: reals that share a scale, 0: a whole row */
} ulpfft_format;
#define ULPFFT_FORMAT_INIT                                                                                                             \
  {sizeof(ulpfft_format), NULL, NULL, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, NULL, NULL, NULL, 0, 0, 0.0, 0.0, NULL, NULL, NULL, 0}
/* Element formats and integers first, then block formats. */
ULPFFT_API size_t ulpfft_format_count(void);
ULPFFT_RESULT ulpfft_status ulpfft_format_get(size_t index, ulpfft_format* format);
/* The value of a code, below 2^bits; not of block formats, whose codes have one only with a scale. */
ULPFFT_RESULT ulpfft_status ulpfft_format_value(size_t index, uint64_t code, double* value);

typedef struct ulpfft_scheme {
  size_t size; /* sizeof(ulpfft_scheme) */
  const char* name;    /* as in ulpfft_problem */
  const char* kind;    /* "wide", "rounded", "mx", "split" */
  const char* format;  /* whose rounding it has */
  const char* carrier; /* "f32" or "f64": what its numbers are kept in */
  int emulated;        /* nonzero: rounds on top of its carrier's arithmetic, slower and less accurate than that: never chosen by
                          max_error */
} ulpfft_scheme;
#define ULPFFT_SCHEME_INIT {sizeof(ulpfft_scheme), NULL, NULL, NULL, NULL, 0}
/* Every arithmetic a problem may name; mx schemes with the block length and the rule of their format, others of which
   exist, too, as do split schemes of other elements and numbers of parts. */
ULPFFT_API size_t ulpfft_scheme_count(void);
ULPFFT_RESULT ulpfft_status ulpfft_scheme_get(size_t index, ulpfft_scheme* scheme);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_CAPABILITIES_H_ */
