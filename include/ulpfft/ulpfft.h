/* ulpfft: fast Fourier transforms whose plan includes the number format. C interface.
 *
 * Transform   X[k] = sum_j x[j] exp(-2 pi i j k / n), forward; backward has exp(+2 pi i j k / n). Neither is scaled
 *             unless the problem carries a scale. Several dimensions: one transform along each.
 * Arrays      complex numbers; *interleaved* (re, im, re, im, ...) or *split* (all re in one array, all im in another).
 *             Row-major: the last length varies fastest; batch dimensions lie outside (before) the lengths.
 * Units       lengths and strides count complex elements (interleaved) or real elements (split), 64-bit. `bytes` are bytes.
 * Errors      every function that can fail returns a status; ulpfft_last_error() tells, per thread, what was asked, what is
 *             possible and which field is at fault. Nothing aborts, no C++ exception leaves the library.
 * Threads     every function may be called from any thread at any time, except that an object must not be destroyed while
 *             another thread uses it. A plan is immutable: any number of threads may execute it at once. A plan made for several
 *             threads runs on those of its context; its results are the same bits for any number of them. After fork() the
 *             child may go on using contexts and plans.
 *             A thread that is cancelled during a call ends after it, at its next cancellation point.
 * Null        a NULL context means the process-wide default context, made on first use.
 */
#ifndef ULPFFT_ULPFFT_H_
#define ULPFFT_ULPFFT_H_

#include <stddef.h>
#include <stdint.h>

#define ULPFFT_VERSION_MAJOR 0
#define ULPFFT_VERSION_MINOR 1
#define ULPFFT_VERSION_PATCH 0

#if defined(_WIN32)
#define ULPFFT_API
#else
#define ULPFFT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ulpfft_context ulpfft_context;
typedef struct ulpfft_plan ulpfft_plan;
typedef struct ulpfft_array ulpfft_array;

