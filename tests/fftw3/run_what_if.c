/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Transforms of several kinds for `ulpfft run --what-if`: run_what_if [WORDS] [CALLS], the words of a SPEC as in a problem text
 *
 * Each is executed through FFTW's functions on arrays as programs have them, and by a plan of ulpfft's own C interface on a dense copy:
 * "[KIND] LENGTHS[*BATCH] STORAGE kinds=... inverse", whose arrays are encoded before and decoded after. Without a text that is the plain
 * transform. Prints for each: its name, whether both have the same bits, whether ulpfft has such a plan or the plain one was taken, the
 * relative error (L2) against the plain transform, how many numbers saturated, and a hash of what the program has. */
#include <fftw3.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ulpfft/ulpfft.h>

static const char* words = NULL; /* of the SPEC */
static int calls = 1;
static uint64_t state;

static double next(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(state >> 11) / 4503599627370496.0 - 1.0;
}

/* One side of a dense problem: `rows` rows of `reals` real numbers, in one part or two. */
typedef struct {
  int64_t rows, reals;
  int parts;
} Side;

static void die(const char* what) {
  printf("%s: %s\n", what, ulpfft_last_error());
  exit(1);
}

/* The storage of one side, from a text "[KIND] LENGTHS IN[->OUT] ...". */
static void storage_of(const char* text, int has_kind, int out, char* storage) {
  char in[64];
  sscanf(text, has_kind ? "%*s %*s %63s" : "%*s %63s", in);
  char* const arrow = strstr(in, "->");
  strcpy(storage, arrow != NULL && out ? arrow + 2 : in);
  char* const cut = strstr(storage, "->");
  if (cut != NULL) *cut = '\0';
}

/* Numbers of the program's type (is_double) to or from the arrays of a plan. */
static int64_t convert(const char* storage, const char* type, const Side* side, ulpfft_array* array, void* reals, int encode) {
  const int64_t real_bytes = strcmp(type, "f64") == 0 ? 8 : 4, count = side->rows * side->reals;
  int64_t saturated = 0;
  for (int part = 0; part < side->parts; ++part) {
    void* const mine = (char*)reals + part * count * real_bytes;
    if (strcmp(storage, "f32") == 0 || strcmp(storage, "f64") == 0) {
      const int wide = storage[1] == '6';
      if (encode) array->data[part] = ulpfft_malloc((size_t)count * 8);
      for (int64_t i = 0; i < count; ++i) {
        double value = 0;
        if (encode) value = real_bytes == 8 ? ((double*)mine)[i] : ((float*)mine)[i];
        if (!encode) value = wide ? ((double*)array->data[part])[i] : ((float*)array->data[part])[i];
        void* const to = encode ? array->data[part] : mine;
        if (encode ? wide : real_bytes == 8) ((double*)to)[i] = value;
        else ((float*)to)[i] = (float)value;
      }
      continue;
    }
    ulpfft_conversion conversion = ULPFFT_CONVERSION_INIT;
    conversion.storage = storage, conversion.real_type = type, conversion.rows = side->rows, conversion.reals = side->reals;
    int64_t beyond = 0;
    if (encode) {
      array->data[part] = ulpfft_malloc((size_t)count * 8);
      array->scales[part] = strncmp(storage, "mx", 2) == 0 ? ulpfft_malloc((size_t)count) : NULL;
      if (ulpfft_encode(NULL, &conversion, mine, array->data[part], array->scales[part], &beyond) != ULPFFT_OK) die("encode");
    } else if (ulpfft_decode(NULL, &conversion, array->data[part], array->scales[part], mine) != ULPFFT_OK) {
      die("decode");
    }
    saturated += beyond;
  }
  return saturated;
}

static void release(ulpfft_array* array) {
  for (int part = 0; part < 2; ++part) ulpfft_free(array->data[part]), ulpfft_free(array->scales[part]);
}

