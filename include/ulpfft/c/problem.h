/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* What a plan is asked for: the problem, and how hard to look for its recipe. ulpfft.h includes it. */
#ifndef ULPFFT_C_PROBLEM_H_
#define ULPFFT_C_PROBLEM_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Problem ------------------------------------------------------------------------------------------------------ */

/* Narrow storage. Element formats (f16, e4m3, i16, ...) hold a code per real number. Packed ones, whose codes are no whole bytes (e3m2,
 * e2m1, ...), and block formats (mxfp8_e4m3, ...) are kept in *rows* along the last length: every row begins a new byte, a new block and a
 * new scale; its last block may be partial. Their numbers are adjacent (stride 1, else refused), and the strides of all other lengths and
 * of batch dimensions count rows, of the codes and of the scales alike: blocks never run across them. A row of an interleaved array has
 * 2 * length reals, re first; split arrays have rows of length reals in both parts, and a side of real numbers has rows of length reals. Packed codes are a little-endian bit stream, bit 0
 * first; unused bits of a row's last byte are 0. Blocks have 2, 4, 8, 16, 32 or 64 reals, or 0: the whole row; scale rules are floor,
 * ceil, rceil, even, fit, and where scales are no powers of two (nvfp4) te, torchao, search.
 * Arithmetic is wide; each transform is decoded once and rounded once, to nearest even, saturating. */

/* Kinds. n is the last length; along every other length a transform is as in c2c. None is scaled unless the problem carries a scale.
 *   ULPFFT_C2C  X[k] = sum_j x[j] exp(-2 pi i j k / n)
 *   ULPFFT_R2C  The same of real x. The X[k] with k = 0..n/2 of the last length are stored, and all k of the others: X[-k] = conj X[k].
 *   ULPFFT_C2R  x[j] = sum_k X[k] exp(+2 pi i j k / n) over all k, for the stored half of a spectrum as r2c has it. Where the last index is
 *               0 or n/2, both X[k] and X[-k] are stored: the part of them that would make x complex is ignored. In one dimension
 *               that is the imaginary part of X[0] and, of even n, of X[n/2]. r2c and then c2r multiply by the product of the lengths.
 *   ULPFFT_R2R  Real numbers on both sides, with a kind of its own along every length, see R2r kinds.
 * Lengths     count real numbers in r2c and c2r. A row of the spectrum has n/2 + 1 (rounded down) complex numbers.
 * Arrays      The real side is one array, data[0], in either layout; the layout is that of the spectrum. Strides of the real side count
 *             reals, those of the spectrum complex numbers (split: reals of a part).
 * Direction   ULPFFT_FORWARD is the kind's own sign: - for c2c and r2c, + for c2r. ULPFFT_BACKWARD has the other sign: r2c gives conj X,
 *             and c2r takes conj X.
 * In place    Both sides are interleaved in one array. The last strides are 1, and every other stride of the real side is twice that of the
 *             spectrum. Dense rows of the real side have 2 (n/2 + 1) reals, of which the last one or two are padding.
 * Input       Out of place it is not changed. For this, c2r of several dimensions takes a workspace of a spectrum; destroy_input saves it.
 * Threads     share a transform and a batch as in c2c.
 * Storage     is any on either side, e.g. i16 samples and a spectrum in mxfp8_e4m3. Rows of packed and block storage have n reals on the
 *             real side and the 2 (n/2 + 1) reals of the stored half on the other, and either begins its bytes and blocks anew in each row.
 *             In place both sides have one storage, which is neither packed nor in blocks. Of a side that is not in the type of the
 *             arithmetic the workspace holds a group of lines, of a spectrum all. What c2r ignores of a spectrum it ignores of its codes too.
 * Scheme      is f32, f64 or rounded:<element>. In rounded schemes the passes beside the complex transform round every operation as well.
 * Centered    means the real side and the full lengths of the spectrum. The halved length begins with k = 0:
 *             X = fftshift(rfftn(ifftshift(x)), all axes but the last), in the words of numpy.
 * Powers of two   exponents and prescale go with each transform as in c2c. The largest magnitude is that of its real numbers where the
 *             input is real. Of a spectrum all stored parts count, also those that c2r ignores.
 * Chains      r2c with a chain goes to the spectrum and back: both sides have the shape of the real side. In place they are the same array,
 *             with equal strides and without padding. The arithmetic is f32 or f64, and there is no prescale; the rest is as without it.
 * Refused     with ULPFFT_UNSUPPORTED: schemes mx and split, an intermediate of r2r, a chain of c2r, and the backend cuda. */
