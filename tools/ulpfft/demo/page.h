// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The page that `tools/dev demo` ends with: one HTML file with everything inside.
#ifndef ULPFFT_TOOLS_ULPFFT_DEMO_PAGE_H_
#define ULPFFT_TOOLS_ULPFFT_DEMO_PAGE_H_

#include <optional>
#include <string>
#include <vector>

#include "tools/ulpfft/demo/picture.h"

namespace ulpfft_tool {

// A time and how much it varies: median and median absolute deviation relative to it.
struct Timing {
  double seconds = 0.0;
  double spread = 0.0;
};

// The same batched inverse transform, neither centred nor scaled, by both libraries in turn.
struct Comparison {
  Timing ulpfft;
  Timing fftw;
  double ratio = 0.0;   // of the medians, fftw / ulpfft
  double spread = 0.0;  // of the ratios of neighbouring measurements, relative
  double difference = 0.0;  // of the two results, relative L2
  bool is_noisy() const { return spread > 0.1; }
};

// What was found for one size.
struct Result {
  int size = 0;
  int coils = 0;
  std::string problem;
  std::string recipe;
  Timing execution;              // centred and scaled, as the image needs it
  double planning_seconds = 0.0;
  double replanning_seconds = 0.0;
  std::size_t timed = 0;         // recipes timed in the first planning
  bool second_from_wisdom = false;
  double predicted_error = 0.0;
  double error = 0.0;            // against bart, relative L2
  std::optional<Comparison> comparison;
  Picture kspace;                // first coil, log magnitude
  Picture image;
  Picture difference;            // relative to the brightest pixel of the image, times 10^6
  float largest_difference = 0;  // of that picture
};

struct Machine {
  std::string processor;
  std::string target;
  std::string ulpfft_version;
  std::string fftw_version;
  std::string bart_version;
  std::string date;
};

inline constexpr double kErrorLimit = 1e-6;

std::string make_page(const std::vector<Result>& results, const Machine& machine);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_DEMO_PAGE_H_
