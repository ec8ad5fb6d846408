/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Streams: transforms of signals that do not end. Samples go in by pushes of any size, results are taken as they become ready.
 *
 *   ulpfft_stream_options options = ULPFFT_STREAM_OPTIONS_INIT;
 *   options.kind = ULPFFT_STREAM_FILTER;
 *   options.taps = taps;
 *   options.tap_count = 1001;
 *   ulpfft_stream* stream;
 *   if (ulpfft_stream_create(NULL, &options, NULL, &stream) != ULPFFT_OK) puts(ulpfft_last_error());
 *   while ((count = read_samples(in)) > 0) {
 *     for (done = 0; done < count; done += pushed) {
 *       status = ulpfft_stream_push(stream, in + done, count - done, &pushed);
 *       while (ulpfft_stream_take(stream, out, 4096, &taken) == ULPFFT_OK && taken > 0) write_samples(out, taken);
 *     }
 *   }
 *
 * Items       what is taken: filtered samples, rows of spectra, or averages of rows.
 * Results     have the same bits for any cutting of the signal into pushes and takes, and for any number of threads.
 * Memory      is taken by ulpfft_stream_create() alone, which tells how much; pushes and takes neither allocate nor lock.
 * Units       latency, block, room and counts are samples or items; `bytes` are bytes.
 * Errors      as in ulpfft.h: a status, and a sentence of the calling thread. A refused call changes nothing.
 * Threads     a stream is used by one thread at a time. Different streams are independent.
 * Order       push and take as you like; after ulpfft_stream_flush() only take, until ulpfft_stream_reset().
 * Numbers     that are not finite spread over the results of the blocks that they lie in.
 */
#ifndef ULPFFT_STREAM_H_
#define ULPFFT_STREAM_H_

#include "ulpfft/ulpfft.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ulpfft_stream ulpfft_stream;

/* Kinds.
 *   ULPFFT_STREAM_FILTER  y[n] = sum_k taps[k] x[n - k], where x is 0 before its beginning and after its end: after the flush of a signal
 *                         of N samples there are N + tap_count - 1 items in all. Overlap-save: taps are cut into partitions, whose
 *                         spectra multiply those of the blocks before. */
enum { ULPFFT_STREAM_FILTER = 1, ULPFFT_STREAM_STFT = 2, ULPFFT_STREAM_PSD = 3, ULPFFT_STREAM_ISTFT = 4 };

/*   ULPFFT_STREAM_STFT    row p: S[p][k] = sum_j w[j] x[p hop - d + j] exp(-2 pi i j k / length), j = 0..length-1. d is 0, or length / 2
 *                         (rounded down) of centered rows, whose middle is sample p hop: slice p of scipy.signal.ShortTimeFFT with the
 *                         window conj(w). Rows have bins k = 0..length/2 of real samples, else 0..length-1.
 * Padding of stft, which decides what x is outside of the signal of N samples, and how many rows there are:
 *   ULPFFT_PADDING_NONE     rows lie in the signal: p hop + length <= N. Refused for centered rows.
 *   ULPFFT_PADDING_ZERO     x is 0. Rows begin in the signal, or have their middle there: p hop < N.
 *   ULPFFT_PADDING_REFLECT  x[-j] = x[j] and x[N - 1 + j] = x[N - 1 - j], and so on where N is small. p hop < N. For centered rows alone.
 * Phase of stft:
 *   ULPFFT_PHASE_START      as above: phase_shift=None of scipy.signal.ShortTimeFFT.
 *   ULPFFT_PHASE_MIDDLE     the exponent counts j from sample length / 2 (rounded down) of the row: phase_shift=0, SciPy's default.
 * Output of stft:
 *   ULPFFT_STREAM_SPECTRUM   complex numbers, interleaved.
 *   ULPFFT_STREAM_POWER      |S|^2, real numbers.
 *   ULPFFT_STREAM_MAGNITUDE  |S|, real numbers; squares must lie in the range of the storage. */