typedef enum ulpfft_status {
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

/* The sentence alone; "" before the first failure. Never NULL. */
ULPFFT_API const char* ulpfft_last_error(void);
ULPFFT_API void ulpfft_last_error_get(ulpfft_error* error);
/* "0.1.0" */
ULPFFT_API const char* ulpfft_version(void);
/* Name of a status, e.g. "invalid argument". */
ULPFFT_API const char* ulpfft_status_name(ulpfft_status status);
/* Frees a text this library returned; NULL is allowed. */
ULPFFT_API void ulpfft_string_free(char* text);

/* ---- Context: wisdom, codelets of one target, planning defaults -------------------------------------------------- */

typedef struct ulpfft_context_options {
  size_t size;         /* sizeof(ulpfft_context_options) */
  const char* target;  /* "avx3", "avx2", "sse4", ... or "ref"; NULL: the best of this machine (see ulpfft_target_get) */
  int threads;         /* of the context's pool, the calling thread among them; 0: one per CPU this process may use. 1..256 */
  /* Replaces the pool: must call work(data, i) for every i in 0..count-1, on any threads, and return when all have returned. Must
   * not throw. NULL: threads of the library, started when first needed. */
  void (*parallel_for)(void* user, int count, void (*work)(void* data, int index), void* data);
  void* parallel_user;
} ulpfft_context_options;

/* options may be NULL. The context starts without wisdom. */
ULPFFT_API ulpfft_status ulpfft_context_create(const ulpfft_context_options* options, ulpfft_context** context);
/* NULL is allowed. Plans made by a context outlive it. */
ULPFFT_API void ulpfft_context_destroy(ulpfft_context* context);

/* ---- Problem ------------------------------------------------------------------------------------------------------ */

/* Narrow storage. Element formats (f16, e4m3, i16, ...) hold a code per real number. Packed ones, whose codes are no whole bytes (e3m2, e2m1,
 * ...), and block formats (mxfp8_e4m3, ...) are kept in *rows* along the last length: every row begins a new byte, a new block and a new
 * scale; its last block may be partial. Their numbers are adjacent (stride 1, else refused), and the strides of all other lengths and of
 * batch dimensions count rows, of the codes and of the scales alike: blocks never run across them. A row of an interleaved array has
 * 2 * length reals, re first; split arrays have rows of length reals in both parts. Packed codes are a little-endian bit stream, bit 0 first;
 * unused bits of a row's last byte are 0. Blocks have 2, 4, 8, 16, 32 or 64 reals, or 0: the whole row; scale rules are floor, ceil, rceil,
 * even, fit. Arithmetic is wide; each transform is decoded once and rounded once, to nearest even, saturating. */

enum { ULPFFT_C2C = 0, ULPFFT_R2C = 1, ULPFFT_C2R = 2, ULPFFT_R2R = 3 }; /* kind; only c2c is implemented so far */
enum { ULPFFT_FORWARD = 0, ULPFFT_BACKWARD = 1 };
enum { ULPFFT_INTERLEAVED = 0, ULPFFT_SPLIT = 1 };
enum { ULPFFT_OUT_OF_PLACE = 0, ULPFFT_IN_PLACE = 1 };
enum {
  ULPFFT_SCALE_NONE = 0,  /* 1 */
  ULPFFT_SCALE_ORTHO = 1, /* 1/sqrt(product of lengths) */
  ULPFFT_SCALE_BY_N = 2,  /* 1/(product of lengths) */
  ULPFFT_SCALE_VALUE = 3  /* scale_value */
};

enum {
  ULPFFT_PRESCALE_NONE = 0,
  ULPFFT_PRESCALE_AMAX = 1,  /* the plan chooses the target, see ulpfft_plan_describe(): no sum can overflow where the format of the arithmetic,
                                or of what lies between passes, has room for that; else what keeps normal data above its subnormal numbers. (Products with the ratios of
                                the twiddle forms lf and cos, which plans do not choose by themselves, may.) */
  ULPFFT_PRESCALE_TARGET = 2 /* prescale_target */
};

/* What to compute. Zero everything, set `size`, `rank`, `lengths`; the rest has defaults: forward, dense, out of place, f32. */
typedef struct ulpfft_problem {
  size_t size; /* sizeof(ulpfft_problem) */
  int kind;    /* ULPFFT_C2C */
  int rank;    /* 1..8 transformed dimensions */
  const int64_t* lengths;
  const int64_t* in_strides;        /* per dimension; NULL: dense row-major */
  const int64_t* out_strides;
  int batch_rank;                   /* 0..8 batch dimensions, outside the lengths */
  const int64_t* batch_lengths;
  const int64_t* batch_in_strides;  /* per batch dimension; NULL: dense */
  const int64_t* batch_out_strides;
  const char* storage_in;           /* a name of ulpfft_format_get(); NULL: "f32". Of block formats NAME[:bLENGTH][:RULE], e.g.
                                       "mxfp8_e4m3:b8:floor": see Narrow storage */
  const char* storage_out;          /* NULL: as storage_in */
  const char* scheme;               /* arithmetic: "f32", "f64"; NULL: that of the wider storage; of narrow ones
                                       f32, or f64 where ulpfft_format::compute says so. "rounded:f16" (or any other signed element
                                       format): every operation rounded once to it; "rounded:f16/f32": twiddle factors applied in it,
                                       sums of points in f32. Lengths of prime factors up to 13.
                                       "mx:mxfp8_e4m3" (any block format NAME[:bLENGTH][:RULE], then :carry, the default, or :fresh): products by
                                       twiddles in MX arithmetic, exponents carried or fresh; sums in f32 */
  const char* backend;              /* "hwy", "ref"; NULL: the context's target */
  int layout;                       /* ULPFFT_INTERLEAVED, ULPFFT_SPLIT */
  int placement;                    /* ULPFFT_OUT_OF_PLACE, ULPFFT_IN_PLACE (strides of in and out must agree) */
  int direction;                    /* ULPFFT_FORWARD, ULPFFT_BACKWARD */
  int centered;                     /* nonzero: index 0 of space and frequency at floor(n/2) of every length, both sides */
  int scale_kind;                   /* ULPFFT_SCALE_... */
  double scale_value;               /* finite, nonzero; read for ULPFFT_SCALE_VALUE only */
  double max_error;                 /* relative L2 against the exact transform of the values the input encodes, complex normal data of
                                       rms 1 (or what suits the range of narrow formats), rounding of the output included; the plan's error is then measured and stays within it,
                                       or planning fails naming the best there is. The fastest that keeps it wins; storages are the
                                       caller's. It chooses a NULL scheme, and with a NULL intermediate what lies between passes, among
                                       what has at least the range of f32. Wisdom made for any limit serves this one where the error it
                                       measured is within. 0: no limit */
  int threads;                      /* at most so many (the planner may find fewer faster); 0: 1. 1..256 */
  const char* intermediate;         /* narrow storage a plan may use between its passes where that is faster; NULL: none */
  const char* chain;                /* NULL: a transform. "mul", "user": a chain, see ulpfft_execute_chain() */
  /* Before the arithmetic every transform of the batch is multiplied by the power of two 2^k that brings its largest magnitude nearest to a
   * target (as ulpfft_prescale_apply() chooses it, whatever k that takes), and the result by 2^-k; or its output exponent tells -k, for
   * storage in f32 and f64, too. For schemes and intermediates whose range is small: overflows depend on the target, not on the data's units. */
  int prescale_kind;                /* ULPFFT_PRESCALE_... */
  double prescale_target;           /* positive, finite; read for ULPFFT_PRESCALE_TARGET only */
} ulpfft_problem;

/* How hard the planner looks. Timing happens on the library's own buffers. */
enum {
  ULPFFT_ESTIMATE = 1,   /* choose by a cost model; no timing */
  ULPFFT_MEASURE = 2,    /* time the most promising recipes (the default); 1 s at most unless said otherwise */
  ULPFFT_PATIENT = 3,    /* more recipes and more kinds of them: mixed twiddle forms, panels, groups, every strategy; 10 s */
  ULPFFT_EXHAUSTIVE = 4, /* every recipe the strategies can propose; 60 s */
  ULPFFT_WISDOM_ONLY = 5 /* what wisdom holds, or ULPFFT_UNAVAILABLE */
};

/* How an error is known. */
enum {
  ULPFFT_ERROR_PREDICTED = 0, /* from the rms error of every pass */
  ULPFFT_ERROR_SAMPLED = 1,   /* measured on complex normal data, at least 2^14 outputs in the mean where the reference can afford them */
  ULPFFT_ERROR_FULL = 2       /* measured, every output of the transforms looked at */
};

enum {
  /* Estimate, whatever the effort, by the shipped costs of an ordinary machine; no wisdom, no timing: equal problems give equal recipes
   * everywhere. A thread count is chosen likewise, whatever CPUs there are. A max_error is measured on as many outputs as it takes,
   * whatever the time limit. */
  ULPFFT_DETERMINISTIC = 1
};

typedef struct ulpfft_plan_options {
  size_t size;               /* sizeof(ulpfft_plan_options) */
  int effort;                /* ULPFFT_ESTIMATE ... ULPFFT_WISDOM_ONLY; 0: measure */
  double time_limit_seconds; /* for all of planning but the last build; 0: that of the effort. Kept within 10 % and one measurement */
  /* Called from the planning thread, fraction in 0..1, what = the recipe being timed. Nonzero return cancels. May be NULL. */
  int (*progress)(void* user, double fraction, const char* what);
  void* progress_user;
  int flags;       /* ULPFFT_DETERMINISTIC or 0 */
  int error_level; /* ULPFFT_ERROR_PREDICTED or _SAMPLED: how ulpfft_plan_error() is found; a max_error asks for sampled by itself */
  /* NULL, or an input array of the problem, as ulpfft_execute_arrays() takes it, that is read and not changed while planning: the error,
   * and with it max_error, is then the one on these numbers instead of random ones. Such plans neither come from wisdom nor enter it. */
  const ulpfft_array* judge;
} ulpfft_plan_options;

/* ---- Plans -------------------------------------------------------------------------------------------------------- */

/* Makes a plan. options may be NULL. Never touches the caller's arrays, but reads options->judge. On failure *plan is NULL. */
ULPFFT_API ulpfft_status ulpfft_plan_create(ulpfft_context* context, const ulpfft_problem* problem,
                                            const ulpfft_plan_options* options, ulpfft_plan** plan);

/* The same from a problem text:
 *   [c2c] LENGTHS[*BATCH] STORAGE[->STORAGE] [inverse] [centered] [scale=none|ortho|1/n|X] [max_error=X] [scheme=S] [backend=B]
 *   [threads=T] [inplace] [split] [in_strides=S,...] [out_strides=S,...] [batch_strides=IN,OUT] [intermediate=F] [chain=mul|user]
 *   [prescale=none|amax|X]
 * STORAGE is a format as in ulpfft_problem, e.g. "256x256*8 f16->mxfp8_e4m3:b8:floor".
 * LENGTHS and BATCH are INT{xINT}, e.g. "256x256*8 f32 inverse centered scale=ortho".
 * Strides: one per length; batch_strides: the in strides of all batch dimensions, then their out strides. */
ULPFFT_API ulpfft_status ulpfft_plan_parse(ulpfft_context* context, const char* problem_text, ulpfft_plan** plan);
ULPFFT_API ulpfft_status ulpfft_plan_parse_options(ulpfft_context* context, const char* problem_text,
                                                   const ulpfft_plan_options* options, ulpfft_plan** plan);

/* A plan for a problem text by a recipe text, e.g. "f32:dit(16 8 8 4)"; nothing is searched or remembered. */
ULPFFT_API ulpfft_status ulpfft_plan_from_recipe(ulpfft_context* context, const char* problem_text,
                                                 const char* recipe_text, ulpfft_plan** plan);

/* NULL is allowed. */
ULPFFT_API void ulpfft_plan_destroy(ulpfft_plan* plan);

/* Transforms. `in` and `out` are interleaved arrays of the storage type, aligned to a real of it (packed formats: to a byte), without
 * scales: element formats; block formats need ulpfft_execute_arrays(). in == out exactly when the plan is in place. `in` is not changed
 * unless in place. Never locks; allocates only when more threads execute this plan at once than it holds workspaces for (one at first,
 * growing to 64). */
ULPFFT_API ulpfft_status ulpfft_execute(const ulpfft_plan* plan, const void* in, void* out);

/* An array of any layout and storage. Parts of the output overlap neither each other nor, unless in place, the input. */
struct ulpfft_array {
  size_t size;        /* sizeof(ulpfft_array) */
  void* data[2];      /* interleaved: data[0]; split: re, im. Aligned to a code, packed formats to a byte */
  void* scales[2];    /* block formats: of data[0] and data[1], bytes as ulpfft_format_layout() says, in rows like the data; else NULL */
  /* Narrow formats, and any storage where the problem has a prescale, or NULL: one power of two per transform, row-major over the batch; the numbers are codes times 2^exponent. Of an input
   * they are read, and applied in the type of the arithmetic: numbers that leave its range (f32: about 2^+-126) are lost, unless there is a
   * prescale. Of an output they are chosen and written: of element formats the least exponent with which the largest magnitude of the
   * transform is at most the largest value of the format, so that nothing overflows and small results keep their digits; of block formats,
   * whose scales do this, 0 up to the ends of their range; of f32 and f64 what undoes the prescale. Without them an output saturates. in and out may name the same exponents. */
  int32_t* exponents;
  /* Of an output, or NULL: receives how many real numbers of this execution, between passes too, round beyond the largest value of a narrow
   * format and became it, infinities among them; 0 where nothing is narrow. Of a rounded scheme: how many operations went beyond the largest
   * value of its format, whatever the storage. */
  int64_t* saturated;
};

/* workspace: NULL, or ulpfft_plan_workspace_bytes() bytes, aligned to 64, apart from the arrays, used by this call alone. Workspaces of calls at the same time are
 * best 32 KiB or more apart: cores fetch ahead into each other's. */
ULPFFT_API ulpfft_status ulpfft_execute_arrays(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out,
                                               void* workspace);

/* ---- Chains: there, an operation on the spectrum, and back, in one execution ------------------------------------------ */

/* A problem with `chain` transforms in its direction, changes the spectrum, and transforms back in the other direction: convolutions,
 * filters, round trips. The spectrum never leaves the arithmetic's type nor, where a few transforms fit them, the caches; long lines that
 * are not centered and arrays of several dimensions take one sweep less than two transforms where the recipe allows it. The scale is that of the whole (ULPFFT_SCALE_BY_N: operations that change
 * nothing give the input back). Storage, strides, batches, placement are those of input and output; schemes are f32 and f64. */

/* A part of a spectrum. Complex number (r, c) of it lies at values + 2 * (r * row_stride + c) reals, interleaved, of the plan's arithmetic
 * (float or double), and has index `index + r * row_step + c` in the spectrum: row-major, as a transform of the problem stores it (centered:
 * zero frequency in the middle). */
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
  /* chain "mul": one complex factor per point of a transform, dense, row-major, interleaved, in the plan's arithmetic (see
   * ulpfft_plan_recipe(): "f32:..." float, "f64:..." double), aligned to a real; the same for every transform of the batch. Only read. */
  const void* factors;
  /* chain "user": changes the values of a tile, in place. Called once for every tile of an execution, in any order and, by plans on several
   * threads, from several threads at once; tiles cover every spectrum exactly once. Must not throw. */
  void (*apply)(void* user, const ulpfft_tile* tile);
  void* user;
} ulpfft_operation;

