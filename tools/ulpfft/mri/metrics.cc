// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/metrics.h"

#include <cmath>
#include <limits>
#include <vector>

namespace ulpfft_tool {
namespace {

// Sums over a column of the window, of what SSIM needs.
struct Sums {
  double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
  void add(const Sums& other) {
    x += other.x;
    y += other.y;
    xx += other.xx;
    yy += other.yy;
    xy += other.xy;
  }
};

}  // namespace

double structural_similarity(std::span<const double> reference, std::span<const double> result, std::int64_t ny, std::int64_t nx, double range) {
  constexpr std::int64_t kSide = kSimilarityWindow;
  constexpr double kCount = kSide * kSide;
  constexpr double kSample = kCount / (kCount - 1.0);
  const double c1 = (0.01 * range) * (0.01 * range), c2 = (0.03 * range) * (0.03 * range);
  std::vector<Sums> columns(static_cast<std::size_t>(nx));
  double total = 0.0;
  // Every window is summed anew, columns first: sums that move along lose digits where values differ in size.
  for (std::int64_t top = 0; top + kSide <= ny; ++top) {
    for (std::int64_t column = 0; column < nx; ++column) {
      Sums sums;
      for (std::int64_t row = top; row < top + kSide; ++row) {
        const auto at = static_cast<std::size_t>(row * nx + column);
        const double x = reference[at], y = result[at];
        sums.add({x, y, x * x, y * y, x * y});
      }
      columns[static_cast<std::size_t>(column)] = sums;
    }
    for (std::int64_t left = 0; left + kSide <= nx; ++left) {
      Sums sums;
      for (std::int64_t column = left; column < left + kSide; ++column) sums.add(columns[static_cast<std::size_t>(column)]);
      const double ux = sums.x / kCount, uy = sums.y / kCount;
      const double vx = kSample * (sums.xx / kCount - ux * ux), vy = kSample * (sums.yy / kCount - uy * uy);
      const double vxy = kSample * (sums.xy / kCount - ux * uy);
      total += (2.0 * ux * uy + c1) * (2.0 * vxy + c2) / ((ux * ux + uy * uy + c1) * (vx + vy + c2));
    }
  }
  return total / static_cast<double>((ny - kSide + 1) * (nx - kSide + 1));
}

double decibels(double signal, double error) {
  if (signal == 0.0) return std::numeric_limits<double>::quiet_NaN();
  return error > 0.0 ? 10.0 * std::log10(signal / error) : std::numeric_limits<double>::infinity();
}

double VolumeMetrics::add(std::span<const double> reference, std::span<const double> result, std::int64_t ny, std::int64_t nx) {
  VolumeMetrics slice(range_);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double difference = result[i] - reference[i];
    slice.signal_ += reference[i] * reference[i];
    slice.error_ += difference * difference;
  }
  slice.pixels_ = reference.size();
  slice.slices_ = 1;
  slice.similarities_ = structural_similarity(reference, result, ny, nx, range_);
  add(slice);
  return slice.similarities_;
}

// Sums of slices are added, not pixels one after the other: a volume has the same bits whether its slices were added here or there.
void VolumeMetrics::add(const VolumeMetrics& slices) {
  signal_ += slices.signal_;
  error_ += slices.error_;
  similarities_ += slices.similarities_;
  pixels_ += slices.pixels_;
  slices_ += slices.slices_;
}

}  // namespace ulpfft_tool
