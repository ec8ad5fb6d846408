// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The metrics of ulpfft mri against values made with scikit-image (make_expected.py), on the same numbers.
#include "tools/ulpfft/mri/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ulpfft_tool {
namespace {

struct Expected {
  std::uint64_t seed;
  std::int64_t slices, ny, nx;
  double scale, error;
  double nmse, psnr, ssim;
};

constexpr Expected kExpected[] = {
#include "expected_metrics.inc"
};

// splitmix64, as in make_expected.py.
double next_number(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return std::ldexp(static_cast<double>((z ^ (z >> 31)) >> 11), -53);
}

std::vector<double> make_volume(std::uint64_t seed, const Expected& of, double scale) {
  std::vector<double> image;
  for (std::int64_t slice = 0; slice < of.slices; ++slice) {
    for (std::int64_t y = 0; y < of.ny; ++y) {
      for (std::int64_t x = 0; x < of.nx; ++x) {
        double value = 0.25 * next_number(seed);
        if (y >= of.ny / 4 && y < of.ny / 2 && x >= of.nx / 4 && x < of.nx - of.nx / 4) value += 0.5 + 0.25 * static_cast<double>(slice);
        image.push_back(scale * value);
      }
    }
  }
  return image;
}

TEST(MriMetrics, AreThoseOfScikitImageOnEveryVolume) {
  for (const Expected& of : kExpected) {
    SCOPED_TRACE("seed " + std::to_string(of.seed));
    const std::vector<double> reference = make_volume(of.seed, of, of.scale), noise = make_volume(of.seed + 100, of, 1.0);
    std::vector<double> result(reference.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = reference[i] + of.scale * of.error * (noise[i] - 0.25);
    VolumeMetrics volume(*std::max_element(reference.begin(), reference.end()));
    const auto pixels = static_cast<std::size_t>(of.ny * of.nx);
    for (std::size_t slice = 0; slice < static_cast<std::size_t>(of.slices); ++slice) {
      volume.add(std::span(reference).subspan(slice * pixels, pixels), std::span(result).subspan(slice * pixels, pixels), of.ny, of.nx);
    }
    // An error of 1e-6 is a difference of numbers of about 1 in either program: 2^-53 / 1e-6 of it is rounding.
    const double rounding = 1e-12 + 4.0 * 0x1p-53 / of.error;
    EXPECT_NEAR(volume.nmse() / of.nmse, 1.0, rounding);
    EXPECT_NEAR(volume.psnr(), of.psnr, 10.0 * rounding);
    EXPECT_NEAR(volume.ssim(), of.ssim, 1e-12);
  }
}

TEST(MriMetrics, SayOfEqualImagesThatThereIsNoError) {
  const Expected of{9, 1, 9, 12, 1.0, 0.0, 0.0, 0.0, 1.0};
  const std::vector<double> image = make_volume(of.seed, of, of.scale);
  VolumeMetrics volume(1.0);
  EXPECT_DOUBLE_EQ(volume.add(image, image, of.ny, of.nx), 1.0);
  EXPECT_EQ(volume.nmse(), 0.0);
  EXPECT_TRUE(std::isinf(volume.psnr()));
}

TEST(MriMetrics, OfSlicesOneByOneAreThoseOfTheVolume) {
  const Expected& of = kExpected[2];
  const std::vector<double> reference = make_volume(1, of, 1.0), result = make_volume(2, of, 1.0);
  const auto pixels = static_cast<std::size_t>(of.ny * of.nx);
  VolumeMetrics at_once(2.0), parts(2.0);
  for (std::size_t slice = 0; slice < 3; ++slice) {
    VolumeMetrics alone(2.0);
    const auto one = std::span(reference).subspan(slice * pixels, pixels), other = std::span(result).subspan(slice * pixels, pixels);
    alone.add(one, other, of.ny, of.nx);
    at_once.add(one, other, of.ny, of.nx);
    parts.add(alone);
  }
  EXPECT_EQ(parts.nmse(), at_once.nmse());
  EXPECT_EQ(parts.psnr(), at_once.psnr());
  EXPECT_EQ(parts.ssim(), at_once.ssim());
}

}  // namespace
}  // namespace ulpfft_tool
