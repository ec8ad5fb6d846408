// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The passes of split schemes: a matrix product of the radix on parts, then the twiddles of the next pass.
//
// A line of n numbers after transforms of length l is n / l of them, one behind the other. A pass of radix r has n / r columns. Column f has
// points f + j n / r, j < r, and gives points s l r + q l + k of its output, f = s l + k, q < r. So natural order becomes natural order,
// and a line with one pass is one matrix product. Point p of the output is multiplied by the twiddle of the next pass of radix r', which is
// exp(-2 pi i j k' / (l r r')), j = p / (n / r') rounded down, k' = p mod l r. So norms are found of the numbers that are split next.
//
// Output q   of a column is a sum of (re, im) in f32, over the products of parts from the smallest (largest i + j, then smallest i) to the
//            largest; of each over blocks of kSplitBlock points, summed apart and then added; in a block over k upwards: re += xr wr,
//            re -= xi wi, im += xr wi, im += xi wr. Every product is exact but below the range of f32, and no operation is fused.
//            The matrices of radix 2 and 4 have one part that is not 0, and products with others are left out. Of slices all these sums
//            are exact, and f64 adds them up exactly: any order gives the same. Then the sum is multiplied by the norm. A target may
//            leave out products with the 0 of these radices, and add or subtract where the matrix has 1 or -1: of finite numbers that
//            changes no bit, because a sum that begins with +0 is never -0.
// Units      axes[0]; axes[1] are lines. A unit has up to split_columns() columns of a line, or whole lines.
// Norms      of lines: the largest magnitude that each unit has stored, kept beside the work arrays; the first pass has a step before it.
// Devices    Bits are promised on processors. A matrix unit may add in another order, keep another number of bits and truncate, none of it
//            as IEEE 754 has it: there a sum of K products errs by at most K 2^-23 of the sum of their magnitudes, which holds for any
//            order of additions that are rounded or truncated to 24 bits. Sums of slices are exact in any order: the same bits everywhere.
//            Hardware dot products of processors (AVX512-BF16, AMX) flush subnormal numbers and add in an order of their own: not used.
#ifndef ULPFFT_CODELETS_CONTRACT_SPLIT_PASS_H_
#define ULPFFT_CODELETS_CONTRACT_SPLIT_PASS_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "codelets/contract/split_arithmetic.h"
#include "codelets/contract/step.h"

namespace ulpfft {

inline constexpr std::int64_t kSplitBlock = 16;
inline constexpr int kSplitOutputs = 4;  // outputs that are computed together
inline constexpr std::int64_t kMostSplitRadix = 256;
static_assert(kMostSplitRadix <= kMostExactRadix);

// Columns of a unit: whole vectors of every target, and parts that stay in the caches near the processor.
constexpr std::int64_t split_columns(std::int64_t radix) { return radix <= 5 ? 128 : radix <= 16 ? 64 : 16; }
inline constexpr std::int64_t kMostSplitColumns = 128;
inline constexpr std::int64_t kMostSplitPoints = 4096;  // of a unit
static_assert(kMostSplitPoints == kMostSplitRadix * split_columns(kMostSplitRadix));

// Part `data` of the numbers times part `matrix` of the matrix.
struct SplitProduct {
  int data = 0;
  int matrix = 0;
};

// PassArgs::context of these passes.
struct SplitPass : ContextOf<SplitPass> {
  SplitScheme scheme;
  SplitElement element;
  std::int64_t radix = 2;
  std::int64_t length = 1;  // l
  std::int64_t points = 2;  // n
  std::int64_t next = 0;    // radix of the next pass; 0: this is the last
  int product_count = 0;
  SplitProduct products[kMostSplitParts * kMostSplitParts];  // in the order they are summed
  // w^(j q), by parts, then by blocks of kSplitOutputs outputs q, then by j: re of each of these outputs, then im, 0 beyond the last.
  const float* matrix = nullptr;
  std::int64_t matrix_stride = 0;  // between parts
  // w^(j k'), by j, then k': in the compute type, re and im apart. null: none follow.
  const void* twiddles_re = nullptr;
  const void* twiddles_im = nullptr;
  // Where norms of lines lie, reals of the compute type: `norms_read` for each line, by the pass before; `norms_written` by this one.
  bool finds_norms = false;  // and does nothing else: before the first pass
  Slot norms = Slot::kWork0;
  std::int64_t norms_in = 0, norms_out = 0;  // offsets
  std::int64_t norms_read = 0, norms_written = 0;
};

constexpr std::int64_t split_blocks(std::int64_t radix) { return (radix + kSplitOutputs - 1) / kSplitOutputs; }
// Reals of a part of a matrix.
constexpr std::int64_t split_matrix_reals(std::int64_t radix) { return split_blocks(radix) * radix * 2 * kSplitOutputs; }
constexpr std::int64_t split_matrix_at(std::int64_t radix, std::int64_t q, std::int64_t j) {
  return (q / kSplitOutputs * radix + j) * 2 * kSplitOutputs + q % kSplitOutputs;
}

// The numbers of output q that a product takes: of point j its re at 2 kSplitOutputs j, its im kSplitOutputs later.
inline const float* split_matrix(const SplitPass& pass, const SplitProduct& product, std::int64_t q) {
  return pass.matrix + product.matrix * pass.matrix_stride + split_matrix_at(pass.radix, q, 0);
}

// Few columns of a large matrix: lanes are outputs, and the points of a column are cut into pieces that lie one behind the other.
inline constexpr std::int64_t kLeastRowRadix = 64;  // outputs are a multiple of kRowOutputs
inline constexpr std::int64_t kRowOutputs = 32;     // that are computed together
inline constexpr std::int64_t kRowPiece = 128;      // points

// How the columns of some lines are cut.
struct SplitUnits {
  std::int64_t columns = 1;  // of a line
  std::int64_t width = 1;    // most columns of a unit
  std::int64_t of_line = 1;  // units of a line
  std::int64_t lines = 1;    // of a unit