enum { ULPFFT_C2C = 0, ULPFFT_R2C = 1, ULPFFT_C2R = 2, ULPFFT_R2R = 3, ULPFFT_CZT = 4 };
/* Chirp transforms: the spectrum of n complex numbers at any evenly spaced frequencies, in the time of a few transforms of n + points.
 *   ULPFFT_CZT  X[k] = sum_j x[j] exp(-2 pi i j (start + k step)),  k = 0 .. points - 1,  j = 0 .. n - 1
 * Frequencies   are parts of the sampling rate, and may be negative: 0.25 is a quarter of a turn from sample to sample. Of
 *             scipy.signal.zoom_fft(x, [f1, f2], m, fs=fs) they are start = f1 / fs and step = (f2 - f1) / (fs m), or (f2 - f1) / (fs (m - 1))
 *             with endpoint=True; of scipy.signal.czt(x, m, w, a) on the unit circle a = exp(2 pi i start) and w = exp(-2 pi i step).
 *             Contours off the circle grow like powers of their radius, and there is no error to state for them: they are not offered.
 * Exact       start and step count as they are given, to the last bit, and so does 1 / points where step is 0: angles are reduced to
 *             one turn in 128 bits. The error is that of a few transforms, whatever n, start and step are.
 * Arrays      The length is n, the output has `points` numbers along it. Batches, strides, layouts, storages, scale (1/n and ortho by n),
 *             exponents, prescale, output=power, windows, max_error and threads are as in c2c. ULPFFT_BACKWARD has the sign +.
 * Refused     with ULPFFT_UNSUPPORTED: more than one length, in place, centered, chains, an intermediate, schemes but f32 and f64, and
 *             the backend cuda. */
/* R2r kinds, one per length, as FFTW names, numbers and defines them. x[0..n-1] becomes y[0..n-1]; sums are over all j unless said
 * otherwise. Several lengths are transformed one after the other.
 *   R2HC     y[k] = Re X[k] for k = 0..n/2, y[n-k] = Im X[k] for k = 1..(n-1)/2, where X is the r2c transform of x: the half-complex order
 *            r0 r1 r2 ... r(n/2) i((n+1)/2-1) ... i2 i1
 *   HC2R     y[j] = sum_k X[k] exp(+2 pi i j k / n) over all k, of X in half-complex order: the c2r transform
 *   DHT      y[k] = sum_j x[j] (cos(2 pi j k / n) + sin(2 pi j k / n))
 *   REDFT00  y[k] = x[0] + (-1)^k x[n-1] + 2 sum_{j=1..n-2} x[j] cos(pi j k / (n - 1)), n of 2 or more           DCT of type 1
 *   REDFT10  y[k] = 2 sum_j x[j] cos(pi (j + 1/2) k / n)                                                      DCT of type 2
 *   REDFT01  y[k] = x[0] + 2 sum_{j=1..n-1} x[j] cos(pi j (k + 1/2) / n)                                      DCT of type 3
 *   REDFT11  y[k] = 2 sum_j x[j] cos(pi (j + 1/2) (k + 1/2) / n)                                              DCT of type 4
 *   RODFT00  y[k] = 2 sum_j x[j] sin(pi (j + 1) (k + 1) / (n + 1))                                            DST of type 1
 *   RODFT10  y[k] = 2 sum_j x[j] sin(pi (j + 1/2) (k + 1) / n)                                                DST of type 2
 *   RODFT01  y[k] = (-1)^k x[n-1] + 2 sum_{j=0..n-2} x[j] sin(pi (j + 1) (k + 1/2) / n)                        DST of type 3
 *   RODFT11  y[k] = 2 sum_j x[j] sin(pi (j + 1/2) (k + 1/2) / n)                                              DST of type 4
 * Inverse     There is no direction: R2HC and HC2R, types 2 and 3 of DCT and of DST invert each other, and every other kind inverts itself,
 *             up to the logical length N: n of R2HC, HC2R and DHT, 2 (n - 1) of REDFT00, 2 (n + 1) of RODFT00, else 2 n.
 * Scale       ULPFFT_SCALE_BY_N divides by the product of the N. ULPFFT_SCALE_ORTHO divides by its square root, and makes the matrix of every
 *             kind of DCT and DST orthogonal. For this, REDFT00 takes x[0] and x[n-1] times sqrt 2 and gives y[0] and y[n-1] over sqrt 2;
 *             REDFT10 gives y[0] and RODFT10 y[n-1] over sqrt 2; REDFT01 takes x[0] and RODFT01 x[n-1] times sqrt 2.
 * Arrays      Both sides are one array, data[0], and their strides count reals. In place they have the same strides.
 * Storage     is any on either side; in place both have one. Rows of packed and block storage have n reals. Exponents and prescale go with
 *             each transform, whose largest magnitude is that of its real numbers.
 * Scheme      is f32, f64, or of REDFT10 and REDFT01 alone rounded:<element>: DCT of types 2 and 3.
 * Refused     Besides what Kinds names: the split layout, centered, a chain, and ULPFFT_BACKWARD. */
