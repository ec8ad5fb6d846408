// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// What the studies of split schemes measure: schemes by name, with the radix of their passes.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_SPLIT_TRIALS_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_SPLIT_TRIALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/ulpfft/accuracy/figure.h"
#include "tools/ulpfft/accuracy/lab.h"

namespace ulpfft_tool {

// One curve of a figure.
struct Contender {
  std::string name;
  std::string scheme;      // "": that of the storage
  std::int64_t radix = 4;  // of its passes, see split_node()
  std::string storage = "f32";
};

// Named as its scheme.
Contender contender(const std::string& scheme);
// Numbers stored in a narrow format at both ends, and computed in f32.
Contender stored_contender(const std::string& format);
// Those that the library lists, in its order; data and result are f64 where the scheme keeps numbers in f64.
std::vector<Contender> split_contenders();

// In one dimension.
Trial trial_of(const Contender& contender, std::int64_t n);

// A point of a curve: what is measured there.
struct Place {
  double x = 0;
  Trial trial;
};
// Adds a curve to the figure, or why there is none.
void add_curve(Figure& figure, Lab& lab, const Contender& contender, const std::vector<Place>& places);
// At the powers of two from 16 to `longest`.
void add_lengths(Figure& figure, Lab& lab, const Contender& contender, std::int64_t longest);

// "f32 1.20e-07, split:bf16x3 1.05e-07": each curve at x.
std::string values_at(const Figure& figure, double x);
// The largest value of a curve over its least.
double spread_of(const Curve& curve);
// One value over another, at x; 0 where one is missing.
double ratio_at(const Figure& figure, const std::string& over, const std::string& under, double x);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_SPLIT_TRIALS_H_
