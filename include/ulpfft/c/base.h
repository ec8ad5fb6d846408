/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* What every part of ulpfft.h needs: version, marks of functions, status and last error, memory, contexts. ulpfft.h includes it. */
#ifndef ULPFFT_C_BASE_H_
#define ULPFFT_C_BASE_H_

#include <stddef.h>
#include <stdint.h>

#define ULPFFT_VERSION_MAJOR 0
#define ULPFFT_VERSION_MINOR 2
#define ULPFFT_VERSION_PATCH 0

/* Marks what the library exports. */
#if defined(_WIN32)
#define ULPFFT_API
#else
#define ULPFFT_API __attribute__((visibility("default")))
#endif

/* The same, for functions whose result matters: compilers warn where it is not used. In C++17 and C23 a cast to void is a use. */
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define ULPFFT_RESULT [[nodiscard]] ULPFFT_API
#elif defined(__GNUC__)
#define ULPFFT_RESULT __attribute__((warn_unused_result)) ULPFFT_API
#else
#define ULPFFT_RESULT ULPFFT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ulpfft_context ulpfft_context;
typedef struct ulpfft_plan ulpfft_plan;
typedef struct ulpfft_array ulpfft_array;

/* In C++ every int is a value of this type, as it is in C. */
#if defined(__cplusplus) && __cplusplus >= 201103L
typedef enum ulpfft_status : int {
#else
typedef enum ulpfft_status {
#endif
  ULPFFT_OK = 0,
  ULPFFT_INVALID_ARGUMENT = 1,  /* null, zero, out of range, overlapping: see the field */
  ULPFFT_INVALID_TEXT = 2,      /* a problem, recipe or wisdom text that does not parse: see the position */
  ULPFFT_UNKNOWN_NAME = 3,      /* a format, scheme, backend or target this build does not have */
  ULPFFT_UNSUPPORTED = 4,       /* a request this version has no strategy for */
  ULPFFT_NO_MEMORY = 5,
  ULPFFT_IO = 6,                /* a file could not be read or written; the old file is intact */
  ULPFFT_UNAVAILABLE = 7,       /* a device or instruction set that is not here */
  ULPFFT_CANCELLED = 8,         /* the progress callback asked to stop */
  ULPFFT_INTERNAL = 9           /* a bug in ulpfft; the message says where */
} ulpfft_status;

/* The last error of the calling thread. Strings stay valid until the thread's next failing call. */
typedef struct ulpfft_error {
  size_t size;          /* sizeof(ulpfft_error), set by the caller */
  ulpfft_status status;
  const char* message;  /* complete sentence */
  const char* field;    /* the part of the request at fault, e.g. "lengths[1]"; "" if none */
  size_t text_begin;    /* for texts: byte range of the word at fault; begin == end when there is none */
  size_t text_end;
} ulpfft_error;
#define ULPFFT_ERROR_INIT {sizeof(ulpfft_error), ULPFFT_OK, NULL, NULL, 0, 0}

/* The sentence alone; "" before the first failure. Never NULL. */
ULPFFT_API const char* ulpfft_last_error(void);
ULPFFT_API void ulpfft_last_error_get(ulpfft_error* error);
/* "0.2.0" */
ULPFFT_API const char* ulpfft_version(void);
/* Name of a status, e.g. "invalid argument"; of any other number "unknown status". */
ULPFFT_API const char* ulpfft_status_name(ulpfft_status status);
/* Frees a text this library returned; NULL is allowed. */
ULPFFT_API void ulpfft_string_free(char* text);

/* ---- Memory for arrays -------------------------------------------------------------------------------------------- */

/* Returns uninitialised memory that begins a cache line: it is aligned to 64 bytes. NULL when there is not enough of it. ulpfft_free()
 * frees it; of 0 bytes, too. From 2 MiB on, huge pages are asked for.
 *
 * Arrays of any plan may lie anywhere that suits their numbers: 4-byte alignment is enough for f32, and no result depends on it. What
 * alignment is worth was measured with AVX-512 on one core of a Zen 4 (tests/bench/alignment.cc). Plans took turns on arrays that begin a
 * cache line and on arrays that begin 4, 16 or 32 bytes after one. Ratio of the median times to those of aligned arrays, 101 turns, from
 * the least to the largest of three processes:
 *   problem           4 bytes after   16 (malloc)     32
 *   64 f32            1.00 to 1.01    1.00            1.00 to 1.01
 *   1024 f32          1.02 to 1.27    1.02 to 1.27    0.96 to 1.19
 *   65536 f32         1.17 to 1.21    1.18 to 1.20    1.16 to 1.18
 *   1024*64 f32       0.96 to 0.98    0.96 to 0.97    0.91
 *   1024*4096 f32     1.35 to 1.37    1.35 to 1.37    1.41
 * So a plan runs up to 1.4 times as fast on aligned arrays; a batch that stays in the caches runs a tenth slower at worst. */
ULPFFT_RESULT void* ulpfft_malloc(size_t bytes);
/* NULL is allowed. */
ULPFFT_API void ulpfft_free(void* memory);

/* ---- Context: wisdom, codelets of one target, planning defaults -------------------------------------------------- */

typedef struct ulpfft_context_options {
  size_t size;         /* sizeof(ulpfft_context_options) */
  const char* target;  /* "avx3", "avx2", "sse4", ... or "ref"; NULL: the best of this machine (see ulpfft_target_get) */
  int threads;         /* of the context's pool, the calling thread among them; 0: one per CPU this process may use. 1..256 */
  /* Replaces the pool: must call work(data, i) for every i in 0..count-1, on any threads, and return when all have returned. Must
   * not throw. NULL: threads of the library, started when first needed. */
  void (*parallel_for)(void* user, int count, void (*work)(void* data, int index), void* data);
  void* parallel_user;
  uint64_t max_memory; /* of each plan, as ulpfft_plan_options has it; 0: what the process may use, see ulpfft_memory */
} ulpfft_context_options;
#define ULPFFT_CONTEXT_OPTIONS_INIT {sizeof(ulpfft_context_options), NULL, 0, NULL, NULL, 0}

/* options may be NULL. The context starts without wisdom. */
ULPFFT_RESULT ulpfft_status ulpfft_context_create(const ulpfft_context_options* options, ulpfft_context** context);
/* NULL is allowed. Plans made by a context outlive it. */
ULPFFT_API void ulpfft_context_destroy(ulpfft_context* context);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_BASE_H_ */