/* 1, or 0 where ulpfft refuses. */
static int own(const char* text, const char* type, const Side* in, const Side* out, void* from, void* to, int64_t* saturated) {
  ulpfft_plan* plan = NULL;
  ulpfft_plan_options options = ULPFFT_PLAN_OPTIONS_INIT;
  options.effort = ULPFFT_ESTIMATE;
  if (ulpfft_plan_parse_options(NULL, text, &options, &plan) != ULPFFT_OK) return 0;
  char* const printed = ulpfft_plan_problem(plan);
  char storage_in[64], storage_out[64];
  const int has_kind = printed[0] > '9';
  storage_of(printed, has_kind, 0, storage_in);
  storage_of(printed, has_kind, 1, storage_out);
  ulpfft_array a = ULPFFT_ARRAY_INIT, b = ULPFFT_ARRAY_INIT;
  const int64_t encoded = convert(storage_in, type, in, &a, from, 1);
  convert(storage_out, type, out, &b, to, 1); /* for its memory */
  b.saturated = saturated;
  if (ulpfft_execute_arrays(plan, &a, &b, NULL) != ULPFFT_OK) die("execute");
  *saturated += encoded;
  convert(storage_out, type, out, &b, to, 0);
  release(&a), release(&b);
  ulpfft_string_free(printed);
  ulpfft_plan_destroy(plan);
  return 1;
}

/* `got` is what the program has, dense; `shape` the text before the storage, `more` the one behind. */
static void judge(const char* name, const char* type, const char* shape, const char* more, Side in, Side out, void* from, const void* got) {
  const int64_t count = out.parts * out.rows * out.reals, bytes = count * (strcmp(type, "f64") == 0 ? 8 : 4);
  void *plain = calloc((size_t)count, 8), *asked = calloc((size_t)count, 8);
  char text[256];
  int64_t saturated = 0;
  snprintf(text, sizeof text, "%s %s %s", shape, type, more);
  if (!own(text, type, &in, &out, from, plain, &saturated)) die(text);
  const int has_storage = words != NULL && strcspn(words, "=") >= strcspn(words, " ");
  snprintf(text, sizeof text, "%s %s %s %s", shape, has_storage ? "" : type, words != NULL ? words : "", more);
  const int possible = own(text, type, &in, &out, from, asked, &saturated);
  const int same = memcmp(possible ? asked : plain, got, (size_t)bytes) == 0;
  double difference = 0, sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double exact = bytes / count == 8 ? ((double*)plain)[i] : ((float*)plain)[i];
    const double value = bytes / count == 8 ? ((const double*)got)[i] : ((const float*)got)[i];
    difference += (value - exact) * (value - exact);
    sum += exact * exact;
  }
  uint64_t hash = 0;
  for (int64_t i = 0; i < bytes; ++i) hash = hash * 31 + ((const unsigned char*)got)[i];
  printf("%s %s %s %.9e %lld %016llx\n", name, same ? "same" : "other", possible ? "asked" : "refused", sqrt(difference / sum),
         (long long)saturated, (unsigned long long)hash);
  free(plain), free(asked);
}

enum { kMost = 1 << 15 };
static double a[kMost], b[kMost], dense_in[kMost], dense_out[kMost];
static float fa[kMost], fb[kMost], fdense_in[kMost];

static void fill(void) {
  for (int i = 0; i < kMost; ++i) a[i] = dense_in[i] = next(), fa[i] = fdense_in[i] = (float)a[i];
}

static void repeat(fftw_plan plan) {
  if (plan == NULL) exit(2);
  for (int i = 0; i < calls; ++i) fftw_execute(plan);
  fftw_destroy_plan(plan);
}

