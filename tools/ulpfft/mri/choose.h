// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The cheapest storage whose images are good enough, on the caller's own data: fewest bytes, then least time.
//
// Candidates   every signed format of the library, blocks of 2, 8 and 32 numbers (and the format's own), f32 and f64: all in one scheme, and tried
//              from the fewest bytes up; those of the first size that has one good enough are all tried and timed.
// Memory       a slice, one in the storage tried, four coils and images of f64. K-space is read once for the range, and once a size.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_CHOOSE_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_CHOOSE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/ulpfft/mri/evaluate.h"

namespace ulpfft_tool {

// What is asked; what is not set does not matter.
struct Demand {
  std::optional<double> most_nmse;
  std::optional<double> least_psnr;
  std::optional<double> least_ssim;
};

struct Tried {
  std::string storage, problem, recipe;
  double bytes_per_sample = 0.0;
  bool prescaled = false;  // by a power of two for each slice, see recon.h
  double nmse = 0.0, psnr = 0.0, ssim = 0.0;
  bool good = false;
  double seconds = 0.0;  // a slice; 0: not timed, as it is not good
  std::string refused;   // why it cannot be planned, e.g. of a scheme that does not go with it; then nothing above but storage
};

struct Choice {
  std::vector<Tried> tried;            // fewest bytes first
  std::optional<std::size_t> chosen;   // of `tried`
};

Choice choose(ulpfft::Context& context, const std::string& path, KspaceReader& reader, const Selection& selection, const std::string& scheme,
              bool round_trip, const Demand& demand, const Progress& progress);

std::string choice_text(const Choice& choice);
std::string choice_json(const Choice& choice, const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_CHOOSE_H_