enum {
  ULPFFT_R2HC = 0, ULPFFT_HC2R = 1, ULPFFT_DHT = 2,
  ULPFFT_REDFT00 = 3, ULPFFT_REDFT01 = 4, ULPFFT_REDFT10 = 5, ULPFFT_REDFT11 = 6,
  ULPFFT_RODFT00 = 7, ULPFFT_RODFT01 = 8, ULPFFT_RODFT10 = 9, ULPFFT_RODFT11 = 10
};
/* Direction. Of c2c it names the sign of the exponent, which FFTW passes as a number: FFTW_FORWARD (-1) is ULPFFT_FORWARD here,
 * FFTW_BACKWARD (+1) is ULPFFT_BACKWARD. Pass these names, or `sign > 0`: -1 is refused, so that no sign is taken for another. */
enum { ULPFFT_FORWARD = 0, ULPFFT_BACKWARD = 1 };
enum { ULPFFT_INTERLEAVED = 0, ULPFFT_SPLIT = 1 };
enum { ULPFFT_OUT_OF_PLACE = 0, ULPFFT_IN_PLACE = 1 };
enum {
  ULPFFT_SCALE_NONE = 0,  /* 1 */
  ULPFFT_SCALE_ORTHO = 1, /* 1/sqrt(product of lengths), of r2r logical ones, with weights */
  ULPFFT_SCALE_BY_N = 2,  /* 1/(product of lengths), of r2r logical ones */
  ULPFFT_SCALE_VALUE = 3  /* scale_value */
};

enum {
  ULPFFT_PRESCALE_NONE = 0,
  ULPFFT_PRESCALE_AMAX = 1,  /* the plan chooses the target, see ulpfft_plan_describe(): no sum can overflow where the format of the
                                arithmetic, or of what lies between passes, has room for that; else what keeps normal data above its
                                subnormal numbers. (Products with the ratios of the twiddle forms lf and cos, which plans do not choose by
                                themselves, may.) */
  ULPFFT_PRESCALE_TARGET = 2 /* prescale_target */
};

/* ulpfft_problem::output. The power of a spectrum is what estimates of spectral density, spectrograms and correlations begin with.
 *   ULPFFT_OUTPUT_POWER  P[k] = |s X[k]|^2 = s^2 (re^2 + im^2), where X is the result of the problem without it and s its scale
 * Arrays      The output has one real number for each X[k] that the problem would store: data[0] in either layout, strides count reals,
 *             rows of packed and block storage have as many reals as the spectrum has numbers. storage_out is that of the reals.
 * Kinds       c2c and r2c, out of place. Input, scheme, threads, batch, centered and direction are as without it.
 * Powers of two   An exponent of the input counts twice in the output, and so does a prescale.
 * Refused     with ULPFFT_UNSUPPORTED: c2r and r2r, whose results are real; in place; chains; r2c in the split layout, which has no complex
 *             side; the backend cuda. */
