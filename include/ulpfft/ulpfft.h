/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* ulpfft: fast Fourier transforms whose plan includes the number format. C interface.
 *
 *   ulpfft_plan* plan = ulpfft_plan_1d(1000, "f32", ULPFFT_FORWARD, ULPFFT_ESTIMATE);
 *   float* in = (float*)ulpfft_malloc(1000 * 2 * sizeof(float));
 *   float* out = (float*)ulpfft_malloc(1000 * 2 * sizeof(float));
 *   ...
 *   if (plan == NULL || ulpfft_execute(plan, in, out) != ULPFFT_OK) puts(ulpfft_last_error());
 *
 * Transform   X[k] = sum_j x[j] exp(-2 pi i j k / n), forward; backward has exp(+2 pi i j k / n). Neither is scaled
 *             unless the problem carries a scale. Several dimensions: one transform along each. Real input or output: the kinds
 *             r2c and c2r of c/problem.h.
 * Arrays      complex numbers; *interleaved* (re, im, re, im, ...) or *split* (all re in one array, all im in another); or real numbers.
 *             Row-major: the last length varies fastest; batch dimensions lie outside (before) the lengths.
 * Placement   a plan is in place or out of place from the start, and takes no other arrays: FFTW's `in == out` is the word inplace.
 * Units       lengths and strides count complex elements (interleaved) or real elements (split, and real sides), 64-bit. `bytes` are bytes.
 * Errors      every function that can fail returns a status, or NULL; compilers warn where it is not used. ulpfft_last_error() tells, per
 *             thread, what was asked, what is possible and which field is at fault. Nothing aborts, no C++ exception leaves the library.
 * Threads     every function may be called from any thread at any time, except that an object must not be destroyed while
 *             another thread uses it. A plan is immutable: any number of threads may execute it at once. A plan made for several
 *             threads runs on those of its context; its results are the same bits for any number of them. After fork() the
 *             child may go on using contexts and plans.
 *             An execution takes up to 32 KiB of its thread's stack, in split schemes (docs/split.md) up to 224 KiB.
 *             A thread that is cancelled during a call ends after it, at its next cancellation point.
 * Batches     a transform has the bits that it has alone, but for schemes with `:whole`: transforms of a batch share a norm there.
 * Null        a NULL context means the process-wide default context, made on first use.
 * Sizes       structs begin with their size. ULPFFT_..._INIT sets it, and all other members to zero or NULL, which are their defaults.
 *             New members come at the end only. A library takes every size that was ever published: members that a smaller struct
 *             lacks have their defaults, and are not written.
 * Versions    before 1.0 a new minor version may change the interface, and has an soname of its own: libulpfft.so.0.2.
 */
#ifndef ULPFFT_ULPFFT_H_
#define ULPFFT_ULPFFT_H_

#include <string.h>

#include "ulpfft/c/array_files.h"
#include "ulpfft/c/base.h"
#include "ulpfft/c/capabilities.h"
#include "ulpfft/c/pareto.h"
#include "ulpfft/c/problem.h"
#include "ulpfft/c/short_forms.h"
#include "ulpfft/c/sides.h"
#include "ulpfft/c/storage.h"
#include "ulpfft/c/wisdom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Plans -------------------------------------------------------------------------------------------------------- */

/* Makes a plan. options may be NULL. Never touches the caller's arrays, but reads options->judge. On failure *plan is NULL. */
ULPFFT_RESULT ulpfft_status ulpfft_plan_create(ulpfft_context* context, const ulpfft_problem* problem,
                                               const ulpfft_plan_options* options, ulpfft_plan** plan);

/* The same from a problem text, e.g. "256x256*8 f32 inverse centered scale=ortho" (c/problem.h, Problem text). */
ULPFFT_RESULT ulpfft_status ulpfft_plan_parse(ulpfft_context* context, const char* problem_text, ulpfft_plan** plan);
ULPFFT_RESULT ulpfft_status ulpfft_plan_parse_options(ulpfft_context* context, const char* problem_text,
                                                      const ulpfft_plan_options* options, ulpfft_plan** plan);

/* A plan for a problem text by a recipe text, e.g. "f32:dit(16 8 8 4)"; nothing is searched or remembered. */
ULPFFT_RESULT ulpfft_status ulpfft_plan_from_recipe(ulpfft_context* context, const char* problem_text,
                                                    const char* recipe_text, ulpfft_plan** plan);

/* NULL is allowed. */
ULPFFT_API void ulpfft_plan_destroy(ulpfft_plan* plan);

