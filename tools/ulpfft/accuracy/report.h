// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// All that `ulpfft accuracy` found, and its forms: text, JSON, a folder of CSV files, one page.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_REPORT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/accuracy/golden.h"
#include "tools/ulpfft/accuracy/rows.h"

namespace ulpfft_tool {

// A part of the report, by the name of --study.
struct StudyText {
  const char* name;
  const char* heading;
  const char* about;  // how it was measured
};
extern const std::vector<StudyText> kStudies;  // in the order of the page

struct AccuracyReport {
  std::string version;
  std::string machine;
  std::string processor;
  std::string date;
  MeasuredRows lengths;
  GoldenTable golden;
  std::vector<Figure> figures;

  std::size_t row_failures() const;
  std::size_t failures() const { return row_failures() + golden.failures(); }
  std::string failure_text() const;  // "" without any
};

std::string accuracy_text(const AccuracyReport& report);
std::string accuracy_json(const AccuracyReport& report);
// Replaces the files of the figures there, each when it is complete.
void write_csv_folder(const AccuracyReport& report, const std::string& folder);
// Needs nothing else, and no network.
std::string accuracy_page(const AccuracyReport& report);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_REPORT_H_
