// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A window: what the input of a transform is multiplied by, of several lengths the outer product of one window along each.
//
// Names    hann, hamming, blackman, blackmanharris, nuttall, flattop, kaiser:B, gauss:S, as scipy.signal.get_window() defines them, and
//          :symmetric behind them. include/ulpfft/c/problem.h has the formulas.
// Given    an array of the caller has as many factors as all lengths together: those of the first length first. Its name is "given", which
//          no text has: whoever prints a problem tells that there is one.
#ifndef ULPFFT_WISDOM_WINDOW_H_
#define ULPFFT_WISDOM_WINDOW_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ulpfft/ulpfft.h"

namespace ulpfft {

enum class WindowKind : std::uint8_t { kNone, kHann, kHamming, kBlackman, kBlackmanHarris, kNuttall, kFlattop, kKaiser, kGauss, kGiven };

struct Window {
  WindowKind kind = WindowKind::kNone;
  bool symmetric = false;  // the last factor is the first one; else the next one would be
  double parameter = 0;    // the B of kaiser, the S of gauss
  std::shared_ptr<const std::vector<double>> given;  // equal where it is the same array
  std::int64_t begin = 0;  // the first factor of it: of a problem that is one length of another, which keeps the array

  bool operator==(const Window&) const = default;
  explicit operator bool() const { return kind != WindowKind::kNone; }
};

// "none", "hann", "kaiser:8.6:symmetric"; ":periodic" goes without saying. Throws PlanError, field "window".
Window window_named(std::string_view name);
// A copy of the factors in C where there are any, else the named window, which they exclude. Throws PlanError.
Window window_given(const ulpfft_problem& from, const Window& named);
std::string print_window(const Window& window);
// Refuses parameters that window_named() does, and given factors that are not numbers.
void check_window(const Window& window);

}  // namespace ulpfft

#endif  // ULPFFT_WISDOM_WINDOW_H_
