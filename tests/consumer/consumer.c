/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A C program as a user writes it: plan from a text, by the short form and by a struct, execute, count, read an error. */
#include <stdio.h>
#include <string.h>

#include <ulpfft/ulpfft.h>

/* 16 columns of a 16 x 16 image, backward: a problem that needs the struct. */
static int plan_columns(void) {
  const int64_t rows = 16, columns = 16, one = 1;
  ulpfft_problem problem = ULPFFT_PROBLEM_INIT;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  ulpfft_operation_counts counts = ULPFFT_OPERATION_COUNTS_INIT;
  ulpfft_plan* plan = NULL;
  problem.rank = problem.batch_rank = 1;
  problem.lengths = &rows;
  problem.in_strides = problem.out_strides = &columns;
  problem.batch_lengths = &columns;
  problem.batch_in_strides = problem.batch_out_strides = &one;
  problem.direction = ULPFFT_BACKWARD;
  options.effort = ULPFFT_ESTIMATE;
  if (ulpfft_plan_create(NULL, &problem, &options, &plan) != ULPFFT_OK) return 0;
  if (ulpfft_plan_operation_counts(plan, &counts) != ULPFFT_OK) return 0;
  ulpfft_plan_destroy(plan);
  return counts.adds + counts.fmas > 0;
}

/* As FFTW programmers write it. */
static int transform_square(void) {
  enum { kSide = 16 };
  ulpfft_plan* plan = ulpfft_plan_2d(kSide, kSide, "f64 inplace", ULPFFT_FORWARD, ULPFFT_ESTIMATE);
  double* data = (double*)ulpfft_malloc(kSide * kSide * 2 * sizeof(double));
  int good;
  if (plan == NULL || data == NULL) return 0;
  memset(data, 0, kSide * kSide * 2 * sizeof(double));
  data[0] = 1.0;
  good = ulpfft_execute(plan, data, data) == ULPFFT_OK && data[2 * kSide * kSide - 2] == 1.0;
  ulpfft_free(data);
  ulpfft_plan_destroy(plan);
  return good;
}

int main(void) {
  enum { kLength = 1000 };
  static float in[2 * kLength];
  static float out[2 * kLength];
  ulpfft_plan* plan = NULL;
  int k;
  in[0] = 1.0f; /* an impulse: every output is 1 */
  if (ulpfft_plan_parse(NULL, "1000 f32", &plan) != ULPFFT_OK || ulpfft_execute(plan, in, out) != ULPFFT_OK) {
    fprintf(stderr, "%s\n", ulpfft_last_error());
    return 1;
  }
  ulpfft_plan_destroy(plan);
  for (k = 0; k < kLength; ++k) {
    if (out[2 * k] != 1.0f || out[2 * k + 1] != 0.0f) {
      fprintf(stderr, "output %d is %g%+gi\n", k, (double)out[2 * k], (double)out[2 * k + 1]);
      return 1;
    }
  }
  if (!plan_columns() || !transform_square()) {
    fprintf(stderr, "%s\n", ulpfft_last_error());
    return 1;
  }
  if (ulpfft_plan_parse(NULL, "1000 f99", &plan) == ULPFFT_OK || strlen(ulpfft_last_error()) == 0) {
    fprintf(stderr, "an unknown format was accepted\n");
    return 1;
  }
  printf("C, ulpfft %s: ok\n", ulpfft_version());
  return 0;
}
