// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What a run found, and its forms: lines for people as they come, JSON and CSV.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tools/ulpfft/bench/conversions.h"
#include "tools/ulpfft/bench/gate.h"
#include "tools/ulpfft/bench/machine.h"
#include "tools/ulpfft/bench/measure.h"

namespace ulpfft_tool::bench {

struct ReportedPeer {
  std::string name;
  std::string version;
  bool is_ulpfft = false;  // on another instruction set, or another build
};

struct Report {
  std::string version;       // of ulpfft
  std::string machine_name;  // as in wisdom
  std::string date;
  std::string effort;
  std::string peer_effort;
  double seconds = 0;
  std::size_t problems = 0;  // asked for
  bool interrupted = false;  // before all of them were measured
  Machine machine;
  std::vector<ReportedPeer> peers;
  std::vector<Row> rows;
  std::vector<ConversionRow> conversions;
  std::vector<Mean> means;
  std::vector<Verdict> verdicts;
};

std::string machine_text(const Machine& machine);
// The lines of a band: the heading, and a line or more for a row.
struct Columns {
  std::size_t problem_width = 0;
  std::vector<std::string> peers;
  std::size_t best_width = 0;     // of the longest name of a library, where the best of several is told; 0: it is not
  std::vector<std::string> told;  // reasons that stand above already
};
std::string heading(const std::string& band, const Columns& columns);
std::string line_of(const Row& row, Columns& columns);
// Of all means, those of the best where there are several other libraries.
std::string means_text(const Report& report);
std::string verdicts_text(const std::vector<Verdict>& verdicts);
// How times were taken and what the numbers mean, in some sentences.
std::string conditions(const Report& report);

std::string json_text(const Report& report);
// One line per row and peer.
std::string csv_text(const Report& report);

std::string show_ratio(double ratio);          // "1.85", "-" for 0
std::string show_fraction(double fraction);    // "43 %", "-" for 0
std::string show_known_error(double error);    // "1.2e-07", "-" for 0
std::string show_gflops(double gflops);
std::string shown_recipe(const Row& row);  // with the threads it runs on, where the problem allows several

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_REPORT_H_
