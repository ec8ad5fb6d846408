/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* What `ulpfft bench` takes of another build of ulpfft, for its tests: a build of this minor version, patch 99, or OTHER_BUILD_VERSION in the
 * environment, that transforms "32 f32" by the definition and nothing else. With OTHER_BUILD_WRONG it transforms backward. It calls its own interface by
 * name, as a build may: a loader that mixes two builds answers with functions of the other one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ulpfft/ulpfft.h"

enum { kPoints = 32 };

const char* ulpfft_version(void) {
  const char* told = getenv("OTHER_BUILD_VERSION");
  static char text[32];
  snprintf(text, sizeof text, "%d.%d.99", ULPFFT_VERSION_MAJOR, ULPFFT_VERSION_MINOR);
  return told != NULL ? told : text;
}

const char* ulpfft_last_error(void) { return "This build transforms 32 f32 alone."; }

const char* ulpfft_machine(ulpfft_context* context) {
  static char text[64];
  (void)context;
  snprintf(text, sizeof text, "other of %s", ulpfft_version());
  return text;
}

ulpfft_status ulpfft_context_create(const ulpfft_context_options* options, ulpfft_context** context) {
  (void)options;
  *context = malloc(1);
  return *context != NULL ? ULPFFT_OK : ULPFFT_NO_MEMORY;
}

void ulpfft_context_destroy(ulpfft_context* context) { free(context); }

ulpfft_status ulpfft_plan_parse_options(ulpfft_context* context, const char* text, const ulpfft_plan_options* options, ulpfft_plan** plan) {
  (void)context;
  (void)options;
  *plan = NULL;
  if (strcmp(text, "32 f32") != 0) return ULPFFT_UNSUPPORTED;
  *plan = malloc(1);
  return *plan != NULL ? ULPFFT_OK : ULPFFT_NO_MEMORY;
}

void ulpfft_plan_destroy(ulpfft_plan* plan) { free(plan); }

double ulpfft_plan_error(const ulpfft_plan* plan) {
  (void)plan;
  return 1e-7;
}

char* ulpfft_plan_recipe(const ulpfft_plan* plan) {
  static const char recipe[] = "f32:sum";
  char* text = malloc(sizeof recipe);
  (void)plan;
  if (text != NULL) memcpy(text, recipe, sizeof recipe);
  return text;
}

void ulpfft_string_free(char* text) { free(text); }

ulpfft_status ulpfft_execute(const ulpfft_plan* plan, const void* in, void* out) {
  const float* from = in;
  float* to = out;
  const double sign = getenv("OTHER_BUILD_WRONG") != NULL ? 1 : -1;
  int j, k;
  (void)plan;
  for (k = 0; k < kPoints; ++k) {
    double re = 0, im = 0;
    for (j = 0; j < kPoints; ++j) {
      const double angle = sign * 6.283185307179586 * (j * k % kPoints) / kPoints;
      re += from[2 * j] * cos(angle) - from[2 * j + 1] * sin(angle);
      im += from[2 * j] * sin(angle) + from[2 * j + 1] * cos(angle);
    }
    to[2 * k] = (float)re;
    to[2 * k + 1] = (float)im;
  }
  return ULPFFT_OK;
}

ulpfft_status ulpfft_execute_arrays(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out, void* workspace) {
  (void)workspace;
  return ulpfft_execute(plan, in->data[0], out->data[0]);
}
