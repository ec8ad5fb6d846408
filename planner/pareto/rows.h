// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A problem in every scheme and every storage of the build, each timed and its error measured; see ulpfft/c/pareto.h.
//
// Own rows     keep the storages of the problem: those its error limit may choose from. The others say what other arrays would give.
// Order        own rows in the wide schemes, every storage in f32, in f64, then the rest. No row is begun that would probably end after the
//              limit, and one that does is given up.
// Wide schemes are planned for every storage and timed alone, then by turns, all of them, on the same arrays, for as long as there is time.
//              Emulated ones, which an error limit never chooses, are planned once, and timed on fewer transforms, each alone.
// Between      own rows have every format between their passes, in both wide schemes, each alone where passes stay in the caches.
// Error        measured (sampled level) on at least 2^14 outputs of random data, or on the array to judge by: there are own rows alone then.
// Families     of a problem with scheme=split there are the schemes of that family alone, in the storages of the problem, by every recipe
//              that planning timed: other radices err differently.
#ifndef ULPFFT_PLANNER_PARETO_ROWS_H_
#define ULPFFT_PLANNER_PARETO_ROWS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "planner/api/context.h"
#include "wisdom/problem.h"

namespace ulpfft {

struct ParetoRow {
  Problem problem;  // of the whole batch; its intermediate is the storage between passes
  std::string problem_text;
  std::string recipe;
  std::string reason;        // why there are no numbers; "" otherwise
  bool out_of_time = false;  // that is why
  bool own = false;
  bool emulated = false;
  bool front = false;           // no other row is both as fast and as accurate
  bool own_front = false;       // no other own row is
  std::int64_t transforms = 0;  // timed
  double seconds = 0;           // of the whole problem
  double spread = 0;
  double bytes = 0;  // read and written of the arrays, per point, scales included
  double predicted = 0, error = 0;
  bool measured() const { return reason.empty(); }
};

// What max_error chooses.
struct ParetoChoice {
  double limit = 0;
  std::string recipe;  // "": refused
  std::string refusal;
  bool out_of_time = false;
  double error = 0;
  std::string fastest;      // the recipe of the fastest own row that keeps the limit
  double over_fastest = 0;  // its time over that of this row, by turns; 0: there is none
};

struct ParetoSettings {
  std::vector<std::string> storages;  // empty: all
  double seconds = 55;
  bool choices = false;
  const ulpfft_array* judge = nullptr;
  std::function<bool(double fraction, const std::string& what)> progress;  // false cancels
};

}  // namespace ulpfft

// The C handle.
struct ulpfft_pareto {
  std::string problem;
  std::string machine;
  std::string family;
  double max_error = 0;
  double seconds = 0;
  std::int64_t points = 0;              // of all transforms
  std::int64_t transforms = 0;          // the batch
  std::vector<ulpfft::ParetoRow> rows;  // by error, then time; refused ones last
  std::vector<ulpfft::ParetoChoice> choices;
};

namespace ulpfft {

// `given` is as it was parsed. Throws PlanError for problems that rows cannot stand for, and when the caller cancels.
ulpfft_pareto measure_pareto(ulpfft_context& context, const Problem& given, const ParetoSettings& settings);

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_PARETO_ROWS_H_
