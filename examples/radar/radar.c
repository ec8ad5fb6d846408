/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Pulse compression of a batch of radar pulses: 16-bit samples in, ranges in f32 out, one plan that stores no spectrum. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ulpfft/ulpfft.h>

enum { kPulses = 32, kSamples = 1024, kChirp = 128, kTarget = 300 };

static void require(ulpfft_status status) {
  if (status == ULPFFT_OK) return;
  fprintf(stderr, "%s\n", ulpfft_last_error());
  exit(1);
}

/* A linear sweep, as real and imaginary part. */
static void chirp(int i, float* value) {
  const float phase = 3.14159265F * (float)(i * i) / (float)kChirp;
  value[0] = cosf(phase);
  value[1] = sinf(phase);
}

/* What a receiver delivers: noise, and in each pulse the echo of the target, far below full scale. */
static void receive(int16_t* samples) {
  uint32_t state = 1;
  for (int i = 0; i < 2 * kPulses * kSamples; ++i) {
    state = state * 1664525U + 1013904223U;
    samples[i] = (int16_t)((int)(state >> 24) - 128);
  }
  for (int pulse = 0; pulse < kPulses; ++pulse) {
    for (int i = 0; i < kChirp; ++i) {
      float echo[2];
      int16_t* const sample = samples + 2 * (pulse * kSamples + kTarget + i);
      chirp(i, echo);
      sample[0] = (int16_t)(sample[0] + (int)(60.0F * echo[0]));
      sample[1] = (int16_t)(sample[1] + (int)(60.0F * echo[1]));
    }
  }
}

/* The matched filter: the conjugate of the chirp's spectrum. */
static void make_filter(float* factors) {
  static float sweep[2 * kSamples];
  ulpfft_plan* plan = NULL;
  for (int i = 0; i < kChirp; ++i) chirp(i, sweep + 2 * i);
  require(ulpfft_plan_parse(NULL, "1024 f32", &plan));
  require(ulpfft_execute(plan, sweep, factors));
  ulpfft_plan_destroy(plan);
  for (int k = 0; k < kSamples; ++k) factors[2 * k + 1] = -factors[2 * k + 1];
}

static int strongest(const float* ranges) {
  int found = 0;
  float most = 0.0F;
  for (int i = 0; i < kSamples; ++i) {
    const float power = ranges[2 * i] * ranges[2 * i] + ranges[2 * i + 1] * ranges[2 * i + 1];
    if (power > most) {
      most = power;
      found = i;
    }
  }
  return found;
}

int main(void) {
  static int16_t samples[2 * kPulses * kSamples];
  static float factors[2 * kSamples], ranges[2 * kPulses * kSamples];
  ulpfft_plan* plan = NULL;
  ulpfft_array in = ULPFFT_ARRAY_INIT, out = ULPFFT_ARRAY_INIT;
  ulpfft_operation operation = ULPFFT_OPERATION_INIT;
  int hits = 0;

  receive(samples);
  make_filter(factors);
  require(ulpfft_plan_parse(NULL, "1024*32 i16->f32 scale=1/n chain=mul", &plan));
  in.data[0] = samples;
  out.data[0] = ranges;
  operation.factors = factors;
  require(ulpfft_execute_chain(plan, &in, &out, &operation, NULL));
  ulpfft_plan_destroy(plan);

  for (int pulse = 0; pulse < kPulses; ++pulse) hits += strongest(ranges + 2 * pulse * kSamples) == kTarget;
  printf("The target is at range %d in %d of %d pulses.\n", kTarget, hits, kPulses);
  return hits == kPulses ? 0 : 1;
}
