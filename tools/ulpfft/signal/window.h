// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Windows by the names that plans have (problem.h), and numbers of a file as a window or as taps.
#ifndef ULPFFT_TOOLS_ULPFFT_SIGNAL_WINDOW_H_
#define ULPFFT_TOOLS_ULPFFT_SIGNAL_WINDOW_H_

#include <cstdint>
#include <string>
#include <vector>

namespace ulpfft_tool::signals {

struct Window {
  std::string name;
  std::vector<double> factors;
  int half_lobe = 1;  // bins from the middle of a tone to its first zero, rounded up
  double sum() const;
  double squares() const;
  double noise_bins() const;  // equivalent noise bandwidth
};

// By name, periodic unless ":symmetric" stands behind it; or of a file (.npy, .txt, .f32) of as many factors as `length`.
Window make_window(const std::string& name, std::int64_t length);

long double bessel_i0(long double x);

// Numbers of a text (one a line, complex ones as two), a .npy file, or of f32 or cf32 by the end of the name.
struct FileNumbers {
  std::vector<double> reals;  // interleaved where complex
  bool is_complex = false;
  std::size_t count() const { return reals.size() / (is_complex ? 2 : 1); }
};
FileNumbers read_numbers_of(const std::string& path);

}  // namespace ulpfft_tool::signals

#endif  // ULPFFT_TOOLS_ULPFFT_SIGNAL_WINDOW_H_