/* Bytes of a problem and of its plan, told before any of them is taken. Planning refuses (ULPFFT_NO_MEMORY), in milliseconds, problems
 * whose arrays, tables and workspace together exceed process_bytes (of a batch fewer transforms at a time may do), and plans whose
 * table_bytes, making_bytes and workspace_bytes together exceed a max_memory. */
typedef struct ulpfft_memory {
  size_t size;              /* sizeof(ulpfft_memory) */
  uint64_t in_bytes;        /* codes and scales of the input array; split: both parts; in place: of the array that holds both sides */
  uint64_t out_bytes;       /* of the output array; 0 in place, where it is the same one */
  uint64_t table_bytes;     /* of the plan */
  uint64_t making_bytes;    /* that are taken for a while as its tables are filled */
  uint64_t workspace_bytes; /* of one execution */
  uint64_t process_bytes;   /* that this process may use: the least of the machine's memory, cgroup and resource limits */
} ulpfft_memory;
#define ULPFFT_MEMORY_INIT {sizeof(ulpfft_memory), 0, 0, 0, 0, 0, 0}
/* The memory of the plan that ULPFFT_ESTIMATE would make; other efforts may choose one of about the same size. Never fails for size: where
 * no plan keeps max_workspace, it tells that of the plan with ULPFFT_WORKSPACE_ONE. */
ULPFFT_RESULT ulpfft_status ulpfft_predict_memory(ulpfft_context* context, const ulpfft_problem* problem, ulpfft_memory* memory);
ULPFFT_RESULT ulpfft_status ulpfft_predict_memory_text(ulpfft_context* context, const char* problem_text, ulpfft_memory* memory);
/* The same of a plan that was made. */
ULPFFT_RESULT ulpfft_status ulpfft_plan_memory(const ulpfft_plan* plan, ulpfft_memory* memory);

/* Operations on real numbers of one execution, of the whole batch: those of its codelets, as ulpfft_plan_describe() prints them.
 * Conversions of narrow storage and a chain's own operation are not counted. A fused multiply-add counts as one. The counts are kept in
 * double because products of lengths may exceed 64 bits. */
typedef struct ulpfft_operation_counts {
  size_t size; /* sizeof(ulpfft_operation_counts) */
  double adds; /* subtractions among them */
  double muls;
  double fmas;
} ulpfft_operation_counts;
#define ULPFFT_OPERATION_COUNTS_INIT {sizeof(ulpfft_operation_counts), 0.0, 0.0, 0.0}
ULPFFT_RESULT ulpfft_status ulpfft_plan_operation_counts(const ulpfft_plan* plan, ulpfft_operation_counts* counts);

/* Range: the first pass applies the scale, and later ones have numbers that are larger than results. Results of normal data, so scaled, may
 * reach half of the largest number of the arithmetic, a quarter where a recipe has convolutions (rader and bluestein: lengths with a prime
 * factor above 13). There, data that resemble a chirp have numbers up to the square root of twice the length times their largest result.
 * A number that overflows in a convolution makes all results of that transform NaN. A scale leaves room.
 *
 * Transforms. `in` and `out` are interleaved arrays of the storage type (real sides: arrays of its reals), aligned to a real of it (packed
 * formats: to a byte), without scales: element formats; block formats need ulpfft_execute_arrays(). in == out exactly when the plan is in
 * place. `in` is not changed unless in place or by destroy_input. Never locks; allocates only when more threads execute this plan at once
 * than it holds workspaces for (one at first, growing to 64). */
ULPFFT_RESULT ulpfft_status ulpfft_execute(const ulpfft_plan* plan, const void* in, void* out);