enum { ULPFFT_OUTPUT_SPECTRUM = 0, ULPFFT_OUTPUT_POWER = 1 };

/* Windows: the input x[j] of c2c and r2c counts as w[j] x[j]. The array of the caller does not change; in several dimensions w is the
 * product of one factor for the index along each length. As scipy.signal.get_window() has it, with x = j / n for j = 0 .. n-1, or with
 * ":symmetric" behind the name x = j / (n - 1); w = 1 where n is 1:
 *   hann            0.5 - 0.5 cos(2 pi x)
 *   hamming         0.54 - 0.46 cos(2 pi x)
 *   blackman        0.42 - 0.5 cos(2 pi x) + 0.08 cos(4 pi x)
 *   blackmanharris  0.35875 - 0.48829 cos(2 pi x) + 0.14128 cos(4 pi x) - 0.01168 cos(6 pi x)
 *   nuttall         0.3635819 - 0.4891775 cos(2 pi x) + 0.1365995 cos(4 pi x) - 0.0106411 cos(6 pi x)
 *   flattop         0.21557895 - 0.41663158 cos(2 pi x) + 0.277263158 cos(4 pi x) - 0.083578947 cos(6 pi x) + 0.006947368 cos(8 pi x)
 *   kaiser:B        I0(B sqrt(1 - (2 x - 1)^2)) / I0(B), B from 0 to 700
 *   gauss:S         exp(-(j - m)^2 / (2 S^2)), S points, m = n / 2, or with ":symmetric" (n - 1) / 2
 * Given       window_factors holds the factors along the first length, then those along the next. Plans with them neither come from wisdom
 *             nor enter it, and their text has window=given.
 * Order       j counts from the first element of a row, in centered problems too, whose middle is the middle of the window.
 * Rounding    Factors are exact to the last bit of the arithmetic, f32 or f64, in which the product is computed once; in several dimensions
 *             it is of three numbers: the factor along the last length, that along all others, and the input. It comes before a prescale.
 * Refused     c2r, r2r and chains, and the backend cuda. */

/* ulpfft_problem::max_workspace. Passes over a transform that fits L2 may work in up to 1.8 times its numbers, because rows that are
 * filled up to whole vectors are faster: 1.2 to 1.6 times at many lengths that vectors do not divide. With this value they work in one
 * transform. Bits of results are those of the recipe either way. */
enum { ULPFFT_WORKSPACE_ONE = -1 };

