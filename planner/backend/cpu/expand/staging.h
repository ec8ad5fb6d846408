// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Narrow storage between passes, narrow matrices, and the search for exponents of a narrow output.
#ifndef ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STAGING_H_
#define ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STAGING_H_

#include "planner/backend/cpu/expand/scope.h"

namespace ulpfft {

// `length`: of the passes of this node up to and with `pass`. `layout`: places, columns and rows in the work array.
void add_stage(Scope& scope, const PassSpec& pass, std::int64_t length, std::int64_t block, const Place& place, const View& work,
               RoundedStage layout);
// The matrix of four in a narrow storage, in the workspace: `rows` rows of `points`.
Area narrow_matrix(Scope& scope, const std::string& name, std::int64_t rows, std::int64_t points, bool whole_rows);
// Around passes that write the output: what they leave out of a narrow one is looked at before, where it is to have exponents.
class ExponentSearch {
 public:
  // In front of them. `wanted`: the output is narrow.
  ExponentSearch(Scope& scope, bool wanted);
  // Behind them, in the loop that was open then.
  void end();

 private:
  Scope& scope_;
  const bool wanted_;
  const std::size_t at_;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_BACKEND_CPU_EXPAND_STAGING_H_