/* An array of any layout and storage. Parts of the output overlap neither each other nor, unless in place, the input. */
struct ulpfft_array {
  size_t size;        /* sizeof(ulpfft_array) */
  void* data[2];      /* interleaved: data[0]; split: re, im; real numbers: data[0]. Aligned to a code, packed formats to a byte */
  void* scales[2];    /* block formats: of data[0] and data[1], bytes as ulpfft_format_layout() says, in rows like the data; else NULL */
  /* Narrow formats, and any storage where the problem has a prescale, or NULL: one power of two per transform, row-major over the batch;
   * the numbers are codes times 2^exponent. Of an input they are read, and applied in the type of the arithmetic: numbers that leave its
   * range (f32: about 2^+-126) are lost, unless there is a prescale. Of an output they are chosen and written: of element formats the least
   * exponent with which the largest magnitude of the transform is at most the largest value of the format, so that nothing overflows and
   * small results keep their digits; of block formats, whose scales do this, 0 as long as the largest block has a scale in their range;
   * above it the least exponent that brings it there, below it the one that gives the largest block the scale 1; of f32 and f64 what undoes
   * the prescale. Without them an output saturates. in and out may name the same exponents. */
  int32_t* exponents;
  /* Of an output, or NULL: receives how many real numbers of this execution, between passes too, round beyond the largest value of a narrow
   * format and became it, infinities among them; 0 where nothing is narrow. Of a rounded scheme: how many operations went beyond the
   * largest value of its format, whatever the storage. Plans for a device need to wait for the transform to tell it, and calls of one plan
   * that ask for it wait for each other: NULL saves that. */
  int64_t* saturated;
  /* Of an output, or NULL: receives how many real numbers of this execution were not 0 and rounded to 0 in narrow storage between passes; 0
   * where nothing between passes is narrow. A few are ordinary: spectra have small numbers. Many mean that the data are too small for that
   * storage, of which nothing else tells: use a prescale, a scale, or another storage. Numbers that become 0 in the output are not counted.
   * Counting takes one more look at each number (0.1 ns per real, in blocks 0.3): NULL saves it. */
  int64_t* underflowed;
};
#define ULPFFT_ARRAY_INIT {sizeof(ulpfft_array), {NULL, NULL}, {NULL, NULL}, NULL, NULL, NULL}

/* An input of const memory (c/sides.h) as the functions below take it. Plans in place and destroy_input write to an input. */
static inline ulpfft_array ulpfft_input(const ulpfft_const_array* from) {
  ulpfft_array array = ULPFFT_ARRAY_INIT;
  memcpy(&array.data, &from->data, sizeof array.data);
  memcpy(&array.scales, &from->scales, sizeof array.scales);
  memcpy(&array.exponents, &from->exponents, sizeof array.exponents);
  return array;
}

/* workspace: NULL, or ulpfft_plan_workspace_bytes() bytes, aligned to 64, apart from the arrays, used by this call alone. Workspaces of
 * calls at the same time are best 32 KiB or more apart: cores fetch ahead into each other's. */
ULPFFT_RESULT ulpfft_status ulpfft_execute_arrays(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out,
                                                  void* workspace);

/* ---- Devices ----------------------------------------------------------------------------------------------------------- */

/* Problems with backend=cuda are planned for NVIDIA's devices: that of the thread's current context, else device 0 by its primary context.
 * Recipes and stated errors are those of the processor. Results are to have its bits: the kernels' own source gives them on the CPU, but
 * no kernel has run on a GPU yet. Where there is no driver, no device or no compiled kernel, plans are made by a model
 * and executing them is refused (ULPFFT_UNAVAILABLE); ulpfft_backend_describe() says what there is.
 *
 * Begins a transform on a stream and returns; no allocation, copy or synchronisation, so that a capture into a graph can record it.
 *   stream     a cudaStream_t or CUstream of the plan's context; NULL is the default stream.
 *   in, out    as ulpfft_execute() takes them, but memory that the device can reach, aligned to complex numbers.
 *   workspace  NULL, or ulpfft_plan_workspace_bytes() bytes of the device, aligned to 64, used by this execution alone until it has ended.
 *              NULL takes the plan's own: then executions of the plan must follow one another.
 *   threads    any number at once, on any streams, each with a workspace of its own. The thread's current context must be that in which
 *              the plan was made; a thread without one takes that for the call.
 *   errors     refused arguments and failed launches. An error of a kernel that runs shows in a later call of CUDA and makes the context
 *              useless; a device is never reset.
 * What saturates is not counted. Of plans for the processor, stream must be NULL, and the call returns when the transform has ended. */
ULPFFT_RESULT ulpfft_status ulpfft_execute_on(const ulpfft_plan* plan, void* stream, const void* in, void* out, void* workspace);

/* Transforms arrays of the host by a plan for any backend: copies them to where it executes, waits for the result, and copies that back.
 * For plans of a device it takes memory there for both arrays, and interleaved arrays without scales and exponents. */
ULPFFT_RESULT ulpfft_status ulpfft_execute_on_host(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out);

/* Several lines for people about a backend whose plans need a device: driver, devices, kernels, or why there are none. Free with
 * ulpfft_string_free(); NULL for other names. */
ULPFFT_RESULT char* ulpfft_backend_describe(const char* backend);

/* ---- Chains: there, an operation on the spectrum, and back, in one execution ------------------------------------------ */