/* in, out, workspace: as ulpfft_execute_arrays(), which refuses chains, as ulpfft_execute() does. */
ULPFFT_API ulpfft_status ulpfft_execute_chain(const ulpfft_plan* plan, const ulpfft_array* in, const ulpfft_array* out,
                                              const ulpfft_operation* operation, void* workspace);

/* Scratch bytes of one execution: a transform or two; of chains one or two more; with narrow storage one more, in the type of the arithmetic. */
ULPFFT_API size_t ulpfft_plan_workspace_bytes(const ulpfft_plan* plan);

/* Threads an execution uses: 1 .. the problem's. */
ULPFFT_API int ulpfft_plan_threads(const ulpfft_plan* plan);

/* Relative L2 error against the exact transform of the values the input encodes, complex normal data of rms 1, rounding of the output
 * included; predicted or measured as ulpfft_plan_error_level() says (ULPFFT_ERROR_...). */
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

/* Measures the error of a plan on complex normal data (sampled, full), or on the caller's input array, which is only read. The
 * reference has at least twice the digits of the plan's arithmetic. Allocates arrays of its own. Of chains: with factors of magnitude 1, or a
 * user's operation that changes nothing. */
ULPFFT_API ulpfft_status ulpfft_plan_measure_error(const ulpfft_plan* plan, int level, ulpfft_error_report* report);
ULPFFT_API ulpfft_status ulpfft_plan_assess(const ulpfft_plan* plan, const ulpfft_array* in, int level, ulpfft_error_report* report);

