// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The calls that are timed for a row of the cost table. A subject is one call of a codelet, with edges like those of a plan, on buffers of
// its own.
//
// A working set that fits L1 or L2 is swept again and again. Of a larger one only a window is swept, which moves on with every call, so
// that each visit finds its data where a sweep over everything would. All data are zeros, because times do not depend on values.
#ifndef ULPFFT_PLANNER_COST_COST_SUBJECTS_H_
#define ULPFFT_PLANNER_COST_COST_SUBJECTS_H_

#include <cstdint>
#include <vector>

#include "codelets/contract/pass_rows.h"
#include "planner/cost/cost_table.h"
#include "planner/system/buffer.h"

namespace ulpfft {

struct CostSubject {
  PassArgs args;
  std::int64_t first = 0;   // first index of axes[0]
  std::int64_t count = 1;   // how many indices of axes[0]
  double chunks = 1;        // chunks that one call computes
  bool windowed = false;    // the next call must have a window of its own
  bool exists = true;       // codelets of this kind have this cost
};

// Whether the points of a butterfly meet in few cache sets.
constexpr bool is_far(Cost cost) { return cost == Cost::kFarL2 || cost == Cost::kFarL3 || cost == Cost::kFarMemory; }
// The level of the working set: 0 is L1, 3 is memory.
constexpr int level_of(Cost cost) {
  switch (cost) {
    case Cost::kL2: case Cost::kFarL2: return 1;
    case Cost::kL3: case Cost::kFarL3: return 2;
    case Cost::kMemory: case Cost::kFarMemory: return 3;
    default: return 0;
  }
}

class CostSubjects {
 public:
  explicit CostSubjects(const CodeletTable& codelets);

  // Pointers of a subject are valid until the next subject is made.
  CostSubject make(const CodeletInfo& codelet, Cost cost);
  // A call of a kTwiddled codelet that sweeps over `bytes`.
  CostSubject sweep(const CodeletInfo& codelet, std::int64_t bytes);
  void execute(const CodeletInfo& codelet, const CostSubject& subject) const {
    codelet.run(subject.args, buffers_, subject.first, subject.count);
  }

 private:
  using Subject = CostSubject;
  Subject whole(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject real_lines(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject first(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject twiddled(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject columns(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject columns_twiddled(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject twist(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject line(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);
  Subject r2r_line(const CodeletInfo& codelet, Cost cost, std::int64_t bytes);

  static void line_after_line(std::int64_t pitch, std::int64_t count, CostSubject& subject);
  static void place_moves(const PassRow& row, std::int64_t begin, std::int64_t strided, PassArgs& args);

  // Cuts a window out of a large working set: a slice of axes[0].
  void window(Subject& subject, std::int64_t bytes, double chunks_of_one);
  // Cuts a window out of `extent` lanes or rows that are not axes[0]. Sets its size, `part`, and returns its first index.
  std::int64_t inner_window(Subject& subject, std::int64_t bytes, std::int64_t extent, std::int64_t multiple, std::int64_t& part);

  std::int64_t lanes(const CodeletInfo& codelet) const {
    return codelet.compute == ComputeType::kF32 ? codelets_.lanes_f32 : codelets_.lanes_f64;
  }
  static std::int64_t real(const CodeletInfo& codelet) { return codelet.compute == ComputeType::kF32 ? 4 : 8; }
  // Zeros for the twiddles of a short pass, and for its paths, all of which are the cosine path.
  const void* zeros() const;
  // A table of is_of_sums() bodies whose roots are zeros.
  const void* sums_table(const CodeletInfo& codelet);
  const std::uint32_t* paths() const;

  const CodeletTable& codelets_;
  AlignedBuffer in_, out_, sums_;
  Buffers buffers_{};
  std::vector<std::uint32_t> rows_;
  std::int64_t turn_ = 0;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_COST_SUBJECTS_H_
