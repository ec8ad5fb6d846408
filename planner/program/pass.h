// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// One pass of a program: which operation, on which ends, with which tables. A value: nothing here points to a filled table or to a function
// that runs, but for the codelets and conversions of a target, which are there as long as the library is.
#ifndef ULPFFT_PLANNER_PROGRAM_PASS_H_
#define ULPFFT_PLANNER_PROGRAM_PASS_H_

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "codelets/contract/block_rows.h"
#include "codelets/contract/codelet.h"
#include "planner/convert/staged.h"
#include "planner/convert/stored_rows.h"
#include "planner/convert/rounded_stage.h"
#include "planner/program/array.h"

namespace ulpfft {

// The codelet of the pass. The store stage settles its narrow ends: it sets `fused`, or makes the pass a StagedPass.
struct Compute {
  const CodeletInfo* fused = nullptr;   // runs instead, and converts in the pass: both compute the same
  const BlockRows* blocks = nullptr;    // of an input in blocks; null otherwise
  const StoredRows* line = nullptr;     // of an input that is one narrow line; null otherwise. Program::stored_rows owns it
  ArrayId line_work = ArrayId::kNone;   // of the group of that line, see ConvertGroup
  bool looks = false;                   // finds the exponent of a narrow output, and leaves nothing there
};

// One end of a pass that is converted slice by slice. A panel has a tile in the workspace, a line one on the stack. Where arrays lie, and
// Staged::run and args, are set when the pass is linked: places in `panel` count from the beginning of each array, `line` has the rows of a
// group that is not placed. Neither: the end is wide.
struct StagedEnd {
  std::shared_ptr<const StagedPanel> panel;
  std::shared_ptr<const StagedLine> line;
  ArrayId codes = ArrayId::kNone;  // with the scales of a work array
  ArrayId tile = ArrayId::kNone;   // of a line: the work array of its group
};

// The codelet of the pass between tiles. One that converts, and does nothing else, has a wide array for a tile.
struct StagedPass {
  StagedEnd in;
  StagedEnd out;
};

// A group of transforms between a narrow array and the workspace, apart from the passes, or one step of that. The work array is that of the
// pass; offsets of `rows` count from its beginning.
struct ConvertGroup {
  enum class Work : std::uint8_t { kDecode, kApplyExponents, kChooseExponents, kEncode, kFindPrescale, kFitKept, kEncodeKept };
  Work work = Work::kDecode;
  const StoredRows* rows = nullptr;  // Program::stored_rows owns it
};

// Numbers between two passes of a dit go through a narrow storage, in the array of the pass.
struct RoundStage {
  const RoundedStage* stage = nullptr;  // Program::rounded_stages owns it
};

// A tile of the spectrum of a chain is multiplied by factors, or given to the caller's function. The fields are those of ChainStep.
struct Spectrum {
  bool multiplies = false;
  std::int64_t index = 0;
  std::int64_t row_step = 0;
  std::int64_t transform = 0;
  bool rows_are_transforms = false;
};

// The passes behind it in its loop look for the exponent of a transform, if one is wanted.
struct FindExponent {};

// Products of an mx scheme: `butterflies` of radix `radix` over transforms of `length`. All twiddles are 1 where `ones`. Where `sums`, the
// pass adds up its butterflies as well; `digits`: the radices after which the points are listed by reversed digits; empty: they are not.
struct MxProducts {
  std::int64_t radix = 1;
  std::int64_t length = 1;
  std::int64_t butterflies = 1;
  bool ones = false;
  bool sums = false;
  std::vector<std::int64_t> digits;
  // What the tables are made from.
  friend bool operator==(const MxProducts& a, const MxProducts& b) {
    return a.radix == b.radix && a.length == b.length && a.butterflies == b.butterflies && a.ones == b.ones && a.digits == b.digits;
  }
};

// A pass of a split scheme (codelets/contract/split_pass.h): radix `radix` on lines of `points` after transforms of `length`, before a pass
// of radix `next`, 0: none. Norms of lines lie in a work array; with `finds_norms` the pass only finds these.
struct SplitProducts {
  std::int64_t radix = 1;
  std::int64_t length = 1;
  std::int64_t points = 1;
  std::int64_t next = 0;
  bool finds_norms = false;
  ArrayId norms = ArrayId::kNone;
  std::int64_t norms_in = 0, norms_out = 0;
  std::int64_t norms_read = 0, norms_written = 0;
  // What the tables are made from.
  friend bool operator==(const SplitProducts& a, const SplitProducts& b) {
    return a.radix == b.radix && a.length == b.length && a.next == b.next;
  }
};

// A loop that a launch runs over.
struct LaunchLoop {
  std::int64_t count = 1;
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;
};

// One end of a launch. Point j of transform (i0, i1, ...) is number offset + (j + shift) mod extent * point_stride + sum of i * stride over
// the loops.
struct LaunchEnd {
  ArrayId array = ArrayId::kIn;
  std::int64_t offset = 0;
  std::int64_t point_stride = 1;
  bool swap = false;  // re and im are exchanged
  std::int64_t shift = 0;  // of centred transforms half the length, rounded down
};

// A kernel of a device computes whole transforms, or converts. Offsets and strides count complex numbers of the array. The first loop is
// the one that the blocks of the kernel run over; a backend without so many loops launches several times.
struct Launch {
  const char* kernel = "";
  LaunchEnd in, out;
  std::vector<LaunchLoop> loops;
  std::int64_t twist_columns = 0;  // of the matrix of a first sweep of four, whose twiddles follow the transform; 0: none follow
};

using Op = std::variant<Compute, StagedPass, ConvertGroup, RoundStage, Spectrum, FindExponent, MxProducts, SplitProducts, Launch>;

// Its special members are out of line: expanders have a pass on every page.
struct Pass {
  Pass();
  Pass(const Pass&);
  Pass(Pass&&) noexcept;
  Pass& operator=(const Pass&);
  Pass& operator=(Pass&&) noexcept;
  ~Pass();

  Op op;
  const CodeletInfo* codelet = nullptr;  // of the operation, or of a pass that costs about as much
  Operands args;
  std::int64_t extent = 1;      // of axes[0]
  bool parallel = false;        // positions of axes[0] are independent
  bool split = false;           // threads share them
  std::size_t use = 0;          // of PlanFacts::passes
  int table = -1;               // of Program::tables; -1: none
  std::int64_t table_begin = 0;  // reals of it that other passes read
  std::int64_t paths_begin = 0;  // path words, likewise
  int rows = -1;                // of Program::rows; -1: none
  std::int64_t rows_begin = 0;  // entries of it that come before
  bool rounds_input = false;    // of rounded schemes: it reads numbers of the caller
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_PASS_H_
