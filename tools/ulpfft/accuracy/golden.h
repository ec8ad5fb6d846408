// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The table of errors to expect (tests/golden/accuracy.json), which a build measures again and is held to.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_GOLDEN_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_GOLDEN_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/accuracy/golden_splits.h"
#include "tools/ulpfft/accuracy/lab.h"

namespace ulpfft_tool {

struct GoldenCell {
  std::string row;
  std::int64_t n = 1;
  double expected = 0;
  Trial trial;        // what measures it
  double margin = 0;  // of the ratio to 1
  double error = 0;   // measured
  std::string recipe;
  std::string reason;  // why it is not measured
  double ratio() const { return error / expected; }
  bool passes() const { return !reason.empty() || (ratio() >= 1 - margin && ratio() <= 1 + margin); }
};

struct GoldenTable {
  std::string source;  // name of the file, or that it is the one of this build
  std::vector<GoldenCell> cells;
  std::vector<GoldenSplit> splits;  // the build's own, whatever file the cells are of
  std::size_t cell_failures() const;
  std::size_t failures() const;
  std::string splits_text() const;  // a sentence; "" without any
};

// The cells of a file of that form, none measured yet; "": what the build holds. A file that is none, or a row that says nothing this tool
// knows, is refused with its place.
GoldenTable read_golden(const std::string& path, const Lab& lab);
// Those up to `longest`; the others are dropped.
void measure_golden(GoldenTable& table, Lab& lab, std::int64_t longest, const std::function<void(double, const std::string&)>& progress);
// Measured over expected, against n: storage formats, arithmetic, sums of narrow products.
std::vector<Figure> golden_figures(const GoldenTable& table);
std::string golden_text(const GoldenTable& table);  // rows with their ratios
std::string golden_html(const GoldenTable& table);
std::string golden_csv(const GoldenTable& table);

extern const std::string_view kGoldenAccuracy;  // the build's, as JSON

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_GOLDEN_H_
