/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Transforms of several sizes and kinds for the reports of `ulpfft run`: run_sizes estimate|measure [STRIDE]. Prints a sum of bits of the results. */
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 1 << 17 };

static unsigned long long bits_of(const void* numbers, size_t bytes) {
  unsigned long long sum = 0;
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    unsigned long long bits;
    memcpy(&bits, (const char*)numbers + i, 8);
    sum = sum * 31 + bits;
  }
  return sum;
}

static void fill(double* numbers) {
  for (int i = 0; i < 2 * kMost; ++i) numbers[i] = (double)((i * 7919L) % 10007) / 1000.0 - 5.0;
}

int main(int count, char** words) {
  const unsigned flags = count > 1 && strcmp(words[1], "measure") == 0 ? FFTW_MEASURE : FFTW_ESTIMATE;
  const int stride = count > 2 ? atoi(words[2]) : 1;
  fftw_complex* in = fftw_alloc_complex(kMost);
  fftw_complex* out = fftw_alloc_complex(kMost);
  memset(out, 0, kMost * sizeof *out);
  const int strided = 120, lengths[] = {96, 100};
  const fftw_r2r_kind kinds[] = {FFTW_REDFT10, FFTW_RODFT00};
  fftw_set_timelimit(0.05);
  fftw_plan plans[] = {
      fftw_plan_dft_1d(1 << 16, in, out, FFTW_FORWARD, flags),
      fftw_plan_dft_1d(4099, in, out, FFTW_BACKWARD, flags),
      fftw_plan_dft_3d(32, 48, 36, in, out, FFTW_FORWARD, flags),
      fftw_plan_dft_r2c_2d(300, 210, (double*)in, out, flags),
      fftw_plan_r2r(2, lengths, (double*)in, (double*)out, kinds, flags),
      fftw_plan_many_dft(1, &strided, 9, in, NULL, stride, 120 * stride, out, NULL, 1, 120, FFTW_FORWARD, flags),
  };
  unsigned long long sum = 0;
  for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
    if (plans[i] == NULL) return 1;
    fill((double*)in);
    fftw_execute(plans[i]);
    sum = sum * 33 + bits_of(out, 9 * 120 * sizeof *out) + bits_of(out, kMost * sizeof *out / 4);
    fftw_destroy_plan(plans[i]);
  }
  fftwf_plan single = fftwf_plan_dft_1d(1000, (fftwf_complex*)in, (fftwf_complex*)out, FFTW_FORWARD, flags);
  for (int i = 0; i < 2000; ++i) ((float*)in)[i] = (float)i;
  for (int i = 0; i < 5; ++i) fftwf_execute(single);
  sum += bits_of(out, 1000 * 8);
  fftwf_destroy_plan(single);
  fftw_cleanup();
  fftw_free(in);
  fftw_free(out);
  printf("%llx\n", sum);
  return 0;
}