/* What to compute. Begin with ULPFFT_PROBLEM_INIT, set `rank` and `lengths`; the rest has defaults: forward, dense, out of place, f32. */
typedef struct ulpfft_problem {
  size_t size; /* sizeof(ulpfft_problem) */
  int kind;    /* ULPFFT_C2C, ULPFFT_R2C, ULPFFT_C2R, ULPFFT_R2R, ULPFFT_CZT */
  int rank;    /* 1..8 transformed dimensions */
  const int64_t* lengths;
  const int64_t* in_strides;        /* per dimension, in elements of the side; NULL: dense row-major */
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
                                       "mx:mxfp8_e4m3" (any block format NAME[:bLENGTH][:RULE], then :carry, the default, or :fresh):
                                       products by twiddles in MX arithmetic, exponents carried or fresh; sums in f32.
                                       "split:bf16x3" (any signed element format of at most 12 significant bits, or i8, then a number
                                       of parts): matrix products of parts, sums in f32, see docs/split.md; "split" with max_error:
                                       the fastest of these that keeps it, or with a judge alone: of those within twice the error of f32
                                       on its numbers. The layout ULPFFT_SPLIT is another thing */
  const char* backend;              /* "hwy", "ref", "cuda"; NULL: the context's target */
  int layout;                       /* ULPFFT_INTERLEAVED, ULPFFT_SPLIT */
  int placement;                    /* ULPFFT_OUT_OF_PLACE, ULPFFT_IN_PLACE (strides of in and out must agree, see Kinds for real sides) */
  int direction;                    /* ULPFFT_FORWARD, ULPFFT_BACKWARD */
  int centered;                     /* nonzero: index 0 of space and frequency at floor(n/2) of every length, both sides; see
                                       Kinds for the halved length of a spectrum */
  int scale_kind;                   /* ULPFFT_SCALE_... */
  double scale_value;               /* finite, nonzero; read for ULPFFT_SCALE_VALUE only */
  double max_error;                 /* relative L2 against the exact transform of the values the input encodes, rounding of the output
                                       included, for the data that ulpfft_plan_error() names; the plan's error is then measured and stays
                                       within it, or planning fails naming the best there is. Within means that the mean of a sample whose
                                       seed and size are fixed, and three standard errors of it, are at most the limit; the sample is taken
                                       by this process, once per plan, outside the time limit. The fastest that keeps it wins; storages are
                                       the caller's. It chooses a NULL scheme, and with a NULL intermediate the storage between passes,
                                       among formats that have at least the range of f32. Wisdom made for any limit serves this one where
                                       the recipe keeps it here. 0: no limit */
  int threads;                      /* at most so many (the planner may find fewer faster); 0: 1. 1..256 */
  const char* intermediate;         /* narrow storage a plan may use between its passes where that is faster; NULL: none */
  const char* chain;                /* NULL: a transform. "mul", "user": a chain, see ulpfft_execute_chain() */
  /* Before the arithmetic every transform of the batch is multiplied by the power of two 2^k that brings its largest magnitude nearest to
   * a target (as ulpfft_prescale_apply() chooses it, whatever k that takes), and the result by 2^-k; or its output exponent tells -k, for
   * storage in f32 and f64, too. For schemes and intermediates whose range is small: overflows depend on the target, not on the data's
   * units. Magnitudes below 1e-30 count as 1e-30. ULPFFT_UNSUPPORTED, with the range that is possible, for a target that f32 or
   * f64, whichever passes compute in, cannot hold: with which every number would become 0, or results of normal data would overflow.
   * Elements of rounded schemes saturate or become 0 sooner, and the error of the plan tells. */
  int prescale_kind;                /* ULPFFT_PRESCALE_... */
  double prescale_target;           /* positive, finite; read for ULPFFT_PRESCALE_TARGET only */
  int destroy_input;                /* nonzero: what the input array holds after an execution is unspecified, whatever the kind; elements
                                       of it must not coincide, nor its parts overlap. A plan may work there instead of in a workspace:
                                       c2r of several dimensions does (ulpfft_plan_workspace_bytes() tells). 0: the input is not changed
                                       unless in place */
  const int* kinds;                 /* ULPFFT_R2R: ULPFFT_R2HC, ... per dimension; else NULL */
  int64_t max_workspace;            /* ULPFFT_WORKSPACE_ONE, or the bytes that one execution may work in
                                       (ulpfft_plan_workspace_bytes()), or ULPFFT_NO_MEMORY; 0: no limit */
  int output;                       /* ULPFFT_OUTPUT_... */
  const char* window;               /* a name, see Windows; NULL: none, or window_factors */
  const double* window_factors;     /* a window of the caller, read while planning, see Windows; else NULL */
  int64_t window_count;             /* of window_factors: the sum of the lengths */
  int64_t points;                   /* ULPFFT_CZT: numbers of the output; 0: as many as the input has */
  double start;                     /* ULPFFT_CZT: the first frequency, a part of the sampling rate */
  double step;                      /* ULPFFT_CZT: from each frequency to the next; 0: 1 / points */
} ulpfft_problem;
#define ULPFFT_PROBLEM_INIT                                                                                                        \
  {sizeof(ulpfft_problem), 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0.0, 0.0, 0, NULL, \
   NULL, 0, 0.0, 0, NULL, 0, 0, NULL, NULL, 0, 0, 0.0, 0.0}

