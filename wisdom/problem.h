// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a caller asks for, as a plain value, checked and with every default filled in.
//
// Shapes   lengths in row-major order, the last varies fastest; batch dimensions lie outside the lengths. A length is that of the
//          transform; each side has stored_length() elements along it.
// Kinds    r2c: the input is real, and the output stores the k = 0..n/2 of the last length. c2r: the input stores these, and the output is
//          real. The direction kForward has the sign - for c2c and r2c, and + for c2r; kBackward has the other one. A chain of r2c has real
//          numbers on both sides; its spectrum is the output of the r2c alone. r2r: both sides are real, and have no direction; r2r_kind.h has
//          a kind for each dimension. czt: complex numbers of one dimension to as many frequencies as zoom.h says; the length is that of the
//          input.
// Units    strides count the elements of their side: complex numbers (interleaved), or reals (a real side, and a part of a split one); on a
//          side whose storage is packed or in blocks those of all dimensions but the last length count rows, and that one has stride 1
//          (storage_names.h).
#ifndef ULPFFT_WISDOM_PROBLEM_H_
#define ULPFFT_WISDOM_PROBLEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "wisdom/r2r_kind.h"
#include "wisdom/window.h"
#include "wisdom/zoom.h"

namespace ulpfft {

enum class Kind : std::uint8_t { kC2C, kR2C, kC2R, kR2R, kCzt };
enum class Direction : std::uint8_t { kForward, kBackward };
enum class ArrayLayout : std::uint8_t { kInterleaved, kSplit };
enum class Placement : std::uint8_t { kOutOfPlace, kInPlace };
enum class ScaleKind : std::uint8_t { kNone, kOrtho, kByN, kValue };
enum class PrescaleKind : std::uint8_t { kNone, kAmax, kTarget };
enum class OutputKind : std::uint8_t { kSpectrum, kPower };

struct Dimension {
  std::int64_t length = 1;
  std::int64_t in_stride = 1;
  std::int64_t out_stride = 1;
  bool operator==(const Dimension&) const = default;
};

struct Problem {
  Kind kind = Kind::kC2C;
  std::vector<Dimension> dims;    // 1..8
  std::vector<Dimension> batch;   // 0..8, outermost first
  std::string storage_in = "f32";
  std::string storage_out = "f32";
  std::string scheme;             // empty: that of the storage
  std::string backend;            // empty: the context's target
  ArrayLayout layout = ArrayLayout::kInterleaved;
  Placement placement = Placement::kOutOfPlace;
  Direction direction = Direction::kForward;
  bool centered = false;
  ScaleKind scale_kind = ScaleKind::kNone;
  double scale_value = 1.0;       // read for kValue
  double max_error = 0.0;         // 0: no limit
  int threads = 1;                // at most so many; 1..kMaxProblemThreads
  std::string intermediate;       // narrow storage that a plan may use between passes; empty: none
  std::string chain;              // "mul", "user": there, the operation on the spectrum, and back; empty: a transform
  PrescaleKind prescale_kind = PrescaleKind::kNone;  // each transform times a power of two, by its largest magnitude
  double prescale_target = 0;     // about what that becomes; read for kTarget
  bool destroy_input = false;    // the input may hold anything after an execution
  std::vector<R2rKind> kinds;     // kR2R: one per dimension; else empty
  std::int64_t max_workspace = 0;  // bytes that one execution may work in; 0: no limit; kOneTransform: rows are not padded for speed
  OutputKind output_kind = OutputKind::kSpectrum;  // kPower: |X|^2 of each number of the output, as a real number
  Window window;                   // what the input is multiplied by
  Zoom zoom;                       // kCzt: how many outputs, and their frequencies

  bool operator==(const Problem&) const = default;
  const std::string& storage(bool output) const { return output ? storage_out : storage_in; }
};

inline constexpr int kMaxRank = 8;
inline constexpr int kMaxProblemThreads = 256;
inline constexpr std::int64_t kOneTransform = -1;  // Problem::max_workspace

// The number of elements that a side has along `d`, which is a member of the problem's dims or batch and not a copy. It is the length, but
// n/2 + 1 for the last length of the spectrum of n real numbers (r2c without a chain: the output, c2r: the input), whose other half are
// conjugates, and the points of the output of czt; the powers of a spectrum are as many.
std::int64_t stored_length(const Problem& problem, const Dimension& d, bool output);
// The number of indices that a side has along `d`, stored or not: that of the transform, but the points of the output of czt.
std::int64_t index_length(const Problem& problem, const Dimension& d, bool output);
// Where a side has index 0 of `d`: the middle, floor(length / 2), of a centered problem, but 0 of a half of a spectrum.
std::int64_t first_index(const Problem& problem, const Dimension& d, bool output);
// Whether the elements of a side are real numbers. Such a side is one array in either layout.
bool holds_reals(const Problem& problem, bool output);
// Whether the elements of a side are those n/2 + 1 of a spectrum of n real numbers, or their powers.
bool holds_half(const Problem& problem, bool output);
// Whether the problem is a chain whose two sides are real numbers.
bool is_real_chain(const Problem& problem);
// Product of the lengths (transformed points), without batch.
std::int64_t transform_points(const Problem& problem);
// The elements that a side stores of one transform.
std::int64_t stored_points(const Problem& problem, bool output);
// The complex numbers of the spectrum of one transform, of which an operation of a chain changes each.
std::int64_t spectrum_points(const Problem& problem);
// The transform that a chain begins with, as a problem of its own. The spectrum of real numbers is dense then.
Problem transform_of_chain(const Problem& problem);
std::int64_t batch_count(const Problem& problem);
// What scale=1/n divides by: the product of the lengths, of r2r of the logical ones.
std::int64_t scale_points(const Problem& problem);
// The number a scale kind stands for. scale=ortho gives the ends of some kinds of r2r a weight besides (c/problem.h).
double scale_factor(const Problem& problem);

// Whether scale=ortho is more than a factor: of a kind of r2r that has weighted ends.
bool has_weights(const Problem& problem);
// Whether plans work in the input that destroy_input lets them change: of c2r of several dimensions, out of place.
bool works_in_input(const Problem& problem);

// Sets every stride to the dense row-major layout of the storages, batch outside. In place, rows of n real numbers are padded to the
// 2 (n/2 + 1) reals of their spectrum.
void set_dense_strides(Problem& problem);
bool has_dense_strides(const Problem& problem);

// Refuses, by throwing Error naming the field: bad rank, length < 1, stride 0 on a dimension longer than 1, element counts or byte
// extents that overflow 64 bits, output elements that coincide, input elements that do where they are overwritten, in place with differing
// strides (r2c, c2r: strides of real numbers that are not twice those of the spectrum, and rows of packed or block storage), unknown
// enumerators, real kinds with schemes and options they lack, kinds of r2r that are not one per dimension, dct1 of length 1, a scale that is
// zero or not finite, a prescale target that is not positive and finite, a chain with a prescale, rows of packed or block storage that are not
// adjacent numbers, powers where there are none, a window of anything but c2c, r2c and czt, or of a number of factors that is not the sum of
// the lengths, frequencies of anything but czt, or what czt lacks, an error limit that is negative or not finite, threads outside 1..kMaxProblemThreads, a
// workspace below 0 that is not kOneTransform.
void check(const Problem& problem);
// All of this but for elements that coincide, whose search takes long for some strides.
void check_but_for_coincidence(const Problem& problem);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_PROBLEM_H_
