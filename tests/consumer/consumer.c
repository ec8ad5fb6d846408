/* A C program as a user writes it: plan from a text, execute, read an error. */
#include <stdio.h>
#include <string.h>

#include <ulpfft/ulpfft.h>

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
  if (ulpfft_plan_parse(NULL, "1000 f99", &plan) == ULPFFT_OK || strlen(ulpfft_last_error()) == 0) {
    fprintf(stderr, "an unknown format was accepted\n");
    return 1;
  }
  printf("C, ulpfft %s: ok\n", ulpfft_version());
  return 0;
}
