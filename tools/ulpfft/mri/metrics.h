// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// How far images are from a reference, as fastMRI's evaluation has it (Zbontar et al., arXiv:1811.08839): a volume is all slices.
//
//   NMSE   |result - reference|^2 / |reference|^2, sums over the volume
//   PSNR   10 log10(L^2 / mean square error), dB; L is the largest value of the reference volume
//   SSIM   the mean over the slices of the structural similarity of Wang et al., IEEE TIP 13 (2004): windows of 7 x 7 equal weights that lie
//          inside the image, K1 = 0.01, K2 = 0.03, range L, variances and covariance divided by 48 (scikit-image's default)
#ifndef ULPFFT_TOOLS_ULPFFT_MRI_METRICS_H_
#define ULPFFT_TOOLS_ULPFFT_MRI_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace ulpfft_tool {

// Of one slice; both images have ny * nx values, rows one after the other, and 7 or more a side. range > 0.
double structural_similarity(std::span<const double> reference, std::span<const double> result, std::int64_t ny, std::int64_t nx, double range);
inline constexpr std::int64_t kSimilarityWindow = 7;

// Decibels of a ratio of energies; infinite where there is no error.
double decibels(double signal, double error);

// Of a volume, slice by slice. The range must be known before: it is the largest value of all reference slices.
class VolumeMetrics {
 public:
  explicit VolumeMetrics(double range) : range_(range) {}
  // Returns the SSIM of this slice.
  double add(std::span<const double> reference, std::span<const double> result, std::int64_t ny, std::int64_t nx);
  void add(const VolumeMetrics& slices);  // of the same range
  double nmse() const { return error_ / signal_; }
  double psnr() const { return decibels(range_ * range_, error_ / static_cast<double>(pixels_)); }
  double ssim() const { return similarities_ / static_cast<double>(slices_); }

 private:
  double range_;
  double signal_ = 0.0;
  double error_ = 0.0;
  double similarities_ = 0.0;
  std::size_t pixels_ = 0;
  std::size_t slices_ = 0;
};

}  // namespace ulpfft_tool

#endif  // ULPFFT_TOOLS_ULPFFT_MRI_METRICS_H_