/*   ULPFFT_STREAM_ISTFT   back from rows to samples, by the options of the stft that made them: rows are pushed, samples are taken.
 *                         Sample n is sum_p w[n - b] y_p[n - b] / sum_p w[n - b]^2 over the rows p that reach it and were pushed, where
 *                         y_p is the inverse transform of row p and b = p hop - d its first sample; 0 where the divisor is 0. So rows of
 *                         stft give the signal back, but where w is 0 at an end of it; where w is small there, errors are as much larger.
 *                         R rows give (R - 1) hop + length - d samples. hop <= length, and every sample must have rows where w is not 0. */
/*   ULPFFT_STREAM_PSD     powers |S|^2 of the rows of stft, averaged over `rows` of them and scaled: scipy.signal.welch without detrending.
 *                         The last item is that of the rows that are left at the flush. Bins of real samples but 0 and length / 2 count
 *                         twice, because they stand for negative frequencies as well.
 * Average of psd, of every bin:
 *   ULPFFT_AVERAGE_MEAN         of the rows of an item, as the next two are.
 *   ULPFFT_AVERAGE_MAX
 *   ULPFFT_AVERAGE_MIN
 *   ULPFFT_AVERAGE_EXPONENTIAL  a (1 - weight) + P weight for every row, from the first row of the signal on; items tell a.
 * Scaling of psd:
 *   ULPFFT_SCALING_DENSITY      |S|^2 / (rate sum w^2): noise, per Hz.
 *   ULPFFT_SCALING_SPECTRUM     |S|^2 / (sum w)^2: a complex tone of amplitude A in the middle of a bin gives A^2, a real one A^2 / 2. */
enum { ULPFFT_AVERAGE_MEAN = 0, ULPFFT_AVERAGE_MAX = 1, ULPFFT_AVERAGE_MIN = 2, ULPFFT_AVERAGE_EXPONENTIAL = 3 };
enum { ULPFFT_SCALING_DENSITY = 0, ULPFFT_SCALING_SPECTRUM = 1 };
enum { ULPFFT_PADDING_NONE = 0, ULPFFT_PADDING_ZERO = 1, ULPFFT_PADDING_REFLECT = 2 };
enum { ULPFFT_PHASE_START = 0, ULPFFT_PHASE_MIDDLE = 1 };
enum { ULPFFT_STREAM_SPECTRUM = 0, ULPFFT_STREAM_POWER = 1, ULPFFT_STREAM_MAGNITUDE = 2 };

/* Samples of stft and psd in narrow storage, as receivers give them; complex ones are pairs, re first.
 *   integers  are fractions of full scale, code / 2^(bits - 1): i16 (cs16) has values from -1 to 32767 / 32768, i8 (cs8) from -1 to
 *             127 / 128. u8 (cu8) is (code - 127.5) / 127.5, which has no 0: beyond the ends of the signal its code 128 stands for 0.
 *   floats    are themselves: f16, bf16, e4m3, ...
 * Plans decode them, row by row; windows and sums are in the arithmetic of the stream. Packed formats hold no samples.
 *   blocks    are pushed whole: ulpfft_stream_push() counts blocks of block_length reals. Each is its codes and the scale behind them, e.g.
 *             32 bytes and 1 of mxfp8_e4m3; sample_bytes and most_pushed are those of blocks, too. They are decoded once. */

/* ulpfft_stream_options::max_latency. */
enum { ULPFFT_LATENCY_NONE = -1 };