/* A problem with `chain` transforms in its direction, changes the spectrum, and transforms back in the other direction: convolutions,
 * filters, round trips. The spectrum never leaves the arithmetic's type nor, where a few transforms fit them, the caches; long lines that
 * are not centered and arrays of several dimensions take one sweep less than two transforms where the recipe allows it. The scale is that
 * of the whole (ULPFFT_SCALE_BY_N: operations that change nothing give the input back). Storage, strides, batches, placement are those of
 * input and output; schemes are f32 and f64.
 * Chains of real numbers have kind r2c: r2c, the operation on the stored half of the spectrum, and c2r, both with the problem's direction.
 * The result is that of a complex chain whose operation multiplies X[-k] by the conjugate of what it multiplies X[k] by. Of what the
 * operation leaves, c2r ignores the part that would make the result complex (see Kinds). */

/* A part of a spectrum. Complex number (r, c) of it lies at values + 2 * (r * row_stride + c) reals, interleaved, of the plan's arithmetic
 * (float or double), and has index `index + r * row_step + c` in the spectrum: row-major, as a transform of the problem stores it
 * (centered: zero frequency in the middle; r2c: rows of n/2 + 1). */
typedef struct ulpfft_tile {
  size_t size;        /* sizeof(ulpfft_tile) */
  void* values;
  int64_t rows, columns;
  int64_t row_stride; /* complex numbers */
  int64_t transform;  /* of the batch, row-major */
  int64_t index;
  int64_t row_step;
} ulpfft_tile;

typedef struct ulpfft_operation {
  size_t size;         /* sizeof(ulpfft_operation) */
  /* chain "mul": one complex factor per point of a spectrum (r2c: of the stored half, rows of n/2 + 1), dense, row-major, interleaved, in
   * the plan's arithmetic (see ulpfft_plan_recipe(): "f32:..." float, "f64:..." double, "split:..." float, "split:i8..." double), aligned
   * to a real; the same for every transform of the batch. Only read. */
  const void* factors;
  /* chain "user": changes the values of a tile, in place. Called once for every tile of an execution, in any order and, by plans on several
   * threads, from several threads at once; tiles cover every spectrum exactly once. Must not throw. */
  void (*apply)(void* user, const ulpfft_tile* tile);
  void* user;
} ulpfft_operation;
#define ULPFFT_OPERATION_INIT {sizeof(ulpfft_operation), NULL, NULL, NULL}

/* in, out, workspace: as ulpfft_execute_arrays(), which refuses chains, as ulpfft_execute() does. */
ULPFFT_RESULT ulpfft_status ulpfft_execute_chain(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out,
                                                 const ulpfft_operation* operation, void* workspace);

/* Scratch bytes of one execution: a transform or two; of chains one or two more; with narrow storage one more, in the type of the
 * arithmetic. Lengths with a prime factor above 13 need up to 4.5 complex transforms (a convolution of a longer length), of real numbers
 * up to 11 times the bytes of their line. */
ULPFFT_API size_t ulpfft_plan_workspace_bytes(const ulpfft_plan* plan);

/* Threads an execution uses: 1 .. the problem's. */
ULPFFT_API int ulpfft_plan_threads(const ulpfft_plan* plan);

/* Relative L2 error against the exact transform of the values the input encodes, rounding of the output included; predicted or measured as
 * ulpfft_plan_error_level() says (ULPFFT_ERROR_...). It is that of complex normal data: re and im are independent, and the standard
 * deviation of either is rms / sqrt(2), where rms is that of the complex numbers.
 *   f32, f64, blocks    rms is 1. The size of the data changes nothing.
 *   narrow floats       rms is 1, or less where a standard deviation of either part, of the input or of the output, would be more than an
 *                       eighth of the largest value of its format, or more where all normal numbers of the format lie above 1.
 *   integers            the standard deviation of either part is an eighth of the largest value: of the input if that is in integers; else
 *                       of the output, whatever the scale, as far as the input holds such data. The step of an integer does not follow the
 *                       data: outputs that fill a k-th of that have k times the error. ulpfft_plan_assess() tells that of your data.
 *   rounded schemes     the format of the arithmetic limits the data like a storage, unless there is a prescale.
 *   r2c, c2r            the real numbers are normal: the input of r2c with standard deviation 1, and of c2r those whose spectrum is the
 *                       input, which has rms 1. The error is that of the stored outputs. The limits of narrow floats and integers are those
 *                       of the real numbers themselves on a real side.
 *   r2r                 the real numbers are normal, with standard deviation 1; of HC2R both parts of a number.
 * An input of at least half a step of its format remains. The error of a plan from wisdom is the one stored there, with its level, where
 * the prediction is within 1.25 times of it, and else the prediction: this process did not measure it, unless a max_error or error_level
 * asks for that. A prediction is within 1.25 times of what is measured in most plans, 1.6 times in
 * chains and with integers. */