/* Measured seconds of one execution (median; of a large batch scaled up from a part of it), 0 when nothing was timed: estimate
 * without wisdom, a recipe by text, arrays beyond 1 GiB. */
ULPFFT_API double ulpfft_plan_seconds(const ulpfft_plan* plan);

/* Texts below are allocated by the library: ulpfft_string_free(). NULL on failure. */
/* Several lines for people: problem, recipe, operations, seconds, error, workspace, hash of the fixed input (which executes the
 * plan once on arrays of its own). */
ULPFFT_API char* ulpfft_plan_describe(const ulpfft_plan* plan);
ULPFFT_API char* ulpfft_plan_problem(const ulpfft_plan* plan);
ULPFFT_API char* ulpfft_plan_recipe(const ulpfft_plan* plan);
/* 64-bit FNV-1a of the output bits for the library's fixed input; equal for equal recipes on every target with FMA. */
ULPFFT_API ulpfft_status ulpfft_plan_hash(const ulpfft_plan* plan, uint64_t* hash);

/* What the planner considered, best first. */
typedef struct ulpfft_candidate {
  size_t size;             /* sizeof(ulpfft_candidate) */
  char recipe[257];
  double seconds;          /* median; 0: not timed */
  double spread;           /* relative median absolute deviation */
  double predicted_seconds;
  char kind[33];           /* what proposed it: "codelet", "mixed radix", "columns", "four-step", "rader", "bluestein", or what was varied:
                              "twiddle forms", "panels", "threads", ... */
  int threads;
  double error;            /* relative L2; predicted unless a limit made the planner measure it */
} ulpfft_candidate;