/* What to compute. Begin with ULPFFT_STREAM_OPTIONS_INIT, set `kind` and what the kind needs; the rest has defaults. */
typedef struct ulpfft_stream_options {
  size_t size;          /* sizeof(ulpfft_stream_options) */
  int kind;             /* ULPFFT_STREAM_... */
  const char* storage;  /* the arithmetic, and the storage of samples, taps and items: "f32" (NULL), "f64" */
  int complex_samples;  /* nonzero: samples are interleaved complex numbers; else real ones */
  int64_t most_pushed;  /* a push of up to so many samples is taken whole if all ready items were taken before; 0: one block, or
                           hop. 1..2^30 */
  int threads;          /* that a transform may use, as in ulpfft_problem; 0: 1 */
  /* Filter. Items are complex where samples or taps are. */
  const void* taps;     /* read by ulpfft_stream_create() alone */
  int64_t tap_count;    /* 1..2^22 */
  int complex_taps;     /* nonzero: taps are interleaved complex numbers; else real ones */
  int64_t block;        /* samples from one transform to the next, and taps of a partition, at most 2^22; 1: direct sums, whose latency
                           is 0; 0: chosen by estimates of the planner: the shortest that costs little more than the fastest */
  int64_t max_latency;  /* of a chosen block: at most so many samples, or ULPFFT_LATENCY_NONE; 0: any. Where the fastest blocks are longer,
                           the first taps are computed in short blocks or by direct sums, and those behind in longer and longer blocks. The
                           longest blocks then take their time in the pushes that complete them */
  /* Stft, istft and psd. */
  int64_t length;               /* samples of a row: 1..2^24 */
  int64_t hop;                  /* samples from row to row: 1..2^30; rows share length - hop samples, and may leave some out */
  const double* window_factors; /* w, rounded to the storage, read by ulpfft_stream_create() alone; NULL: 1 */
  int64_t window_count;         /* of window_factors: length, or 0 without them */
  int centered;                 /* nonzero: sample p hop is in the middle of row p; else it is the first */
  int padding;                  /* ULPFFT_PADDING_... */
  int phase;                    /* of stft and istft: ULPFFT_PHASE_... */
  int output;                   /* of stft: ULPFFT_STREAM_SPECTRUM, _POWER, _MAGNITUDE */
  /* Psd. */
  int64_t rows;                 /* of an item; 0: all, which are one item at the flush */
  int average;                  /* ULPFFT_AVERAGE_... */
  double weight;                /* of a new row in an exponential average: above 0, at most 1; else 0 */
  int scaling;                  /* ULPFFT_SCALING_... */
  double rate;                  /* samples a second; 0: 1 */
  /* Storage of stft and psd. */
  const char* samples;          /* of samples: a name of ulpfft_format_get(), e.g. "i16", "u8", "f16", "mxfp8_e4m3"; NULL: as `storage`.
                                   See Samples */
  const char* items;            /* of the rows of stft: any storage of plans, e.g. "f16", "mxfp8_e4m3"; NULL: as `storage`. An item is the
                                   codes of a row, and behind them its scales (ulpfft_format_layout()). Magnitudes are as `storage` */
} ulpfft_stream_options;
#define ULPFFT_STREAM_OPTIONS_INIT \
  {sizeof(ulpfft_stream_options), 0, NULL, 0, 0, 0, NULL, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0, \
   0, 0, 0.0, 0, 0.0, NULL, NULL}

/* What is known about a stream. */
typedef struct ulpfft_stream_facts {
  size_t size;           /* sizeof(ulpfft_stream_facts) */
  uint64_t bytes;        /* that it keeps: arrays, and tables and workspaces of its plans. Planning takes more for a while */
  int64_t latency;       /* item n is ready when sample n + latency has been pushed, or of stft sample n hop + latency, unless `room` items
                            wait to be taken; of psd as its last row is; of istft when row (n + latency) / hop (rounded down) has been */
  double error;          /* predicted relative L2 error against exact results of the given numbers, for white normal samples; of psd that of
                            one row: means and largest values have less, but averages of R rows in f64 round by up to sqrt(R) 2^-54 more,
                            and smallest values of R rows have sqrt(R) times as much; of istft at most, in the middle of a signal */
  int64_t block;         /* samples from one transform to the next, of the first layer: the hop of stft; 1: direct sums of a filter */
  int64_t transform;     /* length of the longest transforms; 0: none */
  int64_t partitions;    /* spectra of the taps; 0: none */
  int64_t room;          /* items that wait to be taken at most */
  size_t sample_bytes;   /* of a sample; of istft, where rows are pushed, of a row; of samples in blocks, of a block */
  size_t item_bytes;     /* of an item */
  int64_t item_numbers;  /* of an item: 1, or the bins of a row */
  int64_t layers;        /* of a filter: sizes of blocks, direct sums among them; of others 0 */
  double noise_bins;     /* of stft and psd: equivalent noise bandwidth of the window, length sum w^2 / (sum w)^2 bins of rate / length;
                            not finite of a stft where the sum is 0 or beyond f64 */
} ulpfft_stream_facts;
#define ULPFFT_STREAM_FACTS_INIT {sizeof(ulpfft_stream_facts), 0, 0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0}

