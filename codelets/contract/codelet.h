// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A codelet describes itself: what the planner, tests, benchmarks and `describe()` know of a kernel.
//
// Bodies (`n8`, `t8_ds`, ...) are generated; a codelet is a body inside one loop shape for one compute type on one target.
// Every fact of a body has its home in `BodyFacts`, emitted by genfft beside the body.
#ifndef ULPFFT_CODELETS_CONTRACT_CODELET_H_
#define ULPFFT_CODELETS_CONTRACT_CODELET_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/contract/conversion.h"
#include "codelets/contract/real_transform.h"
#include "codelets/contract/step.h"
#include "codelets/contract/twiddle_form.h"

namespace ulpfft {

// Arithmetic of a body. kDoubleDouble exists on ref only. kRounded*: every operation rounded to a format named by the plan, the numbers
// kept in f32 or f64 (rounded_pass.h); kWhole, kFirst and kTwiddled, whose edges are not planar and whose lanes follow index order.
enum class ComputeType : std::uint8_t { kF32, kF64, kDoubleDouble, kRoundedF32, kRoundedF64 };
constexpr bool is_rounded(ComputeType compute) { return compute >= ComputeType::kRoundedF32; }

// The loop shapes, and the passes without a body. Out edges may be planar or not (Edge::planar) where nothing else is said.
//
// Line passes (kGather .. kJoinPairs) run over a line of PassArgs::lanes points: point j is at j * point_stride, wrapped as usual; axes
// are loops around the line; edges are not planar; swap at either end and the scale apply.
//
// Passes of real transforms (kUntangle .. kJoinRows) are line passes without wrap and pad. Edge::swap negates im at that end and exchanges
// nothing; kUntangle, kHalf and kJoinRows have it at `out`, kTangle, kMirror and kSplitRows at `in`, the others never. An im part that is 0
// stays +0.
// The transform of n = 2h reals is Z of h numbers (the reals of even index are re, of odd index im) and X of h + 1; w = exp(-2 pi i / n).
// kUntangle and kTangle read and write h = lanes points of Z and h + 1 of X; the two ends may be one line. The other ends are apart.
//
// Passes of r2r transforms (kMoveReals .. kJoinPairs) are line passes between lines of n = lanes reals, which lie apart; point_stride is the
// distance of reals, and there are no im parts, wrap or pad. kMoveReals and kPick take any strides. The others have a line of the transform
// at one end, with point_stride 1 or -1, and h complex numbers at the other, re and im adjacent, with point_stride 1; n = 2h, but for
// kSplitOdds and kJoinOdds, which take any n. Edge::swap is at the line of the transform, and changes signs as said below.
// V is the transform of n reals, Z that of h numbers whose re and im they are in turn; w = exp(-2 pi i / n).
enum class PassKind : std::uint8_t {
  kWhole,            // one transform, scalar lanes, any stride; not planar
  kWholeTwo,         // one transform of n = r1 * r2, two bodies over a tile on the stack: interleaved -> interleaved
  kFirst,            // no twiddles, lanes are adjacent columns, rows go transposed to their digit-reversed place
  kTwiddled,         // lanes are k, twiddle vectors; from planar
  kColumns,          // lanes are columns, no twiddles; with a row list, axes[0] goes to digit-reversed rows
  kColumnsTwiddled,  // lanes are columns, one twiddle set per position of axes[1]; from planar
  kTwist,            // the twiddles between the two sweeps of four, with the transposition: planar panel -> interleaved
  kGather,           // out point j = in point rows[j]; without rows in point j
  kScatter,          // out point rows[j] = in point j; without rows out point j
  kPointwise,        // out point j = in point j * table[j] (re, im), then `pad` zeros
  kConvolve,         // rader, in place: points times table; then point[lanes] += old point[0], and point[0] += old point[lanes]
  kDecode,           // from the other wide storage (f64 for f32 arithmetic and the reverse) to the compute type
  kEncode,           // from the compute type to the other wide storage
  kUntangle,         // X of Z; table[k], k = 0 .. h/2: half of w^k (re, im). No scale
  kTangle,           // 2 Z of X, times the scale; table[k]: w^k. im of the first and the last point of X is not read
  kFromReals,        // out point j = (real j, 0) times the scale; in.point_stride is the distance of reals
  kToReals,          // out real j = re of in point j (in.point_stride 1: real j); out.point_stride is the distance of reals. No scale
  kHalf,             // points move; im of point 0 becomes 0. Of odd n, lanes = (n + 1) / 2. No scale
  kMirror,           // lanes = n, odd: out point k = in point k, out point n - k = its conjugate, k <= n / 2, times the scale; im of point 0
                     // becomes 0
  kSplitRows,        // lanes = n = r m, odd, r = PassArgs::row: out point k of row q, 2 q < r, k < m, = point r k + q of a line whose
                     // first half is `in`, (n + 1) / 2 points; the other half are their conjugates. im of in point 0 counts as 0. Row q
                     // begins q * PassArgs::row_stride on. No scale
  kJoinRows,         // the other way: the first half of the line, from its rows; im of point 0 becomes 0. No scale
  kMoveReals,        // out real j = in real j times the scale
  kPick,             // out real j = in real (rows[j] / 4) times table[rows[j] % 4] times the scale, but 0 where rows[j] % 4 is 0
  kSplitOdds,        // in real j goes to j / 2 where j is even, to n - 1 - j / 2 where it is odd, times the scale; swap: odd ones negated
  kJoinOdds,         // the other way, without a scale
  kFold,             // Z to out: real k = Re(t V[k]), real n - k = Im(t V[k]), negated where swap, 0 < k < h; real 0 = t V[0], real h = t V[h].
                     // table: three lists of h / 2 + 1 complex numbers: half of w^k; t of k (0: those of V[0] and V[h]); t of h - k. No scale
  kUnfold,           // in to 2 Z, times the scale: V[k] = conj(t) (real k + i real (n - k)), conjugated before the product where swap;
                     // V[0] = t real 0, V[h] = t real h. table: as of kFold, but w^k
  kSplitPairs,       // number j = (in real 2j + i real (n - 1 - 2j)) table[j] times the scale; swap: re and im exchanged before the product
  kJoinPairs,        // of y = number k times table[k] out real 2k = Re y, real n - 1 - 2k = - Im y, or Im y where swap. No scale
  kPacked,           // one transform of one body or of n = r1 * r2, in registers, adjacent complex numbers at both ends. table: (1, -1) in
                     // every complex number of a vector, negated where both ends are swapped; then the twiddles of the second body, im
                     // parts times that: both parts of a number hold a value. Of is_of_sums() bodies a vector that begins with the radix
                     // follows the first one, and roots the twiddles: of each two vectors of k, j by j, cos and sin of 2 pi j k / radix
  kReal,             // one real transform of n = body->radix reals (BodyFacts::transform says which), loops as kWhole: see below
};
// kReal: RealTransform (real_transform.h) has the definitions and says which ends are complex: `in` of kC2R and `out` of kR2C. All other
// ends are n reals, of r2r kinds both. The end of a line may lie where the line is read from; lines are apart. Nothing wraps.
//   real end      real j at j * point_stride, in reals; Edge::swap negates the reals of odd index
//   complex end   n / 2 + 1 numbers, interleaved, split or otherwise im_offset apart; point_stride in reals; Edge::swap negates im. Where
//                 im is 0 by definition it is not read, and stored as +0
//                 Edge::half_complex (R2HC, HC2R): n reals; im of number k lies where re of number n - k would, 0 < k < n - k
//   DST-II        DCT-II with swap at `in`, the output from its end (offset + (n - 1) * point_stride, then -point_stride)
//   DST-III       DCT-III with the input from its end, swap at `out`
//   DST-IV        DCT-IV with the input from its end, swap at `out`
//   scale         multiplies what is loaded
// `direct` computes one line of adjacent reals and adjacent interleaved numbers, without scale or swap. With any table in the call, bodies
// of DCT-II to DCT-IV compute the DST of that type instead.
constexpr bool has_body(PassKind kind) {
  return kind <= PassKind::kColumnsTwiddled || kind == PassKind::kPacked || kind == PassKind::kReal;
}
// Whose Edge::swap changes signs and exchanges nothing.
constexpr bool is_of_real_transform(PassKind kind) {
  return (kind >= PassKind::kUntangle && kind <= PassKind::kJoinRows) || kind == PassKind::kReal;
}
constexpr bool is_of_r2r_transform(PassKind kind) { return kind >= PassKind::kMoveReals && kind <= PassKind::kJoinPairs; }

// Real operations of one butterfly after fusing; `fma` counts once.
struct OpCounts {
  int add = 0;
  int mul = 0;
  int fma = 0;
  constexpr int total() const { return add + mul + fma; }
};

// What one value of a body's table holds, so that one builder fills the tables of every codelet. Point j of a butterfly is
// multiplied by w^j, w = exp(-2 pi i k / n).
//   kRe, kIm        parts of w^j
//   kRatio          dual-select ratio of w^j, magnitude <= 1
//   kScale          scale(j) / scale(over_j) * factor; over_j = 0: scale(j) * factor
//   kSign           sign of the primed scale of j against the plain one: +1 cosine path, -1 sine path
// A primed scale (for the real component) is minus the plain one on the sine path. `factor` = 1 or sqrt(1/2).
struct TableTerm {
  enum class Kind : std::uint8_t { kRe, kIm, kRatio, kScale, kSign };
  Kind kind = Kind::kRe;
  std::uint8_t j = 0;
  bool primed = false;
  std::uint8_t over_j = 0;
  bool over_primed = false;
  bool sqrt_half = false;
};

// Errors of one body on random normal data, relative L2, in u of a compute type; measured by genfft with the tables of that type.
struct BodyErrors {
  double rms = 0;
  double exact_sums = 0;  // the same of data with so few digits that sums of them are exact: of narrow formats
  double bias = 0;        // what results have too much in the mean, or too little: constants round once, so that passes add this up
};

struct BodyFacts {
  const char* name = "";                  // "n8", "t8", "t8_ds", "t8_ch", "r2c8", "dct2_8"
  int radix = 0;                          // of kReal: the count of reals
  TwiddleForm form = TwiddleForm::kNone;
  OpCounts ops;
  int live_values = 0;                    // peak, in scalars of the compute type, constants and addresses not counted
  std::uint64_t digest = 0;               // of the scheduled arithmetic; changes when results may
  std::span<const TableTerm> table;       // values per lane, in table order; empty for n bodies
  BodyErrors f32, f64;
  RealTransform transform = RealTransform::kNone;  // of kReal
};

// One whole transform without loops: point j of re lies j * stride reals on, likewise im and the outputs.
using WholeFn = void (*)(const void* re, const void* im, std::int64_t stride, void* out_re, void* out_im, std::int64_t out_stride);

// One whole transform called directly, without a scale, shift or single swapped end: a plan that is nothing else begins with this, so that executing it is one jump. in_im and out_im
// repeat in_re and out_re where data are interleaved; to the int64 at another out_im what encodes adds how many saturated. Returns 0.
struct DirectCall {
  using Run = int (*)(const DirectCall& call, void* in_re, void* in_im, void* out_re, void* out_im, void* workspace);
  Run run = nullptr;
  union {
    const void* table = nullptr;
    const StepContext* context;  // where `run` says so
  };
};

// The context of direct calls of kUntangle and kTangle.
struct DirectPass : ContextOf<DirectPass> {
  const PassArgs* args = nullptr;
};

// The tables that CodeletInfo::untangled and tangled take.
struct PairTables : ContextOf<PairTables> {
  const void* transform = nullptr;  // of the kPacked pass
  const void* pairs = nullptr;      // of kUntangle or kTangle
};

struct RoundedBody;  // rounded_pass.h

struct CodeletInfo {
  PassKind kind = PassKind::kWhole;
  ComputeType compute = ComputeType::kF64;
  const BodyFacts* body = nullptr;
  const BodyFacts* second = nullptr;      // kWholeTwo, some kPacked: the body of the second pass
  PassFn run = nullptr;
  WholeFn whole = nullptr;                // kWhole: the bare body, for plans that are nothing else. kReal, perhaps: over a vector of lines
  DirectCall::Run direct = nullptr;       // kPacked, kReal, kUntangle and kTangle: one line, for plans that are little else
  // Some kPacked: the pass with kUntangle after it, or with kTangle before it, of one line without a scale or a swapped end of the spectrum.
  // Their context is a PairTables.
  DirectCall::Run untangled = nullptr, tangled = nullptr;
  const RoundedBody* rounded = nullptr;   // of rounded compute types, except on ref
  // Narrow storage that the pass decodes as it loads, or encodes as it stores (nearest, saturating; counted in Buffers::narrow); else "".
  // Offsets and strides of such an edge count codes. It is interleaved, lanes are adjacent, nothing wraps; chunks are whole vectors, rows
  // of the work area whole ones in lane order.
  const char* in = "";
  const char* out = "";
  bool index_order = false;               // kFirst: PassArgs::rows lists the columns of a vector in index order instead of lane order
};

// One per backend and target; chosen explicitly, so that all targets of a machine can be compared in one process.
struct CodeletTable {
  int version = 0;
  const char* backend = "";               // "ref", "hwy"
  const char* target = "";                // "ref", "sse4", "avx2", "avx3", ...
  bool has_fma = false;                   // results of targets that agree in this are bit-identical
  int lanes_f32 = 1;                      // vector lanes of a pass
  int lanes_f64 = 1;
  std::span<const CodeletInfo> codelets;
  std::span<const CodeletInfo> fused;            // the same bodies with narrow storage at an end: kFirst, kTwiddled, kPacked
  std::span<const ConversionEntry> conversions;  // ref: every narrow format; others: those they have
  PassFn mx_butterfly = nullptr;          // mx schemes, see mx_pass.h: radix 2
  PassFn mx_multiply = nullptr;           // the twiddles of other radices
  PassFn split_pass = nullptr;            // split schemes, see split_pass.h: of floats, f32
  PassFn slice_pass = nullptr;            // of integers, f64
};

inline constexpr int kCodeletTableVersion = 3;

// Lanes of a vector need not follow index order: shuffles inside 128-bit blocks, which are the cheap ones, leave an order that tables and
// row lists undo. Column held by lane l after a vector of w columns is deinterleaved, and index while data follow lane order
// (Edge::lane_order). e = reals in 128 bits.
constexpr int index_of_lane(int l, int w, int e) {
  if (e > w) e = w;
  if (e < 2) return l;
  const int h = e / 2;
  return l % e < h ? (l / e) * h + l % e : w / 2 + (l / e) * h + l % e - h;
}

// `count` values in vectors of w: how many vectors, and where each begins. The last one begins early enough to be whole, so that two
// vectors may hold the same values; fewer than w values are one vector with lanes to spare.
template <typename Int>
constexpr Int vectors_of(Int count, int w) { return (count + w - 1) / w; }
template <typename Int>
constexpr Int vector_begin(Int vector, Int count, int w) {
  const Int begin = vector * w;
  return begin + w <= count ? begin : count < w ? 0 : count - w;
}

// Vector width of both passes of kWholeTwo on a target with `lanes` lanes. One width: a second pass that loads wider vectors than the
// first one stored waits for the stores to reach the cache (n = 8 as 4 x 2, f64: 22 ns instead of 11).
constexpr int whole_two_lanes(int lanes, int r1, int r2) {
  const int least = r1 < r2 ? r1 : r2;
  return lanes < least ? lanes : least;
}
// Shorter transforms leave out the code for circular shifts: dit serves centred ones.
constexpr bool whole_two_shifts(int r1, int r2) { return r1 * r2 >= 64; }

// Primes whose kPacked loops are one text for all of them: sums and differences of opposite points, then vectors of k that multiply them by
// roots of unity from the table (codelets/hwy/packed_sums-inl.h). Of 19 and 23 vectors would be half empty (f64, AVX-512): 190 points take
// 1.3 to 1.7 times the time of straight text.
constexpr bool is_of_sums(int radix) {
  switch (radix) {
    case 17: case 29: case 31: case 37: case 41: case 43: case 47: case 53: case 59: case 61: return true;
    default: return false;
  }
}
// How many k one of its vectors holds, of (radix - 1) / 2.
constexpr int sums_lanes(int lanes, int radix) {
  while (2 * lanes > radix - 1) lanes /= 2;
  return lanes;
}

// Complex numbers in a vector of kPacked on a target with `lanes` lanes; one body: 1, or whole vectors of sums. The vectors of r columns or k
// begin at 0, V, 2 V, ... and the last one at r - V: numbers that two of them hold are computed twice.
constexpr int packed_numbers(int lanes, int r1, int r2 = 1) {
  if (is_of_sums(r1)) return lanes < 2 ? 1 : lanes / 2;
  int numbers = 1;
  while (2 * numbers <= lanes / 2 && 2 * numbers <= r1 && 2 * numbers <= r2) numbers *= 2;
  return numbers;
}
constexpr int packed_vectors(int r, int numbers) { return (r + numbers - 1) / numbers; }
constexpr int packed_begin(int vector, int r, int numbers) { return vector * numbers < r - numbers ? vector * numbers : r - numbers; }
// Whether a pair of bodies is worth it. One number a vector: shuffles and twiddles cost more than they save. Beyond a few times the
// registers, of which there are 32 where vectors have 64 bytes, tiles are as fast and smaller (AVX2, 512 points f32: 205 ns against 186
// for 23 KB; 256 points f64: 167 against 160).
constexpr bool packed_serves(int lanes, int real_bytes, int r1, int r2) {
  const int numbers = packed_numbers(lanes, r1, r2);
  return numbers >= 2 && r1 * r2 <= (lanes * real_bytes >= 64 ? 128 : 64) * numbers;
}

// Path words of dual-select passes: bit j-1 set = point j takes the sine path (its re and im are exchanged at load);
// kStraddle = the lanes of the group differ, the group is computed in standard form (kTwiddled only: a column pass has one k per path).
inline constexpr std::uint32_t kStraddle = 0xffffffffu;

// Twiddle index groups over which a dual-select pass of `dit` and `dif` keeps one path (design 6.2).
inline constexpr int kPathGroup = 16;

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_CODELET_H_
