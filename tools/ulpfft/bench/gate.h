// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A table of goals, and whether rows reach them.
//
// File: {"goals": [{"band": NAME, "storage": "f32"|"f64"|"both", "peer": NAME, and one quantity}, ...]}
//   band     one of suites.cc, or "problems": what was named on the command line; or "every": each band that was measured
//   storage  both: the geometric mean goes over f32 and f64 together
//   peer     a name as given to --vs, e.g. "fftw" or "target:avx2"; or "best": of each row the fastest of the other libraries; or "1
//   thread"
// The quantity, a geometric mean over the band:
//   "ratio": R    the peer's time over ours is at least R; "floor": F, default 0.8: of no problem below F x R
//   "at_most": R  the peer's time over ours is at most R: it is to keep up with us
//   "error": E    our error over the peer's, where both are known, is at most E; "each": L, default E: of no problem above L
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_GATE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_GATE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/ulpfft/bench/measure.h"

namespace ulpfft_tool::bench {

enum class Quantity { kRatio, kAtMost, kError };

struct Goal {
  std::string band;
  std::string storage;
  std::string peer;
  Quantity quantity = Quantity::kRatio;
  double mean = 1;  // at least (kRatio) or at most
  double each = 0;  // of every problem, likewise; 0: anything
};

// Throws Failure with the file, the line and the field at fault.
std::vector<Goal> read_goals(const std::string& path);

// The ratios of a band against one peer, or against the best of each row.
struct Mean {
  std::string band;
  std::string storage;  // "f32", "f64", "both"
  std::string peer;
  double ratio = 0;  // geometric mean; 0: nothing was compared
  double slowest = 0;
  std::string slowest_problem;
  std::string slowest_peer;  // there: of the best, which it was
  double error = 0;  // ours over the peer's, geometric mean; 0: known of no problem
  double largest_error = 0;
  std::string largest_error_problem;
  double copy_gain = 0;  // geometric mean of what a copy gained on so many threads; 0: known of no problem
  std::size_t compared = 0;
  std::size_t problems = 0;
  std::string reason;  // of the first problem not compared, with its text
};

// Over the rows of a band: per storage and peer, of the best too where there are other libraries, and over both storages where there are
// rows of both.
std::vector<Mean> means_of(const std::vector<Row>& rows);
// Of the best "64 f32, mkl", of one peer "64 f32".
std::string show_slowest(const Mean& mean);

enum class Outcome { kPass, kShort, kNotRun };

struct Verdict {
  Goal goal;
  Outcome outcome = Outcome::kNotRun;
  Mean mean;
  std::string reason;  // of what is short or was not run
};

// What a verdict shows: what was reached, and the problem farthest from it.
struct Reached {
  double mean = 0;
  double worst = 0;  // 0: single problems do not matter
  std::string problem;
};
Reached reached(const Verdict& verdict);
std::string show_goal(const Goal& goal, bool each);  // ">= 1.80"; "-" where there is none
const char* name_of(Quantity quantity);  // "ratio", "at_most", "error", as in the file

std::vector<Verdict> judge(const std::vector<Goal>& goals, const std::vector<Mean>& means);
const char* name_of(Outcome outcome);  // "pass", "short", "not run"

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_GATE_H_
