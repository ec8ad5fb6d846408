// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What `ulpfft plan --pareto` shows: the rows of ulpfft/c/pareto.h, as the report and the page read them.
#ifndef ULPFFT_TOOLS_ULPFFT_PARETO_ROWS_H_
#define ULPFFT_TOOLS_ULPFFT_PARETO_ROWS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ulpfft/ulpfft.hpp"

namespace ulpfft_tool::pareto {

struct Row {
  std::string scheme;
  std::string storage_in, storage_out;
  std::string between;            // storage between passes; "": that of the arithmetic
  bool own = false;               // the storages of the problem
  bool emulated = false;
  std::string recipe;
  std::int64_t transforms = 0;    // timed
  double seconds = 0;             // of the whole problem
  double spread = 0;
  double bytes = 0;               // read and written of the arrays, per point, scales included
  double predicted = 0, error = 0;
  std::string reason;             // why there are no numbers; "" otherwise
  bool front = false;             // no other row is both as fast and as accurate
  bool own_front = false;         // no other own row is
  bool measured() const { return reason.empty(); }
  std::string storage() const { return storage_in == storage_out ? storage_in : storage_in + "->" + storage_out; }
};

// What max_error chooses.
struct Choice {
  double limit = 0;
  std::string recipe;       // "": refused
  double error = 0;
  std::string refusal;
  double over_fastest = 0;  // its time over that of the fastest own row that keeps the limit, by turns; 0: there is none
  std::string fastest;      // that row's recipe
};

struct Table {
  std::string problem;
  std::string machine;
  std::int64_t points = 0;      // of all transforms
  std::int64_t transforms = 0;  // the batch
  double max_error = 0;
  std::string family;       // that the rows are of; "": all
  double seconds = 0;       // that measuring took
  std::vector<Row> rows;    // by error, then time; refused ones last
  std::vector<Choice> choices;
};

Table measure(ulpfft::Context& context, const std::string& problem, const ulpfft::ParetoOptions& options);

// Names of all storages of arrays that this build has.
std::vector<std::string> storage_names();

}  // namespace ulpfft_tool::pareto

#endif  // ULPFFT_TOOLS_ULPFFT_PARETO_ROWS_H_
