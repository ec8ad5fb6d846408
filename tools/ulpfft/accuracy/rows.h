// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Errors of problems, each held to what is promised for it: f32 and f64 to a multiple of u sqrt(log2 n), the rest to the error predicted.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_ROWS_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_ROWS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tools/ulpfft/accuracy/figure.h"

namespace ulpfft_tool {

struct AccuracyRow {
  std::string problem;
  std::string kind = "c2c";
  std::string format;  // whose rounding k counts: "f32", "f64"; else the narrow storage or the scheme
  std::int64_t n = 1;  // product of the lengths
  bool smooth = true;  // no prime factor above 13
  std::string recipe;
  double error = 0;          // relative L2
  double largest = 0;        // relative to the largest output
  std::int64_t outputs = 0;  // compared
  bool full = false;         // every output of the transforms looked at
  double predicted = 0;      // by the library; of rows held to it, else 0
  double k = 0;              // error / (u sqrt(log2 n)), 0 for n = 1; of rows held to a prediction error / predicted
  double gate = 1;           // of k
  double least = 0;          // of an error held to a prediction, unless the result is exact: less was stated too large
  double limit = 0;          // of the error: the gate, and roundings of a scale and where an end is narrower than the arithmetic
  double peer_error = 0;     // FFTW's; 0: not measured
  std::string reason;        // why there is no error; "" otherwise
  bool passes() const { return !reason.empty() || (error <= limit && (error >= least || error == 0)); }
};

// Of errors over predictions, which count roundings in the mean. Overflow is not part of them: a problem that leaves the range of its
// format fails.
inline constexpr double kPredictedGate = 1.5;
// Formats of few bits are predicted too large by up to this factor; what is beyond is a fault of the prediction.
inline constexpr double kLeastOfPredicted = 0.25;

struct RowOptions {
  double gate = 1.0;  // largest k of lengths without a prime factor above 13
  bool full = true;   // level
  bool measured_effort = false;
  std::string target;
  bool with_fftw = true;
};

struct MeasuredRows {
  std::string machine;
  std::string peer;  // FFTW's version; "" without it
  std::vector<AccuracyRow> rows;
};

// `chosen`: the lengths are the tool's, and a refusal is a result; a problem that the user wrote has to be right.
MeasuredRows measure_rows(const std::vector<std::string>& problems, bool chosen, const RowOptions& options,
                          const std::function<void(double, const std::string&)>& progress);

// Ours over FFTW's error, of the powers of two of a kind and a format.
struct PeerRatio {
  std::string kind;
  std::string format;
  double mean = 0;  // geometric
  double largest = 0;
  std::int64_t at = 0;  // n of the largest
};
std::vector<PeerRatio> peer_ratios(const std::vector<AccuracyRow>& rows);

// k against n, a figure for each kind and format.
std::vector<Figure> row_figures(const MeasuredRows& measured);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_ROWS_H_