ULPFFT_API size_t ulpfft_plan_candidate_count(const ulpfft_plan* plan);
ULPFFT_API ulpfft_status ulpfft_plan_candidate_get(const ulpfft_plan* plan, size_t index, ulpfft_candidate* candidate);
/* Nonzero when the recipe came from wisdom and nothing was timed. */
ULPFFT_API int ulpfft_plan_from_wisdom(const ulpfft_plan* plan);
/* Seconds that planning took. */
ULPFFT_API double ulpfft_plan_planning_seconds(const ulpfft_plan* plan);

/* ---- Wisdom: remembered plans, as JSON ---------------------------------------------------------------------------- */

/* What an import did with each entry. */
typedef struct ulpfft_import_report {
  size_t size;      /* sizeof(ulpfft_import_report) */
  size_t accepted;  /* usable here, or usable after another codelet digest */
  size_t stale;     /* made by codelets this build no longer has: kept out */
  size_t foreign;   /* another machine or version: kept for export, not used */
  size_t malformed; /* an entry with a bad field: dropped */
  char* details;    /* one line per entry not accepted, with its reason; NULL where memory is short; ulpfft_string_free() */
} ulpfft_import_report;

/* All or nothing: a text that is not wisdom changes nothing. report may be NULL. */
ULPFFT_API ulpfft_status ulpfft_wisdom_import_file(ulpfft_context* context, const char* path, ulpfft_import_report* report);
ULPFFT_API ulpfft_status ulpfft_wisdom_import_string(ulpfft_context* context, const char* text, size_t length,
                                                     ulpfft_import_report* report);
