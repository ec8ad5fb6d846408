// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A reconstruction judged: every slice of a volume in f64 and in the arithmetic in question, both as images in a folder, and how far they are apart.
//
// Folder   reference.npy, result.npy   float64, (slices, ny, nx)
//          panel_SSSS.png              of every slice, see panel.h; white is the largest value of the reference volume
//          metrics.json                what evaluation_json() says
// Each appears when it is complete; metrics.json comes last. Panels of other slices and metrics.json of an earlier run are removed once all of
// k-space has been read, so that what is in a folder with metrics.json belongs together; other files stay.
// Memory   one slice of k-space, one in its storage, two coils and four images of f64, whatever the number of slices: k-space is read once,
//          slice by slice; the images are read again from the folder when the range of the volume is known.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_EVALUATE_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_EVALUATE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/mri/input.h"
#include "tools/ulpfft/mri/recon.h"

namespace ulpfft_tool {

struct Selection {
  std::int64_t repetition = 0;
  std::int64_t first = 0;  // slice
  std::int64_t count = 1;
};

struct SliceReport {
  std::int64_t slice = 0;
  double nmse = 0.0;
  double psnr = 0.0;        // dB, of the range of the volume
  double ssim = 0.0;
  double kspace_snr = 0.0;  // dB
  int exponent = 0;
  std::int64_t saturated = 0;
  double seconds = 0.0;
};

struct Evaluation {
  SeriesFacts facts;
  Selection selection;
  std::string storage, scheme, problem, recipe;
  bool round_trip = false;
  bool prescaled = false;
  std::string reference;  // "f64", or the file
  std::int64_t ny = 0;    // of the images compared
  std::int64_t nx = 0;
  double range = 0.0;     // largest value of the reference
  double nmse = 0.0, psnr = 0.0, ssim = 0.0, kspace_snr = 0.0;  // the last two of which are dB
  double bytes_per_sample = 0.0;
  double seconds_per_slice = 0.0;  // median, transforms alone
  std::size_t peak_memory_bytes = 0;  // of this process so far, and of one that reads for it
  std::int64_t panels_removed = 0;    // of other slices, of an earlier run
  std::vector<SliceReport> slices;
};

using Progress = std::function<void(double fraction, std::string_view what)>;

// Makes the folder. `reference`: the file to compare with, of as many slices as the series or the selection has; empty: f64.
Evaluation evaluate(ulpfft::Context& context, const std::string& path, KspaceReader& reader, const Selection& selection, const Arithmetic& arithmetic,
                    const std::string& reference, const std::string& folder, const Progress& progress);

std::string show_decibels(double value);  // "no error" where they are infinite
std::string evaluation_text(const Evaluation& evaluation);
std::string evaluation_json(const Evaluation& evaluation, const std::string& path);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_EVALUATE_H_
