// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Blurs an image by a Gaussian: a convolution of real numbers as one plan, which stores no spectrum. Writes before.pgm and after.pgm.
#include <ulpfft/ulpfft.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kRows = 480;
constexpr std::size_t kColumns = 640;
constexpr double kRadius = 4.0;  // of the blur, in points

// Squares, and a ramp behind them.
std::vector<float> draw() {
  std::vector<float> image(kRows * kColumns);
  for (std::size_t y = 0; y < kRows; ++y) {
    for (std::size_t x = 0; x < kColumns; ++x) {
      const bool bright = (x / 80 + y / 80) % 2 == 0;
      image[y * kColumns + x] = static_cast<float>(bright ? 200 : 50 * x / kColumns);
    }
  }
  return image;
}

// The half spectrum of a Gaussian whose sum is 1, which is a Gaussian: nothing is transformed for it.
std::vector<std::complex<float>> gaussian() {
  std::vector<std::complex<float>> factors(kRows * (kColumns / 2 + 1));
  const double width = 2.0 * 3.14159265358979 * 3.14159265358979 * kRadius * kRadius;
  for (std::size_t v = 0; v < kRows; ++v) {
    const double fv = static_cast<double>(std::min(v, kRows - v)) / kRows;
    for (std::size_t u = 0; u <= kColumns / 2; ++u) {
      const double fu = static_cast<double>(u) / kColumns;
      factors[v * (kColumns / 2 + 1) + u] = static_cast<float>(std::exp(-width * (fu * fu + fv * fv)));
    }
  }
  return factors;
}

void write(const std::string& name, const std::vector<float>& image) {
  std::ofstream file(name, std::ios::binary);
  file << "P5\n" << kColumns << " " << kRows << "\n255\n";
  for (const float value : image) file.put(static_cast<char>(std::clamp(std::lround(value), 0L, 255L)));
}

double mean(const std::vector<float>& image) {
  double sum = 0.0;
  for (const float value : image) sum += value;
  return sum / static_cast<double>(image.size());
}

// The largest step between neighbours of a row.
float steepest(const std::vector<float>& image) {
  float step = 0.0F;
  for (std::size_t i = 1; i < image.size(); ++i) {
    if (i % kColumns != 0) step = std::max(step, std::abs(image[i] - image[i - 1]));
  }
  return step;
}

}  // namespace

int main() {
  const std::vector<float> image = draw();
  std::vector<float> blurred(image.size());
  ulpfft::Context context;
  const ulpfft::Plan plan = context.parse("r2c 480x640 f32 scale=1/n chain=mul");
  plan.execute_chain(image, blurred, gaussian());
  write("before.pgm", image);
  write("after.pgm", blurred);
  std::cout << "mean " << mean(image) << " and " << mean(blurred) << "\n"
            << "steepest step " << steepest(image) << " and " << steepest(blurred) << "\n";
  return std::abs(mean(image) - mean(blurred)) < 1e-2 && steepest(blurred) < 0.2F * steepest(image) ? 0 : 1;
}