/* Merges with what the file already holds, and replaces it atomically. */
ULPFFT_API ulpfft_status ulpfft_wisdom_export_file(ulpfft_context* context, const char* path);
/* The user's file: $ULPFFT_WISDOM, else $XDG_CACHE_HOME/ulpfft/wisdom.json, else ~/.cache/ulpfft/wisdom.json. "" without any of
 * them. The system's: /etc/ulpfft/wisdom.json. */
ULPFFT_API const char* ulpfft_wisdom_user_path(void);
ULPFFT_API const char* ulpfft_wisdom_system_path(void);
/* Imports the system's file, then the user's; one that does not exist is not an error, one that others may write to (and that is
 * not the user's or root's) is. The report is the sum. */
ULPFFT_API ulpfft_status ulpfft_wisdom_import_default(ulpfft_context* context, ulpfft_import_report* report);
/* Merges into the user's file; its folder is made if missing. */
ULPFFT_API ulpfft_status ulpfft_wisdom_export_default(ulpfft_context* context);
/* NULL on failure. */
ULPFFT_API char* ulpfft_wisdom_export_string(ulpfft_context* context);
ULPFFT_API size_t ulpfft_wisdom_count(ulpfft_context* context);
ULPFFT_API ulpfft_status ulpfft_wisdom_forget(ulpfft_context* context);

typedef struct ulpfft_wisdom_entry {
  size_t size; /* sizeof(ulpfft_wisdom_entry) */
  char problem[257];
  char machine[65];
  char recipe[257];
  double seconds;
  double spread;
  double error;
  char effort[17];
  int usable; /* nonzero: of this machine and its codelets */
  int threads;
  char error_level[17]; /* "predicted", "sampled", "full" */
} ulpfft_wisdom_entry;
ULPFFT_API ulpfft_status ulpfft_wisdom_get(ulpfft_context* context, size_t index, ulpfft_wisdom_entry* entry);

/* ---- Pass costs: what estimate goes by ------------------------------------------------------------------------------ */

/* Times every codelet of the context's target at every memory level on one thread, for about `seconds` (0: 2 s), and keeps the table:
 * estimates of this context use it from then on, and it is exported with wisdom. Without it a table shipped with the library serves. */
ULPFFT_API ulpfft_status ulpfft_calibrate(ulpfft_context* context, double seconds);
/* Nonzero when the context has pass costs measured on this machine. */
ULPFFT_API int ulpfft_is_calibrated(ulpfft_context* context);

