/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* A problem in every storage and every arithmetic, by time and error. ulpfft.h includes it. */
#ifndef ULPFFT_C_PARETO_H_
#define ULPFFT_C_PARETO_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Pareto: time against error ---------------------------------------------------------------------------------------- */

/* Plans, times and measures a problem in every scheme and every storage of this build.
 *   own rows     keep the storages of the problem: a max_error chooses among them. The other rows say what other arrays would give.
 *   between      narrow storage between the passes of own rows of c2c in f32 and f64.
 *   order        own rows in f32 and f64; every storage in f32, then in f64; storage between passes; emulated schemes.
 *   wide schemes (f32, f64) are planned for each storage, timed alone, then all of them by turns on the same arrays as long as there is time.
 *                Emulated ones are planned once, and timed on fewer transforms, each alone.
 *   errors       are measured (ULPFFT_ERROR_SAMPLED) on random normal data, or on the numbers of `judge`.
 *   scheme=split leaves the schemes of that family alone, in the storages of the problem, by every recipe that planning timed.
 *   refused      arrays with gaps, chains, another scheme= and intermediate=, because rows stand for all of them. */
typedef struct ulpfft_pareto ulpfft_pareto;

typedef struct ulpfft_pareto_options {
  size_t size;                 /* sizeof(ulpfft_pareto_options) */
  double time_limit_seconds;   /* 0: 55. Kept within 10 %, but that the first row always gets numbers */
  const char* const* storages; /* names of other storages to compare; NULL: all of this build */
  size_t storage_count;
  int choices;                 /* nonzero: also what max_error = 1e-1, 1e-2, ... 1e-14 choose; forgets the wisdom of the context */
  /* As in ulpfft_plan_options. `what` is the row that is measured. */
  int (*progress)(void* user, double fraction, const char* what);
  void* progress_user;
  const ulpfft_array* judge;   /* NULL, or an input array of the problem: errors are those on it, and there are own rows alone */
} ulpfft_pareto_options;
#define ULPFFT_PARETO_OPTIONS_INIT {sizeof(ulpfft_pareto_options), 0.0, NULL, 0, 0, NULL, NULL, NULL}

/* options may be NULL. A cancelled call is ULPFFT_CANCELLED. On failure *pareto is NULL. */
ULPFFT_RESULT ulpfft_status ulpfft_pareto_measure(ulpfft_context* context, const char* problem_text, const ulpfft_pareto_options* options,
                                                  ulpfft_pareto** pareto);

/* Texts of this and of the other structs stay valid until the result is destroyed. */
typedef struct ulpfft_pareto_facts {
  size_t size;         /* sizeof(ulpfft_pareto_facts) */
  const char* problem; /* without its error limit */
  const char* machine;
  const char* family;  /* "split" where the problem names that family, else "" */
  double max_error;    /* of the problem; 0: none */
  double seconds;      /* that the call took */
  int64_t points;      /* of all transforms */
  int64_t transforms;  /* of the batch */
  size_t rows;
  size_t choices;
} ulpfft_pareto_facts;
#define ULPFFT_PARETO_FACTS_INIT {sizeof(ulpfft_pareto_facts), NULL, NULL, NULL, 0.0, 0.0, 0, 0, 0, 0}
ULPFFT_RESULT ulpfft_status ulpfft_pareto_get(const ulpfft_pareto* pareto, ulpfft_pareto_facts* facts);

/* Rows are sorted by error, then by time; those without numbers come last. */
typedef struct ulpfft_pareto_row {
  size_t size;                /* sizeof(ulpfft_pareto_row) */
  const char* problem;        /* with recipe what ulpfft_plan_from_recipe() makes a plan of */
  const char* recipe;         /* "" where there is none */
  const char* scheme;
  const char* storage_in;
  const char* storage_out;
  const char* between;        /* storage between passes; "" where it is that of the arithmetic */
  const char* reason;         /* why there are no numbers, a sentence; "" where there are */
  int out_of_time;            /* nonzero where the reason is that no time was left */
  int own;                    /* nonzero: the storages of the problem */
  int emulated;               /* nonzero: not f32 or f64 */
  int front;                  /* nonzero: no other row is both as fast and as accurate */
  int own_front;              /* nonzero: no other own row is */
  int64_t transforms;         /* of the batch that were timed */
  double seconds;             /* of all transforms of the problem */
  double spread;              /* median absolute deviation over the median */
  double bytes_per_point;     /* of both arrays, scales included */
  double predicted_error;     /* relative L2 */
  double error;               /* measured; infinite where results are no numbers */
} ulpfft_pareto_row;
#define ULPFFT_PARETO_ROW_INIT \
  {sizeof(ulpfft_pareto_row), NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0}
ULPFFT_RESULT ulpfft_status ulpfft_pareto_row_get(const ulpfft_pareto* pareto, size_t index, ulpfft_pareto_row* row);

/* What a max_error chooses. */
typedef struct ulpfft_pareto_choice {
  size_t size;         /* sizeof(ulpfft_pareto_choice) */
  double max_error;
  const char* recipe;  /* "" where planning refuses */
  const char* refusal; /* why, a sentence; else "" */
  int out_of_time;     /* nonzero where no time was left */
  double error;        /* of the recipe */
  const char* fastest; /* the recipe of the fastest own row that keeps the limit; "" where none does */
  double over_fastest; /* time of the recipe over time of that row, by turns; 0 where there is none */
} ulpfft_pareto_choice;
#define ULPFFT_PARETO_CHOICE_INIT {sizeof(ulpfft_pareto_choice), 0.0, NULL, NULL, 0, 0.0, NULL, 0.0}
ULPFFT_RESULT ulpfft_status ulpfft_pareto_choice_get(const ulpfft_pareto* pareto, size_t index, ulpfft_pareto_choice* choice);

/* NULL is allowed. */
ULPFFT_API void ulpfft_pareto_destroy(ulpfft_pareto* pareto);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_PARETO_H_ */
