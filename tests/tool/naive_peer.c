/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A library with the FFTW3 interface, of one precision, that sums as the definition says: a peer for the tests of `ulpfft bench`
 * that is always there. It mistakes the direction where NAIVE_PEER_WRONG in the environment is its version, and makes no plan where
 * NAIVE_PEER_REFUSES is. NAIVE_PEER_SUMS: it sums so many times, for a peer that is slower than another. NAIVE_PEER_DOUBLE: it is the library
 * of double precision instead of single.
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
  const real* in;
  real* out;
  int sign;
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

void* NAME(plan_guru64_dft)(int rank, const struct dimension* dims, int batch_rank, const struct dimension* batch, real* in, real* out,
                            int sign, unsigned flags) {
  static const struct dimension one = {1, 0, 0};
  struct plan* made = NULL;
  (void)flags;
  if (rank != 1 || batch_rank > 1 || in == out || is_told("NAIVE_PEER_REFUSES")) return NULL;
  made = malloc(sizeof *made);
  if (made == NULL) return NULL;
  made->transform = dims[0];
  made->batch = batch_rank == 1 ? batch[0] : one;
  made->in = in;
  made->out = out;
  made->sign = is_told("NAIVE_PEER_WRONG") ? -sign : sign;
  memset(in, 0xff, sizeof(real)); /* planning may overwrite: the caller must refresh */
  return made;
}

static void sum(const struct plan* plan) {
  const ptrdiff_t n = plan->transform.n;
  ptrdiff_t b, j, k;
  for (b = 0; b < plan->batch.n; ++b) {
    for (k = 0; k < n; ++k) {
      double re = 0, im = 0;
      real* to = plan->out + 2 * (b * plan->batch.os + k * plan->transform.os);
      for (j = 0; j < n; ++j) {
        const real* from = plan->in + 2 * (b * plan->batch.is + j * plan->transform.is);
        const double angle = plan->sign * 6.283185307179586 * (double)(j * k % n) / (double)n;
        re += from[0] * cos(angle) - from[1] * sin(angle);
        im += from[0] * sin(angle) + from[1] * cos(angle);
      }
      to[0] = (real)re;
      to[1] = (real)im;
    }
  }
}

void NAME(execute)(void* which) {
  int i;
  for (i = 0; i < NAIVE_PEER_SUMS; ++i) sum(which);
}

void NAME(destroy_plan)(void* plan) { free(plan); }