/* Problem text, the same wherever a problem is written:
 *   [c2c|r2c|c2r|r2r|czt] LENGTHS[->POINTS][*BATCH] STORAGE[->STORAGE] [kinds=K,...] [inverse] [centered] [scale=none|ortho|1/n|X] [max_error=X]
 *   [scheme=S] [backend=B] [threads=T] [inplace] [split] [destroy_input] [in_strides=S,...] [out_strides=S,...] [batch_strides=IN,OUT]
 *   [intermediate=F] [chain=mul|user] [prescale=none|amax|X] [max_workspace=one|BYTES] [output=spectrum|power] [window=W] [start=F] [step=F]
 * precision=bf16|ozaki|ozaki_hq|fp32|double in place of scheme= names split:bf16, split:bf16x2, split:bf16x2x3, f32 or f64.
 * STORAGE is a format as in ulpfft_problem, e.g. "256x256*8 f16->mxfp8_e4m3:b8:floor".
 * ':' stands for "->" too, because a shell leaves it alone: "i16:f32", "mxfp8_e4m3:b8:f16". Problems are printed with "->".
 * LENGTHS and BATCH are INT{xINT}, e.g. "256x256*8 f32 inverse centered scale=ortho". INT and BYTES are digits, or in short 2^20, 64k or 1M
 * (k = 1024, M = k * k).
 * POINTS, start and step, of czt: "czt 1000->500*8 f32 start=0.1 step=1e-4".
 * kinds, of r2r: one per length, of r2hc, hc2r, dht (or hartley), dct1 .. dct4, dst1 .. dst4, or FFTW's redft00, redft10, redft01, redft11
 * (dct1 .. dct4), rodft00, rodft10, rodft01, rodft11 (dst1 .. dst4).
 * Strides: one per length; batch_strides: the in strides of all batch dimensions, then their out strides. */

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
  ULPFFT_ERROR_SAMPLED = 1,   /* measured on normal data of a fixed seed (ulpfft_plan_error() says which), 2^14 outputs and more; of lengths
                                 beyond 2^20 (f64: 2^16), 64 and more */
  ULPFFT_ERROR_FULL = 2       /* measured, every output of the transforms looked at */
};

enum {
  /* Estimate, whatever the effort, by the shipped costs of an ordinary machine; no wisdom, no timing: equal problems give equal recipes
   * everywhere. A thread count is chosen likewise, whatever CPUs there are. */
  ULPFFT_DETERMINISTIC = 1
};

typedef struct ulpfft_plan_options {
  size_t size;               /* sizeof(ulpfft_plan_options) */
  int effort;                /* ULPFFT_ESTIMATE ... ULPFFT_WISDOM_ONLY; 0: measure */
  double time_limit_seconds; /* 0: that of the effort. Kept within 10 % and one execution; none is begun that is predicted to exceed it,
                                but for a first timing of a millisecond at the most. The tables of the plan returned come on top, and the
                                samples that a max_error or error_level asks for */
  /* Called from the planning thread, fraction in 0..1, what = the recipe that is looked at; every 30 ms, in long executions and
   * references too, but during one pass over a line. Nonzero return cancels. May be NULL. */
  int (*progress)(void* user, double fraction, const char* what);
  void* progress_user;
  int flags;       /* ULPFFT_DETERMINISTIC or 0 */
  int error_level; /* ULPFFT_ERROR_PREDICTED or _SAMPLED: how ulpfft_plan_error() is found; a max_error asks for sampled by itself */
  /* NULL, or an input array of the problem, as ulpfft_execute_arrays() takes it, that is read and not changed while planning: the error,
   * and with it max_error, is then the one on these numbers instead of random ones. Such plans neither come from wisdom nor enter it. */
  const ulpfft_array* judge;
  uint64_t max_memory; /* the most bytes that planning takes at a time, and so the plan, beside the caller's arrays and a few MiB of notes
                          of the search: tables and workspaces, what is taken as tables are filled (ulpfft_memory), arrays to time
                          recipes on, samples of an error. A plan that does not fit is ULPFFT_NO_MEMORY, and so are samples that a
                          max_error, error_level or judge asks for. Recipes that cannot be timed in it are chosen by their estimates.
                          0: the context's */
} ulpfft_plan_options;
#define ULPFFT_PLAN_OPTIONS_INIT {sizeof(ulpfft_plan_options), 0, 0.0, NULL, NULL, 0, 0, NULL, 0}

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_PROBLEM_H_ */