/* ---- What this build and machine have ------------------------------------------------------------------------------ */

typedef struct ulpfft_target {
  size_t size; /* sizeof(ulpfft_target) */
  const char* backend;
  const char* name;
  int available;      /* nonzero: can run here */
  int is_default;
  const char* reason; /* why not available; "" otherwise */
  int has_fma;
  int lanes_f32;
  int lanes_f64;
  size_t codelets;
} ulpfft_target;
ULPFFT_API size_t ulpfft_target_count(void);
ULPFFT_API ulpfft_status ulpfft_target_get(size_t index, ulpfft_target* target);

typedef struct ulpfft_codelet {
  size_t size; /* sizeof(ulpfft_codelet) */
  const char* name;    /* e.g. "t8_ds"; of whole_two and packed the first body, the counts are of the pair */
  const char* kind;    /* loop shape: whole, whole_two, packed, first, twiddled, columns, columns_twiddled, or a pass without a body: twist, pointwise, ... */
  const char* compute; /* "f32", "f64"; "rounded in f32", "rounded in f64": each operation rounded to the format of the scheme, by what its numbers
                           are kept in; of ref also "double-double", in which the errors of f64 are measured */
  int radix;
  int adds, muls, fmas; /* per butterfly */
  int live_values;
  uint64_t digest;
} ulpfft_codelet;
/* target_index as in ulpfft_target_get; index < codelets. */
ULPFFT_API ulpfft_status ulpfft_codelet_get(size_t target_index, size_t index, ulpfft_codelet* codelet);

typedef struct ulpfft_format {
  size_t size; /* sizeof(ulpfft_format) */
  const char* name;
  const char* source; /* the standard */
  int bits, exponent_bits, mantissa_bits, bias; /* of a block format: of its elements, and so the numbers up to lowest */
  double largest, smallest_normal, smallest_subnormal; /* of integers the last two are the smallest positive value */
  double rms_error; /* of one quantisation, relative, normal data that the range of the format suits */
  const char* kind; /* "wide", "element", "integer", "block" */
  const char* compute; /* "f32" or "f64": arithmetic that holds every value */
  const char* special; /* floats: which codes are no finite numbers: "ieee", "fn", "fnuz", "p3109", "none"; integers: "" */
  int is_signed; /* floats: has a sign bit; integers: two's complement, else unsigned */
  int fraction_bits; /* integers: value = (code - offset) * 2^-fraction_bits */
  double offset;
  double lowest; /* what numbers far below zero become */
  const char *element, *scale, *rule; /* block formats: their element and scale formats, and the scale rule; else "" */
  int block_length; /* block formats: reals that share a scale, 0: a whole row */
} ulpfft_format;
/* Element formats and integers first, then block formats. */
ULPFFT_API size_t ulpfft_format_count(void);
ULPFFT_API ulpfft_status ulpfft_format_get(size_t index, ulpfft_format* format);
/* The value of a code, below 2^bits; not of block formats, whose codes have one only with a scale. */
ULPFFT_API ulpfft_status ulpfft_format_value(size_t index, uint64_t code, double* value);

typedef struct ulpfft_scheme {
  size_t size; /* sizeof(ulpfft_scheme) */
  const char* name;    /* as in ulpfft_problem */
  const char* kind;    /* "wide", "rounded", "mx" */
  const char* format;  /* whose rounding it has */
  const char* carrier; /* "f32" or "f64": what its numbers are kept in */
  int emulated;        /* nonzero: rounds on top of its carrier's arithmetic, slower and less accurate than that: never chosen by max_error */
} ulpfft_scheme;
/* Every arithmetic a problem may name; mx schemes with the block length and the rule of their format, others of which exist, too. */
ULPFFT_API size_t ulpfft_scheme_count(void);
ULPFFT_API ulpfft_status ulpfft_scheme_get(size_t index, ulpfft_scheme* scheme);

/* ---- Arrays in narrow storage: their size, to them and from them ------------------------------------------------------ */