/* Tells the facts of the stream that ULPFFT_ESTIMATE would make, before its memory is taken. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_predict(ulpfft_context* context, const ulpfft_stream_options* options,
                                                  ulpfft_stream_facts* facts);

/* Makes a stream and its plans. plan_options: how to plan each transform, NULL: ULPFFT_ESTIMATE; the block is chosen by estimates
 * whatever the effort. On failure *stream is NULL. A stream outlives its context. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_create(ulpfft_context* context, const ulpfft_stream_options* options,
                                                 const ulpfft_plan_options* plan_options, ulpfft_stream** stream);
/* NULL is allowed. */
ULPFFT_API void ulpfft_stream_destroy(ulpfft_stream* stream);
ULPFFT_RESULT ulpfft_status ulpfft_stream_facts_get(const ulpfft_stream* stream, ulpfft_stream_facts* facts);

/* Predicted rounding noise of psd: the mean power that the rounding of samples to their storage and the arithmetic leave in a bin far from
 * a full-scale tone that is all of the signal: a complex tone of magnitude 1, or a real one of amplitude 1, between bins and without
 * dither. What is weaker than the floor is not seen. It is that of a mean: of largest values it is higher, of smallest ones lower. A
 * silent signal is stored exactly, and gives 0, but in u8. */
typedef struct ulpfft_stream_floor {
  size_t size;       /* sizeof(ulpfft_stream_floor) */
  double power;      /* of a bin, in the units of an item; bins 0 and length / 2 of real samples have half */
  double decibels;   /* 10 log10(power): with ULPFFT_SCALING_SPECTRUM below the power 1, with ULPFFT_SCALING_DENSITY per Hz */
  double samples;    /* the part of the power that is due to the storage of the samples */
  double arithmetic; /* and that of the arithmetic */
} ulpfft_stream_floor;
#define ULPFFT_STREAM_FLOOR_INIT {sizeof(ulpfft_stream_floor), 0.0, 0.0, 0.0, 0.0}
/* Refused (ULPFFT_UNSUPPORTED) for streams other than psd. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_floor_get(const ulpfft_stream* stream, ulpfft_stream_floor* floor);

/* Takes `count` samples, or fewer where no more items can wait. `pushed` receives how many. `samples` are aligned to a real number, and
 * may be NULL where count is 0. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_push(ulpfft_stream* stream, const void* samples, int64_t count, int64_t* pushed);
/* Hands out up to `most` items, oldest first. `taken` receives how many, 0 where none is ready. `items` may be NULL where most is 0. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_take(ulpfft_stream* stream, void* items, int64_t most, int64_t* taken);
/* Items that wait to be taken; after a flush more may follow when these are taken. 0 for NULL. */
ULPFFT_API int64_t ulpfft_stream_ready(const ulpfft_stream* stream);
/* Ends the signal: the remaining items become ready as others are taken. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_flush(ulpfft_stream* stream);
/* Back to the state after creation, for another signal. */
ULPFFT_RESULT ulpfft_status ulpfft_stream_reset(ulpfft_stream* stream);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_STREAM_H_ */
