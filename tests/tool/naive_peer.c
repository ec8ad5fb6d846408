/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A library with the FFTW3 interface, of one precision, that sums as the definition says: a peer for the tests of `ulpfft bench`
 * that is always there. It mistakes the direction where NAIVE_PEER_WRONG in the environment is its version, and makes no plan where
 * NAIVE_PEER_REFUSES is. Its c2r overwrites the input. NAIVE_PEER_SUMS: it sums so many times, for a peer that is slower than another.
 * NAIVE_PEER_DOUBLE: it is the library of double precision instead of single, and has no transforms of real numbers.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifdef NAIVE_PEER_DOUBLE
typedef double real;
#define NAME(function) fftw_##function
#else
typedef float real;
#define NAME(function) fftwf_##function
#endif

struct dimension {
  ptrdiff_t n, is, os;
};

struct plan {
  struct dimension transform, batch;
  real* in;
  real* out;
  int sign;
  int in_is_real, out_is_real;
};

#ifndef NAIVE_PEER_SUMS
#define NAIVE_PEER_SUMS 1
#endif
#define TEXT_OF(number) #number
#define VERSION(sums) "naive-" TEXT_OF(sums)

const char NAME(version)[] = VERSION(NAIVE_PEER_SUMS);

static int is_told(const char* variable) {
  const char* value = getenv(variable);
  return value != NULL && strcmp(value, NAME(version)) == 0;
}

static struct plan* make(int rank, const struct dimension* dims, int batch_rank, const struct dimension* batch, real* in, real* out,
                         int sign) {
  static const struct dimension one = {1, 0, 0};
  struct plan* made = NULL;
  if (rank != 1 || batch_rank > 1 || in == out || is_told("NAIVE_PEER_REFUSES")) return NULL;
  made = calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->transform = dims[0];
  made->batch = batch_rank == 1 ? batch[0] : one;
  made->in = in;
  made->out = out;
  made->sign = is_told("NAIVE_PEER_WRONG") ? -sign : sign;
  memset(in, 0xff, sizeof(real)); /* planning may overwrite: the caller must refresh */
  return made;
}

void* NAME(plan_guru64_dft)(int rank, const struct dimension* dims, int batch_rank, const struct dimension* batch, real* in, real* out,
                            int sign, unsigned flags) {
  (void)flags;
  return make(rank, dims, batch_rank, batch, in, out, sign);
}

#ifndef NAIVE_PEER_DOUBLE
void* NAME(plan_guru64_dft_r2c)(int rank, const struct dimension* dims, int batch_rank, const struct dimension* batch, real* in, real* out,
                                unsigned flags) {
  struct plan* made = make(rank, dims, batch_rank, batch, in, out, -1);
  (void)flags;
  if (made != NULL) made->in_is_real = 1;
  return made;
}

void* NAME(plan_guru64_dft_c2r)(int rank, const struct dimension* dims, int batch_rank, const struct dimension* batch, real* in, real* out,
                                unsigned flags) {
  struct plan* made = make(rank, dims, batch_rank, batch, in, out, 1);
  (void)flags;
  if (made != NULL) made->out_is_real = 1;
  return made;
}
#endif

static void sum(const struct plan* plan) {
  const ptrdiff_t n = plan->transform.n;
  const ptrdiff_t in_size = plan->in_is_real ? 1 : 2, out_size = plan->out_is_real ? 1 : 2;
  const ptrdiff_t in_stored = plan->out_is_real ? n / 2 + 1 : n, out_stored = plan->in_is_real ? n / 2 + 1 : n;
  ptrdiff_t b, j, k;
  for (b = 0; b < plan->batch.n; ++b) {
    for (k = 0; k < out_stored; ++k) {
      double re = 0, im = 0;
      real* to = plan->out + out_size * (b * plan->batch.os + k * plan->transform.os);
      for (j = 0; j < n; ++j) {
        const ptrdiff_t stored = j < in_stored ? j : n - j;
        const real* from = plan->in + in_size * (b * plan->batch.is + stored * plan->transform.is);
        const double from_im = plan->in_is_real ? 0 : stored == j ? from[1] : -from[1];
        const double angle = plan->sign * 6.283185307179586 * (double)(j * k % n) / (double)n;
        re += from[0] * cos(angle) - from_im * sin(angle);
        im += from[0] * sin(angle) + from_im * cos(angle);
      }
      to[0] = (real)re;
      if (!plan->out_is_real) to[1] = (real)im;
    }
  }
}

void NAME(execute)(void* which) {
  int i;
  const struct plan* plan = which;
  for (i = 0; i < NAIVE_PEER_SUMS; ++i) sum(plan);
  if (plan->out_is_real) memset(plan->in, 0xff, sizeof(real));
}

void NAME(destroy_plan)(void* plan) { free(plan); }
