// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the transforms of a program were, from the files that its processes left: as a table, JSON or a page.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/ulpfft/run/fftw_seconds.h"

namespace ulpfft_tool {

// What a SPEC of --what-if made of the transforms of a row.
struct SpecRow {
  std::string spec;
  std::int64_t computed = 0, compared = 0;  // calls
  std::int64_t failed = 0, not_finite = 0;  // calls without a result, and without an error that is a number
  double error = 0, worst = 0;  // relative L2 against the plain transform: root mean square of the calls, largest of a call
  std::int64_t saturated = 0;   // numbers
  std::int64_t bytes = 0, plain_bytes = 0;  // of input and output
  std::string problem, recipe;              // of the plan
  std::string refusal;                      // why there is none
};

// One problem with one recipe in one process.
struct RunRow {
  std::int64_t pid = 0;
  std::string process, storage, problem;
  std::int64_t plans = 0, calls = 0;
  double seconds = 0;  // of all calls, of the plain transform
  std::string recipe;
  std::string digest;  // of the results, 16 digits
  std::vector<SpecRow> specs;
};

struct RunReport {
  std::vector<std::string> program;
  int status = 0;
  bool has_digests = false;
  bool has_specs = false;  // --what-if
  bool has_fftw = false;   // --compare-fftw
  FftwTimes fftw;
  std::vector<RunRow> rows;  // by process, the most seconds first
};

// Rows of the files in `folder`.
std::vector<RunRow> read_rows(const std::string& folder);

// With sentences about what is not in it.
std::string table_of(const RunReport& report);
std::string json_of(const RunReport& report);
std::string page_of(const RunReport& report);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_REPORT_H_
