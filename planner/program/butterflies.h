// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Which numbers the codelet of a pass reads and writes, butterfly by butterfly, as step.h and codelet.h say it: what the verifier
// of programs and their interpreter in the tests walk over. Nothing of an execution is here.
//
// Butterflies   kWhole, kWholeTwo, kPacked: a transform. kFirst, kColumns: a column. kTwiddled: a k. kColumnsTwiddled: a column
// of one k.
//               kTwist: the rows of a column. Line passes: a line.
#ifndef ULPFFT_PLANNER_PROGRAM_BUTTERFLIES_H_
#define ULPFFT_PLANNER_PROGRAM_BUTTERFLIES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "planner/program/program.h"

namespace ulpfft {

// The place of a part that a number does not have.
inline constexpr std::int64_t kNoPart = INT64_MIN;

// Where the parts of a number lie, in reals from the beginning of the array, View::swap applied. Of split arrays both count from
// the beginning of a part: that of re, or of im where the view is swapped. Passes of real transforms do not exchange parts: there re is
// always the first part, and im of a real is kNoPart.
struct Number {
  std::int64_t re = 0;
  std::int64_t im = 0;
};

struct Butterfly {
  std::vector<Number> in;
  std::vector<Number> out;  // a line pass may have more: zeros
  // Outputs by their number that lie at one more place: of kFirst, where the last vector of a row begins before the one before it ends.
  std::vector<std::pair<std::int64_t, Number>> again;
  // kTwiddled: k. kColumnsTwiddled: position of axes[1]. kTwist: column of the panel. Line passes: where their table begins, in values.
  std::int64_t index = 0;
};

// Butterflies that are computed together: all of them read before one writes.
struct Group {
  std::vector<Butterfly> butterflies;
  // Of whole vectors, lanes without a column or k: they are read as whatever they hold, and become undefined.
  std::vector<Number> read_along;
  std::vector<Number> written_along;
};

using GroupVisitor = std::function<void(const Group& group)>;

// Calls visit for the groups at position `position` of axes[0], in the order in which they run. The pass computes by its codelet:
// its operation is Compute or StagedPass. The numbers of a narrow end are those of the array as if it held reals; where a codelet converts,
// they count codes. `rows`: the row list of the pass, from its beginning; null without one.
void visit_groups(const Program& program, const Pass& pass, const std::vector<std::uint32_t>* rows, std::int64_t position,
                  const GroupVisitor& visit);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PROGRAM_BUTTERFLIES_H_
