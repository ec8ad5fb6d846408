// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// A slice as people look at it: the right way up, in one window of grey, with its difference from the reference made visible.
//
// Orientation  numbers keep the order of the file; only pictures are turned, by the convention of the kind of file:
//                BART              dimension 0 goes down, dimension 1 to the right, as `bart toimg` draws it
//                fastMRI, ISMRMRD  rows go up. The phantom of ismrmrd-tools has y upwards, and the annotations of fastMRI (fastMRI+) are on
//                                  images flipped up and down
//                npy               rows go down, as NumPy users expect of a matrix
//              Directions of the patient (read_dir, phase_dir of ISMRMRD) are not looked at.
// Difference   its factor is the largest of 1, 2, 5, 10, ... that leaves 99.5 % of the pixels below white.
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_PANEL_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_PANEL_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ulpfft/demo/picture.h"

namespace ulpfft_tool {

// `image` is (ny, nx) in the order of the file, whose kind is that of SeriesFacts.
Picture upright(std::string_view kind, std::span<const double> image, std::int64_t ny, std::int64_t nx);

// |result - reference|, in f64: one of f32 would show how those are rounded.
std::vector<double> difference_of(std::span<const double> reference, std::span<const double> result);

// What to multiply a difference by; 0: nothing differs.
double difference_times(const Picture& difference, double white);
std::string show_times(double times);  // "difference x 500", or "no difference"

struct Panel {
  std::string kind;
  std::span<const double> reference, result;
  std::int64_t ny = 0, nx = 0;
  double white = 0.0;  // 0 is black, this and more is white
  std::string reference_name, result_name;
};

// Reference, result and difference side by side, each below its title. Images of fewer than kLeastSide columns are enlarged by a whole factor, so that titles
// fit. Writes a .png, which appears when complete.
inline constexpr int kLeastSide = 240;
void write_panel(const std::string& path, const Panel& panel);

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_PANEL_H_