/* Of a dense array of any storage. */
typedef struct ulpfft_layout {
  size_t size;             /* sizeof(ulpfft_layout) */
  int64_t rows;            /* product of all lengths but the last */
  int64_t row_bytes;       /* codes of a row */
  int64_t scale_row_bytes; /* scales of a row; 0 without blocks */
  int64_t data_bytes;      /* rows * row_bytes */
  int64_t scale_bytes;     /* rows * scale_row_bytes */
} ulpfft_layout;
/* lengths count real numbers: the last one of an interleaved complex array is twice that of the transform. Batch dimensions are lengths,
 * too. */
ULPFFT_API ulpfft_status ulpfft_format_layout(const char* storage, int rank, const int64_t* lengths, ulpfft_layout* layout);

enum {
  ULPFFT_ROUND_SATURATE = 0,  /* to nearest, ties to the even code; beyond the largest value, and infinities: the largest. What plans do */
  ULPFFT_ROUND_NEAREST = 1,   /* the same, but overflow becomes infinity, or NaN where there is none; blocks and formats with neither saturate */
  ULPFFT_ROUND_STOCHASTIC = 2 /* up or down at random, by the distance; saturating */
};

/* Rows of real numbers: complex ones are two reals, re first. Zero everything, set size, storage, rows, reals. */
typedef struct ulpfft_conversion {
  size_t size;             /* sizeof(ulpfft_conversion) */
  const char* storage;     /* narrow: as in ulpfft_problem */
  const char* real_type;   /* "f32" (NULL) or "f64"; encoding rounds once from it */
  int64_t rows;            /* 0 or more */
  int64_t reals;           /* of a row; every row begins a new byte and a new block */
  int64_t code_row_bytes;  /* between rows; 0: dense, as ulpfft_format_layout() says */
  int64_t scale_row_bytes; /* likewise */
  int64_t real_row_stride; /* reals between rows; 0: dense */
  int rounding;            /* ULPFFT_ROUND_... of encoding */
  uint64_t seed;           /* stochastic: the random bits of a number follow from the seed and from its place, index + row * reals + i */
  uint64_t index;
} ulpfft_conversion;

/* context: whose target converts (the bits are the same on all); NULL: the default. reals are aligned to their type, codes to a code
 * (packed: a byte); arrays must not overlap, and may be NULL where there are no rows. scales: of block formats, else NULL. saturated: NULL, or
 * receives how many numbers round beyond the largest value. */
ULPFFT_API ulpfft_status ulpfft_encode(ulpfft_context* context, const ulpfft_conversion* conversion, const void* reals, void* codes,
                                       void* scales, int64_t* saturated);
/* Exact, but that an f32 rounds values of blocks near the ends of its range; NaN becomes the quiet NaN. */
ULPFFT_API ulpfft_status ulpfft_decode(ulpfft_context* context, const ulpfft_conversion* conversion, const void* codes, const void* scales,
                                       void* reals);

/* One power of two that brings an array of complex numbers into the range of a narrow format: 2^exponent times the largest magnitude is
 * about `target` (to the nearest power of two), and the percentile of those that are not 0 at least `least`, which comes first; then limited
 * to lowest .. highest. 0 where nothing is nonzero; numbers that are not finite do not count. Zero everything, set size, count and what is
 * wanted. Transforms are linear: undo it on the result, or leave it in the exponent. */
typedef struct ulpfft_prescale {
  size_t size;           /* sizeof(ulpfft_prescale) */
  const char* real_type; /* "f32" (NULL) or "f64" */
  int64_t count;         /* complex numbers, interleaved */
  double target;         /* above 0; 0: 1 */
  double percentile;     /* 0..100, by linear interpolation between neighbours in order */
  double least;          /* 0: the percentile does not matter */
  int lowest, highest;   /* -1000..1000; both 0: -126 and 126 */
} ulpfft_prescale;
/* out: NULL, or receives the numbers times 2^exponent; may be in itself. Needs 8 bytes a number for a while. */
ULPFFT_API ulpfft_status ulpfft_prescale_apply(const ulpfft_prescale* prescale, const void* in, void* out, int* exponent);

/* This machine's name in wisdom, e.g. "x86.25.17.avx3". context NULL: of the default context. */
ULPFFT_API const char* ulpfft_machine(ulpfft_context* context);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_ULPFFT_H_ */
