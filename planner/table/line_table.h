// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Tables of the passes without a body: twiddles between the sweeps of four, chirps, and spectra of convolution filters.
//
// Order    complex values are (re, im) pairs, except the vectors of make_twist_table.
// Error    twiddles and chirps are rounded once from double-double. Filter spectra are transformed in
//          f64 for f32, and in double-double for f64 up to 2^14 points (without primes above 13; with them up to 2^12) and for
//          double-double. Longer filters for f64 are transformed in f64, with a relative error of about 0.6 u sqrt(log2 m): a
//          convolution then adds three errors of transforms where it could add two.
// Scale    filter spectra are divided by their length, because the two unnormalised transforms around them multiply by it.
#ifndef ULPFFT_PLANNER_TABLE_LINE_TABLE_H_
#define ULPFFT_PLANNER_TABLE_LINE_TABLE_H_

#include <cstdint>
#include <functional>

#include "codelets/contract/codelet.h"
#include "planner/system/buffer.h"
#include "planner/table/number_theory.h"
#include "planner/table/turn.h"
#include "planner/table/twiddle_table.h"

namespace ulpfft {

// The table of a kTwist pass: columns begin .. end - 1 of w^(k1 j2), w = exp(-2 pi i / n), in
// panels of `panel` columns, each padded to whole vectors.
struct TwistRequest {
  std::int64_t n = 1;
  std::int64_t rows = 1;
  std::int64_t split = 1;   // Twist::split
  std::int64_t begin = 0, end = 1;
  std::int64_t panel = 1;
  int lanes = 1;
  bool operator==(const TwistRequest&) const = default;
};
// Reals of one panel.
std::int64_t twist_panel_values(const TwistRequest& request);
// Reals of all panels.
std::int64_t twist_table_values(const TwistRequest& request);
AlignedBuffer make_twist_table(const TwistRequest& request, ComputeType compute, RootCache& roots);

// w^(k1 j2) for the columns j2 = 0 .. kept - 1, each a line of `rows` values k1; w = exp(-2 pi i / (rows columns)).
AlignedBuffer make_line_twiddles(std::int64_t rows, std::int64_t columns, std::int64_t kept, ComputeType compute, RootCache& roots);

// Values of the table of kUntangle or kTangle for a real transform of even n.
constexpr std::int64_t real_twiddle_count(std::int64_t n) { return n / 4 + 1; }
// exp(-2 pi i k / n), k = 0 .. n / 4; halved: rounded, then divided by 2.
// With an element each value is rounded once to it.
AlignedBuffer make_real_twiddles(std::int64_t n, bool halved, ComputeType compute, RootCache& roots, const FormatInfo* element = nullptr);

// exp(-pi i j^2 / n), j = 0 .. n - 1.
AlignedBuffer make_chirp(std::int64_t n, ComputeType compute, RootCache& roots);
// Transforms m interleaved complex numbers in place, forward, unnormalised. Filter spectra that are transformed in f64 use it. Where it is
// empty they use table_transform.h, which is slow for long filters.
using TransformF64 = std::function<void(double* values, std::int64_t m)>;
// Whether a spectrum of m points uses a TransformF64. Double-double takes 6 ms for 2^14 points, and more where a prime is large.
bool filter_is_transformed_in_f64(std::int64_t m, ComputeType compute);

// Transform of length m >= 2 n - 1 of the conjugate chirp at j = -(n - 1) .. n - 1.
AlignedBuffer make_chirp_filter(std::int64_t n, std::int64_t m, ComputeType compute, RootCache& roots, const TransformF64& transform = {});

// What chirp transforms multiply their inputs by, or their outputs: exp(-2 pi i (j start + j^2 step / 2)) of input j, and of output k
// exp(-pi i k^2 step).
AlignedBuffer make_zoom_chirp(const ZoomTurns& turns, bool output, std::int64_t count, ComputeType compute, RootCache& roots);
// Transform of length m >= inputs + outputs - 1 of exp(pi i j^2 step) at j = -(inputs - 1) .. outputs - 1.
AlignedBuffer make_zoom_filter(const ZoomTurns& turns, std::int64_t inputs, std::int64_t outputs, std::int64_t m, ComputeType compute,
                               RootCache& roots, const TransformF64& transform = {});

// Transform of length m of w^(g^-q), q = 0 .. n - 2, cyclic (m = n - 1) or continued periodically (m >= 2 n - 3).
AlignedBuffer make_rader_filter(std::int64_t n, std::int64_t m, ComputeType compute, RootCache& roots, const TransformF64& transform = {});

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_TABLE_LINE_TABLE_H_
