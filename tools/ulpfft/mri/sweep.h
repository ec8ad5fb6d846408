// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every format on the same images: stored in it, or computed in it, once or there and back, at several sizes, block lengths and scale rules.
// The layout is that of Deveshwar, Rajagopal and Larson, "A mixed precision FFT with applications in MRI", arXiv:2512.04317.
//
// Ways     storage     arrays in the format, arithmetic in f32
//          arithmetic  arrays in f32, arithmetic mx:<format> or rounded:<format>/f32
// Sizes    the middle of k-space, cropped, or with zeros around it: the reference of a size is the f64 image of that k-space.
// Threads  all of the machine, each with an arithmetic of its own; results do not depend on how many.
// Memory   a slice as read and one of the size at work; for each thread a slice in the storage it tries, two coils and an image of f64. K-space is read
//          twice: for the range of the images, then for the images.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_SWEEP_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_SWEEP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/ulpfft/mri/evaluate.h"
#include "tools/ulpfft/mri/input.h"

namespace ulpfft_tool {

inline constexpr int kSweepBlocks[] = {2, 8, 32};
inline constexpr const char* kSweepRules[] = {"floor", "rceil"};
inline constexpr int kShownBlock = 32;  // of pictures
inline constexpr const char* kShownRule = "rceil";

// One of the values that the slices have.
struct OverSlices {
  double mean = 0.0;
  double deviation = 0.0;  // standard deviation of the slices; 0 for one
};

struct SweepRow {
  std::string format;       // without block and rule
  bool arithmetic = false;  // else storage
  bool round_trip = false;
  std::int64_t size = 0;    // of both sides of the image
  int block = 0;            // 0: the format has no blocks,
  std::string rule;         // and no rule
  std::string storage, scheme;
  std::string refused;      // why it cannot be planned; then nothing below
  double bytes = 0.0;       // of a sample in the format, its share of scales included
  double nmse = 0.0, psnr = 0.0, ssim = 0.0, kspace_snr = 0.0;  // of all slices as one volume
  OverSlices psnr_slices, ssim_slices;
  std::int64_t saturated = 0;
  std::vector<double> image;  // of the slice shown, where it is
};

struct Sweep {
  SeriesFacts facts;
  Selection selection;
  std::vector<std::int64_t> sizes;
  std::vector<SweepRow> rows;      // by size, direction, way, format, block, rule
  std::int64_t shown_size = 0;     // of the pictures, and of the sentences
  std::int64_t shown_slice = 0;
  double shown_range = 0.0;        // white
  std::vector<double> reference;   // the picture by f64

  const SweepRow* find(const std::string& format, bool arithmetic, bool round_trip, std::int64_t size, int block = 0, const std::string& rule = "") const;
};

Sweep sweep(ulpfft::Context& context, const std::string& path, KspaceReader& reader, const Selection& selection, const std::vector<std::int64_t>& sizes,
            const Progress& progress);

// What is said about formats, by whom, and whether these data agree: the arithmetic at shown_size, both directions. The verdict follows from one number and
// its limit, as they are printed.
struct Finding {
  enum class Limit { kAtLeast, kAtMost };
  std::string claim;
  std::string source;    // whose claim it is
  std::string quantity;  // what the number is, e.g. "the smallest difference"
  double value = 0.0;    // dB, rounded to two decimals
  Limit limit = Limit::kAtLeast;
  double threshold = 0.0;  // dB
  std::string numbers;     // more of them, for people

  bool holds() const { return limit == Limit::kAtLeast ? value >= threshold : value <= threshold; }
  std::string verdict() const;  // "The smallest difference is 5.12 dB; the claim holds from 3 dB on."
};
std::vector<Finding> findings(const Sweep& sweep);

std::string sweep_text(const Sweep& sweep);  // the findings, and PSNR at the size shown
std::string sweep_csv(const Sweep& sweep);   // a line for every row
std::string sweep_json(const Sweep& sweep, const std::string& path);
std::string sweep_page(const Sweep& sweep, const std::string& path);  // one HTML file that needs nothing else

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_SWEEP_H_
