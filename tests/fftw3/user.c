/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A program as users write it for FFTW: prints whose library it runs on, and a spectrum. */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  enum { kRows = 6, kColumns = 10, kHalf = kColumns / 2 + 1 };
  fftw_init_threads();
  fftw_plan_with_nthreads(2);
  double* image = fftw_alloc_real(kRows * kColumns);
  fftw_complex* spectrum = fftw_alloc_complex(kRows * kHalf);
  fftw_plan there = fftw_plan_dft_r2c_2d(kRows, kColumns, image, spectrum, FFTW_ESTIMATE);
  fftw_plan back = fftw_plan_dft_c2r_2d(kRows, kColumns, spectrum, image, FFTW_ESTIMATE);
  if (there == NULL || back == NULL) return 1;
  for (int i = 0; i < kRows * kColumns; ++i) image[i] = sin(i) + 0.25 * (i % 7);
  fftw_execute(there);
  printf("%s\n", fftw_version);
  for (int i = 0; i < kRows * kHalf; ++i) printf("%.9f %.9f\n", creal(spectrum[i]), cimag(spectrum[i]));
  fftw_execute(back);
  for (int i = 0; i < kRows * kColumns; ++i) {
    if (fabs(image[i] / (kRows * kColumns) - sin(i) - 0.25 * (i % 7)) > 1e-12) return 2;
  }
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  free(image);
  fftw_free(spectrum);
  fftw_cleanup_threads();
  return 0;
}
