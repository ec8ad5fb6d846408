/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A library in FFTW's place that transforms nothing: a program that still runs on it was not switched. */
const char fftw_version[] = "fftw-3.3.10-others";
void* fftw_plan_dft_1d(int n, void* in, void* out, int sign, unsigned flags) {
  static char plan;
  (void)n, (void)in, (void)out, (void)sign, (void)flags;
  return &plan;
}
void fftw_execute(const void* plan) { (void)plan; }
void fftw_destroy_plan(void* plan) { (void)plan; }
