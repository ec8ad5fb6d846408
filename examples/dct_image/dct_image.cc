// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Keeps the largest cosine coefficients of an image, as codecs do, and says what the rest was worth. Build it with
//   c++ -std=c++20 dct_image.cc -o dct_image $(pkg-config --cflags --libs ulpfft)
#include <ulpfft/ulpfft.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <vector>

namespace {

constexpr std::int64_t kRows = 240;
constexpr std::int64_t kColumns = 320;

// Rings, a smooth picture.
std::vector<double> draw() {
  std::vector<double> image(kRows * kColumns);
  for (std::int64_t y = 0; y < kRows; ++y) {
    for (std::int64_t x = 0; x < kColumns; ++x) {
      const double distance = std::hypot(static_cast<double>(x - 150), static_cast<double>(y - 130));
      image[static_cast<std::size_t>(y * kColumns + x)] = 128.0 + 100.0 * std::cos(distance / 9.0);
    }
  }
  return image;
}

// Puts all but the largest `kept` coefficients to zero.
void keep_largest(std::span<double> coefficients, std::size_t kept) {
  std::vector<double> magnitudes(coefficients.size());
  std::transform(coefficients.begin(), coefficients.end(), magnitudes.begin(), [](double value) { return std::abs(value); });
  const auto limit = magnitudes.end() - static_cast<std::ptrdiff_t>(kept);
  std::nth_element(magnitudes.begin(), limit, magnitudes.end());
  for (double& value : coefficients) {
    if (std::abs(value) < *limit) value = 0.0;
  }
}

double psnr(const std::vector<double>& image, const std::vector<double>& other) {
  double square = 0.0;
  for (std::size_t i = 0; i < image.size(); ++i) square += (image[i] - other[i]) * (image[i] - other[i]);
  return 10.0 * std::log10(255.0 * 255.0 * static_cast<double>(image.size()) / square);
}

}  // namespace

int main() {
  const std::vector<double> image = draw();
  std::vector<double> coefficients(image.size()), back(image.size());
  const std::vector<std::int64_t> shape = {kRows, kColumns};
  bool good = true;
  for (const std::size_t part : {100, 20, 5}) {
    ulpfft::dctn(image, coefficients, shape, {0, 1}, 2, ulpfft::Norm::kOrtho);
    keep_largest(coefficients, image.size() / part);
    ulpfft::idctn(coefficients, back, shape, {0, 1}, 2, ulpfft::Norm::kOrtho);
    std::cout << "1 of " << part << " coefficients: " << psnr(image, back) << " dB\n";
    good = good && psnr(image, back) > 20.0;
  }
  return good ? 0 : 1;
}