static void one_dimension(void) {
  fill();
  repeat(fftw_plan_dft_1d(600, (fftw_complex*)a, (fftw_complex*)b, FFTW_FORWARD, FFTW_ESTIMATE));
  judge("c2c", "f64", "600", "", (Side){1, 1200, 1}, (Side){1, 1200, 1}, dense_in, b);
  fill();
  fftwf_plan single = fftwf_plan_dft_1d(96, (fftwf_complex*)fa, (fftwf_complex*)fb, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (int i = 0; i < calls; ++i) fftwf_execute(single);
  fftwf_destroy_plan(single);
  judge("c2c_single", "f32", "96", "inverse", (Side){1, 192, 1}, (Side){1, 192, 1}, fdense_in, fb);
  fill();
  repeat(fftw_plan_dft_r2c_1d(250, a, (fftw_complex*)b, FFTW_ESTIMATE));
  judge("r2c", "f64", "r2c 250", "", (Side){1, 250, 1}, (Side){1, 252, 1}, dense_in, b);
  fill();
  repeat(fftw_plan_dft_c2r_1d(120, (fftw_complex*)a, b, FFTW_ESTIMATE));
  judge("c2r", "f64", "c2r 120", "", (Side){1, 122, 1}, (Side){1, 120, 1}, dense_in, b);
  fill();
  repeat(fftw_plan_r2r_1d(90, a, b, FFTW_REDFT10, FFTW_ESTIMATE));
  judge("dct2", "f64", "r2r 90", "kinds=dct2", (Side){1, 90, 1}, (Side){1, 90, 1}, dense_in, b);
  fill();
  repeat(fftw_plan_dft_1d(17, (fftw_complex*)a, (fftw_complex*)b, FFTW_FORWARD, FFTW_ESTIMATE));
  judge("prime", "f64", "17", "", (Side){1, 34, 1}, (Side){1, 34, 1}, dense_in, b);
}

static void two_dimensions(void) {
  const int lengths[] = {12, 20};
  const fftw_r2r_kind kinds[] = {FFTW_DHT, FFTW_RODFT00};
  fill();
  repeat(fftw_plan_dft(2, lengths, (fftw_complex*)a, (fftw_complex*)b, FFTW_BACKWARD, FFTW_ESTIMATE));
  judge("c2c_2d", "f64", "12x20", "inverse", (Side){12, 40, 1}, (Side){12, 40, 1}, dense_in, b);
  fill();
  repeat(fftw_plan_dft_r2c(2, lengths, a, (fftw_complex*)b, FFTW_ESTIMATE));
  judge("r2c_2d", "f64", "r2c 12x20", "", (Side){12, 20, 1}, (Side){12, 22, 1}, dense_in, b);
  fill(); /* kept, so that every call has the same input */
  repeat(fftw_plan_dft_c2r(2, lengths, (fftw_complex*)a, b, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT));
  judge("c2r_2d", "f64", "c2r 12x20", "", (Side){12, 22, 1}, (Side){12, 20, 1}, dense_in, b);
  fill();
  repeat(fftw_plan_r2r(2, lengths, a, b, kinds, FFTW_ESTIMATE));
  judge("r2r_2d", "f64", "r2r 12x20", "kinds=dht,dst1", (Side){12, 20, 1}, (Side){12, 20, 1}, dense_in, b);
}

/* Once, whatever the number of calls: the second would have another input. */
static void in_place(void) {
  fill();
  fftw_plan plan = fftw_plan_dft_1d(256, (fftw_complex*)a, (fftw_complex*)a, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  judge("in_place", "f64", "256", "", (Side){1, 512, 1}, (Side){1, 512, 1}, dense_in, a);
  fill(); /* rows of 30 reals, padded to 32 */
  for (int row = 0; row < 8; ++row) memcpy(dense_in + 30 * row, a + 32 * row, 30 * sizeof *a);
  plan = fftw_plan_dft_r2c_2d(8, 30, a, (fftw_complex*)a, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  judge("r2c_in_place", "f64", "r2c 8x30", "", (Side){8, 30, 1}, (Side){8, 32, 1}, dense_in, a);
  fill(); /* a transposition: rows of a 6 x 6 array become columns */
  const fftw_iodim dim = {6, 1, 6}, loop = {6, 6, 1};
  plan = fftw_plan_guru_dft(1, &dim, 1, &loop, (fftw_complex*)a, (fftw_complex*)a, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  for (int i = 0; i < 36; ++i) memcpy(dense_out + 2 * (i % 6 * 6 + i / 6), a + 2 * i, 2 * sizeof *a);
  judge("transposed", "f64", "6*6", "", (Side){6, 12, 1}, (Side){6, 12, 1}, dense_in, dense_out);
}

static void strides(void) {
  const int n = 40;
  fill(); /* five transforms, input stride 3, output stride 2 */
  for (int t = 0; t < 5; ++t)
    for (int i = 0; i < n; ++i) memcpy(dense_in + 2 * (t * n + i), a + 2 * (t * 130 + 3 * i), 2 * sizeof *a);
  repeat(fftw_plan_many_dft(1, &n, 5, (fftw_complex*)a, NULL, 3, 130, (fftw_complex*)b, NULL, 2, 81, FFTW_FORWARD, FFTW_ESTIMATE));
  for (int t = 0; t < 5; ++t)
    for (int i = 0; i < n; ++i) memcpy(dense_out + 2 * (t * n + i), b + 2 * (t * 81 + 2 * i), 2 * sizeof *a);
  judge("many", "f64", "40*5", "", (Side){5, 80, 1}, (Side){5, 80, 1}, dense_in, dense_out);
  fill(); /* single, real, interleaved with other channels */
  for (int t = 0; t < 3; ++t)
    for (int i = 0; i < n; ++i) fdense_in[t * n + i] = fa[t + 3 * i];
  fftwf_plan single = fftwf_plan_many_dft_r2c(1, &n, 3, fa, NULL, 3, 1, (fftwf_complex*)fb, NULL, 1, 21, FFTW_ESTIMATE);
  for (int i = 0; i < calls; ++i) fftwf_execute(single);
  fftwf_destroy_plan(single);
  judge("many_r2c_single", "f32", "r2c 40*3", "", (Side){3, 40, 1}, (Side){3, 42, 1}, fdense_in, fb);
}

static void split_arrays(void) {
  const fftw_iodim dim = {48, 1, 1}, loop = {4, 48, 48};
  double *re = a, *im = a + 4000, *out_re = b, *out_im = b + 5000;
  for (int inverse = 0; inverse < 2; ++inverse) {
    fill(); /* FFTW's way back: re and im exchanged on both sides */
    memcpy(dense_in, inverse ? im : re, 192 * sizeof *a);
    memcpy(dense_in + 192, inverse ? re : im, 192 * sizeof *a);
    fftw_plan plan = inverse ? fftw_plan_guru_split_dft(1, &dim, 1, &loop, im, re, out_im, out_re, FFTW_ESTIMATE)
                             : fftw_plan_guru_split_dft(1, &dim, 1, &loop, re, im, out_re, out_im, FFTW_ESTIMATE);
    repeat(plan);
    memcpy(dense_out, inverse ? out_im : out_re, 192 * sizeof *a);
    memcpy(dense_out + 192, inverse ? out_re : out_im, 192 * sizeof *a);
    judge(inverse ? "split_back" : "split", "f64", "48*4", "split", (Side){4, 48, 2}, (Side){4, 48, 2}, dense_in, dense_out);
  }
  fill(); /* a plan made for split arrays on interleaved ones */
  const fftw_iodim pair = {48, 2, 2}, pairs = {4, 96, 96};
  fftw_plan plan = fftw_plan_guru_split_dft(1, &pair, 1, &pairs, re, im, out_re, out_im, FFTW_ESTIMATE);
  for (int i = 0; i < calls; ++i) fftw_execute_split_dft(plan, a, a + 1, b, b + 1);
  fftw_destroy_plan(plan);
  judge("split_interleaved", "f64", "48*4", "", (Side){4, 96, 1}, (Side){4, 96, 1}, dense_in, b);
  fill();
  plan = fftw_plan_guru_split_dft_r2c(1, &dim, 1, &loop, re, out_re, out_im, FFTW_ESTIMATE);
  repeat(plan);
  for (int t = 0; t < 4; ++t) {
    memcpy(dense_out + 25 * t, out_re + 48 * t, 25 * sizeof *a);
    memcpy(dense_out + 100 + 25 * t, out_im + 48 * t, 25 * sizeof *a);
  }
  judge("split_r2c", "f64", "r2c 48*4", "split", (Side){4, 48, 1}, (Side){4, 25, 2}, dense_in, dense_out);
}

int main(int count, char** arguments) {
  if (count > 1 && arguments[1][0] != '\0') words = arguments[1];
  if (count > 2) calls = atoi(arguments[2]);
  one_dimension();
  two_dimensions();
  in_place();
  strides();
  split_arrays();
  return 0;
}
