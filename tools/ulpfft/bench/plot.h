// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A plot as an SVG picture: points over log2 n, with ticks, units and a legend.
#ifndef ULPFFT_TOOLS_ULPFFT_BENCH_PLOT_H_
#define ULPFFT_TOOLS_ULPFFT_BENCH_PLOT_H_

#include <string>
#include <vector>

namespace ulpfft_tool::bench {

struct PlotPoint {
  double log2_n;
  double value;
  std::string label;  // shown when pointed at
};

struct Series {
  std::string name;
  int color;  // 0..5
  std::vector<PlotPoint> points;
};

struct Plot {
  std::string title;
  std::string unit;  // of the values, e.g. "GFLOP/s"
  std::string note;  // machine and date
  bool ratios = false;     // a logarithmic axis with a line at 1; else linear from 0
  bool joined = true;      // a line through the points of a series
  std::vector<Series> series;
};

std::string svg(const Plot& plot);

}  // namespace ulpfft_tool::bench

#endif  // ULPFFT_TOOLS_ULPFFT_BENCH_PLOT_H_
