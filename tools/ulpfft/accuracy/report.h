// What `ulpfft accuracy` found: rows, and the page that shows them.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_REPORT_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft_tool {

struct AccuracyRow {
  std::string problem;
  std::string format;        // whose rounding k counts: "f32", "f64"
  std::int64_t n = 1;        // product of the lengths
  bool smooth = true;        // no prime factor above 13
  std::string recipe;
  double error = 0;          // relative L2
  double largest = 0;        // relative to the largest output
  std::int64_t outputs = 0;  // compared
  bool full = false;         // every output of the transforms looked at
  double k = 0;              // error / (u sqrt(log2 n)); 0 for n = 1
  double gate = 1;           // of k
  double limit = 0;          // of the error: the gate, and one rounding where the output is narrower than the arithmetic
  double peer_error = 0;     // FFTW's; 0: not measured
  std::string reason;        // why there is no error; "" otherwise
  bool passes() const { return !reason.empty() || error <= limit; }
};

// Ours over FFTW's error, of the powers of two of a format.
struct PeerRatio {
  std::string format;
  double mean = 0;     // geometric
  double largest = 0;
  std::int64_t at = 0;  // n of the largest
};

struct AccuracyReport {
  std::string version;
  std::string machine;
  std::string processor;
  std::string date;
  std::string peer;  // FFTW's version; "" without it
  std::vector<AccuracyRow> rows;
  std::vector<PeerRatio> ratios;
  std::size_t failures() const;
};

std::vector<PeerRatio> peer_ratios(const std::vector<AccuracyRow>& rows);

// One page that needs nothing else: plots of k, then a table.
std::string accuracy_page(const AccuracyReport& report);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_REPORT_H_
