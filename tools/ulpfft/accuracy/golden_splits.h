// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Numbers as sums of narrow parts (tests/golden/splits.json), which the conversions of a build have to give bit for bit.
#ifndef ULPFFT_TOOLS_ULPFFT_ACCURACY_GOLDEN_SPLITS_H_
#define ULPFFT_TOOLS_ULPFFT_ACCURACY_GOLDEN_SPLITS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ulpfft_tool {

// The vectors of one way to split.
struct GoldenSplit {
  std::string name;  // as the file has it
  std::size_t vectors = 0;
  std::size_t values = 0;  // parts of numbers, and norms
  std::size_t differ = 0;  // of them, from the file
  std::string reason;      // why they are not compared
};

// Each residue is exact; of f16 it is divided by the smallest power of two that no magnitude of the vector exceeds.
std::vector<GoldenSplit> measure_golden_splits();

extern const std::string_view kGoldenSplits;  // the build's, as JSON

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_ACCURACY_GOLDEN_SPLITS_H_
