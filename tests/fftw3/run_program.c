/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A program for `ulpfft run`: prints whose library it runs on and a sum of a transform, then does what its first argument says. */
#include <fftw3.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kLength = 48 };

static void* transform(void* sum) {
  fftw_complex* numbers = (fftw_complex*)malloc(kLength * sizeof *numbers);
  fftw_plan plan = fftw_plan_dft_1d(kLength, numbers, numbers, FFTW_FORWARD, FFTW_ESTIMATE);
  if (plan == NULL) exit(99);
  for (int i = 0; i < kLength; ++i) ((double*)numbers)[2 * i] = i, ((double*)numbers)[2 * i + 1] = 1;
  for (int i = 0; i < 3; ++i) fftw_execute(plan);
  *(double*)sum = ((double*)numbers)[0];
  fftw_destroy_plan(plan);
  free(numbers);
  return NULL;
}

int main(int count, char** words) {
  const char* const what = count > 1 ? words[1] : "";
  double sum[2] = {0, 0};
  printf("%s\n", fftw_version);
  fflush(stdout);
  if (strcmp(what, "status") == 0) return atoi(words[2]);
  if (strcmp(what, "signal") == 0) raise(atoi(words[2]));
  transform(&sum[0]);
  if (strcmp(what, "threads") == 0) {
    pthread_t other;
    pthread_create(&other, NULL, transform, &sum[1]);
    transform(&sum[0]);
    pthread_join(other, NULL);
    if (sum[0] != sum[1]) return 98;
  }
  if (strcmp(what, "fork") == 0) {
    const pid_t child = fork();
    if (child == 0) {
      transform(&sum[1]);
      exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  printf("%.6f\n", sum[0]);
  return 0;
}