ULPFFT_API double ulpfft_plan_error(const ulpfft_plan* plan);
ULPFFT_API int ulpfft_plan_error_level(const ulpfft_plan* plan);

/* A measured error. */
typedef struct ulpfft_error_report {
  size_t size;             /* sizeof(ulpfft_error_report) */
  double relative_l2;      /* ||y - Y|| / ||Y|| over the outputs compared; 0 / 0 counts as 0 */
  double relative_largest; /* largest |y - Y| over largest |Y| */
  int64_t outputs;         /* compared */
  int level;               /* ULPFFT_ERROR_SAMPLED or _FULL */
} ulpfft_error_report;
#define ULPFFT_ERROR_REPORT_INIT {sizeof(ulpfft_error_report), 0.0, 0.0, 0, 0}

/* Measures the error of a plan on normal data (sampled, full), or on the caller's input array, which is only read. The
 * reference has at least twice the digits of the plan's arithmetic. Allocates arrays of its own, which have no gaps between elements
 * whatever the strides, and a few transforms in f64 or wider. Of chains: with factors of magnitude 1, or
 * a user's operation that changes nothing. */
ULPFFT_RESULT ulpfft_status ulpfft_plan_measure_error(const ulpfft_plan* plan, int level, ulpfft_error_report* report);
ULPFFT_RESULT ulpfft_status ulpfft_plan_assess(const ulpfft_plan* plan, const ulpfft_array* in, int level, ulpfft_error_report* report);

/* Measured seconds of one execution (median; of a large batch scaled up from a part of it), 0 when nothing was timed: estimate
 * without wisdom, a recipe by text, arrays beyond 1 GiB. */
ULPFFT_API double ulpfft_plan_seconds(const ulpfft_plan* plan);

/* Texts below are allocated by the library: ulpfft_string_free(). NULL on failure. */
/* Several lines for people: problem, recipe, operations, seconds, error, workspace, hash of the fixed input (which executes the
 * recipe once on arrays of its own, without gaps between elements). */
ULPFFT_RESULT char* ulpfft_plan_describe(const ulpfft_plan* plan);
/* The passes the plan runs, in their loops, with where each reads and writes, as the recipe was lowered to them stage by stage. For people:
 * the form may change in any version. */
ULPFFT_RESULT char* ulpfft_plan_explain(const ulpfft_plan* plan);
ULPFFT_RESULT char* ulpfft_plan_problem(const ulpfft_plan* plan);
ULPFFT_RESULT char* ulpfft_plan_recipe(const ulpfft_plan* plan);
/* 64-bit FNV-1a of the output bits for the library's fixed input; equal for equal recipes on every target with FMA. */
ULPFFT_RESULT ulpfft_status ulpfft_plan_hash(const ulpfft_plan* plan, uint64_t* hash);

/* What the planner considered, best first. */
typedef struct ulpfft_candidate {
  size_t size;             /* sizeof(ulpfft_candidate) */
  char recipe[257];
  double seconds;          /* median; 0: not timed */
  double spread;           /* relative median absolute deviation */
  double predicted_seconds; /* 0: a model ordered the recipes and knows no time */
  char kind[33];           /* what proposed it: "codelet", "mixed radix", "columns", "four-step", "rader", "bluestein", or what was varied:
                              "twiddle forms", "panels", "threads", ...; "avx2": codelets of a target of narrower vectors */
  int threads;
  double error;            /* relative L2; predicted unless a limit made the planner measure it */
} ulpfft_candidate;
#define ULPFFT_CANDIDATE_INIT {sizeof(ulpfft_candidate), "", 0.0, 0.0, 0.0, "", 0, 0.0}

ULPFFT_API size_t ulpfft_plan_candidate_count(const ulpfft_plan* plan);
ULPFFT_RESULT ulpfft_status ulpfft_plan_candidate_get(const ulpfft_plan* plan, size_t index, ulpfft_candidate* candidate);
/* Nonzero when the recipe came from wisdom and nothing was timed. */
ULPFFT_API int ulpfft_plan_from_wisdom(const ulpfft_plan* plan);
/* Seconds that planning took. */
ULPFFT_API double ulpfft_plan_planning_seconds(const ulpfft_plan* plan);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_ULPFFT_H_ */
