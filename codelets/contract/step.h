// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What an execution walks over: a flat list of passes and repeats of passes.
//
// A plan owns the steps and every table they point to; both are read-only while it executes. Addresses of the caller's
// arrays live in `Buffers`, on the stack of the execution, so one plan may execute on many threads at once.
//
// Units   offsets and strides count real elements of the compute type (a complex number is two), increments of a repeat bytes;
//         sizes are 64-bit.
#ifndef ULPFFT_CODELETS_CONTRACT_STEP_H_
#define ULPFFT_CODELETS_CONTRACT_STEP_H_

#include <cstddef>
#include <cstdint>

#include "codelets/contract/context.h"

namespace ulpfft {

// The buffers of an execution. kOut may equal kIn (in place), and a plan may let kWork0 be the output array. All work slots begin at
// the workspace; passes address areas of it by offset. Every level of nested transforms has a slot of its own, so that a repeat can
// advance one level and leave the others. Of arrays in narrow storage kIn and kOut hold codes, the next two their scales; kExponents
// holds one power of two per transform, re of the input, im of the output. kFactors: of chains, what the spectrum is multiplied by.
enum class Slot : std::uint8_t { kIn, kOut, kInScales, kOutScales, kExponents, kFactors, kWork0, kWork1, kWork2, kWork3, kWork4, kWork5 };
inline constexpr int kSlots = 12;

// What an execution with narrow storage is told, and what it counts.
struct Narrow {
  bool reads_exponents = false;     // kExponents: the input has them
  bool writes_exponents = false;    // the output wants them
  std::int64_t saturated = 0;       // numbers that lay beyond the range of an output, or between passes; added to atomically
  std::int64_t underflowed = 0;     // numbers that were not 0 and became 0 between passes; likewise. Below 0: not counted
};

// Where re and im lie. kPaired: im is `im_offset` reals after re in the same slot (1: interleaved complex; W: blocks of W
// reals re, W reals im; a plane: split work array). kSplit: im has its own base address in the slot (the caller's split arrays).
enum class Layout : std::uint8_t { kPaired, kSplit };

struct ChainCall;  // planner/backend/cpu/chain_step.h

// Left uninitialised on purpose: an execution sets the slots its plan uses, and small transforms feel every store.
struct SlotAddress {
  void* re;
  void* im;  // only for kSplit; a part that is absent is null, and repeats leave it so
};

struct Buffers {
  SlotAddress slot[kSlots];
  std::int64_t number;  // iteration of the innermost numbered repeat
  Narrow* narrow;       // null: no end is narrow
  const ChainCall* chain;  // null: a transform
  void* stream;         // reserved for device backends
};

// One end of a pass: point j of lane l of axis position (a0, a1) has its re at
//   slot.re + offset + a0 * axes[0].stride + a1 * axes[1].stride + j * point_stride + l * lane_stride
// and `wrap` added when j >= wrap_point (circular shifts of centred transforms). Passes with twiddles read planar edges, passes without
// do not; what a pass writes may be either. Planar edges that are read are padded to whole vectors. kFirst: out.point_stride is the
// distance of vectors of W outputs of one row, or out.lane_stride is 1 and the outputs lie side by side; see vector_begin().
struct Edge {
  Slot slot = Slot::kIn;
  Layout layout = Layout::kPaired;
  bool swap = false;          // exchange re and im: backward transforms, at the first load and the last store
  bool planar = false;        // the lanes of one vector are adjacent reals, re and im apart: vector v begins v * W * lane_stride on
  bool lane_order = false;    // lanes inside a vector follow CodeletTable::lane_order instead of index order
  bool half_complex = false;  // kReal: the order of R2HC
  bool non_temporal = false;  // out, interleaved: stored past the caches where every chunk is an aligned vector
  std::int64_t offset = 0;
  std::int64_t im_offset = 1;
  std::int64_t point_stride = 0;
  std::int64_t lane_stride = 0;
  std::int64_t wrap = 0;
  std::int32_t wrap_point = INT32_MAX;
};

// A loop around the lanes; strides in reals, table_stride in table values of one lane.
struct Axis {
  std::int64_t count = 1;
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;
  std::int64_t table_stride = 0;
};

// What is read later, fetched into L2 meanwhile: beside point j of lane l of position a0 the pass fetches slot.re + offset + a0 *
// axis_stride + j * point_stride + l * lane_stride, interleaved lanes (2 reals each, narrow storage less). kTwiddled, kColumns, kWholeTwo (there a whole input per position). It may lie
// beyond the end of an array: nothing is read.
struct Ahead {
  bool fetches = false;
  bool brief = false;   // so little that it need not stay in the caches: prefetchnta, which took 0.7 to 1.0 of the time on Zen 5
  Slot slot = Slot::kIn;
  std::int64_t offset = 0;
  std::int64_t point_stride = 0;
  std::int64_t axis_stride = 0;
  std::int64_t lane_stride = 2;
};

// kTwist multiplies a panel of `lanes` columns j2 and `rows` rows k1 by w^(k1 j2), and stores it at out.offset + (k1 / block) *
// block_stride + k1 % block * out.point_stride + j2 * out.lane_stride. w^(k1 j2) = hi[k1 / split] * lo[k1 % split], each re and im;
// per vector of lanes the table holds `split` lo, then ceil(rows / split) hi: re vector, im vector, in index_of_lane order.
struct Twist {
  std::int64_t rows = 0;
  std::int64_t block = 1;
  std::int64_t block_stride = 0;
  std::int64_t split = 1;
  std::int64_t begin = 0;       // of the rows, a multiple of block: only rows begin .. end - 1, the first of them at out.offset
  std::int64_t end = INT64_MAX;
};

struct PassArgs {
  Edge in;
  Edge out;
  Axis axes[2];                         // outermost first
  std::int64_t lanes = 1;               // innermost: columns, or k of a twiddled pass
  const void* table = nullptr;          // twiddle values in the compute type, in the order and vector shape of use
  const StepContext* context = nullptr;     // all else that the function reads: a BlockRows, a RoundedPass, what a step of the planner says
  const std::uint32_t* paths = nullptr; // dual-select: a path word per kPathGroup lanes, or per table set of columns; of rounded
                                        // schemes a word per lane; else null
  std::int64_t path_stride = 0;         // columns: path words per step of axes[1]
  const std::uint32_t* rows = nullptr;  // kFirst (by vectors of columns, in lane order), kColumns: row each column goes to, the digit reversal
  std::int64_t row_stride = 0;          // reals between rows; kSplitRows, kJoinRows: where the rows are
  std::int64_t row = 0;                 // kTwiddled: what is read are rows of that many k, each in vectors_of() vectors; 0: whole vectors.
                                        // kSplitRows, kJoinRows: the points of a line from one of a row to the next
  std::int64_t number_stride = 0;       // line passes, kTwist: table values added per Buffers::number (kPointwise: and per axis position)
  std::int64_t pad = 0;                 // line passes: zeros stored after the points
  Twist twist;
  Ahead ahead;
  double scale = 1.0;                   // multiplies what a pass without twiddles loads
};

using PassFn = void (*)(const PassArgs& args, const Buffers& buffers, std::int64_t first, std::int64_t count);

// A pass, or a repeat of the `body` steps that follow it directly.
struct Step {
  PassFn run = nullptr;                     // null: a repeat
  PassArgs args;
  std::int64_t count = 1;                   // repeat: how often; pass: extent of axes[0]
  std::int32_t body = 0;                    // repeat: number of steps in it, nested ones included
  bool parallel = false;                    // iterations (of a pass: positions of axes[0]) are independent: threads may split them
  bool split = false;                       // threads do split it
  bool numbered = false;                    // repeat: sets Buffers::number
  std::uint8_t private_from = kSlots;       // parallel: slots from here on point to memory that iterations must not share
  std::int64_t private_bytes = 0;           // parallel: of that memory; thread t has its own t * private_bytes further on
  std::int64_t increment[kSlots] = {};      // repeat: bytes added to each slot per iteration
};

}  // namespace ulpfft

#endif  // ULPFFT_CODELETS_CONTRACT_STEP_H_
