// A table of goals, and whether rows reach them.
//
// File: {"goals": [{"band": NAME, "storage": "f32"|"f64"|"both", "peer": NAME, "ratio": R, "floor": F}, ...]}
//   band     one of suites.cc, or "problems": what was named on the command line
//   storage  both: the geometric mean goes over f32 and f64 together
//   peer     a name as given to --vs, e.g. "fftw", or "1 thread"
//   ratio    the peer's time over ours, geometric mean over the band: at least this
//   floor    no problem of the band may lie below floor x ratio; default 0.8
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_GATE_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_GATE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/ulpfft/bench/measure.h"

namespace ulpfft_tool::bench {

struct Goal {
  std::string band;
  std::string storage;
  std::string peer;
  double ratio = 1;
  double floor = 0.8;
};

// Throws Failure with the file, the line and the field at fault.
std::vector<Goal> read_goals(const std::string& path);

// The ratios of a band against one peer.
struct Mean {
  std::string band;
  std::string storage;  // "f32", "f64", "both"
  std::string peer;
  double ratio = 0;  // geometric mean; 0: nothing was compared
  double slowest = 0;
  std::string slowest_problem;
  std::size_t compared = 0;
  std::size_t problems = 0;
  std::string reason;  // of the first problem not compared, with its text
};

// Over the rows of a band: per storage and peer, and over both storages where there are rows of both.
std::vector<Mean> means_of(const std::vector<Row>& rows);

enum class Outcome { kPass, kShort, kNotRun };

struct Verdict {
  Goal goal;
  Outcome outcome = Outcome::kNotRun;
  Mean mean;
  std::string reason;  // of what is short or was not run
};

std::vector<Verdict> judge(const std::vector<Goal>& goals, const std::vector<Mean>& means);
const char* name_of(Outcome outcome);  // "pass", "short", "not run"

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_GATE_H_
