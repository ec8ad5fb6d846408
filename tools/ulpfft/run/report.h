// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the transforms of a program were, from the files that its processes left: as a table, JSON or a page.
#ifndef ULPFFT_TOOLS_ULPFFT_RUN_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_RUN_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft_tool {

// One problem with one recipe in one process.
struct RunRow {
  std::int64_t pid = 0;
  std::string process, storage, problem;
  std::int64_t plans = 0, calls = 0;
  double seconds = 0;  // of all calls
  std::string recipe;
  std::string digest;  // of the results, 16 digits
};

struct RunReport {
  std::vector<std::string> program;
  int status = 0;
  bool has_digests = false;
  std::vector<RunRow> rows;  // by process, the most seconds first
};

// Rows of the files in `folder`.
std::vector<RunRow> read_rows(const std::string& folder);

std::string table_of(const RunReport& report);
std::string json_of(const RunReport& report);
std::string page_of(const RunReport& report);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_RUN_REPORT_H_