  constexpr SplitUnits(std::int64_t points, std::int64_t radix)
      : columns(points / radix),
        width(split_columns(radix)),
        of_line((columns + width - 1) / width),
        lines(of_line > 1 ? 1 : width / columns) {}
  constexpr std::int64_t count(std::int64_t all_lines) const { return of_line > 1 ? all_lines * of_line : (all_lines + lines - 1) / lines; }
};

// Columns of a pass that share a norm, of kTile: whole columns, a power of two of them, at most those of a unit. A tile ends with its line.
inline std::int64_t split_tile(const SplitScheme& scheme, std::int64_t radix) {
  std::int64_t columns = 1;
  while (2 * columns * radix <= scheme.tile && 2 * columns <= split_columns(radix)) columns *= 2;
  return columns;
}

// Where the twiddles of a unit lie: of column c at first + at[c] + q l. For each kSplitBlock columns: whether they are adjacent, one, the
// same four again and again, or none of these.
enum class SplitTwiddles : std::uint8_t { kAnywhere, kAdjacent, kOne, kFours };
struct SplitPlaces {
  std::int64_t first = 0;
  std::int32_t at[kMostSplitColumns];
  SplitTwiddles how[kMostSplitColumns / kSplitBlock];
};

// How the numbers of a vector of columns lie: adjacent ones of a row, with re and im apart or side by side; the numbers of a column
// adjacent, and columns as well; or four columns of a row adjacent, then those of the next row, then the next four columns.
enum class SplitOrder : std::uint8_t { kPlanar, kInterleaved, kColumns, kFours };

// Rows of columns: number j of column c has its re at re[at[c] + j row], its im likewise. at[] is read for the first column of a vector.
// Those that are read are kPlanar or kInterleaved, and multiplied by `scale`.
template <typename T>
struct SplitRows {
  T* re = nullptr;
  T* im = nullptr;
  const std::int64_t* at = nullptr;
  std::int64_t row = 0;
  SplitOrder order = SplitOrder::kPlanar;
  std::remove_const_t<T> scale = 1;
};

// Columns of a full tile of the pass. Long lines take no division, because units ask for it.
inline std::int64_t split_tile_of_line(const SplitPass& pass) {
  const std::int64_t tile = split_tile(pass.scheme, pass.radix);
  return pass.points < tile * pass.radix ? pass.points / pass.radix : tile;
}

// Whether the butterflies find norms of tiles in their vectors, where `lines` lines of a unit lie one behind the other. So lines
// are whole tiles of 1, 2 or 4 columns there; one line may end with less than a tile.
inline constexpr std::int64_t kMostTileOfVector = 4;
inline bool finds_norms_of_vectors(const SplitPass& pass, std::int64_t lines) {
  if (pass.scheme.slices()) return true;
  if (pass.scheme.norm != SplitNorm::kTile) return false;
  const std::int64_t tile = split_tile_of_line(pass);
  return tile <= kMostTileOfVector && (lines == 1 || (tile != 3 && pass.points % (tile * pass.radix) == 0));
}

// Whether numbers become parts by an addition and a subtraction. Those over their norm are below 2, and elements without a norm reach as
// far as f32.
inline bool rounds_by_addition(const SplitPass& pass) {
  return !pass.scheme.arbitrary && (pass.scheme.norm == SplitNorm::kNone || pass.element.largest >= 4);
}
// Whether the pass has butterflies (SplitStages): the matrices of these radices have 1, -1, i and -i alone.
inline bool has_split_butterflies(const SplitPass& pass) {
  return (pass.radix == 2 || pass.radix == 4) && (pass.scheme.slices() || rounds_by_addition(pass));
}

// The work of a unit on dense tiles, T the compute type: row j of numbers has its re at 2 j W and its im W later, W = split_columns(radix).
// `width` is the columns, rounded up to whole vectors of `lanes`. ref has them in plain C++, every target of Highway in vectors.
template <typename T>
struct SplitStages {
  std::int64_t lanes = 1;
  // The largest magnitude of each column.
  void (*largest)(const SplitPass& pass, const T* numbers, std::int64_t width, T* of_columns);
  // Numbers as parts, part i of row j at (i r + j) 2 W. `norms`: of each column, `inverse` 1 over them; null: there are none.
  void (*split)(const SplitPass& pass, const T* numbers, const T* norms, const T* inverse, std::int64_t width, float* parts);
  // Outputs of block `block`, as numbers are.
  void (*multiply)(const SplitPass& pass, const float* parts, std::int64_t block, std::int64_t width, T* outputs);
  // Outputs first .. first + kRowOutputs - 1 of one column: re adjacent, im kRowOutputs later. Its points come in pieces of kRowPiece;
  // part i of piece p has its re at (p parts + i) 2 kRowPiece and its im kRowPiece later. null: there is none.
  void (*multiply_row)(const SplitPass& pass, const float* parts, std::int64_t first, T* outputs);
  // One row of outputs times its factors, if any, and twiddles, if any. Updates `of_columns` unless it is null.
  void (*finish)(const SplitPass& pass, T* output, const T* factors, std::int64_t q, const SplitPlaces* places, std::int64_t width,
                 T* of_columns);
  // Interleaved numbers, with re at `re` and im at `im`, one real before or after it, to rows and back.
  void (*load)(const T* re, const T* im, std::int64_t count, T scale, T* to_re, T* to_im);
  void (*store)(const T* from_re, const T* from_im, std::int64_t count, T* re, T* im);
  // The outputs of a block in the first pass: of each column adjacent ones, whose columns are `stride` apart.
  void (*store_columns)(const T* outputs, std::int64_t row, std::int64_t outputs_of_block, std::int64_t count, std::int64_t stride, T* to);
  // The largest magnitude of some reals.
  T (*largest_of)(const T* reals, std::int64_t count);
  // The same as split, multiply and finish together, where has_split_butterflies(); null: there is none. `inverse` is 1 over the
  // norms, null where there are none and where finds_norms_of_vectors(). Returns false, with outputs of no meaning, where a number is too
  // large for it.
  bool (*butterflies)(const SplitPass& pass, const SplitRows<const T>& in, const SplitRows<T>& out, const T* inverse, const T* factors,
                      const SplitPlaces* places, std::int64_t width, T* of_columns);
};

// The pass by these stages; where SplitPass::finds_norms, norms_out of the lines axes[0] that it reads.
template <typename T>
void run_split_pass(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count, const SplitStages<T>& stages);
extern template void run_split_pass<float>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, const SplitStages<float>&);
extern template void run_split_pass<double>(const PassArgs&, const Buffers&, std::int64_t, std::int64_t, const SplitStages<double>&);

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_SPLIT_PASS_H_
