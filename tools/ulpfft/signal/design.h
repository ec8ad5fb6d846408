// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Taps of filters with a linear phase: an ideal response under a Kaiser window, as scipy.signal.kaiserord and firwin make them.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_DESIGN_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_DESIGN_H_

#include <cstdint>
#include <vector>

namespace ulpfft_tool::signals {

// Frequencies as parts of the rate. What lies between low and high passes; of real taps what lies between -high and -low as well.
struct Band {
  double low = 0, high = 0.25;
  double transition = 0.05;  // from what passes to what does not, around each edge
  double attenuation = 60;   // dB, of what does not pass, and of the ripple of what does
  bool complex_taps = false;
};

constexpr std::int64_t kMostTaps = std::int64_t{1} << 22;  // of a filter of the library
constexpr double kMostAttenuation = 400;                   // dB, beyond the precision of f64

double kaiser_beta(double attenuation);

// Taps that design_taps() makes; more than kMostTaps where the transition is too narrow.
std::int64_t count_taps(const Band& band);

// An odd number of taps; interleaved where complex. A low of 0 makes a low-pass, a high of 0.5 a high-pass filter of real taps.
std::vector<double> design_taps(const Band& band);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_DESIGN_H_
