// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/mri/panel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tools/ulpfft/array_file.h"
#include "tools/ulpfft/html.h"
#include "tools/ulpfft/mri/letters.h"

namespace ulpfft_tool {
namespace {

constexpr int kGap = 8;      // between the three
constexpr int kLetters = 2;  // pixels of the .png for one of a letter
constexpr int kTitle = 2 * (kLetterHeight + 2) * kLetters + 2 * kLetters;  // two lines

float& pixel(Picture& picture, int row, int column) {
  return picture.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(column)];
}

void paint(Picture& canvas, int left, const Picture& image, double factor, int enlarged) {
  for (int row = 0; row < image.height * enlarged; ++row) {
    for (int column = 0; column < image.width * enlarged; ++column) {
      const std::size_t from = static_cast<std::size_t>(row / enlarged) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(column / enlarged);
      pixel(canvas, kTitle + row, left + column) = static_cast<float>(factor * static_cast<double>(image.values[from]));
    }
  }
}

// As much of a text as fits; what was cut off shows as two dots.
std::string fitted(const std::string& text, int width) {
  const std::size_t most = static_cast<std::size_t>(width / (kLetterWidth * kLetters));
  return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

void title(Picture& canvas, int left, int width, const std::string& first, const std::string& second) {
  constexpr int kLine = (kLetterHeight + 2) * kLetters;
  draw_text(canvas, left, kLetters, kLetters, fitted(first, width));
  draw_text(canvas, left, kLetters + kLine, kLetters, fitted(second, width));
}

}  // namespace

Picture upright(std::string_view kind, std::span<const double> image, std::int64_t ny, std::int64_t nx) {
  const bool turned = kind == "BART", rows_up = kind == "fastMRI" || kind == "ISMRMRD";
  Picture picture{static_cast<int>(turned ? ny : nx), static_cast<int>(turned ? nx : ny), std::vector<float>(image.size())};
  for (std::int64_t y = 0; y < ny; ++y) {
    for (std::int64_t x = 0; x < nx; ++x) {
      const std::int64_t row = turned ? x : rows_up ? ny - 1 - y : y, column = turned ? y : x;
      pixel(picture, static_cast<int>(row), static_cast<int>(column)) = static_cast<float>(image[static_cast<std::size_t>(y * nx + x)]);
    }
  }
  return picture;
}

std::vector<double> difference_of(std::span<const double> reference, std::span<const double> result) {
  std::vector<double> difference(result.size());
  std::transform(result.begin(), result.end(), reference.begin(), difference.begin(), [](double a, double b) { return std::abs(a - b); });
  return difference;
}

double difference_times(const Picture& difference, double white) {
  double largest = quantile(difference, 0.995);
  if (!(largest > 0.0)) largest = *std::max_element(difference.values.begin(), difference.values.end());
  if (!(largest > 0.0)) return 0.0;
  double times = 1.0;
  for (double decade = 1.0; decade < 1e15; decade *= 10.0) {
    for (const double step : {1.0, 2.0, 5.0}) {
      if (step * decade * largest <= white) times = step * decade;
    }
  }
  return times;
}

std::string show_times(double times) { return times == 0.0 ? "no difference" : number("difference x %.0f", times); }

void write_panel(const std::string& path, const Panel& panel) {
  const Picture reference = upright(panel.kind, panel.reference, panel.ny, panel.nx), result = upright(panel.kind, panel.result, panel.ny, panel.nx);
  const int enlarged = std::max(1, (kLeastSide + reference.width - 1) / reference.width);
  const int side = reference.width * enlarged, width = 3 * side + 2 * kGap, height = kTitle + reference.height * enlarged;
  Picture canvas{width, height, std::vector<float>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 1.0F)};
  const Picture difference = upright(panel.kind, difference_of(panel.reference, panel.result), panel.ny, panel.nx);
  const double times = difference_times(difference, panel.white);
  paint(canvas, 0, reference, 1.0 / panel.white, enlarged);
  paint(canvas, side + kGap, result, 1.0 / panel.white, enlarged);
  paint(canvas, 2 * (side + kGap), difference, times / panel.white, enlarged);
  title(canvas, 0, side, "reference " + panel.reference_name, number("white is %.4g", panel.white));
  title(canvas, side + kGap, side, "result", panel.result_name);
  title(canvas, 2 * (side + kGap), side, show_times(times), times == 0.0 ? "" : number("white is %.4g", panel.white / times));
  const std::vector<std::uint8_t> png = encode_png(canvas, 1.0F);
  OutputFile file(path);
  file.write(std::as_bytes(std::span(png)));
  file.finish();
  file.commit();
}

}  // namespace ulpfft_tool
